"""What the duplicate session of a tournament file must be like to be worked out: turn by turn, on its growing board."""

from collections import Counter
from collections.abc import Iterator, Mapping

from scoring import board as boards
from scoring import duplicate, rulesets
from scoring.board import HAND, Board, Fault
from scoring.letters import LETTER_SETS
from scoring.plays import BadPlay, Play
from tournament.exchange import game_checks
from tournament.exchange.faults import Code, quoted
from tournament.exchange.game_checks import Problem
from tournament.exchange.json_text import Path
from tournament.exchange.values import DivisionData, DuplicateData, EventData, PlayerData, TurnData


def problems(path: Path, division: DivisionData, players: dict[str, PlayerData], event: EventData) -> Iterator[Problem]:
    """What is wrong with a division's session, or with having one, or none, under these rules."""
    ruleset = rulesets.RULESETS.get(event.ruleset)
    if ruleset is None:
        return
    told = {"ruleset": ruleset.name}
    if ruleset.is_paired and division.duplicate is not None:
        yield (*path, "duplicate"), Code.NO_SESSION, told
    for key in ("rounds", "knockout"):
        if not ruleset.is_paired and getattr(division, key):
            yield (*path, key), Code.NOBODY_PAIRED, {**told, "key": key}
    if division.duplicate is not None and division.duplicate.letters in LETTER_SETS:
        yield from _session((*path, "duplicate"), division.duplicate, division, players)


def _session(
    path: Path, session: DuplicateData, division: DivisionData, players: dict[str, PlayerData]
) -> Iterator[Problem]:
    """The turns in their order; once a draw or a word is wrong the later boards are not known and not looked at."""
    most = session.max_turns
    if len(session.turns) > most:
        yield (*path, "turns"), Code.TOO_MANY, {"value": len(session.turns), "limit": most}
    board = Board.empty(LETTER_SETS[session.letters])
    is_known = True
    for place, turn in enumerate(session.turns):
        at = (*path, "turns", place)
        if turn.number != place + 1:
            yield (*at, "number"), Code.TURN_NUMBER, {"value": turn.number, "expected": place + 1}
        yield from _slips(at, turn, division, players)
        is_last = place + 1 == len(session.turns)
        if is_last and turn.master is None and turn.corrections:
            yield (*at, "corrections"), Code.CORRECTED_OPEN, {"number": turn.number}
        found = list(_on_board(at, turn, board)) if is_known else []
        yield from found
        is_known = is_known and not found
        if is_known and turn.master is not None:
            board = duplicate.laid(board, Play.parse(turn.master.position, turn.master.word))


def _slips(path: Path, turn: TurnData, division: DivisionData, players: dict[str, PlayerData]) -> Iterator[Problem]:
    """That slips and corrections are of players of the division, one slip each, and a word is refused for all."""
    refused: dict[str, bool] = {}
    for place, slip in enumerate(turn.slips):
        at = (*path, "slips", place)
        yield from game_checks.player((*at, "player"), slip.player, division, players)
        word = (slip.word or "").upper()
        if word and refused.setdefault(word, slip.refused) != slip.refused:
            yield (*at, "refused"), Code.REFUSED_AND_NOT, {"value": quoted(word), "number": turn.number}
    yield from game_checks.twice(
        ((*path, "slips", place, "player"), slip.player) for place, slip in enumerate(turn.slips)
    )
    for place, second in enumerate(turn.second):
        yield from game_checks.player((*path, "second", place, "player"), second.player, division, players)
    yield from game_checks.twice(
        ((*path, "second", place, "player"), second.player) for place, second in enumerate(turn.second)
    )
    for place, correction in enumerate(turn.corrections):
        yield from game_checks.player((*path, "corrections", place, "slip"), correction.slip, division, players)


def _on_board(path: Path, turn: TurnData, board: Board) -> Iterator[Problem]:
    """That the tiles can have been drawn from the bag, and that the master word can be laid with them."""
    for place, draw in enumerate(turn.redrawn):
        yield from _draw((*path, "redrawn", place), draw, board)
    found = list(_draw((*path, "draw"), turn.draw, board))
    yield from found
    if turn.master is None or found:
        return
    value = quoted(f"{turn.master.position} {turn.master.word}")
    try:
        play = Play.parse(turn.master.position, turn.master.word)
    except BadPlay:
        yield (*path, "master"), Code.MASTER_UNREADABLE, {"value": value}
        return
    found_problems = boards.problems(board, play, rack=turn.draw)
    lacking = [problem.letter for problem in found_problems if problem.fault is Fault.NOT_ON_RACK]
    if len(lacking) < len(found_problems) or (not found_problems and boards.score(board, play).is_longer):
        yield (*path, "master"), Code.MASTER_PLACE, {"value": value}
    elif lacking:
        told = {"value": value, "draw": quoted(turn.draw), "letters": ", ".join(lacking)}
        yield (*path, "master"), Code.MASTER_LETTERS, told


def _draw(path: Path, draw: str, board: Board) -> Iterator[Problem]:
    """That these are seven tiles of the set that the bag held."""
    known: Mapping[str, int] = {tile.letter: tile.count for tile in board.letters.tiles}
    for tile in dict.fromkeys(draw):
        if tile not in known:
            yield path, Code.NO_SUCH_TILE, {"tile": tile, "value": quoted(draw), "letters": board.letters.key}
            return
    if len(draw) != HAND:
        yield path, Code.DRAW_COUNT, {"value": quoted(draw), "found": len(draw), "needed": HAND}
        return
    bag = Counter(board.unseen())
    for tile, count in Counter(draw).items():
        if count > bag[tile]:
            yield path, Code.NOT_IN_BAG, {"value": quoted(draw), "tile": tile, "found": bag[tile]}
            return
