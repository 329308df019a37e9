"""Counts a score sheet: what each line is worth, how many tiles each holds, when the game is over (TSO 3, 5)."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain

from scoring import board as boards
from scoring import challenges, clock, exchanges
from scoring.awards import Outcome
from scoring.board import Board
from scoring.letters import LETTER_SETS
from scoring.plays import Play
from scoring.rulesets.values import LeftoversRule, Ruleset
from scoring.sheet_values import (
    CountedLine,
    Ending,
    GameEnd,
    LineKind,
    ScoreSheetLine,
    Sheet,
    SheetCount,
    SheetHalf,
    Side,
)
from scoring.squares import Square

_TILE_COUNT_FAULTS = frozenset({boards.PlayFault.NOT_ON_RACK, boards.PlayFault.USED_UP})
"""Faults in the number of tiles: the play still lies where it was written, and its points stand."""

_CERTAIN_FAULTS = frozenset(
    {boards.PlayFault.OFF_BOARD, boards.PlayFault.TAKEN, boards.PlayFault.NO_NEW_TILE, boards.PlayFault.NOT_IN_SET}
)
"""Faults that tiles nobody wrote down cannot explain."""

_FIRST_PLAY_FAULTS = frozenset({boards.PlayFault.CENTRE_MISSED, boards.PlayFault.ONE_TILE})
"""Faults that only a first play can have; if plays are missing, this may not have been the first."""


@dataclass(slots=True)
class _GameState:
    """The game as far as it has been read."""

    ruleset: Ruleset
    board: Board
    bag: int | None
    least: int  # the fewest tiles that can be in the bag
    held: dict[Side, int] | None
    doubtful: set[Square] = field(default_factory=set)  # squares of plays that have no place
    is_blind: bool = False  # tiles lie somewhere that nobody wrote down
    totals: dict[Side, int] = field(default_factory=lambda: dict.fromkeys(Side, 0))
    own: dict[Side, list[LineKind]] = field(default_factory=lambda: {side: [] for side in Side})  # each side's turns
    passes: dict[Side, int] = field(default_factory=lambda: dict.fromkeys(Side, 0))
    gave_up: dict[Side, int] = field(default_factory=dict)
    turn: Side = Side.FIRST
    out: Side | None = None
    over: GameEnd | None = None


@dataclass(frozen=True, slots=True)
class _LineWorth:
    """What one line is worth, and what is known of it."""

    points: int
    clause: str
    worked: int | None = None
    scored: boards.PlayScore | None = None
    placement: tuple[boards.PlayProblem, ...] = ()
    is_compared: bool = True


def count(sheet: Sheet, ruleset: Ruleset) -> SheetCount:
    """What the sheet comes to by the ruleset. Points that can be worked out count. What is written counts if they
    cannot (a play without word and place, one that cannot be laid, one that depends on tiles nobody wrote down), and if
    a referee decided with a reason. Whatever is written, nothing is raised: `sheet_faults.problems` says what is
    wrong."""
    letters = LETTER_SETS[ruleset.letters]
    bag = letters.size - 2 * boards.RACK_SIZE
    game = _GameState(ruleset, Board(letters), bag, bag, dict.fromkeys(Side, boards.RACK_SIZE))
    counted_lines, stood = [], [game.board]
    for number, line in enumerate(sheet.lines, 1):
        counted_lines.append(_count_line(game, number, line))
        stood.append(game.board)
    lines = tuple(counted_lines)
    over = _find_game_end(game, sheet)
    unseen = None if game.held is None else game.board.unseen()
    tiles_left = _find_tiles_left(game, sheet, over, unseen)
    # A sheet may only say that the game is over. Then the tiles left tell who went out.
    out = over.out if over is not None and over.out is not None else _find_empty_handed_side(tiles_left)
    # The clock stops a game before its end: it goes by the score as it stood then (TSO 6.1.1), and only a game that
    # came to its end is settled (TSO 5.1). Tiles written below the last line would make 4 : 19 of 8 : 20.
    is_stopped = over is not None and over.ending is Ending.TIME
    worked: dict[Side, int | None] = dict.fromkeys(Side, 0)
    if not is_stopped:
        worked = _settle_leftovers(game, tiles_left, out)
    settled = _choose_settlement(sheet, ruleset, worked, out)
    clause = ruleset.clauses.overtime_limit if is_stopped else ruleset.clauses.settlement
    first, second = (
        _sum_half(
            side,
            lines,
            sheet,
            ruleset,
            left=tiles_left[side - 1],
            worked=worked[side],
            settlement=settled[side],
            settlement_clause=clause,
        )
        for side in Side
    )
    racks = None if game.held is None else (game.held[Side.FIRST], game.held[Side.SECOND])
    return SheetCount(lines, tuple(stood), unseen, game.bag, racks, first, second, None if over else game.turn, over)


def _count_line(game: _GameState, number: int, line: ScoreSheetLine) -> CountedLine:
    """Count one line, and apply to the game what it changes."""
    # Read before the line is counted, which draws tiles and passes the turn on: faults are judged by what was there
    # then.
    before = (game.bag, None if game.held is None else game.held[line.side], game.least)
    turn = game.turn if line.kind.is_turn and game.over is None else None
    over, gave_up = None if game.over is None else game.over.number, game.gave_up.get(line.side)
    worth = _count_play(game, line) if line.kind is LineKind.PLAY else _count_other_line(game.ruleset, line)
    if line.kind.is_turn:
        _take_turn(game, number, line)
    game.totals[line.side] += worth.points
    difference = None
    if worth.is_compared and worth.worked is not None and line.points is not None:
        difference = line.points - worth.worked
    worked_out = (worth.clause, worth.worked, difference, worth.scored, worth.placement)
    return CountedLine(number, line, worth.points, game.totals[line.side], *worked_out, *before, turn, over, gave_up)


def _count_play(game: _GameState, line: ScoreSheetLine) -> _LineWorth:
    """Lay a play, as far as it can be laid, and count it."""
    clause = game.ruleset.clauses.points
    if line.play is None:
        game.is_blind = True
        _lose_count(game)
        return _LineWorth(line.points or 0, clause)
    # No rack written down does not say that the player held nothing.
    laid = boards.lay(game.board, line.play, rack=line.rack or None)
    scored, placement_faults = laid.scored, laid.problems
    sure = None if scored is None or _touches_doubt(game, line.play, scored) else scored
    if sure is None:
        placement_faults = tuple(problem for problem in placement_faults if _is_certain(game, line.play, problem))
    # What has no place leaves the board as it was. Later plays near its squares cannot be told to be wrong.
    if scored is not None or not placement_faults:
        game.board = laid.after
    else:
        game.doubtful.update(square for square in line.play.squares() if square.is_on_board)
    if sure is not None and game.held is not None and game.bag is not None:
        # More tiles than the player can hold are a fault that `sheet_faults` names; the count goes on from an empty
        # rack.
        held = max(0, game.held[line.side] - len(sure.placed))
        drawn = min(boards.RACK_SIZE - held, game.bag)
        game.held[line.side] = held + drawn
        game.bag -= drawn
        game.least = game.bag
    else:
        _lose_count(game)
    stands = sure is not None and all(problem.fault in _TILE_COUNT_FAULTS for problem in placement_faults)
    worked = None if scored is None else scored.points
    points = worked if stands or line.points is None else line.points
    return _LineWorth(points or 0, clause, worked, sure, placement_faults, stands)


def _is_certain(game: _GameState, play: Play, problem: boards.PlayProblem) -> bool:
    """Whether the play is at fault whatever tiles nobody wrote down."""
    if problem.fault in _CERTAIN_FAULTS:
        return True
    # Nothing lies although somebody has played: an earlier play has no place, so that this one need not be the first.
    if game.doubtful and not game.board.tiles and problem.fault in _FIRST_PLAY_FAULTS:
        return False
    return not (game.is_blind or _near_doubt(game, play.squares()))


def _touches_doubt(game: _GameState, play: Play, scored: boards.PlayScore) -> bool:
    """Whether the words of the play may include tiles that nobody wrote down, or that have no place."""
    # Nothing lies, yet squares are in doubt: the first play has no place, and nobody knows what the next ones join.
    if game.is_blind or not game.doubtful or not game.board.tiles:
        return game.is_blind or bool(game.doubtful)
    words = (word.start.step(word.direction, by) for word in scored.words for by in range(len(word.text)))
    return _near_doubt(game, chain(play.squares(), (square for square in words if square is not None)))


def _near_doubt(game: _GameState, squares: Iterable[Square]) -> bool:
    return any(not game.doubtful.isdisjoint((square, *boards.neighbours(square))) for square in squares)


def _lose_count(game: _GameState) -> None:
    """From here on nobody knows how many tiles are where; the bag has lost at most a rackful."""
    game.bag, game.held = None, None
    game.least = max(0, game.least - boards.RACK_SIZE)


def _count_other_line(ruleset: Ruleset, line: ScoreSheetLine) -> _LineWorth:
    """What a line without a play is worth."""
    clauses = ruleset.clauses
    if line.kind is LineKind.PENALTY:
        return _LineWorth(line.points or 0, "")
    if line.kind is LineKind.PASS:
        # Whatever is written on a pass, it scores nothing, or costs what declining costs.
        is_declined = exchanges.is_declined(ruleset, line)
        worked = -ruleset.declined_penalty if is_declined else 0
        return _LineWorth(worked, clauses.passing if is_declined else clauses.passed, worked)
    if line.kind is LineKind.EXCHANGE:
        return _LineWorth(0, clauses.exchanged, 0)
    return _count_challenge(ruleset, line)


def _count_challenge(ruleset: Ruleset, line: ScoreSheetLine) -> _LineWorth:
    """What a withdrawn play or a failed challenge costs. A figure of the referee's own has a note."""
    written, rules = line.points or 0, ruleset.challenges
    # Rules without challenges (Puntenscrabble): a play that was taken back scores nothing all the same, and points
    # taken off stand as they are written. `sheet_faults` names both.
    if rules is None:
        return _LineWorth(0, "", 0) if line.kind is LineKind.WITHDRAWN else _LineWorth(written, "")
    if line.kind is LineKind.WITHDRAWN:
        worked = -rules.upheld_penalty
    else:
        # A line without a number is about one word.
        worked = -challenges.failed_penalty(rules, max(1, line.words))
    # Only a figure that takes points off can be the referee's own: one that gives some is a slip of the pen, with a
    # note or without.
    is_overruled = bool(line.note) and line.points is not None and line.points <= 0
    return _LineWorth(written if is_overruled else worked, rules.clause, worked)


