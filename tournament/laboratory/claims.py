"""What follows from a study, as values: which plan brings more, what the last two rounds bring, and what is not shown.
Every claim has a predicate and is made only if that holds; all that is claimed together holds with 95 %."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from math import comb

from tournament.laboratory.figures import ROUNDS_MORE, Difference, StudyFigures, get_width

CLAIMED = ("best_wins", "tau", "repeats", "shut_out", "open_before_last", "title_changes_in_last", "starts_off")
"""The figures that are looked at for claims; the others stand in the table."""
ALWAYS_CLAIMED = ("best_wins", "shut_out")
"""Those of which it is also said that no difference is shown."""

BETTER_BY = "best_wins"  # the figure by which a plan is called better


class ClaimCode(StrEnum):
    """What is claimed."""

    MORE = "more"  # the other plan has a higher figure
    LESS = "less"
    NOT_SHOWN = "not_shown"
    SAME = "same"  # in every event
    ROUNDS_HELP = "rounds_help"  # the strongest player leads more often after the last two rounds than before
    ROUNDS_NOT_SHOWN = "rounds_not_shown"
    ROUNDS_BEAT = "rounds_beat"  # and by more than any other plan changes how often the strongest player wins


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim about plan `one`, or about plan `other` beside it. `before` and `after` are the two means, and `width`
    is what stands behind ±. `rounds`: how many rounds plan `one` has."""

    code: ClaimCode
    figure: str
    one: int
    other: int
    before: float
    after: float
    difference: Difference
    width: float
    rounds: int = 0


def count_claims(study_figures: StudyFigures) -> int:
    """How many intervals are looked at together: of each other plan each figure and the rounds, of the first plan the
    rounds, and of any two other plans how often the strongest player wins."""
    # A single interval misses the truth in five of a hundred cases, so of twenty about one does, and some plan would
    # nearly always be called better. What is looked at counts, not what turns out worth a sentence.
    others = len(study_figures.plans) - 1
    return others * (len(CLAIMED) + 1) + 1 + comb(others, 2)


def find_better_plan(found: StudyFigures) -> int | None:
    """The plan with which the strongest player is shown to win more often than with each other one; None if no plan
    is."""
    numbers = range(len(found.plans))
    for one in numbers:
        if all(_is_more(measure_lead(found, one, other), found) for other in numbers if other != one):
            return one
    return None


def measure_lead(found: StudyFigures, one: int, other: int) -> Claim:
    """By how much more often the strongest player wins with one plan than with another."""
    # Compared is each pair once, the later plan with the earlier one; read the other way round the sign turns.
    difference = found.find(min(one, other), max(one, other), BETTER_BY)
    if one < other:
        estimate = replace(difference.estimate, value=-difference.estimate.value)
        difference = replace(difference, plans=(other, one), estimate=estimate)
    before, after = (found.plans[place].figures[BETTER_BY].value for place in (other, one))
    width = get_width(count_claims(found)) * difference.estimate.error
    return Claim(ClaimCode.MORE, BETTER_BY, other, one, before, after, difference, width)


def list_claims(found: StudyFigures) -> list[Claim]:
    """What can be claimed: of the rounds first, then of each plan beside the first one, figure by figure."""
    claims = (*_claim_rounds(found), *_claim_differences(found))
    return [claim for claim in claims if PREDICATES[claim.code](claim, found)]


def _claim_differences(found: StudyFigures) -> Iterator[Claim]:
    width = get_width(count_claims(found))
    for figure in CLAIMED:
        for other in range(1, len(found.plans)):
            difference = found.find(0, other, figure)
            before, after = (found.plans[place].figures[figure].value for place in (0, other))
            for code in (ClaimCode.MORE, ClaimCode.LESS, ClaimCode.SAME, ClaimCode.NOT_SHOWN):
                yield Claim(code, figure, 0, other, before, after, difference, width * difference.estimate.error)


def _claim_rounds(found: StudyFigures) -> Iterator[Claim]:
    led, difference = found.plans[0].led, found.rounds_help[0]
    # Two rounds before the end somebody has to have led: after no round at all the order is that of entry.
    if len(led) <= ROUNDS_MORE + 1:
        return
    width = get_width(count_claims(found)) * difference.estimate.error
    before, after = led[-1 - ROUNDS_MORE].value, led[-1].value
    for code in (ClaimCode.ROUNDS_HELP, ClaimCode.ROUNDS_NOT_SHOWN, ClaimCode.ROUNDS_BEAT):
        yield Claim(code, "best_wins", 0, 0, before, after, difference, width, len(led))


def _is_more(claim: Claim, found: StudyFigures) -> bool:
    return claim.difference.estimate.value > 0 and claim.difference.is_shown(count_claims(found))


def _is_not_shown(claim: Claim, found: StudyFigures) -> bool:
    # Two plans that were equal in every event are the same in it, which is more than that no difference is shown.
    is_open = claim.difference.different > 0 and not claim.difference.is_shown(count_claims(found))
    return is_open and claim.figure in ALWAYS_CLAIMED


def _do_rounds_beat(claim: Claim, found: StudyFigures) -> bool:
    beaten = [difference for difference in found.rounds_beat if difference.plans[0] == 0]
    more = all(difference.estimate.value > 0 and difference.is_shown(count_claims(found)) for difference in beaten)
    return bool(beaten) and more and _is_more(claim, found)


PREDICATES: Mapping[ClaimCode, Callable[[Claim, StudyFigures], bool]] = {
    ClaimCode.MORE: _is_more,
    ClaimCode.LESS: lambda claim, found: (
        claim.difference.estimate.value < 0 and claim.difference.is_shown(count_claims(found))
    ),
    ClaimCode.SAME: lambda claim, found: claim.figure in ALWAYS_CLAIMED and claim.difference.different == 0,
    ClaimCode.NOT_SHOWN: _is_not_shown,
    ClaimCode.ROUNDS_HELP: _is_more,
    ClaimCode.ROUNDS_NOT_SHOWN: lambda claim, found: not claim.difference.is_shown(count_claims(found)),
    ClaimCode.ROUNDS_BEAT: _do_rounds_beat,
}
"""When each claim holds."""
