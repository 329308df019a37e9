from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from tournament.core.words.figures import NO_FIGURE
from tournament.management.base import TournamentCommand, make_unknown_name_fault, write_output_file
from tournament.models import Season
from tournament.seasons.files import build_season_json, render_season_pdf
from tournament.seasons.season_table import SeasonTable, build_season_table
from tournament.seasons.tables import SeasonRows, list_qualified_lines


class Command(TournamentCommand):
    help = "Print the table of a season, as its public page counts it."
    formats = ("table", "json", "csv")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("-o", "--output", metavar="FILE", help="write the table as PDF into this file")

    def run(self, **options: Any) -> None:
        seasons = Season.objects.order_by("slug")
        if (season := seasons.filter(slug=options["slug"]).select_related("organiser").first()) is None:
            sentence, known = (
                _("There is no season “%(slug)s”. Known: %(known)s."),
                seasons.values_list("slug", flat=True),
            )
            raise make_unknown_name_fault(sentence, known[:20], slug=options["slug"])
        found = build_season_table(season)
        if options["output"]:
            write_output_file(options["output"], render_season_pdf(found))
        else:
            table = SeasonRows(found)
            lines = _format_lines(table, found)
            self.print_answer(options["format"], build_season_json(found), lines, table.build_csv())


def _format_lines(table: SeasonRows, found: SeasonTable) -> Iterator[str]:
    """Rank, name, total, and what each event brought, what does not count in brackets; then who qualifies, and why."""
    width = max((len(line.player.called) for line in found.lines), default=0)
    for rank, name, total, *scores in table.list_printed_rows():
        listed = "  ".join(f"{score or NO_FIGURE:>6}" for score in scores)
        yield f"{rank:>4}  {name:<{width}}  {total:>7}  {listed}".rstrip()
    if found.qualified:
        yield _("Who qualifies")
    for number, (name, why) in enumerate(list_qualified_lines(found), 1):
        yield f"{number:>4}  {name:<{width}}  {why}"
