"""What each slice's paper needs: titled documents, and the header of every page."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

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
    days = [day for day in dict.fromkeys((tournament.starts_on, tournament.ends_on)) if day is not None]
    return PaperHeader(
        event=tournament.name,
        printed_at=printed_at or timezone.now(),
        division="" if alone else division.name,
        place=tournament.place,
        dates=" – ".join(formats.date_format(day) for day in days),
        address=address,
    )


def render_no_round(header: PaperHeader, title: str) -> bytes:
    return render_notice(header, title, _("There is no round to print yet."))
