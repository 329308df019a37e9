"""A second program for scoring a play, written to be plain: a list of rows, no class of the product, no shortcut.

It does not ask whether the play may be laid. `premiums` may be another board's, so that a square can lose its premium.
"""

TRIPLE_WORD = "A1 A8 A15 H1 H15 O1 O8 O15"
DOUBLE_WORD = "B2 C3 D4 E5 H8 K11 L12 M13 N14 B14 C13 D12 E11 K5 L4 M3 N2"
TRIPLE_LETTER = "B6 B10 F2 F6 F10 F14 J2 J6 J10 J14 N6 N10"
DOUBLE_LETTER = "A4 A12 C7 C9 D1 D8 D15 G3 G7 G9 G13 H4 H12 I3 I7 I9 I13 L1 L8 L15 M7 M9 O4 O12"


def premiums():
    """What each place multiplies: `{(row, column): (letter, word)}`, from 0."""
    found = {}
    for names, factors in (
        (TRIPLE_WORD, (1, 3)),
        (DOUBLE_WORD, (1, 2)),
        (TRIPLE_LETTER, (3, 1)),
        (DOUBLE_LETTER, (2, 1)),
    ):
        for name in names.split():
            found[int(name[1:]) - 1, "ABCDEFGHIJKLMNO".index(name[0])] = factors
    return found


def points(lying, new, values, factors):
    """The points of laying `new` beside `lying`, both `{(row, column): letter}`; small letters are blanks."""
    together = {**lying, **new}
    total = 50 if len(new) == 7 else 0
    for run in {run for place in new for run in runs(together, place)}:
        word, times = 0, 1
        for place in run:
            letter, multiplied = factors.get(place, (1, 1)) if place in new else (1, 1)
            value = 0 if together[place].islower() else values[together[place]]
            word += value * letter
            times *= multiplied
        total += word * times
    return total


def runs(together, place):
    """The words across and down through a place, as places in a row; none of a single letter."""
    found = []
    for down, right in ((0, 1), (1, 0)):
        row, column = place
        while (row - down, column - right) in together:
            row, column = row - down, column - right
        run = []
        while (row, column) in together:
            run.append((row, column))
            row, column = row + down, column + right
        if len(run) > 1:
            found.append(tuple(run))
    return found
