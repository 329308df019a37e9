import io
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import limits
from games.judge.lists import read_list_words, start_reading_report
from games.plays import make_plays_json, read_board, read_rack
from scoring import moves
from scoring.letters import LETTER_SETS
from scoring.lexicon import Lexicon
from tournament.exchange.rows import decode_text
from tournament.management.base import TournamentCommand, read_input_file

DEFAULT_TOP = 20  # so many plays are printed, unless --top says otherwise


class Command(TournamentCommand):
    help = "Find every play that a word list allows on a board with a rack, the best first."
    updates_database = False
    formats = ("table", "json")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--letters", choices=sorted(LETTER_SETS), required=True, help="letter set")
        parser.add_argument("--words", metavar="FILE", required=True, help="word list, one word a line")
        parser.add_argument("--board", metavar="FILE", required=True, help="15 lines of 15; . is empty, small a blank")
        parser.add_argument("--rack", metavar="TILES", required=True, help="up to seven tiles, ? for a blank")
        parser.add_argument(
            "--top", metavar="N", type=int, default=DEFAULT_TOP, help=f"print the best N (default: {DEFAULT_TOP})"
        )

    def run(self, **options: Any) -> None:
        letters = LETTER_SETS[options["letters"]]
        rack = read_rack(options["rack"], letters)
        board = read_board(decode_text(read_input_file(options["board"], limit=limits.BOARD_BYTES)), letters)
        source = io.BytesIO(read_input_file(options["words"], limit=limits.WORD_LIST_BYTES))
        lexicon = Lexicon.of(letters, read_list_words(source, start_reading_report(source, letters)))
        plays, most = moves.find_plays(lexicon, board, rack), max(options["top"], 0)
        lines = [
            *[
                f"{scored_play.points:>5}  {scored_play.play.position:<3}  {scored_play.play.word}"
                for scored_play in plays.top(most)
            ],
            _format_summary(plays),
        ]
        self.print_answer(options["format"], make_plays_json(plays, most), lines)


def _format_summary(plays: moves.FoundPlays) -> str:
    if not plays.count:
        return _("The list allows no play.")
    message = ngettext(
        "%(count)s play, for %(best)s points", "%(count)s plays, the best for %(best)s points", plays.count
    )
    return message % {"count": plays.count, "best": plays.best}
