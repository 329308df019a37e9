"""Documents of events in the database."""

import re
from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from scoring.awards import Outcome
from scoring.standings import RankingBasis
from tests import factories
from tests.refusals import refuses
from tests.tournament.paper import samples
from tests.tournament.paper.samples import Drawn
from tournament.events.operations import add_division
from tournament.files.print_room import DOCUMENTS, render_document
from tournament.models import Division, Round
from tournament.table.league import load_table
from tournament.table.paper import build_cross_sheet, list_standings_notes, load_printed_table

pytestmark = [pytest.mark.usefixtures("english"), pytest.mark.django_db]
AT = datetime(2026, 10, 3, 12, 5, tzinfo=UTC)
every_document = pytest.mark.parametrize("name", DOCUMENTS)


@pytest.fixture(scope="module")
def five_of_module(*, shares_rows: bool) -> Division:
    """Five players; round 1 is played, round 2 published with one game still open."""
    division = factories.event(players=5, rounds=7)
    factories.played(division, (431, 388), (380, 380))
    entries = list(division.entries.in_order())
    made = factories.published(division, [(entries[2], entries[0]), (entries[1], entries[4]), (entries[3], None)])
    factories.result(made, 1, 340, 430, Outcome.FIRST_FORFEITS)
    return division


@pytest.fixture
def five(five_of_module: Division, db: None) -> Division:
    return factories.fresh(five_of_module)


def texts(name: str, division: Division, round: Round | None = None) -> list[str]:
    return samples.pages(render_document(name, division, round, printed_at=AT))


@pytest.mark.sampled(3)
@every_document
def test_document_is_the_same_for_the_same_rows(name: str, five: Division) -> None:
    assert render_document(name, five, printed_at=AT) == render_document(name, five, printed_at=AT)


@pytest.mark.sampled(11)
@every_document
def test_document_of_an_empty_division_is_one_page(name: str) -> None:
    division = factories.event(players=0)

    [page] = texts(name, division)

    assert "Herbst-Cup" in page


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("pairings", "There is no round to print yet."),
        ("pairings-by-name", "There is no round to print yet."),
        ("crosstable", "There is no round to print yet."),
        ("standings", "Nobody has been entered yet."),
    ],
)
def test_document_without_anything_to_print_says_so(name: str, reason: str) -> None:
    [page] = texts(name, factories.event(players=0))

    assert reason in page


def test_unknown_document_is_refused_with_those_allowed(five: Division) -> None:
    with refuses("unknown_document") as refused:
        render_document("poster", five)

    assert "“poster”" in str(refused.value)
    assert all(name in str(refused.value) for name in DOCUMENTS)


@pytest.mark.sampled(3)
@every_document
def test_document_takes_as_many_queries_for_many_players_as_for_few(name: str) -> None:
    counts = []
    for players in (4, 12):
        division = factories.event(f"Cup {players}", players=players)
        factories.season(division, 3)
        division = factories.fresh(division)
        with CaptureQueriesContext(connection) as queries:
            render_document(name, division)
        counts.append(len(queries))

    assert counts[0] == counts[1] <= {"round": 21, "report": 65}.get(name, 13)  # several documents in one


def test_pairings_are_those_of_the_round_asked_for(five: Division) -> None:
    first = Round.objects.get(division=five, number=1)

    [latest], [earlier] = texts("pairings", five), texts("pairings", five, first)

    assert "Round 2: Pairings by table" in latest
    assert "Round 1: Pairings by table" in earlier
    assert "Bye: counts as a win with +50 and 400 points (TSO 6.1.1)." in latest


def test_pairings_of_a_draft_say_that_it_is_one(five: Division) -> None:
    factories.result(Round.objects.get(division=five, number=2), 2, 400, 380)
    draft = factories.draft(five)

    [asked_for], [latest] = texts("pairings", five, draft), texts("pairings", five)

    assert "Round 3" in asked_for
    assert "DRAFT" in asked_for
    assert "Round 2" in latest


def test_first_draft_is_printed_where_nothing_is_published_yet() -> None:
    division = factories.event(players=4)
    factories.draft(division)

    [page] = texts("pairings-by-name", division)

    assert "Round 1" in page
    assert "DRAFT" in page


def test_division_is_named_only_where_there_are_several(five: Division) -> None:
    [alone] = texts("standings", five)
    add_division(five.tournament, name="Masters", actor=factories.director())
    Division.objects.filter(pk=five.pk).update(name="Open")
    [one_of_two] = texts("standings", factories.fresh(five))

    assert "Open" not in alone
    assert "Open" in one_of_two


def test_standings_say_how_they_are_ranked_and_what_is_open(five: Division) -> None:
    [page] = texts("standings", five)

    assert "Standings after round 2" in page
    assert "Ranked by wins, then spread, points" in page
    assert "(TSO 6.1)" in page
    assert "Provisional: 1 game is still open." in page