def _take_turn(game: _GameState, number: int, line: ScoreSheetLine) -> None:
    """Count the turn, see whether it ended the game, and pass the turn on."""
    side, other = line.side, line.side.other
    # Only passes end a game (TSO 5.1 b): an exchange or a withdrawn play breaks the row.
    game.passes[side] = game.passes[side] + 1 if line.kind is LineKind.PASS else 0
    if line.kind is LineKind.PASS and _cannot_move(game, line):
        game.gave_up.setdefault(side, number)
    game.own[side].append(line.kind)
    # Hands are filled at once: whoever holds nothing has emptied the bag as well.
    if game.out is None and game.held is not None and game.held[side] == 0:
        game.out = side
    if game.over is None:
        game.over = _find_end_by_turn(game, number)
    # Whoever can no longer lay a tile is finished for good; the other goes on alone, however many turns (SBNL).
    game.turn = side if other in game.gave_up and side not in game.gave_up else other


def _cannot_move(game: _GameState, line: ScoreSheetLine) -> bool:
    """Whether a player who passes where passing is not allowed can neither lay nor exchange, and so has finished for
    good (SBNL). Before the first word is laid nobody has: until then the player asks the jury."""
    if game.ruleset.passes_to_end is not None or exchanges.is_declined(game.ruleset, line):
        return False
    has_begun = any(LineKind.PLAY in own for own in game.own.values())
    return has_begun and not exchanges.can_exchange(game.ruleset, game.own[line.side], game.bag)


