"""Helpers of views: showing refusals, forms that must not act twice, reading the query string."""

import re
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib import messages
from django.core.cache import cache
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from tournament.access.rules import get_directed_tournament
from tournament.access.signing_in import TooManyAttempts
from tournament.basics import limits
from tournament.basics.names import normalise_text
from tournament.basics.refusals import Refusal, Refusals
from tournament.core.public_view import build_rounds_filter
from tournament.core.seen import SentTwice
from tournament.models import Division, Round, Tournament
from tournament.pages.frames import make_division_address, make_division_query
from tournament.pages.kept_input import login_required


@contextmanager
def show_refusals(request: HttpRequest) -> Iterator[None]:
    """Show a refusal raised inside above the next page, for buttons, and go on after the block."""
    try:
        yield
    except (Refusal, Refusals) as refused:
        show_refusal(request, refused)


def show_refusal(request: HttpRequest, refused: Refusal | Refusals) -> None:
    """Show a refusal above the next page; as an error, unless a button was just pressed twice."""
    say = messages.info if isinstance(refused, SentTwice) else messages.error
    say(request, str(refused))


def render_wait(
    request: HttpRequest, many: TooManyAttempts, template: str, context: dict[str, Any] | None = None, again: str = ""
) -> HttpResponse:
    """A page that says for how long to wait (`wait_seconds`, `wait_minutes`); it goes to `again` by itself then."""
    # Rounded up: whoever comes back after the minutes that the page names has to be let in.
    wait = {"wait_seconds": many.seconds, "wait_minutes": -(-many.seconds // 60), "again": again}
    response = render(request, template, {**(context or {}), **wait}, status=429)
    response.headers["Retry-After"] = str(many.seconds)
    if again:
        response.headers["Refresh"] = f"{many.seconds};url={again}"
    return response


TOKEN_PATTERN = re.compile(r"[0-9A-Za-z]{1,64}")
KEPT_SECONDS = 86400
WAIT_SECONDS = 20.0
WAIT_STEP = 0.1


class SingleSubmission:
    """A form that must not act twice: sending it again leads to where the first sending led. The form holds `token` in
    a hidden field named `once`."""

    def __init__(self, request: HttpRequest) -> None:
        token = request.POST.get("once", "")
        self.token = token if TOKEN_PATTERN.fullmatch(token) else uuid.uuid4().hex
        # With the account: a token is only a text that the browser sends, and another one's must not lead to what
        # somebody else has made.
        self._key = f"once:{request.user.pk}:{self.token}"

    def run(self, act: Callable[[], str]) -> str:
        """Call `act`, which returns the address to go to, or return the address of the first sending. If `act` raises,
        the form can be sent again."""
        # `add` asks and notes in one step: asked with `get` first, both presses of a double one would find nothing.
        if not cache.add(self._key, "", KEPT_SECONDS):
            return self._wait_for_address()
        try:
            address = act()
        except BaseException:
            # Forgotten again: what was refused may be sent a second time with the fault mended, under the same token.
            cache.delete(self._key)
            raise
        cache.set(self._key, address, KEPT_SECONDS)
        return address

    def _wait_for_address(self) -> str:
        """Where the first sending led, once it is done."""
        until = time.monotonic() + WAIT_SECONDS
        while not (address := cache.get(self._key)) and time.monotonic() < until:
            time.sleep(WAIT_STEP)
        # Still at it, or refused meanwhile: the list of tournaments shows which of the two.
        return address or reverse("director:home")


P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, Tournament, P], HttpResponse]
DirectorView = Callable[Concatenate[HttpRequest, Tournament, P], HttpResponseBase]
DirectorPage = Callable[Concatenate[HttpRequest, str, P], HttpResponseBase]


def director_page(
    *methods: str, offered: Callable[[], bool] = lambda: True
) -> Callable[[DirectorView[P]], DirectorPage[P]]:
    """Decorate a view for those who work at a tournament: these methods, signed in or by a code (`login_required`). The
    view is passed the tournament of the address, as `get_directed_tournament`, with its 404 and 403. 404 as well where
    this installation has not `offered` the page."""

    def decorate(view: DirectorView[P]) -> DirectorPage[P]:
        @login_required  # type: ignore[arg-type]  # Django passes the slug by name, which a ParamSpec cannot say
        @require_http_methods(methods)
        @wraps(view)
        def shown(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            tournament = get_directed_tournament(request, slug)
            if not offered():
                raise Http404
            return view(request, tournament, *args, **kwargs)

        return shown  # type: ignore[return-value]  # as above

    return decorate


def paired_events_only(view: View[P]) -> View[P]:
    """Decorator for public pages about pairs: an event without pairs shows its duplicate session instead."""

    @wraps(view)
    def shown(request: HttpRequest, tournament: Tournament, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not tournament.rules.is_paired:
            return redirect("games:duplicate_public", tournament.slug)
        return view(request, tournament, *args, **kwargs)

    return shown


def redirect_to_session(division: Division) -> HttpResponse | None:
    """To the director's page of the duplicate session; None if the event has pairs."""
    tournament = division.tournament
    if tournament.rules.is_paired:
        return None
    return redirect(reverse("games:duplicate", args=[tournament.slug]) + make_division_query(division))


def redirect_to_division(
    page: str, division: Division, number: int | None, missing: Http404, *, drafts: bool = False
) -> HttpResponse:
    """Where the tab of a division leads from another one's round or table of this number, which this division has not
    got: to a page of the division. Raises what is `missing` if no other one has it either, as far as is seen."""
    if number is None:
        raise missing
    # Groups are not all as far: a tab that led to round 5 of a group in round 4 ended at “page not found”. An address
    # with a round that no group has is still one that does not exist.
    others = Round.objects.filter(build_rounds_filter(), division__tournament=division.tournament_id, number=number)
    if not (others if drafts else others.public()).exclude(division=division).exists():
        raise missing
    return redirect(make_division_address(page, division))


MAX_QUERY_DIGITS = 4  # of a round, a turn or a table


def read_search_text(request: HttpRequest) -> str:
    """The tidied text of `?q=`; "" without one."""
    # PostgreSQL refuses a text with a zero in it, wherever it is compared.
    return normalise_text(request.GET.get("q", "").replace("\0", ""))[: limits.SEARCH]


def paginate_rows(request: HttpRequest, rows: QuerySet[Any] | Sequence[Any], size: int) -> Page[Any]:
    """The page of a long list that `?page=` asks for, or the nearest; by default the first."""
    return Paginator(rows, size).get_page(request.GET.get("page"))


def read_query_number(request: HttpRequest, name: str, default: int) -> int | None:
    """A whole number from the query, `default` without one; None for anything else."""
    text = request.GET.get(name, "")
    if not text:
        return default
    # A number that no column can hold is an error of the database, and int() reads the digits of every script.
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MAX_QUERY_DIGITS else None
