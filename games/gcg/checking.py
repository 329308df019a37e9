"""Works out an annotated game from the board: every score, every total, the final scores; and says what is wrong.

A fault never stops the count. A play that cannot be laid as written counts what the file says, and its tiles are put
down as far as there is room, so that one slip does not spoil all that follows.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from games.gcg.values import GcgEvent, GcgEventKind, GcgGame, GcgProblem, GcgProblemCode, ProblemFigures, UnreadableGcg
from scoring import board as boards
from scoring.board import Board, PlayFault
from scoring.letters import LETTER_SETS, LetterSet
from scoring.plays import BadPlay, Play
from scoring.rulesets.general import GENERAL_DE

# Which tiles a GCG file was played with: those that it names, else the set that its scores fit.


_KNOWN_SET_NAMES: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "de": re.compile(r"german|deutsch|duden|\brd\d*\b", re.IGNORECASE),
        "nl": re.compile(r"dutch|nederlands|\bswl\b|sbnl|groene", re.IGNORECASE),
        "en": re.compile(
            r"english|csw|nwl|nswl|twl|owl|ospd|sowpods|collins|ecwl|cel\b|enable|wesp|\bods?wl", re.IGNORECASE
        ),
    }
)
"""What the lexicons and distributions of each set are called."""

_OTHER_SET_NAMES = re.compile(
    r"french|polish|spanish|catalan|norwegian|italian|swedish|danish|portuguese|romanian|slovene|_super|"
    r"\bods\d*\b|\bfra\d*\b|\bosps\d*\b|\bfile\d*\b|\bfise\d*\b|\bdisc\d*\b|\bnsf\d*\b|\bsaol\d*\b",
    re.IGNORECASE,
)
"""Sets that the program does not have."""

_OTHER_BOARD_NAMES = re.compile(r"super|wwf|wordswithfriends|words_with_friends|lexulous", re.IGNORECASE)

_LETTER_SET_PRAGMATA = ("tile-distribution", "tile-set", "lexicon")
_LETTER_SET_NOTE = re.compile(r"(?:Letter ?Distribution|Lexicon)\s*:\s*(\S+)", re.IGNORECASE)
_BOARD_NOTE = re.compile(r"Board ?Layout\s*:\s*(\S+)", re.IGNORECASE)


def check_board_layout(game: GcgGame) -> None:
    """Raise `Unreadable` if the game was played on a board with other premium squares."""
    noted = _BOARD_NOTE.search(game.note)
    layout = game.pragmata.get("board-layout") or (noted.group(1) if noted else "")
    if _OTHER_BOARD_NAMES.search(layout):
        raise UnreadableGcg(GcgProblem(GcgProblemCode.OTHER_BOARD, figures={"value": layout}))


def find_named_letter_set(game: GcgGame) -> LetterSet | None:
    """The set that the file names, None if it names none. Raises `Unreadable` if it names one that we lack."""
    noted = _LETTER_SET_NOTE.search(game.note)
    texts = [game.pragmata[name] for name in _LETTER_SET_PRAGMATA if game.pragmata.get(name)] + (
        [noted.group(1)] if noted else []
    )
    for text in texts:
        if _OTHER_SET_NAMES.search(text):
            raise UnreadableGcg(
                GcgProblem(GcgProblemCode.OTHER_LETTERS, figures={"value": text, "known": ", ".join(LETTER_SETS)})
            )
        for key, names in _KNOWN_SET_NAMES.items():
            if names.search(text):
                return LETTER_SETS[key]
    return None


def choose_best_letter_set(misfits: Callable[[LetterSet], tuple[int, ...]]) -> LetterSet:
    """The set with the fewest misfits; German where two fit equally well."""
    return min((LETTER_SETS[key] for key in ("de", "en", "nl")), key=misfits)


GCG_TURN_KINDS = frozenset({GcgEventKind.PLAY, GcgEventKind.EXCHANGE, GcgEventKind.PASS})
CHALLENGE_STEP = 5
"""Every federation's figure for a failed challenge is a multiple of this."""

EXCHANGE_BAG_SIZE = 7
"""How many tiles must be in the bag for an exchange, under nearly all rules."""


@dataclass(frozen=True, slots=True)
class CheckedMove:
    """An event with what it comes to. `points` None: the board cannot tell, so what is written counts.

    `total` is the player's worked-out total after it. `words`: those that a play makes, first the one that was laid;
    `play`: as it was read, None if it could not be; `before`: the board before it.
    """

    event: GcgEvent
    points: int | None
    total: int
    words: tuple[str, ...] = ()
    is_bingo: bool = False
    play: Play | None = None
    before: Board | None = None

    @property
    def counted(self) -> int:
        return self.points if self.points is not None else self.event.points or 0


