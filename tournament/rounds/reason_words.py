"""Why two meet, in words; each sentence states its figures and nothing else."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import formats
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.rulesets.values import Ruleset
from tournament.basics.names import format_spoken_name
from tournament.core.words.figures import format_half_wins, format_list, format_points, insert_clause
from tournament.models import Pairing
from tournament.pairing.facts import ReasonFigures
from tournament.pairing.values import ByeReason, FloatReason, ReasonCode, StarterReason
from tournament.rounds.words import NamesByKey, speak_name


@dataclass(frozen=True, slots=True)
class ReasonContext:
    """What a sentence needs beside its figures: who starts or has the bye, all names, and what else is said."""

    first: str
    names: NamesByKey
    codes: frozenset[ReasonCode]


def describe_pairing(pairing: Pairing, players: NamesByKey, rules: Ruleset) -> str:
    """Why these two meet and who starts, as it stood at the draw; empty where unknown. Reads the prefetched seats."""
    if pairing.kind == Pairing.Kind.ABSENT:
        return insert_clause(_("Absent: a loss by absence."), rules.awards.clause)
    return describe_reasons(pairing.why, players[pairing.first.pk], players)


NOTABLE_REASONS = frozenset(
    {
        *(ReasonCode.HAND, ReasonCode.LOCKED, ReasonCode.HOPEFUL, ReasonCode.CONTENDER, ReasonCode.PRIZE_PLACES),
        *(ReasonCode.SAFE, ReasonCode.FLOAT, ReasonCode.PASSED_OVER, ReasonCode.REPEAT, ReasonCode.SAME_CLUB),
        *(ReasonCode.KEPT_APART, ReasonCode.BYE, ReasonCode.THIRD_START),
    }
)
"""What may be worth a look before a draft is published."""


def describe_notable_reasons(pairing: Pairing, players: NamesByKey) -> str:
    """What is unusual about a pairing, in sentences; the bye's reason for a bye."""
    why = [reason for reason in pairing.why if reason["code"] in NOTABLE_REASONS]
    return describe_reasons(why, players[pairing.first.pk], players)


def list_pairing_reasons(pairings: Iterable[Pairing], players: NamesByKey, rules: Ruleset) -> list[tuple[str, str]]:
    """Who meets, and why, for each game and bye whose reasons are known. Reads the prefetched seats."""
    lines = [
        (format_pairing_heading(pairing, players), describe_pairing(pairing, players, rules))
        for pairing in pairings
        if pairing.kind != Pairing.Kind.ABSENT
    ]
    return [line for line in lines if line[1]]


def format_pairing_heading(pairing: Pairing, players: NamesByKey) -> str:
    """A pairing by table and names: Table 4: Klara Aumann – Jana Dvořák."""
    first, second = format_spoken_name(players[pairing.first.pk]), pairing.second
    if second is None:
        return _("Bye: %(name)s") % {"name": first}
    figures = {"table": pairing.table, "first": first, "second": format_spoken_name(players[second.pk])}
    return _("Table %(table)s: %(first)s – %(second)s") % figures


def describe_reasons(why: Sequence[ReasonFigures], first: str, players: NamesByKey) -> str:
    """The reasons as sentences; `first` is the name of who starts or has the bye."""
    pair = ReasonContext(format_spoken_name(first), players, frozenset(ReasonCode(reason["code"]) for reason in why))
    sentences = [_REASON_DESCRIBERS[ReasonCode(reason["code"])](reason, pair) for reason in why]
    return " ".join(part for part in sentences if part)


def _describe_ranks(figures: ReasonFigures, pair: ReasonContext) -> str:
    one, other = figures["first"], figures["second"]
    # Of a bye the second rank is nobody's.
    if ReasonCode.BYE in pair.codes:
        return _("Not in the table yet.") if one is None else _("Rank %(rank)s.") % {"rank": one}
    if one is None and other is None:
        return _("Neither of them is in the table yet.")
    if one is None or other is None:
        return _("Rank %(rank)s meets a player who is not in the table yet.") % {"rank": other if one is None else one}
    return _("Rank %(first)s meets rank %(second)s.") % {"first": one, "second": other}


def _describe_seeding(figures: ReasonFigures, pair: ReasonContext) -> str:
    by_rating = figures["by"] == "rating"
    if figures["second"] is None:
        words = _("Number %(first)s by rating.") if by_rating else _("Number %(first)s by rating, then by entry.")
    elif by_rating:
        words = _("Number %(first)s meets number %(second)s by rating.")
    else:
        words = _("Number %(first)s meets number %(second)s by rating, then by entry.")
    return words % figures


