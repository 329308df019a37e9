from typing import Any

from django.core.management.base import CommandParser

from tournament.api.files import build_tourney_js
from tournament.management.base import TournamentCommand, get_tournament_by_slug, write_output_file


class Command(TournamentCommand):
    help = "Write what the public may see of an event now as tsh's tourney.js."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("-o", "--output", metavar="FILE", help="default: standard output")

    def run(self, **options: Any) -> None:
        content = build_tourney_js(get_tournament_by_slug(options["slug"]))
        if options["output"] is None:
            self.print_bytes(content)
        else:
            write_output_file(options["output"], content)
