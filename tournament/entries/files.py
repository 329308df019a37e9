"""The register, and the entries of a division, as lists for other programs, which an import here reads back."""

from typing import Any

from django.utils.translation import gettext as _

from tournament.basics.cells import CellValue, build_csv
from tournament.core.words.outcomes import format_withdrawal
from tournament.entries.operations.numbers import format_list_number, format_number_heading, name_systems
from tournament.models import Division, Entry, Organiser, Player
from tournament.table.league import load_boards


def build_register_csv(organiser: Organiser) -> bytes:
    """All players by name, with the numbers of each federation in a column of its own. Two queries."""
    players = Player.objects.current().filter(organiser=organiser).select_related("club").prefetch_related("numbers")
    listed = list(players.by_name())
    systems = name_systems(sorted({number.system for player in listed for number in player.numbers.all()}))
    heads = map(format_number_heading, systems.values())
    rows: list[list[CellValue]] = [
        [_("Name"), _("Club"), _("Rating"), _("Lifetime games"), _("E-mail"), _("Phone"), *heads]
    ]
    for player in listed:
        numbers = {number.key[0]: format_list_number(number) for number in player.numbers.all()}
        club = player.club.name if player.club else ""
        own: list[CellValue] = [player.name, club, player.rating, player.games, player.email, player.phone]
        rows.append([*own, *(numbers.get(system, "") for system in systems)])
    return build_csv(rows)


def build_entries_csv(division: Division) -> bytes:
    """The entries of a division by name, whoever has withdrawn included, with what an import reads of them, and last
    what it does not. Two queries at most."""
    boards = load_boards(division)
    has_teams = boards is not None
    heads = [_("No."), _("Name"), _("Club"), _("Rating"), _("Lifetime games"), _("Division")]
    rows: list[list[CellValue]] = [[*heads, *([_("Team"), _("Board")] if has_teams else []), _("Remark")]]
    for entry in Entry.objects.filter(division=division).with_names().by_name():
        club = entry.club.name if entry.club else ""
        team: list[CellValue] = [entry.listed_team, (boards or {}).get(entry.pk, "")] if has_teams else []
        own: list[CellValue] = [entry.key, entry.player.name, club, entry.rating, entry.games, division.name]
        rows.append([*own, *team, format_withdrawal(entry)])
    return build_csv(rows)


def build_entries_json(division: Division) -> list[dict[str, Any]]:
    """The same entries by docs/formats.md."""
    boards = load_boards(division)
    return [
        {
            "id": entry.key,
            "name": entry.player.name,
            "club": entry.club.name if entry.club else None,
            "rating": entry.rating,
            "games": entry.games,
            "division": division.name,
            "withdrawn_after": entry.withdrawn_after,
            **({} if boards is None else {"team": entry.listed_team, "board": boards.get(entry.pk)}),
        }
        for entry in Entry.objects.filter(division=division).with_names().by_name()
    ]
