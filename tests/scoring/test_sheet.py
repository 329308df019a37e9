"""What a score sheet comes to (TSO 3, 5; rules §2)."""

from dataclasses import replace

import pytest

from scoring import rulesets
from scoring.plays import Play
from scoring.rulesets.general import GENERAL_DE, SENIOR_DE
from scoring.rulesets.sbnl import SBNL_DUPLICATE, SBNL_PUNTEN, SBNL_WEDSTRIJD
from scoring.rulesets.tso import TSO_2010, TSO_2017
from scoring.rulesets.values import LeftoversRule
from scoring.sheet_count import count, remove_tiles
from scoring.sheet_faults import problems
from scoring.sheet_values import Ending, GameEnd, Sheet, Side
from tests.scoring import known_games
from tests.scoring.sheets import FIRST, SECOND, challenge, exchange, known, passed, penalty, play, sheet, withdrawn

ELSEWHERE = replace(TSO_2010, leftovers=LeftoversRule.TWICE_TO_WHO_WENT_OUT)
"""As games are settled where the known ones come from."""


# Games that were played elsewhere.


@pytest.mark.parametrize(
    ("text", "letters", "final", "left"),
    [(known_games.GERMAN, "de", (478, 420), ("", "IQ")), (known_games.ENGLISH, "en", (377, 388), ("", "P"))],
    ids=["german", "english"],
)
def test_game_played_elsewhere_comes_out(text, letters, final, left):
    lines, totals = known(text)
    ruleset = replace(ELSEWHERE, letters=letters)

    whole = count(Sheet(lines), ruleset)

    assert [counted.total for counted in whole.lines] == totals
    assert {counted.difference for counted in whole.lines if counted.line.points is not None} == {0}
    assert whole.final == final
    assert (whole.first.left, whole.second.left) == left
    assert whole.over == GameEnd(Ending.OUT, "TSO 5.1 a", len(lines), FIRST)
    assert (whole.turn, whole.bag, whole.racks, whole.unseen) == (None, 0, (0, len(left[1])), left[1])
    assert problems(Sheet(lines), ruleset) == ()


def test_known_game_settled_by_the_tso():
    lines, totals = known(known_games.GERMAN)

    whole = count(Sheet(lines), TSO_2010)

    assert (whole.first.settlement, whole.second.settlement) == (11, -11)
    assert whole.first.settlement_clause == "Allgemeine Spielregeln 4 i"
    assert whole.final == (totals[-1] + 11, totals[-2] - 11)
    assert (whole.first.bingos, whole.second.bingos) == (3, 2)
    assert whole.first.moves[:4] == (77, 74, 66, 52)
    assert whole.second.moves[:3] == (79, 76, 48)


# What a line is worth.


