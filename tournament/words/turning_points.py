"""What an event hung on, in a sentence that says what is held fixed."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.standings import Key
from scoring.turning_points import TurningPoint
from tournament.models import Prize
from tournament.names import spoken
from tournament.words import figures, prizes


def sentence(
    point: TurningPoint, names: Mapping[Key, str], prize: Prize | None = None, *, place: int = 1, alone: bool = False
) -> str:
    """With 12 points more in round 5 against Bert Muster (402 : 413), Anna Beispiel would …, by the same pairings."""
    game = point.game
    is_first = game.first == point.player
    other = game.second if is_first else game.first
    own, theirs = (game.first_points, game.second_points) if is_first else (game.second_points, game.first_points)
    winners = sorted(names[winner] for winner in point.winners)
    words = {
        "player": spoken(names[point.player]),
        "opponent": spoken(names[other]) if other is not None else "",
        "round": game.round,
        "score": figures.score(own, theirs),
        "points": ngettext("%(count)s point", "%(count)s points", point.points) % {"count": point.points},
        "winners": figures.together([spoken(name) for name in winners]),
        "prize": prizes.title(prize) if prize else "",
        "place": place,
    }
    return _what(len(winners), prize, place=place, alone=alone) % words


def _what(winners: int, prize: Prize | None, *, place: int, alone: bool) -> str:
    if place > 1:
        return ngettext(
            "If %(player)s had scored %(points)s more in round %(round)s against %(opponent)s (%(score)s), %(winners)s "
            "would have had rank %(place)s – by the same pairings.",
            "If %(player)s had scored %(points)s more in round %(round)s against %(opponent)s (%(score)s), %(winners)s "
            "would have shared rank %(place)s – by the same pairings.",
            winners,
        )
    if prize is not None:
        return _(
            "%(prize)s: if %(player)s had scored %(points)s more in round %(round)s against %(opponent)s (%(score)s), "
            "the prize would have gone to %(winners)s – by the same pairings."
        )
    if alone and winners == 1:
        return _(
            "If %(player)s had scored %(points)s more in round %(round)s against %(opponent)s (%(score)s), %(winners)s "
            "would have won alone – by the same pairings."
        )
    return ngettext(
        "If %(player)s had scored %(points)s more in round %(round)s against %(opponent)s (%(score)s), %(winners)s "
        "would have won – by the same pairings.",
        "If %(player)s had scored %(points)s more in round %(round)s against %(opponent)s (%(score)s), %(winners)s "
        "would have won together – by the same pairings.",
        winners,
    )
