"""A knock-out in the words that its picture and its list show: the one place where matches become text."""

from collections.abc import Mapping
from types import MappingProxyType

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from scoring.clauses import KnockoutClauses
from scoring.knockout_values import (
    Bracket,
    DecidedBy,
    KnockoutGame,
    Match,
    MatchCriterion,
    MatchFormat,
    PlayerSource,
    SourceKind,
    WaitsFor,
)
from scoring.rulesets.values import Ruleset
from scoring.tally import PlayerKey
from tournament.core.words.figures import (
    NO_FIGURE,
    append_clause,
    format_clock,
    format_points,
    format_score,
    format_wins,
)
from tournament.core.words.rounds import format_match_stage, format_stage_name, get_third_place_name
from tournament.knockout.layout import BracketCard, BracketColumn, BracketLine, BracketPicture
from tournament.knockout.plan import KnockoutPlan
from tournament.models import Knockout
from tournament.models.choices import FACT_LABELS
from tournament.table.words import describe_highest_game

# The knock-out in the reader's words: stages, matches, and what decided them (TSO 6.2).


MATCH_DECISION_NAMES: Mapping[DecidedBy, Promise] = MappingProxyType(
    {
        DecidedBy.POINTS: pgettext_lazy("decided a match", "by points"),
        DecidedBy.WINS: pgettext_lazy("decided a match", "by wins"),
        DecidedBy.MOST_BINGOS: pgettext_lazy("decided a match", "more seven-tile plays"),
        DecidedBy.PRELIMINARY_RANK: pgettext_lazy("decided a match", "better preliminary place"),
        DecidedBy.PLAYING_TIME: pgettext_lazy("decided a match", "less time used"),
        DecidedBy.DECIDER_GAME: pgettext_lazy("decided a match", "by a deciding game"),
        DecidedBy.HIGHEST_GAME: pgettext_lazy("decided a match", "highest game"),
        DecidedBy.HIGHEST_MOVE: pgettext_lazy("decided a match", "highest move"),
        DecidedBy.FORFEIT: pgettext_lazy("decided a match", "by forfeit"),
        DecidedBy.WALKOVER: pgettext_lazy("decided a match", "without a game"),
        DecidedBy.LOT: pgettext_lazy("decided a match", "by lot"),
    }
)

USUAL_DECISIONS = frozenset({DecidedBy.POINTS, DecidedBy.WINS})
"""What decides a match where nothing has to be said about it: the score says so already."""


def format_match_number(number: int) -> str:
    """A match by its number in the bracket."""
    return _("Match %(number)s") % {"number": number}


def describe_match_winner(number: int) -> str:
    """Who will take a place that is still open."""
    return _("winner of match %(number)s") % {"number": number}


def describe_match_loser(number: int) -> str:
    """Who will take an open place in the match for third place."""
    return _("loser of match %(number)s") % {"number": number}


def describe_seed(number: int) -> str:
    """Who will take a place that belongs to a seed not confirmed yet."""
    return _("seed %(number)s") % {"number": number}


def get_bye_label() -> str:
    """What stands where a player has no opponent in the first stage."""
    return pgettext("knock-out", "bye")


def get_nobody_label() -> str:
    """What stands where nobody advances, since both players forfeited."""
    return pgettext("knock-out", "nobody")


def describe_match_decision(by: DecidedBy | None) -> str:
    """What a match was decided by; an empty text while it is not."""
    return "" if by is None else str(MATCH_DECISION_NAMES[by])


def describe_awaited_decision(reason: WaitsFor | None) -> str:
    """What a match that was played still needs to have a winner; an empty text while it waits for players or games."""
    if reason == WaitsFor.LOT:
        return _("level: a lot decides")
    return _("level: a figure is missing") if reason == WaitsFor.FACTS else ""


HIGHEST_MOVE_NAMES: Mapping[int, Promise] = MappingProxyType(
    {
        2: gettext_lazy("second-highest move"),
        3: gettext_lazy("third-highest move"),
        4: gettext_lazy("fourth-highest move"),
        5: gettext_lazy("fifth-highest move"),
    }
)
"""The places of a list of moves behind the highest; `unusual` says the later ones."""


def describe_unusual_decision(by: DecidedBy | None, nth: int = 1) -> str:
    """What a match was decided by where the score does not say so already; else an empty text.

    `nth`: of the highest games or moves, which place decided.
    """
    if by is None or by in USUAL_DECISIONS:
        return ""
    if nth == 1:
        return describe_match_decision(by)
    if by == DecidedBy.HIGHEST_GAME:
        return describe_highest_game(nth)
    if nth in HIGHEST_MOVE_NAMES:
        return str(HIGHEST_MOVE_NAMES[nth])
    return _("no. %(place)s of the highest moves") % {"place": nth}


BracketNames = Mapping[PlayerKey, str]


