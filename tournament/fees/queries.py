"""Who owes what, as the treasurer's list has it."""

from dataclasses import dataclass

from django.db.models import Q

from tournament.basics.names import fold_text
from tournament.core.fees import EntryFee, FeeKind, FeeSum, FeeTerms, Payer, sum_fees
from tournament.models import Entry, Registration, Tournament


@dataclass(frozen=True, slots=True)
class FeeLine:
    """An entry, or a registration that is none yet, and its fee."""

    entry: Payer
    fee: EntryFee

    @property
    def club(self) -> str:
        club = self.entry.club
        return club if isinstance(club, str) else club.name if club else ""

    @property
    def number(self) -> str:
        """That of the entry; none for a registration."""
        return self.entry.key if isinstance(self.entry, Entry) else ""


@dataclass(frozen=True, slots=True)
class FeeList:
    """The fees of an event: everybody by name, the sums of each kind and of all. `early`: registrations for which
    something was paid and that are no entries yet; they are in no sum."""

    terms: FeeTerms
    lines: tuple[FeeLine, ...]
    kinds: tuple[tuple[FeeKind, FeeSum], ...]
    total: FeeSum
    early: tuple[FeeLine, ...]

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
    paid = Registration.objects.filter(Q(fee_paid=True) | Q(paid_cents__gt=0), tournament=tournament, entry=None)
    early = sorted(paid.select_related("division"), key=lambda each: (fold_text(each.name), each.pk))
    sums = sum_fees(line.fee for line in lines)
    return FeeList(terms, lines, kinds, sums, tuple(FeeLine(each, terms.weigh(each)) for each in early))
