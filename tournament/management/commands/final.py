"""`final SLUG`: the final ranking of a division."""

from typing import Any

from django.core.management.base import CommandParser

from tournament.exchange import final_file
from tournament.management import base
from tournament.queries import final
from tournament.queries.final import FinalRanking
from tournament.words import final as words


class Command(base.TournamentCommand):
    help = "Print the final ranking: the places of the knock-out first, then the table."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        base.add_division(parser)
        base.add_format(parser, "table", "json")

    def run(self, **options: Any) -> None:
        division = base.division_of(base.tournament_of(options["slug"]), options["division"])
        base.require_pairs(division)
        found = final.ranking(division)
        if options["format"] == "json":
            self.print_json(final_file.as_json(found))
        else:
            self.print_table(found)

    def print_table(self, found: FinalRanking) -> None:
        """Place, name, and what gave the place."""
        width = max([len(row.entry.name) for row in found.rows], default=0)
        state = found.knockout
        bracket, names = (state.bracket, state.names) if state else (None, {})
        for row in found.rows:
            how = words.how(row.ranked, bracket, names)
            self.stdout.write(f"{words.place(row.ranked):>4}  {row.entry.name:<{width}}  {how}".rstrip())
