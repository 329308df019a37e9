"""The turns of a game in which a word was laid, as its score sheet has them: to pick the one that was wrong."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Count
from django.utils.translation import gettext as _

from games.models import Line, Scoresheet
from games.sheets import reading
from games.sheets.written import WrittenLine
from scoring import sheet, wrong_words
from tournament.models import Pairing
from tournament.words import figures, namesakes


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A turn of a sheet: whose, where on it, what was laid, and what it counts."""

    number: int
    side: int
    name: str
    text: str
    points: int

    @property
    def key(self) -> str:
        """What a form calls it."""
        return str(self.number)

    def __str__(self) -> str:
        told = {"number": self.number, "name": self.name, "text": self.text, "points": figures.points(self.points)}
        if not self.text:
            return _("line %(number)s, %(name)s: %(points)s points") % told
        return _("line %(number)s, %(name)s: %(text)s, %(points)s points") % told


def of(pairing: Pairing) -> tuple[PlayedTurn, ...]:
    """The turns of a game in which a word was laid: as the sheet agreed on has them, else the longest one.

    None where no sheet was written. The pairing has its players fetched. Two queries.
    """
    kept = Scoresheet.objects.filter(pairing=pairing).annotate(written=Count("lines"))
    paper = kept.order_by("-agreed", "-written", "pk").first()
    return () if paper is None else tuple(_turns(paper, pairing))


def _turns(paper: Scoresheet, pairing: Pairing) -> Iterator[PlayedTurn]:
    rows = list(Line.objects.filter(scoresheet=paper).order_by("number"))
    whole = sheet.count(reading.sheet_of(paper, rows), pairing.round.division.tournament.rules)
    names = namesakes.both(pairing)
    found = [turn for side in sheet.Side for turn in wrong_words.turns(whole, side)]
    for turn in sorted(found, key=lambda turn: turn.number):
        written = WrittenLine.of(rows[turn.number - 1])
        text = " ".join(part for part in (written.position, written.word) if part)
        yield PlayedTurn(turn.number, int(turn.line.side), names[turn.line.side - 1], text, turn.points)
