from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandParser

from tournament.chances.files import build_chances_json
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
        chances = load_chances(self.get_division(options))
        by_rating = options["strength"] == "rating"
        runs = max(options["runs"], 0)
        shares = simulate_shares(chances, runs=runs, seed=options["seed"], by_rating=by_rating) if runs else None
        head = {"runs": runs, "seed": options["seed"], "strength": options["strength"]}
        self.print_answer(options["format"], build_chances_json(chances, shares, head), _format_lines(chances, shares))


def _format_lines(found: DivisionChances, shares: Shares | None) -> Iterator[str]:
    for player, prospect in found.prospects.items():
        reach = [find_reach(found, shares, player, place) for place in found.places]
        shares_text = "  ".join("    –" if share is None else f"{share:5.1%}" for share in reach)
        needs = " ".join(describe_needs(found.list_needs(player)))
        yield f"{prospect.rank:>4}  {format_places(prospect):<7}  {shares_text}  {found.entries[player].name}: {needs}"
