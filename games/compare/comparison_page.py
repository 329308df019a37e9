"""The page that compares a game's score sheets and agrees on one: all that it shows, read once."""

from typing import Any

from django.utils.functional import cached_property

from games.compare.agreement import (
    add_sheet_facts,
    build_agreed_report,
    build_sheet_report,
    collect_penalties,
    is_sheet_complete,
    list_counting_incidents,
)
from games.compare.comparison import (
    ComparedCell,
    ComparedLine,
    ComparedSheet,
    Comparison,
    DifferenceTopic,
    compare_sheets,
    describe_differences,
    describe_log_conflicts,
    format_compared_figure,
)
from games.core.pages import format_seen_state
from games.core.words import describe_credited_result, describe_deductions, describe_oddities, describe_official_result
from games.models import Challenge, Incident, Scoresheet
from games.sheets.lines import ENDING_FIELDS, WrittenLine
from games.sheets.sheet_page import SheetPage
from tournament.core.reports import Report
from tournament.core.words.figures import format_clock, format_points, format_score
from tournament.journal.consequences import Consequences, find_consequences
from tournament.models import Pairing, Result

MARKED_TOPICS = {
    "player": (DifferenceTopic.PLAYER,),
    "place": (DifferenceTopic.POSITION,),
    "text": (DifferenceTopic.WORD, DifferenceTopic.KIND, DifferenceTopic.TILES, DifferenceTopic.GOOD_WORDS),
    "points": (DifferenceTopic.POINTS,),
}
"""Which part of a cell is marked for each difference."""


