"""A score sheet: what was written down turn by turn, what it adds up to, and what breaks the rules (TSO 3, 5).

The front of three modules: `sheet_values` (what is written, what comes out), `sheet_count`, `sheet_faults`.
"""

from scoring.sheet_count import count
from scoring.sheet_faults import problems
from scoring.sheet_values import (
    NOTICES,
    Count,
    Counted,
    Ending,
    Fault,
    GameEnd,
    Half,
    Line,
    LineKind,
    Problem,
    Sheet,
    Side,
)

__all__ = [
    "NOTICES",
    "Count",
    "Counted",
    "Ending",
    "Fault",
    "GameEnd",
    "Half",
    "Line",
    "LineKind",
    "Problem",
    "Sheet",
    "Side",
    "count",
    "problems",
]
