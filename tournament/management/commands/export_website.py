"""`export_website SLUG`: write an event's public pages as a website in one zip, which needs no server and no script."""

import tempfile
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.exchange.website import writing
from tournament.management import base, files


class Command(files.FileCommand):
    help = "Write an event's public pages as a website in one zip: it needs no server and no script."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("-o", "--output", metavar="FILE", help="write into this file (default: SLUG-website.zip)")

    def run(self, **options: Any) -> None:
        tournament = base.tournament_of(options["slug"])
        path = Path(options["output"] or f"{tournament.slug}-website.zip")
        with tempfile.TemporaryFile() as made:
            count = writing.write(tournament, made)
            made.seek(0)
            content = made.read()
        files.write(str(path), content)
        pages = ngettext("%(count)s page", "%(count)s pages", count) % {"count": count}
        self.stdout.write(_("%(file)s: %(pages)s, to be opened by index.html.") % {"file": path, "pages": pages})
