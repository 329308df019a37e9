"""Online entry: whether, when and how a tournament takes registrations."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils.translation import gettext_lazy as _

from tournament import limits
from tournament.models import OnlineEntry, Tournament
from tournament.operations import waiting_list
from tournament.operations.change import Actor, change
from tournament.refusals import NotPrintable, Refusal, Refusals, out_of_range, too_long
from tournament.words.registrations import moment


@dataclass(frozen=True, slots=True)
class Terms:
    """What the director sets; see `models.OnlineEntry`."""

    is_on: bool = False
    opens_at: datetime | None = None
    closes_at: datetime | None = None
    places: int | None = None
    by_director: bool = False
    asks_rating: bool = False
    is_listed: bool = False
    fee: str = ""
    note: str = ""

    @staticmethod
    def of(stored: OnlineEntry | None) -> "Terms":
        """As they are stored; those of a tournament that was never set up are the defaults."""
        if stored is None:
            return Terms()
        return Terms(**{name: getattr(stored, name) for name in Terms.__dataclass_fields__})


class ClosesBeforeItOpens(Refusal):
    code = "closes_before_it_opens"
    message = _("Registrations would close at %(closes)s, before they open at %(opens)s. Choose a later time.")
    field = "closes_at"


def is_offered() -> bool:
    """Whether this installation can take registrations: letters confirm them, so it needs a mail server."""
    return bool(settings.MAIL)


def problems(terms: Terms) -> list[Refusal]:
    """Everything that is wrong with the terms."""
    found = out_of_range("places", terms.places, limits.PLACES)
    found += too_long("fee", terms.fee, limits.FEE) + too_long("note", terms.note, limits.ENTRY_NOTE)
    for field, text in (("fee", terms.fee), ("note", " ".join(terms.note.split()))):
        if not text.isprintable():
            found.append(NotPrintable(field=field, value=text))
    if terms.opens_at and terms.closes_at and terms.closes_at <= terms.opens_at:
        found.append(ClosesBeforeItOpens(closes=moment(terms.closes_at), opens=moment(terms.opens_at)))
    return found


def set_up(tournament: Tournament, *, terms: Terms, actor: Actor) -> OnlineEntry:
    """Write how the tournament takes registrations; more places are given to the waiting list at once.

    Whoever has a place keeps it when there are fewer. Raises `Refusals` with all faults.
    """
    if faults := problems(terms):
        raise Refusals(faults)
    values: dict[str, Any] = {name: getattr(terms, name) for name in Terms.__dataclass_fields__}
    with change(tournament, actor=actor, verb="set_up_online_entry") as log:
        stored = waiting_list.settings_of(tournament)
        if stored is None:
            stored = log.create(OnlineEntry(tournament=log.tournament, **values))
        else:
            log.save(stored, **values)
    waiting_list.move_up(tournament, actor=actor)
    return stored
