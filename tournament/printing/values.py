"""What the documents are made of: plain values without a database, mapped from rows in `documents` and
`round_sheets`, `table_sheets` and their likes."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from scoring.letters import Tile
from scoring.rulesets import Leftovers


@dataclass(frozen=True, slots=True)
class Header:
    """The event as named on every page. `division` is empty if there is only one.

    `address`: where phones in the hall open the program, for codes; "" if nobody said.
    """

    event: str
    printed_at: datetime
    division: str = ""
    place: str = ""
    dates: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class PairedPlayer:
    """A player as named in the pairings; `rank` is the one that the round was paired on."""

    name: str
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class PairingLine:
    """Two players at a table, or one without an opponent, whose `note` says what that credits.

    A game of the knock-out has a `title` in place of round and table: Semi-final 2, game 1.
    """

    table: int | None
    first: PairedPlayer
    second: PairedPlayer | None = None
    note: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class RoundSheet:
    """A round's pairings, byes and absences last. `balanced`: the first player starts, else it is drawn.

    A round of the knock-out has a `title`: Semi-final, game 1.
    """

    number: int
    lines: tuple[PairingLine, ...]
    balanced: bool = True
    drawn_clause: str = ""
    draft: bool = False
    minutes: int | None = None
    shared_minutes: int | None = None
    title: str = ""

    @property
    def games(self) -> tuple[PairingLine, ...]:
        """The lines that are played at a table."""
        return tuple(line for line in self.lines if line.second is not None)


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A row of the table. `decided_by` are the words that separate it from the row above, `mark` stands by the name."""

    rank: int | None
    name: str
    club: str
    half_wins: int
    spread: int
    points: int
    highest_game: int | None
    decided_by: str = ""
    mark: str = ""


@dataclass(frozen=True, slots=True)
class StandingsSheet:
    """The table after a round (0: before the first). `notes`: order of criteria, cap, games that are still open."""

    after: int
    lines: tuple[StandingLine, ...]
    notes: tuple[str, ...] = ()
    points_first: bool = False


@dataclass(frozen=True, slots=True)
class FinalLine:
    """A row of the final ranking. `how` says what gave the place, a match of the knock-out if `in_match`; `mark` stands
    by the name."""

    place: str
    name: str
    club: str
    how: str
    half_wins: int | None
    spread: int | None
    mark: str = ""
    in_match: bool = False


@dataclass(frozen=True, slots=True)
class PrizeLine:
    """A prize: what it is called, what there is to win, who wins it and by what."""

    title: str
    award: str
    winners: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class FinalSheet:
    """The final ranking and the prizes. `notes`: form, order of places, that something is still to be played."""

    lines: tuple[FinalLine, ...]
    prizes: tuple[PrizeLine, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Certificate:
    """What one player's certificate says: the place, among how many, and the prizes, each in one line.

    The director's own texts stand in the place of the usual ones: the `heading`, the `line` instead of the place, what
    is `signed` on the left line, and what stands below the `left` and the `right` one.
    """

    name: str
    club: str
    place: str
    among: str
    honours: tuple[str, ...] = ()
    heading: str = ""
    line: str = ""
    signed: str = ""
    left: str = ""
    right: str = ""


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """Whose card it is, and the whole personal address."""

    name: str
    club: str
    address: str


@dataclass(frozen=True, slots=True)
class EntryLine:
    """A player in a list of those entered. `mark` says what is to be known: a guest, late, withdrawn, an exception."""

    key: str
    name: str
    club: str
    rating: str
    games: str
    mark: str = ""
    present: bool = False
    fee_paid: bool = False


class Mark(StrEnum):
    """The result of a game of the cross table for its row's player."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"
    OPEN = "open"
    MISSED = "missed"
    """No game in that round: not entered yet, withdrawn, or left out."""


@dataclass(frozen=True, slots=True)
class CrossGame:
    """One game from its row's side.

    `opponent` is the opponent's place among the lines (0 for the first), None without one. `score` is the player's and
    the opponent's points; if it is None, `spread` is what was credited. `alone`: what is written where there is no
    opponent. `awarded`: the game was not played to its end. `why`: the reason of a round without a game.
    """

    round: int
    mark: Mark
    opponent: int | None = None
    score: tuple[int, int] | None = None
    spread: int | None = None
    alone: str = ""
    started: bool = False
    awarded: bool = False
    why: str = ""


@dataclass(frozen=True, slots=True)
class CrossLine:
    """A row of the cross table, in the order of the table of standings."""

    rank: int | None
    name: str
    half_wins: int
    spread: int
    games: tuple[CrossGame, ...] = ()
    mark: str = ""


@dataclass(frozen=True, slots=True)
class CrossSheet:
    """The cross table after a round: players against players (`matrix`), otherwise players against rounds.

    `without_game` says of each player who missed rounds which and why, for the matrix, which has no place for them.
    """

    after: int
    lines: tuple[CrossLine, ...]
    matrix: bool = False
    starts_known: bool = True
    without_game: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PrintedRules:
    """What score sheets and slips state of the ruleset. 0 or None: the rules do not have it.

    `signing_clause`: that both sign and the winner hands it in; without one neither is asked for. `own_sheets`: each
    player keeps a sheet of their own. `shared_minutes` are those of the whole game.
    """

    overtime_points: int = 0
    overtime_step: int = 60
    shared_minutes: int | None = None
    signing_clause: str = ""
    failed_challenge: int = 0
    upheld_challenge: int = 0
    per_word: bool = True
    wrong_word: int | None = None
    declined: int = 0
    exchange_in_bag: int | None = None
    exchange_after_a_play: bool = False
    exchanges_first: int | None = None
    by_consent: bool = False
    passing: bool = True
    own_sheets: bool = False
    leftovers: Leftovers | None = None
    tiles: tuple[Tile, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the announcement, under a heading or none: facts with labels, running text under an empty label."""

    heading: str
    facts: tuple[tuple[str, str], ...]
