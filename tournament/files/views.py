"""Pages for files: what can be saved of an event, lists of players, and whole tournaments to be read in."""

import io
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import IO

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.access.rules import get_actor, get_chosen_division
from tournament.archive.carrying import import_archive, read_archive_slug, write_archive
from tournament.archive.words import describe_continued_event, describe_earlier_event, describe_left_behind
from tournament.basics.languages import choose_paper_language
from tournament.basics.names import fold_text
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor
from tournament.core.records import list_divisions
from tournament.ending.files import format_final_report
from tournament.entries.operations.entries import enter_players
from tournament.entries.operations.register import update_register
from tournament.events.operations import make_tournament_slug
from tournament.exchange.event_rows import load_event_data, store_event_data
from tournament.exchange.faults import FaultCode, FileFault, FileFaults
from tournament.exchange.players import PlayerList, list_newcomers, preview_player_list
from tournament.exchange.rows import ZIP_TIMESTAMP
from tournament.exchange.tournament_file import format_tournament_file
from tournament.exchange.values import EventData
from tournament.files.forms import (
    MAX_FAULTS_SHOWN,
    PlayerListForm,
    PlayerListPreview,
    RegisterListForm,
    TournamentFilesForm,
)
from tournament.files.website import write_website
from tournament.models import Tournament
from tournament.pages.frames import build_director_context, build_organiser_context, make_division_address
from tournament.pages.kept_input import signed_in_page
from tournament.pages.requests import SingleSubmission, director_page, show_refusals
from tournament.tsh.writing import make_joined_t_file, make_tou_file, make_tsh_files


def _make_tsh_zip(event: EventData) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as parts:
        for name, content in make_tsh_files(event).items():
            parts.writestr(zipfile.ZipInfo(f"{event.slug}/{name}", ZIP_TIMESTAMP), content)
    return out.getvalue()


DOWNLOAD_KINDS: Mapping[str, tuple[str, str, Callable[[EventData], bytes]]] = {
    "tournament": (".json", "application/json", lambda event: format_tournament_file(event).encode("utf-8")),
    "tsh": ("-tsh.zip", "application/zip", _make_tsh_zip),
    "t": (".t", "text/plain", make_joined_t_file),
    "tou": (".tou", "text/plain; charset=us-ascii", make_tou_file),
}
"""What can be saved: how the file's name ends, its type, and who writes it."""


