from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import ngettext

from tournament.archive.rebuilding import rebuild_event
from tournament.archive.replaying import (
    BROKEN_ENTRY_ERRORS,
    describe_broken_entry,
    find_journal_differences,
    find_noted_differences,
    find_register_differences,
)
from tournament.archive.words import describe_missing_from_journal, describe_rebuilt_event
from tournament.backup.health import describe_way_back
from tournament.backup.making import is_postgresql_used
from tournament.backup.noting import read_notes
from tournament.backup.places import NOTES_FOLDER, get_installation
from tournament.core.change import TERMINAL_ACTOR
from tournament.exchange.checks import check_slug
from tournament.management.base import BadInput, get_tournament_by_slug
from tournament.management.showing import ShowCommand
from tournament.models import JournalEntry


class Command(ShowCommand):
    help = (
        "Print a tournament's journal; --verify replays it into an empty database and compares; "
        "--rebuild makes the tournament anew from it alone, at an address of its own."
    )
    formats = ("table", "json", "csv")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--verify", action="store_true")
        what.add_argument("--rebuild", metavar="NEW_SLUG", help="address of the tournament made anew")

    def run(self, **options: Any) -> None:
        if options["rebuild"] is not None:
            self.rebuild(**options)
            return
        tournament = get_tournament_by_slug(options["slug"])
        if options["verify"]:
            home = get_installation()
            # Only lines with a checksum, which version 1.0 did not write: what may be damaged proves nothing against
            # the journal.
            noted = read_notes(home.data / NOTES_FOLDER, only_sure=True)
            try:
                faults = [
                    *find_journal_differences(tournament),
                    *find_register_differences(),
                    *find_noted_differences(noted),
                ]
            except BROKEN_ENTRY_ERRORS as fault:
                faults = [describe_broken_entry(fault)]
            if faults:
                raise BadInput(faults if is_postgresql_used() else [*faults, describe_way_back(home)])
        if options["verify"] and options["format"] == "table":
            count = JournalEntry.objects.filter(tournament=tournament).count()
            sentence = ngettext(
                "%(count)s entry replayed: the journal gives the stored tournament.",
                "%(count)s entries replayed: the journal gives the stored tournament.",
                count,
            )
            self.stdout.write(sentence % {"count": count})
        else:
            self.show("journal", options["format"], options)

    def rebuild(self, **options: Any) -> None:
        """Make the tournament anew; what the journal does not hold is said on standard error."""
        check_slug(options["rebuild"])
        rebuilt = rebuild_event(options["slug"], options["rebuild"], actor=TERMINAL_ACTOR)
        for sentence in describe_missing_from_journal(rebuilt.files, rebuilt.files_gone, rebuilt.set_aside):
            self.stderr.write(sentence)
        value = {"slug": rebuilt.tournament.slug, "entries": rebuilt.entries}
        self.print_answer(options["format"], value, [describe_rebuilt_event(rebuilt.tournament, rebuilt.entries)])
