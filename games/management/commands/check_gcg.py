"""`check_gcg FILE`: works out an annotated game from the board."""

from typing import Any

from django.core.management.base import CommandParser

from games.gcg import checking, reading, report
from games.gcg import words as gcg_words
from games.gcg.values import Unreadable
from games.limits import GCG_BYTES
from scoring.letters import LETTER_SETS
from tournament.management import base, files


class Command(files.FileCommand):
    help = "Work every score and total of an annotated game (GCG) out from the board, and say what differs."
    updates_database = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--letters", choices=sorted(LETTER_SETS), help="tiles (default: as the file says or fits)")
        base.add_format(parser, "table", "json")

    def run(self, **options: Any) -> None:
        content = files.content(options["file"], limit=GCG_BYTES)
        wanted = LETTER_SETS[options["letters"]] if options["letters"] else None
        try:
            checked = checking.check(reading.read(content), wanted)
        except Unreadable as unreadable:
            raise base.BadInput([gcg_words.message(problem) for problem in unreadable.problems]) from unreadable
        if options["format"] == "json":
            self.print_json(report.as_json(checked))
        else:
            for line in report.as_lines(checked):
                self.stdout.write(line)
