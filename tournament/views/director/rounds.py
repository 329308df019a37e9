"""The pages of rounds: the list, the next draw, a draft and what the director does with it, a published round."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from scoring import standings
from tournament import access
from tournament.forms import fields
from tournament.forms.rounds import RoundDrawForm, TwoPlayersForm
from tournament.models import Division, Entry, Pairing, Round
from tournament.operations import draft_edits, drafts, rounds
from tournament.operations.change import Actor
from tournament.operations.seen import SentTwice
from tournament.plan import segments
from tournament.queries import draw_request, league, open_rounds, phase
from tournament.refusals import Refusal
from tournament.views import pairs, why_not
from tournament.views.director import button_refusals, shows
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import query, shell
from tournament.words import draws, namesakes, reasons

PICKED = ("one", "other")
"""The fields of the two players picked."""


def round_url(round: Round) -> str:
    """The address of a round's page for the director."""
    division = round.division
    address = reverse("director:round", args=[division.tournament.slug, round.number])
    return address + query(division)


@login_required
@require_GET
def listing(request: HttpRequest, slug: str) -> HttpResponse:
    """All rounds of a division with their progress, and the next one to pair."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    if session := pairs.instead(division):
        return session
    progress = league.rounds(division, drafts=True)
    context = {
        **shell(tournament, division, "rounds"),
        "progress": progress,
        "segments": segments.read(division.plan),
        "phase": phase.of(division, progress),
    }
    return render(request, "director/rounds.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def pair_next_round(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask how to pair the next round (GET), and pair it as a draft (POST)."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    return pairs.instead(division) or _pair(request, division)


def _pair(request: HttpRequest, division: Division) -> HttpResponse:
    number = league.last_round(division) + 1
    segment = segments.for_round(segments.read(division.plan), number)
    form = RoundDrawForm(request.POST or None, number=number, segment=segment)
    refusal = None
    if form.is_valid():
        try:
            return redirect(round_url(_drafted(request, division, number, form.wish())))
        except Refusal as found:
            refusal = found
    present, charged = draw_request.field(division, number)
    context = {
        **shell(division.tournament, division, "rounds"),
        "number": number,
        "form": form,
        "refusal": refusal,
        "present": len(present),
        "charged": charged,
        "unticked": _unticked(division, number, present),
        "missing": league.missing_results(division, number - 1),
    }
    return render(request, "director/draw.html", context)


def _drafted(request: HttpRequest, division: Division, number: int, wish: drafts.DrawWish) -> Round:
    """The new draft; the one that stands, with a word about it, if the button was pressed twice."""
    try:
        return drafts.draft_round(division, actor=access.actor(request), wish=wish)
    except SentTwice as twice:
        button_refusals.tell(request, twice)
        return access.round_of(division, number, drafts=True)


def _unticked(division: Division, number: int, present: Sequence[Entry]) -> str:
    """The players, by name, who would be paired although they are not checked in while others are, and missed the last
    round."""
    last = Pairing.objects.filter(round__division=division, round__number=number - 1, kind=Pairing.Kind.GAME)
    there = set(last.values_list("seats__entry", flat=True)) | {entry.pk for entry in present if entry.present}
    begun = any(entry.present for entry in present)
    return "; ".join(entry.name for entry in present if entry.pk not in there) if begun else ""


@login_required
@require_GET
def page(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """One round: a draft with reasons and everything that can be done to it, or the published pairings."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    return _round_page(request, access.round_of(division, number, drafts=True))


def _round_page(request: HttpRequest, round: Round, form: TwoPlayersForm | None = None) -> HttpResponse:
    """The page; in a draft with the form of two players as it was sent, if that was refused."""
    division, number = round.division, round.number
    pairings = league.pairings(round)
    unpaired = rounds.unpaired(round) if round.is_draft else []
    names = namesakes.called([*(seat.entry for pairing in pairings for seat in pairing.seats.all()), *unpaired])
    table = _drawn_on(round) if round.is_draft else {}
    context = {
        **shell(division.tournament, division, "rounds"),
        "round": round,
        "query": query(division),
        "open_rounds": open_rounds.worth_saying(division, current=number, upto=number),
        "lines": [DraftLine(pairing, round, names, table) for pairing in pairings],
        "notes": [draws.note(note, names) for note in round.notes],
        "asked": why_not.asked(request, round, pairings),
        "missing": sum(1 for pairing in pairings if pairing.kind == Pairing.Kind.GAME and not pairing.result),
    }
    if not round.is_draft:
        return render(request, "director/round.html", {**context, "shown": shows.of(round, division)})
    picked = {pk for pk in map(fields.key, request.POST.getlist("pick")) if pk is not None}
    context |= {"form": form or TwoPlayersForm(round=round), "picked": picked}
    context |= {"unpaired": [(entry, names[entry.pk]) for entry in unpaired]}
    return render(request, "director/draft.html", context)


Standings = Mapping[int, standings.Standing]
"""Rows of a table by the entry's primary key."""


def _drawn_on(round: Round) -> Standings:
    """The table that a draft was drawn on; empty before the first round. Six queries."""
    if not round.based_on:
        return {}
    return {row.entry.pk: row.standing for row in league.table(round.division, after=round.based_on).rows}


class DraftLine:
    """A pairing with its players' names and standings in the table that it was drawn on, its sentence and its chips."""

    def __init__(self, pairing: Pairing, round: Round, names: Mapping[int, str], table: Standings) -> None:
        self.pairing = pairing
        self.first_name = names[pairing.first.pk]
        self.second_name = names[pairing.second.pk] if pairing.second else ""
        self.first_standing = table.get(pairing.first.pk)
        self.second_standing = table.get(pairing.second.pk) if pairing.second else None
        self.sentence = reasons.sentence(pairing, names, round.division.tournament.rules)
        self.chips = [(reasons.flag_name(flag), reasons.warns(flag, round)) for flag in pairing.flags]


