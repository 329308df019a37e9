"""What is claimed of a study holds, by a second count that knows only the events; and stands in every language."""

import math
import random
import statistics
from dataclasses import replace
from typing import Any

import pytest
from django.utils import translation

from tests.laws import seeds
from tests.tournament import readings
from tests.tournament.laboratory.studies import plan, study
from tests.tournament.laboratory.test_figures import NOTHING
from tests.tournament.readings import LANGUAGES
from tournament.laboratory.claims import (
    CLAIMED,
    PREDICATES,
    Claim,
    ClaimCode,
    count_claims,
    find_better_plan,
    list_claims,
)
from tournament.laboratory.figures import StudyFigures, count_study
from tournament.laboratory.playing import SHARES, PlayedEvent
from tournament.laboratory.words import describe_better_plan, describe_study
from tournament.pairing.values import Method

ROUNDS = 5
PLANS = 3
ASKED = study(*(plan((1, ROUNDS, Method.SWISS.value), name=name) for name in ("one", "two", "three")))


def make_events(seed: int, events: int = 80) -> list[list[PlayedEvent]]:
    """Events of three plans by chance: some differ much, some a little, some never."""
    rng = random.Random(seed)
    likely = {name: [rng.choice((0.0, 0.3, 0.35, 0.8)) for _plan in range(PLANS)] for name in CLAIMED}
    begun = rng.choice((0.05, 0.3))
    found = []
    for _event in range(events):
        luck = {name: rng.random() for name in CLAIMED}

        def figures(place: int, luck: dict[str, float] = luck) -> dict[str, Any]:
            return {name: int(luck[name] < likely[name][place]) for name in CLAIMED}

        found.append(
            [
                replace(
                    NOTHING,
                    **figures(place),
                    led=(0, 0, int(luck["best_wins"] < begun), 0, int(luck["best_wins"] < likely["best_wins"][place])),
                )
                for place in range(PLANS)
            ]
        )
    return found


def count_by_hand(found: StudyFigures, events: list[list[PlayedEvent]], claim: Claim) -> tuple[float, float, int]:
    """Mean and half the interval of a difference, and how many events differ, by plain sums."""
    if claim.rounds:
        by_event = [float(event[0].led[4] - event[0].led[2]) for event in events]
    else:
        by_event = [getattr(event[claim.other], claim.figure) - getattr(event[0], claim.figure) for event in events]
    error = statistics.stdev(by_event) / math.sqrt(len(by_event))
    together = (PLANS - 1) * (len(CLAIMED) + 1) + 1 + 1
    assert together == count_claims(found)
    width = statistics.NormalDist().inv_cdf(1 - 0.025 / together) * error
    return statistics.mean(by_event), width, sum(value != 0 for value in by_event)


@pytest.mark.parametrize("seed", seeds(40))
@pytest.mark.sampled(13)
def test_plan_is_called_better_only_where_it_beats_each_other_one(seed: int) -> None:
    events = make_events(seed)
    found = count_study(ASKED, events)
    with translation.override("en"):
        sentence = describe_better_plan(found)
    better = []
    width = statistics.NormalDist().inv_cdf(1 - 0.025 / count_claims(found))
    for one in range(PLANS):
        leads = [[event[one].best_wins - event[other].best_wins for event in events] for other in range(PLANS)]
        rivals = [values for other, values in enumerate(leads) if other != one]
        if all(
            sum(value != 0 for value in values) >= 10
            and statistics.mean(values) > width * statistics.stdev(values) / math.sqrt(len(values))
            for values in rivals
        ):
            better.append(one)

    assert find_better_plan(found) == (better[0] if better else None)
    assert sentence.startswith("It is not shown" if not better else f"“{('one', 'two', 'three')[better[0]]}” is better")


