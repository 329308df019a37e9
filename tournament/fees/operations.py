"""Fees: what an event takes, and what one player has paid. Who has paid in full is ticked by `entries.operations`."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django.utils.timezone import localdate
from django.utils.translation import gettext_lazy as _

from tournament.basics import limits
from tournament.basics.names import fold_text, normalise_text
from tournament.basics.refusals import (
    NumberOutOfRange,
    Refusal,
    Refusals,
    find_range_refusals,
    find_text_refusals,
)
from tournament.core.change import Actor, change
from tournament.core.fees import EURO, FeeTerms
from tournament.entries.operations.entries import load_stored_entry
from tournament.models import Entry, Registration, Tournament


class FeeKindInUse(Refusal, code="fee_kind_in_use"):
    message = _("Players for whom “%(name)s” was chosen: %(count)s. Choose another kind for them first.")


class FeeKindGone(Refusal, code="fee_kind_gone", field="kind"):
    message = _("This kind of fee is no longer there; choose from the list.")


class FeeKindNotChosen(Refusal, code="fee_kind_not_chosen", field="kind"):
    message = _("Choose the kind of fee first, so that no wrong amount is noted: %(names)s.")


def find_fee_problems(terms: FeeTerms) -> Iterable[Refusal]:
    """Everything that is wrong with the kinds; a refusal blames the field of its row: `name_1`, `cents_1` …"""
    yield from find_text_refusals("currency", terms.currency, limits.CURRENCY)
    named = Counter(fold_text(kind.name) for kind in terms.kinds)
    for row, kind in enumerate(terms.kinds, 1):
        if not kind.name:
            yield Refusal("fee_kind_unnamed", _("Give this kind of fee a name."), field=f"name_{row}")
        elif named[fold_text(kind.name)] > 1:
            said = _("There are two kinds of fees called “%(name)s”.")
            yield Refusal("fee_kind_twice", said, field=f"name_{row}", name=kind.name)
        yield from find_text_refusals(f"name_{row}", kind.name, limits.FEE_KIND)
        yield from find_range_refusals(f"cents_{row}", kind.cents, limits.FEE_CENTS)


def set_fees(tournament: Tournament, *, terms: FeeTerms, actor: Actor) -> None:
    """Say what players owe; without kinds there are no amounts. What was paid stays. Raises `Refusals` with all faults,
    or `FeeKindInUse`."""
    kinds = tuple(replace(kind, name=normalise_text(kind.name)) for kind in terms.kinds)
    terms = FeeTerms(kinds, normalise_text(terms.currency) or EURO)
    if faults := list(find_fee_problems(terms)):
        raise Refusals(faults)
    with change(tournament, actor=actor, verb="set_fees") as log:
        kept = {kind.key for kind in kinds}
        for kind in FeeTerms.of(log.tournament).kinds:
            if kind.key not in kept and (
                count := Entry.objects.filter(tournament=tournament, fee_kind=kind.key).count()
                + Registration.objects.filter(tournament=tournament, fee_kind=kind.key, entry=None).count()
            ):
                raise FeeKindInUse(name=kind.name, count=count)
        if terms.stored() != log.tournament.fees:
            log.save(log.tournament, fees=terms.stored())


@dataclass(frozen=True, slots=True)
class NotedFee:
    """What is noted of one player's fee. `kind` is a key, empty for the usual kind; `cents` None: nothing was paid;
    without a day it was today."""

    kind: str = ""
    cents: int | None = None
    day: date | None = None
    waived: bool = False


def note_fee(entry: Entry, *, fee: NotedFee, actor: Actor) -> Entry:
    """Write the kind of a player's fee, what was paid when, and whether the rest is waived. Raises `FeeKindGone` or
    `NumberOutOfRange`."""
    with change(entry.tournament, actor=actor, verb="note_fee", key=entry.key, name=entry.name) as log:
        stored = load_stored_entry(entry)
        log.save(stored, **build_fee_columns(fee, FeeTerms.of(log.tournament), today=localdate(log.now)))
        return stored


def build_fee_columns(fee: NotedFee, terms: FeeTerms, *, today: date) -> dict[str, Any]:
    """What is stored of it (`FEE_COLUMNS`). Raises `FeeKindGone` or `NumberOutOfRange`."""
    if fee.cents is not None and not limits.FEE_CENTS.holds(fee.cents):
        raise NumberOutOfRange(field="cents", value=fee.cents, **limits.FEE_CENTS.ends)
    if fee.kind and fee.kind not in {kind.key for kind in terms.kinds}:
        raise FeeKindGone
    kind, day = terms.find(fee.kind), None if fee.cents is None else fee.day or today
    is_full = fee.cents is not None and kind is not None and fee.cents >= kind.cents
    columns = {"fee_kind": fee.kind, "paid_cents": fee.cents, "paid_on": day, "fee_waived": fee.waived}
    return {**columns, "fee_paid": is_full}
