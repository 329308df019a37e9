"""What the head of a public page tells search engines, networks and messengers: the page's one address, a title, a
description, a picture, and the event as structured data (schema.org). Full addresses are told by a service only: a
laptop in a hall has none that holds elsewhere."""

import json
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from tournament.basics.addresses import build_full_address, get_service_address
from tournament.core.words.figures import format_event_days
from tournament.models import Organiser, Tournament

ESCAPES = str.maketrans({letter: f"\\u{ord(letter):04x}" for letter in "<>&"})
"""What could end a script in a page, as JSON may write it too."""

KEPT_QUERY_KEYS = ("division", "by", "turn")
"""The parts of a query that make another page."""


LOCALES = {"de": "de_DE", "en": "en_GB", "nl": "nl_NL"}
"""The language of a page as the Open Graph names it."""


def build_canonical_address(request: HttpRequest) -> str:
    """The one full address of a page, without what only sorts, searches or marks it; "" where the program has none."""
    if not get_service_address():
        return ""
    # In one order, whatever the visitor's: the same page is not to have two addresses.
    query = urlencode({key: request.GET[key] for key in KEPT_QUERY_KEYS if key in request.GET})
    return build_full_address(request.path) + (f"?{query}" if query else "")


def build_event_description(tournament: Tournament) -> str:
    """When and where an event is, and who organises it."""
    return " · ".join(filter(None, (format_event_days(tournament), tournament.place, tournament.organiser.name)))


def build_event_data(tournament: Tournament) -> SafeString:
    """An event as schema.org has it, as JSON that can stand in a page; "" while its first day is not known."""
    if tournament.starts_on is None:
        return SafeString()
    data: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "SportsEvent",
        "name": tournament.name,
        "sport": "Scrabble",
        "startDate": tournament.starts_on.isoformat(),
        "endDate": (tournament.ends_on or tournament.starts_on).isoformat(),
        "eventStatus": f"https://schema.org/Event{'Cancelled' if tournament.called_off_on else 'Scheduled'}",
        "eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode",
        "organizer": {"@type": "SportsOrganization", "name": tournament.organiser.name},
    }
    if tournament.place:
        data["location"] = {"@type": "Place", "name": tournament.place, "address": tournament.place}
    if get_service_address():
        data["url"] = build_full_address(reverse("public:tournament", args=[tournament.slug]))
        data["image"] = [build_full_address(reverse("public:card", args=[tournament.slug]))]
        data["organizer"]["url"] = build_full_address(reverse("public:organiser", args=[tournament.organiser.slug]))
    # Escaped for a script in a page: an event called “</script>” would end it and begin markup of its own.
    return mark_safe(json.dumps(data, ensure_ascii=False).translate(ESCAPES))  # noqa: S308  # escaped


def build_manifest(
    *, name: str, short_name: str, start: str, club: Organiser, sizes: tuple[int, ...]
) -> dict[str, Any]:
    """What lets a page lie on a phone's home screen (W3C Web Application Manifest)."""
    # Made once, with a side that no icon has, and filled in for each size below.
    icon = reverse("public:club_icon", args=[club.slug, 0])
    return {
        "id": start,
        "name": name,
        "short_name": short_name,
        "start_url": start,
        "scope": "/",
        "display": "minimal-ui",
        "background_color": "#f6f4ee",
        "theme_color": club.colour,
        "icons": [
            {
                "src": icon.replace("-0.", f"-{side}."),
                "sizes": f"{side}x{side}",
                "type": "image/png",
                "purpose": purpose,
            }
            for side in sizes
            for purpose in ("any", "maskable")
        ],
    }
