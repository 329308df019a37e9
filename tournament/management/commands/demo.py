from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from tournament.events.demo import DEMO_KINDS, DemoSize
from tournament.management.base import TournamentCommand, get_terminal_actor


class Command(TournamentCommand):
    help = "Make an example event with results. The same seed gives the same results, under an address of its own."
    takes_organiser = True
    formats = ("table", "json")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--kind", choices=DEMO_KINDS, default="tournament", help="what is played")
        parser.add_argument("--players", type=int, default=24, help="how many play (default: 24)")
        parser.add_argument("--rounds", type=int, default=7, help="how many rounds are planned (default: 7)")
        parser.add_argument("--played", type=int, default=5, help="how many of them are complete (default: 5)")
        parser.add_argument("--seed", type=int, default=1, help="what everything is drawn from (default: 1)")

    def run(self, **options: Any) -> None:
        size = DemoSize(options["players"], options["rounds"], options["played"], options["seed"])
        load = DEMO_KINDS[options["kind"]]
        tournament = load(actor=get_terminal_actor(options["organiser"]), today=timezone.localdate(), size=size)
        self.print_answer(options["format"], {"slug": tournament.slug}, [f"{tournament.name}: {tournament.slug}"])
