"""A player's own page: the game that is now, their report, their card. The address is the key, so no other page can
trick a browser into posting there, and the pages need no token of the form: they work without cookies."""

import secrets
from http import HTTPStatus
from typing import Any, NoReturn

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from games.core.words import list_result_questions
from games.limits import OWN_PHOTOS
from games.photos import PhotosForm, attach_photos
from games.reports.forms import ReportForm, build_report_initial
from games.reports.game_reports import STATE_MOODS, GameReports, ReportState, build_past_game, describe_report_state
from games.reports.operations import hand_in_report
from games.reports.players_snapshot import PlayersSnapshot, find_player_by_link, is_absent_in_first_round
from games.sessions.seats import find_public_seat
from tournament.access.codes import find_entry_by_link, is_replaced_link
from tournament.basics.refusals import Refusal, Refusals
from tournament.chances.tables import tell_lasting_needs
from tournament.core.change import Actor
from tournament.core.public_view import build_rounds_filter, open_public_view
from tournament.core.words.figures import name_both_players
from tournament.entries.curve import build_player_curves
from tournament.entries.operations.attendance import check_in_entries
from tournament.entries.operations.name_wishes import answer_name_question, is_name_asked, share_contact
from tournament.entries.queries import (
    PlayerPairing,
    find_current_pairing,
    load_shared_contacts,
    pick_current_pairing,
)
from tournament.models import Entry, Pairing, Round
from tournament.pages.caching import activate_event_language
from tournament.pages.forms import parse_key
from tournament.pages.views import answer_remembered_state
from tournament.pairing.values import StartPolicy

OUTBOX_HEADER = "outbox"  # what `static/outbox.js` calls itself in `X-Requested-With`


@never_cache
@require_safe
def show_own_page(request: HttpRequest, link: str) -> HttpResponse:
    """The player's own page."""
    return _render_own_page(request, link)


def _find_player(link: str) -> tuple[PlayersSnapshot, Entry]:
    """The player to whom a personal link leads; 404 if to nobody. One query while nothing has happened."""
    return find_player_by_link(link) or _refuse_link(link)


def _get_linked_entry(request: HttpRequest, link: str) -> Entry:
    """The player to whom a personal link leads; 404 if to nobody. The answer is in the event's language."""
    # From the database and not from the snapshot: what follows writes, and has to see what is stored now.
    entry = find_entry_by_link(link) or _refuse_link(link)
    activate_event_language(request, entry.tournament)
    return entry


def _refuse_link(link: str) -> NoReturn:
    """Answer 404: a personal link leads to nobody, or not any more."""
    if is_replaced_link(link):
        raise Http404(_("This card was replaced by a newer one. Use that, or ask at the desk for it."))
    raise Http404(_("This personal link is not valid. Ask at the desk for the current card."))


def _render_own_page(
    request: HttpRequest, link: str, form: ReportForm | None = None, **shown: PhotosForm | list[str]
) -> HttpResponse:
    """The page, with a form as it was sent where there is one; `questions` about it, and the form of `photos`."""
    snapshot, entry = _find_player(link)
    activate_event_language(request, snapshot.tournament)
    rounds = snapshot.rounds.get(entry.pk, [])
    pairing_pk = form.pairing.pk if form else parse_key(request.GET.get("game", ""))
    # A game that is not theirs is passed over, not refused: the address may be from before the round was paired anew.
    playing = next((round for round in rounds if round.pairing.pk == pairing_pk), pick_current_pairing(rounds))
    context = {
        **_build_page_context(snapshot, entry, playing),
        "link": link,
        "photos": PhotosForm(),
        "name_faults": [],
        **shown,
    }
    if playing is not None and playing.opponent is not None:
        reports = snapshot.game(playing, entry)
        context |= _build_game_context(playing.pairing, reports, entry, form, is_first=playing.is_first)
        context["photo_count"] = snapshot.photos.get(playing.pairing.pk, 0)
    return render(request, "games/reports/me.html", context)


