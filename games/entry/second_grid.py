"""The grid in which a round is typed a second time: its rows without any figure of the first typing."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from games.entry import grid, second
from games.entry import second_operations as operations
from games.entry.forms import RowForm
from games.entry.grid import GridRow
from games.entry.second import SecondEntryState
from games.models import SecondEntry
from tournament.models import Pairing, Round
from tournament.operations.change import Actor
from tournament.queries import league


@dataclass(slots=True)
class AgainRow:
    """A table to be typed a second time, or why it is not: how it stands, or that the reader has typed it first.

    `kind` None: it has no result yet.
    """

    row: GridRow
    kind: SecondEntryState | None
    is_own: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the reader is to type it."""
        return self.kind == SecondEntryState.ONCE and not self.is_own


@dataclass(slots=True)
class AgainGrid:
    """A round typed a second time; `total` are the results that are typed twice, or will be."""

    round: Round
    rows: list[AgainRow]
    done: int = 0
    total: int = 0
    differing: list[AgainRow] = field(default_factory=list)

    def put_cursor(self, after: int = 0) -> None:
        """Let the page open at a fault, or in the first open row after a table."""
        found = [each for each in self.rows if each.is_open]
        faulty = [each for each in found if each.row.has_note]
        later = [each for each in found if (each.row.pairing.table or 0) > after]
        for chosen in (faulty or later or found)[:1]:
            chosen.row.put_cursor()


def whole(round: Round, actor: Actor, entered: Mapping[int, GridRow] | None = None) -> AgainGrid:
    """A round as the reader types it a second time, with what was typed and not kept in its rows. Five queries."""
    games = [each for each in league.pairings(round) if each.kind == Pairing.Kind.GAME]
    mine = [each for each in games if grid.is_for(round, each.table)]
    again = second.of([each.pk for each in mine])
    rows = [_row(pairing, round, actor, again.get(pairing.pk), (entered or {}).get(pairing.pk)) for pairing in mine]
    counted = [each for each in rows if each.kind not in (None, SecondEntryState.ALONE)]
    return AgainGrid(
        round=round,
        rows=rows,
        done=sum(each.kind != SecondEntryState.ONCE for each in counted),
        total=len(counted),
        differing=[each for each in rows if each.kind == SecondEntryState.DIFFERS],
    )


def _row(pairing: Pairing, round: Round, actor: Actor, again: SecondEntry | None, kept: GridRow | None) -> AgainRow:
    pairing.round = round
    official = pairing.result
    kind = second.kind(official, again) if official is not None else None
    is_own = official is not None and second.is_by(official, actor)
    return AgainRow(kept or _blind(pairing, {}), kind, is_own)


def _blind(pairing: Pairing, data: Mapping[str, str]) -> GridRow:
    """A row that has nothing of the result in it."""
    pairing.official_results = []  # type: ignore[attr-defined]  # what with_results has fetched
    return grid.row(pairing, data)


def save_all(round: Round, data: Mapping[str, str], actor: Actor) -> dict[int, GridRow]:
    """Keep every row that something was typed into, each for itself; the rows that were not kept, with the reason."""
    refused = {}
    for pairing in grid.pairings(round, grid.typed_keys(data)):
        form = RowForm(data, pairing=pairing)
        if not form.done(partial(_keep, pairing, actor)):
            refused[pairing.pk] = grid.with_faults(_blind(pairing, data), form)
    return refused


def typed_upto(data: Mapping[str, str], found: AgainGrid) -> int:
    """The last table that something was typed for; 0 for none."""
    typed = grid.typed_keys(data)
    return max((each.row.pairing.table or 0 for each in found.rows if each.row.pairing.pk in typed), default=0)


def _keep(pairing: Pairing, actor: Actor, typed: dict[str, Any]) -> None:
    operations.type_again(pairing, points=(typed["first_points"], typed["second_points"]), actor=actor)
