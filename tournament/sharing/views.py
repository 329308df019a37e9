"""Pages and files that carry an event beyond the program: how to share it, frames, feeds, calendars, pictures, and what
search engines are told."""

from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.core.cache import cache
from django.db.models import Max
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from tournament.access.rules import get_chosen_division
from tournament.basics.addresses import build_full_address, get_service_address
from tournament.basics.style_sheets import THEMES, build_theme_sheet
from tournament.core.words.figures import format_event_days
from tournament.events.queries import list_public_organisers
from tournament.letters.calendar import write_calendar
from tournament.models import Organiser, Tournament
from tournament.pages.caching import cache_addressed_page, cache_public_page
from tournament.pages.frames import build_public_context
from tournament.pages.views import answer_with_file
from tournament.sharing.embeds import EMBED_NAMES, EMBED_THEMES, EmbedPart, allow_frames, build_embed_context
from tournament.sharing.event_summary import load_event_summary
from tournament.sharing.feeds import load_club_news, load_event_news, write_feed
from tournament.sharing.linking import build_event_description, build_manifest
from tournament.sharing.pictures import ICON_SIZES, draw_card, draw_icon

ATOM, CALENDAR = "application/atom+xml; charset=utf-8", "text/calendar; charset=utf-8"
MANIFEST = "application/manifest+json"
KEPT_SECONDS = 86400
HOUR = "max-age=3600"


