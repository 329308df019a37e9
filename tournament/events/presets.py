"""Presets: kinds of events as a club plays them, each a frozen value that a new tournament starts from."""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.knockout_values import KnockoutSystem, MatchFormat
from scoring.standings import RankingBasis
from tournament.knockout.plan import KnockoutPlan
from tournament.pairing.values import ByePolicy, Method
from tournament.rounds.plan import PlanSegment

SHORT_EVENT = 8  # rounds, at most


@dataclass(frozen=True, slots=True)
class Preset:
    """What a new tournament is given. `words` describes it to the director, `audience` says whom it is for, `length`
    how long it takes; the rest applies to each division."""

    key: str
    name: str | Promise
    words: str | Promise
    audience: str | Promise
    length: str | Promise = ""
    plan: tuple[PlanSegment, ...] = ()
    divisions: tuple[str, ...] = ("A",)
    ruleset: str = "tso-2017"
    clubs_apart: int = 0
    bye_policy: str = ByePolicy.LOWEST
    basis: str = ""  # what the table is ranked by; without one, what the ruleset says
    knockout: KnockoutPlan | None = None
    is_evening: bool = False  # one day, mostly the day that it is made on

    @property
    def rounds(self) -> int:
        """How many rounds are planned."""
        return self.plan[-1].last if self.plan else 0

    def plan_for(self, rounds: int) -> tuple[PlanSegment, ...]:
        """The plan stretched or shortened to this many rounds. What opens and what closes the event keeps its length
        while there is room; the longest part gives way first, then the closing one, then the opening one. Contention
        closes a long event with two rounds, a short one with one."""
        if not self.plan or rounds <= 0:
            return ()
        lengths = [segment.last - segment.first + 1 for segment in self.plan]
        if self.plan[-1].method == Method.CONTENTION:
            lengths[-1] = 2 if rounds > SHORT_EVENT else 1
        longest = lengths.index(max(lengths))
        # More rounds are more of the longest part: a cup of fifteen rounds is still opened and closed as one of
        # thirteen.
        lengths[longest] = max(0, lengths[longest] + rounds - sum(lengths))
        # Where that part gone is not enough, the last rounds go before the first ones.
        for index in reversed(range(len(lengths))):
            lengths[index] -= min(lengths[index], max(0, sum(lengths) - rounds))
        return tuple(
            replace(segment, first=end - length + 1, last=end)
            for segment, length, end in zip(self.plan, lengths, itertools.accumulate(lengths), strict=True)
            if length
        )


