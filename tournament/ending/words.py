"""The end of an event in words: the final ranking, prizes, and what the event hung on."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from scoring.final_ranking import FinalPlace, PlacedBy
from scoring.knockout_values import Bracket, DecidedBy, Match
from scoring.prizes import PrizeKind, Winner
from scoring.rulesets.values import Ruleset
from scoring.standings import PlayerKey
from scoring.statistics import Feat
from scoring.turning_matches import MatchTurningPoint
from scoring.turning_points import MorePoints, TurningPoint
from scoring.turning_records import MorePlays
from tournament.basics.names import format_spoken_name
from tournament.core.words.figures import (
    NO_FIGURE,
    format_average,
    format_half_wins,
    format_list,
    format_points,
    format_score,
)
from tournament.core.words.rounds import format_game_name, format_match_stage
from tournament.knockout.plan import KnockoutPlan
from tournament.knockout.words import (
    BracketNames,
    describe_seed,
    describe_unusual_decision,
    format_side_score,
    summarise_knockout_plan,
)
from tournament.models import Knockout, Prize
from tournament.models.choices import PRIZE_LABELS

# The final ranking: what gave each place, and in which form the event was played.


def format_place(ranked: FinalPlace) -> str:
    """The place as written in a list; a dash without one."""
    return format_points(ranked.place)


def format_win_count(half_wins: int) -> str:
    """How many games were won: 5½ wins."""
    # Half a win is spoken of as one: ½ win, 1½ wins.
    wins = ngettext("%(wins)s win", "%(wins)s wins", 1 if 1 <= half_wins <= 2 else 2)
    return wins % {"wins": format_half_wins(half_wins)}


def describe_place(ranked: FinalPlace) -> str:
    """The place as a heading: Place 1, Place 3, shared."""
    if ranked.by is None:
        return _("still playing")
    if ranked.place is None:
        return _("without a place")
    words = {"place": ranked.place}
    return _("Place %(place)s, shared") % words if ranked.shared else _("Place %(place)s") % words


def describe_podium_place(ranked: FinalPlace) -> str:
    """The same where the first place is the event's victory."""
    if ranked.place != 1:
        return describe_place(ranked)
    return _("Tournament victory, shared") if ranked.shared else _("Tournament victory")


def describe_placing(
    ranked: FinalPlace, bracket: Bracket | None, names: BracketNames, *, says_seed: bool = True
) -> str:
    """What gave the place: Final 402 : 377 against Hohenstein, Maximilian · seed 3; table."""
    if ranked.by is None:
        return _("still in the knock-out")
    if ranked.by == PlacedBy.TABLE or ranked.match is None or bracket is None:
        return pgettext("what gave a place", "table")
    sentence = _describe_placing_match(ranked.player, ranked.match, bracket, names)
    return f"{sentence} · {describe_seed(bracket.seeds.index(ranked.player) + 1)}" if says_seed else sentence


def _describe_placing_match(player: PlayerKey, match: Match, bracket: Bracket, names: BracketNames) -> str:
    """A player's match: the score from their side, the opponent, and what decided if the score does not say so."""
    words = {"match": format_match_stage(match.slot)}
    if match.is_over and match.winner is None:
        return _("%(match)s, forfeited by both") % words
    if match.decided_by == DecidedBy.WALKOVER:
        return _("%(match)s, without a game") % words
    side = match.players.index(player)
    own, other = (format_side_score(match, half, bracket.rules.form) for half in (side, 1 - side))
    opponent = match.players[1 - side]
    words |= {"own": own, "other": other, "name": names[opponent] if opponent is not None else NO_FIGURE}
    message = _("%(match)s %(own)s : %(other)s against %(name)s") % words
    by = describe_unusual_decision(match.decided_by, match.nth, match.own_criterion)
    return f"{message}, {by}" if by else message


def describe_event_form(rounds: int, knockout: Knockout | None, rules: Ruleset) -> str:
    """In which form the event was announced: 7 rounds, then the knock-out of 4 players, one game."""
    league = ngettext("%(count)s round", "%(count)s rounds", rounds) % {"count": rounds}
    if knockout is None:
        return league
    words = {"rounds": league, "knockout": summarise_knockout_plan(KnockoutPlan.of(knockout), rules)}
    return _("%(rounds)s, then the knock-out: %(knockout)s") % words


def describe_place_order(knockout: Knockout | None, criteria: str) -> str:
    """How the places come about, in a sentence; `criteria` is the order of the table."""
    words = {"criteria": criteria}
    if knockout is None:
        return _("The places are those of the table: %(criteria)s.") % words
    return _("First the places of the knock-out, then those of the table: %(criteria)s.") % words


# Prizes: what each is for, and by what somebody wins it.


