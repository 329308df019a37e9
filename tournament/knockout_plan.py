"""A knock-out as it is announced: how many players, in which form, decided by what (TSO 6.2)."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.knockout import Criterion, Form
from tournament.models import Bracket, Division

CRITERIA = {
    Criterion.MOST_BINGOS: gettext_lazy("plays of all seven tiles"),
    Criterion.PRELIMINARY_RANK: gettext_lazy("place before the knock-out"),
    Criterion.PLAYING_TIME: gettext_lazy("less time used"),
    Criterion.DECIDER_GAME: gettext_lazy("one more game"),
}
"""The criteria that an announcement may name, as it names them (TSO 6.2.4)."""


@dataclass(frozen=True, slots=True)
class Announced:
    """What the announcement says of a knock-out. `best_of` is for that form only and odd, `criteria` in their order."""

    size: int
    form: str = Form.SINGLE
    best_of: int | None = None
    criteria: tuple[str, ...] = ()
    third_place: bool = False

    @classmethod
    def of(cls, bracket: Bracket) -> "Announced":
        """What a stored knock-out says."""
        return cls(bracket.size, bracket.form, bracket.best_of, tuple(bracket.criteria), bracket.third_place)

    @property
    def mark(self) -> str:
        """A short text that stands for all of it, by which a page knows that somebody changed it meanwhile."""
        parts = (self.size, self.form, self.best_of or "", "+".join(self.criteria), int(self.third_place))
        return "/".join(str(part) for part in parts)

    def fields(self) -> dict[str, Any]:
        """The columns of a `Bracket` that hold it."""
        return {
            "size": self.size,
            "form": str(self.form),
            "best_of": self.best_of,
            "criteria": [str(criterion) for criterion in self.criteria],
            "third_place": self.third_place,
        }


def bracket_of(division: Division) -> Bracket | None:
    """A division's knock-out; None where none is announced. One query."""
    found = Bracket.objects.filter(division=division).first()
    if found is not None:
        found.division = division
    return found


def form(announced: Announced) -> str:
    """How a match is played, in one phrase with its clause."""
    if announced.form == Form.BEST_OF:
        return _("best of %(games)s games (TSO 6.2.3)") % {"games": announced.best_of}
    if announced.form == Form.DOUBLE:
        return _("two games, the points of both together (TSO 6.2.2)")
    return _("one game (TSO 6.2.1)")


def criteria(announced: Announced) -> str:
    """What decides a match that is level, in order, with what always follows (TSO 6.2.4)."""
    named = [str(CRITERIA[Criterion(criterion)]) for criterion in announced.criteria]
    return ", ".join([*named, _("highest game"), _("highest move"), _("lot")])


def in_short(announced: Announced) -> str:
    """The knock-out in one phrase: 4 players, one game (TSO 6.2.1)."""
    words = {"size": announced.size, "form": form(announced)}
    return _("%(size)s players, %(form)s") % words


def facts_of(division: Division) -> list[tuple[str, str]]:
    """`facts` of a division's knock-out; none where none is announced. One query."""
    bracket = bracket_of(division)
    return facts(Announced.of(bracket)) if bracket else []


def facts(announced: Announced) -> list[tuple[str, str]]:
    """What the announcement states of the knock-out: label and sentence of each fact."""
    players = _("The first %(size)s of the table") % {"size": announced.size}
    found = [
        (_("Players"), players),
        (_("Each match"), form(announced)),
        (_("Level matches"), _("%(criteria)s (TSO 6.2.4)") % {"criteria": criteria(announced)}),
    ]
    if announced.third_place:
        found.append((_("Third place"), _("is played for")))
    return found
