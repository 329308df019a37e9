"""A draw as a whole in words: what stands in its way, and what the director should know of it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from tournament import names
from tournament.pairing import values
from tournament.pairing.values import NoteCode, Unless
from tournament.words.figures import NOTHING

Names = Mapping[int, str]
"""The players' names by the keys of a draw."""


def obstacles(found: Iterable[values.Obstacle], players: Names) -> str:
    """Which rules are in the way, whom they concern and what relaxing them would give, one sentence each."""
    return " ".join(_obstacle(obstacle, players) for obstacle in found)


def _obstacle(obstacle: values.Obstacle, players: Names) -> str:
    words = {
        values.Rule.DUPLICATE_KEY: _("%(who)s is listed twice."),
        values.Rule.DUPLICATE_RANK: _("Rank %(figure)s is given twice: %(who)s."),
        values.Rule.UNKNOWN_PLAYER: _("A pair names somebody who does not take part: %(who)s."),
        values.Rule.PLAYER_TWICE: _("%(who)s is set twice in this round."),
        values.Rule.AGAINST_ONESELF: _("%(who)s cannot play against themselves."),
        values.Rule.HISTORY_BEFORE: _("There are games of this round or a later one already: round %(figure)s."),
        values.Rule.HISTORY_TWICE: _("%(who)s is in round %(figure)s twice."),
        values.Rule.ROUND_NUMBER: _("Round %(figure)s is not a possible round."),
        values.Rule.FACTOR: _("The factor %(figure)s is not possible for so many players."),
        values.Rule.EXTRA_BYES: _("%(figure)s byes are more than there are players."),
        values.Rule.SEGMENT: _("The plan does not say which rounds the schedule fills."),
        values.Rule.TABLE: _("Table %(figure)s is asked for twice: %(who)s."),
        values.Rule.BYE_NOT_NAMED: _(
            "The number of players is odd and byes are given by hand: say who gets it. The program would give it to "
            "%(by)s."
        ),
    }[obstacle.rule]
    return words % {
        "who": "; ".join(players.get(key, NOTHING) for key in obstacle.keys),
        "figure": obstacle.figure,
        "by": "; ".join(players.get(key, NOTHING) for key in obstacle.relaxed),
    }


def note(stored: Mapping[str, Any], players: Names) -> str:
    """A note on the draw as a whole (`Round.notes`), in a sentence."""
    code = NoteCode(stored["code"])
    words = _note_words()[code]
    in_pairs = code in (NoteCode.FORBIDDEN_USED, NoteCode.FORBIDDEN, NoteCode.REPEATS_NEEDED, NoteCode.REPEATS)
    said = [names.spoken(players.get(key, NOTHING)) for key in stored["keys"]]
    unless = _unless([Unless(each) for each in stored["unless"]])
    return words % {"who": "; ".join(_pairs(said) if in_pairs else said), "figure": stored["figure"], "unless": unless}


def _note_words() -> dict[NoteCode, str]:
    return {
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
            "Looked ahead: paired for this round alone, repeats or further byes would be needed by round %(figure)s "
            "that can be avoided. Paired otherwise for that: %(who)s."
        ),
        NoteCode.NOT_SEARCHED: _(
            "Whether the rounds up to round %(figure)s could do with fewer repeats was not worked out to the end."
        ),
        NoteCode.TABLE_TAKEN: _("Table %(figure)s is needed by several who do not meet: %(who)s. One pair gets it."),
        NoteCode.TABLES_DIFFER: _("%(who)s need different tables; they get table %(figure)s."),
    }


def _pairs(said: Sequence[str]) -> list[str]:
    return [" – ".join(both) for both in zip(said[::2], said[1::2], strict=False)]


def _unless(given_up: Iterable[Unless]) -> str:
    """What each by itself would make another pairing possible: the end of a sentence, or nothing."""
    words = {
        Unless.KEPT_APART: _("two who are to be kept apart met"),
        Unless.SECOND_BYE: _("somebody got another bye"),
        Unless.LOCKED: _("the pairs set by the director were given up"),
    }
    ways = [words[each] for each in given_up]
    return _(", unless %(ways)s") % {"ways": _(" or ").join(ways)} if ways else ""
