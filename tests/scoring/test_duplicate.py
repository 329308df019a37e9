"""Duplicate by the SBNL's rules: what slips score, the blank that is replaced, the master word, the end, the table."""

import json
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring import duplicate
from scoring.board import Board
from scoring.duplicate import (
    JudgedSlip,
    SessionEnding,
    SessionRecord,
    SessionTurn,
    Slip,
    SlipFault,
    TurnResult,
    find_master_word,
    judge,
    lay_master_word,
)
from scoring.letters import DUTCH_LETTERS, LETTER_SETS
from scoring.plays import Play
from scoring.squares import Square
from tests.laws import tried_on

CASES = Path(__file__).parents[3] / "shared" / "data" / "duplicate"
EMPTY = Board(DUTCH_LETTERS)
ZES = lay_master_word(EMPTY, Play.parse("8G ZES"))
"""Z on 8G, E on 8H, S on 8I."""

WORDS = {"ZES", "ZEST", "ZE", "ES", "EI", "TE", "TEST", "SE", "ZEE", "ET", "TET", "AZ"}


def slip(position: str | None, word: str | None, **more: object) -> Slip:
    return Slip("P01", position, word, **more)  # type: ignore[arg-type]  # each test knows its own


@pytest.mark.parametrize(
    ("draw", "handed_in", "fault"),
    [
        ("ZEEATNR", slip("8H", "ZE"), None),
        ("ZEEATNR", slip("H8", "ze"), None),
        ("ZEEATNR", slip("8H", "ZE", late=True), SlipFault.LATE),
        ("ZEEATNR", slip(None, None, late=True), SlipFault.LATE),
        ("ZEEATNR", slip(None, None), SlipFault.BLANK),
        ("ZEEATNR", slip(None, "ZE"), SlipFault.MISSING),
        ("ZEEATNR", slip("8H", None), SlipFault.MISSING),
        ("ZEEATNR", None, SlipFault.MISSING),
        ("ZEEATNR", slip("8", "ZE"), SlipFault.UNREADABLE),
        ("ZEEATNR", slip("8H", "Z3"), SlipFault.UNREADABLE),
        ("ZEEATNR", slip("8I", "ZE"), SlipFault.POSITION),
        ("ZEEATNR", slip("8O", "ZE"), SlipFault.POSITION),
        ("ZEEATNR", slip("8H", "ZEST"), SlipFault.LETTERS),
        ("ZEEATNR", slip("8H", "ZEZE"), SlipFault.LETTERS),
        ("ZEEATNR", slip("8D", "ZEEATNRE"), SlipFault.LETTERS),  # eight tiles, which nothing can score
        ("ZEEATNR", slip("8H", "ZEEATNRE"), SlipFault.LETTERS),
        ("ZEEATNR", slip("8I", "ZEEATNR"), SlipFault.POSITION),
        ("ZEEATNR", slip("8H", "ZEN"), SlipFault.WORD),
        ("ZEEATNR", slip("8H", "ZE", refused=True), SlipFault.WORD),
    ],
)
def test_slip_on_an_empty_board(draw: str, handed_in: Slip | None, fault: SlipFault | None) -> None:
    judged = judge(EMPTY, draw, handed_in, WORDS.__contains__)

    assert judged.fault == fault
    assert judged.points == (0 if fault else 10)


@tried_on(60)
@given(
    board=st.sampled_from((EMPTY, ZES)),
    row=st.sampled_from((0, 1, 7, 8, 9, 15, 16)),
    column=st.sampled_from("ABCDGHINOP"),
    word=st.text("ZESTANRQ", max_size=4) | st.text("ZESTANRQ", min_size=7, max_size=17),
    draw=st.text("ZESTANR?", min_size=1, max_size=7),
)
def test_whatever_is_handed_in_is_judged(board: Board, row: int, column: str, word: str, draw: str) -> None:
    judged = [judge(board, draw, slip(position, word)) for position in (f"{row}{column}", f"{column}{row}")]

    assert all(one.points == 0 or one.fault is None for one in judged)