def _find_end_by_turn(game: _GameState, number: int) -> GameEnd | None:
    """The end of the game, if this turn brought it."""
    ruleset, clauses = game.ruleset, game.ruleset.clauses
    if game.out is not None:
        # By the Dutch books going out ends the game only when the other has had as many turns, or has finished for
        # good.
        is_even = len(game.own[Side.FIRST]) == len(game.own[Side.SECOND]) or game.out.other in game.gave_up
        if is_even or not ruleset.equal_turns:
            return GameEnd(Ending.OUT, clauses.out, number, game.out)
    if ruleset.passes_to_end is not None and min(game.passes.values()) >= ruleset.passes_to_end:
        return GameEnd(Ending.PASSES, clauses.passes, number)
    if len(game.gave_up) == len(Side):
        return GameEnd(Ending.STUCK, clauses.passes, number)
    return None


def _find_game_end(game: _GameState, sheet: Sheet) -> GameEnd | None:
    """The end of the game by its turns, or else by the figures below them; None while it goes on."""
    clauses = game.ruleset.clauses
    if game.over is not None:
        return game.over
    turns = [number for number, line in enumerate(sheet.lines, 1) if line.kind.is_turn]
    out = _find_empty_handed_side(sheet.left)
    # The tiles were lost count of, but what is written below the last line says who had none left.
    if game.held is None and out is not None:
        # Nobody goes out by a pass or an exchange: nothing left after one of those is a slip of the pen.
        own = [number for number in turns if sheet.lines[number - 1].side is out]
        if own and sheet.lines[own[-1] - 1].kind is LineKind.PLAY:
            return GameEnd(Ending.OUT, clauses.out, own[-1], out)
    if _is_lost(sheet, game.ruleset):
        return GameEnd(Ending.TIME, clauses.overtime_limit)
    # Whether they were written, not what they say: a settlement of 0 and no tiles left are figures from after the game.
    figures = (*sheet.left, *sheet.settlement, *sheet.final)
    if sheet.is_finished or any(figure is not None for figure in figures):
        return GameEnd(Ending.STATED, "", turns[-1] if turns else None)
    return None


