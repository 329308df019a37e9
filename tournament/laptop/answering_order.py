"""Whose request is answered next: everybody in turn, so that one who asks without end only waits for themselves."""

import threading
import time
from collections import Counter, OrderedDict, deque
from typing import Any, NamedTuple

from waitress.task import ThreadedTaskDispatcher

from tournament.basics.latest import is_nothing_new
from tournament.laptop.signed_in import get_session_key, is_recently_signed_in

REQUESTS_AT_ONCE = 2
"""Requests of one who has signed in that are answered at the same time."""

HEAD_START = 0.3
"""Seconds for which no stranger's request is begun beside one of somebody who has signed in: most are answered then."""

STRANGERS_AT_ONCE = 2
"""Requests of all strangers together that are answered at the same time, one of each address: one process computes on
one core, and more of them would only keep each other, and the connections, from it."""

STRANGERS_MEANWHILE = 1
"""Requests of all strangers together that are answered beside it after that."""


class RequestLane(NamedTuple):
    """Those whose requests take turns: one who has signed in, by their session, or all strangers at an address."""

    name: str
    is_signed_in: bool


def find_lane(channel: Any) -> RequestLane:
    """Who a connection's next request is from: one who has signed in, wherever they are, or an address."""
    key = get_session_key(channel.requests[0].headers) if channel.requests else ""
    return (
        RequestLane(key, is_signed_in=True)
        if is_recently_signed_in(key)
        else RequestLane(channel.address, is_signed_in=False)
    )


def is_known_question(channel: Any) -> bool:
    """Whether a connection's next request is a question to which the answer is known to be “nothing new”."""
    if not channel.requests:
        return False
    asked = channel.requests[0]
    return asked.command == "GET" and is_nothing_new(asked.path, asked.query)


def get_lane_limit(lane: RequestLane) -> int:
    """How many requests of a lane are answered at the same time: no address takes all that strangers have."""
    return REQUESTS_AT_ONCE if lane.is_signed_in else 1


class RequestTurn:
    """One request's turn; whoever has it frees its lane afterwards. Without a lane there is none to free."""

    def __init__(self, channel: Any, lane: RequestLane | None, queue: "FairQueue") -> None:
        self.channel, self.lane, self.queue = channel, lane, queue

    def service(self) -> None:
        try:
            self.channel.service()
        finally:
            if self.lane is not None:
                self.queue.done(self.lane)

    def cancel(self) -> None:
        self.channel.cancel()


class RequestLanes:
    """Lanes of one kind with those who wait in them; the lane whose turn is next stands first."""

    def __init__(self) -> None:
        self.waiting: dict[RequestLane, deque[Any]] = {}
        self.next: OrderedDict[RequestLane, None] = OrderedDict()
        """Those with somebody waiting and fewer than `at_once` running."""
        self.running: Counter[RequestLane] = Counter()

    def append(self, lane: RequestLane, channel: Any) -> None:
        self.waiting.setdefault(lane, deque()).append(channel)
        if self.running[lane] < get_lane_limit(lane):
            self.next[lane] = None

    def popleft(self) -> tuple[RequestLane, Any]:
        """The first lane and who is next in it; it goes to the end, or rests until one of its turns is over."""
        lane, _nothing = self.next.popitem(last=False)
        waiting = self.waiting[lane]
        channel = waiting.popleft()
        self.running[lane] += 1
        if not waiting:
            del self.waiting[lane]
        elif self.running[lane] < get_lane_limit(lane):
            self.next[lane] = None
        return lane, channel

    def done(self, lane: RequestLane) -> None:
        """A turn of this lane is over."""
        self.running[lane] -= 1
        if not self.running[lane]:
            del self.running[lane]
        if lane in self.waiting:
            self.next[lane] = None


class FairQueue:
    """Connections that wait to be answered, by lanes that take turns. Its users hold the dispatcher's lock.

    It is true while somebody may be answered now: a lane that has enough running waits. One process computes on one
    core, and results come first: strangers wait while somebody who has signed in is being answered.
    What hundreds of phones ask and what is known already costs next to nothing, and goes before everybody.
    """

    def __init__(self, changed: threading.Condition) -> None:
        self.changed = changed
        self.known: deque[Any] = deque()
        self.signed_in, self.strangers = RequestLanes(), RequestLanes()
        self.signed_in_since: float | None = None
        self.is_reminded = False

    def append(self, channel: Any) -> None:
        if is_known_question(channel):
            self.known.append(channel)
            return
        at = find_lane(channel)
        self._lanes(at).append(at, channel)
        self._remind()

    def __len__(self) -> int:
        """How many of those who wait could be answered if all lanes took one turn: for the library's log."""
        return len(self.known) + len(self.signed_in.next) + len(self.strangers.next)

    def __bool__(self) -> bool:
        return bool(self.known or self.signed_in.next or (self.strangers.next and self._strangers_room()))

    def popleft(self) -> RequestTurn:
        """The next in turn: those who have signed in before strangers."""
        if self.known:
            return RequestTurn(self.known.popleft(), None, self)
        lane, channel = (self.signed_in if self.signed_in.next else self.strangers).popleft()
        if lane.is_signed_in and self.signed_in_since is None:
            self.signed_in_since = time.monotonic()
            self._remind()
        return RequestTurn(channel, lane, self)

    def done(self, lane: RequestLane) -> None:
        """A turn of this lane is over; strangers who waited for it may go on."""
        with self.changed:
            self._lanes(lane).done(lane)
            if not self.signed_in.running:
                self.signed_in_since = None
            if lane.is_signed_in:
                self.changed.notify(STRANGERS_AT_ONCE)  # one stranger's place is taken by the thread that has got free

    def _lanes(self, lane: RequestLane) -> RequestLanes:
        return self.signed_in if lane.is_signed_in else self.strangers

    def _strangers_room(self) -> bool:
        """Whether one more stranger may be answered now."""
        running = self.strangers.running.total()
        if self.signed_in_since is None:
            return running < STRANGERS_AT_ONCE
        is_over = time.monotonic() >= self.signed_in_since + HEAD_START
        return is_over and running < STRANGERS_MEANWHILE

    def _remind(self) -> None:
        """Have the threads look again when the head start is over, if a stranger waits for that."""
        if self.signed_in_since is not None and self.strangers.next and not self.is_reminded:
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
