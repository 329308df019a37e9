"""Games to test with: a short German one that is counted by hand, and legal games of any length out of a seed."""

import random
from dataclasses import dataclass, field

from scoring import board as boards
from scoring.board import Board
from scoring.letters import BLANK, LETTER_SETS
from scoring.plays import Play
from scoring.squares import Direction, Square

GERMAN = """\
#character-encoding UTF-8
#player1 anna Anna Beispiel
#player2 jörg Jörg Muster
#title Herbst-Cup
>anna: WÖRTERN 8D WÖRTER +36 36
#note Ein guter Anfang.
>jörg: KÄSTEIG H4 KÄST. +17 17
>anna: NEHXEUÜ 9B HEXE +33 69
>anna: NEHXEUÜ -- -33 36
>jörg: GINDEIA 4H .INDE +16 33
>anna: (challenge) -10 26
>anna: NEHXEUÜ -HÜ +0 26
>jörg: GIA - +0 33
"""
"""WÖRTER: (3·2 + 8 + 1 + 1 + 1 + 1) · 2. KÄSTE: 4·2 + 6 + 1 + 1 + 1. HEXE: 2 + 1·2 + 8 + 1, with WX 3 + 8 and ÖE 8 + 1.
KINDE: (4 + 1 + 1 + 1 + 1) · 2. Anna challenged KINDE in vain (TSO 3.1.4).
"""

ENGLISH = """\
#player1 ann Ann Example
#player2 bob Bob Sample
>ann: CATSHEN 8G CATS +12 12
>bob: OQUIZER 9F QI +23 23
"""


@dataclass(slots=True)
class Dealt:
    """A legal game as it grows: racks from a shuffled bag, plays that fit, what is written of them."""

    chance: random.Random
    key: str = "de"
    nicks: tuple[str, str] = ("anna", "jörg")
    board: Board = field(init=False)
    bag: list[str] = field(init=False)
    racks: list[list[str]] = field(init=False)
    totals: list[int] = field(default_factory=lambda: [0, 0])
    lines: list[str] = field(default_factory=list)
    plays: list[Play] = field(default_factory=list)

    def __post_init__(self) -> None:
        letters = LETTER_SETS[self.key]
        self.board = Board(letters)
        self.bag = [tile.letter for tile in letters.tiles for _ in range(tile.count)]
        self.chance.shuffle(self.bag)
        self.racks = [[], []]
        for side in (0, 1):
            self.draw(side)

    def draw(self, side: int) -> None:
        while self.bag and len(self.racks[side]) < boards.RACK_SIZE:
            self.racks[side].append(self.bag.pop())

    def say(self, side: int, words: str, points: int) -> None:
        """Write a line and count it."""
        self.totals[side] += points
        rack = "".join(self.racks[side])
        self.lines.append(f">{self.nicks[side]}: {rack} {words} {points:+} {self.totals[side]}")

    def turn(self, side: int) -> bool:
        """One turn: a play if one is found, perhaps withdrawn or challenged in vain; else an exchange or a pass."""
        found = self.find(side)
        if found is None:
            self.without_play(side)
            return False
        scored, before = boards.score(self.board, found), self.board
        self.say(side, found.gcg(before), scored.points)
        if self.chance.random() < 0.08:
            self.say(side, "--", -scored.points)
            return True
        self.plays.append(found)
        self.board = before.after(found)
        for _square, letter in scored.placed:
            self.racks[side].remove(boards.get_tile(letter))
        self.draw(side)
        if self.chance.random() < 0.08:
            self.totals[1 - side] -= 10
            self.lines.append(f">{self.nicks[1 - side]}: (challenge) -10 {self.totals[1 - side]}")
        return True

    def without_play(self, side: int) -> None:
        if len(self.bag) < boards.RACK_SIZE or self.chance.random() < 0.3:
            self.say(side, "-", 0)
            return
        given = self.chance.sample(self.racks[side], self.chance.randint(1, len(self.racks[side])))
        self.say(side, "-" + "".join(given), 0)
        for tile in given:
            self.racks[side].remove(tile)
        self.draw(side)
        self.bag += given
        self.chance.shuffle(self.bag)

    def find(self, side: int) -> Play | None:
        """Some play that may be laid; whether its words are any, nobody asks."""
        for _ in range(60):
            direction = self.chance.choice(list(Direction))
            start = Square(self.chance.randrange(15), self.chance.randrange(15)) if self.board.tiles else Square(7, 7)
            held = self.racks[side].copy()
            self.chance.shuffle(held)
            word, square, wanted = "", start, self.chance.randint(1, max(1, len(held)))
            while square is not None and square.is_on_board and (wanted or self.board.at(square)):
                lying = self.board.at(square)
                word += "." if lying else self.letter(held.pop())
                wanted -= 0 if lying else 1
                square = square.step(direction)  # type: ignore[assignment]  # the loop's condition looks at None
            play = Play(start, direction, word)
            if not boards.problems(self.board, play) and not boards.score(self.board, play).is_longer:
                return play
        return None

    def letter(self, tile: str) -> str:
        """What a tile stands for: a blank for any letter, in small."""
        if tile != BLANK:
            return tile
        return self.chance.choice([each.letter for each in self.board.letters.tiles if each.letter != BLANK]).lower()

    def settle(self) -> None:
        """The end as the TSO has it: who went out gains, the other loses; else each loses their own."""
        values = [self.board.value("".join(rack)) for rack in self.racks]
        left = ["".join(rack) for rack in self.racks]
        if "" in left:
            out = left.index("")
            self.say_left(out, left[1 - out], values[1 - out])
            self.say_left(1 - out, left[1 - out], -values[1 - out])
        else:
            for side in (0, 1):
                self.say_left(side, left[side], -values[side])

    def say_left(self, side: int, tiles: str, points: int) -> None:
        self.totals[side] += points
        rack = f"{tiles} " if points < 0 else ""
        self.lines.append(f">{self.nicks[side]}: {rack}({tiles}) {points:+} {self.totals[side]}")


def dealt(seed: int, *, turns: int = 60, key: str = "de") -> Dealt:
    """A legal game: to its end, or broken off after so many turns."""
    game = Dealt(random.Random(seed), key)
    idle = 0
    for number in range(turns):
        idle = 0 if game.turn(number % 2) else idle + 1
        if not game.racks[number % 2] or idle == 4:
            game.settle()
            break
    return game


def format_game(game: Dealt) -> str:
    """The game as a file."""
    return "\n".join(["#player1 anna Anna Beispiel", "#player2 jörg Jörg Muster", *game.lines, ""])
