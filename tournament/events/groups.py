"""The settings of an event as their page shows them: a line for each group, with its present value in words and
whether that is what the event was made with."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.rulesets import BoardTurning
from scoring.standings import WithdrawnPlacement
from scoring.team_matches import LeaverMatches
from scoring.teams import TeamRule
from tournament.basics.showing import ALL_SHOWN_AT_ONCE, SHOWING_STEPS, ShowingRule
from tournament.core.words.figures import format_event_days, format_points, format_signed
from tournament.core.words.rounds import STEP_NAMES, format_showing_time
from tournament.events.forms import list_group_fields
from tournament.events.queries import GIVEN_COLUMNS, EventOrigin
from tournament.knockout.plan import KnockoutPlan
from tournament.models import Division, Tournament
from tournament.pairing.values import ByePolicy, StartPolicy
from tournament.rounds.plan import PlanSegment, read_round_plan
from tournament.table.words import describe_spread_cap, get_criterion_name

SHOWN_WORDS = 40  # letters of the announcement


@dataclass(frozen=True, slots=True)
class SettingsLine:
    """A group on the page: what it holds in words, the most important first. `own`: other values than the event was
    made with; None where nothing is compared. `back` is what going back brings."""

    key: str
    label: str | Promise
    said: list[str]
    own: bool | None = None
    back: str = ""


Section = tuple[str | Promise, list[SettingsLine]]
"""Lines under a heading."""

LABELS: Mapping[str, Promise] = {
    "name": gettext_lazy("Name, place, days"),
    "announcement": gettext_lazy("Announcement"),
    "rules": gettext_lazy("Rules and time"),
    "plan": gettext_lazy("Plan of rounds"),
    "table": gettext_lazy("Standings"),
    "byes": gettext_lazy("Byes and absences"),
    "boards": gettext_lazy("Start, boards, clubs"),
    "teams": gettext_lazy("Teams"),
    "results": gettext_lazy("Typing results"),
    "day": gettext_lazy("The day by itself"),
    "ratings": gettext_lazy("Ratings"),
    "public": gettext_lazy("What the public sees"),
}

SECTIONS: tuple[tuple[Promise, tuple[str, ...]], ...] = (
    (gettext_lazy("Tournament"), ("name", "announcement")),
    (gettext_lazy("Course of the event"), ("rules", "plan", "day", "table", "byes", "boards", "teams")),
    (gettext_lazy("Public"), ("results", "ratings", "public")),
)


def list_sections(tournament: Tournament, divisions: Sequence[Division], origin: EventOrigin | None) -> list[Section]:
    """The lines of the page under their headings; groups with nothing to set in this event are left out."""
    sections: list[Section] = []
    for heading, keys in SECTIONS:
        # The plan has a page instead of fields, so that it is asked in another way whether this event has one.
        lines = [
            build_plan_line(divisions, origin) if key == "plan" else build_line(key, tournament, origin)
            for key in keys
            if (tournament.rules.is_paired if key == "plan" else list_group_fields(key, tournament))
        ]
        sections.append((heading, lines))
    return sections


def build_line(key: str, tournament: Tournament, origin: EventOrigin | None) -> SettingsLine:
    """The line of one group."""
    phrases = DESCRIPTIONS[key](tournament)
    # Name, days and announcement are given by nobody: there is nothing to compare them with.
    if origin is None or key not in GIVEN_COLUMNS:
        return SettingsLine(key, LABELS[key], phrases)
    own = bool(origin.list_own_columns(key, tournament))
    # What both have in common is left out below: the line says what going back would change.
    preset_phrases = DESCRIPTIONS[key](origin.given) if own else []
    return SettingsLine(
        key, LABELS[key], phrases, own, ", ".join(part for part in preset_phrases if part not in phrases)
    )


def build_plan_line(divisions: Sequence[Division], origin: EventOrigin | None) -> SettingsLine:
    """The plans of all divisions."""
    plans = {division.name: _describe_division_plan(division) for division in divisions}
    phrases = [f"{name}: {', '.join(plan)}" for name, plan in plans.items()]
    if len(plans) == 1:
        [phrases] = plans.values()
    own = None if origin is None else any(map(origin.has_own_plan, divisions))
    return SettingsLine("plan", LABELS["plan"], phrases, own)


def list_evening_lines(sections: list[Section]) -> list[SettingsLine]:
    """The same for a club's evening: name, play and public, each in one line."""
    lines = {line.key: line for _heading, listed in sections for line in listed}
    play = [lines[key] for key in ("plan", "rules", "table", "byes", "boards") if key in lines]
    public = [lines[key] for key in ("public", "results") if key in lines]
    rule_phrases = lines["rules"].said
    if "plan" in lines:
        # Where there is a plan players are paired: then the second phrase of the rules is the clock.
        rule_phrases = [*lines["plan"].said, lines["rules"].said[1], *lines["table"].said[:1]]
    return [
        lines["name"],
        SettingsLine("play", gettext_lazy("Course of the event"), rule_phrases, any(line.own for line in play)),
        SettingsLine("public", gettext_lazy("Public"), public[0].said, any(line.own for line in public)),
    ]


