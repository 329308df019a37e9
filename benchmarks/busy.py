"""Results typed while a big event is read in, and while a backup is made: none is lost, none waits for long.

    python -m benchmarks.busy [--players 1000] [--rounds 20] [--seed 1]

Four people type results of one event, faster than they could, while another process does the other thing to the same
data folder. Prints how many results there were meanwhile and the longest wait; the exit status is 1 if one was lost or
refused, or had to wait longer than the program is patient.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PEOPLE, EACH = 4, 5
"""So many type, so many results each at least."""
PAUSE = 0.1
"""Seconds between two results of one person: faster than anybody types."""
Pair = tuple[int, int]


@dataclass
class Typed:
    """What was typed: the scores of each result that was saved, the longest wait for one, and what went wrong."""

    saved: list[Pair] = field(default_factory=list)
    longest: float = 0.0
    faults: list[str] = field(default_factory=list)


def main() -> None:
    """Type while the one and the other happens, and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        slug = prepared(Path(scratch), options.players, options.rounds)
        acts = (["import_tournament", f"{scratch}/big.json"], ["backup", "-o", f"{scratch}/backup.zip"])
        faults = [fault for words in acts for fault in typed_while(words, slug, random.Random(options.seed))]
    print(f"seed {options.seed}: {'; '.join(faults) or 'nothing lost'}")
    sys.exit(bool(faults))


def prepared(data: Path, players: int, rounds: int) -> str:
    """An event whose second round is being played, and the file of a big one; the address of the first."""
    from benchmarks import requests

    requests.set_up(str(data))
    (data / "big.json").write_text(json.dumps(requests.event_file("big", players, rounds, False)), encoding="utf-8")

    from django.utils import timezone

    from tournament.core.change import TERMINAL_ACTOR
    from tournament.events.demo import DemoSize, make_demo_tournament

    size = DemoSize(players=2 * PEOPLE * EACH, rounds=3, played=1)
    return make_demo_tournament(actor=TERMINAL_ACTOR, today=timezone.localdate(), size=size).slug


def typed_while(words: Sequence[str], slug: str, chance: random.Random) -> list[str]:
    """Let all type while a command runs; what went wrong."""
    from tournament.models import Pairing

    games = Pairing.objects.filter(round__division__tournament__slug=slug, round__number=2, kind=Pairing.Kind.GAME)
    shares = [list(games.order_by("table"))[person::PEOPLE] for person in range(PEOPLE)]
    began = time.monotonic()
    other = subprocess.Popen([sys.executable, "manage.py", *words], cwd=ROOT, stdout=subprocess.DEVNULL)
    found = [Typed() for _share in shares]
    seeds = [random.Random(chance.random()) for _share in shares]
    threads = [threading.Thread(target=type_on, args=(*each, other)) for each in zip(shares, found, seeds, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took, longest = time.monotonic() - began, max(typed.longest for typed in found)
    count = sum(len(typed.saved) for typed in found)
    print(f"{words[0]} ({took:.1f} s): {count} results meanwhile, the longest wait {longest:.2f} s", flush=True)
    return [*judged(slug, found, longest), *([f"{words[0]} failed"] if other.wait() else [])]


def type_on(games: Sequence[Any], typed: Typed, chance: random.Random, other: subprocess.Popen[bytes]) -> None:
    """Type one result after the other, each table in turn, until the other process has ended."""
    from django.db import connections

    from scoring.awards import Outcome
    from tournament.core.change import TERMINAL_ACTOR
    from tournament.core.reports import PlayerReport, Report
    from tournament.models import Pairing
    from tournament.results.operations import record_result

    try:
        while len(typed.saved) < EACH or other.poll() is None:
            pk = games[len(typed.saved) % len(games)].pk
            pairing = Pairing.objects.select_related("round__division__tournament").with_players().get(pk=pk)
            pair = (chance.randint(200, 999), chance.randint(200, 999))
            report = Report(Outcome.PLAYED, PlayerReport(points=pair[0]), PlayerReport(points=pair[1]))
            began = time.monotonic()
            record_result(pairing, report=report, actor=TERMINAL_ACTOR, expected_version=None)
            typed.longest = max(typed.longest, time.monotonic() - began)
            typed.saved.append(pair)
            time.sleep(PAUSE)
    except Exception as fault:  # noqa: BLE001  # whatever it is, a result was not saved
        typed.faults.append(f"{type(fault).__name__}: {fault}")
    finally:
        connections.close_all()


def judged(slug: str, found: Sequence[Typed], longest: float) -> list[str]:
    """What is not as it has to be."""
    from config.services import SQLITE_PATIENCE
    from tournament.archive.replaying import find_journal_differences
    from tournament.models import Result, Tournament

    stored = set(Result.objects.values_list("first_points", "second_points"))
    lost = [pair for typed in found for pair in typed.saved if pair not in stored]
    faults = [f"lost: {lost}"] if lost else []
    faults += [fault for typed in found for fault in typed.faults]
    if longest > SQLITE_PATIENCE:
        faults.append(f"a result waited {longest:.1f} s")
    return faults + find_journal_differences(Tournament.objects.get(slug=slug))


if __name__ == "__main__":
    main()
