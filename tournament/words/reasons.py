"""Why two meet, in words: a sentence from each code of a pairing, stating its figures and nothing else."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.rulesets import Ruleset
from tournament import names
from tournament.models import Pairing, Round
from tournament.pairing.values import ByeBy, Flag, FloatBecause, ReasonCode, StarterBy
from tournament.words.clauses import before_stop
from tournament.words.figures import NOTHING, halves, together

Figures = Mapping[str, Any]
Names = Mapping[int, str]
"""The players' names as they are listed, by the keys of a draw."""


def flag_name(flag: str) -> str:
    """The flag as a chip says it."""
    names = {
        Flag.REPEAT: _("met before"),
        Flag.FLOAT: _("different scores"),
        Flag.SAME_CLUB: _("same club"),
        Flag.THIRD_START_IN_ROW: _("third start in a row"),
        Flag.SECOND_BYE: _("another bye"),
        Flag.FORBIDDEN: _("to be kept apart"),
        Flag.LOCKED: _("locked"),
        Flag.MANUAL: _("changed by hand"),
    }
    return names[Flag(flag)]


WARNINGS = frozenset({Flag.REPEAT, Flag.SAME_CLUB, Flag.THIRD_START_IN_ROW, Flag.SECOND_BYE, Flag.FORBIDDEN})
"""The flags that the director should look at before publishing."""


def warns(flag: str, round: Round) -> bool:
    """Whether a flag is a warning in this round: a repeat is not where the plan allows repeats."""
    return flag in WARNINGS and not (flag == Flag.REPEAT and round.repeats)


@dataclass(frozen=True, slots=True)
class Telling:
    """What a sentence needs beside its figures: who starts or has the bye, all names, and what else is said."""

    first: str
    names: Names
    codes: frozenset[ReasonCode]


def sentence(pairing: Pairing, players: Names, rules: Ruleset) -> str:
    """Why these two meet, what stands out, and who starts and why. Reads the prefetched seats.

    All of it is as it stood when the pairing was drawn; nothing where that is not known (an event read from a file).
    """
    if pairing.kind == Pairing.Kind.ABSENT:
        return before_stop(_("Absent: a loss by absence."), rules.awards.clause)
    return told(pairing.why, players[pairing.first.pk], players)


def lines(pairings: Iterable[Pairing], players: Names, rules: Ruleset) -> list[tuple[str, str]]:
    """Who meets, and why, for each game and bye whose reasons are known. Reads the prefetched seats."""
    found = [
        (heading(pairing, players), sentence(pairing, players, rules))
        for pairing in pairings
        if pairing.kind != Pairing.Kind.ABSENT
    ]
    return [line for line in found if line[1]]


def heading(pairing: Pairing, players: Names) -> str:
    """A pairing by table and names: Table 4: Klara Aumann – Jana Dvořák."""
    first, second = names.spoken(players[pairing.first.pk]), pairing.second
    if second is None:
        return _("Bye: %(name)s") % {"name": first}
    figures = {"table": pairing.table, "first": first, "second": names.spoken(players[second.pk])}
    return _("Table %(table)s: %(first)s – %(second)s") % figures


def told(why: Sequence[Figures], first: str, players: Names) -> str:
    """The reasons as sentences; `first` is the name of who starts or has the bye."""
    pair = Telling(names.spoken(first), players, frozenset(ReasonCode(reason["code"]) for reason in why))
    said = [_SAID[ReasonCode(reason["code"])](reason, pair) for reason in why]
    return " ".join(part for part in said if part)


def _ranks(figures: Figures, pair: Telling) -> str:
    one, other = figures["first"], figures["second"]
    if ReasonCode.BYE in pair.codes:
        return _("Not in the table yet.") if one is None else _("Rank %(rank)s.") % {"rank": one}
    if one is None and other is None:
        return _("Neither of them is in the table yet.")
    if one is None or other is None:
        return _("Rank %(rank)s meets somebody who is not in the table yet.") % {"rank": other if one is None else one}
    return _("Rank %(first)s meets rank %(second)s.") % {"first": one, "second": other}


def _seeding(figures: Figures, pair: Telling) -> str:
    by_rating = figures["by"] == "rating"
    if figures["second"] is None:
        words = _("Number %(first)s by rating.") if by_rating else _("Number %(first)s by rating, then by entry.")
    elif by_rating:
        words = _("Number %(first)s meets number %(second)s by rating.")
    else:
        words = _("Number %(first)s meets number %(second)s by rating, then by entry.")
    return words % figures


def _score_group(figures: Figures, pair: Telling) -> str:
    wins = figures["half_wins"]
    if not wins:
        return "" if ReasonCode.SEEDING in pair.codes else _("Both are without a win.")
    return ngettext("Both have %(wins)s win.", "Both have %(wins)s wins.", 1 if wins <= 2 else 2) % {
        "wins": halves(wins)
    }


