"""A score sheet as its page shows it: lines, totals, board, unseen tiles, what is wrong."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.core.board_picture import BoardPicture, make_board_picture
from games.models import Line, Scoresheet
from games.sheets.lines import (
    ENDING_FIELDS,
    TURN_KINDS,
    WrittenEnding,
    WrittenLine,
    find_line_problems,
    format_typed_fields,
    parse_line_play,
)
from games.sheets.words import (
    PlayerNames,
    describe_game_end,
    describe_longer_word,
    describe_placement_fault,
    describe_play_score,
    describe_points_difference,
    describe_sheet_problem,
    describe_start_draw,
)
from scoring import letters, sheet_count, sheet_faults, start_draw
from scoring.sheet_values import CountedLine, LineKind, ScoreSheetLine, Sheet, SheetFault, SheetProblem, Side
from scoring.squares import Square
from tournament.core.words.figures import format_points, name_both_players
from tournament.models import Pairing, Tournament
from tournament.models.play import SIDES, prefetch_official_results, prefetch_seats
from tournament.pairing.values import StartPolicy


def convert_written_line(written: WrittenLine) -> ScoreSheetLine:
    """A line as a value to count; tiles known only by their number have no letters. Raises `BadPlay`."""
    return ScoreSheetLine(
        side=Side(written.side),
        kind=LineKind(written.kind),
        play=parse_line_play(written),
        points=written.points,
        rack=written.rack,
        tiles="" if written.tiles.isdecimal() else written.tiles,
        words=written.words,
        note=written.note,
        jury=written.jury,
    )


def convert_written_sheet(lines: Iterable[WrittenLine], ending: WrittenEnding) -> Sheet:
    """These lines and what stands below them as the value to count and to check. Raises `BadPlay`."""
    first, second = ending.overtime
    return Sheet(
        lines=tuple(convert_written_line(line) for line in lines),
        left=ending.left,
        settlement=ending.settlement,
        overtime=(first or 0, second or 0),
        final=ending.final,
        is_finished=ending.is_finished,
    )


def convert_stored_sheet(scoresheet: Scoresheet, rows: Iterable[Line]) -> Sheet:
    """A stored sheet with these lines, in order of their numbers, as the value to count and to check."""
    return convert_written_sheet(map(WrittenLine.of, rows), WrittenEnding.of(scoresheet))


def get_scoresheet(tournament: Tournament, pk: int) -> Scoresheet:
    """A score sheet of this tournament with its game, players and official result; 404 for another tournament's."""
    sheets = Scoresheet.objects.select_related("pairing__round__division")
    sheets = sheets.prefetch_related(prefetch_seats("pairing__seats"), prefetch_official_results("pairing__results"))
    scoresheet = get_object_or_404(sheets, pk=pk, pairing__round__division__tournament=tournament)
    # The one that the request was let into: what its reader may do is noted on that object, not in the database.
    scoresheet.pairing.round.division.tournament = tournament
    return scoresheet


def get_full_names(pairing: Pairing) -> PlayerNames:
    """Both players' names, the starter first; 404 where there is no opponent."""
    if pairing.second is None:
        raise Http404(_("A score sheet needs two players."))
    return name_both_players(pairing)


def get_short_names(scoresheet: Scoresheet) -> PlayerNames:
    """The players' family names, or their whole names where those are the same."""
    first, second = get_full_names(scoresheet.pairing)
    # Sisters and brothers meet: on a sheet with two Müllers nobody could tell whose line it is.
    families = first.partition(",")[0], second.partition(",")[0]
    return families if families[0] != families[1] else (first, second)


@dataclass(slots=True)
class SheetRow:
    """One line: what was written, what counts, and what is wrong with it."""

    line: Line
    counted: CountedLine
    name: str
    faults: list[str] = field(default_factory=list)

    @property
    def what(self) -> str:
        """What a line is, unless it is a play that stands."""
        return "" if self.line.kind == Line.Kind.PLAY else self.line.get_kind_display()

    @property
    def text(self) -> str:
        """Word, tiles or reason: what stands in the middle of the line."""
        tiles, words = self.line.tiles, self.line.words
        if self.line.kind == Line.Kind.EXCHANGE and tiles.isdecimal():
            return ngettext("%(count)s tile", "%(count)s tiles", int(tiles)) % {"count": int(tiles)}
        if self.line.kind == Line.Kind.CHALLENGE:
            return ngettext("%(count)s good word", "%(count)s good words", words) % {"count": words}
        return {Line.Kind.EXCHANGE.value: tiles, Line.Kind.PENALTY.value: ""}.get(self.line.kind, self.line.word)

    @property
    def jury(self) -> str:
        """What the jury said before the turn, if it was asked."""
        if not self.line.jury:
            return ""
        return _("jury consented") if self.line.kind == Line.Kind.EXCHANGE else _("jury refused")

    @property
    def typed(self) -> dict[str, str]:
        return format_typed_fields(WrittenLine.of(self.line))

    @property
    def stated(self) -> str:
        """The points on the sheet, where they differ from those that count."""
        points = self.line.points
        return format_points(points) if points is not None and points != self.counted.points else ""


