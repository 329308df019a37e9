"""The journal's page: what was done, by whom, and how to undo it."""

from collections.abc import Iterable, Mapping

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_safe

from tournament import access
from tournament.exchange import journal_file
from tournament.models import JournalEntry
from tournament.operations import undo as undoing
from tournament.views import query_string
from tournament.views.director import button_refusals
from tournament.views.director.kept_input import login_required
from tournament.whatif import undoing as whatif
from tournament.words import journal, round_names
from tournament.words import undoing as words

PER_PAGE = 100


class JournalLine:
    """A journal entry with its sentence for the page, and the entries about the same sheet that follow directly."""

    def __init__(self, entry: JournalEntry, taken_back: Mapping[int, int] | None = None) -> None:
        self.entry = entry
        self.sentence = journal.sentence(entry)
        self.taken_back_by = (taken_back or {}).get(entry.number)
        self.undoable = entry.verb in undoing.UNDOABLE and self.taken_back_by is None
        self.restores = entry.verb == "undo"
        self.folded: list[JournalLine] = []


def folded(entries: Iterable[JournalEntry], taken_back: Mapping[int, int]) -> list[JournalLine]:
    """The entries as lines; consecutive ones by one person on one score sheet are folded under the first."""
    lines: list[JournalLine] = []
    for entry in entries:
        first = lines[-1].entry if lines else None
        sheet = entry.details.get("sheet")
        if first and sheet and (sheet, entry.by_name) == (first.details.get("sheet"), first.by_name):
            lines[-1].folded.append(JournalLine(entry, taken_back))
        else:
            lines.append(JournalLine(entry, taken_back))
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
    shown = query_string.page(request, entries, PER_PAGE)
    context = {
        "tournament": tournament,
        "area": "journal",
        "page": shown,
        "quiet": quiet,
        "lines": folded(shown, undoing.taken_back(tournament)),
    }
    return render(request, "director/journal.html", context)


@login_required
@require_safe
def file(request: HttpRequest, slug: str) -> HttpResponse:
    """The whole journal for a spreadsheet program."""
    tournament = access.directed_tournament(request, slug)
    response = HttpResponse(journal_file.as_csv(tournament), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{tournament.slug}-journal.csv"'
    return response


@login_required
@require_http_methods(["GET", "POST"])
def undo(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show what taking an entry back would change; a post of that page does it, and returns to the page that asked."""
    tournament = access.directed_tournament(request, slug)
    entry = get_object_or_404(JournalEntry, tournament=tournament, number=number)
    effects = whatif.of(entry, tournament, actor=access.actor(request))
    if request.method == "POST" and request.POST.get("seen") == effects.seen:
        with button_refusals.refusals(request):
            undoing.undo(entry, actor=access.actor(request))
            messages.success(request, _done(entry))
            return redirect(_way_back(request), slug)
    elif request.method == "POST":
        messages.warning(request, _("Something has changed since you looked. This is what it would change now."))
    context = {
        "tournament": tournament,
        "area": "journal",
        "line": JournalLine(entry),
        "restores": entry.verb == "undo",
        "effects": effects,
        "since": words.since([round_names.round_phrase(each) for each in effects.since]) if effects.since else "",
        "asked_from": _asked_from(request),
        "back": reverse(_way_back(request), args=[slug]),
    }
    return render(request, "director/undo.html", context)


def _done(entry: JournalEntry) -> str:
    """What was done, in one sentence."""
    text = _("Restored: %(what)s") if entry.verb == "undo" else _("Taken back: %(what)s")
    return text % {"what": journal.sentence(entry)}


def _asked_from(request: HttpRequest) -> str:
    """The page that asked, by the word for it that is sent along."""
    return request.GET.get("from") or request.POST.get("from", "")


def _way_back(request: HttpRequest) -> str:
    """The name of the address to return to."""
    return "director:console" if _asked_from(request) == "console" else "director:journal"
