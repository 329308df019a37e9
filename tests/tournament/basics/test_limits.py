"""One table of limits: database, operations, forms and files hold exactly what it says."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import models
from django.db.models import Q

from games import limits as game_limits
from games.models import (
    DuplicateCorrection,
    DuplicateSeat,
    DuplicateSession,
    DuplicateSlip,
    DuplicateTurn,
    GameReport,
    Line,
    PreparedSession,
    RoundPlay,
    Ruling,
    Scoresheet,
    SecondEntry,
    SecondReading,
)
from tournament.basics import limits
from tournament.basics.limits import Range
from tournament.exchange.faults import FileFaults
from tournament.exchange.tournament_file import read_tournament_file
from tournament.models import (
    Club,
    Contact,
    Division,
    Entry,
    Hall,
    Knockout,
    Letter,
    OnlineEntry,
    Player,
    Prize,
    PublishedRatingList,
    PushSubscription,
    Registration,
    Result,
    Round,
    Screen,
    Season,
    SeasonEvent,
    Seed,
    StreamedTable,
    Tournament,
)
from tournament.results.operations import FIGURE_LIMITS

EXAMPLE = Path(__file__).parents[1] / "exchange" / "example.json"

FIGURES: dict[type[models.Model], dict[str, Range]] = {
    Tournament: {
        "minutes": limits.MINUTES,
        "bye_spread": limits.SPREAD,
        "loss_spread": limits.SPREAD,
        "bye_points": limits.BYE_POINTS,
        "team_best": limits.TEAM_BEST,
        "step_seconds": limits.STEP_SECONDS,
        "remind_days": limits.REMIND_DAYS,
    },
    Division: {"ceremony_place": limits.CEREMONY_PLACE, "up": limits.DIVISION_MOVES, "down": limits.DIVISION_MOVES},
    Entry: {
        "rating": limits.RATING,
        "fixed_table": limits.TABLE,
        "paid_cents": limits.FEE_CENTS,
        "board": limits.BOARD,
    },
    Player: {"rating": limits.RATING},
    OnlineEntry: {"places": limits.PLACES, "minimum": limits.PLACES},
    Registration: {"rating": limits.RATING, "paid_cents": limits.FEE_CENTS},
    Contact: {"rating": limits.RATING},
    Round: {"number": limits.ROUND},
    Knockout: {"size": limits.KNOCKOUT_SIZE, "best_of": limits.BEST_OF},
    Seed: {"number": limits.KNOCKOUT_SEED},
    Result: {
        "spread": limits.SPREAD,
        **{f"{side}_{name}": allowed for side in ("first", "second") for name, allowed in FIGURE_LIMITS.items()},
    },
    Scoresheet: {"first_overtime": limits.OVERTIME, "second_overtime": limits.OVERTIME},
    Line: {"number": game_limits.LINES},
    SecondEntry: {"first_points": limits.POINTS, "second_points": limits.POINTS},
    RoundPlay: {"turn": game_limits.LINES},
    GameReport: {
        f"{side}_{name}": FIGURE_LIMITS[name]
        for side in ("first", "second")
        for name in ("points", "overtime", "penalty")
    },
    DuplicateSession: {
        "max_turns": limits.DUPLICATE_TURNS,
        "seconds": limits.TURN_SECONDS,
        "seat_count": limits.SEATS,
        "seat_row": limits.SEAT_ROW,
    },
    DuplicateSeat: {"number": limits.SEAT},
    DuplicateTurn: {"number": limits.DUPLICATE_TURNS},
    DuplicateSlip: {"claimed": limits.CLAIMED_POINTS},
    DuplicateCorrection: {"points": limits.SLIP_POINTS, "before": limits.SLIP_POINTS, "notice": limits.NOTICE},
    SecondReading: {"claimed": limits.CLAIMED_POINTS},
    PreparedSession: {"max_turns": limits.DUPLICATE_TURNS, "seconds": limits.TURN_SECONDS},
    Ruling: {"turn": limits.DUPLICATE_TURNS, "points": limits.SLIP_POINTS},
    Hall: {
        "clock_seconds": limits.CLOCK,
        "clock_left": limits.CLOCK_LEFT,
        "ceremony_slide": limits.SLIDE,
        "stream_delay": limits.STREAM_DELAY,
        "depth": limits.HALL_DEPTH,
    },
    StreamedTable: {"table": limits.TABLE},
    Screen: {"number": limits.SCREEN, "seconds": limits.PAGE_SECONDS, "height": limits.GLASS_HEIGHT},
    Season: {
        "best": limits.SEASON_BEST,
        "least_events": limits.SEASON_LEAST,
        "least_percent": limits.SEASON_PERCENT,
    },
    SeasonEvent: {"direct": limits.SEASON_DIRECT},
    PublishedRatingList: {"edition": limits.RATING_LIST_EDITION},
    Prize: {"place": limits.PRIZE_PLACE, "lowest_rating": limits.RATING, "highest_rating": limits.RATING},
}
"""The columns whose figures the database keeps within both ends."""

TEXTS: dict[type[models.Model], dict[str, int]] = {
    Tournament: {"slug": limits.SLUG, "name": limits.NAME, "place": limits.PLACE, "ruleset": limits.WORD},
    Division: {"name": limits.DIVISION},
    Hall: {"message": limits.MESSAGE, "countdown_for": limits.MESSAGE},
    Screen: {"name": limits.SCREEN_NAME},
    Season: {"slug": limits.SLUG, "name": limits.NAME},
    Entry: {"key": limits.PLAYER_ID, "exception": limits.EXCEPTION, "team": limits.CLUB},
    Player: {"name": limits.PLAYER_NAME, "email": limits.EMAIL, "phone": limits.PHONE},
    Club: {"name": limits.CLUB},
    OnlineEntry: {"fee": limits.FEE, "note": limits.ENTRY_NOTE},
    Registration: {"name": limits.PLAYER_NAME, "club": limits.CLUB, "why": limits.WHY},
    Contact: {"name": limits.PLAYER_NAME, "club": limits.CLUB, "email": limits.EMAIL, "phone": limits.PHONE},
    Letter: {"to": limits.EMAIL, "subject": limits.SUBJECT, "fault": limits.FAULT},
    PushSubscription: {"endpoint": limits.PUSH_ENDPOINT, "p256dh": limits.PUSH_KEY, "auth": limits.PUSH_KEY},
    Result: {"note": limits.NOTE, "penalty_reason": limits.PENALTY_REASON, "why": limits.WHY},
}

IN_FILES: dict[str, Range | int] = {
    "slug": limits.SLUG,
    "place": limits.PLACE,
    "exception": limits.EXCEPTION,
    "penalty_reason": limits.PENALTY_REASON,
    "note": limits.NOTE,
    "club": limits.CLUB,
    "rating": limits.RATING,
    "games": limits.GAMES,
    "minutes": limits.MINUTES,
    "table": limits.TABLE,
    "fixed_table": limits.TABLE,
    "paid_cents": limits.FEE_CENTS,
    "cents": limits.FEE_CENTS,
    "fee_kind": limits.WORD,
    "currency": limits.CURRENCY,
    "spread": limits.SPREAD,
    "bye_spread": limits.SPREAD,
    "bye_points": limits.BYE_POINTS,
    "loss_spread": limits.SPREAD,
    "clubs_apart": limits.CLUBS_APART,
    "team_best": limits.TEAM_BEST,
    "team": limits.CLUB,
    "board": limits.BOARD,
    "size": limits.KNOCKOUT_SIZE,
    "best_of": limits.BEST_OF,
    **{f"{side}_{name}": allowed for side in ("first", "second") for name, allowed in FIGURE_LIMITS.items()},
}
"""The keys of a tournament file that mean one thing wherever they stand."""


def bounds(condition: Q) -> Iterator[tuple[str, str, int]]:
    """Column, lookup and figure of every comparison with a figure in a condition."""
    for child in condition.children:
        if isinstance(child, Q):
            yield from bounds(child)
        elif isinstance(child, tuple):
            column, _, lookup = child[0].rpartition("__")
            if lookup in ("gte", "lte") and isinstance(child[1], int):
                yield column, lookup, child[1]


def stored(model: type[models.Model]) -> dict[str, Range]:
    """The ranges that a model's constraints name with both ends, by column: the widest where it depends on another."""
    found: dict[str, dict[str, int]] = {}
    for constraint in model._meta.constraints:
        if isinstance(constraint, models.CheckConstraint) and isinstance(constraint.condition, Q):
            for column, lookup, figure in bounds(constraint.condition):
                ends = found.setdefault(column, {})
                ends[lookup] = (min if lookup == "gte" else max)(figure, ends.get(lookup, figure))
    return {column: Range(ends["gte"], ends["lte"]) for column, ends in found.items() if len(ends) == 2}


