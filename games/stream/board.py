"""What the stream of a table shows: the board so far, both players, their scores, the last play. No rack, no bag."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.models import Line, Scoresheet
from games.shared.board_picture import BoardPicture
from games.sheets.page import SheetPage
from tournament.models import Pairing, Round
from tournament.models.play import official_by, seats_by
from tournament.words import figures

ORDER = (Scoresheet.Keeper.OTHER, Scoresheet.Keeper.FIRST, Scoresheet.Keeper.SECOND)
"""Whose sheet is shown where there are several and none is agreed: a helper's, who types for the stream, first."""


@dataclass(frozen=True, slots=True)
class StreamedPlayer:
    """A player of the streamed table; `is_next`: it is their turn."""

    name: str
    points: str
    is_next: bool


@dataclass(frozen=True, slots=True)
class Streamed:
    """The streamed table as its page shows it; `last` is the last line that was typed, in words."""

    players: tuple[StreamedPlayer, StreamedPlayer]
    board: BoardPicture
    last: str


def of(round: Round, table: int) -> Streamed | None:
    """The board of a table in a public round; None if nobody sits there, or nothing is typed yet. Six queries."""
    sheets = Scoresheet.objects.filter(pairing__round=round, pairing__table=table, pairing__kind=Pairing.Kind.GAME)
    sheets = sheets.select_related("pairing").prefetch_related(
        seats_by("pairing__seats"), official_by("pairing__results")
    )
    found = sorted(sheets, key=lambda each: (not each.agreed, ORDER.index(Scoresheet.Keeper(each.keeper))))
    if not found:
        return None
    found[0].pairing.round = round
    return _streamed(SheetPage(found[0]))


def _streamed(page: SheetPage) -> Streamed:
    is_over = page.count.over is not None or page.scoresheet.is_finished
    first, second = (
        StreamedPlayer(
            name=name,
            points=figures.points(half.final if is_over else half.total),
            is_next=not is_over and page.next_side == side,
        )
        for side, (name, half) in enumerate(zip(page.full_names, page.count.halves, strict=True), 1)
    )
    return Streamed((first, second), page.board, _last(page))


def _last(page: SheetPage) -> str:
    """The last line: who, what, for how much. What somebody exchanged is not told."""
    if not page.rows:
        return ""
    row = page.rows[-1]
    words = {"name": row.name, "points": figures.points(row.counted.points)}
    if row.line.kind == Line.Kind.PLAY:
        return _("%(name)s: %(word)s, %(points)s points") % {**words, "word": row.line.word.upper()}
    return _("%(name)s: %(what)s") % {**words, "what": row.what}
