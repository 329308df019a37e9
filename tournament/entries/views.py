"""The director's pages of entries, check-in, players' photos and the register; what everybody sees of entries."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe
from django_tables2 import RequestConfig

from tournament.access.rules import get_actor, get_chosen_division
from tournament.accounts.views.way_in import build_personal_page
from tournament.basics.pictures import build_picture_response
from tournament.chances.tables import tell_needs
from tournament.core.change import Actor
from tournament.core.fees import FeeTerms
from tournament.core.public_view import get_sight
from tournament.core.words.figures import name_entries
from tournament.core.words.journal import JournalLine
from tournament.entries.curve import build_player_curves
from tournament.entries.forms import (
    AbsenceForm,
    AbsenteesForm,
    BringBackForm,
    DecideAbsenteesForm,
    EntryDetailsForm,
    KeepApartForm,
    MoveForm,
    NewEntryForm,
    PortraitForm,
    WithdrawEntryForm,
    format_known_player,
    get_entry_form_values,
    read_entry_details,
    read_person,
)
from tournament.entries.operations.attendance import (
    bring_back_entry,
    check_in_entries,
    leave_out_absentees,
    list_absentees,
    list_doubtful_entries,
    mark_fees,
    remove_absence,
    set_absence,
    settle_absentees,
    withdraw_absentees,
    withdraw_entry,
)
from tournament.entries.operations.entries import (
    LateEntry,
    allow_to_meet,
    edit_entry,
    enter_player,
    give_portrait,
    keep_apart,
    move_entry,
    remove_entry,
    remove_portrait,
)
from tournament.entries.operations.portraits import GivenPortraits, give_named_portraits
from tournament.entries.operations.waiting_list import is_online_entry_offered
from tournament.entries.queries import (
    MOST_PLAYERS_OFFERED,
    find_current_pairing,
    list_missed_rounds,
)
from tournament.models import Division, Entry, JournalEntry, KeptApart, Player, Portrait, Round, Tournament
from tournament.models.event import prefetch_entries
from tournament.pages.caching import cache_public_page
from tournament.pages.forms import OperationForm, parse_key
from tournament.pages.frames import (
    build_director_context,
    build_public_context,
    make_division_address,
    make_division_query,
)
from tournament.pages.requests import (
    SingleSubmission,
    director_page,
    read_search_text,
    redirect_to_session,
    show_refusals,
)
from tournament.pairing.values import StartPolicy
from tournament.paper.lettering import has_unknown_letter
from tournament.results.league_games import list_division_entries
from tournament.rounds.plan import count_rounds_needed
from tournament.rounds.reason_words import list_pairing_reasons
from tournament.rounds.tables import CardTable
from tournament.table.league import count_planned_rounds, get_last_round_number, load_boards
from tournament.table.player_page import list_entry_pairings, load_player_page
from tournament.table.public_table import search_entries
from tournament.table.tables import EntriesTable


def get_entry_or_404(tournament: Tournament, pk: int) -> Entry:
    """An entry of this tournament by its id; 404 for another tournament's."""
    entries = Entry.objects.with_phones().select_related("player__club", "club", "division")
    entry = get_object_or_404(entries, pk=pk, tournament=tournament)
    # The one at hand, which knows the reader's role; entry and division would each ask for a row of their own.
    entry.tournament = entry.division.tournament = tournament
    return entry


def _get_entry_terms(tournament: Tournament) -> dict[str, Any]:
    """What the forms of an entry have to know of the tournament."""
    return {"rules": tournament.rules, "fees": FeeTerms.of(tournament)}


