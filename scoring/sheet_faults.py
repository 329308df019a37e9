"""What on a score sheet breaks the rules, or does not add up: all of it at once (TSO 3, 5; SBNL III, V)."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import takewhile
from operator import attrgetter

from scoring import exchanges, sheet_count
from scoring.board import HAND, tiles_of
from scoring.board import Fault as Placement
from scoring.letters import LetterSet
from scoring.rulesets import Ruleset
from scoring.sheet_values import Count, Counted, Ending, Fault, Half, Line, LineKind, Problem, Sheet, Side

Clause = Callable[[Ruleset], str]


def problems(sheet: Sheet, ruleset: Ruleset, counted: Count | None = None) -> tuple[Problem, ...]:
    """Everything that breaks the ruleset or contradicts itself, line by line, then what stands below the last turn.

    `counted` is the sheet's count where the caller has it already. What cannot be known, because plays without word
    and place were written, is not held against anybody.
    """
    whole = sheet_count.count(sheet, ruleset) if counted is None else counted
    found = (*_of_lines(whole, ruleset), *_of_tiles_left(sheet, whole), *_of_sums(sheet, whole, ruleset))
    return tuple(problem if problem.clause else replace(problem, clause=_clause(problem, ruleset)) for problem in found)


_RACK: Clause = attrgetter("clauses.rack")
_TILES: Clause = attrgetter("clauses.tiles")
_EXCHANGE: Clause = attrgetter("clauses.exchange")

_OF_PLACEMENT: Mapping[Placement, Clause] = {
    Placement.GAP: attrgetter("clauses.joining"),
    Placement.TAKEN: attrgetter("clauses.joining"),
    Placement.NO_NEW_TILE: attrgetter("clauses.joining"),
    Placement.NOT_JOINED: attrgetter("clauses.joining"),
    Placement.CENTRE_MISSED: attrgetter("clauses.opening"),
    Placement.ONE_TILE: attrgetter("clauses.opening"),
    Placement.TOO_MANY: _RACK,
    Placement.NOT_ON_RACK: _RACK,
    Placement.NOT_IN_SET: _TILES,
    Placement.USED_UP: _TILES,
}

_OF_FAULT: Mapping[Fault, Clause] = {
    Fault.OUT_OF_TURN: attrgetter("clauses.turn"),
    Fault.GAVE_UP_BEFORE: attrgetter("clauses.passes"),
    Fault.BAG_TOO_SMALL: _EXCHANGE,
    Fault.NO_TILE_BEFORE: _EXCHANGE,
    Fault.TOO_OFTEN_BEFORE_WORD: _EXCHANGE,
    Fault.NO_CONSENT: attrgetter("clauses.passing"),
    Fault.PASSING_NOT_ALLOWED: attrgetter("clauses.passing"),
    Fault.TOO_MANY_IN_HAND: _RACK,
    Fault.MORE_THAN_HELD: _RACK,
    Fault.NOT_ON_RACK: _RACK,
    Fault.NOT_IN_SET: _TILES,
    Fault.MORE_THAN_SET: _TILES,
    Fault.SETTLEMENT_DIFFERS: attrgetter("clauses.settlement"),
    Fault.SETTLEMENT_UNKNOWN: attrgetter("clauses.settlement"),
    Fault.NOT_OVER: attrgetter("clauses.passes"),
}
"""Where the rules say what a fault breaks; the others are no matter of the rules, or know their own clause."""


def _clause(problem: Problem, ruleset: Ruleset) -> str:
    place = problem.placement
    found = _OF_FAULT.get(problem.fault) if place is None else _OF_PLACEMENT.get(place.fault)
    return found(ruleset) if found else ""


def _of_lines(whole: Count, ruleset: Ruleset) -> Iterator[Problem]:
    letters, lying, kept = whole.board.letters, Counter[str](), dict.fromkeys(Side, "")
    for place, counted in enumerate(whole.lines):
        before, after = whole.lines[:place], whole.lines[place + 1 :]
        found = [problem for check in (_order, _points, _hand) for problem in check(counted, ruleset)]
        found += _in_kind(counted, before, ruleset)
        found += _challenge(counted, before, after)
        ended = "" if whole.over is None else whole.over.clause
        found += _more_than_set(letters, lying, kept[counted.line.side.other], counted)
        lying.update(counted.laid)
        if counted.line.kind.is_turn:
            kept[counted.line.side] = _kept(counted)
        for problem in found:
            clause = ended if problem.fault is Fault.AFTER_THE_END else problem.clause
            yield replace(problem, line=counted.number, side=counted.line.side, clause=clause)


def _kept(counted: Counted) -> str:
    """The tiles that stayed on the rack in this turn, as far as the sheet says; "" where it does not."""
    line, gone = counted.line, ""
    if line.kind is LineKind.PLAY:
        gone = counted.laid or line.rack
    elif line.kind is LineKind.EXCHANGE:
        gone = line.tiles or line.rack
    return "".join((Counter(line.rack.upper()) - Counter(gone.upper())).elements())


def _order(counted: Counted, ruleset: Ruleset) -> Iterator[Problem]:
    """Whose turn it was, and whether there was one."""
    if not counted.line.kind.is_turn:
        return
    if counted.over is not None:
        yield Problem(None, Fault.AFTER_THE_END, found=counted.over)
    elif counted.gave_up is not None:
        yield Problem(None, Fault.GAVE_UP_BEFORE, found=counted.gave_up)
    elif counted.line.side is not counted.turn:
        yield Problem(None, Fault.OUT_OF_TURN)


def _points(counted: Counted, ruleset: Ruleset) -> Iterator[Problem]:
    """Points that are missing, that differ, or that have the wrong sign."""
    line, points = counted.line, counted.line.points
    if points is None and counted.worked is None:
        yield Problem(None, Fault.POINTS_MISSING)
    if line.kind is LineKind.WITHDRAWN and points is not None and points > 0:
        yield Problem(None, Fault.WITHDRAWN_SCORES, clause=counted.clause, needed=counted.worked, found=points)
    elif counted.difference and not counted.is_overruled:
        yield Problem(None, Fault.POINTS_DIFFER, clause=counted.clause, needed=counted.worked, found=points)
    if line.kind is LineKind.PENALTY:
        if points is not None and points > 0:
            yield Problem(None, Fault.PENALTY_ADDS, found=points)
        if not line.note:
            yield Problem(None, Fault.REASON_MISSING)
    if ruleset.challenges is None and line.kind in (LineKind.CHALLENGE, LineKind.WITHDRAWN):
        yield Problem(None, Fault.NO_CHALLENGES)
    for placement in counted.placement:
        yield Problem(None, Fault.PLACEMENT, placement=placement)


def _hand(counted: Counted, ruleset: Ruleset) -> Iterator[Problem]:
    """More tiles in hand than there can be."""
    line = counted.line
    for tiles in (line.rack, line.tiles):
        if len(tiles) > HAND:
            yield Problem(None, Fault.TOO_MANY_IN_HAND, needed=HAND, found=len(tiles), text=tiles)
    gone = max(len(counted.laid), len(line.tiles))
    if counted.held is not None and counted.held < gone <= HAND:
        yield Problem(None, Fault.MORE_THAN_HELD, needed=counted.held, found=gone)
    if line.rack:
        lacking = Counter(line.tiles.upper()) - Counter(line.rack.upper())
        if lacking:
            yield Problem(None, Fault.NOT_ON_RACK, text="".join(sorted(lacking.elements())))


def _in_kind(counted: Counted, before: tuple[Counted, ...], ruleset: Ruleset) -> Iterator[Problem]:
    """What the rules say of an exchange, of passing, and of asking the jury."""
    line, rules = counted.line, ruleset.exchanges
    if line.jury and not (rules and rules.by_consent):
        yield Problem(None, Fault.NO_CONSENT)
    if line.kind is LineKind.PASS and ruleset.passes_to_end is None:
        yield from _passed(counted, before, ruleset)
    elif line.kind is LineKind.EXCHANGE:
        if rules is None:
            yield Problem(None, Fault.NO_EXCHANGES)
        else:
            yield from exchanges.problems(rules, line, _own_turns(line, before), counted.bag)


def _own_turns(line: Line, before: tuple[Counted, ...]) -> list[LineKind]:
    """The player's earlier turns."""
    return [turn.line.kind for turn in before if turn.line.side is line.side and turn.line.kind.is_turn]


