"""The treasurer's pages: who owes what, what an event takes, and one player's fee. For directors alone."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from tournament.access.rules import get_actor, get_chosen_division
from tournament.core.fees import FeeTerms
from tournament.core.words.figures import format_money
from tournament.entries.operations.attendance import mark_fees
from tournament.entries.views import get_entry_or_404
from tournament.fees.files import build_fees_csv
from tournament.fees.forms import EntryFeeForm, FeesForm
from tournament.fees.operations import note_fee, set_fees
from tournament.fees.paper import draw_fees
from tournament.fees.queries import FeeList, load_fee_list
from tournament.fees.words import describe_early_payers, describe_line
from tournament.models import Tournament
from tournament.pages.frames import build_director_context
from tournament.pages.requests import director_page
from tournament.paper.documents import make_header
from tournament.paper.sheet import PaperHeader

ONLY_OPEN = "open"

FORMATS: Mapping[str, tuple[str, Callable[[PaperHeader, FeeList], bytes]]] = {
    "pdf": ("application/pdf", draw_fees),
    "csv": ("text/csv; charset=utf-8", lambda _header, found: build_fees_csv(found)),
}
"""The content type of each kind of file, and how it is made."""


@director_page("GET")
def show_fees(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Who owes what and has paid, with the sums; `?only=open`: who still has to pay."""
    found = load_fee_list(tournament)
    if not found.terms.kinds:
        return _render_terms(request, tournament, FeesForm(terms=found.terms))
    only_open = request.GET.get("only") == ONLY_OPEN
    lines = found.open_lines if only_open else found.lines
    context = {
        "found": found,
        "lines": [(line, describe_line(line, found.terms.currency)) for line in lines],
        "lines_of_registrations": [(line, describe_line(line, found.terms.currency)) for line in found.early],
        "only_open": only_open,
        "early": describe_early_payers(found),
        "files": [(fmt.upper(), reverse("director:fees_file", args=[tournament.slug, fmt])) for fmt in FORMATS],
    }
    return render(request, "tournament/fees/fees.html", _build_frame(request, tournament) | context)


@director_page("GET")
def download_fees(request: HttpRequest, tournament: Tournament, fmt: str) -> HttpResponse:
    """The list as a file; 404 for a kind that is not in `FORMATS`."""
    if fmt not in FORMATS:
        raise Http404(_("There is no list of fees as “%(format)s”.") % {"format": fmt})
    content_type, write = FORMATS[fmt]
    header = replace(make_header(get_chosen_division(request, tournament)), division="")
    name = f"{tournament.slug}-fees.{fmt}"
    headers = {"Content-Type": content_type, "Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(write(header, load_fee_list(tournament)), headers=headers)


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
    found, terms = get_entry_or_404(tournament, pk), FeeTerms.of(tournament)
    if not terms.kinds:
        return redirect("director:fees", tournament.slug)
    form = EntryFeeForm(request.POST or None, entry=found, terms=terms)
    if form.done(lambda _typed: note_fee(found, fee=form.stated, actor=get_actor(request))):
        messages.success(request, _("The fee of %(name)s is saved.") % {"name": found.name})
        return redirect("director:fees", tournament.slug)
    context = {"entry": found, "fee": terms.weigh(found), "form": form, "currency": terms.currency}
    return render(request, "tournament/fees/fee.html", _build_frame(request, tournament) | context)


@director_page("POST")
def settle_fee(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Note that a player has paid today whatever is due."""
    found, terms = get_entry_or_404(tournament, pk), FeeTerms.of(tournament)
    mark_fees(tournament, shown=[pk], paid=[pk], actor=get_actor(request))
    kind = terms.find(found.fee_kind)
    if kind is not None:
        words = {"name": found.name, "money": format_money(kind.cents, terms.currency)}
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
