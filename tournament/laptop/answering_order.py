"""Whose request is answered next: everybody in turn, so that one who asks without end only waits for themselves. A WSGI
middleware above any server that gives each request a thread. There it only waits: the application is asked in a few
threads of its own, since each of those keeps a connection to the database."""

import queue
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from typing import NamedTuple
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from tournament.access.signing_in import STEP_ASIDE
from tournament.laptop.connections import get_session_key, is_recently_signed_in

ANSWERING_THREADS = 40  # of which up to fourteen have stepped aside (`signing_in.WAITING_PLACES`)
REQUESTS_AT_ONCE = 2  # requests of one who has signed in that are answered at the same time

HEAD_START = 0.3
"""Seconds for which no stranger's request is begun beside one of somebody who has signed in: most are answered then."""

STRANGERS_AT_ONCE = 2
"""Requests of all strangers together that are answered at the same time, one of each address: one process computes on
one core, and more of them would only keep each other, and the connections, from it."""

STRANGERS_MEANWHILE = 1  # requests of all strangers together that are answered beside it after that

WAITING_STRANGERS = 150
"""Requests of all strangers together that may wait, half of them from one address: a hall behind one router has one.
Each keeps a thread of the server. Beyond that the newest of the most crowded address is asked to come again."""

WAITING_SIGNED_IN = 20  # requests of one who has signed in that may wait: a browser sends six at once

COME_AGAIN_SECONDS = 2
COME_AGAIN = (
    "Gerade ist sehr viel los. Diese Seite versucht es gleich noch einmal.\n"
    "Very much is going on. This page will try again in a moment.\n"
    "Het is nu erg druk. Deze pagina probeert het zo nog eens.\n"
)


class RequestLane(NamedTuple):
    """Those whose requests take turns: one who has signed in, by their session, or all strangers at an address."""

    name: str
    is_signed_in: bool

    @property
    def at_once(self) -> int:
        """How many of its requests are answered at the same time: no address takes all that strangers have."""
        return REQUESTS_AT_ONCE if self.is_signed_in else 1


def find_lane(environ: WSGIEnvironment) -> RequestLane:
    """Who a request is from: one who has signed in, wherever they are, or an address."""
    # By the session and not by the address: behind the hall's router all have one, and the director would wait among
    # all phones.
    key = get_session_key(environ.get("HTTP_COOKIE", ""))
    if is_recently_signed_in(key):
        return RequestLane(key, is_signed_in=True)
    return RequestLane(environ["REMOTE_ADDR"], is_signed_in=False)


class PendingRequest(NamedTuple):
    """A request whose `answer` one thread waits for and another one fetches."""

    lane: RequestLane
    environ: WSGIEnvironment
    start_response: StartResponse
    answer: Future[Iterable[bytes] | None]  # None: there is no room for it


class RequestLanes:
    """Lanes of one kind with the questions that wait in them; the lane that was served longest ago stands first."""

    def __init__(self) -> None:
        self.waiting: OrderedDict[RequestLane, deque[PendingRequest]] = OrderedDict()
        self.running: Counter[RequestLane] = Counter()

    def count_waiting(self) -> int:
        return sum(len(waiting) for waiting in self.waiting.values())

    def begin_next(self) -> PendingRequest | None:
        """Take a question of the first lane that has not enough running; None if there is no such lane."""
        if (lane := next((lane for lane in self.waiting if self.running[lane] < lane.at_once), None)) is None:
            return None
        waiting = self.waiting.pop(lane)
        self.running[lane] += 1
        question = waiting.popleft()
        if waiting:
            self.waiting[lane] = waiting  # behind all others
        return question

    def end(self, lane: RequestLane) -> None:
        """A question of this lane has been answered."""
        self.running[lane] -= 1
        # Lanes that have nothing running go: there is one for each address and session that was ever here.
        if not self.running[lane]:
            del self.running[lane]


