"""What holds of every play on every board; and that a second, plain program scores the same."""

from hypothesis import assume, given
from hypothesis import strategies as st

from scoring.board import Board, problems, score
from scoring.letters import GERMAN_LETTERS
from scoring.plays import Play
from scoring.squares import Direction, Square
from tests.laws import tried_on
from tests.scoring import naive_board

laws = tried_on(10)
VALUES = {tile.letter: tile.value for tile in GERMAN_LETTERS.tiles}
FACTORS = naive_board.premiums()
ALPHABET = "ABCDEÄNXYenö"


@st.composite
def tilings(draw):
    """Boards with up to five runs of letters on them, whether or not a game could have led there."""
    tiles = {}
    for _ in range(draw(st.integers(0, 5))):
        row, column = draw(st.integers(0, 14)), draw(st.integers(0, 14))
        down = draw(st.booleans())
        for place, letter in enumerate(draw(st.text(ALPHABET, min_size=1, max_size=8))):
            at = (row + place, column) if down else (row, column + place)
            if max(at) < 15:
                tiles.setdefault(at, letter)
    return tiles


@st.composite
def positions(draw):
    """A board, and a play that may be laid on it but for the number of its tiles in the set."""
    tiles = draw(tilings())
    board = Board(GERMAN_LETTERS, {Square(*at): letter for at, letter in tiles.items()})
    direction = draw(st.sampled_from(Direction))
    if tiles:
        row, column = draw(st.sampled_from(sorted(tiles)))
        back = draw(st.integers(0, 6))
        row, column = (row - back, column) if direction is Direction.DOWN else (row, column - back)
        sideways = draw(st.sampled_from([0, 0, -1, 1]))
        row, column = (row, column + sideways) if direction is Direction.DOWN else (row + sideways, column)
    else:
        row, column = (7, draw(st.integers(3, 7)))
        row, column = (column, row) if direction is Direction.DOWN else (row, column)
    assume(0 <= row < 15 and 0 <= column < 15)
    word, start, new = "", Square(row, column), 0
    for letter in draw(st.text(ALPHABET, min_size=5, max_size=12)):
        lies = tiles.get((row, column))
        if max(row, column) > 14 or new + (lies is None) > 7:
            break
        word, new = word + ("." if lies else letter), new + (lies is None)
        row, column = (row + 1, column) if direction is Direction.DOWN else (row, column + 1)
    play = Play(start, direction, word)
    assume(not [problem for problem in problems(board, play) if problem.fault != "used_up"])
    return board, play


def scored(board, play):
    """What the play scores on a board whose letter set is large enough."""
    return score(Board(BIG, board.tiles), play)


BIG = type(GERMAN_LETTERS)(
    "big",
    tuple(type(tile)(tile.letter, 225, tile.value) for tile in GERMAN_LETTERS.tiles),
    225 * len(GERMAN_LETTERS.tiles),
    225 * sum(VALUES.values()),
)
"""The German set with as many of each tile as the board has squares."""


def places(tiles):
    return {(at.row, at.column): letter for at, letter in dict(tiles).items()}


def turned(board, play):
    """Both with rows and columns exchanged."""
    tiles = {Square(at.column, at.row): letter for at, letter in board.tiles.items()}
    return Board(board.letters, tiles), Play(Square(play.start.column, play.start.row), play.direction.other, play.word)


@laws
@given(positions())
def test_score_is_that_of_a_second_program(position):
    board, play = position

    found = scored(board, play)

    assert found.points == naive_board.points(places(board.tiles), places(found.placed), VALUES, FACTORS)
    assert found.points == sum(word.points for word in found.words) + 50 * found.is_bingo


@laws
@given(positions(), st.randoms(use_true_random=False))
def test_score_does_not_depend_on_the_order_in_which_tiles_are_listed(position, rng):
    board, play = position
    shuffled = Board(GERMAN_LETTERS, dict(rng.sample(sorted(board.tiles.items()), len(board.tiles))))
    new = scored(board, play).placed

    listed = naive_board.points(places(board.tiles), places(rng.sample(new, len(new))), VALUES, FACTORS)

    assert scored(shuffled, play) == scored(board, play)
    assert scored(board, play).points == listed


@laws
@given(positions())
def test_premium_that_is_covered_pays_no_second_time(position):
    board, play = position
    covered = places(board.tiles)
    rest = {place: factors for place, factors in FACTORS.items() if place not in covered}

    found = scored(board, play)

    assert found.points == naive_board.points(covered, places(found.placed), VALUES, rest)


@laws
@given(positions())
def test_play_on_the_turned_board_scores_the_same(position):
    board, play = position

    upright, other = scored(board, play), scored(*turned(board, play))

    assert (upright.points, upright.is_bingo, upright.is_longer) == (other.points, other.is_bingo, other.is_longer)
    assert [word.text for word in upright.words] == [word.text for word in other.words]
    assert [problem.fault for problem in problems(board, play)] == [
        problem.fault for problem in problems(*turned(board, play))
    ]


@laws
@given(positions())
def test_play_in_every_habit_is_the_same(position):
    board, play = position

    for text in (play.text(), play.text(board), play.gcg(board)):
        assert scored(board, Play.parse(text)) == scored(board, play)


@laws
@given(positions())
def test_board_after_a_play_has_its_tiles_and_no_other_new_ones(position):
    board, play = position
    large = Board(BIG, board.tiles)

    after = large.after(play)

    assert set(after.tiles.items()) == set(board.tiles.items()) | set(scored(board, play).placed)
    assert len(after.unseen()) == BIG.size - len(after.tiles)
    assert [problem.fault for problem in problems(after, play)] == ["no_new_tile"]
