"""What `check_gcg` prints of a game: one JSON value, or lines for the terminal."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from games.gcg import words
from games.gcg.checking import CheckedGame, Move, ScoreDifference
from games.gcg.values import EventKind, Problem


def as_json(checked: CheckedGame) -> dict[str, Any]:
    """The whole check as one value; docs/formats.md names its keys."""
    game = checked.game
    return {
        "letters": checked.letters.key,
        "encoding": game.encoding,
        "players": [{"nick": player.nick, "name": player.name} for player in game.players],
        "moves": [_move(move) for move in checked.moves],
        "final": dict(checked.final),
        "differences": [_difference(found) for found in checked.differences],
        "problems": [_problem(found) for found in checked.problems],
        "warnings": [_problem(found) for found in checked.warnings],
    }


def _move(move: Move) -> dict[str, Any]:
    event = move.event
    return {
        "line": event.line,
        "nick": event.nick,
        "rack": event.rack,
        "kind": event.kind.value,
        "position": event.position,
        "word": event.word,
        "tiles": event.tiles or (str(event.count) if event.count else ""),
        "points": {"written": event.points, "worked_out": move.points},
        "total": {"written": event.total, "worked_out": move.total},
        "words": list(move.words),
        "bingo": move.is_bingo,
    }


def _difference(found: ScoreDifference) -> dict[str, Any]:
    return {
        "line": found.line,
        "nick": found.nick,
        "what": found.what,
        "written": found.written,
        "worked_out": found.worked_out,
        "follows": found.follows,
        "message": words.difference(found),
    }


def _problem(found: Problem) -> dict[str, Any]:
    code = str(found.figures.get("fault", found.code.value))
    return {"line": found.line, "code": code, "message": words.message(found)}


def as_lines(checked: CheckedGame) -> Iterator[str]:
    """The moves as a table, the final scores, and everything that is wrong."""
    width = max((len(nick) for nick in checked.final), default=0)
    for move in checked.moves:
        yield f"{move.event.line:>4}  {move.event.nick:<{width}}  {_done(move):<26} {_figures(move)}".rstrip()
    yield ""
    for nick, points in checked.final.items():
        yield f"      {nick:<{width}}  {points}"
    yield ""
    yield from (words.difference(found) for found in checked.differences)
    yield from (words.message(found) for found in checked.problems)
    for warning in checked.warnings:
        yield _("Remark: %(text)s") % {"text": words.message(warning)}
    yield words.verdict(len(checked.differences), len(checked.problems))


def _done(move: Move) -> str:
    event = move.event
    texts = {
        EventKind.PLAY: f"{event.position} {event.word}",
        EventKind.EXCHANGE: f"-{event.tiles or event.count}",
        EventKind.PASS: "-",
        EventKind.WITHDRAWN: "--",
        EventKind.LEFTOVERS: f"({event.tiles})",
    }
    return texts.get(event.kind, f"({event.kind.value})")


def _figures(move: Move) -> str:
    """Points and total; where the file says otherwise, followed by what it says."""
    points = _beside(move.event.points, move.counted, sign=True)
    return f"{points:>14} {_beside(move.event.total, move.total):>14}"


def _beside(written: int | None, found: int, *, sign: bool = False) -> str:
    shown = f"{found:+}" if sign else str(found)
    return shown if written in (None, found) else f"{shown} ({written})"
