"""The forms of a knock-out once more, drawn by hand as on a sheet of paper, and played by the plain program.

A line is a match: where it stands (stage.position), its name, and what comes into its two places: `#5` a seed, `>W1`
the winner of the match W1, `<W1` its loser.
"""

from tests.scoring.naive_knockout import Knockout

DOUBLE_FOUR = """
1.1 A1: #1 #4
1.2 A2: #2 #3
2.1 B1: >A1 >A2
2.2 C1: <A1 <A2
3.1 D1: <B1 >C1
4.1 F: >B1 >D1
5.1 F2: <F >F
"""

DOUBLE_EIGHT = """
1.1 A1: #1 #8
1.2 A2: #4 #5
1.3 A3: #2 #7
1.4 A4: #3 #6
2.1 B1: >A1 >A2
2.2 B2: >A3 >A4
2.3 C1: <A1 <A2
2.4 C2: <A3 <A4
3.1 D1: <B2 >C1
3.2 D2: <B1 >C2
4.1 E1: >B1 >B2
4.2 G1: >D1 >D2
5.1 H1: <E1 >G1
6.1 F: >E1 >H1
7.1 F2: <F >F
"""

DOUBLE_SIXTEEN = """
1.1 A1: #1 #16
1.2 A2: #8 #9
1.3 A3: #4 #13
1.4 A4: #5 #12
1.5 A5: #2 #15
1.6 A6: #7 #10
1.7 A7: #3 #14
1.8 A8: #6 #11
2.1 B1: >A1 >A2
2.2 B2: >A3 >A4
2.3 B3: >A5 >A6
2.4 B4: >A7 >A8
2.5 C1: <A1 <A2
2.6 C2: <A3 <A4
2.7 C3: <A5 <A6
2.8 C4: <A7 <A8
3.1 D1: <B4 >C1
3.2 D2: <B3 >C2
3.3 D3: <B2 >C3
3.4 D4: <B1 >C4
4.1 E1: >B1 >B2
4.2 E2: >B3 >B4
4.3 G1: >D1 >D2
4.4 G2: >D3 >D4
5.1 H1: <E1 >G1
5.2 H2: <E2 >G2
6.1 I1: >E1 >E2
6.2 J1: >H1 >H2
7.1 K1: <I1 >J1
8.1 F: >I1 >K1
9.1 F2: <F >F
"""

PLACES_OF_EIGHT = """
1.1 A1: #1 #8
1.2 A2: #4 #5
1.3 A3: #2 #7
1.4 A4: #3 #6
2.1 B1: >A1 >A2
2.2 B2: >A3 >A4
2.3 C1: <A1 <A2
2.4 C2: <A3 <A4
3.1 F: >B1 >B2
3.2 T: <B1 <B2
3.3 V: >C1 >C2
3.4 S: <C1 <C2
"""

PAGE = """
1.1 A: #1 #2
1.2 B: #3 #4
2.1 C: <A >B
3.1 F: >A >C
"""

SHEETS = {
    ("double_elimination", 4): DOUBLE_FOUR,
    ("double_elimination", 8): DOUBLE_EIGHT,
    ("double_elimination", 16): DOUBLE_SIXTEEN,
    ("places_to_eight", 8): PLACES_OF_EIGHT,
    ("page_playoff", 4): PAGE,
}


def find_sheet(system, size):
    """The sheet on which so many are played, with the last places left free if need be."""
    return SHEETS[min((key for key in SHEETS if key[0] == system and key[1] >= size), key=lambda key: key[1])]


class DrawnKnockout(Knockout):
    """A knock-out that is played on a sheet instead of a single tree."""

    def __init__(self, system, seeds, *rest):
        super().__init__(seeds, *rest)
        self.lines, self.called = {}, {}
        for line in find_sheet(system, len(seeds)).split("\n"):
            if line:
                where, name, *comes = line.replace(":", "").split()
                stage, position = map(int, where.split("."))
                self.lines[stage, position] = name, comes
                self.called[name] = stage, position

    def places(self):
        return sorted(self.lines)

    def players(self, stage, position):
        name, comes = self.lines[stage, position]
        if name == "F2":
            upper, lower = self.players(*self.called["F"])
            winner, loser, _by, _score = self.outcome(*self.called["F"])
            if winner is None:
                return [None, None]
            # Nobody plays again unless whoever came without a loss has been beaten by somebody who was there.
            return [upper, lower] if (winner, loser) == (lower, upper) and loser != "bye" else ["bye", "bye"]
        return [self.comes(code) for code in comes]

    def comes(self, code):
        if code[0] == "#":
            number = int(code[1:])
            return self.seeds[number - 1] if number <= len(self.seeds) else "bye"
        winner, loser, _by, _score = self.outcome(*self.called[code[1:]])
        return winner if code[0] == ">" else loser
