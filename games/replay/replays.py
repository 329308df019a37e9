"""Public games: which they are, and each as the steps of its score sheet."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from games.core.board_picture import BoardPicture, make_board_picture
from games.models import Line, Scoresheet
from games.sheets.lines import WrittenEnding
from games.sheets.sheet_page import convert_stored_sheet, get_short_names
from games.sheets.words import PlayerNames
from scoring import sheet_count
from scoring.board import Board
from scoring.rulesets.values import Ruleset
from scoring.sheet_values import CountedLine, LineKind
from tournament.basics.showing import ShowingStep
from tournament.core.public_view import build_confirmed_filter, build_rounds_filter, get_stream_delay
from tournament.core.words.figures import format_signed
from tournament.models import Entry, Round, Seat, Tournament
from tournament.models.play import prefetch_official_results, prefetch_seats

MAX_REPEATED_LETTERS = 2  # of letters with more unseen tiles than this the number is told: E×9

KEEPER_ORDER = (Scoresheet.Keeper.OTHER, Scoresheet.Keeper.FIRST, Scoresheet.Keeper.SECOND)
"""Whose sheet is streamed where there are several and none is agreed: a helper's, who types for the stream, first."""


def keep_old_lines(scoresheet: Scoresheet, lines: Sequence[Line]) -> list[Line]:
    """The lines of a sheet as far as the delay of the streams lets everybody see them: all before the first that is too
    young. While one is, the end below them is taken off `scoresheet` too, which must not be stored afterwards. No query
    on public pages."""
    delay = get_stream_delay(scoresheet.pairing.round.division.tournament)
    latest = timezone.now() - delay
    # The first line that is too young ends what is seen, though an older one follows: a line that was put in between,
    # or corrected, would else be missing from the board under those behind it.
    old_lines = list(takewhile(lambda line: not delay or line.at is None or line.at <= latest, lines))
    if len(old_lines) < len(lines):
        for name, value in WrittenEnding().fields().items():
            setattr(scoresheet, name, value)
    return old_lines


def filter_public_sheets() -> "QuerySet[Scoresheet]":
    """The published sheets of published rounds, as far as their results are seen, with their players."""
    return (
        # With the results and not with the pairings: whoever steps through a game knows how it ended.
        Scoresheet.objects.filter(build_rounds_filter("pairing__round", ShowingStep.RESULTS), build_confirmed_filter())
        .filter(is_public=True)
        .exclude(pairing__round__state=Round.State.DRAFT)
        .select_related("pairing__round__division__tournament")
        .prefetch_related(prefetch_seats("pairing__seats"))
    )


def get_public_sheet_or_404(tournament: Tournament, pk: int) -> Scoresheet:
    """The published sheet of a pairing of this tournament; 404 if there is none."""
    sheets = filter_public_sheets().filter(pairing__pk=pk, pairing__round__division__tournament=tournament)
    scoresheet = sheets.prefetch_related(prefetch_official_results("pairing__results")).order_by("pk").first()
    if scoresheet is None or scoresheet.pairing.second is None:
        raise Http404(_("There is no public game here."))
    scoresheet.pairing.round.division.tournament = tournament
    return scoresheet


def list_round_public_games(round: Round) -> "QuerySet[Scoresheet]":
    """The public sheets of a round, by table."""
    return filter_public_sheets().filter(pairing__round=round).order_by("pairing__table", "pk")


def list_entry_public_games(entry: Entry) -> "QuerySet[Scoresheet]":
    """The public sheets of a player's games, by round."""
    mine = Seat.objects.filter(entry=entry).values("pairing")
    return filter_public_sheets().filter(pairing__in=mine).order_by("pairing__round__number", "pk")


@dataclass(frozen=True, slots=True)
class ListedTurn:
    """One line of the sheet as the list of turns shows it. `turn` is its number, the address's `?turn=`."""

    turn: int
    name: str
    text: str
    points: str
    total: int
    note: str = ""
    side_words: tuple[str, ...] = ()
    is_bingo: bool = False


@dataclass(frozen=True, slots=True)
class ReplayPosition:
    """The board before a turn, the rack, and what was `laid` as it is written on a sheet ("" for no play)."""

    board: Board
    rack: str
    laid: str


