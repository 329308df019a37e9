"""The next round before the last result, in words."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.core.words.figures import format_points
from tournament.pairing.values import Method
from tournament.rounds.outlook import MARGIN, PairState, RoundOutlook

PAIR_STATE_NAMES: Mapping[PairState, Promise] = {
    PairState.FIXED: gettext_lazy("certain"),
    PairState.LIKELY: gettext_lazy("likely"),
    PairState.OPEN: gettext_lazy("open"),
}


PAIR_STATE_TITLES: Mapping[PairState, Promise] = {
    PairState.FIXED: gettext_lazy("Certain pairs"),
    PairState.LIKELY: gettext_lazy("Likely pairs"),
    PairState.OPEN: gettext_lazy("Open pairs"),
}


def count_outlook(outlook: RoundOutlook) -> str:
    """How much of the next round stands, in a sentence."""
    certain = sum(pair.second is not None for pair in outlook.fixed)
    message = ngettext(
        "%(certain)s of %(count)s pair stands.", "%(certain)s of %(count)s pairs stand.", outlook.pair_count
    )
    return message % {"certain": certain, "count": outlook.pair_count}


def describe_outlook(outlook: RoundOutlook) -> str:
    """What the pairs rest on: every order of the table, or proof and simulated endings."""
    count = len(outlook.games)
    if not count:
        return _("No game is open that the pairings depend on.")
    if outlook.method == Method.CONTENTION and not outlook.is_whole:
        return _(
            "Nothing is certain yet: in a round for the prizes, the open results can fall in "
            "too many ways to try each of them. The percentages come from %(runs)s simulated "
            "endings with all players equally strong."
        ) % {"runs": format_points(outlook.runs)}
    if outlook.is_whole:
        message = ngettext(
            "%(count)s game is open. Certain is what comes out in every order of the table that it can bring, won by "
            "either side by up to %(margin)s points or drawn.",
            "%(count)s games are open. Certain is what comes out in every order of the table that they can bring, each "
            "won by either side by up to %(margin)s points or drawn.",
            count,
        )
    else:
        message = ngettext(
            "%(count)s game is open. Certain is what is proven to come whatever it brings, won by either side by up to "
            "%(margin)s points or drawn; the percentages come from %(runs)s simulated endings, all players equally "
            "strong.",
            "%(count)s games are open. Certain is what is proven to come whatever they bring, each won by either side "
            "by up to %(margin)s points or drawn; the percentages come from %(runs)s simulated endings, all players "
            "equally strong.",
            count,
        )
    return message % {"count": count, "margin": MARGIN, "runs": format_points(outlook.runs)}
