"""A session as its pages show it: rows made of what was noted and what follows from it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.utils import formats

from games.duplicate import spelling, words
from games.duplicate.reading import SessionState
from games.duplicate.spelling import SpelledTile
from games.models import DuplicateCorrection, DuplicateSlip, DuplicateTurn
from games.shared.board_picture import BoardPicture, picture
from scoring import board as boards
from scoring import duplicate
from scoring.duplicate import EITHER, VOWELS, Judged, Total
from scoring.letters import BLANK
from scoring.plays import Play
from tournament.models import Entry


@dataclass(frozen=True, slots=True)
class SlipLine:
    """A player's slip of a turn: what stands on it, what it scores, and why if that is nothing. Which one `is_best` is
    told of closed turns only: while slips are typed, a row that stands there already would not hear of a better one."""

    entry: Entry
    slip: DuplicateSlip | None
    judged: Judged
    fault: str
    is_best: bool
    corrected: str = ""

    @property
    def word(self) -> str:
        """The word as it counts, else as it is written."""
        return self.judged.play.word if self.judged.play and not self.judged.fault else (self.slip_word or "–")

    @property
    def slip_word(self) -> str:
        return (self.slip.word or "") if self.slip else ""


@dataclass(frozen=True, slots=True)
class TableLine:
    """A row of the table."""

    total: Total
    entry: Entry

    @property
    def name(self) -> str:
        return self.entry.name

    @property
    def percent(self) -> str:
        return percent(self.total.percent)


@dataclass(frozen=True, slots=True)
class TurnLine:
    """A turn in the list of turns: its draw, the best points, the word laid, who has it alone."""

    row: DuplicateTurn
    best: int
    points: int | None
    solo: str


def percent(value: Decimal) -> str:
    """A percentage with its two decimals, as the reader's language writes it."""
    return formats.number_format(value, decimal_pos=2)


def slip_lines(found: SessionState, row: DuplicateTurn, *, everybody: bool = True) -> list[SlipLine]:
    """The slips of a turn in the order of the players' numbers; `everybody`: also who has handed in none."""
    result = found.result(row.number)
    by_entry = {slip.entry_id: slip for slip in found.slips.get(row.pk, ())}
    corrected = {each.entry_id: each.why for each in found.corrections.get(row.pk, ())}
    value = found.value.turns[row.number - 1]
    slips = {slip.player: slip for slip in value.slips}
    return [
        SlipLine(
            entry=entry,
            slip=by_entry.get(entry.pk),
            judged=result.slips[key],
            fault=words.fault(result.slips[key], slips.get(key), result.before, value.draw),
            is_best=row.is_closed and 0 < result.slips[key].points == result.best,
            corrected=corrected.get(entry.pk, ""),
        )
        for key, entry in found.by_key.items()
        if everybody or entry.pk in by_entry
    ]


def table(found: SessionState, after: int | None = None) -> list[TableLine]:
    """The table after a turn, by default after the last one that is closed."""
    totals = found.value.totals(found.closed if after is None else after)
    return [TableLine(total, found.by_key[total.player]) for total in totals]


def turn_lines(found: SessionState) -> list[TurnLine]:
    """The turns that are closed, each with its word."""
    return [
        TurnLine(row, found.result(row.number).best, found.master_points(row.number), _solo(found, row))
        for row in found.turns
        if row.is_closed
    ]


def _solo(found: SessionState, row: DuplicateTurn) -> str:
    """Who alone has the best word."""
    result = found.result(row.number)
    return next((entry.name for key, entry in found.by_key.items() if result.is_solo(key)), "")


@dataclass(frozen=True, slots=True)
class CorrectionLine:
    """What a slip scores after it was judged anew, as everybody can read it."""

    number: int
    name: str
    row: DuplicateCorrection


def corrections(found: SessionState, row: DuplicateTurn) -> list[CorrectionLine]:
    """The corrections of a turn, the earliest first."""
    names = {entry.pk: entry.name for entry in found.entries}
    return [CorrectionLine(row.number, names[each.entry_id], each) for each in found.corrections.get(row.pk, ())]


def called(found: SessionState, draw: str) -> list[SpelledTile]:
    """The tiles of a draw with their spelling names and what they are worth."""
    values = {tile.letter: tile.value for tile in found.letters.tiles}
    return spelling.called(draw, found.session.letters, values)


def kinds(draw: str) -> Mapping[str, int]:
    """How many vowels, consonants, blanks and Y a draw has."""
    return {
        "blanks": draw.count(BLANK),
        "either": sum(tile in EITHER for tile in draw) - draw.count(BLANK),
        "vowels": sum(tile in VOWELS for tile in draw),
        "consonants": sum(tile not in VOWELS | EITHER for tile in draw),
    }


def board(found: SessionState, after: int) -> BoardPicture:
    """The board after so many turns, the tiles of the last one marked."""
    before = found.value.boards[after - 1] if after else None
    play = found.value.turns[after - 1].master if after else None
    new = [square for square, _letter in boards.new_tiles(before, play)] if before is not None and play else []
    return picture(found.value.boards[after], new)


@dataclass(frozen=True, slots=True)
class ProposedWord:
    """The word that the rules propose, what it scores, and why."""

    play: Play
    points: int
    why: str


def proposal(found: SessionState, row: DuplicateTurn) -> ProposedWord | None:
    """The master word of an open turn so far; None if nobody has scored."""
    result = found.result(row.number)
    play = duplicate.propose(result)
    if play is None:
        return None
    names = {key: entry.name for key, entry in found.by_key.items()}
    return ProposedWord(play, result.best, words.proposal(result, play, names))


def numbers(entries: Iterable[Entry]) -> list[tuple[int, str]]:
    """Players by their numbers."""
    return [(entry.position, entry.name) for entry in entries]


def missing_list(found: SessionState) -> str:
    """That the list of a session is not here; "" where it is, or where none was named."""
    return words.list_missing(found.session.words) if found.session.words and found.allows is None else ""


def differing(lines: Iterable[SlipLine]) -> list[SlipLine]:
    """The slips that claim other points than they score."""
    return [line for line in lines if line.judged.differs and line.slip is not None]
