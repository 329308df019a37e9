"""The rulesets: every figure that differs between the books of rules, one frozen value each.

Code asks a ruleset for the figure that it needs, never for its key. Another federation's rules are another value.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from scoring import awards
from scoring.awards import Awards
from scoring.standings import Basis


class Leftovers(StrEnum):
    """What happens to tiles that are left at the end."""

    TO_WHO_WENT_OUT = "to_who_went_out"
    """Who went out gains the other's tiles, the other loses them; nobody out: each loses their own."""
    EACH_LOSES_OWN = "each_loses_own"
    TWICE_TO_WHO_WENT_OUT = "twice_to_who_went_out"
    """Who went out gains the other's tiles twice, the other loses nothing; nobody out: each loses their own.

    No ruleset of ours: games from elsewhere that are replayed are counted by it.
    """


class Per(StrEnum):
    """What a penalty for failed challenges is counted by."""

    WORD = "word"
    CHALLENGE = "challenge"


@dataclass(frozen=True, slots=True)
class Challenges:
    """What a challenge costs. An upheld one withdraws the play, for 0 points and `upheld_penalty` points off.

    `failed_penalty` is taken off the challenger for each word or each challenge that failed.
    """

    failed_penalty: int
    per: Per
    upheld_penalty: int = 0
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Exchanges:
    """When tiles may be exchanged.

    `in_bag`: with so many in the bag or more. `after_a_play`: only when the player's turn before placed a tile.
    `before_first_word`: how often in a row until the player's first word; None where nothing is said about it.
    """

    in_bag: int
    after_a_play: bool = False
    before_first_word: int | None = None


@dataclass(frozen=True, slots=True)
class Clauses:
    """Where the rules speak of a turn, of the end, and of tiles left; shown beside what follows from it."""

    play: str = ""
    exchange: str = ""
    passing: str = ""
    out: str = ""
    passes: str = ""
    settlement: str = ""


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The figures of a duplicate session: turns at most, seconds a turn, seconds until the signal, letters a draw."""

    turns: int = 22
    turn_seconds: int = 180
    signal_seconds: int = 150
    letters: int = 7


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The figures of one book of rules. None: the rules do not know it. Times in seconds unless called minutes.

    Raises ValueError on a figure below zero.
    """

    key: str
    name: str
    source: str
    letters: str
    """The key of the letter set."""
    minutes: tuple[int, ...] = ()
    """Minutes per player that may be announced, the usual first; empty without a chess clock."""
    shared_minutes: int | None = None
    """Minutes for the whole game where it is played without a chess clock."""
    overtime_points: int = 0
    """Points off for each minute of overtime that has begun."""
    overtime_limit: int | None = None
    """More overtime than this loses the game."""
    lateness_limit: int | None = None
    """Who is later than this loses the game without playing."""
    challenges: Challenges | None = None
    wrong_word_penalty: int | None = None
    """Points off, beside those of the turn, for a wrong word found later."""
    leftovers: Leftovers | None = None
    exchanges: Exchanges | None = None
    passes_to_end: int | None = None
    """So many passes in a row by each player end the game; None: passing is not allowed."""
    equal_turns: bool = False
    """Who goes out ends the game only when both have had as many turns."""
    declined_penalty: int = 0
    """Points off for a player who is found able to move and declines."""
    blank_draws_first: bool = True
    """A blank drawn for the start sorts before A; otherwise it does not count."""
    basis: Basis = Basis.WINS
    """What a table is ranked by first unless the announcement says otherwise."""
    awards: Awards = awards.TSO
    duplicate: Duplicate | None = None
    clauses: Clauses = Clauses()
    overtime_clause: str = ""
    overtime_limit_clause: str = ""
    lateness_clause: str = ""

    def __post_init__(self) -> None:
        limits = (self.shared_minutes, self.overtime_limit, self.lateness_limit, self.wrong_word_penalty)
        figures = (*self.minutes, self.overtime_points, self.declined_penalty, *limits)
        if any(figure is not None and figure < 0 for figure in figures):
            raise ValueError(f"a figure of ruleset {self.key} is below zero: {figures}")

    @property
    def default_minutes(self) -> int | None:
        """The usual minutes per player; None without a chess clock."""
        return self.minutes[0] if self.minutes else None


class UnknownRuleset(ValueError):
    """There is no ruleset of that key; `allowed` names those there are."""

    def __init__(self, key: str, allowed: tuple[str, ...]) -> None:
        super().__init__(f"unknown ruleset {key!r}; allowed are {', '.join(allowed)}")
        self.key = key
        self.allowed = allowed


TSO_2010 = Ruleset(
    key="tso-2010",
    name="Turnierspielordnung 2010",
    source="Scrabble Deutschland e.V., 25.04.2010",
    letters="de",
    minutes=(30, 25),
    overtime_points=10,
    overtime_limit=600,
    lateness_limit=900,
    challenges=Challenges(failed_penalty=10, per=Per.WORD, clause="TSO 3.1.4"),
    leftovers=Leftovers.TO_WHO_WENT_OUT,
    exchanges=Exchanges(in_bag=7),
    passes_to_end=2,
    overtime_clause="TSO 5.2 b",
    overtime_limit_clause="TSO 5.2 c",
    lateness_clause="TSO 2.4",
    clauses=Clauses(
        play="TSO 3.1",
        exchange="TSO 3.2.1",
        passing="TSO 3.3",
        out="TSO 5.1 a",
        passes="TSO 5.1 b",
        settlement="Allgemeine Spielregeln 4 i",
    ),
)

