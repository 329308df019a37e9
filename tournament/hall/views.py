"""The hall's desk (every screen, whether it listens, the clock of the round, messages), and the screens themselves."""

import re
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from django.contrib import messages
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.access.rules import get_actor, get_chosen_division, get_latest_actor, get_public_tournament
from tournament.accounts.views.way_in import build_opening_address, build_way_in_context
from tournament.basics import limits
from tournament.basics.pictures import build_picture_response
from tournament.core.change import Actor
from tournament.core.public_view import get_public_view, list_held_rounds
from tournament.hall.ceremony import list_divisions_not_over
from tournament.hall.contents import ScreenContents, list_possible_contents
from tournament.hall.desk import (
    describe_legibility,
    describe_running_round,
    find_moment,
    list_next_keys,
    make_ceremony_at_desk,
    make_screen_tab,
)
from tournament.hall.forms import (
    CountdownForm,
    DepthForm,
    MessageForm,
    MinutesForm,
    NewScreenForm,
    ScreenForm,
    StreamDelayForm,
    StreamForm,
    ThanksForm,
)
from tournament.hall.listening import list_listeners, note_listener
from tournament.hall.operations import (
    add_clock_minutes,
    add_screen,
    clear_hall_message,
    end_table_stream,
    hold_screen_pages,
    honour_division_earlier,
    keep_slide,
    pause_round_clock,
    remove_screen,
    reset_round_clock,
    set_clock_sound,
    set_countdown,
    set_hall_depth,
    set_hall_message,
    set_round_clock,
    set_stream_delay,
    set_thanks,
    show_on_screen,
    show_slide,
    skip_slide,
    start_round_clock,
    stream_table,
    update_screen,
)
from tournament.hall.parts import ScreenPart
from tournament.hall.queries import get_hall, list_screens, list_streamed_tables, sort_for_ceremony
from tournament.hall.words import describe_clock_end, format_screen_name, list_minutes_choices
from tournament.models import Division, Hall, Portrait, Screen, Tournament
from tournament.pages.caching import CACHED_SECONDS, cache_public_page, forbid_caching
from tournament.pages.forms import OperationForm, parse_key
from tournament.pages.frames import build_director_context, make_division_query
from tournament.pages.requests import director_page, show_refusals
from tournament.pages.views import answer_state
from tournament.rounds.phase import DirectorStep


def get_desk_state(tournament: Tournament, screens: list[Screen]) -> str:
    """A text that changes whenever the desk shows something else: the event's revision, and who listens."""
    # Sorted: listeners come in the order in which they asked last, which is another one at every question, and the desk
    # would be loaded again each time.
    sizes = {
        number: sorted(
            f"{listener.width}x{listener.height}x{listener.letters}" for listener in listeners if listener.listens
        )
        for number, listeners in list_listeners(tournament.pk, [screen.number for screen in screens]).items()
    }
    listed = [f"{number}:{'+'.join(of_screen)}" for number, of_screen in sizes.items()]
    return f"{tournament.revision}-{','.join(listed)}"


