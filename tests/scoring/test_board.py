"""Laying and scoring a play (general rules 2, 4; rules §3). The sums were worked out by hand."""

import pytest

from scoring.board import Board, IllegalPlay, PlayFault, PlayProblem, lay, problems, score
from scoring.letters import DUTCH_LETTERS, ENGLISH_LETTERS, GERMAN_LETTERS
from scoring.plays import Play
from scoring.squares import GRID, Direction, Square

EMPTY = Board(GERMAN_LETTERS)
HAUS = EMPTY.after(Play.parse("8E HAUS"))


def square(name):
    return next(each for row in GRID for each in row if str(each) == name)


def lying(letters=GERMAN_LETTERS, **tiles):
    """A board on which these tiles lie, each named by its position written downwards (H8)."""
    return Board(letters, {Play.parse(position, "A").start: letter for position, letter in tiles.items()})


# What plays score.


def test_five_turns_of_the_rule_book():
    """The example that comes with the English game: 14, 9, 25, 16, 16, and the words that each turn makes."""
    board, found = Board(ENGLISH_LETTERS), []
    for text in ("8F HORN", "H6 FA.M", "10F PASTE", "9H .OB", "11E BIT"):
        play = Play.parse(text)
        scored = score(board, play)
        found.append((scored.points, {word.text for word in scored.words}))
        board = board.after(play)

    assert found == [
        (14, {"HORN"}),
        (9, {"FARM"}),
        (25, {"PASTE", "FARMS"}),
        (16, {"MOB", "NOT", "BE"}),
        (16, {"BIT", "PI", "AT"}),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("8H AB", 8, id="centre: (1+3)·2"),
        pytest.param("H7 AB", 8, id="down"),
        pytest.param("8D WORTE", 22, id="double letter, then the centre: (3·2+2+1+1+1)·2"),
        pytest.param("8H aB", 6, id="blank on the centre: 0, the word doubles: (0+3)·2"),
        pytest.param("8D wORTE", 10, id="blank on a double letter: (0+2+1+1+1)·2"),
        pytest.param("8G ÖL", 20, id="umlaut: (8+2)·2"),
        pytest.param("8G öL", 4, id="umlaut by a blank: (0+2)·2"),
        pytest.param("8C ABENDE", 22, id="six tiles, no 50: (1+3·2+1+1+1+1)·2"),
        pytest.param("8B ABENDER", 70, id="seven tiles: (1+3+1·2+1+1+1+1)·2+50"),
        pytest.param("8B aBENDEr", 66, id="seven tiles with both blanks: (0+3+1·2+1+1+1+0)·2+50"),
        pytest.param("H8 QUARZ", 38, id="down, double letter at its end: (10+1+1+1+3·2)·2"),
    ],
)
def test_first_play(text, expected):
    assert score(EMPTY, Play.parse(text)).points == expected


@pytest.mark.parametrize(
    ("board", "text", "expected"),
    [
        pytest.param(HAUS, "8E ....E", 6, id="extension: the centre counts once: 2+1+1+1+1"),
        pytest.param(HAUS, "8D BHAUS", 11, id="before it, on a double letter: 3·2+2+1+1+1"),
        pytest.param(HAUS, "H7 E.E", 3, id="across an old premium: 1+1+1"),
        pytest.param(HAUS, "9G XA", 36, id="parallel, double letter in two words: XA 8·2+1, UX 1+8·2, SA 1+1"),
        pytest.param(lying(G6="E", F7="O"), "6F Y", 63, id="triple letter in both words: 10·3+1 and 10·3+2"),
        pytest.param(lying(F5="E", E6="O"), "5E Y", 46, id="double word in both words: (10+1)·2 and (10+2)·2"),
        pytest.param(lying(G6="E", F7="O"), "6F y", 3, id="blank on a triple letter in both words: 0+1 and 0+2"),
        pytest.param(lying(F5="E", E6="O"), "5E y", 6, id="blank on a double word in both words: 1·2 and 2·2"),
        pytest.param(lying(B1="e"), "1A XE", 24, id="a blank that lies there counts 0: (8+0)·3"),
        pytest.param(lying(E8="D"), "E5 BEL.NRT", 40, id="double-double: (3+1+2+1+1+1+1)·4"),
        pytest.param(lying(E4="D"), "5E BELANRT", 98, id="double-double, a cross word, and 50: 10·4, DB (1+3)·2"),
        pytest.param(lying(E1="N"), "1A ABED.ERS", 149, id="triple-triple: (1+3+1+1·2+1+1+1+1)·9+50"),
        pytest.param(
            lying(I15="E", K15="D"), "15G AB.N.ÄSÖT", 311, id="through two letters: (1+3+1+1+1+6·2+1+8+1)·9+50"
        ),
        pytest.param(
            lying(B1="E", C1="E", E1="E", F1="E", J1="E", K1="E", M1="E", N1="E"),
            "1A E..E..EEE..E..E",
            509,
            id="three triple words: (15+2 for two double letters)·27+50",
        ),
    ],
)
def test_later_play(board, text, expected):
    assert score(board, Play.parse(text)).points == expected