@dataclass(frozen=True, slots=True)
class ScoreDifference:
    """A score or a total (`what`: "points", "total") that should be a different one.

    `follows`: the addition itself is right, and the total is wrong only because something before it is.
    """

    line: int | None
    nick: str
    what: str
    written: int
    worked_out: int
    follows: bool = False


@dataclass(frozen=True, slots=True)
class CheckedGame:
    """Everything there is to say about a game."""

    game: GcgGame
    letters: LetterSet
    moves: tuple[CheckedMove, ...]
    final: Mapping[str, int]
    differences: tuple[ScoreDifference, ...]
    problems: tuple[GcgProblem, ...]
    warnings: tuple[GcgProblem, ...]
    board: Board


def check_game(game: GcgGame, letters: LetterSet | None = None) -> CheckedGame:
    """The game worked out with these tiles; if None, with those that it names or that fit it best.

    Raises `Unreadable` for a board, or without `letters` for a letter set, that the program does not have.
    """
    check_board_layout(game)
    chosen = (
        letters
        or find_named_letter_set(game)
        or choose_best_letter_set(lambda tried: _count_misfits(_GameChecker(game, tried).run()))
    )
    return _GameChecker(game, chosen).run()


def _count_misfits(checked: CheckedGame) -> tuple[int, int, int]:
    """How badly a game fits a letter set: strange letters, wrong scores, more of a tile than the set has."""
    faults = Counter(
        problem.figures.get("fault") for problem in checked.problems if problem.code == GcgProblemCode.UNPLAYABLE
    )
    wrong = sum(difference.what == "points" for difference in checked.differences)
    return faults[PlayFault.NOT_IN_SET.value], wrong, faults[PlayFault.USED_UP.value] + len(checked.warnings)


@dataclass(slots=True)
class _LastPlay:
    """The last play: whose it is, the board before it, and what it scored."""

    event: GcgEvent
    before: Board
    points: int


