"""Works out an annotated game on the board: every score, every total, the final scores; and says what is wrong. A fault
never stops the count. A play that cannot be laid as written counts what the file says, and its tiles are put down as
far as there is room, so that one slip does not spoil all that follows."""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from games.gcg.values import GcgEvent, GcgEventKind, GcgGame, GcgProblem, GcgProblemCode, UnreadableGcg
from scoring import board as boards
from scoring.board import Board, PlayFault
from scoring.letters import LETTER_SETS, LetterSet
from scoring.plays import BadPlay, Play
from scoring.rulesets.general import GENERAL_DE

_KNOWN_SET_NAMES: Mapping[str, re.Pattern[str]] = {
    "de": re.compile(r"german|deutsch|duden|\brd\d*\b", re.IGNORECASE),
    "nl": re.compile(r"dutch|nederlands|\bswl\b|sbnl|groene", re.IGNORECASE),
    "en": re.compile(
        r"english|csw|nwl|nswl|twl|owl|ospd|sowpods|collins|ecwl|cel\b|enable|wesp|\bods?wl", re.IGNORECASE
    ),
}
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

GCG_TURN_KINDS = frozenset({GcgEventKind.PLAY, GcgEventKind.EXCHANGE, GcgEventKind.PASS})

CHALLENGE_STEP = 5  # every federation's figure for a failed challenge is a multiple of this

EXCHANGE_BAG_SIZE = 7  # how many tiles must be in the bag for an exchange, under nearly all rules


@dataclass(frozen=True, slots=True)
class CheckedMove:
    """An event with what it comes to. `points`: None where the board cannot tell, so that what is written counts.
    `total`: the player's, worked out. `words`: those that a play makes, first the one that was laid; `play`: as it was
    read, None if it could not be; `before`: the board before it."""

    event: GcgEvent
    points: int | None
    total: int = 0
    words: tuple[str, ...] = ()
    is_bingo: bool = False
    play: Play | None = None
    before: Board | None = None

    @property
    def counted(self) -> int:
        return self.points if self.points is not None else self.event.points or 0


@dataclass(frozen=True, slots=True)
class ScoreDifference:
    """A score or a total (`what`: "points", "total") that should be a different one. `follows`: the addition is right,
    and the total is wrong only because something before it is."""

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
    """The game worked out with these tiles; if None, with those that it names or that fit it best. Raises
    `UnreadableGcg` for a board, or without `letters` for a letter set, that the program does not have."""
    noted = _BOARD_NOTE.search(game.note)
    layout = game.pragmata.get("board-layout") or (noted.group(1) if noted else "")
    if _OTHER_BOARD_NAMES.search(layout):
        raise UnreadableGcg.because(GcgProblemCode.OTHER_BOARD, value=layout)
    if letters := letters or _find_named_letter_set(game):
        return _GameChecker(game, letters).run()
    # German comes first, so that it is taken where two sets fit equally well.
    return min((_GameChecker(game, LETTER_SETS[key]).run() for key in ("de", "en", "nl")), key=_count_misfits)


def _find_named_letter_set(game: GcgGame) -> LetterSet | None:
    """The set that the file names, None if it names none."""
    noted = _LETTER_SET_NOTE.search(game.note)
    texts = [game.pragmata.get(name, "") for name in _LETTER_SET_PRAGMATA] + ([noted.group(1)] if noted else [])
    for text in texts:
        # Before ours: “english_super” has a name in it that is known.
        if _OTHER_SET_NAMES.search(text):
            raise UnreadableGcg.because(GcgProblemCode.OTHER_LETTERS, value=text, known=", ".join(LETTER_SETS))
        for key, names in _KNOWN_SET_NAMES.items():
            if names.search(text):
                return LETTER_SETS[key]
    return None


