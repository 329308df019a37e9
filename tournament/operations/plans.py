"""The plan of rounds: which method pairs which rounds of a division."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from tournament import limits
from tournament.models import Division
from tournament.models.choices import METHODS
from tournament.operations.change import Actor, Change, change
from tournament.operations.drafts import MethodUnknown
from tournament.pairing import schedules
from tournament.pairing.values import Method
from tournament.plan import segments as plan
from tournament.plan.segments import Segment
from tournament.queries import league
from tournament.refusals import Refusal, Refusals, out_of_range


class RoundsReversed(Refusal):
    code = "rounds_reversed"
    message = _("Rounds %(first)s–%(last)s run backwards; the first one must not be the later one.")
    field = "plan"


class RoundsOverlap(Refusal):
    code = "rounds_overlap"
    message = _("Round %(number)s is planned twice, as “%(one)s” and as “%(other)s”.")
    field = "plan"


class RoundLeftOut(Refusal):
    code = "round_left_out"
    message = _("Round %(number)s is left out; the plan has to name every round from the first to the last.")
    field = "plan"


class PlanTooShort(Refusal):
    code = "plan_too_short"
    message = _("The plan ends with round %(planned)s, but round %(published)s is published already.")
    field = "plan"


def problems(segments: Sequence[Segment], *, published: int = 0) -> list[Refusal]:
    """Everything that is wrong with a plan in order of rounds; `published` is how many rounds are out already."""
    found = [fault for segment in segments for fault in _segment_problems(segment)]
    if found:
        return found
    for before, after in zip((None, *segments), segments, strict=False):
        expected = before.last + 1 if before else 1
        if before and after.first < expected:
            found.append(RoundsOverlap(number=after.first, one=_label(before), other=_label(after)))
        elif after.first > expected:
            found.append(RoundLeftOut(number=expected))
    last = segments[-1].last if segments else 0
    if segments and last < published:
        found.append(PlanTooShort(planned=last, published=published))
    return found


def _segment_problems(segment: Segment) -> list[Refusal]:
    figures = (
        (segment.first, limits.ROUND),
        (segment.last, limits.ROUND),
        (segment.factor, limits.FACTOR),
        (segment.behind, limits.BEHIND),
    )
    found = [fault for value, allowed in figures for fault in out_of_range("plan", value, allowed)]
    if segment.first > segment.last:
        found.append(RoundsReversed(first=segment.first, last=segment.last))
    if segment.method not in list(Method):
        allowed = ", ".join(map(str, METHODS.values()))
        found.append(MethodUnknown(method=segment.method, allowed=allowed))
    return found


def _label(segment: Segment) -> str:
    return str(METHODS[Method(segment.method)])


def set_plan(division: Division, *, segments: Sequence[Segment], actor: Actor) -> None:
    """Write a division's plan; rounds that are paired already keep the method they were paired with.

    Raises `Refusals` with all faults.
    """
    with change(division.tournament, actor=actor, verb="set_plan", division=division.name) as log:
        write(log, division, segments)


def write(log: Change, division: Division, segments: Sequence[Segment]) -> None:
    """`set_plan` within a change that is open."""
    in_order = sorted(segments, key=lambda segment: (segment.first, segment.last))
    if faults := problems(in_order, published=league.last_round(division)):
        raise Refusals(faults)
    stored = Division.objects.get(pk=division.pk)
    planned = [segment.stored() for segment in in_order]
    if stored.plan != planned:
        log.save(stored, plan=planned)


def rounds_needed(division: Division, *, entered: int) -> int | None:
    """How many rounds an all-play-all of this many players needs, if one is planned with another number.

    Also None once a round is published: then the schedule is fixed.
    """
    segments = plan.read(division.plan)
    if [segment.method for segment in segments] != [Method.ROUND_ROBIN] or entered <= 1:
        return None
    needed = schedules.rounds(entered)
    legs, rest = divmod(segments[0].last, needed)
    return needed if (rest or not legs) and not league.last_round(division) else None


def fit_plan(division: Division, *, actor: Actor) -> None:
    """Give an all-play-all as many rounds as its players need to meet once. Changes nothing where it has them
    already."""
    entered = division.entries.filter(withdrawn_after=None).count()
    needed = rounds_needed(division, entered=entered)
    if needed is not None:
        set_plan(division, segments=[Segment(1, needed, Method.ROUND_ROBIN)], actor=actor)
