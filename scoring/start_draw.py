"""Who begins if each player draws a tile for it (general rules 3, TSO 2.2 b)."""

from dataclasses import dataclass
from enum import StrEnum

from scoring import letters
from scoring.letters import BLANK, LETTER_SETS
from scoring.rulesets.values import Ruleset
from scoring.sheet_values import Side


class StartDrawFault(StrEnum):
    """Why a draw does not say who begins."""

    NOT_IN_SET = "not_in_set"  # `letter` is not in the set
    BLANK_DRAWN = "blank_drawn"  # A blank does not count under these rules: both draw again (SBNL II)
    EQUAL = "equal"  # both drew the same letter, and draw again


@dataclass(frozen=True, slots=True)
class StartDrawProblem:
    """One thing that is wrong with a draw."""

    fault: StartDrawFault
    letter: str = ""


def problems(drawn: tuple[str, str], ruleset: Ruleset) -> tuple[StartDrawProblem, ...]:
    """Everything that is wrong with the two letters drawn, `?` for a blank."""
    set_letters = {tile.letter for tile in LETTER_SETS[ruleset.letters].tiles}
    draw_problems = [
        StartDrawProblem(StartDrawFault.NOT_IN_SET, letter) for letter in drawn if letter not in set_letters
    ]
    if BLANK in drawn and not ruleset.blank_draws_first:
        draw_problems.append(StartDrawProblem(StartDrawFault.BLANK_DRAWN, BLANK))
    # Said once: two blanks that do not count are drawn again already, and two strangers are no equal letters.
    elif not draw_problems and drawn[0] == drawn[1]:
        draw_problems.append(StartDrawProblem(StartDrawFault.EQUAL, drawn[0]))
    return tuple(draw_problems)


def starting_side(drawn: tuple[str, str], ruleset: Ruleset) -> Side:
    """Who begins: the first letter in the alphabet, with umlauts right after A, O and U, and a blank before A. Raises
    ValueError for a draw with `problems`."""
    if draw_problems := problems(drawn, ruleset):
        raise ValueError(f"not a draw for the start: {drawn}, {draw_problems}")
    first, second = map(letters.sort_key, drawn)
    return Side.FIRST if first < second else Side.SECOND