def _build_page_context(snapshot: PlayersSnapshot, entry: Entry, playing: PlayerPairing | None) -> dict[str, Any]:
    """What the page shows besides the game that is now."""
    tournament = snapshot.tournament
    current = playing.pairing.pk if playing and playing.is_open else None
    rounds = snapshot.rounds.get(entry.pk, [])
    open_games = [game for game in rounds if game.is_open and game.opponent is not None]
    is_league = any(game.pairing.due_day for game in open_games)
    # In a league the open games have a list of their own above these.
    before = [
        game for game in reversed(rounds) if game.pairing.pk != current and not (is_league and game in open_games)
    ]
    return {
        "tournament": tournament,
        "entry": entry,
        "playing": playing,
        "balanced": tournament.starts == StartPolicy.BALANCED,
        **(_build_league_context(entry, open_games) if is_league else {}),
        "games": [build_past_game(game) for game in before],
        "needs": tell_lasting_needs(entry, tournament, snapshot.come),
        "curves": build_player_curves(snapshot.running.get(entry.pk, {})),
        # A new one for each page: a report that is sent twice from it is known by its key, another one after it is not
        # taken for the same.
        "fresh_key": secrets.token_hex(16),
        "state_seen": snapshot.states[str(entry.pk)],
        "misses_first": playing is None and is_absent_in_first_round(entry),
        "seat": None if playing else find_public_seat(entry),
        "asks_name": playing is None and is_name_asked(entry),
        "may_check_in": playing is None and not tournament.is_ended and entry.withdrawn_after is None,
    }


def _build_league_context(entry: Entry, open_games: list[PlayerPairing]) -> dict[str, Any]:
    """The open games of a league, each with the opponent's contact (phone, e-mail) where they let opponents see it, and
    whether its day has passed. Two queries."""
    contacts = load_shared_contacts(game.opponent.pk for game in open_games if game.opponent)
    today = localdate()
    listed = [
        (game, contacts.get(game.opponent.pk), game.pairing.due_day is not None and game.pairing.due_day < today)
        for game in open_games
        if game.opponent
    ]
    own = Entry.objects.with_phones().with_emails().get(pk=entry.pk)
    return {"open_games": listed, "own_contact": (own.phone, own.email)}


def _build_game_context(
    pairing: Pairing, reports: GameReports, entry: Entry, form: ReportForm | None, *, is_first: bool
) -> dict[str, Any]:
    """What the page says of the game that is now, and the forms to report it."""
    assert pairing.second is not None
    names = name_both_players(pairing)
    may_report = pairing.round.state == pairing.round.State.PUBLISHED
    if form is None and may_report:
        values = build_report_initial(reports.mine, is_first=is_first) if reports.mine else {}
        form = ReportForm(pairing=pairing, is_first=is_first, initial=values)
    confirm, confirm_asked = None, ""
    if reports.theirs and reports.kind == ReportState.ASKED:
        confirm = build_report_initial(reports.theirs, is_first=is_first)
        # Whoever says yes to the opponent's figures is not asked about them again.
        data = {name: str(value) for name, value in confirm.items() if value is not None}
        filled = ReportForm(data, pairing=pairing, is_first=is_first)
        confirm_asked = filled.question if filled.is_valid() else ""
    return {
        "pairing": pairing,
        "confirm_asked": confirm_asked,
        "told": describe_report_state(reports, entry.tournament.rules, names, is_first=is_first),
        "mood": STATE_MOODS[reports.kind],
        "form": form if may_report else None,
        "confirm": confirm if may_report else None,
        "has_reported": reports.mine is not None,
        "is_official": reports.official is not None,
    }


@require_safe
def show_own_news(request: HttpRequest, link: str) -> HttpResponse:
    """204 if nothing has changed for this player, else the state to name the next time. Usually one query."""
    snapshot, entry = _find_player(link)
    return answer_remembered_state(request, snapshot.tournament, "players", str(entry.pk), snapshot.states)


