"""The hall's desk: what every screen shows and whether it listens, the clock of the round, messages."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from tournament import access
from tournament.forms.fields import key
from tournament.forms.hall import CountdownForm, MessageForm, MinutesForm, NewScreenForm, ScreenForm, StreamForm
from tournament.models import Screen, Tournament
from tournament.operations import hall, hall_ceremony, hall_clock, hall_message, hall_stream
from tournament.operations.change import Actor
from tournament.queries import hall as queries
from tournament.views import ways_in
from tournament.views.director import button_refusals, hall_cards, way_in
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import query, shell
from tournament.views.public.news import answer
from tournament.views.screens.contents import possible
from tournament.words import hall as words


@login_required
@require_GET
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Every screen with what it shows, the clock, what is said."""
    return _desk(request, access.directed_tournament(request, slug))


@login_required
@require_safe
def news(request: HttpRequest, slug: str) -> HttpResponse:
    """Whether anything has changed at the desk: in the event, or in who listens."""
    tournament = access.directed_tournament(request, slug)
    return answer(request, hall_cards.state(tournament, queries.screens(tournament)))


def _desk(request: HttpRequest, tournament: Tournament, **forms: Any) -> HttpResponse:
    """The desk with forms that were refused, or fresh ones."""
    division = access.division_of(request, tournament)
    found, screens = queries.hall_of(tournament), queries.screens(tournament)
    context = {
        **shell(tournament, division, "hall", tabs=False),
        "query": query(division),
        "hall": found,
        "cards": hall_cards.cards(found, screens),
        "state": hall_cards.state(tournament, screens),
        "now": hall_cards.now(),
        "clock_means": words.clock_means(tournament),
        "choices": words.minutes_choices(tournament),
        "minutes_form": MinutesForm(initial={"minutes": found.clock_seconds // 60}),
        "message_form": MessageForm(initial={"message": found.message, "covers": found.message_covers}),
        "countdown_form": CountdownForm(initial={"countdown_for": found.countdown_for, "at": found.countdown_to}),
        "new_form": NewScreenForm(auto_id="new_%s"),
        "ceremony": hall_cards.ceremony(found, screens),
        "streamed": queries.streamed_tables(tournament),
        "stream_form": StreamForm(),
        "screens_at": ways_in.opened_at(request, reverse("public:screens", args=[tournament.slug])),
        **way_in.summary(request, tournament),
        **forms,
    }
    return render(request, "director/hall.html", context)


def _pressing(request: HttpRequest) -> Actor:
    """Who presses a button of the desk. The last one pressed counts, whatever the page had shown."""
    return replace(access.actor(request), seen=None)


def _pressed(request: HttpRequest, slug: str, act: Callable[[Tournament, Actor], object]) -> HttpResponse:
    """Do what a button says, or say why not; back to the desk."""
    tournament = access.directed_tournament(request, slug)
    with button_refusals.refusals(request):
        act(tournament, _pressing(request))
    return redirect("director:hall", slug)


CLOCK: Mapping[str, Callable[[Tournament, Actor], object]] = {
    "start": lambda tournament, actor: hall_clock.start_clock(tournament, actor=actor),
    "pause": lambda tournament, actor: hall_clock.pause_clock(tournament, actor=actor),
    "more": lambda tournament, actor: hall_clock.add_minute(tournament, actor=actor),
    "less": lambda tournament, actor: hall_clock.add_minute(tournament, minutes=-1, actor=actor),
    "back": lambda tournament, actor: hall_clock.reset_clock(tournament, actor=actor),
    "sound": lambda tournament, actor: hall_clock.let_sound(tournament, sounds=True, actor=actor),
    "silence": lambda tournament, actor: hall_clock.let_sound(tournament, sounds=False, actor=actor),
}
"""The buttons of the clock."""


@login_required
@require_POST
def clock(request: HttpRequest, slug: str) -> HttpResponse:
    """Press one of the clock's buttons; any other leaves it alone."""
    act = CLOCK.get(request.POST.get("do", ""))
    return _pressed(request, slug, act or (lambda _tournament, _actor: None))


@login_required
@require_POST
def minutes(request: HttpRequest, slug: str) -> HttpResponse:
    """Set the clock to the minutes typed or chosen."""
    tournament = access.directed_tournament(request, slug)
    form = MinutesForm(request.POST)
    if form.done(lambda data: hall_clock.set_clock(tournament, **data, actor=_pressing(request))):
        return redirect("director:hall", slug)
    return _desk(request, tournament, minutes_form=form)


@login_required
@require_POST
def message(request: HttpRequest, slug: str) -> HttpResponse:
    """Say something on every screen."""
    tournament = access.directed_tournament(request, slug)
    form = MessageForm(request.POST)
    if form.done(lambda data: hall_message.say(tournament, **data, actor=_pressing(request))):
        return redirect("director:hall", slug)
    return _desk(request, tournament, message_form=form)


@login_required
@require_POST
def take_message_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Take the message back."""
    return _pressed(request, slug, lambda tournament, actor: hall_message.take_back(tournament, actor=actor))


@login_required
@require_POST
def countdown(request: HttpRequest, slug: str) -> HttpResponse:
    """Count down to a time of day, or to nothing any more."""
    tournament = access.directed_tournament(request, slug)
    form = CountdownForm(request.POST)

    def act(data: dict[str, Any]) -> None:
        hall_message.count_down(tournament, to=data["at"], what=data["countdown_for"], actor=_pressing(request))

    if form.done(act):
        return redirect("director:hall", slug)
    return _desk(request, tournament, countdown_form=form)


@login_required
@require_POST
def ceremony(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the slide of the button pressed, or (`runs`) let those from it on follow by themselves."""
    slide, runs = key(request.POST.get("slide", "")), request.POST.get("runs")
    wanted = slide if slide is not None else key(runs or "")

    def act(tournament: Tournament, actor: Actor) -> None:
        if wanted is not None:
            hall_ceremony.show_slide(tournament, slide=wanted, runs=slide is None, actor=actor)

    return _pressed(request, slug, act)


@login_required
@require_POST
def stream(request: HttpRequest, slug: str) -> HttpResponse:
    """Let everybody see the board of a table of the division as it is typed."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    form = StreamForm(request.POST)
    if form.done(lambda data: hall_stream.stream_table(division, **data, actor=_pressing(request))):
        return redirect("director:hall", slug)
    return _desk(request, tournament, stream_form=form)


@login_required
@require_POST
def end_stream(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Let nobody see the board of table `number` of the division any more."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    hall_stream.end_stream(division, table=number, actor=_pressing(request))
    return redirect("director:hall", slug)


@login_required
@require_POST
def add(request: HttpRequest, slug: str) -> HttpResponse:
    """Set up one more screen."""
    tournament = access.directed_tournament(request, slug)
    form = NewScreenForm(request.POST, auto_id="new_%s")
    if form.done(lambda data: hall.add_screen(tournament, **data, actor=access.actor(request))):
        messages.success(request, _("The screen is added. Open its address on it."))
        return redirect("director:hall", slug)
    return _desk(request, tournament, new_form=form)


@login_required
@require_http_methods(["GET", "POST"])
def set_up(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """How a screen is called, what it shows in turn, of which division, and how it looks."""
    tournament = access.directed_tournament(request, slug)
    screen = _screen(tournament, number)
    form = ScreenForm(request.POST or None, screen=screen, offered=possible(screen))
    actor = access.actor(request)
    if form.done(lambda _data: hall.set_up_screen(tournament, number, plan=form.plan(), actor=actor)):
        messages.success(request, _("Saved."))
        return redirect("director:hall", slug)
    context = {
        **shell(tournament, access.division_of(request, tournament), "hall", tabs=False),
        "screen": screen,
        "name": words.screen_name(screen),
        "form": form,
        "is_stored": screen.pk is not None,
    }
    return render(request, "director/screen.html", context)


@login_required
@require_POST
def show(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Tell a screen what to show; what cannot be shown in this event changes nothing."""

    def act(tournament: Tournament, actor: Actor) -> None:
        wanted = request.POST.get("shows", "")
        found = next((each for each in possible(_screen(tournament, number)) if each == wanted), None)
        if found is not None:
            hall.show_on_screen(tournament, number, shows=found, actor=actor)

    return _pressed(request, slug, act)


@login_required
@require_POST
def hold(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Let the pages of a screen stand, or turn again."""

    def act(tournament: Tournament, actor: Actor) -> None:
        _screen(tournament, number)
        hall.hold_pages(tournament, number, paused=request.POST.get("held") == "yes", actor=actor)

    return _pressed(request, slug, act)


@login_required
@require_POST
def remove(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Take a screen away."""
    tournament = access.directed_tournament(request, slug)
    _screen(tournament, number)
    with button_refusals.refusals(request):
        hall.remove_screen(tournament, number, actor=access.actor(request))
        messages.success(request, _("The screen is removed; this can be undone in the journal."))
    return redirect("director:hall", slug)


def _screen(tournament: Tournament, number: int) -> Screen:
    """A screen by its number; 404 if there is none."""
    found = next((each for each in queries.screens(tournament) if each.number == number), None)
    if found is None:
        raise Http404(_("There is no screen %(number)s.") % {"number": number})
    return found
