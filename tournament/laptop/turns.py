"""Whose request is answered next: everybody in turn, so that one who asks without end only waits for themselves."""

import threading
from collections import OrderedDict, deque
from typing import Any

from waitress.task import ThreadedTaskDispatcher

from tournament.laptop import signed_in

AT_ONCE = 2
"""Requests of one address, or of one who has signed in, that are answered at the same time."""


def lane(channel: Any) -> str:
    """Who a connection's next request is from: one who has signed in, wherever they are, or an address."""
    key = signed_in.session_in(channel.requests[0].headers) if channel.requests else ""
    return f"session {key}" if signed_in.was_seen(key) else f"address {channel.address}"


class Turn:
    """One request's turn; whoever has it frees its lane afterwards."""

    def __init__(self, channel: Any, lane: str, queue: "FairQueue") -> None:
        self.channel, self.lane, self.queue = channel, lane, queue

    def service(self) -> None:
        try:
            self.channel.service()
        finally:
            self.queue.done(self.lane)

    def cancel(self) -> None:
        self.channel.cancel()


class FairQueue:
    """Connections that wait to be answered, by lanes that take turns. Its users hold the dispatcher's lock.

    Its length is the number of those who may be answered now; a lane that has `AT_ONCE` running waits.
    """

    def __init__(self, lock: threading.Lock) -> None:
        self.lock = lock
        self.lanes: OrderedDict[str, deque[Any]] = OrderedDict()
        self.running: dict[str, int] = {}

    def append(self, channel: Any) -> None:
        self.lanes.setdefault(lane(channel), deque()).append(channel)

    def __len__(self) -> int:
        return sum(min(len(waiting), self._room(name)) for name, waiting in self.lanes.items())

    def __bool__(self) -> bool:
        return any(self._room(name) for name in self.lanes)

    def popleft(self) -> Turn:
        """The next in turn; its lane goes to the end."""
        name = next(name for name in self.lanes if self._room(name))
        waiting = self.lanes[name]
        channel = waiting.popleft()
        self.lanes.move_to_end(name)
        if not waiting:
            del self.lanes[name]
        self.running[name] = self.running.get(name, 0) + 1
        return Turn(channel, name, self)

    def done(self, name: str) -> None:
        """A turn of this lane is over."""
        with self.lock:
            self.running[name] -= 1
            if not self.running[name]:
                del self.running[name]

    def _room(self, name: str) -> int:
        return AT_ONCE - self.running.get(name, 0)


class FairDispatcher(ThreadedTaskDispatcher):  # type: ignore[misc]  # waitress has no types
    """Waitress' threads, fed by a `FairQueue`."""

    def __init__(self) -> None:
        super().__init__()
        self.queue = FairQueue(self.lock)
