"""The rules and what they decided, in the reader's words: criteria, awards, what separated two rows of the table."""

from collections.abc import Mapping
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring import awards, rulesets, standings
from tournament import figures, plan
from tournament.models import Pairing, Result, Round, Tournament

CRITERIA: Mapping[standings.Criterion, Promise] = MappingProxyType(
    {
        standings.Criterion.WINS: gettext_lazy("wins"),
        standings.Criterion.SPREAD: gettext_lazy("spread"),
        standings.Criterion.POINTS: gettext_lazy("points"),
        standings.Criterion.HEAD_TO_HEAD: gettext_lazy("direct meeting"),
        standings.Criterion.HIGHEST_GAME: gettext_lazy("highest game"),
        standings.Criterion.LOT: gettext_lazy("lot"),
    }
)


def criterion(which: standings.Criterion) -> str:
    """The name of a criterion of the table."""
    return str(CRITERIA[which])


def withdrawn(after: int) -> str:
    """How somebody who plays no longer is marked; they may have left before they played."""
    return _("withdrawn after round %(number)s") % {"number": after} if after else _("withdrawn")


def order(ranking: standings.Ranking) -> str:
    """The order of criteria as one phrase: wins, then spread, points, direct meeting, highest game (TSO 6.1)."""
    first, *rest = (criterion(which) for which in ranking.criteria)
    if not rest:
        return _("%(first)s only; who is level shares the rank") % {"first": first}
    phrase = _("%(first)s, then %(rest)s") % {"first": first, "rest": ", ".join(rest)}
    return phrase if ranking.shared_ties else _("%(order)s (TSO 6.1)") % {"order": phrase}


def decided_by(row: standings.Standing, above: standings.Standing | None) -> str:
    """What separated a row from the one above it, with both figures; the empty text where nothing did."""
    if row.decided_by is None or above is None:
        return ""
    mine, theirs = _compared(row, above)
    if row.decided_by == standings.Criterion.HEAD_TO_HEAD:
        return _("direct meeting %(mine)s : %(theirs)s") % {"mine": mine, "theirs": theirs}
    if not mine:
        return criterion(row.decided_by)
    words = {"criterion": criterion(row.decided_by), "mine": mine, "theirs": theirs}
    return _("%(criterion)s %(mine)s against %(theirs)s") % words


def _compared(row: standings.Standing, above: standings.Standing) -> tuple[str, str]:
    """The two figures that were compared, as written; empty where there are none (lots)."""
    which = row.decided_by
    if which == standings.Criterion.WINS and row.half_wins == above.half_wins:
        return _record(row), _record(above)
    if which == standings.Criterion.WINS:
        return figures.halves(row.half_wins), figures.halves(above.half_wins)
    if which == standings.Criterion.SPREAD:
        return figures.signed(row.spread), figures.signed(above.spread)
    if which == standings.Criterion.POINTS:
        return figures.points(row.points), figures.points(above.points)
    mine, theirs = row.detail or (None, None)
    if mine is None and theirs is None:
        return "", ""
    return figures.points(mine), figures.points(theirs)


def _record(row: standings.Standing) -> str:
    """Wins and losses, as 5–2."""
    return f"{figures.halves(row.half_wins)}–{figures.halves(row.half_losses)}"


def outcome_chip(result: Result) -> str:
    """The short mark beside a result that was not simply played; the empty text for a played game."""
    marks = {
        awards.Outcome.FIRST_FORFEITS: _("forfeit"),
        awards.Outcome.SECOND_FORFEITS: _("forfeit"),
        awards.Outcome.BOTH_FORFEIT: _("both lose"),
        awards.Outcome.BYE: _("bye"),
        awards.Outcome.ABSENT: _("absent"),
    }
    return marks.get(awards.Outcome(result.outcome), "")


def reason(result: Result) -> str:
    """Why a game was lost without being played to its end, as one clause of a sentence."""
    reasons = {
        awards.Reason.NO_SHOW: _("did not show (TSO 5.3 a)"),
        awards.Reason.LATE: _("more than 15 minutes late (TSO 5.3 b)"),
        awards.Reason.OVERTIME: _("overtime beyond the limit (TSO 5.3 c)"),
        awards.Reason.DISQUALIFIED: _("disqualified (TSO 5.3 d)"),
        awards.Reason.OTHER: _("breach of the rules (TSO 5.3)"),
    }
    return reasons[awards.Reason(result.reason or awards.Reason.OTHER)]


def award(pairing: Pairing, result: Result, figured: awards.Awards) -> str:
    """What a forfeit, bye or absence credits to whom and why (TSO 6.1.1); the empty text for a played game.

    Reads the prefetched seats.
    """
    credits = awards.credit(
        awards.Outcome(result.outcome), result.first_points, result.second_points, figured, spread=result.spread
    )
    first, second = pairing.first, pairing.second
    words = _("%(name)s %(spread)s and %(points)s points") if second else _("%(spread)s and %(points)s points")
    lines = [
        words % {"name": entry.name, "spread": figures.signed(credit.spread), "points": figures.points(credit.points)}
        for entry, credit in zip((first, second), credits, strict=True)
        if entry is not None and credit is not None
    ]
    credited = "; ".join(lines)
    match awards.Outcome(result.outcome):
        case awards.Outcome.PLAYED:
            return ""
        case awards.Outcome.BYE | awards.Outcome.ABSENT:
            return _("Credited: %(credits)s.") % {"credits": credited}
        case awards.Outcome.BOTH_FORFEIT:
            return _("Both at fault: %(reason)s. Credited: %(credits)s.") % {
                "reason": reason(result),
                "credits": credited,
            }
        case at_fault:
            who = first if at_fault == awards.Outcome.FIRST_FORFEITS else second
            return _("%(name)s: %(reason)s. Credited: %(credits)s.") % {
                "name": who.name if who else "",
                "reason": reason(result),
                "credits": credited,
            }


