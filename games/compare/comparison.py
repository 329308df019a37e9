"""Score sheets of one game side by side, and where they differ, in words. Lines are matched by likeness, in order, so
that a line missing on one sheet does not shift all that follow."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import TextChoices
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import Challenge
from games.sheets.lines import ENDING_FIELDS, WrittenLine
from games.sheets.sheet_page import SheetPage
from scoring import challenges
from scoring.sheet_values import CountedLine, LineKind
from tournament.core.words.figures import format_clock, format_points, format_score, format_signed


class DifferenceTopic(TextChoices):
    """What two sheets may say differently. MISSING: a line stands on one sheet and not on another."""

    MISSING = "missing"
    PLAYER = "player", gettext_lazy("player")
    KIND = "kind", gettext_lazy("kind of turn")
    WORD = "word", gettext_lazy("word")
    POSITION = "position", gettext_lazy("position")
    POINTS = "points", gettext_lazy("points")
    TILES = "tiles", gettext_lazy("tiles exchanged")
    GOOD_WORDS = "good_words", gettext_lazy("good words")
    LEFT = "left", gettext_lazy("tiles left")
    SETTLEMENT = "settlement", gettext_lazy("points for tiles left")
    OVERTIME = "overtime", gettext_lazy("overtime")
    SECONDS = "seconds", gettext_lazy("time used")
    FINAL = "final", gettext_lazy("final score")


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
    """A whole sheet; `final` and `settlement` (what the tiles left come to) are worked out from it."""

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
        figures = {cell.counted.worked for cell in self.cells if cell is not None and cell.counted.worked is not None}
        return figures.pop() if len(figures) == 1 else None


@dataclass(frozen=True, slots=True)
class ComparedFigure:
    """One player's figure below the last line, None if not written. `worked`: by the rules, if all sheets agree."""

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
        return tuple(row for row in self.rows if row.topics)

    @property
    def differing_ends(self) -> tuple[ComparedFigure, ...]:
        return tuple(end for end in self.ends if end.differs)

    @property
    def finals_differ(self) -> bool:
        return len(set(self.finals)) > 1


def compare_sheets(sides: Sequence[ComparedSheet]) -> Comparison:
    """The comparison of one sheet or several; with one alone nothing can differ."""
    aligned: list[tuple[ComparedCell | None, ...]] = [(cell,) for cell in sides[0].cells] if sides else []
    for count, side in enumerate(sides[1:], 1):
        # Each against the rows of all before it and not against the first alone: a line that the first lacks may stand
        # on two others.
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
        # Pairing comes first among equal ways, so that the same sheets are always laid out alike.
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
    """For each row and each cell (as places in the table), the greatest likeness of all that follows from there."""
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
    """How alike two lines are; 0 if the player differs, unless word and place are the same: nobody lays that twice."""
    mine, theirs = one.written, other.written
    word, position = get_line_word(one), get_line_position(one)
    has_same_word = bool(word) and word == get_line_word(other)
    has_same_position = position == get_line_position(other)
    is_same_play = has_same_word and bool(position) and has_same_position
    if mine.side != theirs.side and not is_same_play:
        return 0
    # A penalty line and a turn are two things, even of one player and with the same points.
    if one.counted.line.kind.is_turn != other.counted.line.kind.is_turn:
        return 0
    # The weights only have to rank: a word says more than a place or a score, these more than the kind of turn. The 1
    # lets two lines of a player match that have nothing else in common: both stand at the same point of the game.
    score = 1 + (mine.side == theirs.side)
    score += 2 * (mine.kind == theirs.kind)
    score += 6 * has_same_word
    score += 3 * (bool(mine.position) and has_same_position)
    score += 3 * (one.points is not None and one.points == other.points)
    return score


def get_line_word(cell: ComparedCell) -> str:
    """The word as it lies on the board, else as written, in capitals without brackets: `..ER` is the same as `ABER`."""
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
    topics = [DifferenceTopic.MISSING] if len(there) < len(cells) else []
    figures_by_topic: dict[DifferenceTopic, list[object]] = {
        DifferenceTopic.PLAYER: [cell.written.side for cell in there],
        DifferenceTopic.KIND: [cell.written.kind for cell in there],
        DifferenceTopic.WORD: [get_line_word(cell) or None for cell in there],
        DifferenceTopic.POSITION: [get_line_position(cell) or None for cell in there],
        DifferenceTopic.POINTS: [cell.points for cell in there],
        DifferenceTopic.TILES: [tiles or None for tiles in _read_exchanged_tiles(there)],
        DifferenceTopic.GOOD_WORDS: [cell.written.words or None for cell in there],
    }
    topics += [
        topic for topic, values in figures_by_topic.items() if len({value for value in values if value is not None}) > 1
    ]
    return tuple(topics)


def _read_exchanged_tiles(cells: list[ComparedCell]) -> list[str]:
    """What was exchanged, so that the sheets can be compared: letters, or the number where one sheet gives no more."""
    # “3” and “ENR” do not contradict each other: where one sheet has a number only numbers are compared.
    texts = [cell.written.tiles for cell in cells]
    if any(text.isdigit() for text in texts):
        return [text if text.isdigit() or not text else str(len(text)) for text in texts]
    return ["".join(sorted(text.upper())) for text in texts]


# The comparison in words.