def build_bracket_picture(bracket: Bracket, names: BracketNames) -> BracketPicture:
    """The knock-out as a picture shows it; `names` has everybody who is seeded."""
    count = len(bracket.stages)
    columns = tuple(
        BracketColumn(
            format_stage_name(count, number),
            tuple(build_bracket_card(match, bracket, names) for match in stage if not match.is_third_place),
        )
        for number, stage in enumerate(bracket.stages, 1)
    )
    third = bracket.third_place
    champion = bracket.champion
    return BracketPicture(
        columns=columns,
        third=BracketColumn(get_third_place_name(), (build_bracket_card(third, bracket, names),)) if third else None,
        champion=names[champion] if champion is not None else "",
        champion_title=_("Winner of the knock-out"),
    )


def build_bracket_card(match: Match, bracket: Bracket, names: BracketNames) -> BracketCard:
    """One match: both sides, its number, what the score does not say, and all of it in a sentence."""
    lines = (_build_bracket_line(0, match, bracket, names), _build_bracket_line(1, match, bracket, names))
    played = format_match_games(match, names)
    return BracketCard(
        stage=match.stage,
        position=match.position,
        lines=lines,
        label="" if match.number is None else format_match_number(match.number),
        note=format_match_note(match),
        games=played,
        told=_describe_match(match, bracket, lines, names, played),
        has_winner=match.winner is not None,
    )


def _build_bracket_line(side: int, match: Match, bracket: Bracket, names: BracketNames) -> BracketLine:
    player = match.players[side]
    if player is None:
        return BracketLine(_describe_open_place(side, match), is_player=False)
    due = next((due for due in match.needed if due.is_open), None)
    return BracketLine(
        text=names[player],
        seed=bracket.seeds.index(player) + 1,
        score=format_side_score(match, side, bracket.rules.form),
        won=player == match.winner and not match.is_bye,
        starts=due is not None and due.first == player,
    )


def _describe_open_place(side: int, match: Match) -> str:
    """Who will take an open place, or that nobody will."""
    if match.nobody[side]:
        return get_bye_label() if match.is_bye else get_nobody_label()
    source = match.sources[side]
    return NO_FIGURE if source is None else describe_player_source(source)


def describe_player_source(source: PlayerSource) -> str:
    """Where a player comes from: winner of match 3, loser of match 3, seed 5."""
    words = {
        SourceKind.SEED: describe_seed,
        SourceKind.WINNER: describe_match_winner,
        SourceKind.LOSER: describe_match_loser,
    }
    return words[source.origin](source.number)


def format_side_score(match: Match, side: int, form: MatchFormat) -> str:
    """One side's points, or wins in best of N; an empty text where there are none."""
    if match.score is None:
        return ""
    value = match.score[side]
    return format_wins(value) if form == MatchFormat.BEST_OF else format_points(int(value))


def format_match_note(match: Match) -> str:
    """What the score does not say: what decided, with the figures compared, or what is missing."""
    if match.is_bye:
        return ""
    if match.is_over and match.winner is None:
        return _("nobody advances")
    by = describe_unusual_decision(match.decided_by, match.nth)
    if not by or match.compared is None:
        return by or describe_awaited_decision(match.waits_for)
    upper, lower = (_format_compared_figure(value, match.decided_by) for value in match.compared)
    return _("%(criterion)s %(upper)s : %(lower)s") % {"criterion": by, "upper": upper, "lower": lower}


def _format_compared_figure(value: float | None, by: DecidedBy | None) -> str:
    """A figure that was compared, as it is written; of a list that has run out, that there is none."""
    if value is None:
        return pgettext("list that has run out", "none")
    if by == DecidedBy.PLAYING_TIME:
        return format_clock(int(value))
    return format_points(value) if isinstance(value, int) else format_wins(value)


def describe_unrecorded_facts(match: Match) -> str:
    """What the director has said that nobody recorded, so that the next criterion decided; an empty text if nothing."""
    names = ", ".join(str(FACT_LABELS[fact]) for fact in match.unrecorded)
    return _("not recorded: %(criteria)s") % {"criteria": names} if names else ""


def format_match_games(match: Match, names: BracketNames) -> tuple[str, ...]:
    """The games of a match, each from the upper player's side (420 : 400, open, or who forfeits); none before the
    first."""
    if all(game.is_open for game in match.games):
        return ()
    return tuple(_format_game(game, names, is_upper_first=game.first == match.players[0]) for game in match.games)


def _format_game(game: KnockoutGame, names: BracketNames, *, is_upper_first: bool) -> str:
    if game.is_open:
        return _("open")
    points = (game.first_points, game.second_points)
    score = "" if None in points else format_score(*(points if is_upper_first else points[::-1]))
    return ", ".join(part for part in (score, _describe_forfeit(game, names)) if part)


