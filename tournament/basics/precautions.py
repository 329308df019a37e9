"""Signals for whoever keeps backups: before an irreversible step, after a round was closed, for each journal entry."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.db import connection
from django.dispatch import Signal

irreversible_step = Signal()  # sent with the `verb` before anything is written; no listener can stop it

round_closed = Signal()  # sent once the change that closed a round is committed

entry_stored = Signal()  # sent with the columns of an `entry` once it is committed

IRREVERSIBLE_VERBS = frozenset(
    {"delete_tournament", "delete_word_list", "remove_division", "unpublish_round", "update_register"}
)
"""Verbs that undo cannot take back, or that overwrite what was known."""

TAKE_BACK_VERBS = frozenset({"undo", "redo"})
"""Verbs that take a journal entry back; irreversible themselves if that is not the newest entry."""


def announce_irreversible_step(verb: str, *, newest: int = 0, number: int = 0) -> None:
    """Tell the listeners if this verb is irreversible, or takes back an entry (`number`) that is not the newest."""
    if connection.in_atomic_block:  # part of a larger step, or only a trial
        return
    if verb in IRREVERSIBLE_VERBS or (verb in TAKE_BACK_VERBS and number < newest):
        # Robust: a listener that fails must not keep anybody from the step, and says itself what went wrong.
        irreversible_step.send_robust(sender=None, verb=verb)


def announce_entry(entry: Callable[[], Mapping[str, Any]]) -> None:
    """Send the entry to the listeners; `entry` is called only if there are any."""
    if entry_stored.has_listeners():
        entry_stored.send_robust(sender=None, entry=entry())


def closes_round(rows: Iterable[tuple[str, Any, Any, Any]]) -> bool:
    """Whether one of these journal rows closes a round."""
    return any(
        table == "round"
        and after is not None
        and after["state"] == "closed"
        and (before or {}).get("state") != "closed"
        for table, _pk, before, after in rows
    )