def count_own_values(tournament: Tournament, divisions: Sequence[Division], origin: EventOrigin) -> int:
    """How many values differ from those that the event was made with; a plan counts as one."""
    plans = [division for division in divisions if tournament.rules.is_paired and origin.has_own_plan(division)]
    return len(plans) + sum(len(origin.list_own_columns(group, tournament)) for group in GIVEN_COLUMNS)


def describe_preset(made: Tournament) -> list[str]:
    """What a preset sets besides the plan, a sentence each; `made` is an event from it."""
    sentences = [_describe_rules(made)]
    if made.rules.is_paired:
        sentences += [_describe_table(made), describe_showing(ShowingRule.of(made))]
    return [", ".join(parts) for parts in sentences]


# What each group holds, in words.


def _describe_division_plan(division: Division) -> list[str]:
    # Where a division has none Django raises an error that is an AttributeError, too.
    knockout = getattr(division, "knockout", None)
    return describe_plan(read_round_plan(division.plan), KnockoutPlan.of(knockout) if knockout else None)


def describe_plan(segments: Sequence[PlanSegment], knockout: KnockoutPlan | None = None) -> list[str]:
    """A plan of rounds: 7 rounds, 1–6 Swiss, 7 Contention."""
    if not segments:
        return [_("nothing planned: the method is chosen before each draw")]
    count = segments[-1].last
    sentences = [ngettext("%(count)s round", "%(count)s rounds", count) % {"count": count}]
    for part in segments:
        rounds = str(part.first) if part.first == part.last else f"{part.first}–{part.last}"
        sentences.append(part.label if len(segments) == 1 else f"{rounds} {part.label}")
    return sentences if knockout is None else [*sentences, _("then a knock-out of %(size)s") % {"size": knockout.size}]


def _describe_name(tournament: Tournament) -> list[str]:
    return [part for part in (tournament.name, tournament.place, format_event_days(tournament)) if part]


def _describe_announcement(tournament: Tournament) -> list[str]:
    words = tournament.announcement.split()
    if not words:
        return [_("no text of your own; rules and plan are added automatically")]
    count = ngettext("%(count)s word", "%(count)s words", len(words)) % {"count": len(words)}
    return [count, Truncator(" ".join(words)).chars(SHOWN_WORDS)]


def _describe_rules(tournament: Tournament) -> list[str]:
    sentences = [tournament.rules.name]
    if tournament.rules.is_paired:
        minutes = tournament.minutes
        sentences.append(_("no clock") if minutes is None else _("%(minutes)s min per player") % {"minutes": minutes})
    if tournament.word_list:
        sentences.append(tournament.word_list)
    return [*sentences, _("national tournament")] if tournament.national else sentences


def _describe_table(tournament: Tournament) -> list[str]:
    ranking = tournament.ranking
    first, *rest = (get_criterion_name(which) for which in ranking.criteria)
    sentences = [first]
    if rest:
        sentences.append(_("then %(rest)s") % {"rest": ", ".join(rest)})
    if ranking.shared_ties:
        sentences.append(_("whoever is level shares the rank"))
    if ranking.withdrawn == WithdrawnPlacement.UNRANKED:
        sentences.append(_("withdrawn players last"))
    return [*sentences, cap] if (cap := describe_spread_cap(ranking)) else sentences


