from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandParser

from scoring.ratings import RatingSystem
from tournament.management.base import DivisionCommand
from tournament.ratings.division_ratings import DivisionRatings, load_division_ratings
from tournament.ratings.files import build_ratings_json
from tournament.ratings.tables import RatingsTable


class Command(DivisionCommand):
    help = "Print a preview of the ratings after the event."
    formats = ("table", "json", "csv")

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--system", choices=[rating_system.value for rating_system in RatingSystem], help="default: the event's"
        )

    def run(self, **options: Any) -> None:
        division = self.get_division(options, paired=True)
        system = RatingSystem(options["system"]) if options["system"] else None
        ratings = load_division_ratings(division, system)
        csv = RatingsTable(ratings).build_csv()
        self.print_answer(options["format"], build_ratings_json(ratings), _format_lines(ratings), csv)


def _format_lines(found: DivisionRatings) -> Iterator[str]:
    width = max([len(row.entry.name) for row in found.rows], default=0)
    for row in found.rows:
        new = row.new
        old, now = ("–" if value is None else value for value in (new.before.rating, new.new))
        change = "" if new.change is None else f"{new.change:+}"
        yield f"{now:>5}  {change:>5}  {old:>5}  {row.entry.name:<{width}}  {new.wins:g}/{new.rated_games}".rstrip()
