from typing import Any

from django.core.management.base import CommandParser

from tournament.core.change import TERMINAL_ACTOR
from tournament.management.base import DivisionCommand, get_round_by_number
from tournament.rounds.operations import publish_round


class Command(DivisionCommand):
    help = "Publish the draft of a round. Publishing it twice changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("round", type=int)

    def run(self, **options: Any) -> None:
        publish_round(get_round_by_number(self.get_division(options), options["round"]), actor=TERMINAL_ACTOR)
        self.stdout.write(f"Round {options['round']} is published.")
