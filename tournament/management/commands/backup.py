"""`backup`: the whole installation in one file, safe while the program runs."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from tournament.laptop.backup import export, making, places, second_place, state
from tournament.laptop.backup.values import BackupReason
from tournament.management import base
from tournament.words import backups as words


class Command(base.TournamentCommand):
    help = "Save the whole installation in one file: database, photos, word lists, key."
    updates_database = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("-o", "--output", metavar="FILE", help="where to (default: the folder “backups”)")
        parser.add_argument("--second-place", metavar="FOLDER", help="keep a copy of every backup there from now on")
        parser.add_argument("--no-second-place", action="store_true", help="keep no copies elsewhere from now on")
        base.add_format(parser, "table", "json")

    def run(self, **options: Any) -> None:
        home = places.here()
        self.name_second_place(home, options)
        made = making.make(home, BackupReason.BY_HAND, awaits_place=True)
        assert made is not None
        path = made.path
        if options["output"]:
            path = export.save(made.path, Path(options["output"]))
        if options["format"] == "json":
            self.print_json({"file": str(path), **made.manifest.as_json()})
        else:
            self.stdout.write(words.saved(path, made.manifest.facts.event_count, path.stat().st_size))
        self.tell(made)

    def name_second_place(self, home: places.Installation, options: dict[str, Any]) -> None:
        """Remember the second place that the options name, if they do."""
        if options["second_place"]:
            folder = Path(options["second_place"]).expanduser()
            second_place.prepare(home, folder)
            state.name_second_place(home, folder)
        elif options["no_second_place"]:
            state.name_second_place(home, None)

    def tell(self, made: making.MadeBackup) -> None:
        """What is not as it should be, on standard error."""
        if made.not_carried:
            self.stderr.write(str(made.not_carried))
        if not made.manifest.is_good:
            raise base.BadInput(
                [_("The backup was made, but there are faults in the data:"), *made.manifest.facts.faults]
            )
