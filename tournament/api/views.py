"""The page that explains the interfaces for programs, the read interface's own description, and `tourney.js`."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from tournament.api.answers import list_missing_answers
from tournament.api.files import build_tourney_js
from tournament.api.schemas import HIGHEST_LIMIT, USUAL_LIMIT
from tournament.api.serving import READS_A_MINUTE, EventRequest, read_afresh, read_public_view
from tournament.api.version1 import MOUNTED_AT, api
from tournament.basics.addresses import build_full_address
from tournament.models import Tournament
from tournament.seasons.season_table import list_public_seasons

EXAMPLE_SLUG = "herbst-cup"  # where no event is public yet


@require_safe
def show_programs_page(request: HttpRequest) -> HttpResponse:
    """What is there for programs, with examples of the public event `?event=`, else of the newest. Five queries."""
    public, wanted_slug = Tournament.objects.public().newest_first(), request.GET.get("event", "")
    # PostgreSQL takes no NUL, not even to ask: such an address has the example of the newest event, too.
    event = (public.filter(slug=wanted_slug).first() if wanted_slug.isprintable() else None) or public.first()
    season = next(iter(list_public_seasons()), None)
    slug = event.slug if event else EXAMPLE_SLUG
    addresses, missing = [], list_missing_answers(event) if event else frozenset()
    for path, methods in api.get_openapi_schema(path_prefix=MOUNTED_AT)["paths"].items():
        operation, subject = methods["get"], season if "/seasons/" in path else event
        parameters = tuple(parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "query")
        is_known = (subject is not None or "{slug}" not in path) and operation["operationId"] not in missing
        example = path.replace("{slug}", subject.slug if subject else "") if is_known else ""
        addresses.append(
            {"summary": gettext(operation["summary"]), "path": path, "parameters": parameters, "example": example}
        )
    context = {
        "event": event,
        "slug": slug,
        "is_paired": event is None or event.rules.is_paired,
        "base": build_full_address("/", request).removesuffix("/"),
        "offered": addresses,
        "reads": READS_A_MINUTE,
        "usual": USUAL_LIMIT,
        "highest": HIGHEST_LIMIT,
    }
    return render(request, "tournament/api/programs.html", context)


@require_safe
@read_afresh
def show_openapi(request: HttpRequest) -> HttpResponse:
    """Version 1 described by OpenAPI."""
    return JsonResponse(api.get_openapi_schema(path_prefix=MOUNTED_AT), json_dumps_params={"indent": 1})


@read_public_view
def show_tourney_js(request: EventRequest, slug: str) -> HttpResponse:
    """The event as tsh publishes it, for programs that ask again and again."""
    return HttpResponse(build_tourney_js(request.tournament), content_type="text/javascript; charset=utf-8")