@pytest.mark.parametrize("seed", seeds(12))
def test_every_claim_holds(seed: int) -> None:
    events = make_events(seed)
    found = count_study(ASKED, events)
    for claim in list_claims(found):
        mean, width, different = count_by_hand(found, events, claim)
        shown = different >= 10 and abs(mean) > width
        assert claim.width == pytest.approx(width)
        if claim.code in (ClaimCode.MORE, ClaimCode.ROUNDS_HELP):
            assert shown
            assert mean > 0
            assert claim.after > claim.before
        elif claim.code is ClaimCode.LESS:
            assert shown
            assert mean < 0
            assert claim.after < claim.before
        elif claim.code is ClaimCode.SAME:
            assert different == 0
        elif claim.code in (ClaimCode.NOT_SHOWN, ClaimCode.ROUNDS_NOT_SHOWN):
            assert not shown
        else:
            assert claim.code is ClaimCode.ROUNDS_BEAT
            for other in range(1, PLANS):
                change = statistics.mean(event[other].best_wins - event[0].best_wins for event in events)
                assert mean > abs(change)


def test_every_kind_of_claim_is_made_somewhere() -> None:
    made = {claim.code for seed in range(40) for claim in list_claims(count_study(ASKED, make_events(seed)))}
    assert made == set(ClaimCode) == set(PREDICATES)


def test_claims_of_one_figure_exclude_each_other() -> None:
    for seed in range(10):
        spoken = [(claim.figure, claim.other) for claim in list_claims(count_study(ASKED, make_events(seed)))]
        differences = [each for each in spoken if each[1]]
        assert len(differences) == len(set(differences))


def test_a_short_plan_says_nothing_of_rounds() -> None:
    short = study(*(plan((1, 3, "swiss"), name=name) for name in ("one", "two")))
    events = [[replace(NOTHING, led=(0, 0, 1), open=(1, 1))] * 2 for _event in range(20)]
    assert all(not claim.rounds for claim in list_claims(count_study(short, events)))


READING = {
    ClaimCode.SAME: "{} same",
    ClaimCode.NOT_SHOWN: "{} not shown",
    ClaimCode.ROUNDS_HELP: "rounds help",
    ClaimCode.ROUNDS_NOT_SHOWN: "rounds not shown",
    ClaimCode.ROUNDS_BEAT: "rounds beat",
}
"""What each claim reads as; a figure that is more or less says which only of who wins."""


def expect_reading(claim: Claim, names: list[str]) -> tuple[str, dict[str, Any]]:
    """What a reader has to take from a claim's sentence."""
    shown = "{} " + (claim.code.value if claim.figure == "best_wins" else "shown")
    name = READING.get(claim.code, shown).format(claim.figure)
    scale = 100 if claim.figure in SHARES else 1
    rounding: dict[str, Any] = {"abs": 0.051 if scale == 100 else 0.00051}
    change = pytest.approx((scale * claim.difference.estimate.value, scale * claim.width), **rounding)
    figures = {
        "plan": names[claim.other],
        "base": names[claim.one],
        "now": pytest.approx(scale * claim.after, **rounding),
        "was": pytest.approx(scale * claim.before, **rounding),
        "difference": change,
        "earlier": claim.rounds - 2,
        "last": claim.rounds,
        "plans": {names[claim.other]: change},
    }
    return name, figures


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", seeds(12))
@pytest.mark.sampled(12)
def test_sentences_say_what_is_claimed_and_nothing_else(seed: int, language: str) -> None:
    found = count_study(ASKED, make_events(seed))
    with translation.override(language):
        read = [readings.read(language, sentence, "laboratory") for sentence in describe_study(found)]

    said = [
        (name, {**figures, "plans": {plan: change}} if plan else figures)
        for ((name, figures),) in read
        for plan, change in figures.get("plans", {None: None}).items()
    ]
    expected = [expect_reading(claim, ["one", "two", "three"]) for claim in list_claims(found)]
    assert sorted(name for name, _figures in said) == sorted(name for name, _figures in expected)
    for name, figures in said:
        fitting = [wanted for other, wanted in expected if other == name]
        assert any(all(figures[key] == wanted[key] for key in figures) for wanted in fitting)


def test_plans_of_which_no_difference_is_shown_share_a_sentence() -> None:
    events = [[NOTHING, replace(NOTHING, best_wins=event % 2 * (event < 4)), NOTHING] for event in range(40)]
    for event in events[5:9]:
        event[2] = replace(NOTHING, best_wins=1)
    with translation.override("en"):
        said = describe_study(count_study(ASKED, events))

    (sentence,) = [each for each in said if each.startswith("The strongest player wins: no difference")]
    assert "“one” and “two” (" in sentence
    assert ") and “three” (" in sentence
