"""What an event hung on, in a sentence that says what is held fixed."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.prizes import PrizeKind
from scoring.standings import Key
from scoring.turning_matches import Otherwise
from scoring.turning_points import MorePoints, TurningPoint
from scoring.turning_records import MorePlays
from tournament.models import Prize
from tournament.names import spoken
from tournament.words import figures, matches, prizes


@dataclass(frozen=True, slots=True)
class Called:
    """What players are called, and the games of the knock-out: by stage, position of the match, and game of it."""

    players: Mapping[Key, str]
    game: Callable[[tuple[int, int, int]], str]

    def player(self, key: Key) -> str:
        """A name as it is spoken: Anna Beispiel."""
        return spoken(self.players[key])

    def together(self, keys: Collection[Key]) -> str:
        """Several names in one list."""
        return figures.together([spoken(name) for name in sorted(self.players[key] for key in keys)])

    def where(self, change: MorePoints) -> str:
        """In round 5 against Bert Muster (402 : 413); against Bert Muster (Final, game 2, 402 : 413)."""
        words = {"opponent": self.player(change.opponent), "score": figures.score(*change.score)}
        if change.spot.place is None:
            return _("in round %(round)s against %(opponent)s (%(score)s)") % {**words, "round": change.spot.round}
        return _("against %(opponent)s (%(game)s, %(score)s)") % {**words, "game": self.game(change.spot.place)}

    def changed(self, change: MorePoints) -> dict[str, str]:
        """The words of a change, for a sentence with its place."""
        return {"player": self.player(change.player), "points": _points(change.points), "where": self.where(change)}


NO_BREAK = "\N{NO-BREAK SPACE}"


BEFORE_FIGURE = re.compile(r"(?<=[^\W\d_]:) (?=[+−\d])|(?<=[^\W\d_]) (?=\d)")
"""The space between a word and its figure: rank 17, round 3, wins: 5."""


def kept_together(said: str) -> str:
    """A sentence in which no score and no figure with its word is torn apart at the end of a line, and in which no line
    begins with a dash."""
    scores = said.replace(" : ", f"{NO_BREAK}:{NO_BREAK}").replace(" – ", f"{NO_BREAK}– ")
    return BEFORE_FIGURE.sub(NO_BREAK, scores)


def _points(count: int) -> str:
    return (ngettext("%(count)s point", "%(count)s points", count) % {"count": count}).replace(" ", NO_BREAK)


def won(point: TurningPoint, called: Called) -> str:
    """With 12 points more in round 5 against Bert Muster (402 : 413), Anna Beispiel would have won the event."""
    words = {**called.changed(point.change), "winners": called.together(point.winners)}
    if point.is_alone and len(point.winners) == 1:
        return (
            _(
                "If %(player)s had scored %(points)s more %(where)s, %(winners)s would have won alone – by the same "
                "pairings."
            )
            % words
        )
    return (
        ngettext(
            "If %(player)s had scored %(points)s more %(where)s, %(winners)s would have won – by the same pairings.",
            "If %(player)s had scored %(points)s more %(where)s, %(winners)s would have won together – by the same "
            "pairings.",
            len(point.winners),
        )
        % words
    )


def placed(point: TurningPoint, called: Called) -> str:
    """The same of a rank after the first."""
    words = {**called.changed(point.change), "winners": called.together(point.winners), "place": point.place}
    return (
        ngettext(
            "If %(player)s had scored %(points)s more %(where)s, %(winners)s would have had rank %(place)s – by the "
            "same pairings.",
            "If %(player)s had scored %(points)s more %(where)s, %(winners)s would have shared rank %(place)s – by the "
            "same pairings.",
            len(point.winners),
        )
        % words
    )


def final(found: Otherwise, called: Called, *, third_place: bool = False) -> str:
    """What would have given the final, or the match for third place, to the other, and by which criterion."""
    words = _of_match(found, called)
    if found.goes_on:
        return (
            _(
                "If %(player)s had scored %(points)s more %(where)s, that would not have been the end of the final: "
                "one more game would have had to be played."
            )
            % words
        )
    if third_place:
        return (
            _("If %(player)s had scored %(points)s more %(where)s, %(winner)s would have had rank 3%(held)s.") % words
        )
    return _("If %(player)s had scored %(points)s more %(where)s, %(winner)s would have won the final%(held)s.") % words


def way(found: Otherwise, called: Called) -> str:
    """What would have put the champion out before the final."""
    return _(
        "If %(player)s had scored %(points)s more %(where)s, %(winner)s would have gone on instead of "
        "%(champion)s%(held)s."
    ) % _of_match(found, called)


def _of_match(found: Otherwise, called: Called) -> dict[str, str]:
    before, after = found.before.winner, found.after.winner
    by = matches.unusual(*found.by)
    several = _(" – with the other games as they came out") if len(found.before.games) > 1 else ""
    return {
        **called.changed(found.change),
        "winner": "" if after is None else called.player(after),
        "champion": "" if before is None else called.player(before),
        "held": (_(" (%(by)s)") % {"by": by} if by else "") + several,
    }


def prize(point: TurningPoint | MorePlays, of: Prize, called: Called) -> str:
    """Highest game: if Anna Beispiel had scored 3 points more in round 5 …, the prize would have gone to …"""
    in_knockout = isinstance(point, TurningPoint) and point.change.spot.place is not None
    shares = point.winners > point.won
    words = {
        "prize": prizes.title(of),
        "condition": _condition(point, PrizeKind(of.kind), called),
        "winners": called.together(point.winners - point.won if shares else point.winners),
        "held": "" if in_knockout else _(" – by the same pairings"),
    }
    if point.winners < point.won:
        return _("%(prize)s: %(condition)s, the prize would have gone to %(winners)s alone%(held)s.") % words
    if shares:
        return _("%(prize)s: %(condition)s, the prize would have gone to %(winners)s as well%(held)s.") % words
    return _("%(prize)s: %(condition)s, the prize would have gone to %(winners)s%(held)s.") % words


def _condition(point: TurningPoint | MorePlays, kind: PrizeKind, called: Called) -> str:
    if isinstance(point, MorePlays):
        words = {"player": called.player(point.player), "count": point.count}
        return (
            ngettext(
                "if %(player)s had laid %(count)s more play of all seven tiles",
                "if %(player)s had laid %(count)s more plays of all seven tiles",
                point.count,
            )
            % words
        )
    changed = called.changed(point.change)
    if point.play is not None:
        play = _points(point.play)
        return _("if %(player)s’s play (%(play)s) %(where)s had brought %(points)s more") % {**changed, "play": play}
    if kind == PrizeKind.BEST_AVERAGE:
        return _("if %(player)s had scored %(points)s more in all games together") % changed
    return _("if %(player)s had scored %(points)s more %(where)s") % changed
