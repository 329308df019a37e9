import sys
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.db import connections
from django.urls import reverse
from django.utils.translation import gettext as _

from tournament.backup.database import find_unknown_migrations
from tournament.backup.health import check_database, describe_entries_after, is_database_open
from tournament.backup.making import is_postgresql_used, make_backup
from tournament.backup.places import BackupManifest, BackupReason, Installation, get_installation, read_data_version
from tournament.backup.restoring import (
    DataInUse,
    carry_out_restore_plan,
    inspect_backup,
    prepare_restore,
    replace_data,
    restore_postgresql,
)
from tournament.backup.words import describe_backup, describe_backup_event, describe_data_fault, describe_entries_since
from tournament.basics.program import format_command_line
from tournament.basics.refusals import Refusal
from tournament.basics.version import is_newer_version
from tournament.management.base import BadInput, TournamentCommand


class Command(TournamentCommand):
    help = "Bring a backup back: shows what is in it and asks; today's data are moved aside, never overwritten."
    updates_database = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def run(self, **options: Any) -> None:
        path, home = Path(options["file"]).expanduser().resolve(), get_installation()
        manifest = inspect_backup(path)
        facts = manifest.facts
        self.stdout.write(str(path))
        self.stdout.write(describe_backup(manifest.made_at, manifest.reason, manifest.program, manifest.size))
        for sentence in (*map(describe_backup_event, facts.events), *map(describe_data_fault, facts.faults)):
            self.stdout.write(sentence)
        if loss := describe_entries_after(home, manifest):
            self.stdout.write(loss)
        if not (options["yes"] or self.agreed()):
            raise BadInput([_("Nothing was changed.")])
        # Ours is one of those that have the database open: it would be refused as in use.
        connections.close_all()
        if is_postgresql_used():
            aside: object = restore_postgresql(home, path, manifest)
        else:
            aside = self.put_in_place(home, path, manifest)
        self.stdout.write(_("Restored. The previous data are kept here: %(folder)s") % {"folder": aside})
        self.stdout.write(_("Names and passwords are those of the backup again."))
        self.stdout.write(_("This starts the program: %(command)s") % {"command": format_command_line()})

    def put_in_place(self, home: Installation, path: Path, manifest: BackupManifest) -> Path:
        """Replace today's data; the folder where they are now. Raises a `Refusal`."""
        carry_out_restore_plan(home)
        if is_database_open(home):
            raise DataInUse
        self.stdout.write(_("The backup is being checked …"))
        self.stdout.flush()
        # Only over lost data are the notes done again: a director who goes back to yesterday on purpose wants what was
        # entered since to be gone.
        is_lost = not home.database.exists() or not self.save_todays(home)
        prepared, facts = prepare_restore(home, path, manifest, is_lost=is_lost)
        if is_lost:
            for sentence in describe_entries_since(facts, reverse("admin:auth_user_changelist")):
                self.stdout.write(sentence)
        return replace_data(home, prepared)

    def save_todays(self, home: Installation) -> bool:
        """Back up today's data; whether nothing is wrong with them. They are kept in any case."""
        try:
            check_database(home)
            backup = make_backup(home, BackupReason.RESTORE)
        except Refusal:
            self.stdout.write(_("Today's data could not be backed up; they are moved aside as they are."))
            return False
        # Nothing has changed since the last backup: that one is today's.
        if backup is None:
            return True
        # By what is noted no newer version was here: then migrations that we do not know are damage.
        noted, migrations = read_data_version(home), backup.manifest.facts.migrations
        is_damaged = noted and not is_newer_version(noted) and find_unknown_migrations(migrations)
        return backup.manifest.is_good and not is_damaged

    def agreed(self) -> bool:
        """Whether somebody at a terminal says yes. Raises `BadInput` where nobody can."""
        # A script that waits for an answer which nobody gives would hang for ever, before a server that is down.
        if not sys.stdin.isatty():
            raise BadInput([_("The program cannot ask here: add --yes to restore this backup.")])
        self.stdout.write(_("Restore this backup? Today's data are moved aside, not deleted. [y/n] "), ending="")
        self.stdout.flush()
        return sys.stdin.readline().strip().lower() in {"y", "yes", "j", "ja"}
