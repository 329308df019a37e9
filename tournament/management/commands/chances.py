from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandParser

from scoring.standings import PlayerKey
from tournament.chances.queries import RUNS, DivisionChances, Shares, find_reach, load_chances, simulate_shares
from tournament.chances.words import describe_needs, format_places
from tournament.management.base import DivisionCommand

STRENGTHS = ("even", "rating")


class Command(DivisionCommand):
    help = "Who can still end where: proven bounds, what is needed, and simulated shares."
    formats = ("table", "json")

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--runs", type=int, default=RUNS)
        parser.add_argument("--strength", choices=STRENGTHS, default="even")

    def run(self, **options: Any) -> None:
        found = load_chances(self.get_division(options))
        by_rating = options["strength"] == "rating"
        runs = max(options["runs"], 0)
        shares = simulate_shares(found, runs=runs, seed=options["seed"], by_rating=by_rating) if runs else None
        head = {"runs": runs, "seed": options["seed"], "strength": options["strength"]}
        self.print_answer(options["format"], build_chances_json(found, shares, head), _format_lines(found, shares))


def build_chances_json(found: DivisionChances, shares: Shares | None, head: dict[str, Any]) -> dict[str, Any]:
    """The chances as docs/formats.md describes them."""
    return {
        "after": found.after,
        "rounds_left": found.rounds_left,
        "open_games": found.open_games,
        "places": list(found.places),
        **head,
        "players": [_build_player_json(found, shares, player) for player in found.prospects],
    }


def _build_player_json(found: DivisionChances, shares: Shares | None, player: PlayerKey) -> dict[str, Any]:
    prospect = found.prospects[player]
    reach = {str(place): find_reach(found, shares, player, place) for place in found.places}
    return {
        "player": found.entries[player].key,
        "rank": prospect.rank,
        "best": prospect.best,
        "worst": prospect.worst,
        "exact": prospect.is_exact,
        "reach": {place: None if share is None else round(share, 6) for place, share in reach.items()},
        "possible_with": {str(place): _halve(prospect.possible_with(place)) for place in found.places},
        "certain_with": {str(place): _halve(prospect.certain_with(place)) for place in found.places},
    }


def _halve(half_wins: int | None) -> float | None:
    return None if half_wins is None else half_wins / 2


def _format_lines(found: DivisionChances, shares: Shares | None) -> Iterator[str]:
    for player, prospect in found.prospects.items():
        reach = [find_reach(found, shares, player, place) for place in found.places]
        told = "  ".join("    –" if share is None else f"{share:5.1%}" for share in reach)
        needs = " ".join(describe_needs(found.list_needs(player)))
        yield f"{prospect.rank:>4}  {format_places(prospect):<7}  {told}  {found.entries[player].name}: {needs}"
