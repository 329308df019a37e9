"""Which tables make up a tournament, and how their rows lead to it: for the journal, undo and deleting a tournament.

An app above adds its own tables and verbs when it is ready (`games.registers`); nothing here knows about them.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from django.db import models
from django.db.models import Exists, OuterRef

from scoring.awards import Outcome
from tournament.basics.pictures import get_upload_path, make_file_name, remove_upload, store_foreign_picture
from tournament.core.public_view import build_results_filter
from tournament.models import (
    Absence,
    AccessCode,
    Club,
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
    """The divisions in order; each knows its tournament and its knock-out, if any, without another query. One query.

    `has_games` says whether a game was played to its end.
    """
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
"""The way from each table's rows to their tournament; what hangs on others comes after them."""

REGISTER_TABLES: tuple[type[models.Model], ...] = (
    Organiser,
    Member,
    Invitation,
    Club,
    Player,
    Season,
    SeasonEvent,
    SamePerson,
)
"""Tables that the journal writes of and that belong to an organiser, not to a tournament."""


UNARCHIVED_TABLES: list[type[models.Model]] = []
"""Tables that belong to an organiser and no archive carries; an app above adds its own."""


DETAIL_TABLES: dict[str, type[models.Model]] = {}
"""The details of journal entries that are a row's primary key, each with the row's table."""


@dataclass(frozen=True, slots=True)
class TableFiles:
    """The files that a table's rows name. `entries` leads from a row to the players whom its file shows or tells of.

    `digest` is the column with a file's SHA-256. `keep` takes a row's columns and the content of its file, and returns
    the name it is kept under; it raises ValueError if the content is not what the row says.
    """

    entries: str
    column: str
    digest: str
    path: Callable[[str], Path]
    keep: Callable[[Mapping[str, Any], bytes], str]
    drawn_name: Callable[[], str]
    remove: Callable[[str], None]


def make_picture_files(entries: str) -> TableFiles:
    """Pictures in the uploads folder."""
    return TableFiles(
        entries=entries,
        column="name",
        digest="sha256",
        path=get_upload_path,
        keep=store_foreign_picture,
        drawn_name=make_file_name,
        remove=remove_upload,
    )


FILES_OF_TABLES: dict[type[models.Model], TableFiles] = {Portrait: make_picture_files("entry")}
"""The tables whose rows each have a file in the data folder."""


UNSETTLED_COUNTERS: list[Callable[[Round], int]] = []
"""How an app above counts the results of a round (`division__tournament` fetched) that it does not hold settled."""


def count_unsettled_in_round(round: Round) -> int:
    """How many results of a round are not settled, as the app above counts them."""
    return sum(count(round) for count in UNSETTLED_COUNTERS)


def add_tables(owned: dict[type[models.Model], str]) -> None:
    """Add an app's tables, each with the lookup of its tournament; a table that refers to another comes after it."""
    OWNED_TABLES.update(owned)


def has_game_records(round: Round) -> bool:
    """Whether an app above keeps something of a round's games (score sheets, photos, the referee's log)."""
    kept = [model for model, way in OWNED_TABLES.items() if way.startswith("pairing__") and model is not Result]
    return any(model._default_manager.filter(pairing__round=round).exists() for model in kept)


def find_referring_row(row: models.Model) -> models.Model | None:
    """A row of an app above that refers to this one (a slip of a player), if there is one. A query for each table."""
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
    """The model that a journal row names. Raises KeyError for a table that nobody has added."""
    models_known = (*OWNED_TABLES, *REGISTER_TABLES, *UNARCHIVED_TABLES)
    return {model._meta.model_name or "": model for model in models_known}[table]


def list_tournament_rows(model: type[models.Model], tournament: Tournament) -> models.QuerySet[Any]:
    """A tournament's rows of one table, in the order they were made."""
    return model._default_manager.filter(**{OWNED_TABLES[model]: tournament.pk}).order_by("pk")