class Turns:
    """The application, asked by turns: those who have signed in before strangers, since results come first, and no lane
    more than its share. A turn is over when the application returns."""

    def __init__(self, application: WSGIApplication) -> None:
        self._application = application
        self._lock = threading.Lock()
        self._signed_in, self._strangers = RequestLanes(), RequestLanes()
        self._signed_in_since: float | None = None
        self._begun: queue.SimpleQueue[PendingRequest] = queue.SimpleQueue()
        for _number in range(ANSWERING_THREADS):
            threading.Thread(target=self._answer_all, daemon=True).start()
        threading.Thread(target=self._end_head_starts, daemon=True).start()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        question = PendingRequest(find_lane(environ), environ, start_response, Future())
        environ[STEP_ASIDE] = partial(self._step_aside, question.lane)
        with self._lock:
            self._lanes(question.lane).waiting.setdefault(question.lane, deque()).append(question)
            self._make_room(question.lane)
            self._begin()
        answer = question.answer.result()
        return _send_away(start_response) if answer is None else answer

    @contextmanager
    def _step_aside(self, lane: RequestLane) -> Iterator[None]:
        """While a request only waits, others have its turn."""
        self._end(lane)
        try:
            yield
        finally:
            # Without asking whether there is room: the request was begun long ago, and is finished in any case.
            with self._lock:
                self._lanes(lane).running[lane] += 1

    def _answer_all(self) -> None:
        """Ask the application one question after the other, in a thread of this."""
        while True:
            question = self._begun.get()
            answer: Iterable[bytes] = ()
            fault: BaseException | None = None
            try:
                answer = self._application(question.environ, question.start_response)
            except BaseException as raised:  # noqa: BLE001  # `result` raises it where it is waited for
                fault = raised
            # The turn ends before the answer is handed over: a script that asks again at once would find its own last
            # question in the way.
            self._end(question.lane)
            if fault is None:
                question.answer.set_result(answer)
            else:
                question.answer.set_exception(fault)

    def _end(self, lane: RequestLane) -> None:
        """A question of this lane keeps no other from its turn any more."""
        with self._lock:
            self._lanes(lane).end(lane)
            if not self._signed_in.running:
                self._signed_in_since = None
            self._begin()

    def _end_head_starts(self) -> None:
        """Let strangers begin when a head start is over: nothing else happens then."""
        while True:
            time.sleep(HEAD_START / 3)
            with self._lock:
                self._begin()

    def _begin(self) -> None:
        """Have all questions asked whose turn it is. Its users hold the lock."""
        while (question := self._signed_in.begin_next()) is not None:
            self._signed_in_since = self._signed_in_since or time.monotonic()
            self._begun.put(question)
        while self._strangers.running.total() < self._most_strangers():
            if (question := self._strangers.begin_next()) is None:
                return
            self._begun.put(question)

    def _most_strangers(self) -> int:
        """How many questions of strangers may be asked at the same time, as things are."""
        if self._signed_in_since is None:
            return STRANGERS_AT_ONCE
        # A helper's save took 440 ms beside a flood of phones, since each computes on the one core: with this head
        # start, 110.
        return STRANGERS_MEANWHILE if time.monotonic() >= self._signed_in_since + HEAD_START else 0

    def _make_room(self, lane: RequestLane) -> None:
        """Send the newest away of a lane in which too many wait now. Its users hold the lock."""
        waiting = self._lanes(lane).waiting
        if lane.is_signed_in:
            crowded = lane if len(waiting[lane]) > WAITING_SIGNED_IN else None
        elif len(waiting[lane]) > WAITING_STRANGERS // 2:
            crowded = lane
        else:
            is_full = self._strangers.count_waiting() > WAITING_STRANGERS
            crowded = max(reversed(waiting), key=lambda other: len(waiting[other])) if is_full else None
        if crowded is not None:
            # The newest of the longest lane goes, not the newest of all: otherwise whoever floods drives everybody else
            # out.
            waiting[crowded].pop().answer.set_result(None)
            if not waiting[crowded]:
                del waiting[crowded]

    def _lanes(self, lane: RequestLane) -> RequestLanes:
        return self._signed_in if lane.is_signed_in else self._strangers


def _send_away(start_response: StartResponse) -> Iterable[bytes]:
    """Ask a browser to come again."""
    body, seconds = COME_AGAIN.encode(), str(COME_AGAIN_SECONDS)
    headers = [("Content-Type", "text/plain; charset=utf-8"), ("Content-Length", str(len(body)))]
    start_response("503 Service Unavailable", [*headers, ("Retry-After", seconds), ("Refresh", seconds)])
    return [body]
