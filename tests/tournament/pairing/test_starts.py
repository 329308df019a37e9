"""Who starts (TSO §2.2)."""

import pytest

from tests.tournament.pairing import events
from tournament.pairing.field import build_pairing_history
from tournament.pairing.seating import count_starts_in_row, decide_starter
from tournament.pairing.values import DrawRequest, Meeting, StarterReason

ANNA, JOERG, LINH, TOM = 1, 2, 3, 4

CASES = {
    "who has started less starts": ([(ANNA, LINH), (TOM, JOERG)], JOERG, StarterReason.FEWER_STARTS),
    "a newcomer has started less": ([(ANNA, LINH)], JOERG, StarterReason.FEWER_STARTS),
    "level: whoever replied when they last met": (
        [(ANNA, JOERG), (LINH, ANNA), (JOERG, TOM)],
        JOERG,
        StarterReason.REPLIED_LAST,
    ),
    "their last meeting counts, not the first": (
        [(ANNA, JOERG), (JOERG, ANNA), (ANNA, LINH), (JOERG, LINH)],
        ANNA,
        StarterReason.REPLIED_LAST,
    ),
    "level, never met: whoever replied when their games last differed": (
        [(ANNA, LINH), (TOM, JOERG), (LINH, ANNA), (JOERG, TOM)],
        ANNA,
        StarterReason.REPLIED_WHEN_DIFFERENT,
    ),
    "games that were alike are passed over": (
        [(ANNA, LINH), (TOM, JOERG), (LINH, ANNA), (JOERG, TOM), (ANNA, 5), (JOERG, 6)],
        ANNA,
        StarterReason.REPLIED_WHEN_DIFFERENT,
    ),
    "as many starts, but one has replied more": (
        [(ANNA, LINH), (TOM, ANNA), (JOERG, 5), (6, JOERG), (7, JOERG)],
        JOERG,
        StarterReason.EVENNESS,
    ),
    "a late entry does not send the other two from even": (
        [(JOERG, LINH), (LINH, JOERG), (5, JOERG)],
        JOERG,
        StarterReason.EVENNESS,
    ),
    "a bye is no start": ([(ANNA, None), (JOERG, LINH)], ANNA, StarterReason.FEWER_STARTS),
}


@pytest.mark.parametrize(("past", "starter", "why"), CASES.values(), ids=CASES)
def test_starter_is_decided_by_the_first_rule_that_differs(
    past: list[tuple[int, int | None]], starter: int, why: StarterReason
) -> None:
    meetings = [Meeting(number, first, second) for number, (first, second) in enumerate(past, 1)]

    decided = [
        decide_starter(*pair, build_pairing_history(meetings), DrawRequest((), seed=1))
        for pair in ((ANNA, JOERG), (JOERG, ANNA))
    ]

    assert decided == [(starter, ANNA + JOERG - starter, why)] * 2


def test_lot_decides_between_newcomers_and_both_get_their_turn() -> None:
    nothing = build_pairing_history(())

    drawn = [decide_starter(ANNA, JOERG, nothing, DrawRequest((), seed=seed)) for seed in range(100)]

    assert {why for _, _, why in drawn} == {StarterReason.LOT}
    assert 30 < sum(starter == ANNA for starter, _, _ in drawn) < 70
    assert drawn == [decide_starter(JOERG, ANNA, nothing, DrawRequest((), seed=seed)) for seed in range(100)]


def test_game_whose_start_was_drawn_at_the_table_does_not_count() -> None:
    past = build_pairing_history([Meeting(1, ANNA, LINH, starter_known=False), Meeting(1, TOM, JOERG)])

    record = past.record(ANNA)

    assert (record.starts, record.replies, len(past.between(LINH, ANNA))) == (0, 0, 1)


def test_third_start_in_a_row_counts_games_and_not_rounds() -> None:
    past = build_pairing_history(
        [Meeting(1, ANNA, LINH), Meeting(2, ANNA, None), Meeting(3, ANNA, TOM), Meeting(3, LINH, JOERG)]
    )

    assert count_starts_in_row(past.record(ANNA).course) >= 2
    assert count_starts_in_row(past.record(LINH).course) < 2


@pytest.mark.parametrize("seed", range(4))
def test_after_an_odd_number_of_rounds_nearly_everybody_is_even(seed: int) -> None:
    event = events.play_event(30, 9, seed)

    balances = events.balances(event.meetings)

    assert sum(abs(balance) > 1 for balance in balances.values()) <= 1
