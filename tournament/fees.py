"""What the players owe and have paid: kinds and amounts, the treasurer's list, its pages and its files."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import formats
from django.utils.formats import date_format
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.access.rules import get_actor, get_chosen_division
from tournament.basics import limits
from tournament.basics.names import fold_text, make_sort_key, normalise_text
from tournament.basics.refusals import (
    NumberOutOfRange,
    Refusal,
    Refusals,
    find_range_refusals,
    find_text_refusals,
)
from tournament.core.change import Actor, change
from tournament.core.fees import EURO, EntryFee, FeeKind, FeeSum, FeeTerms, Payer, sum_fees
from tournament.core.words.figures import format_amount, format_money
from tournament.core.words.outcomes import format_withdrawal
from tournament.entries.forms import list_fee_choices, list_kind_choices
from tournament.entries.operations.attendance import mark_fees
from tournament.entries.operations.entries import load_stored_entry
from tournament.entries.views import get_entry_or_404
from tournament.models import Entry, Registration, Tournament
from tournament.pages.forms import DateField, MoneyField, OperationForm, TextField, offer_choices
from tournament.pages.frames import build_director_context
from tournament.pages.requests import director_page
from tournament.pages.tables import REST, BaseTable, Column, FiguresColumn, Text
from tournament.pages.views import answer_with_file
from tournament.paper.documents import make_header, render_notice
from tournament.paper.grid import PrintedCell
from tournament.paper.sheet import MM, Align, Paper, PaperHeader

# What an event takes, and what one player has paid. Who has paid in full is ticked by `entries.operations`.


class FeeKindGone(Refusal, code="fee_kind_gone", field="kind"):
    message = gettext_lazy("This kind of fee is no longer there; choose from the list.")


class FeeKindNotChosen(Refusal, code="fee_kind_not_chosen", field="kind"):
    message = gettext_lazy("Choose the kind of fee first, so that no wrong amount is noted: %(names)s.")


def find_fee_problems(terms: FeeTerms) -> Iterable[Refusal]:
    """Everything that is wrong with the kinds; a refusal blames the field of its row: `name_1`, `cents_1` …"""
    yield from find_text_refusals("currency", terms.currency, limits.CURRENCY)
    named = Counter(fold_text(kind.name) for kind in terms.kinds)
    for row, kind in enumerate(terms.kinds, 1):
        if not kind.name:
            yield Refusal("fee_kind_unnamed", gettext_lazy("Give this kind of fee a name."), field=f"name_{row}")
        elif named[fold_text(kind.name)] > 1:
            message = gettext_lazy("There are two kinds of fees called “%(name)s”.")
            yield Refusal("fee_kind_twice", message, field=f"name_{row}", name=kind.name)
        yield from find_text_refusals(f"name_{row}", kind.name, limits.FEE_KIND)
        yield from find_range_refusals(f"cents_{row}", kind.cents, limits.FEE_CENTS)


def set_fees(tournament: Tournament, *, terms: FeeTerms, actor: Actor) -> None:
    """Say what players owe. Without kinds no amounts are due; what was paid stays. Raises `Refusals` with all faults,
    or `fee_kind_in_use`."""
    kinds = tuple(replace(kind, name=normalise_text(kind.name)) for kind in terms.kinds)
    terms = FeeTerms(kinds, normalise_text(terms.currency) or EURO)
    if faults := list(find_fee_problems(terms)):
        raise Refusals(faults)
    with change(tournament, actor=actor, verb="set_fees") as log:
        kind_keys = {kind.key for kind in kinds}
        for kind in FeeTerms.of(log.tournament).kinds:
            # The key of a kind that is gone is given again: entries that still name it would owe what the next new kind
            # costs.
            if kind.key not in kind_keys and (
                count := Entry.objects.filter(tournament=tournament, fee_kind=kind.key).count()
                + Registration.objects.filter(tournament=tournament, fee_kind=kind.key, entry=None).count()
            ):
                raise Refusal(
                    "fee_kind_in_use",
                    gettext_lazy(
                        "Players for whom “%(name)s” was chosen: %(count)s. Choose another kind for them first."
                    ),
                    name=kind.name,
                    count=count,
                )
        if terms.stored() != log.tournament.fees:
            log.save(log.tournament, fees=terms.stored())


@dataclass(frozen=True, slots=True)
class NotedFee:
    """A player's fee as it was noted. `kind` is the key of a kind, empty for the usual one; `cents` is None if nothing
    was paid; without a day it was paid today."""

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
    """The columns (`FEE_COLUMNS`) that store a noted fee. Raises `FeeKindGone` or `NumberOutOfRange`."""
    if fee.cents is not None and not limits.FEE_CENTS.holds(fee.cents):
        raise NumberOutOfRange(field="cents", value=fee.cents, **limits.FEE_CENTS.ends)
    if fee.kind and fee.kind not in {kind.key for kind in terms.kinds}:
        raise FeeKindGone
    # A day without an amount is none: nothing was paid on it.
    kind, day = terms.find(fee.kind), None if fee.cents is None else fee.day or today
    is_full = fee.cents is not None and kind is not None and fee.cents >= kind.cents
    columns = {"fee_kind": fee.kind, "paid_cents": fee.cents, "paid_on": day, "fee_waived": fee.waived}
    return {**columns, "fee_paid": is_full}


# The treasurer's list, and what is said of it.


@dataclass(frozen=True, slots=True)
class FeeLine:
    """An entry, or a registration that is none yet, and its fee."""

    entry: Payer
    fee: EntryFee

    @property
    def club(self) -> str:
        club = self.entry.club
        # A registration has the text that was typed, an entry a club of the register.
        return club if isinstance(club, str) else club.name if club else ""

    @property
    def called(self) -> str:
        """The name beside the club."""
        return self.entry.name_beside_club if isinstance(self.entry, Entry) else self.entry.name

    @property
    def number(self) -> str:
        """The entry's number; empty for a registration."""
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
    # Sorted here: a registration has no column to sort names by, as the register has.
    paid_registrations = sorted(paid.select_related("division"), key=lambda row: (make_sort_key(row.name), row.pk))
    sums = sum_fees(line.fee for line in lines)
    early = tuple(FeeLine(registration, terms.weigh(registration)) for registration in paid_registrations)
    return FeeList(terms, lines, kinds, sums, early)


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
    lines = [describe_sum(kind.name, fee_sum, found.terms.currency) for kind, fee_sum in found.kinds]
    # With one kind the sum of all says the same once more.
    return lines if len(lines) == 1 else [*lines, describe_sum(_("All"), found.total, found.terms.currency)]


