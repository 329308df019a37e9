"""What is claimed of a study holds, by a second count that knows only the events; and stands in every language."""

import math
import random
import statistics
from dataclasses import replace
from typing import Any

import pytest
from django.utils import translation

from tests.laws import seeds
from tests.tournament.laboratory.studies import plan, study
from tests.tournament.laboratory.test_figures import NOTHING
from tournament.laboratory.claims import CLAIMED, PREDICATES, Claim, ClaimCode, count_claims, list_claims
from tournament.laboratory.figures import StudyFigures, count_study
from tournament.laboratory.playing import PlayedEvent
from tournament.laboratory.words import describe_study
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
    together = (PLANS - 1) * (len(CLAIMED) + 1) + 1
    assert together == count_claims(found)
    width = statistics.NormalDist().inv_cdf(1 - 0.025 / together) * error
    return statistics.mean(by_event), width, sum(value != 0 for value in by_event)


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


@pytest.mark.parametrize("language", ["en", "de", "nl"])
def test_sentences_state_the_figures(language: str) -> None:
    events = [
        [replace(NOTHING, best_wins=event % 2, led=(0, 0, 0, 0, event % 2)), replace(NOTHING, repeats=2), NOTHING]
        for event in range(100)
    ]
    with translation.override(language):
        said = describe_study(count_study(ASKED, events))
    stated = " ".join(said).replace("\N{NO-BREAK SPACE}", " ").replace(",", ".")
    assert "50.0 %" in stated
    assert "−50.0 ± " in stated
    assert "2.000" in stated
    assert all("%(" not in sentence for sentence in said)
    assert any("two" in sentence for sentence in said)
