"""A score sheet as a GCG file, and a game of a file as a score sheet; what is written comes back word for word. Files
are written as the specification has it: UTF-8, LF, one event a line. What a score sheet says beyond GCG stands in a
note that other programs pass over: `#note tso {"points": null}`. Only what a reader would otherwise get wrong is noted,
so that a plain game has no such lines."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from django.utils.translation import gettext_lazy as _

from games.gcg.checking import CheckedGame, CheckedMove, check_game
from games.gcg.reading import read_gcg_text
from games.gcg.values import GcgEvent, GcgEventKind, GcgGame, GcgPlayer, GcgProblem, GcgProblemCode
from games.limits import LINE_NOTE, SHEET_NOTE
from games.models import Line, Scoresheet
from games.sheets.lines import ENDING_FIELDS, WrittenEnding, WrittenLine
from games.sheets.sheet_page import convert_written_sheet
from scoring import board as boards
from scoring import challenges, clock, sheet_count
from scoring.board import Board
from scoring.letters import LETTER_SETS
from scoring.plays import Play
from scoring.rulesets.values import Ruleset
from tournament.basics.names import format_spoken_name
from tournament.basics.refusals import Refusal
from tournament.core.words.figures import format_score

EXTRA_NOTE_MARK = "tso "

GCG_CONTENT_TYPE = "text/plain; charset=utf-8"  # so that a browser which does not save it shows it

GCG_DISTRIBUTIONS = {"de": "german", "nl": "dutch"}

BLOCKING_CODES = frozenset(
    {
        GcgProblemCode.UNREADABLE_LINE, GcgProblemCode.NICK_MISSING, GcgProblemCode.WORD_MISSING,
        GcgProblemCode.DIGRAPH, GcgProblemCode.BAD_NUMBER, GcgProblemCode.BAD_PLAY, GcgProblemCode.UNKNOWN_PLAYER,
        GcgProblemCode.PLAYER_TWICE, GcgProblemCode.NOTHING_TO_WITHDRAW, GcgProblemCode.NOT_OWN_PLAY,
    }
)  # fmt: skip
"""Faults that keep a game from becoming a sheet; with any other it can, and the sheet shows them."""

_EVENT_KINDS = {
    Line.Kind.EXCHANGE: GcgEventKind.EXCHANGE,
    Line.Kind.PASS: GcgEventKind.PASS,
    Line.Kind.WITHDRAWN: GcgEventKind.PASS,  # its word is not known; a note says what it was
    Line.Kind.CHALLENGE: GcgEventKind.CHALLENGE,
    Line.Kind.PENALTY: GcgEventKind.PENALTY,
}

_TEXT_FIELDS = ("position", "word", "rack", "tiles", "note")
T = TypeVar("T", WrittenLine, WrittenEnding)


@dataclass(frozen=True, slots=True)
class WrittenSheet:
    """What stands on a score sheet: its lines, and what is below them."""

    lines: tuple[WrittenLine, ...]
    ending: WrittenEnding = field(default_factory=WrittenEnding)


@dataclass(frozen=True, slots=True)
class ConvertedSheet:
    """What a game would be as a score sheet. With `faults` it cannot become one; `remarks` should be looked at."""

    written: WrittenSheet
    faults: tuple[GcgProblem, ...]
    remarks: tuple[GcgProblem, ...]


# Our own notes.


def _make_extra_note(true: T, read: T) -> str:
    """The note that corrects what a reader would make of the file; "" if that is right already."""
    values = {name: getattr(true, name) for name in true.__slots__ if getattr(true, name) != getattr(read, name)}
    # Never the side: the nick says it, and a note that has it would not be taken for one of ours.
    values.pop("side", None)
    return EXTRA_NOTE_MARK + json.dumps(values, ensure_ascii=False) if values else ""


def _apply_ending_note(ending: WrittenEnding, note: str) -> WrittenEnding:
    """The end of the sheet, with the values from our own lines in the file's first note."""
    _rest, values = _split_note(note)
    # All or nothing: a note that somebody has edited by hand is no longer ours, and half of it would be a sheet that
    # nobody wrote.
    if not all(_fits_ending(name, value) for name, value in values.items()):
        return ending
    # JSON has lists; an ending has pairs, and would not be the same as one that was typed.
    pairs: dict[str, Any] = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    return replace(ending, **{**values, **pairs})


def _split_note(note: str) -> tuple[str, dict[str, Any]]:
    """The lines of a note that people wrote, and the values in ours."""
    note_lines: list[str] = []
    values: dict[str, Any] = {}
    for line in note.split("\n"):
        try:
            extra = json.loads(line.removeprefix(EXTRA_NOTE_MARK)) if line.startswith(EXTRA_NOTE_MARK) else None
        except (ValueError, RecursionError):
            # Notes are anybody's text: thousands of open brackets end in a RecursionError.
            extra = None
        if isinstance(extra, dict):
            values.update(extra)
        else:
            note_lines.append(line)
    return "\n".join(note_lines), values


