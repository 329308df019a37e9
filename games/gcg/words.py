"""What is wrong with a GCG file, in sentences that quote it; and the whole check as JSON or as lines."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.gcg.checking import CheckedGame, CheckedMove, ScoreDifference
from games.gcg.values import GcgProblem, GcgProblemCode
from scoring.board import PlayFault
from scoring.plays import BadPlayReason
from tournament.core.words.figures import insert_clause

MessageText = str | Promise

MISREAD_MESSAGES: Mapping[BadPlayReason, MessageText] = {
    BadPlayReason.POSITION: _("“%(value)s”: %(part)s is not a square; write 8H (across) or H8 (down)."),
    BadPlayReason.WORD_MISSING: _("“%(value)s” has no word."),
    BadPlayReason.TOO_LONG: _("“%(value)s” is longer than a row of the board."),
    BadPlayReason.LETTER: _("“%(value)s”: “%(part)s” is not a letter."),
    BadPlayReason.BRACKETS: _("“%(value)s” has an unmatched bracket."),
    BadPlayReason.SHARP_S: _("“%(value)s”: there is no tile for ß, and a blank cannot stand for it."),
}

BOARD_FAULT_MESSAGES: Mapping[PlayFault, MessageText] = {
    PlayFault.OFF_BOARD: _("%(value)s runs off the board at %(square)s."),
    PlayFault.GAP: _("%(value)s: there is nothing on %(square)s yet."),
    PlayFault.TAKEN: _("%(value)s: %(square)s has %(lying)s, not %(letter)s."),
    PlayFault.NO_NEW_TILE: _("%(value)s lays no new tile."),
    PlayFault.TOO_MANY: _("%(value)s lays %(found)s tiles; a rack holds %(needed)s."),
    PlayFault.CENTRE_MISSED: _("%(value)s: the first play must cover the centre, %(square)s."),
    PlayFault.ONE_TILE: _("%(value)s: the first play needs at least two tiles."),
    PlayFault.NOT_JOINED: _("%(value)s touches nothing on the board."),
    PlayFault.NOT_IN_SET: _("%(value)s: the letter set has no %(letter)s."),
    PlayFault.USED_UP: _("%(value)s: that would be %(letter)s number %(found)s; the set has %(needed)s."),
    PlayFault.NOT_ON_RACK: _("%(value)s: the rack %(rack)s lacks %(letter)s (needed %(needed)s, there %(found)s)."),
}

TILE_SET_NAMES: Mapping[str, MessageText] = {"de": _("German tiles"), "nl": _("Dutch tiles"), "en": _("English tiles")}


def describe_gcg_problem(problem: GcgProblem) -> str:
    """The sentence, with the line where there is one."""
    figures = problem.figures
    if problem.code is GcgProblemCode.UNPLAYABLE:
        template = BOARD_FAULT_MESSAGES[PlayFault(str(figures["fault"]))]
    elif problem.code is GcgProblemCode.BAD_PLAY:
        template = MISREAD_MESSAGES[BadPlayReason(str(figures["reason"]))]
    else:
        template = problem.code.label
    sentence = str(template) % figures
    text = insert_clause(sentence, str(figures["clause"])) if "clause" in figures else sentence
    return gettext("Line %(line)s: %(text)s") % {"line": problem.line, "text": text} if problem.line else text


def describe_score_difference(found: ScoreDifference) -> str:
    """Which figure differs, and whether it only follows from an earlier one."""
    figures = {"line": found.line, "nick": found.nick, "written": found.written, "found": found.worked_out}
    if found.what == "points":
        return gettext("Line %(line)s: %(nick)s’s play has %(written)s in the file; it should be %(found)s.") % figures
    if found.follows:
        return gettext("Line %(line)s: %(nick)s’s total %(written)s becomes %(found)s.") % figures
    return gettext("Line %(line)s: the file gives %(nick)s’s total as %(written)s; it should be %(found)s.") % figures


def describe_check_result(differences: int, problems: int) -> str:
    """The result of a check in one sentence."""
    if not differences and not problems:
        return gettext("Everything is right.")
    first = ngettext("%(count)s figure differs", "%(count)s figures differ", differences) % {"count": differences}
    second = ngettext("%(count)s problem", "%(count)s problems", problems) % {"count": problems}
    return gettext("%(differences)s, %(problems)s.") % {"differences": first, "problems": second}


def make_gcg_check_json(checked: CheckedGame) -> dict[str, Any]:
    """The whole check as one JSON value, for `check_gcg`; docs/formats.md names its keys."""
    game = checked.game
    return {
        "letters": checked.letters.key,
        "encoding": game.encoding,
        "players": [{"nick": player.nick, "name": player.name} for player in game.players],
        "moves": [_make_move_json(move) for move in checked.moves],
        "final": dict(checked.final),
        "differences": [
            {**asdict(difference), "message": describe_score_difference(difference)}
            for difference in checked.differences
        ],
        "problems": [_make_problem_json(problem) for problem in checked.problems],
        "warnings": [_make_problem_json(warning) for warning in checked.warnings],
    }


def _make_move_json(move: CheckedMove) -> dict[str, Any]:
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


def _make_problem_json(found: GcgProblem) -> dict[str, Any]:
    # Of a play that cannot be laid, what is wrong with it: “unplayable” alone tells a program nothing.
    code = str(found.figures.get("fault", found.code.value))
    return {"line": found.line, "code": code, "message": describe_gcg_problem(found)}


def format_gcg_check_lines(checked: CheckedGame) -> Iterator[str]:
    """The check as lines for the terminal: the moves as a table, the final scores, and everything that is wrong."""
    width = max((len(nick) for nick in checked.final), default=0)
    for move in checked.moves:
        event = move.event
        points, total = _format_figure(event.points, move.counted, "+"), _format_figure(event.total, move.total)
        yield f"{event.line:>4}  {event.nick:<{width}}  {event.action:<26} {points:>14} {total:>14}".rstrip()
    yield ""
    for nick, final in checked.final.items():
        yield f"      {nick:<{width}}  {final}"
    yield ""
    yield from (describe_score_difference(difference) for difference in checked.differences)
    yield from (describe_gcg_problem(problem) for problem in checked.problems)
    for warning in checked.warnings:
        yield gettext("Remark: %(text)s") % {"text": describe_gcg_problem(warning)}
    yield describe_check_result(len(checked.differences), len(checked.problems))


def _format_figure(written: int | None, found: int, sign: str = "") -> str:
    """A figure; where the file says otherwise, followed by what it says."""
    return f"{found:{sign}}" if written in (None, found) else f"{found:{sign}} ({written})"
