"""What is played in the laboratory: a field, plans, how often, and from which seed. Plain values, which processes of
their own read without Django."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from scoring.simulation import MARGIN_DEVIATION, RATING_NOISE, START_ADVANTAGE, STRENGTH_DEVIATION
from tournament.pairing.values import Method


class PlannedRound(NamedTuple):
    """How one round is paired. `first`, `last`: the rounds that are planned together with it. `behind`: on which
    earlier table, in rounds."""

    method: Method
    first: int
    last: int
    repeats: bool = False
    factor: int = 2
    behind: int = 0
    repeats_after: int = 0


@dataclass(frozen=True, slots=True)
class StudyPlan:
    """A plan to be tried: its name, and its parts as a tournament file has them."""

    name: str
    plan: tuple[Mapping[str, Any], ...]

    def list_rounds(self) -> list[PlannedRound]:
        """Round by round."""
        rounds = []
        for part in self.plan:
            first, last = part["rounds"]
            more = {name: part[name] for name in ("repeats", "repeats_after", "factor", "behind") if name in part}
            rounds += [PlannedRound(Method(part["method"]), first, last, **more)] * (last - first + 1)
        return rounds


@dataclass(frozen=True, slots=True)
class Study:
    """Several plans, each played `events` times, on the same luck. `players`, `strength_sd` and `seeding_noise` make a
    field anew for each event: how far strengths differ, and by how much the order of entry misses them, in points of
    margin. `ratings`: the players of an own field, from whose ratings the strengths are taken instead. `game_sd` and
    `start`: the model of results. `prizes`: the places with prizes."""

    plans: tuple[StudyPlan, ...]
    players: int
    events: int = 1000
    seed: int = 1
    prizes: int = 3
    strength_sd: float = STRENGTH_DEVIATION
    seeding_noise: float = RATING_NOISE
    game_sd: float = MARGIN_DEVIATION
    start: float = START_ADVANTAGE
    ratings: tuple[int | None, ...] = ()

    @property
    def rounds(self) -> int:
        """The rounds of the longest plan."""
        return max(len(plan.list_rounds()) for plan in self.plans)

    def stored(self) -> dict[str, Any]:
        """The study as JSON."""
        return asdict(self)

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> "Study":
        """The study that `stored` has written."""
        plans = tuple(StudyPlan(plan["name"], tuple(plan["plan"])) for plan in stored["plans"])
        return cls(**{**stored, "plans": plans, "ratings": tuple(stored["ratings"])})

    def name_run(self, version: str) -> str:
        """A short name for what this study gives, with this version of the program."""
        # With the version: a later one may pair otherwise, and would go on with the figures of this one.
        text = json.dumps([version, self.stored()], sort_keys=True, default=list)
        return hashlib.sha256(text.encode()).hexdigest()[:24]
