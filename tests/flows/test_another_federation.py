"""Another federation's ruleset, registered as one value, through an event: pages, documents, files, log, commands.

Nothing of the TSO may appear anywhere, and the federation's own figures count.
"""

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import translation

from games.core.pages import format_seen_state
from games.models import Challenge, Incident, Line, Scoresheet
from games.sheets.lines import WrittenLine
from games.sheets.operations import open_sheet, write_line
from games.sheets.sheet_page import SheetPage
from scoring import awards, rulesets
from scoring.awards import Outcome
from tests import factories
from tests.flows.another_federation import XYZ, foreign
from tests.flows.event_by_pages import fill, knockout, pages, pair, prepare, result, tables
from tests.games import steps
from tests.games.conftest import browser
from tests.games.sheets.steps import line
from tests.markup import read_words
from tests.tournament.paper.samples import pages as printed
from tournament.files.print_room import DOCUMENTS, render_document
from tournament.models import Division, Pairing, Tournament
from tournament.table.league import load_table

Event = tuple[Division, str]
"""An event that was played, and what pairing it in the terminal has printed."""


@pytest.fixture(scope="module", autouse=True)
def _registered() -> Iterator[None]:
    """The federation's ruleset stands among the others, as if its module were there."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(rulesets, "RULESETS", {**rulesets.RULESETS, XYZ.key: XYZ})
        yield


@pytest.fixture(scope="module")
def event_of_module(_registered: None, *, shares_rows: bool) -> Event:
    return play_event(make_division())


@pytest.fixture
def event(event_of_module: Event, db: None) -> Event:
    """The whole event."""
    division, said = event_of_module
    return factories.fresh(division), said


@pytest.fixture
def played_division(event: Event) -> Division:
    """The division after the whole event."""
    return event[0]


def make_division() -> Division:
    """Eight players, of whom one will miss round 1, so that another has a bye; one plays with an exception."""
    return factories.event("XYZ-Cup", players=8, ruleset=XYZ.key, rounds=2)


@pytest.fixture
def doris_client(db: None) -> Client:
    return browser(factories.director().user)


def first_round(doris_client: Client, division: Division) -> str:
    """Overtime, overtime beyond the limit, too late; a bye and an absence beside."""
    said = pair(division)
    one, two, three = (pairing for pairing in tables(division, 1) if pairing.kind == Pairing.Kind.GAME)
    result(
        doris_client,
        one,
        first_points="431",
        second_points="388",
        first_overtime="1:01",
        second_overtime="4:00",
        figure="gross",
    )
    result(doris_client, two, first_points="352", second_points="421", first_overtime="4:01")
    result(doris_client, three, outcome="second_forfeits", reason="late")
    return said


def second_round(doris_client: Client, division: Division) -> None:
    """A sheet with challenges, the referee's log, a disqualification, and a game for each other table."""
    pair(division)
    slug = division.tournament.slug
    one, two, *others = tables(division, 2)
    paper = open_sheet(one, keeper=Scoresheet.Keeper.FIRST, actor=factories.director())
    for side, typed in enumerate(("8E KERN 14", "F6 ÜBER 23"), 1):
        write_line(paper, line=line(typed, side), actor=factories.director(), expected_version=None)
    vain = WrittenLine(2, Line.Kind.CHALLENGE, words=2)
    write_line(paper, line=vain, actor=factories.director(), expected_version=None)
    challenge = {"challenger": "2", "turn": "1", "word1": "KERN", "stands1": "yes", "word2": "KERNE", "stands2": "yes"}
    table = reverse("games:referee", args=[slug, one.pk])
    fill(doris_client, table, to=reverse("games:challenge", args=[slug, one.pk]), **challenge)
    result(doris_client, one, first_points="412", second_points="387")
    award = {"who": "second", "effect": "award", "note": "Unfair", "first_points": "402", "second_points": "327"}
    incident = reverse("games:incident", args=[slug, two.pk, "other"])
    fill(doris_client, incident, seen=format_seen_state(steps.fresh(two)), **award)
    for pairing in others:
        result(doris_client, pairing, first_points="377", second_points="366")


def play_event(division: Division) -> Event:
    """The whole event, played by the federation's rules."""
    doris = browser(factories.director().user)
    prepare(doris, division)
    said = first_round(doris, division)
    second_round(doris, division)
    knockout(doris, division)
    return factories.fresh(division), said


@pytest.mark.long
@pytest.mark.parametrize("language", ["de", "en"])
def test_no_page_knows_the_tso(played_division: Division, doris_client: Client, language: str) -> None:
    doris_client.cookies["django_language"] = language
    said = {address: doris_client.get(address, follow=True).content.decode() for address in pages(played_division)}

    assert {address: found for address, html in said.items() if (found := foreign(read_words(html)))} == {}
    assert [clause for clause in SHOWN if not any(f"({clause})" in read_words(html) for html in said.values())] == []


