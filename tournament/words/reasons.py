"""Pairings in words: one sentence for each pair, one for each obstacle and note, in the reader's language."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.rulesets import Ruleset
from tournament.models import Pairing, Round
from tournament.pairing import values
from tournament.words.clauses import before_stop
from tournament.words.figures import halves


def flag_name(flag: str) -> str:
    """The flag as a chip says it."""
    names = {
        values.Flag.REPEAT: _("met before"),
        values.Flag.FLOAT: _("different scores"),
        values.Flag.SAME_CLUB: _("same club"),
        values.Flag.THIRD_START_IN_ROW: _("third start in a row"),
        values.Flag.SECOND_BYE: _("another bye"),
        values.Flag.FORBIDDEN: _("to be kept apart"),
        values.Flag.LOCKED: _("locked"),
        values.Flag.MANUAL: _("set by hand"),
    }
    return names[values.Flag(flag)]


WARNINGS = frozenset(
    {
        values.Flag.REPEAT,
        values.Flag.SAME_CLUB,
        values.Flag.THIRD_START_IN_ROW,
        values.Flag.SECOND_BYE,
        values.Flag.FORBIDDEN,
    }
)
"""The flags that the director should look at before publishing."""


def warns(flag: str, round: Round) -> bool:
    """Whether a flag is a warning in this round: a repeat is not where the plan allows repeats."""
    return flag in WARNINGS and not (flag == values.Flag.REPEAT and round.repeats)


def sentence(pairing: Pairing, method: str, rules: Ruleset) -> str:
    """Why these two meet, what stands out, and who starts and why. Reads the prefetched seats."""
    figures = pairing.figures
    if pairing.kind == Pairing.Kind.ABSENT:
        return before_stop(_("Absent: a loss by absence."), rules.awards.clause)
    if pairing.kind == Pairing.Kind.BYE:
        return _bye(pairing, figures)
    parts = [_meeting(pairing, method, figures), _earlier(figures), *_remarks(pairing), _starter(pairing, figures)]
    return " ".join(part for part in parts if part)


def _bye(pairing: Pairing, figures: Mapping[str, Any]) -> str:
    rank, byes = figures.get("first_rank", 0), figures.get("byes", 0)
    if values.Flag.MANUAL in pairing.flags:
        return _("Bye set by hand, rank %(rank)s.") % {"rank": rank}
    if not byes:
        return _("Bye: rank %(rank)s, no bye before.") % {"rank": rank}
    return ngettext(
        "Bye: rank %(rank)s, %(byes)s bye before, nobody has fewer.",
        "Bye: rank %(rank)s, %(byes)s byes before, nobody has fewer.",
        byes,
    ) % {"rank": rank, "byes": byes}


def _meeting(pairing: Pairing, method: str, figures: Mapping[str, Any]) -> str:
    ranks = {"first": figures.get("first_rank", 0), "second": figures.get("second_rank", 0)}
    if values.Flag.MANUAL in pairing.flags:
        return _("Set by hand: rank %(first)s meets rank %(second)s.") % ranks
    if "group" in figures and method == values.Method.GROUPS:
        return _("Group %(group)s: rank %(first)s meets rank %(second)s.") % {**ranks, "group": figures["group"]}
    if gap := figures.get("score_gap", 0):
        return ngettext(
            "Rank %(first)s meets rank %(second)s, %(wins)s win apart.",
            "Rank %(first)s meets rank %(second)s, %(wins)s wins apart.",
            1 if gap <= 2 else 2,
        ) % {**ranks, "wins": halves(gap)}
    return _("Rank %(first)s meets rank %(second)s.") % ranks


def _earlier(figures: Mapping[str, Any]) -> str:
    met = figures.get("meetings", 0)
    if not met:
        return ""
    return ngettext(
        "They have met once before, in round %(last)s.",
        "They have met %(met)s times before, the last time in round %(last)s.",
        met,
    ) % {"met": met, "last": figures.get("last_met", 0)}


def _remarks(pairing: Pairing) -> list[str]:
    said = {
        values.Flag.SAME_CLUB: _("Both belong to one club."),
        values.Flag.THIRD_START_IN_ROW: _("It is the third start in a row."),
        values.Flag.FORBIDDEN: _("They should be kept apart, but no other pairing is possible."),
    }
    return [words for flag, words in said.items() if flag in pairing.flags]


def _starter(pairing: Pairing, figures: Mapping[str, Any]) -> str:
    by = figures.get("starter_by", values.StarterBy.NOBODY)
    words = {
        values.StarterBy.FEWER_STARTS: _("%(name)s starts: fewer starts so far (%(mine)s against %(theirs)s)."),
        values.StarterBy.EVENNESS: _("%(name)s starts, so that starts and replies stay even for both."),
        values.StarterBy.REPLIED_AGAINST_EACH_OTHER: _("%(name)s starts, having replied when they last met."),
        values.StarterBy.REPLIED_WHEN_LAST_DIFFERENT: _(
            "%(name)s starts, having replied when their starts last differed."
        ),
        values.StarterBy.LOT: _("%(name)s starts by lot."),
        values.StarterBy.SCHEDULE: _("%(name)s starts by the schedule."),
        values.StarterBy.GIVEN: _("%(name)s starts as set by hand."),
        values.StarterBy.DRAWN_AT_TABLE: _("Who starts is drawn at the table."),
    }.get(values.StarterBy(by), "")
    return words % {
        "name": pairing.first.name,
        "mine": figures.get("first_starts", 0),
        "theirs": figures.get("second_starts", 0),
    }


def obstacles(found: Iterable[values.Obstacle], names: Mapping[int, str]) -> str:
    """Which rules are in the way, whom they concern and what relaxing them would give, one sentence each."""
    return " ".join(_obstacle(obstacle, names) for obstacle in found)


def _obstacle(obstacle: values.Obstacle, names: Mapping[int, str]) -> str:
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
            "The number of players is odd and byes are given by hand: say who gets it. By the table it would be %(by)s."
        ),
    }[obstacle.rule]
    return words % {
        "who": "; ".join(names.get(key, str(key)) for key in obstacle.keys),
        "figure": obstacle.figure,
        "by": "; ".join(names.get(key, str(key)) for key in obstacle.relaxed),
    }


def note(stored: Mapping[str, Any], names: Mapping[int, str]) -> str:
    """A note on the draw as a whole (`Round.notes`), in a sentence."""
    words = {
        values.NoteCode.FORBIDDEN_USED: _("Not all who should be kept apart can be: %(who)s meet."),
        values.NoteCode.REPEATS_NEEDED: _("No pairing is possible without a repeat: %(who)s meet again."),
        values.NoteCode.SECOND_BYE_NEEDED: _("Everybody has had a bye: %(who)s gets another one."),
        values.NoteCode.NOT_IN_SCHEDULE: _("The schedule was drawn without %(who)s."),
        values.NoteCode.TAKES_BYE: _("A free place of the schedule goes to %(who)s."),
        values.NoteCode.ROUNDS_NEEDED: _(
            "Until everybody has met everybody, all play all takes at least %(figure)s rounds; the plan gives it fewer."
        ),
        values.NoteCode.TABLE_TAKEN: _("%(who)s both need table %(figure)s; one of them sits elsewhere."),
        values.NoteCode.TABLES_DIFFER: _("%(who)s need different tables; they get table %(figure)s."),
    }[values.NoteCode(stored["code"])]
    return words % {
        "who": "; ".join(names.get(key, str(key)) for key in stored["keys"]),
        "figure": stored["figure"],
    }
