"""Django's `migrate`, which a kill leaves undone instead of half done, and which changes no data of a newer version."""

from contextlib import ExitStack
from typing import Any

from django.core.management import CommandError
from django.core.management.commands import migrate
from django.db import connections, transaction

from tournament.backup.health import DataNewer
from tournament.management.base import require_known_migrations


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
            self.alias, self.step = alias, step
            super().handle(*args, **options)

    def migration_progress_callback(self, action: str, migration: Any = None, fake: bool = False) -> None:
        """Hold each migration and the note of it together."""
        if action in ("apply_start", "unapply_start") and migration.atomic:
            self.step.enter_context(transaction.atomic(using=self.alias))
        elif action in ("apply_success", "unapply_success"):
            self.step.close()
        super().migration_progress_callback(action, migration, fake)
