"""Duplicate sessions, as far as pages of all events ask about them; the app `games` adds the answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from django.db.models import QuerySet

from tournament.models import Division, Entry


@dataclass(frozen=True, slots=True)
class SessionRanking:
    """The players of a session with their ranks after the closed turns, nobody before the first is closed; and their
    points by the entry's primary key."""

    is_over: bool
    ranks: tuple[tuple[Entry, int], ...] = ()
    points: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))


SESSION_RANKERS: list[Callable[[Division], SessionRanking]] = []  # what ranks the session of a division

BEGUN_SESSION_FINDERS: list[Callable[[], QuerySet[Any]]] = []
"""What finds the tournaments, by their keys, in whose session a turn has been drawn."""
