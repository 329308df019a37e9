"""The code on a certificate, by which anybody can ask the event's public page whether it still holds. No code is
stored: it is worked out from the installation's key, the event, the entry's number and the place. Three of its letters
stand for the entry alone, so that the page finds whose certificate it is, and which place stands on it, without trying
every player with every place."""

import hmac
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from scoring.final_ranking import FinalPlace, PlacedBy
from tournament.access.codes import ACCESS_CODE_LETTERS, make_proof, spell_digest, tidy_access_code
from tournament.core.public_view import PublicView
from tournament.ending.final_ranking import FinalRow, load_final_ranking
from tournament.ending.words import describe_place
from tournament.models import Entry, Tournament

ENTRY_LENGTH, PLACE_LENGTH = 3, 7
"""Letters of a code: 31 to the 7th is 27,000,000,000, and a code that is tried must be right in all seven."""

CODE_LENGTH, GROUP = ENTRY_LENGTH + PLACE_LENGTH, 5

MIRRORED_KEY = "key"


def load_mirrored_key(tournament: Tournament, _view: PublicView) -> dict[str, str]:
    """What a mirror needs to check the codes of this event, and no other's, as a part of the public state. A mirror
    shows it to nobody."""
    return {MIRRORED_KEY: get_certificate_key(tournament)}


def check_mirrored_key(_log: object, part: Any) -> None:
    """Whether this is such a part, or none. Raises KeyError or TypeError if it is not."""
    if part and not isinstance(part[MIRRORED_KEY], str):
        raise TypeError


def get_certificate_key(tournament: Tournament) -> str:
    """The key of an event's codes, which only this installation can work out; at a mirror that of the hall, "" before
    it has said it. One query there."""
    if tournament.mirror is not None:
        return str(tournament.mirror.load_part("certificates").get(MIRRORED_KEY, ""))
    # By the moment at which the event was made, which stays: its address may be changed, and its row has another key on
    # another machine.
    return make_proof("certificates", tournament.created_at.isoformat())


def make_certificate_code(key: str, entry: Entry, ranked: FinalPlace) -> str:
    """The code of an entry's certificate with this place, as it is printed; `key` is the event's."""
    code = _spell_entry(key, entry) + _spell_place(key, entry, ranked)
    return "-".join(code[at : at + GROUP] for at in range(0, CODE_LENGTH, GROUP))


def _spell_entry(key: str, entry: Entry) -> str:
    digest = hmac.digest(key.encode(), f"entry {entry.key}".encode(), "sha256")
    return spell_digest(digest, ACCESS_CODE_LETTERS, ENTRY_LENGTH)


def _spell_place(key: str, entry: Entry, ranked: FinalPlace) -> str:
    # By the number of the entry: a mirror, and an event read in again, have other keys for the same rows.
    text = f"place {entry.key} {ranked.place or 0} {ranked.shared:d}"
    return spell_digest(hmac.digest(key.encode(), text.encode(), "sha256"), ACCESS_CODE_LETTERS, PLACE_LENGTH)


@dataclass(frozen=True, slots=True)
class CheckedCertificate:
    """Whose certificate has a code, and which place stands on it. `row`: theirs in the final ranking as it stands, None
    while it is not final or the reader may not see it. `players`: how many a place is out of."""

    entry: Entry
    printed: FinalPlace
    row: FinalRow | None
    is_final: bool
    players: int

    @property
    def is_valid(self) -> bool:
        """Whether a certificate printed now would have the same code."""
        return (
            self.is_certified
            and self.row is not None
            and (self.row.ranked.place, self.row.ranked.shared) == (self.printed.place, self.printed.shared)
        )

    @property
    def is_certified(self) -> bool:
        """Whether there is a certificate for the player at all."""
        return self.row is not None and self.entry.is_certified

    @property
    def printed_place(self) -> str:
        """The place on the certificate, as a heading."""
        return describe_certified_place(self.printed)

    @property
    def place_now(self) -> str:
        return describe_certified_place(self.row.ranked) if self.row is not None else ""


def describe_certified_place(ranked: FinalPlace) -> str:
    """The place as a certificate says it."""
    return _("Took part") if ranked.place is None else describe_place(ranked)


def find_certificate(tournament: Tournament, text: str) -> CheckedCertificate | None:
    """The certificate of the event that has a code, also one whose place was corrected since; None if none has it. One
    query, and for a code that a certificate has those of the final ranking."""
    code, key = tidy_access_code(text), get_certificate_key(tournament)
    # A mirror has no key before the hall has told it. With an empty one anybody could work codes out.
    if not key or len(code) != CODE_LENGTH:
        return None
    entries = list(tournament.entries.with_names().select_related("division"))
    # The search goes on behind the first: three letters are soon those of two players, and the other seven tell which.
    for entry in entries:
        if not _is_same(_spell_entry(key, entry), code[:ENTRY_LENGTH]):
            continue
        # As many places as the whole event has players, not the division: somebody may have been moved to a smaller one
        # since.
        for ranked in _list_places(entry, len(entries)):
            if _is_same(_spell_place(key, entry, ranked), code[ENTRY_LENGTH:]):
                entry.division.tournament = tournament
                ranking = load_final_ranking(entry.division)
                rows = [row for row in ranking.rows if row.entry.pk == entry.pk] if ranking.is_final else []
                return CheckedCertificate(
                    entry, ranked, rows[0] if rows else None, is_final=ranking.is_final, players=ranking.certified_count
                )
    return None


def _is_same(one: str, other: str) -> bool:
    # As bytes: of two texts `compare_digest` takes ASCII alone, and what is typed may be anything, half a surrogate
    # pair included.
    return hmac.compare_digest(one.encode(), other.encode("utf-8", "replace"))


def _list_places(entry: Entry, players: int) -> Iterator[FinalPlace]:
    """Every place that somebody may have had among so many players."""
    yield FinalPlace(entry.pk, by=PlacedBy.TABLE)
    for place in range(1, players + 1):
        for shared in (False, True):
            yield FinalPlace(entry.pk, place, PlacedBy.TABLE, shared=shared)
