"""`load_words FILE`: a word list for the word judge."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from games.judge import operations as judge_operations
from games.judge import words as judge_words
from scoring.letters import LETTER_SETS
from tournament.exchange.faults import Code
from tournament.management import base, files


class Command(files.FileCommand):
    help = "Load a word list for the word judge: all of it, or nothing if a line cannot be a word."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--letters", choices=sorted(LETTER_SETS), default="de", help="letter set (default: de)")
        parser.add_argument("--title", help="what the list is called (default: the file's name)")
        parser.add_argument("--leave-out", action="store_true", help="leave out lines that cannot be words")
        parser.add_argument("--aside", action="store_true", help="keep judging by the list that is in use")
        base.add_organiser(parser)
        base.add_format(parser, "table", "json")

    def run(self, **options: Any) -> None:
        path = Path(options["file"])
        try:
            with files.named_in_faults(options["file"], Code.NOT_READABLE), path.open("rb") as source:
                done = judge_operations.load_word_list(
                    source,
                    letters=options["letters"],
                    title=options["title"] or judge_operations.title_of(path.name),
                    leave_out=options["leave_out"],
                    use=not options["aside"],
                    actor=base.terminal(options["organiser"]),
                )
        except judge_operations.FaultyLines as refusal:
            shown = [
                _("line %(line)s: “%(text)s”") % {"line": fault.line, "text": fault.text}
                for fault in refusal.report.faults
            ]
            raise base.BadInput([str(refusal), *shown]) from refusal
        if options["format"] == "json":
            self.print_json(_as_json(done))
            return
        for sentence in judge_words.left_out(done):
            self.stderr.write(sentence)
        self.stdout.write(judge_words.loaded(done))


def _as_json(done: judge_operations.LoadedList) -> dict[str, Any]:
    made, report = done.word_list, done.report
    return {
        "title": made.title,
        "letters": made.letters,
        "encoding": made.encoding,
        "count": made.count,
        "sha256": made.sha256,
        "in_use": made.in_use,
        "twice": done.twice,
        "too_short": report.too_short,
        "too_long": report.too_long,
        "faulty": report.faulty,
    }
