"""Registrations as a file for spreadsheet programs."""

from collections.abc import Iterator

from django.utils import timezone
from django.utils.translation import gettext as _

from tournament.exchange import cells
from tournament.models import Tournament
from tournament.queries import registrations
from tournament.queries.registrations import RegistrationRow


def as_csv(tournament: Tournament) -> bytes:
    """Every registration with its address, in the order of the page. Three queries."""
    return cells.csv_file(_lines(tournament))


def _lines(tournament: Tournament) -> Iterator[list[cells.Cell]]:
    yield [
        _("Name"), _("Club"), _("Rating"), _("Division"), _("State"), _("Waiting list"), _("Fee paid"), _("No."),
        _("Registered"), _("E-mail"),
    ]  # fmt: skip
    for group in registrations.groups(tournament):
        for row in group.rows:
            yield _line(row)


def _line(row: RegistrationRow) -> list[cells.Cell]:
    one = row.registration
    at = timezone.localtime(one.at)
    return [
        one.name,
        one.club,
        one.rating,
        one.division.name,
        one.get_state_display(),
        row.number or None,
        _("yes") if one.fee_paid else _("no"),
        one.entry.key if one.entry else "",
        f"{at:%Y-%m-%d %H:%M}",
        row.email,
    ]
