"""The plans that the laboratory's page offers, by the names that stand in its address."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.standings import RankingBasis
from tournament.basics import limits
from tournament.laboratory.values import StudyPlan
from tournament.models import Division
from tournament.pairing.values import UNCHOSEN_METHODS, Method
from tournament.rounds.plan import PlanSegment

GROUP_ROUNDS = 3
LAST_ROUNDS = 2


@dataclass(frozen=True, slots=True)
class OfferedPlan:
    """A plan for any number of rounds, and what the page calls it: `method`, but for the first rounds, which are played
    in `groups`, or the last ones, which `ending` pairs."""

    label: str | Promise
    method: Method = Method.SWISS
    groups: int = 0
    ending: Method | None = None
    ending_rounds: int = 0
    repeats: bool = False  # in the ending

    def list_segments(self, rounds: int) -> list[PlanSegment]:
        """The plan for so many rounds; a part that these leave no room for is left out."""
        opening, last = min(self.groups, rounds), max(rounds - self.ending_rounds, 0)
        parts = [PlanSegment(1, opening, Method.GROUPS), PlanSegment(opening + 1, last, self.method)]
        if self.ending is not None:
            parts.append(PlanSegment(last + 1, rounds, self.ending, repeats=self.repeats))
        return [part for part in parts if part.first <= part.last]


OFFERED_PLANS: Mapping[str, OfferedPlan] = {
    "swiss": OfferedPlan(_("Swiss")),
    "swiss-hill": OfferedPlan(
        _("Swiss, last round king of the hill"), ending=Method.KING_OF_THE_HILL, ending_rounds=1, repeats=True
    ),
    "swiss-contention": OfferedPlan(
        _("Swiss, last two rounds contention"), ending=Method.CONTENTION, ending_rounds=LAST_ROUNDS
    ),
    "groups-swiss": OfferedPlan(_("Groups of four, then Swiss"), groups=GROUP_ROUNDS),
    "hill": OfferedPlan(_("King of the hill throughout"), Method.KING_OF_THE_HILL),
    "australian": OfferedPlan(_("Australian draw throughout"), Method.AUSTRALIAN),
    "factor": OfferedPlan(_("Two places apart throughout"), Method.FACTOR),
    "random": OfferedPlan(_("Drawn by lot throughout"), Method.RANDOM),
    "round-robin": OfferedPlan(_("All play all"), Method.ROUND_ROBIN),
}
"""In the order of the page."""


def build_offered_plan(key: str, rounds: int) -> StudyPlan:
    """The plan of this name, which is its name in the study as well, with its rounds: “swiss:13”."""
    segments = OFFERED_PLANS[key].list_segments(rounds)
    return StudyPlan(f"{key}:{rounds}", tuple(segment.stored() for segment in segments))


OWN_PLAN = "own"
REPEATS_MARK = "r"


def format_own_plan(segments: Sequence[PlanSegment]) -> str:
    """A plan as an address holds it: “1-12:swiss,13-13:king_of_the_hill:r”. How many places apart, and older tables,
    are left out where they are as usual."""
    parts = []
    for segment in segments:
        more = [REPEATS_MARK] if segment.repeats else []
        more += [f"f{segment.factor}"] if segment.method == Method.FACTOR else []
        more += [f"w{segment.repeats_after}"] if segment.repeats_after else []
        more += [f"b{segment.behind}"] if segment.behind else []
        parts.append(":".join([f"{segment.first}-{segment.last}", str(segment.method), *more]))
    return ",".join(parts)


def parse_own_plan(text: str) -> list[PlanSegment]:
    """The plan that `format_own_plan` has written. Raises `ValueError` for anything else, and for rounds paired by
    hand, which nobody does here."""
    segments = [_parse_segment(part) for part in text.split(",")] if text else []
    # Nobody sets pairs here, and there are no teams: a round by hand would pair nobody, one of teams would be Swiss.
    if any(segment.method in UNCHOSEN_METHODS for segment in segments):
        raise ValueError(text)
    return segments


def build_laboratory_query(segments: Sequence[PlanSegment], division: Division | None = None) -> dict[str, str | int]:
    """The query that opens the laboratory with this plan, and with a division's players where it has enough; empty for
    a plan that cannot be played there, and by Keizer: tables there are by wins."""
    if division is not None and division.tournament.basis == RankingBasis.KEIZER:
        return {}
    rounds = segments[-1].last if segments else 0
    if not limits.STUDY_ROUNDS.holds(rounds) or any(segment.method in UNCHOSEN_METHODS for segment in segments):
        return {}
    query: dict[str, str | int] = {OWN_PLAN: format_own_plan(segments), "rounds": rounds}
    if division is not None and limits.STUDY_PLAYERS.holds(division.entries.filter(withdrawn_after=None).count()):
        query["field"] = division.pk
    return query


def _parse_segment(text: str) -> PlanSegment:
    rounds, method, *more = text.split(":")
    first, last = (int(number) for number in rounds.split("-"))
    marks = {mark[0]: mark[1:] for mark in more if mark}
    # A mark that is not known is refused, not passed over: the link of a later version would play another plan.
    if set(marks) - {REPEATS_MARK, "f", "w", "b"}:
        raise ValueError(text)
    more_figures = {"factor": int(marks["f"])} if "f" in marks else {}
    more_figures |= {"repeats_after": int(marks.get("w", 0)), "behind": int(marks.get("b", 0))}
    return PlanSegment(first, last, Method(method), REPEATS_MARK in marks, **more_figures)
