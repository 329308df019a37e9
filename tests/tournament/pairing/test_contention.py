"""The last rounds, paired for the prizes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import rulesets
from scoring.awards import Outcome
from scoring.chances import find_prospects
from scoring.completions import Event
from scoring.standings import Contestant, Ranking, TableGame
from tests.laws import tried_on
from tests.tournament.pairing import events
from tournament.pairing.contention import find_hopes, is_safe
from tournament.pairing.drafting import draw_pairs, draw_round
from tournament.pairing.field import build_pairing_history
from tournament.pairing.values import (
    ChosenPair,
    Contender,
    DrawRequest,
    Meeting,
    Method,
    PairFlag,
    PrizeContest,
    ReasonCode,
)
from tournament.pairing.why_not import compare_pairings

AWARDS = rulesets.get("tso-2017").awards


def contested(
    *half_wins: int, left: int = 1, places: int = 2, spread: Sequence[int] = (), met: Sequence[tuple[int, int]] = ()
) -> DrawRequest:
    """A field of players 1, 2 … in the order of the table, with so many rounds left."""
    spread = spread or [0] * len(half_wins)
    table = tuple(Contender(key, won, spread[key - 1]) for key, won in enumerate(half_wins, 1))
    return DrawRequest(
        events.table(*half_wins),
        tuple(Meeting(number, *pair) for number, pair in enumerate(met, 1)),
        round=10,
        rounds=9 + left,
        method=Method.CONTENTION,
        contest=PrizeContest(table, places, (None,) * left, most_runs=4000),
    )


def said_of(request: DrawRequest, key: int) -> dict[ReasonCode, dict[str, object]]:
    (pair,) = [pair for pair in draw_round(request).pairs if key in pair.keys]
    return {reason.code: dict(reason.figures) for reason in pair.why}


def test_leader_meets_the_lowest_who_can_still_win() -> None:
    request = contested(18, 16, 16, 16, 10, 8, 6, 4, left=2, places=1)

    reason = said_of(request, 1)[ReasonCode.HOPEFUL]

    assert events.opponents(draw_round(request).pairs) >= {frozenset((1, 4))}
    assert (reason["place"], reason["leader"], reason["player"]) == (1, 1, 4)
    assert 0.1 <= float(str(reason["share"])) < 1


def test_of_the_hopeful_those_met_least_come_first() -> None:
    request = contested(18, 16, 16, 16, 10, 8, 6, 4, left=2, places=1, met=[(1, 4)])

    assert events.opponents(draw_round(request).pairs) >= {frozenset((1, 3))}
    assert ReasonCode.CONTENDER in said_of(request, 1)


def test_last_round_pairs_the_nearest_even_again() -> None:
    request = contested(18, 18, 17, 17, 8, 8, places=3, met=[(1, 2), (3, 4)])

    draft = draw_round(request)

    assert events.opponents(draft.pairs) == {frozenset(pair) for pair in ((1, 2), (3, 4), (5, 6))}
    assert said_of(request, 1)[ReasonCode.PRIZE_PLACES] == {"places": [1, 2]} or said_of(request, 1)[
        ReasonCode.PRIZE_PLACES
    ] == {"places": [2, 1]}
    assert [PairFlag.CONTENDER in pair.flags for pair in draft.pairs] == [True, True, False]


@pytest.mark.parametrize(
    ("half_wins", "spread"), [((18, 18, 18, 16, 8, 8), ()), ((18, 16, 16, 8, 8, 8), (900, 800, -900, 0, 0, 0))]
)
def test_last_round_gives_the_chance_to_those_level_who_have_not_had_it(
    half_wins: tuple[int, ...], spread: tuple[int, ...]
) -> None:
    for met, other in (((), 2), (((1, 2),), 3)):
        request = contested(*half_wins, places=1, spread=spread, met=met)

        assert events.opponents(draw_round(request).pairs) >= {frozenset((1, other))}
        assert said_of(request, 1)[ReasonCode.PRIZE_PLACES] in ({"places": [1, other]}, {"places": [other, 1]})


def test_who_cannot_be_caught_holds_nothing_open_and_spares_the_second_place() -> None:
    request = contested(18, 12, 12, 12, 2, 2, places=2)

    opponents = events.opponents(draw_round(request).pairs)

    assert said_of(request, 1)[ReasonCode.SAFE] == {"player": 1, "place": 1}
    assert not opponents & {frozenset((1, key)) for key in (2, 3, 4)}


@pytest.mark.parametrize(("half_wins", "safe"), [((4, 1, 0), True), ((4, 2, 0), False), ((4, 4, 1), False)])
def test_safe_is_who_has_more_wins_than_others_can_reach(half_wins: tuple[int, ...], safe: bool) -> None:
    contest = contested(*half_wins).contest

    assert contest is not None
    assert is_safe(contest, 1) == safe


def test_result_that_is_still_to_come_may_catch_up() -> None:
    contest = contested(4, 1, 0).contest

    assert contest is not None
    assert not is_safe(replace(contest, table=(contest.table[0], contest.table[1]._replace(owed=1))), 1)


@pytest.mark.parametrize(
    ("spread", "caps", "by_spread", "safe"),
    [
        (501, (250,), True, True),
        (500, (250,), True, False),
        (501, (None,), True, False),
        (501, (250,), False, False),
        (801, (250, 200), True, False),  # two rounds bring a win more as well
    ],
)
def test_spread_that_no_game_can_bring_makes_safe(
    spread: int, caps: tuple[int | None, ...], by_spread: bool, safe: bool
) -> None:
    contest = contested(18, 16, spread=(spread, 0)).contest

    assert contest is not None
    assert is_safe(replace(contest, caps=caps, by_spread=by_spread), 1) == safe


def test_who_has_withdrawn_catches_nobody() -> None:
    contest = contested(4, 2, 0).contest

    assert contest is not None
    assert is_safe(replace(contest, table=(contest.table[0], contest.table[1]._replace(withdrawn=True))), 1)


EVENTS = st.integers(3, 9), st.integers(1, 5), st.integers(1, 2), st.integers(0, 2**20)
"""How many play, rounds played and left, a seed."""


@tried_on(2)
@given(*EVENTS)
def test_who_is_safe_is_safe_by_the_proven_bounds(players: int, played: int, left: int, seed: int) -> None:
    require_proof_where_safe(players, played, left, seed)


@pytest.mark.long
@tried_on(40)
@given(*EVENTS)
def test_who_is_safe_in_many_events_is_safe_by_the_proven_bounds(
    players: int, played: int, left: int, seed: int
) -> None:
    require_proof_where_safe(players, played, left, seed)


def require_proof_where_safe(players: int, played: int, left: int, seed: int) -> None:
    rng = random.Random(seed)
    field, games = tuple(Contestant(key, rng.random() < 0.1) for key in range(players)), []
    for number in range(1, played + 1):
        order = rng.sample(range(players), players)
        pairs = zip(order[::2], order[1::2], strict=False)
        games += [TableGame(number, *pair, Outcome.PLAYED, rng.randint(200, 600), 400) for pair in pairs]
    ranking = Ranking(spread_cap=(rng.choice((60, 250)),) if rng.random() < 0.7 else ())
    event = Event(field, tuple(games), tuple(range(played + 1, played + left + 1)), ranking, AWARDS)
    rows, caps = event.rank(), tuple(ranking.cap(number) for number in event.rounds)
    table = tuple(Contender(int(row.player), row.half_wins, row.spread, 0, row.withdrawn) for row in rows)
    contest = PrizeContest(table, 3, caps, AWARDS.bye_spread)
    bounds = find_prospects(event)

    for place, row in enumerate(rows, 1):
        assert not is_safe(contest, place) or row.rank is None or bounds[row.player].worst <= place


def test_only_the_first_place_makes_starts_uneven() -> None:
    # All who have won round 1 have started: whoever can still be first or second is ahead by one start.
    winners = frozenset(range(1, 9))
    request = contested(*[6] * 8, *[0] * 8, left=2)
    request = replace(request, meetings=tuple(Meeting(1, one, one + 8) for one in sorted(winners)))

    alike = [pair for pair in draw_round(request).pairs if pair.keys <= winners]

    assert [1 in pair.keys for pair in alike] == [True]
    assert PairFlag.CONTENDER in alike[0].flags


def test_share_too_close_to_the_threshold_is_simulated_further() -> None:
    near, clear = contested(18, 16, 16, 16, 16, 16), contested(18, 18, 2, 2)

    runs = [
        find_hopes(replace(request.contest, most_runs=20_000), build_pairing_history(()), request).runs
        for request in (near, clear)
        if request.contest
    ]

    assert runs == [20_000, 4000]


def test_spread_that_a_game_cannot_bring_gives_no_hope() -> None:
    request = contested(18, 16, 4, 4, spread=(0, -300, 0, 0))
    assert request.contest is not None

    shares = [
        find_hopes(replace(request.contest, caps=(cap,)), build_pairing_history(()), request).shares[2][0]
        for cap in (None, 250, 140)
    ]

    assert shares[0] == shares[1] > shares[2] == 0


def test_without_a_contest_it_pairs_as_swiss_does() -> None:
    request = replace(contested(18, 16, 16, 16, 10, 8), contest=None)

    assert set(draw_pairs(request)) == set(draw_pairs(replace(request, method=Method.SWISS)))


def test_why_not_says_who_would_not_meet_for_a_prize() -> None:
    request = contested(18, 18, 17, 17, 8, 8)
    stored = [
        ChosenPair(pair.first, pair.second, PairFlag.CONTENDER if PairFlag.CONTENDER in pair.flags else None)
        for pair in draw_round(request).pairs
    ]

    comparison = compare_pairings(request, stored, 1, 6)

    assert comparison.differs[0].component == "contest"
    assert (1, 2) in comparison.differs[0].who


@tried_on(20)
@given(st.integers(2, 15), st.integers(1, 9), st.integers(0, 2**20))
def test_everybody_is_paired_whoever_is_away_kept_apart_or_set(players: int, rounds: int, seed: int) -> None:
    rng = random.Random(seed)
    event = events.play_event(players, rounds, seed)
    everybody = event.competitors()
    table = tuple(Contender(one.key, one.half_wins, event.spread[one.key]) for one in everybody)
    here = tuple(one for one in everybody if rng.random() < 0.8)
    keys = [one.key for one in here]
    request = replace(
        event.request(method=Method.CONTENTION, rounds=event.round + rng.randint(1, 3)),
        competitors=here,
        contest=PrizeContest(table, rng.randint(1, 4), (None,) * rng.randint(1, 3), most_runs=4000),
        forbidden=frozenset((one, other) for one in keys for other in keys if one < other and rng.random() < 0.2),
        given=(ChosenPair(keys[0], keys[-1]),) if len(keys) > 2 and rng.random() < 0.3 else (),
    )

    draft = draw_round(request)

    seated = [key for pair in draft.pairs for key in (pair.first, pair.second) if key is not None]
    assert sorted(seated) == sorted(keys)
    assert sum(pair.second is None for pair in draft.pairs) == len(keys) % 2
    swiss = draw_round(replace(request, method=Method.SWISS))
    kept = {frozenset(both) for both in request.forbidden}
    assert sum(pair.keys in kept for pair in draft.pairs) <= sum(pair.keys in kept for pair in swiss.pairs)
