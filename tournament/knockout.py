"""The knock-out of a division as a value: what is stored, read into `scoring.knockout`, with the players behind it."""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring import knockout
from scoring.knockout import Problem
from tournament.models import Bracket, Division, Entry


@dataclass(frozen=True, slots=True)
class Knockout:
    """A division's knock-out as it stands: what was announced, and the bracket with players by entry id.

    `entries` holds everybody seeded, names and clubs included. `pairings` gives the id of the stored pairing of each
    game, by stage, position and game (from 1). `problems` names stored games that do not fit the bracket (any more);
    they are left out of it.
    """

    announced: Bracket
    bracket: knockout.Bracket
    entries: Mapping[knockout.Key, Entry]
    pairings: Mapping[tuple[int, int, int], int]
    problems: tuple[Problem, ...] = ()


def rules(announced: Bracket) -> knockout.Rules:
    """How the knock-out is played, from what was announced and the tournament's awards. No query if those are loaded."""
    return knockout.Rules(
        form=knockout.Form(announced.form),
        best_of=announced.best_of,
        criteria=tuple(knockout.Criterion(name) for name in announced.criteria),
        third_place=announced.third_place,
        awards=announced.division.tournament.awards,
    )


def knockout_of(division: Division) -> Knockout | None:
    """The knock-out of a division; None where none was announced. Five queries, whatever its size."""
    raise NotImplementedError
