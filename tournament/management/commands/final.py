from collections.abc import Iterator
from typing import Any

from tournament.ending.files import build_final_ranking_json
from tournament.ending.final_ranking import FinalRanking, load_final_ranking
from tournament.ending.words import describe_placing, format_place
from tournament.management.base import DivisionCommand


class Command(DivisionCommand):
    help = "Print the final ranking: the places of the knock-out first, then the table."
    formats = ("table", "json")

    def run(self, **options: Any) -> None:
        ranking = load_final_ranking(self.get_division(options, paired=True))
        self.print_answer(options["format"], build_final_ranking_json(ranking), _format_lines(ranking))


def _format_lines(found: FinalRanking) -> Iterator[str]:
    width = max([len(row.entry.name) for row in found.rows], default=0)
    bracket, names = (found.knockout.bracket, found.knockout.names) if found.knockout else (None, {})
    for row in found.rows:
        how = describe_placing(row.ranked, bracket, names)
        yield f"{format_place(row.ranked):>4}  {row.entry.name:<{width}}  {how}".rstrip()