@pytest.mark.parametrize(
    ("handed_in", "fault", "points"),
    [
        (slip("8G", "ZEST"), None, 9),
        (slip("8J", "TE"), SlipFault.POSITION, 0),  # ZESTE is the word, and it begins at 8G
        (slip("8G", "ZEEN"), SlipFault.POSITION, 0),
        (slip("12A", "TE"), SlipFault.POSITION, 0),
        (slip("H7", "TET"), None, 5),
        (slip("7H", "ET"), SlipFault.CROSS_WORD, 0),
    ],
)
def test_slip_beside_a_word(handed_in: Slip, fault: SlipFault | None, points: int) -> None:
    judged = judge(ZES, "TETNRAL", handed_in, WORDS.__contains__)

    assert (judged.fault, judged.points) == (fault, points)


def test_words_that_the_list_lacks_are_told() -> None:
    assert judge(ZES, "ETALNRA", slip("7H", "ET"), WORDS.__contains__).words == ("EE", "TS")


def test_without_a_list_a_word_stands_unless_the_jury_refuses_it() -> None:
    assert judge(EMPTY, "XXQRAEL", slip("8H", "XQ")).points == 36
    assert judge(EMPTY, "XXQRAEL", slip("8H", "XQ", refused=True)).fault is SlipFault.WORD


@pytest.mark.parametrize("written", ["ZEE", "zee", "ZeE", "ZEe"])
def test_of_all_ways_to_lay_a_blank_the_best_counts(written: str) -> None:
    judged = judge(EMPTY, "ZE?KRTT", slip("8F", written), WORDS.__contains__)

    assert (judged.points, judged.play) == (10, Play.parse("8F ZeE"))


def test_wrong_claim_is_corrected_and_shown() -> None:
    judged = judge(EMPTY, "ZEEATNR", slip("8H", "ZE", claimed=12), WORDS.__contains__)

    assert (judged.points, judged.claimed, judged.fault, judged.differs) == (10, 12, None, True)
    assert not judge(EMPTY, "ZEEATNR", slip("8H", "ZEN", claimed=12), WORDS.__contains__).differs
    assert not judge(EMPTY, "ZEEATNR", slip("8H", "ZE", claimed=None), WORDS.__contains__).differs


def test_blank_is_replaced_while_its_letter_is_left() -> None:
    first = lay_master_word(EMPTY, Play.parse("8G xI"))
    second = lay_master_word(first, Play.parse("9G ExE"))

    assert (first.at(Square(7, 6)), second.at(Square(8, 7))) == ("X", "x")
    assert first.unseen().count("?") == 2
    assert second.unseen().count("?") == 1


def test_several_blanks_share_the_letters_that_are_left() -> None:
    after = lay_master_word(EMPTY, Play.parse("8G xIx"))

    assert sorted(after.tiles.values()) == ["I", "X", "x"]


def test_blanks_of_one_word_are_replaced_by_all_the_letters_that_are_left() -> None:
    after = lay_master_word(EMPTY, Play.parse("8G bIb"))

    assert sorted(after.tiles.values()) == ["B", "B", "I"]
    assert after.unseen().count("?") == 2


@pytest.mark.parametrize(
    ("tiles", "lacks"),
    [
        ("ABCDEFG", None), ("BCDFGHK", SessionEnding.VOWELS), ("AEIOUAE", SessionEnding.CONSONANTS), ("BCDFGHY", None),
        ("AEIOUA?", None), ("BCDFGH?", None), ("??", None), ("Y", SessionEnding.VOWELS), ("", SessionEnding.VOWELS),
    ],
)  # fmt: skip
def test_blank_and_y_count_as_whichever_is_missing(tiles: str, lacks: SessionEnding | None) -> None:
    assert duplicate.lacking_kind(tiles) == lacks


def of(*words: tuple[str | None, str | None], draw: str = "ZESTTEE") -> SessionRecord:
    """A session of one turn in which each player hands in one word."""
    slips = tuple(Slip(f"P{number:02}", *each) for number, each in enumerate(words, 1))
    return SessionRecord(DUTCH_LETTERS, tuple(each.player for each in slips), (SessionTurn(draw, slips),))


