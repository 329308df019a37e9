"""Score sheets of one game side by side: which line matches which, and where they differ. Values only.

A line missing on one sheet does not shift all that follow: lines are matched by likeness, in order.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from games.sheets.lines import ENDING_FIELDS, WrittenLine
from scoring.sheet_values import CountedLine


class DifferenceTopic(TextChoices):
    """What two sheets may say differently. MISSING: a line stands on one sheet and not on another."""

    MISSING = "missing"
    PLAYER = "player", _("player")
    KIND = "kind", _("kind of turn")
    WORD = "word", _("word")
    POSITION = "position", _("position")
    POINTS = "points", _("points")
    TILES = "tiles", _("tiles exchanged")
    GOOD_WORDS = "good_words", _("good words")
    LEFT = "left", _("tiles left")
    SETTLEMENT = "settlement", _("points for tiles left")
    OVERTIME = "overtime", _("overtime")
    SECONDS = "seconds", _("time used")
    FINAL = "final", _("final score")


@dataclass(frozen=True, slots=True)
class ComparedCell:
    """A line of one sheet as it was written, and what counting made of it."""

    number: int
    written: WrittenLine
    counted: CountedLine

    @property
    def points(self) -> int | None:
        """What the line is worth by this sheet: as written, else as worked out; None where neither is known."""
        return self.counted.line.points if self.counted.line.points is not None else self.counted.worked


@dataclass(frozen=True, slots=True)
class ComparedSheet:
    """A whole sheet: its lines, and what stands below them for both players.

    `final` and `settlement` (what the tiles left come to) are worked out from this sheet.
    """

    cells: tuple[ComparedCell, ...]
    ending: dict[str, tuple[int | str | None, int | str | None]]
    final: tuple[int, int]
    settlement: tuple[int | None, int | None] = (None, None)


@dataclass(frozen=True, slots=True)
class ComparedLine:
    """One line of the game: on each sheet a cell, None where it is missing. `topics` are those that differ."""

    number: int
    player: int
    cells: tuple[ComparedCell | None, ...]
    topics: tuple[DifferenceTopic, ...]

    @property
    def worked(self) -> int | None:
        """The worked-out points, if all sheets that know them agree on them; they judge between the sheets."""
        known = {cell.counted.worked for cell in self.cells if cell is not None and cell.counted.worked is not None}
        return known.pop() if len(known) == 1 else None


@dataclass(frozen=True, slots=True)
class ComparedFigure:
    """One figure of one player below the last line, as each sheet has it; None where it is not written.

    `worked`: what it comes to by the rules, if all sheets agree on that.
    """

    topic: DifferenceTopic
    player: int
    values: tuple[int | str | None, ...]
    worked: int | None = None

    @property
    def differs(self) -> bool:
        """Whether the sheets that say something do not say the same; overtime that one leaves out is none."""
        if self.topic is DifferenceTopic.OVERTIME:
            return len({value or 0 for value in self.values}) > 1
        return len({value for value in self.values if value is not None}) > 1


@dataclass(frozen=True, slots=True)
class Comparison:
    """All rows and ends. `finals` are the final scores worked out from each sheet."""

    rows: tuple[ComparedLine, ...]
    ends: tuple[ComparedFigure, ...]
    finals: tuple[tuple[int, int], ...]

    @property
    def differing_rows(self) -> tuple[ComparedLine, ...]:
        """The rows on which the sheets differ."""
        return tuple(row for row in self.rows if row.topics)

    @property
    def differing_ends(self) -> tuple[ComparedFigure, ...]:
        """The ends in which the sheets differ."""
        return tuple(end for end in self.ends if end.differs)

    @property
    def finals_differ(self) -> bool:
        """Whether the sheets come to different final scores."""
        return len(set(self.finals)) > 1


def compare_sheets(sides: Sequence[ComparedSheet]) -> Comparison:
    """The comparison of one sheet or several; with one alone nothing can differ."""
    aligned: list[tuple[ComparedCell | None, ...]] = [(cell,) for cell in sides[0].cells] if sides else []
    for count, side in enumerate(sides[1:], 1):
        aligned = _merge_sheet(aligned, side.cells, count)
    rows = []
    for number, cells in enumerate(aligned, 1):
        player = next(cell.written.side for cell in cells if cell is not None)
        rows.append(ComparedLine(number, player, cells, _find_differing_topics(cells)))
    ends = []
    for topic in map(DifferenceTopic, ENDING_FIELDS):
        for player in (1, 2):
            worked: set[int | None] = set()  # the rules say nothing of the other figures
            if topic == DifferenceTopic.SETTLEMENT:
                worked = {side.settlement[player - 1] for side in sides}
            elif topic == DifferenceTopic.FINAL:
                worked = {side.final[player - 1] for side in sides}
            values = tuple(side.ending[topic][player - 1] for side in sides)
            ends.append(ComparedFigure(topic, player, values, worked.pop() if len(worked) == 1 else None))
    return Comparison(tuple(rows), tuple(ends), tuple(side.final for side in sides))


def _merge_sheet(
    rows: list[tuple[ComparedCell | None, ...]], cells: tuple[ComparedCell, ...], count: int
) -> list[tuple[ComparedCell | None, ...]]:
    """The rows with one more sheet beside them: matched for the greatest likeness that keeps the order of both."""
    best = _build_likeness_table(rows, cells)
    merged: list[tuple[ComparedCell | None, ...]] = []
    at, other = 0, 0
    while at < len(rows) or other < len(cells):
        like = _measure_row_likeness(rows[at], cells[other]) if at < len(rows) and other < len(cells) else 0
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


def _build_likeness_table(
    rows: list[tuple[ComparedCell | None, ...]], cells: tuple[ComparedCell, ...]
) -> list[list[int]]:
    """For each pair of beginnings the greatest likeness of what follows."""
    best = [[0] * (len(cells) + 1) for _row in range(len(rows) + 1)]
    for at in reversed(range(len(rows))):
        for other in reversed(range(len(cells))):
            like = _measure_row_likeness(rows[at], cells[other])
            paired = like + best[at + 1][other + 1] if like > 0 else 0
            best[at][other] = max(paired, best[at + 1][other], best[at][other + 1])
    return best


def _measure_row_likeness(row: tuple[ComparedCell | None, ...], cell: ComparedCell) -> int:
    """How much a line is like a row; 0: they are not the same line of the game."""
    return max(_measure_line_likeness(there, cell) for there in row if there is not None)


def _measure_line_likeness(one: ComparedCell, other: ComparedCell) -> int:
    """How alike two lines are: 0 unless the player is the same, or word and place are: nobody lays that twice. Word,
    place and points say most; the kind alone makes a weak match."""
    mine, theirs = one.written, other.written
    word, position = get_line_word(one), get_line_position(one)
    has_same_word = bool(word) and word == get_line_word(other)
    has_same_position = position == get_line_position(other)
    is_same_play = has_same_word and bool(position) and has_same_position
    if mine.side != theirs.side and not is_same_play:
        return 0
    if one.counted.line.kind.is_turn != other.counted.line.kind.is_turn:
        return 0
    score = 1 + (mine.side == theirs.side)
    score += 2 * (mine.kind == theirs.kind)
    score += 6 * has_same_word
    score += 3 * (bool(mine.position) and has_same_position)
    score += 3 * (one.points is not None and one.points == other.points)
    return score


def get_line_word(cell: ComparedCell) -> str:
    """The word of a line without brackets and without the difference between a tile and a blank; "" for none. What lies
    on the board is written out where the board is known, so that `..ER` and `ABER` are the same word."""
    scored = cell.counted.scored
    word = scored.words[0].text if scored is not None and scored.words else cell.written.word
    return word.replace("(", "").replace(")", "").upper()


def get_line_position(cell: ComparedCell) -> str:
    """Where a line's word begins and which way it runs, in one spelling; "" where it is not written."""
    play = cell.counted.line.play
    return play.position if play is not None else cell.written.position.upper()


