from typing import Any

from django.core.management.base import CommandParser

from tournament.management.exporting import EXPORTS
from tournament.management.showing import OldShowCommand


class Command(OldShowCommand):
    what = "season"

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("-o", "--output", metavar="FILE", help="write the table as PDF into this file")

    def run(self, **options: Any) -> None:
        if not options["output"]:
            super().run(**options)
            return
        EXPORTS["season"].write(self, options)
        self.tell_new_name(f"export {options['slug']} season")