def test_values_are_those_of_the_letter_set():
    assert score(Board(ENGLISH_LETTERS), Play.parse("8G ZA")).points == 22
    assert score(Board(DUTCH_LETTERS), Play.parse("8G ZA")).points == 10


def test_words_made_are_told_with_their_points():
    scored = score(HAUS, Play.parse("9G XA"))

    assert [(word.text, word.points, word.start.position(word.direction)) for word in scored.words] == [
        ("XA", 17, "9G"),
        ("UX", 17, "G8"),
        ("SA", 2, "H8"),
    ]
    assert scored.placed == ((square("9G"), "X"), (square("9H"), "A"))
    assert (scored.is_bingo, scored.is_longer) == (False, False)


def test_one_tile_scores_the_same_whichever_way_it_is_written():
    board = lying(G6="E", F7="O")

    across, down = (score(board, Play.parse(text)) for text in ("6F Y", "F6 Y"))

    assert across.points == down.points
    assert [word.text for word in across.words] == ["YE", "YO"]
    assert [word.text for word in down.words] == ["YO", "YE"]


def test_word_that_runs_on_counts_as_the_longer_word():
    scored = score(HAUS, Play.parse("8I TÜR"))

    assert [(word.text, word.points) for word in scored.words] == [("HAUSTÜR", 13)]
    assert scored.is_longer


def test_letters_that_lie_there_may_be_written_in_any_way():
    texts = ("8E ....TÜR", "8E HAUSTÜR", "8E (HAUS)TÜR", "8E HausTÜR", "8E HA.sTÜR")

    results = {score(HAUS, Play.parse(text)) for text in texts}

    assert [(scored.points, scored.is_longer) for scored in results] == [(13, False)]


# Where a play may not be laid.


@pytest.mark.parametrize(
    ("board", "text", "expected"),
    [
        pytest.param(EMPTY, "8E HAUS", [], id="first play"),
        pytest.param(
            EMPTY, "8D HAUS", [PlayProblem(PlayFault.CENTRE_MISSED, square("8H"))], id="general rules 4 a: centre"
        ),
        pytest.param(EMPTY, "8H A", [PlayProblem(PlayFault.ONE_TILE)], id="general rules 4 a: two letters"),
        pytest.param(
            EMPTY,
            "1A A",
            [PlayProblem(PlayFault.CENTRE_MISSED, square("8H")), PlayProblem(PlayFault.ONE_TILE)],
            id="both of them",
        ),
        pytest.param(HAUS, "10E ABER", [PlayProblem(PlayFault.NOT_JOINED)], id="general rules 4 b: joined"),
        pytest.param(HAUS, "9I ABER", [PlayProblem(PlayFault.NOT_JOINED)], id="by a corner only"),
        pytest.param(
            HAUS,
            "8M ABER",
            [PlayProblem(PlayFault.OFF_BOARD, Square(7, 15), found=1), PlayProblem(PlayFault.NOT_JOINED)],
            id="off",
        ),
        pytest.param(HAUS, "H8 .CHWARZES", [PlayProblem(PlayFault.OFF_BOARD, Square(15, 7), found=1)], id="off below"),
        pytest.param(HAUS, "1Z ABC", [PlayProblem(PlayFault.OFF_BOARD, Square(0, 25), found=3)], id="wholly off"),
        pytest.param(
            HAUS,
            "E8 .A.(B)E",
            [PlayProblem(PlayFault.GAP, square("10E")), PlayProblem(PlayFault.GAP, square("11E"), "B")],
            id="nothing lies where something should",
        ),
        pytest.param(
            HAUS,
            "8E MAIS",
            [
                PlayProblem(PlayFault.TAKEN, square("8E"), "M", "H"),
                PlayProblem(PlayFault.TAKEN, square("8G"), "I", "U"),
            ],
            id="other letters lie there",
        ),
        pytest.param(HAUS, "8E HAUS", [PlayProblem(PlayFault.NO_NEW_TILE)], id="nothing new"),
        pytest.param(HAUS, "8E ....", [PlayProblem(PlayFault.NO_NEW_TILE)], id="nothing new, in points"),
        pytest.param(HAUS, "H8 .AREISER", [], id="down to the last row"),
        pytest.param(HAUS, "9A ABERGEHE", [PlayProblem(PlayFault.TOO_MANY, needed=7, found=8)], id="eight tiles"),
        pytest.param(
            HAUS,
            "H8 .ÅÉå",
            [PlayProblem(PlayFault.NOT_IN_SET, letter="Å"), PlayProblem(PlayFault.NOT_IN_SET, letter="É")],
            id="not in the set, and no blank may stand for it",
        ),
        pytest.param(
            HAUS, "H8 .xyz", [PlayProblem(PlayFault.USED_UP, letter="?", needed=2, found=3)], id="three blanks"
        ),
        pytest.param(
            lying(H8="Q"), "H8 .Q", [PlayProblem(PlayFault.USED_UP, letter="Q", needed=1, found=2)], id="one Q only"
        ),
    ],
)
def test_where_a_play_cannot_be(board, text, expected):
    assert list(problems(board, Play.parse(text))) == expected


