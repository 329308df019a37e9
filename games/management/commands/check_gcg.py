from typing import Any

from django.core.management.base import CommandParser

from games.gcg.checking import check_game
from games.gcg.reading import read_gcg
from games.gcg.values import UnreadableGcg
from games.gcg.words import describe_gcg_problem, format_gcg_check_lines, make_gcg_check_json
from games.limits import GCG_BYTES
from scoring.letters import LETTER_SETS
from tournament.management.base import BadInput, TournamentCommand, read_input_file


class Command(TournamentCommand):
    help = "Work every score and total of an annotated game (GCG) out from the board, and say what differs."
    updates_database = False
    formats = ("table", "json")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--letters", choices=sorted(LETTER_SETS), help="tiles (default: as the file says or fits)")

    def run(self, **options: Any) -> None:
        content = read_input_file(options["file"], limit=GCG_BYTES)
        letter_set = LETTER_SETS[options["letters"]] if options["letters"] else None
        try:
            checked = check_game(read_gcg(content), letter_set)
        except UnreadableGcg as unreadable:
            raise BadInput([describe_gcg_problem(problem) for problem in unreadable.problems]) from unreadable
        self.print_answer(options["format"], make_gcg_check_json(checked), format_gcg_check_lines(checked))
