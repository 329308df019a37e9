"""`journal SLUG`: what was done, and whether the journal gives the stored tournament."""

from typing import Any

from django.core.management.base import CommandParser
from django.utils import timezone

from tournament import journal
from tournament.management import base
from tournament.models import JournalEntry
from tournament.words import journal as journal_words


class Command(base.TournamentCommand):
    help = "Print a tournament's journal; --verify replays it into an empty database and compares."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--verify", action="store_true")
        base.add_format(parser, "table", "json")

    def run(self, **options: Any) -> None:
        tournament = base.tournament_of(options["slug"])
        if options["verify"] and (differences := journal.replay(tournament)):
            raise base.BadInput(differences)
        entries = JournalEntry.objects.filter(tournament=tournament).order_by("number")
        if options["format"] == "json":
            self.print_json([_as_json(entry) for entry in entries])
        elif options["verify"]:
            self.stdout.write(f"{entries.count()} entries replayed: the journal gives the stored tournament.")
        else:
            for entry in entries.defer("rows"):
                at = timezone.localtime(entry.at).strftime("%Y-%m-%d %H:%M:%S")
                self.stdout.write(f"{entry.number:>5}  {at}  {entry.by_name}  {journal_words.sentence(entry)}")


def _as_json(entry: JournalEntry) -> dict[str, Any]:
    return {
        "number": entry.number,
        "at": entry.at.isoformat(),
        "by": entry.by_name,
        "verb": entry.verb,
        "details": entry.details,
        "rows": entry.rows,
    }