def test_standings_after_an_earlier_round_are_those_of_then(five: Division) -> None:
    table = load_printed_table(five, Round.objects.get(division=five, number=1))

    assert table.after == 1
    assert [(row.rank, row.half_wins, row.spread) for row in (line.standing for line in table.lines)] == [
        (1, 2, 50), (2, 2, 43), (3, 1, 0), (3, 1, 0), (5, 0, -43),
    ]  # fmt: skip
    assert not any("open" in note for note in list_standings_notes(five, table))


def test_standings_leave_no_trace_of_a_draft(five: Division) -> None:
    factories.result(Round.objects.get(division=five, number=2), 2, 400, 380)

    assert load_printed_table(five, factories.draft(five)).after == 2


def test_standings_by_points_put_points_first() -> None:
    division = factories.event(players=4, basis=RankingBasis.POINTS)
    factories.played(division)

    [page] = texts("standings", division)

    assert "Rank Name Club Points Wins Spread" in page


def test_standings_mark_who_has_withdrawn(five: Division) -> None:
    five.entries.filter(position=2).update(withdrawn_after=2)

    [page] = texts("standings", factories.fresh(five))

    assert "withdrawn after round 2" in page


def test_cross_table_holds_every_kind_of_game(five: Division) -> None:
    sheet = build_cross_sheet(five, None)

    shown = {
        (meeting.round, re.sub(r"\d", "", sheet.write_game(meeting)[0]).removesuffix(" •"))
        for row in sheet.rows
        for meeting in row.meetings.values()
    }
    assert shown == {(1, "+"), (1, "−"), (1, "="), (1, "bye"), (2, "(+)"), (2, "(−)"), (2, ""), (2, "bye")}


def test_cross_table_shows_both_sides_of_a_game(five: Division) -> None:
    sheet = build_cross_sheet(five, None)

    for place, row in enumerate(sheet.rows):
        for meeting in row.meetings.values():
            if meeting.opponent is not None:
                back = sheet.rows[sheet.places[meeting.opponent]].meetings[meeting.round]
                assert back.opponent is not None
                assert sheet.places[back.opponent] == place
                assert sheet.has_started(back) is not sheet.has_started(meeting)
                assert (back.own, back.other) == (meeting.other, meeting.own)


def test_cross_table_marks_as_started_what_the_table_counts(five: Division) -> None:
    factories.result(Round.objects.get(division=five, number=2), 2, None, None, Outcome.SECOND_FORFEITS)

    sheet = build_cross_sheet(five, None)

    counted = {row.entry.name: row.starts for row in load_table(five).rows}
    assert {row.line.entry.name: sum(map(sheet.has_started, row.meetings.values())) for row in sheet.rows} == counted
    assert sum(counted.values()) == 3


@pytest.mark.parametrize(("method", "matrix"), [("round_robin", True), ("swiss", False)])
def test_cross_table_is_a_matrix_where_all_play_all(method: str, matrix: bool) -> None:
    division = factories.event(players=4)
    factories.season(division, 3)
    division.rounds.update(method=method)

    assert build_cross_sheet(factories.fresh(division), None).matrix is matrix


def test_slips_and_sheets_hold_the_games_of_the_round(five: Division, drawn: list[Drawn]) -> None:
    texts("result-slips", five)
    pages = texts("scoresheets", five)

    assert sorted({each.text for each in drawn if "Table " in each.text}) == ["Table 1", "Table 2", "Table ____"]
    assert len(pages) == 2


def test_blank_forms_hold_no_names(five: Division, drawn: list[Drawn]) -> None:
    texts("blank-result-slips", five)
    texts("blank-scoresheet", five)

    shown = {each.text for each in drawn}
    assert not shown & {entry.name for entry in five.entries.with_names()}


def test_time_of_printing_is_now_unless_given(five: Division) -> None:
    before = datetime.now(tz=UTC).replace(microsecond=0)

    found = samples.reader(render_document("standings", five))

    assert before <= found.metadata.creation_date <= datetime.now(tz=UTC)


def test_document_speaks_the_active_language(five: Division) -> None:
    with translation.override("de"):
        [page] = texts("standings", five)

    assert "3. Oktober 2026" in page


def test_announcement_states_rules_plan_exceptions_and_text() -> None:
    division = factories.event(players=2, rounds=7, announcement="Die Halle öffnet um neun.")
    division.entries.filter(position=1).update(exception="5 minutes more")

    [page] = texts("announcement", division)

    assert "Die Halle öffnet um neun." in page
    assert "Ruleset Turnierspielordnung" in page
    assert "Order of criteria wins, then spread" in page
    assert "Rounds 1–7 Swiss" in page
    assert "Exceptions for players (TSO 1.6) Aumann, Klara 5 minutes more" in page


def test_announcement_leaves_out_what_there_is_not() -> None:
    [page] = texts("announcement", factories.event(players=2, rounds=0))

    assert "Plan of rounds" not in page
    assert "Exceptions" not in page
