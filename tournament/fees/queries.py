"""Who owes what, as the treasurer's list has it."""

from dataclasses import dataclass

from tournament.core.fees import EntryFee, FeeKind, FeeSum, FeeTerms, sum_fees
from tournament.models import Entry, Registration, Tournament


@dataclass(frozen=True, slots=True)
class FeeLine:
    """An entry and its fee."""

    entry: Entry
    fee: EntryFee


@dataclass(frozen=True, slots=True)
class FeeList:
    """The fees of an event: everybody by name, the sums of each kind and of all. `early` have paid before they were
    entered, and are in no sum."""

    terms: FeeTerms
    lines: tuple[FeeLine, ...]
    kinds: tuple[tuple[FeeKind, FeeSum], ...]
    total: FeeSum
    early: int

    @property
    def open_lines(self) -> list[FeeLine]:
        """Who still has to pay something."""
        return [line for line in self.lines if line.fee.open]


def load_fee_list(tournament: Tournament) -> FeeList:
    """The fees of all entries of an event. Two queries."""
    terms = FeeTerms.of(tournament)
    entries = Entry.objects.filter(tournament=tournament).with_names().select_related("division").by_name()
    lines = tuple(FeeLine(entry, terms.weigh(entry)) for entry in entries)
    kinds = tuple((kind, sum_fees(line.fee for line in lines if line.fee.kind == kind)) for kind in terms.kinds)
    waiting = Registration.objects.filter(tournament=tournament, entry=None, fee_paid=True)
    return FeeList(terms, lines, kinds, sum_fees(line.fee for line in lines), waiting.count())
