"""The rules of an event as its announcement (Ausschreibung) states them, in words."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring import awards, rulesets, standings
from tournament.models import Tournament
from tournament.pairing.values import ByePolicy, Method, Starts
from tournament.plan import segments
from tournament.words import criteria, figures
from tournament.words.clauses import before_stop, with_clause


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
        Method.FACTOR: _("factor %(factor)s: players %(factor)s places apart in the table meet")
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
    """Who starts."""
    clauses = tournament.rules.clauses
    if tournament.starts == Starts.BALANCED:
        return with_clause(_("Fixed beforehand, so that starts and replies stay even"), clauses.fixed_starts)
    return with_clause(_("Drawn at the table"), clauses.drawn_starts)


def bye_policy(tournament: Tournament) -> str:
    """Who gets the bye, and what it credits."""
    who = {
        ByePolicy.LOWEST: _("The lowest in the table who has had none"),
        ByePolicy.GERMAN: _("With K rounds left the K-th from the bottom"),
        ByePolicy.BY_HAND: _("Named by the director"),
    }[ByePolicy(tournament.bye_policy)]
    said = _("%(who)s. It counts as a win with %(spread)s and %(points)s points.") % {
        "who": who,
        "spread": figures.signed(tournament.awards.bye_spread),
        "points": figures.points(tournament.awards.bye_points),
    }
    return before_stop(said, whose(tournament.awards))


def absence(tournament: Tournament) -> str:
    """What an absence without a bye costs."""
    said = _("A loss with %(spread)s and no points") % {"spread": figures.signed(tournament.awards.loss_spread)}
    return with_clause(said, whose(tournament.awards))


def whose(figured: awards.Awards) -> str:
    """That the figures of awards are the organiser's, where the rules name none; the empty text where they do."""
    return "" if figured.clause else _("set by the organiser")


def spread_cap(ranking: standings.Ranking) -> str:
    """The most that one game's spread counts; an empty text without a cap."""
    caps = ranking.spread_cap
    if not caps:
        return ""
    if len(caps) == 1:
        return _("One game's spread counts %(cap)s at most") % {"cap": caps[0]}
    listed = ", ".join(str(cap) for cap in caps)
    return _("One game's spread counts at most, by round: %(caps)s (the last one repeats)") % {"caps": listed}


def facts(tournament: Tournament) -> list[tuple[str, str]]:
    """What the rules want an announcement (Ausschreibung) to state: label and sentence of each fact that applies."""
    ranking = tournament.ranking
    facts = [
        (_("Ruleset"), tournament.rules.name),
        (_("Time per player"), minutes(tournament)),
        (_("Overtime"), overtime(tournament.rules)),
        (_("Order of criteria"), criteria.order(ranking, tournament.rules)),
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
    """What thinking longer costs; an empty text where the rules have no clock."""
    if not rules.overtime_points:
        return ""
    cost = _("%(points)s points off for each %(step)s") % {
        "points": rules.overtime_points,
        "step": figures.started(rules.overtime_step),
    }
    cost = with_clause(cost, rules.clauses.overtime)
    if rules.overtime_limit is None:
        return cost
    lost = _("more than %(time)s lose the game") % {"time": figures.duration(rules.overtime_limit)}
    return f"{cost}; {with_clause(lost, rules.clauses.overtime_limit)}"


def clubs_apart(tournament: Tournament) -> str:
    """How long players of one club are kept apart; an empty text where they are not."""
    rounds = tournament.clubs_apart
    if not rounds:
        return ""
    return ngettext(
        "Players of one club do not meet in the first round if that can be avoided",
        "Players of one club do not meet in the first %(rounds)s rounds if that can be avoided",
        rounds,
    ) % {"rounds": rounds}
