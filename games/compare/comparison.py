"""Score sheets of one game side by side: which line matches which, and where they differ. Values only.

A line missing on one sheet does not shift all that follow: lines are matched by likeness, in order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from games.sheets.written import ENDING, WrittenLine
from scoring import sheet


class Topic(StrEnum):
    """What two sheets may say differently."""

    MISSING = "missing"
    """The line stands on one sheet and not on another."""
    PLAYER = "player"
    """Whose turn it was."""
    KIND = "kind"
    WORD = "word"
    POSITION = "position"
    POINTS = "points"
    TILES = "tiles"
    """What was exchanged."""
    GOOD_WORDS = "good_words"
    """How many challenged words were good."""
    LEFT = "left"
    SETTLEMENT = "settlement"
    OVERTIME = "overtime"
    SECONDS = "seconds"
    FINAL = "final"


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A line of one sheet as it was written, and what counting made of it."""

    number: int
    written: WrittenLine
    counted: sheet.Counted

    @property
    def points(self) -> int | None:
        """What the line is worth by this sheet: as written, else as worked out; None where neither is known."""
        return self.counted.line.points if self.counted.line.points is not None else self.counted.worked

    @property
    def worked(self) -> int | None:
        """What rules and board make of the line."""
        return self.counted.worked


@dataclass(frozen=True, slots=True)
class ComparedSheet:
    """A whole sheet: its lines, and what stands below them for both players.

    `final` and `settlement` (what the tiles left come to) are worked out from this sheet.
    """

    cells: tuple[SheetLine, ...]
    ending: dict[str, tuple[int | str | None, int | str | None]]
    final: tuple[int, int]
    settlement: tuple[int | None, int | None] = (None, None)


@dataclass(frozen=True, slots=True)
class ComparedLine:
    """One line of the game: on each sheet a cell, None where it is missing. `topics` are those that differ."""

    number: int
    player: int
    cells: tuple[SheetLine | None, ...]
    topics: tuple[Topic, ...]

    @property
    def worked(self) -> int | None:
        """The worked-out points, if all sheets that know them agree on them; they judge between the sheets."""
        known = {cell.worked for cell in self.cells if cell is not None and cell.worked is not None}
        return known.pop() if len(known) == 1 else None


@dataclass(frozen=True, slots=True)
class End:
    """One figure of one player below the last line, as each sheet has it; None where it is not written.

    `worked`: what it comes to by the rules, if all sheets agree on that.
    """

    topic: Topic
    player: int
    values: tuple[int | str | None, ...]
    worked: int | None = None

    @property
    def differs(self) -> bool:
        """Whether the sheets that say something do not say the same; overtime that one leaves out is none."""
        if self.topic is Topic.OVERTIME:
            return len({value or 0 for value in self.values}) > 1
        return len({value for value in self.values if value is not None}) > 1


@dataclass(frozen=True, slots=True)
class Comparison:
    """All rows and ends. `finals` are the final scores worked out from each sheet."""

    rows: tuple[ComparedLine, ...]
    ends: tuple[End, ...]
    finals: tuple[tuple[int, int], ...]

    @property
    def differing_rows(self) -> tuple[ComparedLine, ...]:
        """The rows on which the sheets differ."""
        return tuple(row for row in self.rows if row.topics)

    @property
    def differing_ends(self) -> tuple[End, ...]:
        """The ends in which the sheets differ."""
        return tuple(end for end in self.ends if end.differs)

    @property
    def finals_differ(self) -> bool:
        """Whether the sheets come to different final scores."""
        return len(set(self.finals)) > 1


def compare(sides: Sequence[ComparedSheet]) -> Comparison:
    """The comparison of one sheet or several; with one alone nothing can differ."""
    aligned: list[tuple[SheetLine | None, ...]] = [(cell,) for cell in sides[0].cells] if sides else []
    for count, side in enumerate(sides[1:], 1):
        aligned = _merged(aligned, side.cells, count)
    rows = tuple(ComparedLine(number, _player(cells), cells, _topics(cells)) for number, cells in enumerate(aligned, 1))
    ends = tuple(
        End(Topic(name), player, tuple(side.ending[name][player - 1] for side in sides), _worked(name, player, sides))
        for name in ENDING
        for player in (1, 2)
    )
    return Comparison(rows, ends, tuple(side.final for side in sides))


def _worked(name: str, player: int, sides: Sequence[ComparedSheet]) -> int | None:
    """What the rules make of a player's settlement or final score, if it is the same from every sheet."""
    figures: dict[str, set[int | None]] = {
        Topic.SETTLEMENT: {side.settlement[player - 1] for side in sides},
        Topic.FINAL: {side.final[player - 1] for side in sides},
    }
    known = figures.get(name, set())
    return known.pop() if len(known) == 1 else None


