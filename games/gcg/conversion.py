"""A score sheet as a game, and a game as a score sheet: what is written there comes back word for word."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from games.gcg import checking, extras, reading, writing
from games.gcg.checking import CheckedGame, Move
from games.gcg.values import Code, Event, EventKind, Game, Player, Problem
from games.limits import SHEET_NOTE
from games.models import Line
from games.sheets.reading import to_sheet
from games.sheets.written import WrittenEnding, WrittenLine
from scoring import board as boards
from scoring import challenges, clock, sheet
from scoring.board import Board
from scoring.letters import LETTER_SETS
from scoring.rulesets import Ruleset

"""Characters of a sheet's note."""

LETTER_NAMES = {"de": "german", "nl": "dutch"}

HINDERING = frozenset(
    {
        Code.UNREADABLE_LINE, Code.NICK_MISSING, Code.WORD_MISSING, Code.DIGRAPH, Code.BAD_NUMBER, Code.BAD_PLAY,
        Code.UNKNOWN_PLAYER, Code.PLAYER_TWICE, Code.NOTHING_TO_WITHDRAW, Code.NOT_OWN_PLAY,
    }
)  # fmt: skip
"""Faults that keep a game from becoming a sheet; with any other it can, and the sheet shows them."""


@dataclass(frozen=True, slots=True)
class WrittenSheet:
    """What stands on a score sheet: its lines, and what is below them."""

    lines: tuple[WrittenLine, ...]
    ending: WrittenEnding = field(default_factory=WrittenEnding)


class Wordless(Exception):
    """A sheet whose plays are not all written with word and position, which GCG needs; `numbers` are the lines."""

    def __init__(self, numbers: tuple[int, ...]) -> None:
        super().__init__(numbers)
        self.numbers = numbers


def to_text(written: WrittenSheet, rules: Ruleset, names: tuple[str, str], about: dict[str, str]) -> str:
    """The sheet as a GCG file. `names`: those of the players, the starter first; `about`: title, description and the
    like.

    Raises `Wordless`. Points are those on the sheet (worked out where none are written), totals those that count.
    """
    nicks = writing.nicks(names)
    players = tuple(Player(nick, _natural(name)) for nick, name in zip(nicks, names, strict=True))
    distribution = LETTER_NAMES.get(rules.letters)
    note = f"LetterDistribution: {distribution}" if distribution else ""
    plain = Game(players, tuple(_Writer(written, rules, nicks).events()), about, note)
    checked = checking.check(reading.read_text(writing.write(plain)), LETTER_SETS[rules.letters])
    return writing.write(_noted(plain, written, from_game(checked, nicks[0], rules).written))


def _noted(plain: Game, true: WrittenSheet, read: WrittenSheet) -> Game:
    """The game with a note for everything that would otherwise be read back wrongly."""
    events = list(plain.events)
    at = -1
    for line, found in zip(true.lines, read.lines, strict=True):
        at += 2 if line.kind == Line.Kind.WITHDRAWN and line.word else 1
        note = extras.noted(line, found)
        events[at] = replace(events[at], note="\n".join(part for part in (events[at].note, note) if part))
    note = "\n".join(part for part in (plain.note, extras.noted(true.ending, read.ending)) if part)
    return replace(plain, events=tuple(events), note=note)


def _natural(name: str) -> str:
    """“Given Family” for “Family, Given”."""
    family, _comma, given = name.partition(",")
    return f"{given.strip()} {family.strip()}".strip()


