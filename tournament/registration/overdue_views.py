"""The pages of a league's games that are overdue (remind both players, postpone, or look at it and decide), and of
reminders before their day."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache

from tournament.access.rules import get_actor, get_chosen_division
from tournament.basics import limits
from tournament.entries.operations.waiting_list import is_online_entry_offered
from tournament.models import Division, Pairing, Tournament
from tournament.pages.forms import DateField, NumberField, OperationForm
from tournament.pages.frames import build_director_context, make_division_address
from tournament.pages.requests import director_page, redirect_to_session, show_refusals
from tournament.registration.reminders import list_due_reminders, remind_players, send_reminders, set_reminders
from tournament.rounds.overdue import postpone_game, select_overdue_games


class PostponeForm(OperationForm):
    """The day that a game is postponed to."""

    due_on = DateField(label=gettext_lazy("Postpone to"), required=True, help_text="")


class RemindersForm(OperationForm):
    """How many days before a game's day its players are reminded."""

    remind_days = NumberField(
        limits.REMIND_DAYS,
        label=gettext_lazy("Days before the last day of a game"),
        help_text=gettext_lazy("Left empty: nobody is reminded before the day."),
    )


@never_cache
@director_page("GET")
def show_overdue_games(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """The overdue games of a division."""
    division = get_chosen_division(request, tournament)
    return redirect_to_session(division) or _render_overdue_games(request, division)


@never_cache
@director_page("POST")
def decide_overdue_game(request: HttpRequest, tournament: Tournament, pk: int) -> HttpResponse:
    """Remind the players of a game, or postpone it: the button pressed says which."""
    division = get_chosen_division(request, tournament)
    games = Pairing.objects.filter(round__division=division, round__stage=None, kind=Pairing.Kind.GAME).public()
    pairing = get_object_or_404(games.select_related("round").with_players(), pk=pk)
    pairing.round.division = division
    if "remind" in request.POST and is_online_entry_offered():
        with show_refusals(request):
            count = remind_players(pairing, actor=get_actor(request))
            message = ngettext("%(count)s letter is on its way.", "%(count)s letters are on their way.", count)
            messages.success(request, message % {"count": count})
        return redirect(make_division_address("director:overdue", division))
    # The page has such a form for each game: without a prefix a fault would stand at all of them.
    form = PostponeForm(request.POST, prefix=f"game{pk}")
    if form.done(lambda typed: postpone_game(pairing, actor=get_actor(request), **typed)):
        messages.success(request, _("The game is postponed."))
        return redirect(make_division_address("director:overdue", division))
    return _render_overdue_games(request, division, {pk: form})


@never_cache
@director_page("GET", "POST", offered=is_online_entry_offered)
def edit_reminders(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """How many days before a game's day its players are reminded, and the letters that are ready; a post saves the
    days, or sends the letters."""
    # The page has a second form, whose button sends. It holds no days, and would save that nobody is reminded.
    form = RemindersForm(
        request.POST if request.method == "POST" and "send" not in request.POST else None,
        initial={"remind_days": tournament.remind_days},
    )
    if "send" in request.POST:
        with show_refusals(request):
            count = send_reminders(tournament, actor=get_actor(request))
            message = ngettext("%(count)s letter is on its way.", "%(count)s letters are on their way.", count)
            messages.success(request, message % {"count": count})
        return redirect("director:reminders", tournament.slug)
    if form.done(lambda typed: set_reminders(tournament, actor=get_actor(request), **typed)):
        messages.success(request, _("The reminders are saved."))
        return redirect("director:reminders", tournament.slug)
    due = list_due_reminders(tournament, localdate())
    context = {
        **build_director_context(tournament, get_chosen_division(request, tournament), "rounds", tabs=False),
        "form": form,
        "due": due,
        "letters": sum(len(recipients) for _game, recipients in due),
    }
    return render(request, "tournament/registration/reminders.html", context)


def _render_overdue_games(
    request: HttpRequest, division: Division, forms_sent: dict[int, PostponeForm] | None = None
) -> HttpResponse:
    games = select_overdue_games(division, localdate()).select_related("round").with_players()
    forms = forms_sent or {}
    context = {
        **build_director_context(division.tournament, division, "rounds"),
        "games": [(game, forms.get(game.pk) or PostponeForm(prefix=f"game{game.pk}")) for game in games],
        "sends_letters": is_online_entry_offered(),
    }
    return render(request, "tournament/registration/overdue.html", context)
