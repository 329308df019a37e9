"""What is wrong with a GCG file, in sentences that quote it."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.gcg.checking import CheckedGame, CheckedMove, ScoreDifference
from games.gcg.values import GcgEventKind, GcgProblem, GcgProblemCode
from scoring.board import PlayFault
from scoring.letters import LetterSet
from scoring.plays import BadPlayReason
from tournament.core.words.figures import insert_clause

MessageText = str | Promise

PROBLEM_MESSAGES: Mapping[GcgProblemCode, MessageText] = {
    GcgProblemCode.EMPTY: gettext_lazy("The file is empty."),
    GcgProblemCode.TOO_LARGE: gettext_lazy("The file has %(size)s bytes; a game has %(limit)s at most."),
    GcgProblemCode.TOO_MANY_LINES: gettext_lazy("The file has %(found)s lines; at most %(limit)s are read."),
    GcgProblemCode.TOO_MANY_PLAYERS: gettext_lazy(
        "%(value)s would be one player more than the %(limit)s that are read."
    ),
    GcgProblemCode.TOO_MANY_MOVES: gettext_lazy("The file has more than %(limit)s moves; no game has."),
    GcgProblemCode.BINARY: gettext_lazy("The file is not text: it holds characters that no text has."),
    GcgProblemCode.NOT_GCG: gettext_lazy(
        "The file is not an annotated game (GCG): no line begins with “>nick:” or “#player1 nick Full Name”."
    ),
    GcgProblemCode.OTHER_LETTERS: gettext_lazy(
        "The game was played with other tiles (“%(value)s”); known: %(known)s. "
        "Choose one of them to check it all the same."
    ),
    GcgProblemCode.OTHER_BOARD: gettext_lazy("The game was played on another board (“%(value)s”)."),
    GcgProblemCode.NOT_TWO: gettext_lazy("A score sheet is for two players; the file has %(found)s."),
    GcgProblemCode.UNREADABLE_LINE: gettext_lazy("“%(value)s” is not a line of GCG."),
    GcgProblemCode.NICK_MISSING: gettext_lazy("“%(value)s” names no player."),
    GcgProblemCode.WORD_MISSING: gettext_lazy("There is no word after the position %(value)s."),
    GcgProblemCode.DIGRAPH: gettext_lazy(
        "“%(value)s” has a tile with several letters in brackets; no known set has such tiles."
    ),
    GcgProblemCode.BAD_NUMBER: gettext_lazy("“%(value)s” is not a number of points."),
    GcgProblemCode.SCORE_MISSING: gettext_lazy("No points are written."),
    GcgProblemCode.WRONG_ENCODING: gettext_lazy("The file says that it is written in %(value)s, but it is %(used)s."),
    GcgProblemCode.UNKNOWN_ENCODING: gettext_lazy("The encoding “%(value)s” is not known; it was read as %(used)s."),
    GcgProblemCode.PLAYER_TWICE: gettext_lazy("The nick “%(value)s” is there twice."),
    GcgProblemCode.UNKNOWN_PLAYER: gettext_lazy("“%(nick)s” is not one of the players (%(known)s)."),
    GcgProblemCode.OUT_OF_TURN: gettext_lazy("%(nick)s moves, but it is %(due)s’s turn."),
    GcgProblemCode.AFTER_THE_END: gettext_lazy("%(nick)s moves after the tiles left were settled."),
    GcgProblemCode.NOTHING_TO_WITHDRAW: gettext_lazy("%(nick)s withdraws a play, but the turn before was not a play."),
    GcgProblemCode.NOT_OWN_PLAY: gettext_lazy("This is about %(owner)s’s play, but the line says %(nick)s."),
    GcgProblemCode.NOT_ON_RACK: gettext_lazy("%(tiles)s is not on the rack %(rack)s."),
    GcgProblemCode.RACK_TOO_LONG: gettext_lazy("The rack %(rack)s has more than %(limit)s tiles."),
    GcgProblemCode.RACK_USED_UP: gettext_lazy(
        "The rack %(rack)s has tiles that are all on the board already: %(tiles)s."
    ),
    GcgProblemCode.WORD_DIFFERS: gettext_lazy("“%(value)s” runs on over tiles that lie there: it is %(word)s."),
    GcgProblemCode.BAG_TOO_SMALL: gettext_lazy(
        "An exchange with %(found)s tiles in the bag; most rules ask for %(needed)s."
    ),
    GcgProblemCode.CHALLENGE_WITHOUT_PLAY: gettext_lazy(
        "%(nick)s has points for a challenge, but the turn before was not a play."
    ),
    GcgProblemCode.CHALLENGE_POINTS: gettext_lazy("%(points)s points for a challenge: no rules have such a figure."),
    GcgProblemCode.TIME_ADDS: gettext_lazy("A penalty takes points off; this line adds %(points)s."),
    GcgProblemCode.OTHER_LEFTOVERS: gettext_lazy("%(tiles)s are said to be left; it is %(left)s."),
    GcgProblemCode.LOSS_MISSING: gettext_lazy(
        "%(nick)s gains the %(points)s points that are left, but no line takes them off the other player."
    ),
}

MISREAD_MESSAGES: Mapping[BadPlayReason, MessageText] = {
    BadPlayReason.POSITION: gettext_lazy("“%(value)s”: %(part)s is not a square; 8H (across) and H8 (down) are."),
    BadPlayReason.WORD_MISSING: gettext_lazy("“%(value)s” has no word."),
    BadPlayReason.TOO_LONG: gettext_lazy("“%(value)s” is longer than any row of the board."),
    BadPlayReason.LETTER: gettext_lazy("“%(value)s”: “%(part)s” is not a letter."),
    BadPlayReason.BRACKETS: gettext_lazy("“%(value)s” has a bracket without its partner."),
    BadPlayReason.SHARP_S: gettext_lazy("“%(value)s”: there is no tile for ß, and a blank may not stand for it."),
}

BOARD_FAULT_MESSAGES: Mapping[PlayFault, MessageText] = {
    PlayFault.OFF_BOARD: gettext_lazy("%(value)s runs off the board at %(square)s."),
    PlayFault.GAP: gettext_lazy("%(value)s: nothing lies on %(square)s yet."),
    PlayFault.TAKEN: gettext_lazy("%(value)s: %(lying)s lies on %(square)s, not %(letter)s."),
    PlayFault.NO_NEW_TILE: gettext_lazy("%(value)s lays no new tile."),
    PlayFault.TOO_MANY: gettext_lazy("%(value)s lays %(found)s tiles; a rack holds %(needed)s."),
    PlayFault.CENTRE_MISSED: gettext_lazy("%(value)s: the first play must cover the centre, %(square)s."),
    PlayFault.ONE_TILE: gettext_lazy("%(value)s: the first play has at least two tiles."),
    PlayFault.NOT_JOINED: gettext_lazy("%(value)s touches nothing on the board."),
    PlayFault.NOT_IN_SET: gettext_lazy("%(value)s: the letter set has no %(letter)s."),
    PlayFault.USED_UP: gettext_lazy("%(value)s: that would be %(letter)s number %(found)s; the set has %(needed)s."),
    PlayFault.NOT_ON_RACK: gettext_lazy(
        "%(value)s: %(letter)s is not on the rack %(rack)s (needed %(needed)s, there %(found)s)."
    ),
}


TILE_SET_NAMES: Mapping[str, MessageText] = {
    "de": gettext_lazy("German tiles"),
    "nl": gettext_lazy("Dutch tiles"),
    "en": gettext_lazy("English tiles"),
}


def get_tile_set_name(letters: LetterSet) -> str:
    """What the tiles of a set are called."""
    return str(TILE_SET_NAMES[letters.key])


def describe_gcg_problem(problem: GcgProblem) -> str:
    """The sentence, with the line where there is one."""
    text = _format_sentence(problem)
    return _("Line %(line)s: %(text)s") % {"line": problem.line, "text": text} if problem.line else text


def _format_sentence(problem: GcgProblem) -> str:
    figures = problem.figures
    if problem.code is GcgProblemCode.UNPLAYABLE:
        template = BOARD_FAULT_MESSAGES[PlayFault(str(figures["fault"]))]
    elif problem.code is GcgProblemCode.BAD_PLAY:
        template = MISREAD_MESSAGES[BadPlayReason(str(figures["reason"]))]
    else:
        template = PROBLEM_MESSAGES[problem.code]
    said = str(template) % figures
    return insert_clause(said, str(figures["clause"])) if "clause" in figures else said


def describe_score_difference(found: ScoreDifference) -> str:
    """Which figure differs, and whether it only follows from an earlier one."""
    figures = {"line": found.line, "nick": found.nick, "written": found.written, "found": found.worked_out}
    if found.what == "points":
        return _("Line %(line)s: %(nick)s’s play is written as %(written)s points; it is %(found)s.") % figures
    if found.follows:
        return _("Line %(line)s: %(nick)s’s total %(written)s becomes %(found)s.") % figures
    return _("Line %(line)s: %(nick)s’s total is written as %(written)s; it is %(found)s.") % figures


def describe_check_result(differences: int, problems: int) -> str:
    """The result of a check in one sentence."""
    if not differences and not problems:
        return _("Everything is right.")
    first = ngettext("%(count)s figure differs", "%(count)s figures differ", differences) % {"count": differences}
    second = ngettext("%(count)s problem", "%(count)s problems", problems) % {"count": problems}
    return _("%(differences)s, %(problems)s.") % {"differences": first, "problems": second}


# What `check_gcg` prints of a game: one JSON value, or lines for the terminal.


def make_gcg_check_json(checked: CheckedGame) -> dict[str, Any]:
    """The whole check as one value; docs/formats.md names its keys."""
    game = checked.game
    return {
        "letters": checked.letters.key,
        "encoding": game.encoding,
        "players": [{"nick": player.nick, "name": player.name} for player in game.players],
        "moves": [_make_move_json(move) for move in checked.moves],
        "final": dict(checked.final),
        "differences": [_make_difference_json(found) for found in checked.differences],
        "problems": [_make_problem_json(found) for found in checked.problems],
        "warnings": [_make_problem_json(found) for found in checked.warnings],
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


def _make_difference_json(found: ScoreDifference) -> dict[str, Any]:
    return {
        "line": found.line,
        "nick": found.nick,
        "what": found.what,
        "written": found.written,
        "worked_out": found.worked_out,
        "follows": found.follows,
        "message": describe_score_difference(found),
    }


def _make_problem_json(found: GcgProblem) -> dict[str, Any]:
    code = str(found.figures.get("fault", found.code.value))
    return {"line": found.line, "code": code, "message": describe_gcg_problem(found)}


def format_gcg_check_lines(checked: CheckedGame) -> Iterator[str]:
    """The moves as a table, the final scores, and everything that is wrong."""
    width = max((len(nick) for nick in checked.final), default=0)
    for move in checked.moves:
        who = f"{move.event.line:>4}  {move.event.nick:<{width}}"
        yield f"{who}  {_format_action(move):<26} {_format_figures(move)}".rstrip()
    yield ""
    for nick, points in checked.final.items():
        yield f"      {nick:<{width}}  {points}"
    yield ""
    yield from (describe_score_difference(found) for found in checked.differences)
    yield from (describe_gcg_problem(found) for found in checked.problems)
    for warning in checked.warnings:
        yield _("Remark: %(text)s") % {"text": describe_gcg_problem(warning)}
    yield describe_check_result(len(checked.differences), len(checked.problems))


def _format_action(move: CheckedMove) -> str:
    event = move.event
    texts = {
        GcgEventKind.PLAY: f"{event.position} {event.word}",
        GcgEventKind.EXCHANGE: f"-{event.tiles or event.count}",
        GcgEventKind.PASS: "-",
        GcgEventKind.WITHDRAWN: "--",
        GcgEventKind.LEFTOVERS: f"({event.tiles})",
    }
    return texts.get(event.kind, f"({event.kind.value})")


def _format_figures(move: CheckedMove) -> str:
    """Points and total; where the file says otherwise, followed by what it says."""
    points = _format_figure(move.event.points, move.counted, sign=True)
    return f"{points:>14} {_format_figure(move.event.total, move.total):>14}"


def _format_figure(written: int | None, found: int, *, sign: bool = False) -> str:
    shown = f"{found:+}" if sign else str(found)
    return shown if written in (None, found) else f"{shown} ({written})"
