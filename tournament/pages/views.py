"""What open pages ask every few seconds (what is new? who else is here?), and the language switch."""

from collections.abc import Mapping
from http import HTTPStatus

from django.db.models import Count, QuerySet, Sum
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils.http import content_disposition_header
from django.utils.text import slugify
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_POST, require_safe
from django.views.i18n import set_language

from tournament.access.rules import get_directed_tournament, get_public_tournament, identify_worker
from tournament.basics.latest import NewsSubject, note_states
from tournament.basics.pictures import build_picture_response
from tournament.core.public_view import get_public_view, list_unseen_rounds
from tournament.models import ClubPicture, Division, Organiser, Tournament
from tournament.pages.at_work import format_others_here, note_presence
from tournament.pages.caching import forbid_caching
from tournament.pages.kept_input import login_required
from tournament.pages.manual import list_chapters, render_chapter, search_chapters


@login_required
@require_GET
def show_others_here(request: HttpRequest, slug: str) -> HttpResponse:
    """A sentence that names the others on the page `?page=…`; 204 if there is nobody. Queries only for access."""
    tournament = get_directed_tournament(request, slug)
    who, name = identify_worker(request)
    names = note_presence(tournament.pk, request.GET.get("page", ""), who=who, name=name)
    if not names:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return HttpResponse(format_others_here(names), content_type="text/plain; charset=utf-8")


@csrf_exempt  # It only sets the language cookie; a token in its form would keep pages from being cached for everybody.
@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Set the posted language and go back to `next`, if that is one of our addresses."""
    return set_language(request)


@require_safe
def show_help(request: HttpRequest) -> HttpResponse:
    """The chapters of the manual, or those in which the words `?q=` stand. No query."""
    language, words = get_language(), request.GET.get("q", "").strip()
    chapters = list_chapters(language).values()
    matches = search_chapters(language, words) if words else []
    return render(request, "tournament/pages/help.html", {"chapters": chapters, "search": words, "matches": matches})


@require_safe
def show_help_chapter(request: HttpRequest, chapter: str) -> HttpResponse:
    """A chapter of the manual, with the ways to all others; 404 if there is none of this name. No query."""
    chapters = list_chapters(get_language())
    if chapter not in chapters:
        raise Http404(_("The manual has no chapter “%(name)s”.") % {"name": chapter})
    text = render_chapter(get_language(), chapter)
    context = {"chapters": chapters.values(), "chapter": chapters[chapter], "text": text}
    return render(request, "tournament/pages/help_chapter.html", context)


def answer_remembered_state(
    request: HttpRequest, tournament: Tournament, kind: str, key: str, states: Mapping[str, str]
) -> HttpResponse:
    """As `answer_state` for the state of `key`; all states are noted, to answer the next question from memory."""
    subject = NewsSubject(tournament.pk, kind)
    # By the path without the place at which the program is mounted: `answer_news_from_memory` looks for the same.
    note_states(request.path_info, key, subject, tournament.revision, states)
    return answer_state(request, states.get(key, ""))


def answer_state(request: HttpRequest, state: str) -> HttpResponse:
    """204 if the page has seen `state` (`?seen=`); else 200 with `{"state": …}`, to be sent the next time."""
    seen = request.GET.get("seen") == state
    return forbid_caching(HttpResponse(status=HTTPStatus.NO_CONTENT) if seen else JsonResponse({"state": state}))


def answer_with_pdf(content: bytes, filename: str) -> HttpResponse:
    """A document, shown in the browser; `filename` is what it is called when it is saved."""
    disposition = content_disposition_header(False, filename) or "inline"
    return HttpResponse(content, content_type="application/pdf", headers={"Content-Disposition": disposition})


def answer_with_file(content: bytes | str, content_type: str, filename: str) -> HttpResponse:
    """A file to be saved; `filename` is written as it is, so it is made of slugs."""
    disposition = {"Content-Disposition": f'attachment; filename="{filename}"'}
    return HttpResponse(content, content_type=content_type, headers=disposition)


def answer_with_division_file(
    division: Division, part: str, fmt: str, content: bytes | str, content_type: str
) -> HttpResponse:
    """A part of a division as a file, named by the event, the division and the part."""
    # A division whose name has no Latin letter leaves no part: then the file is called by the event alone.
    name = "-".join(filter(None, (division.tournament.slug, slugify(division.name), part)))
    return answer_with_file(content, content_type, f"{name}.{fmt}")


@require_safe
def show_tournament_news(request: HttpRequest, slug: str) -> HttpResponse:
    """Whether there is anything new in a public tournament; 404 once it is hidden. At most two queries."""
    tournament = get_public_tournament(slug)
    return answer_remembered_state(request, tournament, "public", "", {"": get_public_view(tournament).state})


@require_safe
def show_home_news(request: HttpRequest) -> HttpResponse:
    """Whether there is anything new in any public tournament, or in their list. Two queries."""
    return answer_state(request, _get_news_state(Tournament.objects.public()))


@require_safe
def show_organiser_news(request: HttpRequest, slug: str) -> HttpResponse:
    """The same for the public tournaments of one organiser. Three queries; 404 if there is no such organiser."""
    organiser = get_object_or_404(Organiser, slug=slug)
    return answer_state(request, _get_news_state(Tournament.objects.public().filter(organiser=organiser)))


@require_safe
def show_club_colour(request: HttpRequest, slug: str) -> HttpResponse:
    """A style sheet with an organiser's colour, `--club`; asked anew after a minute, since pages are kept longer."""
    organiser = get_object_or_404(Organiser, slug=slug)
    response = HttpResponse(f":root {{ --club: {organiser.colour} }}\n", content_type="text/css")
    response.headers["Cache-Control"] = "max-age=60"
    return response


@require_safe
def show_club_picture(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """A club's logo or picture. Another one has another address, so that browsers may keep it for a day."""
    picture = get_object_or_404(ClubPicture, pk=pk, organiser__slug=slug)
    response = build_picture_response(picture.name, f"{slug}-{picture.use}.jpg")
    response.headers["Cache-Control"] = "max-age=86400"
    return response


def _get_news_state(tournaments: QuerySet[Tournament]) -> str:
    totals = tournaments.aggregate(count=Count("pk"), revisions=Sum("revision", default=0))
    # The sum alone would not do: an event that is hidden while another is changed may leave it as it was.
    return f"{totals['count']}-{totals['revisions']}-{len(list_unseen_rounds())}"
