"""Whose request is answered next: everybody in turn, so that one who asks without end only waits for themselves."""

import sys
import threading
import time
from collections import Counter, OrderedDict, deque
from typing import Any, NamedTuple

from waitress.task import ThreadedTaskDispatcher

from tournament import latest
from tournament.laptop import signed_in

AT_ONCE = 2
"""Requests of one address, or of one who has signed in, that are answered at the same time."""

HEAD_START = 0.3
"""Seconds for which no stranger's request is begun beside one of somebody who has signed in: most are answered then."""

STRANGERS_MEANWHILE = 1
"""Requests of all strangers together that are answered beside it after that."""


class Lane(NamedTuple):
    """Those whose requests take turns: one who has signed in, by their session, or all strangers at an address."""

    name: str
    is_signed_in: bool


def lane(channel: Any) -> Lane:
    """Who a connection's next request is from: one who has signed in, wherever they are, or an address."""
    key = signed_in.session_in(channel.requests[0].headers) if channel.requests else ""
    return Lane(key, is_signed_in=True) if signed_in.was_seen(key) else Lane(channel.address, is_signed_in=False)


def is_known(channel: Any) -> bool:
    """Whether a connection's next request is a question to which the answer is known to be “nothing new”."""
    if not channel.requests:
        return False
    asked = channel.requests[0]
    return asked.command == "GET" and latest.is_known(asked.path, asked.query)


class Turn:
    """One request's turn; whoever has it frees its lane afterwards. Without a lane there is none to free."""

    def __init__(self, channel: Any, lane: Lane | None, queue: "FairQueue") -> None:
        self.channel, self.lane, self.queue = channel, lane, queue

    def service(self) -> None:
        try:
            self.channel.service()
        finally:
            if self.lane is not None:
                self.queue.done(self.lane)

    def cancel(self) -> None:
        self.channel.cancel()


class FairQueue:
    """Connections that wait to be answered, by lanes that take turns. Its users hold the dispatcher's lock.

    Its length is the number of those who may be answered now; a lane that has `AT_ONCE` running waits. One process
    computes on one core, and results come first: strangers wait while somebody who has signed in is being answered.
    What hundreds of phones ask and what is known already costs next to nothing, and goes before everybody.
    """

    def __init__(self, changed: threading.Condition) -> None:
        self.changed = changed
        self.known: deque[Any] = deque()
        self.lanes: OrderedDict[Lane, deque[Any]] = OrderedDict()
        self.running: Counter[Lane] = Counter()
        self.signed_in_since: float | None = None
        self.is_reminded = False

    def append(self, channel: Any) -> None:
        if is_known(channel):
            self.known.append(channel)
            return
        self.lanes.setdefault(lane(channel), deque()).append(channel)
        self._remind()

    def __len__(self) -> int:
        signed_in = [min(len(waiting), self._room(lane)) for lane, waiting in self.lanes.items() if lane.is_signed_in]
        strangers = [min(len(at), self._room(lane)) for lane, at in self.lanes.items() if not lane.is_signed_in]
        return len(self.known) + sum(signed_in) + min(sum(strangers), self._strangers_room())

    def __bool__(self) -> bool:
        return bool(self.known) or any(self._room(lane) for lane in self.lanes)

    def popleft(self) -> Turn:
        """The next in turn, those who have signed in before strangers; its lane goes to the end."""
        if self.known:
            return Turn(self.known.popleft(), None, self)
        free = [lane for lane in self.lanes if self._room(lane)]
        chosen = next((lane for lane in free if lane.is_signed_in), free[0])
        waiting = self.lanes[chosen]
        channel = waiting.popleft()
        self.lanes.move_to_end(chosen)
        if not waiting:
            del self.lanes[chosen]
        self.running[chosen] += 1
        if chosen.is_signed_in and self.signed_in_since is None:
            self.signed_in_since = time.monotonic()
            self._remind()
        return Turn(channel, chosen, self)

    def done(self, lane: Lane) -> None:
        """A turn of this lane is over; strangers who waited for it may go on."""
        with self.changed:
            self.running[lane] -= 1
            if not self.running[lane]:
                del self.running[lane]
            if not any(running.is_signed_in for running in self.running):
                self.signed_in_since = None
            if lane.is_signed_in:
                self.changed.notify_all()

    def _room(self, lane: Lane) -> int:
        room = AT_ONCE - self.running[lane]
        return room if lane.is_signed_in else min(room, self._strangers_room())

    def _strangers_room(self) -> int:
        """How many more strangers may be answered now."""
        if self.signed_in_since is None:
            return sys.maxsize
        if time.monotonic() < self.signed_in_since + HEAD_START:
            return 0
        return max(0, STRANGERS_MEANWHILE - sum(n for lane, n in self.running.items() if not lane.is_signed_in))

    def _remind(self) -> None:
        """Have the threads look again when the head start is over, if a stranger waits for that."""
        waits = self.signed_in_since is not None and any(not lane.is_signed_in for lane in self.lanes)
        if waits and not self.is_reminded:
            self.is_reminded = True
            timer = threading.Timer(HEAD_START, self._look_again)
            timer.daemon = True
            timer.start()

    def _look_again(self) -> None:
        with self.changed:
            self.is_reminded = False
            self.changed.notify_all()
            self._remind()


class FairDispatcher(ThreadedTaskDispatcher):  # type: ignore[misc]  # waitress has no types
    """Waitress' threads, fed by a `FairQueue`."""

    def __init__(self) -> None:
        super().__init__()
        self.queue = FairQueue(self.queue_cv)