def test_constraints_of_the_database_are_those_of_the_table() -> None:
    ours = [model for model in apps.get_models() if model._meta.app_label in ("tournament", "games")]

    assert {model: found for model in ours if (found := stored(model))} == FIGURES


@pytest.mark.parametrize("model", TEXTS, ids=lambda model: model.__name__)
def test_columns_have_room_for_the_longest_texts(model: type[models.Model]) -> None:
    assert {name: model._meta.get_field(name).max_length for name in TEXTS[model]} == TEXTS[model]


def test_names_have_room_where_they_are_sorted_and_searched() -> None:
    for model, longest in ((Player, limits.PLAYER_NAME), (Club, limits.CLUB)):
        room = [model._meta.get_field(name).max_length for name in ("sort_name", "search_name")]

        assert room == [limits.folded_length(longest), limits.search_length(longest)]


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """All objects of a JSON document."""
    if isinstance(value, dict):
        yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from objects(part)


def refused_beyond(key: str, beyond: int | str) -> set[Range | int]:
    """The limits that the example is refused by when this key has such a value wherever it may stand."""
    document = json.loads(EXAMPLE.read_bytes())
    for each in list(objects(document)):
        each[key] = beyond
    with pytest.raises(FileFaults) as refused:
        read_tournament_file(json.dumps(document))
    told = [fault.figures for fault in refused.value.faults if fault.place.path.split(".")[-1] == key]
    return {figures["limit"] for figures in told if "limit" in figures} | {
        Range(figures["low"], figures["high"]) for figures in told if "low" in figures
    }


@pytest.mark.parametrize("key", IN_FILES)
@pytest.mark.sampled(11)
def test_tournament_file_is_read_within_the_table(key: str) -> None:
    assert refused_beyond(key, 10**9 if isinstance(IN_FILES[key], Range) else "x" * 10_000) == {IN_FILES[key]}


def test_names_in_a_tournament_file_are_read_within_the_table() -> None:
    assert refused_beyond("name", "x" * 10_000) == {limits.NAME, limits.PLAYER_NAME, limits.DIVISION}


@pytest.mark.parametrize(("value", "nearest"), [(-1000, -999), (-999, -999), (0, 0), (999, 999), (1000, 999)])
def test_range_holds_both_ends_and_nothing_beyond(value: int, nearest: int) -> None:
    assert limits.SPREAD.holds(value) == (value == nearest) == (value in limits.SPREAD.numbers)
    assert limits.SPREAD.nearest(value) == nearest