@pytest.mark.parametrize(
    ("ruleset", "line", "points", "clause"),
    [
        (TSO_2010, play(FIRST, "8H AB", 8), 8, "Allgemeine Spielregeln 4 d"),
        (TSO_2010, play(FIRST, "", 31), 31, "Allgemeine Spielregeln 4 d"),
        (TSO_2010, play(FIRST, ""), 0, "Allgemeine Spielregeln 4 d"),
        (TSO_2010, exchange(FIRST, "ABC", 0), 0, "TSO 3.2.1 d"),
        (TSO_2010, exchange(FIRST, "ABC", 12), 0, "TSO 3.2.1 d"),
        (TSO_2010, passed(FIRST), 0, "TSO 3.3.1 b"),
        (TSO_2010, passed(FIRST, -20), 0, "TSO 3.3.1 b"),
        (TSO_2010, withdrawn(FIRST), 0, "TSO 3.1.4"),
        (TSO_2010, withdrawn(FIRST, 24), 0, "TSO 3.1.4"),
        (TSO_2010, challenge(FIRST), -10, "TSO 3.1.4"),
        (TSO_2010, challenge(FIRST, words=3), -30, "TSO 3.1.4"),
        (TSO_2010, challenge(FIRST, words=0), -10, "TSO 3.1.4"),
        (TSO_2010, challenge(FIRST, -5), -10, "TSO 3.1.4"),
        (TSO_2010, challenge(FIRST, 0, note="Uhr nicht angehalten"), 0, "TSO 3.1.4"),
        (TSO_2010, challenge(FIRST, 5, note="Uhr nicht angehalten"), -10, "TSO 3.1.4"),
        (TSO_2010, penalty(FIRST, -5), -5, ""),
        (TSO_2010, penalty(FIRST, 5), 5, ""),
        (TSO_2010, penalty(FIRST), 0, ""),
        (GENERAL_DE, challenge(FIRST, words=3), -5, "Allgemeine Spielregeln 4 h"),
        (SENIOR_DE, challenge(FIRST, words=3), -10, "Spielanleitung, Wort anfechten"),
        (SBNL_WEDSTRIJD, challenge(FIRST, words=3), -20, "Wedstrijdscrabble III-9"),
        (SBNL_WEDSTRIJD, withdrawn(FIRST), -20, "Wedstrijdscrabble III-9"),
        (SBNL_WEDSTRIJD, withdrawn(FIRST, 0, note="jury"), 0, "Wedstrijdscrabble III-9"),
        (SBNL_WEDSTRIJD, withdrawn(FIRST, 0), -20, "Wedstrijdscrabble III-9"),
        (SBNL_WEDSTRIJD, passed(FIRST, -20), -20, "Wedstrijdscrabble III-8"),
        (SBNL_WEDSTRIJD, passed(FIRST, -10), 0, "Wedstrijdscrabble III-8"),
        (SBNL_WEDSTRIJD, withdrawn(FIRST, 1, note="jury"), -20, "Wedstrijdscrabble III-9"),
        (SBNL_PUNTEN, withdrawn(FIRST, -5), 0, ""),
        (SBNL_PUNTEN, challenge(FIRST, -5), -5, ""),
    ],
)
def test_line(ruleset, line, points, clause):
    counted = count(sheet(line), ruleset).lines[0]

    assert (counted.points, counted.total, counted.clause) == (points, points, clause)


def test_points_worked_out_count_and_the_difference_is_told():
    counted = count(sheet(play(FIRST, "8H AB", 11)), TSO_2010).lines[0]

    assert (counted.points, counted.worked, counted.difference) == (8, 8, 3)
    assert (counted.is_overruled, counted.scored is not None) == (False, True)


def test_points_decided_by_the_referee_count():
    counted = count(sheet(challenge(FIRST, 0, words=2, note="Schiedsrichter")), TSO_2010).lines[0]

    assert (counted.points, counted.worked, counted.difference, counted.is_overruled) == (0, -20, 20, True)


def test_withdrawn_play_is_worth_nothing_where_no_rule_speaks_of_challenges():
    [written, failed] = count(sheet(withdrawn(FIRST, -5), challenge(SECOND, -5)), SBNL_PUNTEN).lines

    assert (written.worked, written.difference) == (0, -5)
    assert (failed.worked, failed.difference) == (None, None)


def test_totals_run_for_each_side():
    lines = [
        play(FIRST, "8H AB", 8),
        challenge(SECOND, -10),
        play(SECOND, "H8 .B", 4),
        withdrawn(FIRST),
        play(SECOND, "", 31),
        penalty(FIRST, -5),
        exchange(FIRST, "Q"),
    ]

    whole = count(sheet(*lines), TSO_2010)

    assert [counted.total for counted in whole.lines] == [8, -10, -6, 8, 25, 3, 3]
    assert [(half.plays, half.challenges, half.penalties, half.total) for half in whole.halves] == [
        (8, 0, -5, 3),
        (35, -10, 0, 25),
    ]
    assert [(half.plays + half.settlement, half.final) for half in whole.halves] == [(8, 3), (35, 25)]


def test_best_moves_descend_and_hold_plays_alone():
    lines = [
        play(FIRST, "8B ABENDER", 70),
        penalty(SECOND, -5),
        play(SECOND, "", 12),
        play(FIRST, "", 90),
        passed(SECOND),
    ]

    whole = count(sheet(*lines), TSO_2010)

    assert (whole.first.moves, whole.second.moves) == ((90, 70), (12,))
    assert [(half.bingos, half.wordless) for half in whole.halves] == [(1, 1), (0, 1)]