class Replay:
    """A sheet with its lines, counted once. `names`: the players', the starter first. With `before` it ends before that
    turn, which everybody is still to think about."""

    def __init__(
        self, row: Scoresheet, lines: Sequence[Line], names: PlayerNames, rules: Ruleset, before: int | None = None
    ) -> None:
        self.names, self.rules, self.before = names, rules, before
        self.value = convert_stored_sheet(row, lines)
        self.count = sheet_count.count(self.value, rules)
        # Without the end where a turn is still to be thought about: what it scores would follow from the totals.
        self.has_end = before is None and any(half.settlement or half.time for half in self.count.halves)

    @property
    def last(self) -> int:
        """The last step: the end with settlement and time, where there is one."""
        if self.before is not None:
            return self.before - 1
        return len(self.count.lines) + self.has_end

    @cached_property
    def turns(self) -> list[ListedTurn]:
        """Every line, and the end as one more turn."""
        turns = [self._make_turn(counted) for counted in self.count.lines[: self.last]]
        if self.has_end:
            points = " / ".join(format_signed(half.settlement + half.time) for half in self.count.halves)
            text, total = _("tiles left and time"), self.count.halves[0].final
            turns.append(ListedTurn(self.last, _("End"), text, points, total))
        return turns

    def _make_turn(self, counted: CountedLine) -> ListedTurn:
        line, scored = counted.line, counted.scored
        name, points = self.names[line.side - 1], format_signed(counted.points)
        side_words, is_bingo = (scored.words[1:], scored.is_bingo) if scored else ((), False)
        also = tuple(word.text for word in side_words)
        return ListedTurn(
            counted.number, name, self._describe(counted), points, counted.total, line.note, also, is_bingo
        )

    def _describe(self, counted: CountedLine) -> str:
        """What was done, in the German notation: `8D WÖRTER`."""
        line = counted.line
        play = line.play.text(self.count.boards[counted.number - 1]) if line.play else ""
        tiles = f" {line.tiles}" if line.tiles else ""
        return {
            LineKind.PLAY: play or _("play without a word"),
            LineKind.WITHDRAWN: (_("%(play)s withdrawn") % {"play": play}) if play else _("play withdrawn"),
            LineKind.EXCHANGE: _("exchanges%(tiles)s") % {"tiles": tiles},
            LineKind.PASS: _("passes"),
            LineKind.CHALLENGE: _("failed challenge"),
            LineKind.PENALTY: _("penalty points"),
        }[line.kind]

    def get_board(self, turn: int) -> Board:
        """The board after a turn."""
        # The end is one turn more than there are boards.
        return self.count.boards[min(turn, len(self.count.boards) - 1)]

    def make_picture(self, turn: int) -> BoardPicture:
        """The board after a turn, with the tiles of that turn marked."""
        board, earlier = self.get_board(turn), self.get_board(max(turn - 1, 0))
        return make_board_picture(board, board.tiles.keys() - earlier.tiles.keys())

    def list_standings(self, turn: int) -> list[dict[str, Any]]:
        """Both players after a turn: the total, and the tiles in hand ("" none, None not known)."""
        standings = []
        for side, (name, half) in enumerate(zip(self.names, self.count.halves, strict=True), 1):
            own = [counted for counted in self.count.lines if counted.line.side == side]
            before = [counted for counted in own if counted.number <= turn]
            total = half.final if turn > len(self.count.lines) else before[-1].total if before else 0
            has_moved = 0 < turn <= len(self.count.lines) and self.count.lines[turn - 1].line.side == side
            standings.append(
                {
                    "name": name,
                    "total": total,
                    "rack": self._find_rack(side, turn, own),
                    "has_moved": has_moved,
                }
            )
        return standings

    def _find_rack(self, side: int, turn: int, own: list[CountedLine]) -> str | None:
        """What is in hand after a turn: the rack of the player's next turn, or what was left at the end."""
        later = [counted for counted in own if counted.number > turn and counted.line.kind.is_turn]
        if self.before is not None:
            # Sorted, because a rack on the sheet may begin with what was laid from it: it would give the play away that
            # everybody is still to think about.
            rack = next((counted.line.rack for counted in later if counted.number <= self.before), "")
            return "".join(sorted(rack)) or None
        if later:
            return later[0].line.rack or None
        return self.count.halves[side - 1].left

    def find_position(self, turn: int) -> ReplayPosition | None:
        """The position before a turn; None at the start, at the end, and where no rack is noted."""
        if not 0 < turn <= len(self.count.lines):
            return None
        line = self.count.lines[turn - 1].line
        if not (line.kind.is_turn and line.rack):
            return None
        laid = line.play.text(self.count.boards[turn - 1]) if line.play and line.kind is LineKind.PLAY else ""
        return ReplayPosition(self.count.boards[turn - 1], line.rack, laid)

    def list_unseen_tiles(self, turn: int) -> tuple[str, int]:
        """The tiles that are not on the board after a turn, in order with their numbers, and how many there are."""
        tiles = self.get_board(turn).unseen()
        parts = (
            letter * count if count <= MAX_REPEATED_LETTERS else f"{letter}×{count}"
            for letter, count in Counter(tiles).items()
        )
        return " ".join(parts), len(tiles)


def load_public_lines(scoresheet: Scoresheet) -> list[Line]:
    """The lines of a public game, those of a game without an official result only as far as streams may show them. One
    query."""
    lines = list(Line.objects.filter(scoresheet=scoresheet).order_by("number"))
    return lines if scoresheet.pairing.result else keep_old_lines(scoresheet, lines)


def load_replay(scoresheet: Scoresheet, *, before: int | None = None, lines: Sequence[Line] | None = None) -> Replay:
    """The game of a stored sheet, by these lines where they have been read; with `before` it ends before that turn. At
    most one query."""
    if lines is None:
        lines = list(Line.objects.filter(scoresheet=scoresheet).order_by("number"))
    rules = scoresheet.pairing.round.division.tournament.rules
    return Replay(scoresheet, lines, get_short_names(scoresheet), rules, before=before)
