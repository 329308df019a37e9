"""Players whom a visitor follows: where each sits and stands, and what each needs in the last rounds."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from tournament.chances.queries import load_last_chances
from tournament.chances.words import describe_needs
from tournament.entries.queries import PlayerPairing, find_current_pairings
from tournament.models import Club, Division, Entry
from tournament.table.following import make_club_name
from tournament.table.league import TableRow, get_last_round_number, list_league_rounds
from tournament.table.public_table import PublicTable, find_current_round_number, load_public_table
from tournament.table.tables import render_row_movement

MOST_NEEDS = 4  # sentences beside a player's name; the page of chances has all


@dataclass(frozen=True, slots=True)
class Followed:
    """A player as their followers see them. `row` is theirs in the current table, if they are in it."""

    entry: Entry
    row: TableRow | None
    playing: PlayerPairing | None
    needs: tuple[str, ...]

    @property
    def club(self) -> str:
        """Their club as an address has it; "" for none."""
        return make_club_name(self.entry.club) if self.entry.club else ""

    @property
    def movement(self) -> SafeString:
        """Places gained or lost since the round before; nothing where there is none."""
        return render_row_movement(self.row) if self.row and self.row.before else SafeString()


def load_current_table(division: Division) -> PublicTable | None:
    """The table that the public sees now, with movements; None before the first. Seven queries."""
    progress = list_league_rounds(division)
    after = find_current_round_number(progress)
    return load_public_table(division, progress, after=after, moves=True) if after else None


def follow_players(division: Division, entries: Collection[Entry], table: PublicTable | None) -> list[Followed]:
    """These players of a division, in their order. Six queries, seven more in the last rounds; none for nobody."""
    if not entries:
        return []
    rows = {row.entry.pk: row for row in table.lines} if table else {}
    playing = find_current_pairings(entries)
    # Worked out once for all who are followed, whatever their number.
    chances = load_last_chances(division, get_last_round_number(division))
    return [
        Followed(
            entry,
            rows.get(entry.pk),
            playing.get(entry.pk),
            tuple(describe_needs(chances.list_needs(entry.pk)[:MOST_NEEDS], chances.names)) if chances else (),
        )
        for entry in entries
    ]


def group_by_club(entries: Iterable[Entry]) -> list[dict[str, Any]]:
    """Players (with clubs) by club, both in the order of names; those without a club last. `name` is how an address
    has the club. No query."""
    entries_by_club: dict[Club | None, list[Entry]] = {}
    for entry in entries:
        entries_by_club.setdefault(entry.club, []).append(entry)
    order = sorted(entries_by_club, key=lambda club: (club is None, club.sort_name if club else ""))
    return [
        {
            "called": club.name if club else "",
            "name": make_club_name(club) if club else "",
            "players": tuple(entries_by_club[club]),
        }
        for club in order
    ]


def follow_across(
    divisions: Iterable[Division], entries: Collection[Entry], shown: Mapping[int, PublicTable | None]
) -> list[Followed]:
    """These players of several divisions, in their order; `shown` are the divisions' tables that are loaded already."""
    followed_by_entry: dict[int, Followed] = {}
    for division in divisions:
        theirs = [entry for entry in entries if entry.division_id == division.pk]
        if theirs:
            # By `in`, not by what is found: None says that the division has no table yet, and need not be loaded again.
            table = shown[division.pk] if division.pk in shown else load_current_table(division)
            followed_by_entry |= {player.entry.pk: player for player in follow_players(division, theirs, table)}
    return [followed_by_entry[entry.pk] for entry in entries]
