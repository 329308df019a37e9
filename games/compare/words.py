"""The comparison of score sheets in words: every difference, and what the referee's log says otherwise."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from games.compare.comparison import (
    ComparedCell,
    ComparedFigure,
    ComparedLine,
    Comparison,
    DifferenceTopic,
    get_line_word,
)
from games.models import Challenge
from games.sheets.queries import SheetPage
from scoring import challenges
from scoring.sheet_values import LineKind
from tournament.core.words.figures import format_clock, format_points, format_score, format_signed


def describe_differences(compared: Comparison, pages: Sequence[SheetPage]) -> list[tuple[int | None, str]]:
    """Every difference as a sentence, with the row that it is about; None for the sheets' end."""
    said: list[tuple[int | None, str]] = []
    for row in compared.differing_rows:
        said += [(row.number, sentence) for sentence in _describe_row(row, pages)]
    said += [(None, _describe_figure(end, pages)) for end in compared.differing_ends]
    if compared.finals_differ:
        scores = [format_score(*final) for final in compared.finals]
        said.append(
            (None, _("Worked out, the sheets come to different final scores: %s.") % _join_sheet_values(scores, pages))
        )
    return said


def _describe_row(row: ComparedLine, pages: Sequence[SheetPage]) -> list[str]:
    words: dict[str, object] = {"line": row.number, "name": pages[0].names[row.player - 1]}
    said = []
    for topic in row.topics:
        if topic == DifferenceTopic.MISSING:
            without = [page.keeper_name for page, cell in zip(pages, row.cells, strict=True) if cell is None]
            there = next(cell for cell in row.cells if cell is not None)
            words |= {"text": there.written, "sheets": ", ".join(without)}
            said.append(_("Line %(line)s, %(name)s: %(text)s is missing (%(sheets)s).") % words)
            continue
        values = [_format_topic_value(topic, cell, pages[0].names) for cell in row.cells]
        words |= {"topic": topic.label, "values": _join_sheet_values(values, pages)}
        if topic == DifferenceTopic.POINTS and row.worked is not None:
            words["worked"] = format_points(row.worked)
            said.append(_("Line %(line)s, %(name)s, %(topic)s: %(values)s; worked out %(worked)s.") % words)
        else:
            said.append(_("Line %(line)s, %(name)s, %(topic)s: %(values)s.") % words)
    return said


def _format_topic_value(topic: DifferenceTopic, cell: ComparedCell | None, names: tuple[str, str]) -> str:
    """What one sheet says of a topic; the empty text where it says nothing."""
    if cell is None:
        return ""
    line = cell.counted.line
    said = {
        DifferenceTopic.PLAYER: names[cell.written.side - 1],
        DifferenceTopic.KIND: str(cell.written.kind.label),
        DifferenceTopic.WORD: get_line_word(cell),
        DifferenceTopic.POSITION: line.play.position if line.play else cell.written.position,
        DifferenceTopic.POINTS: "" if cell.points is None else format_points(cell.points),
        DifferenceTopic.TILES: cell.written.tiles,
        DifferenceTopic.GOOD_WORDS: str(cell.written.words or ""),
    }
    return said[topic]


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
    """Where the standing challenges of the referee's log and the lines of a sheet do not agree, each as a sentence.
    Only where both say something: a log without challenges, or a sheet that notes none, contradicts nothing."""
    noted = {(line.kind, line.side) for line in page.lines if line.kind in (LineKind.CHALLENGE, LineKind.WITHDRAWN)}
    rules = page.rules.challenges
    if not log or not noted or rules is None:
        return []
    found = []
    for side, name in enumerate(page.names, 1):
        verdicts = [(each, challenges.verdict(rules, each.words, each.penalty)) for each in log]
        taken_back = sum(1 for each, verdict in verdicts if each.challenger != side and not verdict.play_stands)
        written = sum(1 for line in page.lines if line.kind == LineKind.WITHDRAWN and line.side == side)
        words = {"name": name, "sheet": page.keeper_name, "log": taken_back, "found": written}
        if taken_back != written:
            found.append(_("%(sheet)s: %(found)s withdrawn plays of %(name)s, by the referee's log %(log)s.") % words)
        lost = sum(
            verdict.challenger_loses if each.challenger == side else verdict.player_loses for each, verdict in verdicts
        )
        taken = -page.count.halves[side - 1].challenges
        if lost != taken:
            words |= {"log": lost, "found": taken}
            found.append(
                _("%(sheet)s: %(name)s loses %(found)s points by challenges, by the referee's log %(log)s.") % words
            )
    return found
