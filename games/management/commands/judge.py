"""`judge WORD …`: whether words are in the list in use."""

from typing import Any

from django.core.management.base import CommandParser

from games.judge import lists
from scoring.letters import LETTER_SETS
from tournament.management import base
from tournament.operations.organisers import acting_for


class Command(base.TournamentCommand):
    help = "Look words up in the list in use, each for itself: for the referee; nothing is noted."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("word", nargs="+")
        parser.add_argument("--letters", choices=sorted(LETTER_SETS), default="de", help="letter set (default: de)")
        base.add_organiser(parser)
        base.add_format(parser, "table", "json")

    def run(self, **options: Any) -> None:
        letters = LETTER_SETS[options["letters"]]
        asked = lists.parse(" ".join(options["word"]), letters)
        organiser = acting_for(base.terminal(options["organiser"]))
        verdict = lists.judge(asked, organiser.pk, letters=letters.key)
        if options["format"] == "json":
            self.print_json({"stands": verdict.stands, "words": dict(verdict.words), "list": verdict.word_list.title})
            return
        for word, good in verdict.words:
            self.stdout.write(f"{word}: {'in the list' if good else 'not in the list'}")
        self.stdout.write("the play stands" if verdict.stands else "the play is withdrawn")