def _passed(counted: Counted, before: tuple[Counted, ...], ruleset: Ruleset) -> Iterator[Problem]:
    """A pass where passing is not allowed: fine if the turn was lost for points, or if the player has finished."""
    has_begun = any(turn.line.kind is LineKind.PLAY for turn in before)
    can_exchange = exchanges.can_exchange(ruleset, _own_turns(counted.line, before), counted.least)
    if exchanges.is_declined(ruleset, counted.line) or (has_begun and not can_exchange):
        return
    by_consent = ruleset.exchanges is not None and ruleset.exchanges.by_consent
    yield Problem(None, Fault.PASSING_NOT_ALLOWED, needed=ruleset.declined_penalty, by_consent=by_consent)


def _challenge(counted: Counted, before: tuple[Counted, ...], after: tuple[Counted, ...]) -> Iterator[Problem]:
    """Whether there was a play that could be challenged in vain.

    The line may come after the challenger's own next turn, or before a play that was taken back for other words of it.
    """
    line = counted.line
    if line.kind is not LineKind.CHALLENGE:
        return
    coming = next((turn.line for turn in after if turn.line.kind.is_turn), None)
    if coming is not None and coming.side is not line.side and coming.kind is LineKind.WITHDRAWN:
        return
    turns = [turn for turn in before if turn.line.side is not line.side and turn.line.kind.is_turn]
    if not turns or turns[-1].line.kind not in (LineKind.PLAY, LineKind.WITHDRAWN):
        yield Problem(None, Fault.NOTHING_TO_CHALLENGE, clause=counted.clause, found=len(turns))
        return
    play = turns[-1].scored
    if play is not None and line.words > len(play.words):
        made = len(play.words)
        yield Problem(None, Fault.MORE_WORDS_THAN_MADE, clause=counted.clause, needed=made, found=line.words)


