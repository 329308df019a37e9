"""Score sheets of one game, as two players wrote them."""

from collections.abc import Sequence
from typing import Any

from games.gcg.conversion import WrittenSheet
from games.gcg.operations import import_sheet
from games.models import Line, Scoresheet
from games.sheets.lines import WrittenEnding, WrittenLine
from tests import factories
from tests.games import steps
from tournament.models import Pairing

K = Line.Kind
FIRST, SECOND, OTHER = Scoresheet.Keeper.FIRST, Scoresheet.Keeper.SECOND, Scoresheet.Keeper.OTHER

GAME = (
    WrittenLine(1, word="ABER", position="8H", points=12),
    WrittenLine(2, points=70),
    WrittenLine(1, points=35),
    WrittenLine(1, K.CHALLENGE, words=1, points=-10),
    WrittenLine(2, points=24),
    WrittenLine(1, K.EXCHANGE, tiles="QXY"),
    WrittenLine(2, points=18),
)
"""Both passed at last: 37 : 112 before settlement."""


def passed(*lines: WrittenLine) -> tuple[WrittenLine, ...]:
    """The lines, and two passes of each behind them."""
    turn = 3 - next(line.side for line in reversed(lines) if line.kind not in (K.CHALLENGE, K.PENALTY))
    return (*lines, *(WrittenLine(side, K.PASS) for side in (turn, 3 - turn, turn, 3 - turn)))


def sheet(
    pairing: Pairing,
    lines: Sequence[WrittenLine] = passed(*GAME),
    *,
    keeper: Scoresheet.Keeper = FIRST,
    **ending: Any,
) -> Scoresheet:
    """A sheet with these lines, written at once, its game over."""
    fresh = steps.fresh(pairing)
    values = {"left": ("E", "U"), "is_finished": True, **ending}
    written = WrittenSheet(tuple(lines), WrittenEnding(**values))
    made = import_sheet(fresh, keeper=keeper, written=written, actor=factories.director(), replaces=None)
    made.refresh_from_db()
    made.pairing = fresh
    return made
