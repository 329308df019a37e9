"""The word judge's pages where players show words to the jury before laying them: question, counts, log."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from games.judge import jury, lists
from games.judge import words as judge_words
from games.judge.forms import JuryForm
from games.models import JuryQuestion
from tournament import access
from tournament.models import Tournament
from tournament.models.play import seats_by
from tournament.views import query_string
from tournament.views.director.shell import shell
from tournament.views.director.single_submission import SingleSubmission

PER_PAGE = 50


def ask(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """A question of a player in a game that is being played, and who has asked how many."""
    found = jury.askers(tournament)
    word_list = lists.in_use(tournament.organiser_id, tournament.rules.letters)
    given = {"who": request.GET.get("who", "")}
    form = JuryForm(request.POST or None, askers=found, has_list=word_list is not None, initial=given)
    once = SingleSubmission(request)
    if form.done(lambda typed: once.run(lambda: _asked(request, form, typed))):
        return redirect(once.address)
    context = {
        **shell(tournament, access.division_of(request, tournament), "results", tabs=False),
        "form": form,
        "once": once.token,
        "word_list": word_list,
        "askers": found,
        "rules": tournament.rules,
        "clause": tournament.rules.clauses.questions,
    }
    return render(request, "games/judge/jury.html", context)


def _asked(request: HttpRequest, form: JuryForm, typed: dict[str, Any]) -> str:
    """Note the question and tell its answer; the next one is asked on the same page."""
    asker = form.asker
    noted = {"text": typed["word"], "verdict": form.verdict_given, "actor": access.actor(request)}
    question = jury.ask_jury(asker.pairing, side=asker.side, **noted)
    tell = messages.success if question.stands else messages.warning
    tell(request, judge_words.answered(question, asker))
    return request.path


def log(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    """Every word that was shown to the jury in this tournament, newest first."""
    found = JuryQuestion.objects.filter(pairing__round__division__tournament=tournament).order_by("-pk")
    found = found.select_related("pairing__round__division__tournament").prefetch_related(seats_by("pairing__seats"))
    page = query_string.page(request, found, PER_PAGE)
    lines = [(each, next(seat.entry for seat in each.pairing.seats.all() if seat.side == each.side)) for each in page]
    context = shell(tournament, access.division_of(request, tournament), "journal", tabs=False)
    return render(request, "games/judge/jury_log.html", {**context, "page": page, "lines": lines})
