"""A score sheet as a game, and a game as a score sheet: what is written there comes back word for word."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from django.http import HttpResponse
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from games.gcg.checking import CheckedGame, CheckedMove, check_game
from games.gcg.reading import read_gcg_text
from games.gcg.values import GcgEvent, GcgEventKind, GcgGame, GcgPlayer, GcgProblem, GcgProblemCode
from games.limits import LINE_NOTE, SHEET_NOTE
from games.models import Line, Scoresheet
from games.sheets.lines import ENDING_FIELDS, WrittenEnding, WrittenLine
from games.sheets.queries import convert_written_sheet
from scoring import board as boards
from scoring import challenges, clock, sheet
from scoring.board import Board
from scoring.letters import LETTER_SETS
from scoring.rulesets.values import Ruleset
from tournament.basics.refusals import Refusal
from tournament.core.words.figures import format_score
from tournament.models import Pairing

# What a score sheet says beyond GCG, in a note that other programs pass over: `#note tso {"points": null}`.
# Only what a reader would otherwise get wrong is noted, so that a plain game has no such lines.


EXTRA_NOTE_MARK = "tso "

"""Characters of a line's note."""

_TEXT_FIELDS = ("position", "word", "rack", "tiles", "note")
T = TypeVar("T", WrittenLine, WrittenEnding)


def make_extra_note(true: T, read: T) -> str:
    """The note that turns what is read into what is true; "" where they are the same."""
    differing = {
        name: getattr(true, name)
        for name in true.__slots__
        if name != "side" and getattr(true, name) != getattr(read, name)
    }
    return EXTRA_NOTE_MARK + json.dumps(differing, ensure_ascii=False) if differing else ""


def apply_line_note(line: WrittenLine, note: str) -> WrittenLine:
    """The line, with the values that its note gives in our way. What is not written in our way stays a note."""
    rest, found = _split_note(note)
    values = {name: value for name, value in found.items() if _fits_line(name, value)}
    if "kind" in values:
        values["kind"] = Line.Kind(values["kind"])
    return replace(line, **{"note": clean_gcg_note(rest, LINE_NOTE), **({} if len(values) < len(found) else values)})


def apply_ending_note(ending: WrittenEnding, note: str) -> tuple[WrittenEnding, str]:
    """The end of the sheet, with the values that the file's first note gives in our way, and the rest of that note."""
    rest, found = _split_note(note)
    values: dict[str, Any] = {}
    for name, value in found.items():
        if not _fits_ending(name, value):
            return ending, rest
        values[name] = tuple(value) if isinstance(value, list) else value
    return replace(ending, **values), rest


def _split_note(note: str) -> tuple[str, Mapping[str, Any]]:
    """The lines of a note that people wrote, and the values in ours."""
    kept, found = [], {}
    for line in note.split("\n"):
        value = _parse_note_value(line.removeprefix(EXTRA_NOTE_MARK)) if line.startswith(EXTRA_NOTE_MARK) else None
        if value is None:
            kept.append(line)
        else:
            found.update(value)
    return "\n".join(kept), found


