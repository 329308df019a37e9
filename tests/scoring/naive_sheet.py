"""A second program for counting a score sheet, written to be plain: rows of texts in, two final scores out.

A row is (side 1 or 2, kind, position, word, points, words). It asks nobody whether a play may be laid.
"""

from tests.scoring import naive_board

LETTERS = "ABCDEFGHIJKLMNO"


def finals(rows, values, left, overtime, rules):
    """Both final scores.

    `rules`: `per_word`, `failed`, `upheld` for challenges, `minute` and `limit` for time, `own`: each loses own tiles.
    """
    scores = turns(rows, values, rules)
    worth = [sum(values[letter] for letter in tiles) for tiles in left]
    for mine, other in ((0, 1), (1, 0)):
        scores[mine] -= worth[mine]
        if left[mine] == "" and not rules["own"]:
            scores[mine] += worth[other]
    if rules["limit"] is None or max(overtime) <= rules["limit"]:
        for side in (0, 1):
            scores[side] -= rules["minute"] * len(range(0, overtime[side], 60))
    return tuple(scores)


def turns(rows, values, rules):
    """Both scores before settlement and time."""
    board, scores = {}, [0, 0]
    for side, kind, position, word, points, words in rows:
        if kind == "play":
            new = laid(board, position, word)
            scores[side - 1] += naive_board.points(board, new, values, naive_board.premiums())
            board.update(new)
        elif kind == "challenge":
            scores[side - 1] -= rules["failed"] * (words if rules["per_word"] else 1)
        elif kind == "withdrawn":
            scores[side - 1] -= rules["upheld"]
        elif kind == "penalty":
            scores[side - 1] += points
    return scores


def laid(board, position, word):
    """The new tiles of a play, `{(row, column): letter}`."""
    if position[0].isdigit():
        row, column, down, right = int(position[:-1]) - 1, LETTERS.index(position[-1]), 0, 1
    else:
        row, column, down, right = int(position[1:]) - 1, LETTERS.index(position[0]), 1, 0
    new = {}
    for letter in word:
        if (row, column) not in board and letter != ".":
            new[row, column] = letter
        row, column = row + down, column + right
    return new