def _find_differing_topics(cells: tuple[ComparedCell | None, ...]) -> tuple[DifferenceTopic, ...]:
    """What the sheets say differently about one line. What a sheet leaves open contradicts nothing."""
    there = [cell for cell in cells if cell is not None]
    found = [DifferenceTopic.MISSING] if len(there) < len(cells) else []
    said: dict[DifferenceTopic, list[object]] = {
        DifferenceTopic.PLAYER: [cell.written.side for cell in there],
        DifferenceTopic.KIND: [cell.written.kind for cell in there],
        DifferenceTopic.WORD: [get_line_word(cell) or None for cell in there],
        DifferenceTopic.POSITION: [get_line_position(cell) or None for cell in there],
        DifferenceTopic.POINTS: [cell.points for cell in there],
        DifferenceTopic.TILES: [tiles or None for tiles in _read_exchanged_tiles(there)],
        DifferenceTopic.GOOD_WORDS: [cell.written.words or None for cell in there],
    }
    found += [topic for topic, values in said.items() if len({value for value in values if value is not None}) > 1]
    return tuple(found)


def _read_exchanged_tiles(cells: list[ComparedCell]) -> list[str]:
    """What was exchanged, so that the sheets can be compared: letters, or the number where one sheet gives no more."""
    texts = [cell.written.tiles for cell in cells]
    if any(text.isdigit() for text in texts):
        return [text if text.isdigit() or not text else str(len(text)) for text in texts]
    return ["".join(sorted(text.upper())) for text in texts]
