"""A knock-out in words, for picture, list, sheet and announcement: only here do matches become text (TSO 6.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from scoring.clauses import KnockoutClauses
from scoring.knockout_values import (
    Bracket,
    BracketPart,
    DecidedBy,
    FactKind,
    KnockoutGame,
    KnockoutSystem,
    Match,
    MatchCriterion,
    MatchFormat,
    SourceKind,
    WaitsFor,
)
from scoring.rulesets.values import Ruleset
from scoring.standings import PlayerKey
from tournament.core.words.figures import (
    NO_FIGURE,
    append_clause,
    format_clock,
    format_points,
    format_score,
    format_wins,
)
from tournament.core.words.outcomes import format_outcome
from tournament.core.words.rounds import format_form_match, format_match_stage, format_stage_name
from tournament.knockout.layout import BracketCard, BracketColumn, BracketLine, BracketPicture
from tournament.knockout.plan import KnockoutPlan
from tournament.models import Knockout
from tournament.models.choices import FACT_LABELS, KNOCKOUT_SYSTEM_LABELS
from tournament.table.league import count_planned_rounds
from tournament.table.words import describe_highest_game

MATCH_DECISION_NAMES: Mapping[DecidedBy, Promise] = {
    DecidedBy.POINTS: pgettext_lazy("decided a match", "by points"),
    DecidedBy.WINS: pgettext_lazy("decided a match", "by wins"),
    DecidedBy.MOST_BINGOS: pgettext_lazy("decided a match", "more seven-tile plays"),
    DecidedBy.PRELIMINARY_RANK: pgettext_lazy("decided a match", "better preliminary place"),
    DecidedBy.PLAYING_TIME: pgettext_lazy("decided a match", "less time used"),
    DecidedBy.DECIDER_GAME: pgettext_lazy("decided a match", "by a deciding game"),
    DecidedBy.HIGHEST_GAME: pgettext_lazy("decided a match", "highest game"),
    DecidedBy.HIGHEST_MOVE: pgettext_lazy("decided a match", "highest move"),
    DecidedBy.OWN: pgettext_lazy("decided a match", "by the criterion “%(own)s”"),
    DecidedBy.FORFEIT: pgettext_lazy("decided a match", "by forfeit"),
    DecidedBy.WALKOVER: pgettext_lazy("decided a match", "without a game"),
    DecidedBy.LOT: pgettext_lazy("decided a match", "by lot"),
}

HIGHEST_MOVE_NAMES: Mapping[int, Promise] = {
    2: gettext_lazy("second-highest move"),
    3: gettext_lazy("third-highest move"),
    4: gettext_lazy("fourth-highest move"),
    5: gettext_lazy("fifth-highest move"),
}

MATCH_CRITERION_NAMES = {
    MatchCriterion.MOST_BINGOS: gettext_lazy("plays of all seven tiles"),
    MatchCriterion.PRELIMINARY_RANK: gettext_lazy("place before the knock-out"),
    MatchCriterion.PLAYING_TIME: gettext_lazy("less time used"),
    MatchCriterion.DECIDER_GAME: gettext_lazy("one more game"),
    MatchCriterion.OWN: gettext_lazy("a criterion of our own"),
}
"""The criteria that an announcement may name, as it names them; its own it names in its own words."""

BracketNames = Mapping[PlayerKey, str]  # the name of everybody who is seeded


def describe_seed(number: int) -> str:
    return _("seed %(number)s") % {"number": number}


def describe_match_decision(by: DecidedBy | None, own: str) -> str:
    """What a match was decided by, with the words of the announcement's `own` criterion; empty if it is not decided."""
    return "" if by is None else str(MATCH_DECISION_NAMES[by]) % {"own": own}


def describe_awaited_decision(reason: WaitsFor | None, own: str) -> str:
    """What a match that was played still needs to have a winner; empty while it waits for players or games."""
    if reason == WaitsFor.LOT:
        return _("level: a lot decides")
    if reason == WaitsFor.OWN:
        return _("level: the criterion “%(own)s” decides") % {"own": own}
    return _("level: a figure is missing") if reason == WaitsFor.FACTS else ""