def _is_number(value: object) -> bool:
    # To Python, JSON's true is a whole number as well.
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
    return all(entry is None or (isinstance(entry, str) if name == "left" else _is_number(entry)) for entry in value)


def _clean_note(note: str, limit: int) -> str:
    """A note on one line that can be stored; one that is too long is cut and says so."""
    text = "".join(mark for mark in " ".join(note.split()) if mark.isprintable())
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


# From a score sheet to a file.


def _format_gcg(game: GcgGame) -> str:
    lines = ["#character-encoding UTF-8"]
    lines += [
        f"#player{number} {player.nick} {player.name or player.nick}" for number, player in enumerate(game.players, 1)
    ]
    lines += [f"#{keyword} {' '.join(value.split())}".rstrip() for keyword, value in game.pragmata.items()]
    lines += _format_notes(game.note)
    for event in game.events:
        points = "" if event.points is None else f"{event.points:+}"
        total = "" if event.total is None else str(event.total)
        parts = (f">{event.nick}:", event.rack, event.action, points, total)
        lines += [" ".join(part for part in parts if part), *_format_notes(event.note)]
    return "\n".join([*lines, ""])


def _format_notes(text: str) -> list[str]:
    """Each line as a note of its own, so that none is taken for a move."""
    return [f"#note {line.strip()}" for line in text.split("\n") if line.strip()]


def _make_nicks(names: Sequence[str]) -> tuple[str, ...]:
    """A short name for each player, all different: the given name of “Family, Given”; the whole where two share it."""
    given_names = [_make_nick(name.partition(",")[2] or name) for name in names]
    full_names = [_make_nick("_".join(reversed([part.strip() for part in name.split(",")]))) for name in names]
    chosen: list[str] = []
    for number, (short, long) in enumerate(zip(given_names, full_names, strict=True), 1):
        nick = short if given_names.count(short) == 1 else long
        chosen.append(nick if nick and nick not in chosen else f"{nick or 'player'}{number}")
    return tuple(chosen)


def _make_nick(name: str) -> str:
    """A name without what would end a nick."""
    return "_".join("".join(mark for mark in name if mark not in ":#>").split())


def format_sheet_as_gcg(written: WrittenSheet, rules: Ruleset, names: tuple[str, str], about: dict[str, str]) -> str:
    """The sheet as a GCG file. `names`: the players', the starter first; `about`: title, description and the like.
    Points are those on the sheet (worked out where none are written), totals those that count. Raises
    `not_writable`."""
    lacking = [
        str(number)
        for number, line in enumerate(written.lines, 1)
        if line.kind == Line.Kind.PLAY and not (line.word and line.position)
    ]
    if lacking:
        raise Refusal(
            "not_writable",
            _("A GCG file needs the word and the position of every play; they are missing on lines: %(lines)s."),
            lines=", ".join(lacking),
        )
    nicks = _make_nicks(names)
    players = tuple(GcgPlayer(nick, format_spoken_name(name)) for nick, name in zip(nicks, names, strict=True))
    distribution = GCG_DISTRIBUTIONS.get(rules.letters)
    note = f"LetterDistribution: {distribution}" if distribution else ""
    # Written, read back and held against the sheet: what a reader would otherwise get wrong is found, not foreseen.
    plain = GcgGame(players, tuple(_EventWriter(written, rules, nicks).make_events()), about, note)
    checked = check_game(read_gcg_text(_format_gcg(plain)), LETTER_SETS[rules.letters])
    return _format_gcg(_add_extra_notes(plain, written, convert_game_to_sheet(checked, nicks[0], rules).written))


def _add_extra_notes(plain: GcgGame, true: WrittenSheet, read: WrittenSheet) -> GcgGame:
    """The game with a note for everything that would otherwise be read back wrongly."""
    events = list(plain.events)
    at = -1
    for line, read_line in zip(true.lines, read.lines, strict=True):
        # A withdrawn play with its word is two events of the file, and the note stands behind the second.
        at += 2 if line.kind == Line.Kind.WITHDRAWN and line.word else 1
        note = _make_extra_note(line, read_line)
        events[at] = replace(events[at], note="\n".join(part for part in (events[at].note, note) if part))
    note = "\n".join(part for part in (plain.note, _make_extra_note(true.ending, read.ending)) if part)
    return replace(plain, events=tuple(events), note=note)


