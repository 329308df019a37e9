"""Pages of a session for several clubs, and its paper: prepare it, seal it, join what the clubs send back."""

from dataclasses import asdict, replace
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.duplicate.forms import PrepareSessionForm
from games.duplicate.paper import draw_totals
from games.duplicate.views import build_session_context, get_session_url, get_usual_plan
from games.models import JoinedClub, PreparedSession
from games.sealed.club_files import read_club_file
from games.sealed.operations import (
    SealedPlan,
    SessionNotSealed,
    fill_in_turns,
    get_sealed_plan,
    join_club,
    remove_club,
    rule_on_word,
    save_prepared_session,
    seal_session,
)
from games.sealed.tables import JoinedResults, format_joined_csv, load_joined_results
from games.sessions.session_state import deserialize_envelope
from games.sessions.words import describe_missing_list
from scoring import sealed
from tournament.access.rules import get_actor, get_chosen_division, get_directed_tournament, get_latest_actor
from tournament.basics import limits
from tournament.basics.languages import choose_paper_language
from tournament.basics.one_at_a_time import wait_for_turn
from tournament.basics.refusals import Refusal, Refusals
from tournament.exchange.faults import FileFaults
from tournament.exchange.json_text import make_size_fault
from tournament.exchange.tournament_file import format_sealed_file
from tournament.models import Division
from tournament.pages.forms import FigureField, FilesField, FilesInput, OperationForm, TextField
from tournament.pages.kept_input import login_required
from tournament.pages.requests import show_refusals
from tournament.pages.views import answer_with_file, answer_with_pdf
from tournament.paper.boxes import Box
from tournament.paper.documents import make_header, render_notice
from tournament.paper.grid import PrintedColumn, PrintedTable
from tournament.paper.sheet import MM, Align, Paper, PaperHeader

MAX_TURNS_TEXT = 4000  # characters of 22 lines, with room for blanks


class PrepareSealedSessionForm(PrepareSessionForm):
    """A session for several clubs: as any session, and its turns, line by line."""

    name = TextField(limits.SEALED_NAME, label=gettext_lazy("Name of the session"))
    masters = forms.BooleanField(
        label=gettext_lazy("Master words are fixed, too"),
        required=False,
        help_text=gettext_lazy(
            "Then every club has the same board in every turn. If you leave them out, each club lays the best word of "
            "its own players, and boards may differ."
        ),
    )
    turns = forms.CharField(
        label=gettext_lazy("Turns"),
        required=False,
        max_length=MAX_TURNS_TEXT,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false", "autocomplete": "off", "class": "gcg-text"}),
        help_text=gettext_lazy(
            "One turn a line: seven letters, ? for a blank, then the master word with its position: AEENTZS 8H ZEST"
        ),
    )

    field_order = ("name", "letters", "words", "max_turns", "seconds", "seed", "masters", "turns")

    def clean_turns(self) -> str:
        return "\n".join(self.cleaned_data["turns"].splitlines())


class ClubFilesForm(OperationForm):
    """The tournament files of clubs."""

    sent = FilesField(
        label=gettext_lazy("Files of the clubs"),
        help_text=gettext_lazy("Each club’s tournament file (.json), saved after its session; several at once"),
        error_messages={"required": gettext_lazy("Choose one file or several.")},
        widget=FilesInput(attrs={"accept": ".json,application/json"}),
    )


class RulingForm(OperationForm):
    """What a word scores in every club, and why."""

    points = FigureField(limits.SLIP_POINTS, label=gettext_lazy("Points everywhere"), required=True)
    why = TextField(limits.WHY, label=gettext_lazy("Reason"))
    word = forms.CharField(widget=forms.HiddenInput)


SEALED_PAGE = "games:duplicate_sealed"


@login_required
@require_http_methods(["GET", "POST"])
def show_prepared_session(request: HttpRequest, slug: str) -> HttpResponse:
    """A session as it is prepared so far; once it is sealed, what clubs are sent and what they send back."""
    division = get_chosen_division(request, get_directed_tournament(request, slug))
    row = _find_prepared_session(division)
    if row is not None and row.envelope:
        return _render_sealed_page(request, division, row)
    initial = PrepareSealedSessionForm.initial_of(row, SealedPlan(**asdict(get_usual_plan(division))))
    form = PrepareSealedSessionForm(request.POST or None, organiser=division.tournament.organiser, initial=initial)

    def act(_data: dict[str, Any]) -> None:
        plan = form.make_plan(SealedPlan)
        if "fill" in request.POST:
            plan = replace(plan, turns=fill_in_turns(plan, division))
        save_prepared_session(division, plan=plan, actor=get_actor(request))

    if form.done(act):
        messages.success(request, _("The session is saved."))
        return redirect(get_session_url(division, SEALED_PAGE))
    turns = len(get_sealed_plan(row).lines) if row else 0
    return render(request, "games/sealed/prepare.html", build_session_context(division, form=form, turns=turns))


