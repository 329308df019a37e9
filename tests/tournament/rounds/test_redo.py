"""What was taken back can be restored, and a closed round that lacks a result again is open again."""

import pytest

from scoring.awards import Outcome
from tests import factories
from tournament.archive.replaying import find_journal_differences
from tournament.core.change import Actor
from tournament.core.words.journal import describe_entry
from tournament.entries.operations.attendance import withdraw_entry
from tournament.journal.undoing import ChangedSince, find_undone_entries, undo_journal_entry
from tournament.models import Division, Entry, JournalEntry, Result, Round
from tournament.pages.at_work import describe_open_tables
from tournament.results.league_games import list_notable_open_rounds
from tournament.results.operations import GamesOpen, withdraw_result
from tournament.rounds.drafts import draft_round, switch_starter
from tournament.rounds.operations import close_round, publish_round
from tournament.table.league import list_round_pairings


def last(division: Division) -> JournalEntry:
    return JournalEntry.objects.filter(tournament=division.tournament).latest("number")


def entry_of(division: Division, verb: str) -> JournalEntry:
    return JournalEntry.objects.filter(tournament=division.tournament, verb=verb).latest("number")


@pytest.fixture(scope="module")
def league_division_of_module(*, shares_rows: bool) -> Division:
    return factories.event(players=4, rounds=0)


@pytest.fixture
def league_division(league_division_of_module: Division, db: None) -> Division:
    return factories.fresh(league_division_of_module)


@pytest.fixture
def director(league_division: Division) -> Actor:
    return factories.director()


def states(division: Division) -> list[tuple[int, str, bool]]:
    found = Round.objects.filter(division=division).order_by("number")
    return [(round.number, round.state, round.closed_at is not None) for round in found]


def two_closed_rounds(division: Division) -> JournalEntry:
    """Two played rounds, the first of them closed; the entry of the first round's last result."""
    factories.played(division)
    typed = entry_of(division, "record_result")
    factories.played(division)
    return typed


def test_undo_of_an_old_result_opens_its_closed_round_again(league_division: Division, director: Actor) -> None:
    typed = two_closed_rounds(league_division)

    undo_journal_entry(typed, actor=director)

    assert states(league_division) == [(1, "published", False), (2, "published", False)]
    (found,) = list_notable_open_rounds(league_division, current=2)
    assert (found.number, found.tables, found.again) == (1, (2,), True)
    assert (
        describe_open_tables(found.number, found.tables, again=found.again)
        == "Runde 1 ist wieder offen: Es fehlt das Ergebnis von Tisch 2."
    )
    assert find_journal_differences(league_division.tournament) == []


def test_withdrawn_result_opens_its_closed_round_again_and_undo_closes_it(
    league_division: Division, director: Actor
) -> None:
    two_closed_rounds(league_division)
    pairing = list_round_pairings(Round.objects.get(number=1))[0]

    withdraw_result(pairing, actor=director)
    opened = states(league_division)
    undo_journal_entry(entry_of(league_division, "withdraw_result"), actor=director)

    assert (opened[0], states(league_division)[0]) == ((1, "published", False), (1, "closed", True))


def test_redo_restores_the_result_and_closes_the_round(league_division: Division, director: Actor) -> None:
    typed = two_closed_rounds(league_division)
    undo_journal_entry(typed, actor=director)

    undo_journal_entry(last(league_division), actor=director)

    assert last(league_division).verb == "redo"
    assert states(league_division)[0] == (1, "closed", True)
    assert Result.objects.filter(pairing__round__number=1, official=True).count() == 2
    assert find_journal_differences(league_division.tournament) == []


def test_undo_redo_and_undo_again_go_back_and_forth(league_division: Division, director: Actor) -> None:
    entry = Entry.objects.filter(division=league_division).earliest("pk")
    withdraw_entry(entry, actor=director)
    seen = []

    for _ in range(4):
        undo_journal_entry(last(league_division), actor=director)
        seen.append((last(league_division).verb, Entry.objects.get(pk=entry.pk).withdrawn_after))

    assert seen == [("undo", None), ("redo", 0), ("undo", None), ("redo", 0)]
    assert last(league_division).details["root"] == "withdraw"


def test_redo_of_a_round_with_another_open_game_leaves_it_open(league_division: Division, director: Actor) -> None:
    typed = two_closed_rounds(league_division)
    undo_journal_entry(typed, actor=director)
    undone = last(league_division)
    withdraw_result(list_round_pairings(Round.objects.get(number=1))[0], actor=director)

    undo_journal_entry(undone, actor=director)

    assert states(league_division)[0] == (1, "published", False)


def test_round_that_lacks_a_result_is_not_closed_by_redo(league_division: Division, director: Actor) -> None:
    round = factories.played(league_division)
    close_round(round, actor=director)
    undo_journal_entry(last(league_division), actor=director)
    undone = last(league_division)
    withdraw_result(list_round_pairings(round)[0], actor=director)

    with pytest.raises(GamesOpen) as refused:
        undo_journal_entry(undone, actor=director)

    assert refused.value.figures == {"number": 1, "missing": 1}


def test_redo_of_a_result_is_refused_where_another_one_came(league_division: Division, director: Actor) -> None:
    round = factories.published(league_division)
    factories.result(round, 1, 420, 380)
    undo_journal_entry(last(league_division), actor=director)
    undone = last(league_division)
    factories.result(round, 1, 400, 300, Outcome.PLAYED)

    with pytest.raises(ChangedSince):
        undo_journal_entry(undone, actor=director)


def test_redo_of_a_drafts_edit_is_refused_once_the_round_is_published(
    league_division: Division, director: Actor
) -> None:
    draft = draft_round(league_division, actor=director)
    switch_starter(list_round_pairings(draft)[0], actor=director)
    undo_journal_entry(last(league_division), actor=director)
    undone = last(league_division)
    publish_round(draft, actor=director)

    with pytest.raises(ChangedSince):
        undo_journal_entry(undone, actor=director)


def test_what_is_taken_back_at_present_follows_the_whole_row(league_division: Division, director: Actor) -> None:
    entry = Entry.objects.filter(division=league_division).earliest("pk")
    withdraw_entry(entry, actor=director)
    first = last(league_division).number
    found = []

    for _ in range(3):
        undo_journal_entry(last(league_division), actor=director)
        found.append(find_undone_entries(league_division.tournament))

    assert found == [
        {first: first + 1},
        {first + 1: first + 2},
        {first: first + 1, first + 2: first + 3},
    ]


def test_words_of_undo_and_redo_name_the_entry(league_division: Division, director: Actor) -> None:
    entry = Entry.objects.filter(division=league_division).earliest("pk")
    withdraw_entry(entry, actor=director)
    number = last(league_division).number
    undo_journal_entry(last(league_division), actor=director)
    taken = describe_entry(last(league_division))

    undo_journal_entry(last(league_division), actor=director)

    assert taken.startswith("Zurückgenommen")
    assert str(number) in taken
    assert describe_entry(last(league_division)).startswith("Wiederhergestellt")