_LISTED = (
    Preset(
        key="club_evening",
        name=_("Club evening"),
        words=_("3 rounds: the first one drawn, then Swiss. Made for one club in one evening."),
        audience=_("one club after work"),
        length=_("1 evening"),
        plan=(PlanSegment(1, 1, Method.RANDOM), PlanSegment(2, 3, Method.SWISS)),
        is_evening=True,
    ),
    Preset(
        key="keizer_nights",
        name=_("Club nights by Keizer"),
        words=_(
            "20 rounds, ranked by Keizer points, drawn from the top of the table down; opponents may meet again after "
            "three rounds."
        ),
        audience=_("club nights at which not everybody is there"),
        length=_("a season"),
        # A season within one club: sooner or later everybody meets somebody again, but not on the next evening.
        plan=(PlanSegment(1, 20, Method.AUSTRALIAN, repeats=True, repeats_after=3),),
        basis=RankingBasis.KEIZER,
    ),
    Preset(
        key="weekend_cup",
        name=_("Weekend cup"),
        words=_("13 rounds Swiss, the last two contention. Clubmates do not meet in the first two rounds."),
        audience=_("guests from several clubs"),
        length=_("2 days"),
        plan=(PlanSegment(1, 11, Method.SWISS), PlanSegment(12, 13, Method.CONTENTION)),
        clubs_apart=2,
    ),
    Preset(
        key="australian_day",
        name=_("Australian draw"),
        words=_("8 rounds: the first one drawn, then from the top of the table down; nobody meets twice who need not."),
        audience=_("the best meet each other early"),
        length=_("1 day"),
        plan=(PlanSegment(1, 1, Method.RANDOM), PlanSegment(2, 8, Method.AUSTRALIAN)),
    ),
    Preset(
        key="final_four",
        name=_("Swiss and final four"),
        words=_("7 rounds Swiss; then the first four play semi-finals, the final and the match for third place."),
        audience=_("a final to watch"),
        length=_("2 days"),
        plan=(PlanSegment(1, 7, Method.SWISS),),
        clubs_apart=2,
        knockout=KnockoutPlan(size=4, form=MatchFormat.SINGLE, third_place=True),
    ),
    Preset(
        key="page_playoff",
        name=_("Swiss and page play-off"),
        words=_("7 rounds Swiss; then the first four play a page play-off, in which the first two may lose once."),
        audience=_("an advantage for the first two"),
        length=_("2 days"),
        plan=(PlanSegment(1, 7, Method.SWISS),),
        clubs_apart=2,
        knockout=KnockoutPlan(size=4, system=KnockoutSystem.PAGE),
    ),
    Preset(
        key="places_to_eight",
        name=_("Swiss and places to eight"),
        words=_("6 rounds Swiss; then the first eight play a knock-out in which the places 3 to 8 are played for."),
        audience=_("finals in which nobody is out early"),
        length=_("2 days"),
        plan=(PlanSegment(1, 6, Method.SWISS),),
        clubs_apart=2,
        knockout=KnockoutPlan(size=8, system=KnockoutSystem.PLACES_TO_EIGHT),
    ),
    Preset(
        key="double_elimination",
        name=_("Double elimination"),
        words=_("16 players, no rounds before it: out is who has lost two matches. Seeded by rating, or as you say."),
        audience=_("everybody may lose once"),
        length=_("2 days"),
        knockout=KnockoutPlan(size=16, system=KnockoutSystem.DOUBLE),
    ),
    Preset(
        key="all_play_all",
        name=_("All play all"),
        words=_("Everybody meets everybody once: 8 players need 7 rounds."),
        audience=_("a small field"),
        length=_("1 day"),
        plan=(PlanSegment(1, 7, Method.ROUND_ROBIN),),
    ),
    Preset(
        key="german_championship",
        name=_("German championship"),
        words=_(
            "3 rounds in groups of four, one player from each rating quarter, 10 rounds Swiss, a final of two games."
        ),
        audience=_("a field with ratings"),
        length=_("3 days"),
        plan=(PlanSegment(1, 3, Method.GROUPS), PlanSegment(4, 13, Method.SWISS)),
        knockout=KnockoutPlan(size=2, form=MatchFormat.DOUBLE),
    ),
    Preset(
        key="league_of_champions",
        name=_("League of champions"),
        words=_("Two divisions, in each of which everybody meets everybody once: 8 players each need 7 rounds."),
        audience=_("two groups side by side"),
        length=_("1 day"),
        plan=(PlanSegment(1, 7, Method.ROUND_ROBIN),),
        divisions=("A", "B"),
    ),
    Preset(
        key="points_evening",
        name=_("Puntenscrabble evening"),
        words=_("3 rounds by the Dutch rules, ranked by points: the first one drawn, then Swiss."),
        audience=_("Dutch rules, by points"),
        length=_("1 evening"),
        plan=(PlanSegment(1, 1, Method.RANDOM), PlanSegment(2, 3, Method.SWISS)),
        ruleset="sbnl-punten",
        is_evening=True,
    ),
    Preset(
        key="match_day",
        name=_("Wedstrijdscrabble"),
        words=_(
            "5 rounds by the Dutch rules with challenges: the first one drawn, then Swiss, the last one contention."
        ),
        audience=_("Dutch rules with challenges"),
        length=_("1 day"),
        plan=(PlanSegment(1, 1, Method.RANDOM), PlanSegment(2, 4, Method.SWISS), PlanSegment(5, 5, Method.CONTENTION)),
        ruleset="sbnl-wedstrijd",
    ),
    Preset(
        key="duplicate_evening",
        name=_("Duplicate evening"),
        words=_("All play alone against the same draws, at most 22 turns of 3 minutes, by the Dutch rules."),
        audience=_("everybody for themselves"),
        length=_("1 evening"),
        ruleset="sbnl-duplicate",
        is_evening=True,
    ),
    Preset(
        key="empty",
        name=_("Empty"),
        words=_("Nothing planned: you choose a method for each round."),
        audience=_("whatever fits no preset"),
    ),
)

PRESETS: Mapping[str, Preset] = {preset.key: preset for preset in _LISTED}
"""All presets by their keys, in the order that the page offers them."""
