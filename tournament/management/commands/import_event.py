"""`import_event FILE`: read an event that was written as an archive."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from tournament.exchange.archive import carrying
from tournament.exchange.faults import Code
from tournament.management import base, files
from tournament.words import archives

LARGE = 100_000
"""Bytes of an archive whose reading takes more than a second."""


class Command(files.FileCommand):
    help = "Read an event from an archive that export_event wrote: all of it, or nothing if anything in it is wrong."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--slug", help="address instead of the event's own")
        base.add_organiser(parser)
        base.add_format(parser, "table", "json")

    def run(self, **options: Any) -> None:
        with files.named_in_faults(options["file"], Code.NOT_READABLE):
            archive = Path(options["file"]).open("rb")  # noqa: SIM115  # closed below; only opening is caught here
        if Path(options["file"]).stat().st_size > LARGE:
            self.stderr.write(archives.reading())
        with archive:
            done = carrying.carry_in(archive, slug=options["slug"], actor=base.terminal(options["organiser"]))
        for sentence in archives.did_not_come(done.photos_gone, done.lists_missing):
            self.stderr.write(sentence)
        if options["format"] == "json":
            self.print_json({"slug": done.tournament.slug, "entries": done.entries, "photos": done.photos})
        else:
            self.stdout.write(archives.carried(done.tournament, done.entries, done.photos))
