from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandParser

from tournament.exchange.faults import FaultCode, FilePlace, make_single_fault
from tournament.management.base import DivisionCommand
from tournament.table.files import build_standings_csv, build_standings_json
from tournament.table.league import LeagueTable, get_last_round_number, load_table


class Command(DivisionCommand):
    help = "Print the table after a round, or with everything known so far."
    formats = ("table", "json", "csv")

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--after", type=int, metavar="N", help="after this round")

    def run(self, **options: Any) -> None:
        division = self.get_division(options, paired=True)
        after = options["after"]
        last = get_last_round_number(division)
        if after is not None and not 0 <= after <= last:
            raise make_single_fault(FaultCode.OUT_OF_RANGE, FilePlace(path="--after"), value=after, low=0, high=last)
        table = load_table(division, after=after)
        csv = build_standings_csv(table)
        self.print_answer(options["format"], build_standings_json(table), _format_lines(table), csv)


def _format_lines(table: LeagueTable) -> Iterator[str]:
    width = max([len(row.entry.name) for row in table.rows], default=0)
    for row in table.rows:
        standing = row.standing
        decided_by = standing.decided_by.value if standing.decided_by else ""
        yield (
            f"{standing.rank or '–':>4}  {row.entry.name:<{width}}  {standing.wins:>4g} – {standing.losses:<4g}"
            f"  {standing.spread:>+6}  {standing.points:>6}  {decided_by}".rstrip()
        )