# Plays that cannot be laid, and those that rest on what nobody wrote down.


def test_play_that_cannot_be_laid_counts_as_written():
    lines = [play(FIRST, "8H AB", 8), play(SECOND, "8H XB", 40), play(FIRST, "H8 .A"), play(SECOND, "1A AB", 5)]

    whole = count(sheet(*lines), TSO_2010)

    assert [counted.points for counted in whole.lines] == [8, 40, 2, 5]
    assert [counted.difference for counted in whole.lines] == [0, None, None, None]
    assert [[problem.fault for problem in counted.placement] for counted in whole.lines] == [
        [],
        ["taken"],
        [],
        ["not_joined"],
    ]
    assert (whole.unseen, whole.bag, whole.racks) == (None, None, None)
    assert whole.board.at(Play.parse("1A A").start) == "A"


def test_play_that_cannot_be_laid_and_has_no_points_counts_nothing():
    counted = count(sheet(play(FIRST, "8H AB"), play(SECOND, "8H XB")), TSO_2010).lines[1]

    assert (counted.points, counted.worked) == (0, None)


def test_tiles_that_are_too_many_leave_the_points_as_worked_out():
    lines = [play(FIRST, "8H QU", 22, rack="QUERABC"), play(SECOND, "H8 .Q", 11, rack="ABC")]

    counted = count(sheet(*lines), TSO_2010).lines[1]

    assert [problem.fault for problem in counted.placement] == ["used_up", "not_on_rack"]
    assert (counted.points, counted.worked, counted.difference) == (20, 20, -9)


def test_play_without_word_leaves_later_plays_as_they_were_written():
    lines = [play(FIRST, "", 20), play(SECOND, "G5 ABEND", 31), play(FIRST, "5G AB...", 12), play(SECOND, "1A XY")]

    whole = count(sheet(*lines), TSO_2010)

    assert [counted.points for counted in whole.lines] == [20, 31, 12, 54]
    assert [counted.difference for counted in whole.lines] == [None] * 4
    assert [counted.placement for counted in whole.lines] == [()] * 4
    assert whole.second.wordless == 2
    assert (whole.board.at(Play.parse("G9 D").start), whole.unseen) == ("D", None)


def test_play_beside_unknown_tiles_is_refused_what_no_tile_can_explain():
    lines = [play(FIRST, "", 20), play(SECOND, "8N ABER", 31), play(FIRST, "8N XÅ", 12)]

    whole = count(sheet(*lines), TSO_2010)

    assert [problem.fault for problem in whole.lines[1].placement] == ["off_board"]
    assert [problem.fault for problem in whole.lines[2].placement] == ["not_in_set"]


def test_play_far_from_a_doubtful_one_is_worked_out():
    lines = [
        play(FIRST, "8H AB", 8),
        play(SECOND, "12B ....", 15),
        play(FIRST, "H8 .BER", 4),
        play(SECOND, "12A KÖ.ER", 50),
        play(FIRST, "I8 .E", 99),
    ]

    whole = count(sheet(*lines), TSO_2010)

    assert [[problem.fault for problem in counted.placement] for counted in whole.lines] == [
        [],
        ["gap"] * 4,
        [],
        [],
        [],
    ]
    assert [counted.scored is not None for counted in whole.lines] == [True, False, True, False, True]
    assert [counted.points for counted in whole.lines] == [8, 15, 6, 50, 10]
    assert whole.lines[4].difference == 89


def test_play_whose_word_reaches_a_doubtful_square_is_not_worked_out():
    """The second play has no place; what lies there may touch the end of the word that the third makes longer."""
    lines = [play(FIRST, "8H ABEND"), play(SECOND, "9L ....", 15), play(FIRST, "8G L", 40), play(SECOND, "H7 E.E", 30)]

    whole = count(sheet(*lines), TSO_2010)

    assert [counted.scored is not None for counted in whole.lines] == [True, False, False, True]
    assert [counted.points for counted in whole.lines] == [16, 15, 40, 3]


