"""How long the laboratory takes for a plan, how much memory, what its plans bring, and how quick pages stay beside it:
`python -m benchmarks.laboratory [events]`.

`seconds` are those on the clock, `cpu` those of the processes (a loaded machine makes the first longer); memory is the
most that one of the processes takes, in megabytes, and that of all of them together is at most `workers` times as much.
`page_ms`: median and 95th percentile of a public table of 100 players, alone and beside a study that is being played.
"""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import threading
import time
from functools import partial
from typing import Any

from benchmarks import requests
from benchmarks.timing import seconds
from tournament.laboratory.figures import count_study
from tournament.laboratory.running import PlayedBatch, count_workers, play_batches, play_study
from tournament.laboratory.values import Study, StudyPlan
from tournament.pairing.values import Method

SIZES = ((24, 13), (100, 13))
EVENTS = 1000
PAGES = 200


def list_plans(rounds: int) -> list[StudyPlan]:
    """The plans that are compared: by their length, and by their method."""

    def part(first: int, last: int, method: Method, **more: bool) -> dict[str, object]:
        return {"rounds": [first, last], "method": method.value, **more}

    return [
        StudyPlan("Swiss", (part(1, rounds, Method.SWISS),)),
        StudyPlan("Swiss, two rounds fewer", (part(1, rounds - 2, Method.SWISS),)),
        StudyPlan(
            "Swiss, last two rounds contention",
            (part(1, rounds - 2, Method.SWISS), part(rounds - 1, rounds, Method.CONTENTION)),
        ),
        StudyPlan("King of the hill throughout", (part(1, rounds, Method.KING_OF_THE_HILL),)),
        StudyPlan(
            "Swiss, last round king of the hill with repeats",
            (part(1, rounds - 1, Method.SWISS), part(rounds, rounds, Method.KING_OF_THE_HILL, repeats=True)),
        ),
    ]


def measure(events: int = EVENTS) -> dict[str, object]:
    """Seconds a plan and its figures, for each size of field."""
    found: dict[str, object] = {"workers": count_workers()}
    for players, rounds in SIZES:
        for plan in list_plans(rounds):
            study = Study((plan,), players, events)
            before = child_seconds()
            took, played = seconds(partial(play_study, study, lambda _done: None))
            counted = count_study(study, played)
            figures = {name: estimate.stored() for name, estimate in counted.plans[0].figures.items()}
            found[f"{players}×{rounds} {plan.name}"] = {
                "seconds": round(took, 1),
                "cpu": round(child_seconds() - before, 1),
                **figures,
            }
    return found | {"memory_mb": highest_child_mb(), "page_ms": measure_pages()}


def measure_pages() -> dict[str, dict[str, float]]:
    """A page alone, and while the laboratory plays."""
    with tempfile.TemporaryDirectory() as folder:
        requests.set_up(folder)
        from django.test import Client

        requests.event("lab", 100, 6)
        client, done = Client(), threading.Event()
        alone = _time_pages(client)

        def keep(_number: int, _played: PlayedBatch) -> bool:
            return not done.is_set()

        study = Study((list_plans(13)[0],), 24, 100_000)
        playing = threading.Thread(target=play_batches, args=(study, range(25_000), keep))
        playing.start()
        beside = _time_pages(client)
        done.set()
        playing.join()
    return {"alone": alone, "beside": beside}


def _time_pages(client: Any) -> dict[str, float]:
    times = []
    for _ in range(PAGES):
        started = time.perf_counter()
        answer = client.get("/t/lab/table/")
        times.append(1000 * (time.perf_counter() - started))
        if answer.status_code != 200:
            raise RuntimeError(answer.status_code)
    return {"median": round(statistics.median(times), 1), "p95": round(statistics.quantiles(times, n=20)[-1], 1)}


def child_seconds() -> float:
    """What processes that have ended have taken of the processors."""
    if sys.platform == "win32":
        return 0.0
    import resource  # not on Windows

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def highest_child_mb() -> float | None:
    """The most memory that a process of the laboratory has taken; None where the system does not say."""
    if sys.platform == "win32":
        return None
    import resource  # not on Windows

    unit = 1024 if sys.platform == "linux" else 1024**2
    return round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / unit, 1)


if __name__ == "__main__":
    json.dump(measure(*map(int, sys.argv[1:])), sys.stdout, indent=1, ensure_ascii=False)
