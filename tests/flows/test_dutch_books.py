"""An event by each of the Dutch books for two players: every page, document, file, log and command says only what the
book has.

No clause, sentence, award figure or word about overtime of the TSO may appear; byes, absences and forfeits credit what
the organiser has announced, and are shown as the organiser's.
"""

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import translation

from games.core.pages import format_seen_state
from games.judge.jury import ask_jury
from games.models import Incident, JuryQuestion, Scoresheet
from games.referee.catalogue import list_incident_kinds
from games.sheets.operations import open_sheet, write_line
from tests import factories
from tests.flows.event_by_pages import fill, knockout, pages, pair, prepare, result, tables
from tests.games import steps
from tests.games.conftest import browser
from tests.games.sheets.steps import line
from tests.laws import TIMES
from tests.markup import read_words
from tests.tournament.paper.samples import pages as printed
from tournament.files.print_room import DOCUMENTS, render_document
from tournament.models import Division, Pairing
from tournament.table.league import load_table

FIGURES: dict[str, Any] = {"bye_spread": 33, "bye_points": 333, "loss_spread": -77}
"""What the organiser has announced for byes and absences: none of it is the TSO's."""

FOREIGN = re.compile(
    r"TSO \d|by the Turnierspielordnung|nach der Turnierspielordnung|Allgemeine Spielregeln \d|Spielanleitung,|§"
    r"|\b15:00\b|\b15 (?:Min|min)|\b5 Minuten|\b5 minutes|\b5:00\b"
    r"|\+50\b|(?<!als )(?<!as )(?<![\d:])400\b(?!–)|[-−]100\b|[-−]119\b"
    r"|[Bb]oth sign|unterschreiben|ondertekenen|overtime beyond|über die Grenze|[Pp]asses that end"
)
"""Clauses, figures and sentences of the TSO and of the German rules."""

OVERTIME = re.compile(
    r"[Oo]vertime|Zeitüberschreitung|[Zz]eitstrafe|[Tt]ime penalty|[Tt]ijdstraf|[Tt]ijdsoverschrijding"
)
"""Words that only an event with clocks has."""

CHALLENGED = re.compile(
    r"Note the challenge|Anfechtung vermerken|[Ff]ailed challenge|[Uu]nbegründete|[Oo]nterechte aanv"
)
"""What Puntenscrabble does not know."""

IN_FULL = TIMES > 1
"""Every page in every language, and Wedstrijdscrabble without clocks as well; otherwise each book in one of them."""

BOOKS = [
    pytest.param("sbnl-punten", None, id="punten"),
    pytest.param("sbnl-wedstrijd", 35, id="wedstrijd with clocks"),
    *([pytest.param("sbnl-wedstrijd", None, id="wedstrijd without")] if IN_FULL else []),
]


def languages(ruleset: str) -> tuple[str, ...]:
    """In which languages an event is read."""
    return ("de", "en", "nl") if IN_FULL else {"sbnl-punten": ("nl",), "sbnl-wedstrijd": ("de",)}[ruleset]


by_book = pytest.mark.parametrize(("ruleset", "minutes"), BOOKS)
Evening = tuple[Division, str]
"""An event that was played, and what pairing it in the terminal has printed."""


@pytest.fixture(scope="module", params=[pytest.param(book.values, id=book.id) for book in BOOKS])
def evening_of_module(request: pytest.FixtureRequest, *, shares_rows: bool) -> Iterator[Evening]:
    with transaction.atomic():
        yield play_evening(*request.param)
        transaction.set_rollback(True)


@pytest.fixture
def evening(evening_of_module: Evening, db: None) -> Evening:
    """The whole event by one of the books."""
    division, said = evening_of_module
    return factories.fresh(division), said


def foreign(said: str, division: Division) -> list[str]:
    """What stands in a text that is not the book's, each with the words around it."""
    patterns = [FOREIGN]
    if not division.tournament.rules.overtime_points:
        patterns.append(OVERTIME)
    if division.tournament.rules.challenges is None:
        patterns.append(CHALLENGED)
    found = [match for pattern in patterns for match in pattern.finditer(said)]
    return [said[max(0, match.start() - 40) : match.end() + 30] for match in found]


def club_evening(ruleset: str, minutes: int | None) -> Division:
    """Eight players, of whom one will miss round 1, so that another has a bye; one plays with an exception."""
    return factories.event("Clubavond", players=8, ruleset=ruleset, rounds=2, minutes=minutes, **FIGURES)


def play_evening(ruleset: str, minutes: int | None) -> Evening:
    """The whole event, played by the book."""
    division = club_evening(ruleset, minutes)
    doris = browser(factories.director().user)
    prepare(doris, division)
    said = first_round(doris, division)
    second_round(doris, division)
    knockout(doris, division)
    return factories.fresh(division), said


def first_round(doris_client: Client, division: Division) -> str:
    """A game, one that counts for the opponent, one that nobody began; a bye and an absence beside."""
    said = pair(division)
    one, two, three = (pairing for pairing in tables(division, 1) if pairing.kind == Pairing.Kind.GAME)
    timed = {"first_overtime": "12:01", "figure": "gross"} if division.tournament.rules.overtime_points else {}
    result(doris_client, one, first_points="431", second_points="388", **timed)
    result(doris_client, two, outcome="first_forfeits", reason="disqualified", first_points="352", second_points="395")
    result(doris_client, three, outcome="second_forfeits", reason="no_show")
    return said


