"""Fees in sentences."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.core.fees import FeeSum, Payer
from tournament.core.words.figures import format_money
from tournament.core.words.outcomes import format_withdrawal
from tournament.fees.queries import FeeLine, FeeList
from tournament.models import Registration


def describe_sum(name: str, found: FeeSum, currency: str) -> str:
    """The sums in one line: Members (12): due 180,00 €, paid 165,00 €, open 15,00 €."""
    parts = [_("due %(money)s") % {"money": format_money(found.due, currency)}]
    parts.append(_("paid %(money)s") % {"money": format_money(found.paid, currency)})
    parts.append(_("open %(money)s") % {"money": format_money(found.open, currency)})
    if found.waived:
        parts.append(_("waived %(money)s") % {"money": format_money(found.waived, currency)})
    if found.over:
        parts.append(_("paid too much %(money)s") % {"money": format_money(found.over, currency)})
    return f"{name} ({found.count}): {', '.join(parts)}"


def describe_sums(found: FeeList) -> list[str]:
    """A line for each kind, and one for all where there are several."""
    lines = [describe_sum(kind.name, each, found.terms.currency) for kind, each in found.kinds]
    return lines if len(lines) == 1 else [*lines, describe_sum(_("All"), found.total, found.terms.currency)]


def describe_early_payers(found: FeeList) -> str:
    """What was paid for registrations that are no entries yet, as a sentence; empty for nothing."""
    if not found.early:
        return ""
    said = ngettext(
        "%(money)s were paid for %(count)s registration that is not taken over as an entry; they are in no sum.",
        "%(money)s were paid for %(count)s registrations that are not taken over as entries; they are in no sum.",
        len(found.early),
    )
    money = format_money(sum(line.fee.paid for line in found.early), found.terms.currency)
    return said % {"count": len(found.early), "money": money}


def _describe_attendance(entry: Payer) -> str:
    """That somebody has left, or has only registered so far; empty for a player."""
    if isinstance(entry, Registration):
        return _("not entered: %(state)s") % {"state": entry.get_state_display()}
    return "" if entry.withdrawn_after is None else format_withdrawal(entry.withdrawn_after)


def describe_line(line: FeeLine, currency: str) -> str:
    """What is to be known beside the figures of a player: waived, too much, left, ticked before there were amounts."""
    fee, entry = line.fee, line.entry
    words = {"money": format_money(fee.waived or fee.over, currency)}
    parts = [
        _("waived %(money)s") % words if fee.waived else "",
        _("paid too much %(money)s") % words if fee.kind and fee.over else "",
        "" if fee.kind else _("kind of fee not chosen"),
        _describe_attendance(entry),
        _("ticked without an amount") if entry.fee_paid and entry.paid_cents is None else "",
    ]
    return ", ".join(part for part in parts if part)
