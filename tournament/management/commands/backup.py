from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from tournament.backup.forgotten_names import NameSearch, let_backups_go
from tournament.backup.health import check_database, describe_way_back, require_safe_to_open
from tournament.backup.making import export_backup, is_postgresql_used, make_backup
from tournament.backup.places import (
    BackupReason,
    Installation,
    get_installation,
    prepare_second_place,
    save_second_place,
)
from tournament.backup.words import describe_deleted_backups, describe_lost_photos, describe_saved_backup
from tournament.core.errands import do_errands
from tournament.management.base import BadInput, TournamentCommand


class Command(TournamentCommand):
    help = "Save the whole installation in one file: database, photos, word lists, key."
    updates_database = False
    formats = ("table", "json")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("-o", "--output", metavar="FILE", help="where to (default: the folder “backups”)")
        parser.add_argument("--second-place", metavar="FOLDER", help="keep a copy of every backup there from now on")
        parser.add_argument("--no-second-place", action="store_true", help="keep no copies elsewhere from now on")

        parser.add_argument("--with-name", metavar="NAME", help="list the backups in which somebody still stands")
        parser.add_argument("--delete", action="store_true", help="with --with-name: delete them after a new backup")

    def run(self, **options: Any) -> None:
        home = get_installation()
        # First of all: only to open a database beside a `-wal` that is not its own may spoil it.
        if not is_postgresql_used():
            require_safe_to_open(home)
            check_database(home)
        do_errands()
        if options["with_name"]:
            self.find_name(home, **options)
            return
        if options["second_place"]:
            folder = Path(options["second_place"]).expanduser()
            prepare_second_place(home, folder)
            save_second_place(home, folder)
        elif options["no_second_place"]:
            save_second_place(home, None)
        # The second place has all the time that it takes: whoever makes a backup by hand waits for it, and pulls the
        # stick out afterwards.
        backup = make_backup(home, BackupReason.BY_HAND, awaits_place=True)
        assert backup is not None
        path = export_backup(backup.path, Path(options["output"])) if options["output"] else backup.path
        sentence = describe_saved_backup(path, backup.manifest.facts.event_count, path.stat().st_size)
        self.print_answer(options["format"], {"file": str(path), **backup.manifest.as_json()}, [sentence])
        if lost := backup.manifest.facts.lost_photos:
            self.stderr.write(describe_lost_photos(lost, home.data))
        if backup.not_carried:
            self.stderr.write(str(backup.not_carried))
        if not backup.manifest.is_good:
            message, way = _("The backup was made, but the data contain errors:"), describe_way_back(home)
            raise BadInput([message, *backup.manifest.facts.faults, way])

    def find_name(self, home: Installation, **options: Any) -> None:
        """List what still holds a name, and delete the backups among it if asked to. Raises a `Refusal`."""
        search = NameSearch()
        search.add([options["with_name"]])
        search.go_on(home)
        places = [str(path) for path in (*(path for path, _name in search.backups), *search.folders)]
        if options["delete"] and search.backups:
            count = let_backups_go(home, search)
            self.print_answer(options["format"], {"found": places, "deleted": count}, [describe_deleted_backups(count)])
        else:
            lines = places or [_("No backup contains the name any more.")]
            self.print_answer(options["format"], {"found": places, "deleted": 0}, lines)
