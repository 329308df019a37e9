"""Every play with a rack, against a second program that tries every word everywhere, blank by blank."""

import itertools
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from scoring import board as boards
from scoring import moves
from scoring.board import Board
from scoring.letters import DUTCH_LETTERS, ENGLISH_LETTERS, GERMAN_LETTERS, LETTER_SETS, LetterSet
from scoring.lexicon import Lexicon
from scoring.plays import Play
from scoring.squares import BOARD_SIZE, GRID, Direction, Square
from tests.laws import seeds

CASES = Path(__file__).parents[3] / "shared" / "data" / "plays"
Tiles = frozenset[tuple[Square, str]]


def board_of(letters: LetterSet, *rows: str) -> Board:
    """A board from its rows, `.` for an empty square; rows that are left out are empty."""
    tiles = {
        GRID[row][column]: mark for row, line in enumerate(rows) for column, mark in enumerate(line) if mark != "."
    }
    return Board(letters, tiles)


def everything(words: set[str], board: Board, rack: str) -> dict[Tiles, int]:
    """Every play by its tiles, with its points: each word at each place, with each choice of blanks."""
    places = itertools.product(words, itertools.chain(*GRID), Direction)
    return {tiles: points for place in places for tiles, points in _laid(words, board, rack, *place)}


def _laid(
    words: set[str], board: Board, rack: str, word: str, start: Square, direction: Direction
) -> Iterator[tuple[Tiles, int]]:
    squares = list(Play(start, direction, word).squares())
    lying = [board.at(square) or "" for square in squares if square.is_on_board]
    if len(lying) < len(word) or any(there.upper() not in ("", mark) for there, mark in zip(lying, word, strict=True)):
        return
    new = [place for place, there in enumerate(lying) if not there]
    if len(new) > len(rack) or boards.problems(board, Play(start, direction, word)):
        return
    scored = boards.score(board, Play(start, direction, word))
    if scored.is_longer or any(made.text.upper() not in words for made in scored.words):
        return
    for count in range(rack.count("?") + 1):
        for blanks in itertools.combinations(new, count):
            text = "".join(mark.lower() if place in blanks else mark for place, mark in enumerate(word))
            tried = Play(start, direction, text)
            if not boards.problems(board, tried, rack=rack):
                scored = boards.score(board, tried)
                yield frozenset(scored.placed), scored.points


def by_tiles(found: moves.FoundPlays) -> dict[Tiles, int]:
    """What the generator found, in the form of `everything`; nothing twice."""
    listed = found.top()
    kept = {frozenset(play.placed): play.points for play in listed}
    assert len(kept) == len(listed) == found.count
    return kept


def position(letters: LetterSet, rng: random.Random, blanks: int) -> tuple[list[str], Board, str]:
    """A list of short words that cross well, a board with some of them on it, and a rack."""
    bag = [tile.letter for tile in letters.tiles for _one in range(tile.count) if tile.letter != "?"]
    few = rng.sample(sorted(set(bag)), rng.randint(4, 9))
    words = sorted({"".join(rng.choices(few, k=rng.choice((2, 2, 2, 3, 3, 4, 5, 7)))) for _word in range(30)})
    board = Board(letters)
    for _play in range(rng.randint(0, 7)):
        listed = moves.find_plays(Lexicon.of(letters, words), board, "".join(rng.choices(few, k=7))).top()
        if listed:
            board = board.with_tiles(rng.choice(listed).placed)
    return words, board, "".join(rng.choices(few, k=rng.randint(1, 7 - blanks))) + "?" * blanks


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("letters", "blanks"), [(GERMAN_LETTERS, 0), (DUTCH_LETTERS, 1), (ENGLISH_LETTERS, 2)])
def test_every_play_of_a_random_position_is_found(letters: LetterSet, blanks: int) -> None:
    for seed in seeds(1):
        words, board, rack = position(letters, random.Random(seed), blanks)

        assert by_tiles(moves.find_plays(Lexicon.of(letters, words), board, rack)) == _allowed(words, board, rack), seed


def _allowed(words: list[str], board: Board, rack: str) -> dict[Tiles, int]:
    """As `everything`, on a board that may hold more of a letter than the set has."""
    many = Board(_plenty(board.letters), board.tiles)
    return everything(set(words), many, rack)


def _plenty(letters: LetterSet) -> LetterSet:
    """The set with each tile a hundred times: the generator is given a rack, and asks no bag."""
    tiles = tuple(type(tile)(tile.letter, 100, tile.value) for tile in letters.tiles)
    return LetterSet(letters.key, tiles, sum(t.count for t in tiles), sum(t.count * t.value for t in tiles))


@pytest.mark.skipif(not CASES.is_dir(), reason="needs the worked positions beside the project")
@pytest.mark.parametrize("name", [path.stem for path in sorted(CASES.glob("*.json"))])
def test_worked_position(name: str) -> None:
    case = json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))
    board = board_of(LETTER_SETS[case["letters"]], *case["board"])

    found = moves.find_plays(Lexicon.of(board.letters, case["words"]), board, case["rack"])

    wanted = {frozenset((_square(name), mark) for name, mark in tiles): points for tiles, points in case["plays"]}
    assert (found.count, found.best) == (case["count"], case["best"])
    assert by_tiles(found) == wanted


def _square(name: str) -> Square:
    return Play.parse(name, "A").start


