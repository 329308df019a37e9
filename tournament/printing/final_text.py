"""The final ranking as plain text, for e-mails and club papers: nothing is lined up, since their letters differ in
width."""

from collections.abc import Callable, Iterable

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.models import Division, Tournament
from tournament.printing import documents, end_sheets
from tournament.printing.values import FinalLine, FinalSheet, PrizeLine
from tournament.queries import league
from tournament.words import figures

SESSIONS: list[Callable[[Division], Iterable[str]]] = []
"""How the table of a session reads, whose players are not paired; filled by the app above when it is ready."""


def text(tournament: Tournament) -> str:
    """The event's name, place and days, then each division's ranking and prizes, in the active language."""
    divisions = league.divisions(tournament)
    blocks = [_heading(divisions[0])] if divisions else [[tournament.name]]
    for division in divisions:
        first, *others = _blocks(division)
        blocks += [[division.name, *first] if len(divisions) > 1 else first, *others]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _heading(division: Division) -> list[str]:
    header = documents.header(division, timezone.now())
    return [header.event, *filter(None, [", ".join(filter(None, [header.place, header.dates]))])]


def _blocks(division: Division) -> list[list[str]]:
    if not division.tournament.rules.is_paired:
        return [[line for lines in SESSIONS for line in lines(division)]]
    return blocks(end_sheets.final_sheet(division))


def blocks(sheet: FinalSheet) -> list[list[str]]:
    """The ranking, the prizes that somebody wins, and what is to be known of both."""
    won = [_prize(prize) for prize in sheet.prizes if prize.winners]
    return [
        [line(each) for each in sheet.lines] or [_("Nobody has been entered yet.")],
        [_("Prizes"), *won] if won else [],
        list(sheet.notes),
    ]


def line(row: FinalLine) -> str:
    """One player: 1. Beispiel, Anna (SC Fulda) 7 wins, +512."""
    club = f" ({row.club})" if row.club else ""
    told = row.how if row.in_match else _figures(row)
    mark = f", {row.mark}" if row.mark else ""
    return f"{numbered(row.place)} {row.name}{club} {told}".rstrip() + mark


def numbered(place: str) -> str:
    """A place as a list has it: with a stop, but not the dash of those who have none."""
    return place if place == figures.NOTHING else f"{place}."


def _figures(row: FinalLine) -> str:
    if row.half_wins is None:
        return ""
    wins = ngettext("%(wins)s win", "%(wins)s wins", 1 if 1 <= row.half_wins <= 2 else 2)
    return f"{wins % {'wins': figures.halves(row.half_wins)}}, {figures.signed(row.spread)}"


def _prize(prize: PrizeLine) -> str:
    title = f"{prize.title} ({prize.award})" if prize.award else prize.title
    winners = (f"{name}, {by}" if by else name for name, by in prize.winners)
    return f"{title}: {'; '.join(winners)}"
