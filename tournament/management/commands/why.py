"""`why SLUG ROUND PLAYER OTHER`: why these two do not meet."""

from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from tournament.management import base
from tournament.management.base import BadInput
from tournament.models import Division, Entry
from tournament.pairing.why_not import COMPONENTS
from tournament.queries import league
from tournament.queries.why_not import WhyNot, why_not
from tournament.words import namesakes
from tournament.words import why_not as words


class Command(base.TournamentCommand):
    help = "Why these two do not meet: the round paired again with that pair held."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("round", type=int)
        parser.add_argument("player", help="the player's id in the event")
        parser.add_argument("other", help="the other player's id")
        base.add_division(parser)
        base.add_format(parser, "text", "json")

    def run(self, **options: Any) -> None:
        division = base.division_of(base.tournament_of(options["slug"]), options["division"])
        round = base.round_of(division, options["round"])
        if round.is_knockout:
            raise BadInput([_("In the knock-out the bracket says who meets.")])
        one, other = _entry(division, options["player"]), _entry(division, options["other"])
        answer = why_not(round, league.pairings(round), one, other)
        if options["format"] == "json":
            keys = {pk: entry.key for pk, entry in answer.players.items()}
            made = words.as_json(answer.comparison, keys)
            self.print_json({**made, "components": list(COMPONENTS), "sentence": said(answer)})
        else:
            self.stdout.write(said(answer))


def said(answer: WhyNot) -> str:
    """The answer in a sentence."""
    players = namesakes.called(answer.players.values())
    return words.sentence(answer.comparison, answer.one.pk, answer.other.pk, players, answer.round.method)


def _entry(division: Division, key: str) -> Entry:
    """The entry with this id. Raises `BadInput` naming those that exist."""
    everybody = league.entries(division)
    found = next((entry for entry in everybody if entry.key == key), None)
    if found is None:
        known = ", ".join(entry.key for entry in everybody) or "–"
        figures = {"division": division.name, "key": key, "known": known}
        raise BadInput([_("Division %(division)s has no player “%(key)s”. Known: %(known)s.") % figures])
    return found