def describe_early_payers(found: FeeList) -> str:
    """What was paid for registrations that are no entries yet, as a sentence; empty for nothing."""
    if not found.early:
        return ""
    message = ngettext(
        "%(money)s were paid for %(count)s registration that is not taken over as an entry; they are in no sum.",
        "%(money)s were paid for %(count)s registrations that are not taken over as entries; they are in no sum.",
        len(found.early),
    )
    money = format_money(sum(line.fee.paid for line in found.early), found.terms.currency)
    return message % {"count": len(found.early), "money": money}


def _describe_attendance(entry: Payer) -> str:
    """That somebody has left, or has only registered so far; empty for a player."""
    if isinstance(entry, Registration):
        return _("not entered: %(state)s") % {"state": entry.get_state_display()}
    return format_withdrawal(entry)


def describe_line(line: FeeLine, currency: str) -> str:
    """What the treasurer should know beside a player's figures: waived, too much, left, ticked before there were
    amounts."""
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


SPARE_ROWS, FEWEST_ROWS = 1, 4


class FeesForm(OperationForm):
    """The kinds of fees in rows, some of them empty, and the currency. A row left empty is no kind."""

    currency = TextField(
        limits.CURRENCY,
        required=True,
        label=gettext_lazy("Currency"),
        help_text=gettext_lazy("€, CHF … as it shall be printed"),
    )

    def __init__(self, data: Any = None, *, terms: FeeTerms) -> None:
        super().__init__(data, initial={"currency": terms.currency})
        self.terms = terms
        self.numbers = range(1, min(max(len(terms.kinds) + SPARE_ROWS, FEWEST_ROWS), limits.FEE_KINDS) + 1)
        examples = dict(enumerate((_("Club member"), _("Guest"), _("Junior")), 1))
        for number in self.numbers:
            kind = terms.kinds[number - 1] if number <= len(terms.kinds) else None
            name = forms.TextInput(attrs={"autocomplete": "off", "placeholder": examples.get(number, "")})
            title, amount = (_("Kind %(number)s"), _("Amount %(number)s"))
            self.fields |= {
                f"key_{number}": forms.CharField(
                    required=False, max_length=limits.WORD, widget=forms.HiddenInput, initial=kind and kind.key
                ),
                f"name_{number}": TextField(
                    limits.FEE_KIND, label=title % {"number": number}, initial=kind and kind.name, widget=name
                ),
                f"cents_{number}": MoneyField(
                    limits.FEE_CENTS, label=amount % {"number": number}, initial=kind and kind.cents
                ),
            }

    @property
    def rows(self) -> list[tuple[Any, Any, Any]]:
        """The three fields of each row."""
        return [(self[f"key_{number}"], self[f"name_{number}"], self[f"cents_{number}"]) for number in self.numbers]

    def clean(self) -> dict[str, Any]:
        fields = super().clean() or {}
        for number in self.numbers:
            # An amount that could not be read is missing from the fields, and has been refused by its own field
            # already.
            if fields.get(f"name_{number}") and f"cents_{number}" in fields and fields[f"cents_{number}"] is None:
                self.add_error(f"cents_{number}", _("Type the amount; 0 if nothing is to be paid."))
        return fields

    def problems(self) -> Iterable[Refusal]:
        return find_fee_problems(self.stated)

    def blames(self, refusal: Refusal) -> str | None:
        """Kinds are counted without the rows left empty."""
        name, _between, place = (refusal.field or "").rpartition("_")
        filled = self._filled
        return f"{name}_{filled[int(place) - 1]}" if place.isdigit() and int(place) <= len(filled) else refusal.field

    @property
    def _filled(self) -> list[int]:
        """The rows in which something was typed, be it wrong."""
        filled_fields = {name for name in self.fields if str(self.data.get(name, "")).strip()}
        return [number for number in self.numbers if filled_fields & {f"name_{number}", f"cents_{number}"}]

    @property
    def stated(self) -> FeeTerms:
        """The fees that the form states; new kinds have keys that no other kind has."""
        # Keys come back in hidden fields: one that is none of the event's is replaced and not believed.
        fields, kind_keys = self.cleaned_data, {kind.key for kind in self.terms.kinds}
        free = (key for number in range(1, 10_000) if (key := f"K{number}") not in kind_keys)
        return FeeTerms(
            tuple(
                FeeKind(
                    key if (key := fields.get(f"key_{number}", "")) in kind_keys else next(free),
                    fields.get(f"name_{number}") or "",
                    fields.get(f"cents_{number}") or 0,
                )
                for number in self._filled
            ),
            fields.get("currency") or EURO,
        )


