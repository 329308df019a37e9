"""The final ranking as JSON for other programs, and as plain text for e-mails, which does not rely on aligned
columns."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from games.sessions.tables import format_session_standings
from scoring.final_ranking import PlacedBy
from tournament.core.records import list_divisions
from tournament.core.words.figures import NO_FIGURE, format_signed
from tournament.core.words.outcomes import format_withdrawal
from tournament.ending.final_ranking import FinalRanking, FinalRow, load_final_ranking
from tournament.ending.paper import build_final_sheet
from tournament.ending.words import format_place, format_win_count
from tournament.models import Division, Tournament
from tournament.paper.documents import make_header


def build_final_ranking_json(found: FinalRanking) -> list[dict[str, Any]]:
    """Each row in order: place, player, name, and what gave the place; both are null while somebody still plays."""
    return [
        {
            "place": row.ranked.place,
            "player": row.entry.key,
            "name": row.entry.name,
            "by": row.ranked.by.value if row.ranked.by else None,
        }
        for row in found.rows
    ]


def format_final_report(tournament: Tournament) -> str:
    """The event's name, place and days, then each division's ranking and prizes, in the active language."""
    divisions = list_divisions(tournament)
    header = make_header(divisions[0], timezone.now()) if divisions else None
    where = ", ".join(filter(None, [header.place, header.dates])) if header else ""
    blocks = [[tournament.name, where] if where else [tournament.name]]
    for division in divisions:
        first, *others = _list_division_blocks(division)
        blocks += [[division.name, *first] if len(divisions) > 1 else first, *others]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _list_division_blocks(division: Division) -> list[list[str]]:
    """The ranking, the prizes that somebody wins, and the notes on both."""
    if not division.tournament.rules.is_paired:
        return [format_session_standings(division)]
    sheet = build_final_sheet(load_final_ranking(division))
    won = []
    for title, winners in sheet.prizes:
        if winners:
            names = "; ".join(f"{name}, {by}" if by else name for name, by in winners)
            won.append(f"{title}: {names}")
    return [
        [format_final_row(row, sheet.placed_by[row.entry.pk]) for row in sheet.rows]
        or [_("Nobody has been entered yet.")],
        [_("Prizes"), *won] if won else [],
        list(sheet.notes),
    ]


def format_final_row(row: FinalRow, placed_by: str) -> str:
    """One player: 1. Beispiel, Anna (SC Fulda) 7 wins, +512; `placed_by`: what gave the place."""
    entry, standing = row.entry, row.standing
    place = NO_FIGURE if row.ranked.place is None else f"{format_place(row.ranked)}."
    club = f" ({entry.club.name})" if entry.club else ""
    withdrawal = format_withdrawal(entry)
    mark = f", {withdrawal}" if withdrawal else ""
    # What gave the place instead of the table's figures: a finalist may have fewer wins than the third.
    if row.ranked.by != PlacedBy.TABLE:
        figures = placed_by
    elif standing is None:
        figures = ""
    else:
        figures = f"{format_win_count(standing.half_wins)}, {format_signed(standing.spread)}"
    return f"{place} {entry.name_beside_club}{club} {figures}".rstrip() + mark
