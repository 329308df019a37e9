"""Where a division stands in its day, and the one step that comes next."""

from dataclasses import dataclass, replace
from enum import StrEnum

from django.db.models import Exists, OuterRef

from scoring.knockout import WaitsFor
from tournament.models import Division, Knockout, Round, Seed
from tournament.queries import league
from tournament.queries.knockout import knockout_state

FEWEST = 2
"""So many players can be paired."""


class Step(StrEnum):
    """What the director does next."""

    ENTER_PLAYERS = "enter_players"
    PAIR = "pair"
    PUBLISH = "publish"
    ENTER_RESULTS = "enter_results"
    ENTER_EARLIER = "enter_earlier"
    CLOSE = "close"
    CONFIRM_SEEDS = "confirm_seeds"
    KNOCKOUT_RESULTS = "knockout_results"
    DRAW_LOT = "draw_lot"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Phase:
    """A division's state: the next step and the round it concerns.

    `planned` is the number of rounds in the plan (0: none), `done` how many rounds are complete, `games` and `missing`
    tell the progress of the last published round, or of the knock-out's `stage` (of `stages`) that is being played.
    `earlier` is the first published round that lacks a result (0: none); `ENTER_EARLIER` is about it.
    """

    step: Step
    number: int
    planned: int
    done: int
    entries: int
    games: int = 0
    missing: int = 0
    stage: int = 0
    stages: int = 0
    earlier: int = 0

    @property
    def entered(self) -> int:
        """How many results there are already."""
        return self.games - self.missing


def of(division: Division, progress: list[league.RoundProgress] | None = None) -> Phase:
    """The phase of a division, from its rounds (drafts included), its plan, its entries and its knock-out.

    Three queries; five more once a knock-out is seeded.
    """
    found = league.rounds(division, drafts=True) if progress is None else progress
    players = division.entries.filter(withdrawn_after=None).count()
    planned = league.planned_rounds(division)
    done = sum(1 for item in found if not item.round.is_draft and not item.missing)
    earlier = next((item.round.number for item in found if not item.round.is_draft and item.missing), 0)
    announced = (
        Knockout.objects.filter(division=division)
        .annotate(seeded=Exists(Seed.objects.filter(knockout=OuterRef("pk"))))
        .first()
    )
    begun = Phase(Step.FINISHED, 1, planned, done, players, earlier=earlier)
    if announced is not None and announced.seeded:
        return _in_knockout(division, replace(begun, number=found[-1].round.number if found else 0))
    return _in_league(begun, found, announced=announced is not None)


def _in_league(begun: Phase, found: list[league.RoundProgress], *, announced: bool) -> Phase:
    """The phase while the rounds of the league go on; a knock-out that is `announced` follows them."""
    if not found:
        return replace(begun, step=Step.PAIR if begun.entries >= FEWEST else Step.ENTER_PLAYERS)
    last = found[-1]
    now = replace(begun, number=last.round.number)
    if last.round.is_draft:
        return replace(now, step=Step.PUBLISH)
    now = replace(now, games=last.games)
    if last.missing:
        return replace(now, step=Step.ENTER_RESULTS, missing=last.missing)
    if not now.planned or now.number < now.planned:
        return replace(now, step=Step.PAIR, number=now.number + 1)
    return replace(now, step=_after_rounds(now, last.round, announced=announced))


def _after_rounds(now: Phase, last: Round, *, announced: bool) -> Step:
    """The step when every planned round has been paired and the last one is complete."""
    if now.earlier:
        return Step.ENTER_EARLIER
    if announced:
        return Step.CONFIRM_SEEDS
    return Step.FINISHED if last.state == Round.State.CLOSED else Step.CLOSE


def _in_knockout(division: Division, over: Phase) -> Phase:
    """The phase once the knock-out is seeded: the first stage that is not over, `over` when all are."""
    state = knockout_state(division)
    assert state is not None  # it has seeds
    stages = state.bracket.stages
    for number, stage in enumerate(stages, 1):
        if all(match.is_over for match in stage):
            continue
        due = [game for match in stage for game in match.needed]
        missing = sum(game.is_open for game in due)
        lots = any(match.waits_for == WaitsFor.LOT for match in stage)
        step = Step.DRAW_LOT if lots and not missing else Step.KNOCKOUT_RESULTS
        return replace(over, step=step, games=len(due), missing=missing, stage=number, stages=len(stages))
    return replace(over, step=Step.ENTER_EARLIER if over.earlier else over.step, stages=len(stages))
