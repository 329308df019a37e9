"""`join_sessions SEALED FILE …`: the clubs' files of a sealed session as one table."""

import io
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from games import limits
from games.judge import reading as lists
from games.sealed import clubs, report
from games.sealed.clubs import ClubFile
from scoring.duplicate import Allowed
from scoring.letters import LETTER_SETS
from scoring.sealed import Envelope
from tournament import limits as event_limits
from tournament.exchange import faults, sealed_file
from tournament.management import base, files
from tournament.refusals import Refusals


class Command(files.FileCommand):
    help = "Join the tournament files of clubs that have played the same sealed session, and print one table."
    updates_database = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("session", metavar="SEALED", help="the sealed session that the clubs were sent")
        parser.add_argument("files", metavar="FILE", nargs="+", help="a club’s tournament file")
        parser.add_argument("--words", metavar="FILE", help="word list by which all slips are judged, one word a line")
        base.add_format(parser, "table", "json")

    def run(self, **options: Any) -> None:
        envelope = sealed_file.read(files.content(options["session"], limit=event_limits.SEALED_BYTES))
        allows = _words(options["words"], envelope) if options["words"] else None
        found: list[ClubFile] = []
        lines: list[str] = []
        for name in options["files"]:
            try:
                file = clubs.read(files.content(name, limit=event_limits.FILE_BYTES), file=name, envelope=envelope)
            except faults.Faults as faulty:
                lines += [f"{name}: {fault}" for fault in faulty.faults]
            except Refusals as refused:
                lines += [str(refusal) for refusal in refused.refusals]
            else:
                if any(each.hash == file.hash or each.name == file.name for each in found):
                    lines.append(_("%(file)s: “%(name)s” is there already.") % {"file": name, "name": file.name})
                found.append(file)
        if lines:
            raise base.BadInput(lines)
        self._print(clubs.field([(each.name, each.event) for each in found], {}, allows), options["format"])

    def _print(self, field: clubs.JoinedClubs, form: str) -> None:
        if form == "json":
            self.print_json(report.as_json(field))
            return
        for line in [*report.as_lines(field), *field.notes]:
            self.stdout.write(line)


def _words(name: str, envelope: Envelope) -> Allowed:
    """Whether a list in a file has a word."""
    letters = LETTER_SETS[envelope.letters]
    source = io.BytesIO(files.content(name, limit=limits.WORD_LIST_BYTES))
    known = frozenset(lists.folded(word) for word in lists.words(source, lists.open_list(source, letters)))
    return lambda word: lists.folded(lists.composed(word)) in known