def _find_prepared_session(division: Division) -> PreparedSession | None:
    row = PreparedSession.objects.filter(division=division).first()
    if row is not None:
        row.division = division
    return row


def get_prepared_session_or_404(request: HttpRequest, slug: str) -> tuple[Division, PreparedSession]:
    """The division and the session that is prepared in it; 404 if there is none."""
    division = get_chosen_division(request, get_directed_tournament(request, slug))
    row = _find_prepared_session(division)
    if row is None:
        raise Http404(_("Division %(division)s has no session prepared for clubs.") % {"division": division.name})
    return division, row


def _render_sealed_page(
    request: HttpRequest, division: Division, row: PreparedSession, **forms: object
) -> HttpResponse:
    """The page of a sealed session with the forms that were refused, or fresh ones."""
    results = load_joined_results(row)
    assert results is not None
    context = {
        **build_session_context(division, row=row, found=results),
        "rows": results.rows if results.clubs else [],
        "differences": results.differences,
        "missing_list": describe_missing_list(row.words) if results.is_list_missing else "",
        "files_form": ClubFilesForm(),
        "ruling_form": RulingForm(),
        **forms,
    }
    return render(request, "games/sealed/sealed.html", context)


@login_required
@require_POST
def submit_seal(request: HttpRequest, slug: str) -> HttpResponse:
    """Seal the session: from now on it is as it is."""
    division, row = get_prepared_session_or_404(request, slug)
    with show_refusals(request):
        seal_session(row, actor=get_actor(request))
        messages.success(request, _("The session is sealed. Save its file for the clubs, and keep the codes separate."))
    return redirect(get_session_url(division, SEALED_PAGE))


@login_required
@require_safe
def download_sealed_file(request: HttpRequest, slug: str) -> HttpResponse:
    """The sealed session as the file that clubs are sent."""
    _division, row = get_prepared_session_or_404(request, slug)
    envelope = deserialize_envelope(row.envelope)
    if envelope is None:
        raise Http404(_("“%(name)s” is not sealed yet.") % {"name": row.name})
    # By the mark, which follows from what was sealed: sealed anew after an undo, the session is another file.
    return answer_with_file(format_sealed_file(envelope), "application/json", f"{slug}-{envelope.mark}.sealed.json")


@login_required
@require_POST
def submit_club_files(request: HttpRequest, slug: str) -> HttpResponse:
    """Join what clubs have sent back; of several files those without a fault are taken."""
    division, row = get_prepared_session_or_404(request, slug)
    form = ClubFilesForm(request.POST, request.FILES)
    if form.is_valid():
        for upload in form.cleaned_data["sent"]:
            _join_club_file(request, row, form, upload)
    if form.errors and row.envelope:
        return _render_sealed_page(request, division, row, files_form=form)
    return redirect(get_session_url(division, SEALED_PAGE))


def _join_club_file(request: HttpRequest, row: PreparedSession, form: ClubFilesForm, sent: Any) -> None:
    """Join one file, or say beside the field what is wrong with it."""
    # The name is the sender's, and sentences quote it: it is cut.
    name, envelope = str(sent.name)[: limits.QUOTED_TEXT * 2], deserialize_envelope(row.envelope)
    try:
        if envelope is None:
            raise SessionNotSealed(name=row.name)
        # By its size, before anything is read and before it waits for its turn.
        if sent.size > limits.FILE_BYTES:
            raise make_size_fault(sent.size, limits.FILE_BYTES)
        # One file at a time in the whole process: reading one of some megabytes takes much of its memory.
        with wait_for_turn():
            club_file = read_club_file(sent.read(), file=name, envelope=envelope)
        # By the latest revision: each file that is joined raises it, and the second of several would be refused because
        # of the first.
        club = join_club(row, file=club_file, actor=get_latest_actor(request))
        messages.success(request, _("%(club)s is joined.") % {"club": club.name})
    except FileFaults as found_faults:
        form.add_error("sent", [f"{name}: {fault}" for fault in found_faults.faults])
    except Refusals as refused:
        form.refuse(*refused.refusals)
    except Refusal as refused_one:
        form.refuse(refused_one)


