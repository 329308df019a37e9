"""The pages of rounds: the list, the next draw, a draft and what the director does with it, a published round."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from scoring.letters import LETTER_SETS
from tournament.access.rules import get_actor, get_chosen_division, get_directed_tournament, get_visible_round
from tournament.basics.refusals import Refusal
from tournament.basics.showing import SHOWING_STEPS, ShowingRule, ShowingStep
from tournament.core.public_view import get_public_view, get_sight
from tournament.core.seen import SentTwice
from tournament.core.words.figures import name_entries, name_round_players
from tournament.core.words.rounds import STEP_NAMES, describe_moment_to_come, format_round_name
from tournament.models import Division, Pairing, Round, Tournament
from tournament.models.play import KNOCKOUT_FROM
from tournament.pages.caching import cache_public_page
from tournament.pages.frames import build_director_context, build_public_context, make_division_query
from tournament.pages.kept_input import login_required
from tournament.pages.requests import (
    director_page,
    paired_events_only,
    redirect_to_division,
    redirect_to_session,
    show_refusal,
    show_refusals,
)
from tournament.pairing.values import UNCHOSEN_METHODS, Method, StartPolicy
from tournament.results.league_games import list_division_entries
from tournament.rounds.drafts import (
    DrawWish,
    draft_round,
    pair_rest_anew,
)
from tournament.rounds.draw_request import list_present_and_charged
from tournament.rounds.due_days import list_rounds_to_publish
from tournament.rounds.forms import RoundDrawForm
from tournament.rounds.operations import (
    close_round,
    discard_draft,
    hold_back_round_step,
    publish_round,
    reopen_round,
    show_all_rounds,
    show_round_as_usual,
    show_round_step,
    unpublish_round,
)
from tournament.rounds.outlook import PairState, announce_pairs, find_shaken_pairs, load_announced_pairs, load_outlook
from tournament.rounds.outlook_words import count_outlook, describe_outlook
from tournament.rounds.phase import get_division_phase
from tournament.rounds.plan import find_segment, read_round_plan
from tournament.rounds.reason_words import list_pairing_reasons
from tournament.rounds.round_matches import list_round_matches
from tournament.rounds.tables import NamesTable, OutlookTable, PairingsTable, RoundsTable
from tournament.rounds.why_not import PlayerNotSeated, answer_why_not
from tournament.rounds.why_not_words import describe_comparison, list_weighty_differences
from tournament.table.following import read_following
from tournament.table.league import (
    count_missing_results,
    count_planned_rounds,
    find_round_of_day,
    find_round_to_prepare,
    get_last_round_number,
    list_league_rounds,
    list_round_pairings,
)
from tournament.table.pairing_rows import list_players_by_name

# What the public sees of a round: told to the director beside it, and changed by hand.


def get_shown_round(round: Round, division: Division) -> dict[str, Any] | None:
    """What the public sees of a round of this division now; None while it is a draft. One query."""
    return next(
        (shown_round for shown_round in list_shown_rounds(division) if shown_round["round"].pk == round.pk), None
    )


def list_shown_rounds(division: Division) -> list[dict[str, Any]]:
    """What the public sees of each public round of a division now, step by step: each of the `lines` says what it
    shows, whether it is seen and, if not, from when it will be (`to_come`). `held` are the lines that are not seen,
    `is_usual`: shown as the tournament's rule has it. One query, two with a knock-out, three more if results are typed
    twice."""
    now, usual, shown_rounds = timezone.now(), ShowingRule.of(division.tournament), []
    for moments in (get_public_view(division.tournament).rounds or {}).values():
        round = moments.round
        # What the public sees is worked out for the whole event at once.
        if round.division_id != division.pk:
            continue
        round.division = division
        lines = []
        for step in (ShowingStep.PAIRINGS, ShowingStep.RESULTS) if round.is_knockout else SHOWING_STEPS:
            moment = moments.of(step)
            is_seen = moment is not None and moment <= now
            to_come = "" if is_seen else describe_moment_to_come(moments, step)
            is_partial = moments.waits and step == ShowingStep.RESULTS
            name = _("Results typed twice") if is_partial else str(STEP_NAMES[step])
            lines.append({"step": step, "name": name, "is_seen": is_seen, "to_come": to_come})
        shown_rounds.append(
            {
                "round": round,
                "name": format_round_name(round),
                "lines": lines,
                "held": [line for line in lines if not line["is_seen"]],
                "is_usual": ShowingRule.of(round) == usual,
            }
        )
    return shown_rounds


@director_page("POST")
def submit_showing_all(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Show everything to everybody, from the desk of the hall or the page of the end."""
    with show_refusals(request):
        show_all_rounds(tournament, actor=get_actor(request))
        messages.success(request, _("Everybody sees everything now."))
    return redirect("director:hall" if request.POST.get("back") == "hall" else "director:end", tournament.slug)


