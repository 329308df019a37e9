"""What the line that is being typed would score."""

from dataclasses import dataclass, replace

from games.models import Line, Scoresheet
from games.sheets import legible, reading
from games.sheets import words as sheet_words
from games.sheets.written import WrittenEnding, WrittenLine
from scoring import sheet


@dataclass(frozen=True, slots=True)
class Proposal:
    """The points that the rules or the board give for a line (None: none), from which words, and what is wrong."""

    points: int | None
    words: str
    faults: tuple[str, ...]


def of(scoresheet: Scoresheet, line: WrittenLine, mode: str, number: int) -> Proposal | None:
    """The proposal for a line that is to be added, or put before or in the place of line `number`. One query.

    None for a line that cannot be read.
    """
    if legible.line_problems(line):
        return None
    rules = scoresheet.pairing.round.division.tournament.rules
    rows = Line.objects.filter(scoresheet=scoresheet).order_by("number")
    before = rows if mode == "add" else rows.filter(number__lt=number)
    ending = replace(WrittenEnding.of(scoresheet), is_finished=False)
    counted = sheet.count(reading.to_sheet([*map(WrittenLine.of, before), line], ending), rules).lines[-1]
    return Proposal(
        counted.worked,
        sheet_words.words(counted.scored) if counted.scored else "",
        tuple(sheet_words.placement(problem) for problem in counted.placement),
    )
