"""Who starts (TSO §2.2, first paragraph): starts and replies stay even where that can be arranged."""

from __future__ import annotations

from collections.abc import Sequence

from tournament.pairing import lots
from tournament.pairing.history import History, PlayerHistory
from tournament.pairing.values import StarterBy


def decide(one: int, other: int, history: History, seed: int) -> tuple[int, int, StarterBy]:
    """Return starter, replier and what decided it.

    In this order: nobody should be two or more away from even; whoever has started less starts; whoever replied when
    the two last met; whoever replied where their courses last differ; the lot.
    """
    mine, theirs = history.record(one), history.record(other)
    chosen, why = _by_figures(mine, theirs)
    if chosen is None:
        chosen, why = _by_last_meeting(one, other, history)
    if chosen is None:
        chosen, why = _by_last_difference(mine, theirs)
    if chosen is None:
        chosen, why = (one < other) == bool(lots.pair(seed, one, other) & 1), StarterBy.LOT
    return (one, other, why) if chosen else (other, one, why)


def excess(mine: int, theirs: int) -> int:
    """How far beyond one from even the two balances are if the first of them starts."""
    return max(0, abs(mine + 1) - 1) + max(0, abs(theirs - 1) - 1)


def third_in_row(record: PlayerHistory) -> bool:
    """Whether a start now would be the player's third in a row, or a later one."""
    return in_row(record.course) >= 2


def in_row(course: Sequence[bool]) -> int:
    """How many starts in a row the player comes from."""
    return next((place for place, started in enumerate(reversed(course)) if not started), len(course))


def _by_figures(mine: PlayerHistory, theirs: PlayerHistory) -> tuple[bool | None, StarterBy]:
    here, there = excess(mine.balance, theirs.balance), excess(theirs.balance, mine.balance)
    fewer = None if mine.starts == theirs.starts else mine.starts < theirs.starts
    if here != there and fewer is not (here < there):
        return here < there, StarterBy.EVENNESS
    return fewer, StarterBy.FEWER_STARTS


def _by_last_meeting(one: int, other: int, history: History) -> tuple[bool | None, StarterBy]:
    known = [meeting for meeting in history.between(one, other) if meeting.starter_known]
    return (known[-1].second == one if known else None), StarterBy.REPLIED_LAST


def _by_last_difference(mine: PlayerHistory, theirs: PlayerHistory) -> tuple[bool | None, StarterBy]:
    """Compare the two courses from the last game backwards, as far as both go."""
    why = StarterBy.REPLIED_WHEN_DIFFERENT
    for started, other_started in zip(reversed(mine.course), reversed(theirs.course), strict=False):
        if started != other_started:
            return other_started, why
    return None, why
