from typing import Any

from django.core.management.base import CommandParser

from tournament.management.base import TournamentCommand
from tournament.management.exporting import EXPORTS


class Command(TournamentCommand):
    help = "Write an event into a file."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", metavar="EVENT", help="its address; of a season, the season's")
        kinds = "; ".join(f"{kind}: {export.help}" for kind, export in EXPORTS.items())
        parser.add_argument("kind", metavar="FORMAT", choices=EXPORTS, help=kinds)
        parser.add_argument(
            "-o",
            "--output",
            metavar="FILE",
            help="default: standard output for tournament and tourney-js, else a file or folder named by the event",
        )

    def run(self, **options: Any) -> None:
        EXPORTS[options["kind"]].write(self, options)
