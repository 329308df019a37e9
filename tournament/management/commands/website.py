import signal
from pathlib import Path
from time import sleep
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.management.base import TournamentCommand, get_tournament_by_slug
from tournament.mirror.operations import parse_website_folder
from tournament.mirror.website_folder import FolderFollower, WrittenWebsite, write_website_folder
from tournament.models import WebsiteFolder

LOOK_SECONDS = 1.0


class Command(TournamentCommand):
    help = "Write an event's public pages as a website into a folder, once, or always up to date while this runs."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("folder", metavar="DIR", help="an empty folder, or one that this command has filled")
        parser.add_argument("--follow", action="store_true", help="go on until Ctrl+C, and write what changes")

    def run(self, **options: Any) -> None:
        folder = parse_website_folder(str(Path(options["folder"]).absolute()))
        self.tell(write_website_folder(get_tournament_by_slug(options["slug"]), folder))
        if options["follow"]:
            # As Ctrl+C: a service that is stopped ends with its sentence, and not in the middle of a file.
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            try:
                self.follow(options["slug"], folder)
            except KeyboardInterrupt:
                self.stdout.write(_("Stopped. The files stay."))

    def follow(self, slug: str, folder: Path) -> None:
        """Write what changes until somebody stops it; a fault is told once and tried again."""
        follower, last_fault = FolderFollower(), ""
        while True:
            # Not stored, and read anew for each look: another process changes the event, and the folder is no setting
            # of it.
            row = WebsiteFolder(tournament=get_tournament_by_slug(slug), path=str(folder))
            if (written := follower.look(row)) is not None and written.has_changed:
                self.tell(written)
            fault = str(follower.fault or "")
            if fault != last_fault and fault:
                self.stderr.write(fault)
            last_fault = fault
            sleep(LOOK_SECONDS)

    def tell(self, written: WrittenWebsite) -> None:
        message = ngettext("%(count)s file written", "%(count)s files written", written.written)
        gone = ngettext("%(count)s file removed", "%(count)s files removed", written.removed)
        figures = (message % {"count": written.written}, gone % {"count": written.removed})
        self.stdout.write(_("%(written)s, %(removed)s.") % {"written": figures[0], "removed": figures[1]})
