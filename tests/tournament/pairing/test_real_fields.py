"""Real tournaments, re-paired round by round on their real results."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import networkx as nx
import pytest

from tournament.pairing.drafting import draw_round
from tournament.pairing.field import build_pairing_history
from tournament.pairing.values import Competitor, DrawRequest, Meeting, PairFlag

DATA = Path(__file__).resolve().parents[4] / "shared" / "data" / "tournaments"
FOLDERS = sorted(path for path in DATA.iterdir() if path.is_dir()) if DATA.is_dir() else []

pytestmark = pytest.mark.skipif(not FOLDERS, reason=f"no real tournaments at {DATA}")


class Real:
    """What a file of the older program says: ratings and, round by round, scores, opponents and starters."""

    def __init__(self, folder: Path) -> None:
        self.rating: list[int] = []
        self.opponents: list[list[int]] = []
        self.scores: list[list[int]] = []
        for line in (folder / "a.t").read_text(encoding="latin-1").splitlines():
            head, scores, *_ = line.split(";")
            rating, *opponents = re.findall(r"\d+", head.split(",", 1)[1].split(",", 1)[1])
            self.rating.append(int(rating))
            self.opponents.append([int(number) - 1 for number in opponents])
            self.scores.append([int(score) for score in scores.split()])
        self.rounds = max(map(len, self.scores))

    def requests(self) -> Iterator[DrawRequest]:
        """The request for every round but the first, on the real games before it."""
        half_wins, spread = [0] * len(self.rating), [0] * len(self.rating)
        meetings: list[Meeting] = []
        for number in range(1, self.rounds):
            for player in range(len(self.rating)):
                self._count(player, number - 1, half_wins, spread, meetings)
            there = [player for player, scores in enumerate(self.scores) if len(scores) > number]
            there.sort(key=lambda player: (-half_wins[player], -spread[player], player))
            table = (
                Competitor(player, rank, half_wins[player], self.rating[player] or None)
                for rank, player in enumerate(there, 1)
            )
            yield DrawRequest(tuple(table), tuple(meetings), number + 1, self.rounds, seed=number)

    def _count(self, player: int, index: int, half_wins: list[int], spread: list[int], meetings: list[Meeting]) -> None:
        if index >= len(self.scores[player]):
            return
        opponent, mine = self.opponents[player][index], self.scores[player][index]
        margin = mine if opponent < 0 else mine - self.scores[opponent][index]
        half_wins[player] += (margin > 0) * 2 + (margin == 0)
        spread[player] += margin
        if opponent < 0 < mine:
            meetings.append(Meeting(index + 1, player))
        elif opponent > player:
            meetings.append(Meeting(index + 1, player, opponent))


def repeat_can_be_avoided(request: DrawRequest, resting: list[int]) -> bool:
    """Whether there is a complete pairing without a repeat in which one of `resting` has the bye, if there is one."""
    past = build_pairing_history(request.meetings)
    keys = [player.key for player in request.competitors]
    graph = nx.Graph([(a, b) for a in keys for b in keys if a < b and not past.between(a, b)])
    if len(keys) % 2:
        graph.add_edges_from((-1, key) for key in resting)
    return 2 * len(nx.max_weight_matching(graph, maxcardinality=True)) >= len(keys) + len(keys) % 2


@pytest.mark.sampled(3)
@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_no_round_of_a_real_tournament_has_an_avoidable_repeat_or_bye(folder: Path) -> None:
    for request in Real(folder).requests():
        past = build_pairing_history(request.meetings)
        fewest = min(past.record(player.key).byes for player in request.competitors)

        draft = draw_round(request)

        if any(PairFlag.REPEAT in pair.flags for pair in draft.pairs):
            resting = [player.key for player in request.competitors if past.record(player.key).byes == fewest]
            assert not repeat_can_be_avoided(request, resting)
        if len(request.competitors) % 2:
            assert past.record(draft.pairs[-1].first).byes == fewest
        assert draft.proven
