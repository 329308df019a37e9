"""What a GCG file says, as plain values: the players, the events in order, and what could not be read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Self


class GcgEventKind(StrEnum):
    """What a line that begins with “>” records. Those in round brackets, `(time)`, are written by their values."""

    PLAY = "play"
    EXCHANGE = "exchange"
    PASS = "pass"
    WITHDRAWN = "withdrawn"
    """The player's last play goes back to the rack."""
    CHALLENGE = "challenge"
    """Points for a challenge that failed: a bonus for the play's owner, or a penalty for the challenger."""
    LEFTOVERS = "leftovers"
    """What the tiles left at the end add or take."""
    TIME = "time"
    PENALTY = "penalty"
    """Points taken off for another reason. Our own kind: the format has no line for it."""


@dataclass(frozen=True, slots=True)
class GcgEvent:
    """One line that begins with “>”, as it was written; `points` and `total` are None where the line has none.

    `position` is in capitals (“8D”, “D8”), `word` as written. `rack` and `tiles` (exchanged, or left at the end) are in
    capitals, “?” for a blank; `count` is how many were exchanged where the file does not say which.
    """

    kind: GcgEventKind
    nick: str
    rack: str = ""
    position: str = ""
    word: str = ""
    tiles: str = ""
    count: int | None = None
    points: int | None = None
    total: int | None = None
    note: str = ""
    line: int | None = None

    @property
    def action(self) -> str:
        """What was done, as a line of the file says it."""
        actions = {
            GcgEventKind.PLAY: f"{self.position} {self.word}",
            GcgEventKind.EXCHANGE: f"-{self.tiles or self.count}",
            GcgEventKind.PASS: "-",
            GcgEventKind.WITHDRAWN: "--",
            GcgEventKind.LEFTOVERS: f"({self.tiles})",
        }
        return actions.get(self.kind, f"({self.kind.value})")


@dataclass(frozen=True, slots=True)
class GcgPlayer:
    """Somebody in the game: the short name that the lines use, and the full one."""

    nick: str
    name: str = ""


class GcgProblemCode(StrEnum):
    """What is wrong with a file, a line or a move."""

    # Nothing can be read
    EMPTY = "empty"
    TOO_LARGE = "too_large"
    TOO_MANY_MOVES = "too_many_moves"
    TOO_MANY_LINES = "too_many_lines"
    TOO_MANY_PLAYERS = "too_many_players"
    BINARY = "binary"
    NOT_GCG = "not_gcg"
    OTHER_LETTERS = "other_letters"
    OTHER_BOARD = "other_board"
    NOT_TWO = "not_two"
    """Our score sheets are for two players."""
    # Lines
    UNREADABLE_LINE = "unreadable_line"
    NICK_MISSING = "nick_missing"
    WORD_MISSING = "word_missing"
    DIGRAPH = "digraph"
    BAD_NUMBER = "bad_number"
    SCORE_MISSING = "score_missing"
    WRONG_ENCODING = "wrong_encoding"
    UNKNOWN_ENCODING = "unknown_encoding"
    PLAYER_TWICE = "player_twice"
    # The game
    UNKNOWN_PLAYER = "unknown_player"
    OUT_OF_TURN = "out_of_turn"
    AFTER_THE_END = "after_the_end"
    NOTHING_TO_WITHDRAW = "nothing_to_withdraw"
    NOT_OWN_PLAY = "not_own_play"
    NOT_ON_RACK = "not_on_rack"
    RACK_TOO_LONG = "rack_too_long"
    RACK_USED_UP = "rack_used_up"
    BAD_PLAY = "bad_play"
    UNPLAYABLE = "unplayable"
    WORD_DIFFERS = "word_differs"
    BAG_TOO_SMALL = "bag_too_small"
    CHALLENGE_WITHOUT_PLAY = "challenge_without_play"
    CHALLENGE_POINTS = "challenge_points"
    TIME_ADDS = "time_adds"
    OTHER_LEFTOVERS = "other_leftovers"
    LOSS_MISSING = "loss_missing"


@dataclass(frozen=True, slots=True)
class GcgProblem:
    """One thing that is wrong: where (the file's line, None for the whole) and the figures that say so."""

    code: GcgProblemCode
    line: int | None = None
    figures: Mapping[str, str | int] = field(default_factory=dict)


class UnreadableGcg(Exception):
    """A file that is not an annotated game; `problems` says why, and nothing of it is used."""

    def __init__(self, *problems: GcgProblem) -> None:
        super().__init__(problems)
        self.problems = problems

    @classmethod
    def because(cls, code: GcgProblemCode, **figures: str | int) -> Self:
        """For one reason."""
        return cls(GcgProblem(code, figures=figures))


@dataclass(frozen=True, slots=True)
class GcgGame:
    """A whole file.

    `pragmata`: the lines that begin with “#”, by keyword in small letters; the last of each counts. `note`: what was
    noted before the first move. `strangers`: nicks of `players` that only the moves have, though the file introduces
    two players or more.
    """

    players: tuple[GcgPlayer, ...]
    events: tuple[GcgEvent, ...]
    pragmata: Mapping[str, str] = field(default_factory=dict)
    note: str = ""
    strangers: tuple[str, ...] = ()
    problems: tuple[GcgProblem, ...] = ()
    warnings: tuple[GcgProblem, ...] = ()
    encoding: str = "utf-8"

    @property
    def nicks(self) -> tuple[str, ...]:
        return tuple(player.nick for player in self.players)
