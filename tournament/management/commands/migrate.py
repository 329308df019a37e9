"""Django's `migrate`, which a kill leaves undone instead of half done, and which changes no data of a newer version."""

from contextlib import ExitStack
from typing import Any

from django.apps import apps
from django.core.management import CommandError
from django.core.management.commands import migrate
from django.db import connections, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from tournament.backup.health import DataNewer
from tournament.management.base import require_known_migrations

CHOSEN = ("app_label", "check_unapplied", "fake", "fake_initial", "plan", "prune", "run_syncdb")
"""Options by which somebody asks for something else than the newest state."""


class Command(migrate.Command):
    """As Django's; what a killed one has made is taken back by the database."""

    # Django notes most migrations only after their tables are committed. Killed between the two, each later start
    # makes the same tables again and is refused. SQLite takes all at once, with what follows the migrations;
    # PostgreSQL one at a time, as rows changed by one migration keep the next from altering their table.

    def handle(self, *args: Any, **options: Any) -> None:
        """Bring the database to the state asked for. Raises `CommandError` if a newer version made it."""
        try:
            require_known_migrations()
        except DataNewer as refusal:
            raise CommandError(str(refusal)) from refusal
        alias = options["database"]
        connection = connections[alias]
        with ExitStack() as whole, ExitStack() as step:
            if connection.vendor == "sqlite":
                whole.enter_context(connection.constraint_checks_disabled())  # cannot be done within a transaction
                whole.enter_context(transaction.atomic(using=alias))
                if not connection.introspection.table_names() and not any(options[name] for name in CHOSEN):
                    self.make_tables(alias, options["verbosity"])
            self.alias, self.step = alias, step
            super().handle(*args, **options)

    def make_tables(self, alias: str, verbosity: int) -> None:
        """Make the tables of a new database, and note the migrations that would have made them."""
        # A hundred migrations, one after the other, make the same tables (tests/test_migrations.py) in six seconds of
        # a director's first start instead of one. Here alone: on SQLite, where all is taken back by a kill.
        self.verbosity = verbosity
        self.sync_apps(connections[alias], {app.label for app in apps.get_app_configs()})
        recorder = MigrationRecorder(connections[alias])
        recorder.ensure_schema()
        for app, name in sorted(MigrationLoader(None, ignore_no_migrations=True).disk_migrations):
            recorder.record_applied(app, name)

    def migration_progress_callback(self, action: str, migration: Any = None, fake: bool = False) -> None:
        """Hold each migration and the note of it together."""
        if action in ("apply_start", "unapply_start") and migration.atomic:
            self.step.enter_context(transaction.atomic(using=self.alias))
        elif action in ("apply_success", "unapply_success"):
            self.step.close()
        super().migration_progress_callback(action, migration, fake)
