"""The hall's desk: what every screen shows and whether it listens, the clock of the round, messages."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from tournament.access.rules import get_actor, get_chosen_division, get_directed_tournament
from tournament.accounts.views.way_in import build_opening_address, build_way_in_context
from tournament.core.change import Actor
from tournament.hall.forms import CountdownForm, MessageForm, MinutesForm, NewScreenForm, ScreenForm, StreamForm
from tournament.hall.operations import (
    add_clock_minutes,
    add_screen,
    clear_hall_message,
    end_table_stream,
    hold_screen_pages,
    pause_round_clock,
    remove_screen,
    reset_round_clock,
    set_clock_sound,
    set_countdown,
    set_hall_message,
    set_round_clock,
    show_on_screen,
    show_slide,
    start_round_clock,
    stream_table,
    update_screen,
)
from tournament.hall.queries import ScreenListener, get_hall, list_listeners, list_screens, list_streamed_tables
from tournament.hall.views.contents import ScreenContents, ScreenPart, list_possible_contents
from tournament.hall.views.screens import get_screen_or_404
from tournament.hall.words import (
    describe_clock_end,
    describe_listeners,
    format_screen_name,
    list_minutes_choices,
)
from tournament.models import Hall, Screen, Tournament
from tournament.pages.forms import parse_key
from tournament.pages.frames import build_director_context, make_division_query
from tournament.pages.kept_input import login_required
from tournament.pages.requests import show_refusals
from tournament.pages.views import answer_state

ROWS_PREVIEWED = 3


def _build_ceremony_context(hall: Hall, screens: list[Screen]) -> dict[str, Any] | None:
    """Where the ceremony stands; None unless a screen shows it and there is something to show.

    The `slide` shown, of how many, those before and after it, its title, and whether the next ones come by themselves.
    """
    slides = ScreenContents(hall).slides if any(screen.shows_ceremony for screen in screens) else []
    if not slides:
        return None
    at = min(hall.ceremony_slide, len(slides) - 1)
    around = {"before": max(0, at - 1), "after": min(len(slides) - 1, at + 1)}
    return {"slide": at, "of": len(slides), **around, "title": slides[at].title, "runs": hall.ceremony_runs}


def _build_screen_context(screen: Screen, parts: list[ScreenPart], heard: list[ScreenListener]) -> dict[str, Any]:
    """A screen's card: a small picture of the first thing that it shows, and which browsers listen."""
    preview: dict[str, Any] = {"title": _("Nothing")}
    if parts:
        first = parts[0]
        lines = [" · ".join(cell for cell in row.cells if cell) for row in first.rows[:ROWS_PREVIEWED]]
        said = [first.sentence] if first.sentence else []
        preview = {"title": first.title, "lines": lines or said, "more": len(parts) - 1}
    listens = [each for each in heard if each.listens]
    lost = ""
    if heard and not listens:
        last = timezone.localtime(datetime.fromtimestamp(heard[0].at, UTC))
        lost = _("not heard since %(time)s") % {"time": date_format(last, "TIME_FORMAT")}
    return {
        "screen": screen,
        "name": format_screen_name(screen),
        "preview": preview,
        "choices": list_possible_contents(screen),
        "listening": describe_listeners([(each.width, each.height) for each in listens]),
        "lost": lost,
    }


def get_desk_state(tournament: Tournament, screens: list[Screen]) -> str:
    """What changes whenever the desk shows something else: the event's revision, and who listens."""
    heard = list_listeners(tournament.pk, [screen.number for screen in screens])
    listed = [
        f"{number}:{'+'.join(sorted(f'{each.width}x{each.height}' for each in found if each.listens))}"
        for number, found in heard.items()
    ]
    return f"{tournament.revision}-{','.join(listed)}"


@login_required
@require_GET
def show_hall(request: HttpRequest, slug: str) -> HttpResponse:
    """Every screen with what it shows, the clock, what is said."""
    return _render_desk(request, get_directed_tournament(request, slug))


@login_required
@require_safe
def answer_hall_news(request: HttpRequest, slug: str) -> HttpResponse:
    """Whether anything has changed at the desk: in the event, or in who listens."""
    tournament = get_directed_tournament(request, slug)
    return answer_state(request, get_desk_state(tournament, list_screens(tournament)))


