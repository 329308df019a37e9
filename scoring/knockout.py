"""The knock-out: who wins a match and by what, and the bracket as a value (TSO 6.2)."""

from collections.abc import Sequence

from scoring.knockout_values import (
    LARGEST,
    LONGEST_SERIES,
    SMALLEST,
    Bracket,
    Criterion,
    DecidedBy,
    Due,
    Facts,
    Fault,
    Form,
    Game,
    Games,
    Lots,
    Match,
    MissingFact,
    NotPlayable,
    Origin,
    Place,
    Problem,
    Rules,
    Source,
    WaitsFor,
)
from scoring.tally import Key

__all__ = [
    "LARGEST",
    "LONGEST_SERIES",
    "SMALLEST",
    "Bracket",
    "Criterion",
    "DecidedBy",
    "Due",
    "Facts",
    "Fault",
    "Form",
    "Game",
    "Games",
    "Key",
    "Lots",
    "Match",
    "MissingFact",
    "NotPlayable",
    "Origin",
    "Place",
    "Problem",
    "Rules",
    "Source",
    "WaitsFor",
    "bracket",
    "fitting",
    "problems",
    "seed_order",
    "stages",
]


def stages(size: int) -> int:
    """How many stages a knock-out of so many players has: 2 players 1, 3 and 4 players 2 …"""
    return (size - 1).bit_length()


def seed_order(size: int) -> tuple[int, ...]:
    """The seed numbers from the top of the first stage, two to a match: 1, 8, 4, 5, 2, 7, 3, 6 for five to eight.

    Numbers above `size` are places that nobody takes; who meets them has a bye.
    """
    order: tuple[int, ...] = (1,)
    for stage in range(1, stages(size) + 1):
        order = tuple(seed for better in order for seed in (better, 2**stage + 1 - better))
    return order


def bracket(seeds: Sequence[Key | None], rules: Rules, games: Games | None = None, lots: Lots | None = None) -> Bracket:
    """The knock-out as it stands after these games; `seeds` from the first, None for one not confirmed yet.

    Games after a match's decision change nothing, nor does a lot where none is needed.
    Raises `NotPlayable` with everything that is wrong (`problems`).
    """
    raise NotImplementedError


def problems(
    seeds: Sequence[Key | None], rules: Rules, games: Games | None = None, lots: Lots | None = None
) -> tuple[Problem, ...]:
    """Every fault of the input; none when `bracket` can be made."""
    raise NotImplementedError


def fitting(
    seeds: Sequence[Key | None], rules: Rules, games: Games | None = None, lots: Lots | None = None
) -> tuple[Bracket, tuple[Problem, ...]]:
    """The bracket from the games that fit it, and what is wrong with the others, which are left out.

    That is how one sees what a correction does: a later match whose games no longer fit is named by a problem.
    Raises `NotPlayable` where the seeds themselves are wrong.
    """
    raise NotImplementedError
