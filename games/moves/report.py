"""What was found, as a value for programs and as lines to read."""

from typing import Any

from scoring.moves import Plays, ScoredPlay
from scoring.squares import Direction, Square


def as_json(found: Plays, most: int | None) -> dict[str, Any]:
    """`{"count", "best", "plays"}`: `count` and `best` of all plays, `plays` the best `most`, or all."""
    return {"count": found.count, "best": found.best, "plays": [_play(each) for each in found.top(most)]}


def _play(scored: ScoredPlay) -> dict[str, Any]:
    return {
        "position": scored.play.position,
        "word": scored.play.word,
        "points": scored.points,
        "tiles": [[_name(square), letter] for square, letter in scored.placed],
    }


def _name(square: Square) -> str:
    """The column's letter first: `H8`."""
    return square.position(Direction.DOWN)


def as_lines(found: Plays, most: int | None) -> list[str]:
    """A line for each of the best `most` plays: points, position, word."""
    return [f"{each.points:>5}  {each.play.position:<3}  {each.play.word}" for each in found.top(most)]
