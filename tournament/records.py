"""Which tables make up a tournament, and how their rows lead to it: for the journal, undo and deleting a tournament.

An app above adds its own tables and verbs when it is ready (`games.apps`); nothing here knows about them.
"""

from typing import Any

from django.db import models

from tournament.models import (
    Absence,
    Club,
    Division,
    Entry,
    KeptApart,
    Knockout,
    Lot,
    MatchLot,
    NotRecorded,
    Pairing,
    Player,
    Prize,
    Result,
    Round,
    Seat,
    Seed,
    Tournament,
)

OWNED: dict[type[models.Model], str] = {
    Tournament: "pk",
    Division: "tournament",
    Entry: "tournament",
    KeptApart: "one__tournament",
    Absence: "entry__tournament",
    Lot: "division__tournament",
    Knockout: "division__tournament",
    Seed: "knockout__division__tournament",
    NotRecorded: "knockout__division__tournament",
    MatchLot: "knockout__division__tournament",
    Prize: "division__tournament",
    Round: "division__tournament",
    Pairing: "round__division__tournament",
    Seat: "round__division__tournament",
    Result: "pairing__round__division__tournament",
}
"""The way from each table's rows to their tournament; what hangs on others comes after them."""

REGISTER: tuple[type[models.Model], ...] = (Club, Player)
"""Tables that the journal writes of and that belong to no tournament."""


def add(owned: dict[type[models.Model], str]) -> None:
    """Add an app's tables, each with the lookup of its tournament; a table that refers to another comes after it."""
    OWNED.update(owned)


def has_records(round: Round) -> bool:
    """Whether an app above keeps something of a round's games (score sheets, photos, the referee's log)."""
    kept = [model for model, way in OWNED.items() if way.startswith("pairing__") and model is not Result]
    return any(model._default_manager.filter(pairing__round=round).exists() for model in kept)


def model_of(table: str) -> type[models.Model]:
    """The model that a journal row names. Raises KeyError for a table that nobody has added."""
    return {(model._meta.model_name or ""): model for model in (*OWNED, *REGISTER)}[table]


def rows_of(model: type[models.Model], tournament: Tournament) -> models.QuerySet[Any]:
    """A tournament's rows of one table, in the order they were made."""
    return model._default_manager.filter(**{OWNED[model]: tournament.pk}).order_by("pk")
