"""The rules of an event as its announcement (Ausschreibung) states them, in words."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from scoring import rulesets, standings
from scoring.clauses import Clauses
from scoring.letters import LETTER_SETS
from tournament.core.words.figures import (
    append_clause,
    format_clause,
    format_duration,
    format_overtime_step,
    format_points,
    format_signed,
    insert_clause,
)
from tournament.events.states import DivisionState
from tournament.models import Tournament
from tournament.models.choices import TURNING_LABELS
from tournament.pairing.contention import THRESHOLDS
from tournament.pairing.costs import STARTS_FIRST
from tournament.pairing.values import ByePolicy, Method, StartPolicy
from tournament.rounds.plan import PlanSegment
from tournament.table.words import (
    describe_criteria_order,
    describe_keizer_points,
    describe_spread_cap,
    get_criterion_name,
)
from tournament.teams.words import describe_team_rule


def format_round_range(first: int, last: int) -> str:
    """A range of rounds."""
    if first == last:
        return _("Round %(number)s") % {"number": first}
    return _("Rounds %(first)s–%(last)s") % {"first": first, "last": last}


def format_segment_rounds(part: PlanSegment) -> str:
    """Which rounds one part of the plan holds."""
    return format_round_range(part.first, part.last)


def describe_segment(part: PlanSegment) -> str:
    """How the rounds of one part of the plan are paired."""
    methods = {
        Method.SWISS: _("Swiss: the upper half of players with equal wins meets the lower half"),
        Method.KING_OF_THE_HILL: _("king of the hill: first meets second, third meets fourth, and so on"),
        Method.AUSTRALIAN: _describe_australian_draw(part),
        Method.ROUND_ROBIN: _("round robin: all play all"),
        Method.GROUPS: _("groups of four by rating quarter: all play all"),
        Method.FACTOR: ngettext(
            "factor %(factor)s: players %(factor)s place apart in the table meet",
            "factor %(factor)s: players %(factor)s places apart in the table meet",
            part.factor or 1,
        )
        % {"factor": part.factor},
        Method.RANDOM: _("random"),
        Method.CONTENTION: _describe_contention(),
        Method.TEAMS: _("matches of teams"),
        Method.MANUAL: _("by hand"),
    }
    words = [methods[Method(part.method)]]
    # The Australian draw says by itself when two may meet again.
    if part.may_repeat and part.method != Method.AUSTRALIAN:
        words.append(part.repeats_text)
    if part.behind:
        words.append(
            ngettext(
                "paired by the standings one round earlier",
                "paired by the standings %(behind)s rounds earlier",
                part.behind,
            )
            % {"behind": part.behind}
        )
    if part.method == Method.CONTENTION:
        return "\n".join(words)
    return "; ".join(words)


def _describe_australian_draw(part: PlanSegment) -> str:
    """The method, and what sets it apart from king of the hill."""
    if part.repeats_after:
        return ngettext(
            "Australian draw: from the top of the table down, whatever the wins, each player meets the highest placed "
            "of those left whom they have not met within %(count)s round, as long as that makes nobody else meet "
            "again so soon",
            "Australian draw: from the top of the table down, whatever the wins, each player meets the highest placed "
            "of those left whom they have not met within %(count)s rounds, as long as that makes nobody else meet "
            "again so soon",
            part.repeats_after,
        ) % {"count": part.repeats_after}
    if part.repeats:
        return _(
            "Australian draw, repeats allowed: whatever the wins, first meets second, third meets fourth, and so on"
        )
    return _(
        "Australian draw: from the top of the table down, whatever the wins, each player meets the highest placed of "
        "those left whom they have not met, as long as that makes nobody else meet again"
    )


def _describe_contention() -> str:
    """The method with its thresholds, a sentence on each line."""
    # In the last round no ending is simulated, so that its threshold is told to nobody.
    _last, before, *earlier = (round(100 * share) for share in THRESHOLDS)
    figures = {"before": before, "earlier": ", ".join(map(str, earlier))}
    return "\n".join(
        (
            _("Contention: players on a place with a prize meet somebody who can still reach it."),
            _(
                "The leader meets the lowest player, among those met least, who still wins in enough simulated "
                "endings: %(before)s%% of them in the last round but one, %(earlier)s%% before."
            )
            % figures,
            _("On any other place with a prize, the opponent is the nearest who still ends there or higher as often."),
            _(
                "In the last round the opponent is somebody whom a win brings level: the nearest in wins, "
                "then the least met."
            ),
            _(
                "Players may meet again. Somebody else is chosen where that spares others a repeat or "
                "keeps starts even."
            ),
            _("For place 1 alone, starts may become uneven."),
            _("All others are paired as in Swiss rounds."),
        )
    )


def describe_starts(tournament: Tournament) -> str:
    """Who starts, and by which clause."""
    rules, drawn = tournament.rules, _("Drawn at the table")
    if tournament.starts != StartPolicy.BALANCED:
        return append_clause(drawn, rules.clauses.drawn_starts)
    message = _("Fixed beforehand, so that starts and replies stay even")
    if rules.draws_start:
        return mark_deviation(message, drawn, rules.clauses.drawn_starts, rules)
    return append_clause(message, rules.clauses.fixed_starts)


def _describe_even_starts(tournament: Tournament) -> str:
    """How starts that are fixed beforehand stay even, a sentence on each line; empty where they are drawn."""
    if tournament.starts != StartPolicy.BALANCED:
        return ""
    swiss = _(
        "In Swiss rounds of %(fewest)s to %(most)s players, even starts come before equal wins in "
        "the choice of opponents."
    )
    return "\n".join(
        (
            _("No player should have two starts more or fewer than replies."),
            _("The player with fewer starts goes first."),
            _("If both have as many, the one starts who replied when the two last met."),
            _(
                "If they have not met, their games are compared from the last one back: at the first "
                "difference, the replier starts."
            ),
            _("Otherwise the lot decides."),
            swiss % {"fewest": STARTS_FIRST[0], "most": STARTS_FIRST[-1]},
        )
    )


class Deviation(str):
    """A fact that an announcement marks as a deviation from the rules."""

    # A text like all others, so that pages and paper need not tell them apart; only the report to a federation asks.
    __slots__ = ()


def mark_deviation(said: str, usual: str, clause: str, rules: rulesets.Ruleset) -> Deviation:
    """A fact marked as a deviation from the rules, with what they have and where (TSO, foreword, 1.1 d)."""
    # The fact goes on within a sentence here, and may have been one by itself.
    words = {"said": said.removesuffix("."), "usual": usual, "clause": format_clause(clause)}
    words["approval"] = format_clause(rules.clauses.deviations)
    said = _("%(said)s – deviation from the rules%(approval)s, which have: %(usual)s%(clause)s")
    return Deviation(said % words)


def describe_word_list(tournament: Tournament) -> str:
    """The word list that decides, and where players see it; "" where none is announced."""
    if not tournament.word_list:
        return ""
    sentence = tournament.word_list
    if tournament.word_list_at:
        sentence = _("%(list)s; players see it here: %(where)s") % {"list": sentence, "where": tournament.word_list_at}
    if (days := tournament.rules.word_list_days) is not None:
        template = _("%(list)s; whoever asks for it is given it %(days)s days before the first day at the latest")
        sentence = template % {"list": sentence, "days": days}
    return append_clause(sentence, tournament.rules.clauses.word_list)


def describe_turning(tournament: Tournament) -> str:
    """Whether boards are turned; "" if nothing is said. TSO 2.1 lets both players agree, so forbidding it deviates."""
    rules, sentence = tournament.rules, tournament.get_turning_display()
    clause, turning = rules.clauses.turning, rulesets.BoardTurning
    if tournament.turning == turning.AGREED and not clause:
        return ""
    if tournament.turning == turning.FIXED and clause:
        return mark_deviation(sentence, str(TURNING_LABELS[turning.AGREED]), clause, rules)
    return append_clause(sentence, clause)


def describe_tiles(rules: rulesets.Ruleset) -> str:
    """How many tiles there are, where the book speaks of another number; "" elsewhere."""
    if rules.stated_tiles is None:
        return ""
    figures = {"count": LETTER_SETS[rules.letters].size, "rules": rules.name, "stated": rules.stated_tiles}
    return _("%(count)s, as the set has them; %(rules)s speaks of %(stated)s") % figures


def describe_bye_policy(tournament: Tournament) -> str:
    """Who gets the bye, and what it credits."""
    who = {
        ByePolicy.LOWEST: _("The lowest in the table who has had none"),
        ByePolicy.GERMAN: _("With K rounds left the K-th from the bottom"),
        ByePolicy.BY_HAND: _("Named by the director"),
    }[ByePolicy(tournament.bye_policy)]
    words = ngettext(
        "%(who)s. It counts as a win with %(spread)s and %(points)s point.",
        "%(who)s. It counts as a win with %(spread)s and %(points)s points.",
        tournament.awards.bye_points,
    )
    sentence = words % {
        "who": who,
        "spread": format_signed(tournament.awards.bye_spread),
        "points": format_points(tournament.awards.bye_points),
    }
    announced, rules = tournament.awards, tournament.rules
    # A book without a clause leaves the figures to the organiser: there is nothing to deviate from.
    if not (announced.clause and announced.own_bye):
        return insert_clause(sentence, "" if announced.clause else _("set by the organiser"))
    words = ngettext("%(spread)s and %(points)s point", "%(spread)s and %(points)s points", rules.awards.bye_points)
    usual = words % {"spread": format_signed(rules.awards.bye_spread), "points": format_points(rules.awards.bye_points)}
    return mark_deviation(sentence, usual, announced.clause, rules)


def describe_absence(tournament: Tournament) -> str:
    """What an absence without a bye costs."""
    message = _("A loss with %(spread)s and no points") % {"spread": format_signed(tournament.awards.loss_spread)}
    announced, rules = tournament.awards, tournament.rules
    # Where the book says nothing of absences the announcement has to say all, also what it costs to break off a game.
    if not announced.clause:
        return _(
            "%(said)s; whoever forfeits a game that has begun and is behind by more than %(over)s loses that and "
            "%(extra)s more"
        ) % {
            "said": append_clause(message, _("set by the organiser")),
            "over": announced.deficit_over,
            "extra": announced.deficit_extra,
        }
    if not announced.own_loss:
        return message
    return mark_deviation(message, format_signed(rules.awards.loss_spread), announced.clause, rules)


def describe_announced_order(ranking: standings.Ranking, rules: rulesets.Ruleset) -> str:
    """The order of criteria, marked where the rules rank by something else or let further criteria decide."""
    order_text, clause, usual = describe_criteria_order(ranking, rules), rules.clauses.table, []
    if ranking.basis != rules.basis:
        usual.append(_("ranked by %(criterion)s") % {"criterion": get_criterion_name(standings.Criterion(rules.basis))})
    if ranking.shared_ties:
        usual.append(_("the criteria not named follow, then the highest game"))
    return mark_deviation(order_text, "; ".join(usual), clause, rules) if clause and usual else order_text


def describe_announced_cap(ranking: standings.Ranking, rules: rulesets.Ruleset) -> str:
    """The most that one game's spread counts, marked where the rules have no cap; "" without one."""
    cap_text, clause = describe_spread_cap(ranking), rules.clauses.table
    return mark_deviation(cap_text, _("the whole spread counts"), clause, rules) if cap_text and clause else cap_text


