"""The journal's pages: what was done, by whom, and how to undo it."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_safe

from tournament.access.rules import get_actor, get_directed_tournament
from tournament.core.words.journal import QUIET_VERBS, JournalLine, describe_entry, describe_undone, fold_entries
from tournament.core.words.rounds import format_round_phrase
from tournament.journal.consequences import find_undo_effects
from tournament.journal.files import build_journal_csv
from tournament.journal.undoing import find_undone_entries, undo_journal_entry
from tournament.journal.words import describe_rounds_since
from tournament.models import JournalEntry
from tournament.pages.kept_input import login_required
from tournament.pages.requests import paginate_rows, show_refusals
from tournament.pages.views import answer_with_file

JOURNAL_LINES_PER_PAGE = 100

ROWS_WITH_PAGES = frozenset({"round", "entry", "screen"})
"""Tables whose rows have pages of their own, which are gone once the entry that made them is taken back."""


@login_required
@require_GET
def show_journal(request: HttpRequest, slug: str) -> HttpResponse:
    """The tournament's journal, newest first."""
    tournament = get_directed_tournament(request, slug)
    # Without the rows, which are nearly all of a journal: a single import can have megabytes of them.
    entries = JournalEntry.objects.filter(tournament=tournament).defer("rows").order_by("-number")
    everything = "all" in request.GET
    quiet = 0 if everything else entries.filter(verb__in=QUIET_VERBS).count()
    if not everything:
        entries = entries.exclude(verb__in=QUIET_VERBS)
    page = paginate_rows(request, entries, JOURNAL_LINES_PER_PAGE)
    context = {
        "tournament": tournament,
        "area": "journal",
        "page": page,
        "quiet": quiet,
        "lines": fold_entries(page, find_undone_entries(tournament)),
    }
    return render(request, "tournament/journal/journal.html", context)


@login_required
@require_safe
def download_journal(request: HttpRequest, slug: str) -> HttpResponse:
    """The whole journal for a spreadsheet program."""
    tournament = get_directed_tournament(request, slug)
    return answer_with_file(build_journal_csv(tournament), "text/csv; charset=utf-8", f"{tournament.slug}-journal.csv")


@login_required
@require_http_methods(["GET", "POST"])
def show_undo(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show what taking an entry back would change; a post of that page does it, and returns to the page that asked."""
    tournament = get_directed_tournament(request, slug)
    entry = get_object_or_404(JournalEntry, tournament=tournament, number=number)
    asked_from = request.GET.get("from") or request.POST.get("from", "")
    # It comes from the address: a link from elsewhere could lead whoever presses the button on to another website.
    is_ours = url_has_allowed_host_and_scheme(asked_from, allowed_hosts=None)
    back = asked_from if is_ours else reverse("director:journal", args=[slug])
    effects = find_undo_effects(entry, tournament, actor=get_actor(request))
    # Done only if it would still change what the page has shown: where somebody has typed a result meanwhile, the new
    # effects are shown and asked about first.
    if request.method == "POST" and request.POST.get("seen") == effects.seen:
        with show_refusals(request):
            undo_journal_entry(entry, actor=get_actor(request))
            message = _("Restored: %(what)s") if entry.verb == "undo" else _("Taken back: %(what)s")
            what = describe_undone(entry) if entry.details.get("undone") else describe_entry(entry)
            messages.success(request, message % {"what": what})
            tables_made = {table for table, _pk, before, _after in entry.rows if before is None}
            return redirect(reverse("director:console", args=[slug]) if tables_made & ROWS_WITH_PAGES else back)
    elif request.method == "POST":
        messages.warning(request, _("Something has changed since you looked. It would now change this."))
    context = {
        "tournament": tournament,
        "area": "journal",
        "line": JournalLine(entry),
        "restores": entry.verb == "undo",
        "effects": effects,
        "since": describe_rounds_since([format_round_phrase(round_key) for round_key in effects.since])
        if effects.since
        else "",
        "asked_from": asked_from,
        "back": back,
    }
    return render(request, "tournament/journal/undo.html", context)
