"""A session for several clubs as shown: codes, what clubs judged differently, the table over all as CSV, JSON, text."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from games.models import JoinedClub, PreparedSession, Ruling
from games.sealed.club_files import JoinedClubs, join_club_files, read_joined_file
from games.sessions.session_state import deserialize_envelope, find_word_list, get_listed_words
from games.sessions.tables import TableLine
from scoring.joined import DisputedWord, WordKey
from scoring.sealed import Envelope
from tournament.basics.cells import CellValue, build_csv


@dataclass(frozen=True, slots=True)
class DifferenceLine:
    """A word that clubs have judged differently, with what each of them gave."""

    difference: DisputedWord
    why: str

    @property
    def word(self) -> str:
        """As the form sends it."""
        return " ".join(map(str, self.difference.word))

    @property
    def said(self) -> str:
        """What each club gave."""
        plain, refused = _("%(club)s: %(points)s"), _("%(club)s: %(points)s, refused by the jury")
        return " · ".join(
            (refused if verdict.refused else plain) % {"club": verdict.club, "points": verdict.points}
            for verdict in self.difference.verdicts
        )


# No slots: cached properties need the instance's own dictionary.
@dataclass(frozen=True)
class JoinedResults:
    """What several clubs have sent back, worked out."""

    prepared: PreparedSession
    envelope: Envelope
    clubs: tuple[JoinedClub, ...]
    field: JoinedClubs
    rulings: tuple[Ruling, ...]
    is_list_missing: bool

    @cached_property
    def rows(self) -> list[TableLine]:
        """The table."""
        return make_joined_table(self.field)

    @property
    def differences(self) -> list[DifferenceLine]:
        """The words judged differently, with the reason of a ruling."""
        why = {_get_ruled_word(ruling): ruling.why for ruling in self.rulings}
        return [
            DifferenceLine(difference, why.get(difference.word, "")) for difference in self.field.joined.differences
        ]


def make_joined_table(field: JoinedClubs) -> list[TableLine]:
    """The table over all clubs."""
    rows = [(total, field.players[total.club, total.player]) for total in field.joined.totals()]
    return [TableLine(total, player.name, player.club or "", total.club) for total, player in rows]


def _get_ruled_word(row: Ruling) -> WordKey:
    return row.turn, row.position, row.word


def load_joined_results(row: PreparedSession) -> JoinedResults | None:
    """What clubs have sent back of a session; None before it is sealed. Three queries."""
    envelope = deserialize_envelope(row.envelope)
    if envelope is None:
        return None
    joined = tuple(JoinedClub.objects.filter(prepared=row).order_by("name", "pk"))
    rulings = tuple(Ruling.objects.filter(prepared=row).order_by("turn", "pk"))
    # By the organiser's list for all clubs alike: whether a club had it loaded makes no difference in the common table.
    allows = get_listed_words(find_word_list(row.division, row.letters, row.words))
    files = [(club.name, read_joined_file(club.text)) for club in joined]
    field = join_club_files(files, {_get_ruled_word(ruling): ruling.points for ruling in rulings}, allows)
    return JoinedResults(row, envelope, joined, field, rulings, bool(row.words) and allows is None)


def format_joined_csv(results: JoinedResults) -> bytes:
    """The table as CSV, in the form usual for the reader's language."""
    headings = [_("Rank"), _("Name"), _("Club"), _("Played at"), _("Points"), _("Percent"), _("Solos"), _("Zeroes")]
    rows: list[list[CellValue]] = [[*headings]]
    for line in results.rows:
        total, who = line.total, (line.name, line.club)
        rows.append([total.rank, *who, line.played, total.points, line.percent, total.solos, total.zeroes])
    return build_csv(rows)


def make_joined_json(field: JoinedClubs) -> dict[str, Any]:
    """`{"totals": […], "differences": […]}`: the table, and the words that clubs have judged differently."""
    return {
        "totals": [{**line.make_json(), "name": line.name} for line in make_joined_table(field)],
        "differences": [
            {
                **dict(zip(("turn", "position", "word"), difference.word, strict=True)),
                "given": [{"club": verdict.club, "points": verdict.points} for verdict in difference.verdicts],
                "points": difference.points,
            }
            for difference in field.joined.differences
        ],
    }
