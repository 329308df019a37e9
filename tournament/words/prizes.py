"""Prizes in words: what each is for, and by what somebody wins it."""

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.prizes import PrizeKind, Winner
from scoring.statistics import Feat
from tournament.models import Prize
from tournament.models.choices import PRIZES
from tournament.words import figures


def title(prize: Prize) -> str:
    """What a prize is called: by its own name, else by what it is for. Reads its club."""
    if prize.title:
        return prize.title
    words: dict[str, object] = {
        "place": prize.place,
        "club": prize.club.name if prize.club else "",
        "lowest": prize.lowest_rating,
        "highest": prize.highest_rating,
    }
    if prize.kind == PrizeKind.PLACE:
        return _("Place %(place)s") % words
    if prize.kind == PrizeKind.CLUB:
        return _("Best of %(club)s") % words
    if prize.kind == PrizeKind.RATING_CLASS:
        return _rating_class(prize) % words
    return str(PRIZES[PrizeKind(prize.kind)])


def _rating_class(prize: Prize) -> str:
    if prize.lowest_rating is None:
        return _("Best with a rating up to %(highest)s")
    if prize.highest_rating is None:
        return _("Best with a rating from %(lowest)s")
    return _("Best with a rating from %(lowest)s to %(highest)s")


def won_by(kind: PrizeKind, winner: Winner, opponent: str) -> str:
    """By what somebody wins: place 5; 612 points against Hohenstein; an empty text where there is nothing to add.

    `opponent` is the one of the game that it happened in, empty where there is none.
    """
    if kind == PrizeKind.PLACE or (winner.place is None and winner.feat is None):
        return ""
    if winner.place is not None:
        return _("place %(place)s") % {"place": winner.place}
    assert winner.feat is not None
    figure = FIGURES[kind](winner.feat)
    return _("%(figure)s against %(name)s") % {"figure": figure, "name": opponent} if opponent else figure


def _points(feat: Feat) -> str:
    value = int(feat.value)
    return ngettext("%(points)s point", "%(points)s points", value) % {"points": figures.points(value)}


def _margin(feat: Feat) -> str:
    return _("%(points)s points ahead") % {"points": figures.points(int(feat.value))}


def _average(feat: Feat) -> str:
    return _("%(average)s points a game") % {"average": figures.average(feat.value)}


def _bingos(feat: Feat) -> str:
    value = int(feat.value)
    return ngettext("%(count)s play of all seven tiles", "%(count)s plays of all seven tiles", value) % {"count": value}


def _upset(feat: Feat) -> str:
    return _("won with %(points)s rating points less") % {"points": int(feat.value)}


FIGURES: Mapping[PrizeKind, Callable[[Feat], str]] = {
    PrizeKind.HIGHEST_GAME: _points,
    PrizeKind.HIGHEST_LOSING_SCORE: _points,
    PrizeKind.BIGGEST_WIN: _margin,
    PrizeKind.BEST_AVERAGE: _average,
    PrizeKind.BEST_MOVE: _points,
    PrizeKind.MOST_BINGOS: _bingos,
    PrizeKind.BIGGEST_UPSET: _upset,
}
"""How the figure of each prize that goes by results of games is written."""
