"""`season SLUG`: several events counted together."""

from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from tournament.exchange import season_file
from tournament.management import base, files
from tournament.models import Season
from tournament.printing import season as printing
from tournament.queries import seasons
from tournament.words import figures


class Command(files.FileCommand):
    help = "Print the table of a season, as its public page counts it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("-o", "--output", metavar="FILE", help="write the table as PDF into this file")
        base.add_format(parser, "table", "json", "csv")

    def run(self, **options: Any) -> None:
        found = seasons.table(_season(options["slug"]))
        if options["output"]:
            files.write(options["output"], printing.season(found))
        elif options["format"] == "json":
            self.print_json(season_file.as_json(found))
        elif options["format"] == "csv":
            self.print_bytes(season_file.as_csv(found))
        else:
            self.print_table(found)

    def print_table(self, found: seasons.SeasonTable) -> None:
        """Rank, name, total, and what each event brought; what does not count in brackets."""
        width = max((len(line.player.name) for line in found.lines), default=0)
        for rank, name, total, scores in printing.sheet_of(found).rows:
            listed = "  ".join(f"{score or figures.NOTHING:>6}" for score in scores)
            self.stdout.write(f"{rank:>4}  {name:<{width}}  {total:>7}  {listed}".rstrip())


def _season(slug: str) -> Season:
    """The season with this slug. Raises `BadInput` naming those that exist."""
    found = Season.objects.filter(slug=slug).select_related("organiser").first()
    if found is None:
        known = ", ".join(Season.objects.order_by("slug").values_list("slug", flat=True)[:20]) or "–"
        raise base.BadInput([_("There is no season “%(slug)s”. Known: %(known)s.") % {"slug": slug, "known": known}])
    return found