@dataclass(slots=True)
class _Writer:
    """Writes the events of a sheet one after another."""

    written: WrittenSheet
    rules: Ruleset
    nicks: tuple[str, ...]
    board: Board = field(init=False)
    totals: list[int] = field(default_factory=lambda: [0, 0])

    def events(self) -> Iterator[Event]:
        lacking = tuple(
            number
            for number, line in enumerate(self.written.lines, 1)
            if line.kind == Line.Kind.PLAY and not (line.word and line.position)
        )
        if lacking:
            raise Wordless(lacking)
        self.board = Board.empty(LETTER_SETS[self.rules.letters])
        count = sheet.count(counted_sheet(self.written), self.rules)
        for line, counted in zip(self.written.lines, count.lines, strict=True):
            yield from self.line(line, counted.points)
        yield from self.ending(count)

    def say(self, side: int, kind: EventKind, *, points: int, counts: int | None = None, **values: Any) -> Event:
        """An event of that side, with the total after it; `counts`: what is added, if not what is written."""
        self.totals[side - 1] += points if counts is None else counts
        return Event(kind, self.nicks[side - 1], points=points, total=self.totals[side - 1], **values)

    def line(self, line: WrittenLine, counts: int) -> Iterator[Event]:
        points = counts if line.points is None else line.points
        if line.kind == Line.Kind.PLAY:
            yield self.play(line, points, counts)
        elif line.kind == Line.Kind.WITHDRAWN and line.word and line.position:
            laid = self.laid(line)
            worth = laid.scored.points if laid.scored else 0
            yield replace(self.play(line, worth, worth), note="")
            self.board = laid.before
            yield self.say(
                line.side, EventKind.WITHDRAWN, points=-worth, counts=counts - worth, rack=line.rack, note=line.note
            )
        else:
            kind, tiles = _KINDS[line.kind], line.tiles or "1" if line.kind == Line.Kind.EXCHANGE else ""
            event = self.say(line.side, kind, points=points, counts=counts, rack=line.rack, note=line.note)
            yield replace(event, count=int(tiles)) if tiles.isdecimal() else replace(event, tiles=tiles)

    def play(self, line: WrittenLine, points: int, counts: int) -> Event:
        laid = self.laid(line)
        word = laid.play.gcg(laid.before).partition(" ")[2]
        self.board = laid.after
        return self.say(
            line.side, EventKind.PLAY, points=points, counts=counts, rack=line.rack, note=line.note,
            position=laid.play.position, word=word,
        )  # fmt: skip

    def laid(self, line: WrittenLine) -> boards.Laid:
        """A line's play, laid on the board as it stands. Raises `BadPlay` if its word is not one."""
        return boards.lay(self.board, boards.Play.parse(line.position, line.word))

    def ending(self, count: sheet.Count) -> Iterator[Event]:
        """Settlement and time; a settlement of unknown tiles gets no line."""
        halves = count.halves
        for half, other in (halves, halves[::-1]):
            if half.settlement > 0 and other.left:
                yield self.say(half.side, EventKind.LEFTOVERS, points=half.settlement, tiles=other.left)
            elif half.settlement <= 0 and half.left:
                yield self.say(half.side, EventKind.LEFTOVERS, points=half.settlement, tiles=half.left, rack=half.left)
        for half in halves:
            if half.time:
                yield self.say(half.side, EventKind.TIME, points=half.time)


_KINDS = {
    Line.Kind.EXCHANGE: EventKind.EXCHANGE,
    Line.Kind.PASS: EventKind.PASS,
    Line.Kind.WITHDRAWN: EventKind.PASS,  # its word is not known; a note says what it was
    Line.Kind.CHALLENGE: EventKind.CHALLENGE,
    Line.Kind.PENALTY: EventKind.PENALTY,
}


def counted_sheet(written: WrittenSheet) -> sheet.Sheet:
    """The written sheet as `scoring.sheet` counts it. Raises `BadPlay` if a word is not one."""
    return to_sheet(written.lines, written.ending)


@dataclass(frozen=True, slots=True)
class SheetFromGcg:
    """What a game would be as a score sheet. With `faults` it cannot become one; `remarks` should be looked at."""

    written: WrittenSheet
    faults: tuple[Problem, ...]
    remarks: tuple[Problem, ...]


def from_game(checked: CheckedGame, first: str, rules: Ruleset) -> SheetFromGcg:
    """A checked game as a score sheet of that ruleset; the player with the nick `first` is its first player."""
    reader = _Sheet(checked, first, rules)
    reader.read()
    hindering = [problem for problem in checked.problems if problem.code in HINDERING]
    others = [problem for problem in checked.problems if problem.code not in HINDERING]
    return SheetFromGcg(reader.written(), tuple(hindering), (*others, *checked.warnings))


