"""A prepared session as its pages show it: codes, clubs, what they judged differently, the table over all of them."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.duplicate import envelopes
from games.duplicate.page import percent
from games.models import JoinedClub, PreparedSession, Ruling
from games.sealed import clubs, operations
from games.sealed.clubs import JoinedClubs
from scoring import sealed
from scoring.joined import DisputedWord, JoinedTotal, Word
from scoring.sealed import Envelope


@dataclass(frozen=True, slots=True)
class JoinedLine:
    """A row of the table over all clubs."""

    total: JoinedTotal
    name: str
    home: str

    @property
    def percent(self) -> str:
        return percent(self.total.percent)


@dataclass(frozen=True, slots=True)
class DifferenceLine:
    """A word that clubs have judged differently, with what each of them gave."""

    found: DisputedWord
    why: str

    @property
    def word(self) -> str:
        """As the form sends it."""
        return " ".join(map(str, self.found.word))

    @property
    def said(self) -> str:
        """What each club gave."""
        return " · ".join(
            _("%(club)s: %(points)s, refused by the jury") % {"club": each.club, "points": each.points}
            if each.refused
            else _("%(club)s: %(points)s") % {"club": each.club, "points": each.points}
            for each in self.found.verdicts
        )


@dataclass(frozen=True)
class JoinedResults:
    """What several clubs have sent back, worked out."""

    prepared: PreparedSession
    envelope: Envelope
    clubs: tuple[JoinedClub, ...]
    field: JoinedClubs
    rulings: tuple[Ruling, ...]
    is_list_missing: bool

    @property
    def rows(self) -> list[JoinedLine]:
        """The table."""
        field = self.field
        return [
            JoinedLine(each, field.names[each.club, each.player], field.homes[each.club, each.player])
            for each in field.joined.totals()
        ]

    @property
    def differences(self) -> list[DifferenceLine]:
        """The words judged differently, with the reason of a ruling."""
        why = {_word(each): each.why for each in self.rulings}
        return [DifferenceLine(each, why.get(each.word, "")) for each in self.field.joined.differences]


def _word(row: Ruling) -> Word:
    return row.turn, row.position, row.word


def results(row: PreparedSession) -> JoinedResults | None:
    """What clubs have sent back of a session; None before it is sealed. Three queries."""
    envelope = envelopes.of(row.envelope)
    if envelope is None:
        return None
    joined = tuple(JoinedClub.objects.filter(prepared=row).order_by("name", "pk"))
    rulings = tuple(Ruling.objects.filter(prepared=row).order_by("turn", "pk"))
    allows = operations.allows_of(row)
    files = [(club.name, clubs.stored(club.text)) for club in joined]
    field = clubs.field(files, {_word(each): each.points for each in rulings}, allows)
    return JoinedResults(row, envelope, joined, field, rulings, bool(row.words) and allows is None)


def codes(row: PreparedSession, envelope: Envelope) -> list[tuple[int, str]]:
    """The code of each turn by itself."""
    return [(number, sealed.turn_code(envelope.salt, row.code, number)) for number in range(1, len(envelope.turns) + 1)]
