"""A game as its steps: the board, both totals and racks as they stood after each line of its score sheet."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from games.models import Line, Scoresheet
from games.shared.board_picture import BoardPicture, picture
from games.sheets import reading
from scoring import sheet
from scoring.board import Board
from scoring.rulesets import Ruleset
from scoring.sheet import Counted, LineKind
from tournament.words import figures

MOST_IN_ONE_LINE = 2
"""Of letters with more tiles than this the number is told: E×9."""


@dataclass(frozen=True, slots=True)
class ListedTurn:
    """One line of the sheet as the list of turns shows it. `turn` is its number, the address's `?turn=`."""

    turn: int
    name: str
    text: str
    points: str
    total: int
    note: str = ""
    made: tuple[str, ...] = ()
    is_bingo: bool = False


@dataclass(frozen=True, slots=True)
class PlayerAtTurn:
    """One player after a turn: the total, and the tiles in hand ("" none, None not known)."""

    name: str
    total: int
    rack: str | None
    has_moved: bool
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Position:
    """The board before a turn, the rack, and what was `laid` as it is written on a sheet ("" for no play)."""

    board: Board
    rack: str
    laid: str


class Replay:
    """A published sheet with its lines, counted once. `names`: the players', the starter first.

    With `before` it ends before that turn, as everybody is still to think about it.
    """

    def __init__(
        self,
        scoresheet: Scoresheet,
        lines: Sequence[Line],
        names: tuple[str, str],
        rules: Ruleset,
        *,
        before: int | None = None,
    ) -> None:
        self.names, self.rules, self.before = names, rules, before
        self.value = reading.sheet_of(scoresheet, lines)
        self.count = sheet.count(self.value, rules)
        self.has_end = before is None and any(half.settlement or half.time for half in self.count.halves)

    @property
    def last(self) -> int:
        """The last step: the end with settlement and time, where there is one."""
        if self.before is not None:
            return self.before - 1
        return len(self.count.lines) + (1 if self.has_end else 0)

    @cached_property
    def turns(self) -> list[ListedTurn]:
        """Every line, and the end as one more turn."""
        turns = [self._turn(counted) for counted in self.count.lines[: self.last]]
        return [*turns, self._end()] if self.has_end else turns

    def _turn(self, counted: Counted) -> ListedTurn:
        line, scored = counted.line, counted.scored
        return ListedTurn(
            counted.number,
            self.names[line.side - 1],
            self._text(counted),
            figures.signed(counted.points),
            counted.total,
            line.note,
            tuple(word.text for word in scored.words[1:]) if scored else (),
            bool(scored and scored.is_bingo),
        )

    def _text(self, counted: Counted) -> str:
        """What was done, in the German notation: `8D WÖRTER`."""
        line = counted.line
        play = line.play.text(self.boards[counted.number - 1]) if line.play else ""
        tiles = f" {line.tiles}" if line.tiles else ""
        return {
            LineKind.PLAY: play or _("play without a word"),
            LineKind.WITHDRAWN: (_("%(play)s withdrawn") % {"play": play}) if play else _("play withdrawn"),
            LineKind.EXCHANGE: _("exchanges%(tiles)s") % {"tiles": tiles},
            LineKind.PASS: _("passes"),
            LineKind.CHALLENGE: _("failed challenge"),
            LineKind.PENALTY: _("penalty points"),
        }[line.kind]

    def _end(self) -> ListedTurn:
        first, second = self.count.halves
        points = f"{figures.signed(first.settlement + first.time)} / {figures.signed(second.settlement + second.time)}"
        return ListedTurn(self.last, _("End"), _("tiles left and time"), points, first.final)

    @property
    def boards(self) -> tuple[Board, ...]:
        """The board before the first line, and after each one."""
        return self.count.boards

    def board(self, turn: int) -> Board:
        return self.boards[min(turn, len(self.boards) - 1)]

    def picture(self, turn: int) -> BoardPicture:
        """The board after a turn, with the tiles of that turn marked."""
        at = min(turn, len(self.boards) - 1)
        if at == 0 or turn != at:
            return picture(self.boards[at])
        return picture(self.boards[at], self.boards[at].tiles.keys() - self.boards[at - 1].tiles.keys())

    def standings(self, turn: int) -> tuple[PlayerAtTurn, PlayerAtTurn]:
        """Both players after a turn."""
        first, second = (self._standing(side, turn) for side in (1, 2))
        return first, second

    def _standing(self, side: int, turn: int) -> PlayerAtTurn:
        half = self.count.halves[side - 1]
        own = [counted for counted in self.count.lines if counted.line.side == side]
        before = [counted for counted in own if counted.number <= turn]
        total = half.final if turn > len(self.count.lines) else before[-1].total if before else 0
        moved = 0 < turn <= len(self.count.lines) and self.count.lines[turn - 1].line.side == side
        return PlayerAtTurn(self.names[side - 1], total, self._rack(side, turn, own), moved)

    def _rack(self, side: int, turn: int, own: list[Counted]) -> str | None:
        """What is in hand after a turn: the rack of the player's next turn, at the end what was left."""
        later = [counted for counted in own if counted.number > turn and counted.line.kind.is_turn]
        if self.before is not None:
            # On the sheet a rack may begin with what was laid of it.
            return next(("".join(sorted(each.line.rack)) for each in later if each.number <= self.before), "") or None
        if later:
            return later[0].line.rack or None
        return self.count.halves[side - 1].left

    def position(self, turn: int) -> Position | None:
        """What a turn was thought about on; None before the first, at the end, and where no rack is noted."""
        if not 0 < turn <= len(self.count.lines):
            return None
        line = self.count.lines[turn - 1].line
        if not (line.kind.is_turn and line.rack):
            return None
        laid = line.play.text(self.boards[turn - 1]) if line.play and line.kind is LineKind.PLAY else ""
        return Position(self.boards[turn - 1], line.rack, laid)

    def unseen(self, turn: int) -> tuple[str, int]:
        """The tiles that are not on the board after a turn, in order with their numbers, and how many there are."""
        tiles = self.board(turn).unseen()
        counted = Counter(tiles)
        parts = [
            letter * count if count <= MOST_IN_ONE_LINE else f"{letter}×{count}" for letter, count in counted.items()
        ]
        return " ".join(parts), len(tiles)