def _describe_forfeit(game: KnockoutGame, names: BracketNames) -> str:
    if all(game.outcome.at_fault):
        return _("both forfeit")
    guilty = [names[key] for key, is_so in zip((game.first, game.second), game.outcome.at_fault, strict=True) if is_so]
    return _("%(name)s forfeits") % {"name": guilty[0]} if guilty else ""


def _describe_match(
    match: Match, bracket: Bracket, lines: tuple[BracketLine, BracketLine], names: BracketNames, played: tuple[str, ...]
) -> str:
    """The match as a sentence or two, for those who do not see the picture."""
    what = format_match_stage(len(bracket.stages), match.stage, match.position)
    upper, lower = (_describe_side(line) for line in lines)
    if match.is_bye:
        return _("%(stage)s: %(upper)s, %(lower)s.") % {"stage": what, "upper": upper, "lower": lower}
    said = [
        _("%(match)s, %(stage)s: %(upper)s against %(lower)s.")
        % {"match": format_match_number(match.number or 0), "stage": what, "upper": upper, "lower": lower}
    ]
    if len(played) > 1:
        said.append(_("Games: %(games)s.") % {"games": "; ".join(played)})
    if match.winner is not None:
        by = format_match_note(match) or describe_match_decision(match.decided_by)
        said.append(_("Winner: %(name)s, %(by)s.") % {"name": names[match.winner], "by": by})
    elif format_match_note(match):
        said.append(f"{format_match_note(match)}.")
    starter = next((line.text for line in lines if line.starts), None)
    if starter:
        said.append(_("%(name)s starts the next game.") % {"name": starter})
    return " ".join(said)


def _describe_side(line: BracketLine) -> str:
    seed = f" ({line.seed})" if line.seed else ""
    return f"{line.text}{seed} {line.score}".strip()


# A knock-out as it is announced, in words, each with its clause.


MATCH_CRITERION_NAMES = {
    MatchCriterion.MOST_BINGOS: gettext_lazy("plays of all seven tiles"),
    MatchCriterion.PRELIMINARY_RANK: gettext_lazy("place before the knock-out"),
    MatchCriterion.PLAYING_TIME: gettext_lazy("less time used"),
    MatchCriterion.DECIDER_GAME: gettext_lazy("one more game"),
}
"""The criteria that an announcement may name, as it names them."""


def describe_match_form(plan: KnockoutPlan, clauses: KnockoutClauses) -> str:
    """How a match is played, in one phrase with its clause."""
    if plan.form == MatchFormat.BEST_OF:
        said = _("best of %(games)s games") % {"games": plan.best_of}
    elif plan.form == MatchFormat.DOUBLE:
        said = _("two games, the points of both together")
    else:
        said = _("one game")
    return append_clause(said, clauses.of(plan.form))


def describe_level_criteria(plan: KnockoutPlan, clauses: KnockoutClauses) -> str:
    """What decides a match that is level, in order, with what always follows, and what can never be looked at."""
    named = [MatchCriterion(criterion) for criterion in plan.criteria]
    last = named.index(MatchCriterion.PRELIMINARY_RANK) + 1 if MatchCriterion.PRELIMINARY_RANK in named else None
    listed = ", ".join(str(MATCH_CRITERION_NAMES[criterion]) for criterion in named[:last])
    if last is None:
        listed = ", ".join(filter(None, (listed, _("highest game"), _("highest move"))))
        return _("%(criteria)s; then lots are drawn") % {"criteria": append_clause(listed, clauses.level)}
    if not named[last:]:
        return append_clause(listed, clauses.level)
    rest = ", ".join(str(MATCH_CRITERION_NAMES[criterion]) for criterion in named[last:])
    said = _("%(criteria)s; after that nothing can be level. Never needed: %(rest)s")
    return said % {"criteria": append_clause(listed, clauses.level), "rest": rest}


def summarise_knockout_plan(plan: KnockoutPlan, rules: Ruleset) -> str:
    """The knock-out in one phrase: 4 players, one game, with the clause."""
    words = {"size": plan.size, "form": describe_match_form(plan, rules.clauses.knockout)}
    return _("%(size)s players, %(form)s") % words


def list_knockout_facts(stored: Knockout | None, rules: Ruleset) -> list[tuple[str, str]]:
    """What the announcement states of the knock-out: label and sentence of each fact; empty without a knock-out."""
    if stored is None:
        return []
    plan, clauses = KnockoutPlan.of(stored), rules.clauses.knockout
    players = _("The first %(size)s of the table") % {"size": plan.size}
    found = [
        (_("Players"), players),
        (_("Each match"), describe_match_form(plan, clauses)),
        (_("Level matches"), describe_level_criteria(plan, clauses)),
    ]
    if plan.third_place:
        found.append((_("Third place"), _("is played for")))
    return found
