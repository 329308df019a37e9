"""The ceremony on the screens: which slide is shown, and whether the following ones come by themselves."""

from tournament import limits
from tournament.models import Tournament
from tournament.operations.change import Actor, change
from tournament.operations.hall_clock import stored


def show_slide(tournament: Tournament, *, slide: int, runs: bool, actor: Actor) -> None:
    """Show this slide, counted from 0; `runs`: those after it follow by themselves, up to the last."""
    with change(tournament, actor=actor, verb="show_slide") as log:
        log.save(stored(log), ceremony_slide=limits.SLIDE.nearest(slide), ceremony_runs=runs)
