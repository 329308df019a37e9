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
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.access.rules import get_actor, get_chosen_division, get_visible_round
from tournament.accounts.views.way_in import find_ways_in
from tournament.archive.carrying import OpenArchive, import_archive, write_archive
from tournament.archive.words import describe_continued_event, describe_earlier_event, describe_left_behind
from tournament.basics.languages import choose_paper_language, get_active_language
from tournament.basics.names import fold_text
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor
from tournament.core.records import list_divisions
from tournament.ending.files import format_final_report
from tournament.entries.operations.entries import enter_players
from tournament.entries.operations.register import update_register
from tournament.entries.paper import render_player_card
from tournament.events.operations import make_tournament_slug
from tournament.exchange.columns import find_remembered_layout, remember_layout
from tournament.exchange.event_rows import load_event_data, store_event_data
from tournament.exchange.faults import FaultCode, FileFault, FileFaults
from tournament.exchange.players import PlayerList, RowFate, list_newcomers, preview_player_list
from tournament.exchange.rows import ZIP_TIMESTAMP
from tournament.exchange.team_rows import find_teams_of_list
from tournament.exchange.tournament_file import format_tournament_file
from tournament.exchange.values import EventData
from tournament.files.forms import (
    MAX_FAULTS_SHOWN,
    ColumnQuestions,
    PlayerListForm,
    PlayerListPreview,
    RegisterListForm,
    TeamListForm,
    TournamentFilesForm,
)
from tournament.files.papers import (
    add_what_is_known,
    list_event_papers,
    list_papers_of_all,
    list_round_papers,
    list_whole_round,
    note_opened,
)
from tournament.files.print_room import DOCUMENTS, PaperSize, render_document
from tournament.files.website import write_website
from tournament.models import Division, Organiser, Round, Tournament
from tournament.pages.frames import (
    build_director_context,
    build_organiser_context,
    make_division_address,
    make_division_query,
)
from tournament.pages.kept_input import signed_in_page
from tournament.pages.requests import SingleSubmission, director_page, read_query_number, show_refusals
from tournament.pages.views import answer_with_file, answer_with_pdf
from tournament.paper.documents import join_documents
from tournament.paper.lettering import has_unknown_letter
from tournament.people.alike import describe_pair, list_pairs_of_event
from tournament.results.league_games import list_division_entries
from tournament.table.league import find_round_of_day, have_teams, list_knockout_rounds, list_league_rounds
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
    # Into a file and not into memory: an archive is as large as all photos of its event. And whole before the first
    # byte is sent: a refusal in the middle of an answer would be a zip that is cut off.
    out = tempfile.TemporaryFile()  # noqa: SIM115  # the response closes it once it is sent
    try:
        write(tournament, out)
    except (Refusal, FileFaults) as refused:
        out.close()
        messages.error(request, str(refused))
        return redirect("director:export", tournament.slug)
    out.seek(0)
    name = f"{tournament.slug}-{what}.zip"
    return FileResponse(out, as_attachment=True, filename=name, content_type="application/zip")


@director_page("GET", "HEAD")
def download_export(request: HttpRequest, tournament: Tournament, kind: str) -> HttpResponse:
    if kind not in DOWNLOAD_KINDS:
        raise Http404(_("There is no export “%(kind)s”.") % {"kind": kind})
    ending, content_type, write = DOWNLOAD_KINDS[kind]
    return answer_with_file(write(load_event_data(tournament)), content_type, f"{tournament.slug}{ending}")


MAX_WARNINGS_SHOWN = 20


