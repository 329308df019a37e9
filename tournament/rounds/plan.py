"""The plan of rounds: which method pairs which rounds of a division."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from tournament.basics import limits
from tournament.basics.refusals import Refusal, Refusals, find_range_refusals
from tournament.core.change import Actor, Change, change
from tournament.models import Division
from tournament.models.choices import METHOD_LABELS
from tournament.pairing.schedules import count_leg_rounds
from tournament.pairing.values import Method
from tournament.table.league import get_last_round_number


class MethodUnknown(Refusal, code="method_unknown", field="method"):
    message = _("“%(method)s” is not a pairing method. Choose from: %(allowed)s.")


DEFAULT_FACTOR = 2


@dataclass(frozen=True, slots=True)
class PlanSegment:
    """Consecutive rounds that one method pairs."""

    first: int
    last: int
    method: str = Method.SWISS
    repeats: bool = False
    factor: int = DEFAULT_FACTOR  # ranks apart, for the method of that name
    repeats_after: int = 0  # opponents may meet again, but not within so many rounds
    behind: int = 0  # how many rounds the table in use lags behind; 1: round 7 is paired on the table after round 5

    @property
    def label(self) -> str:
        """The method's name in the reader's language."""
        return str(METHOD_LABELS[Method(self.method)])

    @property
    def may_repeat(self) -> bool:
        """Whether opponents may meet again, at once or after some rounds."""
        return self.repeats or self.repeats_after > 0

    @property
    def repeats_text(self) -> str:
        """Whether opponents may meet again, and from when on, in the reader's language; empty if they may not."""
        if not self.repeats_after:
            return str(_("repeats allowed")) if self.repeats else ""
        return ngettext(
            "repeats allowed, but not within %(count)s round",
            "repeats allowed, but not within %(count)s rounds",
            self.repeats_after,
        ) % {"count": self.repeats_after}

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> "PlanSegment":
        """The segment as `Division.plan` and the tournament file hold it."""
        names = ("method", "repeats", "repeats_after", "factor", "behind")
        more = {name: stored[name] for name in names if name in stored}
        first, last = stored["rounds"]
        return cls(first, last, **more)

    def stored(self) -> dict[str, Any]:
        """The segment as JSON, defaults left out."""
        more = {"repeats": self.repeats, "repeats_after": self.repeats_after, "behind": self.behind}
        if self.method == Method.FACTOR:
            more["factor"] = self.factor
        more = {name: value for name, value in more.items() if value}
        return {"rounds": [self.first, self.last], "method": str(self.method), **more}


def read_round_plan(stored: Iterable[Mapping[str, Any]]) -> tuple[PlanSegment, ...]:
    """All segments of a stored plan, in order of rounds."""
    return tuple(sorted((PlanSegment.read(item) for item in stored), key=lambda segment: segment.first))


def find_segment(segments: Sequence[PlanSegment], number: int) -> PlanSegment:
    """The segment that covers round `number`; beyond the plan, one more round with the last segment's method, or Swiss
    after a schedule (round robin, groups), which cannot be extended."""
    for segment in segments:
        if segment.first <= number <= segment.last:
            return segment
    before = [segment for segment in segments if segment.last < number]
    last = before[-1] if before else PlanSegment(number, number)
    method = Method.SWISS if last.method in (Method.ROUND_ROBIN, Method.GROUPS) else last.method
    return replace(last, first=number, last=number, method=method, behind=0)


class RoundsReversed(Refusal, code="rounds_reversed", field="plan"):
    message = _("Rounds %(first)s–%(last)s run backwards; the first one must not be the later one.")


def find_plan_problems(segments: Sequence[PlanSegment], *, published: int = 0) -> list[Refusal]:
    """Everything that is wrong with a plan in order of rounds; `published` is how many rounds are out already."""
    # First each part by itself: beside one that runs backwards its neighbours would be blamed for gaps that they do not
    # have.
    if problems := [fault for segment in segments for fault in _find_segment_problems(segment)]:
        return problems
    for before, after in zip((None, *segments), segments, strict=False):
        expected = before.last + 1 if before else 1
        if before and after.first < expected:
            message = _("Round %(number)s is planned twice, as “%(one)s” and as “%(other)s”.")
            figures = {"number": after.first, "one": before.label, "other": after.label}
            problems.append(Refusal("rounds_overlap", message, field="plan", **figures))
        elif after.first > expected:
            message = _("Round %(number)s is left out; the plan has to name every round from the first to the last.")
            problems.append(Refusal("round_left_out", message, field="plan", number=expected))
    last = segments[-1].last if segments else 0
    if segments and last < published:
        message = _("The plan ends with round %(planned)s, but round %(published)s is published already.")
        problems.append(Refusal("plan_too_short", message, field="plan", planned=last, published=published))
    return problems


def _find_segment_problems(segment: PlanSegment) -> list[Refusal]:
    figures = (
        (segment.first, limits.ROUND),
        (segment.last, limits.ROUND),
        (segment.factor, limits.FACTOR),
        (segment.repeats_after, limits.REPEATS_AFTER),
        (segment.behind, limits.ROUNDS_BEHIND),
    )
    problems = [fault for value, allowed in figures for fault in find_range_refusals("plan", value, allowed)]
    if segment.first > segment.last:
        problems.append(RoundsReversed(first=segment.first, last=segment.last))
    if segment.method not in list(Method):
        allowed = ", ".join(map(str, METHOD_LABELS.values()))
        problems.append(MethodUnknown(method=segment.method, allowed=allowed))
    return problems


def set_plan(division: Division, *, segments: Sequence[PlanSegment], actor: Actor) -> None:
    """Write a division's plan; rounds that are paired already keep their method. Raises `Refusals` with all faults."""
    with change(division.tournament, actor=actor, verb="set_plan", division=division.name) as log:
        save_round_plan(log, division, segments)


def save_round_plan(log: Change, division: Division, segments: Sequence[PlanSegment]) -> None:
    """`set_plan` within a change that is open."""
    # Sorted before they are checked: rows of the form come in any order, and gaps are looked for between neighbours.
    in_order = sorted(segments, key=lambda segment: (segment.first, segment.last))
    if faults := find_plan_problems(in_order, published=get_last_round_number(division)):
        raise Refusals(faults)
    stored = Division.objects.get(pk=division.pk)
    planned = [segment.stored() for segment in in_order]
    if stored.plan != planned:
        log.save(stored, plan=planned)


def count_rounds_needed(division: Division, *, entered: int) -> int | None:
    """How many rounds an all-play-all takes, if one is planned with another number; None once a round is published."""
    segments = read_round_plan(division.plan)
    if [segment.method for segment in segments] != [Method.ROUND_ROBIN] or entered <= 1:
        return None
    needed = count_leg_rounds(entered)
    # Two whole legs fit as well as one: only a number of rounds that no leg ends with is to be changed.
    legs, rest = divmod(segments[0].last, needed)
    return needed if (rest or not legs) and not get_last_round_number(division) else None


def fit_plan_to_entries(division: Division, *, actor: Actor) -> None:
    """Give an all-play-all as many rounds as its players need to meet once, where it has another number."""
    needed = count_rounds_needed(division, entered=division.entries.filter(withdrawn_after=None).count())
    if needed is not None:
        set_plan(division, segments=[PlanSegment(1, needed, Method.ROUND_ROBIN)], actor=actor)
