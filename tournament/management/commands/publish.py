"""`publish SLUG ROUND`: show a draft to the players."""

from typing import Any

from django.core.management.base import CommandParser

from tournament.core.change import TERMINAL_ACTOR
from tournament.management.base import (
    TournamentCommand,
    add_division_option,
    get_division_by_name,
    get_round_by_number,
    get_tournament_by_slug,
)
from tournament.rounds.operations import publish_round


class Command(TournamentCommand):
    help = "Publish the draft of a round. Publishing it twice changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("round", type=int)
        add_division_option(parser)

    def run(self, **options: Any) -> None:
        division = get_division_by_name(get_tournament_by_slug(options["slug"]), options["division"])
        publish_round(get_round_by_number(division, options["round"]), actor=TERMINAL_ACTOR)
        self.stdout.write(f"Round {options['round']} is published.")