@csrf_exempt
@never_cache
@require_POST
def submit_report(request: HttpRequest, link: str, pk: int) -> HttpResponse:
    """Take a player's report. The outbox of a phone gets JSON: what became of it, or what has to be looked at."""
    entry = _get_linked_entry(request, link)
    pairing = _get_own_pairing(entry, pk)
    form = ReportForm(request.POST, pairing=pairing, is_first=pairing.first.pk == entry.pk)
    # What is odd about the figures is asked once.
    is_new = form.is_valid() and form.cleaned_data["asked"] != form.question
    questions = list_result_questions(pairing, form.final()) if is_new else []
    outcome = None
    if not questions:
        outcome = form.done(lambda typed: hand_in_report(entry, pairing, sheet=form.sheet(), key=typed["key"]))
    if outcome:
        if request.headers.get("X-Requested-With") != OUTBOX_HEADER:
            return redirect("games:me", link)
        names, is_first = name_both_players(pairing), pairing.first.pk == entry.pk
        text = describe_report_state(outcome.result, entry.tournament.rules, names, is_first=is_first)
        return JsonResponse({"kind": outcome.result.kind, "text": text})
    # A status of its own: what has to be looked at is put aside by the phone, and does not hold up the report behind
    # it.
    if request.headers.get("X-Requested-With") == OUTBOX_HEADER:
        context = {"questions": questions, "asked": form.question} if questions else {"faults": form.faults}
        return JsonResponse(context, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    return _render_own_page(request, link, form, questions=questions)


@csrf_exempt
@never_cache
@require_POST
def submit_photos(request: HttpRequest, link: str, pk: int) -> HttpResponse:
    """Take photos of the sheet of a player's own game, for the director to look at."""
    entry = _get_linked_entry(request, link)
    pairing = _get_own_pairing(entry, pk)
    form = PhotosForm(request.POST, request.FILES)
    by = Actor(name=entry.name)
    limits = {"most_of_one": OWN_PHOTOS}
    if form.done(lambda typed: attach_photos(pairing, sent=form.sent, actor=by, again=typed["again"], **limits)):
        return redirect(reverse("games:me", args=[link]) + "#photos")
    return _render_own_page(request, link, photos=form)


def _get_own_pairing(entry: Entry, pk: int) -> Pairing:
    """A player's own game of a round that is published, and seen; 404 for any other."""
    # Only of a round that is shown: a number typed into the address would otherwise tell whom one meets before
    # everybody is told.
    with open_public_view(entry.tournament):
        seen = build_rounds_filter("round")
    pairings = Pairing.objects.select_related("round__division__knockout")
    own = pairings.filter(seen, seats__entry=entry).with_players().with_results()
    pairing = get_object_or_404(own.exclude(round__state=Round.State.DRAFT), pk=pk)
    pairing.round.division.tournament = entry.tournament
    return pairing


@csrf_exempt
@never_cache
@require_POST
def submit_check_in(request: HttpRequest, link: str) -> HttpResponse:
    """Check the player in, or take that back, before they see their first round."""
    entry = _get_linked_entry(request, link)
    with open_public_view(entry.tournament):
        playing = find_current_pairing(entry)
    if playing is None and not entry.tournament.is_ended and not entry.is_withdrawn:
        present = {entry.pk} if parse_key(request.POST.get("present", "")) else set()
        check_in_entries(entry.tournament, shown={entry.pk}, present=present, actor=Actor(name=entry.name))
        # Nobody is welcomed to a round that they are noted to miss.
        if present and not is_absent_in_first_round(entry):
            messages.success(request, _("Checked in. Welcome!"))
    return redirect("games:me", link)


@csrf_exempt
@never_cache
@require_POST
def submit_contact(request: HttpRequest, link: str) -> HttpResponse:
    """Let the player's opponents see how to reach them, or not any more."""
    entry = _get_linked_entry(request, link)
    share_contact(entry, shares=bool(request.POST.get("shares")), actor=Actor(name=entry.name))
    return redirect(reverse("games:me", args=[link]) + "#contact")


@csrf_exempt
@never_cache
@require_POST
def submit_name(request: HttpRequest, link: str) -> HttpResponse:
    """Take how the player writes the name, for the director to decide."""
    entry = _get_linked_entry(request, link)
    try:
        answer_name_question(entry, name=request.POST.get("name", ""), actor=Actor(name=entry.name))
    except (Refusal, Refusals) as refused:
        return _render_own_page(request, link, name_faults=[str(refused)])
    return redirect(reverse("games:me", args=[link]) + "#name")
