"""All-play-all: everybody meets everybody once a leg, starts within one, neighbours in the last round."""

from collections import Counter

import pytest

from tests.tournament.pairing import events
from tournament.pairing.schedules import count_leg_rounds, count_rounds_to_meet, fill_bye_slot, list_scheduled_pairs
from tournament.pairing.values import Meeting


def season(players: int, total: int) -> list[Meeting]:
    slots = range(1, players + 1)
    return [Meeting(index, *pair) for index in range(total) for pair in list_scheduled_pairs(slots, index, total)]


@pytest.mark.parametrize("legs", [1, 2, 3])
@pytest.mark.parametrize("players", range(2, 16))
@pytest.mark.sampled(14)
def test_everybody_meets_everybody_once_a_leg(players: int, legs: int) -> None:
    played = season(players, legs * count_leg_rounds(players))

    met = Counter(frozenset((game.first, game.second)) for game in played if game.second is not None)
    byes = Counter(game.first for game in played if game.second is None)

    assert len(met) == players * (players - 1) // 2
    assert set(met.values()) == {legs}
    assert byes == (Counter(dict.fromkeys(range(1, players + 1), legs)) if players % 2 else Counter())


@pytest.mark.parametrize("players", range(2, 16))
def test_nobody_plays_twice_in_a_round(players: int) -> None:
    for index in range(count_leg_rounds(players)):
        seats = [key for pair in list_scheduled_pairs(range(players), index, count_leg_rounds(players)) for key in pair]

        assert sorted(key for key in seats if key is not None) == list(range(players))


@pytest.mark.parametrize("total", range(1, 15))
@pytest.mark.parametrize("players", range(2, 16))
@pytest.mark.sampled(65)
def test_starts_stay_within_one_from_first_round_to_last(players: int, total: int) -> None:
    played = season(players, min(total, count_leg_rounds(players)))

    for last in range(len(played)):
        balances = events.balances([game for game in played if game.round <= last])

        assert all(abs(balance) <= 1 for balance in balances.values())


@pytest.mark.parametrize("players", range(2, 16))
def test_second_leg_turns_the_starters_round(players: int) -> None:
    leg = count_leg_rounds(players)

    played = season(players, 2 * leg)

    first = {(game.first, game.second) for game in played if game.round < leg and game.second is not None}
    assert first == {(game.second, game.first) for game in played if game.round >= leg and game.second is not None}


@pytest.mark.parametrize(("players", "total"), [(8, 7), (8, 3), (8, 14), (9, 9), (9, 4), (2, 1), (3, 3)])
def test_neighbours_meet_in_the_last_round(players: int, total: int) -> None:
    last = list_scheduled_pairs(range(1, players + 1), total - 1, total)

    neighbours = {frozenset((upper, upper + 1)) for upper in range(1, players, 2)}
    assert {frozenset(pair) for pair in last if pair[1] is not None} == neighbours


def test_four_players_as_written_on_paper() -> None:
    rounds = [{frozenset(pair) for pair in list_scheduled_pairs((1, 2, 3, 4), index, 3)} for index in range(3)]

    assert rounds == [
        {frozenset((1, 4)), frozenset((2, 3))},
        {frozenset((1, 3)), frozenset((2, 4))},
        {frozenset((1, 2)), frozenset((3, 4))},
    ]


def test_one_player_alone_has_byes() -> None:
    assert list_scheduled_pairs([7], 0, 3) == [(7, None)]


@pytest.mark.parametrize("players", [3, 5, 7, 9])
def test_one_more_in_the_place_of_the_bye_moves_no_other_game(players: int) -> None:
    slots = tuple(range(1, players + 1))
    leg = count_leg_rounds(players)

    for index in range(leg):
        before = list_scheduled_pairs(slots, index, leg)
        after = list_scheduled_pairs(fill_bye_slot(slots, 99), index, leg)

        idle = next(one for one, other in before if other is None)
        assert {pair for pair in after if 99 not in pair} == {pair for pair in before if pair[1] is not None}
        assert [set(pair) for pair in after if 99 in pair] == [{idle, 99}]


@pytest.mark.parametrize(
    ("players", "met", "rounds"),
    [
        (6, [], 5),
        (7, [], 7),
        (7, [(1, 2), (3, 4), (5, 6)], 6),  # the seventh still has to meet all six
        (4, [(1, 2), (3, 4), (1, 3), (2, 4), (1, 4), (2, 3)], 0),
        (5, [(1, 2), (3, 4), (1, 3), (2, 4), (1, 4), (2, 3)], 4),
        (1, [], 0),
        (0, [], 0),
    ],
)
def test_rounds_that_meeting_takes(players: int, met: list[tuple[int, int]], rounds: int) -> None:
    assert count_rounds_to_meet(range(1, players + 1), {frozenset(pair) for pair in met}) == rounds
