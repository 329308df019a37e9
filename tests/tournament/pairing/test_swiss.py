"""What the methods that match by cost wish, by hand."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.tournament.pairing import events
from tournament.pairing.drafting import draw_round
from tournament.pairing.values import (
    ByePolicy,
    ChosenPair,
    DrawRequest,
    Method,
    PairFlag,
    ReasonCode,
    StarterReason,
    StartPolicy,
)

CASES: dict[str, tuple[Sequence[int], Sequence[tuple[int, int | None]], dict[str, object], list[tuple[int, ...]]]] = {
    "swiss, round 1: upper half meets lower half": (
        (0,) * 8,
        (),
        {},
        [(1, 5), (2, 6), (3, 7), (4, 8)],
    ),
    "swiss: in each score group": ((2,) * 4 + (0,) * 4, (), {}, [(1, 3), (2, 4), (5, 7), (6, 8)]),
    "swiss: an odd group sends its last to the top of the next": (
        (2, 2, 2, 0, 0, 0),
        (),
        {},
        [(1, 2), (3, 4), (5, 6)],
    ),
    "swiss: one joins from above and one leaves": (
        (4,) + (2,) * 6 + (0,),
        (),
        {},
        [(1, 2), (3, 5), (4, 6), (7, 8)],
    ),
    "swiss: after a game 1–3 rather 1–4, 2–3 than 1–2, 3–4": (
        (2,) * 4,
        ((1, 3), (4, 2)),
        {"starts": StartPolicy.DRAWN},
        [(1, 4), (2, 3)],
    ),
    "swiss: no repeat, even across score groups": ((4, 4, 0, 0), ((1, 2), (1, 3)), {}, [(1, 4), (2, 3)]),
    "swiss: a repeat where the plan allows it": ((4, 4, 0, 0), ((1, 2), (3, 4)), {"repeats": True}, [(1, 2), (3, 4)]),
    "swiss: a table by points mixes the wins, groups do not": (
        (2, 0, 2, 0),
        (),
        {},
        [(1, 3), (2, 4)],
    ),
    "swiss: a forbidden pair is avoided at any score": (
        (4, 4, 0, 0),
        ((1, 3),),
        {"forbidden": frozenset({(2, 1)})},
        [(1, 4), (2, 3)],
    ),
    "swiss: floats stand low, the group at the top is kept whole": (
        (4, 4, 4, 4, 3, 3, 2, 2),
        ((5, 6), (5, 8)),
        {"starts": StartPolicy.DRAWN},
        [(1, 3), (2, 4), (5, 7), (6, 8)],
    ),
    "king of the hill: floats stand low": (
        (4, 4, 3, 3, 2, 2),
        ((3, 4),),
        {"method": Method.KING_OF_THE_HILL},
        [(1, 2), (3, 5), (4, 6)],
    ),
    "a repeat is rather taken than a second bye": (
        (2, 2, 2),
        ((1, 2), (3, None), (3, 1), (2, None)),
        {},
        [(2, 3), (1,)],
    ),
    "a second bye is rather avoided than a repeat": (
        (4, 2, 0),
        ((1, None), (3, None), (1, 3)),
        {},
        [(1, 3), (2,)],
    ),
    "king of the hill: neighbours": (
        (6, 4, 4, 2, 2, 0),
        (),
        {"method": Method.KING_OF_THE_HILL},
        [(1, 2), (3, 4), (5, 6)],
    ),
    "king of the hill: a repeat is avoided nearby": (
        (6, 6, 6, 6, 2, 0),
        ((1, 2), (3, 4)),
        {"method": Method.KING_OF_THE_HILL},
        [(1, 3), (2, 4), (5, 6)],
    ),
    "king of the hill: by rank alone where the table mixes wins": (
        (2, 4, 0, 4),
        (),
        {"method": Method.KING_OF_THE_HILL},
        [(1, 2), (3, 4)],
    ),
    "factor 2": (
        (8, 6, 4, 4, 2, 2, 2, 0),
        (),
        {"method": Method.FACTOR, "factor": 2},
        [(1, 3), (2, 4), (5, 7), (6, 8)],
    ),
    "factor 3": ((0,) * 6, (), {"method": Method.FACTOR, "factor": 3}, [(1, 4), (2, 5), (3, 6)]),
    "an odd number: the last of the table has a bye": ((2, 2, 0, 0, 0), (), {}, [(1, 2), (3, 4), (5,)]),
    "swiss: of few players the score before starts": ((2, 2, 0, 0), ((1, 3), (2, 4)), {}, [(1, 2), (3, 4)]),
    "king of the hill: the score before starts": (
        (2, 2, 0, 0),
        ((1, 3), (2, 4)),
        {"method": Method.KING_OF_THE_HILL},
        [(1, 2), (3, 4)],
    ),
    "the bye goes to whoever had fewest": ((2, 2, 0, 0, 0), ((5, None), (3, 1), (2, 4)), {}, [(1, 2), (3, 5), (4,)]),
    "german bye: with three rounds left the third from the bottom": (
        (0,) * 5,
        (),
        {"bye_policy": ByePolicy.GERMAN, "rounds": 3},
        [(1, 4), (2, 5), (3,)],
    ),
    "german bye: in the last round the last": (
        (0,) * 5,
        (),
        {"bye_policy": ByePolicy.GERMAN, "rounds": 1},
        [(1, 3), (2, 4), (5,)],
    ),
    "german bye: more rounds left than players": (
        (0,) * 3,
        (),
        {"bye_policy": ByePolicy.GERMAN, "rounds": 9},
        [(2, 3), (1,)],
    ),
    "a bye by name": ((0,) * 5, (), {"given": (ChosenPair(1),)}, [(2, 4), (3, 5), (1,)]),
    "a bye by name makes another one": ((0,) * 6, (), {"given": (ChosenPair(1),)}, [(2, 4), (3, 5), (1,), (6,)]),
    "clubmates are kept apart before the halves": (
        (0,) * 4,
        (),
        {"clubs_apart": True, "same_club": (1, 3)},
        [(1, 4), (2, 3)],
    ),
    "clubmates meet when clubs do not matter": ((0,) * 4, (), {"same_club": (1, 3)}, [(1, 3), (2, 4)]),
    "two players": ((0, 0), (), {}, [(1, 2)]),
    "one player": ((0,), (), {}, [(1,)]),
}


@pytest.mark.parametrize(("half_wins", "past", "wishes", "expected"), CASES.values(), ids=CASES)
@pytest.mark.sampled(10)
def test_method_pairs_as_on_paper(
    half_wins: Sequence[int],
    past: Sequence[tuple[int, int | None]],
    wishes: dict[str, Any],
    expected: list[tuple[int, ...]],
) -> None:
    others = dict(wishes)
    mates = others.pop("same_club", ())
    players = tuple(replace(p, club="SC Fulda" if p.key in mates else None) for p in events.table(*half_wins))
    meetings = [meeting for index, pair in enumerate(past, 1) for meeting in events.games(pair, round=index)]
    request = DrawRequest(players, tuple(meetings), len(past) + 1, **({"rounds": len(past) + 1} | others))

    draft = draw_round(request)

    assert events.opponents(draft.pairs) == {frozenset(pair) for pair in expected}
    assert draft.proven


def test_random_draws_anew_with_each_seed_whatever_the_score() -> None:
    players = events.table(6, 6, 4, 4, 2, 2, 0, 0)

    drawn = [
        frozenset(events.opponents(draw_round(DrawRequest(players, method=Method.RANDOM, seed=seed)).pairs))
        for seed in range(60)
    ]

    assert len(set(drawn)) > 35
    assert {opponent for pairs in drawn for pair in pairs if 1 in pair for opponent in pair} == set(range(1, 9))


def test_starts_choose_among_places_that_are_as_good() -> None:
    """1, 2, 3, 4 started, 5, 6, 7, 8 replied: exact halves would be even by chance only."""
    past = events.games((1, 21), (2, 22), (23, 3), (24, 4), (5, 25), (6, 26), (27, 7), (28, 8))
    players = events.table(*(2,) * 8)

    draft = draw_round(DrawRequest(players, past, round=2))

    upper, lower = {1, 2, 3, 4}, {5, 6, 7, 8}
    assert all({pair.first, pair.second} & upper and {pair.first, pair.second} & lower for pair in draft.pairs)
    assert {pair.starter_by for pair in draft.pairs} == {StarterReason.FEWER_STARTS}


def test_pair_carries_flags_and_figures() -> None:
    past = (*events.games((1, 2), (3, 4), round=1), *events.games((1, 2), (4, 3), round=2))
    players = tuple(replace(player, club=7) for player in events.table(4, 2))

    (pair,) = draw_round(DrawRequest(players, past, round=3, clubs_apart=True)).pairs

    assert pair.flags == (PairFlag.REPEAT, PairFlag.FLOAT, PairFlag.SAME_CLUB)
    assert (pair.first, pair.second, pair.table) == (2, 1, 1)
    assert [(reason.code, dict(reason.figures)) for reason in pair.why] == [
        (ReasonCode.FLOAT, {"half_wins": [2, 4], "because": "odd_group", "from": 4, "players": 1}),
        (ReasonCode.REPEAT, {"rounds": [1, 2]}),
        (ReasonCode.SAME_CLUB, {}),
        (ReasonCode.STARTER, {"by": "fewer_starts", "starts": [0, 2], "replies": [2, 0]}),
    ]
