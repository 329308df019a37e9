"""What is wrong with a GCG file, in sentences that quote it."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.gcg.checking import ScoreDifference
from games.gcg.values import Code, Problem
from scoring.board import Fault
from scoring.letters import LetterSet
from scoring.plays import Misread
from tournament.words.clauses import before_stop

Text = str | Promise

MESSAGES: Mapping[Code, Text] = {
    Code.EMPTY: gettext_lazy("The file is empty."),
    Code.TOO_LARGE: gettext_lazy("The file has %(size)s bytes; a game has %(limit)s at most."),
    Code.TOO_MANY_LINES: gettext_lazy("The file has %(found)s lines; at most %(limit)s are read."),
    Code.TOO_MANY_PLAYERS: gettext_lazy("%(value)s would be one player more than the %(limit)s that are read."),
    Code.TOO_MANY_MOVES: gettext_lazy("The file has more than %(limit)s moves; no game has."),
    Code.BINARY: gettext_lazy("The file is not text: it holds characters that no text has."),
    Code.NOT_GCG: gettext_lazy(
        "The file is not an annotated game (GCG): no line begins with “>nick:” or “#player1 nick Full Name”."
    ),
    Code.OTHER_LETTERS: gettext_lazy(
        "The game was played with other tiles (“%(value)s”); known: %(known)s. "
        "Choose one of them to check it all the same."
    ),
    Code.OTHER_BOARD: gettext_lazy("The game was played on another board (“%(value)s”)."),
    Code.NOT_TWO: gettext_lazy("A score sheet is for two players; the file has %(found)s."),
    Code.UNREADABLE_LINE: gettext_lazy("“%(value)s” is not a line of GCG."),
    Code.NICK_MISSING: gettext_lazy("“%(value)s” names no player."),
    Code.WORD_MISSING: gettext_lazy("There is no word after the position %(value)s."),
    Code.DIGRAPH: gettext_lazy("“%(value)s” has a tile with several letters in brackets; no known set has such tiles."),
    Code.BAD_NUMBER: gettext_lazy("“%(value)s” is not a number of points."),
    Code.SCORE_MISSING: gettext_lazy("No points are written."),
    Code.WRONG_ENCODING: gettext_lazy("The file says that it is written in %(value)s, but it is %(used)s."),
    Code.UNKNOWN_ENCODING: gettext_lazy("The encoding “%(value)s” is not known; it was read as %(used)s."),
    Code.PLAYER_TWICE: gettext_lazy("The nick “%(value)s” is there twice."),
    Code.UNKNOWN_PLAYER: gettext_lazy("“%(nick)s” is not one of the players (%(known)s)."),
    Code.OUT_OF_TURN: gettext_lazy("%(nick)s moves, but it is %(due)s’s turn."),
    Code.AFTER_THE_END: gettext_lazy("%(nick)s moves after the tiles left were settled."),
    Code.NOTHING_TO_WITHDRAW: gettext_lazy("%(nick)s withdraws a play, but the turn before was not a play."),
    Code.NOT_OWN_PLAY: gettext_lazy("This is about %(owner)s’s play, but the line says %(nick)s."),
    Code.NOT_ON_RACK: gettext_lazy("%(tiles)s is not on the rack %(rack)s."),
    Code.RACK_TOO_LONG: gettext_lazy("The rack %(rack)s has more than %(limit)s tiles."),
    Code.RACK_USED_UP: gettext_lazy("The rack %(rack)s has tiles that are all on the board already: %(tiles)s."),
    Code.WORD_DIFFERS: gettext_lazy("“%(value)s” runs on over tiles that lie there: it is %(word)s."),
    Code.BAG_TOO_SMALL: gettext_lazy("An exchange with %(found)s tiles in the bag; most rules ask for %(needed)s."),
    Code.CHALLENGE_WITHOUT_PLAY: gettext_lazy(
        "%(nick)s has points for a challenge, but the turn before was not a play."
    ),
    Code.CHALLENGE_POINTS: gettext_lazy("%(points)s points for a challenge: no rules have such a figure."),
    Code.TIME_ADDS: gettext_lazy("A penalty takes points off; this line adds %(points)s."),
    Code.OTHER_LEFTOVERS: gettext_lazy("%(tiles)s are said to be left; it is %(left)s."),
    Code.LOSS_MISSING: gettext_lazy(
        "%(nick)s gains the %(points)s points that are left, but no line takes them off the other player."
    ),
}

BAD_PLAYS: Mapping[Misread, Text] = {
    Misread.POSITION: gettext_lazy("“%(value)s”: %(part)s is not a square; 8H (across) and H8 (down) are."),
    Misread.WORD_MISSING: gettext_lazy("“%(value)s” has no word."),
    Misread.TOO_LONG: gettext_lazy("“%(value)s” is longer than any row of the board."),
    Misread.LETTER: gettext_lazy("“%(value)s”: “%(part)s” is not a letter."),
    Misread.BRACKETS: gettext_lazy("“%(value)s” has a bracket without its partner."),
    Misread.SHARP_S: gettext_lazy("“%(value)s”: there is no tile for ß, and a blank may not stand for it."),
}

FAULTS: Mapping[Fault, Text] = {
    Fault.OFF_BOARD: gettext_lazy("%(value)s runs off the board at %(square)s."),
    Fault.GAP: gettext_lazy("%(value)s: nothing lies on %(square)s yet."),
    Fault.TAKEN: gettext_lazy("%(value)s: %(lying)s lies on %(square)s, not %(letter)s."),
    Fault.NO_NEW_TILE: gettext_lazy("%(value)s lays no new tile."),
    Fault.TOO_MANY: gettext_lazy("%(value)s lays %(found)s tiles; a rack holds %(needed)s."),
    Fault.CENTRE_MISSED: gettext_lazy("%(value)s: the first play must cover the centre, %(square)s."),
    Fault.ONE_TILE: gettext_lazy("%(value)s: the first play has at least two tiles."),
    Fault.NOT_JOINED: gettext_lazy("%(value)s touches nothing on the board."),
    Fault.NOT_IN_SET: gettext_lazy("%(value)s: the letter set has no %(letter)s."),
    Fault.USED_UP: gettext_lazy("%(value)s: that would be %(letter)s number %(found)s; the set has %(needed)s."),
    Fault.NOT_ON_RACK: gettext_lazy(
        "%(value)s: %(letter)s is not on the rack %(rack)s (needed %(needed)s, there %(found)s)."
    ),
}


LETTERS: Mapping[str, Text] = {
    "de": gettext_lazy("German tiles"),
    "nl": gettext_lazy("Dutch tiles"),
    "en": gettext_lazy("English tiles"),
}


def letters_name(letters: LetterSet) -> str:
    """What the tiles of a set are called."""
    return str(LETTERS[letters.key])


def message(problem: Problem) -> str:
    """The sentence, with the line where there is one."""
    text = _sentence(problem)
    return _("Line %(line)s: %(text)s") % {"line": problem.line, "text": text} if problem.line else text


def _sentence(problem: Problem) -> str:
    figures = problem.figures
    if problem.code is Code.UNPLAYABLE:
        template = FAULTS[Fault(str(figures["fault"]))]
    elif problem.code is Code.BAD_PLAY:
        template = BAD_PLAYS[Misread(str(figures["reason"]))]
    else:
        template = MESSAGES[problem.code]
    said = str(template) % figures
    return before_stop(said, str(figures["clause"])) if "clause" in figures else said


def difference(found: ScoreDifference) -> str:
    """Which figure differs, and whether it only follows from an earlier one."""
    figures = {"line": found.line, "nick": found.nick, "written": found.written, "found": found.worked_out}
    if found.what == "points":
        return _("Line %(line)s: %(nick)s’s play is written as %(written)s points; it is %(found)s.") % figures
    if found.follows:
        return _("Line %(line)s: %(nick)s’s total %(written)s becomes %(found)s.") % figures
    return _("Line %(line)s: %(nick)s’s total is written as %(written)s; it is %(found)s.") % figures


def verdict(differences: int, problems: int) -> str:
    """The result of a check in one sentence."""
    if not differences and not problems:
        return _("Everything is right.")
    first = ngettext("%(count)s figure differs", "%(count)s figures differ", differences) % {"count": differences}
    second = ngettext("%(count)s problem", "%(count)s problems", problems) % {"count": problems}
    return _("%(differences)s, %(problems)s.") % {"differences": first, "problems": second}
