"""Registrations: the director's pages of them, the form for everybody, and one's own page behind the link in a letter.
Nothing public tells whether somebody is registered: the answer to the form is always the same, and only a letter says
more. What changes something is posted: programs that look at letters follow links, and must not confirm anything."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from django.contrib import messages
from django.forms.models import model_to_dict
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament.access.rules import get_actor, get_chosen_division, get_public_tournament
from tournament.access.signing_in import (
    TooManyAttempts,
    count_letter_delay,
    count_named_letter,
    get_client_address,
)
from tournament.backup.forgotten_names import get_name_search
from tournament.basics.addresses import build_full_address
from tournament.basics.cells import CellValue, build_csv
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor
from tournament.core.fees import FeeTerms, format_fee_kind
from tournament.entries.forms import NEW_PERSON, MoveForm, list_kind_choices
from tournament.entries.operations.waiting_list import (
    count_free_places,
    count_taken_places,
    get_online_entry,
    get_waiting_number,
    is_online_entry_offered,
)
from tournament.fees import EntryFeeForm
from tournament.letters.outbox import discard_letter, find_contact, retry_letter
from tournament.letters.words import describe_letter_fault, describe_registration_state, format_moment
from tournament.models import Contact, Letter, OnlineEntry, Player, Registration, RegistrationState, Tournament
from tournament.pages.caching import activate_event_language
from tournament.pages.forms import OperationForm, parse_key
from tournament.pages.frames import build_director_context, build_own_organiser_context, build_public_context
from tournament.pages.kept_input import login_required
from tournament.pages.requests import director_page, show_refusals
from tournament.pages.views import answer_with_file
from tournament.registration.forgetting import (
    answer_forget_request,
    forget_player,
    forget_registration,
    has_played_games,
    must_directors_agree,
)
from tournament.registration.forms import (
    MOST_COMPANIONS,
    CompanionForm,
    OnlineEntryForm,
    RefuseRegistrationForm,
    RegisterForm,
)
from tournament.registration.numbers import find_number_questions, settle_number
from tournament.registration.operations import (
    confirm_registration,
    find_alike_players,
    mark_registration_paid,
    move_registration,
    note_registration_fee,
    put_on_waiting_list,
    refuse_registration,
    set_up_online_entry,
    take_over_registrations,
    withdraw_registration,
)
from tournament.registration.queries import (
    FeeState,
    count_unconfirmed_requests,
    get_fee_state,
    group_registrations,
    list_public_registrations,
    list_unsent_letters,
)
from tournament.registration.requests import (
    LINK_VALID_FOR,
    confirm_party,
    find_registration_obstacle,
    list_party,
    request_registration,
)

REGISTRATION_ACTS: Mapping[str, Callable[..., None]] = {
    "confirm": confirm_registration,
    "wait": put_on_waiting_list,
    "withdraw": withdraw_registration,
    "paid": partial(mark_registration_paid, paid=True),
    "number": settle_number,
    "unpaid": partial(mark_registration_paid, paid=False),
}
"""What a button does, by the last part of its address."""

LETTER_KIND = "registration"  # counted by themselves: they take no letters from those who have lost a password


@director_page("GET", "POST", offered=is_online_entry_offered)
def edit_online_entry(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """What is set; a post sets it."""
    stored = get_online_entry(tournament)
    form = OnlineEntryForm(request.POST or None, initial=model_to_dict(stored or OnlineEntry()))
    actor = get_actor(request)
    if outcome := form.done(lambda _typed: set_up_online_entry(tournament, terms=form.terms(), actor=actor)):
        messages.success(request, _describe_online_entry(tournament, outcome.result))
        return redirect("director:registrations", tournament.slug)
    context = {**_build_frame(request, tournament), "form": form, "zone": timezone.get_current_timezone_name()}
    return render(request, "tournament/registration/online_entry.html", context)


def _describe_online_entry(tournament: Tournament, stored: OnlineEntry) -> str:
    """What holds from now on."""
    now = timezone.now()
    if not stored.is_on:
        return _("No registrations are taken.")
    if stored.has_closed(now) and stored.closes_at:
        return _("Saved. Registration has been closed since %(at)s.") % {"at": format_moment(stored.closes_at)}
    if not stored.has_opened(now) and stored.opens_at:
        return _("Saved. Registration is open from %(at)s.") % {"at": format_moment(stored.opens_at)}
    over = count_taken_places(tournament) - (stored.places or 0)
    if stored.places and over > 0:
        return _("Saved. Places given beyond the limit: %(over)s; nobody loses theirs.") % {"over": over}
    address = build_full_address(f"/t/{tournament.slug}/register/")
    return _("Registrations are taken at %(address)s") % {"address": address}


# Personal data deleted on request, after a question that says what becomes of them.


@director_page("GET", "POST", offered=is_online_entry_offered)
def confirm_forgetting_registration(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Delete a registration, and with it what is known of the player."""
    registration = get_object_or_404(Registration.objects.select_related("entry__player"), tournament=tournament, pk=pk)
    if request.method == "POST":
        _announce_pseudonym(request, forget_registration(registration, actor=get_actor(request)))
        return _show_what_holds_the_name(request) or redirect("director:registrations", tournament.slug)
    context = {
        **_build_frame(request, tournament),
        "name": registration.name,
        "has_played": registration.entry is not None and has_played_games(registration.entry.player),
        "back": reverse("director:registration", args=[tournament.slug, pk]),
    }
    return render(request, "tournament/registration/director_forget.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def confirm_forgetting_player(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete what is known of a player of the register."""
    player = get_object_or_404(Player.objects.select_related("organiser"), pk=pk)
    around = build_own_organiser_context(request, player.organiser_id)
    if request.method == "POST":
        _announce_pseudonym(request, forget_player(player, actor=get_actor(request, player.organiser)))
        next_page = reverse("director:players") + around["organiser_query"]
        return _show_what_holds_the_name(request) or redirect(next_page)
    back = reverse("director:edit_player", args=[pk])
    context = {**around, "name": player.name, "has_played": has_played_games(player.current), "back": back}
    return render(request, "tournament/registration/director_forget.html", context)


def _show_what_holds_the_name(request: HttpRequest) -> HttpResponse | None:
    """The page of backups, for whoever looks after them, where any are searched for the name."""
    is_host = request.user.is_superuser
    return redirect(reverse("director:backups") + "#names") if is_host and get_name_search().texts else None


def _announce_pseudonym(request: HttpRequest, pseudonym: str) -> None:
    """The name is not said again: messages are kept in the session."""
    message = _("The personal data have been deleted. What remains is under “%(pseudonym)s”.")
    messages.success(request, message % {"pseudonym": pseudonym})


# The director's list, and what can be done with a registration.


def _build_frame(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    return build_director_context(tournament, get_chosen_division(request, tournament), "entries", tabs=False)


@never_cache
@director_page("GET", "HEAD", offered=is_online_entry_offered)
def show_registrations(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Everybody who has registered, by what became of it; letters that could not be sent. Thirteen queries in all."""
    if (online := get_online_entry(tournament)) is None:
        return redirect("director:online_entry", tournament.slug)
    context = {
        **_build_frame(request, tournament),
        "online": online,
        "groups": group_registrations(tournament, online),
        "unconfirmed": count_unconfirmed_requests(tournament),
        "letters": [(letter, describe_letter_fault(letter.fault)) for letter in list_unsent_letters(tournament)],
        "taken": count_taken_places(tournament),
        "address": build_full_address(f"/t/{tournament.slug}/register/"),
    }
    return render(request, "tournament/registration/registrations.html", context)


def _get_registration(tournament: Tournament, pk: int) -> Registration:
    registrations = Registration.objects.select_related("division", "entry__player")
    registration = get_object_or_404(registrations, tournament=tournament, pk=pk)
    registration.tournament = tournament
    return registration


@never_cache
@director_page("GET", "HEAD", offered=is_online_entry_offered)
def show_registration(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """One registration, and what can be done with it."""
    return _render_registration(request, _get_registration(tournament, pk))


def _render_registration(request: HttpRequest, registration: Registration, **forms_sent: OperationForm) -> HttpResponse:
    terms, online = FeeTerms.of(registration.tournament), get_online_entry(registration.tournament)
    context = {
        **_build_frame(request, registration.tournament),
        "registration": registration,
        "fee": get_fee_state(registration, terms, is_asked=bool(online and online.fee)),
        "amounts": terms.weigh(registration.entry or registration) if terms.kinds else None,
        "currency": terms.currency,
        "fee_form": EntryFeeForm(entry=registration, terms=terms) if terms.kinds else None,
        "contact": Contact.objects.filter(registration=registration).first(),
        "number": get_waiting_number(registration),
        "number_question": find_number_questions(registration.tournament, online, [registration]).get(registration.pk),
        "refuse_form": RefuseRegistrationForm(),
        "move_form": MoveForm(moved=registration),
        "several": registration.tournament.divisions.count() > 1,
        **forms_sent,
    }
    return render(request, "tournament/registration/director_registration.html", context)


@director_page("POST", offered=is_online_entry_offered)
def settle_registration(request: HttpRequest, tournament: Tournament, pk: int, what: str) -> HttpResponse:
    """Do with a registration what the button says; 404 for anything else."""
    registration = _get_registration(tournament, pk)
    if what not in REGISTRATION_ACTS:
        raise Http404
    with show_refusals(request):
        REGISTRATION_ACTS[what](registration, actor=get_actor(request))
        messages.success(request, _("%(name)s is saved.") % {"name": registration.name})
    return redirect("director:registrations", tournament.slug)


@director_page("POST", offered=is_online_entry_offered)
def submit_refusal(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Do not accept a registration."""
    registration = _get_registration(tournament, pk)
    form = RefuseRegistrationForm(request.POST)
    if form.done(lambda typed: refuse_registration(registration, actor=get_actor(request), **typed)):
        messages.success(request, _("The registration of %(name)s is not accepted.") % {"name": registration.name})
        return redirect("director:registrations", tournament.slug)
    return _render_registration(request, registration, refuse_form=form)


@director_page("POST", offered=is_online_entry_offered)
def submit_move(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Move a registration to another division."""
    registration = _get_registration(tournament, pk)
    form = MoveForm(request.POST, moved=registration)
    if form.done(lambda typed: move_registration(registration, actor=get_actor(request), **typed)):
        messages.success(request, _("%(name)s is saved.") % {"name": registration.name})
        return redirect("director:registrations", tournament.slug)
    return _render_registration(request, registration, move_form=form)


@director_page("POST", offered=is_online_entry_offered)
def submit_registration_fee(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Note the kind of fee, and what was paid when."""
    registration, terms = _get_registration(tournament, pk), FeeTerms.of(tournament)
    if not terms.kinds:
        return redirect("director:fees", tournament.slug)
    form = EntryFeeForm(request.POST, entry=registration, terms=terms)
    if form.done(lambda _typed: note_registration_fee(registration, fee=form.stated, actor=get_actor(request))):
        messages.success(request, _("The fee of %(name)s is saved.") % {"name": registration.name})
        return redirect("director:registration", tournament.slug, pk)
    return _render_registration(request, registration, fee_form=form)


@director_page("GET", "POST", offered=is_online_entry_offered)
def show_confirmed_registrations(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The confirmed registrations that are no entries yet; a post makes entries of those that are ticked."""
    if request.method == "POST":
        with show_refusals(request):
            # What is refused falls through to the page below, with ticks and answers as they were sent.
            is_done = _take_over_chosen(request, tournament, get_actor(request))
            return redirect("director:registrations" if is_done else "director:take_registrations", tournament.slug)
    confirmed = group_registrations(tournament, get_online_entry(tournament)).get(RegistrationState.CONFIRMED, [])
    ready = [row for row in confirmed if row["registration"].entry_id is None]
    posted, terms = request.POST, FeeTerms.of(tournament)
    alike = find_alike_players(tournament, [row["registration"] for row in ready])
    lines = [
        {
            "row": row,
            "candidates": alike.get(pk, ()),
            "field": f"row-{pk}",
            "meant": posted.get(f"row-{pk}", ""),
            "is_taken": not posted or str(pk) in posted.getlist("take"),
            "is_other": str(pk) in posted.getlist("anyway"),
            "lacks_kind": row["fee"] == FeeState.NO_KIND,
            "kind": posted.get(f"kind-{pk}", ""),
        }
        for row, pk in ((row, row["registration"].pk) for row in ready)
    ]
    asks_kind = any(line["lacks_kind"] for line in lines)
    more = {"asks_person": bool(alike), "lines": lines, "asks_kind": asks_kind, "kinds": list_kind_choices(terms)}
    context = {**_build_frame(request, tournament), **more}
    return render(request, "tournament/registration/take_registrations.html", context)


def _take_over_chosen(request: HttpRequest, tournament: Tournament, actor: Actor) -> bool:
    """Make entries of what was sent, and tell of them; whether it was clear who is meant by each."""
    key_lists = (map(parse_key, request.POST.getlist(name)) for name in ("take", "anyway"))
    chosen, others = ({key for key in keys if key is not None} for keys in key_lists)
    kinds = {key: request.POST.get(f"kind-{key}", "") for key in chosen}
    answers = {key: request.POST.get(f"row-{key}", "") for key in chosen}
    others |= {key for key, answer in answers.items() if answer == NEW_PERSON}
    meant = {key: player for key, answer in answers.items() if (player := parse_key(answer)) is not None}
    take_over = take_over_registrations(tournament, chosen=chosen, anyway=others, meant=meant, kinds=kinds, actor=actor)
    message = ngettext("%(count)s player is entered.", "%(count)s players are entered.", len(take_over.new))
    messages.success(request, message % {"count": len(take_over.new)})
    if take_over.known:
        names = ", ".join(entry.name for entry in take_over.known)
        messages.info(request, _("Already entered, so not entered again: %(names)s.") % {"names": names})
    if take_over.left:
        names = ", ".join(registration.name for registration in take_over.left)
        messages.warning(request, _("Registered twice, but entered once: %(names)s.") % {"names": names})
    if take_over.unclear:
        names = "; ".join(registration.name for registration in take_over.unclear)
        messages.warning(request, _("Not entered yet, because it is open who is meant: %(names)s.") % {"names": names})
    return not take_over.unclear


@never_cache
@director_page("GET", "HEAD", offered=is_online_entry_offered)
def download_registrations(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """All registrations for a spreadsheet program, in the order of the page."""
    heads: list[CellValue] = [_("Name"), _("Club"), _("Rating"), _("Division"), _("State"), _("Waiting list")]
    heads += [
        _("Kind of fee"),
        _("Fee paid"),
        _("No."),
        _("Registered"),
        _("E-mail"),
        _("Phone"),
        _("Membership number"),
    ]
    groups = group_registrations(tournament, get_online_entry(tournament)).values()
    terms = FeeTerms.of(tournament)
    file = build_csv([heads, *(_build_csv_row(row, terms) for rows in groups for row in rows)])
    return answer_with_file(file, "text/csv; charset=utf-8", f"{tournament.slug}-registrations.csv")


def _build_csv_row(row: dict[str, Any], terms: FeeTerms) -> list[CellValue]:
    one = row["registration"]
    payer = one.entry or one
    kind = terms.weigh(payer).kind
    # Without a kind nobody knows whether what was paid is all of it: the tick alone says so then.
    is_paid = payer.fee_paid if row["fee"] == FeeState.NO_KIND else row["fee"] == FeeState.PAID
    return [
        *(one.name, one.club, one.rating, one.division.name, one.get_state_display(), row["number"] or None),
        *(kind.name if kind else "", _("yes") if is_paid else _("no"), one.entry.key if one.entry else ""),
        # In the zone of the installation: a spreadsheet knows none, and what came at half past midnight would stand on
        # the day before.
        *(f"{timezone.localtime(one.at):%Y-%m-%d %H:%M}", row["email"], row["phone"], one.number),
    ]


@director_page("POST", offered=is_online_entry_offered)
def handle_unsent_letter(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Try again to send a letter, or throw it away."""
    letter = get_object_or_404(Letter, tournament=tournament, pk=pk)
    if request.POST.get("discard"):
        discard_letter(letter)
        messages.success(request, _("The e-mail to %(to)s has been discarded.") % {"to": letter.to})
    else:
        retry_letter(letter)
        messages.success(request, _("The e-mail to %(to)s is being sent again.") % {"to": letter.to})
    return redirect("director:registrations", tournament.slug)


# Online entry as players see it.


def _get_online_entry(tournament: Tournament) -> OnlineEntry:
    """How the tournament takes registrations; 404 where it never did, and where no letters are sent."""
    entry = get_online_entry(tournament) if is_online_entry_offered() else None
    if entry is None:
        raise Http404
    return entry


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
def show_registration_form(request: HttpRequest, slug: str) -> HttpResponse:
    """The form; where nobody can register now, why."""
    tournament = get_public_tournament(slug)
    activate_event_language(request, tournament)
    online = _get_online_entry(tournament)
    form, companions = _make_register_forms(request, online, tournament)
    filled = [companion for companion in companions if not companion.is_empty]
    # A field that people do not see: the program that fills it in has the answer of one that was taken, and nothing is
    # written.
    if form.data.get("website") or (
        # All of them, so that each shows what is wrong.
        sum(not companion.is_valid() for companion in filled) == 0
        and form.done(lambda _typed: _send_request(request, tournament, form, filled))
    ):
        return redirect("public:register_sent", slug)
    free = count_free_places(tournament, online)
    waiting = tournament.registrations.waiting().count()
    context = build_public_context(request, tournament, "register") | {
        "obstacle": find_registration_obstacle(tournament, online, at=timezone.now()),
        "opens": format_moment(online.opens_at) if online.opens_at else "",
        "closes": format_moment(online.closes_at) if online.closes_at else "",
        # As the registration itself will count: what is free belongs to those who wait.
        "free": 0 if free is not None and waiting else free,
        "number": waiting + 1,
        "listed": list_public_registrations(tournament, online),
        "kinds": [label for _key, label in list_kind_choices(FeeTerms.of(tournament))],
    }
    context |= {"form": form, "companions": companions, "may_add": len(companions) < MOST_COMPANIONS}
    return render(request, "tournament/registration/register.html", {**context, "online": online})


def _make_register_forms(
    request: HttpRequest, online: OnlineEntry, tournament: Tournament
) -> tuple[RegisterForm, list[CompanionForm]]:
    """The form and those of everybody else on it; one more, with what was typed and not judged yet, where `more` is
    pressed."""
    posted = request.POST
    options: dict[str, Any] = {"online": online, "tournament": tournament}
    is_more = "more" in posted
    # Never more than the page offers: the number comes with what was posted, and each form asks the database.
    count = min((parse_key(posted.get("companions", "")) or 0) + is_more, MOST_COMPANIONS)
    bound: dict[str, Any] = {} if is_more else {"data": posted or None}
    form = RegisterForm(initial=posted.dict() if is_more else None, **bound, **options)
    companions = []
    for number in range(2, count + 2):
        own = f"p{number}-"
        initial = {name.removeprefix(own): value for name, value in posted.items() if is_more and name.startswith(own)}
        companions.append(CompanionForm(prefix=f"p{number}", initial=initial, **bound, **options))
    return form, companions


def _send_request(
    request: HttpRequest, tournament: Tournament, form: RegisterForm, companions: Sequence[CompanionForm]
) -> None:
    try:
        has_room = count_named_letter(request, form.cleaned_data["email"], LETTER_KIND)
    except TooManyAttempts as many:
        message = ngettext(
            "From here many registrations have come. Please send it again in %(seconds)s second.",
            "From here many registrations have come. Please send it again in %(seconds)s seconds.",
            many.seconds,
        )
        raise Refusal("too_often", message, seconds=many.seconds) from many
    # Beyond that the letters to one recipient are gathered, not refused: anybody may name anybody's address.
    delay = timedelta(seconds=count_letter_delay(LETTER_KIND) if has_room else 0)
    wish = form.wish(request.LANGUAGE_CODE, get_client_address(request))
    request_registration(
        tournament,
        wish=wish,
        companions=[companion.companion_wish(wish) for companion in companions],
        delay=delay,
        is_gathered=not has_room,
    )


@never_cache
@require_safe
def show_request_sent(request: HttpRequest, slug: str) -> HttpResponse:
    """What to do next: the same for everybody."""
    tournament = get_public_tournament(slug)
    activate_event_language(request, tournament)
    _get_online_entry(tournament)
    context = {**build_public_context(request, tournament, "register"), "hours": LINK_VALID_FOR // timedelta(hours=1)}
    return render(request, "tournament/registration/register_sent.html", context)


def _get_contact(request: HttpRequest, slug: str, link: str) -> Contact:
    """Whose page it is; 404 for a link that leads to nobody."""
    contact = find_contact(slug, link) if is_online_entry_offered() else None
    if contact is None:
        raise Http404(
            _("This link does not lead to a registration. Registrations that are not confirmed in time are deleted.")
        )
    activate_event_language(request, contact.tournament)
    return contact


@never_cache
@require_safe
def show_own_registration(request: HttpRequest, slug: str, link: str) -> HttpResponse:
    """How one's registration stands, and what can be done with it. Six queries."""
    return _render_own_registration(request, _get_contact(request, slug, link), link)


def _is_paid(registration: Registration) -> bool:
    state = get_fee_state(registration, FeeTerms.of(registration.tournament), is_asked=False)
    return registration.fee_paid if state == FeeState.NO_KIND else state == FeeState.PAID


def _render_own_registration(request: HttpRequest, contact: Contact, link: str) -> HttpResponse:
    registration = contact.registration
    number = get_waiting_number(registration) if registration else 0
    is_open = registration is not None and (registration.has_place or number > 0)
    terms = FeeTerms.of(contact.tournament)
    kind = terms.weigh(registration.entry or registration).kind if registration else None
    online = get_online_entry(contact.tournament)
    may_confirm = not registration or (
        contact.is_withdrawn and not find_registration_obstacle(contact.tournament, online, at=timezone.now())
    )
    context = {
        "tournament": contact.tournament,
        "contact": contact,
        "registration": registration,
        # Until it counts, what was typed last; from then on what the registration says, which the director may have
        # corrected.
        "about": contact if may_confirm else registration,
        "may_confirm": may_confirm,
        "party": [member.name for member in list_party(contact)[1:]] if may_confirm else [],
        "fee_kind": format_fee_kind(kind, terms.currency) if kind else "",
        "link": link,
        "online": online,
        "is_paid": registration is not None and _is_paid(registration),
        "state": describe_registration_state(registration, number=number) if registration else "",
        # Once paired, only the director takes somebody out: the opponent is waiting for them.
        "may_withdraw": is_open and not (registration and registration.entry and registration.entry.seats.exists()),
    }
    return render(request, "tournament/registration/public_registration.html", context)


@never_cache
@require_POST
def confirm_address(request: HttpRequest, slug: str, link: str) -> HttpResponse:
    """Confirm the address: from here on it is a registration."""
    contact = _get_contact(request, slug, link)
    with show_refusals(request):
        confirm_party(contact)
    return redirect("public:registration", slug, link)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def withdraw_own_registration(request: HttpRequest, slug: str, link: str) -> HttpResponse:
    """Withdraw one's registration, a question first; the waiting list moves up."""
    contact = _get_contact(request, slug, link)
    if request.method != "POST":
        context = {"tournament": contact.tournament, "contact": contact, "link": link}
        return render(request, "tournament/registration/public_withdraw.html", context)
    if contact.registration is not None:
        with show_refusals(request):
            withdraw_registration(contact.registration, actor=Actor(name=contact.registration.name))
            messages.success(request, _("The registration is withdrawn."))
    return redirect("public:registration", slug, link)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def confirm_forgetting_oneself(request: HttpRequest, slug: str, link: str) -> HttpResponse:
    """Have one's data deleted: a question first. Results of games that were played stay under a pseudonym."""
    contact = _get_contact(request, slug, link)
    entry = contact.registration.entry if contact.registration else None
    has_played = entry is not None and has_played_games(entry.player)
    if request.method == "POST":
        # No redirect: the page behind the link is gone with the data.
        context = {"tournament": contact.tournament, "is_done": answer_forget_request(contact) is not None}
        return render(request, "tournament/registration/forgotten.html", context)
    context = {"tournament": contact.tournament, "contact": contact, "link": link, "has_played": has_played}
    context["asks_director"] = must_directors_agree(contact)
    return render(request, "tournament/registration/public_forget.html", context)
