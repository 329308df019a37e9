"""Playing a study in processes beside the program, and keeping what they have played in a folder: so it can be stopped,
taken up again, and asked about from any process of the service."""

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from tournament.basics.program import PROGRAM_FOLDER
from tournament.laboratory.playing import PlayedEvent
from tournament.laboratory.values import Study
from tournament.laboratory.worker import BATCH_EVENTS, count_batches

WORKER = "tournament.laboratory.worker"
WORKER_ENVIRONMENT = {
    "OPENBLAS_NUM_THREADS": "1",  # each thread of it reserves memory, and none is used
    # glibc hands large arrays back to the system at once, and to ask for them anew takes longer than to fill them.
    "MALLOC_TRIM_THRESHOLD_": str(1 << 26),
    "MALLOC_MMAP_THRESHOLD_": str(1 << 25),
}
MOST_WORKERS = 2
BELOW_NORMAL_ON_WINDOWS, NICENESS = 0x4000, 19  # the low priority of its processes, there and elsewhere
MOST_RUNS_KEPT = 30
WHOLE_LINE_END = b"]]]]]\n"
"""How a line that was not cut off ends, and no other: list in list, rounds in figures in events in batches in lines."""
# One study of one club, an hour long, kept all others of a service out.
SLICE_SECONDS = 30.0  # that a study is played before one of another club has its turn
POLL_SECONDS = 0.5
QUIET_SECONDS = 60.0  # after which a run that has told nothing new is not running any more

PlayedBatch = list[list[list[Any]]]  # of each event, by each plan, the figures


class WorkerGone(Exception):
    """A process of the laboratory has ended before its work."""


def count_workers() -> int:
    """How many processes play side by side."""
    return max(1, min(MOST_WORKERS, os.cpu_count() or 1))


def play_batches(study: Study, batches: Iterable[int], keep: Callable[[int, PlayedBatch], bool]) -> None:
    """Play these batches, each handed to `keep` when it is done, until `keep` says that it is enough (False). Raises
    `WorkerGone`."""
    waiting, lock = iter(batches), threading.Lock()
    stopped = threading.Event()

    # One thread waits for each worker. The lock is for both ends: two must not ask one iterator at once,
    # and `keep` appends to a file in which two lines must not run into each other.
    def take() -> int | None:
        with lock:
            return None if stopped.is_set() else next(waiting, None)

    def work() -> None:
        with start_worker() as process:
            try:
                _tell(process, json.dumps(study.stored()))
                while (number := take()) is not None:
                    answer = json.loads(_ask(process, number))
                    with lock:
                        if not keep(*answer):
                            stopped.set()
            # Without it the other thread would play all that is left before anybody hears of the fault.
            except BaseException:
                stopped.set()
                raise
            finally:
                # Not waited for: it may be in the middle of a batch that nobody wants any more.
                process.kill()

    with ThreadPoolExecutor(count_workers()) as pool:
        for batch in [pool.submit(work) for _ in range(count_workers())]:
            batch.result()


def start_worker() -> subprocess.Popen[str]:
    """A process that waits for a study, and for the numbers of its batches."""
    # A process, not a thread: to draw a round holds Python's lock, and the hall would wait. A queue outside the program
    # would be one more thing for a laptop to run.
    process = subprocess.Popen(  # noqa: S603  # our own module
        [sys.executable, "-m", WORKER],
        cwd=PROGRAM_FOLDER,
        env={**os.environ, **WORKER_ENVIRONMENT},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        # Said, as Windows would write the pipe in the code page of the system.
        encoding="utf-8",
        creationflags=BELOW_NORMAL_ON_WINDOWS if sys.platform == "win32" else 0,
    )
    # As long as the processes stood back only after they had loaded their modules, the slowest pages of a running
    # server took 52 to 70 ms beside a study instead of 26.
    if sys.platform != "win32":
        os.setpriority(os.PRIO_PROCESS, process.pid, NICENESS)  # at once: to load its modules takes a while as well
    return process


def _tell(process: subprocess.Popen[str], line: str) -> None:
    assert process.stdin is not None
    try:
        process.stdin.write(line + "\n")
        process.stdin.flush()
    except OSError as gone:
        raise WorkerGone from gone


def _ask(process: subprocess.Popen[str], batch: int) -> str:
    """The line that answers for a batch."""
    _tell(process, str(batch))
    assert process.stdout is not None
    if line := process.stdout.readline():
        return line
    raise WorkerGone


def read_event(stored: list[Any]) -> PlayedEvent:
    """One event of one plan, as a worker has written it."""
    *figures, led, is_open = stored
    values: list[Any] = [*figures, tuple(led), tuple(is_open)]
    return PlayedEvent(*values)


def read_batch(played: PlayedBatch) -> list[list[PlayedEvent]]:
    """The events of a batch, each by every plan."""
    return [[read_event(stored) for stored in event] for event in played]


