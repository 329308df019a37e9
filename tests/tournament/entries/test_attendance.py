"""Who is there, who misses a round, who leaves and comes back."""

import pytest

from scoring.awards import Outcome
from tests.refusals import refuses
from tests.tournament.rounds import steps
from tournament.basics import limits
from tournament.basics.refusals import NumberOutOfRange
from tournament.core.change import Actor
from tournament.entries.operations.attendance import (
    AbsenteeDecision,
    RoundBehind,
    bring_back_entry,
    check_in_entries,
    leave_out_absentees,
    list_expected_entries,
    mark_fees,
    remove_absence,
    set_absence,
    settle_absentees,
    withdraw_absentees,
    withdraw_entry,
)
from tournament.models import Absence, Division, Entry, Result, Round, Tournament
from tournament.rounds.drafts import draft_round
from tournament.rounds.draw_request import list_present_and_charged
from tournament.rounds.operations import publish_round
from tournament.table.league import load_table

pytestmark = pytest.mark.usefixtures("four_of_module")


def test_withdraw_takes_the_last_published_round(division: Division, doris: Actor, four: list[Entry]) -> None:
    steps.play_next_round(division, doris)
    steps.play_next_round(division, doris)

    withdraw_entry(four[0], actor=doris)

    four[0].refresh_from_db()
    assert (four[0].withdrawn_after, four[0].plays_in(2), four[0].plays_in(3)) == (2, True, False)


def test_withdraw_before_the_first_round(doris: Actor, four: list[Entry]) -> None:
    withdraw_entry(four[0], actor=doris)

    four[0].refresh_from_db()
    assert (four[0].withdrawn_after, four[0].plays_in(1)) == (0, False)


def test_withdraw_during_a_round_that_has_them_is_refused(division: Division, doris: Actor, four: list[Entry]) -> None:
    steps.play_next_round(division, doris)
    steps.publish_next_round(division, doris)

    with refuses("paired_later") as refused:
        withdraw_entry(four[0], after=1, actor=doris)

    assert refused.value.figures == {"name": "Beispiel, Anna", "number": 2}


def test_withdraw_with_a_draft_open_is_possible(division: Division, doris: Actor, four: list[Entry]) -> None:
    steps.play_next_round(division, doris)
    draft_round(division, actor=doris)

    withdraw_entry(four[0], actor=doris)

    four[0].refresh_from_db()
    assert four[0].withdrawn_after == 1


def test_withdraw_with_a_draft_open_keeps_that_draft_from_being_published(
    division: Division, doris: Actor, four: list[Entry]
) -> None:
    steps.play_next_round(division, doris)
    draft = draft_round(division, actor=doris)
    withdraw_entry(four[0], actor=doris)

    with refuses("attendance_changed") as refused:
        publish_round(draft, actor=doris)

    assert refused.value.figures == {"number": 2, "names": "Beispiel, Anna"}


def test_remove_absence_with_a_draft_open_keeps_that_draft_from_being_published(
    division: Division, doris: Actor, four: list[Entry]
) -> None:
    set_absence(four[0], number=1, actor=doris)
    draft = draft_round(division, actor=doris)
    remove_absence(four[0], number=1, actor=doris)

    with refuses("attendance_changed"):
        publish_round(draft, actor=doris)


@pytest.mark.parametrize("after", [-1, 201])
def test_withdraw_after_an_impossible_round_is_refused(doris: Actor, four: list[Entry], after: int) -> None:
    with pytest.raises(NumberOutOfRange):
        withdraw_entry(four[0], after=after, actor=doris)


def test_bring_back_plays_the_next_round(division: Division, doris: Actor, four: list[Entry]) -> None:
    steps.play_next_round(division, doris)
    withdraw_entry(four[0], actor=doris)

    bring_back_entry(four[0], actor=doris)

    present, _ = list_present_and_charged(division, 2)
    assert four[0] in present


def test_bring_back_with_missed_rounds_as_losses(division: Division, doris: Actor, four: list[Entry]) -> None:
    withdraw_entry(four[0], actor=doris)
    withdraw_entry(four[1], actor=doris)
    steps.play_next_round(division, doris)
    steps.play_next_round(division, doris)

    bring_back_entry(four[0], missed_are_losses=True, actor=doris)
    bring_back_entry(four[1], actor=doris)

    outcomes = Result.objects.filter(pairing__seats__entry=four[0]).values_list("outcome", flat=True)
    games = {row.entry.key: row.standing.games for row in load_table(division).rows}
    assert list(outcomes) == [Outcome.ABSENT.value, Outcome.ABSENT.value]
    assert (games["P01"], games["P02"]) == (2, 0)


def test_bring_back_somebody_who_never_left_changes_nothing(cup: Tournament, doris: Actor, four: list[Entry]) -> None:
    before = Tournament.objects.get(pk=cup.pk).revision

    bring_back_entry(four[0], missed_are_losses=True, actor=doris)

    assert Tournament.objects.get(pk=cup.pk).revision == before


def test_set_absence_leaves_them_out_of_that_round(division: Division, doris: Actor, four: list[Entry]) -> None:
    set_absence(four[0], number=1, actor=doris)

    round = steps.publish_next_round(division, doris)

    absent = round.pairings.get(kind="absent")
    assert (absent.seats.get().entry, absent.results.get().outcome) == (four[0], Outcome.ABSENT.value)