def _player(cells: tuple[SheetLine | None, ...]) -> int:
    return next(cell.written.side for cell in cells if cell is not None)


def _merged(
    rows: list[tuple[SheetLine | None, ...]], cells: tuple[SheetLine, ...], count: int
) -> list[tuple[SheetLine | None, ...]]:
    """The rows with one more sheet beside them: matched for the greatest likeness that keeps the order of both."""
    best = _likeness_table(rows, cells)
    merged: list[tuple[SheetLine | None, ...]] = []
    at, other = 0, 0
    while at < len(rows) or other < len(cells):
        like = _likeness(rows[at], cells[other]) if at < len(rows) and other < len(cells) else 0
        if like > 0 and best[at][other] == like + best[at + 1][other + 1]:
            merged.append((*rows[at], cells[other]))
            at, other = at + 1, other + 1
        elif other == len(cells) or (at < len(rows) and best[at][other] == best[at + 1][other]):
            merged.append((*rows[at], None))
            at += 1
        else:
            merged.append((*(None,) * count, cells[other]))
            other += 1
    return merged


def _likeness_table(rows: list[tuple[SheetLine | None, ...]], cells: tuple[SheetLine, ...]) -> list[list[int]]:
    """For each pair of beginnings the greatest likeness of what follows."""
    best = [[0] * (len(cells) + 1) for _row in range(len(rows) + 1)]
    for at in reversed(range(len(rows))):
        for other in reversed(range(len(cells))):
            like = _likeness(rows[at], cells[other])
            paired = like + best[at + 1][other + 1] if like > 0 else 0
            best[at][other] = max(paired, best[at + 1][other], best[at][other + 1])
    return best


def _likeness(row: tuple[SheetLine | None, ...], cell: SheetLine) -> int:
    """How much a line is like a row; 0: they are not the same line of the game."""
    return max(_alike(there, cell) for there in row if there is not None)


def _alike(one: SheetLine, other: SheetLine) -> int:
    """How alike two lines are: 0 unless the player is the same, or word and place are: nobody lays that twice.

    Word, place and points say most; the kind alone makes a weak match.
    """
    mine, theirs = one.written, other.written
    is_same_play = bool(letters(one) and place(one)) and (letters(one), place(one)) == (letters(other), place(other))
    if mine.side != theirs.side and not is_same_play:
        return 0
    if one.counted.line.kind.is_turn != other.counted.line.kind.is_turn:
        return 0
    score = 1 + (mine.side == theirs.side)
    score += 2 * (mine.kind == theirs.kind)
    score += 6 * (bool(letters(one)) and letters(one) == letters(other))
    score += 3 * (bool(mine.position) and place(one) == place(other))
    score += 3 * (one.points is not None and one.points == other.points)
    return score


def letters(cell: SheetLine) -> str:
    """The word of a line without brackets and without the difference between a tile and a blank; "" for none.

    What lies on the board is written out where the board is known, so that `..ER` and `ABER` are the same word.
    """
    scored = cell.counted.scored
    word = scored.words[0].text if scored is not None and scored.words else cell.written.word
    return word.replace("(", "").replace(")", "").upper()


def place(cell: SheetLine) -> str:
    """Where a line's word begins and which way it runs, in one spelling; "" where it is not written."""
    play = cell.counted.line.play
    return play.position if play is not None else cell.written.position.upper()


def _topics(cells: tuple[SheetLine | None, ...]) -> tuple[Topic, ...]:
    """What the sheets say differently about one line. What a sheet leaves open contradicts nothing."""
    there = [cell for cell in cells if cell is not None]
    found = [Topic.MISSING] if len(there) < len(cells) else []
    said: dict[Topic, list[object]] = {
        Topic.PLAYER: [cell.written.side for cell in there],
        Topic.KIND: [cell.written.kind for cell in there],
        Topic.WORD: [_known(letters(cell)) for cell in there],
        Topic.POSITION: [_known(place(cell)) for cell in there],
        Topic.POINTS: [cell.points for cell in there],
        Topic.TILES: [_known(tiles) for tiles in _tiles(there)],
        Topic.GOOD_WORDS: [cell.written.words or None for cell in there],
    }
    found += [topic for topic, values in said.items() if len({value for value in values if value is not None}) > 1]
    return tuple(found)


def _known(text: str) -> str | None:
    return text or None


def _tiles(cells: list[SheetLine]) -> list[str]:
    """What was exchanged, so that the sheets can be compared: letters, or the number where one sheet gives no more."""
    texts = [cell.written.tiles for cell in cells]
    if any(text.isdigit() for text in texts):
        return [text if text.isdigit() or not text else str(len(text)) for text in texts]
    return ["".join(sorted(text.upper())) for text in texts]
