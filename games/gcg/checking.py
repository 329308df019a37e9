"""Works out an annotated game from the board: every score, every total, the final scores; and says what is wrong.

A fault never stops the count. A play that cannot be laid as written counts what the file says, and its tiles are put
down as far as there is room, so that one slip does not spoil all that follows.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from games.gcg import lettersets
from games.gcg.values import SETTLING, Code, Event, EventKind, Figures, Game, Problem
from scoring import board as boards
from scoring.board import BadPlay, Board, Fault, Play
from scoring.letters import LetterSet
from scoring.rulesets import GENERAL_DE

TURNS = frozenset({EventKind.PLAY, EventKind.EXCHANGE, EventKind.PASS})
CHALLENGE_STEP = 5
"""Every federation's figure for a failed challenge is a multiple of this."""

EXCHANGE_NEEDS = 7
"""How many tiles must be in the bag for an exchange, under nearly all rules."""


@dataclass(frozen=True, slots=True)
class Move:
    """An event with what it comes to. `points` None: the board cannot tell, so what is written counts.

    `total` is the player's worked-out total after it. `words`: those that a play makes, first the one that was laid;
    `play`: as it was read, None if it could not be; `before`: the board before it.
    """

    event: Event
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

    game: Game
    letters: LetterSet
    moves: tuple[Move, ...]
    final: Mapping[str, int]
    differences: tuple[ScoreDifference, ...]
    problems: tuple[Problem, ...]
    warnings: tuple[Problem, ...]
    board: Board


def check(game: Game, letters: LetterSet | None = None) -> CheckedGame:
    """The game worked out with these tiles; if None, with those that it names or that fit it best.

    Raises `Unreadable` for a board, or without `letters` for a letter set, that the program does not have.
    """
    lettersets.refuse_other_boards(game)
    chosen = letters or lettersets.said(game) or lettersets.best(lambda tried: _misfits(_Checker(game, tried).run()))
    return _Checker(game, chosen).run()


def _misfits(checked: CheckedGame) -> tuple[int, int, int]:
    """How badly a game fits a letter set: strange letters, wrong scores, more of a tile than the set has."""
    faults = Counter(problem.figures.get("fault") for problem in checked.problems if problem.code == Code.UNPLAYABLE)
    wrong = sum(difference.what == "points" for difference in checked.differences)
    return faults[Fault.NOT_IN_SET.value], wrong, faults[Fault.USED_UP.value] + len(checked.warnings)


@dataclass(slots=True)
class _LastPlay:
    """The last play: whose it is, the board before it, and what it scored."""

    event: Event
    before: Board
    points: int


