"""A player's own page: the game that is now, their report, their card. The address is the key; nobody signs in.

Whoever knows the address may do what stands on it, so no other page can trick a browser into posting there, and the
pages do without a token of the form: they work with cookies switched off.
"""

import secrets
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from games import access
from games.limits import OWN_PHOTOS
from games.photos import operations as photos
from games.photos.forms import PhotosForm
from games.reports import everybody, forms, operations, states
from games.reports import words as report_words
from games.reports.everybody import Everybody
from games.reports.states import ReportState
from games.shared import words
from tournament.forms.fields import key
from tournament.layout import curve
from tournament.models import Entry, Pairing, Round
from tournament.operations import attendance
from tournament.operations.change import Actor
from tournament.pairing.values import Starts
from tournament.queries import now, public_view
from tournament.queries.now import Playing
from tournament.views.public import caching
from tournament.views.public import news as public_news
from tournament.words import namesakes

OUTBOX = "outbox"
"""What `static/outbox.js` calls itself in `X-Requested-With`."""


@never_cache
@require_safe
def me(request: HttpRequest, link: str) -> HttpResponse:
    """The player's own page."""
    found, entry = _at(link)
    caching.turn_to_language(request, found.tournament)
    return _page(request, link, found, entry)


def _at(link: str) -> tuple[Everybody, Entry]:
    """The player to whom a personal link leads, among all of the tournament; 404 if to nobody. One query while nothing
    has happened."""
    found = everybody.by_link(link)
    if found is None:
        raise access.no_player()
    return found


def _page(
    request: HttpRequest,
    link: str,
    found: Everybody,
    entry: Entry,
    form: forms.ReportForm | None = None,
    questions: tuple[str, ...] = (),
    photos_form: PhotosForm | None = None,
) -> HttpResponse:
    """The page, with a form as it was sent where there is one. No query while the game's round is being played."""
    rounds = found.rounds.get(entry.pk, [])
    wanted = form.pairing.pk if form else None
    playing = next((each for each in rounds if each.pairing.pk == wanted), now.current(rounds))
    context = {**_around(found, entry, playing), "link": link, "questions": questions}
    if playing is not None and playing.opponent is not None:
        context |= _game(playing.pairing, found.game(playing, entry), entry, form, is_first=playing.is_first)
        context |= {"photos": photos_form or PhotosForm(), "photo_count": found.photos.get(playing.pairing.pk, 0)}
    return render(request, "games/reports/me.html", context)


def _around(found: Everybody, entry: Entry, playing: Playing | None) -> dict[str, Any]:
    """What the page shows besides the game that is now."""
    tournament = found.tournament
    return {
        "tournament": tournament,
        "entry": entry,
        "playing": playing,
        "balanced": tournament.starts == Starts.BALANCED,
        "games": _games(found.rounds.get(entry.pk, []), playing),
        "curves": curve.of_player(found.running.get(entry.pk, {})),
        "fresh_key": secrets.token_hex(16),
        "state_seen": found.states[str(entry.pk)],
        "misses_first": playing is None and everybody.misses_first(entry),
        "may_check_in": playing is None and not tournament.is_ended and entry.withdrawn_after is None,
    }


def _game(
    pairing: Pairing, found: states.GameReports, entry: Entry, form: forms.ReportForm | None, *, is_first: bool
) -> dict[str, Any]:
    """What the page says of the game that is now, and the forms to report it."""
    assert pairing.second is not None
    names = namesakes.both(pairing)
    may_report = pairing.round.state == pairing.round.State.PUBLISHED and found.official is None
    if form is None and may_report:
        stored = found.mine or found.theirs
        values = forms.initial(stored, is_first=is_first) if found.mine and stored else {}
        form = forms.ReportForm(pairing=pairing, is_first=is_first, initial=values)
    confirm = (
        forms.initial(found.theirs, is_first=is_first) if found.theirs and found.kind == ReportState.ASKED else None
    )
    return {
        "pairing": pairing,
        "confirm_asked": _asked(confirm, pairing, is_first=is_first),
        "told": report_words.told(found, entry.tournament.rules, names, is_first=is_first),
        "form": form if may_report else None,
        "confirm": confirm if may_report else None,
        "has_reported": found.mine is not None,
    }


def _asked(confirm: dict[str, Any] | None, pairing: Pairing, *, is_first: bool) -> str:
    """What stands for the figures that the opponent has been asked about: whoever says yes is not asked again."""
    if confirm is None:
        return ""
    data = {name: str(value) for name, value in confirm.items() if value is not None}
    form = forms.ReportForm(data, pairing=pairing, is_first=is_first)
    return form.question if form.is_valid() else ""