def list_announcement_facts(tournament: Tournament) -> list[tuple[str, str]]:
    """What the rules want an announcement (Ausschreibung) to state: label and sentence of each fact that applies."""
    duplicate = tournament.rules.duplicate
    clauses = tournament.rules.clauses
    facts = _list_paired_facts(tournament) if duplicate is None else _list_session_facts(duplicate, clauses)
    facts = [(_("Ruleset"), tournament.rules.name), (_("Word list"), describe_word_list(tournament)), *facts]
    return [(label, text) for label, text in facts if text]


def list_deviations(tournament: Tournament) -> list[tuple[str, str]]:
    """Those of these facts that deviate from the rules."""
    return [(label, text) for label, text in list_announcement_facts(tournament) if isinstance(text, Deviation)]


def _list_session_facts(rules: rulesets.DuplicateRules, clauses: Clauses) -> list[tuple[str, str]]:
    """How a session is played in which nobody is paired."""
    turns = {"turns": rules.turns, "letters": rules.letters}
    time = {"seconds": rules.turn_seconds, "rest": rules.writing_seconds}
    listed = _("A list of two-letter words may be used, other lists and dictionaries may not")
    late = _("%(seconds)s seconds by the rules, the last %(rest)s to write it down; a late slip scores 0")
    return [
        (_("Turns"), _("At most %(turns)s, with the same %(letters)s tiles for all") % turns),
        (_("Time of a turn"), late % time),
        (_("What a slip scores"), _("The points of its word; 0 if position, word or letters are wrong")),
        (_("What is laid"), _("The best word handed in; if several are equal, the one with the fewest new tiles")),
        (_("Word lists during play"), append_clause(listed, clauses.two_letters)),
        (_("Standings"), _("By the sum of points; players who are level share the rank")),
    ]


