"""Score sheets: begun, written line by line, ended, deleted, and every step taken back."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from games.limits import LINES
from games.models import Line, Scoresheet
from games.sheets import operations as sheets
from games.sheets.lines import WrittenEnding, WrittenLine
from tests import factories
from tests.games.sheets import steps
from tests.refusals import refuses
from tournament.archive import replaying as journal
from tournament.basics.refusals import Refusals
from tournament.core import records
from tournament.core.change import RowDeleted, take_snapshot
from tournament.core.words import journal as journal_words
from tournament.journal import undoing as undo
from tournament.models import Division, JournalEntry, Pairing, Tournament
from tournament.results.operations import RoundNotPublished

OURS = factories.director


def last_entry() -> JournalEntry:
    found = JournalEntry.objects.exclude(tournament=None).order_by("-number").first()
    assert found is not None
    return found


def replayed(tournament: Tournament) -> list[str]:
    """Where sheets and lines differ from what the journal says."""
    return [fault for fault in journal.find_journal_differences(tournament) if fault.startswith(("line", "scoresheet"))]


def test_sheet_begun_twice_is_one(paper: Scoresheet, table: Pairing) -> None:
    again = sheets.open_sheet(table, keeper=Scoresheet.Keeper.FIRST, actor=OURS())

    assert again.pk == paper.pk
    assert JournalEntry.objects.filter(verb="open_sheet").count() == 1


def test_sheet_of_a_draft_or_without_opponent_is_refused(division: Division) -> None:
    draft = factories.draft(division, [(entry, None) for entry in division.entries.all()[:1]])
    pairing = Pairing.objects.filter(round=draft).select_related("round__division__tournament").with_players().get()
    with pytest.raises(RoundNotPublished):
        sheets.open_sheet(pairing, keeper=Scoresheet.Keeper.FIRST, actor=OURS())

    draft.state = "published"
    draft.save(update_fields=["state"])
    with pytest.raises(sheets.NoOpponent):
        sheets.open_sheet(pairing, keeper=Scoresheet.Keeper.FIRST, actor=OURS())


def test_lines_stand_in_the_order_they_were_written(paper: Scoresheet) -> None:
    steps.write(paper, "8H ABeR 24", "-ENR", "30")

    assert steps.lines(paper) == ["1: 1 8H ABeR 24", "2: 2 -ENR", "3: 1 30"]
    assert steps.version(paper) == 4


def test_insert_moves_down_and_delete_moves_up(paper: Scoresheet) -> None:
    steps.write(paper, "10", "20", "30")

    sheets.insert_line(paper, number=2, line=steps.line("15"), actor=OURS(), expected_version=4)
    assert steps.lines(paper) == ["1: 1 10", "2: 1 15", "3: 2 20", "4: 1 30"]
    sheets.delete_line(paper, number=1, actor=OURS(), expected_version=5)
    assert steps.lines(paper) == ["1: 1 15", "2: 2 20", "3: 1 30"]
    sheets.change_line(paper, number=3, line=steps.line("31"), actor=OURS(), expected_version=6)
    assert steps.lines(paper) == ["1: 1 15", "2: 2 20", "3: 1 31"]
    assert steps.version(paper) == 7
    assert replayed(paper.pairing.round.division.tournament) == []


def test_turn_that_was_left_out_swaps_the_players_of_all_below(paper: Scoresheet) -> None:
    steps.write(paper, "10", "20", "30", "-ENR")

    sheets.insert_line(paper, number=2, line=steps.line("-", 2), actor=OURS(), expected_version=5)
    sheets.swap_sides(paper, number=3, actor=OURS(), expected_version=6)

    assert steps.lines(paper) == ["1: 1 10", "2: 2 -", "3: 1 20", "4: 2 30", "5: 1 -ENR"]
    assert steps.version(paper) == 7
    assert replayed(paper.pairing.round.division.tournament) == []


@pytest.mark.parametrize("number", [0, 3, 99])
def test_line_that_is_not_there_is_refused(paper: Scoresheet, number: int) -> None:
    steps.write(paper, "10", "20")
    told: dict[str, Any] = {"actor": OURS(), "expected_version": 3}

    for act in (
        lambda: sheets.insert_line(paper, number=number, line=steps.line("1"), **told),
        lambda: sheets.change_line(paper, number=number, line=steps.line("1"), **told),
        lambda: sheets.delete_line(paper, number=number, **told),
        lambda: sheets.swap_sides(paper, number=number, **told),
    ):
        with refuses("no_such_line"):
            act()
    assert steps.lines(paper) == ["1: 1 10", "2: 2 20"]


def test_line_sent_twice_is_written_once(paper: Scoresheet) -> None:
    for _again in range(2):
        sheets.write_line(paper, line=steps.line("10"), actor=OURS(), expected_version=1)
    for _again in range(2):
        sheets.insert_line(paper, number=1, line=steps.line("5", 2), actor=OURS(), expected_version=2)

    assert steps.lines(paper) == ["1: 2 5", "2: 1 10"]
    assert steps.version(paper) == 3


def test_same_line_again_on_purpose_is_written(paper: Scoresheet) -> None:
    sheets.write_line(paper, line=steps.line("10"), actor=OURS(), expected_version=1)
    sheets.write_line(paper, line=steps.line("10"), actor=OURS(), expected_version=2)

    assert steps.lines(paper) == ["1: 1 10", "2: 1 10"]


def test_stating_what_stands_changes_nothing(paper: Scoresheet) -> None:
    steps.write(paper, "10")
    sheets.finish_sheet(paper, ending=WrittenEnding(left=("", "ER")), actor=OURS(), expected_version=2)
    entries = JournalEntry.objects.count()

    sheets.change_line(paper, number=1, line=steps.line("10"), actor=OURS(), expected_version=1)
    sheets.finish_sheet(paper, ending=WrittenEnding(left=("", "ER")), actor=OURS(), expected_version=1)

    assert JournalEntry.objects.count() == entries


def test_second_writer_sees_what_the_first_has_written(paper: Scoresheet) -> None:
    told: dict[str, Any] = {"actor": OURS("eva"), "expected_version": 1}
    steps.write(paper, "33")

    for act, offered in (
        (lambda: sheets.write_line(paper, line=steps.line("24"), **told), "24"),
        (lambda: sheets.insert_line(paper, number=1, line=steps.line("24"), **told), "24"),
        (lambda: sheets.change_line(paper, number=1, line=steps.line("24"), **told), "24"),
        (lambda: sheets.delete_line(paper, number=1, **told), "line 1 deleted"),
        (lambda: sheets.swap_sides(paper, number=1, **told), "players swapped from line 1 on"),
        (lambda: sheets.finish_sheet(paper, ending=WrittenEnding(final=(400, 300)), **told), "the end of the sheet"),
        (lambda: sheets.delete_sheet(paper, **told), "the sheet deleted"),
    ):
        with translation.override("en"), pytest.raises(sheets.SheetChanged) as refused:
            act()
        assert refused.value.figures == {"who": "doris", "what": "Aumann, Klara: 33", "offered": offered}
    assert steps.lines(paper) == ["1: 1 33"]


def test_every_illegible_field_is_told_at_once(paper: Scoresheet) -> None:
    with pytest.raises(Refusals) as refused:
        sheets.write_line(
            paper, line=WrittenLine(1, rack="E2", points=9999, note="\x07"), actor=OURS(), expected_version=1
        )
    assert [each.field for each in refused.value.refusals] == ["note", "points", "rack"]

    ending = WrittenEnding(left=("E2", None), overtime=(None, 9999), final=(10000, None), note="x" * 401)
    with pytest.raises(Refusals) as refused:
        sheets.finish_sheet(paper, ending=ending, actor=OURS(), expected_version=1)
    fields = [each.field for each in refused.value.refusals]
    assert fields == ["second_overtime", "first_final", "first_left", "note"]


def test_sheet_has_an_end(paper: Scoresheet) -> None:
    Line.objects.bulk_create(Line(scoresheet=paper, number=at, side=1, kind="pass") for at in LINES.numbers)

    with pytest.raises(sheets.TooManySheetLines):
        sheets.write_line(paper, line=steps.line("1"), actor=OURS(), expected_version=1)
    with pytest.raises(sheets.TooManySheetLines):
        sheets.insert_line(paper, number=1, line=steps.line("1"), actor=OURS(), expected_version=1)


def test_last_line_that_a_sheet_has_room_for_is_inserted(paper: Scoresheet) -> None:
    Line.objects.bulk_create(Line(scoresheet=paper, number=at, side=1, kind="pass") for at in LINES.numbers[:-1])

    sheets.insert_line(paper, number=1, line=steps.line("1"), actor=OURS(), expected_version=1)

    assert paper.lines.count() == LINES.high


def test_what_was_agreed_on_was_another_sheet(paper: Scoresheet) -> None:
    steps.write(paper, "10")
    Scoresheet.objects.filter(pk=paper.pk).update(agreed=True)

    steps.write(paper, "20")

    assert not Scoresheet.objects.get(pk=paper.pk).agreed


def test_sheet_that_was_deleted_is_gone(paper: Scoresheet) -> None:
    steps.write(paper, "10")
    sheets.delete_sheet(paper, actor=OURS(), expected_version=2)

    assert (Scoresheet.objects.count(), Line.objects.count()) == (0, 0)
    assert last_entry().details["count"] == 1
    with pytest.raises(RowDeleted):
        sheets.write_line(paper, line=steps.line("10"), actor=OURS(), expected_version=2)


def test_journal_names_table_line_and_player(paper: Scoresheet) -> None:
    steps.write(paper, "8H ABeR 24")
    sheets.change_line(paper, number=1, line=steps.line("8H ABER 24"), actor=OURS(), expected_version=None)

    with translation.override("en"):
        assert journal_words.describe_entry(last_entry()) == (
            "Line changed: round 1 · table 1 · line 1 · Aumann, Klara · Aumann, Klara: 8H ABER 24 · ← 8H ABeR 24"
        )


def queries(act: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as counted:
        act()
    return len(counted)


def test_queries_do_not_depend_on_the_number_of_lines(paper: Scoresheet) -> None:
    def all_acts() -> list[int]:
        told: dict[str, Any] = {"actor": OURS(), "expected_version": None}
        return [
            queries(lambda: sheets.write_line(paper, line=steps.line("1"), **told)),
            queries(lambda: sheets.insert_line(paper, number=1, line=steps.line("2"), **told)),
            queries(lambda: sheets.change_line(paper, number=1, line=steps.line("3"), **told)),
            queries(lambda: sheets.swap_sides(paper, number=1, **told)),
            queries(lambda: sheets.delete_line(paper, number=1, **told)),
        ]

    steps.write(paper, "10", "20")
    few = all_acts()
    steps.write(paper, *["10", "20"] * 15)

    assert all_acts() == few


Act = Callable[[Scoresheet], Iterator[None]]


def open_sheet(paper: Scoresheet) -> Iterator[None]:
    yield
    sheets.open_sheet(paper.pairing, keeper=Scoresheet.Keeper.SECOND, actor=OURS())


def write_line(paper: Scoresheet) -> Iterator[None]:
    yield
    steps.write(paper, "40")


def insert_line(paper: Scoresheet) -> Iterator[None]:
    yield
    sheets.insert_line(paper, number=1, line=steps.line("40"), actor=OURS(), expected_version=None)


def change_line(paper: Scoresheet) -> Iterator[None]:
    yield
    sheets.change_line(paper, number=2, line=steps.line("40"), actor=OURS(), expected_version=None)


def delete_line(paper: Scoresheet) -> Iterator[None]:
    yield
    sheets.delete_line(paper, number=1, actor=OURS(), expected_version=None)


def swap_sides(paper: Scoresheet) -> Iterator[None]:
    yield
    sheets.swap_sides(paper, number=1, actor=OURS(), expected_version=None)


def finish_sheet(paper: Scoresheet) -> Iterator[None]:
    yield
    ending = WrittenEnding(left=("ER", ""), settlement=(-2, 2), overtime=(61, None), is_finished=True, note="Brett 7")
    sheets.finish_sheet(paper, ending=ending, actor=OURS(), expected_version=None)


def delete_sheet(paper: Scoresheet) -> Iterator[None]:
    yield
    sheets.delete_sheet(paper, actor=OURS(), expected_version=None)


ACTS: list[Act] = [
    open_sheet,
    write_line,
    insert_line,
    change_line,
    delete_line,
    swap_sides,
    finish_sheet,
    delete_sheet,
]


def rows(tournament: Tournament) -> dict[str, list[dict[str, object]]]:
    """Every sheet and line as stored."""
    return {
        model.__name__: [take_snapshot(row) for row in records.list_tournament_rows(model, tournament)]
        for model in (Scoresheet, Line)
    }


@pytest.mark.sampled(3)
@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__)
def test_every_step_can_be_taken_back(paper: Scoresheet, act: Act) -> None:
    tournament = paper.pairing.round.division.tournament
    steps.write(paper, "10", "20", "30")
    running = act(paper)
    next(running)
    before = rows(tournament)
    next(running, None)
    assert rows(tournament) != before

    entry = last_entry()
    undo.undo_journal_entry(entry, actor=OURS())

    assert entry.verb == act.__name__
    assert rows(tournament) == before
    assert replayed(tournament) == []


def test_only_the_newest_step_on_a_sheet_can_be_taken_back(paper: Scoresheet) -> None:
    steps.write(paper, "10")
    first = last_entry()
    steps.write(paper, "20")

    with pytest.raises(undo.ChangedSince):
        undo.undo_journal_entry(first, actor=OURS())


def test_accents_are_laid_without_them_where_the_rules_say_so(paper: Scoresheet) -> None:
    tournament = paper.pairing.round.division.tournament
    tournament.ruleset, tournament.minutes = "senior-de", None

    steps.write(paper, "8H CAFÉ 20")

    assert [line.word for line in Line.objects.filter(scoresheet=paper)] == ["CAFE"]