@dataclass(slots=True)
class _EventWriter:
    """Writes the events of a sheet one after another."""

    written: WrittenSheet
    rules: Ruleset
    nicks: tuple[str, ...]
    board: Board = field(init=False)
    totals: list[int] = field(default_factory=lambda: [0, 0])

    def make_events(self) -> Iterator[GcgEvent]:
        """Raises `BadPlay` if a word is not one."""
        self.board = Board(LETTER_SETS[self.rules.letters])
        count = sheet_count.count(convert_written_sheet(self.written.lines, self.written.ending), self.rules)
        for line, counted in zip(self.written.lines, count.lines, strict=True):
            yield from self.write_line(line, counted.points)
        # Each player with the other: `halves` is a pair, and this is it both ways round.
        for half, other in (count.halves, count.halves[::-1]):
            # A settlement of unknown tiles gets no line.
            if half.settlement > 0 and other.left:
                yield self.write_event(half.side, GcgEventKind.LEFTOVERS, half.settlement, tiles=other.left)
            elif half.settlement <= 0 and half.left:
                event = self.write_event(half.side, GcgEventKind.LEFTOVERS, half.settlement, tiles=half.left)
                yield replace(event, rack=half.left)
        for half in count.halves:
            if half.time:
                yield self.write_event(half.side, GcgEventKind.TIME, half.time)

    def write_event(
        self, side: int, kind: GcgEventKind, points: int, counts: int | None = None, **values: Any
    ) -> GcgEvent:
        """An event of that side, with the total after it; `counts`: what is added, if not what is written."""
        self.totals[side - 1] += points if counts is None else counts
        return GcgEvent(kind, self.nicks[side - 1], points=points, total=self.totals[side - 1], **values)

    def write_line(self, line: WrittenLine, counts: int) -> Iterator[GcgEvent]:
        points = counts if line.points is None else line.points
        columns: dict[str, Any] = {"rack": line.rack, "note": line.note}
        if line.kind == Line.Kind.PLAY or (line.kind == Line.Kind.WITHDRAWN and line.word and line.position):
            laid = boards.lay(self.board, Play.parse(line.position, line.word))
            play: dict[str, Any] = {
                "position": laid.play.position,
                "word": laid.play.gcg(laid.before).partition(" ")[2],
            }
            if line.kind == Line.Kind.PLAY:
                self.board = laid.after
                yield self.write_event(line.side, GcgEventKind.PLAY, points, counts, **columns, **play)
            else:
                # Laid with what it is worth, then taken back: the format knows no other way. The second event adds what
                # the line counts less that, so that the totals come out as on the sheet.
                worth = laid.scored.points if laid.scored else 0
                yield self.write_event(line.side, GcgEventKind.PLAY, worth, rack=line.rack, **play)
                yield self.write_event(line.side, GcgEventKind.WITHDRAWN, -worth, counts - worth, **columns)
        else:
            event = self.write_event(line.side, _EVENT_KINDS[line.kind], points, counts, **columns)
            # The format needs to know what was exchanged. Where the sheet does not, the file says one tile, and our
            # note that it is not known.
            tiles = line.tiles or "1" if line.kind == Line.Kind.EXCHANGE else ""
            yield replace(event, count=int(tiles)) if tiles.isdecimal() else replace(event, tiles=tiles)


def make_written_sheet(scoresheet: Scoresheet, lines: Sequence[Line]) -> WrittenSheet:
    """What stands on a stored sheet with these lines."""
    return WrittenSheet(tuple(WrittenLine.of(line) for line in lines), WrittenEnding.of(scoresheet))


def export_sheet_as_gcg(scoresheet: Scoresheet, lines: Sequence[Line]) -> str:
    """The stored sheet as a GCG file. Raises `not_writable`."""
    pairing = scoresheet.pairing
    tournament = pairing.round.division.tournament
    names = (pairing.first.name, pairing.second.name if pairing.second else "")
    result, round, table = pairing.result, pairing.round, pairing.table
    place = [f"R{round.number}", f"T{table}" if table else ""]
    if round.is_knockout:
        place = [f"KO{round.stage}", f"M{pairing.match_position}", f"G{round.game}"]
    parts = [round.division.name, *place]
    if result is not None and result.first_points is not None and result.second_points is not None:
        parts.append(format_score(result.first_points, result.second_points))
    about = {"title": tournament.name, "description": " · ".join(part for part in parts if part)}
    return format_sheet_as_gcg(make_written_sheet(scoresheet, lines), tournament.rules, names, about)


# From a game to a score sheet.


