"""Taking changes back, and the journal that makes it possible."""

import re

import pytest

from scoring.awards import Outcome
from tests import factories
from tests.tournament.rounds import steps
from tournament.archive.replaying import find_journal_differences
from tournament.core.change import Actor
from tournament.core.reports import PlayerReport, Report
from tournament.core.words.journal import describe_entry
from tournament.entries.operations.attendance import bring_back_entry, withdraw_entry
from tournament.entries.operations.entries import (
    EntryDetails,
    NewEntry,
    edit_entry,
    enter_player,
    enter_players,
    keep_apart,
    move_entry,
)
from tournament.entries.operations.register import Person
from tournament.events.operations import update_settings
from tournament.journal.consequences import find_undo_effects
from tournament.journal.undoing import ChangedSince, NotUndoable, undo_journal_entry
from tournament.models import Division, Entry, JournalEntry, Player, Result, Round, Seat
from tournament.results.operations import record_result
from tournament.rounds.drafts import DrawWish, draft_round, swap_players
from tournament.rounds.operations import discard_draft
from tournament.table.league import list_round_pairings

pytestmark = pytest.mark.usefixtures("four_of_module")


def last(division: Division) -> JournalEntry:
    return JournalEntry.objects.filter(tournament=division.tournament).latest("number")


def test_undo_of_a_first_result_opens_the_game_and_keeps_the_version(
    division: Division, four: list[Entry], doris: Actor
) -> None:
    steps.play_next_round(division, doris)

    undo_journal_entry(last(division), actor=doris)

    assert list(Result.objects.order_by("pk").values_list("official", flat=True)) == [True, False]


def test_undo_of_a_correction_makes_the_former_version_official(
    division: Division, four: list[Entry], doris: Actor
) -> None:
    round = steps.play_next_round(division, doris)
    pairing = list_round_pairings(round)[0]
    report = Report(Outcome.PLAYED, PlayerReport(points=500), PlayerReport(points=300))
    record_result(pairing, report=report, actor=doris, expected_version=1)

    undo_journal_entry(last(division), actor=doris)

    official = pairing.results.get(official=True)
    assert (official.version, official.first_points) == (1, 420)
    assert pairing.results.count() == 2


def test_undo_of_a_result_that_was_corrected_since_is_refused(
    division: Division, four: list[Entry], doris: Actor
) -> None:
    round = steps.play_next_round(division, doris)
    pairing = list_round_pairings(round)[1]
    recorded = last(division)
    report = Report(Outcome.PLAYED, PlayerReport(points=500), PlayerReport(points=300))
    record_result(pairing, report=report, actor=doris, expected_version=1)

    with pytest.raises(ChangedSince) as refused:
        undo_journal_entry(recorded, actor=doris)

    assert refused.value.figures == {"number": recorded.number}


def test_undo_brings_a_discarded_draft_back(division: Division, four: list[Entry], doris: Actor) -> None:
    draft = draft_round(division, actor=doris)
    seats = list(Seat.objects.order_by("pk").values_list("pk", "entry_id", "side"))
    discard_draft(draft, actor=doris)

    undo_journal_entry(last(division), actor=doris)

    assert Round.objects.get().number == 1
    assert list(Seat.objects.order_by("pk").values_list("pk", "entry_id", "side")) == seats


def test_undo_of_a_swap_puts_everybody_back(division: Division, four: list[Entry], doris: Actor) -> None:
    draft = draft_round(division, actor=doris, wish=DrawWish(seed=1))
    before = sorted(Seat.objects.values_list("pk", "pairing_id", "entry_id", "side"))
    swap_players(draft, one=four[0], other=four[2], actor=doris)
    swap_players(draft, one=four[0], other=four[1], actor=doris)

    for _ in range(2):
        entry = JournalEntry.objects.filter(tournament=division.tournament, verb="swap")
        undone = JournalEntry.objects.filter(verb="undo").count()
        found = list(entry.order_by("-number"))
        undo_journal_entry(found[min(undone, len(found) - 1)], actor=doris)

    assert sorted(Seat.objects.values_list("pk", "pairing_id", "entry_id", "side")) == before


def test_undo_of_a_withdrawal(division: Division, four: list[Entry], doris: Actor) -> None:
    withdraw_entry(four[0], actor=doris)

    undo_journal_entry(last(division), actor=doris)

    four[0].refresh_from_db()
    assert four[0].withdrawn_after is None


def test_undo_of_a_return_with_missed_rounds_as_losses_takes_the_losses_back(
    division: Division, four: list[Entry], doris: Actor
) -> None:
    withdraw_entry(four[0], actor=doris)
    withdraw_entry(four[1], actor=doris)
    steps.play_next_round(division, doris)
    bring_back_entry(four[0], missed_are_losses=True, actor=doris)

    undo_journal_entry(last(division), actor=doris)

    assert not Seat.objects.filter(entry=four[0]).exists()
    assert find_journal_differences(division.tournament) == []


def test_undo_of_a_return_after_another_round_was_published_is_refused(
    division: Division, four: list[Entry], doris: Actor
) -> None:
    withdraw_entry(four[0], actor=doris)
    bring_back_entry(four[0], actor=doris)
    back = last(division)
    steps.publish_next_round(division, doris)

    with pytest.raises(ChangedSince):
        undo_journal_entry(back, actor=doris)

    assert Entry.objects.get(pk=four[0].pk).withdrawn_after is None