def test_second_play_that_cannot_be_laid_is_told_as_well():
    lines = [play(FIRST, "8H AB"), play(SECOND, "12B ....", 15), play(FIRST, "1A ..", 9), play(SECOND, "12B .X", 9)]

    placements = [counted.placement for counted in count(sheet(*lines), TSO_2010).lines]

    assert [[problem.fault for problem in found] for found in placements] == [[], ["gap"] * 4, ["gap"] * 2, []]


def test_first_play_that_cannot_be_laid_is_the_only_one_told():
    lines = [play(FIRST, "8H AB..", 8), play(SECOND, "3A AB", 9)]

    whole = count(sheet(*lines), TSO_2010)

    assert [[problem.fault for problem in counted.placement] for counted in whole.lines] == [["gap", "gap"], []]


# Tiles in the bag and in hand.


def test_bag_before_each_turn():
    lines = [play(FIRST, "8H AB"), exchange(SECOND, "Q"), play(FIRST, "H8 .BER"), play(SECOND, ""), passed(FIRST)]

    whole = count(sheet(*lines), TSO_2010)

    assert [(counted.bag, counted.held, counted.least) for counted in whole.lines] == [
        (88, 7, 88),
        (86, 7, 86),
        (86, 7, 86),
        (83, 7, 83),
        (None, None, 76),
    ]


def test_least_in_the_bag_is_never_below_none():
    lines = [play(Side(1 + number % 2), "", 10) for number in range(20)]

    assert count(sheet(*lines), TSO_2010).lines[-1].least == 0


# The end.


def ended(*lines, ruleset=TSO_2010, **more):
    whole = count(sheet(*lines, **more), ruleset)
    return whole.over and (whole.over.ending, whole.over.number), whole.turn


def test_game_goes_on():
    assert ended() == (None, FIRST)
    assert ended(play(FIRST, "8H AB"), penalty(FIRST, -5)) == (None, SECOND)
    assert ended(play(FIRST, "8H AB"), passed(SECOND), passed(FIRST), passed(SECOND)) == (None, FIRST)


@pytest.mark.parametrize("between", [exchange(SECOND, "Q"), withdrawn(SECOND)], ids=["exchange", "withdrawn"])
def test_only_passes_end_a_game(between):
    assert ended(passed(FIRST), between, passed(FIRST), passed(SECOND)) == (None, FIRST)


def test_two_passes_in_a_row_by_each_end_the_game():
    lines = [passed(FIRST), passed(SECOND), penalty(FIRST, -5), passed(FIRST), passed(SECOND)]

    assert ended(*lines) == ((Ending.PASSES, 5), None)
    assert count(sheet(*lines), TSO_2010).over.clause == "TSO 5.1 b"


def test_game_over_stays_over():
    lines = [passed(FIRST), passed(SECOND), passed(FIRST), passed(SECOND), play(FIRST, "8H AB"), play(SECOND, "H8 .B")]

    whole = count(sheet(*lines), TSO_2010)

    assert (whole.over.number, whole.turn) == (4, None)
    assert [(counted.turn, counted.over) for counted in whole.lines[4:]] == [(None, 4), (None, 4)]
    assert whole.final == (8, 4)


@pytest.mark.parametrize(
    "more", [{"is_finished": True}, {"final": (None, 20)}, {"settlement": (-3, None)}, {"left": ("E", None)}]
)
def test_sheet_says_that_the_game_is_over(more):
    assert ended(play(FIRST, "8H AB"), passed(SECOND), **more) == ((Ending.STATED, 2), None)


def test_settlement_has_a_clause_once_there_is_one():
    ends = ({}, {"left": (None, "E")}, {"left": (None, "?")}, {"settlement": (None, -3)})

    halves = [count(sheet(play(FIRST, "", 8), **end), TSO_2010).second for end in ends]

    assert [half.settlement_clause for half in halves] == ["", *["Allgemeine Spielregeln 4 i"] * 3]


