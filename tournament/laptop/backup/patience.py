"""What is asked of the second place, in a thread of its own: a stick that has become slow, or a share that does not
answer any more, keeps neither the backups here waiting nor a page.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TypeVar

from django.utils.translation import gettext_lazy as _

from tournament.refusals import Refusal

SECONDS = 15.0
"""For which an answer is waited for."""

Answer = TypeVar("Answer")
_late: dict[Path, threading.Thread] = {}
"""What has not answered in time, by its folder."""


class PlaceSlow(Refusal):
    code = "place_slow"
    message = _(
        "The second place %(folder)s is slow, or does not answer: the newest backup may not be there yet. The program "
        "keeps trying; backups on this machine are made all the same."
    )


def patiently(folder: Path, ask: Callable[[], Answer], *, seconds: float | None) -> Answer:
    """What `ask` gives or raises, which asks something of this folder; None seconds: however long it takes.

    Raises `PlaceSlow` if it takes longer, and at once while what was asked before has no answer yet. What is late goes
    on, also when the program ends.
    """
    late = _late.get(folder)
    if late is not None and late.is_alive():
        raise PlaceSlow(folder=folder)
    future: Future[Answer] = Future()
    thread = threading.Thread(target=_answer, args=(future, ask), name="second place")
    thread.start()
    try:
        return future.result(seconds)
    except TimeoutError as fault:
        if future.done():  # a share says so, too
            raise
        _late[folder] = thread
        raise PlaceSlow(folder=folder) from fault


def _answer(future: Future[Answer], ask: Callable[[], Answer]) -> None:
    try:
        future.set_result(ask())
    except BaseException as fault:  # noqa: BLE001  # whoever waits is told
        future.set_exception(fault)
