from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from tournament.exchange.event_rows import load_event_data
from tournament.exchange.faults import FaultCode
from tournament.management.base import TournamentCommand, get_tournament_by_slug, name_file_in_faults, write_output_file
from tournament.tsh.writing import make_tsh_files


class Command(TournamentCommand):
    help = "Write config.tsh and a .t file for each division into a folder."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("-o", "--output", metavar="FOLDER", required=True, help="the folder; made if it is missing")

    def run(self, **options: Any) -> None:
        event = load_event_data(get_tournament_by_slug(options["slug"]))
        folder = Path(options["output"])
        with name_file_in_faults(str(folder), FaultCode.NOT_WRITABLE):
            folder.mkdir(parents=True, exist_ok=True)
        for name, content in make_tsh_files(event).items():
            write_output_file(str(folder / name), content)