def convert_game_to_sheet(checked: CheckedGame, first: str, rules: Ruleset) -> ConvertedSheet:
    """A checked game as a score sheet of that ruleset; the player with the nick `first` is its first player."""
    faults = tuple(problem for problem in checked.problems if problem.code in BLOCKING_CODES)
    others = [problem for problem in checked.problems if problem.code not in BLOCKING_CODES]
    return ConvertedSheet(_SheetBuilder(checked, first, rules).build(), faults, (*others, *checked.warnings))


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

    def find_side(self, nick: str) -> int:
        return 1 if nick == self.first else 2

    def build(self) -> WrittenSheet:
        # Not strict: a file may have no moves at all, as that of a sheet with nothing on it.
        following: list[CheckedMove | None] = [*self.checked.moves[1:], None]
        for move, later in zip(self.checked.moves, following, strict=False):
            event = move.event
            if event.kind is GcgEventKind.LEFTOVERS:
                self.settle(event)
            elif event.kind is GcgEventKind.TIME:
                penalty = -(event.points or 0)
                self.overtime[self.find_side(event.nick) - 1] = clock.largest_overtime(penalty, self.rules)
            elif event.kind is GcgEventKind.PLAY:
                is_back = later and later.event.kind is GcgEventKind.WITHDRAWN and later.event.nick == event.nick
                self.add_play(move, later.event if later and is_back else None)
            elif event.kind is not GcgEventKind.WITHDRAWN:
                self.add_other(event)
            if event.kind in (GcgEventKind.LEFTOVERS, GcgEventKind.TIME) and event.note:
                self.notes.append(event.note)
        return WrittenSheet(tuple(self.lines), _apply_ending_note(self.make_ending(), self.checked.game.note))

    def add_line(self, line: WrittenLine, note: str) -> None:
        rest, values = _split_note(note)
        if not all(_fits_line(name, value) for name, value in values.items()):
            values = {}
        if "kind" in values:
            values["kind"] = Line.Kind(values["kind"])
        self.lines.append(replace(line, **{"note": _clean_note(rest, LINE_NOTE), **values}))

    def add_play(self, move: CheckedMove, back: GcgEvent | None) -> None:
        event = move.event
        line = WrittenLine(self.find_side(event.nick), position=event.position, word=event.word, rack=event.rack)
        if move.play is not None:
            line = replace(line, position=move.play.position, word=move.play.word_on(move.before))
        if back is None:
            self.add_line(replace(line, points=event.points), event.note)
        else:
            notes = "\n".join(note for note in (event.note, back.note) if note)
            self.add_line(replace(line, kind=Line.Kind.WITHDRAWN), notes)

    def add_other(self, event: GcgEvent) -> None:
        """A line without a word. Points added for a challenge have no line of their own on our sheets."""
        # “+0” behind a pass or an exchange is how the format says that there are none.
        points = event.points or None
        line = WrittenLine(self.find_side(event.nick), kind=Line.Kind.PENALTY, rack=event.rack, points=points)
        note = event.note
        if event.kind is GcgEventKind.EXCHANGE:
            line = replace(line, kind=Line.Kind.EXCHANGE, tiles=event.tiles or str(event.count or ""))
        elif event.kind is GcgEventKind.PASS:
            line = replace(line, kind=Line.Kind.PASS)
        elif event.kind is GcgEventKind.CHALLENGE and (points or 0) <= 0:
            rules = self.rules.challenges
            words = 1 if rules is None else challenges.count_good_words(rules, -(points or 0))
            line = replace(line, kind=Line.Kind.CHALLENGE, words=words)
        elif event.kind is GcgEventKind.CHALLENGE:
            note = f"(challenge)\n{note}".rstrip("\n")
        self.add_line(line, note)

    def settle(self, event: GcgEvent) -> None:
        own = self.find_side(event.nick) - 1
        self.settlement[own] = event.points
        # Whoever gains has gone out, and the tiles named are those of the other player; whoever loses holds their own.
        if (event.points or 0) > 0:
            self.left[own], self.left[1 - own] = "", event.tiles
            # Where only who went out is credited, the file has no line for the other. Where it has one, that comes
            # later and stands.
            if self.settlement[1 - own] is None:
                self.settlement[1 - own] = 0
        else:
            self.left[own] = event.tiles

    def make_ending(self) -> WrittenEnding:
        is_settled = any(points is not None for points in self.settlement)
        second = next((nick for nick in self.checked.game.nicks if nick != self.first), "")
        claimed = {move.event.nick: move.event.total for move in self.checked.moves if move.event.total is not None}
        # The last totals of a game that goes on are no final scores.
        finals = (claimed.get(self.first), claimed.get(second)) if is_settled else (None, None)
        return WrittenEnding(
            left=(self.left[0], self.left[1]),
            settlement=(self.settlement[0], self.settlement[1]),
            overtime=(self.overtime[0], self.overtime[1]),
            final=finals,
            is_finished=is_settled,
            note=_clean_note("\n".join(self.notes), SHEET_NOTE),
        )