def _halves(figures: Figures, pair: Telling) -> str:
    return _("Upper half against lower half (numbers %(one)s and %(other)s of %(of)s).") % _places_of(figures)


def _places(figures: Figures, pair: Telling) -> str:
    return _("They are numbers %(one)s and %(other)s of the %(of)s with as many wins.") % _places_of(figures)


def _places_of(figures: Figures) -> dict[str, int]:
    one, other = sorted(figures["places"])
    return {"one": one, "other": other, "of": figures["of"]}


def _neighbours(figures: Figures, pair: Telling) -> str:
    between = figures["between"]
    if not between:
        return _("Of those who play, they stand next to each other.")
    return ngettext("%(count)s player stands between them.", "%(count)s players stand between them.", between) % {
        "count": between
    }


def _ranks_apart(figures: Figures, pair: Telling) -> str:
    if figures["apart"] == figures["wanted"]:
        return _("%(apart)s places apart among those who play, as planned.") % figures
    return _("%(apart)s places apart among those who play; planned are %(wanted)s.") % figures


def _float(figures: Figures, pair: Telling) -> str:
    mine, theirs = figures["half_wins"]
    against = ngettext("%(mine)s win against %(theirs)s.", "%(mine)s wins against %(theirs)s.", _one_or_more(mine))
    because = _FLOATS.get(FloatBecause(figures["because"]))
    scores = against % {"mine": halves(mine), "theirs": halves(theirs)}
    return f"{scores} {because(figures)}" if because else scores


def _one_or_more(half_wins: int) -> int:
    """Which plural half wins take: ½ and 1 are one."""
    return 1 if 1 <= half_wins <= 2 else 2


def _odd_group(figures: Figures) -> str:
    return ngettext(
        "Only %(players)s player with %(wins)s or more wins has a game; the opponent must have fewer.",
        "%(players)s players with %(wins)s or more wins have a game, an odd number: one of them meets somebody "
        "with fewer.",
        figures["players"],
    ) % {"players": figures["players"], "wins": halves(figures["from"])}


def _odd_by_bye(figures: Figures) -> str:
    return ngettext(
        "Beside the bye %(players)s player with %(wins)s or more wins has a game; the opponent must have fewer.",
        "Beside the bye %(players)s players with %(wins)s or more wins have a game, an odd number: one of them meets "
        "somebody with fewer.",
        figures["players"],
    ) % {"players": figures["players"], "wins": halves(figures["from"])}


def _beside_locked(figures: Figures) -> str:
    words = _(
        "Beside the pairs that the director has set, an odd number of players with %(wins)s or more wins is left."
    )
    return words % {"wins": halves(figures["from"])}


def _left_over(figures: Figures) -> str:
    if figures["above"]:
        words = _("If nobody is to meet again, %(left)s of those who play with %(wins)s or more wins are left over.")
    else:
        words = _("If nobody is to meet again, %(left)s of those who play with fewer than %(wins)s wins are left over.")
    return words % {"left": figures["left_over"], "wins": halves(figures["from"])}


def _kept_apart_left_over(figures: Figures) -> str:
    if figures["above"]:
        words = _(
            "If nobody is to meet again and nobody who is to be kept apart, %(left)s of those who play with %(wins)s "
            "or more wins are left over."
        )
    else:
        words = _(
            "If nobody is to meet again and nobody who is to be kept apart, %(left)s of those who play with fewer than "
            "%(wins)s wins are left over."
        )
    return words % {"left": figures["left_over"], "wins": halves(figures["from"])}


def _total(figures: Figures) -> str:
    if figures["bye"]:
        return _(
            "With this bye and no more repeats than needed, the differences in wins of the whole round, large ones "
            "counting more, are as small as they can be."
        )
    return _(
        "With no more repeats than needed, the differences in wins of the whole round, large ones counting more, are "
        "as small as they can be."
    )


_FLOATS: Mapping[FloatBecause, Callable[[Figures], str]] = {
    FloatBecause.ODD_GROUP: _odd_group,
    FloatBecause.BYE: _odd_by_bye,
    FloatBecause.BESIDE_LOCKED: _beside_locked,
    FloatBecause.MET: _left_over,
    FloatBecause.KEPT_APART: _kept_apart_left_over,
    FloatBecause.TOTAL: _total,
    FloatBecause.LOOKED_AHEAD: lambda figures: _("Chosen with a view to the rounds to come."),
}


def _passed_over(figures: Figures, pair: Telling) -> str:
    words = {
        FloatBecause.MET: _("%(player)s has already played %(who)s."),
        FloatBecause.KEPT_APART: _("%(player)s is to be kept apart from %(who)s."),
    }[figures["because"]]
    return words % {"player": _name(figures["player"], pair), "who": _all(figures["who"], pair)}


def _name(key: int, pair: Telling) -> str:
    return names.spoken(pair.names.get(key, NOTHING))


def _all(keys: Sequence[int], pair: Telling) -> str:
    return together([_name(key, pair) for key in keys])


