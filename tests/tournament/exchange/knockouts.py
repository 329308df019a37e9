"""Tournament files that hold a knock-out and nothing else."""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.knockout_values import FactKind, KnockoutGame
from tests.scoring.stories import Story
from tournament.core.change import TERMINAL_ACTOR
from tournament.exchange.event_rows import store_event_data
from tournament.exchange.json_text import format_json
from tournament.exchange.tournament_file import read_tournament_file
from tournament.exchange.values import EventData
from tournament.models import Tournament
from tournament.results.knockout_state import KnockoutState, load_knockout_state

Names = Sequence[str]


def make_game(first: str, second: str, first_points: int, second_points: int, **more: Any) -> dict[str, Any]:
    """A game as the file has it."""
    points = {"first_points": first_points, "second_points": second_points}
    return {"first": first, "second": second, "outcome": "played", **points, **more}


def file(
    seeds: Names,
    matches: Mapping[tuple[int, int], list[dict[str, Any]]],
    *,
    places: Mapping[Any, int] | None = None,
    **rules: Any,
) -> dict[str, Any]:
    """A file with these players, seeded in this order; single games unless `rules` say otherwise. With `places` a round
    of byes orders the table so; whoever has no place comes later."""
    listed = [
        {"stage": stage, "position": position, "games": games} for (stage, position), games in sorted(matches.items())
    ]
    block = {"size": len(seeds), "form": "single", "seeds": list(seeds), "matches": listed, **rules}
    return {
        "format": "tso-tournament",
        "version": 1,
        "slug": "pokal",
        "name": "Pokal",
        "players": [
            {"id": key, "name": f"Spieler {key}", "first_round": 1 if places is None or key in places else 2}
            for key in sorted(set(seeds))
        ],
        "divisions": [{"name": "A", "rounds": [_order_table(places)] if places else [], "knockout": block}],
    }


def _order_table(places: Mapping[Any, int]) -> dict[str, Any]:
    byes = [{"first": key, "outcome": "bye", "spread": 100 - place} for key, place in places.items()]
    return {"number": 1, "method": "manual", "state": "closed", "pairings": byes}


def event(*args: Any, **rules: Any) -> EventData:
    """The same, read."""
    return read(file(*args, **rules))


def read(value: dict[str, Any]) -> EventData:
    return read_tournament_file(format_json(value))


def store(value: dict[str, Any]) -> Tournament:
    """The file's tournament, stored."""
    return store_event_data(read(value), actor=TERMINAL_ACTOR)


def state(tournament: Tournament) -> KnockoutState:
    """The knock-out of a tournament's only division as it stands."""
    found = load_knockout_state(tournament.divisions.get())
    assert found is not None
    return found


def of_story(story: Story) -> dict[str, Any]:
    """The file of a random knock-out."""
    matches = {place: [_game(game) for game in games] for place, games in story.games.items()}
    rules = story.rules
    value = file(
        story.seeds,
        matches,
        places=story.places,
        form=rules.form.value,
        best_of=rules.best_of,
        criteria=[criterion.value for criterion in rules.criteria],
        third_place=rules.third_place,
        system=rules.system.value,
        own_criterion=rules.own_criterion,
        lots=[
            {"stage": stage, "position": at, "winner": winner, "by_own_criterion": (stage, at) in story.own}
            for (stage, at), winner in story.lots.items()
        ],
    )
    for match in value["divisions"][0]["knockout"]["matches"]:
        said = story.not_recorded.get((match["stage"], match["position"]), ())
        match["not_recorded"] = [fact.value for fact in FactKind if fact in said]
    return value


def _game(game: KnockoutGame) -> dict[str, Any]:
    stated: dict[str, Any] = {"first": game.first, "second": game.second, "outcome": game.outcome.value}
    for side, points, facts in (
        ("first", game.first_points, game.first_facts),
        ("second", game.second_points, game.second_facts),
    ):
        stated[f"{side}_points"] = points
        stated[f"{side}_bingos"] = facts.bingos
        stated[f"{side}_seconds"] = facts.seconds
        stated[f"{side}_moves"] = sorted(facts.moves, reverse=True)
    return stated
