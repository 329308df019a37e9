"""The end of an event for its director: ranking, prizes, certificates, the word that it is over; the public file."""

import json
import re
from collections.abc import Callable, Sequence

from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from tournament.access.codes import tidy_access_code
from tournament.access.rules import get_actor, get_chosen_division, get_directed_tournament, get_public_tournament
from tournament.access.signing_in import TooManyAttempts, count_wrong_code, give_ticket, slow_guessing
from tournament.basics import limits
from tournament.basics.languages import choose_paper_language
from tournament.core.change import Actor
from tournament.core.public_view import list_held_rounds, open_public_view
from tournament.ending.awarded_prizes import load_awarded_prizes
from tournament.ending.certificate_codes import CheckedCertificate, find_certificate, get_certificate_key
from tournament.ending.files import build_final_ranking_json
from tournament.ending.final_ranking import load_final_ranking
from tournament.ending.forms import CertificateForm, PrizeForm
from tournament.ending.operations import (
    add_prize,
    add_usual_prizes,
    edit_prize,
    end_tournament,
    list_placeholder_names,
    list_unfinished_divisions,
    move_prize_up,
    publish_prizes,
    remove_prize,
    reopen_tournament,
    set_certificate,
    tell_turning_point,
)
from tournament.ending.paper import (
    CertificateDesign,
    build_sample_certificate,
    format_signed_line,
    render_final_ranking,
    render_sample_certificate,
)
from tournament.ending.plan import CertificateText, PrizePlan
from tournament.ending.tables import EndPage, FinalTable
from tournament.ending.turning_points import load_turning_points
from tournament.entries.operations.waiting_list import is_online_entry_offered
from tournament.models import Club, Division, Prize, Round, Tournament
from tournament.pages.caching import activate_event_language, cache_public_page, forbid_caching
from tournament.pages.frames import build_director_context, build_public_context, make_division_query
from tournament.pages.kept_input import login_required
from tournament.pages.requests import paired_events_only, redirect_to_session, render_wait, show_refusals
from tournament.pages.tables import TournamentLinks
from tournament.pages.views import answer_with_division_file
from tournament.paper.documents import make_header
from tournament.table.views import TABLE_FORMATS

ON_THE_PAGE = "page"  # a preview beside the form; all others are on paper


@login_required
@require_http_methods(["GET", "POST"])
def edit_certificate(request: HttpRequest, slug: str) -> HttpResponse:
    """What certificates say; POST saves it, or with `preview` shows it on a certificate and saves nothing."""
    tournament = get_directed_tournament(request, slug)
    division = get_chosen_division(request, tournament)
    if session := redirect_to_session(division):
        return session
    form = CertificateForm(request.POST or None, text=CertificateText.read(tournament.certificate))
    preview = request.POST.get("preview", "")
    is_preview = preview in CertificateDesign.values or preview == ON_THE_PAGE
    if is_preview and form.is_valid():
        division.tournament.certificate = form.text().stored()  # for this page only
    # Asked while somebody types: half a “{Name” is a fault, and is told above the certificate as it is saved.
    if preview == ON_THE_PAGE:
        return HttpResponse(_render_certificate(division, form.faults))
    if is_preview and form.is_valid():
        with translation.override(choose_paper_language(tournament.language)):
            sample = render_sample_certificate(division, CertificateDesign(preview))
        return HttpResponse(sample, content_type="application/pdf")
    if not is_preview and form.done(
        lambda _typed: set_certificate(tournament, text=form.text(), actor=get_actor(request))
    ):
        messages.success(request, _("Saved. All certificates now say this."))
        return redirect(reverse("director:certificate", args=[slug]) + make_division_query(division))
    context = {
        **build_director_context(tournament, division, "end", tabs=False),
        "form": form,
        "query": make_division_query(division),
        "places": list_placeholder_names(),
        "designs": CertificateDesign.choices,
        "sample": _render_certificate(division),
    }
    return render(request, "tournament/ending/certificate.html", context)


def _render_certificate(division: Division, faults: Sequence[str] = ()) -> SafeString:
    """The first certificate for the screen, in the language of the paper; before it what keeps a text from it."""
    with translation.override(choose_paper_language(division.tournament.language)):
        header, certificate = make_header(division), build_sample_certificate(division)
        sample = render_to_string(
            "tournament/ending/_certificate.html",
            {
                "header": header,
                "where": " · ".join(filter(None, (header.place, header.dates))),
                "certificate": certificate,
                "signed": format_signed_line(header, certificate),
            },
        )
    return format_html_join("", '<p class="field-error">{}</p>', ((fault,) for fault in faults)) + sample


