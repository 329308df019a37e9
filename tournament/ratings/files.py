"""Ratings as files: previews as JSON by docs/formats.md and as CSV, an organiser's list and its history as CSV."""

from typing import Any

from django.utils.translation import gettext as _

from scoring.ratings import NewRating, RatingSystem
from tournament.basics.cells import CellValue, build_csv
from tournament.ratings.club import ClubList
from tournament.ratings.division_ratings import DivisionRatings
from tournament.ratings.words import format_listed_event, list_rating_heads

PLACES = 3  # of figures that are no whole numbers


def build_ratings_json(found: DivisionRatings) -> list[dict[str, Any]]:
    """The rows as `ratings --format json` prints them."""
    return [
        {
            "player": row.entry.key,
            "name": row.entry.name,
            "old": row.new.before.rating,
            "games_before": row.new.before.games,
            "rated_games": row.new.rated_games,
            "wins": row.new.wins,
            **_build_expectation(row.new, found.system),
            "new": row.new.new,
            "new_exact": round_figure(row.new.new_exact),
            "newcomer": row.new.is_newcomer,
            **_build_deviations(row.new, found.system),
        }
        for row in found.rows
    ]


def _build_expectation(new: NewRating, system: RatingSystem) -> dict[str, Any]:
    """What was expected: wins, or where spread is rated, spread."""
    expected = round_figure(new.expected)
    if system == RatingSystem.NORWEGIAN:
        return {"expected": None, "spread": new.spread, "expected_spread": expected}
    return {"expected": expected}


def _build_deviations(new: NewRating, system: RatingSystem) -> dict[str, Any]:
    if system != RatingSystem.NORWEGIAN:
        return {}
    before, after = round_figure(new.deviation_before), round_figure(new.deviation_after)
    return {"deviation_before": before, "deviation_after": after}


def round_figure(value: float | None) -> float | None:
    """A figure as programs read it."""
    return None if value is None else round(value, PLACES)


def build_ratings_csv(found: DivisionRatings) -> bytes:
    """The preview in the form usual for the reader's language."""
    heads = _list_csv_heads(found.system)
    rows: list[list[CellValue]] = [[_("Number"), _("Name"), _("Club"), *heads]]
    for row in found.rows:
        club = row.entry.club.name if row.entry.club else ""
        rows.append([row.entry.key, row.entry.name, club, *_list_csv_figures(row.new, found.system)])
    return build_csv(rows)


def build_club_list_csv(found: ClubList) -> bytes:
    """The list of an organiser."""
    rows: list[list[CellValue]] = [[_("Name"), _("Club"), _("Rating"), _("Lifetime games"), _("Events")]]
    for player in found.players:
        club = player.player.club.name if player.player.club else ""
        rows.append([player.player.called, club, player.rating, player.games, len(player.history)])
    return build_csv(rows)


def build_club_history_csv(found: ClubList) -> bytes:
    """What each event made of each rating of the list, by day."""
    heads = _list_csv_heads(found.system)
    rows: list[list[CellValue]] = [[_("Day"), _("Event"), _("Name"), *heads]]
    lines = [(line, player) for player in found.players for line in player.history]
    numbers = {event: number for number, event in enumerate(found.events)}
    for line, rating in sorted(lines, key=lambda pair: numbers[pair[0].event]):
        who = [line.event.day.isoformat(), format_listed_event(line.event), rating.player.called]
        rows.append([*who, *_list_csv_figures(line.new, found.system)])
    return build_csv(rows)


def _list_csv_heads(system: RatingSystem) -> list[CellValue]:
    """The headings of a row's figures."""
    old, expected, reached, now, change = list_rating_heads(system)
    by_spread = system == RatingSystem.NORWEGIAN
    measured = [reached, expected] if by_spread else [expected]
    deviations = [_("Old deviation"), _("New deviation")] if by_spread else []
    return [old, _("Games before"), _("Rated games"), _("Wins"), *measured, now, change, *deviations]


def _list_csv_figures(new: NewRating, system: RatingSystem) -> list[CellValue]:
    figures: list[CellValue] = [new.before.rating, new.before.games, new.rated_games, new.wins]
    if system != RatingSystem.NORWEGIAN:
        return [*figures, round_figure(new.expected), new.new, new.change]
    deviations = [round_figure(new.deviation_before), round_figure(new.deviation_after)]
    return [*figures, new.spread, round_figure(new.expected), new.new, new.change, *deviations]
