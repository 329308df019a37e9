from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from tournament.core.words.figures import name_round_players
from tournament.management.base import BadInput, DivisionCommand, get_entry_by_key, get_round_by_number
from tournament.pairing.why_not import COMPARED_COMPONENTS
from tournament.rounds.why_not import answer_why_not
from tournament.rounds.why_not_words import describe_comparison, serialize_comparison
from tournament.table.league import list_round_pairings


class Command(DivisionCommand):
    help = "Why these two do not meet: the round paired again with that pair held."
    formats = ("text", "json")

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("round", type=int)
        parser.add_argument("player", help="the player's id in the event")
        parser.add_argument("other", help="the other player's id")

    def run(self, **options: Any) -> None:
        division = self.get_division(options)
        round = get_round_by_number(division, options["round"])
        if round.is_knockout:
            raise BadInput([_("The bracket decides who meets in the knock-out.")])
        one, other = get_entry_by_key(division, options["player"]), get_entry_by_key(division, options["other"])
        pairings = list_round_pairings(round)
        comparison = answer_why_not(round, pairings, one, other)
        sentence = describe_comparison(comparison, one.pk, other.pk, name_round_players(pairings), round.method)
        keys = {seat.entry_id: seat.entry.key for pairing in pairings for seat in pairing.seats.all()}
        value = {
            **serialize_comparison(comparison, keys),
            "components": list(COMPARED_COMPONENTS),
            "sentence": sentence,
        }
        self.print_answer(options["format"], value, [sentence])