def _parse_note_value(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1_000_000


def _fits_line(name: str, value: object) -> bool:
    if name in _TEXT_FIELDS:
        return isinstance(value, str)
    if name == "kind":
        return value in Line.Kind.values
    if name == "jury":
        return isinstance(value, bool)
    return (name == "points" and value is None) or (name in ("points", "words") and _is_number(value))


def _fits_ending(name: str, value: object) -> bool:
    if name == "note":
        return isinstance(value, str)
    if name == "is_finished":
        return isinstance(value, bool)
    if name not in ENDING_FIELDS or not isinstance(value, list) or len(value) != 2:
        return False
    return all(each is None or (isinstance(each, str) if name == "left" else _is_number(each)) for each in value)


def clean_gcg_note(note: str, limit: int) -> str:
    """A note on one line that can be stored; one that is too long is cut and says so."""
    text = "".join(mark for mark in " ".join(note.split()) if mark.isprintable())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


# Writes GCG as the specification has it: UTF-8, LF, one event a line; what is written is read back the same.


_BRACKETED_WORDS = {GcgEventKind.CHALLENGE: "challenge", GcgEventKind.TIME: "time", GcgEventKind.PENALTY: "penalty"}


def format_gcg(game: GcgGame) -> str:
    """The text of a file. Notes of several lines become several notes, so that no line of them is taken for a move."""
    return "\n".join([*_format_lines(game), ""])


def _format_lines(game: GcgGame) -> Iterator[str]:
    yield "#character-encoding UTF-8"
    for number, player in enumerate(game.players, 1):
        yield f"#player{number} {player.nick} {player.name or player.nick}"
    for keyword, value in game.pragmata.items():
        yield f"#{keyword} {_join_to_one_line(value)}".rstrip()
    yield from _format_notes(game.note)
    for event in game.events:
        yield _format_event(event)
        yield from _format_notes(event.note)


def _format_event(event: GcgEvent) -> str:
    points = "" if event.points is None else f"{event.points:+}"
    if event.kind is GcgEventKind.PASS and event.points == 0:
        points = "+0"
    parts = (
        f">{event.nick}:",
        event.rack,
        _format_action(event),
        points,
        "" if event.total is None else str(event.total),
    )
    return " ".join(part for part in parts if part)


def _format_action(event: GcgEvent) -> str:
    if event.kind in _BRACKETED_WORDS:
        return f"({_BRACKETED_WORDS[event.kind]})"
    return {
        GcgEventKind.PLAY: f"{event.position} {event.word}",
        GcgEventKind.EXCHANGE: f"-{event.tiles or event.count}",
        GcgEventKind.PASS: "-",
        GcgEventKind.WITHDRAWN: "--",
        GcgEventKind.LEFTOVERS: f"({event.tiles})",
    }[event.kind]


def _format_notes(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        if line.strip():
            yield f"#note {line.strip()}"


def _join_to_one_line(text: str) -> str:
    return " ".join(text.split())


def make_nicks(names: Sequence[str]) -> tuple[str, ...]:
    """A short name for each player, all different: the given name of “Family, Given”; the whole where two share it."""
    given = [_make_nick(name.partition(",")[2] or name) for name in names]
    whole = [_make_nick("_".join(reversed([part.strip() for part in name.split(",")]))) for name in names]
    chosen: list[str] = []
    for number, (short, long) in enumerate(zip(given, whole, strict=True), 1):
        nick = short if given.count(short) == 1 else long
        chosen.append(nick if nick and nick not in chosen else f"{nick or 'player'}{number}")
    return tuple(chosen)


def _make_nick(name: str) -> str:
    """A name without what would end a nick."""
    return "_".join("".join(mark for mark in name if mark not in ":#>").split())


"""Characters of a sheet's note."""

GCG_DISTRIBUTIONS = {"de": "german", "nl": "dutch"}

BLOCKING_CODES = frozenset(
    {
        GcgProblemCode.UNREADABLE_LINE, GcgProblemCode.NICK_MISSING, GcgProblemCode.WORD_MISSING,
        GcgProblemCode.DIGRAPH, GcgProblemCode.BAD_NUMBER, GcgProblemCode.BAD_PLAY, GcgProblemCode.UNKNOWN_PLAYER,
        GcgProblemCode.PLAYER_TWICE, GcgProblemCode.NOTHING_TO_WITHDRAW, GcgProblemCode.NOT_OWN_PLAY,
    }
)  # fmt: skip
"""Faults that keep a game from becoming a sheet; with any other it can, and the sheet shows them."""


@dataclass(frozen=True, slots=True)
class WrittenSheet:
    """What stands on a score sheet: its lines, and what is below them."""

    lines: tuple[WrittenLine, ...]
    ending: WrittenEnding = field(default_factory=WrittenEnding)


class PlaysWithoutWords(Exception):
    """A sheet whose plays are not all written with word and position, which GCG needs; `numbers` are the lines."""

    def __init__(self, numbers: tuple[int, ...]) -> None:
        super().__init__(numbers)
        self.numbers = numbers


def format_sheet_as_gcg(written: WrittenSheet, rules: Ruleset, names: tuple[str, str], about: dict[str, str]) -> str:
    """The sheet as a GCG file. `names`: those of the players, the starter first; `about`: title, description and the
    like.

    Raises `Wordless`. Points are those on the sheet (worked out where none are written), totals those that count.
    """
    nicks = make_nicks(names)
    players = tuple(GcgPlayer(nick, _put_given_name_first(name)) for nick, name in zip(nicks, names, strict=True))
    distribution = GCG_DISTRIBUTIONS.get(rules.letters)
    note = f"LetterDistribution: {distribution}" if distribution else ""
    plain = GcgGame(players, tuple(_EventWriter(written, rules, nicks).events()), about, note)
    checked = check_game(read_gcg_text(format_gcg(plain)), LETTER_SETS[rules.letters])
    return format_gcg(_add_extra_notes(plain, written, convert_game_to_sheet(checked, nicks[0], rules).written))


def _add_extra_notes(plain: GcgGame, true: WrittenSheet, read: WrittenSheet) -> GcgGame:
    """The game with a note for everything that would otherwise be read back wrongly."""
    events = list(plain.events)
    at = -1
    for line, found in zip(true.lines, read.lines, strict=True):
        at += 2 if line.kind == Line.Kind.WITHDRAWN and line.word else 1
        note = make_extra_note(line, found)
        events[at] = replace(events[at], note="\n".join(part for part in (events[at].note, note) if part))
    note = "\n".join(part for part in (plain.note, make_extra_note(true.ending, read.ending)) if part)
    return replace(plain, events=tuple(events), note=note)


def _put_given_name_first(name: str) -> str:
    """“Given Family” for “Family, Given”."""
    family, _comma, given = name.partition(",")
    return f"{given.strip()} {family.strip()}".strip()


@dataclass(slots=True)
class _EventWriter:
    """Writes the events of a sheet one after another."""

    written: WrittenSheet
    rules: Ruleset
    nicks: tuple[str, ...]
    board: Board = field(init=False)
    totals: list[int] = field(default_factory=lambda: [0, 0])

    def events(self) -> Iterator[GcgEvent]:
        lacking = tuple(
            number
            for number, line in enumerate(self.written.lines, 1)
            if line.kind == Line.Kind.PLAY and not (line.word and line.position)
        )
        if lacking:
            raise PlaysWithoutWords(lacking)
        self.board = Board.empty(LETTER_SETS[self.rules.letters])
        count = sheet.count(make_counted_sheet(self.written), self.rules)
        for line, counted in zip(self.written.lines, count.lines, strict=True):
            yield from self.line(line, counted.points)
        yield from self.ending(count)

    def say(self, side: int, kind: GcgEventKind, *, points: int, counts: int | None = None, **values: Any) -> GcgEvent:
        """An event of that side, with the total after it; `counts`: what is added, if not what is written."""
        self.totals[side - 1] += points if counts is None else counts
        return GcgEvent(kind, self.nicks[side - 1], points=points, total=self.totals[side - 1], **values)

    def line(self, line: WrittenLine, counts: int) -> Iterator[GcgEvent]:
        points = counts if line.points is None else line.points
        if line.kind == Line.Kind.PLAY:
            yield self.play(line, points, counts)
        elif line.kind == Line.Kind.WITHDRAWN and line.word and line.position:
            laid = self.laid(line)
            worth = laid.scored.points if laid.scored else 0
            yield replace(self.play(line, worth, worth), note="")
            self.board = laid.before
            yield self.say(
                line.side, GcgEventKind.WITHDRAWN, points=-worth, counts=counts - worth, rack=line.rack, note=line.note
            )
        else:
            kind, tiles = _EVENT_KINDS[line.kind], line.tiles or "1" if line.kind == Line.Kind.EXCHANGE else ""
            event = self.say(line.side, kind, points=points, counts=counts, rack=line.rack, note=line.note)
            yield replace(event, count=int(tiles)) if tiles.isdecimal() else replace(event, tiles=tiles)

    def play(self, line: WrittenLine, points: int, counts: int) -> GcgEvent:
        laid = self.laid(line)
        word = laid.play.gcg(laid.before).partition(" ")[2]
        self.board = laid.after
        return self.say(
            line.side, GcgEventKind.PLAY, points=points, counts=counts, rack=line.rack, note=line.note,
            position=laid.play.position, word=word,
        )  # fmt: skip

    def laid(self, line: WrittenLine) -> boards.LaidPlay:
        """A line's play, laid on the board as it stands. Raises `BadPlay` if its word is not one."""
        return boards.lay(self.board, boards.Play.parse(line.position, line.word))

    def ending(self, count: sheet.SheetCount) -> Iterator[GcgEvent]:
        """Settlement and time; a settlement of unknown tiles gets no line."""
        halves = count.halves
        for half, other in (halves, halves[::-1]):
            if half.settlement > 0 and other.left:
                yield self.say(half.side, GcgEventKind.LEFTOVERS, points=half.settlement, tiles=other.left)
            elif half.settlement <= 0 and half.left:
                yield self.say(
                    half.side, GcgEventKind.LEFTOVERS, points=half.settlement, tiles=half.left, rack=half.left
                )
        for half in halves:
            if half.time:
                yield self.say(half.side, GcgEventKind.TIME, points=half.time)


_EVENT_KINDS = {
    Line.Kind.EXCHANGE: GcgEventKind.EXCHANGE,
    Line.Kind.PASS: GcgEventKind.PASS,
    Line.Kind.WITHDRAWN: GcgEventKind.PASS,  # its word is not known; a note says what it was
    Line.Kind.CHALLENGE: GcgEventKind.CHALLENGE,
    Line.Kind.PENALTY: GcgEventKind.PENALTY,
}


def make_counted_sheet(written: WrittenSheet) -> sheet.Sheet:
    """The written sheet as `scoring.sheet` counts it. Raises `BadPlay` if a word is not one."""
    return convert_written_sheet(written.lines, written.ending)


@dataclass(frozen=True, slots=True)
class ConvertedSheet:
    """What a game would be as a score sheet. With `faults` it cannot become one; `remarks` should be looked at."""

    written: WrittenSheet
    faults: tuple[GcgProblem, ...]
    remarks: tuple[GcgProblem, ...]


def convert_game_to_sheet(checked: CheckedGame, first: str, rules: Ruleset) -> ConvertedSheet:
    """A checked game as a score sheet of that ruleset; the player with the nick `first` is its first player."""
    reader = _SheetBuilder(checked, first, rules)
    reader.read()
    hindering = [problem for problem in checked.problems if problem.code in BLOCKING_CODES]
    others = [problem for problem in checked.problems if problem.code not in BLOCKING_CODES]
    return ConvertedSheet(reader.written(), tuple(hindering), (*others, *checked.warnings))


@dataclass(slots=True)
class _SheetBuilder:
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
                following is not None and following.kind is GcgEventKind.WITHDRAWN and following.nick == move.event.nick
            )
            kind = move.event.kind
            if kind is GcgEventKind.LEFTOVERS:
                self.leftovers(move.event)
            elif kind is GcgEventKind.TIME:
                self.overtime[self.side(move.event.nick) - 1] = clock.largest_overtime(
                    -(move.event.points or 0), self.rules
                )
            elif kind is GcgEventKind.PLAY:
                self.play(move, following if is_back else None)
            elif kind is not GcgEventKind.WITHDRAWN:
                self.other(move.event)
            if kind in (GcgEventKind.LEFTOVERS, GcgEventKind.TIME) and move.event.note:
                self.notes.append(move.event.note)

    def words(self, taken_off: int) -> int:
        """How many good words cost the challenger so many points; one where there are no challenges."""
        rules = self.rules.challenges
        return 1 if rules is None else challenges.count_good_words(rules, taken_off)

    def add(self, line: WrittenLine, note: str) -> None:
        self.lines.append(apply_line_note(line, note))

    def play(self, move: CheckedMove, back: GcgEvent | None) -> None:
        event = move.event
        line = WrittenLine(self.side(event.nick), position=event.position, word=event.word, rack=event.rack)
        if move.play is not None:
            line = replace(line, position=move.play.position, word=move.play.word_on(move.before))
        if back is None:
            self.add(replace(line, points=event.points), event.note)
        else:
            notes = "\n".join(note for note in (event.note, back.note) if note)
            self.add(replace(line, kind=Line.Kind.WITHDRAWN), notes)

    def other(self, event: GcgEvent) -> None:
        """A line without a word. Points added for a challenge have no line of their own on our sheets."""
        points = event.points or None
        line = WrittenLine(self.side(event.nick), rack=event.rack, points=points)
        if event.kind is GcgEventKind.EXCHANGE:
            self.add(replace(line, kind=Line.Kind.EXCHANGE, tiles=event.tiles or str(event.count or "")), event.note)
        elif event.kind is GcgEventKind.PASS:
            self.add(replace(line, kind=Line.Kind.PASS), event.note)
        elif event.kind is GcgEventKind.CHALLENGE and (points or 0) <= 0:
            self.add(replace(line, kind=Line.Kind.CHALLENGE, words=self.words(-(points or 0))), event.note)
        else:
            reason = "(challenge)" if event.kind is GcgEventKind.CHALLENGE else ""
            note = "\n".join(part for part in (reason, event.note) if part)
            self.add(replace(line, kind=Line.Kind.PENALTY), note)

    def leftovers(self, event: GcgEvent) -> None:
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
            note=clean_gcg_note("\n".join(self.notes), SHEET_NOTE),
        )
        return WrittenSheet(tuple(self.lines), apply_ending_note(ending, self.checked.game.note)[0])


