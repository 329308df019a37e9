"""Reads GCG as it is found: strict about what it means, lenient about how it is set out.

Accepted beyond the specification: small letters in positions and racks, tabs and runs of blanks, any line ends, scores
without a sign, missing totals, words written in full or with brackets around what lies there, remarks after the total,
notes over several lines, more than two players, and files that do not introduce their players.
"""

import re
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from games.gcg.decoding import decode
from games.gcg.values import Code, Event, EventKind, Figures, Game, Player, Problem, Unreadable
from games.limits import GCG_LINES
from tournament.limits import QUOTED

MOST_PROBLEMS = 200
"""At most so many are reported; a file with more is not a game."""
MOST_EVENTS = 1_000
"""Ten times a long game."""
MOST_PLAYERS = 20

_LINES = re.compile(r"\r\n|\r|\n")
_POSITION = re.compile(r"(\d{1,2}[A-Za-z]|[A-Za-z]\d{1,2})")
_NUMBER = re.compile(r"[+\-−–]?\d{1,5}")
_SIGN = re.compile(r"[+\-−–]")
_PLAYER = re.compile(r"player(\d+)")
_MARKS = "*#!"
"""What annotators put after a word that does not exist, or a fine one."""

_BLANKS = str.maketrans("_*", "??")
_NAMED = {
    "challenge": EventKind.CHALLENGE,
    "time": EventKind.TIME,
    "overtime": EventKind.TIME,
    "penalty": EventKind.PENALTY,
}
_CONTINUED = frozenset({"note", "description", "title"})


def read(content: bytes) -> Game:
    """A game from a file's bytes, with all that is wrong with its lines. Raises `Unreadable` if it is not one."""
    text, encoding, warnings = decode(content)
    return replace(read_text(text, warnings), encoding=encoding)


def read_text(text: str, warnings: list[Problem] | None = None) -> Game:
    """A game from its text. Raises `Unreadable` if no line of it is GCG."""
    reader = _Reader(warnings=list(warnings or []))
    listed = _LINES.split(text)
    if len(listed) > GCG_LINES:
        raise Unreadable(Problem(Code.TOO_MANY_LINES, figures={"found": len(listed), "limit": GCG_LINES}))
    for number, line in enumerate(listed, 1):
        reader.take(number, line.strip())
        if len(reader.events) > MOST_EVENTS:
            raise Unreadable(Problem(Code.TOO_MANY_MOVES, figures={"limit": MOST_EVENTS}))
    return reader.game()


def letters(text: str) -> str:
    """A rack or some tiles: capitals, “?” for each blank, nothing between them. The sharp s has no capital tile."""
    return "".join(mark if mark == "ß" else mark.upper() for mark in text.translate(_BLANKS) if not mark.isspace())


