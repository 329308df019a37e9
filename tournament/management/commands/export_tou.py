"""`export_tou SLUG -o FILE`: write the file for WESPA's ratings officers."""

from typing import Any

from django.core.management.base import CommandParser

from tournament.exchange import loading, tou
from tournament.management import base, files


class Command(files.FileCommand):
    help = "Write the .tou file for WESPA's ratings officers."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("-o", "--output", metavar="FILE", required=True)

    def run(self, **options: Any) -> None:
        event = loading.load(base.tournament_of(options["slug"]))
        files.write(options["output"], tou.write(event))
