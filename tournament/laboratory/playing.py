"""One event of the laboratory: a field, and each plan played on the same luck, so that what differs is the plan. Chance
depends on the seed, the event, the round and the pair alone, never on what was played before. Needs no Django."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import combinations

import numpy as np
import numpy.typing as npt

from scoring.simulation import compute_normal_scores, draw_lots, estimate_strengths, open_stream
from tournament.laboratory.values import PlannedRound, Study
from tournament.pairing.drafting import draw_pairs
from tournament.pairing.values import (
    Competitor,
    Contender,
    DrawRequest,
    LaterRound,
    Meeting,
    Method,
    PrizeContest,
    ScheduledRounds,
)

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

BYE_SPREAD = 50
MOST_A_ROUND, MOST_IN_LAST_ROUND = 250, 200
"""The margins that one round is taken to bring, where the question is who can still catch the leader."""
CONTEST_RUNS = 4_000  # simulated endings for a round of contention; a real one takes more where it is close
CHASE = 3  # rounds before the end from which a player one win behind wins all
TOP = 10


@dataclass(frozen=True, slots=True)
class PlayedEvent:
    """One event as one plan made it. Whole numbers count, and stand for yes (1) and no (0)."""

    best_wins: int  # the strongest player ends first
    rank_of_winner: int  # among the strengths
    tau: float  # how far the final ranking agrees with the strengths: 1 fully, 0 not at all
    tau_top10: float  # the same of the first ten of the final ranking
    repeats: int  # games of two who had met before
    open_before_last: int  # before the last round somebody else could still catch the leader
    title_changes_in_last: int  # the last round brings another leader
    shut_out: int  # somebody one win behind, three rounds before the end, wins all three and is not first
    duels: int  # games of the last round between two who could both still be first
    starts_off: float  # the share of players with two starts more than replies, or two fewer, or further off
    led: tuple[int, ...] = ()  # after each round, whether the strongest player leads
    open: tuple[int, ...] = ()  # after each round but the last, whether somebody else can still catch the leader


FIGURES = tuple(field.name for field in fields(PlayedEvent))[:-2]
SHARES = ("best_wins", "open_before_last", "title_changes_in_last", "shut_out", "starts_off")
"""Those of the figures that are shares."""


class EventLuck:
    """The chance of one event, the same for every plan: the players' strengths, lots, and how games go."""

    def __init__(self, study: Study, event: int) -> None:
        n = study.players
        # A stream for each purpose. From a single one a study with a longer plan, which draws more seeds, would play
        # other games, and two studies of the same seed could not be laid side by side.
        field, drawn, games = (open_stream(study.seed, event, purpose) for purpose in range(3))
        scores = compute_normal_scores()[draw_lots(field, (2, n))]
        if study.ratings:
            # What a rating leaves open of a strength, where the two differ by `seeding_noise`.
            spread = float(np.hypot(study.strength_sd, study.seeding_noise)) or 1.0
            missed = study.strength_sd * study.seeding_noise / spread
            self.strengths = np.array(estimate_strengths(study.ratings)) + scores[0] * missed
            seen = np.array([rating or 0 for rating in study.ratings])
        else:
            self.strengths = scores[0] * study.strength_sd
            seen = self.strengths + scores[1] * study.seeding_noise
        # Sorted twice: once gives the players by place, twice the place of each. Stable, so that equal ratings stay in
        # the order of entry on every machine.
        self.seeding = np.argsort(np.argsort(-seen, kind="stable"))
        self.ties = np.argsort(field.random_raw(n))
        self.true_ranks = np.argsort(np.argsort(-self.strengths, kind="stable")) + 1
        self.seeds = [int(lot) >> 1 for lot in drawn.random_raw(study.rounds)]
        # One for each pair in each round, whether it meets or not: whom a plan pairs takes nothing from the luck of
        # others.
        self.lots = draw_lots(games, (study.rounds, n, n))
        self.game_sd, self.start = study.game_sd, study.start

    def play(self, number: int, first: int, second: int) -> int:
        """By how many points the starter wins in round `number`; the pair's luck is the same whoever starts."""
        # One lot for the pair, seen from the player with the lower number. Taken as the starter's, a plan that only
        # turns starts round would have other luck in every game.
        low, high = (first, second) if first < second else (second, first)
        luck = float(compute_normal_scores()[self.lots[number - 1, low, high]]) * self.game_sd
        gap = float(self.strengths[first] - self.strengths[second]) + self.start
        return round(gap + (luck if first == low else -luck))


