"""Where a division stands in its day, and the one step that comes next."""

from dataclasses import dataclass
from enum import StrEnum

from tournament import queries
from tournament.models import Division, Round


class Step(StrEnum):
    """What the director does next."""

    ENTER_PLAYERS = "enter_players"
    PAIR = "pair"
    PUBLISH = "publish"
    ENTER_RESULTS = "enter_results"
    CLOSE = "close"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Phase:
    """A division's state: the next step and the round it concerns.

    `planned` is the number of rounds in the plan (0: none), `done` how many rounds are complete, `games` and `missing`
    tell the progress of the last published round.
    """

    step: Step
    number: int
    planned: int
    done: int
    entries: int
    games: int = 0
    missing: int = 0

    @property
    def entered(self) -> int:
        """Results that are there already."""
        return self.games - self.missing


def of(division: Division, progress: list[queries.RoundProgress] | None = None) -> Phase:
    """The phase of a division, from its rounds (drafts included), its plan and its entries. Two queries."""
    found = queries.rounds(division, drafts=True) if progress is None else progress
    players = division.entries.filter(withdrawn_after=None).count()
    planned = queries.planned_rounds(division)
    done = sum(1 for item in found if not item.round.is_draft and not item.missing)
    if not found:
        return Phase(Step.PAIR if players >= 2 else Step.ENTER_PLAYERS, 1, planned, 0, players)
    last = found[-1]
    number, games, missing = last.round.number, last.games, last.missing
    if last.round.is_draft:
        return Phase(Step.PUBLISH, number, planned, done, players)
    if missing:
        return Phase(Step.ENTER_RESULTS, number, planned, done, players, games, missing)
    if not planned or number < planned:
        return Phase(Step.PAIR, number + 1, planned, done, players, games)
    step = Step.FINISHED if last.round.state == Round.State.CLOSED else Step.CLOSE
    return Phase(step, number, planned, done, players, games)