def describe_unusual_decision(by: DecidedBy | None, nth: int, own: str) -> str:
    """What a match was decided by if the score does not show it. `nth`: by which of the highest games or moves; `own`:
    the words of the announcement's own criterion."""
    if by is None or by in (DecidedBy.POINTS, DecidedBy.WINS):
        return ""
    if nth == 1:
        return describe_match_decision(by, own)
    if by == DecidedBy.HIGHEST_GAME:
        return describe_highest_game(nth)
    if nth in HIGHEST_MOVE_NAMES:
        return str(HIGHEST_MOVE_NAMES[nth])
    return _("no. %(place)s of the highest moves") % {"place": nth}


# The bracket.


PARTS_BELOW: Mapping[BracketPart, Promise] = {
    BracketPart.LOSERS: gettext_lazy("Losers’ rounds"),
    BracketPart.PLACES_TO_EIGHT: gettext_lazy("Places 5–8"),
    BracketPart.FIFTH_PLACE: gettext_lazy("Places 5–8"),
    BracketPart.SEVENTH_PLACE: gettext_lazy("Places 5–8"),
}
"""The parts that stand under the bracket, with the title there."""

PARTS_UNDER_FINAL = frozenset({BracketPart.THIRD_PLACE, BracketPart.SEVENTH_PLACE})
"""The matches that stand under the last one of their part, with a heading of their own."""


def build_bracket_picture(bracket: Bracket, names: BracketNames) -> BracketPicture:
    """The knock-out as a picture shows it."""
    champion = bracket.champion
    above = [match for match in bracket.matches if match.slot.part not in PARTS_BELOW]
    below = [match for match in bracket.matches if match.slot.part in PARTS_BELOW]
    lower = None
    if below:
        title = str(PARTS_BELOW[below[0].slot.part])
        lower = replace(_build_picture_part(below, bracket, names), title=title)
    return replace(
        _build_picture_part(above, bracket, names),
        champion=names[champion] if champion is not None else "",
        champion_title=_("Winner of the knock-out"),
        below=lower,
    )


def _build_picture_part(matches: Sequence[Match], bracket: Bracket, names: BracketNames) -> BracketPicture:
    """These matches, stage by stage; a stage in which none is ever to be seen is left out."""
    columns, third = [], None
    # Matches come stage by stage, which `groupby` relies on.
    for _number, listed in groupby(matches, key=lambda match: match.stage):
        stage = list(listed)
        main_matches = [match for match in stage if match.slot.part not in PARTS_UNDER_FINAL]
        for match in stage:
            if match.slot.part in PARTS_UNDER_FINAL and not match.is_void:
                title = format_match_stage(match.slot)
                third = BracketColumn(title, (_build_bracket_card(match, bracket, names),))
        if not all(match.is_void for match in main_matches):
            cards = tuple(_build_bracket_card(match, bracket, names) for match in main_matches)
            title = format_stage_name(match.slot for match in main_matches) or format_match_stage(main_matches[0].slot)
            columns.append(BracketColumn(title, cards))
    return BracketPicture(tuple(columns), third)


def _build_bracket_card(match: Match, bracket: Bracket, names: BracketNames) -> BracketCard:
    lines = (_build_bracket_line(0, match, bracket, names), _build_bracket_line(1, match, bracket, names))
    played: tuple[str, ...] = ()
    if not all(game.is_open for game in match.games):
        played = tuple(_format_game(game, names, is_upper_first=game.first == match.players[0]) for game in match.games)
    return BracketCard(
        stage=match.stage,
        position=match.position,
        lines=lines,
        label="" if match.number is None else format_form_match(match.slot),
        note=format_match_note(match),
        games=played,
        told=_describe_match(match, lines, names, played),
        has_winner=match.winner is not None,
        # Only by winners: lines for losers would lead from the bracket down into that below it.
        fed_by=tuple(
            feed.match if feed is not None and feed.origin == SourceKind.WINNER else None for feed in match.slot.feeds
        ),
        is_void=match.is_void,
        is_extra=match.slot.repeats is not None and None in match.players,
    )


def _build_bracket_line(side: int, match: Match, bracket: Bracket, names: BracketNames) -> BracketLine:
    player = match.players[side]
    if player is None:
        return BracketLine(_describe_open_place(side, match, bracket), is_player=False)
    due = next((due for due in match.needed if due.is_open), None)
    return BracketLine(
        text=names[player],
        seed=bracket.seeds.index(player) + 1,
        score=format_side_score(match, side, bracket.rules.form),
        # A bye is no win: bold letters and a mark would tell of a match that nobody has played.
        won=player == match.winner and not match.is_bye,
        starts=due is not None and due.first == player,
    )