def test_finished_sheet_without_a_turn():
    assert ended(penalty(FIRST, -5), is_finished=True) == ((Ending.STATED, None), None)


def test_going_out_is_known_by_empty_hands_where_tiles_are_not():
    lines = [play(FIRST, "", 30), play(SECOND, "", 20)]

    whole = count(sheet(*lines, left=("DE", "")), TSO_2010)

    assert whole.over == GameEnd(Ending.OUT, "TSO 5.1 a", 2, SECOND)
    assert whole.final == (28, 22)


@pytest.mark.parametrize(("sides", "number"), [((SECOND, FIRST), 1), ((FIRST, SECOND, FIRST), 2)])
def test_who_has_empty_hands_went_out_in_a_turn_of_their_own(sides: tuple[Side, ...], number: int) -> None:
    lines = [play(side, "", 30) for side in sides]

    assert count(sheet(*lines, left=("DE", "")), TSO_2010).over == GameEnd(Ending.OUT, "TSO 5.1 a", number, SECOND)


def test_who_has_empty_hands_but_laid_nothing_is_not_said_to_have_gone_out() -> None:
    assert count(sheet(play(FIRST, "", 30), left=("DE", "")), TSO_2010).over == GameEnd(Ending.STATED, "", 1)


def test_who_has_empty_hands_and_passed_last_is_not_said_to_have_gone_out() -> None:
    lines = [play(FIRST, "", 30), passed(SECOND)]

    assert count(sheet(*lines, left=("DE", "")), TSO_2010).over == GameEnd(Ending.STATED, "", 2)


def test_who_is_said_to_have_empty_hands_while_tiles_are_known_is_not_said_to_have_gone_out() -> None:
    lines = [play(FIRST, "8H AB", 8), play(SECOND, "", 20)]
    whole = count(sheet(*lines[:1], left=("", "DE")), TSO_2010)

    assert whole.racks == (7, 7)
    assert whole.over == GameEnd(Ending.STATED, "", 1)
    assert count(sheet(*lines, left=("DE", "")), TSO_2010).over == GameEnd(Ending.OUT, "TSO 5.1 a", 2, SECOND)


# Settlement.


@pytest.mark.parametrize(
    ("ruleset", "left", "settlement"),
    [
        pytest.param(TSO_2010, ("", "QM?"), (13, -13), id="rules §2: out, the other holds 13"),
        pytest.param(TSO_2010, ("qm?", ""), (-13, 13), id="the other way round, in small letters"),
        pytest.param(TSO_2010, ("K", "XE"), (-4, -9), id="rules §2: both passed out, 4 and 9"),
        pytest.param(TSO_2010, ("", ""), (0, 0), id="nobody has a tile"),
        pytest.param(TSO_2010, (None, "XE"), (0, -9), id="one is not known"),
        pytest.param(TSO_2010, ("", None), (0, 0), id="what the other held is not known"),
        pytest.param(GENERAL_DE, ("", "QM?"), (13, -13), id="general rules 4 i"),
        pytest.param(replace(SBNL_PUNTEN, letters="de"), ("", "QMD"), (0, -14), id="SBNL: each loses their own"),
        pytest.param(ELSEWHERE, ("", "QE"), (22, 0), id="elsewhere: twice the other's"),
        pytest.param(ELSEWHERE, ("K", "XE"), (-4, -9), id="elsewhere: nobody out"),
        pytest.param(SBNL_DUPLICATE, ("", "QE"), (0, 0), id="duplicate knows none"),
    ],
)
def test_tiles_left(ruleset, left, settlement):
    whole = count(sheet(play(FIRST, "", 30), play(SECOND, "", 20), left=left), ruleset)

    assert (whole.first.settlement, whole.second.settlement) == settlement
    assert whole.final == (30 + settlement[0], 20 + settlement[1])


def test_tiles_that_both_held_when_they_passed_out():
    lines = [passed(FIRST), passed(SECOND), passed(FIRST), passed(SECOND)]

    whole = count(sheet(*lines, left=("ABCDEFG", "?NNNNNN")), TSO_2010)

    assert whole.final == (-16, -6)