def _describe_score_group(figures: ReasonFigures, pair: ReasonContext) -> str:
    wins = figures["half_wins"]
    # Before the first round nobody has a win, and the seeding says why they meet.
    if not wins:
        return "" if ReasonCode.SEEDING in pair.codes else _("Both are without a win.")
    words = ngettext("Both have %(wins)s win.", "Both have %(wins)s wins.", 1 if wins <= 2 else 2)
    return words % {"wins": format_half_wins(wins)}


def _get_places(figures: ReasonFigures) -> dict[str, int]:
    one, other = sorted(figures["places"])
    return {"one": one, "other": other, "of": figures["of"]}


def _describe_neighbours(figures: ReasonFigures, pair: ReasonContext) -> str:
    between = figures["between"]
    if not between:
        return _("Of those who play, they stand next to each other.")
    words = ngettext("%(count)s player stands between them.", "%(count)s players stand between them.", between)
    return words % {"count": between}


def _describe_ranks_apart(figures: ReasonFigures, pair: ReasonContext) -> str:
    words = ngettext(
        "%(apart)s place apart among those who play; set: %(wanted)s.",
        "%(apart)s places apart among those who play; set: %(wanted)s.",
        figures["apart"],
    )
    if figures["apart"] == figures["wanted"]:
        words = ngettext(
            "%(apart)s place apart among those who play, as set.",
            "%(apart)s places apart among those who play, as set.",
            figures["apart"],
        )
    return words % figures


def _describe_float(figures: ReasonFigures, pair: ReasonContext) -> str:
    mine, theirs = figures["half_wins"]
    plural = 1 if 1 <= mine <= 2 else 2  # ½ and 1 are one
    against = ngettext("%(mine)s win against %(theirs)s.", "%(mine)s wins against %(theirs)s.", plural)
    because = _FLOAT_DESCRIBERS.get(FloatReason(figures["because"]))
    scores = against % {"mine": format_half_wins(mine), "theirs": format_half_wins(theirs)}
    return f"{scores} {because(figures)}" if because else scores


def _describe_odd_group(figures: ReasonFigures) -> str:
    words = ngettext(
        "Only %(players)s player with %(wins)s or more wins has a game; the opponent must have fewer.",
        "%(players)s players with %(wins)s or more wins have a game, an odd number: one of them meets somebody "
        "with fewer.",
        figures["players"],
    )
    if figures["because"] == FloatReason.BYE:
        words = ngettext(
            "Beside the bye %(players)s player with %(wins)s or more wins has a game; the opponent must have fewer.",
            "Beside the bye %(players)s players with %(wins)s or more wins have a game, an odd number: one of them "
            "meets somebody with fewer.",
            figures["players"],
        )
    return words % {"players": figures["players"], "wins": format_half_wins(figures["from"])}


def _describe_beside_locked(figures: ReasonFigures) -> str:
    return _(
        "Beside the pairs that the director has set, an odd number of players with %(wins)s or more wins is left."
    ) % {"wins": format_half_wins(figures["from"])}


def _describe_left_over(figures: ReasonFigures) -> str:
    wins = figures["from"]
    plural = 1 if 1 <= wins <= 2 else 2  # ½ and 1 are one
    words = {
        (FloatReason.MET, True): _(
            "Without a repeat, players left over among those with %(wins)s or more wins: %(left)s."
        ),
        (FloatReason.MET, False): ngettext(
            "Without a repeat, players left over among those with fewer than %(wins)s win: %(left)s.",
            "Without a repeat, players left over among those with fewer than %(wins)s wins: %(left)s.",
            plural,
        ),
        (FloatReason.KEPT_APART, True): _(
            "Without a repeat or a pair that should be kept apart, players left over among those with %(wins)s or "
            "more wins: %(left)s."
        ),
        (FloatReason.KEPT_APART, False): ngettext(
            "Without a repeat or a pair that should be kept apart, players left over among those with fewer than "
            "%(wins)s win: %(left)s.",
            "Without a repeat or a pair that should be kept apart, players left over among those with fewer than "
            "%(wins)s wins: %(left)s.",
            plural,
        ),
    }[FloatReason(figures["because"]), bool(figures["above"])]
    return words % {"left": figures["left_over"], "wins": format_half_wins(wins)}


