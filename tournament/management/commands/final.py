"""`final SLUG`: the final ranking of a division."""

from typing import Any

from django.core.management.base import CommandParser

from tournament.ending.files import build_final_ranking_json
from tournament.ending.queries import FinalRanking, load_final_ranking
from tournament.ending.words import describe_placing, format_place
from tournament.management.base import (
    TournamentCommand,
    add_division_arguments,
    add_format_option,
    get_division,
    require_paired_rules,
)


class Command(TournamentCommand):
    help = "Print the final ranking: the places of the knock-out first, then the table."

    def add_arguments(self, parser: CommandParser) -> None:
        add_division_arguments(parser)
        add_format_option(parser, "table", "json")

    def run(self, **options: Any) -> None:
        division = get_division(options)
        require_paired_rules(division)
        found = load_final_ranking(division)
        if options["format"] == "json":
            self.print_json(build_final_ranking_json(found))
        else:
            self.print_table(found)

    def print_table(self, found: FinalRanking) -> None:
        """Place, name, and what gave the place."""
        width = max([len(row.entry.name) for row in found.rows], default=0)
        state = found.knockout
        bracket, names = (state.bracket, state.names) if state else (None, {})
        for row in found.rows:
            how = describe_placing(row.ranked, bracket, names)
            self.stdout.write(f"{format_place(row.ranked):>4}  {row.entry.name:<{width}}  {how}".rstrip())