def describe_differences(compared: Comparison, pages: Sequence[SheetPage]) -> list[tuple[int | None, str]]:
    """Every difference as a sentence, with the row that it is about; None for the sheets' end."""
    sentences: list[tuple[int | None, str]] = []
    for row in compared.differing_rows:
        sentences += [(row.number, sentence) for sentence in _describe_row(row, pages)]
    sentences += [(None, _describe_figure(end, pages)) for end in compared.differing_ends]
    if compared.finals_differ:
        scores = _join_sheet_values([format_score(*final) for final in compared.finals], pages)
        sentences.append((None, _("The final scores worked out from the sheets differ: %s.") % scores))
    return sentences


def _describe_row(row: ComparedLine, pages: Sequence[SheetPage]) -> list[str]:
    words: dict[str, object] = {"line": row.number, "name": pages[0].names[row.player - 1]}
    sentences = []
    for topic in row.topics:
        if topic == DifferenceTopic.MISSING:
            without = [page.keeper_name for page, cell in zip(pages, row.cells, strict=True) if cell is None]
            there = next(cell for cell in row.cells if cell is not None)
            words |= {"text": there.written, "sheets": ", ".join(without)}
            sentences.append(_("Line %(line)s, %(name)s: %(text)s is missing (%(sheets)s).") % words)
            continue
        values = [_format_topic_value(topic, cell, pages[0].names) for cell in row.cells]
        words |= {"topic": topic.label, "values": _join_sheet_values(values, pages)}
        if topic == DifferenceTopic.POINTS and row.worked is not None:
            words["worked"] = format_points(row.worked)
            sentences.append(_("Line %(line)s, %(name)s, %(topic)s: %(values)s; worked out %(worked)s.") % words)
        else:
            sentences.append(_("Line %(line)s, %(name)s, %(topic)s: %(values)s.") % words)
    return sentences


def _format_topic_value(topic: DifferenceTopic, cell: ComparedCell | None, names: tuple[str, str]) -> str:
    """What one sheet says of a topic; the empty text where it says nothing."""
    if cell is None:
        return ""
    line = cell.counted.line
    sentences = {
        DifferenceTopic.PLAYER: names[cell.written.side - 1],
        DifferenceTopic.KIND: str(cell.written.kind.label),
        DifferenceTopic.WORD: get_line_word(cell),
        DifferenceTopic.POSITION: line.play.position if line.play else cell.written.position,
        DifferenceTopic.POINTS: "" if cell.points is None else format_points(cell.points),
        DifferenceTopic.TILES: cell.written.tiles,
        DifferenceTopic.GOOD_WORDS: str(cell.written.words or ""),
    }
    return sentences[topic]


def _join_sheet_values(values: Sequence[str], pages: Sequence[SheetPage]) -> str:
    """What each sheet says, and whose sheet it is: “24 (Sheet of Anna), 26 (Sheet of Jörg)”."""
    return ", ".join(f"{value} ({page.keeper_name})" for value, page in zip(values, pages, strict=True) if value)


def _describe_figure(end: ComparedFigure, pages: Sequence[SheetPage]) -> str:
    values = [0 if value is None and end.topic is DifferenceTopic.OVERTIME else value for value in end.values]
    words = {
        "name": pages[0].names[end.player - 1],
        "topic": end.topic.label,
        "values": _join_sheet_values([format_compared_figure(end.topic, value) for value in values], pages),
    }
    return _("%(name)s, %(topic)s: %(values)s.") % words


def format_compared_figure(topic: DifferenceTopic, value: int | str | None) -> str:
    """A figure below the last line as it is written; the empty text where nothing is."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value or _("none")
    if topic in (DifferenceTopic.OVERTIME, DifferenceTopic.SECONDS):
        return format_clock(value)
    return format_signed(value) if topic == DifferenceTopic.SETTLEMENT else format_points(value)


def describe_log_conflicts(page: SheetPage, log: Sequence[Challenge]) -> list[str]:
    """Where the log's standing challenges and a sheet disagree, in sentences. A sheet that notes no challenge
    contradicts nothing."""
    noted = {(line.kind, line.side) for line in page.lines if line.kind in (LineKind.CHALLENGE, LineKind.WITHDRAWN)}
    rules = page.rules.challenges
    if not log or not noted or rules is None:
        return []
    conflicts = []
    for side, name in enumerate(page.names, 1):
        verdicts = [(challenge, challenges.verdict(rules, challenge.words, challenge.penalty)) for challenge in log]
        taken_back = sum(
            1 for challenge, verdict in verdicts if challenge.challenger != side and not verdict.play_stands
        )
        written = sum(1 for line in page.lines if line.kind == LineKind.WITHDRAWN and line.side == side)
        words = {"name": name, "sheet": page.keeper_name, "log": taken_back, "found": written}
        if taken_back != written:
            conflicts.append(
                _("%(sheet)s: withdrawn plays of %(name)s: %(found)s; in the referee's log: %(log)s.") % words
            )
        lost = sum(
            verdict.challenger_loses if challenge.challenger == side else verdict.player_loses
            for challenge, verdict in verdicts
        )
        withdrawals = -page.count.halves[side - 1].challenges
        if lost != withdrawals:
            words |= {"log": lost, "found": withdrawals}
            message = _(
                "%(sheet)s: points that %(name)s loses by challenges: %(found)s; in the referee's log: %(log)s."
            )
            conflicts.append(message % words)
    return conflicts
