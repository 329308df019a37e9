"""What each slice's paper needs: titled documents, every page's header, and a page that says why it is empty."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime

from django.utils import formats, timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.basics.refusals import Refusal
from tournament.core.records import list_divisions
from tournament.models import Division, Round
from tournament.paper.cutting import render_notice
from tournament.paper.sheet import PaperHeader


class UnknownDocument(Refusal):
    code = "unknown_document"
    message = gettext_lazy("There is no document “%(name)s”. Allowed are: %(allowed)s.")


@dataclass(frozen=True, slots=True)
class Document:
    """A document's title and how it is made for a division and a round (None: the latest, see the functions)."""

    title: str | Promise
    render: Callable[[PaperHeader, Division, Round | None], bytes]


def make_header(division: Division, printed_at: datetime | None = None, address: str = "") -> PaperHeader:
    """The event as named on every page, printed now unless a time is given. One query."""
    tournament = division.tournament
    alone = len(list_divisions(tournament)) == 1
    return PaperHeader(
        event=tournament.name,
        printed_at=printed_at or timezone.now(),
        division="" if alone else division.name,
        place=tournament.place,
        dates=_format_days(tournament.starts_on, tournament.ends_on),
        address=address,
    )


def _format_days(first: date | None, last: date | None) -> str:
    days = [formats.date_format(day) for day in dict.fromkeys((first, last)) if day is not None]
    return " – ".join(days)


def render_no_round(header: PaperHeader, title: str) -> bytes:
    return render_notice(header, title, _("There is no round to print yet."))