def _list_paired_facts(tournament: Tournament) -> list[tuple[str, str]]:
    ranking, rules = tournament.ranking, tournament.rules
    two_letters, finished = rules.clauses.two_letters, rules.clauses.finished
    seen = _("The jury sees the board before the tiles go back, if the organiser asks for it")
    return [
        (
            _("Time per player") if tournament.shared_minutes is None else _("Playing time"),
            describe_minutes(tournament),
        ),
        (_("Overtime"), describe_overtime_rule(rules)),
        (_("Questions to the jury"), describe_questions(tournament)),
        (_("Two-letter words"), two_letters and append_clause(_("A list of them lies on each table"), two_letters)),
        (_("Finished game"), finished and append_clause(seen, finished)),
        (_("Order of criteria"), describe_announced_order(ranking, rules)),
        (pgettext("Keizer", "Scoring"), describe_keizer_points(ranking)),
        (_("Spread cap"), describe_announced_cap(ranking, rules)),
        (_("Who starts"), describe_starts(tournament)),
        (_("Even starts"), _describe_even_starts(tournament)),
        (_("Tiles"), describe_tiles(rules)),
        (_("Boards"), describe_turning(tournament)),
        (_("Byes"), describe_bye_policy(tournament)),
        (_("Absence"), describe_absence(tournament)),
        (_("Withdrawn players"), tournament.get_withdrawn_display()),
        (_("Clubs"), describe_clubs_apart(tournament)),
        (_("Ratings"), describe_rated_games(tournament)),
        (_("Teams"), " ".join(describe_team_rule(tournament))),
    ]


