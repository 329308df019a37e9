"""`backup`: the whole installation in one file, safe while the program runs."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from tournament.backup.making import export_backup, make_backup
from tournament.backup.places import BackupReason, Installation, get_installation, save_second_place
from tournament.backup.second_place import prepare_second_place
from tournament.backup.words import describe_saved_backup
from tournament.management.base import BadInput, TournamentCommand, add_format_option


class Command(TournamentCommand):
    help = "Save the whole installation in one file: database, photos, word lists, key."
    updates_database = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("-o", "--output", metavar="FILE", help="where to (default: the folder “backups”)")
        parser.add_argument("--second-place", metavar="FOLDER", help="keep a copy of every backup there from now on")
        parser.add_argument("--no-second-place", action="store_true", help="keep no copies elsewhere from now on")
        add_format_option(parser, "table", "json")

    def run(self, **options: Any) -> None:
        home = get_installation()
        self.name_second_place(home, options)
        made = make_backup(home, BackupReason.BY_HAND, awaits_place=True)
        assert made is not None
        path = export_backup(made.path, Path(options["output"])) if options["output"] else made.path
        if options["format"] == "json":
            self.print_json({"file": str(path), **made.manifest.as_json()})
        else:
            self.stdout.write(describe_saved_backup(path, made.manifest.facts.event_count, path.stat().st_size))
        if made.not_carried:
            self.stderr.write(str(made.not_carried))
        if not made.manifest.is_good:
            raise BadInput([_("The backup was made, but there are faults in the data:"), *made.manifest.facts.faults])

    def name_second_place(self, home: Installation, options: dict[str, Any]) -> None:
        """Remember the second place that the options name, if any."""
        if options["second_place"]:
            folder = Path(options["second_place"]).expanduser()
            prepare_second_place(home, folder)
            save_second_place(home, folder)
        elif options["no_second_place"]:
            save_second_place(home, None)