@dataclass(frozen=True, slots=True)
class StudyRun:
    """A study that is played, or was, and where that is kept: a line for each batch."""

    folder: Path
    name: str
    study: Study

    @property
    def path(self) -> Path:
        """The file of what has been played."""
        return self.folder / f"{self.name}.jsonl"

    @property
    def mark(self) -> Path:
        """The file that is there while the study is played or waits for its turn, touched all the time; whoever removes
        it stops it. It holds whose study it is, and since when it waits."""
        return self.folder / f"{self.name}.running"

    @property
    def is_running(self) -> bool:
        """Whether somebody plays it now, or will when its turn comes."""
        return is_fresh(self.mark)

    def read_batches(self) -> dict[int, PlayedBatch]:
        """What has been played, by the number of the batch. The last line may be cut off: somebody is writing it."""
        batches: dict[int, PlayedBatch] = {}
        if self.path.exists():
            for line in self.path.read_text(encoding="utf-8").splitlines():
                # A batch whose line was cut off is not among those known, and is played again.
                with suppress(ValueError):
                    number, played = json.loads(line)
                    batches[number] = played
        return batches

    def read_events(self) -> list[list[PlayedEvent]]:
        """The events played so far in their order, each by every plan."""
        return [event for _number, played in sorted(self.read_batches().items()) for event in read_batch(played)]

    def count_events(self) -> int:
        """How many events have been played."""
        # By the ends of lines: every look of a page that waits asks this, and to parse a long run takes longer.
        batches = self.path.read_bytes().count(WHOLE_LINE_END) if self.path.exists() else 0
        return min(batches * BATCH_EVENTS, self.study.events)

    def start(self, club: int = 0) -> bool:
        """Begin to play in the background what is still to be played, by turns with the studies of other clubs; False
        if another one of this club is not done."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(place.club == club for place in list_places(self.folder)):
            return False
        # The oldest runs go, and the marks of those that were killed.
        for mark in self.folder.glob("*.running"):
            if not is_fresh(mark):
                mark.unlink(missing_ok=True)
        runs = sorted(self.folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime, reverse=True)
        # One less than are kept: there is room for the run that begins.
        for path in runs[MOST_RUNS_KEPT - 1 :]:
            if path != self.path and not is_fresh(path.with_suffix(".running")):
                path.unlink(missing_ok=True)
        # The mark before the thread: it stops as soon as it finds none.
        self.mark.write_text(LinePlace(time.time(), self.name, club).stored(), encoding="utf-8")
        threading.Thread(target=self._play, args=(club,), name="laboratory", daemon=True).start()
        return True

    def stop(self) -> None:
        """Have whoever plays it stop after the batch in hand."""
        self.mark.unlink(missing_ok=True)

    def count_others(self) -> int:
        """How many studies of other clubs it takes turns with."""
        return sum(place.name != self.name for place in list_places(self.folder))

    def _play(self, club: int) -> None:
        try:
            while self._touch():
                places = list_places(self.folder)
                if places and places[0].name != self.name:
                    time.sleep(POLL_SECONDS)
                elif not self._play_slice():
                    return
                # The others go first now. Opened, not made anew: a mark that is gone by now says that this one is to
                # stop, and stays away.
                else:
                    with suppress(FileNotFoundError), self.mark.open("r+", encoding="utf-8") as file:
                        file.write(LinePlace(time.time(), self.name, club).stored())
        finally:
            # Whatever has ended it: a mark that is left behind counts as a study that is played until it is a minute
            # old.
            self.stop()

    def _touch(self) -> bool:
        """Show that somebody still plays it, or waits; False if it is to stop."""
        with suppress(FileNotFoundError):
            os.utime(self.mark)
            return True
        return False

    def _play_slice(self) -> bool:
        """Play on until somebody else's turn comes, or to the end; whether something is left."""
        batches, until = self.read_batches(), time.monotonic() + SLICE_SECONDS
        open_numbers = [number for number in range(count_batches(self.study)) if number not in batches]
        # What a crash has cut off must not spoil the first line that is added.
        with self.path.open("a", encoding="utf-8") as file:
            file.write("\n")

            def keep(number: int, played: PlayedBatch) -> bool:
                file.write(json.dumps([number, played], separators=(",", ":")) + "\n")
                # Written through: pages that wait count the lines in the file.
                file.flush()
                return self._touch() and (time.monotonic() < until or not self.count_others())

            try:
                play_batches(self.study, open_numbers, keep)
            except WorkerGone:
                return False
        return self.count_events() < self.study.events


class LinePlace(NamedTuple):
    """The place of a study in the line: who has waited longest is played."""

    since: float
    name: str
    club: int

    def stored(self) -> str:
        """As a mark holds it: always as long, since it is written over."""
        return f"{self.since:020.6f} {self.club:020d}"


def list_places(folder: Path) -> list[LinePlace]:
    """The studies of a folder that are played or wait, in the order of their turns."""
    places: list[LinePlace] = []
    for mark in folder.glob("*.running"):
        with suppress(FileNotFoundError, ValueError):
            since, club = mark.read_text(encoding="utf-8").split()
            if is_fresh(mark):
                places.append(LinePlace(float(since), mark.stem, int(club)))
    return sorted(places)


def is_fresh(mark: Path) -> bool:
    """Whether a mark was touched lately."""
    try:
        return time.time() - mark.stat().st_mtime < QUIET_SECONDS
    except FileNotFoundError:
        return False


def play_study(study: Study, tell: Callable[[int], None]) -> list[list[PlayedEvent]]:
    """All events of a study, for somebody who waits; `tell` is told how many are done. Raises `WorkerGone`."""
    batches: dict[int, PlayedBatch] = {}

    def keep(number: int, played: PlayedBatch) -> bool:
        batches[number] = played
        tell(min(len(batches) * BATCH_EVENTS, study.events))
        return True

    play_batches(study, range(count_batches(study)), keep)
    return [event for _number, played in sorted(batches.items()) for event in read_batch(played)]
