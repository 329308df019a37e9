import io
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.files.website import write_website
from tournament.management.base import TournamentCommand, get_tournament_by_slug, write_output_file


class Command(TournamentCommand):
    help = "Write an event's public pages as a website in one zip: it needs no server and no script."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("-o", "--output", metavar="FILE", help="write into this file (default: SLUG-website.zip)")

    def run(self, **options: Any) -> None:
        tournament = get_tournament_by_slug(options["slug"])
        path = Path(options["output"] or f"{tournament.slug}-website.zip")
        buffer = io.BytesIO()
        count = write_website(tournament, buffer)
        write_output_file(str(path), buffer.getvalue())
        pages = ngettext("%(count)s page", "%(count)s pages", count) % {"count": count}
        self.stdout.write(_("%(file)s: %(pages)s, to be opened by index.html.") % {"file": path, "pages": pages})
