import tempfile
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from tournament.archive.carrying import write_archive
from tournament.archive.words import describe_missing_from_archive, describe_written_archive
from tournament.exchange.faults import FaultCode
from tournament.management.base import TournamentCommand, get_tournament_by_slug, name_file_in_faults


class Command(TournamentCommand):
    help = (
        "Write an event as an archive: tournament file, journal, score sheets, photos and the referee's log in a zip."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("-o", "--output", metavar="FILE", help="write into this file (default: SLUG-ENTRIES.zip)")

    def run(self, **options: Any) -> None:
        tournament = get_tournament_by_slug(options["slug"])
        path = Path(options["output"] or f"{tournament.slug}-{tournament.revision}.zip")
        with name_file_in_faults(str(path), FaultCode.NOT_WRITABLE):
            # Beside its place, and moved there when it is whole: nobody ever finds half of it.
            handle, beside = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)
            try:
                with open(handle, "wb") as out:  # noqa: PTH123  # a handle has no path
                    written = write_archive(tournament, out)
                Path(beside).replace(path)
            except BaseException:
                Path(beside).unlink(missing_ok=True)
                raise
        self.stdout.write(describe_written_archive(written.name, written.entries, str(path)))
        for sentence in describe_missing_from_archive([word_list["title"] for word_list in written.word_lists]):
            self.stderr.write(sentence)
