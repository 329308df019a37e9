"""The next round before the last result: how long the proof takes, and how many of the pairs that sampled endings all
have it finds: `python -m benchmarks.outlook`."""

from __future__ import annotations

import json
import random
import sys
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from benchmarks.timing import seconds
from scoring.simulation import MARGIN_DEVIATION
from tournament.laboratory.playing import EventLuck, EventRun
from tournament.laboratory.values import Study, StudyPlan
from tournament.pairing.certainty import prove_pairs
from tournament.pairing.drafting import draw_pairs
from tournament.pairing.outlook import UnplayedGame
from tournament.pairing.values import Competitor, DrawRequest, Meeting, Method

SHAPES = ((24, 13, 6, 6), (24, 13, 10, 6), (24, 7, 4, 6), (23, 13, 8, 6), (24, 13, 8, 8), (48, 9, 6, 6))
"""Players, rounds of the plan, rounds played, open games of the last of them."""
SEEDS, SAMPLED, LARGEST = 4, 150, 600


class Evening:
    """An event whose last round is played but for its last, its first or any tables."""

    def __init__(self, shape: tuple[int, int, int, int], method: Method, where: str, seed: int) -> None:
        players, rounds, played, missing = shape
        parts = ({"rounds": [1, played], "method": "swiss"}, {"rounds": [played + 1, rounds], "method": method.value})
        study = Study((StudyPlan("plan", parts),), players, 1, seed)
        self.luck = EventLuck(study, 0)
        run = EventRun(study, self.luck, study.plans[0].list_rounds())
        for _ in range(played):
            before = run.half_wins.copy(), run.spread.copy(), len(run.meetings)
            run.play_round(len(run.tables))
        place = {int(player) + 1: at for at, player in enumerate(run.tables[-2])}
        games = [game for game in run.meetings[before[2] :] if game.second is not None]
        games.sort(key=lambda game: min(place[game.first], place[game.second or 0]))
        self.chance = random.Random(seed)
        begin = {"top": 0, "bottom": len(games) - missing}.get(where, 0)
        self.open: list[Meeting] = (
            self.chance.sample(games, missing) if where == "anywhere" else games[begin : begin + missing]
        )
        keys = [key - 1 for game in self.open for key in (game.first, game.second or 0)]
        self.half_wins, self.spread = run.half_wins.copy(), run.spread.copy()
        self.half_wins[keys], self.spread[keys] = before[0][keys], before[1][keys]
        self.asked = run.build_request(played + 1)

    def request(self, margins: list[int]) -> DrawRequest:
        """What is drawn after these margins; without any, on the table without the open games."""
        half_wins, spread = self.half_wins.copy(), self.spread.copy()
        for game, margin in zip(self.open, margins, strict=False):
            for key, by in ((game.first, margin), (game.second or 0, -margin)):
                half_wins[key - 1] += 1 + (by > 0) - (by < 0)
                spread[key - 1] += by
        order = np.lexsort((self.luck.ties, -spread, -half_wins)).tolist()
        ranked = (Competitor(player + 1, rank, int(half_wins[player])) for rank, player in enumerate(order, 1))
        return replace(self.asked, competitors=tuple(ranked))

    def sample(self) -> frozenset[frozenset[int]]:
        """The pairs that so many endings all have, half of them as games go and half by extreme margins."""
        found = []
        for number in range(SAMPLED):
            margins = [
                round(self.chance.gauss(0, MARGIN_DEVIATION))
                if number % 2
                else self.chance.choice((0, 1, -1, LARGEST, -LARGEST, self.chance.randint(-LARGEST, LARGEST)))
                for _game in self.open
            ]
            drawn = draw_pairs(self.request(margins))
            found.append(frozenset(frozenset(key for key in pair if key is not None) for pair in drawn))
        return frozenset.intersection(*found)

    def prove(self, wanted: frozenset[frozenset[int]]) -> frozenset[frozenset[int]]:
        """Those of the pairs that are certain."""
        games = [UnplayedGame(game.first, game.second or 0, LARGEST) for game in self.open]
        spread = {key: int(points) for key, points in enumerate(self.spread, 1)}
        return prove_pairs(self.request([]), spread, games, wanted)


def measure() -> dict[str, Any]:
    """By shape and method: pairs that the sampled endings have, those proven, and the longest proof in seconds."""
    found = {}
    for shape in SHAPES:
        for method in (Method.SWISS, Method.KING_OF_THE_HILL, Method.FACTOR):
            sampled = proven = 0
            longest = 0.0
            for where in ("top", "bottom", "anywhere"):
                for seed in range(SEEDS):
                    evening = Evening(shape, method, where, seed)
                    wanted = evening.sample()
                    took, certain = seconds(partial(evening.prove, wanted))
                    sampled, proven, longest = sampled + len(wanted), proven + len(certain), max(longest, took)
            name = "{} players, {} rounds, {} played, {} open".format(*shape)
            found[f"{name}, {method.value}"] = {"sampled": sampled, "proven": proven, "seconds": round(longest, 2)}
    return found


if __name__ == "__main__":
    json.dump(measure(), sys.stdout, indent=1)