@login_required
@require_POST
def submit_club_removal(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take a club's file out of the table."""
    division, row = get_prepared_session_or_404(request, slug)
    club = get_object_or_404(JoinedClub, pk=pk, prepared=row)
    club.prepared = row
    with show_refusals(request):
        remove_club(club, actor=get_actor(request))
        messages.success(
            request, _("%(club)s has been removed. You can undo this in the journal.") % {"club": club.name}
        )
    return redirect(get_session_url(division, SEALED_PAGE))


@login_required
@require_POST
def submit_ruling(request: HttpRequest, slug: str) -> HttpResponse:
    """Decide what a word scores in every club."""
    division, row = get_prepared_session_or_404(request, slug)
    form = RulingForm(request.POST)
    joined = load_joined_results(row)

    def act(data: dict[str, Any]) -> None:
        text = data["word"]
        word = (
            next((line.difference.word for line in joined.differences if line.word == text), None) if joined else None
        )
        if word is None:  # a file was taken out, or the judgements are the same by now: what was typed stays
            raise Refusal("clubs_agree", _("The clubs agree on “%(word)s”."), word=text[: limits.QUOTED_TEXT])
        rule_on_word(row, word=word, points=data["points"], why=data["why"], actor=get_actor(request))

    if form.done(act) or joined is None:
        return redirect(get_session_url(division, SEALED_PAGE))
    return _render_sealed_page(request, division, row, ruling_form=form)


@login_required
@require_safe
def download_joined_table(request: HttpRequest, slug: str) -> HttpResponse:
    """The table over all clubs as CSV."""
    _division, row = get_prepared_session_or_404(request, slug)
    results = load_joined_results(row)
    if results is None:
        raise Http404(_("“%(name)s” is not sealed yet.") % {"name": row.name})
    name = f"{slug}-{results.envelope.mark}.csv"
    return answer_with_file(format_joined_csv(results), "text/csv; charset=utf-8", name)


def render_joined_standings(header: PaperHeader, results: JoinedResults) -> bytes:
    """The table over all clubs."""
    title = _("Standings of all clubs: %(name)s") % {"name": results.envelope.name}
    if not results.rows:
        return render_notice(header, title, _("No club’s file is joined yet."))
    paper = Paper(header, title, notes=list(results.field.notes))
    return draw_totals(paper, results.rows, (12, 18, 20, 14, 16), height=9, size=10)


def render_turn_codes(header: PaperHeader, results: JoinedResults) -> bytes:
    """The opening code of the session, and the code of each turn by itself."""
    envelope, row = results.envelope, results.prepared
    note = _("Session %(mark)s. The opening code opens every turn; each turn’s own code opens that turn alone.")
    paper = Paper(header, _("Codes of %(name)s") % {"name": envelope.name}, notes=[note % {"mark": envelope.mark}])
    box = paper.content
    columns = (PrintedColumn(_("Turn"), 24 * MM, Align.RIGHT), PrintedColumn(_("Code"), 90 * MM, bold=True))
    numbers = range(1, len(envelope.turns) + 1)
    codes = [(str(number), sealed.derive_turn_code(envelope.salt, row.code, number)) for number in numbers]
    composed = PrintedTable(columns, 13, 9 * MM).fix(codes)
    for rows in paper.pages(composed.pages):
        opening = _("Opening code: %(code)s") % {"code": row.code}
        paper.write(Box(box.x, box.y, box.width, 8 * MM), opening, size=16, bold=True)
        composed.draw(paper, rows, below=14 * MM)
    return paper.done()


@login_required
@require_safe
def show_sealed_document(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """A document as PDF, shown in the browser; 404 for one that does not exist, or before the session is sealed."""
    division, row = get_prepared_session_or_404(request, slug)
    results = load_joined_results(row)
    documents = {"joined": render_joined_standings, "codes": render_turn_codes}
    if results is None or name not in documents:
        raise Http404(_("There is no document “%(name)s”.") % {"name": name})
    with translation.override(choose_paper_language(division.tournament.language)):
        content = documents[name](make_header(division), results)
    return answer_with_pdf(content, f"{slug}-{name}.pdf")
