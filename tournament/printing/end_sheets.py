"""The end of an event from its rows: the final ranking, the prizes and the certificates as they are printed."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import letters
from scoring.final_ranking import PlacedBy
from scoring.prizes import PrizeKind, Winner
from tournament import names
from tournament.models import Division, Prize
from tournament.plan.certificate import CertificateText, Placeholder, filled
from tournament.printing import values
from tournament.queries import final
from tournament.queries.final import AwardedPrizes, FinalRanking, FinalRow
from tournament.words import criteria, figures, outcomes
from tournament.words import final as words
from tournament.words import prizes as prize_words

HONOURED = 3
"""Whoever has one of so many first places has a certificate among the winners."""


def final_sheet(division: Division) -> values.FinalSheet:
    """The final ranking as it stands, with the prizes. Twelve queries, five more with a knock-out."""
    found = final.ranking(division)
    awarded = final.awarded(found)
    knockout = found.knockout.knockout if found.knockout else None
    rules = division.tournament.rules
    notes = (
        words.form(found.rounds, knockout, rules),
        words.order(knockout, criteria.order(found.table.ranking, rules)),
        _provisional(found),
    )
    return values.FinalSheet(
        lines=tuple(_line(row, found) for row in found.rows),
        prizes=tuple(_prize(each.prize, each.winners, awarded) for each in awarded.prizes),
        notes=tuple(note for note in notes if note),
    )


def _provisional(found: FinalRanking) -> str:
    """Why the ranking may still change; nothing where it is final."""
    if found.is_held:
        return _("Provisional: not everything is shown yet.")
    return "" if found.is_final else _("Provisional: not everything is played yet.")


def _line(row: FinalRow, found: FinalRanking) -> values.FinalLine:
    entry, standing = row.entry, row.standing
    state = found.knockout
    decided = criteria.decided_by(standing, row.above) if standing and row.above else ""
    how = words.how(row.ranked, state.bracket if state else None, state.names if state else {})
    return values.FinalLine(
        place=words.place(row.ranked),
        name=entry.name,
        club=entry.club.name if entry.club else "",
        how=f"{how}, {decided}" if decided else how,
        half_wins=standing.half_wins if standing else None,
        spread=standing.spread if standing else None,
        mark="" if entry.withdrawn_after is None else outcomes.withdrawn(entry.withdrawn_after),
        in_match=row.ranked.by != PlacedBy.TABLE,
    )


def _prize(prize: Prize, won: final.Won, awarded: AwardedPrizes) -> values.PrizeLine:
    return values.PrizeLine(
        title=prize_words.title(prize),
        award=prize.award,
        winners=tuple((entry.name, won_by(prize, winner, awarded)) for entry, winner in won),
    )


def won_by(prize: Prize, winner: Winner, awarded: AwardedPrizes) -> str:
    """By what somebody wins a prize, with the opponent of the game that it happened in."""
    opponent = awarded.opponent(winner)
    return prize_words.won_by(PrizeKind(prize.kind), winner, opponent.name if opponent else "")


def certificates(division: Division, *, winners: bool = False) -> tuple[values.Certificate, ...]:
    """A certificate for each player in order of the final ranking; with `winners` only for the first three places and
    for whoever wins a prize. Twelve queries, five more with a knock-out."""
    found = final.ranking(division)
    awarded = final.awarded(found)
    honours: dict[int, list[str]] = {}
    for key, text in _honours(awarded):
        honours.setdefault(key, []).append(text)
    return tuple(
        _certificate(row, found, tuple(honours.get(row.entry.pk, ())))
        for row in found.rows
        if not winners or row.entry.pk in honours or (row.ranked.place or HONOURED + 1) <= HONOURED
    )


def _honours(awarded: AwardedPrizes) -> Iterator[tuple[int, str]]:
    """Whoever wins a prize, and what their certificate says of it; a prize for a place is told by the place."""
    for each in awarded.prizes:
        if each.prize.kind == PrizeKind.PLACE and not each.prize.title:
            continue
        title = prize_words.title(each.prize)
        for entry, winner in each.winners:
            by = won_by(each.prize, winner, awarded) if winner.feat else ""
            yield entry.pk, _("%(prize)s: %(by)s") % {"prize": title, "by": by} if by else title


def _certificate(row: FinalRow, found: FinalRanking, honours: tuple[str, ...]) -> values.Certificate:
    count = len(found.rows)
    among = ngettext("of %(count)s player", "of %(count)s players", count) % {"count": count}
    placed = row.ranked.place is not None
    certificate = values.Certificate(
        name=row.entry.name,
        club=row.entry.club.name if row.entry.club else "",
        place=words.place_in_words(row.ranked) if placed else _("Took part"),
        among=among if placed else "",
        honours=honours,
    )
    return _in_own_words(certificate, found.division, _told(row, found))


def _told(row: FinalRow, found: FinalRanking) -> dict[Placeholder, str]:
    """What a player's certificate can name."""
    entry, standing, tournament = row.entry, row.standing, found.division.tournament
    days = dict.fromkeys((tournament.starts_on, tournament.ends_on))
    return {
        Placeholder.NAME: names.spoken(entry.name),
        Placeholder.RANK: words.place(row.ranked),
        Placeholder.PLAYERS: figures.points(len(found.rows)),
        Placeholder.CLUB: entry.club.name if entry.club else "",
        Placeholder.WINS: figures.halves(standing.half_wins if standing else None),
        Placeholder.SPREAD: figures.signed(standing.spread if standing else None),
        Placeholder.EVENT: tournament.name,
        Placeholder.DIVISION: found.division.name,
        Placeholder.TOWN: tournament.place,
        Placeholder.DATE: " – ".join(formats.date_format(day) for day in days if day is not None),
    }


def sample(division: Division) -> values.Certificate:
    """The first certificate, or one for nobody before anybody is entered."""
    written = certificates(division)
    if written:
        return written[0]
    nobody = values.Certificate(name=_("Name"), club="", place="", among="")
    return _in_own_words(nobody, division, dict.fromkeys(Placeholder, figures.NOTHING))


def _in_own_words(
    certificate: values.Certificate, division: Division, told: Mapping[Placeholder, str]
) -> values.Certificate:
    """The certificate with the director's texts, filled in."""
    text = CertificateText.read(division.tournament.certificate)
    said: dict[str, Any] = {name: filled(each, told) for name, each in text.stored().items()}
    return replace(certificate, **said)


def tile_values(division: Division) -> dict[str, int]:
    """What each letter is worth in the event's set of tiles. No query."""
    return {tile.letter: tile.value for tile in letters.LETTER_SETS[division.tournament.rules.letters].tiles}
