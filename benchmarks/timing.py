"""How things are measured: medians of repeated calls on one process, in milliseconds."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import TypeVar

Made = TypeVar("Made")


def median_ms(
    work: Callable[[], object],
    *,
    repeat: int,
    before: Callable[[], object] | None = None,
    clock: Callable[[], float] = time.perf_counter,
) -> float:
    """The median time of `repeat` calls after one to warm up; `before` runs unmeasured ahead of each. With
    `time.process_time` as its `clock` it is the processor's, which other work on the machine does not lengthen."""
    times = []
    for count in range(repeat + 1):
        if before is not None:
            before()
        started = clock()
        work()
        if count:
            times.append((clock() - started) * 1000)
    return round(statistics.median(times), 3)


def seconds(work: Callable[[], Made]) -> tuple[float, Made]:
    """How long one call takes, and what it gives."""
    started = time.perf_counter()
    made = work()
    return time.perf_counter() - started, made