class SheetPage:
    """A sheet with its lines, read once and counted; `lines`: those to count, where they have been read."""

    def __init__(self, scoresheet: Scoresheet, lines: Sequence[Line] | None = None) -> None:
        self.scoresheet = scoresheet
        self.pairing = scoresheet.pairing
        self.rules = self.pairing.round.division.tournament.rules
        self.full_names = get_full_names(self.pairing)
        self.names = get_short_names(scoresheet)
        if lines is None:
            lines = list(Line.objects.filter(scoresheet=scoresheet).order_by("number"))
        self.lines = lines
        value = convert_stored_sheet(scoresheet, self.lines)
        self.count = sheet_count.count(value, self.rules)
        problems = sheet_faults.problems(value, self.rules, self.count)
        # Where lots are drawn for the start, the player listed second may begin: the first turn is nobody's fault.
        self.is_start_drawn = self.pairing.round.division.tournament.starts == StartPolicy.DRAWN
        self._first_turn = next((line.number for line in self.lines if line.kind in TURN_KINDS), None)
        start = (SheetFault.OUT_OF_TURN, self._first_turn)
        self.problems = tuple(
            problem for problem in problems if not (self.is_start_drawn and (problem.fault, problem.line) == start)
        )
        self._letters_drawn = scoresheet.first_drawn, scoresheet.second_drawn

    @cached_property
    def rows(self) -> list[SheetRow]:
        """Every line, in order, with the sentences about it."""
        pairs = zip(self.lines, self.count.lines, strict=True)
        rows = [SheetRow(line, counted, self.names[line.side - 1]) for line, counted in pairs]
        for problem in self.problems:
            if problem.line is not None:
                # By place, since numbers of lines have no gaps (`SheetEdit.move`).
                rows[problem.line - 1].faults.append(self.describe_problem(problem))
        return rows

    def describe_problem(self, problem: SheetProblem) -> str:
        """A problem in words; a difference in points with what they are made of."""
        difference = ""
        if problem.fault == SheetFault.POINTS_DIFFER and problem.line is not None:
            difference = describe_points_difference(self.count.lines[problem.line - 1])
        return difference or describe_sheet_problem(problem, self.names)

    @property
    def faults(self) -> list[tuple[int | None, str]]:
        """Everything that is wrong: the line's number, None for the sheet as a whole, and a sentence."""
        return [(problem.line, self.describe_problem(problem)) for problem in self.problems]

    @property
    def _drawn_starter(self) -> Side | None:
        """Who begins by the letters drawn, as long as no turn is written; None where no draw is written down."""
        drawn = self._letters_drawn
        if self._first_turn is not None or not all(drawn) or start_draw.problems(drawn, self.rules):
            return None
        return start_draw.starting_side(drawn, self.rules)

    @property
    def next_side(self) -> int:
        """Whose turn it is; the one after the last turn where the game seems over."""
        if side := self._drawn_starter or self.count.turn:
            return int(side)
        turns = [line for line in self.lines if line.kind in TURN_KINDS]
        return 3 - turns[-1].side if turns else 1

    @property
    def turn_name(self) -> str:
        side = self._drawn_starter or self.count.turn
        return "" if side is None else self.names[side - 1]

    @property
    def has_draw(self) -> bool:
        """Whether a draw for the start can be noted: where the table draws, or where one is written down."""
        return self.is_start_drawn or bool(self.scoresheet.first_drawn)

    @property
    def drawn(self) -> str:
        """Who begins by the letters drawn; the empty text where none are written down."""
        return describe_start_draw(self._letters_drawn, self.rules, self.full_names)

    @property
    def over(self) -> str:
        return describe_game_end(self.count.over, self.full_names)

    @cached_property
    def board(self) -> BoardPicture:
        return make_board_picture(self.count.board, self.new_squares)

    @property
    def new_squares(self) -> frozenset[Square]:
        """The squares of the last play."""
        played = [counted.scored for counted in self.count.lines if counted.line.kind == LineKind.PLAY]
        last = played[-1] if played else None
        return frozenset(square for square, _letter in last.placed) if last else frozenset()

    @property
    def tiles(self) -> list[tuple[str, int]]:
        """Each letter with how many of it are unseen; empty if that is not known."""
        if self.count.unseen is None:
            return []
        unseen = Counter(self.count.unseen)
        return [(tile.letter, unseen[tile.letter]) for tile in letters.LETTER_SETS[self.rules.letters].tiles]

    @property
    def totals(self) -> list[tuple[str, list[int], str]]:
        """The sum as it is worked out, row by row: what, both players' points, why. Empty rows are left out."""
        halves = self.count.halves
        rows = [
            (_("Plays"), [half.plays for half in halves], ""),
            (_("Failed challenges"), [half.challenges for half in halves], ""),
            (_("Penalty points"), [half.penalties for half in halves], ""),
            (_("Tiles left"), [half.settlement for half in halves], halves[0].settlement_clause),
            (_("Time penalty"), [half.time for half in halves], halves[0].time_clause),
        ]
        # The first one stays in any case: a sheet on which nobody has scored has a sum as well.
        return [row for at, row in enumerate(rows) if at == 0 or any(row[1])]

    @property
    def claimed(self) -> list[int | None]:
        return [self.scoresheet.first_final, self.scoresheet.second_final]

    @property
    def lost(self) -> list[str]:
        """Who loses by overtime beyond the limit."""
        return [name for name, half in zip(self.full_names, self.count.halves, strict=True) if half.lost]

    @property
    def keeper_name(self) -> str:
        sides = {Scoresheet.Keeper.FIRST: 0, Scoresheet.Keeper.SECOND: 1}
        at = sides.get(Scoresheet.Keeper(self.scoresheet.keeper))
        return _("Somebody else’s sheet") if at is None else _("Sheet of %(name)s") % {"name": self.full_names[at]}

    def ending_initial(self) -> dict[str, Any]:
        """What the form of the end starts with: what is written, and the tiles left where they are certain."""
        ending = WrittenEnding.of(self.scoresheet)
        values: dict[str, Any] = {"is_finished": ending.is_finished, "note": ending.note}
        for at, side in enumerate(SIDES):
            values |= {f"{side}_{name}": getattr(ending, name)[at] for name in ENDING_FIELDS}
            tiles = ending.left[at]
            # Not while the game goes on: what is left then is on the rack, and will be laid.
            if tiles is None and self.count.over is not None:
                tiles = self.count.halves[at].left
            # An empty field says that nothing is written; that nothing was left has to be said, by a 0.
            values[f"{side}_left"] = "0" if tiles == "" else tiles
        return values

    @property
    def is_left_proposed(self) -> bool:
        """Whether the tiles left in the form are worked out, not written yet."""
        halves = zip((self.scoresheet.first_left, self.scoresheet.second_left), self.count.halves, strict=True)
        return self.count.over is not None and any(text is None and half.left is not None for text, half in halves)


def propose_line(scoresheet: Scoresheet, line: WrittenLine, mode: str, number: int) -> dict[str, Any] | None:
    """For a line that is to be added, or put before or in the place of line `number`, the points that the rules or the
    board give (None: none), from which words, and what is wrong. None for a line that cannot be read. One query."""
    if find_line_problems(line):
        return None
    rules = scoresheet.pairing.round.division.tournament.rules
    rows = Line.objects.filter(scoresheet=scoresheet).order_by("number")
    before = rows if mode == "add" else rows.filter(number__lt=number)
    # Lines behind it are left out and the end is not looked at: asked is what this line scores on the board before it.
    ending = replace(WrittenEnding.of(scoresheet), is_finished=False)
    counted = sheet_count.count(convert_written_sheet([*map(WrittenLine.of, before), line], ending), rules).lines[-1]
    return {
        "points": counted.worked,
        "words": describe_play_score(counted.scored) if counted.scored else "",
        "faults": [*map(describe_placement_fault, counted.placement), *filter(None, [describe_longer_word(counted)])],
    }
