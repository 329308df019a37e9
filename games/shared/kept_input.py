"""What was typed after the session had expired waits in a new session until its owner has signed in again."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _

KEY = "typed_before_sign_in"
MOST = 100_000
"""Characters. Nobody types more than that; what is longer is not kept."""

HALF_AN_HOUR = 30 * 60

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def login_required(view: View[P]) -> View[P]:
    """Decorator: signed-in users only; a post without a session is kept for `recalled` and leads to signing in.

    A post by script gets a 401, because its page is still open and holds what was typed.
    """

    @wraps(view)
    def signed_in(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        if request.headers.get("HX-Request"):
            return HttpResponse(status=401)
        if request.method == "POST":
            _keep(request)
        return redirect_to_login(request.get_full_path())

    return signed_in


def _keep(request: HttpRequest) -> None:
    values = request.POST.copy()
    values.pop("csrfmiddlewaretoken", None)
    text = values.urlencode()
    if len(text) <= MOST:
        request.session[KEY] = {"path": request.path, "values": text}
        request.session.set_expiry(HALF_AN_HOUR)


def recalled(request: HttpRequest) -> QueryDict | None:
    """What this page was sent before signing in, with a message that says so, once; None if there is nothing."""
    waiting = request.session.get(KEY)
    if waiting is None or waiting["path"] != request.path:
        return None
    del request.session[KEY]
    request.session.set_expiry(None)
    messages.info(request, _("You are signed in again. What you had typed stands here; it is not saved yet."))
    return QueryDict(waiting["values"])
