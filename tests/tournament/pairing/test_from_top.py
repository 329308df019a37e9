"""The Australian draw against a second program that looks at every complete pairing."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tests.laws import tried_on
from tests.tournament.pairing import events
from tournament.pairing.drafting import draw_round
from tournament.pairing.field import build_pairing_history
from tournament.pairing.values import Competitor, DrawRequest, LaterRound, Meeting, Method

COUNTS, ROUNDS, SEEDS = st.integers(1, 8), st.integers(0, 7), st.integers(0, 2**20)


def every_pairing(keys: list[int]) -> Iterator[list[tuple[int, int]]]:
    """All complete pairings of players in the order of the table, whoever settles the top best first."""
    if not keys:
        yield []
        return
    upper, *lower = keys
    for other in lower:
        for rest in every_pairing([key for key in lower if key != other]):
            yield [(upper, other), *rest]


def ask(players: int, rounds: int, seed: int) -> DrawRequest:
    rng = random.Random(seed)
    asked = events.play_event(players, rounds, seed, leaving=seed % 3).request(method=Method.AUSTRALIAN, seed=seed)
    keys = [player.key for player in asked.competitors]
    apart = frozenset({(keys[0], keys[-1])}) if len(keys) > 2 and rng.random() < 0.3 else frozenset()
    free = rng.random() < 0.2
    return replace(
        asked, forbidden=apart, repeats=free, within=rng.choice((0, 0, 1, 2)), clubs_apart=rng.random() < 0.5
    )


def pairs_of(request: DrawRequest) -> list[tuple[int, int]]:
    """The games drawn, each with the better placed player first, from the top of the table."""
    place = {player.key: player.rank for player in request.competitors}
    games = [pair.keys for pair in draw_round(request).pairs if pair.second is not None]
    ordered = [sorted(keys, key=lambda key: place[key]) for keys in games]
    return sorted(((upper, lower) for upper, lower in ordered), key=lambda both: place[both[0]])


@tried_on(60)
@given(COUNTS, ROUNDS, SEEDS)
def test_first_of_all_pairings_that_weigh_no_more_is_taken(players: int, rounds: int, seed: int) -> None:
    request = ask(players, rounds, seed)
    past = build_pairing_history(request.meetings)
    club = {player.key: player.club for player in request.competitors}

    def weigh(pairs: list[tuple[int, int]]) -> tuple[int, int, int]:
        first = request.round - request.within if request.within else 1
        met = [[game.round for game in past.between(*both) if game.round >= first] for both in pairs]
        again = [2 * len(rounds) ** 2 + (rounds[-1] == request.round - 1) for rounds in met if rounds]
        apart = sum(both in request.forbidden or both[::-1] in request.forbidden for both in pairs)
        mates = sum(club[one] is not None and club[one] == club[other] for one, other in pairs)
        return apart, 0 if request.repeats else sum(again), mates if request.clubs_apart else 0

    drawn = pairs_of(request)
    playing = {key for both in drawn for key in both}
    in_order = sorted(request.competitors, key=lambda player: player.rank)
    pairings = list(every_pairing([player.key for player in in_order if player.key in playing]))

    least = min(map(weigh, pairings))
    assert drawn == next(pairs for pairs in pairings if weigh(pairs) == least)


def after_games(*games: tuple[int, int], players: int = 6) -> DrawRequest:
    """A table of players 1, 2, 3 … in this order, who have played these games, each in a round of its own."""
    field = tuple(Competitor(key, key, half_wins=players - key) for key in range(1, players + 1))
    meetings = tuple(Meeting(number, *both) for number, both in enumerate(games, 1))
    return DrawRequest(field, meetings, len(games) + 1, method=Method.AUSTRALIAN)


def test_top_is_settled_first() -> None:
    # 1 has met 2, and 3 has met 4. The nearest neighbours in all are 1–3, 2–4, 5–6: so king of the hill. With 4 and 5
    # having met as well, 1–3 and 2–4 still come before whatever that leaves to 5 and 6.
    assert pairs_of(after_games((1, 2), (3, 4), (4, 5))) == [(1, 3), (2, 4), (5, 6)]


def test_leader_meets_the_next_although_that_leaves_the_others_far_apart() -> None:
    # 3 has met 4, 5 and 6 has met 5: after 1–2 nobody is left for 3 but 6, four places lower.
    request = after_games((3, 4), (3, 5), players=6)

    assert pairs_of(request) == [(1, 2), (3, 6), (4, 5)]


def test_nobody_meets_again_for_the_sake_of_the_top() -> None:
    # 3 has met all but 1 and 2: with 1–2 somebody would have to meet again.
    request = after_games((3, 4), (3, 5), (3, 6))

    assert pairs_of(request) == [(1, 3), (2, 4), (5, 6)]


def test_with_repeats_allowed_first_meets_second_and_so_on() -> None:
    request = replace(after_games((1, 2), (3, 4)), repeats=True)

    assert pairs_of(request) == [(1, 2), (3, 4), (5, 6)]


def test_rounds_to_come_take_nothing_from_the_top() -> None:
    request = after_games((1, 3), (2, 4))
    later = tuple(LaterRound(number, Method.AUSTRALIAN, frozenset(range(1, 7))) for number in (4, 5, 6))

    assert pairs_of(replace(request, later=later)) == pairs_of(request)


def test_wins_come_after_the_table() -> None:
    request = after_games()
    by_points = tuple(replace(player, half_wins=player.rank % 2) for player in request.competitors)

    assert pairs_of(replace(request, competitors=by_points)) == [(1, 2), (3, 4), (5, 6)]