def test_undo_of_a_move_after_the_first_round_is_refused(division: Division, four: list[Entry], doris: Actor) -> None:
    other = division.tournament.divisions.get(name="B")
    for entry in four[:2]:
        move_entry(entry, division=other, actor=doris)
    moved = last(division)
    steps.publish_next_round(other, doris)

    with pytest.raises(ChangedSince):
        undo_journal_entry(moved, actor=doris)


def test_undo_of_an_entrys_change_keeps_the_club_that_others_have_taken(
    division: Division, four: list[Entry], doris: Actor
) -> None:
    edit_entry(four[0], person=Person("Beispiel, Anna", club="SC Neu"), details=EntryDetails(), actor=doris)
    changed = last(division)
    newcomer = enter_player(division, person=Person("Fuchs, Emil", club="SC Neu"), actor=doris)

    undo_journal_entry(changed, actor=doris)

    newcomer.refresh_from_db()
    four[0].refresh_from_db()
    assert (str(newcomer.club), str(four[0].club)) == ("SC Neu", "SC Fulda")


def _enter_list(division: Division, doris: Actor) -> list[Entry]:
    newcomers = [NewEntry(Person(name, club="SC Neu"), division) for name in ("Neu, Ada", "Neu, Bea")]
    return enter_players(division.tournament, newcomers=newcomers, actor=doris)[0]


def test_undo_of_a_list_takes_all_its_entries_back(division: Division, four: list[Entry], doris: Actor) -> None:
    _enter_list(division, doris)

    undo_journal_entry(last(division), actor=doris)

    assert set(division.entries.all()) == set(four)
    assert Player.objects.filter(name="Neu, Ada").exists()
    undo_journal_entry(last(division), actor=doris)
    assert division.entries.count() == 6
    assert find_journal_differences(division.tournament) == []


def test_undo_of_a_list_is_refused_once_somebody_in_it_has_more(
    division: Division, four: list[Entry], doris: Actor
) -> None:
    one, _other = _enter_list(division, doris)
    entered = last(division)
    keep_apart(one, other=four[0], actor=doris)

    with pytest.raises(ChangedSince):
        undo_journal_entry(entered, actor=doris)

    assert division.entries.count() == 6


def test_undo_lists_the_tables_of_a_draft_by_their_numbers(division: Division, doris: Actor) -> None:
    factories.enter(division, 24)
    draft = draft_round(division, actor=doris)
    tables = [pairing for pairing in list_round_pairings(draft) if pairing.table in (2, 3, 10, 11)]
    swap_players(draft, one=tables[0].first, other=tables[2].first, actor=doris)

    told = [str(row) for row in find_undo_effects(last(division), division.tournament, actor=doris).rows]

    numbers = [int(number) for row in told for number in re.findall(r"(?:table|Tisch) (\d+)", row)]
    assert numbers == sorted(numbers)
    assert {2, 10} <= set(numbers)


def test_undo_of_settings_keeps_counting_revisions(division: Division, doris: Actor) -> None:
    update_settings(division.tournament, actor=doris, place="Fulda")
    entry = last(division)

    undo_journal_entry(entry, actor=doris)

    division.tournament.refresh_from_db()
    assert (division.tournament.place, division.tournament.revision) == ("", entry.number + 1)


def test_undo_of_a_publication_is_refused(division: Division, four: list[Entry], doris: Actor) -> None:
    steps.publish_next_round(division, doris)

    with pytest.raises(NotUndoable):
        undo_journal_entry(last(division), actor=doris)


def test_journal_replayed_shows_what_was_written_past_it(division: Division, four: list[Entry], doris: Actor) -> None:
    steps.play_next_round(division, doris)
    Result.objects.filter(version=1).order_by("pk")[:1].get()
    Result.objects.update(first_points=999)

    faults = find_journal_differences(division.tournament)

    assert [fault.split(".")[1] for fault in faults] == ["first_points: 420 ≠ 999"] * 2


def test_journal_is_never_rewritten(division: Division, doris: Actor) -> None:
    entry = last(division)

    with pytest.raises(RuntimeError, match="never rewritten"):
        entry.save()
    with pytest.raises(RuntimeError, match="never loses"):
        entry.delete()


def test_every_verb_has_words(division: Division, four: list[Entry], doris: Actor) -> None:
    steps.play_next_round(division, doris)

    sentences = [describe_entry(entry) for entry in JournalEntry.objects.filter(tournament=division.tournament)]

    assert not [sentence for sentence in sentences if "_" in sentence]


def test_entry_from_before_a_column_came_can_still_be_taken_back(
    division: Division, four: list[Entry], doris: Actor
) -> None:
    """A column that an earlier version did not have stands at its default since."""
    withdraw_entry(four[0], actor=doris)
    for entry in JournalEntry.objects.filter(tournament=division.tournament):
        for _table, _pk, before, after in entry.rows:
            for row in filter(None, (before, after)):
                row.pop("guest", None)
        JournalEntry.objects.filter(pk=entry.pk).update(rows=entry.rows)

    replayed = find_journal_differences(division.tournament)
    undo_journal_entry(last(division), actor=doris)

    assert replayed == []
    assert Entry.objects.get(pk=four[0].pk).withdrawn_after is None
