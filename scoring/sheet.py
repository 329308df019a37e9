"""A score sheet: what was written down turn by turn, what it adds up to, and what breaks the rules (TSO 3, 5).

The front of three modules: `sheet_values` (what is written, what comes out), `sheet_count`, `sheet_faults`.
"""

from scoring.sheet_count import count
from scoring.sheet_faults import problems
from scoring.sheet_values import (
    CountedLine,
    Ending,
    GameEnd,
    LineKind,
    ScoreSheetLine,
    Sheet,
    SheetFault,
    SheetHalf,
    SheetProblem,
    Side,
)

__all__ = [
    "CountedLine",
    "Ending",
    "GameEnd",
    "LineKind",
    "ScoreSheetLine",
    "Sheet",
    "SheetFault",
    "SheetHalf",
    "SheetProblem",
    "Side",
    "count",
    "problems",
]
