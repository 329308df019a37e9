"""Reads GCG as it is found: strict about what it means, lenient about how it is set out. Accepted beyond the
specification: small letters in positions and racks, tabs and runs of blanks, any line ends, scores without a sign,
missing totals, words written in full or with brackets around what lies there, remarks after the total, notes over
several lines, more than two players, and files that do not introduce their players."""

import codecs
import re
from dataclasses import dataclass, field, replace

from games.gcg.values import GcgEvent, GcgEventKind, GcgGame, GcgPlayer, GcgProblem, GcgProblemCode, UnreadableGcg
from games.limits import GCG_BYTES, GCG_LINES
from tournament.basics.limits import QUOTED_TEXT
from tournament.basics.names import compose_marks

# The format's first line may name the encoding; without it the specification means ISO 8859-1, yet many programs write
# UTF-8. Bytes beyond ASCII that are valid UTF-8 are practically never anything else, so that is tried first.

_ENCODING_LINE = re.compile(rb"^[ \t]*#character-encoding[ \t]+([!-~]+)", re.IGNORECASE | re.MULTILINE)
_LATIN_ENCODINGS = frozenset({"iso8859-1", "latin-1", "cp1252", "iso8859-15", "ascii", "iso-8859-1"})
_BYTE_ORDER_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


def decode_gcg(content: bytes) -> tuple[str, str, list[GcgProblem]]:
    """The text, its encoding, and what the file says wrongly about that. Raises `UnreadableGcg` if it is not text."""
    if len(content) > GCG_BYTES:
        raise UnreadableGcg.because(GcgProblemCode.TOO_LARGE, size=len(content), limit=GCG_BYTES)
    text, encoding, warnings = _decode_bytes(content)
    if not text.strip():
        raise UnreadableGcg.because(GcgProblemCode.EMPTY)
    if _CONTROL_CHARACTERS.search(text):
        raise UnreadableGcg.because(GcgProblemCode.BINARY)
    return compose_marks(text), encoding, warnings


def _decode_bytes(content: bytes) -> tuple[str, str, list[GcgProblem]]:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            # UTF-16 keeps its mark, which says which byte of two comes first; of UTF-8 it would be left over as a
            # character.
            text = _try_encoding(content.removeprefix(mark) if encoding == "utf-8" else content, encoding)
            if text is None:
                raise UnreadableGcg.because(GcgProblemCode.BINARY)
            return text, encoding, []
    text = _try_encoding(content, "utf-8")
    if text is not None:
        return text, "utf-8", [] if text.isascii() else _find_encoding_problems(content, "utf-8")
    # Latin-1 with the quotation marks and dashes that Windows puts into its gap.
    text = _try_encoding(content, "cp1252") or content.decode("latin-1")
    return text, "cp1252", _find_encoding_problems(content, "cp1252")


def _find_encoding_problems(content: bytes, read_as: str) -> list[GcgProblem]:
    """What to say if the encoding that the file names is not the one it is written in."""
    match = _ENCODING_LINE.search(content)
    if match is None:
        return []
    declared = match.group(1).decode("ascii")
    line = len(re.findall(rb"\r\n|\r|\n", content[: match.start(1)])) + 1
    try:
        name = codecs.lookup(declared).name
    except LookupError:
        return [GcgProblem(GcgProblemCode.UNKNOWN_ENCODING, line, {"value": declared, "used": read_as})]
    if name == read_as or (read_as == "cp1252" and name in _LATIN_ENCODINGS):
        return []
    return [GcgProblem(GcgProblemCode.WRONG_ENCODING, line, {"value": declared, "used": read_as})]


def _try_encoding(content: bytes, encoding: str) -> str | None:
    try:
        return content.decode(encoding)
    except UnicodeError:
        return None


MAX_PROBLEMS = 200  # at most so many are reported; a file with more is not a game

MAX_EVENTS = 1_000  # ten times a long game

MAX_PLAYERS = 20

_LINES = re.compile(r"\r\n|\r|\n")
_POSITION = re.compile(r"(\d{1,2}[A-Za-z]|[A-Za-z]\d{1,2})")
_NUMBER = re.compile(r"[+\-−–]?\d{1,5}")
_SIGN = re.compile(r"[+\-−–]")
_PLAYER = re.compile(r"player(\d+)")
_ANNOTATION_MARKS = "*#!"
"""What annotators put after a word that does not exist, or a fine one."""

_BLANKS = str.maketrans("_*", "??")
_NAMED_EVENTS = {
    "challenge": GcgEventKind.CHALLENGE,
    "time": GcgEventKind.TIME,
    "overtime": GcgEventKind.TIME,
    "penalty": GcgEventKind.PENALTY,
}
_CONTINUED_PRAGMATA = frozenset({"note", "description", "title"})


