"""The language switch."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST
from django.views.i18n import set_language


@csrf_exempt  # It only sets the language cookie; a token in its form would keep pages from being cached for everybody.
@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Set the posted language and go back to `next`, if that is one of our addresses."""
    return set_language(request)