@dataclass(slots=True)
class _GameChecker:
    """Goes through a game event by event.

    `written`: each player's total as it was last written; `last`: the play that can still be challenged.
    """

    game: GcgGame
    letters: LetterSet
    board: Board = field(init=False)
    totals: dict[str, int] = field(init=False)
    written: dict[str, int] = field(default_factory=dict)
    last: _LastPlay | None = None
    turn: str | None = None
    is_over: bool = False
    moves: list[CheckedMove] = field(default_factory=list)
    differences: list[ScoreDifference] = field(default_factory=list)
    problems: list[GcgProblem] = field(default_factory=list)
    warnings: list[GcgProblem] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.board = Board.empty(self.letters)
        self.totals = dict.fromkeys(self.game.nicks, 0)

    def run(self) -> CheckedGame:
        handlers = {
            GcgEventKind.PLAY: self.play,
            GcgEventKind.EXCHANGE: self.exchange,
            GcgEventKind.PASS: self.pass_turn,
            GcgEventKind.WITHDRAWN: self.withdraw,
            GcgEventKind.CHALLENGE: self.challenge,
            GcgEventKind.LEFTOVERS: self.leftovers,
            GcgEventKind.TIME: self.time,
            GcgEventKind.PENALTY: self.time,
        }
        for event in self.game.events:
            if event.kind in GCG_TURN_KINDS:
                self.order(event)
            self.move(event, handlers[event.kind](event))
            self.is_over = self.is_over or event.kind is GcgEventKind.LEFTOVERS
        by_line = sorted([*self.game.problems, *self.problems], key=lambda problem: problem.line or 0)
        return CheckedGame(
            game=self.game,
            letters=self.letters,
            moves=tuple(self.moves),
            final=self.totals,
            differences=tuple(self.differences),
            problems=tuple(by_line),
            warnings=(*self.game.warnings, *self.warnings),
            board=self.board,
        )

    def fault(self, code: GcgProblemCode, event: GcgEvent, figures: ProblemFigures | None = None) -> None:
        self.problems.append(GcgProblem(code, event.line, figures or {}))

    def warn(self, code: GcgProblemCode, event: GcgEvent, figures: ProblemFigures) -> None:
        self.warnings.append(GcgProblem(code, event.line, figures))

    def order(self, event: GcgEvent) -> None:
        """Whose turn it is: the players follow each other in order of the seats, from whoever begins."""
        nicks = tuple(nick for nick in self.game.nicks if nick not in self.game.strangers)
        if self.is_over:
            self.fault(GcgProblemCode.AFTER_THE_END, event, {"nick": event.nick})
        elif self.turn is not None and len(nicks) > 1:
            due = nicks[(nicks.index(self.turn) + 1) % len(nicks)]
            if event.nick in nicks and event.nick != due:
                self.fault(GcgProblemCode.OUT_OF_TURN, event, {"nick": event.nick, "due": due})
        self.turn = event.nick if event.nick in nicks else None

    def move(self, event: GcgEvent, done: CheckedMove) -> None:
        """Add a move to the totals and compare them with what is written."""
        before = self.totals[event.nick]
        done = replace(done, total=before + done.counted)
        self.totals[event.nick] = done.total
        if event.points is not None and done.points is not None and not self._means(event, done):
            self.differences.append(ScoreDifference(event.line, event.nick, "points", event.points, done.points))
        if event.total is not None and event.total != done.total:
            added = self.written.get(event.nick, 0) + (done.counted if event.points is None else event.points)
            follows = event.total == added
            self.differences.append(
                ScoreDifference(event.line, event.nick, "total", event.total, done.total, follows=follows)
            )
        self.written[event.nick] = done.total if event.total is None else event.total
        self.moves.append(done)

    @staticmethod
    def _means(event: GcgEvent, done: CheckedMove) -> bool:
        """Whether the written points say what was worked out; a withdrawn play may be written as +0."""
        if event.kind is GcgEventKind.WITHDRAWN and event.points == 0:
            return True
        return event.points == done.points

    def play(self, event: GcgEvent) -> CheckedMove:
        """Lay the word; count it as far as it can be."""
        before = self.board
        if not event.word:
            self.last = _LastPlay(event, before, event.points or 0)
            return CheckedMove(event, None, 0)
        try:
            play = Play.parse(event.position, event.word)
        except BadPlay as bad:
            if "[" not in event.word:
                self.fault(
                    GcgProblemCode.BAD_PLAY, event, {"value": bad.text, "reason": bad.reason.value, "part": bad.part}
                )
            self.last = _LastPlay(event, before, event.points or 0)
            return CheckedMove(event, None, 0)
        self._rack(event)
        laid = boards.lay(before, play, rack=event.rack or None)
        for problem in laid.problems:
            self.fault(GcgProblemCode.UNPLAYABLE, event, _make_figures(problem, event))
        scored, self.board = laid.scored, laid.after
        if scored is None:
            self.last = _LastPlay(event, before, event.points or 0)
            return CheckedMove(event, None, 0, play=play, before=before)
        if scored.is_longer:
            self.fault(GcgProblemCode.WORD_DIFFERS, event, {"value": event.word, "word": scored.words[0].text})
        self.last = _LastPlay(event, before, scored.points)
        words = tuple(word.text for word in scored.words)
        return CheckedMove(event, scored.points, 0, words, scored.is_bingo, play, before)

    def _rack(self, event: GcgEvent) -> None:
        """Whether this can be a rack: seven tiles at most, of those that are left."""
        if len(event.rack) > boards.RACK_SIZE:
            self.fault(GcgProblemCode.RACK_TOO_LONG, event, {"rack": event.rack, "limit": boards.RACK_SIZE})
        missing = Counter(event.rack) - Counter(self.board.unseen())
        if missing:
            self.warn(GcgProblemCode.RACK_USED_UP, event, {"rack": event.rack, "tiles": _join_tiles(missing)})

    def exchange(self, event: GcgEvent) -> CheckedMove:
        """No points; the tiles come from the rack, and the bag should be able to serve."""
        self.last = None
        self._rack(event)
        missing = Counter(event.tiles) - Counter(event.rack)
        if event.rack and missing:
            self.fault(GcgProblemCode.NOT_ON_RACK, event, {"rack": event.rack, "tiles": _join_tiles(missing)})
        bag = max(0, len(self.board.unseen()) - boards.RACK_SIZE * max(2, len(self.game.players)))
        if bag < EXCHANGE_BAG_SIZE:
            self.warn(GcgProblemCode.BAG_TOO_SMALL, event, {"found": bag, "needed": EXCHANGE_BAG_SIZE})
        return CheckedMove(event, 0, 0)

    def pass_turn(self, event: GcgEvent) -> CheckedMove:
        self.last = None
        return CheckedMove(event, 0, 0)

    def withdraw(self, event: GcgEvent) -> CheckedMove:
        """Take the last play off the board; it loses as many points as it brought."""
        laid = self.last
        if laid is None:
            self.fault(GcgProblemCode.NOTHING_TO_WITHDRAW, event, {"nick": event.nick})
            return CheckedMove(event, None, 0)
        if laid.event.nick != event.nick:
            self.fault(GcgProblemCode.NOT_OWN_PLAY, event, {"nick": event.nick, "owner": laid.event.nick})
            return CheckedMove(event, None, 0)
        self.board, self.last = laid.before, None
        return CheckedMove(event, -laid.points, 0)

    def challenge(self, event: GcgEvent) -> CheckedMove:
        """Points for a challenge that failed. How many depends on the rules played by, so what is written counts."""
        if self.last is None:
            self.fault(GcgProblemCode.CHALLENGE_WITHOUT_PLAY, event, {"nick": event.nick})
        elif (event.points or 0) > 0 and self.last.event.nick != event.nick:
            self.fault(GcgProblemCode.NOT_OWN_PLAY, event, {"nick": event.nick, "owner": self.last.event.nick})
        if event.points is not None and (event.points == 0 or event.points % CHALLENGE_STEP):
            self.fault(GcgProblemCode.CHALLENGE_POINTS, event, {"points": event.points})
        return CheckedMove(event, None, 0)

    def leftovers(self, event: GcgEvent) -> CheckedMove:
        """What is left at the end: added, doubled or not, for whoever went out, or taken from whoever holds it."""
        value = self.board.value(event.tiles)
        is_other = bool(event.rack) and sorted(event.rack) != sorted(event.tiles)
        if is_other:
            self.fault(GcgProblemCode.OTHER_LEFTOVERS, event, {"tiles": event.tiles, "left": event.rack})
        gains = event.points > 0 if event.points else not event.rack
        if not gains:
            missing = Counter(event.tiles) - Counter(self.board.unseen())
            if missing and not is_other:
                self.fault(GcgProblemCode.OTHER_LEFTOVERS, event, {"tiles": event.tiles, "left": self.board.unseen()})
            return CheckedMove(event, -value, 0)
        self._unseen_is(event)
        return CheckedMove(event, self._gain(event, value), 0)

    def _unseen_is(self, event: GcgEvent) -> None:
        """Once somebody has gone out, what is not on the board is what the others hold."""
        if len(self.game.players) == 2 and sorted(self.board.unseen()) != sorted(event.tiles):
            self.fault(GcgProblemCode.OTHER_LEFTOVERS, event, {"tiles": event.tiles, "left": self.board.unseen()})

    def _gain(self, event: GcgEvent, value: int) -> int:
        """What the others hold: once if they lose it themselves, else twice; blanks alone are worth nothing."""
        loses = any(
            other.kind is GcgEventKind.LEFTOVERS and other.nick != event.nick and (other.points or 0) < 0
            for other in self.game.events
        )
        if not value or loses or (len(self.game.players) > 2 and event.points == value):
            return value
        if self.letters.key != "en" and event.points == value:
            clause = GENERAL_DE.clauses.settlement if self.letters.key == GENERAL_DE.letters else ""
            self.fault(GcgProblemCode.LOSS_MISSING, event, {"nick": event.nick, "points": value, "clause": clause})
            return value
        return 2 * value

    def time(self, event: GcgEvent) -> CheckedMove:
        """Time and other penalties cannot be worked out from the board."""
        if (event.points or 0) > 0:
            self.fault(GcgProblemCode.TIME_ADDS, event, {"points": event.points or 0})
        return CheckedMove(event, None, 0)


def _make_figures(problem: boards.PlayProblem, event: GcgEvent) -> ProblemFigures:
    """What a problem of the board says, as a message needs it."""
    return {
        "value": f"{event.position} {event.word}",
        "fault": problem.fault.value,
        "square": problem.square.name if problem.square else "",
        "letter": problem.letter,
        "lying": problem.lying,
        "needed": problem.needed or 0,
        "found": problem.found or 0,
        "rack": event.rack,
    }


def _join_tiles(tiles: Counter[str]) -> str:
    return "".join(sorted(tiles.elements()))


__all__ = ["CheckedGame", "CheckedMove", "ScoreDifference", "check_game"]