def test_first_play_covers_the_centre_and_has_two_tiles() -> None:
    lexicon = Lexicon.of(GERMAN_LETTERS, ["AB", "ABER", "RABE"])

    found = moves.find_plays(lexicon, Board(GERMAN_LETTERS), "ABX")

    assert sorted(play.play.position for play in found.top()) == ["8G", "8H", "H7", "H8"]
    assert {play.points for play in found.top()} == {8}


def test_seven_tiles_score_fifty_more_and_their_blank_nothing() -> None:
    lexicon = Lexicon.of(ENGLISH_LETTERS, ["RETAINS"])

    found = moves.find_plays(lexicon, Board(ENGLISH_LETTERS), "RETAIN?")

    best = found.top(1)[0]
    assert Counter(best.play.word)["s"] == 1
    assert found.best == best.points == boards.score(Board(ENGLISH_LETTERS), best.play).points
    assert found.count == 14


def test_one_tile_that_makes_two_words_is_one_play() -> None:
    board = board_of(GERMAN_LETTERS, *[""] * 7, "...A.........", "..A..")
    lexicon = Lexicon.of(GERMAN_LETTERS, ["AB", "BA", "AA"])

    found = moves.find_plays(lexicon, board, "B")

    assert by_tiles(found) == _allowed(["AB", "BA", "AA"], board, "B")
    [both] = [each.play for each in found.top() if each.play.start.row == 7 and each.play.start.column == 3]
    assert both.text() == "8D AB"


@pytest.mark.sampled(1)
@pytest.mark.parametrize("lying", ["A", "Z", "..............A", "." * 13 + "ZA"])
def test_words_reach_the_edges_and_cross_what_lies_there(lying: str) -> None:
    words = ["AB", "BB", "ZB", "BZ", "BA", "AZ", "ZZ", "ZAB"]

    for board in (
        board_of(GERMAN_LETTERS, lying),
        board_of(GERMAN_LETTERS, *[""] * 14, lying),
        board_of(GERMAN_LETTERS, *lying),
    ):
        found = moves.find_plays(Lexicon.of(GERMAN_LETTERS, words), board, "ABBZ")

        assert by_tiles(found) == _allowed(words, board, "ABBZ")
        assert found.count


def test_letter_that_the_words_do_not_know_makes_no_word() -> None:
    """A German board and a Dutch list: beside the Ä nothing can be laid, whichever letter its place might be."""
    board = board_of(GERMAN_LETTERS, *[""] * 7, ".......Ä")
    letters = [tile.letter for tile in DUTCH_LETTERS.tiles if tile.letter != "?"]

    assert moves.find_plays(Lexicon.of(DUTCH_LETTERS, [f"{letter}A" for letter in letters]), board, "A").count == 0


def test_blank_may_lie_for_a_letter_that_the_rack_has() -> None:
    found = moves.find_plays(Lexicon.of(GERMAN_LETTERS, ["AB"]), Board(GERMAN_LETTERS), "AB?")

    assert Counter(play.play.word for play in found.top()) == {"AB": 4, "aB": 4, "Ab": 4}


def test_plays_of_equal_points_have_an_order() -> None:
    board = board_of(GERMAN_LETTERS, *[""] * 7, ".......E")
    lexicon = Lexicon.of(GERMAN_LETTERS, ["AN", "EN", "NE", "NA", "SEE", "ENE", "SEEN"])

    def rank(listed: moves.ScoredPlay) -> tuple[object, ...]:
        start, word = listed.play.start, listed.play.word
        blanks = [place for place, letter in enumerate(word) if letter.islower()]
        is_down = listed.play.direction is Direction.DOWN
        line, place = (start.column, start.row) if is_down else (start.row, start.column)
        return -listed.points, len(blanks), blanks, is_down, line, len(word), word.upper(), place

    plays = moves.find_plays(lexicon, board, "SEAN??").top()

    assert plays == sorted(plays, key=rank)
    assert len({play.points for play in plays}) < len(plays) / 9


def test_small_letters_on_the_board_are_blanks_and_score_nothing() -> None:
    board = board_of(GERMAN_LETTERS, *[""] * 7, ".......x")
    [across, down] = sorted(
        moves.find_plays(Lexicon.of(GERMAN_LETTERS, ["XI"]), board, "I").top(), key=lambda each: each.play.position
    )

    assert (across.play.text(), down.play.text()) == ("8H xI", "H8 xI")
    assert across.points == down.points == 1


def test_nothing_to_lay() -> None:
    found = moves.find_plays(Lexicon.of(GERMAN_LETTERS, ["AB"]), Board(GERMAN_LETTERS), "XYZ")

    assert (found.count, found.best, found.top(5)) == (0, 0, [])


def test_full_board_has_no_room() -> None:
    board = Board(GERMAN_LETTERS, {square: "E" for row in GRID for square in row})

    assert moves.find_plays(Lexicon.of(GERMAN_LETTERS, ["EE"]), board, "E").count == 0
    assert len(board.tiles) == BOARD_SIZE * BOARD_SIZE


@pytest.mark.parametrize(("rack", "tile"), [("ABC???", "?"), ("ÑAB", "Ñ"), ("ABCDEFGH", "H"), ("ab", "a")])
def test_no_rack(rack: str, tile: str) -> None:
    with pytest.raises(moves.BadRack) as refused:
        moves.find_plays(Lexicon.of(GERMAN_LETTERS, ["AB"]), Board(GERMAN_LETTERS), rack)

    assert (refused.value.rack, refused.value.tile) == (rack, tile)
