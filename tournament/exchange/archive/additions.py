"""What an app above adds to an archive: lists to read beside the journal, checks of its rows, and its word lists.

The app fills these when it is ready (`games.registers`); nothing here knows about it.
"""

from collections.abc import Callable, Mapping
from typing import Any

from django.db import models

from tournament import records
from tournament.models import Organiser, Pairing, Tournament
from tournament.operations.change import snapshot

LISTS: dict[str, tuple[type[models.Model], ...]] = {}
"""The members of an archive that list rows for people and programs to read, each with the tables it shows."""

CHECKS: dict[type[models.Model], Callable[[Any], None]] = {}
"""What rows from elsewhere have to be for the pages to show them; each raises what `rebuilding.BROKEN` names."""

WORD_LISTS: list[Callable[[Tournament], list[dict[str, Any]]]] = []
"""The names of the word lists that an event's questions went to: `title`, `letters`, `sha256`."""

MISSING_LISTS: list[Callable[[Organiser, list[dict[str, Any]]], list[str]]] = []
"""What to say of such lists that an organiser does not have."""


def listed(tournament: Tournament, tables: tuple[type[models.Model], ...]) -> list[dict[str, Any]]:
    """The rows of these tables without primary keys, each with the table it is of and where its game was played."""
    games = _games(tournament)
    return [
        {"row": model._meta.model_name, **_place(row, games), **_said(model, row)}
        for model in tables
        for row in records.rows_of(model, tournament)
    ]


def _games(tournament: Tournament) -> Mapping[int, dict[str, Any]]:
    found = Pairing.objects.filter(round__division__tournament=tournament)
    columns = found.values_list("pk", "round__division__name", "round__number", "table")
    return {pk: {"division": division, "round": round, "table": table} for pk, division, round, table in columns}


def _place(row: models.Model, games: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
    """Where a row's game was played; a line has its place from its sheet."""
    sheet = getattr(row, "scoresheet", None)
    if sheet is not None:
        return {**games.get(sheet.pairing_id, {}), "keeper": sheet.keeper}
    return {**games.get(getattr(row, "pairing_id", 0), {})}


def _said(model: type[models.Model], row: models.Model) -> dict[str, Any]:
    """A row's columns, without keys and names of files."""
    left_out = {field.attname for field in model._meta.concrete_fields if field.primary_key or field.is_relation}
    if kept := records.FILES.get(model):
        left_out.add(kept.column)
    return {name: value for name, value in snapshot(row).items() if name not in left_out}
