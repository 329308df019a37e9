"""Draws in words: obstacles and notes; each states its figures and nothing else."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.basics.names import format_spoken_name
from tournament.core.words.figures import NO_FIGURE, format_list
from tournament.models import Pairing, Round
from tournament.pairing.values import ClaimCondition, DrawRule, NoteCode, Obstacle, PairFlag, ReasonCode

NamesByKey = Mapping[int, str]  # the players' names by the keys of a draw

REASONS_KNOWN = gettext_lazy("Ranks, wins and games as they were when the round was drawn or last changed.")
"""What stands beside reasons wherever they are read: a correction does not change them."""


def describe_due_day(day: date) -> str:
    """By when a round is played."""
    return _("to be played by %(day)s") % {"day": date_format(day, "DATE_FORMAT")}


# A draw as a whole: what stands in its way, and what the director should know of it.


def describe_obstacles(found: Iterable[Obstacle], players: NamesByKey) -> str:
    """Which rules are in the way, whom they concern and what relaxing them would give, one sentence each."""
    # Within the function: `_` translates at once, and every reader has a language of their own.
    words = {
        DrawRule.DUPLICATE_KEY: _("%(who)s is listed twice."),
        DrawRule.DUPLICATE_RANK: _("Rank %(figure)s is given twice: %(who)s."),
        DrawRule.UNKNOWN_PLAYER: _("A pair names somebody who does not take part: %(who)s."),
        DrawRule.PLAYER_TWICE: _("%(who)s is set twice in this round."),
        DrawRule.AGAINST_ONESELF: _("%(who)s cannot play against themselves."),
        DrawRule.HISTORY_BEFORE: _("This round or a later one already has games: round %(figure)s."),
        DrawRule.HISTORY_TWICE: _("%(who)s is in round %(figure)s twice."),
        DrawRule.ROUND_NUMBER: _("Round %(figure)s is not a valid round."),
        DrawRule.FACTOR: _("The factor %(figure)s does not work for this number of players."),
        DrawRule.SEGMENT: _("The plan does not say which rounds the schedule fills."),
        DrawRule.TABLE: _("Table %(figure)s is asked for twice: %(who)s."),
        DrawRule.BYE_NOT_NAMED: _(
            "The number of players is odd and byes are given by hand: choose who gets the bye. The program would give "
            "it to %(by)s."
        ),
    }
    sentences = []
    for obstacle in found:
        who, by = ("; ".join(players.get(key, NO_FIGURE) for key in keys) for keys in (obstacle.keys, obstacle.relaxed))
        sentences.append(words[obstacle.rule] % {"who": who, "figure": obstacle.figure, "by": by})
    return " ".join(sentences)


def describe_draw_notes(round: Round, players: NamesByKey) -> list[str]:
    """The notes on the draw as a whole, each in a sentence; none on players who are no longer entered. `players` names
    everybody of the division: a schedule also seats those who miss the round."""
    noted = (note for note in round.notes if not note["keys"] or players.keys() & {*note["keys"]})
    return [describe_draw_note(note, players) for note in noted]


def describe_draw_note(stored: Mapping[str, Any], players: NamesByKey) -> str:
    """A note on the draw as a whole (`Round.notes`), in a sentence."""
    words = {
        NoteCode.FORBIDDEN_USED: _(
            "To be kept apart, but they meet: %(who)s. There is no pairing without two who are to be kept "
            "apart%(unless)s."
        ),
        NoteCode.FORBIDDEN: _("To be kept apart, but they meet: %(who)s."),
        NoteCode.REPEATS_NEEDED: _("They meet again: %(who)s. There is no pairing without a repeat%(unless)s."),
        NoteCode.REPEATS: _("They meet again: %(who)s."),
        NoteCode.SECOND_BYE_NEEDED: _("Everybody who is there has had a bye. Another one for: %(who)s."),
        NoteCode.SECOND_BYE: _("Another bye for: %(who)s."),
        NoteCode.NOT_IN_SCHEDULE: _("The schedule was drawn without %(who)s."),
        NoteCode.TAKES_BYE: _("A free place of the schedule goes to %(who)s."),
        NoteCode.ROUNDS_NEEDED: _(
            "Until everybody has met everybody, all play all takes at least %(figure)s rounds; the plan gives it fewer."
        ),
        NoteCode.LOOKED_AHEAD: _(
            "Looked ahead: paired for this round alone, avoidable repeats or further byes would be needed by round "
            "%(figure)s. Paired differently for that reason: %(who)s."
        ),
        NoteCode.NOT_SEARCHED: _(
            "It was not fully worked out whether the rounds up to round %(figure)s need fewer repeats."
        ),
        NoteCode.TABLE_TAKEN: _("Table %(figure)s is needed by several who do not meet: %(who)s. One pair gets it."),
        NoteCode.TABLES_DIFFER: _("%(who)s need different tables; they get table %(figure)s."),
        NoteCode.TABLES_SHORT: _("The division’s own tables do not suffice. At other tables of the hall: %(who)s."),
    }
    code = NoteCode(stored["code"])
    sentences = [format_spoken_name(players[key]) for key in stored["keys"] if key in players]
    if code in (NoteCode.FORBIDDEN_USED, NoteCode.FORBIDDEN, NoteCode.REPEATS_NEEDED, NoteCode.REPEATS):
        sentences = [" – ".join(both) for both in zip(sentences[::2], sentences[1::2], strict=False)]
    unless = _describe_conditions([ClaimCondition(condition) for condition in stored["unless"]])
    return words[code] % {"who": "; ".join(sentences), "figure": stored["figure"], "unless": unless}


def _describe_conditions(given_up: Iterable[ClaimCondition]) -> str:
    """The conditions each of which alone would make another pairing possible, as the end of a sentence; empty without
    any."""
    words = {
        ClaimCondition.KEPT_APART: _("two who are to be kept apart met"),
        ClaimCondition.SECOND_BYE: _("somebody got another bye"),
        ClaimCondition.LOCKED: _("the pairs set by the director were given up"),
    }
    ways = [words[condition] for condition in given_up]
    return _(", unless %(ways)s") % {"ways": _(" or ").join(ways)} if ways else ""


def get_flag_name(flag: str) -> str:
    """The name of a flag, as a chip shows it."""
    names = {
        PairFlag.REPEAT: _("met before"),
        PairFlag.FLOAT: _("different scores"),
        PairFlag.SAME_CLUB: _("same club"),
        PairFlag.THIRD_START_IN_ROW: _("third start in a row"),
        PairFlag.SECOND_BYE: _("another bye"),
        PairFlag.FORBIDDEN: _("to be kept apart"),
        PairFlag.LOCKED: _("locked"),
        PairFlag.MANUAL: _("changed by hand"),
        PairFlag.CONTENDER: _("for a prize"),
    }
    return names[PairFlag(flag)]


def format_mark(flag: str, pairing: Pairing) -> str:
    """The text of a flag's mark in a draft; a repeat names the rounds before."""
    repeat = pairing.reason(ReasonCode.REPEAT)
    if flag != PairFlag.REPEAT or repeat is None:
        return get_flag_name(flag)
    return _("met in round %(rounds)s") % {"rounds": format_list([str(number) for number in repeat["rounds"]])}


WARNING_FLAGS = frozenset(
    {PairFlag.REPEAT, PairFlag.SAME_CLUB, PairFlag.THIRD_START_IN_ROW, PairFlag.SECOND_BYE, PairFlag.FORBIDDEN}
)
"""The flags that the director should look at before publishing."""


def is_warning_flag(flag: str, round: Round) -> bool:
    """Whether a flag is a warning in this round: a repeat is not where the plan allows repeats."""
    # Where opponents may meet again only after some rounds, two that do are worth a look.
    return flag in WARNING_FLAGS and not (flag == PairFlag.REPEAT and round.repeats and not round.repeats_after)


def speak_name(key: int, players: NamesByKey) -> str:
    """The player's name as a sentence has it."""
    return format_spoken_name(players.get(key, NO_FIGURE))
