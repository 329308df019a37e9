from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.basics import limits
from tournament.core.change import TERMINAL_ACTOR
from tournament.management.base import BadInput, DivisionCommand, get_round_by_number, read_day
from tournament.rounds.due_days import DAYS_BETWEEN, publish_all_rounds
from tournament.rounds.operations import publish_round


class Command(DivisionCommand):
    help = "Publish the draft of a round, or all rounds of an all-play-all. Publishing a round twice changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("round", type=int, nargs="?")
        which.add_argument("--all", action="store_true", help="pair and publish all rounds of an all-play-all to come")
        parser.add_argument("--due", metavar="DAY", help="with --all: by when the first is played, such as 2026-10-12")
        parser.add_argument("--days", type=int, default=DAYS_BETWEEN, help="from one round to the next (default: 7)")

    def run(self, **options: Any) -> None:
        division = self.get_division(options)
        if not options["all"]:
            publish_round(get_round_by_number(division, options["round"]), actor=TERMINAL_ACTOR)
            self.stdout.write(_("Round %(number)s is published.") % {"number": options["round"]})
            return
        if not limits.DAYS_BETWEEN.holds(options["days"]):
            sentence = _("Days from one round to the next: %(value)s, allowed are %(low)s to %(high)s.")
            raise BadInput([sentence % {"value": options["days"], **limits.DAYS_BETWEEN.ends}])
        day = read_day(options["due"]) if options["due"] else None
        count = publish_all_rounds(division, actor=TERMINAL_ACTOR, first_due_on=day, days=options["days"])
        sentence = ngettext("%(count)s round is published.", "%(count)s rounds are published.", count)
        self.stdout.write(sentence % {"count": count})
