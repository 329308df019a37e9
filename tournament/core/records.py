"""The tables that make up a tournament, each with the lookup of its tournament: for journal, undo and deletion."""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from django.db import models
from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from games.models import (
    Challenge,
    DuplicateCorrection,
    DuplicateSeat,
    DuplicateSession,
    DuplicateSlip,
    DuplicateTurn,
    GameReport,
    Incident,
    JoinedClub,
    JuryQuestion,
    Line,
    Photo,
    PreparedSession,
    Question,
    RoundPlay,
    Ruling,
    Scoresheet,
    SecondEntry,
    SecondReading,
    WordList,
)
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
    PublishedRatingList,
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


def list_divisions(tournament: Tournament, *, counts_work: bool = False) -> list[Division]:
    """The divisions in order, with tournament and knock-out fetched; `has_games` if a game was played. With
    `counts_work` also `open_games`, how many games of rounds in progress have no result, and `has_reports`, whether
    players have reported any. One query."""
    divisions = list(_make_query_of_divisions(build_results_filter(), counts_work).filter(tournament=tournament))
    for division in divisions:
        division.tournament = tournament
    return divisions


@lru_cache(maxsize=16)
def _make_query_of_divisions(results_seen: models.Q, counts_work: bool) -> QuerySet[Division]:
    """The divisions of all tournaments as `list_divisions` has them: the query, never its rows. It is made once, since
    making it took longer than asking."""
    played = Result.objects.filter(pairing__round__division=OuterRef("pk"), official=True, outcome=Outcome.PLAYED)
    played = played.filter(results_seen)
    divisions = Division.objects.select_related("knockout").annotate(has_games=Exists(played))
    if counts_work:
        games = Pairing.objects.filter(round__division=OuterRef("pk"), kind=Pairing.Kind.GAME).order_by()
        official = Result.objects.filter(pairing=OuterRef("pk"), official=True)
        # As a subquery with a count of its own: joined to the divisions, each further join would multiply the games.
        waiting = games.filter(~Exists(official), round__state=Round.State.PUBLISHED).values("round__division")
        divisions = divisions.annotate(
            open_games=Coalesce(Subquery(waiting.annotate(count=Count("pk")).values("count")), 0),
            has_reports=Exists(GameReport.objects.filter(pairing__round__division=OuterRef("pk"))),
        )
    return divisions.order_by("position", "pk")


def delete_crowding_rows(rows: models.QuerySet[Any], *, most: int, age: str) -> None:
    """Free a place for one more row where `most` may be kept: the address that has most of them gives up its oldest by
    the column `age`. Whoever sends many from one address pushes out their own alone, and keeps nobody else out."""
    while rows.count() >= most:
        crowded = rows.values("origin").annotate(count=Count("pk")).order_by("-count", "origin")[0]["origin"]
        rows.filter(pk=rows.filter(origin=crowded).order_by(age, "pk")[0].pk).delete()


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
    Scoresheet: "pairing__round__division__tournament",
    Photo: "pairing__round__division__tournament",
    Challenge: "pairing__round__division__tournament",
    Incident: "pairing__round__division__tournament",
    JuryQuestion: "pairing__round__division__tournament",
    GameReport: "pairing__round__division__tournament",
    SecondEntry: "pairing__round__division__tournament",
    Line: "scoresheet__pairing__round__division__tournament",
    RoundPlay: "scoresheet__pairing__round__division__tournament",
    Question: "tournament",
    DuplicateSession: "division__tournament",
    DuplicateSeat: "session__division__tournament",
    DuplicateTurn: "session__division__tournament",
    DuplicateSlip: "turn__session__division__tournament",
    SecondReading: "turn__session__division__tournament",
    DuplicateCorrection: "turn__session__division__tournament",
    PreparedSession: "division__tournament",
    JoinedClub: "prepared__division__tournament",
    Ruling: "prepared__division__tournament",
}
"""The lookup of the tournament from each table's rows; a table that refers to another comes after it."""

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

UNARCHIVED_TABLES: tuple[type[models.Model], ...] = (ClubPicture, WordList, PublishedRatingList)
"""Tables in the journal that belong to an organiser and are in no archive."""

DETAIL_TABLES: Mapping[str, type[models.Model]] = {"sheet": Scoresheet}
"""The table whose primary key a detail of journal entries is."""

PICTURE_TABLES: Mapping[type[models.Model], str] = {Portrait: "entry", Photo: "pairing__seats__entry"}
"""The tables whose rows each name a picture in the uploads folder (`name`, `sha256`), with the lookup of the players
whom it shows or whose game it shows."""


def has_game_records(round: Round) -> bool:
    """Whether there are records of a round's games (score sheets, photos, the referee's log)."""
    # Every table that hangs on a pairing but the results: one that is added to `OWNED_TABLES` counts without being
    # named here.
    record_models = [
        model for model, way in OWNED_TABLES.items() if way.startswith("pairing__") and model is not Result
    ]
    return any(model._default_manager.filter(pairing__round=round).exists() for model in record_models)


def find_referring_row(row: models.Model) -> models.Model | None:
    """A row of another app's tables that refers to this one (a slip to its player), if there is any; where somebody
    sits is no record of them. One query for each table."""
    for model in OWNED_TABLES:
        if model._meta.app_label == row._meta.app_label or model is DuplicateSeat:
            continue
        for field in model._meta.concrete_fields:
            if field.related_model is type(row):
                referring_row: models.Model | None = model._default_manager.filter(**{field.name: row.pk}).first()
                if referring_row is not None:
                    return referring_row
    return None


@cache
def get_journal_model(table: str) -> type[models.Model]:
    """The model that a journal row names. Raises KeyError for an unknown table."""
    models_known = (*OWNED_TABLES, *REGISTER_TABLES, *UNARCHIVED_TABLES)
    return {model._meta.model_name or "": model for model in models_known}[table]


def list_tournament_rows(model: type[models.Model], tournament: Tournament) -> models.QuerySet[Any]:
    """A tournament's rows of one table, in the order in which they were made."""
    return model._default_manager.filter(**{OWNED_TABLES[model]: tournament.pk}).order_by("pk")
