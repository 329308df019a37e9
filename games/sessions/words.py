"""What pages say of a duplicate session: why a slip scores nothing, why a word is laid, why the session is over."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.sheets.words import describe_placement_fault, name_tile
from scoring import board as boards
from scoring.board import Board, PlayFault
from scoring.duplicate import JudgedSlip, SessionEnding, Slip, SlipFault, TurnResult
from scoring.plays import BadPlay, Play

END_REASONS: Mapping[SessionEnding, str | Promise] = {
    SessionEnding.TURNS: gettext_lazy("all turns have been played"),
    SessionEnding.TILES: gettext_lazy("fewer than seven tiles are left"),
    SessionEnding.VOWELS: gettext_lazy("no vowel is left"),
    SessionEnding.CONSONANTS: gettext_lazy("no consonant is left"),
}

LACKING_NAMES: Mapping[SessionEnding, str | Promise] = {
    SessionEnding.VOWELS: gettext_lazy("vowel"),
    SessionEnding.CONSONANTS: gettext_lazy("consonant"),
}
"""What a draw has none of."""

SLIP_FAULT_NAMES: Mapping[SlipFault, str | Promise] = {
    SlipFault.LATE: gettext_lazy("handed in late"),
    SlipFault.BLANK: gettext_lazy("nothing written on it"),
    SlipFault.MISSING: gettext_lazy("no slip"),
    SlipFault.UNREADABLE: gettext_lazy("cannot be read"),
    SlipFault.POSITION: gettext_lazy("does not fit there"),
    SlipFault.LETTERS: gettext_lazy("letters that were not drawn"),
    SlipFault.WORD: gettext_lazy("not in the list"),
    SlipFault.CROSS_WORD: gettext_lazy("makes a word that is not in the list"),
}
"""Each fault in short; `describe_slip_fault` says it with its letters and words."""

MAX_NAMES = 4  # so many players who have the best word are named; of more, the number


def describe_session_end(stopped: str, why: SessionEnding | None) -> str:
    """Why a session is over: as the director has said, or by the rules."""
    return stopped or (str(END_REASONS[why]) if why else "")


def describe_slip_fault(judged: JudgedSlip, slip: Slip | None, before: Board, draw: str) -> str:
    """Why a slip scores nothing, as exactly as it can be said; "" if it scores."""
    if slip is not None:
        match judged.fault:
            case SlipFault.MISSING:
                return _("the position is missing") if slip.word else _("the word is missing")
            case SlipFault.UNREADABLE:
                return _describe_unreadable(slip)
            case SlipFault.POSITION:
                return _describe_position(slip, before)
            case SlipFault.LETTERS:
                return _describe_letters(slip, before, draw)
            case SlipFault.WORD | SlipFault.CROSS_WORD:
                return _describe_word(judged, slip)
    return str(SLIP_FAULT_NAMES[judged.fault]) if judged.fault else ""


def _describe_unreadable(slip: Slip) -> str:
    text = slip.position or ""
    try:
        # With a word that can be read in any case: what fails now is the position.
        Play.parse(text, "A")
    except BadPlay:
        return _("“%(text)s” is not a position: 8H is across, H8 down") % {"text": text}
    return _("“%(text)s” is no word") % {"text": slip.word}


def _describe_position(slip: Slip, before: Board) -> str:
    play = Play.parse(slip.position or "", (slip.word or "").upper())
    # These are about the letters, not the place: a slip with the wrong letters has another fault.
    ignored = (PlayFault.USED_UP, PlayFault.TOO_MANY)
    problems = [problem for problem in boards.problems(before, play) if problem.fault not in ignored]
    if problems:
        return describe_placement_fault(problems[0]).rstrip(".")
    return _("the word goes on before it or after it: the whole word counts")


def _describe_letters(slip: Slip, before: Board, draw: str) -> str:
    play = Play.parse(slip.position or "", (slip.word or "").upper())
    problems = boards.problems(before, play, rack=draw)
    lacking = [name_tile(problem.letter) for problem in problems if problem.fault is PlayFault.NOT_ON_RACK]
    if not lacking:
        return str(SLIP_FAULT_NAMES[SlipFault.LETTERS])
    message = ngettext(
        "%(letters)s was not drawn often enough", "%(letters)s were not drawn often enough", len(lacking)
    )
    return message % {"letters": ", ".join(lacking)}


def _describe_word(judged: JudgedSlip, slip: Slip) -> str:
    if slip.refused:
        return _("%(word)s is refused by the jury") % {"word": (slip.word or "").upper()}
    message = ngettext("%(words)s is not in the list", "%(words)s are not in the list", len(judged.words))
    return message % {"words": ", ".join(judged.words)}


def describe_proposal(result: TurnResult, play: Play, names: Mapping[str, str]) -> str:
    """Why this word is laid by the rules: who has the best score, and how many tiles of equal ones it takes."""
    best = [key for key, judged in result.slips.items() if judged.points == result.best]
    who = ", ".join(names[key] for key in best[:MAX_NAMES])
    if len(best) > MAX_NAMES:
        who = _("%(names)s and %(count)s more") % {"names": who, "count": len(best) - MAX_NAMES}
    plays = {str(judged.play) for key, judged in result.slips.items() if key in best}
    if len(plays) == 1:
        return _("highest score, %(points)s; by %(names)s") % {"points": result.best, "names": who}
    return _(
        "highest score, %(points)s; of the words that reach it the one with the fewest new tiles, %(count)s; by "
        "%(names)s"
    ) % {"points": result.best, "count": len(boards.new_tiles(result.before, play)), "names": who}


def describe_missing_list(title: str) -> str:
    """That the list of a session is not here, and what follows from it."""
    return _(
        "The word list “%(title)s” of this session is not loaded here, so every word counts unless the jury refuses it."
    ) % {"title": title}


def describe_early_stop(club: str, played: int, most: int) -> str:
    """That a club has played fewer turns than the others, which scored nothing for its players."""
    message = _("%(club)s has played %(played)s of %(most)s turns; the others count as 0 points.")
    return message % {"club": club, "played": played, "most": most}
