"""A line of a score sheet and its end as values, and the one-line text that people type and the journal shows.

The text: `8H ABER 24` a play (`ABER 24` without its position, `24` points alone), `8H ABER 24 --` a play that was
withdrawn, `-ENR` an exchange (`-3`: only the number is known), `-` a pass, `!2` a failed challenge of two good words,
`#20 reason` penalty points. `*` behind a turn: the jury was asked before it (`-ENR *` it consented, `- *` it refused).
"""

from dataclasses import asdict, dataclass
from typing import Any, Self

from games.models import Line, Scoresheet
from tournament.models.play import SIDES

ENDING = ("left", "settlement", "overtime", "seconds", "final")
"""What a score sheet holds for each player below the last line; the fields are `first_left` …"""

JURY = "*"
"""What stands behind a turn before which the jury was asked."""


@dataclass(frozen=True, slots=True)
class WrittenLine:
    """One line as it stands on paper; the fields are those of `games.models.Line`.

    `points` is what the line adds to the score: below zero for points taken off.
    """

    side: int
    kind: Line.Kind = Line.Kind.PLAY
    position: str = ""
    word: str = ""
    rack: str = ""
    tiles: str = ""
    words: int = 0
    points: int | None = None
    note: str = ""
    jury: bool = False

    @classmethod
    def of(cls, line: Line) -> Self:
        """What a stored line says."""
        values = {name: getattr(line, name) for name in cls.__slots__}
        return cls(**{**values, "kind": Line.Kind(line.kind)})

    def fields(self) -> dict[str, Any]:
        """The values as a line stores them."""
        return {**asdict(self), "kind": self.kind.value}

    def __str__(self) -> str:
        points = "" if self.points is None else str(self.points)
        taken_off = points and str(-int(points)).replace("-", "+")
        parts = {
            Line.Kind.PLAY: (self.position, self.word, points),
            Line.Kind.WITHDRAWN: (self.position, self.word, points, "--"),
            Line.Kind.EXCHANGE: (f"-{self.tiles}", points),
            Line.Kind.PASS: ("-", points),
            Line.Kind.CHALLENGE: (f"!{self.words or ''}", taken_off),
            Line.Kind.PENALTY: (f"#{taken_off}", self.note),
        }
        return " ".join(part for part in (*parts[self.kind], JURY if self.jury else "") if part)


@dataclass(frozen=True, slots=True)
class WrittenEnding:
    """What a score sheet says below its last turn, each field for both players. None: not written down."""

    left: tuple[str | None, str | None] = (None, None)
    settlement: tuple[int | None, int | None] = (None, None)
    overtime: tuple[int | None, int | None] = (None, None)
    seconds: tuple[int | None, int | None] = (None, None)
    final: tuple[int | None, int | None] = (None, None)
    is_finished: bool = False
    note: str = ""

    @classmethod
    def of(cls, scoresheet: Scoresheet) -> Self:
        """What stands below a stored sheet."""
        pairs = {name: tuple(getattr(scoresheet, f"{side}_{name}") for side in SIDES) for name in ENDING}
        return cls(**pairs, is_finished=scoresheet.is_finished, note=scoresheet.note)

    def fields(self) -> dict[str, Any]:
        """The values as a score sheet stores them."""
        pairs = {f"{side}_{name}": getattr(self, name)[at] for name in ENDING for at, side in enumerate(SIDES)}
        return {**pairs, "is_finished": self.is_finished, "note": self.note}