def test_tiles_left_by_one_are_those_that_the_other_has_not():
    """Both pass with an empty bag; only the second's tiles are written."""
    lines = known(known_games.GERMAN)[0][:-2]
    passes = [passed(SECOND), passed(FIRST)] * 2

    whole = count(sheet(*lines, *passes, left=(None, "ILQS")), TSO_2010)

    assert (whole.bag, whole.over.ending) == (0, Ending.PASSES)
    assert whole.first.left == "AEU"
    assert (whole.first.settlement, whole.second.settlement) == (-3, -14)


@pytest.mark.parametrize("left", [(None, None), ("AEU", "ILQ"), ("AE", "ILQS")])
def test_tiles_left_stay_as_written_and_are_not_guessed_where_neither_is(left: tuple[str | None, str | None]) -> None:
    lines = known(known_games.GERMAN)[0][:-2]

    whole = count(sheet(*lines, *[passed(SECOND), passed(FIRST)] * 2, left=left), TSO_2010)

    assert (whole.first.left, whole.second.left) == left


def test_of_equal_tiles_one_is_taken_away() -> None:
    assert remove_tiles("EENNE", "EN") == "ENE"


@pytest.mark.parametrize(
    ("left", "written", "counts"),
    [
        ((None, None), (13, -13), (13, -13)),
        (("", None), (13, None), (13, -13)),
        ((None, ""), (None, 13), (-13, 13)),
        ((None, None), (-4, None), (-4, 0)),
        (("", "E"), (13, -13), (1, -1)),
        (("K", None), (None, -9), (-4, -9)),
    ],
)
def test_settlement_written_counts_where_none_can_be_worked_out(left, written, counts):
    whole = count(sheet(play(FIRST, "", 30), play(SECOND, "", 20), left=left, settlement=written), TSO_2010)

    assert (whole.first.settlement, whole.second.settlement) == counts


def test_who_went_out_is_settled_so_whatever_tiles_are_written_as_left():
    lines = known(known_games.GERMAN)[0]

    whole = count(sheet(*lines, left=("I", "Q")), TSO_2010)

    assert (whole.first.settlement, whole.second.settlement) == (10, -10)


def test_settlement_is_not_mirrored_where_each_loses_their_own():
    whole = count(sheet(play(FIRST, "", 30), left=("", None), settlement=(None, -13)), SBNL_PUNTEN)

    assert whole.final == (30, -13)


# Time.


@pytest.mark.parametrize(
    ("ruleset", "overtime", "times", "lost"),
    [
        pytest.param(TSO_2010, (0, 0), (0, 0), (False, False), id="TSO 5.2 a"),
        pytest.param(TSO_2010, (1, 61), (-10, -20), (False, False), id="TSO 5.2 b"),
        pytest.param(TSO_2010, (600, 0), (-100, 0), (False, False), id="TSO 5.2 c: 600 s"),
        pytest.param(TSO_2010, (601, 61), (0, 0), (True, False), id="TSO 5.2 c: 601 s, as it stood"),
        pytest.param(TSO_2017, (61, 301), (0, 0), (False, True), id="TSO 2017 5.2 c: 301 s"),
        pytest.param(TSO_2010, (700, 700), (0, 0), (True, True), id="both beyond the limit"),
        pytest.param(SBNL_WEDSTRIJD, (700, 0), (-120, 0), (False, False), id="SBNL: no limit"),
        pytest.param(GENERAL_DE, (700, 0), (0, 0), (False, False), id="no clock"),
    ],
)
def test_overtime(ruleset, overtime, times, lost):
    lines = [play(FIRST, "", 300), challenge(FIRST, -10), play(SECOND, "", 200)]

    whole = count(sheet(*lines, overtime=overtime), ruleset)

    assert tuple(half.time for half in whole.halves) == times
    assert tuple(half.lost for half in whole.halves) == lost
    assert whole.final == (whole.first.total + times[0], whole.second.total + times[1])


def test_overtime_tells_its_clause():
    halves = [count(sheet(overtime=(61, seconds)), TSO_2010).second for seconds in (0, 61, 601)]

    assert [half.time_clause for half in halves] == ["", "TSO 5.2 b", "TSO 5.2 c"]


