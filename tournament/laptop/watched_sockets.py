"""Which sockets the server looks at in each round: those that something has happened to, however many there are.

Waitress asks every connection in every round whether it is to be read or written. With five hundred phones that only
hold theirs, this is most of what a question costs. Here a connection that rests, to which nothing happens before the
other side says something, is left to the system, which says when that comes. All others are asked in every round, since
a thread that answers changes what they wait for, and wakes the server by the library's own trigger.
"""

import selectors
from collections.abc import Mapping
from typing import Any

from waitress import wasyncore

READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE


class Watch:
    """The sockets of a server by their numbers, as the library keeps them. Only the thread that serves calls it."""

    def __init__(self, sockets: Mapping[int, Any]) -> None:
        self._sockets = sockets
        self._selector = selectors.DefaultSelector()
        self._watched: dict[int, int] = {}
        """What the system is asked for at each socket: all that it waits for, and perhaps more."""
        self._restless = set(sockets)

    def touch(self, number: int) -> None:
        """Ask a socket in the next round: it is new, or has been told something."""
        self._restless.add(number)

    def forget(self, number: int) -> None:
        """A socket is about to be closed; its number may come again at once."""
        self._restless.discard(number)
        self._ask_for(number, 0)

    def round(self, seconds: float) -> None:
        """Wait until something comes in or can be sent, at most for so long, and do it."""
        for number in list(self._restless):
            self._look_at(number)
        for key, events in self._selector.select(seconds):
            self._tell(key.fd, events)

    def _look_at(self, number: int) -> None:
        """Ask a socket what it waits for; it need not be asked again once it rests."""
        found = self._sockets.get(number)
        if found is None:
            self._restless.discard(number)
            return
        rests = getattr(found, "is_resting", False)  # first: once it rests, no other thread changes what it waits for
        self._ask_for(number, _wanted(found) | self._watched.get(number, 0))
        if rests:
            self._restless.discard(number)

    def _tell(self, number: int, events: int) -> None:
        """Have a socket do what it can do now, and ask the system no more for what it does not wait for."""
        found = self._sockets.get(number)
        if found is None:  # another one has closed it in this round
            return
        self._restless.add(number)
        wanted = _wanted(found)
        if events & ~wanted:
            self._ask_for(number, wanted)
        if events & wanted & READ:
            wasyncore.read(found)
        if events & wanted & WRITE and self._sockets.get(number) is found:
            wasyncore.write(found)

    def _ask_for(self, number: int, events: int) -> None:
        """Have the system watch a socket for these events from now on."""
        before = self._watched.get(number, 0)
        if events == before:
            return
        if not events:
            self._selector.unregister(number)
            del self._watched[number]
            return
        change = self._selector.modify if before else self._selector.register
        change(number, events)
        self._watched[number] = events


def _wanted(found: Any) -> int:
    """What a socket waits for, as the library says it."""
    return (READ if found.readable() else 0) | (WRITE if found.writable() and not found.accepting else 0)