class EventRun:
    """One plan's course through an event."""

    def __init__(self, study: Study, luck: EventLuck, rounds: Sequence[PlannedRound]) -> None:
        self.study, self.luck, self.rounds = study, luck, rounds
        self.n = study.players
        self.half_wins = np.zeros(self.n, np.int64)
        self.spread = np.zeros(self.n, np.int64)
        self.starts = np.zeros(self.n, np.int64)
        self.meetings: list[Meeting] = []
        self.tables: list[Ints] = [np.argsort(luck.seeding)]  # after each round, the players from the first place down
        # Copies: the figures go on counting, and the tables of earlier rounds are asked for until the end.
        self.scores: list[tuple[Ints, Ints]] = [(self.half_wins.copy(), self.spread.copy())]
        self.duels = 0

    def play_out(self) -> PlayedEvent:
        """Plays all rounds."""
        for number in range(1, len(self.rounds) + 1):
            self.play_round(number)
        return self._measure()

    def play_round(self, number: int) -> None:
        """Draws a round and plays it."""
        # By the program's own draw, without tables and reasons: what is compared is what would be played.
        pairs = draw_pairs(self.build_request(number))
        # Before anything of the round is counted: asked is who could still win when the last games began.
        if number == len(self.rounds):
            able = self._find_able(number - 1)
            self.duels = sum(second is not None and {first - 1, second - 1} <= able for first, second in pairs)
        for key, second in pairs:
            first = key - 1
            self.meetings.append(Meeting(number, key, second))
            if second is None:
                self.half_wins[first] += 2
                self.spread[first] += BYE_SPREAD
                continue
            margin = self.luck.play(number, first, second - 1)
            for player, by, start in ((first, margin, 1), (second - 1, -margin, -1)):
                self.half_wins[player] += 1 + (by > 0) - (by < 0)
                self.spread[player] += by
                self.starts[player] += start
        # The last one named is what is sorted by first.
        self.tables.append(np.lexsort((self.luck.ties, -self.spread, -self.half_wins)))
        self.scores.append((self.half_wins.copy(), self.spread.copy()))

    def build_request(self, number: int) -> DrawRequest:
        """As the program builds it for an event whose players are all there. A player's key is 1 + the index here."""
        planned = self.rounds[number - 1]
        after = max(0, number - 1 - planned.behind)
        half_wins, seeding = self.scores[after][0].tolist(), self.luck.seeding.tolist()
        competitors = tuple(
            Competitor(player + 1, rank, half_wins[player], seeding=seeding[player] + 1)
            for rank, player in enumerate(self.tables[after].tolist(), 1)
        )
        everybody = frozenset(range(1, self.n + 1))
        return DrawRequest(
            competitors,
            tuple(self.meetings),
            number,
            len(self.rounds),
            planned.method,
            self.luck.seeds[number - 1],
            repeats=planned.repeats and not planned.repeats_after,
            within=planned.repeats_after,
            factor=planned.factor,
            contest=self._build_contest(number, after) if planned.method is Method.CONTENTION else None,
            segment=ScheduledRounds(planned.first, planned.last, self.luck.seeds[planned.first - 1]),
            later=tuple(
                LaterRound(later, plan_round.method, everybody, plan_round.repeats or plan_round.repeats_after > 0)
                for later, plan_round in enumerate(self.rounds[number:], number + 1)
            ),
        )

    def _build_contest(self, number: int, after: int) -> PrizeContest:
        """What the rounds from `number` on are fought for, on the table after round `after`."""
        half_wins, spread = (figures.tolist() for figures in self.scores[after])
        return PrizeContest(
            tuple(Contender(one + 1, half_wins[one], spread[one]) for one in self.tables[after].tolist()),
            self.study.prizes,
            (None,) * (len(self.rounds) - after),
            BYE_SPREAD,
            CONTEST_RUNS,
        )

    def _find_able(self, after: int) -> set[int]:
        """Who leads after a round, and who can still catch the leader."""
        rounds_left = len(self.rounds) - after
        half_wins, spread = self.scores[after]
        leader = self.tables[after][0]
        behind, gap = half_wins[leader] - half_wins, spread[leader] - spread
        # Twice the margin: what the one wins, the leader may lose in the same round.
        within = 2 * rounds_left * (MOST_A_ROUND if rounds_left > 1 else MOST_IN_LAST_ROUND)
        return set(
            np.flatnonzero((behind < 2 * rounds_left) | ((behind == 2 * rounds_left) & (gap <= within))).tolist()
        )

    def _measure(self) -> PlayedEvent:
        rounds, final, true_ranks = len(self.rounds), self.tables[-1], self.luck.true_ranks
        order = true_ranks[final]
        is_open = [int(len(self._find_able(after)) > 1) for after in range(1, rounds)]
        met = Counter(frozenset((game.first, game.second)) for game in self.meetings if game.second is not None)
        return PlayedEvent(
            best_wins=int(order[0] == 1),
            rank_of_winner=int(order[0]),
            tau=measure_agreement(order),
            tau_top10=measure_agreement(order[:TOP]),
            repeats=sum(times - 1 for times in met.values()),
            open_before_last=is_open[-1] if is_open else 1,
            title_changes_in_last=int(rounds > 1 and self.tables[-2][0] != final[0]),
            shut_out=int(self._is_anybody_shut_out()),
            duels=self.duels,
            starts_off=float((np.abs(self.starts) > 1).mean()),
            led=tuple(int(true_ranks[table[0]] == 1) for table in self.tables[1:]),
            open=tuple(is_open),
        )

    def _is_anybody_shut_out(self) -> bool:
        """Whether somebody one win behind with three rounds to go wins all three, and is not first."""
        if len(self.rounds) <= CHASE:
            return False
        before = self.scores[-1 - CHASE][0]
        chased = before == before[self.tables[-1 - CHASE][0]] - 2
        shut_out = chased & (self.half_wins - before == 2 * CHASE)
        shut_out[self.tables[-1][0]] = False
        return bool(shut_out.any())


def measure_agreement(order: Ints) -> float:
    """Kendall's τ of a ranking, given as the true ranks from the first place down; 1 for fewer than two."""
    if len(order) < 2:
        return 1.0
    right = int(sum(one < other for one, other in combinations(order.tolist(), 2)))
    pairs = len(order) * (len(order) - 1) // 2
    return (2 * right - pairs) / pairs


def play_event(study: Study, event: int) -> list[PlayedEvent]:
    """The event of this number by each plan."""
    luck = EventLuck(study, event)
    return [EventRun(study, luck, plan.list_rounds()).play_out() for plan in study.plans]
