"""People at work on a hosted service: they type results, again and again, and remember what was acknowledged."""

import http.client
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.hosting.browser import Answer, Browser

Score = tuple[int, int]
OK = frozenset({200, 302, 303})


SAVED = "after="
"""Stands in the address to which a saved result leads: the grid, behind the table."""


@dataclass(slots=True)
class Helper:
    """Somebody who corrects the result of one table, again and again."""

    browser: Browser
    page: str
    table: int
    typed: int = 0
    acknowledged: Score | None = None
    maybe: set[Score] = field(default_factory=set)
    """Sent since the last one that was acknowledged: they may have come or not."""

    def save(self) -> Answer:
        """Load the table's page, type another result, say yes to what it changes: three requests."""
        self.typed += 1
        score = (300 + self.typed % 200, 200 + self.table)
        typed = {"first_points": str(score[0]), "second_points": str(score[1]), "outcome": "played"}
        answer = self.browser.ask(self.page)
        self.maybe.add(score)
        for _question in range(2):
            if answer.status == 200:
                answer = self.browser.ask(self.page, answer.fields | typed)
        if answer.status == 302 and SAVED in answer.headers["Location"]:  # a refusal leads back, too, but elsewhere
            self.acknowledged, self.maybe = score, set()
        return answer

    def fits(self, official: Score | None) -> bool:
        """Whether this may be the table's official result, after all that was answered."""
        return official == self.acknowledged or official in self.maybe


@dataclass(slots=True)
class Seen:
    """What came back of many requests."""

    answers: list[Answer] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    def ask(self, act: Callable[[], Answer]) -> None:
        """Note an answer, or that there was none."""
        try:
            self.answers.append(act())
        except (OSError, http.client.HTTPException) as fault:
            self.broken.append(repr(fault))

    @property
    def failed(self) -> list[Any]:
        """What was not answered as it should be."""
        return self.broken + [answer.status for answer in self.answers if answer.status not in OK]


def side_by_side(*acts: Callable[[], object]) -> None:
    """Do all of this at the same time, and wait for its end; what one raises is raised."""
    faults: list[BaseException] = []

    def run(act: Callable[[], object]) -> None:
        try:
            act()
        except BaseException as fault:  # noqa: BLE001  # raised below
            faults.append(fault)

    threads = [threading.Thread(target=run, args=[act]) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]


@contextmanager
def under_load(*acts: Callable[[], Answer]) -> Iterator[Seen]:
    """Each of these is asked over and over, side by side, as long as this lasts."""
    stop, seen = threading.Event(), Seen()

    def work(act: Callable[[], Answer]) -> None:
        while not stop.is_set():
            seen.ask(act)
            stop.wait(0.05)

    threads = [threading.Thread(target=work, args=[act]) for act in acts]
    for thread in threads:
        thread.start()
    try:
        yield seen
    finally:
        stop.set()
        for thread in threads:
            thread.join()