@director_page("GET")
def show_hall(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Every screen with what it shows, the clock, what is said."""
    return _render_desk(request, tournament)


@director_page("GET", "HEAD")
def answer_hall_news(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Whether anything has changed at the desk: in the event, or in who listens."""
    return answer_state(request, get_desk_state(tournament, list_screens(tournament)))


def _render_desk(request: HttpRequest, tournament: Tournament, **forms: Any) -> HttpResponse:
    """The desk with forms that were refused, or fresh ones."""
    division = get_chosen_division(request, tournament)
    hall, screens = get_hall(tournament), list_screens(tournament)
    screen_number = _get_wanted_screen(request)
    screen = next((choice for choice in screens if choice.number == screen_number), screens[0])
    contents, heard = ScreenContents(hall), list_listeners(tournament.pk, [choice.number for choice in screens])
    parts = contents.of(screen)
    context = {
        **build_director_context(tournament, division, "hall", tabs=False),
        "query": make_division_query(division),
        "hall": hall,
        "tabs": [make_screen_tab(choice, heard[choice.number]) for choice in screens],
        "chosen": make_screen_tab(screen, heard[screen.number]),
        "part": parts[0],
        "more": len(parts) - 1,
        "is_covered": _is_covered(hall, screen),
        "legibility": describe_legibility(hall, screen, heard[screen.number]),
        **_build_next_context(division, contents, screens, screen),
        "state": get_desk_state(tournament, screens),
        "now": round(time.time() * 1000),  # milliseconds: this page is not cached
        "clock_means": describe_clock_end(tournament),
        "choices": list_minutes_choices(tournament),
        "streamed": list_streamed_tables(tournament),
        "screens_at": build_opening_address(request, reverse("public:screens", args=[tournament.slug])),
        "minutes_form": MinutesForm(initial={"minutes": hall.clock_seconds // 60}),
        "message_form": MessageForm(initial={"message": hall.message, "covers": hall.message_covers}),
        "countdown_form": CountdownForm(initial={"countdown_for": hall.countdown_for, "at": hall.countdown_to}),
        "thanks_form": ThanksForm(initial={"thanks": hall.thanks}),
        "depth_form": DepthForm(initial={"depth": hall.depth}),
        "new_form": NewScreenForm(auto_id="new_%s"),
        "stream_form": StreamForm(),
        # Ids of its own: the clock's form on the same page has a field of this name, too.
        "delay_form": StreamDelayForm(auto_id="delay_%s", initial={"minutes": hall.stream_delay}),
        **build_way_in_context(request, tournament),
        **forms,
    }
    return render(request, "tournament/hall/hall.html", context)


def _build_next_context(
    division: Division, contents: ScreenContents, screens: list[Screen], screen: Screen
) -> dict[str, Any]:
    """What may come next on a screen, by the first division that is not over: the `keys`, all `contents`, the `others`
    among them, and where the `ceremony` stands once there is one, in which order the divisions are `honoured` where
    there are several, and what is `held` back at its end."""
    hall, several = contents.hall, len(contents.divisions) > 1
    moments = (
        [(find_moment(other), other) for other in contents.divisions]
        if several
        else [(find_moment(division), division)]
    )
    step, division = next((moment for moment in moments if moment[0] != DirectorStep.FINISHED), moments[0])
    is_over = (
        any(moment == DirectorStep.FINISHED for moment, _division in moments)
        or hall.tournament.is_ended
        or any(screen.shows_ceremony for screen in screens)
    )
    # They cost the final ranking, prizes and turning points of every division, and the desk is asked all day.
    slides = contents.slides if is_over else []
    missing = list_divisions_not_over(contents.divisions) if slides and several else []
    ceremony = make_ceremony_at_desk(hall, slides, contents.divisions, missing)
    is_ceremony = screen.shows == Screen.Shows.CEREMONY and ceremony is not None
    is_at_end = hall.ceremony_runs or (ceremony is not None and ceremony["following"] is None)
    keys, offered = list_next_keys(hall, division, screen, step), list_possible_contents(screen)
    return {
        "keys": keys,
        "contents": offered,
        "others": [content for content in offered if content not in {screen.shows, *(key["shows"] for key in keys)}],
        "is_ceremony": is_ceremony,
        "ceremony": ceremony,
        "honoured": sort_for_ceremony(contents.divisions) if several else [],
        "began": "" if is_ceremony else describe_running_round(division),
        # Offered only at the last slide: one press earlier, and every phone would have the winner before the glass.
        "held": list_held_rounds(hall.tournament) if is_ceremony and is_at_end else [],
    }


def _is_covered(hall: Hall, screen: Screen) -> bool:
    """Whether a screen shows the message instead of everything else."""
    return hall.message_covers and bool(hall.message) and screen.shows != Screen.Shows.CEREMONY


def _get_wanted_screen(request: HttpRequest) -> int | None:
    """The number of the screen that the desk is about, as its links and forms say; None for the first."""
    return parse_key(request.POST.get("screen", "") or request.GET.get("screen", ""))


def _return_to_desk(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    screen_number = _get_wanted_screen(request)
    query = f"?screen={screen_number}" if screen_number is not None else ""
    return redirect(reverse("director:hall", args=[tournament.slug]) + query)


CLOCK_BUTTONS: Mapping[str, Callable[..., object]] = {
    "start": start_round_clock,
    "pause": pause_round_clock,
    "more": add_clock_minutes,
    "less": partial(add_clock_minutes, minutes=-1),
    "back": reset_round_clock,
    "sound": partial(set_clock_sound, sounds=True),
    "silence": partial(set_clock_sound, sounds=False),
}
"""The buttons of the clock."""


def _press_button(request: HttpRequest, tournament: Tournament, act: Callable[..., object]) -> HttpResponse:
    """Do what a button says or say why it cannot be done; then back to the desk."""
    with show_refusals(request):
        # By what is there now, whatever the page showed: a desk that is a minute old must not be refused the clock's
        # button.
        act(tournament, actor=get_latest_actor(request))
    return _return_to_desk(request, tournament)


def _submit_desk_form(
    request: HttpRequest, tournament: Tournament, act: Callable[..., object], **sent: OperationForm
) -> HttpResponse:
    """Do what the one form that was `sent` says; if it was refused, show the desk again with that form under its
    name."""
    (form,) = sent.values()
    if form.done(lambda typed: act(**typed, actor=get_latest_actor(request))):
        return _return_to_desk(request, tournament)
    return _render_desk(request, tournament, **sent)


@director_page("POST")
def press_clock_button(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Press one of the clock's buttons; any other leaves it alone."""
    act = CLOCK_BUTTONS.get(request.POST.get("do", ""))
    return _press_button(request, tournament, act) if act else _return_to_desk(request, tournament)


@director_page("POST")
def set_clock_minutes(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Set the clock to the minutes typed or chosen."""
    act = partial(set_round_clock, tournament)
    return _submit_desk_form(request, tournament, act, minutes_form=MinutesForm(request.POST))


@director_page("POST")
def send_hall_message(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Say something on every screen."""
    act = partial(set_hall_message, tournament)
    return _submit_desk_form(request, tournament, act, message_form=MessageForm(request.POST))


@director_page("POST")
def take_hall_message_back(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Take the message back."""
    return _press_button(request, tournament, clear_hall_message)


@director_page("POST")
def start_countdown(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Count down to a time of day, or to nothing any more."""
    act = partial(set_countdown, tournament)
    return _submit_desk_form(request, tournament, act, countdown_form=CountdownForm(request.POST))


@director_page("POST")
def edit_thanks(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Say whom the last slide of the ceremony thanks."""
    act = partial(set_thanks, tournament)
    return _submit_desk_form(request, tournament, act, thanks_form=ThanksForm(request.POST))


@director_page("POST")
def edit_hall_depth(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Note how deep the hall is."""
    act = partial(set_hall_depth, tournament)
    return _submit_desk_form(request, tournament, act, depth_form=DepthForm(request.POST))


def _show_chosen_slide(tournament: Tournament, *, slide: int, runs: bool, actor: Actor) -> None:
    """Show the slide that has this number now, and go on showing it when it gets another."""
    slides = ScreenContents(get_hall(tournament)).slides
    # A page that is older may have more slides: the number alone then leads to the last one.
    key = slides[slide].key if slide < len(slides) else ""
    show_slide(tournament, slide=slide, runs=runs, key=key, actor=actor)


SLIDE_BUTTONS: Mapping[str, Callable[..., object]] = {
    "slide": partial(_show_chosen_slide, runs=False),
    "runs": partial(_show_chosen_slide, runs=True),
    "skip": skip_slide,
    "keep": keep_slide,
    "earlier": lambda tournament, *, slide, actor: honour_division_earlier(tournament, division=slide, actor=actor),
}
"""The buttons of the ceremony, each with the number of a slide; `earlier` with the id of a division."""


@director_page("POST")
def show_ceremony_slide(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the slide of the button pressed, let those from it on follow by themselves (`runs`), leave one out (`skip`)
    or take it in again (`keep`), or honour a division one place earlier (`earlier`)."""
    for name, act in SLIDE_BUTTONS.items():
        # Number 0 is the title: a button that was not pressed is none, and not 0.
        if (slide := parse_key(request.POST.get(name, ""))) is not None:
            return _press_button(request, tournament, partial(act, slide=slide))
    return _return_to_desk(request, tournament)


@director_page("POST")
def start_stream(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Let everybody see the board of a table of the division as it is typed."""
    act = partial(stream_table, get_chosen_division(request, tournament))
    return _submit_desk_form(request, tournament, act, stream_form=StreamForm(request.POST))


@director_page("POST")
def end_stream(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Let nobody see the board of table `number` of the division any more."""
    end_table_stream(get_chosen_division(request, tournament), table=number, actor=get_latest_actor(request))
    return _return_to_desk(request, tournament)


@director_page("POST")
def edit_stream_delay(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show the boards of games in progress by so many minutes later."""
    act = partial(set_stream_delay, tournament)
    form = StreamDelayForm(request.POST, auto_id="delay_%s")
    return _submit_desk_form(request, tournament, act, delay_form=form)


@director_page("POST")
def add_hall_screen(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Set up one more screen."""
    form = NewScreenForm(request.POST, auto_id="new_%s")
    if form.done(lambda data: add_screen(tournament, **data, actor=get_actor(request))):
        messages.success(request, _("The screen has been added. Open its address on it."))
        return _return_to_desk(request, tournament)
    return _render_desk(request, tournament, new_form=form)


@director_page("GET", "POST")
def edit_screen(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Edit a screen: its name, what it shows in turn, of which division, and how it looks."""
    screen = get_screen_or_404(tournament, number)
    form = ScreenForm(request.POST or None, screen=screen, offered=list_possible_contents(screen))
    # By what the page showed, unlike the buttons: it sets up everything anew, and would take back what another director
    # has set up meanwhile.
    actor = get_actor(request)
    if form.done(lambda _data: update_screen(tournament, number, plan=form.plan(), actor=actor)):
        messages.success(request, _("Saved."))
        return _return_to_desk(request, tournament)
    context = {
        **build_director_context(tournament, get_chosen_division(request, tournament), "hall", tabs=False),
        "screen": screen,
        "name": format_screen_name(screen),
        "form": form,
        "is_stored": screen.pk is not None,
    }
    return render(request, "tournament/hall/director_screen.html", context)


@director_page("POST")
def choose_screen_content(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Tell a screen what to show, and start the clock if the button says so (`?clock=start`); what cannot be shown in
    this event changes nothing. A ceremony that no screen shows yet begins with its title."""
    content = request.POST.get("shows", "")
    if content not in list_possible_contents(get_screen_or_404(tournament, number)):
        return _return_to_desk(request, tournament)
    # Whoever has rehearsed has left the ceremony at its last slide: the hall would see the winner first. Where a screen
    # shows it already, one more joins at the slide that is on.
    if content == Screen.Shows.CEREMONY and not any(screen.shows_ceremony for screen in list_screens(tournament)):
        _press_button(request, tournament, partial(show_slide, slide=0, runs=False))
    # Before the screen shows it: the hall sees the clock for the first time when it runs.
    if request.GET.get("clock") == "start":
        _press_button(request, tournament, start_round_clock)
    return _press_button(request, tournament, partial(show_on_screen, number=number, shows=Screen.Shows(content)))


@director_page("POST")
def hold_hall_screen(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Let the pages of a screen stand, or turn again."""
    get_screen_or_404(tournament, number)
    act = partial(hold_screen_pages, number=number, paused=request.POST.get("held") == "yes")
    return _press_button(request, tournament, act)


@director_page("POST")
def remove_hall_screen(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """Take a screen away."""
    get_screen_or_404(tournament, number)
    with show_refusals(request):
        remove_screen(tournament, number, actor=get_actor(request))
        messages.success(request, _("The screen has been removed; you can undo this in the journal."))
    return _return_to_desk(request, tournament)


# The screens themselves.


@require_safe
@cache_public_page
def choose_screen(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Choose which of the screens this one is; if there is only one, it is that."""
    screens = list_screens(tournament)
    if len(screens) == 1:
        return redirect("public:screen", tournament.slug, screens[0].number)
    named = [(screen.number, format_screen_name(screen)) for screen in screens]
    return render(request, "tournament/hall/choose.html", {"tournament": tournament, "screens": named})


@require_safe
@cache_public_page
def show_screen(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """One screen, told from the desk what it shows; 404 if there is none of this number."""
    screen = get_screen_or_404(tournament, number)
    return _render_screen(request, screen, ScreenContents(get_hall(tournament)).of(screen), format_screen_name(screen))


def get_screen_or_404(tournament: Tournament, number: int) -> Screen:
    """A screen by its number; 404 if there is none."""
    chosen_screen = next((screen for screen in list_screens(tournament) if screen.number == number), None)
    if chosen_screen is None:
        raise Http404(_("There is no screen %(number)s.") % {"number": number})
    return chosen_screen


@require_safe
@cache_public_page
def show_on_stream(request: HttpRequest, tournament: Tournament, shows: Screen.Shows) -> HttpResponse:
    """One fixed content, at an address that no desk changes: the clock in a browser that is no screen of the hall, or
    the table or pairings for a stream. Several divisions follow one another, unless the query names one."""
    # Only where the address names one: whoever asks for none is given the first otherwise.
    division = get_chosen_division(request, tournament) if "division" in request.GET else None
    # No screen of the hall has number 0: whatever asks with it is not noted as a browser that listens to one.
    screen = Screen(tournament=tournament, number=0, shows=shows, division=division)
    if shows not in list_possible_contents(screen):
        raise Http404(_("There is nothing to show."))
    return _render_screen(request, screen, ScreenContents(get_hall(tournament)).of(screen), str(shows.label))


@require_safe
def show_ceremony_portrait(request: HttpRequest, slug: str, pk: int) -> HttpResponseBase:
    """A player's photo once the ceremony has shown that player, else 404. Two queries, at first those for the
    slides."""
    tournament = get_public_tournament(slug)
    portrait = Portrait.objects.filter(pk=pk, entry__tournament=tournament).first()

    def find_shown_portraits() -> frozenset[int]:
        is_held = any(screen.shows_ceremony for screen in list_screens(tournament))
        return ScreenContents(get_hall(tournament)).portraits if is_held else frozenset()

    # By the revision, which every step of the ceremony raises: a hall of phones asks for the same photo, and would have
    # all slides made anew for each.
    key = f"portraits-shown:{tournament.slug}:{tournament.pk}:{tournament.revision}"
    if portrait is None or pk not in (cache.get_or_set(key, find_shown_portraits, CACHED_SECONDS) or ()):
        raise Http404(_("There is no photo here."))
    return build_picture_response(portrait.name, f"player-{pk}.jpg")


def render_part_page(request: HttpRequest, tournament: Tournament, part: ScreenPart, name: str) -> HttpResponse:
    """A page of one part that is no screen of the hall, and is told nothing from the desk but messages."""
    return _render_screen(request, Screen(tournament=tournament, number=0), [part], name)


def _render_screen(request: HttpRequest, screen: Screen, parts: list[ScreenPart], name: str) -> HttpResponse:
    tournament = screen.tournament
    hall = get_hall(tournament)
    context = {
        "tournament": tournament,
        "screen": screen,
        "name": name,
        "hall": hall,
        "parts": parts,
        "clock_means": describe_clock_end(tournament),
        "is_covered": _is_covered(hall, screen),
    }
    return render(request, "tournament/hall/screens_screen.html", context)


@require_safe
def answer_screen_news(request: HttpRequest, slug: str) -> HttpResponse:
    """The event's state and the time, asked by screen `number` every second or two; 404 once it is hidden. One
    query."""
    tournament = get_public_tournament(slug)
    figures = (request.GET.get(name, "") for name in ("number", "width", "height", "letters"))
    # Strangers send this as well: whatever is no short number counts as none.
    number, width, height, letters = (int(text) if re.fullmatch(r"[0-9]{1,5}", text) else 0 for text in figures)
    # A stranger who counts up would fill the cache with screens that nobody has.
    if limits.SCREEN.holds(number):
        browser = request.GET.get("browser", "")
        note_listener(tournament.pk, number, browser=browser, width=width, height=height, letters=letters)
    # The public's state and not the revision: what was held back appears by the clock alone, and has to reach the
    # glass.
    return forbid_caching(JsonResponse({"state": get_public_view(tournament).state, "now": round(time.time() * 1000)}))