def _describe_total(figures: ReasonFigures) -> str:
    if figures["because"] == FloatReason.STARTS and figures["bye"]:
        return _(
            "Given this bye, no unneeded repeats and starts as even as possible, no other "
            "pairing of the round has smaller differences in wins; large ones count more."
        )
    if figures["because"] == FloatReason.STARTS:
        return _(
            "With no more repeats than needed and starts as even as can be, the differences in wins of the whole "
            "round, large ones counting more, are as small as they can be."
        )
    if figures["bye"]:
        return _(
            "With this bye and no more repeats than needed, the differences in wins of the whole round, large ones "
            "counting more, are as small as they can be."
        )
    return _(
        "With no more repeats than needed, the differences in wins of the whole round, large ones counting more, are "
        "as small as they can be."
    )


_FLOAT_DESCRIBERS: Mapping[FloatReason, Callable[[ReasonFigures], str]] = {
    FloatReason.ODD_GROUP: _describe_odd_group,
    FloatReason.BYE: _describe_odd_group,
    FloatReason.BESIDE_LOCKED: _describe_beside_locked,
    FloatReason.MET: _describe_left_over,
    FloatReason.KEPT_APART: _describe_left_over,
    FloatReason.TOTAL: _describe_total,
    FloatReason.STARTS: _describe_total,
    FloatReason.LOOKED_AHEAD: lambda figures: _("Chosen with a view to the rounds to come."),
}


def _describe_passed_over(figures: ReasonFigures, pair: ReasonContext) -> str:
    words = {
        FloatReason.MET: _("%(player)s has already played %(who)s."),
        FloatReason.KEPT_APART: _("%(player)s should be kept apart from %(who)s."),
    }[figures["because"]]
    who = format_list([speak_name(key, pair.names) for key in figures["who"]])
    return words % {"player": speak_name(figures["player"], pair.names), "who": who}


def _describe_repeat(figures: ReasonFigures, pair: ReasonContext) -> str:
    rounds = figures["rounds"]
    words = ngettext(
        "They have played each other before, in round %(rounds)s.",
        "They have played each other before, in rounds %(rounds)s.",
        len(rounds),
    )
    return words % {"rounds": format_list([str(number) for number in rounds])}


def _describe_bye(figures: ReasonFigures, pair: ReasonContext) -> str:
    had, fewest = figures["had"], figures["fewest"]
    if not had:
        message = _("First bye.")
    elif had == fewest:
        message = ngettext(
            "%(had)s bye so far; nobody who is there has had fewer.",
            "%(had)s byes so far; nobody who is there has had fewer.",
            had,
        )
    else:
        message = ngettext(
            "%(had)s bye so far, though not everybody who is there has had as many.",
            "%(had)s byes so far, though not everybody who is there has had as many.",
            had,
        )
    return " ".join(part for part in (message % figures, _describe_bye_reason(figures, pair)) if part)


def _describe_bye_reason(figures: ReasonFigures, pair: ReasonContext) -> str:
    by = ByeReason(figures["by"])
    if by is ByeReason.LOWEST and not figures["had"]:
        return _("Nobody further down is without a bye.")
    if by is ByeReason.LOWEST:
        return _("Nobody further down has had as few.")
    if by is ByeReason.GERMAN:
        words = ngettext(
            "%(rounds_left)s round left, this one included: number %(from_bottom)s from the bottom is nearest to "
            "number %(rounds_left)s of those with as few byes.",
            "%(rounds_left)s rounds left, this one included: number %(from_bottom)s from the bottom is nearest to "
            "number %(rounds_left)s of those with as few byes.",
            figures["rounds_left"],
        )
        if figures["from_bottom"] == figures["rounds_left"]:
            words = ngettext(
                "%(rounds_left)s round left, this one included: number %(rounds_left)s from the bottom.",
                "%(rounds_left)s rounds left, this one included: number %(rounds_left)s from the bottom.",
                figures["rounds_left"],
            )
        return words % figures
    if by is ByeReason.MET:
        who = format_list([speak_name(key, pair.names) for key in figures["who"]])
        return _("With the bye for %(who)s somebody would have to meet again.") % {"who": who}
    return ""


def _describe_starter(figures: ReasonFigures, pair: ReasonContext) -> str:
    (mine, theirs), (replies, their_replies) = figures["starts"], figures["replies"]
    fewer = ngettext(
        "%(name)s starts: %(mine)s start so far against %(theirs)s.",
        "%(name)s starts: %(mine)s starts so far against %(theirs)s.",
        mine,
    )
    words = {
        StarterReason.FEWER_STARTS: fewer,
        StarterReason.EVENNESS: _(
            "%(name)s starts; otherwise somebody would be further from even (starts and replies so far: %(one)s and "
            "%(other)s)."
        ),
        StarterReason.REPLIED_LAST: _("%(name)s starts: level on starts, and replied when the two last met."),
        StarterReason.REPLIED_WHEN_DIFFERENT: _(
            "%(name)s starts: level on starts; counting back game by game, %(name)s replied where the other one "
            "started."
        ),
        StarterReason.LOT: _("%(name)s starts by lot: level on starts."),
        StarterReason.SCHEDULE: _("%(name)s starts by the schedule."),
        StarterReason.HAND: _("%(name)s starts, as the director has set."),
        StarterReason.TABLE: _("Who starts is drawn at the table."),
        StarterReason.EARLIER: _("%(name)s starts, as it was decided before."),
    }[StarterReason(figures["by"])]
    one, other = f"{mine} : {replies}", f"{theirs} : {their_replies}"
    return words % {"name": pair.first, "mine": mine, "theirs": theirs, "one": one, "other": other}


