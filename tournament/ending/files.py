"""The final ranking as plain text, for e-mails and club papers: nothing is lined up, since their letters differ in
width."""

from collections.abc import Callable, Iterable
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.core.records import list_divisions
from tournament.core.words.figures import NO_FIGURE, format_half_wins, format_signed
from tournament.ending.paper import FinalLine, FinalSheet, PrizeLine, build_final_sheet
from tournament.ending.queries import FinalRanking
from tournament.models import Division, Tournament
from tournament.paper.documents import make_header

# The final ranking as other programs read it.


def build_final_ranking_json(found: FinalRanking) -> list[dict[str, Any]]:
    """Each row in order: place, player, name, and what gave the place; null for both while somebody still plays."""
    return [
        {
            "place": row.ranked.place,
            "player": row.entry.key,
            "name": row.entry.name,
            "by": row.ranked.by.value if row.ranked.by else None,
        }
        for row in found.rows
    ]


SESSION_TABLE_WRITERS: list[Callable[[Division], Iterable[str]]] = []
"""How the table of a session reads, whose players are not paired; filled by the app above when it is ready."""


def format_final_report(tournament: Tournament) -> str:
    """The event's name, place and days, then each division's ranking and prizes, in the active language."""
    divisions = list_divisions(tournament)
    blocks = [_list_heading_lines(divisions[0])] if divisions else [[tournament.name]]
    for division in divisions:
        first, *others = _list_division_blocks(division)
        blocks += [[division.name, *first] if len(divisions) > 1 else first, *others]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _list_heading_lines(division: Division) -> list[str]:
    header = make_header(division, timezone.now())
    return [header.event, *filter(None, [", ".join(filter(None, [header.place, header.dates]))])]


def _list_division_blocks(division: Division) -> list[list[str]]:
    if not division.tournament.rules.is_paired:
        return [[line for lines in SESSION_TABLE_WRITERS for line in lines(division)]]
    return format_final_blocks(build_final_sheet(division))


def format_final_blocks(sheet: FinalSheet) -> list[list[str]]:
    """The ranking, the prizes that somebody wins, and what is to be known of both."""
    won = [_format_prize_line(prize) for prize in sheet.prizes if prize.winners]
    return [
        [format_final_line(each) for each in sheet.lines] or [_("Nobody has been entered yet.")],
        [_("Prizes"), *won] if won else [],
        list(sheet.notes),
    ]


def format_final_line(row: FinalLine) -> str:
    """One player: 1. Beispiel, Anna (SC Fulda) 7 wins, +512."""
    club = f" ({row.club})" if row.club else ""
    told = row.how if row.in_match else _format_wins_and_spread(row)
    mark = f", {row.mark}" if row.mark else ""
    return f"{format_place_number(row.place)} {row.name}{club} {told}".rstrip() + mark


def format_place_number(place: str) -> str:
    """A place as a list has it: with a stop, but not the dash of those who have none."""
    return place if place == NO_FIGURE else f"{place}."


def _format_wins_and_spread(row: FinalLine) -> str:
    if row.half_wins is None:
        return ""
    wins = ngettext("%(wins)s win", "%(wins)s wins", 1 if 1 <= row.half_wins <= 2 else 2)
    return f"{wins % {'wins': format_half_wins(row.half_wins)}}, {format_signed(row.spread)}"


def _format_prize_line(prize: PrizeLine) -> str:
    title = f"{prize.title} ({prize.award})" if prize.award else prize.title
    winners = (f"{name}, {by}" if by else name for name, by in prize.winners)
    return f"{title}: {'; '.join(winners)}"