@require_safe
@cache_addressed_page
def show_sharing(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The event's address, its calendar file and feed, and the frames for other websites (`?part=`, `?theme=`). Two
    queries."""
    context = build_public_context(request, tournament, "share")
    parts = [part for part in EmbedPart if part == EmbedPart.TABLE or tournament.rules.is_paired]
    part, theme = request.GET.get("part", ""), request.GET.get("theme", "")
    # An unknown part gives the first one: a session, which has no bracket, is asked for it by an address changed by
    # hand.
    part = part if part in parts else parts[0]
    theme = theme if theme in EMBED_THEMES else ""
    division_query = {"division": context["division"].name} if context["division_query"] else {}

    def lead(page: str, *args: str, **query: str) -> str:
        query_text = urlencode({key: value for key, value in {**division_query, **query}.items() if value})
        return reverse(page, args=[tournament.slug, *args]) + (f"?{query_text}" if query_text else "")

    frame = lead("public:embed", part, theme=theme)
    context |= {
        "address": build_full_address(lead("public:tournament"), request),
        "part": part,
        "parts": [(part, EMBED_NAMES[part], lead("public:share", part=part, theme=theme)) for part in parts],
        "theme": theme,
        "themes": [(theme, name, lead("public:share", part=part, theme=theme)) for theme, name in EMBED_THEMES.items()],
        "frame": frame,
        "code": format_html(
            '<iframe src="{}" title="{}" width="100%" height="600" loading="lazy" style="border: 0"></iframe>',
            build_full_address(frame, request),
            f"{tournament.name}: {EMBED_NAMES[EmbedPart(part)]}",
        ),
        "feed": build_full_address(lead("public:feed"), request),
    }
    return render(request, "tournament/sharing/share.html", context)


@require_safe
@allow_frames
@cache_public_page
def show_embedded(request: HttpRequest, tournament: Tournament, part: str) -> HttpResponse:
    """Table, bracket or pairings, bare, for the frame of another website; `?theme=light` or `dark` keeps its colours.
    At most thirteen queries."""
    if part not in list(EmbedPart):
        raise Http404(_("There is no “%(part)s” to embed.") % {"part": part})
    context = build_public_context(request, tournament, "embed")
    context |= build_embed_context(context["division"], EmbedPart(part), context["links"])
    theme = request.GET.get("theme", "")
    return render(request, "tournament/sharing/embed.html", {**context, "theme": theme if theme in THEMES else ""})


@require_safe
def show_theme_sheet(request: HttpRequest, theme: str) -> HttpResponse:
    """The style sheet that keeps a frame light or dark."""
    if theme not in THEMES:
        raise Http404
    return HttpResponse(build_theme_sheet(theme), content_type="text/css", headers={"Cache-Control": HOUR})


@require_safe
@cache_public_page
def show_card(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The picture that a link to the event shows elsewhere."""
    division = get_chosen_division(request, tournament)
    state, days = load_event_summary(division), format_event_days(tournament)
    # Before the first round the state is the days themselves, which would stand on the card twice.
    when = " · ".join(filter(None, (days if state.sentence != days else "", tournament.place)))
    event = f"{tournament.name} · {division.name}" if request.GET.get("division") else tournament.name
    card = draw_card(tournament.organiser, event, state=state.sentence, when=when, places=state.places)
    return HttpResponse(card, content_type="image/png")


@require_safe
@cache_addressed_page
def show_feed(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The news of an event as Atom."""
    written = write_feed(
        request,
        title=tournament.name,
        path=reverse("public:tournament", args=[tournament.slug]),
        subtitle=build_event_description(tournament),
        author=tournament.organiser.name,
        news=load_event_news(tournament),
    )
    return HttpResponse(written, content_type=ATOM)


@require_safe
@cache_addressed_page
def download_calendar(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The days of an event for a calendar; 404 while its first day is not known."""
    if tournament.starts_on is None:
        raise Http404(_("The days of this event are not known yet."))
    return answer_with_file(write_calendar([tournament]), CALENDAR, f"{tournament.slug}.ics")


# A club.


@require_safe
@conditional_page
def show_club_feed(request: HttpRequest, slug: str) -> HttpResponse:
    """The news of a club's events as Atom."""
    club = get_object_or_404(Organiser, slug=slug)
    news = load_club_news(club)
    path = reverse("public:organiser", args=[slug])
    title = _("Tournaments of %(club)s") % {"club": club.name}
    written = write_feed(request, title=title, path=path, subtitle="", author=club.name, news=news)
    return HttpResponse(written, content_type=ATOM)


@require_safe
@conditional_page
def download_club_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """The days of all public events of a club, for a calendar that asks again by itself."""
    club = get_object_or_404(Organiser, slug=slug)
    tournaments = Tournament.objects.public().filter(organiser=club).newest_first()
    return HttpResponse(write_calendar(tournaments, name=club.name), content_type=CALENDAR)


@require_safe
def show_club_icon(request: HttpRequest, slug: str, side: int) -> HttpResponse:
    """A club's icon for a home screen."""
    club = get_object_or_404(Organiser, slug=slug)
    if side not in ICON_SIZES:
        raise Http404
    # No blanks: not every cache takes them in a key.
    key = f"icon:{club.pk}:{club.name}:{club.colour}:{club.logo and club.logo.name}:{side}".replace(" ", "_")
    picture = cache.get_or_set(key, lambda: draw_icon(club, side), KEPT_SECONDS)
    # Not for a day, as it is kept here: the address stays the same with another logo, and browsers would show the old
    # one.
    return HttpResponse(picture, content_type="image/png", headers={"Cache-Control": HOUR})


@require_safe
@cache_public_page
def show_manifest(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What lets the event's page lie on a phone's home screen."""
    start = reverse("public:tournament", args=[tournament.slug])
    return _answer_manifest(tournament.name, tournament.name, start, tournament.organiser)


@require_safe
def show_club_manifest(request: HttpRequest, slug: str) -> HttpResponse:
    """What lets a club's page lie on a phone's home screen."""
    club = get_object_or_404(Organiser, slug=slug)
    return _answer_manifest(club.name, club.name, reverse("public:organiser", args=[slug]), club)


def _answer_manifest(name: str, short_name: str, start: str, club: Organiser) -> HttpResponse:
    # The smallest is for iOS, which takes it from a link in the page's head and reads no icons here.
    sizes = tuple(side for side in ICON_SIZES if side != min(ICON_SIZES))
    manifest = build_manifest(name=name, short_name=short_name, start=start, club=club, sizes=sizes)
    return JsonResponse(manifest, content_type=MANIFEST, json_dumps_params={"ensure_ascii": False})


# What search engines are told.


def _is_hosted() -> bool:
    return settings.HOSTED and bool(get_service_address())


@require_safe
def show_robots(request: HttpRequest) -> HttpResponse:
    """What search engines may read: public pages of a hosted service, nothing of a laptop in a hall."""
    lines = ["User-agent: *", "Disallow: /"]
    if _is_hosted():
        closed = ("director", "me", "code", "account", "login", "password", "invitation", "mirror", "host", "admin")
        closed_parts = ("embed", "news", "registration")  # of an event; the last: somebody's own page
        # In place of the line that closes everything, which holds for a laptop in a hall: its addresses lead nowhere
        # from outside.
        lines[1:] = [f"Disallow: /{path}/" for path in closed] + [f"Disallow: /t/*/{part}/" for part in closed_parts]
        lines.append(f"Sitemap: {build_full_address(reverse('public:sitemap'))}")
    return HttpResponse("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


MOST_IN_SITEMAP = 10_000  # events, newest first; a sitemap may have 50,000 addresses


@require_safe
def show_sitemap(request: HttpRequest) -> HttpResponse:
    """The public pages of a hosted service: clubs, events, and their tables. Two queries; 404 on a laptop."""
    if not _is_hosted():
        raise Http404
    # By the journal: a result changes the table, and not the event's own row.
    events = Tournament.objects.public().annotate(changed_at=Max("journal__at")).newest_first()[:MOST_IN_SITEMAP]
    listed: list[dict[str, Any]] = [{"path": reverse("public:home")}]
    listed += [{"path": reverse("public:organiser", args=[club.slug])} for club in list_public_organisers()]
    for event in events:
        pages = ["tournament", "announcement", "entries", *(["table"] if event.rules.is_paired else [])]
        changed = event.changed_at or event.created_at  # type: ignore[attr-defined]  # annotated above
        listed += [{"path": reverse(f"public:{page}", args=[event.slug]), "changed_at": changed} for page in pages]
    for listed_page in listed:
        listed_page["address"] = build_full_address(listed_page["path"])
    return render(request, "tournament/sharing/sitemap.xml", {"listed": listed}, content_type="application/xml")