class ComparisonPage:
    """A game's sheets, what differs, and what agreeing on the chosen one gives."""

    def __init__(self, pairing: Pairing, chosen: int | None = None) -> None:
        self.pairing = pairing
        order = Scoresheet.Keeper.values
        # In the order of the choices: by their texts, as a database sorts, “other” comes before “second”.
        rows = sorted(Scoresheet.objects.filter(pairing=pairing), key=lambda row: order.index(row.keeper))
        for row in rows:
            row.pairing = pairing
        self.pages = [SheetPage(row) for row in rows]

        def rank(page: SheetPage) -> tuple[bool, bool, bool, int]:
            sheet = page.scoresheet
            # False sorts first: the sheet asked for, then the agreed one, then a complete one with the fewest faults.
            return sheet.pk != chosen, not sheet.agreed, not is_sheet_complete(page), len(page.problems)

        self.chosen = min(self.pages, key=rank, default=None)
        self.incidents = list_counting_incidents(pairing)
        self.challenges = list(Challenge.objects.filter(pairing=pairing, is_withdrawn=False).order_by("pk"))

    @cached_property
    def comparison(self) -> Comparison:
        return compare_sheets([_build_compared_sheet(page) for page in self.pages])

    @cached_property
    def differences(self) -> list[tuple[int | None, str]]:
        """Every difference of the sheets, and of a sheet from the referee's log, in words."""
        sentences = describe_differences(self.comparison, self.pages) if len(self.pages) > 1 else []
        for page in self.pages:
            sentences += [(None, sentence) for sentence in describe_log_conflicts(page, self.challenges)]
        return sentences

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows for the page. `worked` are the points that rules and board give, "" where they say nothing."""
        return [
            {
                "number": row.number,
                "name": self.pages[0].names[row.player - 1],
                "cells": [self._build_cell(row, *cell) for cell in zip(self.pages, row.cells, strict=True)],
                "worked": "" if row.worked is None else format_points(row.worked),
                "differs": bool(row.topics),
            }
            for row in self.comparison.rows
        ]

    def _build_cell(self, row: ComparedLine, page: SheetPage, cell: ComparedCell | None) -> dict[str, Any]:
        """A sheet's line, and which parts of it differ. `points` as written, else those that count; `take`: what to
        post so that the chosen sheet says the same."""
        line = page.rows[cell.number - 1] if cell else None
        points = line.line.points if line else None
        if line is not None and points is None:
            # A 0 that only the count gives is left empty: a pass on which nothing is written has no figure to compare.
            points = line.counted.points or None
        return {
            "keeper": page.keeper_name,
            "line": line,
            "points": "" if points is None else format_points(points),
            "differs": {part for part, topics in MARKED_TOPICS.items() if cell and set(topics) & set(row.topics)},
            "take": self._take(row, page, cell),
        }

    def _take(self, row: ComparedLine, page: SheetPage, cell: ComparedCell | None) -> dict[str, int | str] | None:
        chosen = self.chosen
        if chosen is None or page is chosen or not row.topics:
            return None
        at = self.pages.index(chosen)
        own = row.cells[at]
        # The row may differ because of a third sheet: from one that says the same as the chosen one nothing can be
        # taken over.
        if (own and own.written) == (cell and cell.written):
            return None
        # Where the chosen sheet lacks the line it goes before the next one that it has, else to the end.
        below = (next_row.cells[at] for next_row in self.comparison.rows if next_row.number > row.number)
        return {
            "target": chosen.scoresheet.pk,
            "version": chosen.scoresheet.version,
            "number": own.number if own else "",
            "before": next((cell.number for cell in below if cell is not None), "") if own is None else "",
            "source": page.scoresheet.pk,
            "source_version": page.scoresheet.version,
            "line": cell.number if cell else "",
        }

    @property
    def ends(self) -> list[tuple[str, str, list[tuple[str, str]], bool, str]]:
        """What stands below the last line: the player, what it is, what each sheet says, if they differ, worked out."""
        endings = []
        for end in self.comparison.ends:
            values = [format_compared_figure(end.topic, value) for value in end.values]
            if any(values):
                name = self.pages[0].names[end.player - 1]
                sentences = [(page.keeper_name, value) for page, value in zip(self.pages, values, strict=True)]
                worked = format_compared_figure(end.topic, end.worked)
                endings.append((name, str(end.topic.label), sentences, end.differs, worked))
        return endings

    @property
    def finals(self) -> list[tuple[str, str]]:
        return [(page.keeper_name, format_score(*page.count.final)) for page in self.pages]

    @cached_property
    def offer(self) -> "AgreementPreview | None":
        """What agreeing on the chosen sheet gives; None without a sheet, or where no final score can be worked out."""
        if self.chosen is None or not is_sheet_complete(self.chosen):
            return None
        return AgreementPreview(self.pairing, self.chosen, self.incidents)

    @property
    def has_moved(self) -> bool:
        """Whether the official result came from a sheet, and the agreed sheet has been changed since or is gone."""
        result = self.pairing.result
        from_sheet = result is not None and result.how == Result.How.SHEET
        return from_sheet and not any(page.scoresheet.agreed for page in self.pages)


class AgreementPreview:
    """The result that a sheet gives beside the official one, and what agreeing on it changes, in words."""

    def __init__(self, pairing: Pairing, page: SheetPage, log: list[Incident]) -> None:
        self.pairing = pairing
        self.official = official = Report.of(pairing.result) if pairing.result else None
        self.report = build_agreed_report(page, official)
        self.is_official = official == self.report
        """The official result is this one already, with all its facts."""
        lacks_facts = official is not None and add_sheet_facts(official, build_sheet_report(page, log)) is not None
        self.adds_facts = lacks_facts and not self.is_official
        """The official result says the same but lacks facts that the sheet has."""
        self.differs = official is not None and not self.is_official and not self.adds_facts
        """There is an official result that says something else."""
        self.counts = describe_credited_result(pairing, self.report)
        self.official_counts = describe_official_result(pairing)
        self.deductions = describe_deductions(pairing, self.report)
        self.odd = describe_oddities(self.report)
        self.seen = format_seen_state(pairing)
        penalties = zip(page.full_names, collect_penalties(page, log), strict=True)
        self.penalties_differ = [(name, penalty) for name, penalty in penalties if penalty.differ]
        """Players whose penalty points are not the same on the sheet and in the referee's log."""
        self.facts = [
            (
                name,
                "–" if side.bingos is None else str(side.bingos),
                " ".join(str(move) for move in side.moves[:5]) or "–",
                format_clock(side.seconds) if side.seconds is not None else "–",
            )
            for name, (_name, side) in zip(page.full_names, self.report.sides, strict=True)
        ]
        """For each player: seven-tile plays, the five best plays, time used."""

    @cached_property
    def consequences(self) -> Consequences | None:
        """What replacing the official result changes, or what a first one changes in the knock-out."""
        opens = self.official is None and self.pairing.round.is_knockout
        return find_consequences(self.pairing, self.report) if self.differs or opens else None


def _build_compared_sheet(page: SheetPage) -> ComparedSheet:
    cells = tuple(
        ComparedCell(line.number, WrittenLine.of(line), counted)
        for line, counted in zip(page.lines, page.count.lines, strict=True)
    )
    sheet = page.scoresheet
    ending = {name: (getattr(sheet, f"first_{name}"), getattr(sheet, f"second_{name}")) for name in ENDING_FIELDS}
    first, second = page.count.halves
    return ComparedSheet(cells, ending, page.count.final, (first.settlement_worked, second.settlement_worked))
