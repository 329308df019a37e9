from typing import Any

from django.utils.translation import gettext as _

from games.sessions.session_state import find_duplicate_session, load_session_state
from games.sessions.tables import describe_state, get_missing_list_note, make_session_json, make_session_table
from tournament.management.base import BadInput, DivisionCommand


class Command(DivisionCommand):
    help = "Print a duplicate session as it stands: what every slip scores turn by turn, and the table."
    formats = ("table", "json")

    def run(self, **options: Any) -> None:
        division = self.get_division(options)
        session = find_duplicate_session(division)
        if session is None:
            raise BadInput([_("Division %(division)s has no duplicate session.") % {"division": division.name}])
        state = load_session_state(session)
        if note := get_missing_list_note(state):
            self.stderr.write(note)
        lines = [*map(str, make_session_table(state)), describe_state(state)]
        self.print_answer(options["format"], make_session_json(state), lines)