class EntryFeeForm(OperationForm):
    """The fee of an entry or of a registration."""

    blamed: ClassVar[dict[str, str]] = {}

    kind = forms.ChoiceField(label=gettext_lazy("Kind of fee"), required=False)
    cents = MoneyField(
        limits.FEE_CENTS, label=gettext_lazy("Paid"), help_text=gettext_lazy("All payments together; empty: nothing")
    )
    day = DateField(label=gettext_lazy("Paid on"))
    waived = forms.BooleanField(label=gettext_lazy("The rest is waived"), required=False)

    def __init__(self, data: Any = None, *, entry: Payer, terms: FeeTerms) -> None:
        choices = list_fee_choices(terms)
        # Nobody knows a registration's kind until it is chosen: offered as the usual one, the first was booked, and a
        # member who had paid 15.50 stood as a guest with 25.00.
        if isinstance(entry, Registration) and len(terms.kinds) > 1:
            choices = [("", _("– not chosen –")), *list_kind_choices(terms)]
        is_usual = entry.fee_kind not in dict(choices)
        fee, kind = terms.weigh(entry), "" if is_usual else entry.fee_kind
        paid = fee.paid if entry.fee_paid or entry.paid_cents is not None else None
        initial = {"kind": kind, "cents": paid, "day": entry.paid_on, "waived": entry.fee_waived}
        super().__init__(data, initial=initial)
        offer_choices(self, "kind", choices)

    @property
    def stated(self) -> NotedFee:
        """What the form states. Only for a valid form."""
        return NotedFee(**self.cleaned_data)