def _get_hope(figures: ReasonFigures, pair: ReasonContext) -> dict[str, Any]:
    """Shares as percentages in the reader's language, and the name."""
    shares = {"share": formats.number_format(100 * figures["share"], 1)}
    shares["threshold"] = formats.number_format(100 * figures["threshold"], 0)
    shares["runs"] = format_points(figures["runs"])
    return {**figures, **shares, "player": speak_name(figures["player"], pair.names)}


ReasonDescriber = Callable[[ReasonFigures, ReasonContext], str]
# Functions, even where the sentence has no figures: `_` translates when it is called, and called at the import it would
# leave every reader with one language.
_REASON_DESCRIBERS: Mapping[ReasonCode, ReasonDescriber] = {
    ReasonCode.HAND: lambda figures, pair: _("Changed by hand."),
    ReasonCode.LOCKED: lambda figures, pair: _("Locked by the director."),
    ReasonCode.RANKS: _describe_ranks,
    ReasonCode.SEEDING: _describe_seeding,
    ReasonCode.SCORE_GROUP: _describe_score_group,
    ReasonCode.HALVES: lambda figures, pair: (
        _("Upper half against lower half (numbers %(one)s and %(other)s of %(of)s).") % _get_places(figures)
    ),
    ReasonCode.PLACES: lambda figures, pair: (
        _("They are ranked %(one)s and %(other)s of %(of)s with equal wins.") % _get_places(figures)
    ),
    ReasonCode.NEIGHBOURS: _describe_neighbours,
    ReasonCode.RANKS_APART: _describe_ranks_apart,
    ReasonCode.DRAWN: lambda figures, pair: _("Drawn by lot."),
    ReasonCode.SCHEDULE: lambda figures, pair: _("By the schedule, all play all."),
    ReasonCode.GROUP: lambda figures, pair: _("Group %(group)s, by its schedule.") % figures,
    ReasonCode.HOPEFUL: lambda figures, pair: (
        (
            _(
                "%(player)s is the lowest who still ends at place %(place)s or better in at least %(threshold)s%% of "
                "%(runs)s simulated endings (%(share)s%%)."
            )
            if figures["place"] > 1
            else _(
                "%(player)s is the lowest who still ends at place 1 in at least %(threshold)s%% of %(runs)s simulated "
                "endings (%(share)s%%)."
            )
        )
        % _get_hope(figures, pair)
    ),
    ReasonCode.CONTENDER: lambda figures, pair: (
        (
            _(
                "%(player)s still ends at place %(place)s or better in %(share)s%% of %(runs)s simulated endings; "
                "%(threshold)s%% are enough."
            )
            if figures["place"] > 1
            else _(
                "%(player)s still ends at place 1 in %(share)s%% of %(runs)s simulated endings; "
                "%(threshold)s%% are enough."
            )
        )
        % _get_hope(figures, pair)
    ),
    ReasonCode.PRIZE_PLACES: lambda figures, pair: (
        _("Places %(one)s and %(other)s meet for the prizes.")
        % dict(zip(("one", "other"), sorted(figures["places"]), strict=True))
    ),
    ReasonCode.SAFE: lambda figures, pair: (
        _("%(player)s can no longer be caught for place %(place)s.")
        % {"player": speak_name(figures["player"], pair.names), "place": figures["place"]}
    ),
    ReasonCode.FLOAT: _describe_float,
    ReasonCode.PASSED_OVER: _describe_passed_over,
    ReasonCode.REPEAT: _describe_repeat,
    ReasonCode.SAME_CLUB: lambda figures, pair: _("Both belong to one club."),
    ReasonCode.KEPT_APART: lambda figures, pair: _("They are to be kept apart."),
    ReasonCode.BYE: _describe_bye,
    ReasonCode.STARTER: _describe_starter,
    ReasonCode.THIRD_START: lambda figures, pair: (
        _("That makes %(row)s starts in a row for %(name)s.") % {"row": figures["row"], "name": pair.first}
    ),
}
