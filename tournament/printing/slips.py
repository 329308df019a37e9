"""Result slips: six on a page with cut lines, one a game, or blank ones for reserve."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from tournament.layout.boxes import Box
from tournament.printing.cutting import Cut
from tournament.printing.paper import MM, Align, Paper, event_line, printed
from tournament.printing.values import Header, PairedPlayer, PairingLine, PrintedRules, RoundSheet
from tournament.words import figures
from tournament.words.clauses import before_stop

CUT = Cut(2, 3)

Slip = PairingLine | None
"""The game of a slip; None for a blank one."""


def slips(header: Header, sheet: RoundSheet | None, rules: PrintedRules) -> bytes:
    """A slip for each game of the round, the last page filled up with blank ones; without a round a blank page."""
    paper = Paper(header, _("Result slips"))
    games: tuple[PairingLine, ...] = sheet.games if sheet else ()
    for page in paper.bare_pages(CUT.heaps(games)):
        CUT.lines(paper)
        for place, slip in enumerate(page):
            _slip(paper, CUT.part(paper, place).inset(8 * MM, 6 * MM), sheet, slip, rules)
    return paper.done()


def _slip(paper: Paper, box: Box, sheet: RoundSheet | None, slip: Slip, rules: PrintedRules) -> None:
    head = Box(box.x, box.y, box.width, 5 * MM)
    paper.write(head, event_line(paper.header), size=8)
    numbers = head.below(10 * MM)
    _numbers(paper, numbers, sheet, slip)
    balanced = bool(sheet and sheet.balanced and slip)
    first = numbers.below(26 * MM, 1 * MM)
    second = first.below(26 * MM, 1 * MM)
    parts = _fields(rules)
    _player(paper, first, slip.first if slip else None, _("starts") if balanced else None, parts)
    _player(paper, second, slip.second if slip else None, _("replies") if balanced else None, parts)
    winner = second.below(8 * MM, 1.5 * MM)
    _winner(paper, winner, slip)
    _hints(paper, winner.below(8 * MM, 0.5 * MM), rules)


def _numbers(paper: Paper, box: Box, sheet: RoundSheet | None, slip: Slip) -> None:
    """Round and table, or the game's place in the knock-out."""
    if slip is not None and slip.title:
        paper.write(box, slip.title, size=19, bold=True)
        return
    round_box, table_box = box.columns(1, 1)
    filled = slip is not None and sheet is not None
    number = sheet.number if sheet and slip else "____"
    table = slip.table if slip else "____"
    paper.write(round_box, _("Round %(number)s") % {"number": number}, size=15, bold=filled)
    paper.write(table_box, _("Table %(number)s") % {"number": table}, size=19, bold=filled, align=Align.RIGHT)


def _fields(rules: PrintedRules) -> dict[str, float]:
    """What a player's boxes are for, each with its width: what the book has."""
    parts = {_("Final score"): 20.0}
    if rules.overtime_points:
        parts[_("Overtime (min:s)")] = 19.0
    parts[_("Penalty points")] = 19.0
    if rules.signing_clause:
        parts[_("Signature")] = 33.0
    return parts


def _player(paper: Paper, box: Box, person: PairedPlayer | None, role: str | None, parts: Mapping[str, float]) -> None:
    """One player's half: who, whether they start, and the boxes to fill in."""
    paper.rule(box.x, box.y, box.right, box.y, weight=0.8)
    line = Box(box.x, box.y + 0.5 * MM, box.width, 9 * MM)
    name, start = line.columns(4, 1, gap=2 * MM)
    if person:
        paper.write(name, person.name, size=13, bold=True)
    else:
        paper.rule(name.x, name.bottom - 1.5 * MM, name.right, name.bottom - 1.5 * MM)
    if role is not None:
        paper.write(start, role, size=9.5, bold=True, align=Align.RIGHT)
    else:
        tick(paper, start, _("starts"))
    boxes = line.below(16 * MM).columns(*parts.values(), gap=1.5 * MM)
    for number, (label, field) in enumerate(zip(parts, boxes, strict=True)):
        paper.write(Box(field.x, field.y, field.width, 4 * MM), label, size=6.5)
        paper.frame(Box(field.x, field.y + 4 * MM, field.width, 11 * MM), weight=0.6 if number else 1.2)


def tick(paper: Paper, box: Box, label: str, *, size: float = 8.5) -> None:
    """A square to tick, followed by its label."""
    side = 3.6 * MM
    paper.frame(Box(box.x, box.y + (box.height - side) / 2, side, side), weight=0.8)
    paper.write(Box(box.x + side + 1.2 * MM, box.y, box.width - side - 1.2 * MM, box.height), label, size=size)


def _winner(paper: Paper, box: Box, slip: Slip) -> None:
    label, first, second, tied = box.columns(12, 25, 25, 23, gap=1.5 * MM)
    paper.write(label, _("Winner:"), size=9, bold=True)
    tick(paper, first, slip.first.name if slip else _("upper player"))
    tick(paper, second, slip.second.name if slip and slip.second else _("lower player"))
    tick(paper, tied, _("draw"), size=6.5)


def _hints(paper: Paper, box: Box, rules: PrintedRules) -> None:
    upper = Box(box.x, box.y, box.width, 4 * MM)
    parts = [_("Final score: all penalties are taken off already.")]
    if rules.overtime_points:
        words = {"points": rules.overtime_points, "step": figures.started(rules.overtime_step)}
        parts.append(_("Overtime: %(points)s points per %(step)s.") % words)
    paper.write(upper, " ".join(parts), size=6.5)
    sign, made = upper.below(4 * MM).columns(3, 2, gap=2 * MM)
    if rules.signing_clause:
        paper.write(sign, before_stop(_("Both sign; the winner hands it in."), rules.signing_clause), size=6.5)
    paper.write(made, printed(paper.header), size=5.5, align=Align.RIGHT, shade=0.3)