def read_gcg(content: bytes) -> GcgGame:
    """A game from a file's bytes, with all that is wrong with its lines. Raises `UnreadableGcg` if it is not one."""
    text, encoding, warnings = decode_gcg(content)
    return replace(read_gcg_text(text), encoding=encoding, warnings=tuple(warnings))


def read_gcg_text(text: str) -> GcgGame:
    """A game from its text. Raises `UnreadableGcg` if no line of it is GCG."""
    reader, listed = _GcgReader(), _LINES.split(text)
    if len(listed) > GCG_LINES:
        raise UnreadableGcg.because(GcgProblemCode.TOO_MANY_LINES, found=len(listed), limit=GCG_LINES)
    for number, line in enumerate(listed, 1):
        reader.read_line(number, line.strip())
        if len(reader.events) > MAX_EVENTS:
            raise UnreadableGcg.because(GcgProblemCode.TOO_MANY_MOVES, limit=MAX_EVENTS)
    return reader.make_game()


def normalize_tiles(text: str) -> str:
    """A rack or some tiles: capitals, “?” for each blank, nothing between them."""
    # ß has no capital tile; `upper` would make it two tiles.
    return "".join(mark if mark == "ß" else mark.upper() for mark in text.translate(_BLANKS) if not mark.isspace())


