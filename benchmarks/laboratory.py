"""How long the laboratory takes for a plan, how much memory, and what its plans bring:
`python -m benchmarks.laboratory [events]`.

Seconds are those of this machine with nothing else to do; memory is the most that one of the processes takes, in
megabytes, and that of all of them together is at most `workers` times as much.
"""

from __future__ import annotations

import json
import sys
from functools import partial

from benchmarks.timing import seconds
from tournament.laboratory.figures import count_study
from tournament.laboratory.running import count_workers, play_study
from tournament.laboratory.values import Study, StudyPlan
from tournament.pairing.values import Method

SIZES = ((24, 13), (100, 13))
EVENTS = 1000


def list_plans(rounds: int) -> list[StudyPlan]:
    """The plans that are compared: by their length, and by their method."""

    def part(first: int, last: int, method: Method, **more: bool) -> dict[str, object]:
        return {"rounds": [first, last], "method": method.value, **more}

    return [
        StudyPlan("Swiss", (part(1, rounds, Method.SWISS),)),
        StudyPlan("Swiss, two rounds fewer", (part(1, rounds - 2, Method.SWISS),)),
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
            took, played = seconds(partial(play_study, study, lambda _done: None))
            counted = count_study(study, played)
            figures = {name: estimate.stored() for name, estimate in counted.plans[0].figures.items()}
            found[f"{players}×{rounds} {plan.name}"] = {"seconds": round(took, 1), **figures}
    return found | {"memory_mb": highest_child_mb()}


def highest_child_mb() -> float | None:
    """The most memory that a process of the laboratory has taken; None where the system does not say."""
    if sys.platform == "win32":
        return None
    import resource  # not on Windows

    unit = 1024 if sys.platform == "linux" else 1024**2
    return round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / unit, 1)


if __name__ == "__main__":
    json.dump(measure(*map(int, sys.argv[1:])), sys.stdout, indent=1, ensure_ascii=False)
