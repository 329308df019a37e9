from typing import Any

from django.core.management.base import CommandParser

from tournament.management.exporting import EXPORTS
from tournament.management.showing import OldShowCommand


class Command(OldShowCommand):
    what = "report"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("-o", "--output", metavar="FILE", help="a PDF where the name ends in .pdf, else a zip")

    def run(self, **options: Any) -> None:
        if options["output"]:
            EXPORTS["report"].write(self, options)
        super().run(**options)