def _is_lost(sheet: Sheet, ruleset: Ruleset) -> bool:
    """Whether somebody's overtime decides the game."""
    return clock.overtime_outcome(*sheet.overtime, ruleset) != Outcome.OPEN


def _find_empty_handed_side(left: tuple[str | None, str | None]) -> Side | None:
    """The only side that is known to have no tiles left."""
    # Nothing left on either side does not tell who went out, and then there is nothing to settle.
    empty = [side for side, tiles in zip(Side, left, strict=True) if tiles == ""]
    return empty[0] if len(empty) == 1 else None


def _find_tiles_left(
    game: _GameState, sheet: Sheet, over: GameEnd | None, unseen: str | None
) -> tuple[str | None, str | None]:
    """The tiles each holds at the end: as written, or what must be theirs because all others lie on the board."""
    # On the board a small letter is a blank and worth 0. Below the last line it is a letter in somebody's small hand:
    # “qm” left over are 13 points.
    tiles_left = {side: None if tiles is None else tiles.upper() for side, tiles in zip(Side, sheet.left, strict=True)}
    # None are worked out for a game that the clock has stopped: it goes by the score as it stood then (TSO 6.1.1).
    if game.held is not None and game.bag == 0 and over is not None and over.ending is not Ending.TIME:
        for side in Side:
            if tiles_left[side] is None and game.held[side] == 0:
                tiles_left[side] = ""
        # A second time round: the tiles of one side follow only once it is known that the other has none.
        for side in Side:
            if tiles_left[side] is None and tiles_left[side.other] is not None:
                tiles_left[side] = remove_tiles(unseen or "", tiles_left[side.other] or "")
    return tiles_left[Side.FIRST], tiles_left[Side.SECOND]


