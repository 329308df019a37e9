"""“Why not …?” in words: what would be different if two met, the weightiest first."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.pairing.values import Method
from tournament.pairing.why_not import CostComparison, CostDifference
from tournament.rounds.words import NamesByKey, speak_name

MOST_PAIRS_NAMED = 4  # more would not be read
MINOR_COMPONENTS = ("policy", "starts_last", "tidiness")  # told only where nothing weightier differs


def describe_comparison(comparison: CostComparison, one: int, other: int, players: NamesByKey, method: str) -> str:
    """What the pair would cost, in one sentence."""
    together = f"{speak_name(one, players)} – {speak_name(other, players)}"
    differences = list_weighty_differences(comparison, players, method)
    if not differences:
        return _("%(pair)s would be as good.") % {"pair": together}
    return _("With %(pair)s: %(what)s.") % {"pair": together, "what": "; ".join(differences)}


def list_weighty_differences(comparison: CostComparison, players: NamesByKey, method: str) -> list[str]:
    """What would be different, each in a clause, the weightiest first; of minor matters one, where nothing else is."""
    # Where differences in wins weigh otherwise, the height of floats is the same news once more.
    scores = any(difference.component == "score" for difference in comparison.differs)
    left_out = (*MINOR_COMPONENTS, "float_height") if scores else MINOR_COMPONENTS
    weighty = [difference for difference in comparison.differs if difference.component not in left_out]
    return [_describe_difference(difference, players, method) for difference in weighty or comparison.differs[:1]]


def _describe_difference(difference: CostDifference, players: NamesByKey, method: str) -> str:
    by_policy = difference.component == "policy"
    more, less = METHOD_DIFFERENCES[Method(method)] if by_policy else DIFFERENCES[difference.component]
    names = [" – ".join(speak_name(key, players) for key in keys) for keys in difference.who]
    return str(more if difference.by > 0 else less) % {
        "who": ", ".join([*names[:MOST_PAIRS_NAMED], *(["…"] if len(names) > MOST_PAIRS_NAMED else [])])
    }


_HALVES = (
    gettext_lazy("upper half against lower half would be kept less well"),
    gettext_lazy("upper half against lower half would be kept better"),
)
_NEIGHBOURS = (
    gettext_lazy("neighbours in the table would be kept together less well"),
    gettext_lazy("neighbours in the table would be kept together better"),
)

_STARTS = (
    gettext_lazy("starts and replies would be less even"),
    gettext_lazy("starts and replies would be more even"),
)

METHOD_DIFFERENCES: Mapping[Method, tuple[Promise, Promise]] = {
    Method.SWISS: _HALVES,
    Method.CONTENTION: _HALVES,
    Method.TEAMS: _HALVES,
    Method.GROUPS: _HALVES,
    Method.KING_OF_THE_HILL: _NEIGHBOURS,
    Method.AUSTRALIAN: _NEIGHBOURS,
    Method.ROUND_ROBIN: _NEIGHBOURS,
    Method.FACTOR: (
        gettext_lazy("the distance set in the table would be kept less well"),
        gettext_lazy("the distance set in the table would be kept better"),
    ),
    Method.RANDOM: (gettext_lazy("the lot has fallen otherwise"), gettext_lazy("the lot would be followed better")),
}
"""What becomes of a method's own wish where it costs more, and less."""

DIFFERENCES: Mapping[str, tuple[Promise | str, Promise | str]] = {
    "schedule": (gettext_lazy("these games of the schedule would not be played: %(who)s"), ""),  # never less
    "contest": (gettext_lazy("these would not meet for a prize: %(who)s"), ""),  # never less
    "forbidden": (
        gettext_lazy("these would meet although they are to be kept apart: %(who)s"),
        gettext_lazy("these, who are to be kept apart, would no longer meet: %(who)s"),
    ),
    "byes": (gettext_lazy("another bye for %(who)s"), gettext_lazy("no further bye for %(who)s")),
    "repeats": (
        gettext_lazy("these would meet again: %(who)s"),
        gettext_lazy("these would no longer meet again: %(who)s"),
    ),
    "again_at_once": (
        gettext_lazy("these would meet again at once: %(who)s"),
        gettext_lazy("these would no longer meet again at once: %(who)s"),
    ),
    "bye_policy": (
        gettext_lazy("the bye would go to %(who)s, further from the place in the table whose turn it is"),
        gettext_lazy("no bye for %(who)s, further from the place in the table whose turn it is"),
    ),
    "score": (
        gettext_lazy("differences in wins would weigh more; these, of different scores, would meet: %(who)s"),
        gettext_lazy("differences in wins would weigh less"),
    ),
    "float_height": (
        gettext_lazy("overall, players with more wins would have to meet others with fewer"),
        gettext_lazy("overall, players with fewer wins would meet others with fewer still"),
    ),
    "club": (
        gettext_lazy("these, of one club, would meet: %(who)s"),
        gettext_lazy("these, of one club, would no longer meet: %(who)s"),
    ),
    "starts": _STARTS,
    "starts_last": _STARTS,
    "tidiness": (
        gettext_lazy("the order in the table would be followed less closely"),
        gettext_lazy("the order in the table would be followed more closely"),
    ),
}
"""What is said of a component that costs more, and less."""


def serialize_comparison(comparison: CostComparison, keys: Mapping[int, str]) -> dict[str, object]:
    """The comparison as `why --format json` prints it, without the sentence."""
    differs = [
        {
            "component": difference.component,
            "by": difference.by,
            "who": [[keys[key] for key in pair] for pair in difference.who],
        }
        for difference in comparison.differs
    ]
    return {"paired": {"cost": list(comparison.paired)}, "held": {"cost": list(comparison.held)}, "differs": differs}