def format_prize_title(prize: Prize) -> str:
    """What a prize is called: by its own name, else by what it is for. Reads its club."""
    if prize.title:
        return prize.title
    title = str(PRIZE_LABELS[PrizeKind(prize.kind)])
    if prize.kind == PrizeKind.PLACE:
        title = _("Place %(place)s")
    elif prize.kind == PrizeKind.CLUB:
        title = _("Best of %(club)s")
    elif prize.kind == PrizeKind.RATING_CLASS and prize.lowest_rating is None:
        title = _("Best with a rating up to %(highest)s")
    elif prize.kind == PrizeKind.RATING_CLASS and prize.highest_rating is None:
        title = _("Best with a rating from %(lowest)s")
    elif prize.kind == PrizeKind.RATING_CLASS:
        title = _("Best with a rating from %(lowest)s to %(highest)s")
    club = prize.club.name if prize.club else ""
    return title % {"place": prize.place, "club": club, "lowest": prize.lowest_rating, "highest": prize.highest_rating}


def describe_winning_feat(kind: PrizeKind, winner: Winner, opponent: str) -> str:
    """By what somebody wins: place 5; 612 points against Hohenstein (`opponent`); empty if there is nothing to add."""
    if kind == PrizeKind.PLACE or (winner.place is None and winner.feat is None):
        return ""
    if winner.place is not None:
        return _("place %(place)s") % {"place": winner.place}
    assert winner.feat is not None
    figure = _format_feat(kind, winner.feat)
    return _("%(figure)s against %(name)s") % {"figure": figure, "name": opponent} if opponent else figure


def _format_feat(kind: PrizeKind, feat: Feat) -> str:
    value = int(feat.value)
    match kind:
        case PrizeKind.BIGGEST_WIN:
            return _("ahead by %(points)s") % {"points": format_points(value)}
        # The one figure that is no whole number.
        case PrizeKind.BEST_AVERAGE:
            return _("%(average)s points a game") % {"average": format_average(feat.value)}
        case PrizeKind.MOST_BINGOS:
            message = ngettext("%(count)s play of all seven tiles", "%(count)s plays of all seven tiles", value)
            return message % {"count": value}
        case PrizeKind.BIGGEST_UPSET:
            message = ngettext("won with %(points)s rating point less", "won with %(points)s rating points less", value)
            return message % {"points": value}
    return ngettext("%(points)s point", "%(points)s points", value) % {"points": format_points(value)}


# What the event hung on. Each sentence says what is held fixed.


@dataclass(frozen=True, slots=True)
class TurningPointNames:
    """The names of players, and the knock-out, which names its games."""

    players: Mapping[PlayerKey, str]
    knockout: Knockout | None

    def player(self, key: PlayerKey) -> str:
        """A name as it is spoken: Anna Beispiel."""
        return format_spoken_name(self.players[key])

    def together(self, keys: Collection[PlayerKey]) -> str:
        """Several names in one list."""
        # Sorted, since a set has no order: the sentence would change with every making of the page.
        return format_list([format_spoken_name(name) for name in sorted(self.players[key] for key in keys)])

    def changed(self, change: MorePoints) -> dict[str, str]:
        """The words of a change; `where`: in round 5 against Bert Muster (402 : 413), or (Final, game 2, 402 : 413)."""
        words = {"opponent": self.player(change.opponent), "score": format_score(*change.score)}
        if change.spot.place is None:
            where = _("in round %(round)s against %(opponent)s (%(score)s)") % {**words, "round": change.spot.round}
        else:
            assert self.knockout is not None
            game = format_game_name(self.knockout, *change.spot.place)
            where = _("against %(opponent)s (%(game)s, %(score)s)") % {**words, "game": game}
        return {"player": self.player(change.player), "points": _format_more_points(change.points), "where": where}

    def game(self, change: MorePoints) -> str:
        """The game of a change: Round 5, Anna Beispiel against Bert Muster."""
        if change.spot.place is None:
            game = _("Round %(number)s") % {"number": change.spot.round}
        else:
            assert self.knockout is not None
            game = format_game_name(self.knockout, *change.spot.place)
        words = {"game": game, "player": self.player(change.player), "opponent": self.player(change.opponent)}
        return _("%(game)s, %(player)s against %(opponent)s") % words


NO_BREAK = "\N{NO-BREAK SPACE}"

# A letter of any language: with “[a-z]” a line could end between “René” and his figure.
BEFORE_FIGURE = re.compile(r"(?<=[^\W\d_]:) (?=[+−\d])|(?<=[^\W\d_]) (?=\d)")
"""The space between a word and its figure: rank 17, round 3, wins: 5."""


def keep_figures_together(said: str) -> str:
    """The sentence with no-break spaces: no line ends within a score or before a figure, or begins with a dash."""
    return BEFORE_FIGURE.sub(NO_BREAK, said.replace(" : ", f"{NO_BREAK}:{NO_BREAK}").replace(" – ", f"{NO_BREAK}– "))


def _format_more_points(count: int) -> str:
    return (ngettext("%(count)s point", "%(count)s points", count) % {"count": count}).replace(" ", NO_BREAK)


