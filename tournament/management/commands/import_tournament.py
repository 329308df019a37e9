from typing import Any

from django.core.management.base import CommandParser

from tournament.exchange.event_rows import store_event_data
from tournament.exchange.tournament_file import read_tournament_file
from tournament.management.base import TournamentCommand, get_terminal_actor, read_input_file
from tournament.people.alike import describe_pair, list_pairs_of_event


class Command(TournamentCommand):
    help = "Read a tournament file: all of it, or nothing if anything in it is wrong."
    takes_organiser = True
    formats = ("table", "json")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--slug", help="address instead of the file's own")

    def run(self, **options: Any) -> None:
        event = read_tournament_file(read_input_file(options["file"]), slug=options["slug"])
        tournament = store_event_data(event, actor=get_terminal_actor(options["organiser"]))
        sentence = f"{tournament.name}: {tournament.slug}, {len(event.players)} players"
        pairs = list_pairs_of_event(tournament)
        alike = {"alike": [[one.name, other.name] for one, other in pairs]} if pairs else {}
        sentences = [sentence, *(describe_pair(*pair) for pair in pairs)]
        self.print_answer(options["format"], {"slug": tournament.slug, **alike}, sentences)
