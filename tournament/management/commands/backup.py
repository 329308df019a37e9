from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from tournament.backup.health import describe_last_good_backup, require_noted_entries, require_safe_to_open
from tournament.backup.making import export_backup, is_postgresql_used, make_backup
from tournament.backup.places import BackupReason, get_installation, save_second_place
from tournament.backup.second_place import prepare_second_place
from tournament.backup.words import describe_lost_photos, describe_saved_backup
from tournament.management.base import BadInput, TournamentCommand


class Command(TournamentCommand):
    help = "Save the whole installation in one file: database, photos, word lists, key."
    updates_database = False
    formats = ("table", "json")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("-o", "--output", metavar="FILE", help="where to (default: the folder “backups”)")
        parser.add_argument("--second-place", metavar="FOLDER", help="keep a copy of every backup there from now on")
        parser.add_argument("--no-second-place", action="store_true", help="keep no copies elsewhere from now on")

    def run(self, **options: Any) -> None:
        home = get_installation()
        if not is_postgresql_used():
            require_safe_to_open(home)
            require_noted_entries(home)
        if options["second_place"]:
            folder = Path(options["second_place"]).expanduser()
            prepare_second_place(home, folder)
            save_second_place(home, folder)
        elif options["no_second_place"]:
            save_second_place(home, None)
        made = make_backup(home, BackupReason.BY_HAND, awaits_place=True)
        assert made is not None
        path = export_backup(made.path, Path(options["output"])) if options["output"] else made.path
        sentence = describe_saved_backup(path, made.manifest.facts.event_count, path.stat().st_size)
        self.print_answer(options["format"], {"file": str(path), **made.manifest.as_json()}, [sentence])
        if lost := made.manifest.facts.lost_photos:
            self.stderr.write(describe_lost_photos(lost, home.data))
        if made.not_carried:
            self.stderr.write(str(made.not_carried))
        if not made.manifest.is_good:
            said, way = _("The backup was made, but the data contain errors:"), describe_last_good_backup(home)
            raise BadInput([said, *made.manifest.facts.faults, way])
