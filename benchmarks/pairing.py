"""How fast rounds are drawn, how much memory that takes, and whether it is the cheapest pairing there is."""

from __future__ import annotations

import math
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

from benchmarks import fields
from benchmarks.timing import median_ms
from tournament.pairing.contention import count_endings
from tournament.pairing.costs import build_bye_edges, build_method_field, build_player_edges, join_edges, pack_costs
from tournament.pairing.drafting import draw_pairs, draw_round
from tournament.pairing.field import PairingField, build_pairing_history
from tournament.pairing.matching import find_cheapest_pairing, match_complete_graph
from tournament.pairing.values import (
    ByePolicy,
    ChosenPair,
    Contender,
    DrawRequest,
    Method,
    PrizeContest,
    ScheduledRounds,
)
from tournament.pairing.why_not import compare_pairings

SIZES = (20, 50, 100, 300, 1000, 3000)
ROUNDS = (0, 3, 7, 15)
COMPARED = {20: 100, 51: 100, 100: 100, 151: 60, 300: 30, 600: 2}  # fields of each size against the complete graph
SEEDS = 5
ROOT = Path(__file__).resolve().parent.parent


def measure() -> dict[str, object]:
    """Everything about pairing that is worth a figure."""
    return {
        "swiss_round_8_ms": {str(n): swiss_round_8(n, draw_round) for n in (100, 300, 1000, 3000)},
        "swiss_round_8_without_reasons_ms": {str(n): swiss_round_8(n, draw_pairs) for n in (24, 100, 300)},
        "contention_ms": {str(n): contention(n) for n in (24, 100)},
        "methods_ms": methods(),
        "memory_mb": {str(n): memory(n) for n in (1000, 3000)},
        "networkx_at_300": against_networkx(),
        "against_complete_graph": against_complete(),
        "starts_within_one": starts_within_one(),
        "why_not_ms": {str(n): why_not(n) for n in (20, 100, 300)},
    }


def why_not(players: int) -> float:
    """Why the first and the last of the table do not meet: the round paired again with that pair held, and compared."""
    asked = request(players, 7, 1)
    stored = [ChosenPair(pair.first, pair.second, None) for pair in draw_round(asked).pairs]
    one, other = asked.competitors[0].key, asked.competitors[-1].key
    return median_ms(partial(compare_pairings, asked, stored, one, other), repeat=3)


def request(players: int, rounds: int, seed: int, method: Method = Method.SWISS, **more: object) -> DrawRequest:
    """The request for the next round of a generated field."""
    made = fields.played(players, rounds, seed)
    segment = ScheduledRounds(rounds + 1, rounds + 3, seed) if method is Method.GROUPS else None
    return DrawRequest(
        made.competitors,
        made.meetings,
        rounds + 1,
        rounds + 1,
        method,
        seed,
        segment=segment,
        **more,  # type: ignore[arg-type]  # named by the caller
    )


def swiss_round_8(players: int, draw: Callable[[DrawRequest], object]) -> dict[str, float]:
    """Round 8 without repeats, from the players' records in memory to the draft, or to pairs: medians over fields."""
    times = []
    for seed in range(SEEDS):
        asked = request(players, 7, seed)
        times.append(median_ms(partial(draw, asked), repeat=5 if players < 3000 else 2))
    return {"median": round(statistics.median(times), 3), "slowest": max(times)}


def contention(players: int) -> float:
    """The round before the last of 13, paired for three prizes, with its simulated endings and reasons."""
    times = []
    for seed in range(SEEDS):
        asked = request(players, 11, seed, Method.CONTENTION)
        table = tuple(Contender(one.key, one.half_wins, 0) for one in asked.competitors)
        asked = replace(asked, rounds=13, contest=PrizeContest(table, 3, (None, None)))
        times.append(median_ms(partial(draw_round, asked), repeat=3, before=count_endings.cache_clear))
    return round(statistics.median(times), 1)


def methods() -> dict[str, dict[str, float]]:
    """Each method for each size of field, after each number of rounds: `{method: {"players/rounds": ms}}`."""
    found: dict[str, dict[str, float]] = {}
    for method, players, rounds in product(Method, SIZES, ROUNDS):
        if rounds < players - 3:
            asked = request(players, rounds, 1, method)
            took = median_ms(partial(draw_round, asked), repeat=3 if players < 3000 else 1)
            found.setdefault(str(method), {})[f"{players}/{rounds}"] = took
    return found


