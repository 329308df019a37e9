import io
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from games import limits
from games.judge.lists import compose_word_text, fold_word, read_list_words, start_reading_report
from games.sealed.club_files import ClubFile, join_club_files, read_club_file
from games.sealed.tables import make_joined_json, make_joined_table
from scoring.duplicate import WordCheck
from scoring.letters import LETTER_SETS
from scoring.sealed import Envelope
from tournament.basics import limits as event_limits
from tournament.basics.refusals import Refusals
from tournament.exchange.faults import FileFaults
from tournament.exchange.tournament_file import read_sealed_file
from tournament.management.base import BadInput, TournamentCommand, read_input_file


class Command(TournamentCommand):
    help = "Join the tournament files of clubs that have played the same sealed session, and print one table."
    updates_database = False
    formats = ("table", "json")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("session", metavar="SEALED", help="the sealed session that the clubs were sent")
        parser.add_argument("files", metavar="FILE", nargs="+", help="a club’s tournament file")
        parser.add_argument("--words", metavar="FILE", help="word list by which all slips are judged, one word a line")

    def run(self, **options: Any) -> None:
        envelope = read_sealed_file(read_input_file(options["session"], limit=event_limits.SEALED_BYTES))
        allows = _make_word_check(options["words"], envelope) if options["words"] else None
        club_files: list[ClubFile] = []
        lines: list[str] = []
        for name in options["files"]:
            try:
                file = read_club_file(
                    read_input_file(name, limit=event_limits.FILE_BYTES), file=name, envelope=envelope
                )
            except FileFaults as faulty:
                lines += [f"{name}: {fault}" for fault in faulty.faults]
            except Refusals as refused:
                lines += [str(refusal) for refusal in refused.refusals]
            else:
                if any(club_file.hash == file.hash or club_file.name == file.name for club_file in club_files):
                    lines.append(_("%(file)s: “%(name)s” is there already.") % {"file": name, "name": file.name})
                club_files.append(file)
        # Once every file has been read: of twenty, all that are at fault are told at once.
        if lines:
            raise BadInput(lines)
        joined = join_club_files([(club_file.name, club_file.event) for club_file in club_files], {}, allows)
        lines = [*map(str, make_joined_table(joined)), *joined.notes]
        self.print_answer(options["format"], make_joined_json(joined), lines)


def _make_word_check(name: str, envelope: Envelope) -> WordCheck:
    letters = LETTER_SETS[envelope.letters]
    source = io.BytesIO(read_input_file(name, limit=limits.WORD_LIST_BYTES))
    lexicon = frozenset(fold_word(word) for word in read_list_words(source, start_reading_report(source, letters)))
    return lambda word: fold_word(compose_word_text(word)) in lexicon
