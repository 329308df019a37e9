"""Short ways to write a score sheet down in a test."""

from dataclasses import replace

from scoring.board import RACK_SIZE, Board, get_tile, new_tiles, problems, score
from scoring.letters import LETTER_SETS
from scoring.plays import Play
from scoring.rulesets.tso import TSO_2010
from scoring.sheet_values import LineKind, ScoreSheetLine, Sheet, Side
from scoring.squares import CENTRE_SQUARE, Direction

FIRST, SECOND = Side


def play(side, text, points=None, **more):
    """A line with a play; without a text only its points were written."""
    return ScoreSheetLine(side, LineKind.PLAY, Play.parse(text) if text else None, points, **more)


def exchange(side, tiles="", points=None, **more):
    return ScoreSheetLine(side, LineKind.EXCHANGE, points=points, tiles=tiles, **more)


def passed(side, points=None, **more):
    return ScoreSheetLine(side, LineKind.PASS, points=points, **more)


def withdrawn(side, points=None, note="", text=""):
    return ScoreSheetLine(side, LineKind.WITHDRAWN, Play.parse(text) if text else None, points, note=note)


def challenge(side, points=None, words=1, note=""):
    return ScoreSheetLine(side, LineKind.CHALLENGE, points=points, words=words, note=note)


def penalty(side, points=None, note="zu spät notiert"):
    return ScoreSheetLine(side, LineKind.PENALTY, points=points, note=note)


def sheet(*lines, **more):
    return Sheet(lines, **more)


def known(text):
    """The lines of a known game, and the totals that were written after them."""
    lines, totals = [], []
    for row in text.strip().splitlines():
        side, rack, *what, points, total = row.split()
        side, points = Side(int(side)), int(points)
        if what == ["--"]:
            lines[-1] = ScoreSheetLine(side, LineKind.WITHDRAWN, lines[-1].play, rack=rack)
            totals[-1] = int(total)
            continue
        if what[0].startswith("-"):
            lines.append(exchange(side, what[0][1:], points, rack=rack))
        else:
            lines.append(play(side, " ".join(what), points, rack=rack))
        totals.append(int(total))
    return tuple(lines), totals


def simulated(rng, ruleset=TSO_2010):
    """A whole game by chance, with words of no language: its lines without points, and the tiles left at the end."""
    letters = LETTER_SETS[ruleset.letters]
    bag = [tile.letter for tile in letters.tiles for _ in range(tile.count)]
    rng.shuffle(bag)
    racks = {side: [bag.pop() for _ in range(RACK_SIZE)] for side in Side}
    board, lines, side, passes = Board(letters), [], FIRST, 0
    while all(racks.values()) and passes < 4:
        line = _turn(rng, board, ScoreSheetLine(side, LineKind.PASS, rack="".join(racks[side])), len(bag))
        gone = list(line.tiles)
        if line.play is not None:
            gone = [get_tile(letter) for _, letter in new_tiles(board, line.play)]
            board = board.after(line.play)
        for letter in gone:
            racks[side].remove(letter)
        racks[side] += [bag.pop() for _ in range(min(len(gone), len(bag)))]
        bag += line.tiles
        rng.shuffle(bag)
        passes = passes + 1 if line.kind is LineKind.PASS else 0
        lines.append(line)
        side = side.other
    return tuple(lines), tuple("".join(racks[each]) for each in Side)


def _turn(rng, board, idle, in_bag):
    """A play if chance finds one soon, else an exchange if the bag allows it; `idle` is the line of a pass."""
    for _ in range(2):
        found = _play(rng, board, list(idle.rack))
        if found is None or problems(board, found, rack=idle.rack):
            continue
        if not score(board, found).is_longer:
            return replace(idle, kind=LineKind.PLAY, play=found)
    if in_bag >= RACK_SIZE:
        tiles = rng.sample(idle.rack, rng.randint(1, RACK_SIZE))
        return replace(idle, kind=LineKind.EXCHANGE, tiles="".join(tiles))
    return idle


def _play(rng, board, rack):
    """Some tiles of the rack in a row, beginning near a tile that lies; None where that runs off the board."""
    near = rng.choice(sorted(board.tiles) or [CENTRE_SQUARE])
    direction = rng.choice(list(Direction))
    square = near.step(direction, -rng.randint(0, 3))
    square = square and square.step(direction.other, rng.choice([0, 0, -1, 1]))
    rng.shuffle(rack)
    start, word, wanted = square, "", rng.randint(1, len(rack))
    while square is not None and square.is_on_board and (wanted or board.at(square)):
        if board.at(square):
            word += "."
        else:
            letter = rack.pop()
            word += rng.choice("enr") if letter == "?" else letter
            wanted -= 1
        square = square.step(direction)
    return None if start is None or wanted or not word else Play(start, direction, word)
