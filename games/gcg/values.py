"""What a GCG file says, as plain values: the players, the events in order, and what could not be read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Self

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class GcgEventKind(StrEnum):
    """What a line that begins with “>” records. Those in round brackets, `(time)`, are written by their values."""

    PLAY = "play"
    EXCHANGE = "exchange"
    PASS = "pass"
    WITHDRAWN = "withdrawn"  # the player's last play goes back to the rack
    CHALLENGE = "challenge"
    """Points for a challenge that failed: a bonus for the play's owner, or a penalty for the challenger."""
    LEFTOVERS = "leftovers"  # what the tiles left at the end add or take
    TIME = "time"
    PENALTY = "penalty"  # points taken off for another reason. Our own kind: the format has no line for it.


@dataclass(frozen=True, slots=True)
class GcgEvent:
    """One line that begins with “>”, as it was written; `points` and `total` are None where the line has none.
    `position` is in capitals (“8D”, “D8”), `word` as written. `rack` and `tiles` (exchanged, or left at the end) are in
    capitals, “?” for a blank; `count` is how many were exchanged where the file does not say which."""

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


class GcgProblemCode(TextChoices):
    """What is wrong with a file, a line or a move, and the sentence that says so."""

    # Nothing can be read
    EMPTY = "empty", _("The file is empty.")
    TOO_LARGE = "too_large", _("The file has %(size)s bytes; a game can have at most %(limit)s.")
    TOO_MANY_MOVES = "too_many_moves", _("The file has more than %(limit)s moves; no game has.")
    TOO_MANY_LINES = "too_many_lines", _("The file has %(found)s lines; at most %(limit)s are read.")
    TOO_MANY_PLAYERS = "too_many_players", _("%(value)s would be one player more than the %(limit)s that are read.")
    BINARY = "binary", _("The file is not text: it contains characters that text does not have.")
    NOT_GCG = (
        "not_gcg",
        _("This file is not an annotated game (GCG): no line begins with “>nick:” or “#player1 nick Full Name”."),
    )
    OTHER_LETTERS = (
        "other_letters",
        _(
            "The game was played with other tiles (“%(value)s”); known: %(known)s. Choose one of them to check it "
            "anyway."
        ),
    )
    OTHER_BOARD = "other_board", _("The game was played on another board (“%(value)s”).")
    NOT_TWO = "not_two", _("A score sheet is for two players; the file has %(found)s.")
    # Lines
    UNREADABLE_LINE = "unreadable_line", _("“%(value)s” is not a line of GCG.")
    NICK_MISSING = "nick_missing", _("“%(value)s” names no player.")
    WORD_MISSING = "word_missing", _("There is no word after the position %(value)s.")
    DIGRAPH = (
        "digraph",
        _("“%(value)s” has a tile with several letters in brackets; no known letter set has such tiles."),
    )
    BAD_NUMBER = "bad_number", _("“%(value)s” is not a number of points.")
    SCORE_MISSING = "score_missing", _("No points are written.")
    WRONG_ENCODING = "wrong_encoding", _("The file says that it is written in %(value)s, but it is %(used)s.")
    UNKNOWN_ENCODING = "unknown_encoding", _("The encoding “%(value)s” is unknown; the file was read as %(used)s.")
    PLAYER_TWICE = "player_twice", _("The nick “%(value)s” is there twice.")
    # The game
    UNKNOWN_PLAYER = "unknown_player", _("“%(nick)s” is not one of the players (%(known)s).")
    OUT_OF_TURN = "out_of_turn", _("%(nick)s moves, but it is %(due)s’s turn.")
    AFTER_THE_END = "after_the_end", _("%(nick)s moves after the tiles left were settled.")
    NOTHING_TO_WITHDRAW = "nothing_to_withdraw", _("%(nick)s withdraws a play, but the turn before was not a play.")
    NOT_OWN_PLAY = "not_own_play", _("This is about %(owner)s’s play, but the line says %(nick)s.")
    NOT_ON_RACK = "not_on_rack", _("%(tiles)s is not on the rack %(rack)s.")
    RACK_TOO_LONG = "rack_too_long", _("The rack %(rack)s has more than %(limit)s tiles.")
    RACK_NOT_TILES = "rack_not_tiles", _("The rack %(rack)s has what is no tile of this set: %(tiles)s.")
    RACK_USED_UP = "rack_used_up", _("The rack %(rack)s has tiles of which so many are no longer left: %(tiles)s.")
    OTHER_RACK = "other_rack", _("The rack %(rack)s is not that of the play that is taken back: %(played)s.")
    # What these two say depends on the reason among their figures (`games.gcg.words`).
    BAD_PLAY = "bad_play", ""
    UNPLAYABLE = "unplayable", ""
    WORD_DIFFERS = "word_differs", _("“%(value)s” continues into tiles on the board: the word is %(word)s.")
    BAG_TOO_SMALL = (
        "bag_too_small",
        _("An exchange with only %(found)s in the bag; most rules ask for %(needed)s tiles."),
    )
    CHALLENGE_WITHOUT_PLAY = (
        "challenge_without_play",
        _("%(nick)s has points for a challenge, but the turn before was not a play."),
    )
    CHALLENGE_POINTS = "challenge_points", _("Points for a challenge: %(points)s. No rules have this figure.")
    TIME_ADDS = "time_adds", _("A penalty takes points off; this line adds %(points)s.")
    OTHER_LEFTOVERS = "other_leftovers", _("The file says that %(tiles)s are left; it should be %(left)s.")
    LOSS_MISSING = (
        "loss_missing",
        _("The tiles left give %(nick)s points (%(points)s), but no line takes them off the other player."),
    )


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
    """A whole file. `pragmata`: the lines that begin with “#”, by keyword in small letters; the last of each counts.
    `note`: what was noted before the first move. `strangers`: nicks of `players` that only the moves have, though the
    file introduces two players or more."""

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