def describe_minutes(tournament: Tournament) -> str:
    """How long each player may think, beside what is usual where that differs."""
    rules, usual = tournament.rules, tournament.rules.default_minutes
    if tournament.minutes is None:
        message = _("No clock")
        if rules.shared_minutes is not None:
            minutes = {"minutes": format_duration(60 * rules.shared_minutes)}
            message = _("%(minutes)s for the whole game, without a chess clock") % minutes
        if rules.default_minutes is None or not rules.clauses.minutes:
            return message
        return mark_deviation(message, format_duration(60 * rules.default_minutes), rules.clauses.minutes, rules)
    if usual is None or tournament.minutes == usual:
        return append_clause(format_duration(60 * tournament.minutes), rules.clauses.minutes)
    # The book names several: one of these stands beside the usual one, any other is an exception to be approved (TSO
    # 1.1 d).
    if tournament.minutes not in rules.minutes:
        duration = format_duration(60 * tournament.minutes)
        return mark_deviation(duration, format_duration(60 * usual), rules.clauses.minutes, rules)
    words = {"said": format_duration(60 * tournament.minutes), "usual": format_duration(60 * usual)}
    return append_clause(_("%(said)s instead of the usual %(usual)s") % words, rules.clauses.minutes)


def describe_overtime_rule(rules: rulesets.Ruleset) -> str:
    """What thinking longer costs; "" where the rules have no clock."""
    if not rules.overtime_points:
        return ""
    figures = {"points": rules.overtime_points, "step": format_overtime_step(rules.overtime_step)}
    message = ngettext(
        "%(points)s point off for each %(step)s", "%(points)s points off for each %(step)s", rules.overtime_points
    )
    cost = append_clause(message % figures, rules.clauses.overtime)
    if rules.overtime_limit is None:
        return cost
    lost = _("more than %(time)s lose the game") % {"time": format_duration(rules.overtime_limit)}
    return f"{cost}; {append_clause(lost, rules.clauses.overtime_limit)}"


