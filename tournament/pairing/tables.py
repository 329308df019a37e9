"""Table numbers: by rank of the better player; whoever has a fixed table (wheelchair, sight) keeps it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from tournament.pairing.values import Note, NoteCode


@dataclass(frozen=True, slots=True)
class TableWish:
    """The tables that a pair needs, the most binding first, and the keys of its players."""

    bound: tuple[int, ...]
    keys: tuple[int, ...]


def number(wishes: Sequence[TableWish]) -> tuple[list[int], list[Note]]:
    """Give each pair a table of its own; `wishes` come by the rank of the better player.

    A table is never given twice: the better pair gets it. Notes say who did not get their table.
    """
    holder: dict[int, TableWish] = {}
    notes: list[Note] = []
    given: list[int | None] = []
    for wish in wishes:
        free = [table for table in dict.fromkeys(wish.bound) if table not in holder]
        taken = sorted(set(wish.bound) - set(free))
        notes += [Note(NoteCode.TABLE_TAKEN, (*wish.keys, *holder[table].keys), table) for table in taken]
        if len(free) > 1:
            notes.append(Note(NoteCode.TABLES_DIFFER, wish.keys, free[0]))
        if free:
            holder[free[0]] = wish
        given.append(free[0] if free else None)
    others = (table for table in itertools.count(1) if table not in holder)
    return [next(others) if table is None else table for table in given], notes
