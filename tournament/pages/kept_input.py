"""Input sent after a session expired, kept in a new session until its owner signs in again. Only where somebody was
signed in before: of a stranger nothing is stored, or anybody could fill the database."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament.access.rules import may_work
from tournament.access.signing_in import was_somebody_here

KEPT_INPUT_KEY = "typed_before_sign_in"
MAX_KEPT_CHARACTERS = 60_000
"""Nobody types more, and nobody may send more without signing in (`ANONYMOUS_UPLOAD_LIMIT`)."""

HALF_AN_HOUR = 30 * 60

UNTYPED_FIELDS = frozenset(
    {"asked", "disturbs", "from", "next", "once", "register", "revision", "seen", "shown", "version"}
)
"""Fields that pages send but nobody types."""

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def login_required(view: View[P]) -> View[P]:
    """Decorator: only for those who signed in or opened a code. A post without a session is kept until they do; a
    script's gets a 401, because its page is still open with the input."""
    return _guard_view(view, lambda _request: reverse("director:kept_input"))


def signed_in_page(*methods: str) -> Callable[[View[P]], View[P]]:
    """Decorate a view for those who signed in or opened a code, as `login_required`: these methods."""

    def decorate(view: View[P]) -> View[P]:
        return login_required(require_http_methods(methods)(view))

    return decorate


def login_required_with_recall(view: View[P]) -> View[P]:
    """As `login_required`, for a page that puts kept input back into its own form (`take_recalled_input`)."""
    return _guard_view(view, lambda request: request.get_full_path())


def _guard_view(view: View[P], back: Callable[[HttpRequest], str]) -> View[P]:
    """Guard the view; a kept post leads to the address that `back` gives after signing in."""

    @wraps(view)
    def signed_in(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if may_work(request):
            waiting = request.session.get(KEPT_INPUT_KEY)
            # What was kept is sent again by this very post: left in the session it would be offered once more.
            if request.method == "POST" and waiting is not None and waiting["path"] == request.path:
                _take_input(request)  # now sent again, signed in
            return view(request, *args, **kwargs)
        # A script would put the sign-in page into the middle of the one that is open, with what was typed under it.
        if request.headers.get("HX-Request"):
            return HttpResponse(status=401)
        if request.method == "POST" and _keep_input(request):
            return redirect_to_login(back(request))
        is_read = request.method in ("GET", "HEAD")
        return redirect_to_login(request.get_full_path() if is_read else reverse("director:home"))

    return signed_in


def _keep_input(request: HttpRequest) -> bool:
    """Keep the input, if it is not too long and no stranger's; else the next page says so."""
    if not was_somebody_here(request):
        messages.error(request, _("Nobody is signed in here, so nothing was saved. Go back in the browser to copy it."))
        return False
    values = request.POST.copy()
    # Signing in gives the browser a new one: the old one would be refused with what was kept.
    values.pop("csrfmiddlewaretoken", None)
    text = values.urlencode()
    if len(text) > MAX_KEPT_CHARACTERS:
        messages.error(
            request, _("You were signed out, and your input is too long to be kept. Go back in the browser to copy it.")
        )
        return False
    files = [file.name for name in request.FILES for file in request.FILES.getlist(name)]
    request.session[KEPT_INPUT_KEY] = {
        "path": request.path,
        "address": request.get_full_path(),
        "values": text,
        "files": files,
    }
    # Nobody is signed in: what was typed at a machine of the hall is not to lie there for as long as a session lasts.
    request.session.set_expiry(HALF_AN_HOUR)
    return True


def _take_input(request: HttpRequest) -> dict[str, Any]:
    waiting: dict[str, Any] = request.session.pop(KEPT_INPUT_KEY)
    request.session.set_expiry(None)
    return waiting


def take_recalled_input(request: HttpRequest) -> QueryDict | None:
    """The input kept for this page, once, with a message that says so; None if there is none."""
    waiting = request.session.get(KEPT_INPUT_KEY)
    if waiting is None or waiting["path"] != request.path:
        return None
    _take_input(request)
    messages.info(request, _("You are signed in again. What you typed is still here, but not saved yet."))
    return QueryDict(waiting["values"])


@login_required
@require_http_methods(["GET", "POST"])
def show_kept_input(request: HttpRequest) -> HttpResponse:
    """Show the kept input, to be sent now; POST throws it away."""
    waiting = request.session.get(KEPT_INPUT_KEY)
    if waiting is None:
        return redirect("director:home")
    if request.method == "POST":
        _take_input(request)
        messages.info(request, _("What you typed is discarded."))
        return redirect("director:home")
    values = [(name, value) for name, texts in QueryDict(waiting["values"]).lists() for value in texts]
    # A form with a prefix names its fields `prefix-field`: the last part tells which one it is.
    texts = [value for name, value in values if value.strip() and name.rpartition("-")[2] not in UNTYPED_FIELDS]
    context = {"address": waiting["address"], "values": values, "typed": texts, "files": waiting["files"]}
    return render(request, "tournament/pages/kept_input.html", context)