@dataclass(slots=True)
class _Reader:
    """Takes one line after another. `continues`: the keyword of the line above whose text may go on."""

    players: dict[int, Player] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    pragmata: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    continues: str = ""

    def take(self, number: int, line: str) -> None:
        if line.startswith(">"):
            self.continues = ""
            self.event(number, line)
        elif line.startswith("#"):
            self.pragma(number, line[1:])
        elif line and self.continues:
            self.add_text(line)
        elif line:
            self.fault(Code.UNREADABLE_LINE, number, {"value": quoted(line)})

    def fault(self, code: Code, line: int | None, figures: Figures | None = None) -> None:
        if len(self.problems) < MOST_PROBLEMS:
            self.problems.append(Problem(code, line, figures or {}))

    def pragma(self, number: int, body: str) -> None:
        keyword, _blank, value = body.partition(" ") if "\t" not in body else body.replace("\t", " ").partition(" ")
        keyword, value = keyword.lower(), value.strip()
        if match := _PLAYER.fullmatch(keyword):
            self.player(number, int(match.group(1)), value)
        self.continues = keyword if keyword in _CONTINUED else ""
        if keyword == "note":
            self.start_note(value)
        elif keyword:
            self.pragmata[keyword] = value

    def player(self, number: int, which: int, value: str) -> None:
        nick, _blank, name = value.partition(" ")
        if not nick:
            self.fault(Code.NICK_MISSING, number, {"value": f"#player{which}"})
        elif len(self.players) == MOST_PLAYERS:
            self.fault(Code.TOO_MANY_PLAYERS, number, {"value": quoted(nick), "limit": MOST_PLAYERS})
        elif any(nick == known.nick for known in self.players.values()):
            self.fault(Code.PLAYER_TWICE, number, {"value": quoted(nick)})
        else:
            self.players[which] = Player(nick, name.strip())

    def start_note(self, value: str) -> None:
        if self.events:
            last = self.events[-1]
            self.events[-1] = replace(last, note=f"{last.note}\n{value}" if last.note else value)
        else:
            self.notes.append(value)

    def add_text(self, line: str) -> None:
        if self.continues != "note":
            self.pragmata[self.continues] = f"{self.pragmata[self.continues]}\n{line}".strip()
        elif self.events:
            last = self.events[-1]
            self.events[-1] = replace(last, note=f"{last.note}\n{line}".strip())
        else:
            self.notes[-1] = f"{self.notes[-1]}\n{line}".strip()

    def event(self, number: int, line: str) -> None:
        nick, rest = self.nick_of(line[1:].strip())
        if not nick:
            self.fault(Code.NICK_MISSING, number, {"value": quoted(line)})
            return
        words = rest.split()
        rack = "" if not words or _acts(words[0]) else words.pop(0)
        if not words:
            self.fault(Code.UNREADABLE_LINE, number, {"value": quoted(line)})
            return
        start = Event(EventKind.PLAY, nick, letters(rack), line=number)
        made = self.action(start, words)
        if made is None:
            self.fault(Code.UNREADABLE_LINE, number, {"value": quoted(line)})
        else:
            self.events.append(made)

    def nick_of(self, body: str) -> tuple[str, str]:
        """The nick and the rest of a line; a nick that the file introduces may hold a colon."""
        body = re.sub(r"\([^()]*\)", lambda found: "".join(found.group().split()), body)
        for nick in sorted((player.nick for player in self.players.values()), key=len, reverse=True):
            if body.startswith(nick) and body[len(nick) :].lstrip().startswith(":"):
                return nick, body[len(nick) :].lstrip()[1:]
        nick, colon, rest = body.partition(":")
        return (nick.strip(), rest) if colon else ("", body)

    def action(self, event: Event, words: list[str]) -> Event | None:
        """The event with what its words say was done; None if they say nothing."""
        done = words.pop(0)
        if _POSITION.fullmatch(done):
            return self.play(event, done, words)
        if done == "--":
            return self.scored(replace(event, kind=EventKind.WITHDRAWN), words)
        if done in ("-", "−", "–"):
            if words and words[0].translate(_BLANKS).replace("?", "").isalpha():
                return self.scored(replace(event, kind=EventKind.EXCHANGE, tiles=letters(words.pop(0))), words)
            return self.scored(replace(event, kind=EventKind.PASS), words)
        if done.startswith("-"):
            return self.exchange(event, done[1:], words)
        return self.bracketed(event, done, words)

    def bracketed(self, event: Event, done: str, words: list[str]) -> Event | None:
        """Points outside a turn: the brackets say what they are for, or which tiles were left."""
        if not (done.startswith("(") and done.endswith(")")):
            return None
        kind = _NAMED.get(done[1:-1].lower(), EventKind.LEFTOVERS)
        return self.scored(
            replace(event, kind=kind, tiles=letters(done[1:-1]) if kind is EventKind.LEFTOVERS else ""), words
        )

    def play(self, event: Event, position: str, words: list[str]) -> Event | None:
        if not words or _NUMBER.fullmatch(words[0]):
            self.fault(Code.WORD_MISSING, event.line, {"value": position})
            return self.scored(replace(event, position=position.upper()), words)
        word = words.pop(0).rstrip(_MARKS)
        if "[" in word or "]" in word:
            self.fault(Code.DIGRAPH, event.line, {"value": quoted(word)})
        return self.scored(replace(event, position=position.upper(), word=word), words)

    def exchange(self, event: Event, tiles: str, words: list[str]) -> Event | None:
        if tiles.isdecimal() and len(tiles) == 1:
            return self.scored(replace(event, kind=EventKind.EXCHANGE, count=int(tiles)), words)
        if not tiles.translate(_BLANKS).replace("?", "A").isalpha():
            return None
        return self.scored(replace(event, kind=EventKind.EXCHANGE, tiles=letters(tiles)), words)

    def scored(self, event: Event, words: list[str]) -> Event:
        """The event with its score and total: the next one or two numbers; what follows is a remark."""
        if len(words) > 1 and _SIGN.fullmatch(words[0]) and words[1].isdecimal():
            words = [words[0] + words[1], *words[2:]]
        found: list[int] = []
        while words and len(found) < 2 and _NUMBER.fullmatch(words[0]):
            found.append(_number(words.pop(0)))
        if not found:
            bad = words and any(mark.isdecimal() for mark in words[0])
            code = Code.BAD_NUMBER if bad else Code.SCORE_MISSING
            self.fault(code, event.line, {"value": quoted(words[0])} if bad else {})
        elif len(found) == 1 and words and any(mark.isdecimal() for mark in words[0]):
            self.fault(Code.BAD_NUMBER, event.line, {"value": quoted(words[0])})
        points = found[0] if found else None
        return replace(event, points=points, total=found[1] if len(found) > 1 else None, note=" ".join(words))

    def game(self) -> Game:
        if not self.events and not self.players:
            raise Unreadable(Problem(Code.NOT_GCG))
        if not self.events and self.problems:
            raise Unreadable(*self.problems)
        introduced = tuple(player for _number, player in sorted(self.players.items()))
        self.match_nicks(introduced)
        named = {player.nick for player in introduced}
        others = dict.fromkeys(event.nick for event in self.events if event.nick not in named)
        if len(introduced) > 1:
            for nick in others:
                line = next(event.line for event in self.events if event.nick == nick)
                self.fault(Code.UNKNOWN_PLAYER, line, {"nick": quoted(nick), "known": ", ".join(named)})
        return Game(
            players=introduced + tuple(Player(nick) for nick in others),
            events=tuple(self.events),
            pragmata=MappingProxyType(self.pragmata),
            note="\n".join(self.notes),
            strangers=tuple(others) if len(introduced) > 1 else (),
            problems=tuple(sorted(self.problems, key=lambda problem: problem.line or 0)),
            warnings=tuple(self.warnings),
        )

    def match_nicks(self, introduced: tuple[Player, ...]) -> None:
        """Write nicks that differ only in capitals as they were introduced."""
        known = {player.nick for player in introduced}
        alike = {player.nick.casefold(): player.nick for player in introduced}
        self.events = [
            event if event.nick in known else replace(event, nick=alike.get(event.nick.casefold(), event.nick))
            for event in self.events
        ]


def quoted(text: str) -> str:
    """A text as a message quotes it."""
    return text if len(text) <= QUOTED else f"{text[:QUOTED]}…"


def _acts(word: str) -> bool:
    """Whether a word says what was done; else it is the rack."""
    return bool(_POSITION.fullmatch(word)) or word[0] in "-−–("


def _number(text: str) -> int:
    return int(text.replace("−", "-").replace("–", "-"))
