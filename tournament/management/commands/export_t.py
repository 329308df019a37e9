from typing import Any

from django.core.management.base import CommandParser

from tournament.exchange.event_rows import load_event_data
from tournament.management.base import TournamentCommand, get_tournament_by_slug, write_output_file
from tournament.tsh.writing import make_joined_t_file


class Command(TournamentCommand):
    help = "Write one .t file with all divisions, each after a line #division, for ratings officers."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("-o", "--output", metavar="FILE", required=True)

    def run(self, **options: Any) -> None:
        event = load_event_data(get_tournament_by_slug(options["slug"]))
        write_output_file(options["output"], make_joined_t_file(event))