def _describe_open_place(side: int, match: Match, bracket: Bracket) -> str:
    """Who will take an open place, or that nobody will, since both players of the match before forfeited."""
    if match.is_needless:
        return NO_FIGURE
    if match.nobody[side]:
        return pgettext("knock-out", "bye") if match.is_bye else pgettext("knock-out", "nobody")
    source = match.sources[side]
    if source is None:
        return NO_FIGURE
    if source.origin == SourceKind.SEED or source.match is None:
        return describe_seed(source.number)
    message = _("winner of %(match)s") if source.origin == SourceKind.WINNER else _("loser of %(match)s")
    return message % {"match": format_form_match(bracket.match(*source.match).slot)}


def format_side_score(match: Match, side: int, form: MatchFormat) -> str:
    """One side's points, or wins in best of N; empty before the first result."""
    if match.score is None:
        return ""
    value = match.score[side]
    return format_wins(value) if form == MatchFormat.BEST_OF else format_points(int(value))


def format_match_note(match: Match) -> str:
    """What the score does not show: what decided, with the figures compared, or what is missing."""
    if match.is_bye:
        return ""
    if match.is_needless:
        return _("not needed")
    if match.slot.repeats is not None and None in match.players:
        return _("if it is needed")
    if match.is_over and match.winner is None:
        return _("nobody advances")
    by = describe_unusual_decision(match.decided_by, match.nth, match.own_criterion)
    if not by or match.compared is None:
        return by or describe_awaited_decision(match.waits_for, match.own_criterion)
    upper, lower = (_format_compared_figure(value, match.decided_by) for value in match.compared)
    return _("%(criterion)s %(upper)s : %(lower)s") % {"criterion": by, "upper": upper, "lower": lower}


def _format_compared_figure(value: float | None, by: DecidedBy | None) -> str:
    """A figure that was compared; None from a list that has run out."""
    if value is None:
        return pgettext("list that has run out", "none")
    if by == DecidedBy.PLAYING_TIME:
        return format_clock(int(value))
    return format_points(value) if isinstance(value, int) else format_wins(value)


def describe_unrecorded_facts(match: Match) -> str:
    """What the director marked as not recorded or not deciding, so that the next criterion did; empty if nothing."""
    names = ", ".join(str(FACT_LABELS[fact]) for fact in match.unrecorded if fact != FactKind.OWN)
    sentences = [_("not recorded: %(criteria)s") % {"criteria": names}] if names else []
    if FactKind.OWN in match.unrecorded:
        sentences.append(_("“%(own)s” does not decide") % {"own": match.own_criterion})
    return "; ".join(sentences)


def format_fact_name(fact: FactKind, own: str) -> str:
    """What the director may mark as not recorded, the announcement's own criterion in its words."""
    return _("“%(own)s”") % {"own": own} if fact == FactKind.OWN else str(FACT_LABELS[fact])


def _format_game(game: KnockoutGame, names: BracketNames, *, is_upper_first: bool) -> str:
    """One game from the upper player's side: 420 : 400, open, or who forfeits."""
    if game.is_open:
        return _("open")
    points = (game.first_points, game.second_points)
    parts = [] if None in points else [format_score(*(points if is_upper_first else points[::-1]))]
    if any(game.outcome.at_fault):
        parts.append(format_outcome(game.outcome, (names[game.first], names[game.second])))
    return ", ".join(parts)


def _describe_match(
    match: Match, lines: tuple[BracketLine, BracketLine], names: BracketNames, played: tuple[str, ...]
) -> str:
    """The match as a sentence or two, for those who do not see the picture."""
    upper, lower = (f"{line.text}{f' ({line.seed})' if line.seed else ''} {line.score}".strip() for line in lines)
    stage = format_match_stage(match.slot) if match.is_bye else format_form_match(match.slot)
    words = {"stage": stage, "upper": upper, "lower": lower}
    if match.is_bye:
        return _("%(stage)s: %(upper)s, %(lower)s.") % words
    sentences = [_("%(stage)s: %(upper)s against %(lower)s.") % words]
    if len(played) > 1:
        sentences.append(_("Games: %(games)s.") % {"games": "; ".join(played)})
    note = format_match_note(match)
    if match.winner is not None:
        by = note or describe_match_decision(match.decided_by, match.own_criterion)
        sentences.append(_("Winner: %(name)s, %(by)s.") % {"name": names[match.winner], "by": by})
    elif note:
        sentences.append(f"{note}.")
    if starter := next((line.text for line in lines if line.starts), None):
        sentences.append(_("%(name)s starts the next game.") % {"name": starter})
    return " ".join(sentences)