def test_master_word_is_the_best_of_equals_that_with_fewest_tiles() -> None:
    best = of(("8H", "TE"), ("8G", "TEST"), ("8H", "ZE"), ("8H", "ZEST"))
    equal = of(("8F", "EEEEEE"), ("8H", "ZEE"), ("8G", "ZEE"), draw="EEEEEEZ")

    assert find_master_word(best.results[0]) == Play.parse("8H ZEST")
    assert [judged.points for judged in equal.results[0].slips.values()] == [12, 12, 12]
    assert find_master_word(equal.results[0]) == Play.parse("8G ZEE")


def test_no_master_word_where_nobody_scores() -> None:
    assert find_master_word(of(("8H", "XX")).results[0]) is None
    assert find_master_word(of((None, None)).results[0]) is None


def test_master_word_may_be_worth_a_single_point() -> None:
    word = Play.parse("8H Ee")
    result = TurnResult(Board(DUTCH_LETTERS), {"P01": JudgedSlip(1, 1, None, word)}, 1)

    assert find_master_word(result) == word


def test_turn_without_players_has_no_points() -> None:
    assert SessionRecord(DUTCH_LETTERS, (), (SessionTurn("ZESTTEE"),)).result(1).best == 0


def test_solo_is_the_only_best_word() -> None:
    [result] = of(("8H", "ZE"), ("8H", "TE")).results
    [shared] = of(("8H", "ZE"), ("H8", "ZE")).results
    [nobody] = of(("8H", "XX")).results

    assert [result.is_solo("P01"), result.is_solo("P02")] == [True, False]
    assert not shared.is_solo("P01")
    assert not nobody.is_solo("P01")


def test_blank_counts_where_it_costs_least_whichever_comes_first() -> None:
    # One A and a blank for two of them: the real one belongs on the double letter 8D.
    judged = judge(EMPTY, "A?NNBEE", Slip("P01", "8D", "aNNAB"))

    assert judged.play == Play.parse("8D ANNaB")
    assert judged.points == 2 * (
        2 * DUTCH_LETTERS.tile("A").value + 2 * DUTCH_LETTERS.tile("N").value + DUTCH_LETTERS.tile("B").value
    )


def test_solo_of_a_single_point() -> None:
    # A blank and an A on plain squares, beside a blank that lies: 0 + 0 + 1.
    result = TurnResult(
        Board(DUTCH_LETTERS), {"P01": JudgedSlip(1, 1, None), "P02": JudgedSlip(0, None, SlipFault.BLANK)}, 1
    )

    assert result.is_solo("P01")


def test_late_player_misses_turns_with_nothing() -> None:
    turns = (
        SessionTurn("ZEEATNR", (Slip("P01", "8H", "ZE"),), Play.parse("8H ZE")),
        SessionTurn("TTESTAR", (Slip("P02", "8H", "ZES"),)),
    )
    session = SessionRecord(DUTCH_LETTERS, ("P01", "P02"), turns)

    assert [(row.player, row.points, row.zeroes) for row in session.totals()] == [("P01", 10, 1), ("P02", 7, 1)]
    assert [row.zeroes for row in session.totals(after=1)] == [0, 1]
    assert session.ended is None
    assert [row.points for row in session.totals(after=1)] == [10, 0]


def test_correction_changes_totals_and_not_the_board() -> None:
    slips = Slip("P01", "8H", "ZE"), Slip("P02", "8H", "ZEN")
    turn = SessionTurn("ZEEATNR", slips, Play.parse("8H ZE"), {"P02": 11})
    session = SessionRecord(DUTCH_LETTERS, ("P01", "P02"), (turn,), allows=WORDS.__contains__)

    assert [(row.player, row.rank, row.points, row.percent) for row in session.totals()] == [
        ("P02", 1, 11, Decimal("100.00")),
        ("P01", 2, 10, Decimal("90.91")),
    ]
    assert dict(session.boards[-1].tiles) == {Square(7, 7): "Z", Square(7, 8): "E"}


