"""Fees: the kinds that an event has, with their amounts, and what follows from them for each entry. All in cents."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from tournament.core.words.figures import format_money
from tournament.models import Entry, Registration, Tournament

EURO = "€"
Payer = Entry | Registration
FEE_COLUMNS = ("fee_kind", "fee_paid", "paid_cents", "paid_on", "fee_waived")
"""What is stored of a payer's fee."""


@dataclass(frozen=True, slots=True)
class FeeKind:
    """A kind of fee; entries name it by its key."""

    key: str
    name: str
    cents: int


@dataclass(frozen=True, slots=True)
class EntryFee:
    """What an entry owes and has paid. `due` and `over` together are always `paid`, `waived` and `open` together."""

    kind: FeeKind | None
    due: int = 0
    paid: int = 0
    waived: int = 0
    is_settled: bool = False

    @property
    def open(self) -> int:
        """What is still to be paid."""
        return max(self.due - self.paid, 0) - self.waived

    @property
    def over(self) -> int:
        """What was paid beyond what is due."""
        return max(self.paid - self.due, 0)


@dataclass(frozen=True, slots=True)
class FeeTerms:
    """The fees of an event, without amounts until there are kinds. The first kind is that of everybody for whom no
    other was chosen."""

    kinds: tuple[FeeKind, ...] = ()
    currency: str = EURO

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> "FeeTerms":
        """What a tournament has stored."""
        kinds = tuple(
            FeeKind(str(kind["key"]), str(kind["name"]), int(kind["cents"])) for kind in stored.get("kinds", ())
        )
        return cls(kinds, str(stored.get("currency", EURO)))

    @classmethod
    def of(cls, tournament: Tournament) -> "FeeTerms":
        """The fees of a tournament."""
        return cls.read(tournament.fees)

    def stored(self) -> dict[str, Any]:
        """What a tournament stores; nothing where there are no kinds."""
        return {"currency": self.currency, "kinds": [asdict(kind) for kind in self.kinds]} if self.kinds else {}

    def find(self, key: str) -> FeeKind | None:
        """The kind of this key, else the first; None where there are no amounts."""
        return next((kind for kind in self.kinds if kind.key == key), next(iter(self.kinds), None))

    def lacks_kind(self, payer: Payer) -> bool:
        """Whether nobody has said yet which of several kinds a registration pays; until then no amount applies. One of
        15.50 that was only ticked as paid stood as "guest, 25.00 paid", guests being the first kind."""
        # By the kinds that there are now: one that was chosen and has been removed since counts as none.
        is_chosen = any(kind.key == payer.fee_kind for kind in self.kinds)
        return isinstance(payer, Registration) and len(self.kinds) > 1 and not is_chosen

    def weigh(self, entry: Payer) -> EntryFee:
        """What an entry, or a registration, owes and has paid. Whoever left before the first round owes nothing, and
        nothing is due yet of whoever `lacks_kind`."""
        kind = None if self.lacks_kind(entry) else self.find(entry.fee_kind)
        if kind is None:
            return EntryFee(None, paid=entry.paid_cents or 0, is_settled=entry.fee_paid)
        # 0 is “before the first round”, None is “still there”: taken as the same, nobody would owe anything.
        due = 0 if entry.withdrawn_after == 0 else kind.cents
        # A tick without an amount is from before the event had amounts: it counts as paid in full, whatever the fee is
        # now.
        paid = (due if entry.fee_paid else 0) if entry.paid_cents is None else entry.paid_cents
        missing = max(due - paid, 0)
        return EntryFee(kind, due, paid, missing if entry.fee_waived else 0, entry.fee_waived or not missing)

    def tick(self, entry: Payer, *, paid: bool, on: date) -> dict[str, Any]:
        """The columns of a payer who is ticked as having paid on a day what is due, or as not having paid."""
        if not paid:
            return {"fee_paid": False, "paid_cents": None, "paid_on": None, "fee_waived": False}
        kind = self.find(entry.fee_kind)
        # As an amount: if the fee is raised later, what was paid stays what it was.
        return {"fee_paid": True, "paid_cents": kind and kind.cents, "paid_on": on, "fee_waived": False}


def format_fee_kind(kind: FeeKind, currency: str) -> str:
    """A kind with its amount: Guest (20.00 €)."""
    return f"{kind.name} ({format_money(kind.cents, currency)})"


NO_FEES = FeeTerms()


@dataclass(frozen=True, slots=True)
class FeeSum:
    """What several entries owe and have paid together."""

    count: int
    due: int
    paid: int
    waived: int
    open: int
    over: int


def sum_fees(fees: Iterable[EntryFee]) -> FeeSum:
    """The sums of what was weighed."""
    listed = list(fees)
    sums = {name: sum(getattr(fee, name) for fee in listed) for name in ("due", "paid", "waived", "open", "over")}
    return FeeSum(len(listed), **sums)
