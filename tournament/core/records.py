"""The tables that make up a tournament, each with the lookup of its tournament: for journal, undo and deletion. An app
above adds its own tables when it is ready (`games.registers`)."""

from collections.abc import Callable
from functools import cache
from typing import Any

from django.db import models
from django.db.models import Exists, OuterRef

from scoring.awards import Outcome
from tournament.core.public_view import build_results_filter
from tournament.models import (
    Absence,
    AccessCode,
    Club,
    ClubPicture,
    Division,
    Entry,
    Hall,
    Invitation,
    KeptApart,
    Knockout,
    Lot,
    MatchLot,
    Member,
    NotRecorded,
    OnlineEntry,
    Organiser,
    Pairing,
    Player,
    PlayerNumber,
    Portrait,
    Prize,
    Registration,
    Result,
    Round,
    SamePerson,
    Screen,
    Season,
    SeasonEvent,
    Seat,
    Seed,
    StreamedTable,
    Tournament,
)


def list_divisions(tournament: Tournament) -> list[Division]:
    """The divisions in order, with tournament and knock-out fetched; `has_games` if a game was played. One query."""
    played = Result.objects.filter(pairing__round__division=OuterRef("pk"), official=True, outcome=Outcome.PLAYED)
    played = played.filter(build_results_filter())
    found = tournament.divisions.select_related("knockout").annotate(has_games=Exists(played))
    return list(found.order_by("position", "pk"))


OWNED_TABLES: dict[type[models.Model], str] = {
    Tournament: "pk",
    Division: "tournament",
    Entry: "tournament",
    Portrait: "entry__tournament",
    KeptApart: "one__tournament",
    Absence: "entry__tournament",
    Lot: "division__tournament",
    Knockout: "division__tournament",
    Seed: "knockout__division__tournament",
    NotRecorded: "knockout__division__tournament",
    MatchLot: "knockout__division__tournament",
    Prize: "division__tournament",
    AccessCode: "tournament",
    OnlineEntry: "tournament",
    Registration: "tournament",
    Hall: "tournament",
    Screen: "tournament",
    StreamedTable: "division__tournament",
    Round: "division__tournament",
    Pairing: "round__division__tournament",
    Seat: "round__division__tournament",
    Result: "pairing__round__division__tournament",
}
"""The lookup of the tournament from each table's rows; a table that refers to another comes after it. An app above
adds its own."""

REGISTER_TABLES: tuple[type[models.Model], ...] = (
    Organiser,
    Member,
    Invitation,
    Club,
    Player,
    PlayerNumber,
    Season,
    SeasonEvent,
    SamePerson,
)
"""Tables in the journal that belong to an organiser, not to a tournament."""

UNARCHIVED_TABLES: list[type[models.Model]] = [ClubPicture]  # of an organiser, in no archive; an app above adds its own
DETAIL_TABLES: dict[str, type[models.Model]] = {}  # the table whose primary key a detail of journal entries is

PICTURE_TABLES: dict[type[models.Model], str] = {Portrait: "entry"}
"""The tables whose rows each name a picture in the uploads folder (`name`, `sha256`), with the lookup of the players
whom it shows or whose game it shows."""

UNSETTLED_COUNTERS: list[Callable[[Round], int]] = []
"""How an app above counts a round's results (`division__tournament` fetched) that are not settled."""


def count_unsettled_in_round(round: Round) -> int:
    """How many results of a round are not settled."""
    return sum(count(round) for count in UNSETTLED_COUNTERS)


def has_game_records(round: Round) -> bool:
    """Whether an app above has records of a round's games (score sheets, photos, the referee's log)."""
    kept = [model for model, way in OWNED_TABLES.items() if way.startswith("pairing__") and model is not Result]
    return any(model._default_manager.filter(pairing__round=round).exists() for model in kept)


def find_referring_row(row: models.Model) -> models.Model | None:
    """A row of an app above that refers to this one (a slip to its player), if any. One query for each table."""
    for model in OWNED_TABLES:
        if model._meta.app_label == row._meta.app_label:
            continue
        for field in model._meta.concrete_fields:
            if field.related_model is type(row):
                found: models.Model | None = model._default_manager.filter(**{field.name: row.pk}).first()
                if found is not None:
                    return found
    return None


@cache
def get_journal_model(table: str) -> type[models.Model]:
    """The model that a journal row names. Raises KeyError for an unknown table."""
    models_known = (*OWNED_TABLES, *REGISTER_TABLES, *UNARCHIVED_TABLES)
    return {model._meta.model_name or "": model for model in models_known}[table]


def list_tournament_rows(model: type[models.Model], tournament: Tournament) -> models.QuerySet[Any]:
    """A tournament's rows of one table, in the order in which they were made."""
    return model._default_manager.filter(**{OWNED_TABLES[model]: tournament.pk}).order_by("pk")