SHOWN = (
    XYZ.clauses.exceptions,
    XYZ.clauses.fixed_starts,
    XYZ.clauses.table,
    XYZ.clauses.overtime,
    XYZ.clauses.overtime_limit,
    XYZ.clauses.forfeits.whole,
    XYZ.clauses.forfeits.no_show,
    XYZ.clauses.forfeits.late,
    XYZ.clauses.forfeits.overtime,
    XYZ.clauses.knockout.whole,
    XYZ.clauses.knockout.double,
    XYZ.clauses.knockout.level,
    XYZ.awards.clause,
    "XYZ 4.99",
)
"""Clauses that some page of the event must cite."""


@pytest.mark.long
@pytest.mark.parametrize("language", ["de", "en"])
def test_no_document_knows_the_tso(played_division: Division, language: str) -> None:
    with translation.override(language):
        made = {name: " ".join(printed(render_document(name, played_division))) for name in DOCUMENTS}

    assert {name: found for name, said in made.items() if (found := foreign(said))} == {}
    assert XYZ.clauses.signing in made["scoresheets"]
    assert XYZ.clauses.table in made["standings"]
    assert XYZ.awards.clause in " ".join(
        printed(render_document("pairings", played_division, tables(played_division, 1)[0].round))
    )


@pytest.mark.long
def test_own_figures_count(played_division: Division) -> None:
    by_table = [steps.official(pairing) for pairing in tables(played_division, 1) if pairing.kind == Pairing.Kind.GAME]
    first, second, third = (
        awards.credit(Outcome(each.outcome), each.first_points, each.second_points, played_division.tournament.awards)
        for each in by_table
    )

    assert (by_table[0].first_points, by_table[0].second_points) == (431 - 3 * 7, 388 - 8 * 7)
    assert [credit.spread for credit in first] == [78, -78]
    assert [(credit.spread, credit.points) for credit in second] == [(-135, 0), (69, 421)]
    assert [(credit.spread, credit.points) for credit in third] == [(33, 333), (-77, 0)]
    assert {credit.clause for pair in (second, third) for credit in pair} == {XYZ.awards.clause}
    assert SheetPage(Scoresheet.objects.get()).count.second.challenges == -13
    assert Challenge.objects.get().words == [["KERN", True], ["KERNE", True]]
    assert Incident.objects.get().clause == ""


def test_table_credits_byes_and_absences_by_the_own_figures(doris_client: Client) -> None:
    division = make_division()
    prepare(doris_client, division)
    pair(division)

    rows = {row.entry.pk: row.standing for row in load_table(division).rows}
    kinds = {each.kind: each.first.pk for each in tables(division, 1) if each.kind != Pairing.Kind.GAME}

    bye, absent = rows[kinds[Pairing.Kind.BYE]], rows[kinds[Pairing.Kind.ABSENT]]
    assert (bye.spread, bye.points, absent.spread, absent.points) == (33, 333, -77, 0)


@pytest.mark.long
def test_file_says_it_and_comes_back(played_division: Division, tmp_path: Path) -> None:
    slug, file, again = played_division.tournament.slug, tmp_path / "cup.json", tmp_path / "again.json"
    call_command("export_tournament", slug, "-o", str(file))
    call_command("import_tournament", str(file), "--slug", "again", stdout=io.StringIO())
    call_command("export_tournament", "again", "-o", str(again))
    stored = Tournament.objects.get(slug="again")

    written = json.loads(file.read_text(encoding="utf-8"))
    assert written["awards"] == {"bye_spread": 33, "bye_points": 333, "loss_spread": -77}
    assert {**json.loads(again.read_text(encoding="utf-8")), "slug": slug} == written
    assert (stored.bye_spread, stored.awards) == (None, XYZ.awards)
    assert foreign(file.read_text(encoding="utf-8")) == []


@pytest.mark.long
def test_commands_and_the_log_know_nothing_of_the_tso(event: Event, tmp_path: Path) -> None:
    division, paired = event
    said = [paired]
    slug = division.tournament.slug
    for command in ("standings", "bracket", "journal"):
        out = io.StringIO()
        call_command(command, slug, stdout=out)
        said.append(out.getvalue())
    call_command("export_tsh", slug, "-o", str(tmp_path / "tsh"))
    said += [path.read_text(encoding="latin-1") for path in (tmp_path / "tsh").iterdir()]

    assert [found for each in said if (found := foreign(each))] == []
    assert "XYZ 6.1" in said[0]


def test_figures_follow_when_a_tournament_takes_the_ruleset(db: None) -> None:
    division = factories.event("Wechsel", players=2, ruleset="tso-2017", bye_points=350)
    address = reverse("director:settings", args=["wechsel"])
    byes = browser(factories.director().user).get(f"{address}?change=byes").context["form"]
    assert byes["bye_spread"].value() == 50

    fill(browser(factories.director().user), f"{address}?change=rules", ruleset=XYZ.key, minutes="20")

    assert factories.fresh(division).tournament.awards == XYZ.awards.announced(bye_points=350)
