from typing import Any

from django.core.management.base import CommandParser

from games.judge.lists import look_up_words, parse_typed_words
from scoring.letters import LETTER_SETS
from tournament.accounts.operations import get_or_create_organiser
from tournament.management.base import TournamentCommand, get_terminal_actor


class Command(TournamentCommand):
    help = "Look words up in the list in use, each for itself: for the referee; nothing is noted."
    takes_organiser = True
    formats = ("table", "json")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("word", nargs="+")
        parser.add_argument("--letters", choices=sorted(LETTER_SETS), default="de", help="letter set (default: de)")

    def run(self, **options: Any) -> None:
        letters = LETTER_SETS[options["letters"]]
        words = parse_typed_words(" ".join(options["word"]), letters)
        organiser = get_or_create_organiser(get_terminal_actor(options["organiser"]))
        verdict = look_up_words(words, organiser.pk, letters=letters.key)
        value = {"stands": verdict.stands, "words": dict(verdict.words), "list": verdict.word_list.title}
        lines = [f"{word}: {'in the list' if good else 'not in the list'}" for word, good in verdict.words]
        lines.append("the play stands" if verdict.stands else "the play is withdrawn")
        self.print_answer(options["format"], value, lines)
