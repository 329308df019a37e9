"""`export_tournament SLUG`: write the tournament file."""

from typing import Any

from django.core.management.base import CommandParser

from tournament.exchange import loading, tournament_file
from tournament.management import base, files


class Command(files.FileCommand):
    help = "Write the tournament file, to standard output or into a file."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("-o", "--output", metavar="FILE", help="write into this file")

    def run(self, **options: Any) -> None:
        event = loading.load(base.tournament_of(options["slug"]))
        content = tournament_file.write(event).encode("utf-8")
        if options["output"]:
            files.write(options["output"], content)
        else:
            self.print_bytes(content)