# The announcement, each phrase with its clause.


def _describe_match_form(plan: KnockoutPlan, clauses: KnockoutClauses) -> str:
    if plan.form == MatchFormat.BEST_OF:
        message = _("best of %(games)s games") % {"games": plan.best_of}
    elif plan.form == MatchFormat.DOUBLE:
        message = _("two games, the points of both together")
    else:
        message = _("one game")
    return append_clause(message, clauses.of(plan.form))


def _describe_level_criteria(plan: KnockoutPlan, clauses: KnockoutClauses) -> str:
    """What decides a level match, in order, with what always follows."""
    own = {MatchCriterion.OWN: plan.own_criterion}
    names = [
        own.get(criterion, str(MATCH_CRITERION_NAMES[criterion])) for criterion in map(MatchCriterion, plan.criteria)
    ]
    listed = ", ".join([*names, _("highest game"), _("highest move")])
    return _("%(criteria)s; then lots are drawn") % {"criteria": append_clause(listed, clauses.level)}


SYSTEM_SENTENCES: Mapping[KnockoutSystem, Promise] = {
    KnockoutSystem.PLACES_TO_EIGHT: gettext_lazy(
        "Whoever loses is out. The losers of the semi-finals play for third place, those of the quarter-finals for the "
        "places 5 to 8"
    ),
    KnockoutSystem.DOUBLE: gettext_lazy(
        "Whoever has lost two matches is out: after the first one they go on in the losers’ rounds, whose winner meets "
        "that of the winners’ rounds in the final. If the one without a loss loses it, a second final decides"
    ),
    KnockoutSystem.PAGE: gettext_lazy(
        "The winner of seed 1 against seed 2 is in the final; the loser meets the winner of seed 3 against seed 4 for "
        "the other place in it"
    ),
}
"""What a system other than single elimination means, as the announcement says it."""


def summarise_knockout_plan(plan: KnockoutPlan, rules: Ruleset) -> str:
    """The knock-out in one phrase: 4 players, one game (TSO 6.2.1); 16 players, double elimination, one game."""
    words = {"size": plan.size, "form": _describe_match_form(plan, rules.clauses.knockout)}
    if plan.system == KnockoutSystem.SINGLE:
        return _("%(size)s players, %(form)s") % words
    words["system"] = str(KNOCKOUT_SYSTEM_LABELS[KnockoutSystem(plan.system)])
    return _("%(size)s players, %(system)s, %(form)s") % words


def list_knockout_facts(stored: Knockout | None, rules: Ruleset, *, explains: bool = True) -> list[tuple[str, str]]:
    """What the announcement says of the knock-out: label and sentence of each fact; empty without a knock-out. A system
    other than single elimination is explained, or only named where a sentence has no room."""
    if stored is None:
        return []
    plan, clauses = KnockoutPlan.of(stored), rules.clauses.knockout
    has_rounds = count_planned_rounds(stored.division) or stored.division.rounds.exists()
    facts = [
        # A knock-out without rounds before it is seeded by rating: there is no table yet of which anybody is first.
        (_("Players"), _("The first %(size)s of the table") % {"size": plan.size} if has_rounds else str(plan.size)),
        (_("Each match"), _describe_match_form(plan, clauses)),
        (_("Level matches"), _describe_level_criteria(plan, clauses)),
    ]
    if plan.third_place:
        facts.append((_("Third place"), _("is played for")))
    if plan.system != KnockoutSystem.SINGLE:
        system = KnockoutSystem(plan.system)
        name = str(KNOCKOUT_SYSTEM_LABELS[system])
        facts.append((name, str(SYSTEM_SENTENCES[system])) if explains else (_("System"), name))
    return facts