def _render_desk(request: HttpRequest, tournament: Tournament, **forms: Any) -> HttpResponse:
    """The desk with forms that were refused, or fresh ones."""
    division = get_chosen_division(request, tournament)
    found, screens = get_hall(tournament), list_screens(tournament)
    contents, heard = ScreenContents(found), list_listeners(tournament.pk, [screen.number for screen in screens])
    context = {
        **build_director_context(tournament, division, "hall", tabs=False),
        "query": make_division_query(division),
        "hall": found,
        "cards": [_build_screen_context(screen, contents.of(screen), heard[screen.number]) for screen in screens],
        "state": get_desk_state(tournament, screens),
        "now": round(time.time() * 1000),  # milliseconds: this page is not cached
        "clock_means": describe_clock_end(tournament),
        "choices": list_minutes_choices(tournament),
        "minutes_form": MinutesForm(initial={"minutes": found.clock_seconds // 60}),
        "message_form": MessageForm(initial={"message": found.message, "covers": found.message_covers}),
        "countdown_form": CountdownForm(initial={"countdown_for": found.countdown_for, "at": found.countdown_to}),
        "new_form": NewScreenForm(auto_id="new_%s"),
        "ceremony": _build_ceremony_context(found, screens),
        "streamed": list_streamed_tables(tournament),
        "stream_form": StreamForm(),
        "screens_at": build_opening_address(request, reverse("public:screens", args=[tournament.slug])),
        **build_way_in_context(request, tournament),
        **forms,
    }
    return render(request, "tournament/hall/hall.html", context)


def _get_pressing_actor(request: HttpRequest) -> Actor:
    """Who presses a button of the desk. The last one pressed counts, whatever the page had shown."""
    return replace(get_actor(request), seen=None)


def _press_button(request: HttpRequest, slug: str, act: Callable[[Tournament, Actor], object]) -> HttpResponse:
    """Do what a button says, or say why not; back to the desk."""
    tournament = get_directed_tournament(request, slug)
    with show_refusals(request):
        act(tournament, _get_pressing_actor(request))
    return redirect("director:hall", slug)


CLOCK_BUTTONS: Mapping[str, Callable[[Tournament, Actor], object]] = {
    "start": lambda tournament, actor: start_round_clock(tournament, actor=actor),
    "pause": lambda tournament, actor: pause_round_clock(tournament, actor=actor),
    "more": lambda tournament, actor: add_clock_minutes(tournament, actor=actor),
    "less": lambda tournament, actor: add_clock_minutes(tournament, minutes=-1, actor=actor),
    "back": lambda tournament, actor: reset_round_clock(tournament, actor=actor),
    "sound": lambda tournament, actor: set_clock_sound(tournament, sounds=True, actor=actor),
    "silence": lambda tournament, actor: set_clock_sound(tournament, sounds=False, actor=actor),
}
"""The buttons of the clock."""


@login_required
@require_POST
def press_clock_button(request: HttpRequest, slug: str) -> HttpResponse:
    """Press one of the clock's buttons; any other leaves it alone."""
    act = CLOCK_BUTTONS.get(request.POST.get("do", ""))
    return _press_button(request, slug, act or (lambda _tournament, _actor: None))


@login_required
@require_POST
def set_clock_minutes(request: HttpRequest, slug: str) -> HttpResponse:
    """Set the clock to the minutes typed or chosen."""
    tournament = get_directed_tournament(request, slug)
    form = MinutesForm(request.POST)
    if form.done(lambda data: set_round_clock(tournament, **data, actor=_get_pressing_actor(request))):
        return redirect("director:hall", slug)
    return _render_desk(request, tournament, minutes_form=form)


@login_required
@require_POST
def send_hall_message(request: HttpRequest, slug: str) -> HttpResponse:
    """Say something on every screen."""
    tournament = get_directed_tournament(request, slug)
    form = MessageForm(request.POST)
    if form.done(lambda data: set_hall_message(tournament, **data, actor=_get_pressing_actor(request))):
        return redirect("director:hall", slug)
    return _render_desk(request, tournament, message_form=form)


@login_required
@require_POST
def take_hall_message_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Take the message back."""
    return _press_button(request, slug, lambda tournament, actor: clear_hall_message(tournament, actor=actor))


@login_required
@require_POST
def start_countdown(request: HttpRequest, slug: str) -> HttpResponse:
    """Count down to a time of day, or to nothing any more."""
    tournament = get_directed_tournament(request, slug)
    form = CountdownForm(request.POST)

    def act(data: dict[str, Any]) -> None:
        set_countdown(tournament, to=data["at"], what=data["countdown_for"], actor=_get_pressing_actor(request))

    if form.done(act):
        return redirect("director:hall", slug)
    return _render_desk(request, tournament, countdown_form=form)


@login_required
@require_POST
def show_ceremony_slide(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the slide of the button pressed, or (`runs`) let those from it on follow by themselves."""
    slide, runs = parse_key(request.POST.get("slide", "")), request.POST.get("runs")
    wanted = slide if slide is not None else parse_key(runs or "")

    def act(tournament: Tournament, actor: Actor) -> None:
        if wanted is not None:
            show_slide(tournament, slide=wanted, runs=slide is None, actor=actor)

    return _press_button(request, slug, act)


@login_required
@require_POST
def start_stream(request: HttpRequest, slug: str) -> HttpResponse:
    """Let everybody see the board of a table of the division as it is typed."""
    tournament = get_directed_tournament(request, slug)
    division = get_chosen_division(request, tournament)
    form = StreamForm(request.POST)
    if form.done(lambda data: stream_table(division, **data, actor=_get_pressing_actor(request))):
        return redirect("director:hall", slug)
    return _render_desk(request, tournament, stream_form=form)


@login_required
@require_POST
def end_stream(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Let nobody see the board of table `number` of the division any more."""
    division = get_chosen_division(request, get_directed_tournament(request, slug))
    end_table_stream(division, table=number, actor=_get_pressing_actor(request))
    return redirect("director:hall", slug)


@login_required
@require_POST
def add_hall_screen(request: HttpRequest, slug: str) -> HttpResponse:
    """Set up one more screen."""
    tournament = get_directed_tournament(request, slug)
    form = NewScreenForm(request.POST, auto_id="new_%s")
    if form.done(lambda data: add_screen(tournament, **data, actor=get_actor(request))):
        messages.success(request, _("The screen is added. Open its address on it."))
        return redirect("director:hall", slug)
    return _render_desk(request, tournament, new_form=form)


@login_required
@require_http_methods(["GET", "POST"])
def edit_screen(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """What a screen is called, what it shows in turn, of which division, and how it looks."""
    tournament = get_directed_tournament(request, slug)
    screen = get_screen_or_404(tournament, number)
    form = ScreenForm(request.POST or None, screen=screen, offered=list_possible_contents(screen))
    actor = get_actor(request)
    if form.done(lambda _data: update_screen(tournament, number, plan=form.plan(), actor=actor)):
        messages.success(request, _("Saved."))
        return redirect("director:hall", slug)
    context = {
        **build_director_context(tournament, get_chosen_division(request, tournament), "hall", tabs=False),
        "screen": screen,
        "name": format_screen_name(screen),
        "form": form,
        "is_stored": screen.pk is not None,
    }
    return render(request, "tournament/hall/director_screen.html", context)


@login_required
@require_POST
def choose_screen_content(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Tell a screen what to show; what cannot be shown in this event changes nothing."""

    def act(tournament: Tournament, actor: Actor) -> None:
        wanted = request.POST.get("shows", "")
        if wanted in list_possible_contents(get_screen_or_404(tournament, number)):
            show_on_screen(tournament, number, shows=Screen.Shows(wanted), actor=actor)

    return _press_button(request, slug, act)


@login_required
@require_POST
def hold_hall_screen(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Let the pages of a screen stand, or turn again."""

    def act(tournament: Tournament, actor: Actor) -> None:
        get_screen_or_404(tournament, number)
        hold_screen_pages(tournament, number, paused=request.POST.get("held") == "yes", actor=actor)

    return _press_button(request, slug, act)


@login_required
@require_POST
def remove_hall_screen(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Take a screen away."""
    tournament = get_directed_tournament(request, slug)
    get_screen_or_404(tournament, number)
    with show_refusals(request):
        remove_screen(tournament, number, actor=get_actor(request))
        messages.success(request, _("The screen is removed; this can be undone in the journal."))
    return redirect("director:hall", slug)
