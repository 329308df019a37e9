import time
from typing import Any

from django.core.management.base import CommandParser
from django.db import DatabaseError, close_old_connections

from tournament.management.base import TournamentCommand
from tournament.push.operations import send_push_messages


class Command(TournamentCommand):
    help = (
        "Tell browsers that follow players what is new at public events: once, or again and again with --every. "
        "Two at the same time send nothing twice."
    )
    formats = ("table", "json")

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--every", type=int, metavar="SECONDS", help="go on, looking so often, until stopped")

    def run(self, **options: Any) -> None:
        while options["every"]:
            # A connection that has rested may have been cut by the server: such a one is dropped here, and the next
            # query opens another.
            close_old_connections()
            try:
                send_push_messages()
            except DatabaseError as fault:  # the database is away for a moment
                self.stderr.write(f"{type(fault).__name__}: {fault}")
            # Never less than a second: a negative number is an error to `sleep`, which would end the service at its
            # first look.
            time.sleep(max(1, options["every"]))
        counts = send_push_messages()
        self.print_answer(
            options["format"],
            counts,
            ["{sent} sent, {later} to be tried again, {forgotten} forgotten.".format(**counts)],
        )
