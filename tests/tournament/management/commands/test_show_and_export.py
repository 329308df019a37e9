"""`show` and `export`, and the names that their parts had before: same output, same exit status."""

import io
from collections.abc import Sequence
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from tests import factories
from tests.games.duplicate.steps import evening
from tests.tournament.exchange.terminal import run
from tournament.management.exporting import EXPORTS
from tournament.management.showing import SHOWN
from tournament.models import Season, Tournament
from tournament.rounds.plan import PlanSegment, set_plan
from tournament.seasons.operations import add_season_event, make_season

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("english")]

OLD_EXPORTS = {
    "archive": "export_event",
    "tournament": "export_tournament",
    "website": "export_website",
    "tsh": "export_tsh",
    "t": "export_t",
    "tou": "export_tou",
    "tourney-js": "export_tourney_js",
}


@pytest.fixture(scope="module", autouse=True)
def cup_of_module(*, shares_rows: bool) -> Tournament:
    """Two rounds of four, one of them played, with a knock-out of two, counted in a season; beside it a duplicate
    session, and an event in the middle of a round."""
    division = factories.event(players=4, rounds=0)
    set_plan(division, segments=[PlanSegment(1, 2)], actor=factories.director())
    factories.played(division, (500, 300), (450, 310))
    seeded = factories.knockout(division, 2)
    season = make_season(plan=Season(name="Jahr", points=(3, 2, 1), with_running=True), actor=factories.director())
    add_season_event(season, division=seeded, actor=factories.director())
    evening("Avond", factories.director())
    factories.result(factories.published(factories.event("Offen", players=6)), 1, 450, 380)
    return seeded.tournament


@pytest.fixture
def cup(cup_of_module: Tournament, db: None) -> Tournament:
    return Tournament.objects.get(pk=cup_of_module.pk)


def find_address(what: str) -> str:
    """The event, the session or the season that a word is about."""
    return {"season": "jahr", "duplicate": "avond", "outlook": "offen"}.get(what, "herbst-cup")


@pytest.mark.parametrize("what", [word for word in SHOWN if word not in ("entries", "journal", "seats")])
@pytest.mark.sampled(3)
def test_old_name_prints_what_show_prints(what: str) -> None:
    slug, quick = find_address(what), ("--runs", "20") if what == "chances" else ()

    for form in SHOWN[what].writers:
        status, out, err = run("show", slug, what, "--format", form, *quick)
        assert status == 0, err
        assert out

        assert run(what, slug, "--format", form, *quick) == (0, out, err)


