"""The screens of the hall: set up, told what to show, taken away."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from tournament import limits, names
from tournament.models import Division, Screen, Tournament
from tournament.operations.change import Actor, Change, Gone, change
from tournament.queries import hall as queries
from tournament.refusals import NotPrintable, Refusal, Refusals, out_of_range, too_long

Turns = Sequence[tuple[Screen.Shows, int]]
"""What a screen shows in turn, each with the seconds that a page stays."""


class TooManyScreens(Refusal):
    code = "too_many_screens"
    message = _("A tournament may have %(most)s screens.")


class NothingInTurn(Refusal):
    code = "nothing_in_turn"
    message = _("What is to be shown in turn? Choose at least one.")
    field = "turns"


class TooMuchInTurn(Refusal):
    code = "too_much_in_turn"
    message = _("%(count)s are too many to be shown in turn: at most %(most)s are allowed.")
    field = "turns"


class ScreenTwice(Refusal):
    code = "screen_twice"
    message = _("There is a screen “%(name)s” already.")
    field = "name"


@dataclass(frozen=True, slots=True)
class ScreenPlan:
    """How a screen is set up; `name` "" is its number, `division` None all divisions, `turns` what it shows in turn."""

    name: str = ""
    division: Division | None = None
    turns: Turns = ()
    seconds: int = 12
    is_light: bool = False


def problems(plan: ScreenPlan) -> list[Refusal]:
    """Everything that is wrong with how a screen is to be set up."""
    found = too_long("name", plan.name, limits.SCREEN_NAME)
    if not plan.name.isprintable():
        found.append(NotPrintable(field="name", value=plan.name))
    found += out_of_range("seconds", plan.seconds, limits.PAGE_SECONDS)
    for _shows, seconds in plan.turns:
        found += out_of_range("turns", seconds, limits.PAGE_SECONDS)
    if len(plan.turns) > limits.TURNS_SHOWN.high:
        found.append(TooMuchInTurn(count=len(plan.turns), most=limits.TURNS_SHOWN.high))
    return found


def add_screen(tournament: Tournament, *, name: str, actor: Actor) -> Screen:
    """Set up one more screen, with the lowest number that is free. Raises `Refusals` with all faults."""
    name = names.tidy(name)
    with change(tournament, actor=actor, verb="add_screen", name=name) as log:
        stored = _stored(log)
        _require_possible(ScreenPlan(name=name), stored)
        if len(stored) >= limits.SCREEN.high:
            raise TooManyScreens(most=limits.SCREEN.high)
        number = next(number for number in limits.SCREEN.numbers if number not in {each.number for each in stored})
        made = queries.first_screen(log.tournament)
        made.number, made.name = number, name
        log.tell(screen=number)
        return log.create(made)


def set_up_screen(tournament: Tournament, number: int, *, plan: ScreenPlan, actor: Actor) -> None:
    """Change how a screen is set up. Raises `Refusals` with all faults, `Gone` if there is no such screen."""
    values: dict[str, Any] = {
        "name": names.tidy(plan.name),
        "division": plan.division,
        "turns": [[str(shows), seconds] for shows, seconds in plan.turns],
        "seconds": plan.seconds,
        "is_light": plan.is_light,
    }
    with change(tournament, actor=actor, verb="set_up_screen", screen=number, name=values["name"]) as log:
        screen = _screen(log, number)
        others = [each for each in _stored(log) if each.number != number]
        _require_possible(plan, others)
        if screen.shows == Screen.Shows.IN_TURN and not plan.turns:
            raise Refusals([NothingInTurn()])
        log.save(screen, **values)


def remove_screen(tournament: Tournament, number: int, *, actor: Actor) -> None:
    """Take a screen away; without any there is the first one again. Raises `Gone` if there is no such screen."""
    with change(tournament, actor=actor, verb="remove_screen", screen=number) as log:
        screen = Screen.objects.get(tournament=log.tournament, number=number)
        log.tell(name=screen.name)
        log.delete(screen)


def show_on_screen(tournament: Tournament, number: int, *, shows: Screen.Shows, actor: Actor) -> None:
    """Tell a screen what to show. Raises `NothingInTurn` if nothing is set up for that, `Gone` for no such screen."""
    with change(tournament, actor=actor, verb="show_on_screen", screen=number, shows=str(shows)) as log:
        screen = _screen(log, number)
        if shows == Screen.Shows.IN_TURN and not screen.turns:
            raise NothingInTurn
        log.save(screen, shows=str(shows), is_paused=False)


def hold_pages(tournament: Tournament, number: int, *, paused: bool, actor: Actor) -> None:
    """Let the pages of a screen stand, or turn again. Raises `Gone` if there is no such screen."""
    with change(tournament, actor=actor, verb="hold_pages", screen=number) as log:
        log.save(_screen(log, number), is_paused=paused)


def _require_possible(plan: ScreenPlan, others: Sequence[Screen]) -> None:
    found = problems(plan)
    if plan.name and any(names.fold(plan.name) == names.fold(each.name) for each in others):
        found.append(ScreenTwice(name=plan.name))
    if found:
        raise Refusals(found)


def _stored(log: Change) -> list[Screen]:
    """The screens of the tournament; the one that there is by itself is stored now."""
    found = list(Screen.objects.filter(tournament=log.tournament).in_order())
    return found or [log.create(queries.first_screen(log.tournament))]


def _screen(log: Change, number: int) -> Screen:
    found = next((screen for screen in _stored(log) if screen.number == number), None)
    if found is None:
        raise Gone
    return found
