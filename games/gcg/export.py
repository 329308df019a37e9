"""A stored score sheet as a GCG file."""

from collections.abc import Sequence

from django.http import HttpResponse
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from games.gcg import conversion
from games.gcg.conversion import Wordless, WrittenSheet
from games.models import Line, Scoresheet
from games.sheets.written import WrittenEnding, WrittenLine
from tournament.models import Pairing
from tournament.refusals import Refusal
from tournament.words import figures

CONTENT_TYPE = "text/plain; charset=utf-8"
"""So that a browser which does not save it shows it."""


class NotWritable(Refusal):
    code = "not_writable"
    message = _("A GCG file needs the word and the position of every play; missing on lines: %(lines)s.")


def written_sheet(scoresheet: Scoresheet, lines: Sequence[Line]) -> WrittenSheet:
    """What stands on a stored sheet with these lines."""
    return WrittenSheet(tuple(WrittenLine.of(line) for line in lines), WrittenEnding.of(scoresheet))


def text_of(scoresheet: Scoresheet, lines: Sequence[Line]) -> str:
    """The sheet as a GCG file. Raises `NotWritable`."""
    pairing = scoresheet.pairing
    division = pairing.round.division
    second = pairing.second.name if pairing.second else ""
    about = {"title": division.tournament.name, "description": _described(pairing)}
    try:
        return conversion.to_text(
            written_sheet(scoresheet, lines), division.tournament.rules, (pairing.first.name, second), about
        )
    except Wordless as lacking:
        raise NotWritable(lines=", ".join(map(str, lacking.numbers))) from lacking


def _described(pairing: Pairing) -> str:
    """Division, round and table (in the knock-out stage, match and game), the official result: words of no language."""
    result = pairing.result
    round, table = pairing.round, pairing.table
    place = [f"R{round.number}", f"T{table}" if table else ""]
    if round.is_knockout:
        place = [f"KO{round.stage}", f"M{table}", f"G{round.game}"]
    parts = [round.division.name, *place]
    if result is not None and result.first_points is not None and result.second_points is not None:
        parts.append(figures.score(result.first_points, result.second_points))
    return " · ".join(part for part in parts if part)


def file_of(scoresheet: Scoresheet, lines: Sequence[Line]) -> HttpResponse:
    """The answer that saves the file. Raises `NotWritable`."""
    pairing = scoresheet.pairing
    tournament = pairing.round.division.tournament
    response = HttpResponse(text_of(scoresheet, lines), content_type=CONTENT_TYPE)
    parts = (tournament.slug, slugify(pairing.round.division.name), pairing.round.number, pairing.table or "")
    name = "-".join(str(part) for part in parts if part)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.gcg"'
    return response