def _describe_byes(tournament: Tournament) -> list[str]:
    awards = tournament.awards
    figures = {"spread": format_signed(awards.bye_spread), "points": format_points(awards.bye_points)}
    absence = _("absence %(spread)s") % {"spread": format_signed(awards.loss_spread)}
    bye = ngettext("bye %(spread)s and %(points)s point", "bye %(spread)s and %(points)s points", awards.bye_points)
    sentences = [bye % figures, absence]
    return sentences if tournament.bye_policy == ByePolicy.LOWEST else [*sentences, tournament.get_bye_policy_display()]


TURNING_PHRASES: Mapping[BoardTurning, Promise] = {
    BoardTurning.AGREED: gettext_lazy("boards turned if both agree"),
    BoardTurning.TURNED: gettext_lazy("boards turned"),
    BoardTurning.FIXED: gettext_lazy("boards not turned"),
}


def _describe_boards(tournament: Tournament) -> list[str]:
    sentences = [
        _("starts drawn at the table") if tournament.starts == StartPolicy.DRAWN else _("starts fixed beforehand")
    ]
    sentences.append(str(TURNING_PHRASES[BoardTurning(tournament.turning)]))
    if tournament.clubs_apart:
        apart = ngettext("clubs apart for %(count)s round", "clubs apart for %(count)s rounds", tournament.clubs_apart)
        sentences.append(apart % {"count": tournament.clubs_apart})
    return sentences


def _describe_teams(tournament: Tournament) -> list[str]:
    rule = TeamRule(tournament.team_rule)
    if rule == TeamRule.NONE:
        return [_("no table of teams")]
    if rule == TeamRule.MATCHES:
        boards = ngettext("%(count)s board", "%(count)s boards", tournament.team_best) % {"count": tournament.team_best}
        described = [tournament.get_team_rule_display(), boards, tournament.get_team_format_display()]
        if tournament.teams_play_all:
            described.append(_("all teams play all, home and away"))
        is_struck = tournament.team_leavers == LeaverMatches.STRUCK
        return [*described, _("matches of a team that leaves are struck")] if is_struck else described
    best = ngettext("the best player of each", "the best %(count)s players of each", tournament.team_best)
    return [tournament.get_team_rule_display(), best % {"count": tournament.team_best}]


def _describe_results(tournament: Tournament) -> list[str]:
    return [_("twice, by two people") if tournament.results_twice else _("once")]


def _describe_day(tournament: Tournament) -> list[str]:
    if tournament.step_seconds is None:
        return [_("each step is the director’s")]
    message = ngettext(
        "%(count)s second after the last result the next round is drawn, then published, then its clock started",
        "%(count)s seconds after the last result the next round is drawn, then published, then its clock started",
        tournament.step_seconds,
    )
    return [message % {"count": tournament.step_seconds}]


def _describe_ratings(tournament: Tournament) -> list[str]:
    if not tournament.rated:
        return [_("games are not rated")]
    sentences = [_("games are rated"), tournament.get_rating_system_display()]
    if not tournament.knockout_rated:
        sentences.append(_("those of the knock-out are not"))
    return [*sentences, _("everybody sees the preview")] if tournament.ratings_public else sentences


def _describe_public(tournament: Tournament) -> list[str]:
    sentences = [_("visible to everybody") if tournament.is_public else _("only its directors see it")]
    if tournament.rules.is_paired:
        sentences += describe_showing(ShowingRule.of(tournament))
        sentences.append(_("with the reasons for pairings") if tournament.public_reasons else _("without reasons"))
    return [*sentences, tournament.get_language_display()]


def describe_showing(rule: ShowingRule) -> list[str]:
    """When the public sees what of a round."""
    if rule == ALL_SHOWN_AT_ONCE:
        return [_("everything at once")]
    times = {step: getattr(rule, step.value) for step in SHOWING_STEPS}
    return [f"{STEP_NAMES[step]} {format_showing_time(when)}" for step, when in times.items()]


DESCRIPTIONS: Mapping[str, Callable[[Tournament], list[str]]] = {
    "name": _describe_name,
    "announcement": _describe_announcement,
    "rules": _describe_rules,
    "table": _describe_table,
    "byes": _describe_byes,
    "boards": _describe_boards,
    "teams": _describe_teams,
    "results": _describe_results,
    "day": _describe_day,
    "ratings": _describe_ratings,
    "public": _describe_public,
}