# The list as CSV and on paper.

KIND_WIDTH, MONEY_WIDTH, DAY_WIDTH = 32 * MM, 23 * MM, 23 * MM


class MoneyColumn(FiguresColumn):
    """An amount; in files without grouping and with the language's decimal mark, as spreadsheets read numbers."""

    def __init__(self, heading: Text, **options: Any) -> None:
        super().__init__(heading, write=format_amount, **options)

    def value(self, value: int) -> str:
        # From whole cents: a spreadsheet adds up what stands here, and 0.1 has no exact float.
        return f"{value // 100}{formats.get_format('DECIMAL_SEPARATOR')}{value % 100:02d}"


class FeesTable(BaseTable):
    """A row for each entry and for each registration with a payment. On paper the headings name the currency."""

    number = Column(gettext_lazy("No."))
    name = Column(gettext_lazy("Name"), accessor="called", width=REST, bold=True, wraps=True)
    club = Column(gettext_lazy("Club"))
    division = Column(gettext_lazy("Division"), accessor="entry__division__name")
    kind = Column(
        gettext_lazy("Kind of fee"), accessor="fee__kind__name", default="", width=KIND_WIDTH, scale=0.85, wraps=True
    )
    due = MoneyColumn(gettext_lazy("Due"), accessor="fee__due", width=MONEY_WIDTH)
    paid = MoneyColumn(gettext_lazy("Paid"), accessor="fee__paid", width=MONEY_WIDTH)
    day = Column(
        gettext_lazy("Paid on"),
        accessor="entry__paid_on",
        default="",
        width=DAY_WIDTH,
        align=Align.RIGHT,
        scale=0.85,
    )
    waived = MoneyColumn(gettext_lazy("Waived"), accessor="fee__waived")
    open = MoneyColumn(gettext_lazy("Open"), accessor="fee__open", width=MONEY_WIDTH, bold=True)
    currency = Column(gettext_lazy("Currency"), empty_values=())
    remark = Column(gettext_lazy("Remark"), empty_values=())

    def __init__(self, found: FeeList) -> None:
        self.unit = found.terms.currency
        super().__init__((*found.lines, *found.early), caption=_("Fees"))
        for name in ("due", "paid", "open"):
            column = self.columns[name].column
            column.on_paper = f"{column.verbose_name} ({self.unit})"

    def print_name(self, line: FeeLine) -> PrintedCell:
        return PrintedCell(line.entry.name, below=self.render_remark(line))

    def render_day(self, value: date) -> str:
        return date_format(value, "SHORT_DATE_FORMAT")

    def value_day(self, value: date) -> str:
        return value.isoformat()

    def print_open(self, line: FeeLine) -> str:
        return format_amount(line.fee.open) if line.fee.open else ""

    def render_currency(self) -> str:
        return self.unit

    def render_remark(self, record: FeeLine) -> str:
        return describe_line(record, self.unit)


def draw_fees(header: PaperHeader, found: FeeList) -> bytes:
    """Everybody by name with what is due, paid and open; the sums above."""
    title = _("Fees")
    if not (found.lines or found.early):
        return render_notice(header, title, _("Nobody has been entered yet."))
    early = describe_early_payers(found)
    return FeesTable(found).print_on(Paper(header, title, notes=[*describe_sums(found), *([early] if early else [])]))


ONLY_OPEN = "open"

FORMATS: Mapping[str, tuple[str, Callable[[PaperHeader, FeeList], bytes]]] = {
    "pdf": ("application/pdf", draw_fees),
    "csv": ("text/csv; charset=utf-8", lambda _header, found: FeesTable(found).build_csv()),
}
"""The content type of each kind of file, and how it is made."""