def _more_than_set(letters: LetterSet, lying: Counter[str], kept: str, counted: Counted) -> Iterator[Problem]:
    """Letters of a rack that the set does not have, or not besides those on the board and those the opponent `kept`."""
    line = counted.line
    told = {problem.letter for problem in counted.placement if problem.fault is Placement.USED_UP}
    in_hand = line.rack + kept if line.rack else ""
    yield from (problem for problem in _not_in_set(letters, lying, in_hand) if problem.text not in told)
    yield from (problem for problem in _not_in_set(letters, lying, line.tiles) if problem.fault is Fault.NOT_IN_SET)


def _not_in_set(letters: LetterSet, lying: Counter[str], tiles: str) -> Iterator[Problem]:
    """Which tiles in hand are more than the set has in addition to those that lie on the board."""
    in_hand = Counter(tiles.upper())
    sizes = {tile.letter: tile.count for tile in letters.tiles}
    for letter, number in in_hand.items():
        if letter not in sizes:
            yield Problem(None, Fault.NOT_IN_SET, text=letter)
        elif number + lying[letter] > sizes[letter]:
            found = number + lying[letter]
            yield Problem(None, Fault.MORE_THAN_SET, needed=sizes[letter], found=found, text=letter)


def _of_tiles_left(sheet: Sheet, whole: Count) -> Iterator[Problem]:
    """Check the tiles held at the end against the set, the unseen tiles, and the number in hand."""
    written = [(half.side, tiles.upper()) for half, tiles in zip(whole.halves, sheet.left, strict=True) if tiles]
    for side, tiles in written:
        if len(tiles) > HAND:
            yield Problem(None, Fault.TOO_MANY_IN_HAND, side, needed=HAND, found=len(tiles), text=tiles)
    lying = tiles_of(whole.board.tiles.values())
    yield from _not_in_set(whole.board.letters, lying, "".join(tiles for _, tiles in written))
    if whole.over is None or whole.over.ending is Ending.TIME or whole.racks is None:
        return
    yield from _unlike_unseen(sheet, whole, whole.racks)


def _unlike_unseen(sheet: Sheet, whole: Count, racks: tuple[int, int]) -> Iterator[Problem]:
    """Leftovers that are not as many as each must hold, or not the tiles that are missing from the board."""
    left = [None if tiles is None else tiles.upper() for tiles in sheet.left]
    unseen = whole.unseen or ""
    wrong = [
        Problem(None, Fault.LEFTOVERS_DIFFER, half.side, needed=held, found=len(tiles), text=tiles, other=unseen)
        for half, tiles, held in zip(whole.halves, left, racks, strict=True)
        if tiles is not None and len(tiles) != held
    ]
    yield from wrong
    together = "".join(tiles for tiles in left if tiles is not None)
    if not wrong and None not in left and not whole.bag and Counter(together) != Counter(unseen):
        yield Problem(None, Fault.LEFTOVERS_DIFFER, text=together, other=unseen)


def _of_sums(sheet: Sheet, whole: Count, ruleset: Ruleset) -> Iterator[Problem]:
    """Settlement, end and final scores."""
    if whole.over is not None and whole.over.ending is Ending.STATED and whole.racks and ruleset.passes_to_end:
        yield Problem(
            None, Fault.NOT_OVER, needed=2 * ruleset.passes_to_end, found=_last_passes(whole, ruleset.passes_to_end)
        )
    for half, written, final in zip(whole.halves, sheet.settlement, sheet.final, strict=True):
        yield from _settlement(half, written, whole)
        if final is not None and final != half.final:
            yield Problem(None, Fault.FINAL_DIFFERS, half.side, needed=half.final, found=final)


def _last_passes(whole: Count, most: int) -> int:
    """With how many passes the sheet ends, of the `most` that count of each side in its own turns."""
    turns = [counted.line for counted in reversed(whole.lines) if counted.line.kind.is_turn]
    own = ([line.kind for line in turns if line.side is side] for side in Side)
    passes = (list(takewhile(lambda kind: kind is LineKind.PASS, kinds)) for kinds in own)
    return sum(min(len(found), most) for found in passes)


def _settlement(half: Half, written: int | None, whole: Count) -> Iterator[Problem]:
    worked = half.settlement_worked
    if worked is not None and written is not None and worked != written:
        yield Problem(None, Fault.SETTLEMENT_DIFFERS, half.side, needed=worked, found=written)
    is_over = whole.over is not None and whole.over.ending is not Ending.TIME
    if is_over and worked is None and written is None and not half.settlement and half.left is None:
        yield Problem(None, Fault.SETTLEMENT_UNKNOWN, half.side)
