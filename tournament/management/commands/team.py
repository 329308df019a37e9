from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.core.change import TERMINAL_ACTOR
from tournament.management.base import DivisionCommand
from tournament.teams.operations import bring_back_team, withdraw_team


class Command(DivisionCommand):
    help = "Let a team leave the event, or play again. Its open games are awarded to the opponents."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("team")
        act = parser.add_mutually_exclusive_group(required=True)
        act.add_argument("--withdraw", action="store_true", help="all its players leave after the last published round")
        act.add_argument("--back", action="store_true", help="its players play again from the next round on")

    def run(self, **options: Any) -> None:
        division = self.get_division(options, paired=True)
        act = withdraw_team if options["withdraw"] else bring_back_team
        count = act(division, options["team"], actor=TERMINAL_ACTOR)
        sentence = (
            _("%(team)s is withdrawn.") if options["withdraw"] else _("%(team)s plays again from the next round.")
        )
        players = ngettext("%(count)s player", "%(count)s players", count) % {"count": count}
        self.stdout.write(f"{sentence % {'team': options['team']}} {players}.")