PLACES_SHOWN = 7  # of the ranking, after the cards of the first


@login_required
@require_GET
def show_ending(request: HttpRequest, slug: str) -> HttpResponse:
    """Who won, the places after that (with `?all=` every place), the prizes, and what is still to be played."""
    tournament = get_directed_tournament(request, slug)
    division = get_chosen_division(request, tournament)
    if session := redirect_to_session(division):
        return session
    ranking, links = load_final_ranking(division), TournamentLinks(tournament, make_division_query(division))
    end = EndPage(ranking, load_awarded_prizes(ranking), links)
    shows_all = "all" in request.GET or not ranking.rows
    # The first places have cards above the list once the ranking is final, and only then.
    rows = ranking.rows if shows_all else ranking.rows[len(end.cards) if ranking.is_final else 0 :][:PLACES_SHOWN]
    held = list_held_rounds(tournament) if tournament.is_public else []
    is_seen = ranking.is_final and tournament.is_public and not held and not tournament.is_ended
    context = {
        **build_director_context(tournament, division, "end"),
        "query": make_division_query(division),
        "end": end,
        "table": FinalTable(ranking, links, rows=rows, caption=_("Final ranking")),
        "shows_all": shows_all,
        "more": len(rows) < len(ranking.rows) and not shows_all,
        "hung_on": [point.said for point in load_turning_points(ranking)],
        "held": held,
        "may_hold": Round.objects.public().filter(division=division).order_by("-number").first() if is_seen else None,
        "sends_letters": is_online_entry_offered(),
        "has_moves": tournament.divisions.filter(Q(up__gt=0) | Q(down__gt=0)).exists(),
        "unfinished": [] if tournament.is_ended else list_unfinished_divisions(tournament),
    }
    return render(request, "tournament/ending/end.html", context)


@login_required
@require_POST
def submit_tournament_end(request: HttpRequest, slug: str) -> HttpResponse:
    """End the event; with `accept_open` even if something is still to be played."""
    tournament = get_directed_tournament(request, slug)
    division = get_chosen_division(request, tournament)
    with show_refusals(request):
        accepted = bool(request.POST.get("accept_open"))
        end_tournament(tournament, accept_open=accepted, actor=get_actor(request))
        shows = tournament.rules.is_paired and tournament.is_public and not list_held_rounds(tournament)
        message = _("The tournament has ended. The public page shows the final ranking.")
        messages.success(request, message if shows and not accepted else _("The tournament is ended."))
    return redirect(_get_ending_url(division))


@login_required
@require_POST
def submit_tournament_reopening(request: HttpRequest, slug: str) -> HttpResponse:
    """Say that the event goes on."""
    tournament = get_directed_tournament(request, slug)
    division = get_chosen_division(request, tournament)
    reopen_tournament(tournament, actor=get_actor(request))
    messages.success(request, _("The tournament goes on."))
    return redirect(_get_ending_url(division))


@login_required
@require_http_methods(["GET", "POST"])
def edit_listed_prize(request: HttpRequest, slug: str, pk: int | None = None) -> HttpResponse:
    """Change a prize, or add one."""
    prize = _get_prize(request, slug, pk) if pk is not None else None
    division = prize.division if prize else get_chosen_division(request, get_directed_tournament(request, slug))
    form = PrizeForm(request.POST or None, division=division, plan=PrizePlan.of(prize) if prize else None)

    def save(_typed: object) -> None:
        if prize:
            edit_prize(prize, plan=form.plan(), actor=get_actor(request))
        else:
            add_prize(division, plan=form.plan(), actor=get_actor(request))

    if form.done(save):
        messages.success(request, _("Saved.") if prize else _("The prize is added."))
        return redirect(_get_ending_url(division))
    context = {
        **build_director_context(division.tournament, division, "end", tabs=False),
        "form": form,
        "prize": prize,
        "clubs": Club.objects.filter(entries__division=division).order_by("sort_name", "pk").distinct(),
        "back": _get_ending_url(division),
    }
    return render(request, "tournament/ending/prize.html", context)


