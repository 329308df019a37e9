"""Writes GCG as the specification has it: UTF-8, LF, one event a line; what is written is read back the same."""

from collections.abc import Iterator, Sequence

from games.gcg.values import Event, EventKind, Game

_IN_BRACKETS = {EventKind.CHALLENGE: "challenge", EventKind.TIME: "time", EventKind.PENALTY: "penalty"}


def write(game: Game) -> str:
    """The text of a file. Notes of several lines become several notes, so that no line of them is taken for a move."""
    return "\n".join([*_lines(game), ""])


def _lines(game: Game) -> Iterator[str]:
    yield "#character-encoding UTF-8"
    for number, player in enumerate(game.players, 1):
        yield f"#player{number} {player.nick} {player.name or player.nick}"
    for keyword, value in game.pragmata.items():
        yield f"#{keyword} {_on_one_line(value)}".rstrip()
    yield from _notes(game.note)
    for event in game.events:
        yield _line(event)
        yield from _notes(event.note)


def _line(event: Event) -> str:
    points = "" if event.points is None else f"{event.points:+}"
    if event.kind is EventKind.PASS and event.points == 0:
        points = "+0"
    parts = (f">{event.nick}:", event.rack, _done(event), points, "" if event.total is None else str(event.total))
    return " ".join(part for part in parts if part)


def _done(event: Event) -> str:
    if event.kind in _IN_BRACKETS:
        return f"({_IN_BRACKETS[event.kind]})"
    return {
        EventKind.PLAY: f"{event.position} {event.word}",
        EventKind.EXCHANGE: f"-{event.tiles or event.count}",
        EventKind.PASS: "-",
        EventKind.WITHDRAWN: "--",
        EventKind.LEFTOVERS: f"({event.tiles})",
    }[event.kind]


def _notes(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        if line.strip():
            yield f"#note {line.strip()}"


def _on_one_line(text: str) -> str:
    return " ".join(text.split())


def nicks(names: Sequence[str]) -> tuple[str, ...]:
    """A short name for each player, all different: the given name of “Family, Given”; the whole where two share it."""
    given = [_nick(name.partition(",")[2] or name) for name in names]
    whole = [_nick("_".join(reversed([part.strip() for part in name.split(",")]))) for name in names]
    chosen: list[str] = []
    for number, (short, long) in enumerate(zip(given, whole, strict=True), 1):
        nick = short if given.count(short) == 1 else long
        chosen.append(nick if nick and nick not in chosen else f"{nick or 'player'}{number}")
    return tuple(chosen)


def _nick(name: str) -> str:
    """A name without what would end a nick."""
    return "_".join("".join(mark for mark in name if mark not in ":#>").split())
