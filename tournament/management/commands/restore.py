"""`restore`: a backup brought back; today's data are moved aside."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.db import connections
from django.urls import reverse
from django.utils.translation import gettext as _

from tournament.laptop.backup import health, making, marking, places, postgres, reading, restoring
from tournament.laptop.backup.places import Installation
from tournament.laptop.backup.restoring import PreparedRestore
from tournament.laptop.backup.values import BackupManifest, BackupReason
from tournament.management import base
from tournament.refusals import Refusal
from tournament.words import backups as words


class Command(base.TournamentCommand):
    help = "Bring a backup back: shows what is in it and asks; today's data are moved aside, never overwritten."
    updates_database = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def run(self, **options: Any) -> None:
        path, home = Path(options["file"]).expanduser().resolve(), places.here()
        manifest = reading.inspect(path)
        self.show(path, manifest)
        if not (options["yes"] or self.agreed()):
            raise base.BadInput([_("Nothing was changed.")])
        connections.close_all()
        if postgres.in_use():
            aside: object = restoring.replace_postgresql(home, path, manifest)
        else:
            aside = self.put_in_place(home, path, manifest)
        self.stdout.write(_("Restored. The data as they were before are kept here: %(folder)s") % {"folder": aside})
        self.stdout.write(words.accounts_of_then())
        self.stdout.write(_("This starts the program: %(command)s") % {"command": health.command()})

    def put_in_place(self, home: Installation, path: Path, manifest: BackupManifest) -> Path:
        """Replace today's data; where they are now. Raises a `Refusal`."""
        restoring.carry_out_plan(home)
        if marking.is_open(home):
            raise restoring.InUse
        self.stdout.write(_("The backup is being checked …"))
        self.stdout.flush()
        is_lost = not home.database.exists() or self.is_lost(home)
        prepared = restoring.prepare(home, path, manifest, is_lost=is_lost)
        if is_lost:
            self.tell_of_entered(prepared)
        self.save_todays(home)
        return restoring.put_in_place(home, prepared)

    def is_lost(self, home: Installation) -> bool:
        """Whether today's data cannot be used."""
        try:
            health.examine(home)
        except Refusal:
            return True
        return False

    def tell_of_entered(self, prepared: PreparedRestore) -> None:
        """Say what was entered since the backup: what came back with it, and what has to be looked at."""
        facts = prepared.facts
        if facts.caught_up:
            self.stdout.write(words.caught_up(facts.caught_up))
            for event in facts.events:
                self.stdout.write(words.event(event.name, event.entries, event.rounds, event.results))
        if facts.left_out:
            self.stdout.write(words.left_out(facts.left_out))
        if facts.accounts:
            self.stdout.write(words.accounts_made(facts.accounts, reverse("admin:auth_user_changelist")))
        if not facts.caught_up:
            self.stdout.write(words.look_again())

    def save_todays(self, home: Installation) -> None:
        """Make a backup of today's data, if there are any and they are fit for one; they are kept in any case."""
        if not home.database.exists():
            return
        try:
            health.examine(home)
            making.make(home, BackupReason.RESTORE)
        except Refusal:
            self.stdout.write(_("Today's data could not be backed up; they are moved aside as they are."))

    def show(self, path: Path, manifest: BackupManifest) -> None:
        """What is in the backup."""
        self.stdout.write("\n".join([str(path), *contents(manifest)]))

    def agreed(self) -> bool:
        """Whether somebody at a terminal says yes. Raises `BadInput` where nobody can."""
        if not sys.stdin.isatty():
            raise base.BadInput([_("Nobody can be asked here: add --yes to restore this backup.")])
        question = _("Restore this backup? Today's data are moved aside, not deleted. [y/n] ")
        self.stdout.write(question, ending="")
        self.stdout.flush()
        return sys.stdin.readline().strip().lower() in {"y", "yes", "j", "ja"}


def contents(manifest: BackupManifest) -> list[str]:
    """What is in a backup, line by line."""
    facts = manifest.facts
    return [
        words.made(manifest.made_at, manifest.reason, manifest.program, manifest.size),
        *(words.event(event.name, event.entries, event.rounds, event.results) for event in facts.events),
        *(words.fault(fault) for fault in facts.faults),
    ]
