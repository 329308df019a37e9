"""Ranks the rows of a table by figures that are compared one after another, as seasons, teams and their matches do."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import Field, replace
from itertools import groupby
from typing import Any, ClassVar, Protocol, TypeVar


class RankedRow(Protocol):
    """A row with the fields `rank` and `decided_by`."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


Row = TypeVar("Row", bound=RankedRow)


def rank_rows(
    rows: Iterable[Row], get_figures: Callable[[Row], tuple[Any, ...]], criteria: Sequence[object]
) -> tuple[Row, ...]:
    """The rows in order, the greatest figures first; level rows keep their order and share a rank. Each has the
    criterion that separates it from the row above: none for the first row, and none for one that is level with it."""
    ranked_rows: list[Row] = []
    above: tuple[Any, ...] | None = None
    for figures, level in groupby(sorted(rows, key=get_figures, reverse=True), key=get_figures):
        rank, decided = len(ranked_rows) + 1, None
        if above is not None:
            pairs = zip(criteria, figures, above, strict=True)
            decided = next(criterion for criterion, own, other in pairs if own != other)
        # Only the first of those who are level is separated from the row above; the others are level with theirs.
        for row in level:
            ranked_rows.append(replace(row, rank=rank, decided_by=decided))
            decided = None
        above = figures
    return tuple(ranked_rows)