@director_page("GET", "POST")
def import_entries(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Paste or read a list of players, look at what it would do, and enter them all."""
    division = get_chosen_division(request, tournament)
    divisions = {fold_text(division_row.name): division_row for division_row in list_divisions(tournament)}

    form_class = TeamListForm if have_teams(divisions.values()) else PlayerListForm

    def preview_rows(sheet: PlayerList) -> PlayerListPreview:
        rows, teams = preview_player_list(sheet, tournament.organiser_id, tournament=tournament), None
        if form_class.has_teams:
            teams = find_teams_of_list(rows, division, divisions, request.POST.dict())
        return PlayerListPreview(sheet, rows, divisions, teams)

    actor = get_actor(request)
    form, preview, questions = _read_player_list(request, preview_rows, tournament.organiser, actor, form_class)
    asks_for_teams = bool(preview and preview.teams and preview.teams.open_questions)
    if asks_for_teams and "enter" in request.POST:
        messages.error(request, _("Nobody has been entered: say below which team is meant."))
    elif preview and "enter" in request.POST and not preview.faults:
        # Also those who are entered already: the operation passes them over, and the page says how many they were.
        rows, decided = preview.choose_rows(request.POST.dict(), fates={RowFate.NEW, RowFate.KNOWN, RowFate.ENTERED})
        newcomers = list_newcomers(rows, division, divisions)
        with show_refusals(request):
            entered, entered_before = enter_players(tournament, newcomers=newcomers, decided=decided, actor=actor)
            text = ngettext("%(count)s player is entered.", "%(count)s players are entered.", len(entered))
            messages.success(request, text % {"count": len(entered)})
            _tell_left_out(request, preview, decided)
            if entered_before:
                text = ngettext(
                    "%(count)s was entered already.", "%(count)s were entered already.", len(entered_before)
                )
                messages.info(request, text % {"count": len(entered_before)})
            return redirect(make_division_address("director:entries", division))
    context = {**build_director_context(tournament, division, "entries"), "form": form, "preview": preview}
    return render(request, "tournament/files/import_players.html", {**context, "questions": questions})


@signed_in_page("GET", "POST")
def import_register(request: HttpRequest) -> HttpResponse:
    """Paste or read a list of players into the register; what the list states is written there."""
    around = build_organiser_context(request)
    organiser = around["organiser"]
    actor = get_actor(request, organiser)
    form, preview, questions = _read_player_list(
        request,
        lambda sheet: PlayerListPreview(sheet, preview_player_list(sheet, organiser.pk, asks=True)),
        organiser,
        actor,
        RegisterListForm,
    )
    if preview and "enter" in request.POST and not preview.faults:
        fates = {RowFate.KNOWN} if "known_only" in request.POST else {RowFate.KNOWN, RowFate.NEW}
        rows, decided = preview.choose_rows(request.POST.dict(), fates=fates)
        people = [row.person for row in rows]
        with show_refusals(request):
            added, changed, same = update_register(people=people, decided=decided, actor=actor)
            figures = {"added": added, "changed": changed, "same": same}
            messages.success(request, _("Register: %(added)s new, %(changed)s changed, %(same)s unchanged.") % figures)
            _tell_left_out(request, preview, decided)
            return redirect(reverse("director:players") + around["organiser_query"])
    context = {**around, "form": form, "preview": preview, "questions": questions}
    return render(request, "tournament/files/import_players.html", context)


def _tell_left_out(request: HttpRequest, preview: PlayerListPreview, decided: Mapping[int, object]) -> None:
    """Say how many rows are left out because nobody has said who is meant."""
    if count := preview.asked - len(decided):
        text = ngettext(
            "%(count)s row was left out, because it is open who is meant.",
            "%(count)s rows were left out, because it is open who is meant.",
            count,
        )
        messages.warning(request, text % {"count": count})


def _read_player_list(
    request: HttpRequest,
    preview_rows: Callable[[PlayerList], PlayerListPreview],
    organiser: Organiser,
    actor: Actor,
    form_class: type[PlayerListForm] = PlayerListForm,
) -> tuple[PlayerListForm, PlayerListPreview | None, ColumnQuestions | None]:
    """The list that was sent, in a form to send it once more, with the question which column is what, and as a preview
    where that is certain; else the form alone. An answer to the question is remembered."""
    form = form_class(request.POST or None, request.FILES or None)
    if not form.is_valid() or not form.sheet:
        return form, None, None
    sheet, is_said = form.sheet, "column" in request.POST and not form.cleaned_data["file"]
    teams = {"has_teams": form.has_teams}
    if is_said and "arrange" in request.POST:
        remember_layout(organiser, sheet.lines, sheet.layout, actor=actor, **teams)
    elif not is_said and (layout := find_remembered_layout(organiser, sheet.lines, **teams)):
        sheet = sheet.arrange(layout)
    questions = ColumnQuestions(sheet, **teams)
    if not sheet.layout.is_certain:
        return form_class(initial={**form.cleaned_data, "file": None}), None, questions
    preview = preview_rows(sheet.turned() if "turn" in request.POST else sheet)
    is_typed = not (is_said or "turn" in request.POST or form.cleaned_data["file"] or form.system)
    # What somebody has typed stays as they typed it; only lists of files, and those that were arranged, are sent back
    # under our own headings.
    if is_typed and sheet.layout == form.sheet.layout:
        preview.text, preview.columns = form.cleaned_data["text"], ()
    return form_class(initial={**form.cleaned_data, "file": None, "text": preview.text}), preview, questions


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
    # Opened here for its address alone: whether another event has that is asked again, behind the lock, by the import.
    stated = OpenArchive(archive).manifest.slug
    slug = _find_free_slug(request, stated) or stated
    carried = import_archive(archive, slug=slug, actor=actor, is_sent=True)
    messages.success(request, describe_continued_event(carried.tournament, carried.entries, carried.files))
    # Only the organiser's own: of another club's event at that address nobody is told.
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
    assert form.imported is not None
    event, warnings = form.imported.event, form.imported.warnings
    if free := _find_free_slug(request, event.slug):
        event = replace(event, slug=free)
    tournament = store_event_data(event, actor=actor)
    messages.success(request, _("“%(name)s” has been imported.") % {"name": tournament.name})
    remarks = [*map(str, warnings), *(describe_pair(*pair) for pair in list_pairs_of_event(tournament))]
    for remark in remarks[:MAX_WARNINGS_SHOWN]:
        messages.warning(request, remark)
    more = len(remarks) - MAX_WARNINGS_SHOWN
    if more > 0:
        text = ngettext("There is %(count)s more remark.", "There are %(count)s more remarks.", more)
        messages.warning(request, text % {"count": more})
    return reverse("director:console", args=[tournament.slug])


# What can be printed.


@director_page("GET")
def show_print_room(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What can be printed, and the round to print it for (`?round=`, by default the draft, or what is played now)."""
    division = get_chosen_division(request, tournament)
    rounds = [*list_league_rounds(division, drafts=True), *list_knockout_rounds(division)]
    newest = rounds[-1] if rounds else None
    if newest is not None and not newest.round.is_draft and not newest.round.is_knockout:
        # In a league all rounds are published at once: the last one is played in spring, and not what somebody wants to
        # print tonight.
        newest = find_round_of_day(rounds, timezone.localdate())
    number = _read_round_number(request, newest.round.number if newest else 0)
    chosen = next((item for item in rounds if item.round.number == number), None)
    if chosen is None and number:
        raise Http404(_("There is no round %(number)s.") % {"number": number})
    entries = list_division_entries(division)
    moments = list_event_papers(division, entries)
    if chosen:
        moments = [list_whole_round(chosen), list_round_papers(chosen, tournament.rules), *moments]
    around = build_director_context(tournament, division, "prints")
    query, is_for_all = make_division_query(division), "all" in request.GET and bool(around["division_query"])
    if is_for_all:
        moments, query = list_papers_of_all(moments), f"{query}&all=1"
    else:
        moments = add_what_is_known(division, moments)
    is_same_language = choose_paper_language(tournament.language) == get_active_language()
    context = {
        **around,
        "query": query,
        "is_for_all": is_for_all,
        "rounds": rounds,
        "chosen": chosen,
        "whole": moments.pop(0).papers[0] if chosen else None,
        "moments": moments,
        "unprintable": [entry.name for entry in entries if has_unknown_letter(entry.name)],
        "other_language": "" if is_same_language else tournament.get_language_display(),
    }
    return render(request, "tournament/files/print_room.html", context)


@director_page("GET")
def show_document(request: HttpRequest, tournament: Tournament, name: str) -> HttpResponse:
    """One document as PDF, shown in the browser, on A3 with `?size=a3`, with `?all=1` of all divisions; 404
    for a name, a size or a round that does not exist."""
    division = get_chosen_division(request, tournament)
    number = _read_round_number(request, 0)
    if name not in DOCUMENTS:
        raise Http404(_("There is no document “%(name)s”.") % {"name": name})
    size = request.GET.get("size", PaperSize.A4)
    if size not in PaperSize:
        raise Http404(_("“%(asked)s” is no size of paper. Allowed are: a4, a3.") % {"asked": size})
    # A draft as well: pairings are printed before they are published, so that the sheets hang when the phones tell.
    round = get_visible_round(division, number, drafts=True, knockout=True) if number else None
    address, sheets = find_ways_in(request).printed, [(division, round)]
    if "all" in request.GET:
        sheets = list_sheets_of_all(tournament, number)
    with translation.override(choose_paper_language(tournament.language)):
        documents = [render_document(name, *sheet, address=address, size=PaperSize(size)) for sheet in sheets]
        content = documents[0] if len(documents) == 1 else join_documents(documents, str(DOCUMENTS[name].title))
    if len(documents) == 1:
        # Of one division alone: what is printed of all together is no sheet of one of them.
        note_opened(*sheets[0][:1], name, number, content)
    return answer_with_pdf(content, f"{tournament.slug}-{name}{f'-{number}' if number else ''}.pdf")


def list_sheets_of_all(tournament: Tournament, number: int) -> list[tuple[Division, Round | None]]:
    """What is printed of all divisions: each with its round of that number, without those that have none; 0: of the
    division itself."""
    divisions = list_divisions(tournament)
    for division in divisions:
        division.tournament = tournament
    if not number:
        return [(division, None) for division in divisions]
    rounds = Round.objects.filter(division__tournament=tournament, number=number)
    by_division = {round.division_id: round for round in rounds}
    sheets: list[tuple[Division, Round | None]] = []
    for division in divisions:
        if (round := by_division.get(division.pk)) is not None:
            round.division = division
            sheets.append((division, round))
    return sheets


@director_page("GET")
def show_player_card(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    entry = get_object_or_404(tournament.entries.with_names().select_related("division__knockout"), pk=pk)
    entry.division.tournament = tournament
    with translation.override(choose_paper_language(tournament.language)):
        content = render_player_card(entry, find_ways_in(request).printed)
    return answer_with_pdf(content, f"{tournament.slug}-player-card-{entry.key}.pdf")


def _read_round_number(request: HttpRequest, default: int) -> int:
    """The round that `?round=` asks for; 404 for something that is not a number."""
    number = read_query_number(request, "round", default)
    if number is None:
        raise Http404(_("“%(asked)s” is not the number of a round.") % {"asked": request.GET["round"]})
    return number
