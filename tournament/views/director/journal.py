"""The journal's page: what was done, by whom, and how to undo it."""

from collections.abc import Iterable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from tournament import access
from tournament.models import JournalEntry
from tournament.operations import undo as undoing
from tournament.views.director import told
from tournament.words import journal

PER_PAGE = 100


class JournalLine:
    """A journal entry with its sentence for the page, and the entries about the same sheet that follow directly."""

    def __init__(self, entry: JournalEntry) -> None:
        self.entry = entry
        self.sentence = journal.sentence(entry)
        self.undoable = entry.verb in undoing.UNDOABLE
        self.folded: list[JournalLine] = []


def folded(entries: Iterable[JournalEntry]) -> list[JournalLine]:
    """The entries as lines; consecutive ones by one person on one score sheet are folded under the first."""
    lines: list[JournalLine] = []
    for entry in entries:
        first = lines[-1].entry if lines else None
        sheet = entry.details.get("sheet")
        if first and sheet and (sheet, entry.by_name) == (first.details.get("sheet"), first.by_name):
            lines[-1].folded.append(JournalLine(entry))
        else:
            lines.append(JournalLine(entry))
    return lines


@login_required
@require_GET
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """The tournament's journal, newest first."""
    tournament = access.directed_tournament(request, slug)
    entries = JournalEntry.objects.filter(tournament=tournament).defer("rows").order_by("-number")
    everything = "all" in request.GET
    quiet = 0 if everything else entries.filter(verb__in=journal.QUIET).count()
    if not everything:
        entries = entries.exclude(verb__in=journal.QUIET)
    shown = Paginator(entries, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "tournament": tournament,
        "area": "journal",
        "page": shown,
        "quiet": quiet,
        "lines": folded(shown),
    }
    return render(request, "director/journal.html", context)


@login_required
@require_POST
def undo(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Undo one entry, and return to the page that asked."""
    tournament = access.directed_tournament(request, slug)
    entry = get_object_or_404(JournalEntry, tournament=tournament, number=number)
    with told.refusals(request):
        undoing.undo(entry, actor=access.actor(request))
        messages.success(request, _("Taken back: %(what)s") % {"what": journal.sentence(entry)})
    return redirect("director:console" if request.POST.get("from") == "console" else "director:journal", slug)
