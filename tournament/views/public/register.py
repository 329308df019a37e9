"""Online entry, as players see it: the form, and one's own page behind the link in the letter.

Nothing here tells whether somebody is registered: the answer to the form is always the same, and only a letter says
more. What changes something is posted: programs that look at letters follow links, and must not confirm anything.
"""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tournament import access, signing_in
from tournament.forms.registrations import RegisterForm
from tournament.models import Contact, OnlineEntry, Tournament
from tournament.operations import contact_links, forgetting, online_entry, registrations, requests, waiting_list
from tournament.operations.change import Actor
from tournament.queries import registrations as queries
from tournament.refusals import Refusal
from tournament.views.director import button_refusals
from tournament.views.public import caching
from tournament.views.public.frame import frame
from tournament.words import registrations as words

KIND = "registration"
"""What letters of the form are counted as, so that they take none from those who have lost a password."""


class TooOften(Refusal):
    code = "too_often"
    message = gettext_lazy("From here too many registrations have come. Please try again in %(minutes)s minutes.")


def _online(tournament: Tournament) -> OnlineEntry:
    """How the tournament takes registrations; 404 where it never did, and where no letters are sent."""
    found = waiting_list.settings_of(tournament) if online_entry.is_offered() else None
    if found is None:
        raise Http404
    return found


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@sensitive_post_parameters()
def register(request: HttpRequest, slug: str) -> HttpResponse:
    """The form; where nobody can register now, why."""
    tournament = access.public_tournament(slug)
    caching.turn_to_language(request, tournament)
    online = _online(tournament)
    form = RegisterForm(request.POST or None, online=online, tournament=tournament)
    if form.is_machine:
        return redirect("public:register_sent", slug)
    if form.done(lambda _typed: _asked(request, tournament, form)):
        return redirect("public:register_sent", slug)
    context = frame(request, tournament, "register") | _state(tournament, online)
    return render(request, "public/register.html", {**context, "form": form, "online": online})


def _asked(request: HttpRequest, tournament: Tournament, form: RegisterForm) -> None:
    try:
        signing_in.count_letter(request, form.cleaned_data["email"], kind=KIND)
    except signing_in.TooManyAttempts as many:
        raise TooOften(minutes=-(-many.seconds // 60)) from many
    requests.ask(tournament, wish=form.wish(request.LANGUAGE_CODE))


def _state(tournament: Tournament, online: OnlineEntry) -> dict[str, Any]:
    """What the page says besides the form. Five queries."""
    free = waiting_list.free(tournament, online)
    waiting = tournament.registrations.waiting().count()
    return {
        "obstacle": requests.obstacle(tournament, online, at=timezone.now()),
        "opens": words.moment(online.opens_at) if online.opens_at else "",
        "closes": words.moment(online.closes_at) if online.closes_at else "",
        "free": 0 if free is not None and waiting else free,
        "number": waiting + 1,
        "listed": queries.public_names(tournament, online),
    }


@never_cache
@require_safe
def sent(request: HttpRequest, slug: str) -> HttpResponse:
    """What to do next: the same for everybody."""
    tournament = access.public_tournament(slug)
    caching.turn_to_language(request, tournament)
    _online(tournament)
    hours = int(requests.VALID.total_seconds() // 3600)
    return render(request, "public/register_sent.html", {**frame(request, tournament, "register"), "hours": hours})


def _contact(request: HttpRequest, slug: str, link: str) -> Contact:
    """Whose page it is; 404 for a link that leads to nobody."""
    found = contact_links.contact_at(slug, link) if online_entry.is_offered() else None
    if found is None:
        raise Http404(_("This link leads to no registration. What was not confirmed in time is deleted."))
    caching.turn_to_language(request, found.tournament)
    return found


@never_cache
@require_safe
def own(request: HttpRequest, slug: str, link: str) -> HttpResponse:
    """How one's registration stands, and what can be done with it. Six queries."""
    return _own_page(request, _contact(request, slug, link), link)


def _own_page(request: HttpRequest, contact: Contact, link: str) -> HttpResponse:
    registration = contact.registration
    number = waiting_list.number_of(registration) if registration else 0
    is_open = registration is not None and (registration.has_place or number > 0)
    context = {
        "tournament": contact.tournament,
        "contact": contact,
        "registration": registration,
        "link": link,
        "online": waiting_list.settings_of(contact.tournament),
        "state": words.state(registration, number=number) if registration else "",
        "may_withdraw": is_open and not (registration and registration.entry and registration.entry.seats.exists()),
    }
    return render(request, "public/registration.html", context)


@never_cache
@require_POST
def confirm(request: HttpRequest, slug: str, link: str) -> HttpResponse:
    """Confirm the address: from here on it is a registration."""
    contact = _contact(request, slug, link)
    with button_refusals.refusals(request):
        requests.confirm(contact)
    return redirect("public:registration", slug, link)


@never_cache
@require_POST
def withdraw(request: HttpRequest, slug: str, link: str) -> HttpResponse:
    """Withdraw one's registration; the waiting list moves up."""
    contact = _contact(request, slug, link)
    if contact.registration is not None:
        with button_refusals.refusals(request):
            registrations.withdraw(contact.registration, actor=Actor(name=contact.registration.name))
            messages.success(request, _("The registration is withdrawn."))
    return redirect("public:registration", slug, link)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def forget(request: HttpRequest, slug: str, link: str) -> HttpResponse:
    """Have one's data deleted: a question first. Results of games that were played stay under a pseudonym."""
    contact = _contact(request, slug, link)
    entry = contact.registration.entry if contact.registration else None
    has_played = entry is not None and forgetting.has_played(entry.player)
    if request.method == "POST":
        is_done = forgetting.ask(contact) is not None
        return render(request, "public/forgotten.html", {"tournament": contact.tournament, "is_done": is_done})
    context = {"tournament": contact.tournament, "contact": contact, "link": link, "has_played": has_played}
    return render(request, "public/forget.html", context)