def second_round(doris_client: Client, division: Division) -> None:
    """A sheet with what the book knows, every kind of incident, words shown to the jury, a game for each table."""
    pair(division)
    one, two, *others = tables(division, 2)
    paper = open_sheet(one, keeper=Scoresheet.Keeper.FIRST, actor=factories.director())
    for side, typed in ((1, "-EN"), (2, "-ER"), (1, "-ENR *"), (2, "- *"), (1, "8H HUIS"), (2, "-")):
        write_line(paper, line=line(typed, side), actor=factories.director(), expected_version=None)
    incidents(doris_client, two)
    if division.tournament.rules.questions:
        ask_jury(one, side=1, text="huis", verdict=True, actor=factories.director())
    if division.tournament.rules.challenges:
        slug = division.tournament.slug
        challenge = {"challenger": "2", "turn": "1", "word1": "HUIS", "stands1": "yes", "word2": "XQ", "stands2": "no"}
        page = reverse("games:referee", args=[slug, one.pk])
        fill(doris_client, page, to=reverse("games:challenge", args=[slug, one.pk]), **challenge)
    for pairing in (one, two, *others):
        result(doris_client, steps.fresh(pairing), first_points="377", second_points="366")


def incidents(doris_client: Client, pairing: Pairing) -> None:
    """Every kind of incident that the book lists, noted as its page offers it first."""
    slug = pairing.round.division.tournament.slug
    for kind in list_incident_kinds(pairing.round.division.tournament.rules):
        told = {"who": "first", "effect": "note", "note": "vermeld", "gone": "12:00", "turn_points": "24"}
        asked = doris_client.get(reverse("games:incident", args=[slug, pairing.pk, kind.key])).context["form"].fields
        sent = {name: value for name, value in told.items() if name in asked} | {
            "seen": format_seen_state(steps.fresh(pairing))
        }
        fill(doris_client, reverse("games:incident", args=[slug, pairing.pk, kind.key]), **sent)


@pytest.mark.long
def test_no_page_knows_the_tso(evening: Evening) -> None:
    division, _said = evening
    doris = browser(factories.director().user)
    found: dict[tuple[str, str], list[str]] = {}
    for language in languages(division.tournament.ruleset):
        doris.cookies["django_language"] = language
        said = {address: read_words(doris.get(address, follow=True).content.decode()) for address in pages(division)}
        found |= {(language, page): wrong for page, each in said.items() if (wrong := foreign(each, division))}
        assert any(f"{division.tournament.rules.name} III-8" in each for each in said.values())

    assert found == {}


@pytest.mark.long
def test_no_document_knows_the_tso(evening: Evening) -> None:
    division, _said = evening
    found: dict[tuple[str, str], list[str]] = {}
    first = tables(division, 1)[0].round
    for language in languages(division.tournament.ruleset):
        with translation.override(language):
            made = {name: render_document(name, division) for name in DOCUMENTS}
            made["first round"] = render_document("round", division, first)
        said = {name: " ".join(printed(document)) for name, document in made.items()}
        found |= {(language, name): wrong for name, each in said.items() if (wrong := foreign(each, division))}

    assert found == {}


def told(division: Division, folder: Path) -> Iterator[tuple[str, str]]:
    """What commands print and files hold, each under its name."""
    slug = division.tournament.slug
    for command in ("standings", "bracket", "final", "journal"):
        out = io.StringIO()
        call_command(command, slug, stdout=out)
        yield command, out.getvalue()
    call_command("export_tournament", slug, "-o", str(folder / "cup.json"))
    call_command("export_tsh", slug, "-o", str(folder / "tsh"))
    for path in [folder / "cup.json", *(folder / "tsh").iterdir()]:
        yield path.name, path.read_text(encoding="latin-1")


@pytest.mark.long
def test_files_log_and_commands_know_nothing_of_the_tso(evening: Evening, tmp_path: Path) -> None:
    division, paired = evening
    said = {"pair": paired, **dict(told(division, tmp_path))}

    assert {name: found for name, each in said.items() if (found := foreign(each, division))} == {}
    assert set(Incident.objects.values_list("kind", flat=True)) == {
        kind.key for kind in list_incident_kinds(division.tournament.rules)
    }
    assert JuryQuestion.objects.exists() == (division.tournament.rules.questions is not None)


@pytest.mark.long
def test_own_figures_count_and_are_the_organisers(evening: Evening) -> None:
    division, _said = evening
    page = browser(factories.director().user).get(reverse("public:announcement", args=[division.tournament.slug]))
    announced = read_words(page.content.decode())
    rows = {row.entry.pk: row.standing for row in load_table(division, after=1).rows}
    kinds = {each.kind: each.first.pk for each in tables(division, 1) if each.kind != Pairing.Kind.GAME}
    bye, absent = rows[kinds[Pairing.Kind.BYE]], rows[kinds[Pairing.Kind.ABSENT]]

    assert (bye.spread, bye.points, absent.spread, absent.points) == (33, 333, -77, 0)
    assert "+33 and 333 points (set by the organiser)" in announced
    assert "−77 and no points (set by the organiser)" in announced


@pytest.mark.django_db
@by_book
def test_time_is_announced_as_the_book_has_it(ruleset: str, minutes: int | None) -> None:
    tournament = club_evening(ruleset, minutes).tournament

    page = browser(factories.director().user).get(reverse("public:announcement", args=[tournament.slug]))
    said = read_words(page.content.decode())

    asked = "Questions to the jury As many words as a player likes, before they are laid (Puntenscrabble III-10)"
    assert (asked in said) == (tournament.rules.questions is not None)
    if minutes:
        assert f"{minutes} minutes" in said
        assert "10 points off for each minute begun (Wedstrijdscrabble, Einde van het spel)" in said
    else:
        assert f"{tournament.rules.shared_minutes} minutes for the whole game" in said
        assert "points off" not in said
