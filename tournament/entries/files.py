"""The register, and the entries of a division, as lists for other programs, which an import here reads back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from tournament.basics.cells import CellValue, build_csv
from tournament.core.words.outcomes import format_withdrawal
from tournament.entries.operations.numbers import format_list_number, format_number_heading
from tournament.models import Division, Entry, Organiser, Player
from tournament.table.league import load_boards


def build_register_csv(organiser: Organiser) -> bytes:
    """All players by name, with the numbers of each federation in a column of its own. Two queries."""
    players = Player.objects.current().filter(organiser=organiser).select_related("club").prefetch_related("numbers")
    listed = list(players.by_name())
    systems = sorted({number.system for player in listed for number in player.numbers.all()})
    heads = map(format_number_heading, systems)
    rows: list[list[CellValue]] = [
        [_("Name"), _("Club"), _("Rating"), _("Lifetime games"), _("E-mail"), _("Phone"), *heads]
    ]
    for player in listed:
        numbers = {number.system: format_list_number(number) for number in player.numbers.all()}
        club = player.club.name if player.club else ""
        own: list[CellValue] = [player.name, club, player.rating, player.games, player.email, player.phone]
        rows.append([*own, *(numbers.get(system, "") for system in systems)])
    return build_csv(rows)


@dataclass(frozen=True, slots=True)
class ListedEntries:
    """The entries of a division by name, and in an event with teams the place of each in the team's order."""

    division: Division
    entries: list[Entry]
    boards: Mapping[int, int] | None


def list_listed_entries(division: Division) -> ListedEntries:
    """Everybody who is entered in a division, whoever has withdrawn included. Two queries at most."""
    entries = Entry.objects.filter(division=division).with_names().by_name()
    return ListedEntries(division, list(entries), load_boards(division))


def build_entries_csv(listed: ListedEntries) -> bytes:
    """The entries with what an import reads of them, last what it does not."""
    has_teams = listed.boards is not None
    heads = [_("No."), _("Name"), _("Club"), _("Rating"), _("Lifetime games"), _("Division")]
    rows: list[list[CellValue]] = [[*heads, *([_("Team"), _("Board")] if has_teams else []), _("Remark")]]
    for entry in listed.entries:
        club = entry.club.name if entry.club else ""
        team: list[CellValue] = [entry.listed_team, (listed.boards or {}).get(entry.pk, "")] if has_teams else []
        own: list[CellValue] = [entry.key, entry.player.name, club, entry.rating, entry.games, listed.division.name]
        rows.append([*own, *team, format_withdrawal(entry)])
    return build_csv(rows)


def build_entries_json(listed: ListedEntries) -> list[dict[str, Any]]:
    """The entries by docs/formats.md."""
    return [
        {
            "id": entry.key,
            "name": entry.player.name,
            "club": entry.club.name if entry.club else None,
            "rating": entry.rating,
            "games": entry.games,
            "division": listed.division.name,
            "withdrawn_after": entry.withdrawn_after,
            **({} if listed.boards is None else {"team": entry.listed_team, "board": listed.boards.get(entry.pk)}),
        }
        for entry in listed.entries
    ]