def _games(rounds: list[Playing], playing: Playing | None) -> list[report_words.PastGame]:
    """What the player has done besides the game that is now, the last first."""
    current = playing.pairing.pk if playing and playing.is_open else None
    return [report_words.past(each) for each in reversed(rounds) if each.pairing.pk != current]


@require_safe
def me_news(request: HttpRequest, link: str) -> HttpResponse:
    """Whether anything has changed for this player: 204, or the state to name the next time. One query while nothing
    has happened in the tournament."""
    found, entry = _at(link)
    return public_news.remembered(request, found.tournament, "players", str(entry.pk), found.states)


@csrf_exempt
@never_cache
@require_POST
def report(request: HttpRequest, link: str, pk: int) -> HttpResponse:
    """Take a player's report. The outbox of a phone gets JSON: what became of it, or what has to be looked at."""
    entry = access.player(link)
    caching.turn_to_language(request, entry.tournament)
    pairing = _own(entry, pk)
    form = forms.ReportForm(request.POST, pairing=pairing, is_first=pairing.first.pk == entry.pk)
    questions = _questions(form)
    done: list[states.GameReports] = []
    if not questions and form.done(lambda typed: done.append(_handed_in(entry, pairing, form, typed["key"]))):
        return _taken(request, link, entry, pairing, done[0])
    if request.headers.get("X-Requested-With") == OUTBOX:
        asked = {"questions": questions, "asked": form.question} if questions else {"faults": form.faults}
        return JsonResponse(asked, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    found, player = _at(link)
    return _page(request, link, found, player, form, tuple(questions))


@csrf_exempt
@never_cache
@require_POST
def photo(request: HttpRequest, link: str, pk: int) -> HttpResponse:
    """Take photos of the sheet of a player's own game, for the director to look at."""
    entry = access.player(link)
    caching.turn_to_language(request, entry.tournament)
    pairing = _own(entry, pk)
    form = PhotosForm(request.POST, request.FILES)
    if form.done(lambda _typed: _attached(entry, pairing, form)):
        return redirect("games:me", link)
    found, player = _at(link)
    return _page(request, link, found, player, photos_form=form)


def _attached(entry: Entry, pairing: Pairing, form: PhotosForm) -> None:
    photos.attach_photos(pairing, sent=form.sent, actor=Actor(name=entry.name), most_of_one=OWN_PHOTOS)


def _own(entry: Entry, pk: int) -> Pairing:
    """A player's own game of a round that is published, and seen; 404 for any other."""
    with public_view.opened(entry.tournament):
        seen = public_view.rounds("round")
    pairings = Pairing.objects.select_related("round__division__knockout")
    own = pairings.filter(seen, seats__entry=entry).with_players().with_results()
    found = get_object_or_404(own.exclude(round__state=Round.State.DRAFT), pk=pk)
    found.round.division.tournament = entry.tournament
    return found


def _taken(request: HttpRequest, link: str, entry: Entry, pairing: Pairing, found: states.GameReports) -> HttpResponse:
    """The answer to a report that is stored: how the game stands now."""
    if request.headers.get("X-Requested-With") != OUTBOX:
        return redirect("games:me", link)
    names = namesakes.both(pairing)
    is_first = pairing.first.pk == entry.pk
    told = report_words.told(found, entry.tournament.rules, names, is_first=is_first)
    return JsonResponse({"kind": found.kind, "text": told.text if told else ""})


def _questions(form: forms.ReportForm) -> list[str]:
    """What is odd about the figures, unless the page has asked already."""
    if not form.is_valid() or form.has_asked:
        return []
    return words.oddities(form.final())


def _handed_in(entry: Entry, pairing: Pairing, form: forms.ReportForm, sent: str) -> states.GameReports:
    return operations.hand_in(entry, pairing, sheet=form.sheet(), key=sent)


@csrf_exempt
@never_cache
@require_POST
def here(request: HttpRequest, link: str) -> HttpResponse:
    """Check the player in, or take that back, before they see their first round."""
    entry = access.player(link)
    caching.turn_to_language(request, entry.tournament)
    with public_view.opened(entry.tournament):
        playing = now.playing(entry)
    if playing is None and not entry.tournament.is_ended and not entry.is_withdrawn:
        present = {entry.pk} if key(request.POST.get("present", "")) else set()
        actor = Actor(name=entry.name)
        attendance.check_in(entry.tournament, shown={entry.pk}, present=present, actor=actor)
        if present and not everybody.misses_first(entry):
            messages.success(request, _("Checked in. Welcome!"))
    return redirect("games:me", link)
