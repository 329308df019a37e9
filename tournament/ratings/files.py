"""Previews and published lists of ratings as JSON by docs/formats.md."""

from typing import Any

from scoring.ratings import NewRating, RatingSystem
from tournament.models import PublishedRatingList
from tournament.ratings.division_ratings import DivisionRatings

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


def build_published_json(published: PublishedRatingList) -> dict[str, Any]:
    """A published list as its address and `rating_list LIST --format json` give it."""
    return {
        "organiser": published.organiser.slug,
        "list": published.key,
        "day": published.day.isoformat(),
        "system": published.system,
        "published_at": published.published_at.isoformat(timespec="seconds"),
        "events": published.events,
        # The key in the register means nothing to another program.
        "rows": [{name: value for name, value in row.items() if name != "player"} for row in published.rows],
    }


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
