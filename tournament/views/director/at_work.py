"""What an open page of the director's asks now and then: who else has it open?"""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_GET

from tournament import access, at_work
from tournament.views.director.kept_input import login_required
from tournament.words.rounds import also_here


@login_required
@require_GET
def others(request: HttpRequest, slug: str) -> HttpResponse:
    """The sentence that names the others on the page `?page=…`; 204 if there is nobody. No query beyond the access."""
    tournament = access.directed_tournament(request, slug)
    who, name = access.who(request)
    names = at_work.others(tournament.pk, request.GET.get("page", ""), who=who, name=name)
    if not names:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return HttpResponse(also_here(names), content_type="text/plain; charset=utf-8")
