"""`export_tsh SLUG -o FOLDER`: write a tsh event."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from tournament.exchange import loading
from tournament.exchange.faults import Code
from tournament.exchange.tsh import writing
from tournament.management import base, files


class Command(files.FileCommand):
    help = "Write config.tsh and a .t file for each division into a folder."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("-o", "--output", metavar="FOLDER", required=True, help="the folder; made if it is missing")

    def run(self, **options: Any) -> None:
        event = loading.load(base.tournament_of(options["slug"]))
        folder = Path(options["output"])
        with files.named_in_faults(str(folder), Code.NOT_WRITABLE):
            folder.mkdir(parents=True, exist_ok=True)
        for name, content in writing.write(event).items():
            files.write(str(folder / name), content)
