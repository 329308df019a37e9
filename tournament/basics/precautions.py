"""What others may do before a step that is hard to take back, and after a round was closed.

Whoever keeps backups listens here; where nobody listens nothing happens, and nothing that a listener does stops the
step.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.db import connection
from django.dispatch import Signal

irreversible_step = Signal()  # sent before anything is written, with `verb`: what is about to be done

round_closed = Signal()  # sent when the change that closed a round is stored

entry_stored = Signal()  # sent when an entry of a journal is stored, with `entry`: its columns

IRREVERSIBLE_VERBS = frozenset(
    {"delete_tournament", "delete_word_list", "remove_division", "unpublish_round", "update_register"}
)
"""Verbs that no undo takes back, or that write over what was known."""

TAKE_BACK_VERBS = frozenset({"undo", "redo"})
"""Verbs that take an entry of the journal back: hard to take back themselves if entries after it stand."""


def announce_irreversible_step(verb: str, *, newest: int = 0, number: int = 0) -> None:
    """Tell the listeners if this is a step that is hard to take back, or takes back an entry that is not the newest."""
    if connection.in_atomic_block:  # a part of something larger, or only tried out
        return
    if verb in IRREVERSIBLE_VERBS or (verb in TAKE_BACK_VERBS and number < newest):
        irreversible_step.send_robust(sender=None, verb=verb)


def announce_entry(entry: Callable[[], Mapping[str, Any]]) -> None:
    """Tell the listeners what was entered; where nobody listens, `entry` is not asked."""
    if entry_stored.has_listeners():
        entry_stored.send_robust(sender=None, entry=entry())


def closes_round(rows: Iterable[tuple[str, Any, Any, Any]]) -> bool:
    """Whether rows of the journal close a round."""
    return any(
        table == "round"
        and after is not None
        and after["state"] == "closed"
        and (before or {}).get("state") != "closed"
        for table, _pk, before, after in rows
    )
