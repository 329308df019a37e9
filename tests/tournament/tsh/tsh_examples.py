"""A small tsh event, and how the tests look at what is wrong with one."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tournament.exchange.faults import FileFault, FileFaults
from tournament.tsh.reading import read_tsh_event

TRIO = """Adam, Al   1500 2 3 0; 400 410 50; p12 1 2 0; board 4 2 0; lifeg 12; team SC Fulda
Beta, Bo,  1400 1 0 3; 390 -50 350; p12 2 0 1
Cohn, Cy   0    0 1 2; 0 300 420; p12 0 1 2; board 0 2 1
"""

Make = Callable[..., Path]
"""Writes a tsh folder: the lines of `config.tsh`, and the divisions' files by their stems."""


def wrong(path: Path) -> list[FileFault]:
    """Everything that is wrong with a tsh event."""
    with pytest.raises(FileFaults) as found:
        read_tsh_event(path)
    return list(found.value.faults)


def codes(warnings: tuple[FileFault, ...] | list[FileFault]) -> list[str]:
    return [warning.code.name.lower() for warning in warnings]
