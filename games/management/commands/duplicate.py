from typing import Any

from django.utils.translation import gettext as _

from games.duplicate.queries import find_duplicate_session, load_session_state
from games.duplicate.tables import format_session_lines, make_session_json
from games.duplicate.words import describe_missing_list, describe_session_state
from tournament.management.base import BadInput, DivisionCommand


class Command(DivisionCommand):
    help = "Print a duplicate session as it stands: what every slip scores turn by turn, and the table."
    formats = ("table", "json")

    def run(self, **options: Any) -> None:
        division = self.get_division(options)
        session = find_duplicate_session(division)
        if session is None:
            raise BadInput([_("Division %(division)s has no duplicate session.") % {"division": division.name}])
        found = load_session_state(session)
        if found.session.words and found.allows is None:
            self.stderr.write(describe_missing_list(found.session.words))
        how_far = describe_session_state(found.closed, found.session.max_turns, found.session.stopped, found.ended)
        self.print_answer(options["format"], make_session_json(found), [*format_session_lines(found), how_far])
