"""Official lists of ratings: published and taken back by those who keep the register, read by everybody."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.access.rules import get_actor
from tournament.models import Organiser, PublishedRatingList
from tournament.models.choices import RATING_SYSTEM_LABELS
from tournament.pages.caching import answer_from_cache, digest_state
from tournament.pages.frames import build_organiser_context, build_own_organiser_context
from tournament.pages.kept_input import signed_in_page
from tournament.pages.requests import paginate_rows, read_search_text, show_refusals
from tournament.pages.views import answer_with_file
from tournament.ratings.club import load_club_list
from tournament.ratings.club_views import choose_system
from tournament.ratings.files import build_published_json
from tournament.ratings.forms import PublishingForm
from tournament.ratings.paper import render_published
from tournament.ratings.publishing import (
    compare_with_published,
    digest_club_list,
    find_published,
    find_rows,
    get_last_published,
    list_published_lists,
    publish_rating_list,
    set_rating_list_withdrawn,
)
from tournament.ratings.tables import MovedRows, PublishedRows
from tournament.ratings.words import describe_published, name_published

ROWS_A_PAGE = 100

PUBLISHED_FORMATS: Mapping[str, tuple[str, Callable[[PublishedRatingList], bytes]]] = {
    "pdf": ("application/pdf", render_published),
    "csv": ("text/csv; charset=utf-8", lambda published: PublishedRows(published.rows).build_csv()),
    "json": (
        "application/json",
        lambda published: json.dumps(build_published_json(published), ensure_ascii=False, indent=1).encode(),
    ),
}
"""The content type of each kind of file, and how it is made of a published list."""


# For those who keep the register.


@signed_in_page("GET", "POST")
def show_publishing(request: HttpRequest) -> HttpResponse:
    """What the list that is worked out now changes against the last one published; POST publishes it."""
    around = build_organiser_context(request)
    organiser = around["organiser"]
    system, query = choose_system(request, organiser)
    actor = get_actor(request, organiser)
    form = PublishingForm(request.POST or None, initial={"day": timezone.localdate()})
    if form.done(lambda typed: publish_rating_list(organiser, system=system, actor=actor, **typed)):
        messages.success(request, _("Published. It can be taken back under “Published lists”."))
        return redirect(reverse("director:rating_list") + query)
    club_list, last = load_club_list(organiser, system), get_last_published(organiser)
    moved = compare_with_published(club_list, last)
    context = {
        **around,
        "form": form,
        # Of the list on this page, not what was posted: whoever is refused looks at the new list, and can publish that.
        "seen": digest_club_list(club_list),
        "found": club_list,
        "system": RATING_SYSTEM_LABELS[system],
        "query": query,
        "last": name_published(last) if last else "",
        "table": MovedRows(moved, caption=_("What is new in it"), before=_("Before"), now=_("Now")),
    }
    return render(request, "tournament/ratings/publish_list.html", context)


@signed_in_page("POST")
def submit_withdrawal(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a published list back, or with `back` show it again."""
    published = get_object_or_404(PublishedRatingList.objects.defer("rows").select_related("organiser"), pk=pk)
    around = build_own_organiser_context(request, published.organiser_id)
    withdrawn = "back" not in request.POST
    with show_refusals(request):
        set_rating_list_withdrawn(published, withdrawn=withdrawn, actor=get_actor(request, published.organiser))
        sentence = _("%(list)s: taken back.") if withdrawn else _("%(list)s: published again.")
        messages.success(request, sentence % {"list": name_published(published)})
    return redirect(f"{reverse('director:rating_list')}{around['organiser_query']}#published")


# For everybody.


@require_safe
def show_published_list(request: HttpRequest, slug: str, key: str = "") -> HttpResponse:
    """A club's official list: that of the key, otherwise the last one; where there is none it says so. 404 for a key
    that no list has. Kept while nothing changes: two queries then."""
    club = get_object_or_404(Organiser, slug=slug)
    return answer_from_cache(
        request, lambda: _make_list_key(request, club), lambda: _render_published_list(request, club, key)
    )


@require_safe
def download_published_list(request: HttpRequest, slug: str, fmt: str, key: str = "") -> HttpResponse:
    """A list in one of the `PUBLISHED_FORMATS`, the last one without a key; else 404."""
    club = get_object_or_404(Organiser, slug=slug)
    if fmt not in PUBLISHED_FORMATS:
        raise Http404(_("There are no ratings as “%(format)s”.") % {"format": fmt})

    def make() -> HttpResponse:
        if (published := _get_published(club, key)) is None:
            raise Http404(_("No list of ratings has been published yet."))
        content_type, write = PUBLISHED_FORMATS[fmt]
        return answer_with_file(write(published), content_type, f"{club.slug}-ratings-{published.key}.{fmt}")

    return answer_from_cache(request, lambda: _make_list_key(request, club), make)


def _get_published(club: Organiser, key: str) -> PublishedRatingList | None:
    """The list of that key, or the last one; None where nothing is published. 404 for an unknown key."""
    published = find_published(list_published_lists(club), key) if key else get_last_published(club)
    if published is None and key:
        raise Http404(_("No list of ratings of this name has been published."))
    if published is not None:
        published.organiser = club
    return published


def _render_published_list(request: HttpRequest, club: Organiser, key: str) -> HttpResponse:
    published = _get_published(club, key)
    context: dict[str, Any] = {"organiser": club, "logo": club.logo, "published": published}
    if published is not None:
        search = read_search_text(request)
        page = paginate_rows(request, find_rows(published, search), ROWS_A_PAGE)
        lists = list(list_published_lists(club))
        context |= {
            "title": name_published(published),
            "about": describe_published(published),
            "search": search,
            "page": page,
            "table": PublishedRows(page.object_list),
            "newer": name_published(lists[0]) if lists[0] != published else "",
            "others": [(name_published(other), other.key) for other in lists if other != published],
            "files": [
                (name.upper(), reverse("public:rating_list_file", args=[club.slug, published.key, name]))
                for name in PUBLISHED_FORMATS
            ],
        }
    return render(request, "tournament/ratings/published_list.html", context)


def _make_list_key(request: HttpRequest, club: Organiser) -> str:
    """Another one as soon as the club's register has changed."""
    # Enough, as publishing a list, taking it back and putting a pseudonym into its rows are changes of the register.
    return digest_state(request, f"rating list {club.pk}-{club.revision}")
