"""“Why not …?” in words: what would be different if two met, the weightiest first."""

from collections.abc import Callable, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament import names
from tournament.pairing.values import Method
from tournament.pairing.why_not import CostComparison, CostDifference
from tournament.words.figures import NOTHING

MOST_NAMED = 4
"""So many pairs are named; more would not be read."""

FINE = ("policy", "starts", "tidiness")
"""What is told only where nothing weightier differs."""

Names = Mapping[int, str]


def sentence(comparison: CostComparison, one: int, other: int, players: Names, method: str) -> str:
    """What the pair would cost, in one sentence."""
    together = f"{_name(one, players)} – {_name(other, players)}"
    scores = any(difference.component == "score" for difference in comparison.differs)
    left_out = (*FINE, "float_height") if scores else FINE
    weighty = [difference for difference in comparison.differs if difference.component not in left_out]
    told = [words for each in weighty or comparison.differs[:1] if (words := _told(each, players, method))]
    if not told:
        return _("%(pair)s would be as good.") % {"pair": together}
    return _("With %(pair)s: %(what)s.") % {"pair": together, "what": "; ".join(told)}


def _told(difference: CostDifference, players: Names, method: str) -> str:
    if difference.component == "policy":
        return _by_method(method) if difference.by > 0 else ""
    more, less = _WORDS[difference.component]
    words = more if difference.by > 0 else less
    return words(difference, players) if words else ""


def _name(key: int, players: Names) -> str:
    return names.spoken(players.get(key, NOTHING))


def _pairs(difference: CostDifference, players: Names) -> str:
    """The pairs, or the players with a bye, by name; the first few of many."""
    said = [" – ".join(_name(key, players) for key in keys) for keys in difference.who]
    return ", ".join([*said[:MOST_NAMED], *(["…"] if len(said) > MOST_NAMED else [])])


def _with_who(words: Callable[[], str]) -> Callable[[CostDifference, Names], str]:
    return lambda difference, players: words() % {"who": _pairs(difference, players)}


def _more_floats(difference: CostDifference, players: Names) -> str:
    count = len(difference.who)
    return ngettext(
        "differences in wins would weigh more, with %(count)s other pair of different scores (%(who)s)",
        "differences in wins would weigh more, with %(count)s other pairs of different scores (%(who)s)",
        count,
    ) % {"count": count, "who": _pairs(difference, players)}


def _by_method(method: str) -> str:
    words = {
        Method.SWISS: _("upper half against lower half would be kept less well"),
        Method.GROUPS: _("upper half against lower half would be kept less well"),
        Method.KING_OF_THE_HILL: _("neighbours in the table would be kept together less well"),
        Method.ROUND_ROBIN: _("neighbours in the table would be kept together less well"),
        Method.FACTOR: _("the planned distance in the table would be kept less well"),
        Method.RANDOM: _("the lot has fallen otherwise"),
    }
    return words.get(Method(method), "")


Words = Callable[[CostDifference, Names], str]
_WORDS: Mapping[str, tuple[Words, Words | None]] = {
    "schedule": (_with_who(lambda: _("these games of the schedule would not be played: %(who)s")), None),
    "forbidden": (
        _with_who(lambda: _("these would meet although they are to be kept apart: %(who)s")),
        _with_who(lambda: _("these, who are to be kept apart, would no longer meet: %(who)s")),
    ),
    "byes": (
        _with_who(lambda: _("another bye for %(who)s")),
        _with_who(lambda: _("no further bye for %(who)s")),
    ),
    "repeats": (
        _with_who(lambda: _("these would meet again: %(who)s")),
        _with_who(lambda: _("these would no longer meet again: %(who)s")),
    ),
    "again_at_once": (
        _with_who(lambda: _("these would meet again at once: %(who)s")),
        _with_who(lambda: _("these would no longer meet again at once: %(who)s")),
    ),
    "bye_policy": (
        _with_who(lambda: _("the bye would go to %(who)s, further from whose turn it is")),
        None,
    ),
    "score": (_more_floats, lambda difference, players: _("differences in wins would weigh less")),
    "float_height": (
        lambda difference, players: _("taken together, players with more wins would have to meet others with fewer"),
        lambda difference, players: _("taken together, players with fewer wins would meet others with fewer still"),
    ),
    "club": (
        _with_who(lambda: _("these, of one club, would meet: %(who)s")),
        _with_who(lambda: _("these, of one club, would no longer meet: %(who)s")),
    ),
    "starts": (lambda difference, players: _("starts and replies would be less even"), None),
    "tidiness": (lambda difference, players: _("the order in the table would be followed less closely"), None),
}


def as_json(comparison: CostComparison, keys: Mapping[int, str]) -> dict[str, object]:
    """The comparison as `why --format json` prints it, without the sentence."""
    differs = [
        {"component": each.component, "by": each.by, "who": _keys(each.who, keys)} for each in comparison.differs
    ]
    return {
        "paired": {"cost": list(comparison.paired)},
        "held": {"cost": list(comparison.held)},
        "differs": differs,
    }


def _keys(who: Sequence[Sequence[int]], keys: Mapping[int, str]) -> list[list[str]]:
    return [[keys[key] for key in each] for each in who]
