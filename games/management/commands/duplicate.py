"""`duplicate SLUG`: a duplicate session as it stands."""

from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from games.duplicate import reading, report, words
from tournament.management import base


class Command(base.TournamentCommand):
    help = "Print a duplicate session as it stands: what every slip scores turn by turn, and the table."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        base.add_division(parser)
        base.add_format(parser, "table", "json")

    def run(self, **options: Any) -> None:
        division = base.division_of(base.tournament_of(options["slug"]), options["division"])
        session = reading.session_of(division)
        if session is None:
            raise base.BadInput([_("Division %(division)s has no duplicate session.") % {"division": division.name}])
        found = reading.read(session)
        if found.session.words and found.allows is None:
            self.stderr.write(words.list_missing(found.session.words))
        if options["format"] == "json":
            self.print_json(report.as_json(found))
            return
        for line in report.as_lines(found):
            self.stdout.write(line)
        self.stdout.write(words.state(found.closed, found.session.max_turns, found.session.stopped, found.ended))
