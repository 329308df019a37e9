"""`journal SLUG`: what was done, whether it gives the stored tournament, and the tournament made anew from it."""

from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from tournament import journal
from tournament.exchange import checks, journal_file
from tournament.exchange.archive import rebuilding
from tournament.management import base, files
from tournament.models import JournalEntry
from tournament.operations.change import TERMINAL
from tournament.words import archives
from tournament.words import journal as journal_words


class Command(files.FileCommand):
    help = (
        "Print a tournament's journal; --verify replays it into an empty database and compares; "
        "--rebuild makes the tournament anew from it alone, at an address of its own."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--verify", action="store_true")
        what.add_argument("--rebuild", metavar="NEW_SLUG", help="address of the tournament made anew")
        base.add_format(parser, "table", "json", "csv")

    def run(self, **options: Any) -> None:
        if options["rebuild"] is not None:
            self.rebuild(**options)
            return
        tournament = base.tournament_of(options["slug"])
        if options["verify"] and (differences := journal.replay(tournament)):
            raise base.BadInput(differences)
        entries = JournalEntry.objects.filter(tournament=tournament).order_by("number")
        if options["format"] == "json":
            self.print_json([_as_json(entry) for entry in entries])
        elif options["format"] == "csv":
            self.print_bytes(journal_file.as_csv(tournament))
        elif options["verify"]:
            self.stdout.write(f"{entries.count()} entries replayed: the journal gives the stored tournament.")
        else:
            for entry in entries.defer("rows"):
                at = timezone.localtime(entry.at).strftime("%Y-%m-%d %H:%M:%S")
                self.stdout.write(f"{entry.number:>5}  {at}  {entry.by_name}  {journal_words.sentence(entry)}")

    def rebuild(self, **options: Any) -> None:
        """Make the tournament anew; what the journal does not hold is said on standard error."""
        checks.require_address(options["rebuild"])
        made = rebuilding.rebuild(options["slug"], options["rebuild"], actor=TERMINAL)
        for sentence in archives.not_in_the_journal(made.files, made.files_gone, made.set_aside):
            self.stderr.write(sentence)
        if options["format"] == "json":
            self.print_json({"slug": made.tournament.slug, "entries": made.entries})
        else:
            self.stdout.write(archives.rebuilt(made.tournament, made.entries))


def _as_json(entry: JournalEntry) -> dict[str, Any]:
    return {
        "number": entry.number,
        "at": entry.at.isoformat(),
        "by": entry.by_name,
        "verb": entry.verb,
        "details": entry.details,
        "rows": entry.rows,
    }