@dataclass(slots=True)
class _Checker:
    """Goes through a game event by event.

    `written`: each player's total as it was last written; `last`: the play that can still be challenged.
    """

    game: Game
    letters: LetterSet
    board: Board = field(init=False)
    totals: dict[str, int] = field(init=False)
    written: dict[str, int] = field(default_factory=dict)
    last: _LastPlay | None = None
    turn: str | None = None
    is_over: bool = False
    moves: list[Move] = field(default_factory=list)
    differences: list[ScoreDifference] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.board = Board.empty(self.letters)
        self.totals = dict.fromkeys(self.game.nicks, 0)

    def run(self) -> CheckedGame:
        handlers = {
            EventKind.PLAY: self.play,
            EventKind.EXCHANGE: self.exchange,
            EventKind.PASS: self.pass_turn,
            EventKind.WITHDRAWN: self.withdraw,
            EventKind.CHALLENGE: self.challenge,
            EventKind.LEFTOVERS: self.leftovers,
            EventKind.TIME: self.time,
            EventKind.PENALTY: self.time,
        }
        for event in self.game.events:
            if event.kind in TURNS:
                self.order(event)
            self.move(event, handlers[event.kind](event))
            self.is_over = self.is_over or event.kind is EventKind.LEFTOVERS
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

    def fault(self, code: Code, event: Event, figures: Figures | None = None) -> None:
        self.problems.append(Problem(code, event.line, figures or {}))

    def warn(self, code: Code, event: Event, figures: Figures) -> None:
        self.warnings.append(Problem(code, event.line, figures))

    def order(self, event: Event) -> None:
        """Whose turn it is: the players follow each other in order of the seats, from whoever begins."""
        nicks = tuple(nick for nick in self.game.nicks if nick not in self.game.strangers)
        if self.is_over:
            self.fault(Code.AFTER_THE_END, event, {"nick": event.nick})
        elif self.turn is not None and len(nicks) > 1:
            due = nicks[(nicks.index(self.turn) + 1) % len(nicks)]
            if event.nick in nicks and event.nick != due:
                self.fault(Code.OUT_OF_TURN, event, {"nick": event.nick, "due": due})
        self.turn = event.nick if event.nick in nicks else None

    def move(self, event: Event, done: Move) -> None:
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
    def _means(event: Event, done: Move) -> bool:
        """Whether the written points say what was worked out; a withdrawn play may be written as +0."""
        if event.kind is EventKind.WITHDRAWN and event.points == 0:
            return True
        return event.points == done.points

    def play(self, event: Event) -> Move:
        """Lay the word; count it as far as it can be."""
        before = self.board
        if not event.word:
            self.last = _LastPlay(event, before, event.points or 0)
            return Move(event, None, 0)
        try:
            play = Play.parse(event.position, event.word)
        except BadPlay as bad:
            if "[" not in event.word:
                self.fault(Code.BAD_PLAY, event, {"value": bad.text, "reason": bad.reason.value, "part": bad.part})
            self.last = _LastPlay(event, before, event.points or 0)
            return Move(event, None, 0)
        self._rack(event)
        laid = boards.lay(before, play, rack=event.rack or None)
        for problem in laid.problems:
            self.fault(Code.UNPLAYABLE, event, _figures(problem, event))
        scored, self.board = laid.scored, laid.after
        if scored is None:
            self.last = _LastPlay(event, before, event.points or 0)
            return Move(event, None, 0, play=play, before=before)
        if scored.is_longer:
            self.fault(Code.WORD_DIFFERS, event, {"value": event.word, "word": scored.words[0].text})
        self.last = _LastPlay(event, before, scored.points)
        words = tuple(word.text for word in scored.words)
        return Move(event, scored.points, 0, words, scored.is_bingo, play, before)

    def _rack(self, event: Event) -> None:
        """Whether this can be a rack: seven tiles at most, of those that are left."""
        if len(event.rack) > boards.HAND:
            self.fault(Code.RACK_TOO_LONG, event, {"rack": event.rack, "limit": boards.HAND})
        missing = Counter(event.rack) - Counter(self.board.unseen())
        if missing:
            self.warn(Code.RACK_USED_UP, event, {"rack": event.rack, "tiles": _text(missing)})

    def exchange(self, event: Event) -> Move:
        """No points; the tiles come from the rack, and the bag should be able to serve."""
        self.last = None
        self._rack(event)
        missing = Counter(event.tiles) - Counter(event.rack)
        if event.rack and missing:
            self.fault(Code.NOT_ON_RACK, event, {"rack": event.rack, "tiles": _text(missing)})
        bag = max(0, len(self.board.unseen()) - boards.HAND * max(2, len(self.game.players)))
        if bag < EXCHANGE_NEEDS:
            self.warn(Code.BAG_TOO_SMALL, event, {"found": bag, "needed": EXCHANGE_NEEDS})
        return Move(event, 0, 0)

    def pass_turn(self, event: Event) -> Move:
        self.last = None
        return Move(event, 0, 0)

    def withdraw(self, event: Event) -> Move:
        """Take the last play off the board; it loses as many points as it brought."""
        laid = self.last
        if laid is None:
            self.fault(Code.NOTHING_TO_WITHDRAW, event, {"nick": event.nick})
            return Move(event, None, 0)
        if laid.event.nick != event.nick:
            self.fault(Code.NOT_OWN_PLAY, event, {"nick": event.nick, "owner": laid.event.nick})
            return Move(event, None, 0)
        self.board, self.last = laid.before, None
        return Move(event, -laid.points, 0)

    def challenge(self, event: Event) -> Move:
        """Points for a challenge that failed. How many depends on the rules played by, so what is written counts."""
        if self.last is None:
            self.fault(Code.CHALLENGE_WITHOUT_PLAY, event, {"nick": event.nick})
        elif (event.points or 0) > 0 and self.last.event.nick != event.nick:
            self.fault(Code.NOT_OWN_PLAY, event, {"nick": event.nick, "owner": self.last.event.nick})
        if event.points is not None and (event.points == 0 or event.points % CHALLENGE_STEP):
            self.fault(Code.CHALLENGE_POINTS, event, {"points": event.points})
        return Move(event, None, 0)

    def leftovers(self, event: Event) -> Move:
        """What is left at the end: added, doubled or not, for whoever went out, or taken from whoever holds it."""
        value = self.board.value(event.tiles)
        is_other = bool(event.rack) and sorted(event.rack) != sorted(event.tiles)
        if is_other:
            self.fault(Code.OTHER_LEFTOVERS, event, {"tiles": event.tiles, "left": event.rack})
        gains = event.points > 0 if event.points else not event.rack
        if not gains:
            missing = Counter(event.tiles) - Counter(self.board.unseen())
            if missing and not is_other:
                self.fault(Code.OTHER_LEFTOVERS, event, {"tiles": event.tiles, "left": self.board.unseen()})
            return Move(event, -value, 0)
        self._unseen_is(event)
        return Move(event, self._gain(event, value), 0)

    def _unseen_is(self, event: Event) -> None:
        """Once somebody has gone out, what is not on the board is what the others hold."""
        if len(self.game.players) == 2 and sorted(self.board.unseen()) != sorted(event.tiles):
            self.fault(Code.OTHER_LEFTOVERS, event, {"tiles": event.tiles, "left": self.board.unseen()})

    def _gain(self, event: Event, value: int) -> int:
        """What the others hold: once if they lose it themselves, else twice; blanks alone are worth nothing."""
        loses = any(
            other.kind is EventKind.LEFTOVERS and other.nick != event.nick and (other.points or 0) < 0
            for other in self.game.events
        )
        if not value or loses or (len(self.game.players) > 2 and event.points == value):
            return value
        if self.letters.key != "en" and event.points == value:
            clause = GENERAL_DE.clauses.settlement if self.letters.key == GENERAL_DE.letters else ""
            self.fault(Code.LOSS_MISSING, event, {"nick": event.nick, "points": value, "clause": clause})
            return value
        return 2 * value

    def time(self, event: Event) -> Move:
        """Time and other penalties cannot be worked out from the board."""
        if (event.points or 0) > 0:
            self.fault(Code.TIME_ADDS, event, {"points": event.points or 0})
        return Move(event, None, 0)


def _figures(problem: boards.Problem, event: Event) -> Figures:
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


def _text(tiles: Counter[str]) -> str:
    return "".join(sorted(tiles.elements()))


__all__ = ["SETTLING", "CheckedGame", "Move", "ScoreDifference", "check"]
