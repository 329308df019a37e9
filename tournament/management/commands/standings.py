"""`standings SLUG`: the table."""

from typing import Any

from django.core.management.base import CommandParser

from tournament.exchange import faults, standings_file
from tournament.exchange.faults import Code
from tournament.management import base, files
from tournament.queries import league


class Command(files.FileCommand):
    help = "Print the table after a round, or with everything known so far."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        base.add_division(parser)
        parser.add_argument("--after", type=int, metavar="N", help="after this round")
        base.add_format(parser, "table", "json", "csv")

    def run(self, **options: Any) -> None:
        division = base.division_of(base.tournament_of(options["slug"]), options["division"])
        base.require_pairs(division)
        after = options["after"]
        last = league.last_round(division)
        if after is not None and not 0 <= after <= last:
            raise faults.one(Code.OUT_OF_RANGE, faults.Place(path="--after"), value=after, low=0, high=last)
        table = league.table(division, after=after)
        if options["format"] == "json":
            self.print_json(standings_file.as_json(table))
        elif options["format"] == "csv":
            self.print_bytes(standings_file.as_csv(table))
        else:
            self.print_table(table)

    def print_table(self, table: league.Table) -> None:
        width = max([len(row.entry.name) for row in table.rows], default=0)
        for row in table.rows:
            standing = row.standing
            decided_by = standing.decided_by.value if standing.decided_by else ""
            self.stdout.write(
                f"{standing.rank or '–':>4}  {row.entry.name:<{width}}  {standing.wins:>4g} – {standing.losses:<4g}"
                f"  {standing.spread:>+6}  {standing.points:>6}  {decided_by}".rstrip()
            )
