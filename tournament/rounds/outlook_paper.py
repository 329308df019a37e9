"""A sheet for the wall: pairs of the next round that are announced before the last result."""

from django.utils.translation import gettext as _

from tournament.models import Division, Round
from tournament.paper.documents import render_no_round
from tournament.paper.grid import PrintedCell, PrintedColumn
from tournament.paper.sheet import Paper, PaperHeader
from tournament.rounds.outlook import MARGIN, load_announced_pairs
from tournament.rounds.paper import draw_wall_list


def render_outlook(header: PaperHeader, division: Division, _round: Round | None) -> bytes:
    """What is announced of the next round; a notice if that is nothing."""
    title = _("The next round so far")
    pairs = list(load_announced_pairs(division, division.announced.get("round", 0)).values())
    if not pairs:
        return render_no_round(header, title)
    note = _(
        "These pairs stand however the open games end: won by a margin of up to %(margin)s, or drawn. Tables, and who "
        "starts, are told with the whole round."
    ) % {"margin": MARGIN}
    paper = Paper(header, _("Round %(number)s so far") % {"number": division.announced["round"]}, notes=[note])
    named = sorted(sorted((entry.name for entry in pair), key=str.casefold) for pair in pairs)
    rows = [tuple(PrintedCell(name) for name in (*pair, _("bye"))[:2]) for pair in named]
    half = paper.content.width / 2
    columns = (PrintedColumn(_("Player"), half, wraps=True), PrintedColumn(_("Opponent"), half, wraps=True))
    return draw_wall_list(paper, columns, rows)
