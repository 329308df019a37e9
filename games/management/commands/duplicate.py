"""`duplicate SLUG`: a duplicate session as it stands."""

from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from games.duplicate.queries import find_duplicate_session, load_session_state
from games.duplicate.tables import describe_state, get_missing_list_note, make_session_json, make_session_table
from tournament.management.base import (
    BadInput,
    TournamentCommand,
    add_division_option,
    add_format_option,
    get_division_by_name,
    get_tournament_by_slug,
)


class Command(TournamentCommand):
    help = "Print a duplicate session as it stands: what every slip scores turn by turn, and the table."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        add_division_option(parser)
        add_format_option(parser, "table", "json")

    def run(self, **options: Any) -> None:
        division = get_division_by_name(get_tournament_by_slug(options["slug"]), options["division"])
        session = find_duplicate_session(division)
        if session is None:
            raise BadInput([_("Division %(division)s has no duplicate session.") % {"division": division.name}])
        found = load_session_state(session)
        if note := get_missing_list_note(found):
            self.stderr.write(note)
        if options["format"] == "json":
            self.print_json(make_session_json(found))
            return
        for line in make_session_table(found):
            self.stdout.write(str(line))
        self.stdout.write(describe_state(found))
