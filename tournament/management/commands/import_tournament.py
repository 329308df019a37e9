"""`import_tournament FILE`: read a tournament file."""

from typing import Any

from django.core.management.base import CommandParser

from tournament.exchange import storing, tournament_file
from tournament.management import base, files


class Command(files.FileCommand):
    help = "Read a tournament file: all of it, or nothing if anything in it is wrong."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--slug", help="address instead of the file's own")
        base.add_organiser(parser)
        base.add_format(parser, "table", "json")

    def run(self, **options: Any) -> None:
        event = tournament_file.read(files.content(options["file"]), slug=options["slug"])
        tournament = storing.store(event, actor=base.terminal(options["organiser"]))
        if options["format"] == "json":
            self.print_json({"slug": tournament.slug})
        else:
            self.stdout.write(f"{tournament.name}: {tournament.slug}, {len(event.players)} players")