def test_all_faults_are_told_at_once():
    board = HAUS.after(Play.parse("8E ....Y"))

    found = problems(board, Play.parse("I7 .ÅYxyzABCDE"), rack="ABCDEX?")

    assert [(problem.fault, str(problem.square or problem.letter)) for problem in found] == [
        (PlayFault.GAP, "7I"),
        (PlayFault.TAKEN, "8I"),
        (PlayFault.OFF_BOARD, "16I"),
        (PlayFault.NOT_IN_SET, "Å"),
        (PlayFault.USED_UP, "?"),
        (PlayFault.USED_UP, "Y"),
        (PlayFault.NOT_ON_RACK, "Y"),
        (PlayFault.NOT_ON_RACK, "?"),
    ]


@pytest.mark.parametrize(
    ("rack", "expected"),
    [
        ("TÜRABCD", []),
        ("tür", []),
        ("T?R", [PlayProblem(PlayFault.NOT_ON_RACK, letter="Ü", needed=1, found=0)]),
        ("ÜR", [PlayProblem(PlayFault.NOT_ON_RACK, letter="T", needed=1, found=0)]),
        ("", [PlayProblem(PlayFault.NOT_ON_RACK, letter=letter, needed=1, found=0) for letter in "TÜR"]),
    ],
)
def test_play_comes_from_the_rack(rack, expected):
    assert list(problems(HAUS, Play.parse("8E HAUSTÜR"), rack=rack)) == expected


def test_rack_has_too_few_of_a_letter():
    assert list(problems(HAUS, Play.parse("H8 .eEE"), rack="E??")) == [
        PlayProblem(PlayFault.NOT_ON_RACK, letter="E", needed=2, found=1)
    ]


@pytest.mark.parametrize("doing", [score, Board.after])
def test_play_with_faults_is_refused(doing):
    play = Play.parse("8E MAIS")

    with pytest.raises(IllegalPlay, match="8E MAIS: taken 8E M H; taken 8G I U") as caught:
        doing(HAUS, play)

    assert caught.value.play == play
    assert caught.value.problems == problems(HAUS, play)


def test_fault_says_its_figures():
    found = problems(HAUS, Play.parse("9A ABERGEHE"))

    assert str(found[0]) == "too_many 8 7"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("10E AB", 10), ("H8 .xyz", 1), ("8E ....E", 6), ("10E A.B", None), ("8E MAIS", None), ("8E HAUS", None)],
)
def test_play_that_may_not_but_can_lie_there_is_worked_out(text, expected):
    play = Play.parse(text)

    scored = lay(HAUS, play).scored

    assert (scored and scored.points) == expected


def test_play_is_laid_as_far_as_there_is_room():
    laid = lay(HAUS, Play.parse("8F ZUZU"))

    assert [problem.fault for problem in laid.problems] == [PlayFault.TAKEN, PlayFault.TAKEN]
    assert (laid.before, laid.scored) == (HAUS, None)
    assert laid.after.tiles == {**HAUS.tiles, Square(7, 8): "U"}


# The board as a value.


def test_board_after_a_play():
    board = HAUS.after(Play.parse("8E ....TÜr"))

    assert [board.at(each) for each in GRID[7]] == [None] * 4 + list("HAUSTÜr") + [None] * 4
    assert HAUS.at(square("8I")) is None
    assert board == EMPTY.with_tiles(
        (square(f"8{column}"), tile) for column, tile in zip("EFGHIJK", "HAUSTÜr", strict=True)
    )


def test_tile_that_lies_stays():
    assert HAUS.with_tiles([(square("8E"), "X")]) == HAUS


def test_tiles_not_seen():
    assert len(EMPTY.unseen()) == 102
    assert EMPTY.unseen().startswith("??AAAAAÄ")
    unseen = HAUS.after(Play.parse("8E ....TÜr")).unseen()
    assert (len(unseen), unseen.count("?"), unseen.count("Ü"), unseen.count("A")) == (95, 1, 0, 4)


def test_tiles_not_seen_of_a_letter_that_lies_too_often():
    assert "Q" not in lying(A1="Q", A2="Q").unseen()


def test_worth_of_tiles():
    assert [EMPTY.value(tiles) for tiles in ("", "QE?", "QEx", "Å")] == [0, 11, 11, 0]


@pytest.mark.parametrize("tiles", [{Square(15, 0): "A"}, {Square(0, 0): "AB"}, {Square(0, 0): "."}])
def test_board_refuses_what_cannot_lie_on_it(tiles):
    with pytest.raises(ValueError, match="cannot lie on"):
        Board(GERMAN_LETTERS, tiles)


def test_unknown_letter_that_lies_there_counts_nothing():
    board = lying(H8="Å")

    word = score(board, Play.parse("8H .B")).words[0]

    assert (word.points, word.direction) == (3, Direction.ACROSS)
