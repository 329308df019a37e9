"""Which games are public, and where to step through them. One query each."""

from dataclasses import dataclass

from django.db.models import QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Scoresheet
from tournament.models import Entry, Pairing, Round, Seat, Tournament
from tournament.models.play import official_by, seats_by
from tournament.queries import public_view
from tournament.showing import Step


@dataclass(frozen=True, slots=True)
class PublicGame:
    """A game that anybody may step through."""

    table: int | None
    round: Round
    first: str
    second: str
    address: str


def sheets() -> "QuerySet[Scoresheet]":
    """The published sheets of published rounds, as far as their results are seen, with their players."""
    return (
        Scoresheet.objects.filter(public_view.rounds("pairing__round", Step.RESULTS), is_public=True)
        .exclude(pairing__round__state=Round.State.DRAFT)
        .select_related("pairing__round__division__tournament")
        .prefetch_related(seats_by("pairing__seats"))
    )


def sheet_of(tournament: Tournament, pk: int) -> Scoresheet:
    """The published sheet of a pairing of this tournament; 404 if there is none."""
    found = sheets().filter(pairing__pk=pk, pairing__round__division__tournament=tournament)
    sheet = found.prefetch_related(official_by("pairing__results")).order_by("pk").first()
    if sheet is None or sheet.pairing.second is None:
        raise Http404(_("There is no public game here."))
    sheet.pairing.round.division.tournament = tournament
    return sheet


def of_round(round: Round) -> list[PublicGame]:
    """The public games of a round, by table."""
    return [_game(sheet.pairing) for sheet in sheets().filter(pairing__round=round).order_by("pairing__table", "pk")]


def of_entry(entry: Entry) -> list[PublicGame]:
    """The public games of a player, by round."""
    mine = Seat.objects.filter(entry=entry).values("pairing")
    return [
        _game(sheet.pairing) for sheet in sheets().filter(pairing__in=mine).order_by("pairing__round__number", "pk")
    ]


def _game(pairing: Pairing) -> PublicGame:
    second = pairing.second.name if pairing.second else ""
    address = reverse("games:replay", args=[pairing.round.division.tournament.slug, pairing.pk])
    return PublicGame(pairing.table, pairing.round, pairing.first.name, second, address)