def test_equal_totals_share_a_rank() -> None:
    session = of(("8H", "TE"), ("8H", "ZE"), ("H8", "ZE"))

    assert [(row.rank, row.player) for row in session.totals()] == [(1, "P02"), (1, "P03"), (3, "P01")]


def test_nobody_has_a_share_of_nothing() -> None:
    assert [row.percent for row in of(("8H", "XX")).totals()] == [Decimal("0.00")]


def test_end_by_turns_and_by_tiles() -> None:
    full = [Square(row, column) for row in range(15) for column in range(15)]
    tiles = [tile.letter for tile in DUTCH_LETTERS.tiles for _one in range(tile.count)]

    def left(kept: str) -> SessionEnding | None:
        lying = list(tiles)
        for tile in kept:
            lying.remove(tile)
        session = SessionRecord(DUTCH_LETTERS, ("P01",), ())
        session.__dict__["boards"] = (
            Board(DUTCH_LETTERS, dict(zip(full, ("x" if t == "?" else t for t in lying), strict=False))),
        )
        return session.ended

    assert SessionRecord(DUTCH_LETTERS, ("P01",), (SessionTurn("ZE"),), max_turns=1).ended is SessionEnding.TURNS
    assert [left("AEIOUB"), left("AEIOUBC"), left("BCDFGHJ"), left("AEIOUAE")] == [
        SessionEnding.TILES, None, SessionEnding.VOWELS, SessionEnding.CONSONANTS,
    ]  # fmt: skip


@pytest.mark.skipif(not CASES.is_dir(), reason="needs the worked sessions beside the project")
@pytest.mark.parametrize("name", [path.stem for path in sorted(CASES.glob("*.json"))])
def test_worked_session(name: str) -> None:
    case = json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))
    noted = case["event"]["divisions"][0]["duplicate"]
    turns = tuple(_turn(each) for each in noted["turns"])
    players = tuple(sorted(case["want"]["turns"][0]["points"]))
    words = set(case["words"])
    session = SessionRecord(LETTER_SETS[noted["letters"]], players, turns, noted["max_turns"], words.__contains__)

    told = [
        {"best": result.best, "points": {k: j.points for k, j in result.slips.items()}} for result in session.results
    ]
    assert told == case["want"]["turns"]
    assert [find_master_word(result) for result in session.results] == [turn.master for turn in turns]
    fields = [(row.rank, row.player, row.points, float(row.percent), row.solos) for row in session.totals()]
    assert sorted(fields) == sorted(tuple(row.values()) for row in case["want"]["totals"])


def _turn(noted: dict[str, Any]) -> SessionTurn:
    slips = tuple(Slip(**each) for each in noted["slips"])
    return SessionTurn(noted["draw"], slips, Play.parse(noted["master"]["position"], noted["master"]["word"]))


def test_draw_is_repeatable_and_holds_both():
    bag = "".join(tile.letter * tile.count for tile in DUTCH_LETTERS.tiles)

    for seed in range(40):
        drawn, put_back = duplicate.draw_tiles(bag, Random(seed))
        assert (drawn, put_back) == duplicate.draw_tiles(bag, Random(seed))
        assert not duplicate.lacking_kind(drawn)
        assert all(map(duplicate.lacking_kind, put_back))


def test_draw_is_put_back_until_it_holds_both():
    drawn, put_back = duplicate.draw_tiles("A" + 20 * "B", Random(1))

    assert drawn == "ABBBBBB"
    assert set(put_back) == {"BBBBBBB"}


def test_last_seven_tiles_are_drawn():
    assert duplicate.draw_tiles("ABCDEFG", Random(1)) == ("ABCDEFG", ())


@pytest.mark.parametrize("bag", ["AEIBCD", "BCDFGHK"])
def test_no_draw_out_of_such_a_bag(bag):
    with pytest.raises(ValueError, match="no draw"):
        duplicate.draw_tiles(bag, Random(1))


def test_same_word_whichever_letter_is_a_blank():
    assert duplicate.is_same_word(Play.parse("8H ZeS"), Play.parse("8H ZES"))
    assert not duplicate.is_same_word(Play.parse("8H ZES"), Play.parse("H8 ZES"))
