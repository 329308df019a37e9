"""What the pages of a duplicate session say: why a slip scores nothing, why a word is laid, why the session is over."""

from collections.abc import Mapping

from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.models import DuplicateSession
from games.sheets.words import letter, placement
from scoring import board as boards
from scoring.board import Board, Fault, Problem
from scoring.duplicate import Ended, Judged, Slip, SlipFault, TurnResult
from scoring.plays import BadPlay, Play
from tournament import languages

ENDED: Mapping[Ended, str | Promise] = {
    Ended.TURNS: gettext_lazy("all turns have been played"),
    Ended.TILES: gettext_lazy("fewer than seven tiles are left"),
    Ended.VOWELS: gettext_lazy("no vowel is left"),
    Ended.CONSONANTS: gettext_lazy("no consonant is left"),
}

LACKING: Mapping[Ended, str | Promise] = {
    Ended.VOWELS: gettext_lazy("vowel"),
    Ended.CONSONANTS: gettext_lazy("consonant"),
}
"""What a draw has none of."""

FAULTS: Mapping[SlipFault, str | Promise] = {
    SlipFault.LATE: gettext_lazy("handed in late"),
    SlipFault.BLANK: gettext_lazy("nothing written on it"),
    SlipFault.MISSING: gettext_lazy("no slip"),
    SlipFault.UNREADABLE: gettext_lazy("cannot be read"),
    SlipFault.POSITION: gettext_lazy("does not fit there"),
    SlipFault.LETTERS: gettext_lazy("letters that were not drawn"),
    SlipFault.WORD: gettext_lazy("not in the list"),
    SlipFault.CROSS_WORD: gettext_lazy("makes a word that is not in the list"),
}
"""Each fault in short; `fault` says it with its letters and words."""


def ended(stopped: str, why: Ended | None) -> str:
    """Why a session is over: as the director has said, or by the rules."""
    return stopped or (str(ENDED[why]) if why else "")


def fault(judged: Judged, slip: Slip | None, before: Board, draw: str) -> str:
    """Why a slip scores nothing, as exactly as it can be said; "" if it scores."""
    if judged.fault is None:
        return ""
    if slip is None or judged.fault not in _EXACTLY:
        return str(FAULTS[judged.fault])
    return _EXACTLY[judged.fault](judged, slip, before, draw)


def _missing(_judged: Judged, slip: Slip, _before: Board, _draw: str) -> str:
    return _("the place is missing") if slip.word else _("the word is missing")


def _unreadable(_judged: Judged, slip: Slip, _before: Board, _draw: str) -> str:
    text = slip.position or ""
    try:
        Play.parse(text, "A")
    except BadPlay:
        return _("“%(text)s” is no place: 8H is across, H8 down") % {"text": text}
    return _("“%(text)s” is no word") % {"text": slip.word}


def _position(_judged: Judged, slip: Slip, before: Board, _draw: str) -> str:
    play = Play.parse(slip.position or "", (slip.word or "").upper())
    ignored = (Fault.USED_UP, Fault.TOO_MANY)
    found = [each for each in boards.problems(before, play) if each.fault not in ignored]
    return problem(found[0]) if found else _("the word goes on before it or after it: the whole word counts")


def _letters(_judged: Judged, slip: Slip, before: Board, draw: str) -> str:
    play = Play.parse(slip.position or "", (slip.word or "").upper())
    problems = boards.problems(before, play, rack=draw)
    lacking = [letter(each.letter) for each in problems if each.fault is Fault.NOT_ON_RACK]
    if not lacking:
        return str(FAULTS[SlipFault.LETTERS])
    said = ngettext("%(letters)s was not drawn often enough", "%(letters)s were not drawn often enough", len(lacking))
    return said % {"letters": ", ".join(lacking)}


def _word(judged: Judged, slip: Slip, _before: Board, _draw: str) -> str:
    if slip.refused:
        return _("%(word)s is refused by the jury") % {"word": (slip.word or "").upper()}
    said = ngettext("%(words)s is not in the list", "%(words)s are not in the list", len(judged.words))
    return said % {"words": ", ".join(judged.words)}


_EXACTLY = {
    SlipFault.MISSING: _missing,
    SlipFault.UNREADABLE: _unreadable,
    SlipFault.POSITION: _position,
    SlipFault.LETTERS: _letters,
    SlipFault.WORD: _word,
    SlipFault.CROSS_WORD: _word,
}


def problem(found: Problem) -> str:
    """What is wrong with the place of a word, without the stop of its sentence."""
    return placement(found).rstrip(".")


def proposal(result: TurnResult, play: Play, names: Mapping[str, str]) -> str:
    """Why this word is laid by the rules: who has the best score, and how many tiles of equal ones it takes."""
    best = [key for key, judged in result.slips.items() if judged.points == result.best]
    who = ", ".join(names[key] for key in best[:MOST_NAMES])
    if len(best) > MOST_NAMES:
        who = _("%(names)s and %(count)s more") % {"names": who, "count": len(best) - MOST_NAMES}
    plays = {str(judged.play) for key, judged in result.slips.items() if key in best}
    if len(plays) == 1:
        return _("highest score, %(points)s; by %(names)s") % {"points": result.best, "names": who}
    return _(
        "highest score, %(points)s; of the words that reach it the one with the fewest new tiles, %(count)s; by "
        "%(names)s"
    ) % {"points": result.best, "count": len(boards.new_tiles(result.before, play)), "names": who}


MOST_NAMES = 4
"""So many players are named who have the best word; of more, the number."""


def list_missing(title: str) -> str:
    """That the list of a session is not here, and what follows from it."""
    return _(
        "The word list “%(title)s” of this session is not loaded here, so every word counts unless the jury refuses it."
    ) % {"title": title}


def fixed_beforehand(session: DuplicateSession) -> str:
    """Why the word of a turn is laid that was fixed beforehand, in the event's language: it is kept so."""
    with translation.override(languages.on_paper(session.division.tournament.language)):
        return _("Fixed beforehand in “%(name)s”") % {"name": (session.sealed or {}).get("name", "")}


def second_reading() -> str:
    """Why a slip of a closed turn scores something else after two people have read it differently."""
    return _("Second correction, read from the paper slip")


def stopped_early(club: str, played: int, most: int) -> str:
    """That a club has played fewer turns than the others, which scored nothing for its players."""
    told = {"club": club, "played": played, "most": most}
    return _("%(club)s has played %(played)s of %(most)s turns; the others count as 0 points.") % told


def state(closed: int, most: int, stopped: str, why: Ended | None) -> str:
    """How far a session has come."""
    told = {"closed": closed, "most": most, "why": ended(stopped, why)}
    if told["why"]:
        return _("Over after turn %(closed)s of %(most)s: %(why)s.") % told
    return _("After turn %(closed)s of %(most)s.") % told
