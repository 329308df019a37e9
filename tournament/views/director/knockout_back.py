"""Taking something of the knock-out back, which may cost games that were played."""

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from tournament.models import Division
from tournament.operations import knockout_games
from tournament.views.director.shell import query, shell


def address(division: Division) -> str:
    """The page of a division's knock-out."""
    return reverse("director:knockout", args=[division.tournament.slug]) + query(division)


def take_back(
    request: HttpRequest, division: Division, act: Callable[[tuple[int, ...]], object], *, heading: str, done: str
) -> HttpResponse:
    """Call `act` with the results whose loss the director has agreed to, and say `done`; ask first where more would go.

    `heading` is what the question is about. A GET, the way back after signing in, changes nothing.
    """
    if request.method == "GET":
        return redirect(address(division))
    try:
        act(knockout_games.ids_from_text(request.POST.get("disturbs", "")))
    except knockout_games.DisturbsLater as question:
        context = {**shell(division.tournament, division, "knockout"), "query": query(division), "question": question}
        context |= {"heading": heading, "agreed": question.agreed, "back": address(division), "action": request.path}
        return render(request, "director/knockout_question.html", context)
    messages.success(request, done)
    return redirect(address(division))
