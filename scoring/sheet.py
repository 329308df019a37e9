"""A score sheet: what was written down turn by turn, what it adds up to, and what breaks the rules (TSO 3, 5).

The face of three modules: values, counting, faults.
"""

from scoring.sheet_values import (
    Count,
    Counted,
    Ending,
    Fault,
    Half,
    Kind,
    Line,
    Over,
    Problem,
    Sheet,
    Side,
)

__all__ = ["Count", "Counted", "Ending", "Fault", "Half", "Kind", "Line", "Over", "Problem", "Sheet", "Side"]
