"""Addresses for programs. Those of the read interface stand in `version1`."""

from django.urls import URLPattern, path
from django.views.decorators.http import require_safe

from tournament.api import views
from tournament.api.serving import open_to_programs
from tournament.api.version1 import MOUNTED_AT, api

public_urls = [
    path("api/", views.show_programs_page, name="programs"),
    path(f"{MOUNTED_AT[1:]}openapi.json", open_to_programs(views.show_openapi), name="openapi"),
    *(
        path(f"{MOUNTED_AT[1:]}{url.pattern}", open_to_programs(url.callback), name=url.name)
        for url in api.urls[0]
        if isinstance(url, URLPattern) and (url.name or "").startswith("api_")  # without the library's own
    ),
    path("t/<slug:slug>/tourney.js", open_to_programs(require_safe(views.show_tourney_js)), name="tourney_js"),
]