@dataclass(slots=True)
class _Sheet:
    """Writes a game down line by line."""

    checked: CheckedGame
    first: str
    rules: Ruleset
    lines: list[WrittenLine] = field(default_factory=list)
    left: list[str | None] = field(default_factory=lambda: [None, None])
    settlement: list[int | None] = field(default_factory=lambda: [None, None])
    overtime: list[int | None] = field(default_factory=lambda: [None, None])
    notes: list[str] = field(default_factory=list)

    def side(self, nick: str) -> int:
        return 1 if nick == self.first else 2

    def read(self) -> None:
        moves = self.checked.moves
        for at, move in enumerate(moves):
            following = moves[at + 1].event if at + 1 < len(moves) else None
            is_back = (
                following is not None and following.kind is EventKind.WITHDRAWN and following.nick == move.event.nick
            )
            kind = move.event.kind
            if kind is EventKind.LEFTOVERS:
                self.leftovers(move.event)
            elif kind is EventKind.TIME:
                self.overtime[self.side(move.event.nick) - 1] = clock.overtime_for(
                    -(move.event.points or 0), self.rules
                )
            elif kind is EventKind.PLAY:
                self.play(move, following if is_back else None)
            elif kind is not EventKind.WITHDRAWN:
                self.other(move.event)
            if kind in (EventKind.LEFTOVERS, EventKind.TIME) and move.event.note:
                self.notes.append(move.event.note)

    def words(self, taken_off: int) -> int:
        """How many good words cost the challenger so many points; one where there are no challenges."""
        rules = self.rules.challenges
        return 1 if rules is None else challenges.good_words(rules, taken_off)

    def add(self, line: WrittenLine, note: str) -> None:
        self.lines.append(extras.of_line(line, note))

    def play(self, move: Move, back: Event | None) -> None:
        event = move.event
        line = WrittenLine(self.side(event.nick), position=event.position, word=event.word, rack=event.rack)
        if move.play is not None:
            line = replace(line, position=move.play.position, word=move.play.word_on(move.before))
        if back is None:
            self.add(replace(line, points=event.points), event.note)
        else:
            notes = "\n".join(note for note in (event.note, back.note) if note)
            self.add(replace(line, kind=Line.Kind.WITHDRAWN), notes)

    def other(self, event: Event) -> None:
        """A line without a word. Points added for a challenge have no line of their own on our sheets."""
        points = event.points or None
        line = WrittenLine(self.side(event.nick), rack=event.rack, points=points)
        if event.kind is EventKind.EXCHANGE:
            self.add(replace(line, kind=Line.Kind.EXCHANGE, tiles=event.tiles or str(event.count or "")), event.note)
        elif event.kind is EventKind.PASS:
            self.add(replace(line, kind=Line.Kind.PASS), event.note)
        elif event.kind is EventKind.CHALLENGE and (points or 0) <= 0:
            self.add(replace(line, kind=Line.Kind.CHALLENGE, words=self.words(-(points or 0))), event.note)
        else:
            reason = "(challenge)" if event.kind is EventKind.CHALLENGE else ""
            note = "\n".join(part for part in (reason, event.note) if part)
            self.add(replace(line, kind=Line.Kind.PENALTY), note)

    def leftovers(self, event: Event) -> None:
        own = self.side(event.nick) - 1
        self.settlement[own] = event.points
        if (event.points or 0) > 0:
            self.left[own], self.left[1 - own] = "", event.tiles
            if self.settlement[1 - own] is None:
                self.settlement[1 - own] = 0
        else:
            self.left[own] = event.tiles

    def written(self) -> WrittenSheet:
        is_settled = any(points is not None for points in self.settlement)
        second = next((nick for nick in self.checked.game.nicks if nick != self.first), "")
        claimed = {move.event.nick: move.event.total for move in self.checked.moves if move.event.total is not None}
        finals = (claimed.get(self.first), claimed.get(second)) if is_settled else (None, None)
        ending = WrittenEnding(
            left=(self.left[0], self.left[1]),
            settlement=(self.settlement[0], self.settlement[1]),
            overtime=(self.overtime[0], self.overtime[1]),
            final=finals,
            is_finished=is_settled,
            note=extras.tidy("\n".join(self.notes), SHEET_NOTE),
        )
        return WrittenSheet(tuple(self.lines), extras.of_ending(ending, self.checked.game.note)[0])


__all__ = ["SheetFromGcg", "Wordless", "WrittenSheet", "counted_sheet", "from_game", "to_text"]