TSO_2017 = replace(
    TSO_2010,
    key="tso-2017",
    name="Turnierspielordnung 2017",
    source="Scrabble Deutschland e.V., 28.09.2017",
    overtime_limit=300,
)

GENERAL_DE = Ruleset(
    key="general-de",
    name="Allgemeine Spielregeln",
    source="Allgemeine Scrabble-Spielregeln",
    letters="de",
    challenges=Challenges(failed_penalty=5, per=Per.CHALLENGE, clause="Allgemeine Spielregeln 4 h"),
    leftovers=Leftovers.TO_WHO_WENT_OUT,
    exchanges=Exchanges(in_bag=7),
    passes_to_end=2,
    clauses=Clauses(
        play="Allgemeine Spielregeln 4 d",
        exchange="Allgemeine Spielregeln 4 e",
        passing="Allgemeine Spielregeln 4 f",
        out="Allgemeine Spielregeln 4 i",
        passes="Allgemeine Spielregeln 4 i",
        settlement="Allgemeine Spielregeln 4 i",
    ),
)

SENIOR_DE = replace(
    GENERAL_DE,
    key="senior-de",
    name="Spielanleitung mit großen Buchstaben",
    source="Scrabble-Spielanleitung, Ausgabe mit großen Buchstaben",
    challenges=Challenges(failed_penalty=10, per=Per.CHALLENGE, clause="Spielanleitung, Wort anfechten"),
    exchanges=Exchanges(in_bag=1),
    clauses=Clauses(
        play="Spielanleitung, Spielzug",
        exchange="Spielanleitung, Tauschen von Buchstabensteinen",
        passing="Spielanleitung, Passen",
        out="Spielanleitung, Ende des Spiels",
        passes="Spielanleitung, Ende des Spiels",
        settlement="Spielanleitung, Ende des Spiels",
    ),
)

SBNL_PUNTEN = Ruleset(
    key="sbnl-punten",
    name="Puntenscrabble",
    source="SBNL, Puntenscrabble",
    letters="nl",
    shared_minutes=90,
    wrong_word_penalty=20,
    leftovers=Leftovers.EACH_LOSES_OWN,
    exchanges=Exchanges(in_bag=16, after_a_play=True, before_first_word=3),
    blank_draws_first=False,
    basis=Basis.POINTS,
    equal_turns=True,
    clauses=Clauses(
        play="Puntenscrabble IV",
        exchange="Puntenscrabble III-7",
        passing="Puntenscrabble III-8",
        out="Puntenscrabble, Einde van het spel",
        passes="Puntenscrabble, Einde van het spel",
        settlement="Puntenscrabble, Einde van het spel",
    ),
)

SBNL_WEDSTRIJD = Ruleset(
    key="sbnl-wedstrijd",
    name="Wedstrijdscrabble",
    source="SBNL, Wedstrijdscrabble",
    letters="nl",
    minutes=(35,),
    shared_minutes=70,
    overtime_points=10,
    challenges=Challenges(failed_penalty=20, per=Per.CHALLENGE, upheld_penalty=20, clause="Wedstrijdscrabble III-9"),
    leftovers=Leftovers.EACH_LOSES_OWN,
    exchanges=Exchanges(in_bag=16, after_a_play=True, before_first_word=1),
    declined_penalty=20,
    blank_draws_first=False,
    overtime_clause="Wedstrijdscrabble, Einde van het spel",
    equal_turns=True,
    clauses=Clauses(
        play="Wedstrijdscrabble IV",
        exchange="Wedstrijdscrabble III-7",
        passing="Wedstrijdscrabble III-8",
        out="Wedstrijdscrabble, Einde van het spel",
        passes="Wedstrijdscrabble, Einde van het spel",
        settlement="Wedstrijdscrabble, Einde van het spel",
    ),
)

SBNL_DUPLICATE = Ruleset(
    key="sbnl-duplicate",
    name="Duplicatescrabble",
    source="SBNL, Duplicatescrabble",
    letters="nl",
    blank_draws_first=False,
    basis=Basis.POINTS,
    duplicate=Duplicate(),
)

RULESETS: Mapping[str, Ruleset] = MappingProxyType(
    {
        ruleset.key: ruleset
        for ruleset in (TSO_2010, TSO_2017, GENERAL_DE, SENIOR_DE, SBNL_PUNTEN, SBNL_WEDSTRIJD, SBNL_DUPLICATE)
    }
)


def get(key: str) -> Ruleset:
    """The ruleset of that key. Raises `UnknownRuleset`, which names those allowed."""
    try:
        return RULESETS[key]
    except KeyError:
        raise UnknownRuleset(key, tuple(RULESETS)) from None