@login_required
@require_POST
def change_shown_steps(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a step of a round now, hold it back, or go back to the usual rule: the button pressed says which."""
    division = get_chosen_division(request, get_directed_tournament(request, slug))
    round = get_visible_round(division, number, knockout=True)
    with show_refusals(request):
        if "usual" in request.POST:
            show_round_as_usual(round, actor=get_actor(request))
        elif (step := request.POST.get("show")) in SHOWING_STEPS:
            show_round_step(round, ShowingStep(step), actor=get_actor(request))
        elif (step := request.POST.get("hold")) in SHOWING_STEPS:
            hold_back_round_step(round, ShowingStep(step), actor=get_actor(request))
        else:
            message = _("What is to be shown or held back? Allowed are: %(allowed)s.")
            raise Refusal("no_such_step", message, allowed=", ".join(SHOWING_STEPS))
        messages.success(request, _("What the public sees is changed."))
    if request.POST.get("back") == "end":
        return redirect(reverse("director:end", args=[slug]) + make_division_query(division))
    if round.is_knockout:
        return redirect(reverse("director:knockout", args=[slug]) + make_division_query(division))
    return redirect(reverse("director:round", args=[slug, number]) + make_division_query(division) + "#shown")


# “Why not …?” on the pages of a round, the director's and everybody's: two names in the address, a sentence below.


def build_why_not_question(request: HttpRequest, round: Round, pairings: list[Pairing]) -> dict[str, Any] | None:
    """What the address asks (`?why=P01&not=P07`): whom the reader has chosen of the `players` (key and name), and the
    answer, its clauses as `differences`, or the obstacle in its way. None where there is nothing to ask: a round set by
    hand."""
    if round.method in UNCHOSEN_METHODS:
        return None
    there = [paired for paired in pairings if paired.kind != Pairing.Kind.ABSENT]
    seated = [seat.entry for paired in there for seat in paired.seats.all()]
    seated.sort(key=lambda entry: (entry.player.sort_name, entry.pk))
    players = [(entry.key, entry.name) for entry in seated]
    one, other = request.GET.get("why", ""), request.GET.get("not", "")
    entries_by_key = {entry.key: entry for entry in seated}
    question = {"players": players, "one": one, "other": other, "sentence": "", "obstacle": "", "differences": ()}
    if not (one and other):
        return question
    try:
        if missing := [key for key in (one, other) if key not in entries_by_key]:
            raise PlayerNotSeated(name=missing[0], number=round.number)
        answer = answer_why_not(round, pairings, entries_by_key[one], entries_by_key[other])
    except Refusal as obstacle:
        return {**question, "obstacle": str(obstacle)}
    names = name_round_players(pairings)
    differences = describe_comparison(answer, entries_by_key[one].pk, entries_by_key[other].pk, names, round.method)
    clauses = list_weighty_differences(answer, names, round.method)
    return {**question, "sentence": differences, "differences": clauses}


def build_round_url(round: Round) -> str:
    """The address of a round's page for the director."""
    division = round.division
    return reverse("director:round", args=[division.tournament.slug, round.number]) + make_division_query(division)


@login_required
@require_GET
def show_director_rounds(request: HttpRequest, slug: str) -> HttpResponse:
    """All rounds of a division with their progress, and the next one to pair."""
    division = get_chosen_division(request, get_directed_tournament(request, slug))
    if session := redirect_to_session(division):
        return session
    progress = list_league_rounds(division, drafts=True)
    of_day = find_round_of_day(progress, timezone.localdate())
    has_due_days = any(item.round.due_on for item in progress)
    is_to_come = bool(find_round_to_prepare(progress, count_planned_rounds(division)))
    context = {
        **build_director_context(division.tournament, division, "rounds"),
        "progress": progress,
        "has_due_days": has_due_days,
        # A league has no round beyond its plan; at any other event one more may be wanted.
        "offers_next": bool(progress) and (is_to_come or not has_due_days),
        "of_day": of_day.round.number if of_day else 0,
        "sends_letters": bool(settings.MAIL),
        "to_publish": list_rounds_to_publish(division),
        "segments": read_round_plan(division.plan),
        "phase": get_division_phase(division, progress),
    }
    return render(request, "tournament/rounds/director_rounds.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def show_outlook(request: HttpRequest, slug: str) -> HttpResponse:
    """The next round before the last result (GET); announce what is certain of it, and print that (POST)."""
    division = get_chosen_division(request, get_directed_tournament(request, slug))
    if session := redirect_to_session(division):
        return session
    address = reverse("director:rounds", args=[slug]) + make_division_query(division)
    with show_refusals(request):
        if request.method == "POST":
            announce_pairs(division, actor=get_actor(request))
            return redirect(reverse("director:document", args=[slug, "outlook"]) + make_division_query(division))
        outlook = load_outlook(division)
        names = name_entries(list_division_entries(division))
        announced = load_announced_pairs(division, outlook.number)
        context = {
            **build_director_context(division.tournament, division, "rounds"),
            "query": make_division_query(division),
            "outlook": outlook,
            "said": describe_outlook(outlook),
            "counted": count_outlook(outlook),
            "tables": [table for state in PairState if (table := OutlookTable(outlook, state, names, announced)).rows],
            "announced": announced,
            "news": any(pair.keys not in announced for pair in outlook.fixed),
            "shaken": find_shaken_pairs(announced, outlook),
        }
        return render(request, "tournament/rounds/outlook.html", context)
    return redirect(address)


@login_required
@require_http_methods(["GET", "POST"])
def pair_next_round(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask how to pair the next round (GET); pair it (POST), by the plan if it is `planned` and no result is missing."""
    division = get_chosen_division(request, get_directed_tournament(request, slug))
    return redirect_to_session(division) or _pair_by_form(request, division)


def _pair_by_form(request: HttpRequest, division: Division) -> HttpResponse:
    number = get_last_round_number(division) + 1
    segment = find_segment(read_round_plan(division.plan), number)
    # One click from the overview: a round that the plan decides is drawn without a form, unless a result is missing.
    is_planned = request.method == "POST" and "planned" in request.GET
    letters = LETTER_SETS[division.tournament.rules.letters]
    data = None if is_planned else request.POST or None
    form = RoundDrawForm(data, number=number, segment=segment, letters=letters)
    present, charged = list_present_and_charged(division, number)
    missing = count_missing_results(division, number - 1)
    refusal = None
    if form.is_valid() or (is_planned and not missing):
        try:
            wish = DrawWish() if is_planned else DrawWish(**form.cleaned_data)
            return redirect(build_round_url(draft_round(division, actor=get_actor(request), wish=wish)))
        # The button was pressed twice: the first press has drawn the round, so its page is the answer.
        except SentTwice as twice:
            show_refusal(request, twice)
            return redirect(build_round_url(get_visible_round(division, number, drafts=True)))
        except Refusal as fault:
            refusal = fault
    context = {
        **build_director_context(division.tournament, division, "rounds"),
        "number": number,
        "form": form,
        "refusal": refusal,
        "present": len(present),
        "charged": charged,
        "missing": missing,
    }
    return render(request, "tournament/rounds/draw.html", context)


def act_on_round(
    request: HttpRequest, slug: str, number: int, act: Callable[[Round], str], place: str = ""
) -> HttpResponse:
    """Let `act` change the round, show what it did or why it was refused, and redirect to `place` (`#…`) on its
    page."""
    division = get_chosen_division(request, get_directed_tournament(request, slug))
    round = get_visible_round(division, number, drafts=True)
    address = build_round_url(round)
    with show_refusals(request):
        messages.success(request, act(round))
    # The act may have deleted the round itself: a discarded draft has no page to go back to.
    if not Round.objects.filter(pk=round.pk).exists():
        return redirect(reverse("director:rounds", args=[slug]) + make_division_query(division))
    return redirect(address + place)


def _make_round_view(operation: Callable[..., object], words: Promise) -> Callable[..., HttpResponseBase]:
    """The view of an operation that needs no further input; `words` say what it did."""

    @login_required
    @require_POST
    def change_round(request: HttpRequest, slug: str, number: int) -> HttpResponse:
        def act(round: Round) -> str:
            operation(round, actor=get_actor(request))
            return str(words) % {"number": number}

        return act_on_round(request, slug, number, act)

    return change_round


unpublish_round_view = _make_round_view(
    unpublish_round, gettext_lazy("Round %(number)s is a draft again; players no longer see it.")
)
discard_draft_view = _make_round_view(discard_draft, gettext_lazy("The draft of round %(number)s has been discarded."))
reopen_round_view = _make_round_view(reopen_round, gettext_lazy("Round %(number)s is open for results again."))
pair_rest_anew_view = _make_round_view(pair_rest_anew, gettext_lazy("All unlocked pairs have been drawn again."))


@login_required
@require_POST
def publish_round_view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Publish a draft; with `print` go on to the paper of the round."""

    def act(round: Round) -> str:
        publish_round(round, actor=get_actor(request))
        return _("Round %(number)s is published.") % {"number": number}

    answer = act_on_round(request, slug, number, act)
    division = get_chosen_division(request, get_directed_tournament(request, slug))
    # A round that was refused is still a draft: there is nothing to print yet.
    if "print" not in request.POST or get_visible_round(division, number, drafts=True).is_draft:
        return answer
    paper = reverse("director:document", args=[slug, "round"]) + make_division_query(division)
    return redirect(f"{paper}&round={number}")


@login_required
@require_POST
def close_round_view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    def act(round: Round) -> str:
        close_round(round, actor=get_actor(request), accept_unsettled="accept" in request.POST)
        return _("Round %(number)s is closed.") % {"number": number}

    return act_on_round(request, slug, number, act)


@require_safe
@cache_public_page
@paired_events_only
def show_public_rounds(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """All public rounds with their progress. Four queries."""
    context = build_public_context(request, tournament, "rounds")
    progress = list_league_rounds(context["division"])
    table = RoundsTable(progress[::-1], context["links"], caption=_("Rounds"))
    context |= {"table": table, "progress": progress, "planned": count_planned_rounds(context["division"])}
    return render(request, "tournament/rounds/public_rounds.html", context)


@require_safe
@cache_public_page
@paired_events_only
def show_public_round(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """A public round (404 for a draft) by table, or by name with `?by=name`; one of the knock-out redirects to the
    bracket. Eight queries, two for public games."""
    context = build_public_context(request, tournament, "rounds")
    division = context["division"]
    # Numbers of the knock-out's rounds only keep them out of the league's way (1000 + 100 · stage + game); their page
    # is the bracket.
    if number > KNOCKOUT_FROM and Round.objects.filter(division=division, number=number).exists():
        return redirect(reverse("public:bracket", args=[tournament.slug]) + context["division_query"])
    try:
        round = get_visible_round(division, number)
    except Http404 as missing:
        return redirect_to_division("public:rounds", division, number, missing)
    pairings = list_round_pairings(round)
    balanced = tournament.starts == StartPolicy.BALANCED
    caption = _("Round %(number)s") % {"number": number}
    by_name = request.GET.get("by") == "name"
    following = read_following(request, (entry for pairing in pairings for entry in pairing.players))
    followed_pairings = following.pick(pairings, lambda pairing: [pairing.first, pairing.second])
    table: NamesTable | PairingsTable
    if by_name:
        table = NamesTable(
            list_players_by_name(followed_pairings), context["links"], balanced=balanced, caption=caption
        )
    else:
        table = PairingsTable(
            followed_pairings, context["links"], tournament=tournament, balanced=balanced, caption=caption
        )
    picks = context["links"].picks([item.round.number for item in list_league_rounds(division)], context["links"].round)
    context |= {"table": table, "round": round, "picks": picks, "by_name": by_name, "following": following}
    context["matches"] = list_round_matches(round) if round.method == Method.TEAMS else []
    context |= _build_reasons_context(request, tournament, round, pairings)
    return render(request, "tournament/rounds/public_round.html", context)


def _build_reasons_context(
    request: HttpRequest, tournament: Tournament, round: Round, pairings: list[Pairing]
) -> dict[str, Any]:
    """What is seen of the round and, unless the director keeps it back, why these meet and others do not."""
    sight = get_sight(round)
    # Reasons tell of ranks and wins: as long as the table before the round is held back, they are as well.
    if not tournament.public_reasons or not sight.reasons:
        return {"sight": sight, "why": (), "asked": None}
    why = list_pairing_reasons(pairings, name_round_players(pairings), tournament.rules)
    return {"sight": sight, "why": why, "asked": build_why_not_question(request, round, pairings)}
