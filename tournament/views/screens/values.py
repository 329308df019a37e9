"""What a screen shows as plain values: parts one after the other, most of them rows that the glass is filled with."""

from dataclasses import dataclass, field

from django.utils.safestring import SafeString


@dataclass(frozen=True, slots=True)
class Heading:
    """The heading of a column. `kind`: "num" for figures, "name" for names, "" for other text; `spare`: the column is
    left out where there is no room for it."""

    text: str
    kind: str = ""
    spare: bool = False
    heads_row: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its cells as text, in the order of the headings; `is_soft` for somebody who is not playing."""

    cells: tuple[str, ...]
    is_soft: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """Something that a screen shows by itself for a while.

    `kind` says how: rows, sentence, picture, clock, countdown, board, nothing. `is_empty`: there is nothing to show
    yet, and `sentence` says so; among others in turn it is passed over. `portraits`: the photos of players on it.
    """

    kind: str
    title: str = ""
    lead: str = ""
    seconds: int = 0
    headings: tuple[Heading, ...] = ()
    rows: tuple[Row, ...] = ()
    sentence: str = ""
    html: SafeString = field(default_factory=SafeString)
    portraits: frozenset[int] = frozenset()

    @property
    def is_empty(self) -> bool:
        return self.kind == "sentence"

    @property
    def lines(self) -> list[tuple[bool, list[tuple[Heading, str]]]]:
        """Each row as the template writes it: whether it is soft, and its cells with their headings."""
        return [(row.is_soft, list(zip(self.headings, row.cells, strict=True))) for row in self.rows]


def sentence(title: str, text: str) -> Part:
    """A part that says why there is nothing to show yet."""
    return Part("sentence", title=title, sentence=text)
