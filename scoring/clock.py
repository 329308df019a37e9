"""The clock: overtime, lateness, and times as people write them.

The clauses, where each is, how it is read, and by which test:

    TSO 2.4 a–c   lateness: the time until somebody comes is taken off their clock
                  test_lateness
    TSO 2.4 d, e  lateness: the limit itself is still in time; if both are late, each has a verdict
                  test_lateness_of_both
    TSO 5.2 a, b  overtime: the first second begins a minute; 60 s cost one, 61 s two
                  test_overtime
    TSO 5.2 c     overtime: “more than” the limit (10 minutes, 5 since 2017): the game is lost, no points are taken off
                  test_overtime
    TSO 5.3 c     overtime_outcome: both can be over the limit, and both lose
                  test_forfeit_by_overtime
    none          largest_overtime: from a slip that states points only, whole steps
                  test_overtime_that_costs_so_many_points
"""

import re
from dataclasses import dataclass

from scoring import awards
from scoring.awards import Outcome
from scoring.rulesets.values import Ruleset


@dataclass(frozen=True, slots=True)
class Overtime:
    """What overtime costs: points, or the game. If it costs the game, it costs no points."""

    seconds: int
    points: int
    lost: bool
    clause: str


@dataclass(frozen=True, slots=True)
class Lateness:
    """What lateness costs. `clock`: the seconds that the player has left, unless the game is lost."""

    seconds: int
    clock: int
    lost: bool
    clause: str


def overtime(seconds: int, ruleset: Ruleset) -> Overtime:
    """The verdict on so many whole seconds past zero. Raises ValueError below 0."""
    _refuse_negative(seconds)
    if ruleset.overtime_limit is not None and seconds > ruleset.overtime_limit:
        return Overtime(seconds, 0, True, ruleset.clauses.overtime_limit)
    # Rounded up: every minute begun counts. Rounded to the nearest, 61 seconds would cost what 60 do.
    started_steps = -(-seconds // ruleset.overtime_step)
    return Overtime(seconds, started_steps * ruleset.overtime_points, False, ruleset.clauses.overtime)


def largest_overtime(points: int, ruleset: Ruleset) -> int | None:
    """The most overtime, in seconds, that costs no more than `points`; None if the ruleset takes none off."""
    if not ruleset.overtime_points:
        return None
    return max(0, points // ruleset.overtime_points) * ruleset.overtime_step


def overtime_outcome(first: int, second: int, ruleset: Ruleset) -> Outcome:
    """The outcome of a game in which the players were so many seconds over: who forfeits it, or open if nobody does."""
    return awards.forfeit_outcome(overtime(first, ruleset).lost, overtime(second, ruleset).lost)


def lateness(seconds: int, clock: int, ruleset: Ruleset) -> Lateness:
    """The verdict on a player who comes so many seconds late and has `clock` seconds to play with (TSO 2.4). If both
    players are late, each gets a verdict. Raises ValueError for a time below zero."""
    _refuse_negative(seconds)
    _refuse_negative(clock)
    # Where the rules have no limit somebody may come later than their clock lasts: it stands at 0 then, not below.
    is_lost = ruleset.lateness_limit is not None and seconds > ruleset.lateness_limit
    return Lateness(seconds, 0 if is_lost else max(0, clock - seconds), is_lost, ruleset.clauses.lateness)


class BadTime(ValueError):
    """Not a time as minutes and seconds; `text` is what was written."""

    def __init__(self, text: str) -> None:
        super().__init__(f"not a time like 1:12: {text!r}")
        self.text = text


# Digits by name, since `\d` takes those of any script. A time like 1:75 is no time: somebody has misread the clock.
_TIME = re.compile(r"([0-9]{1,4}):([0-5][0-9])")


def parse_time(text: str) -> int:
    """Seconds of a time written as minutes and seconds, `1:12` or `01:12`. Raises `BadTime` on anything else."""
    match = _TIME.fullmatch(text.strip())
    if match is None:
        raise BadTime(text)
    return int(match[1]) * 60 + int(match[2])


def format_time(seconds: int) -> str:
    """Seconds as minutes and seconds, `1:12`; `parse_time` reads it back."""
    _refuse_negative(seconds)
    return f"{seconds // 60}:{seconds % 60:02}"


def _refuse_negative(seconds: int) -> None:
    if seconds < 0:
        raise ValueError(f"a time is not negative: {seconds}")
