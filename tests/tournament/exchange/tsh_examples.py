"""A small tsh event, and how the tests look at what is wrong with one."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tournament.exchange import faults
from tournament.exchange.faults import Fault
from tournament.exchange.tsh import reading

TRIO = """Adam, Al   1500 2 3 0; 400 410 50; p12 1 2 0; board 4 2 0; lifeg 12; team SC Fulda
Beta, Bo,  1400 1 0 3; 390 -50 350; p12 2 0 1
Cohn, Cy   0    0 1 2; 0 300 420; p12 0 1 2; board 0 2 1
"""

Make = Callable[..., Path]
"""Writes a tsh folder: the lines of `config.tsh`, and the divisions' files by their stems."""


def wrong(path: Path) -> list[Fault]:
    """Everything that is wrong with a tsh event."""
    with pytest.raises(faults.Faults) as found:
        reading.read(path)
    return list(found.value.faults)


def codes(warnings: tuple[Fault, ...] | list[Fault]) -> list[str]:
    return [warning.code.value for warning in warnings]
