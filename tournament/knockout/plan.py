"""A knock-out as announced: how many players, in which form, with which criteria (TSO 6.2)."""

from dataclasses import dataclass
from typing import Any

from scoring.knockout_values import KnockoutSystem, MatchFormat
from tournament.models import Knockout


@dataclass(frozen=True, slots=True)
class KnockoutPlan:
    """What the announcement says of a knock-out. `best_of` is odd and for that form only; `criteria` are in order;
    `own_criterion` are the words of the one of its own."""

    size: int
    form: str = MatchFormat.SINGLE
    best_of: int | None = None
    criteria: tuple[str, ...] = ()
    third_place: bool = False
    own_criterion: str = ""
    system: str = KnockoutSystem.SINGLE

    @classmethod
    def of(cls, knockout: Knockout) -> "KnockoutPlan":
        """What a stored knock-out says."""
        return cls(
            knockout.size,
            knockout.form,
            knockout.best_of,
            tuple(knockout.criteria),
            knockout.third_place,
            knockout.own_criterion,
            knockout.system,
        )

    def fields(self) -> dict[str, Any]:
        """The columns of a `Knockout` that hold it."""
        return {
            "size": self.size,
            "system": str(self.system),
            "form": str(self.form),
            "best_of": self.best_of,
            "criteria": [str(criterion) for criterion in self.criteria],
            "third_place": self.third_place,
            "own_criterion": self.own_criterion,
        }
