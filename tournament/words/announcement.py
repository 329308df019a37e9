"""The rules of an event as its announcement (Ausschreibung) states them, in words."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import rulesets, standings
from tournament.models import Tournament
from tournament.pairing.values import ByePolicy, Method, Starts
from tournament.plan import segments
from tournament.words import criteria, figures


def rounds(first: int, last: int) -> str:
    """A range of rounds."""
    if first == last:
        return _("Round %(number)s") % {"number": first}
    return _("Rounds %(first)s–%(last)s") % {"first": first, "last": last}


def segment_rounds(part: segments.Segment) -> str:
    """Which rounds one part of the plan holds."""
    return rounds(part.first, part.last)


def segment(part: segments.Segment) -> str:
    """How the rounds of one part of the plan are paired."""
    methods = {
        Method.SWISS: _("Swiss: the upper half of players with equal wins meets the lower half"),
        Method.KING_OF_THE_HILL: _("king of the hill: first meets second, third meets fourth, and so on"),
        Method.ROUND_ROBIN: _("round robin: all play all"),
        Method.GROUPS: _("groups of four by rating quarter: all play all"),
        Method.FACTOR: _("factor %(factor)s: who is %(factor)s places apart in the table meets")
        % {"factor": part.factor},
        Method.RANDOM: _("random"),
        Method.MANUAL: _("by hand"),
    }
    words = [methods[Method(part.method)]]
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
    if tournament.starts == Starts.BALANCED:
        return _("Fixed beforehand, so that starts and replies stay even (TSO 2.2)")
    return _("Drawn at the table (TSO 2.2)")


def bye_policy(tournament: Tournament) -> str:
    """Who gets the bye, and what it credits (TSO 6.1.1)."""
    who = {
        ByePolicy.LOWEST: _("The lowest in the table who has had none"),
        ByePolicy.GERMAN: _("With K rounds left the K-th from the bottom"),
        ByePolicy.BY_HAND: _("Named by the director"),
    }[ByePolicy(tournament.bye_policy)]
    return _("%(who)s. It counts as a win with %(spread)s and %(points)s points.") % {
        "who": who,
        "spread": figures.signed(tournament.awards.bye_spread),
        "points": figures.points(tournament.awards.bye_points),
    }


def absence(tournament: Tournament) -> str:
    """What an absence without a bye costs."""
    return _("A loss with %(spread)s and no points") % {"spread": figures.signed(tournament.awards.loss_spread)}


def spread_cap(ranking: standings.Ranking) -> str:
    """The most that one game's spread counts; the empty text without a cap."""
    caps = ranking.spread_cap
    if not caps:
        return ""
    if len(caps) == 1:
        return _("One game's spread counts %(cap)s at most") % {"cap": caps[0]}
    listed = ", ".join(str(cap) for cap in caps)
    return _("One game's spread counts at most, by round: %(caps)s (the last one repeats)") % {"caps": listed}


def facts(tournament: Tournament) -> list[tuple[str, str]]:
    """What the rules ask an announcement (Ausschreibung) to state: label and sentence of each fact that applies."""
    ranking = tournament.ranking
    facts = [
        (_("Ruleset"), tournament.rules.name),
        (_("Time per player"), minutes(tournament)),
        (_("Overtime"), overtime(tournament.rules)),
        (_("Order of criteria"), criteria.order(ranking)),
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
        "clause": rules.clauses.overtime,
    }
    if rules.overtime_limit is None:
        return cost
    lost = _("more than %(minutes)s minutes lose the game (%(clause)s)") % {
        "minutes": rules.overtime_limit // 60,
        "clause": rules.clauses.overtime_limit,
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
