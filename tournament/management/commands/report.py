from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import translation
from django.utils.translation import gettext as _

from tournament.basics.languages import choose_paper_language
from tournament.federation.files import build_report_json, make_report_zip
from tournament.federation.paper import render_report
from tournament.federation.report import FederationReport, load_report
from tournament.federation.words import list_gap_lines
from tournament.management.base import TournamentCommand, get_tournament_by_slug, write_output_file


class Command(TournamentCommand):
    help = "Say what is missing in the report to the federation, and write it."
    formats = ("table", "json")

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("-o", "--output", metavar="FILE", help="a PDF where the name ends in .pdf, else a zip")

    def run(self, **options: Any) -> None:
        report = load_report(get_tournament_by_slug(options["slug"]))
        if options["output"]:
            write = render_report if Path(options["output"]).suffix.casefold() == ".pdf" else make_report_zip
            with translation.override(options["language"] or choose_paper_language(report.tournament.language)):
                content = write(report)
            write_output_file(options["output"], content)
        self.print_answer(options["format"], build_report_json(report), _format_lines(report))


def _format_lines(report: FederationReport) -> Iterator[str]:
    """What is missing, a line each, or that nothing is; then what there is to look at."""
    missing = list_gap_lines(report, advisory=False)
    yield _("Nothing is missing.") if not missing else _("The report is incomplete:")
    yield from (sentence for sentence, _address in [*missing, *list_gap_lines(report, advisory=True)])
