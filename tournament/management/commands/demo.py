"""`demo`: a lively example event with results, to look at."""

from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from tournament import demo
from tournament.management import base


class Command(base.TournamentCommand):
    help = "Make an example event with results. The same seed gives the same results, under an address of its own."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--kind", choices=demo.KINDS, default="tournament", help="what is played")
        parser.add_argument("--players", type=int, default=24, help="how many play (default: 24)")
        parser.add_argument("--rounds", type=int, default=7, help="how many rounds are planned (default: 7)")
        parser.add_argument("--played", type=int, default=5, help="how many of them are complete (default: 5)")
        parser.add_argument("--seed", type=int, default=1, help="what everything is drawn from (default: 1)")
        base.add_organiser(parser)
        base.add_format(parser, "table", "json")

    def run(self, **options: Any) -> None:
        size = demo.Size(options["players"], options["rounds"], options["played"], options["seed"])
        load = demo.KINDS[options["kind"]]
        made = load(actor=base.terminal(options["organiser"]), today=timezone.localdate(), size=size)
        if options["format"] == "json":
            self.print_json({"slug": made.slug})
        else:
            self.stdout.write(f"{made.name}: {made.slug}")
