"""What on a score sheet breaks the rules, or does not add up: all of it at once (TSO 3, 5; SBNL III, V)."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import takewhile

from scoring import exchanges, sheet_count
from scoring.board import RACK_SIZE, PlayFault, count_tiles
from scoring.letters import LetterSet
from scoring.rulesets.values import Ruleset
from scoring.sheet_values import (
    CountedLine,
    Ending,
    LineKind,
    Sheet,
    SheetCount,
    SheetFault,
    SheetHalf,
    SheetProblem,
    Side,
)


def problems(sheet: Sheet, ruleset: Ruleset, counted: SheetCount | None = None) -> tuple[SheetProblem, ...]:
    """Everything that breaks the rules or contradicts itself: line by line, then what is written below the last turn.
    `counted`: the sheet's count, if the caller has it. What cannot be known, because plays were written without word
    and place, is not held against anybody."""
    whole_sheet = sheet_count.count(sheet, ruleset) if counted is None else counted
    sheet_problems = (
        *_line_problems(whole_sheet, ruleset),
        *_leftover_problems(sheet, whole_sheet),
        *_sum_problems(sheet, whole_sheet, ruleset),
    )
    return tuple(_cite_clause(problem, ruleset) for problem in sheet_problems)


def _cite_clause(problem: SheetProblem, ruleset: Ruleset) -> SheetProblem:
    if problem.clause:
        return problem
    place = problem.placement
    name = _FAULT_CLAUSES.get(problem.fault) if place is None else _PLACEMENT_CLAUSES.get(place.fault)
    return replace(problem, clause=getattr(ruleset.clauses, name)) if name else problem


_PLACEMENT_CLAUSES: Mapping[PlayFault, str] = {
    PlayFault.GAP: "joining",
    PlayFault.TAKEN: "joining",
    PlayFault.NO_NEW_TILE: "joining",
    PlayFault.NOT_JOINED: "joining",
    PlayFault.CENTRE_MISSED: "opening",
    PlayFault.ONE_TILE: "opening",
    PlayFault.TOO_MANY: "rack",
    PlayFault.NOT_ON_RACK: "rack",
    PlayFault.NOT_IN_SET: "tiles",
    PlayFault.USED_UP: "tiles",
}

_FAULT_CLAUSES: Mapping[SheetFault, str] = {
    SheetFault.OUT_OF_TURN: "turn",
    SheetFault.GAVE_UP_BEFORE: "passes",
    SheetFault.BAG_TOO_SMALL: "exchange",
    SheetFault.NO_TILE_BEFORE: "exchange",
    SheetFault.TOO_OFTEN_BEFORE_WORD: "exchange",
    SheetFault.NO_CONSENT: "passing",
    SheetFault.PASSING_NOT_ALLOWED: "passing",
    SheetFault.TOO_MANY_IN_HAND: "rack",
    SheetFault.MORE_THAN_HELD: "rack",
    SheetFault.NOT_ON_RACK: "rack",
    SheetFault.NOT_IN_SET: "tiles",
    SheetFault.MORE_THAN_SET: "tiles",
    SheetFault.SETTLEMENT_DIFFERS: "settlement",
    SheetFault.SETTLEMENT_UNKNOWN: "settlement",
    SheetFault.NOT_OVER: "passes",
}
"""The clause, by its name in `Clauses`, that a fault breaks. Other faults break none, or bring their own."""


def _line_problems(whole: SheetCount, ruleset: Ruleset) -> Iterator[SheetProblem]:
    letters, lying, racks = whole.board.letters, Counter[str](), dict.fromkeys(Side, "")
    ended = "" if whole.over is None else whole.over.clause
    for place, counted in enumerate(whole.lines):
        before, after = whole.lines[:place], whole.lines[place + 1 :]
        line_problems = [*_order_problems(counted), *_points_problems(counted, ruleset), *_hand_problems(counted)]
        line_problems += _kind_problems(counted, before, ruleset)
        line_problems += _challenge_problems(counted, before, after)
        line_problems += _rack_problems(letters, lying, racks[counted.line.side.other], counted)
        # Only now: a play must not find its own tiles on the board already.
        lying.update(counted.laid)
        if counted.line.kind.is_turn:
            # The tiles that stayed on the rack in this turn; "" if the sheet does not say.
            line, gone = counted.line, ""
            if line.kind is LineKind.PLAY:
                # Where it is not known what was laid, the whole rack counts as gone. A tile taken for kept although it
                # was laid would make a fault of the same letter on the opponent's rack.
                gone = counted.laid or line.rack
            elif line.kind is LineKind.EXCHANGE:
                gone = line.tiles or line.rack
            racks[counted.line.side] = "".join((Counter(line.rack.upper()) - Counter(gone.upper())).elements())
        for problem in line_problems:
            clause = ended if problem.fault is SheetFault.AFTER_THE_END else problem.clause
            yield replace(problem, line=counted.number, side=counted.line.side, clause=clause)


def _order_problems(counted: CountedLine) -> Iterator[SheetProblem]:
    """Whether it was this side's turn, and whether anybody's."""
    if not counted.line.kind.is_turn:
        return
    # The first of these only: after the end no turn is anybody's, and whoever gave up would be out of turn besides.
    if counted.over is not None:
        yield SheetProblem(None, SheetFault.AFTER_THE_END, found=counted.over)
    elif counted.gave_up is not None:
        yield SheetProblem(None, SheetFault.GAVE_UP_BEFORE, found=counted.gave_up)
    elif counted.line.side is not counted.turn:
        yield SheetProblem(None, SheetFault.OUT_OF_TURN)


def _points_problems(counted: CountedLine, ruleset: Ruleset) -> Iterator[SheetProblem]:
    """Points that are missing, differ, or have the wrong sign."""
    line, points = counted.line, counted.line.points
    if points is None and counted.worked is None:
        yield SheetProblem(None, SheetFault.POINTS_MISSING)
    if line.kind is LineKind.WITHDRAWN and points is not None and points > 0:
        fault = SheetFault.WITHDRAWN_SCORES
        yield SheetProblem(None, fault, clause=counted.clause, needed=counted.worked, found=points)
    elif counted.difference and not counted.is_overruled:
        yield SheetProblem(None, SheetFault.POINTS_DIFFER, clause=counted.clause, needed=counted.worked, found=points)
    if line.kind is LineKind.PENALTY:
        if points is not None and points > 0:
            yield SheetProblem(None, SheetFault.PENALTY_ADDS, found=points)
        if not line.note:
            yield SheetProblem(None, SheetFault.REASON_MISSING)
    if ruleset.challenges is None and line.kind in (LineKind.CHALLENGE, LineKind.WITHDRAWN):
        yield SheetProblem(None, SheetFault.NO_CHALLENGES)
    for placement in counted.placement:
        yield SheetProblem(None, SheetFault.PLACEMENT, placement=placement)
    if line.play is not None and counted.scored is not None and counted.scored.is_longer:
        made_word = counted.scored.words[0].text
        yield SheetProblem(None, SheetFault.WORD_IS_LONGER, text=line.play.word, other=made_word)


def _hand_problems(counted: CountedLine) -> Iterator[SheetProblem]:
    """More tiles in hand than there can be."""
    line = counted.line
    for tiles in (line.rack, line.tiles):
        if len(tiles) > RACK_SIZE:
            yield SheetProblem(None, SheetFault.TOO_MANY_IN_HAND, needed=RACK_SIZE, found=len(tiles), text=tiles)
    gone = max(len(counted.laid), len(line.tiles))
    # More than a rackful is a fault of its own, and named already.
    if counted.held is not None and counted.held < gone <= RACK_SIZE:
        yield SheetProblem(None, SheetFault.MORE_THAN_HELD, needed=counted.held, found=gone)
    lacking = Counter(line.tiles.upper()) - Counter(line.rack.upper())
    # On a rack that was not written down nothing can be said to be missing.
    if line.rack and lacking:
        yield SheetProblem(None, SheetFault.NOT_ON_RACK, text="".join(sorted(lacking.elements())))


def _kind_problems(counted: CountedLine, before: tuple[CountedLine, ...], ruleset: Ruleset) -> Iterator[SheetProblem]:
    """What the rules say about exchanging, passing, and asking the jury."""
    line, rules = counted.line, ruleset.exchanges
    if line.jury and not (rules and rules.by_consent):
        yield SheetProblem(None, SheetFault.NO_CONSENT)
    own = [turn.line.kind for turn in before if turn.line.side is line.side and turn.line.kind.is_turn]
    if line.kind is LineKind.PASS and ruleset.passes_to_end is None:
        # Where passing is not allowed, a pass is fine if the turn was lost for points, or if the player has finished.
        has_begun = any(turn.line.kind is LineKind.PLAY for turn in before)
        # By the fewest tiles that the bag can have: where they were lost count of, a late pass is held against nobody.
        has_finished = has_begun and not exchanges.can_exchange(ruleset, own, counted.least)
        if not (exchanges.is_declined(ruleset, line) or has_finished):
            by_consent, needed = rules is not None and rules.by_consent, ruleset.declined_penalty
            yield SheetProblem(None, SheetFault.PASSING_NOT_ALLOWED, needed=needed, by_consent=by_consent)
    elif line.kind is LineKind.EXCHANGE and rules is None:
        yield SheetProblem(None, SheetFault.NO_EXCHANGES)
    elif line.kind is LineKind.EXCHANGE and rules is not None:
        yield from exchanges.problems(rules, line, own, counted.bag)


def _challenge_problems(
    counted: CountedLine, before: tuple[CountedLine, ...], after: tuple[CountedLine, ...]
) -> Iterator[SheetProblem]:
    """Whether there was a play that could be challenged in vain. The line may come after the challenger's own next
    turn, or before the play is taken back because of other words."""
    line = counted.line
    if line.kind is not LineKind.CHALLENGE:
        return
    # By its next turn only: lines that are no turns, the challenges of other words, may stand in between.
    coming = next((turn.line for turn in after if turn.line.kind.is_turn), None)
    if coming is not None and coming.side is not line.side and coming.kind is LineKind.WITHDRAWN:
        return
    turns = [turn for turn in before if turn.line.side is not line.side and turn.line.kind.is_turn]
    if not turns or turns[-1].line.kind not in (LineKind.PLAY, LineKind.WITHDRAWN):
        yield SheetProblem(None, SheetFault.NOTHING_TO_CHALLENGE, clause=counted.clause, found=len(turns))
        return
    play = turns[-1].scored
    if play is not None and line.words > len(play.words):
        words_made = len(play.words)
        yield SheetProblem(
            None, SheetFault.MORE_WORDS_THAN_MADE, clause=counted.clause, needed=words_made, found=line.words
        )


def _rack_problems(letters: LetterSet, lying: Counter[str], kept: str, counted: CountedLine) -> Iterator[SheetProblem]:
    """Letters of a rack that the set does not have at all, or not beside those on the board and those `kept`; and of
    exchanged tiles."""
    line = counted.line
    # A letter that the play itself uses up is said of the play, not of the rack a second time.
    reported = {problem.letter for problem in counted.placement if problem.fault is PlayFault.USED_UP}
    in_hand = line.rack + kept if line.rack else ""
    yield from (problem for problem in _tile_set_problems(letters, lying, in_hand) if problem.text not in reported)
    # By themselves: only a rack that was written down is held against the board. Beside one, tiles that it holds are
    # told with it, and others as missing from it.
    exchanged = _tile_set_problems(letters, Counter(), line.tiles)
    yield from (problem for problem in exchanged if problem.fault is SheetFault.NOT_IN_SET or not line.rack)


def _tile_set_problems(letters: LetterSet, lying: Counter[str], tiles: str) -> Iterator[SheetProblem]:
    """The tiles in hand that, with those on the board, are more than the set has."""
    in_hand = Counter(tiles.upper())
    sizes = {tile.letter: tile.count for tile in letters.tiles}
    for letter, number in in_hand.items():
        count = number + lying[letter]
        if letter not in sizes:
            yield SheetProblem(None, SheetFault.NOT_IN_SET, text=letter)
        elif count > sizes[letter]:
            yield SheetProblem(None, SheetFault.MORE_THAN_SET, needed=sizes[letter], found=count, text=letter)


def _leftover_problems(sheet: Sheet, whole: SheetCount) -> Iterator[SheetProblem]:
    """What is wrong with the tiles held at the end: by their number, by the letter set, by the unseen tiles."""
    written = [(half.side, tiles.upper()) for half, tiles in zip(whole.halves, sheet.left, strict=True) if tiles]
    for side, tiles in written:
        if len(tiles) > RACK_SIZE:
            yield SheetProblem(None, SheetFault.TOO_MANY_IN_HAND, side, needed=RACK_SIZE, found=len(tiles), text=tiles)
    lying = count_tiles(whole.board.tiles.values())
    # Of both sides together: each of them alone could hold the only Q.
    yield from _tile_set_problems(whole.board.letters, lying, "".join(tiles for _, tiles in written))
    if whole.over is not None and whole.over.ending is not Ending.TIME and whole.racks is not None:
        yield from _unseen_problems(sheet, whole, whole.racks)


def _unseen_problems(sheet: Sheet, whole: SheetCount, racks: tuple[int, int]) -> Iterator[SheetProblem]:
    """Tiles left that are not as many as each must hold, or not those that are missing from the board."""
    tiles_left = [None if tiles is None else tiles.upper() for tiles in sheet.left]
    unseen = whole.unseen or ""
    wrong = [
        SheetProblem(
            None, SheetFault.LEFTOVERS_DIFFER, half.side, needed=held, found=len(tiles), text=tiles, other=unseen
        )
        for half, tiles, held in zip(whole.halves, tiles_left, racks, strict=True)
        if tiles is not None and len(tiles) != held
    ]
    yield from wrong
    together = "".join(tiles for tiles in tiles_left if tiles is not None)
    # Tiles in a wrong number are never the unseen ones: that was said already.
    if not wrong and None not in tiles_left and not whole.bag and Counter(together) != Counter(unseen):
        yield SheetProblem(None, SheetFault.LEFTOVERS_DIFFER, text=together, other=unseen)


def _sum_problems(sheet: Sheet, whole: SheetCount, ruleset: Ruleset) -> Iterator[SheetProblem]:
    """Settlement, end and final scores."""
    most = ruleset.passes_to_end
    # Only while all tiles are accounted for: after a play without a place somebody may have gone out unnoticed.
    if whole.over is not None and whole.over.ending is Ending.STATED and whole.racks and most:
        yield SheetProblem(None, SheetFault.NOT_OVER, needed=2 * most, found=_count_last_passes(whole, most))
    for half, written, final in zip(whole.halves, sheet.settlement, sheet.final, strict=True):
        yield from _settlement_problems(half, written, whole)
        if final is not None and final != half.final:
            yield SheetProblem(None, SheetFault.FINAL_DIFFERS, half.side, needed=half.final, found=final)


def _count_last_passes(whole: SheetCount, most: int) -> int:
    """How many passes the sheet ends with, counting up to `most` for each side."""
    turns = [counted.line for counted in reversed(whole.lines) if counted.line.kind.is_turn]
    own = ([line.kind for line in turns if line.side is side] for side in Side)
    passes = (list(takewhile(lambda kind: kind is LineKind.PASS, kinds)) for kinds in own)
    return sum(min(len(passes_in_row), most) for passes_in_row in passes)


def _settlement_problems(half: SheetHalf, written: int | None, whole: SheetCount) -> Iterator[SheetProblem]:
    worked = half.settlement_worked
    if worked is not None and written is not None and worked != written:
        yield SheetProblem(None, SheetFault.SETTLEMENT_DIFFERS, half.side, needed=worked, found=written)
    is_over = whole.over is not None and whole.over.ending is not Ending.TIME
    # The settlement may follow from the other side's figure, though nothing is written on this one.
    if is_over and worked is None and written is None and not half.settlement and half.left is None:
        yield SheetProblem(None, SheetFault.SETTLEMENT_UNKNOWN, half.side)