__all__ = [
    "ConvertedSheet",
    "PlaysWithoutWords",
    "WrittenSheet",
    "convert_game_to_sheet",
    "format_sheet_as_gcg",
    "make_counted_sheet",
]


# A stored score sheet as a GCG file.


GCG_CONTENT_TYPE = "text/plain; charset=utf-8"
"""So that a browser which does not save it shows it."""


class GcgNotWritable(Refusal):
    code = "not_writable"
    message = _("A GCG file needs the word and the position of every play; missing on lines: %(lines)s.")


def make_written_sheet(scoresheet: Scoresheet, lines: Sequence[Line]) -> WrittenSheet:
    """What stands on a stored sheet with these lines."""
    return WrittenSheet(tuple(WrittenLine.of(line) for line in lines), WrittenEnding.of(scoresheet))


def export_sheet_as_gcg(scoresheet: Scoresheet, lines: Sequence[Line]) -> str:
    """The sheet as a GCG file. Raises `NotWritable`."""
    pairing = scoresheet.pairing
    division = pairing.round.division
    second = pairing.second.name if pairing.second else ""
    about = {"title": division.tournament.name, "description": _describe_game(pairing)}
    try:
        return format_sheet_as_gcg(
            make_written_sheet(scoresheet, lines), division.tournament.rules, (pairing.first.name, second), about
        )
    except PlaysWithoutWords as lacking:
        raise GcgNotWritable(lines=", ".join(map(str, lacking.numbers))) from lacking


def _describe_game(pairing: Pairing) -> str:
    """Division, round and table (in the knock-out stage, match and game), the official result: words of no language."""
    result = pairing.result
    round, table = pairing.round, pairing.table
    place = [f"R{round.number}", f"T{table}" if table else ""]
    if round.is_knockout:
        place = [f"KO{round.stage}", f"M{table}", f"G{round.game}"]
    parts = [round.division.name, *place]
    if result is not None and result.first_points is not None and result.second_points is not None:
        parts.append(format_score(result.first_points, result.second_points))
    return " · ".join(part for part in parts if part)


def make_gcg_response(scoresheet: Scoresheet, lines: Sequence[Line]) -> HttpResponse:
    """The answer that saves the file. Raises `NotWritable`."""
    pairing = scoresheet.pairing
    tournament = pairing.round.division.tournament
    response = HttpResponse(export_sheet_as_gcg(scoresheet, lines), content_type=GCG_CONTENT_TYPE)
    parts = (tournament.slug, slugify(pairing.round.division.name), pairing.round.number, pairing.table or "")
    name = "-".join(str(part) for part in parts if part)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.gcg"'
    return response