def test_set_absence_twice_keeps_the_last_word(doris: Actor, four: list[Entry]) -> None:
    set_absence(four[0], number=3, actor=doris)
    set_absence(four[0], number=3, counts_as_loss=False, actor=doris)

    assert list(Absence.objects.values_list("number", "counts_as_loss")) == [(3, False)]


def test_set_absence_in_a_published_round_is_refused(division: Division, doris: Actor, four: list[Entry]) -> None:
    steps.publish_next_round(division, doris)

    with pytest.raises(RoundBehind):
        set_absence(four[0], number=1, actor=doris)


def test_set_absence_of_somebody_who_does_not_play_is_refused(doris: Actor, four: list[Entry]) -> None:
    withdraw_entry(four[0], actor=doris)

    with refuses("not_in_round"):
        set_absence(four[0], number=1, actor=doris)


def test_remove_absence_lets_them_play(division: Division, doris: Actor, four: list[Entry]) -> None:
    set_absence(four[0], number=1, actor=doris)

    remove_absence(four[0], number=1, actor=doris)

    assert four[0] in list_present_and_charged(division, 1)[0]


def test_remove_absence_from_a_published_round_is_refused(division: Division, doris: Actor, four: list[Entry]) -> None:
    set_absence(four[0], number=1, actor=doris)
    steps.publish_next_round(division, doris)

    with pytest.raises(RoundBehind):
        remove_absence(four[0], number=1, actor=doris)


def test_check_in_marks_only_those_shown(cup: Tournament, doris: Actor, four: list[Entry]) -> None:
    check_in_entries(cup, shown={one.pk for one in four}, present={four[0].pk, four[1].pk}, actor=doris)

    check_in_entries(cup, shown={four[1].pk, four[2].pk}, present={four[2].pk}, actor=doris)

    there = Entry.objects.filter(present=True).in_order()
    assert list(there) == [four[0], four[2]]


def test_check_in_of_another_tournaments_entry_changes_nothing(
    other_cup: Tournament, doris: Actor, four: list[Entry]
) -> None:
    check_in_entries(other_cup, shown={four[0].pk}, present={four[0].pk}, actor=doris)

    assert not Entry.objects.filter(present=True).exists()


def test_mark_fees(cup: Tournament, doris: Actor, four: list[Entry]) -> None:
    mark_fees(cup, shown={one.pk for one in four}, paid={four[3].pk}, actor=doris)

    assert list(Entry.objects.filter(fee_paid=True)) == [four[3]]


def test_leave_out_absentees(cup: Tournament, division: Division, doris: Actor, four: list[Entry]) -> None:
    check_in_entries(cup, shown={one.pk for one in four}, present={four[0].pk, four[1].pk}, actor=doris)

    count = leave_out_absentees(division, number=1, actor=doris)

    present, away = list_present_and_charged(division, 1)
    assert (count, present, away) == (2, four[:2], four[2:])


@pytest.mark.parametrize("number", [limits.ROUND.high + 1, Round.knockout_number(1, 1)])
def test_leave_out_absentees_refuses_a_round_that_cannot_be(division: Division, doris: Actor, number: int) -> None:
    with pytest.raises(NumberOutOfRange):
        leave_out_absentees(division, number=number, actor=doris)


def test_withdraw_absentees(cup: Tournament, division: Division, doris: Actor, four: list[Entry]) -> None:
    check_in_entries(cup, shown={one.pk for one in four}, present={four[0].pk, four[1].pk}, actor=doris)

    count = withdraw_absentees(division, actor=doris)

    gone = Entry.objects.exclude(withdrawn_after=None).in_order()
    assert (count, list(gone)) == (2, four[2:])


def test_absentees_are_decided_one_by_one(division: Division, doris: Actor, four: list[Entry]) -> None:
    anna, joerg, *others = four
    fates = {
        anna.pk: AbsenteeDecision.EXPECTED,
        joerg.pk: AbsenteeDecision.OUT,
        others[0].pk: AbsenteeDecision.WITHDRAWN,
    }
    counted = settle_absentees(division, number=1, decided=fates, actor=doris)
    found = Entry.objects.in_bulk(fates)

    assert counted == len(fates)
    assert [found[pk].expected for pk in fates] == [True, False, False]
    assert [found[pk].withdrawn_after for pk in fates] == [None, None, 0]
    assert list(Absence.objects.values_list("entry_id", "number", "counts_as_loss")) == [(joerg.pk, 1, True)]
    assert list_expected_entries(division) == [anna]


@pytest.mark.parametrize("by", ["check-in", "absence", "withdrawal"])
@pytest.mark.sampled(1)
def test_expected_player_is_told_of_until_they_come_or_something_is_decided(
    by: str, division: Division, doris: Actor, four: list[Entry]
) -> None:
    anna = four[0]
    settle_absentees(division, number=1, decided={anna.pk: AbsenteeDecision.EXPECTED}, actor=doris)
    if by == "check-in":
        check_in_entries(division.tournament, shown={anna.pk}, present={anna.pk}, actor=doris)
    elif by == "absence":
        set_absence(anna, number=1, actor=doris)
    else:
        withdraw_entry(anna, actor=doris)

    assert list_expected_entries(division) == []


def test_who_came_meanwhile_is_passed_over(division: Division, doris: Actor, four: list[Entry]) -> None:
    anna = four[0]
    check_in_entries(division.tournament, shown={anna.pk}, present={anna.pk}, actor=doris)

    assert settle_absentees(division, number=1, decided={anna.pk: AbsenteeDecision.WITHDRAWN}, actor=doris) == 0
    anna.refresh_from_db()
    assert anna.withdrawn_after is None
