"""`publish SLUG ROUND`: show a draft to the players."""

from typing import Any

from django.core.management.base import CommandParser

from tournament.management import base
from tournament.operations import rounds
from tournament.operations.change import TERMINAL


class Command(base.TournamentCommand):
    help = "Publish the draft of a round. Publishing it twice changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("round", type=int)
        base.add_division(parser)

    def run(self, **options: Any) -> None:
        division = base.division_of(base.tournament_of(options["slug"]), options["division"])
        rounds.publish_round(base.round_of(division, options["round"]), actor=TERMINAL)
        self.stdout.write(f"Round {options['round']} is published.")
