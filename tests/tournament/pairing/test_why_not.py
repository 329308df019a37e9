"""“Why not …?”: the pair is held, and the difference is what it costs, counted a second time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws import tried_on
from tests.tournament.pairing import events
from tests.tournament.pairing.ledger import Complete
from tournament.pairing.drafting import draw_round
from tournament.pairing.explaining import collect_facts
from tournament.pairing.facts import RoundFacts
from tournament.pairing.values import ByePolicy, ChosenPair, Draft, DrawRequest, Method, PairFlag, RequestImpossible
from tournament.pairing.why_not import COMPARED_COMPONENTS, CostComparison, CostDifference, compare_pairings


def stored(draft: Draft) -> list[ChosenPair]:
    """The draft's pairs as the rounds keep them."""
    return [ChosenPair(pair.first, pair.second, None, group=pair.group) for pair in draft.pairs]


def cost(comparison: CostComparison, name: str) -> tuple[int, int]:
    """A component of the round as it is, and with the pair held."""
    at = COMPARED_COMPONENTS.index(name)
    return comparison.paired[at], comparison.held[at]


@tried_on(20)
@given(st.integers(4, 9), st.integers(0, 5), st.integers(0, 2**20), st.sampled_from([Method.SWISS, Method.RANDOM]))
def test_held_pair_costs_what_the_cheapest_such_pairing_costs(
    players: int, rounds: int, seed: int, method: Method
) -> None:
    request = events.play_event(players, rounds, seed).request(method=method, seed=seed, forbidden=frozenset({(1, 2)}))
    draft = draw_round(request)
    one, other = draft.pairs[0].first, draft.pairs[1].first

    comparison = compare_pairings(request, stored(draft), one, other)

    facts = collect_facts(draft, request)
    every = [each for each in events.complete(facts) if (min(one, other), max(one, other)) in each.pairs]
    best = min(every, key=lambda each: each.costs("forbidden", "byes", "repeats"))
    now = Complete(facts, tuple((pair.first, pair.second) for pair in draft.pairs))
    assert cost(comparison, "forbidden") == (now.cost("forbidden"), best.cost("forbidden"))
    assert cost(comparison, "byes") == (now.cost("byes"), best.cost("byes"))
    for difference in comparison.differs:
        paired, held = cost(comparison, difference.component)
        assert difference.by == held - paired != 0
        for who in map(frozenset, difference.who):
            assert (who in {pair.keys for pair in draft.pairs}) == (difference.by < 0)
            assert is_counted(difference.component, who, facts)


def is_counted(component: str, who: frozenset[int], facts: RoundFacts) -> bool:
    """Whether the component counts such a pair, or such a bye."""
    if len(who) == 1:
        return component == "bye_policy" or all(facts.players[key].byes for key in who)
    return {
        "forbidden": who in facts.apart,
        "repeats": who in facts.games,
        "again_at_once": facts.request.round - 1 in facts.games.get(who, ()),
        "score": len({facts.players[key].half_wins for key in who}) == 2,
        "float_height": len({facts.players[key].half_wins for key in who}) == 2,
    }[component]


def test_difference_names_who_would_meet_again() -> None:
    past = events.games((1, 2), (3, 4))
    request = DrawRequest(events.table(2, 2, 0, 0), past, 2)

    comparison = compare_pairings(request, stored(draw_round(request)), 1, 2)

    assert comparison.differs[0] == CostDifference("repeats", 2, ((1, 2), (3, 4)))


def test_what_the_director_has_set_stays() -> None:
    request = DrawRequest(events.table(4, 4, 2, 2, 0, 0))
    locked = ChosenPair(5, 6, PairFlag.LOCKED)

    comparison = compare_pairings(request, [ChosenPair(1, 2, None), ChosenPair(3, 4, None), locked], 1, 3)

    assert {key for each in comparison.differs for keys in each.who for key in keys} <= {1, 2, 3, 4}


def test_pair_the_director_has_set_is_given_up_for_its_players() -> None:
    request = DrawRequest(events.table(4, 4, 2, 2))

    comparison = compare_pairings(request, [ChosenPair(1, 3, PairFlag.LOCKED), ChosenPair(2, 4, PairFlag.MANUAL)], 1, 2)

    assert comparison.differs[0].component == "score"
    assert comparison.differs[0].by < 0


def test_schedule_says_which_games_would_not_be_played() -> None:
    request = DrawRequest(events.table(0, 0, 0, 0), method=Method.ROUND_ROBIN)
    draft = draw_round(request)
    one, other = draft.pairs[0].first, draft.pairs[1].first

    comparison = compare_pairings(request, stored(draft), one, other)

    assert comparison.differs[0].component == "schedule"
    assert comparison.differs[0].by == 2


def test_byes_by_hand_are_given_by_the_table_for_once() -> None:
    request = DrawRequest(events.table(2, 2, 0), bye_policy=ByePolicy.BY_HAND)

    comparison = compare_pairings(request, [ChosenPair(1, 2, None), ChosenPair(3, None, PairFlag.MANUAL)], 1, 3)

    assert comparison.differs


def test_nobody_meets_themselves() -> None:
    request = DrawRequest(events.table(2, 2, 0, 0))

    with pytest.raises(RequestImpossible):
        compare_pairings(request, stored(draw_round(request)), 1, 1)
