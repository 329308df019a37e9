"""The comparison of score sheets in words: every difference, and what the referee's log says otherwise."""

from collections.abc import Mapping, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.compare.comparison import ComparedLine, Comparison, End, SheetLine, Topic, letters
from games.models import Challenge
from games.sheets.page import SheetPage
from scoring import challenges, sheet
from tournament.words import figures

TOPICS: Mapping[Topic, str | Promise] = {
    Topic.PLAYER: gettext_lazy("player"),
    Topic.KIND: gettext_lazy("kind of turn"),
    Topic.WORD: gettext_lazy("word"),
    Topic.POSITION: gettext_lazy("position"),
    Topic.POINTS: gettext_lazy("points"),
    Topic.TILES: gettext_lazy("tiles exchanged"),
    Topic.GOOD_WORDS: gettext_lazy("good words"),
    Topic.LEFT: gettext_lazy("tiles left"),
    Topic.SETTLEMENT: gettext_lazy("points for tiles left"),
    Topic.OVERTIME: gettext_lazy("overtime"),
    Topic.SECONDS: gettext_lazy("time used"),
    Topic.FINAL: gettext_lazy("final score"),
}


def differences(compared: Comparison, pages: Sequence[SheetPage]) -> list[tuple[int | None, str]]:
    """Every difference as a sentence, with the row that it is about; None for the sheets' end."""
    said: list[tuple[int | None, str]] = []
    for row in compared.differing_rows:
        said += [(row.number, sentence) for sentence in _row(row, pages)]
    said += [(None, _end(end, pages)) for end in compared.differing_ends]
    if compared.finals_differ:
        scores = [figures.score(*final) for final in compared.finals]
        said.append((None, _("Worked out, the sheets come to different final scores: %s.") % _beside(scores, pages)))
    return said


def _row(row: ComparedLine, pages: Sequence[SheetPage]) -> list[str]:
    name = pages[0].names[row.player - 1]
    said = []
    if Topic.MISSING in row.topics:
        said.append(_missing(row, name, pages))
    for topic in row.topics:
        if topic == Topic.MISSING:
            continue
        words = {
            "line": row.number,
            "name": name,
            "topic": TOPICS[topic],
            "values": _beside([_value(topic, cell, pages[0].names) for cell in row.cells], pages),
        }
        if topic == Topic.POINTS and row.worked is not None:
            words["worked"] = figures.points(row.worked)
            said.append(_("Line %(line)s, %(name)s, %(topic)s: %(values)s; worked out %(worked)s.") % words)
        else:
            said.append(_("Line %(line)s, %(name)s, %(topic)s: %(values)s.") % words)
    return said


def _missing(row: ComparedLine, name: str, pages: Sequence[SheetPage]) -> str:
    sheets = [page.keeper_name for page, cell in zip(pages, row.cells, strict=True) if cell is None]
    there = next(cell for cell in row.cells if cell is not None)
    words = {"line": row.number, "name": name, "text": str(there.written), "sheets": ", ".join(sheets)}
    return _("Line %(line)s, %(name)s: %(text)s is missing (%(sheets)s).") % words


def _value(topic: Topic, cell: SheetLine | None, names: tuple[str, str]) -> str:
    """What one sheet says of a topic; the empty text where it says nothing."""
    if cell is None:
        return ""
    line = cell.counted.line
    said = {
        Topic.PLAYER: names[cell.written.side - 1],
        Topic.KIND: str(cell.written.kind.label),
        Topic.WORD: letters(cell),
        Topic.POSITION: line.play.position if line.play else cell.written.position,
        Topic.POINTS: "" if cell.points is None else figures.points(cell.points),
        Topic.TILES: cell.written.tiles,
        Topic.GOOD_WORDS: str(cell.written.words or ""),
    }
    return said[topic]


def _beside(values: Sequence[str], pages: Sequence[SheetPage]) -> str:
    """What each sheet says, and whose sheet it is: “24 (Sheet of Anna), 26 (Sheet of Jörg)”."""
    return ", ".join(f"{value} ({page.keeper_name})" for value, page in zip(values, pages, strict=True) if value)


def _end(end: End, pages: Sequence[SheetPage]) -> str:
    values = [0 if value is None and end.topic is Topic.OVERTIME else value for value in end.values]
    words = {
        "name": pages[0].names[end.player - 1],
        "topic": TOPICS[end.topic],
        "values": _beside([end_value(end.topic, value) for value in values], pages),
    }
    return _("%(name)s, %(topic)s: %(values)s.") % words


def end_value(topic: Topic, value: int | str | None) -> str:
    """A figure below the last line as it is written; the empty text where nothing is."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value or _("none")
    if topic in (Topic.OVERTIME, Topic.SECONDS):
        return figures.clock(value)
    return figures.signed(value) if topic == Topic.SETTLEMENT else figures.points(value)


def against_log(page: SheetPage, log: Sequence[Challenge]) -> list[str]:
    """Where the standing challenges of the referee's log and the lines of a sheet do not agree, each as a sentence.

    Only where both say something: a log without challenges, or a sheet that notes none, contradicts nothing.
    """
    noted = {
        (line.kind, line.side)
        for line in page.lines
        if line.kind in (sheet.LineKind.CHALLENGE, sheet.LineKind.WITHDRAWN)
    }
    rules = page.rules.challenges
    if not log or not noted or rules is None:
        return []
    found = []
    for side, name in enumerate(page.names, 1):
        verdicts = [(each, challenges.verdict(rules, each.words, each.penalty)) for each in log]
        taken_back = sum(1 for each, verdict in verdicts if each.challenger != side and not verdict.play_stands)
        written = sum(1 for line in page.lines if line.kind == sheet.LineKind.WITHDRAWN and line.side == side)
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