@director_page("GET")
def show_fees(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Who owes what and has paid, with the sums; `?only=open`: who still has to pay."""
    fee_list = load_fee_list(tournament)
    if not fee_list.terms.kinds:
        return _render_terms(request, tournament, FeesForm(terms=fee_list.terms))
    only_open = request.GET.get("only") == ONLY_OPEN
    lines = fee_list.open_lines if only_open else fee_list.lines
    context = {
        "found": fee_list,
        "lines": [(line, describe_line(line, fee_list.terms.currency)) for line in lines],
        "lines_of_registrations": [(line, describe_line(line, fee_list.terms.currency)) for line in fee_list.early],
        "only_open": only_open,
        "early": describe_early_payers(fee_list),
        "files": [(fmt.upper(), reverse("director:fees_file", args=[tournament.slug, fmt])) for fmt in FORMATS],
    }
    return render(request, "tournament/fees/fees.html", _build_frame(request, tournament) | context)


@director_page("GET")
def download_fees(request: HttpRequest, tournament: Tournament, fmt: str) -> HttpResponse:
    """The list as a file; 404 for a kind that is not in `FORMATS`."""
    if fmt not in FORMATS:
        raise Http404(_("There is no list of fees as “%(format)s”.") % {"format": fmt})
    content_type, write = FORMATS[fmt]
    # A header is made of a division, and this list is of all: it must not bear the first one's name.
    header = replace(make_header(get_chosen_division(request, tournament)), division="")
    return answer_with_file(write(header, load_fee_list(tournament)), content_type, f"{tournament.slug}-fees.{fmt}")


@director_page("GET", "POST")
def edit_terms(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The kinds of fees and their amounts."""
    form = FeesForm(request.POST or None, terms=FeeTerms.of(tournament))
    if form.done(lambda _typed: set_fees(tournament, terms=form.stated, actor=get_actor(request))):
        messages.success(request, _("The fees are saved."))
        return redirect("director:fees", tournament.slug)
    return _render_terms(request, tournament, form)


@director_page("GET", "POST")
def edit_fee(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """One player's kind of fee, what was paid when, and whether the rest is waived."""
    entry, terms = get_entry_or_404(tournament, pk), FeeTerms.of(tournament)
    if not terms.kinds:
        return redirect("director:fees", tournament.slug)
    form = EntryFeeForm(request.POST or None, entry=entry, terms=terms)
    if form.done(lambda _typed: note_fee(entry, fee=form.stated, actor=get_actor(request))):
        messages.success(request, _("The fee of %(name)s is saved.") % {"name": entry.name})
        return redirect("director:fees", tournament.slug)
    context = {"entry": entry, "fee": terms.weigh(entry), "form": form, "currency": terms.currency}
    return render(request, "tournament/fees/fee.html", _build_frame(request, tournament) | context)


@director_page("POST")
def settle_fee(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Note that a player has paid today everything that is due."""
    entry, terms = get_entry_or_404(tournament, pk), FeeTerms.of(tournament)
    mark_fees(tournament, shown=[pk], paid=[pk], actor=get_actor(request))
    kind = terms.find(entry.fee_kind)
    if kind is not None:
        words = {"name": entry.name, "money": format_money(kind.cents, terms.currency)}
        messages.success(request, _("%(name)s has paid %(money)s.") % words)
    back = reverse("director:fees", args=[tournament.slug])
    return redirect(f"{back}?only={ONLY_OPEN}" if request.POST.get("only") == ONLY_OPEN else back)


def _render_terms(request: HttpRequest, tournament: Tournament, form: FeesForm) -> HttpResponse:
    context = {"form": form, "ticked": tournament.entries.filter(fee_paid=True).count()}
    return render(request, "tournament/fees/fee_terms.html", _build_frame(request, tournament) | context)


def _build_frame(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    """The frame of a page about all divisions."""
    division = get_chosen_division(request, tournament)
    return build_director_context(tournament, division, "entries") | {"divisions": ()}


director_urls = [
    path("<slug:slug>/fees/", show_fees, name="fees"),
    path("<slug:slug>/fees/terms/", edit_terms, name="fee_terms"),
    path("<slug:slug>/fees/<int:pk>/", edit_fee, name="fee"),
    path("<slug:slug>/fees/<int:pk>/paid/", settle_fee, name="settle_fee"),
    path("<slug:slug>/fees.<str:fmt>", download_fees, name="fees_file"),
]