def test_game_broken_off_by_time_is_over_and_not_settled():
    whole = count(sheet(play(FIRST, "8H AB"), overtime=(0, 601)), TSO_2010)

    assert (whole.over, whole.turn) == (GameEnd(Ending.TIME, "TSO 5.2 c"), None)
    assert whole.final == (8, 0)


AT_8_0 = (play(FIRST, "8H AB"),)
UNKNOWN = (None, None)
PASSED_OUT = (*AT_8_0, passed(SECOND), passed(FIRST), passed(SECOND), passed(FIRST))


@pytest.mark.parametrize(
    ("ruleset", "lines", "left", "settlement", "seconds", "ending", "final"),
    [
        pytest.param(TSO_2010, AT_8_0, ("Q", "E"), UNKNOWN, 600, Ending.STATED, (-2, -101), id="not beyond the limit"),
        pytest.param(TSO_2010, AT_8_0, ("Q", "E"), UNKNOWN, 601, Ending.TIME, (8, 0), id="stopped, tiles of both"),
        pytest.param(TSO_2010, AT_8_0, ("Q", None), UNKNOWN, 601, Ending.TIME, (8, 0), id="stopped, tiles of one"),
        pytest.param(TSO_2010, AT_8_0, ("Q", ""), UNKNOWN, 601, Ending.TIME, (8, 0), id="stopped, nobody went out"),
        pytest.param(TSO_2010, AT_8_0, UNKNOWN, (-10, -1), 601, Ending.TIME, (8, 0), id="stopped, settled on paper"),
        pytest.param(TSO_2010, AT_8_0, UNKNOWN, (-10, None), 601, Ending.TIME, (8, 0), id="stopped, half settled"),
        pytest.param(TSO_2017, AT_8_0, ("Q", "E"), UNKNOWN, 301, Ending.TIME, (8, 0), id="TSO 2017, stopped"),
        pytest.param(TSO_2010, PASSED_OUT, ("Q", "E"), UNKNOWN, 601, Ending.PASSES, (-2, -1), id="passes came before"),
        pytest.param(SBNL_WEDSTRIJD, AT_8_0, ("Q", "E"), UNKNOWN, 601, Ending.STATED, (-2, -111), id="no limit"),
    ],
)
def test_game_that_the_clock_has_stopped_goes_by_the_score_as_it_stood(
    ruleset, lines, left, settlement, seconds, ending, final
):
    """TSO 5.2 c, 6.1.1: whatever is written of the tiles left, only a game that came to its end is settled."""
    whole = count(
        sheet(*lines, left=left, settlement=settlement, overtime=(0, seconds)), replace(ruleset, letters="de")
    )

    assert (whole.over.ending, whole.final) == (ending, final)
    is_stopped = ending is Ending.TIME
    clause = ruleset.clauses.overtime_limit if is_stopped else ruleset.clauses.settlement
    assert {half.settlement_clause for half in whole.halves} == {clause}


@pytest.mark.parametrize("ruleset", rulesets.RULESETS.values(), ids=rulesets.RULESETS)
def test_empty_sheet(ruleset):
    whole = count(sheet(), ruleset)

    assert whole.final == (0, 0)
    assert whole.turn is FIRST
    assert problems(sheet(), ruleset) == ()


@pytest.mark.parametrize("ruleset", [SBNL_PUNTEN, SBNL_WEDSTRIJD.without_clock], ids=["Puntenscrabble", "70 minutes"])
def test_time_for_the_whole_game_ends_it_and_costs_nobody_anything(ruleset):
    """V a: however many turns each has had; own tiles count against their holder, those in the bag against nobody."""
    lines = (play(FIRST, "", 30), play(SECOND, "", 20), play(FIRST, "", 10))

    whole = count(sheet(*lines, left=("Q", "EE"), overtime=(400, 0), is_finished=True), replace(ruleset, letters="de"))

    assert (whole.over.ending, whole.final) == (Ending.STATED, (30, 18))
