"""Rows outside of an event that its own refer to: players and clubs of the register, accounts, word lists."""

from collections.abc import Collection, Mapping
from typing import Any

from django.db import models

from tournament.exchange import storing
from tournament.exchange.archive.numbering import Keys
from tournament.exchange.archive.survey import Survey
from tournament.exchange.values import PlayerData
from tournament.models import Club, JournalEntry, Player
from tournament.operations.change import Change

Outside = dict[type[models.Model], Keys]


def still_here(survey: Survey) -> Outside:
    """Those that this database still has, each standing for itself."""
    return {
        model: {pk: pk for pk in model._default_manager.filter(pk__in=found).values_list("pk", flat=True)}
        for model, found in survey.outside.items()
    }


def lost(survey: Survey, here: Outside) -> dict[int, PlayerData]:
    """Players that the register no longer has, as any journal last saw them."""
    missing = survey.outside[Player] - here.get(Player, {}).keys()
    if not missing:
        return {}
    clubs: dict[int, str] = {}
    found: dict[int, Mapping[str, Any]] = {}
    for rows in JournalEntry.objects.order_by("pk").values_list("rows", flat=True).iterator():
        for table, pk, before, after in rows:
            if table == "club":
                clubs[pk] = (after or before)["name"]
            if table == "player" and pk in missing:
                found[pk] = after or before
    clubs |= dict(Club.objects.values_list("pk", "name"))
    return {
        pk: PlayerData(
            id=str(pk),
            name=row["name"],
            club=clubs.get(row["club_id"]),
            rating=row["rating"],
            games=row["games"],
        )
        for pk, row in found.items()
    }


def registered(log: Change, wanted: Mapping[int, PlayerData], clubs: Mapping[int, str]) -> Outside:
    """Players and clubs of this register under the names given, made where there are none; by their keys elsewhere."""
    named = storing.clubs_named(log, {*clubs.values(), *(each.club for each in wanted.values() if each.club)})
    players = storing.known_players(log, list(wanted.values()), named)
    return {
        Player: {pk: players[each.id].pk for pk, each in wanted.items()},
        Club: {pk: club.pk for pk, name in clubs.items() if (club := named[name]) is not None},
    }


def joined(one: Outside, other: Outside) -> Outside:
    """Both together."""
    tables: Collection[type[models.Model]] = one.keys() | other.keys()
    return {model: {**one.get(model, {}), **other.get(model, {})} for model in tables}