def remove_tiles(tiles: str, gone: str) -> str:
    """The tiles that remain, in their order, when others are taken away."""
    for tile in gone:
        tiles = tiles.replace(tile, "", 1)
    return tiles


def _settle_leftovers(
    game: _GameState, left: tuple[str | None, str | None], out: Side | None
) -> dict[Side, int | None]:
    """What the tiles left come to for each side; None if they are not known."""
    rule = game.ruleset.leftovers
    if rule is None:
        return dict.fromkeys(Side, 0)
    worth = {side: None if tiles is None else game.board.value(tiles) for side, tiles in zip(Side, left, strict=True)}
    if out is None or rule is LeftoversRule.EACH_LOSES_OWN:
        return {side: None if value is None else -value for side, value in worth.items()}
    gained = worth[out.other]
    # Neither half is known without the other: whatever one gains the other loses.
    if gained is None:
        return dict.fromkeys(Side)
    if rule is LeftoversRule.TWICE_TO_WHO_WENT_OUT:
        return {out: 2 * gained, out.other: 0}
    return {out: gained, out.other: -gained}


def _choose_settlement(
    sheet: Sheet, ruleset: Ruleset, worked: dict[Side, int | None], out: Side | None
) -> dict[Side, int]:
    """What counts: as worked out, else as written, else, if a side went out, the opposite of the other's figure."""
    written = dict(zip(Side, sheet.settlement, strict=True))
    is_mirrored = out is not None and ruleset.leftovers is LeftoversRule.TO_WHO_WENT_OUT
    counts = {}
    for side in Side:
        opposite = written[side.other]
        mirrored = -opposite if is_mirrored and opposite is not None else 0
        # Not the first that is true: a settlement worked out as 0 must not give way to the 13 that somebody wrote.
        counts[side] = next(figure for figure in (worked[side], written[side], mirrored) if figure is not None)
    return counts


def _sum_half(
    side: Side,
    lines: tuple[CountedLine, ...],
    sheet: Sheet,
    ruleset: Ruleset,
    *,
    left: str | None,
    worked: int | None,
    settlement: int,
    settlement_clause: str,
) -> SheetHalf:
    """One player's sums."""
    own = [counted for counted in lines if counted.line.side is side]
    plays = [counted for counted in own if counted.line.kind is LineKind.PLAY]
    challenged = [counted.points for counted in own if counted.line.kind in (LineKind.CHALLENGE, LineKind.WITHDRAWN)]
    played = sum(counted.points for counted in plays)
    verdict = clock.overtime(sheet.overtime[side - 1], ruleset)
    return SheetHalf(
        side,
        plays=played,
        challenges=sum(challenged),
        # Not the penalty lines alone: a pass although the jury saw a word costs points, too (Wedstrijdscrabble III-8).
        penalties=sum(counted.points for counted in own) - played - sum(challenged),
        settlement=settlement,
        settlement_worked=worked,
        settlement_clause=settlement_clause if settlement or worked is not None else "",
        # A game lost by overtime goes by the score before time penalties (TSO 6.1.1), for both players.
        time=0 if _is_lost(sheet, ruleset) else -verdict.points,
        time_clause=verdict.clause if verdict.seconds else "",
        lost=verdict.lost,
        left=left,
        bingos=sum(counted.scored is not None and counted.scored.is_bingo for counted in plays),
        wordless=sum(counted.scored is None for counted in plays),
        moves=tuple(sorted((counted.points for counted in plays), reverse=True)),
    )