@login_required
@require_POST
def submit_prize_removal(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take a prize off the list; the journal can bring it back."""
    prize = _get_prize(request, slug, pk)
    remove_prize(prize, actor=get_actor(request))
    messages.success(request, _("The prize has been removed; you can undo this in the journal."))
    return redirect(_get_ending_url(prize.division))


@login_required
@require_POST
def submit_prize_move(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Let a prize change places with the one above it."""
    prize = _get_prize(request, slug, pk)
    move_prize_up(prize, actor=get_actor(request))
    return redirect(_get_ending_url(prize.division))


@login_required
@require_POST
def submit_usual_prizes(request: HttpRequest, slug: str) -> HttpResponse:
    """Add the prizes that most events have."""
    return _change_division(request, slug, lambda division, actor: add_usual_prizes(division, actor=actor))


@login_required
@require_POST
def submit_prize_publication(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the prizes to everybody, or to the directors only."""
    public = request.POST.get("public") == "yes"
    return _change_division(request, slug, lambda division, actor: publish_prizes(division, public=public, actor=actor))


@login_required
@require_POST
def submit_turning_point_choice(request: HttpRequest, slug: str) -> HttpResponse:
    """Let the ceremony tell what the event hung on, or leave it out."""
    tells = request.POST.get("tells") == "yes"
    return _change_division(
        request, slug, lambda division, actor: tell_turning_point(division, tells=tells, actor=actor)
    )


def _change_division(request: HttpRequest, slug: str, act: Callable[[Division, Actor], object]) -> HttpResponse:
    division = get_chosen_division(request, get_directed_tournament(request, slug))
    with show_refusals(request):
        act(division, get_actor(request))
        messages.success(request, _("Saved."))
    return redirect(_get_ending_url(division))


def _get_prize(request: HttpRequest, slug: str, pk: int) -> Prize:
    """A prize of this tournament; 404 for another tournament's."""
    tournament = get_directed_tournament(request, slug)
    prizes = Prize.objects.select_related("division__tournament", "club", "winner__player")
    return get_object_or_404(prizes, pk=pk, division__tournament=tournament)


def _get_ending_url(division: Division) -> str:
    return reverse("director:end", args=[division.tournament.slug]) + make_division_query(division)


@require_safe
@cache_public_page
@paired_events_only
def download_final_ranking(request: HttpRequest, tournament: Tournament, fmt: str) -> HttpResponse:
    """The final ranking of a division as it stands, as PDF or JSON; 404 for anything else."""
    division = get_chosen_division(request, tournament)
    if fmt not in ("json", "pdf"):
        raise Http404(_("There is no final ranking as “%(format)s”.") % {"format": fmt})
    if fmt == "pdf":
        content = render_final_ranking(make_header(division), division, None)
    else:
        rows = build_final_ranking_json(load_final_ranking(division))
        content = json.dumps(rows, ensure_ascii=False, indent=1).encode()
    return answer_with_division_file(division, "final", fmt, content, TABLE_FORMATS[fmt])


@require_safe
def check_certificate(request: HttpRequest, slug: str) -> HttpResponse:
    """Whether a certificate with the `?code=` holds; without one, or with a wrong one, the field to type it in."""
    tournament = get_public_tournament(slug)
    activate_event_language(request, tournament)
    if not tournament.rules.is_paired or not get_certificate_key(tournament):
        raise Http404
    typed = request.GET.get("code", "")[: limits.QUOTED_TEXT].strip()
    # Opened here and not by the way that keeps pages: there would be one for each code that is tried, and the tries
    # would not be counted.
    with open_public_view(tournament):
        try:
            certificate = _find_certificate(request, tournament, typed) if typed else None
        except TooManyAttempts as many:
            code = re.sub(r"[^A-Z0-9]", "", tidy_access_code(typed))  # what a header can hold
            again = f"{reverse('public:certificate', args=[slug])}?code={code}"
            return forbid_caching(render_wait(request, many, "429.html", again=again))
        context = {
            **build_public_context(request, tournament, "tournament"),
            "typed": typed,
            "certificate": certificate,
            "several": tournament.divisions.count() > 1,
        }
        return forbid_caching(render(request, "tournament/ending/check_certificate.html", context))


def _find_certificate(request: HttpRequest, tournament: Tournament, typed: str) -> CheckedCertificate | None:
    """The certificate. Raises `TooManyAttempts` if codes are being guessed."""
    code = tidy_access_code(typed)
    # Before the code is looked up: otherwise whoever guesses learns the answer before being slowed down.
    slow_guessing(request, code)
    certificate = find_certificate(tournament, code)
    if certificate is None:
        count_wrong_code(request)
    else:
        give_ticket(request, found=code)
    return certificate
