from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from tournament.archive.carrying import import_archive
from tournament.archive.words import describe_imported_archive, describe_left_behind
from tournament.exchange.faults import FaultCode
from tournament.management.base import TournamentCommand, get_terminal_actor, name_file_in_faults

LARGE_BYTES = 100_000  # bytes of an archive whose reading takes more than a second


class Command(TournamentCommand):
    help = "Read an event from an archive that export_event wrote: all of it, or nothing if anything in it is wrong."
    takes_organiser = True
    formats = ("table", "json")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--slug", help="address instead of the event's own")

    def run(self, **options: Any) -> None:
        with name_file_in_faults(options["file"], FaultCode.NOT_READABLE):
            archive = Path(options["file"]).open("rb")  # noqa: SIM115  # closed below; only opening is caught here
        if Path(options["file"]).stat().st_size > LARGE_BYTES:
            self.stderr.write(_("This takes a few seconds: the journal is replayed and compared with the data."))
        with archive:
            carried = import_archive(archive, slug=options["slug"], actor=get_terminal_actor(options["organiser"]))
        for sentence in describe_left_behind(carried.files_gone, carried.lists_missing):
            self.stderr.write(sentence)
        value = {"slug": carried.tournament.slug, "entries": carried.entries, "photos": carried.files}
        sentence = describe_imported_archive(carried.tournament, carried.entries, carried.files)
        self.print_answer(options["format"], value, [sentence])