def memory(players: int) -> dict[str, float]:
    """The most megabytes that a process of its own takes: before the draw, and with it."""
    script = f"from benchmarks import pairing; pairing.report_memory({players})"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    before, highest = (float(word) for word in done.stdout.split())
    return {"before": before, "highest": highest}


def report_memory(players: int) -> None:
    """Draw round 8 and print the process's highest memory before and after."""
    asked = request(players, 7, 1)
    before = highest_mb()
    draw_round(asked)
    print(before, highest_mb())


def highest_mb() -> float:
    """The most memory this process has taken so far. Linux counts from its start, others include its parent's."""
    status = Path("/proc/self/status")
    if status.exists():
        kilobytes = re.search(r"VmHWM:\s+(\d+)", status.read_text())
        return round(int(kilobytes[1]) / 1024, 1) if kilobytes else math.nan
    import resource  # not on Windows

    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20), 1)


def built(asked: DrawRequest) -> PairingField:
    """The request's players as the matching core receives them."""
    players = asked.competitors
    return build_method_field(players, len(players) % 2, build_pairing_history(asked.meetings), asked)


def against_networkx(players: int = 300) -> dict[str, float | bool]:
    """Ours from the records to the flags against networkx's solver alone on the complete graph, in the same run."""
    import networkx as nx

    asked = request(players, 7, 2)
    ours = median_ms(lambda: draw_round(asked), repeat=5)
    graph = nx.Graph()
    graph.add_weighted_edges_from(complete_graph(built(asked), asked))
    started = time.perf_counter()
    matched = nx.max_weight_matching(graph, maxcardinality=True)
    theirs = (time.perf_counter() - started) * 1000
    pairs = {(min(pair), max(pair)) for pair in matched}
    same = pairs == set(find_cheapest_pairing(built(asked), asked).pairs)
    return {"ours_ms": ours, "networkx_ms": round(theirs), "ratio": round(theirs / ours), "same_pairing": same}


def complete_graph(players: PairingField, asked: DrawRequest) -> list[tuple[int, int, int]]:
    """All edges with the packed cost turned into a weight."""
    import numpy as np

    upper, lower = np.triu_indices(players.n, 1)
    edges = join_edges(build_player_edges(players, asked, upper, lower), build_bye_edges(players, asked))
    weights = pack_costs(edges, players.n + players.byes)
    most = max(weights)
    return [
        (one, other, most - weight)
        for one, other, weight in zip(edges.one.tolist(), edges.other.tolist(), weights, strict=True)
    ]


def against_complete() -> dict[str, int]:
    """On hundreds of fields: how many pairings cost more than the complete graph's optimum, or differ from it."""
    found = {"fields": 0, "dearer": 0, "different": 0, "not_proven": 0}
    for asked in _varied():
        players = built(asked)
        ours, best = find_cheapest_pairing(players, asked), match_complete_graph(players, asked)
        found["fields"] += 1
        found["dearer"] += ours.cost > best.cost
        found["different"] += ours.pairs != best.pairs
        found["not_proven"] += not ours.proven
    return found


def _varied() -> Iterator[DrawRequest]:
    methods = (Method.SWISS, Method.SWISS, Method.KING_OF_THE_HILL, Method.SWISS, Method.FACTOR, Method.RANDOM)
    for players, count in COMPARED.items():
        for seed in range(count):
            yield request(
                players,
                (1, 3, 5, 7, 9, 12, 15, 2)[seed % 8],
                seed,
                methods[seed % len(methods)],
                clubs_apart=seed % 2 == 1,
                bye_policy=(ByePolicy.LOWEST, ByePolicy.GERMAN)[seed % 2],
                factor=3,
            )


def starts_within_one() -> dict[str, float]:
    """The share of players whose starts and replies differ by at most one, after rounds of an event of 24 players."""
    events = [fields.simulated(24, 13, seed) for seed in range(20)]
    return {
        str(rounds): round(statistics.mean(abs(balance) <= 1 for event in events for balance in event[rounds]), 3)
        for rounds in range(2, 14)
    }