@dataclass(slots=True)
class _GcgReader:
    """Takes one line after another. `continues`: the keyword of the line above, if its text may go on."""

    players: dict[int, GcgPlayer] = field(default_factory=dict)
    events: list[GcgEvent] = field(default_factory=list)
    pragmata: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    problems: list[GcgProblem] = field(default_factory=list)
    continues: str = ""

    def read_line(self, number: int, line: str) -> None:
        if line.startswith(">"):
            self.continues = ""
            self.read_event(number, line)
        elif line.startswith("#"):
            self.read_pragma(number, line[1:].replace("\t", " "))
        elif line and self.continues:
            if self.continues != "note":
                self.pragmata[self.continues] = f"{self.pragmata[self.continues]}\n{line}".strip()
            elif self.events:
                last = self.events[-1]
                self.events[-1] = replace(last, note=f"{last.note}\n{line}".strip())
            else:
                self.notes[-1] = f"{self.notes[-1]}\n{line}".strip()
        elif line:
            self.report(GcgProblemCode.UNREADABLE_LINE, number, value=_quote(line))

    def report(self, code: GcgProblemCode, line: int | None, **figures: str | int) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(GcgProblem(code, line, figures))

    def read_pragma(self, number: int, body: str) -> None:
        keyword, _blank, value = body.partition(" ")
        keyword, value = keyword.lower(), value.strip()
        if match := _PLAYER.fullmatch(keyword):
            self.add_player(number, int(match.group(1)), value)
        self.continues = keyword if keyword in _CONTINUED_PRAGMATA else ""
        if keyword == "note" and not self.events:
            self.notes.append(value)
        elif keyword == "note":
            last = self.events[-1]
            self.events[-1] = replace(last, note=f"{last.note}\n{value}" if last.note else value)
        elif keyword:
            self.pragmata[keyword] = value

    def add_player(self, number: int, which: int, value: str) -> None:
        nick, _blank, name = value.partition(" ")
        if not nick:
            self.report(GcgProblemCode.NICK_MISSING, number, value=f"#player{which}")
        elif len(self.players) == MAX_PLAYERS:
            self.report(GcgProblemCode.TOO_MANY_PLAYERS, number, value=_quote(nick), limit=MAX_PLAYERS)
        elif any(nick == player.nick for player in self.players.values()):
            self.report(GcgProblemCode.PLAYER_TWICE, number, value=_quote(nick))
        else:
            self.players[which] = GcgPlayer(nick, name.strip())

    def read_event(self, number: int, line: str) -> None:
        nick, rest = self.split_nick(line[1:].strip())
        if not nick:
            self.report(GcgProblemCode.NICK_MISSING, number, value=_quote(line))
            return
        words = rest.split()
        # Many files leave the rack out: then the first word says what was done already.
        is_action = bool(words) and (_POSITION.fullmatch(words[0]) or words[0][0] in "-−–(")
        rack = words.pop(0) if words and not is_action else ""
        start = GcgEvent(GcgEventKind.PLAY, nick, normalize_tiles(rack), line=number)
        event = self.read_action(start, words) if words else None
        if event is None:
            self.report(GcgProblemCode.UNREADABLE_LINE, number, value=_quote(line))
        else:
            self.events.append(event)

    def split_nick(self, body: str) -> tuple[str, str]:
        """The nick and the rest of a line; a nick that the file introduces may hold a colon."""
        # Brackets with blanks inside, “(A B)”, are one word.
        body = re.sub(r"\([^()]*\)", lambda brackets: "".join(brackets.group().split()), body)
        # Longest first: of the nicks “ann” and “ann:b” the shorter one stands before a colon in the other's lines, too.
        for nick in sorted((player.nick for player in self.players.values()), key=len, reverse=True):
            if body.startswith(nick) and body[len(nick) :].lstrip().startswith(":"):
                return nick, body[len(nick) :].lstrip()[1:]
        nick, colon, rest = body.partition(":")
        return (nick.strip(), rest) if colon else ("", body)

    def read_action(self, event: GcgEvent, words: list[str]) -> GcgEvent | None:
        """The event with what its words say was done, its score and its total; None if they say nothing."""
        action = words.pop(0)
        inside = action[1:-1] if action.startswith("(") and action.endswith(")") else None
        kind, tiles, count = GcgEventKind.EXCHANGE, "", None
        if _POSITION.fullmatch(action):
            return self.read_figures(self.read_play(event, action, words), words)
        if action == "--":
            kind = GcgEventKind.WITHDRAWN
        elif action in ("-", "−", "–"):
            # “- ABC” is an exchange with a blank in it, “- +0” a pass with its score.
            if words and words[0].translate(_BLANKS).replace("?", "").isalpha():
                tiles = words.pop(0)
            else:
                kind = GcgEventKind.PASS
        elif action.startswith("-") and len(action) == 2 and action[1].isdecimal():
            count = int(action[1])
        elif action.startswith("-") and action[1:].translate(_BLANKS).replace("?", "A").isalpha():
            tiles = action[1:]
        elif inside is not None:  # points outside a turn: what they are for, or which tiles were left
            kind = _NAMED_EVENTS.get(inside.lower(), GcgEventKind.LEFTOVERS)
            tiles = inside if kind is GcgEventKind.LEFTOVERS else ""
        else:
            return None
        return self.read_figures(replace(event, kind=kind, tiles=normalize_tiles(tiles), count=count), words)

    def read_play(self, event: GcgEvent, position: str, words: list[str]) -> GcgEvent:
        if not words or _NUMBER.fullmatch(words[0]):
            self.report(GcgProblemCode.WORD_MISSING, event.line, value=position)
            return replace(event, position=position.upper())
        word = words.pop(0).rstrip(_ANNOTATION_MARKS)
        if "[" in word or "]" in word:
            self.report(GcgProblemCode.DIGRAPH, event.line, value=_quote(word))
        return replace(event, position=position.upper(), word=word)

    def read_figures(self, event: GcgEvent, words: list[str]) -> GcgEvent:
        """The event with its score and total: the next one or two numbers; what follows is a remark."""
        # “+ 24”, with a blank behind the sign, is one figure.
        if len(words) > 1 and _SIGN.fullmatch(words[0]) and words[1].isdecimal():
            words = [words[0] + words[1], *words[2:]]
        figures: list[int] = []
        while words and len(figures) < 2 and _NUMBER.fullmatch(words[0]):
            figures.append(int(words.pop(0).replace("−", "-").replace("–", "-")))
        if len(figures) < 2 and words and any(mark.isdecimal() for mark in words[0]):
            self.report(GcgProblemCode.BAD_NUMBER, event.line, value=_quote(words[0]))
        elif not figures:
            self.report(GcgProblemCode.SCORE_MISSING, event.line)
        points, total, *_rest = *figures, None, None
        return replace(event, points=points, total=total, note=" ".join(words))

    def make_game(self) -> GcgGame:
        if not self.events and not self.players:
            raise UnreadableGcg.because(GcgProblemCode.NOT_GCG)
        if not self.events and self.problems:
            raise UnreadableGcg(*self.problems)
        introduced = tuple(player for _number, player in sorted(self.players.items()))
        # Nicks that differ only in capitals are written as they were introduced.
        nicks = {player.nick for player in introduced}
        alike = {player.nick.casefold(): player.nick for player in introduced}
        self.events = [
            event if event.nick in nicks else replace(event, nick=alike.get(event.nick.casefold(), event.nick))
            for event in self.events
        ]
        named = {player.nick for player in introduced}
        others = dict.fromkeys(event.nick for event in self.events if event.nick not in named)
        if len(introduced) > 1:
            for nick in others:
                line = next(event.line for event in self.events if event.nick == nick)
                self.report(GcgProblemCode.UNKNOWN_PLAYER, line, nick=_quote(nick), known=", ".join(named))
        return GcgGame(
            players=introduced + tuple(GcgPlayer(nick) for nick in others),
            events=tuple(self.events),
            pragmata=self.pragmata,
            note="\n".join(self.notes),
            strangers=tuple(others) if len(introduced) > 1 else (),
            problems=tuple(sorted(self.problems, key=lambda problem: problem.line or 0)),
        )


def _quote(text: str) -> str:
    return text if len(text) <= QUOTED_TEXT else f"{text[:QUOTED_TEXT]}…"
