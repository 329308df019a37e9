"""What `export` writes of an event: a line of `EXPORTS` for each kind of file."""

import io
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.api.files import build_tourney_js
from tournament.archive.carrying import write_archive
from tournament.archive.words import describe_missing_from_archive, describe_written_archive
from tournament.basics.languages import choose_paper_language
from tournament.exchange.event_rows import load_event_data
from tournament.exchange.faults import FaultCode
from tournament.exchange.tournament_file import format_tournament_file
from tournament.federation.files import make_report_zip
from tournament.federation.paper import render_report
from tournament.federation.report import load_report
from tournament.files.website import write_website
from tournament.management.base import (
    TournamentCommand,
    get_tournament_by_slug,
    name_file_in_faults,
    write_output_file,
)
from tournament.management.showing import load_season
from tournament.models import Tournament
from tournament.seasons.files import render_season_pdf
from tournament.tsh.writing import make_joined_t_file, make_tou_file, make_tsh_files


@dataclass(frozen=True, slots=True)
class Export:
    """A kind of file. `write` makes it for a command and its options: `slug`, `output` and `language`."""

    help: str
    write: Callable[[TournamentCommand, Mapping[str, Any]], None]


class OldExportCommand(TournamentCommand):
    """A kind of file of `export` under the name of its own that it had in version 1.0."""

    kind: str
    metavar = "FILE"
    needs_output = False  # whether it does without a usual place for its file

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.help = f"The old name of “export EVENT {self.kind}”: {EXPORTS[self.kind].help}."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("-o", "--output", metavar=self.metavar, required=self.needs_output)

    def run(self, **options: Any) -> None:
        EXPORTS[self.kind].write(self, options)
        self.tell_new_name(f"export {options['slug']} {self.kind}")


def _write_bytes(
    command: TournamentCommand, options: Mapping[str, Any], *, make: Callable[[Tournament], bytes], ending: str = ""
) -> None:
    """Write what is made of an event where it is asked for, else beside the event's address with this ending; without
    one to standard output."""
    tournament = get_tournament_by_slug(options["slug"])
    content = make(tournament)
    if options["output"] or ending:
        write_output_file(options["output"] or f"{tournament.slug}{ending}", content)
    else:
        command.print_bytes(content)


def _write_archive(command: TournamentCommand, options: Mapping[str, Any]) -> None:
    tournament = get_tournament_by_slug(options["slug"])
    path = Path(options["output"] or f"{tournament.slug}-{tournament.revision}.zip")
    with name_file_in_faults(str(path), FaultCode.NOT_WRITABLE):
        # Beside its place, and moved there when it is whole: nobody ever finds half of it.
        handle, beside = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)
        try:
            with open(handle, "wb") as out:  # noqa: PTH123  # a handle has no path
                written = write_archive(tournament, out)
            Path(beside).replace(path)
        # Ctrl+C as well: nobody would know what the half file with the strange name is.
        except BaseException:
            Path(beside).unlink(missing_ok=True)
            raise
    command.stdout.write(describe_written_archive(written.name, written.entries, str(path)))
    for sentence in describe_missing_from_archive([word_list["title"] for word_list in written.word_lists]):
        command.stderr.write(sentence)


def _write_tsh_folder(_command: TournamentCommand, options: Mapping[str, Any]) -> None:
    tournament = get_tournament_by_slug(options["slug"])
    files = make_tsh_files(load_event_data(tournament))
    folder = Path(options["output"] or f"{tournament.slug}-tsh")
    with name_file_in_faults(str(folder), FaultCode.NOT_WRITABLE):
        folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        write_output_file(str(folder / name), content)


def _write_website(command: TournamentCommand, options: Mapping[str, Any]) -> None:
    tournament = get_tournament_by_slug(options["slug"])
    path = options["output"] or f"{tournament.slug}-website.zip"
    buffer = io.BytesIO()
    # In memory first: the file that somebody has from yesterday stays until the new one is whole.
    count = write_website(tournament, buffer)
    write_output_file(path, buffer.getvalue())
    pages = ngettext("%(count)s page", "%(count)s pages", count) % {"count": count}
    command.stdout.write(_("%(file)s: %(pages)s, to be opened by index.html.") % {"file": path, "pages": pages})


def _write_report(_command: TournamentCommand, options: Mapping[str, Any]) -> None:
    """A PDF where the file's name says so, else a zip; in the language asked for, else in the event's."""
    report = load_report(get_tournament_by_slug(options["slug"]))
    path = options["output"] or f"{options['slug']}-report.zip"
    # By the name that somebody chose: no option has to say once more what the ending says.
    write = render_report if Path(path).suffix.casefold() == ".pdf" else make_report_zip
    with translation.override(options["language"] or choose_paper_language(report.tournament.language)):
        content = write(report)
    write_output_file(path, content)


def _write_season(_command: TournamentCommand, options: Mapping[str, Any]) -> None:
    season = load_season(options["slug"])
    write_output_file(options["output"] or f"{options['slug']}.pdf", render_season_pdf(season))


EXPORTS: Mapping[str, Export] = {
    "archive": Export(
        "everything, to go on with it on another laptop, as a zip: tournament file, journal, score sheets, photos and "
        "the referee's log",
        _write_archive,
    ),
    "tournament": Export(
        "the tournament file",
        partial(_write_bytes, make=lambda event: format_tournament_file(load_event_data(event)).encode("utf-8")),
    ),
    "website": Export("the public pages as a zip that needs no server and no script", _write_website),
    "report": Export(
        "the report to the federation, as PDF where the file's name ends in .pdf, else zip", _write_report
    ),
    "tsh": Export("a folder with config.tsh and a .t file for each division", _write_tsh_folder),
    "t": Export(
        "one .t file with all divisions, each after a line #division, for ratings officers",
        partial(_write_bytes, make=lambda event: make_joined_t_file(load_event_data(event)), ending=".t"),
    ),
    "tou": Export(
        "the .tou file for WESPA's ratings officers",
        partial(_write_bytes, make=lambda event: make_tou_file(load_event_data(event)), ending=".tou"),
    ),
    "tourney-js": Export(
        "what the public may see now as tsh's tourney.js", partial(_write_bytes, make=build_tourney_js)
    ),
    "season": Export("the table of a season, whose address stands for EVENT, as PDF", _write_season),
}
"""What can be written, by the word for it."""