def rounds(first: int, last: int) -> str:
    """A range of rounds."""
    if first == last:
        return _("Round %(number)s") % {"number": first}
    return _("Rounds %(first)s–%(last)s") % {"first": first, "last": last}


def segment_rounds(part: plan.Segment) -> str:
    """Which rounds one part of the plan holds."""
    return rounds(part.first, part.last)


def segment(part: plan.Segment) -> str:
    """How the rounds of one part of the plan are paired."""
    methods = {
        Round.Method.SWISS: _("Swiss: the upper half of players with equal wins meets the lower half"),
        Round.Method.KING_OF_THE_HILL: _("king of the hill: first meets second, third meets fourth, and so on"),
        Round.Method.ROUND_ROBIN: _("round robin: all play all"),
        Round.Method.GROUPS: _("groups of four by rating quarter: all play all"),
        Round.Method.FACTOR: _("factor %(factor)s: who is %(factor)s places apart in the table meets")
        % {"factor": part.factor},
        Round.Method.RANDOM: _("random"),
        Round.Method.CONTENTION: _("by the chances for the first places"),
        Round.Method.MANUAL: _("by hand"),
    }
    words = [methods[Round.Method(part.method)]]
    if part.repeats:
        words.append(_("repeats allowed"))
    if part.behind:
        words.append(
            ngettext("paired on the table one round back", "paired on the table %(behind)s rounds back", part.behind)
            % {"behind": part.behind}
        )
    return "; ".join(words)


def starts(tournament: Tournament) -> str:
    """Who starts (TSO 2.2)."""
    if tournament.starts == Tournament.Starts.BALANCED:
        return _("Fixed beforehand, so that starts and replies stay even (TSO 2.2)")
    return _("Drawn at the table (TSO 2.2)")


def bye_policy(tournament: Tournament) -> str:
    """Who gets the bye, and what it credits (TSO 6.1.1)."""
    who = {
        Tournament.ByePolicy.LOWEST: _("The lowest in the table who has had none"),
        Tournament.ByePolicy.GERMAN: _("With K rounds left the K-th from the bottom"),
        Tournament.ByePolicy.BY_HAND: _("Named by the director"),
    }[Tournament.ByePolicy(tournament.bye_policy)]
    return _("%(who)s. It counts as a win with %(spread)s and %(points)s points.") % {
        "who": who,
        "spread": figures.signed(tournament.bye_spread),
        "points": figures.points(tournament.bye_points),
    }


def absence(tournament: Tournament) -> str:
    """What an absence without a bye costs."""
    return _("A loss with %(spread)s and no points") % {"spread": figures.signed(tournament.loss_spread)}


def spread_cap(ranking: standings.Ranking) -> str:
    """The most that one game's spread counts; the empty text without a cap."""
    caps = ranking.spread_cap
    if not caps:
        return ""
    if len(caps) == 1:
        return _("One game's spread counts %(cap)s at most") % {"cap": caps[0]}
    listed = ", ".join(str(cap) for cap in caps)
    return _("One game's spread counts at most, by round: %(caps)s (the last one repeats)") % {"caps": listed}


def announced(tournament: Tournament) -> list[tuple[str, str]]:
    """What the rules ask an announcement (Ausschreibung) to state: label and sentence of each fact that applies."""
    ranking = tournament.ranking
    facts = [
        (_("Ruleset"), tournament.rules.name),
        (_("Time per player"), minutes(tournament)),
        (_("Overtime"), overtime(tournament.rules)),
        (_("Order of criteria"), order(ranking)),
        (_("Spread cap"), spread_cap(ranking)),
        (_("Who starts"), starts(tournament)),
        (_("Byes"), bye_policy(tournament)),
        (_("Absence"), absence(tournament)),
        (_("Withdrawn players"), tournament.get_withdrawn_display()),
        (_("Clubs"), clubs_apart(tournament)),
    ]
    return [(label, text) for label, text in facts if text]


def minutes(tournament: Tournament) -> str:
    """How long each player may think."""
    if tournament.minutes is None:
        return _("No clock")
    return ngettext("%(minutes)s minute", "%(minutes)s minutes", tournament.minutes) % {"minutes": tournament.minutes}


def overtime(rules: rulesets.Ruleset) -> str:
    """What thinking longer costs; the empty text where the rules know no clock."""
    if not rules.overtime_points:
        return ""
    cost = _("%(points)s points off for each started minute (%(clause)s)") % {
        "points": rules.overtime_points,
        "clause": rules.overtime_clause,
    }
    if rules.overtime_limit is None:
        return cost
    lost = _("more than %(minutes)s minutes lose the game (%(clause)s)") % {
        "minutes": rules.overtime_limit // 60,
        "clause": rules.overtime_limit_clause,
    }
    return f"{cost}; {lost}"


def clubs_apart(tournament: Tournament) -> str:
    """How long players of one club are kept apart; the empty text where they are not."""
    rounds = tournament.clubs_apart
    if not rounds:
        return ""
    return ngettext(
        "Players of one club do not meet in the first round if that can be avoided",
        "Players of one club do not meet in the first %(rounds)s rounds if that can be avoided",
        rounds,
    ) % {"rounds": rounds}