def _repeat(figures: Figures, pair: Telling) -> str:
    rounds = figures["rounds"]
    words = ngettext(
        "They have played each other before, in round %(rounds)s.",
        "They have played each other before, in rounds %(rounds)s.",
        len(rounds),
    )
    return words % {"rounds": together([str(number) for number in rounds])}


def _bye(figures: Figures, pair: Telling) -> str:
    had, fewest = figures["had"], figures["fewest"]
    if not had:
        said = _("First bye.")
    elif had == fewest:
        said = ngettext(
            "%(had)s bye so far; nobody who is there has had fewer.",
            "%(had)s byes so far; nobody who is there has had fewer.",
            had,
        )
    else:
        said = ngettext(
            "%(had)s bye so far, though not everybody who is there has had as many.",
            "%(had)s byes so far, though not everybody who is there has had as many.",
            had,
        )
    return " ".join(part for part in (said % figures, _bye_by(figures, pair)) if part)


def _bye_by(figures: Figures, pair: Telling) -> str:
    by = ByeBy(figures["by"])
    if by is ByeBy.LOWEST and not figures["had"]:
        return _("Nobody further down is without a bye.")
    if by is ByeBy.LOWEST:
        return _("Nobody further down has had as few.")
    if by is ByeBy.GERMAN and figures["from_bottom"] == figures["rounds_left"]:
        return _("%(rounds_left)s rounds left, this one included: number %(rounds_left)s from the bottom.") % figures
    if by is ByeBy.GERMAN:
        return (
            _(
                "%(rounds_left)s rounds left, this one included: number %(from_bottom)s from the bottom is nearest to "
                "number %(rounds_left)s of those with as few byes."
            )
            % figures
        )
    if by is ByeBy.MET:
        return _("With the bye for %(who)s somebody would have to meet again.") % {"who": _all(figures["who"], pair)}
    return ""


def _starter(figures: Figures, pair: Telling) -> str:
    (mine, theirs), (replies, their_replies) = figures["starts"], figures["replies"]
    fewer = ngettext(
        "%(name)s starts: %(mine)s start so far against %(theirs)s.",
        "%(name)s starts: %(mine)s starts so far against %(theirs)s.",
        mine,
    )
    words = {
        StarterBy.FEWER_STARTS: fewer,
        StarterBy.EVENNESS: _(
            "%(name)s starts; otherwise somebody would be further from even (starts and replies so far: %(one)s and "
            "%(other)s)."
        ),
        StarterBy.REPLIED_LAST: _("%(name)s starts: level on starts, and replied when the two last met."),
        StarterBy.REPLIED_WHEN_DIFFERENT: _(
            "%(name)s starts: level on starts; counting back game by game, %(name)s replied where the other one "
            "started."
        ),
        StarterBy.LOT: _("%(name)s starts by lot: level on starts."),
        StarterBy.SCHEDULE: _("%(name)s starts by the schedule."),
        StarterBy.HAND: _("%(name)s starts, as the director has set."),
        StarterBy.TABLE: _("Who starts is drawn at the table."),
        StarterBy.EARLIER: _("%(name)s starts, as it was decided before."),
    }[StarterBy(figures["by"])]
    one, other = f"{mine} : {replies}", f"{theirs} : {their_replies}"
    return words % {"name": pair.first, "mine": mine, "theirs": theirs, "one": one, "other": other}


def _in_row(figures: Figures, pair: Telling) -> str:
    return _("That makes %(row)s starts in a row for %(name)s.") % {"row": figures["row"], "name": pair.first}


Words = Callable[[Figures, Telling], str]
_SAID: Mapping[ReasonCode, Words] = {
    ReasonCode.HAND: lambda figures, pair: _("Changed by hand."),
    ReasonCode.LOCKED: lambda figures, pair: _("Locked by the director."),
    ReasonCode.RANKS: _ranks,
    ReasonCode.SEEDING: _seeding,
    ReasonCode.SCORE_GROUP: _score_group,
    ReasonCode.HALVES: _halves,
    ReasonCode.PLACES: _places,
    ReasonCode.NEIGHBOURS: _neighbours,
    ReasonCode.RANKS_APART: _ranks_apart,
    ReasonCode.DRAWN: lambda figures, pair: _("Drawn by lot."),
    ReasonCode.SCHEDULE: lambda figures, pair: _("By the schedule, all play all."),
    ReasonCode.GROUP: lambda figures, pair: _("Group %(group)s, by its schedule.") % figures,
    ReasonCode.FLOAT: _float,
    ReasonCode.PASSED_OVER: _passed_over,
    ReasonCode.REPEAT: _repeat,
    ReasonCode.SAME_CLUB: lambda figures, pair: _("Both belong to one club."),
    ReasonCode.KEPT_APART: lambda figures, pair: _("They are to be kept apart."),
    ReasonCode.BYE: _bye,
    ReasonCode.STARTER: _starter,
    ReasonCode.THIRD_START: _in_row,
}
