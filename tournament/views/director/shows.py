"""What the public sees of a round: told to the director beside it, and changed by hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from tournament import access
from tournament.models import Division, Round
from tournament.operations import shows
from tournament.operations.change import Actor
from tournament.queries import public_view
from tournament.refusals import Refusal
from tournament.showing import STEPS, Showing, Step
from tournament.views.director import button_refusals
from tournament.views.director.kept_input import login_required
from tournament.views.director.shell import query
from tournament.words import round_names
from tournament.words import shows as words


class NoSuchButton(Refusal):
    code = "no_such_step"
    message = gettext_lazy("What is to be shown or held back? Allowed are: %(allowed)s.")


@dataclass(frozen=True, slots=True)
class ShownStep:
    """A step of a round: its name, whether the public sees it now, and if not from when it will."""

    step: Step
    name: str
    is_seen: bool
    to_come: str


@dataclass(frozen=True, slots=True)
class ShownRound:
    """What the public sees of a round, step by step; `is_usual`: as the tournament's rule has it."""

    round: Round
    name: str
    lines: tuple[ShownStep, ...]
    is_usual: bool

    @property
    def held(self) -> tuple[ShownStep, ...]:
        """What the public does not see."""
        return tuple(line for line in self.lines if not line.is_seen)


def of(round: Round, division: Division) -> ShownRound | None:
    """What the public sees of a round of this division now; None while it is a draft. One query."""
    found = of_division(division)
    return next((each for each in found if each.round.pk == round.pk), None)


def of_knockout(division: Division) -> list[ShownRound]:
    """What the public sees of each round of a knock-out now. Two queries."""
    return [each for each in of_division(division) if each.round.is_knockout]


def of_division(division: Division) -> list[ShownRound]:
    """What the public sees of each public round of a division now. One query, two with a knock-out."""
    found = public_view.moments(Round.objects.filter(division=division))
    return [_shown(each, division) for each in found.values()]


def _shown(moments: public_view.Moments, division: Division) -> ShownRound:
    round, now = moments.round, timezone.now()
    round.division = division
    steps = (Step.PAIRINGS, Step.RESULTS) if round.is_knockout else STEPS
    return ShownRound(
        round=round,
        name=round_names.round_name(round),
        lines=tuple(_line(round, step, moments.of(step), now) for step in steps),
        is_usual=Showing.of(round) == Showing.of(division.tournament),
    )


def _line(round: Round, step: Step, moment: datetime | None, now: datetime) -> ShownStep:
    is_seen = moment is not None and moment <= now
    to_come = "" if is_seen else words.Hidden(round, step, moment).to_come
    return ShownStep(step, str(words.NAMES[step]), is_seen, to_come)


@login_required
@require_POST
def change(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a step of a round now, hold it back, or go back to the usual rule: the button pressed says which."""
    tournament = access.directed_tournament(request, slug)
    division = access.division_of(request, tournament)
    round = access.round_of(division, number, knockout=True)
    with button_refusals.refusals(request):
        _press(round, request.POST, access.actor(request))
        messages.success(request, _("What the public sees is changed."))
    if round.is_knockout:
        return redirect(reverse("director:knockout", args=[slug]) + query(division))
    return redirect(reverse("director:round", args=[slug, number]) + query(division) + "#shown")


def _press(round: Round, pressed: Mapping[str, str], actor: Actor) -> None:
    """Do what the button says. Raises `NoSuchButton` for what no button of ours says."""
    if "usual" in pressed:
        shows.show_as_usual(round, actor=actor)
    elif (step := pressed.get("show")) in STEPS:
        shows.show(round, Step(step), actor=actor)
    elif (step := pressed.get("hold")) in STEPS:
        shows.hold_back(round, Step(step), actor=actor)
    else:
        raise NoSuchButton(allowed=", ".join(STEPS))