def describe_other_champion(point: TurningPoint, called: TurningPointNames) -> str:
    """If Bert Muster had scored 12 points more in round 5 against …, Anna Beispiel would have won."""
    message = ngettext(
        "If %(player)s had scored %(points)s more %(where)s, %(winners)s would have won, given the same pairings.",
        "If %(player)s had scored %(points)s more %(where)s, %(winners)s would have won together, given the same "
        "pairings.",
        len(point.winners),
    )
    if point.is_alone and len(point.winners) == 1:
        message = _(
            "If %(player)s had scored %(points)s more %(where)s, %(winners)s would have won alone, given the same "
            "pairings."
        )
    return message % {**called.changed(point.change), "winners": called.together(point.winners)}


def describe_other_placing(point: TurningPoint, called: TurningPointNames) -> str:
    """The same of a rank after the first, with all who would have had it."""
    level = point.winners | point.beside
    message = ngettext(
        "If %(player)s had scored %(points)s more %(where)s, %(winners)s would have finished in place %(place)s, "
        "given the same pairings.",
        "If %(player)s had scored %(points)s more %(where)s, %(winners)s would have shared place %(place)s, given the "
        "same pairings.",
        len(level),
    )
    return message % {**called.changed(point.change), "winners": called.together(level), "place": point.place}


def describe_other_final_winner(
    found: MatchTurningPoint, called: TurningPointNames, *, third_place: bool = False
) -> str:
    """What would have given the final, or the match for third place, to the other player, and by which criterion."""
    if found.goes_on:
        message = _(
            "If %(player)s had scored %(points)s more %(where)s, the final would not have ended there: one more game "
            "would have been needed."
        )
    elif found.leads_to_second_final:
        message = _(
            "If %(player)s had scored %(points)s more %(where)s, %(winner)s would have won the final, and a second one "
            "would have been played%(held)s."
        )
    elif third_place:
        message = _("If %(player)s had scored %(points)s more %(where)s, %(winner)s would have finished third%(held)s.")
    else:
        message = _("If %(player)s had scored %(points)s more %(where)s, %(winner)s would have won the final%(held)s.")
    return message % _get_match_words(found, called)


def describe_way_to_final(found: MatchTurningPoint, called: TurningPointNames) -> str:
    """What would have put the champion out before the final."""
    return _(
        "If %(player)s had scored %(points)s more %(where)s, %(winner)s would have gone on instead of "
        "%(champion)s%(held)s."
    ) % _get_match_words(found, called)


def _get_match_words(found: MatchTurningPoint, called: TurningPointNames) -> dict[str, str]:
    before, after = found.before.winner, found.after.winner
    by = describe_unusual_decision(*found.by, found.after.own_criterion)
    several = _(" – with the other games as they came out") if len(found.before.games) > 1 else ""
    return {
        **called.changed(found.change),
        "winner": "" if after is None else called.player(after),
        "champion": "" if before is None else called.player(before),
        "held": (_(" (%(by)s)") % {"by": by} if by else "") + several,
    }


def describe_other_prize_winner(point: TurningPoint | MorePlays, of: Prize, called: TurningPointNames) -> str:
    """Highest game: if Anna Beispiel had scored 3 points more in round 5 …, the prize would have gone to …"""
    in_knockout = isinstance(point, TurningPoint) and point.change.spot.place is not None
    # Only those who come to it are named: with all who held a record before, the list grew longer than the slide.
    shares = point.winners > point.won
    words = {
        "prize": format_prize_title(of),
        "condition": _describe_condition(point, PrizeKind(of.kind), called),
        "winners": called.together(point.winners - point.won if shares else point.winners),
        "held": "" if in_knockout else _(" – by the same pairings"),
    }
    if point.winners < point.won:
        return _("%(prize)s: %(condition)s, %(winners)s alone would have won the prize%(held)s.") % words
    if shares:
        return _("%(prize)s: %(condition)s, %(winners)s would have won the prize as well%(held)s.") % words
    return _("%(prize)s: %(condition)s, %(winners)s would have won the prize%(held)s.") % words


def _describe_condition(point: TurningPoint | MorePlays, kind: PrizeKind, called: TurningPointNames) -> str:
    if isinstance(point, MorePlays):
        message = ngettext(
            "if %(player)s had laid %(count)s more play of all seven tiles",
            "if %(player)s had laid %(count)s more plays of all seven tiles",
            point.count,
        )
        return message % {"player": called.player(point.player), "count": point.count}
    changed = called.changed(point.change)
    if point.play is not None:
        play = _format_more_points(point.play)
        return _("if %(player)s’s play (%(play)s) %(where)s had brought %(points)s more") % {**changed, "play": play}
    if kind == PrizeKind.BEST_AVERAGE:
        return _("if %(player)s had scored %(points)s more in all games together") % changed
    return _("if %(player)s had scored %(points)s more %(where)s") % changed
