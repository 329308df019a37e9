"""A word that is found wrong after it was laid, in the game or in a later control (Puntenscrabble III-12)."""

from dataclasses import dataclass

from scoring.rulesets.values import Ruleset
from scoring.sheet_values import CountedLine, LineKind, SheetCount, Side


@dataclass(frozen=True, slots=True)
class WrongWord:
    """What a wrong word costs whoever laid it; the opponent loses nothing. Figures of 0 or more."""

    turn: int
    extra: int
    clause: str

    @property
    def points(self) -> int:
        """What is taken off: the points of the turn and those on top."""
        return self.turn + self.extra


def cost(turn_points: int, ruleset: Ruleset) -> WrongWord | None:
    """What a wrong word costs that was laid in a turn of so many points; None where the rules do not have it.

    Raises ValueError on points below zero: no play scores them.
    """
    if turn_points < 0:
        raise ValueError(f"a play scores nothing below zero, not {turn_points}")
    if ruleset.wrong_word_penalty is None:
        return None
    return WrongWord(turn_points, ruleset.wrong_word_penalty, ruleset.clauses.wrong_word)


def word_turns(count: SheetCount, side: Side) -> tuple[CountedLine, ...]:
    """The turns of a player in which a word was laid that stands, in the order of the game."""
    return tuple(each for each in count.lines if each.line.side is side and each.line.kind is LineKind.PLAY)
