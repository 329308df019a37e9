"""What is cut from A4 for the hall, from its rows."""

from django.db.models import Max
from django.urls import reverse

from tournament.models import Division, Entry, Pairing, Wifi
from tournament.operations import access_codes
from tournament.printing.values import PlayerCard


def player_cards(division: Division, address: str, *, only: int | None = None) -> tuple[PlayerCard, ...]:
    """A card for each player by name, or for the `only` entry of this key; whoever has withdrawn needs none. One
    query."""
    entries = Entry.objects.filter(division=division).with_names().by_name()
    found = entries.filter(pk=only) if only is not None else entries.filter(withdrawn_after=None)
    return tuple(_card(entry, division, address) for entry in found)


def _card(entry: Entry, division: Division, address: str) -> PlayerCard:
    entry.tournament = division.tournament
    path = reverse("games:me", args=[access_codes.link(entry)])
    return PlayerCard(entry.name, entry.club.name if entry.club else "", address.rstrip("/") + path)


def wifi(division: Division) -> str:
    """The name of the hall's network, "" while none is noted. One query."""
    found = Wifi.objects.filter(organiser=division.tournament.organiser_id).first()
    return found.name if found else ""


def tables(division: Division) -> list[int]:
    """The numbers of all tables that the division needs: one for two players, and those that were given. Three
    queries."""
    entries = Entry.objects.filter(division=division)
    played = Pairing.objects.filter(round__division=division).aggregate(last=Max("table"))["last"]
    fixed = entries.aggregate(last=Max("fixed_table"))["last"]
    needed = entries.filter(withdrawn_after=None).count() // 2
    return list(range(1, max(needed, played or 0, fixed or 0) + 1))


def people(division: Division) -> list[tuple[str, str]]:
    """The name and club of everybody entered, by name. One query."""
    entries = Entry.objects.filter(division=division, withdrawn_after=None).with_names().by_name()
    return [(entry.name, entry.club.name if entry.club else "") for entry in entries]