def describe_questions(tournament: Tournament) -> str:
    """How many words each player may show to the jury; "" where the rules do not have it."""
    rules, limit = tournament.rules, tournament.question_limit
    if rules.questions is None:
        return ""
    message = _("As many words as a player likes, before they are laid")
    if limit is not None:
        message = _("At most %(count)s words per player and game, before they are laid") % {"count": limit}
    return append_clause(message, rules.clauses.questions)


def describe_rated_games(tournament: Tournament) -> str:
    """Which games are not rated; "" if all are."""
    if not tournament.rated:
        return _("The games are not rated")
    return "" if tournament.knockout_rated else _("Games of the knock-out are not rated")


def describe_clubs_apart(tournament: Tournament) -> str:
    """How long players of one club are kept apart; "" where they are not."""
    rounds = tournament.clubs_apart
    if not rounds:
        return ""
    return ngettext(
        "Players of one club do not meet in the first round if that can be avoided",
        "Players of one club do not meet in the first %(rounds)s rounds if that can be avoided",
        rounds,
    ) % {"rounds": rounds}


class EventStanding(NamedTuple):
    """Where an event is, for lists: "on" (it runs), "look" (its days are over, the director has not ended it), "done"
    or "" (it is to come); in words; and who has won."""

    state: str
    said: str
    won: str


def describe_event(
    tournament: Tournament, states: Sequence[DivisionState], winners: Mapping[int, Sequence[str]], today: date
) -> EventStanding:
    """How far an event is, by its divisions; `winners` are those of each division."""
    several = len(states) > 1
    if tournament.is_ended:
        names = [(state.division.name, "; ".join(winners.get(state.division.pk, ()))) for state in states]
        won = " · ".join(f"{name}: {who}" if several else who for name, who in names if who)
        return EventStanding("done", pgettext("tournament", "ended"), won)
    if tournament.called_off_on is not None:
        return EventStanding("done", _("called off"), "")
    progress_text = " · ".join(describe_progress(state, several=several) for state in states)
    last_day = tournament.ends_on or tournament.starts_on
    if not any(state.number or state.in_knockout for state in states):
        return EventStanding("", progress_text, "")
    if last_day is not None and last_day < today:
        return EventStanding("look", _("%(where)s, not ended yet") % {"where": progress_text}, "")
    return EventStanding("on", progress_text, "")


def describe_progress(state: DivisionState, *, several: bool) -> str:
    """How far a division is, in a few words; with its name where a tournament has several."""
    where = _describe_where(state)
    return f"{state.division.name}: {where}" if several else where


def _describe_where(state: DivisionState) -> str:
    tournament = state.division.tournament
    if tournament.is_ended:
        return pgettext("tournament", "ended")
    if not tournament.rules.is_paired:
        return _("Duplicate session")
    if state.in_knockout:
        return _("Knock-out")
    if not state.number:
        return _("before round 1")
    words = {"number": state.number, "planned": state.planned}
    # Beyond the plan without it: “round 8 of 7” would be taken for a mistake.
    template = _("Round %(number)s of %(planned)s") if state.planned >= state.number else _("Round %(number)s")
    place_text = template % words
    return _("%(round)s · draft") % {"round": place_text} if state.is_draft else place_text