def _act(request: HttpRequest, slug: str, number: int, act: Callable[[Round], str], place: str = "") -> HttpResponse:
    """Load the round, let `act` change it and say what it did, or show the refusal; then redirect to the round.

    `place` is the part of the page (`#…`) where the keyboard focus goes.
    """
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    round = access.round_of(division, number, drafts=True)
    address = round_url(round)
    with button_refusals.refusals(request):
        messages.success(request, act(round))
    if not Round.objects.filter(pk=round.pk).exists():
        return redirect(reverse("director:rounds", args=[slug]) + query(division))
    return redirect(address + place)


def _change(request: HttpRequest, slug: str, number: int, operation: Callable[..., object], words: str) -> HttpResponse:
    """Let an operation without further input change the round, and say what it did in `words`."""

    def act(round: Round) -> str:
        operation(round, actor=access.actor(request))
        return words % {"number": number}

    return _act(request, slug, number, act)


@login_required
@require_POST
def publish(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    return _change(request, slug, number, rounds.publish_round, _("Round %(number)s is published."))


@login_required
@require_POST
def unpublish(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    return _change(
        request, slug, number, rounds.unpublish_round, _("Round %(number)s is a draft again; players no longer see it.")
    )


@login_required
@require_POST
def discard(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    return _change(request, slug, number, rounds.discard_draft, _("The draft of round %(number)s is thrown away."))


@login_required
@require_POST
def close(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    close = partial(rounds.close_round, accept_unsettled="accept" in request.POST)
    return _change(request, slug, number, close, _("Round %(number)s is closed."))


@login_required
@require_POST
def reopen(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    return _change(request, slug, number, rounds.reopen_round, _("Round %(number)s is open for results again."))


@login_required
@require_POST
def anew(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    return _change(
        request, slug, number, draft_edits.pair_rest_anew, _("All pairs that are not locked have been drawn anew.")
    )


@login_required
@require_http_methods(["GET", "POST"])
def by_hand(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Two players meet, or swap places, or it is asked why they do not meet: the button pressed says which.

    Without a post: to the round, with what is asked of it.
    """
    tournament = access.directed_tournament(request, slug)
    round = access.round_of(access.division_of(request, tournament), number, drafts=True)
    if request.method == "GET":
        return redirect(f"{reverse('director:round', args=[slug, number])}?{request.GET.urlencode()}")
    form = None
    with button_refusals.refusals(request):
        form = TwoPlayersForm(_picked(request), round=round)
        if not form.is_valid():
            for fault in form.faults:
                messages.error(request, fault)
            return _round_page(request, round, form)
        one, other = form.cleaned_data["one"], form.cleaned_data["other"]
        if "ask" in request.POST:
            asked = {"why": one.key, "not": other.key if other else ""}
            return redirect(f"{round_url(round)}&{urlencode(asked)}#why-not")
        messages.success(request, _set_by_hand(round, one, other, access.actor(request), swap="swap" in request.POST))
        return redirect(round_url(round))
    return _round_page(request, round, form)


def _set_by_hand(round: Round, one: Entry, other: Entry | None, actor: Actor, *, swap: bool) -> str:
    """Let two meet or change places, or give one the bye; what was done, in words. Raises the operation's refusals."""
    if other is None:
        draft_edits.pair_by_hand(round, one=one, other=None, actor=actor)
        return _("%(one)s has the bye.") % {"one": one.name}
    told_of = {"one": one.name, "other": other.name}
    if swap:
        draft_edits.swap(round, one=one, other=other, actor=actor)
        return _("%(one)s and %(other)s have changed places.") % told_of
    draft_edits.pair_by_hand(round, one=one, other=other, actor=actor)
    return _("%(one)s meets %(other)s.") % told_of


def _picked(request: HttpRequest) -> Mapping[str, str]:
    """The two players chosen from lists, or picked in the table (`pick` twice). Raises `NotTwoPicked`."""
    if "one" in request.POST:
        return request.POST
    picked = request.POST.getlist("pick")
    if len(picked) != len(PICKED):
        raise NotTwoPicked(count=len(picked))
    return dict(zip(PICKED, picked, strict=True))


class NotTwoPicked(Refusal):
    code = "not_two_picked"
    message = gettext_lazy("Pick two names in the table; %(count)s are picked now.")


@login_required
@require_POST
def one_pairing(request: HttpRequest, slug: str, number: int, pk: int) -> HttpResponse:
    """Lock or unlock a pair of a draft, or let the other player start: the button pressed says which."""

    def act(round: Round) -> str:
        pairing = get_object_or_404(Pairing.objects.with_players(), pk=pk, round=round)
        pairing.round = round
        if "turn" in request.POST:
            draft_edits.switch_starter(pairing, actor=access.actor(request))
            return _("Table %(table)s: the other player starts.") % {"table": pairing.table}
        locked = "lock" in request.POST
        draft_edits.set_locked(pairing, locked=locked, actor=access.actor(request))
        words = _("Table %(table)s is locked.") if locked else _("Table %(table)s is no longer locked.")
        return words % {"table": pairing.table or "–"}

    table = (
        Pairing.objects.filter(pk=pk, round__division__tournament__slug=slug).values_list("table", flat=True).first()
    )
    return _act(request, slug, number, act, place=f"#table-{table or ''}")
