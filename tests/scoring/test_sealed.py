"""A session sealed and opened turn by turn: by its codes alone, unchanged, and the same draw from the same bag."""

from dataclasses import replace
from random import Random

import pytest

from scoring import sealed
from scoring.duplicate import lacking_kind
from scoring.letters import DUTCH_LETTERS
from scoring.plays import Play
from scoring.sealed import Envelope, FixedTurn, SealedTurn, WrongCode

HEAD = Envelope("Simultaan", "sbnl-duplicate", "nl", 2, 180, "lijst", "", masters=True, salt="", turns=())
TURNS = (
    FixedTurn("AEENTZS", ("BBCDFGH",), Play.parse("8H", "ZEST")),
    sealed.add_reserve(FixedTurn("AENQTZS"), DUTCH_LETTERS, 7, 2),
)
CODE = sealed.make_opening_code(Random(3))
SEALED = sealed.seal_turns(HEAD, TURNS, CODE, Random(5))


def test_opening_code_opens_every_turn():
    assert [sealed.open_sealed_turn(SEALED, number, CODE) for number in (1, 2)] == list(TURNS)
    assert sealed.open_sealed_turn(SEALED, 1, CODE.lower().replace("-", " ")) == TURNS[0]


def test_codes_and_mark_stay_what_they_are():
    """Files and codes that are on their way open with every later version, too."""
    envelope = sealed.seal_turns(replace(HEAD, name="Één avond"), TURNS[:1], "ABCD-EFGH-JKLM-NPQR", Random(5))

    assert sealed.derive_turn_code(envelope.salt, "ABCD-EFGH-JKLM-NPQR", 1) == "GHSN-ZHKF-CR8T"
    assert envelope.mark == "5B5E9A19"
    assert sealed.make_opening_code(Random(3)) == "HTMV-WCA4-JH9R-4RWE"


def test_turns_own_code_opens_that_turn_alone():
    own = sealed.derive_turn_code(SEALED.salt, CODE, 1)

    assert sealed.open_sealed_turn(SEALED, 1, own) == TURNS[0]
    with pytest.raises(WrongCode):
        sealed.open_sealed_turn(SEALED, 2, own)


@pytest.mark.parametrize("code", ["", "ABCD-EFGH-JKLM", "ABCD-EFGH-JKLM-NPQR", "?"])
def test_wrong_code_opens_nothing(code):
    with pytest.raises(WrongCode):
        sealed.open_sealed_turn(SEALED, 1, code)


@pytest.mark.parametrize("number", [0, 3])
def test_there_is_no_other_turn(number):
    with pytest.raises(WrongCode):
        sealed.open_sealed_turn(SEALED, number, CODE)


def changed(**values):
    return replace(SEALED, turns=(replace(SEALED.turns[0], **values), SEALED.turns[1]))


@pytest.mark.parametrize(
    "envelope",
    [
        changed(hash=SEALED.turns[1].hash),
        changed(content=SEALED.turns[1].content),
        changed(content="no base64 !"),
        changed(content=""),
        replace(SEALED, salt="00"),
    ],
    ids=["hash", "content", "text", "empty", "salt"],
)
def test_what_was_changed_does_not_open(envelope):
    with pytest.raises(WrongCode):
        sealed.open_sealed_turn(envelope, 1, CODE)


def test_what_another_program_seals_otherwise_does_not_open():
    odd = replace(TURNS[0], draw="AEENTZS", reserve="")
    envelope = sealed.seal_turns(HEAD, (odd,), CODE, Random(5))
    with pytest.raises(WrongCode):
        sealed._turn_from_json({"draw": "AEENTZS", "redrawn": [], "master": ["8", "?"]})
    assert sealed.open_sealed_turn(envelope, 1, CODE) == odd


def test_nothing_can_be_read_or_guessed_from_the_lengths():
    text = repr(SEALED.turns)

    assert "ZEST" not in text
    assert "AEENTZS" not in text
    assert len({len(each.content) for each in SEALED.turns}) == 1


def test_fingerprint_changes_with_anything():
    others = [replace(SEALED, name="Ander"), replace(SEALED, seconds=120), changed(hash="x"), replace(SEALED, words="")]

    assert len({each.fingerprint for each in (SEALED, *others)}) == 5
    assert SEALED.fingerprint.upper().startswith(SEALED.mark)
    assert replace(SEALED, turns=(SealedTurn("a", "b"),)).mark != SEALED.mark


def test_code_is_of_one_kind_or_the_other():
    assert sealed.is_opening_code(CODE)
    assert not sealed.is_opening_code(sealed.derive_turn_code(SEALED.salt, CODE, 1))


def test_draw_is_the_one_fixed_while_the_bag_holds_it():
    bag = "".join(tile.letter * tile.count for tile in DUTCH_LETTERS.tiles)

    assert sealed.due_draw(TURNS[0], bag) == ("AEENTZS", ("BBCDFGH",))
    assert sealed.due_draw(TURNS[1], bag)[0] == "AENQTZS"


def test_reserve_steps_in_for_what_lies_on_the_board():
    bag = "".join(tile.letter * tile.count for tile in DUTCH_LETTERS.tiles).replace("Q", "")

    drawn, put_back = sealed.due_draw(TURNS[1], bag)

    assert drawn[:6] == "AENTZS"
    assert drawn[6] == TURNS[1].reserve[0]
    assert put_back == ()
    assert sealed.due_draw(TURNS[1], bag[::-1]) == (drawn, put_back)


def test_draw_without_a_vowel_is_put_back():
    turn = FixedTurn("JJJJJJJ", reserve="BBCDFGHAANNTTS")

    assert sealed.due_draw(turn, "BBCDFGHAANNTTS") == ("AANNTTS", ("BBCDFGH",))


def test_where_no_seven_in_a_row_fit_the_first_missing_letter_steps_in():
    turn = FixedTurn("EEEEEEE", reserve="AAAAAAABCD")

    assert sealed.due_draw(turn, "AAAAAAABCD") == ("AAAAAAB", ("AAAAAAA",))


def test_six_tiles_at_the_end_are_no_draw():
    turn = FixedTurn("JJJJJJJ", reserve="BCDFGHKAEIOUL")

    assert sealed.due_draw(turn, "BCDFGHKAEIOUL") == ("BCDFGHA", ("BCDFGHK",))


@pytest.mark.parametrize("bag", ["AEN", "BBBBBBBB"])
def test_bag_that_gives_no_draw(bag):
    with pytest.raises(ValueError, match="no draw"):
        sealed.due_draw(FixedTurn("AEENTZS", reserve=bag), bag)


def test_every_bag_gives_a_draw_with_both():
    random = Random(11)
    tiles = [tile.letter for tile in DUTCH_LETTERS.tiles for _ in range(tile.count)]
    for _ in range(200):
        bag = "".join(random.sample(tiles, random.randrange(7, 60)))
        if not lacking_kind(bag):
            drawn, _put_back = sealed.due_draw(TURNS[1], bag)
            assert len(drawn) == 7
            assert not lacking_kind(drawn)
            assert all(drawn.count(tile) <= bag.count(tile) for tile in drawn)


def test_turn_is_written_as_it_is_typed():
    assert [str(turn) for turn in TURNS] == ["AEENTZS 8H ZEST", "AENQTZS"]
