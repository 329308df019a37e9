"""The register as a list for other programs, which an import here reads back."""

from django.utils.translation import gettext as _

from tournament.basics.cells import CellValue, build_csv
from tournament.entries.operations.numbers import format_list_number, format_number_heading
from tournament.models import Organiser, Player


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