def _count_misfits(checked: CheckedGame) -> tuple[int, int, int]:
    """How badly a game fits a letter set: strange letters, wrong scores, more of a tile than the set has."""
    unplayable = [problem for problem in checked.problems if problem.code == GcgProblemCode.UNPLAYABLE]
    faults = Counter(problem.figures["fault"] for problem in unplayable)
    strange = sum(problem.code == GcgProblemCode.RACK_NOT_TILES for problem in checked.problems)
    wrong = sum(difference.what == "points" for difference in checked.differences)
    # In this order: a letter that the set does not have says most, while a score may be a slip of whoever wrote it
    # down.
    return faults[PlayFault.NOT_IN_SET.value] + strange, wrong, faults[PlayFault.USED_UP.value] + len(checked.warnings)


@dataclass(slots=True)
class _GameChecker:
    """Goes through a game event by event. `written`: each player's total as it was last written; `last`: the play that
    can still be challenged."""

    game: GcgGame
    letters: LetterSet
    board: Board = field(init=False)
    totals: dict[str, int] = field(init=False)
    written: dict[str, int] = field(default_factory=dict)
    last: CheckedMove | None = None
    turn: str | None = None
    is_over: bool = False
    moves: list[CheckedMove] = field(default_factory=list)
    differences: list[ScoreDifference] = field(default_factory=list)
    problems: list[GcgProblem] = field(default_factory=list)
    warnings: list[GcgProblem] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.board = Board(self.letters)
        self.totals = dict.fromkeys(self.game.nicks, 0)

    def run(self) -> CheckedGame:
        handlers: dict[GcgEventKind, Callable[[GcgEvent], CheckedMove]] = {
            GcgEventKind.PLAY: self.lay_play,
            GcgEventKind.EXCHANGE: self.check_exchange,
            GcgEventKind.PASS: self.check_pass,
            GcgEventKind.WITHDRAWN: self.withdraw_play,
            GcgEventKind.CHALLENGE: self.check_challenge,
            GcgEventKind.LEFTOVERS: self.settle_leftovers,
            GcgEventKind.TIME: self.check_penalty,
            GcgEventKind.PENALTY: self.check_penalty,
        }
        for event in self.game.events:
            if event.kind in GCG_TURN_KINDS:
                self.check_order(event)
            move = handlers[event.kind](event)
            # Only turns: between a play and the challenge of it there may stand a penalty, or time.
            if event.kind in GCG_TURN_KINDS:
                self.last = move if event.kind is GcgEventKind.PLAY else None
            self.add_move(event, move)
            self.is_over = self.is_over or event.kind is GcgEventKind.LEFTOVERS
        # What is about the whole file has no line, and comes first.
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

    def report(self, code: GcgProblemCode, event: GcgEvent, **figures: str | int) -> None:
        self.problems.append(GcgProblem(code, event.line, figures))

    def warn(self, code: GcgProblemCode, event: GcgEvent, **figures: str | int) -> None:
        self.warnings.append(GcgProblem(code, event.line, figures))

    def check_order(self, event: GcgEvent) -> None:
        """The players follow each other in order of the seats, from whoever begins."""
        nicks = tuple(nick for nick in self.game.nicks if nick not in self.game.strangers)
        if self.is_over:
            self.report(GcgProblemCode.AFTER_THE_END, event, nick=event.nick)
        elif self.turn is not None and len(nicks) > 1:
            due = nicks[(nicks.index(self.turn) + 1) % len(nicks)]
            if event.nick in nicks and event.nick != due:
                self.report(GcgProblemCode.OUT_OF_TURN, event, nick=event.nick, due=due)
        # After a move of somebody whom the file does not introduce nobody knows who is next.
        self.turn = event.nick if event.nick in nicks else None

    def add_move(self, event: GcgEvent, move: CheckedMove) -> None:
        nick, total = event.nick, self.totals[event.nick] + move.counted
        self.totals[nick] = total
        # A withdrawn play may be written as +0.
        is_zeroed = event.kind is GcgEventKind.WITHDRAWN and event.points == 0
        if event.points is not None and move.points not in (None, event.points) and not is_zeroed:
            self.differences.append(ScoreDifference(event.line, nick, "points", event.points, move.counted))
        if event.total is not None and event.total != total:
            added = self.written.get(nick, 0) + (move.counted if event.points is None else event.points)
            follows = event.total == added
            self.differences.append(ScoreDifference(event.line, nick, "total", event.total, total, follows))
        self.written[nick] = total if event.total is None else event.total
        self.moves.append(replace(move, total=total))

    def lay_play(self, event: GcgEvent) -> CheckedMove:
        """Lay the word; count it as far as it can be."""
        before = self.board
        if not event.word:
            return CheckedMove(event, None, before=before)
        try:
            play = Play.parse(event.position, event.word)
        except BadPlay as bad:
            # A tile of several letters in square brackets was told when the line was read.
            if "[" not in event.word:
                figures = {"value": bad.text, "reason": bad.reason.value, "part": bad.part}
                self.report(GcgProblemCode.BAD_PLAY, event, **figures)
            return CheckedMove(event, None, before=before)
        self.check_rack(event)
        laid = boards.lay(before, play, rack=event.rack or None)
        for problem in laid.problems:
            self.report(GcgProblemCode.UNPLAYABLE, event, **_make_figures(problem, event))
        scored, self.board = laid.scored, laid.after
        if scored is None:
            return CheckedMove(event, None, play=play, before=before)
        if scored.is_longer:
            self.report(GcgProblemCode.WORD_DIFFERS, event, value=event.word, word=scored.words[0].text)
        words = tuple(word.text for word in scored.words)
        return CheckedMove(event, scored.points, words=words, is_bingo=scored.is_bingo, play=play, before=before)

    def check_rack(self, event: GcgEvent) -> None:
        """A rack has seven tiles at most, of those that are left."""
        if len(event.rack) > boards.RACK_SIZE:
            self.report(GcgProblemCode.RACK_TOO_LONG, event, rack=event.rack, limit=boards.RACK_SIZE)
        # What is no tile of the set is a fault of its own: it was said to lie on the board already.
        strange = Counter(event.rack)
        for tile in self.letters.tiles:
            # `del` passes over what a Counter does not hold.
            del strange[tile.letter]
        if strange:
            self.report(GcgProblemCode.RACK_NOT_TILES, event, rack=event.rack, tiles=_join_tiles(strange))
        missing = Counter(event.rack) - Counter(self.board.unseen()) - strange
        if missing:
            self.warn(GcgProblemCode.RACK_USED_UP, event, rack=event.rack, tiles=_join_tiles(missing))

    def check_pass(self, event: GcgEvent) -> CheckedMove:
        """No points."""
        self.check_rack(event)
        return CheckedMove(event, 0)

    def check_exchange(self, event: GcgEvent) -> CheckedMove:
        """No points; the tiles come from the rack, and the bag should be able to serve."""
        self.check_rack(event)
        missing = Counter(event.tiles) - Counter(event.rack)
        if event.rack and missing:
            self.report(GcgProblemCode.NOT_ON_RACK, event, rack=event.rack, tiles=_join_tiles(missing))
        # What is unseen lies in the bag and on the racks, which are full as long as the bag is not empty.
        # Two racks at least: a file that breaks off early may name one player alone.
        bag = max(0, len(self.board.unseen()) - boards.RACK_SIZE * max(2, len(self.game.players)))
        if bag < EXCHANGE_BAG_SIZE:
            self.warn(GcgProblemCode.BAG_TOO_SMALL, event, found=bag, needed=EXCHANGE_BAG_SIZE)
        return CheckedMove(event, 0)

    def withdraw_play(self, event: GcgEvent) -> CheckedMove:
        """Take the last play off the board; it loses as many points as it brought."""
        last = self.last
        if last is None or last.before is None:
            self.report(GcgProblemCode.NOTHING_TO_WITHDRAW, event, nick=event.nick)
            return CheckedMove(event, None)
        if last.event.nick != event.nick:
            self.report(GcgProblemCode.NOT_OWN_PLAY, event, nick=event.nick, owner=last.event.nick)
            return CheckedMove(event, None)
        self.board, self.last = last.before, None
        self.check_rack(event)
        if event.rack and last.event.rack and sorted(event.rack) != sorted(last.event.rack):
            self.report(GcgProblemCode.OTHER_RACK, event, rack=event.rack, played=last.event.rack)
        return CheckedMove(event, -last.counted)

    def check_challenge(self, event: GcgEvent) -> CheckedMove:
        """Points for a challenge that failed. How many depends on the rules played by, so what is written counts."""
        if self.last is None:
            self.report(GcgProblemCode.CHALLENGE_WITHOUT_PLAY, event, nick=event.nick)
        elif (event.points or 0) > 0 and self.last.event.nick != event.nick:
            self.report(GcgProblemCode.NOT_OWN_PLAY, event, nick=event.nick, owner=self.last.event.nick)
        if event.points is not None and (event.points == 0 or event.points % CHALLENGE_STEP):
            self.report(GcgProblemCode.CHALLENGE_POINTS, event, points=event.points)
        return CheckedMove(event, None)

    def settle_leftovers(self, event: GcgEvent) -> CheckedMove:
        """What is left at the end: added, doubled or not, for whoever went out, or taken from whoever holds it."""
        tiles, unseen, value = event.tiles, self.board.unseen(), self.board.value(event.tiles)
        is_other = bool(event.rack) and sorted(event.rack) != sorted(tiles)
        if is_other:
            self.report(GcgProblemCode.OTHER_LEFTOVERS, event, tiles=tiles, left=event.rack)
        gains = event.points > 0 if event.points else not event.rack
        if gains:  # once somebody has gone out, what is not on the board is what the others hold
            # Known of two players only: with more of them each of the others may have a line of their own.
            is_wrong = len(self.game.players) == 2 and sorted(unseen) != sorted(tiles)
        else:
            is_wrong = not is_other and bool(Counter(tiles) - Counter(unseen))
        if is_wrong:
            self.report(GcgProblemCode.OTHER_LEFTOVERS, event, tiles=tiles, left=unseen)
        return CheckedMove(event, self.count_gain(event, value) if gains else -value)

    def count_gain(self, event: GcgEvent, value: int) -> int:
        """What going out gains: what the others hold, once if they lose it themselves, else twice. Blanks alone are
        worth nothing."""
        loses = any(
            other.kind is GcgEventKind.LEFTOVERS and other.nick != event.nick and (other.points or 0) < 0
            for other in self.game.events
        )
        if not value or loses or (len(self.game.players) > 2 and event.points == value):
            return value
        # Under English rules who goes out gains it twice and nobody loses. Elsewhere one gains what the other loses, so
        # that a single gain lacks its loss.
        if self.letters.key != "en" and event.points == value:
            clause = GENERAL_DE.clauses.settlement if self.letters.key == GENERAL_DE.letters else ""
            self.report(GcgProblemCode.LOSS_MISSING, event, nick=event.nick, points=value, clause=clause)
            return value
        return 2 * value

    def check_penalty(self, event: GcgEvent) -> CheckedMove:
        """Time and other penalties cannot be worked out from the board."""
        if (event.points or 0) > 0:
            self.report(GcgProblemCode.TIME_ADDS, event, points=event.points or 0)
        return CheckedMove(event, None)


def _make_figures(problem: boards.PlayProblem, event: GcgEvent) -> dict[str, str | int]:
    return {
        "value": f"{event.position} {event.word}",
        "fault": problem.fault.value,
        "square": str(problem.square) if problem.square else "",
        "letter": problem.letter,
        "lying": problem.lying,
        "needed": problem.needed or 0,
        "found": problem.found or 0,
        "rack": event.rack,
    }


def _join_tiles(tiles: Counter[str]) -> str:
    return "".join(sorted(tiles.elements()))
