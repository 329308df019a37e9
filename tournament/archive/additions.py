"""What an app above adds to an archive, and whether rows from elsewhere are such that every page can show them."""

from collections.abc import Callable, Mapping
from typing import Any

from django.db import models

from tournament.core.change import take_snapshot
from tournament.core.records import PICTURE_TABLES, list_tournament_rows
from tournament.models import Division, Organiser, Pairing, Round, Tournament
from tournament.pairing.values import ClaimCondition, NoteCode, PairFlag, ReasonCode, get_reason_shape
from tournament.rounds.plan import read_round_plan

# The app above fills these when it is ready (`games.registers`).

ARCHIVE_LISTS: dict[str, tuple[type[models.Model], ...]] = {}
"""The members of an archive that list rows for people and programs to read, each with the tables it shows."""

ROW_CHECKS: dict[type[models.Model], Callable[[Any], None]] = {}
"""What rows from elsewhere have to be for the pages to show them; each raises what `BROKEN_JOURNAL_ERRORS` names."""

WORD_LIST_FINDERS: list[Callable[[Tournament], list[dict[str, Any]]]] = []
"""The names of the word lists that an event's questions went to: `title`, `letters`, `sha256`."""

MISSING_WORD_LIST_FINDERS: list[Callable[[Organiser, list[dict[str, Any]]], list[str]]] = []
"""What to say of such lists that an organiser does not have."""


def list_archive_rows(tournament: Tournament, tables: tuple[type[models.Model], ...]) -> list[dict[str, Any]]:
    """The rows of these tables without primary keys, each with the table it is of and where its game was played."""
    found = Pairing.objects.filter(round__division__tournament=tournament)
    columns = found.values_list("pk", "round__division__name", "round__number", "table")
    games = {pk: {"division": division, "round": round, "table": table} for pk, division, round, table in columns}
    return [
        {"row": model._meta.model_name, **_find_game_place(row, games), **_select_columns(model, row)}
        for model in tables
        for row in list_tournament_rows(model, tournament)
    ]


def _find_game_place(row: models.Model, games: Mapping[int, dict[str, Any]]) -> dict[str, Any]:
    """Where a row's game was played; a line has its place from its sheet."""
    sheet = getattr(row, "scoresheet", None)
    if sheet is not None:
        return {**games.get(sheet.pairing_id, {}), "keeper": sheet.keeper}
    return games.get(getattr(row, "pairing_id", 0), {})


def _select_columns(model: type[models.Model], row: models.Model) -> dict[str, Any]:
    """A row's columns, without keys and names of files."""
    left_out = {field.attname for field in model._meta.concrete_fields if field.primary_key or field.is_relation}
    if model in PICTURE_TABLES:
        left_out.add("name")
    return {name: value for name, value in take_snapshot(row).items() if name not in left_out}


def check_archive_row(row: models.Model) -> None:
    """Raise one of `BROKEN_JOURNAL_ERRORS` for a row with too long a text, an unknown choice, a list of odd things.

    What refers to other rows, and what rows come to together, is for the database and the tournament file to say.
    """
    left_out = {
        field.name
        for field in row._meta.concrete_fields
        if field.is_relation or getattr(row, field.attname) in field.empty_values
    }
    row.clean_fields(exclude=left_out)
    for check in (OWN_ROW_CHECKS.get(type(row)), ROW_CHECKS.get(type(row))):
        if check is not None:
            check(row)


def _check_tournament(row: Tournament) -> None:
    """Ruleset, credits and ranking have to be known ones."""
    _found = (row.rules, row.awards, row.ranking)


def _check_round(row: Round) -> None:
    """The notes on its draw have to be ones that have words."""
    for note in row.notes:
        _found = (NoteCode(note["code"]), note["figure"], [ClaimCondition(each) for each in note["unless"]])


def _check_pairing(row: Pairing) -> None:
    """Flags and reasons have to be ones that have words, with all their figures."""
    _found = [PairFlag(flag) for flag in row.flags]
    for reason in row.why:
        if get_reason_shape(ReasonCode(reason["code"]), reason).keys() - reason.keys():
            raise ValueError("figures of a reason")


OWN_ROW_CHECKS: Mapping[type[models.Model], Callable[[Any], object]] = {
    Tournament: _check_tournament,
    Division: lambda row: read_round_plan(row.plan),
    Round: _check_round,
    Pairing: _check_pairing,
}
