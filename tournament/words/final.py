"""The final ranking in words: what gave each place, and in which form the event was played."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from scoring.final_ranking import FinalPlace, PlacedBy
from scoring.knockout import Bracket, DecidedBy, Key, Match
from scoring.rulesets import Ruleset
from tournament.models import Knockout
from tournament.plan.knockout import KnockoutPlan
from tournament.words import bracket_cards, figures, knockout_plan, matches

Names = Mapping[Key, str]


def place(ranked: FinalPlace) -> str:
    """The place as written in a list; a dash without one."""
    return figures.points(ranked.place)


def place_in_words(ranked: FinalPlace) -> str:
    """The place as a heading says it: 1st place; what it is shared with others is said beside it."""
    if ranked.by is None:
        return _("still playing")
    if ranked.place is None:
        return _("without a place")
    words = {"place": ranked.place}
    return _("Place %(place)s, shared") % words if ranked.shared else _("Place %(place)s") % words


def how(ranked: FinalPlace, bracket: Bracket | None, names: Names) -> str:
    """What gave the place: Final 402 : 377 against Hohenstein, Maximilian; the table."""
    if ranked.by is None:
        return _("still in the knock-out")
    if ranked.by == PlacedBy.TABLE or ranked.match is None or bracket is None:
        return pgettext("what gave a place", "table")
    said = _in_match(ranked.player, ranked.match, bracket, names)
    seed = matches.seed(bracket.seeds.index(ranked.player) + 1)
    return f"{said} · {seed}"


def _in_match(player: Key, match: Match, bracket: Bracket, names: Names) -> str:
    """What a player did in a match: the score from their side, the opponent, what decided where the score does not."""
    words = {"match": matches.match_stage(len(bracket.stages), match.stage, match.position)}
    if match.is_over and match.winner is None:
        return _("%(match)s, forfeited by both") % words
    if match.decided_by == DecidedBy.WALKOVER:
        return _("%(match)s, without a game") % words
    side = match.players.index(player)
    own, other = (bracket_cards.figure(match, each, bracket.rules.form) for each in (side, 1 - side))
    opponent = match.players[1 - side]
    words |= {"own": own, "other": other, "name": names[opponent] if opponent is not None else figures.NOTHING}
    said = _("%(match)s %(own)s : %(other)s against %(name)s") % words
    by = matches.unusual(match.decided_by, match.nth)
    return f"{said}, {by}" if by else said


def form(rounds: int, knockout: Knockout | None, rules: Ruleset) -> str:
    """In which form the event was announced: 7 rounds, then the knock-out of 4 players, one game."""
    league = ngettext("%(count)s round", "%(count)s rounds", rounds) % {"count": rounds}
    if knockout is None:
        return league
    words = {"rounds": league, "knockout": knockout_plan.in_short(KnockoutPlan.of(knockout), rules)}
    return _("%(rounds)s, then the knock-out: %(knockout)s") % words


def order(knockout: Knockout | None, criteria: str) -> str:
    """How the places come about, in a sentence; `criteria` is the order of the table."""
    words = {"criteria": criteria}
    if knockout is None:
        return _("The places are those of the table: %(criteria)s.") % words
    return _("First the places of the knock-out, then those of the table: %(criteria)s.") % words