@director_page("GET", "HEAD")
def show_exports(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    division = get_chosen_division(request, tournament)
    return render(request, "tournament/files/export.html", build_director_context(tournament, division, "settings"))


@director_page("GET", "HEAD")
def show_final_text(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The final ranking as plain text to copy, in the language of the event."""
    language = choose_paper_language(tournament.language)
    with translation.override(language):
        text = format_final_report(tournament)
    division = get_chosen_division(request, tournament)
    context = {**build_director_context(tournament, division, "settings"), "text": text, "text_language": language}
    return render(request, "tournament/files/final_text.html", context)


@director_page("GET", "HEAD")
def download_archive(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """The whole event as an archive, to go on with it on another laptop."""
    return _send_zip(request, tournament, write_archive, str(tournament.revision))


@director_page("GET", "HEAD")
def download_website(request: HttpRequest, tournament: Tournament) -> HttpResponseBase:
    """The event's public pages as a website in one zip."""
    return _send_zip(request, tournament, write_website, "website")


def _send_zip(
    request: HttpRequest, tournament: Tournament, write: Callable[[Tournament, IO[bytes]], object], what: str
) -> HttpResponseBase:
    """A zip as it is written, called by the event and by what it is; back to the page where it cannot be written."""
    written = tempfile.TemporaryFile()  # noqa: SIM115  # the response closes it once it is sent
    try:
        write(tournament, written)
    except (Refusal, FileFaults) as refused:
        written.close()
        messages.error(request, str(refused))
        return redirect("director:export", tournament.slug)
    written.seek(0)
    name = f"{tournament.slug}-{what}.zip"
    return FileResponse(written, as_attachment=True, filename=name, content_type="application/zip")


@director_page("GET", "HEAD")
def download_export(request: HttpRequest, tournament: Tournament, kind: str) -> HttpResponse:
    if kind not in DOWNLOAD_KINDS:
        raise Http404(_("There is no export “%(kind)s”.") % {"kind": kind})
    ending, content_type, write = DOWNLOAD_KINDS[kind]
    response = HttpResponse(write(load_event_data(tournament)), content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{tournament.slug}{ending}"'
    return response


MAX_WARNINGS_SHOWN = 20


@director_page("GET", "POST")
def import_entries(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Paste or read a list of players, look at what it would do, and enter them all."""
    division = get_chosen_division(request, tournament)
    divisions = {fold_text(division_row.name): division_row for division_row in list_divisions(tournament)}

    def preview_rows(sheet: PlayerList) -> PlayerListPreview:
        rows = preview_player_list(sheet, tournament.organiser_id, tournament=tournament)
        return PlayerListPreview(sheet, rows, divisions)

    form, preview = _read_player_list(request, preview_rows)
    if preview and "enter" in request.POST and not preview.faults:
        newcomers = list_newcomers(preview.sheet, division, divisions)
        with show_refusals(request):
            entered = enter_players(tournament, newcomers=newcomers, actor=get_actor(request))
            text = ngettext("%(count)s player is entered.", "%(count)s players are entered.", len(entered.new))
            messages.success(request, text % {"count": len(entered.new)})
            if entered.already:
                text = ngettext(
                    "%(count)s was entered already.", "%(count)s were entered already.", len(entered.already)
                )
                messages.info(request, text % {"count": len(entered.already)})
            return redirect(make_division_address("director:entries", division))
    context = {**build_director_context(tournament, division, "entries"), "form": form, "preview": preview}
    return render(request, "tournament/files/import_players.html", context)


@signed_in_page("GET", "POST")
def import_register(request: HttpRequest) -> HttpResponse:
    """Paste or read a list of players into the register; what the list states is written there."""
    around = build_organiser_context(request)
    organiser = around["organiser"]
    form, preview = _read_player_list(
        request,
        lambda sheet: PlayerListPreview(sheet, preview_player_list(sheet, organiser.pk, asks=True)),
        RegisterListForm,
    )
    if preview and "enter" in request.POST and not preview.faults:
        people, decided = preview.choose_people(request.POST.dict())
        with show_refusals(request):
            update = update_register(people=people, decided=decided, actor=get_actor(request, organiser))
            figures = {"added": update.added, "changed": update.changed, "same": update.same}
            messages.success(request, _("Register: %(added)s new, %(changed)s changed, %(same)s unchanged.") % figures)
            return redirect(reverse("director:players") + around["organiser_query"])
    return render(request, "tournament/files/import_players.html", {**around, "form": form, "preview": preview})


def _read_player_list(
    request: HttpRequest,
    preview_rows: Callable[[PlayerList], PlayerListPreview],
    form_class: type[PlayerListForm] = PlayerListForm,
) -> tuple[PlayerListForm, PlayerListPreview | None]:
    """The list that was sent, as a preview and in a form to send it once more; else the form alone."""
    form = form_class(request.POST or None, request.FILES or None)
    if not form.is_valid() or not form.sheet:
        return form, None
    preview = preview_rows(form.sheet.turned() if "turn" in request.POST else form.sheet)
    if "turn" not in request.POST and not form.cleaned_data["file"] and not form.system:
        preview.text = form.cleaned_data["text"]  # as it was typed
    return form_class(initial={**form.cleaned_data, "file": None, "text": preview.text}), preview


@signed_in_page("GET", "POST")
def import_tournament_files(request: HttpRequest) -> HttpResponse:
    """Read a whole tournament from files; with any fault nothing is read in."""
    around = build_organiser_context(request)
    actor = get_actor(request, around["organiser"])
    form, once = TournamentFilesForm(request.POST or None, request.FILES or None), SingleSubmission(request)
    if form.is_valid():
        try:
            address = once.run(
                lambda: (
                    _store_archive(request, form.archive, actor) if form.archive else _store_event(request, form, actor)
                )
            )
            return redirect(address)
        except FileFaults as faults:
            form.refuse(faults.faults)
        except Refusal as refused:
            form.refuse((FileFault(FaultCode.REFUSED, figures={"why": str(refused)}),))
    faults_shown = form.faults[:MAX_FAULTS_SHOWN]
    context = {**around, "form": form, "once": once, "faults": form.faults, "shown": faults_shown}
    return render(request, "tournament/files/import_file.html", context)


def _store_archive(request: HttpRequest, archive: IO[bytes], actor: Actor) -> str:
    """Store the event of an archive, under a free address; return where it is."""
    stated = read_archive_slug(archive)
    slug = _find_free_slug(request, stated) or stated
    carried = import_archive(archive, slug=slug, actor=actor, is_sent=True)
    messages.success(request, describe_continued_event(carried.tournament, carried.entries, carried.files))
    before = Tournament.objects.filter(slug=stated, organiser=carried.tournament.organiser_id)
    for earlier in before.exclude(pk=carried.tournament.pk):
        messages.warning(request, describe_earlier_event(earlier))
    for sentence in describe_left_behind(carried.files_gone, carried.lists_missing):
        messages.warning(request, sentence)
    return reverse("director:console", args=[carried.tournament.slug])


def _find_free_slug(request: HttpRequest, slug: str) -> str:
    """Another address where the file's own is taken, and say so; else the empty text."""
    if not Tournament.objects.filter(slug=slug).exists():
        return ""
    free = make_tournament_slug(slug)
    messages.info(
        request, _("The address in the file was taken; this tournament has the address %(slug)s.") % {"slug": free}
    )
    return free


def _store_event(request: HttpRequest, form: TournamentFilesForm, actor: Actor) -> str:
    """Store the event that was read, under a free address; return where it is."""
    assert form.found is not None
    event, warnings = form.found.event, form.found.warnings
    if free := _find_free_slug(request, event.slug):
        event = replace(event, slug=free)
    tournament = store_event_data(event, actor=actor)
    messages.success(request, _("“%(name)s” has been imported.") % {"name": tournament.name})
    for warning in warnings[:MAX_WARNINGS_SHOWN]:
        messages.warning(request, str(warning))
    more = len(warnings) - MAX_WARNINGS_SHOWN
    if more > 0:
        text = ngettext("There is %(count)s more remark.", "There are %(count)s more remarks.", more)
        messages.warning(request, text % {"count": more})
    return reverse("director:console", args=[tournament.slug])
