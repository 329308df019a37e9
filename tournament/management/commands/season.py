"""`season SLUG`: several events counted together."""

from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from tournament.core.words.figures import NO_FIGURE
from tournament.management.base import BadInput, FileCommand, add_format_option, write_output_file
from tournament.models import Season
from tournament.seasons.files import build_season_csv, build_season_json
from tournament.seasons.paper import list_season_rows, render_season_pdf
from tournament.seasons.queries import SeasonTable, build_season_table


class Command(FileCommand):
    help = "Print the table of a season, as its public page counts it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("-o", "--output", metavar="FILE", help="write the table as PDF into this file")
        add_format_option(parser, "table", "json", "csv")

    def run(self, **options: Any) -> None:
        found = build_season_table(_get_season_by_slug(options["slug"]))
        if options["output"]:
            write_output_file(options["output"], render_season_pdf(found))
        elif options["format"] == "json":
            self.print_json(build_season_json(found))
        elif options["format"] == "csv":
            self.print_bytes(build_season_csv(found))
        else:
            self.print_table(found)

    def print_table(self, found: SeasonTable) -> None:
        """Rank, name, total, and what each event brought; what does not count in brackets."""
        width = max((len(line.player.name) for line in found.lines), default=0)
        for rank, name, total, scores in list_season_rows(found):
            listed = "  ".join(f"{score or NO_FIGURE:>6}" for score in scores)
            self.stdout.write(f"{rank:>4}  {name:<{width}}  {total:>7}  {listed}".rstrip())


def _get_season_by_slug(slug: str) -> Season:
    """The season with this slug. Raises `BadInput` naming those that exist."""
    found = Season.objects.filter(slug=slug).select_related("organiser").first()
    if found is None:
        known = ", ".join(Season.objects.order_by("slug").values_list("slug", flat=True)[:20]) or "–"
        raise BadInput([_("There is no season “%(slug)s”. Known: %(known)s.") % {"slug": slug, "known": known}])
    return found
