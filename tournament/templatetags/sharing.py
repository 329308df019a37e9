"""What the heads of public pages tell other programs."""

from django import template
from django.template import Context
from django.urls import reverse

from tournament.basics.addresses import build_full_address, get_service_address
from tournament.basics.languages import get_active_language
from tournament.models import Organiser, Tournament
from tournament.push.keys import get_public_key, is_push_offered
from tournament.sharing.linking import LOCALES, build_canonical_address, build_event_data, build_event_description

register = template.Library()


@register.inclusion_tag("tournament/sharing/_push.html")
def push_way(tournament: Tournament) -> dict[str, object]:
    """The way to be told of news by this browser, where the installation offers it. No query."""
    return {"tournament": tournament, "key": get_public_key() if is_push_offered() else ""}


@register.inclusion_tag("tournament/sharing/_head.html", takes_context=True)
def event_head(context: Context, tournament: Tournament) -> dict[str, object]:
    """The page's address, and the event's title, description, picture, feed and manifest. No query."""
    query = context.get("division_query") or ""
    named = f"{tournament.name} · {context['division'].name}" if query else tournament.name
    card = reverse("public:card", args=[tournament.slug]) + query
    return {
        "canonical": build_canonical_address(context["request"]),
        "title": named,
        "locale": LOCALES[get_active_language()],
        "description": build_event_description(tournament),
        # Messengers fetch it from elsewhere, and an address in a hall leads them nowhere.
        "picture": build_full_address(card) if get_service_address() else "",
        "site": tournament.organiser.name,
        "colour": tournament.organiser.colour,
        "feed": reverse("public:feed", args=[tournament.slug]),
        "manifest": reverse("public:manifest", args=[tournament.slug]),
        "icon": reverse("public:club_icon", args=[tournament.organiser.slug, 180]),
        # On the event's own page alone: on each of its pages it would look like one event more.
        "data": build_event_data(tournament) if context.get("area") == "tournament" else "",
    }


@register.inclusion_tag("tournament/sharing/_head.html", takes_context=True)
def club_head(context: Context, club: Organiser) -> dict[str, object]:
    """The same for a club's page. No query."""
    return {
        "canonical": build_canonical_address(context["request"]),
        "title": club.name,
        "locale": LOCALES[get_active_language()],
        "description": club.word.partition("\n")[0],
        "site": club.name,
        "colour": club.colour,
        "feed": reverse("public:club_feed", args=[club.slug]),
        "manifest": reverse("public:club_manifest", args=[club.slug]),
        "icon": reverse("public:club_icon", args=[club.slug, 180]),
    }
