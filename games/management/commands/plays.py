"""`plays`: every play that a word list allows on a board with a rack."""

import io
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import limits
from games.judge import reading as lists
from games.moves import reading, report
from scoring import moves
from scoring.letters import LETTER_SETS
from scoring.lexicon import Lexicon
from tournament.exchange.text_rows import text_of
from tournament.management import base, files

TOP = 20
"""So many plays are printed, unless --top says otherwise."""


class Command(files.FileCommand):
    help = "Find every play that a word list allows on a board with a rack, the best first."
    updates_database = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--letters", choices=sorted(LETTER_SETS), required=True, help="letter set")
        parser.add_argument("--words", metavar="FILE", required=True, help="word list, one word a line")
        parser.add_argument("--board", metavar="FILE", required=True, help="15 lines of 15; . is empty, small a blank")
        parser.add_argument("--rack", metavar="TILES", required=True, help="up to seven tiles, ? for a blank")
        parser.add_argument("--top", metavar="N", type=int, default=TOP, help=f"print the best N (default: {TOP})")
        base.add_format(parser, "table", "json")

    def run(self, **options: Any) -> None:
        letters = LETTER_SETS[options["letters"]]
        rack = reading.rack(options["rack"], letters)
        board = reading.board(text_of(files.content(options["board"], limit=limits.BOARD_BYTES)), letters)
        source = io.BytesIO(files.content(options["words"], limit=limits.WORD_LIST_BYTES))
        lexicon = Lexicon.of(letters, lists.words(source, lists.open_list(source, letters)))
        found, most = moves.plays(lexicon, board, rack), max(options["top"], 0)
        if options["format"] == "json":
            self.print_json(report.as_json(found, most))
            return
        for line in report.as_lines(found, most):
            self.stdout.write(line)
        self.stdout.write(_summary(found))


def _summary(found: moves.Plays) -> str:
    if not found.count:
        return _("The list allows no play.")
    said = ngettext("%(count)s play, for %(best)s points", "%(count)s plays, the best for %(best)s points", found.count)
    return said % {"count": found.count, "best": found.best}
