from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django.core.management.base import CommandParser
from django.utils.translation import gettext as _

from tournament.exchange.json_text import format_json
from tournament.exchange.study_file import read_study_file
from tournament.laboratory.figures import StudyFigures, count_study
from tournament.laboratory.players import load_study_ratings
from tournament.laboratory.running import WorkerGone, play_study
from tournament.laboratory.words import describe_study, format_estimate, get_figure_label
from tournament.management.base import (
    BadInput,
    TournamentCommand,
    get_division_by_name,
    get_tournament_by_slug,
    read_input_file,
    write_output_file,
)


class Command(TournamentCommand):
    help = "Play several plans many times on the same luck, and print what each brings."
    formats = ("table", "json")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file")
        parser.add_argument("-o", "--output", metavar="FILE", help="write the figures into this file")

    def run(self, **options: Any) -> None:
        study, field, division = read_study_file(read_input_file(options["file"]))
        if field:
            ratings = load_study_ratings(get_division_by_name(get_tournament_by_slug(field), division))
            study = replace(study, players=len(ratings), ratings=ratings)
        try:
            # The progress is told on standard error: what is printed is the figures alone, which another program may
            # read.
            figures = count_study(study, play_study(study, self._tell_progress))
        except WorkerGone as gone:
            raise BadInput([_("A process of the laboratory has ended before its work.")]) from gone
        self.stderr.write("")
        if options["output"]:
            content = (
                format_json(figures.stored()) if options["format"] == "json" else "\n".join(_format_lines(figures))
            )
            write_output_file(options["output"], f"{content}\n".encode())
        else:
            self.print_answer(options["format"], figures.stored(), _format_lines(figures))

    def _tell_progress(self, events: int) -> None:
        """How many events are done, on one line of a terminal that grows no further."""
        # Into a log it would be one line of ten thousand numbers.
        if self.stderr.isatty():
            self.stderr.write(f"\r{events}", ending="")


def _format_lines(found: StudyFigures) -> Iterator[str]:
    """The plans with their figures, and what follows from them."""
    for plan in found.plans:
        yield plan.name
        for figure, estimate in plan.figures.items():
            yield f"  {get_figure_label(figure)}: {format_estimate(figure, estimate)}"
    yield from describe_study(found)