@director_page("GET", "POST")
def edit_entries(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The entries of a division, and a line to enter the next one."""
    division = get_chosen_division(request, tournament)
    address = make_division_address("director:entries", division)
    if "find" in request.POST:  # without a script the button beside the name looks for it
        return redirect(f"{address}&{urlencode({'q': request.POST.get('name', '')})}")
    last, planned = get_last_round_number(division), count_planned_rounds(division)
    everybody = sorted(list_division_entries(division), key=lambda entry: (entry.player.sort_name, entry.pk))
    form = NewEntryForm(
        request.POST or None,
        organiser_id=tournament.organiser_id,
        next_round=last + 1,
        planned=planned,
        has_check_in=any(entry.present for entry in everybody),
        initial={"name": read_search_text(request)},
        **_get_entry_terms(tournament),
    )
    once = SingleSubmission(request)

    def enter() -> str:
        fields = form.cleaned_data
        entry = enter_player(
            division,
            person=read_person(fields),
            details=read_entry_details(fields),
            late=LateEntry(fields["first_round"], fields["missed_are_losses"], fields.get("present", False)),
            anyway=fields["anyway"],
            meant=fields["meant"],
            actor=get_actor(request),
        )
        _warn_about_entry(request, entry, planned)
        return address

    if outcome := form.done(lambda _typed: once.run(enter)):
        return redirect(outcome.result)
    context = build_director_context(tournament, division, "entries") | _get_list_context(request, division, everybody)
    context |= {"form": form, "once": once, "late": last > 0}
    # Empty where the event has one division: nobody plays elsewhere then.
    if context["division_query"]:
        search = context["search"]
        context["elsewhere"] = _search_elsewhere(division, search) if search else _list_entries_elsewhere(division)
    return render(request, "tournament/entries/director_entries.html", context)


def _warn_about_entry(request: HttpRequest, entry: Entry, planned: int) -> None:
    """Say of somebody just entered what nobody would notice before it is too late."""
    if has_unknown_letter(entry.name):
        warning = _(
            "The fonts lack letters of %(name)s, so paper shows a □ instead. Entered in Latin letters, the name is "
            "printed in full."
        )
        messages.warning(request, warning % {"name": entry.name})
    # In a league all rounds are published at once: who came a week later was entered for round 12 of 11.
    if 0 < planned < entry.first_round:
        warning = _(
            "%(name)s could play from round %(number)s on, but only %(planned)s are planned. Plan more rounds, or take "
            "the last ones back and pair them anew."
        )
        messages.warning(request, warning % {"name": entry.name, "number": entry.first_round, "planned": planned})


def _search_elsewhere(division: Division, search: str) -> list[Entry]:
    """Whom a search finds in the other divisions, by name. One query, none without a search."""
    if not search:
        return []
    others = Entry.objects.filter(tournament=division.tournament).exclude(division=division)
    return search_entries(others.select_related("division").with_names().by_name(), search)


def _find_own_newest(request: HttpRequest, division: Division) -> JournalEntry | None:
    """The journal's line of whoever the reader entered, while nothing else has been done since. One query."""
    # Without the rows: those of a list that was read in are the whole event.
    newest = JournalEntry.objects.filter(tournament=division.tournament).defer("rows").order_by("-number").first()
    return newest if newest and newest.verb == "enter" and newest.by_id == request.user.pk else None


def _get_list_context(request: HttpRequest, division: Division, everybody: list[Entry]) -> dict[str, Any]:
    """The entries as the page lists them: whoever was just entered comes first. Five queries at most, one more with
    teams."""
    search = read_search_text(request)
    playing = [entry for entry in everybody if not entry.is_withdrawn]
    line = None if search else _find_own_newest(request, division)
    newest = next((entry for entry in everybody if line and entry.key == line.details.get("key")), None)
    # Sorting is stable: the newest comes first, and behind it everybody stays by name.
    listed = sorted(search_entries(everybody, search), key=lambda entry: entry != newest)
    # Who is in the register and not entered yet, to be offered while a name is typed.
    register = Player.objects.current().filter(organiser=division.tournament.organiser_id)
    players = register.exclude(entries__tournament=division.tournament).select_related("club").by_name()
    boards = load_boards(division)
    return {
        "everybody": everybody,
        "search": search,
        "elsewhere": [],
        "rows": [
            (entry, misses, "" if boards is None else _format_place_in_team(entry, boards.get(entry.pk)))
            for entry, misses in list_missed_rounds(division, listed)
        ],
        "newest": newest,
        # Whoever stands in a round by now, if only as absent, is taken back by the journal alone.
        "newest_line": JournalLine(line) if line and newest and newest.seats.exists() else None,
        "playing": len(playing),
        "withdrawn": len(everybody) - len(playing),
        "present": sum(1 for entry in playing if entry.present),
        "takes_registrations": is_online_entry_offered(),
        "known": list(dict.fromkeys(map(format_known_player, list(players[:MOST_PLAYERS_OFFERED])))),
        "needed": count_rounds_needed(division, entered=len(playing)),
        "planned": count_planned_rounds(division),
    }


def _format_place_in_team(entry: Entry, board: int | None) -> str:
    """The team and the board in it; the club is a team that needs no words of its own."""
    team = entry.team_name if entry.team else ""
    place = f"{_('Board')} {board}" if board else ""
    return " · ".join(filter(None, (team, place)))


@director_page("GET", "POST")
def show_entry(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """One entry: its figures to correct, and the ways to withdraw, leave out, move or remove it."""
    entry = get_entry_or_404(tournament, pk)
    terms = _get_entry_terms(tournament)
    form = EntryDetailsForm(request.POST or None, initial=get_entry_form_values(entry), **terms)
    if form.done(
        lambda typed: edit_entry(
            entry,
            person=read_person(typed),
            details=read_entry_details(typed),
            anyway=typed["anyway"],
            actor=get_actor(request),
        )
    ):
        messages.success(request, _("%(name)s is saved.") % form.cleaned_data)
        return redirect(make_division_address("director:entries", entry.division))
    return _render_entry_page(request, entry, form=form)


def _render_entry_page(request: HttpRequest, found: Entry, **forms_shown: OperationForm) -> HttpResponse:
    """An entry's page; each form that was refused stands there by its name as it was sent. Nine queries."""
    last, planned = get_last_round_number(found.division), count_planned_rounds(found.division)
    rules = found.tournament.rules
    frame = build_director_context(found.tournament, found.division, "entries")
    # Whom the player is kept apart from, by name.
    pairs = KeptApart.objects.filter(Q(one=found) | Q(other=found)).prefetch_related(
        *map(prefetch_entries, ("one", "other"))
    )
    others = [(pair, pair.other if pair.one_id == found.pk else pair.one) for pair in pairs.order_by("pk")]
    context = {
        **frame,
        # Without the tabs of divisions: the page is of one player, whichever tab was chosen.
        "divisions": (),
        "entry": found,
        "form": EntryDetailsForm(initial=get_entry_form_values(found), **_get_entry_terms(found.tournament)),
        "paired": found.seats.exists(),
        "absences": list(found.absences.order_by("number")),
        "last": last,
        "apart": sorted(others, key=lambda item: item[1].player.sort_name),
        "withdraw_form": WithdrawEntryForm(entry=found, last=last, planned=planned),
        "back_form": BringBackForm(rules=rules),
        "absence_form": AbsenceForm(next_round=max(last + 1, found.first_round), planned=planned, rules=rules),
        "apart_form": KeepApartForm(entry=found),
        "portrait": Portrait.objects.filter(entry=found).first(),
        "personal": build_personal_page(request, found),
        "move_form": MoveForm(moved=found) if len(frame["divisions"]) > 1 else None,
        **forms_shown,
    }
    return render(request, "tournament/entries/entry.html", context)


@director_page("POST")
def move_entry_view(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Move an entry to another division."""
    entry = get_entry_or_404(tournament, pk)
    form = MoveForm(request.POST, moved=entry)
    if form.done(lambda typed: move_entry(entry, actor=get_actor(request), **typed)):
        division = form.cleaned_data["division"]
        names = {"name": entry.name, "division": division.name}
        messages.success(request, _("%(name)s plays in division %(division)s now.") % names)
        return redirect(make_division_address("director:entries", division))
    return return_to_entry(request, entry, move_form=form)


@director_page("POST")
def remove_entry_view(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Take back an entry that was never paired."""
    entry = Entry.objects.filter(pk=pk, tournament=tournament).with_names().select_related("division").first()
    if entry is None:  # taken back already: the form was sent twice
        return redirect("director:entries", tournament.slug)
    entry.tournament = entry.division.tournament = tournament
    with show_refusals(request):
        remove_entry(entry, actor=get_actor(request))
        messages.success(request, _("The entry of %(name)s is taken back.") % {"name": entry.name})
    return redirect(make_division_address("director:entries", entry.division))


@director_page("POST")
def keep_apart_view(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Keep two entries apart."""
    entry = get_entry_or_404(tournament, pk)
    form = KeepApartForm(request.POST, entry=entry)
    if form.done(lambda typed: keep_apart(entry, actor=get_actor(request), **typed)):
        names = {"name": entry.name, "other": form.cleaned_data["other"].name}
        messages.success(request, _("%(name)s and %(other)s are kept apart.") % names)
    return return_to_entry(request, entry, apart_form=form)


@director_page("POST")
def allow_to_meet_view(request: HttpRequest, tournament: Tournament, pk: int, pair: int) -> HttpResponse:
    """Let two entries meet again."""
    entry = get_entry_or_404(tournament, pk)
    pairs = KeptApart.objects.select_related("one__player", "one__tournament", "other__player")
    kept_pair = pairs.filter(pk=pair, one__tournament=entry.tournament).first()
    if kept_pair is not None:
        allow_to_meet(kept_pair, actor=get_actor(request))
        messages.success(request, _("They may meet again."))
    return redirect("director:entry", tournament.slug, pk)


def return_to_entry(request: HttpRequest, found: Entry, **forms_sent: OperationForm) -> HttpResponse:
    """Back to an entry's page; refusals stand above it as well, since their form may be gone from it by now."""
    faults = [fault for form in forms_sent.values() for fault in form.faults]
    if not faults:
        return redirect("director:entry", found.tournament.slug, found.pk)
    for fault in faults:
        messages.error(request, fault)
    # Read anew: what was refused was mostly refused because the entry is another one by now.
    return _render_entry_page(request, get_entry_or_404(found.tournament, found.pk), **forms_sent)


TICK_COLUMNS = ("present", "paid")
FEW_MISSING = 6  # players who stand above the list; more are folded
TICK_VERBS = ("check_in", "mark_fees")  # what the journal calls ticking at the check-in


@director_page("GET", "POST")
def edit_check_in(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Tick who is present and who has paid. A post saves all ticks of the page at once, or marks everybody present."""
    division = get_chosen_division(request, tournament)
    if request.method == "POST":
        # Only entries that the page showed are touched: somebody may have been entered since.
        posted_keys = {name: map(parse_key, request.POST.getlist(name)) for name in ("shown", *TICK_COLUMNS)}
        ticked = {name: {key for key in keys if key is not None} for name, keys in posted_keys.items()}
        actor = get_actor(request)
        if "everybody" in request.POST:
            check_in_entries(tournament, shown=ticked["shown"], present=ticked["shown"], actor=actor)
        else:
            # Two changes, so that each has its own line in the journal: whoever takes back the payments does not send
            # everybody home.
            check_in_entries(tournament, shown=ticked["shown"], present=ticked["present"], actor=actor)
            mark_fees(tournament, shown=ticked["shown"], paid=ticked["paid"], actor=actor)
        messages.success(request, _("The check-in is saved."))
        return redirect(make_division_address("director:check_in", division))
    return _render_check_in(request, division)


def _render_check_in(request: HttpRequest, division: Division, refused: OperationForm | None = None) -> HttpResponse:
    """The check-in, with what is wrong about a form above it."""
    for fault in refused.faults if refused else ():
        messages.error(request, fault)
    return render(request, "tournament/entries/check_in.html", _build_check_in_context(division))


def _build_check_in_context(division: Division) -> dict[str, Any]:
    """What the page shows, with the last tick to be taken back."""
    playing = sorted(
        (entry for entry in list_division_entries(division) if not entry.is_withdrawn),
        key=lambda entry: (entry.player.sort_name, entry.pk),
    )
    fees = FeeTerms.of(division.tournament)
    for entry in playing:
        entry.is_settled = fees.weigh(entry).is_settled
    next_round = get_last_round_number(division) + 1
    missing = sorted(list_absentees(division, number=next_round), key=lambda entry: (entry.player.sort_name, entry.pk))
    last = JournalEntry.objects.filter(tournament=division.tournament).defer("rows").order_by("-number").first()
    around = build_director_context(division.tournament, division, "entries")
    elsewhere = _list_entries_elsewhere(division) if around["division_query"] else []
    for entry in elsewhere:
        entry.is_settled = fees.weigh(entry).is_settled
    return {
        **around,
        "elsewhere": elsewhere,
        "playing": playing,
        "present": sum(1 for entry in playing if entry.present),
        "missing": missing,
        "few": len(missing) <= FEW_MISSING,
        "next_round": next_round,
        "last": JournalLine(last) if last and last.verb in TICK_VERBS else None,
    }


def _list_entries_elsewhere(division: Division) -> list[Entry]:
    """Who plays in the other divisions, by name: whoever comes to the desk is found on any division's page."""
    others = Entry.objects.filter(tournament=division.tournament, withdrawn_after=None).exclude(division=division)
    return list(others.select_related("division").with_names().by_name())


@director_page("POST")
def tick_entry(request: HttpRequest, tournament: Tournament, pk: int, column: str, state: str) -> HttpResponse:
    """Set one tick as its address says; a script is answered with the row and what else of the page it changes."""
    entry = get_entry_or_404(tournament, pk)
    if column not in TICK_COLUMNS or state not in ("on", "off"):
        raise Http404(_("There is no such tick."))
    # The address says how the tick is to be, not that it changes: two who tick the same player at once both get what
    # they meant.
    actor, ticked = get_actor(request), [pk] if state == "on" else []
    if column == "present":
        check_in_entries(tournament, shown=[pk], present=ticked, actor=actor)
    else:
        mark_fees(tournament, shown=[pk], paid=ticked, actor=actor)
    if not request.headers.get("HX-Request"):
        return redirect(make_division_address("director:check_in", entry.division))
    # A name of another division may be ticked on this one's page.
    division = get_chosen_division(request, tournament) if "division" in request.GET else entry.division
    context = _build_check_in_context(division)
    listed = (*context["playing"], *context["elsewhere"])
    context["entry"] = next((listed_entry for listed_entry in listed if listed_entry.pk == pk), entry)
    return render(request, "tournament/entries/_check_in_ticked.html", context)


@director_page("GET", "POST")
def settle_all_absentees(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Leave out or withdraw everybody who is not checked in. Without a post: to the check-in."""
    division = get_chosen_division(request, tournament)
    if request.method == "GET":
        return redirect(make_division_address("director:check_in", division))
    form = AbsenteesForm(request.POST)
    if outcome := form.done(lambda typed: _settle_everybody(division, typed, get_actor(request))):
        text = ngettext("%(count)s player is left out.", "%(count)s players are left out.", outcome.result)
        messages.success(request, text % {"count": outcome.result})
        return redirect(make_division_address("director:entries", division))
    return _render_check_in(request, division, form)


@director_page("GET", "POST")
def decide_absentees(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Settle each player who is in doubt: there, out, withdrawn, still expected. Whoever answers beside a draft goes
    back to it, drawn for those who play. Without a post: to the check-in."""
    division = get_chosen_division(request, tournament)
    address = make_division_address("director:check_in", division)
    if request.method == "GET":
        return redirect(address)
    number = get_last_round_number(division) + 1
    form = DecideAbsenteesForm(request.POST, missing=list_doubtful_entries(division, number=number))
    actor, is_draft = get_actor(request), "draft" in request.POST

    def settle(_typed: dict[str, Any]) -> int:
        return settle_absentees(division, number=number, decided=form.decided, actor=actor, draws_again=is_draft)

    if outcome := form.done(settle):
        text = ngettext("%(count)s player is decided.", "%(count)s players are decided.", outcome.result)
        messages.success(request, text % {"count": outcome.result})
    elif not is_draft:
        return _render_check_in(request, division, form)
    for fault in form.faults:
        messages.error(request, fault)
    return redirect(
        reverse("director:round", args=[tournament.slug, number]) + make_division_query(division)
        if is_draft
        else address
    )


def _settle_everybody(division: Division, typed: dict[str, object], actor: Actor) -> int:
    if typed["what"] == AbsenteesForm.WITHDRAW:
        return withdraw_absentees(division, actor=actor)
    # The round that the page showed: if it was published meanwhile this is refused, and nobody misses the one after it
    # instead.
    return leave_out_absentees(division, number=int(str(typed["number"])), actor=actor)


@director_page("POST")
def withdraw_entry_view(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Let somebody leave after a round."""
    entry = get_entry_or_404(tournament, pk)
    last, planned = get_last_round_number(entry.division), count_planned_rounds(entry.division)
    form = WithdrawEntryForm(request.POST, entry=entry, last=last, planned=planned)
    if form.done(lambda typed: withdraw_entry(entry, actor=get_actor(request), **typed)):
        is_out = form.cleaned_data["disqualified"]
        message = (
            _("%(name)s is disqualified. The results stay.")
            if is_out
            else _("%(name)s is withdrawn. The results stay.")
        )
        messages.success(request, message % {"name": entry.name})
    return return_to_entry(request, entry, withdraw_form=form)


@director_page("POST")
def bring_back_entry_view(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Let somebody play again who was withdrawn."""
    entry = get_entry_or_404(tournament, pk)
    form = BringBackForm(request.POST, rules=tournament.rules)
    if form.done(lambda typed: bring_back_entry(entry, actor=get_actor(request), **typed)):
        messages.success(request, _("%(name)s plays again from the next round.") % {"name": entry.name})
    return return_to_entry(request, entry, back_form=form)


@director_page("POST")
def set_absence_view(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Leave somebody out of a future round."""
    entry = get_entry_or_404(tournament, pk)
    last, planned = get_last_round_number(entry.division), count_planned_rounds(entry.division)
    form = AbsenceForm(request.POST, next_round=last + 1, planned=planned, rules=tournament.rules)
    if form.done(lambda typed: set_absence(entry, actor=get_actor(request), **typed)):
        words = {"name": entry.name, "number": form.cleaned_data["number"]}
        messages.success(request, _("%(name)s misses round %(number)s.") % words)
    return return_to_entry(request, entry, absence_form=form)


@director_page("POST")
def remove_absence_view(request: HttpRequest, tournament: Tournament, pk: int, number: int) -> HttpResponse:
    """Let somebody take part in a round after all."""
    entry = get_entry_or_404(tournament, pk)
    with show_refusals(request):
        remove_absence(entry, number=number, actor=get_actor(request))
        messages.success(request, _("%(name)s plays round %(number)s.") % {"name": entry.name, "number": number})
    return redirect("director:entry", tournament.slug, pk)


PROBLEMS_TOLD = 10  # of photos that are not kept; the page would become long


@director_page("GET", "POST")
def edit_portraits(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The photos of a division's players, and the form that gives one, or many by the files' names."""
    division = get_chosen_division(request, tournament)
    if session := redirect_to_session(division):
        return session
    chosen = request.GET.get("entry", "")
    form = PortraitForm(request.POST or None, request.FILES or None, division=division, entry=chosen)
    actor = get_actor(request)

    def give(typed: dict[str, Any]) -> GivenPortraits:
        if typed["entry"] is None:
            return give_named_portraits(division, sent=typed["photos"], actor=actor)
        give_portrait(typed["entry"], sent=next(iter(typed["photos"]), None), actor=actor)
        return GivenPortraits([typed["entry"]])

    if outcome := form.done(give):
        entries_done, problems = outcome.result
        if len(entries_done) == 1:
            messages.success(request, _("The photo of %(name)s is kept.") % {"name": entries_done[0].name})
        elif entries_done:
            message = ngettext("%(count)s photo is kept.", "%(count)s photos are kept.", len(entries_done))
            messages.success(request, message % {"count": len(entries_done)})
        if problems:
            messages.warning(request, " ".join(map(str, problems[:PROBLEMS_TOLD])))
        if (more := len(problems) - PROBLEMS_TOLD) > 0:
            message = ngettext("%(count)s more file is not kept.", "%(count)s more files are not kept.", more)
            messages.warning(request, message % {"count": more})
        return redirect(make_division_address("director:portraits", division))
    portraits = Portrait.objects.filter(entry__division=division).prefetch_related(prefetch_entries("entry"))
    context = {
        **build_director_context(tournament, division, "end", tabs=False),
        "form": form,
        "query": make_division_query(division),
        "portraits": portraits.order_by("entry__player__sort_name", "pk"),
    }
    return render(request, "tournament/entries/portraits.html", context)


def _get_portrait(tournament: Tournament, pk: int) -> Portrait:
    """A photo of this tournament; 404 for another one's."""
    portraits = Portrait.objects.select_related("entry__player", "entry__division")
    portrait = get_object_or_404(portraits, pk=pk, entry__tournament=tournament)
    portrait.entry.tournament = portrait.entry.division.tournament = tournament
    return portrait


@director_page("GET")
def download_portrait(_request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponseBase:
    """The picture itself."""
    return build_picture_response(_get_portrait(tournament, pk).name, f"player-{pk}.jpg")


@director_page("POST")
def remove_portrait_view(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Remove a photo for good."""
    portrait = _get_portrait(tournament, pk)
    remove_portrait(portrait.entry, actor=get_actor(request))
    messages.success(request, _("The photo of %(name)s is deleted.") % {"name": portrait.entry.name})
    return redirect(make_division_address("director:portraits", portrait.entry.division))


# What everybody sees.


@require_safe
@cache_public_page
def show_entries(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The entries of a division by name, sortable, or those found by a search. Four queries, one more with teams."""
    context = build_public_context(request, tournament, "entries")
    everybody = list_division_entries(context["division"])
    search = read_search_text(request)
    entries_found = search_entries(everybody, search)
    boards = load_boards(context["division"])
    table = EntriesTable(entries_found, context["links"], boards, order_by="name", caption=_("Entries"))
    RequestConfig(request, paginate=False).configure(table)
    playing = sum(not entry.is_withdrawn for entry in everybody)
    context |= {"table": table, "search": search, "everybody": everybody, "found": entries_found, "playing": playing}
    context |= {"withdrawn": len(everybody) - playing, "elsewhere": _search_elsewhere(context["division"], search)}
    return render(request, "tournament/entries/public_entries.html", context)


@require_safe
@cache_public_page
def show_player(request: HttpRequest, tournament: Tournament, key: str) -> HttpResponse:
    """One player's rounds, curves of rank and spread, where they sit, and what they need in the last rounds. Eighteen
    queries, two more for public games and six in the last rounds."""
    entries = Entry.objects.filter(tournament=tournament).with_names().select_related("division")
    entry = get_object_or_404(entries, key=key.replace("\0", "\ufffd"))  # PostgreSQL takes no NUL, not even to ask
    entry.division.tournament = tournament
    context = build_public_context(request, tournament, "entries", entry.division)
    card = load_player_page(entry)
    balanced = tournament.starts == StartPolicy.BALANCED
    # As on the player's own page, the curves end where a round is still open.
    still_open = Round.objects.league().filter(division=entry.division).exclude(state=Round.State.CLOSED)
    end = still_open.order_by("number").values_list("number", flat=True).first()
    counted = [step for step in card["steps"] if end is None or step.round < end]
    running = {step.round: (step.standing.rank, step.standing.spread) for step in counted if step.standing}
    context |= {
        "entry": entry,
        "card": card,
        "playing": find_current_pairing(entry),
        "balanced": balanced,
        "table": CardTable(card["steps"], context["links"], balanced=balanced, caption=_("Games")),
        "curves": build_player_curves(running),
        "needs": tell_needs(entry),
        "why": _list_pairing_reasons(entry) if tournament.public_reasons else (),
    }
    return render(request, "tournament/entries/public_player.html", context)


def _list_pairing_reasons(entry: Entry) -> list[tuple[str, str]]:
    """Why the player met whom, round by round, where the tables that the reasons tell of are seen. Four queries."""
    pairings = [own_pairing for own_pairing in list_entry_pairings(entry) if get_sight(own_pairing.round).reasons]
    names = name_entries(list_division_entries(entry.division)) if pairings else {}
    return [
        (_("Round %(number)s, %(pairing)s") % {"number": pairing.round.number, "pairing": who}, reasons)
        for pairing in pairings
        for who, reasons in list_pairing_reasons([pairing], names, entry.division.tournament.rules)
    ]
