"""Shares of what scores cost at least where starts divide the field: true bounds, and as high as can be."""

import numpy as np
import pytest

from tests.tournament.pairing import events
from tests.tournament.pairing.test_matching import varied
from tournament.pairing import matching
from tournament.pairing.byes import IntArray
from tournament.pairing.costs import COST_COMPONENTS, Edges, build_player_edges
from tournament.pairing.field import PairingField
from tournament.pairing.matching import find_cheapest_pairing, match_complete_graph
from tournament.pairing.transport import weigh_scores
from tournament.pairing.values import DrawRequest, Meeting, Method

STARTS, SCORE, HEIGHT = (COST_COMPONENTS.index(name) for name in ("starts", "score", "float_height"))


def weigh(field: PairingField, request: DrawRequest) -> tuple[Edges, IntArray]:
    """All pairs who may meet, and what they weigh."""
    playing = np.delete(np.arange(field.n), field.resting)
    upper, lower = np.triu_indices(len(playing), 1)
    may = field.keep_even(playing[upper], playing[lower])
    upper, lower = upper[may], lower[may]
    edges = build_player_edges(field, request, playing[upper], playing[lower])
    return edges, weigh_scores(field, playing, upper, lower)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.sampled(4)
def test_nobody_pays_less_than_both_shares(seed: int) -> None:
    request = varied(20 + seed, 1 + seed % 8, seed)

    _, weights = weigh(events.built(request), request)

    assert weights.min() >= 0


@pytest.mark.parametrize("seed", range(6))
def test_weights_differ_from_scores_by_the_same_in_all_pairings(seed: int) -> None:
    request = events.play_event(10, 3, seed).request()
    field = events.built(request)
    edges, weights = weigh(field, request)
    number = {pair: at for at, pair in enumerate(zip(edges.one.tolist(), edges.other.tolist(), strict=True))}
    scores = edges.costs[SCORE] * (2 << int(field.half_wins.sum()).bit_length()) + 2 * edges.costs[HEIGHT]

    found = [
        [number[pair] for pair in pairs]
        for pairs in list_pairings(list(range(10)))
        if all(pair in number for pair in pairs)
    ]

    assert len({int(scores[chosen].sum() - weights[chosen].sum()) for chosen in found}) == 1
    assert len({int(edges.costs[STARTS][chosen].sum()) for chosen in found}) == 1


def list_pairings(places: list[int]) -> list[tuple[tuple[int, int], ...]]:
    """Every complete pairing."""
    if not places:
        return [()]
    first, *rest = places
    return [
        ((first, other), *pairs) for other in rest for pairs in list_pairings([one for one in rest if one != other])
    ]


def test_shares_are_as_high_as_can_be() -> None:
    """Everybody who has started is a win ahead of somebody who has not: nothing else is as cheap as these."""
    half_wins = [2 * (20 - place) for place in range(20)]
    meetings = tuple(Meeting(1, place, place + 1) for place in range(1, 20, 2))
    request = DrawRequest(events.table(*half_wins), meetings, 2, 5)

    edges, weights = weigh(events.built(request), request)

    neighbours = (edges.one % 2 == 0) & (edges.other == edges.one + 1)
    assert (weights[neighbours] == 0).all()
    assert (weights[~neighbours] > 0).all()


SHARELESS = {
    "scores too high to weigh": DrawRequest(events.table(*(place << 15 for place in range(12, 0, -1)))),
    "nobody may meet anybody": DrawRequest(
        events.table(*range(6, 0, -1)),
        tuple(Meeting(number, key, key + 10 * number) for number in (1, 2, 3) for key in range(1, 7)),
        4,
    ),
}


@pytest.mark.parametrize("request_", SHARELESS.values(), ids=SHARELESS)
def test_where_nothing_is_known_of_scores_there_are_no_shares(request_: DrawRequest) -> None:
    field = events.built(request_)
    edges = build_player_edges(field, request_, *np.triu_indices(field.n, 1))

    weights = weigh_scores(field, np.arange(field.n), edges.one, edges.other)

    height = 2 << int(field.half_wins.sum()).bit_length()
    assert (weights == edges.costs[SCORE] * height + 2 * edges.costs[HEIGHT]).all()


@pytest.mark.sampled(6)
@pytest.mark.parametrize("few", [9, 40, 1 << 20])
@pytest.mark.parametrize(("players", "rounds"), [(66, 1), (67, 3), (70, 5), (73, 7), (70, 9)])
def test_a_thinned_field_is_paired_as_the_complete_graph_is(
    players: int, rounds: int, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = varied(players, rounds, players)
    field = events.built(request)
    monkeypatch.setattr(matching, "_FEW", few)
    monkeypatch.setattr(matching, "_FEW_WEIGHED", few)

    found = find_cheapest_pairing(field, request)

    assert found == match_complete_graph(field, request)
    assert found.proven


def test_a_divided_field_without_scores_is_paired_as_the_complete_graph_is() -> None:
    request = varied(70, 3, 2, Method.RANDOM)
    field = events.built(request)

    assert find_cheapest_pairing(field, request) == match_complete_graph(field, request)
