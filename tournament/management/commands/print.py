"""`print SLUG DOCUMENT -o FILE`: a document as PDF."""

import os
import tempfile
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import translation
from django.utils.translation import gettext as _

from tournament import languages
from tournament.management import base
from tournament.printing import documents


class Command(base.TournamentCommand):
    help = "Print a document of a division to a PDF file."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("document", help=", ".join([*documents.DOCUMENTS, *documents.MORE]))
        base.add_division(parser)
        parser.add_argument("--round", type=int, help="the round, or the table after it (default: the latest)")
        parser.add_argument("-o", "--output", required=True, metavar="FILE", type=Path)

    def run(self, **options: Any) -> None:
        division = base.division_of(base.tournament_of(options["slug"]), options["division"])
        round = None if options["round"] is None else base.round_of(division, options["round"])
        with translation.override(options["language"] or languages.on_paper(division.tournament.language)):
            pdf = documents.render(options["document"], division, round)
        try:
            write_whole(options["output"], pdf)
        except OSError as error:
            figures = {"value": options["output"], "why": error.strerror}
            raise base.BadInput([_("%(value)s cannot be written: %(why)s.") % figures]) from error


def write_whole(path: Path, content: bytes) -> None:
    """Write a file whole or not at all: the old one stays until the new one is complete. Raises OSError."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        temporary.chmod(0o644)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
