"""Score sheets that each player keeps for themselves: a page for the starter, a marked one for the other player.

The starter's is white, the other's coloured (Wedstrijdscrabble IV). Both come on white paper; hatching marks the other
one, which is seen without colours, too.
"""

from dataclasses import replace

from django.utils.translation import gettext as _

from tournament.layout.boxes import Box
from tournament.printing.paper import MM, Align, Paper
from tournament.printing.scoresheets import NUMBERS, SheetColumn, numbers, turns_and_sums
from tournament.printing.slips import Slip
from tournament.printing.values import Header, PairedPlayer, PrintedRules, RoundSheet

OWN = {
    SheetColumn.NUMBER: 6,
    SheetColumn.LETTERS: 22,
    SheetColumn.POSITION: 12,
    SheetColumn.WORD: 36,
    SheetColumn.POINTS: 12,
    SheetColumn.TOTAL: 13,
}
OTHER = {
    SheetColumn.NUMBER: 6,
    SheetColumn.POSITION: 13,
    SheetColumn.WORD: 36,
    SheetColumn.POINTS: 13,
    SheetColumn.TOTAL: 14,
}
"""What a player writes of their own turns and of the opponent's, in parts of the halves."""

ROLE, NAME = 8 * MM, 9 * MM
"""The heights of the band that says whose sheet it is, and of the names."""

HATCHING = 2.2 * MM
"""The distance of the lines of the hatching."""


def sheets(header: Header, sheet: RoundSheet | None, rules: PrintedRules) -> bytes:
    """Two pages for each game of the round, the starter's first; without a round one blank pair."""
    paper = Paper(header, _("Score sheet"), aside=NUMBERS + 4 * MM)
    games: tuple[Slip, ...] = (sheet.games if sheet else ()) or (None,)
    for game, is_starter in paper.pages([(game, is_starter) for game in games for is_starter in (True, False)]):
        paper.stamp(lambda: _form(paper, rules))
        numbers(paper, sheet, game)
        _role(paper, Box(paper.content.x, paper.content.y, paper.content.width, ROLE), is_starter=is_starter)
        known = bool(sheet and sheet.balanced and game)
        first, second = (game.first, game.second) if game else (None, None)
        people = (first, second) if is_starter else (second, first)
        for half, person, label in zip(_halves(paper), people, (_("Name:"), _("Opponent:")), strict=True):
            _name(paper, replace(half, height=NAME), person if known else None, label)
    return paper.done()


def _halves(paper: Paper) -> tuple[Box, ...]:
    """The room of the player's own turns, which have more columns, and of the opponent's; below the band."""
    box = paper.content
    return Box(box.x, box.y + ROLE, box.width, box.height - ROLE).columns(11, 9, gap=5 * MM)


def _form(paper: Paper, rules: PrintedRules) -> None:
    """Everything that is the same on every page."""
    halves = (Box(half.x, half.y + NAME, half.width, half.height - NAME) for half in _halves(paper))
    turns_and_sums(paper, list(zip(halves, (OWN, OTHER), strict=True)), rules)


def _role(paper: Paper, box: Box, *, is_starter: bool) -> None:
    """Whose page it is: a white band for the starter, a hatched one for the other player."""
    label = _("White sheet: starts") if is_starter else _("Marked sheet: replies")
    room = Box(box.x + box.width / 2 - 35 * MM, box.y, 70 * MM, box.height)
    if not is_starter:
        _hatch(paper, box)
        paper.fill(room, shade=1)
    paper.frame(box, weight=0.9)
    paper.write(room, label, size=11, bold=True, align=Align.CENTRE)


def _hatch(paper: Paper, box: Box) -> None:
    """Slanting lines across a box."""
    x = box.x
    while x + box.height <= box.right:
        paper.rule(x, box.bottom, x + box.height, box.y, weight=1.4)
        x += HATCHING


def _name(paper: Paper, box: Box, person: PairedPlayer | None, label: str) -> None:
    """A player's name, or a line for it."""
    words = Box(box.x, box.y, 17 * MM, box.height)
    paper.write(words, label, size=8)
    name = Box(words.right, box.y, box.width - words.width, box.height)
    if person is None:
        paper.rule(name.x, name.bottom - 2 * MM, name.right, name.bottom - 2 * MM)
    else:
        paper.write(name, person.name, size=13, bold=True)
