"""How things are measured: medians of repeated calls on one process, in milliseconds."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import TypeVar

Made = TypeVar("Made")


def median_ms(work: Callable[[], object], *, repeat: int, before: Callable[[], object] | None = None) -> float:
    """The median time of `repeat` calls after one to warm up; `before` runs unmeasured ahead of each."""
    times = []
    for count in range(repeat + 1):
        if before is not None:
            before()
        started = time.perf_counter()
        work()
        if count:
            times.append((time.perf_counter() - started) * 1000)
    return round(statistics.median(times), 3)


def seconds(work: Callable[[], Made]) -> tuple[float, Made]:
    """How long one call takes, and what it gives."""
    started = time.perf_counter()
    made = work()
    return time.perf_counter() - started, made
