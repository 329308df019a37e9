"""A play in both habits, and every text that is none (TSO 3.4; GCG)."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.board import Board
from scoring.letters import GERMAN_LETTERS
from scoring.plays import BadPlay, BadPlayReason, Play
from scoring.squares import Direction, Square
from tests.laws import tried_on

HAUS = Board(GERMAN_LETTERS).after(Play.parse("8H HAuS"))


@pytest.mark.parametrize(
    ("text", "start", "direction", "word"),
    [
        ("12B ABER", (11, 1), Direction.ACROSS, "ABER"),
        ("K4 ABER", (3, 10), Direction.DOWN, "ABER"),
        ("8d ABeR", (7, 3), Direction.ACROSS, "ABeR"),
        ("d8 A..R", (7, 3), Direction.DOWN, "A..R"),
        ("08H AB", (7, 7), Direction.ACROSS, "AB"),
        ("H08 AB", (7, 7), Direction.DOWN, "AB"),
        ("  15O   öÄü ", (14, 14), Direction.ACROSS, "öÄü"),
        ("16P AB", (15, 15), Direction.ACROSS, "AB"),
        ("8H (..)ER", (7, 7), Direction.ACROSS, "..ER"),
    ],
)
def test_play_is_read(text, start, direction, word):
    play = Play.parse(text)

    assert play == Play(Square(*start), direction, word)


def test_play_in_two_parts():
    assert Play.parse(" k4", " ABER ") == Play(Square(3, 10), Direction.DOWN, "ABER")


def test_umlaut_of_two_signs_is_one_letter():
    assert Play.parse("8H " + unicodedata.normalize("NFD", "ÄÖü")).word == "ÄÖü"


def test_brackets_say_what_lies_there():
    play = Play.parse("8H (HAu)SES")

    assert (play.word, play.bracketed) == ("HAuSES", frozenset({0, 1, 2}))
    assert play.text() == str(play) == "8H (HAu)SES"
    assert play.gcg(HAUS) == "8H ....ES"
    assert Play.parse("8H A(B)(C.)D").text() == "8H A(BC).D"


def test_german_habit_writes_the_whole_word():
    play = Play.parse("8H ....ES")

    assert play.text() == "8H ....ES"
    assert play.text(HAUS) == "8H HAuSES"
    assert play.word_on(Board(GERMAN_LETTERS)) == "....ES"


def test_gcg_writes_points():
    assert Play.parse("8H HAUSES").gcg(HAUS) == "8H ....ES"
    assert Play.parse("K8 SO").gcg(HAUS) == "K8 .O"


@pytest.mark.parametrize(
    ("text", "reason", "part"),
    [
        ("", BadPlayReason.POSITION, ""),
        ("ABER", BadPlayReason.POSITION, "ABER"),
        ("0A ABER", BadPlayReason.POSITION, "0A"),
        ("100A ABER", BadPlayReason.POSITION, "100A"),
        ("8Ä ABER", BadPlayReason.POSITION, "8Ä"),
        ("8HH ABER", BadPlayReason.POSITION, "8HH"),
        ("8H", BadPlayReason.WORD_MISSING, ""),
        ("8H ()", BadPlayReason.BRACKETS, "()"),
        ("8H (AB", BadPlayReason.BRACKETS, "(AB"),
        ("8H AB)", BadPlayReason.BRACKETS, "AB)"),
        ("8H ((A)B)", BadPlayReason.BRACKETS, "((A)B)"),
        ("8H AB3R", BadPlayReason.LETTER, "3"),
        ("8H A BER", BadPlayReason.LETTER, " "),
        ("8H A?ER", BadPlayReason.LETTER, "?"),
        ("8H STRAßE", BadPlayReason.SHARP_S, "ß"),
        ("8H STRAẞE", BadPlayReason.SHARP_S, "ẞ"),
        ("8H " + 31 * "A", BadPlayReason.TOO_LONG, 31 * "A"),
    ],
)
def test_text_that_is_no_play(text, reason, part):
    with pytest.raises(BadPlay) as caught:
        Play.parse(text)

    assert (caught.value.text, caught.value.reason, caught.value.part) == (text, reason, part)
    assert repr(text) in str(caught.value)


def test_fault_in_two_parts_is_quoted_whole():
    with pytest.raises(BadPlay) as caught:
        Play.parse("8H", "AB3R")

    assert caught.value.text == "8H AB3R"


@pytest.mark.parametrize("places", [{4}, {-1}, {1}])
def test_brackets_are_around_letters(places):
    with pytest.raises(BadPlay, match="brackets"):
        Play(Square(7, 7), Direction.ACROSS, "A.ER", frozenset(places))


words = st.text("ABEÄÖabcäöü.", min_size=1, max_size=15)


@tried_on(20)
@given(st.builds(Square, st.integers(0, 14), st.integers(0, 14)), st.sampled_from(Direction), words, st.data())
def test_play_written_down_is_read_back(start, direction, word, data):
    letters = [place for place, letter in enumerate(word) if letter != "."]
    bracketed = data.draw(st.sets(st.sampled_from(letters))) if letters else set()
    play = Play(start, direction, word, frozenset(bracketed))

    assert Play.parse(str(play)) == play
    assert Play.parse(play.position.lower(), play.word_on()) == play


@tried_on(20)
@given(st.text(max_size=12))
def test_any_text_is_a_play_or_is_refused_as_a_whole(text):
    try:
        play = Play.parse(text)
    except BadPlay as bad:
        refused = bad.text
        play = None
    else:
        refused = None

    assert refused == text if play is None else Play.parse(str(play)) == play


def test_word_of_thirty_signs_is_read_and_a_longer_one_is_quoted() -> None:
    assert len(Play.parse("8A " + 30 * "A").word) == 30

    with pytest.raises(BadPlay, match=r"too_long: 'A{31}'"):
        Play.parse("8A " + 31 * "A")
    with pytest.raises(BadPlay, match=r"word_missing[)]"):
        Play.parse("8A")