class _Terminal(io.StringIO):
    """Standard error of somebody who sits before it."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("words", "name"),
    [(["standings", "herbst-cup"], "show herbst-cup standings"), (["season", "jahr", "-o"], "export jahr season")],
)
def test_who_sits_before_it_is_told_the_new_name(cup: Tournament, tmp_path: Path, words: list[str], name: str) -> None:
    told, file = _Terminal(), [str(tmp_path / "s.pdf")] if "-o" in words else []

    call_command(*words, *file, stdout=io.StringIO(), stderr=told)

    assert told.getvalue() == f"This command is now called “{name}”. The old name works in every version 1.\n"


def test_first_form_is_the_default(cup: Tournament) -> None:
    for what in ("standings", "journal", "bracket"):
        assert run("show", cup.slug, what) == run("show", cup.slug, what, "--format", "table")


@pytest.mark.parametrize(("language", "names"), [("en", {"spread", "wins"}), ("de", {"Differenz", "Siege"})])
def test_table_says_in_the_terminals_language_what_decided(cup: Tournament, language: str, names: set[str]) -> None:
    _status, lines, _err = run("show", cup.slug, "standings", "--language", language)

    assert {line.split()[-1] for line in lines.splitlines()[1:]} <= names


def test_journal_keeps_its_command_for_what_it_does_beside_printing(cup: Tournament) -> None:
    for form in SHOWN["journal"].writers:
        shown = run("show", cup.slug, "journal", "--format", form)

        assert shown[0] == 0
        assert run("journal", cup.slug, "--format", form) == shown


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (
            ("show", "herbst-cup", "final", "--after", "1", "--seed", "3"),
            "final takes no --after.\nfinal takes no --seed.",
        ),
        (("show", "jahr", "season", "--division", "A"), "season takes no --division."),
        (
            ("show", "herbst-cup", "final", "--format", "csv"),
            "--format final: “csv” is not possible. Choose from: table, json.",
        ),
        (
            ("show", "herbst-cup", "bracket", "--format", "xml"),
            "--format bracket: “xml” is not possible. Choose from: table, json, svg.",
        ),
        (("show", "sommer-cup", "final"), "There is no tournament “sommer-cup”. Known: avond, herbst-cup, offen."),
        (("knockout", "herbst-cup", "--best-of", "0"), "--best-of goes with --announce only."),
        (("show", "herbst-cup", "season"), "There is no season “herbst-cup”. Known: jahr."),
        (("show", "herbst-cup", "duplicate"), "Division A has no duplicate session."),
        (
            ("show", "avond", "final"),
            "By Duplicatescrabble there is no table of wins: show avond duplicate prints it.",
        ),
        (("export", "sommer-cup", "t"), "There is no tournament “sommer-cup”. Known: avond, herbst-cup, offen."),
        (("export", "herbst-cup", "season"), "There is no season “herbst-cup”. Known: jahr."),
        # Old names refuse as they did: with the fault alone.
        (("standings", "sommer-cup"), "There is no tournament “sommer-cup”. Known: avond, herbst-cup, offen."),
        (("export_tournament", "sommer-cup"), "There is no tournament “sommer-cup”. Known: avond, herbst-cup, offen."),
    ],
)
@pytest.mark.sampled(4)
def test_bad_input_is_refused_with_what_is_allowed(words: Sequence[str], line: str) -> None:
    assert run(*words) == (1, "", f"{line}\n")


def test_unknown_words_are_refused_with_those_that_exist() -> None:
    for command, choices in (("show", SHOWN), ("export", EXPORTS)):
        with pytest.raises(CommandError, match="“tabelle” is not possible") as refused:
            run(command, "herbst-cup", "tabelle")
        assert str(refused.value).endswith(f"Choose from: {', '.join(choices)}.")


def read_everything(folder: Path) -> dict[str, int]:
    """The files below a folder with their sizes; bytes differ by the moment at which they were made."""
    return {path.relative_to(folder).as_posix(): len(path.read_bytes()) for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=pytest.mark.long) if kind == "website" else kind for kind in OLD_EXPORTS]
)
def test_old_name_writes_what_export_writes(
    kind: str, cup: Tournament, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now, before = tmp_path / "now", tmp_path / "before"
    written = []
    for folder, words in ((now, ("export", cup.slug, kind)), (before, (OLD_EXPORTS[kind], cup.slug))):
        folder.mkdir()
        monkeypatch.chdir(folder)
        written.append(run(*words, "-o", "written"))

    assert written[0][0] == 0, written[0]
    assert written[1] == written[0]
    assert list(read_everything(now)) == list(read_everything(before)) != []
    if kind in ("tsh", "t", "tou", "tourney-js", "tournament"):
        assert read_everything(now) == read_everything(before)


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("website", "herbst-cup-website.zip"),
        ("report", "herbst-cup-report.zip"),
        ("tsh", "herbst-cup-tsh"),
        ("t", "herbst-cup.t"),
        ("tou", "herbst-cup.tou"),
        ("season", "jahr.pdf"),
    ],
)
@pytest.mark.sampled(2)
def test_each_export_has_a_usual_place(
    kind: str, name: str, cup: Tournament, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    assert run("export", "jahr" if kind == "season" else cup.slug, kind)[0] == 0

    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_exports_to_standard_output(cup: Tournament) -> None:
    assert run("export", cup.slug, "tournament")[1].startswith("{")
    assert "newt" in run("export", cup.slug, "tourney-js")[1]


def test_old_names_of_report_and_season_still_write_files(cup: Tournament, tmp_path: Path) -> None:
    report, season = tmp_path / "r.pdf", tmp_path / "s.pdf"
    plain = run("show", cup.slug, "report")[1]

    assert run("report", cup.slug, "-o", str(report))[:2] == (0, plain)
    status, out, err = run("season", "jahr", "-o", str(season))

    assert (status, out, err) == (0, "", "")
    assert report.read_bytes().startswith(b"%PDF")
    assert season.read_bytes().startswith(b"%PDF")
