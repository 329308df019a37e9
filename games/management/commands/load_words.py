from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from games.judge.operations import FaultyLines, LoadedWordList, load_word_list, make_list_title
from games.judge.words import describe_left_out_lines, describe_loaded_list
from scoring.letters import LETTER_SETS
from tournament.exchange.faults import FaultCode
from tournament.management.base import BadInput, TournamentCommand, get_terminal_actor, name_file_in_faults


class Command(TournamentCommand):
    help = "Load a word list for the word judge: all of it, or nothing if a line cannot be a word."
    takes_organiser = True
    formats = ("table", "json")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--letters", choices=sorted(LETTER_SETS), default="de", help="letter set (default: de)")
        parser.add_argument("--title", help="what the list is called (default: the file's name)")
        parser.add_argument("--leave-out", action="store_true", help="leave out lines that cannot be words")
        parser.add_argument("--aside", action="store_true", help="keep judging by the list that is in use")

    def run(self, **options: Any) -> None:
        path = Path(options["file"])
        try:
            with name_file_in_faults(options["file"], FaultCode.NOT_READABLE), path.open("rb") as source:
                # Without a limit of lines: that is there for browsers, where others would have to wait.
                loading = load_word_list(
                    source,
                    letters=options["letters"],
                    title=options["title"] or make_list_title(path.name),
                    leave_out=options["leave_out"],
                    use=not options["aside"],
                    actor=get_terminal_actor(options["organiser"]),
                )
        except FaultyLines as refusal:
            faults = [_("line %(line)s: “%(text)s”") % fault for fault in refusal.report.faults]
            raise BadInput([str(refusal), *faults]) from refusal
        if options["format"] == "json":
            self.print_json(_make_report_json(loading))
            return
        for sentence in describe_left_out_lines(loading):
            self.stderr.write(sentence)
        self.stdout.write(describe_loaded_list(loading))


def _make_report_json(done: LoadedWordList) -> dict[str, Any]:
    word_list, report = done.word_list, done.report
    return {
        "title": word_list.title,
        "letters": word_list.letters,
        "encoding": word_list.encoding,
        "count": word_list.count,
        "sha256": word_list.sha256,
        "in_use": word_list.in_use,
        "twice": done.twice,
        "too_short": report.too_short,
        "too_long": report.too_long,
        "faulty": report.faulty,
    }
