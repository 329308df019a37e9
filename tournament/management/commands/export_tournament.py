from typing import Any

from django.core.management.base import CommandParser

from tournament.exchange.event_rows import load_event_data
from tournament.exchange.tournament_file import format_tournament_file
from tournament.management.base import TournamentCommand, get_tournament_by_slug, write_output_file


class Command(TournamentCommand):
    help = "Write the tournament file, to standard output or into a file."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("-o", "--output", metavar="FILE", help="write into this file")

    def run(self, **options: Any) -> None:
        content = format_tournament_file(load_event_data(get_tournament_by_slug(options["slug"]))).encode("utf-8")
        if options["output"]:
            write_output_file(options["output"], content)
        else:
            self.print_bytes(content)
