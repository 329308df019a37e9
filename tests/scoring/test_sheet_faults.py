"""What on a score sheet breaks the rules, or does not add up (TSO 3, 5; SBNL III, V): each alone, then all at once."""

from dataclasses import replace

import pytest

from scoring import board as boards
from scoring.rulesets.general import GENERAL_DE, SENIOR_DE
from scoring.rulesets.sbnl import SBNL_DUPLICATE, SBNL_PUNTEN, SBNL_WEDSTRIJD
from scoring.rulesets.tso import TSO_2010
from scoring.rulesets.values import ExchangeRules
from scoring.sheet_count import count
from scoring.sheet_faults import problems
from scoring.sheet_values import LineKind, ScoreSheetLine, Sheet, SheetFault, SheetProblem
from scoring.squares import CENTRE_SQUARE
from tests.scoring import known_games
from tests.scoring.sheets import FIRST, SECOND, challenge, exchange, known, passed, penalty, play, sheet, withdrawn

GAME, _ = known(known_games.GERMAN)
"""A whole game by German tiles: the first goes out, the other is left with I and Q."""

PUNTEN, WEDSTRIJD = replace(SBNL_PUNTEN, letters="de"), replace(SBNL_WEDSTRIJD, letters="de")
"""The Dutch rules, played with German tiles so that the known game fits."""

PASSES = (passed(FIRST), passed(SECOND), passed(FIRST), passed(SECOND))


def found(*lines, ruleset=TSO_2010, **more):
    """What is wrong, each as (line, fault, needed, found)."""
    told = problems(sheet(*lines, **more), ruleset)
    return [(problem.line, problem.fault, problem.needed, problem.found) for problem in told]


def faults(*lines, ruleset=TSO_2010, **more):
    return [(line, fault) for line, fault, *_ in found(*lines, ruleset=ruleset, **more)]


def texts(*lines, **more):
    return [(problem.fault, problem.text) for problem in problems(sheet(*lines, **more), TSO_2010)]


# Points.


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (play(FIRST, "8H AB", 8), []),
        (play(FIRST, "8H AB", 9), [(1, SheetFault.POINTS_DIFFER, 8, 9)]),
        (play(FIRST, "8H AB"), []),
        (play(FIRST, ""), [(1, SheetFault.POINTS_MISSING, None, None)]),
        (play(FIRST, "", 0), []),
        (exchange(FIRST, "ABC", 3), [(1, SheetFault.POINTS_DIFFER, 0, 3)]),
        (passed(FIRST, -20), [(1, SheetFault.POINTS_DIFFER, 0, -20)]),
        (withdrawn(FIRST, 0), []),
        (withdrawn(FIRST, 1), [(1, SheetFault.WITHDRAWN_SCORES, 0, 1)]),
        (withdrawn(FIRST, 24), [(1, SheetFault.WITHDRAWN_SCORES, 0, 24)]),
        (withdrawn(FIRST, -20), [(1, SheetFault.POINTS_DIFFER, 0, -20)]),
        (withdrawn(FIRST, -20, note="Schiedsrichter"), []),
        (penalty(FIRST, -5), []),
        (penalty(FIRST), [(1, SheetFault.POINTS_MISSING, None, None)]),
        (penalty(FIRST, 0), []),
        (penalty(FIRST, 5), [(1, SheetFault.PENALTY_ADDS, None, 5)]),
        (penalty(FIRST, 1), [(1, SheetFault.PENALTY_ADDS, None, 1)]),
        (penalty(FIRST, -5, note=""), [(1, SheetFault.REASON_MISSING, None, None)]),
    ],
)
def test_points(line, expected):
    assert found(line) == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ((challenge(SECOND, -10),), []),
        ((challenge(SECOND, -30),), [(3, SheetFault.POINTS_DIFFER, -10, -30)]),
        ((challenge(SECOND, -30, note="Schiedsrichter"),), []),
        ((challenge(SECOND, -20, words=2),), [(3, SheetFault.MORE_WORDS_THAN_MADE, 1, 2)]),
        ((play(SECOND, "9H AB", 18), challenge(FIRST, -30, words=3)), []),
        ((play(SECOND, "9H AB", 18), challenge(SECOND, -10)), []),
        ((play(SECOND, "", 12), challenge(FIRST, -30, words=3)), []),
        ((withdrawn(SECOND), challenge(FIRST, -20, words=2)), []),
        ((challenge(FIRST, -10), withdrawn(SECOND)), []),
        ((challenge(FIRST, -10), penalty(FIRST, -5), withdrawn(SECOND)), []),
        ((challenge(FIRST, -10),), [(3, SheetFault.NOTHING_TO_CHALLENGE, None, 0)]),
        ((challenge(FIRST, -10), passed(SECOND)), [(3, SheetFault.NOTHING_TO_CHALLENGE, None, 0)]),
        ((passed(SECOND), challenge(FIRST, -10)), [(4, SheetFault.NOTHING_TO_CHALLENGE, None, 1)]),
        ((exchange(SECOND), withdrawn(FIRST), challenge(FIRST, -10)), [(5, SheetFault.NOTHING_TO_CHALLENGE, None, 1)]),
    ],
)
def test_failed_challenge(lines, expected):
    assert found(penalty(FIRST, -5), play(FIRST, "8H AB", 8), *lines) == expected


def test_word_that_is_longer_than_what_is_written_is_asked_about():
    """The E that lies there makes DERE of it; whoever writes DERE is asked nothing."""
    told = problems(sheet(play(FIRST, "H8 EN"), play(SECOND, "8E DER")), TSO_2010)

    assert [(each.line, each.fault, each.text, each.other) for each in told] == [
        (2, SheetFault.WORD_IS_LONGER, "DER", "DERE")
    ]
    assert faults(play(FIRST, "H8 EN"), play(SECOND, "8E DERE")) == []


def test_penalty_for_an_upheld_challenge_belongs_to_the_line():
    assert found(withdrawn(FIRST, -20), ruleset=SBNL_WEDSTRIJD) == []
    assert found(withdrawn(FIRST, 0), ruleset=SBNL_WEDSTRIJD) == [(1, SheetFault.POINTS_DIFFER, -20, 0)]
    assert found(withdrawn(FIRST, 0, note="jury"), ruleset=SBNL_WEDSTRIJD) == []


def test_ruleset_without_challenges():
    assert found(withdrawn(FIRST), challenge(SECOND, -10), ruleset=SBNL_PUNTEN) == [
        (1, SheetFault.NO_CHALLENGES, None, None),
        (2, SheetFault.NO_CHALLENGES, None, None),
    ]


def test_play_that_cannot_be_laid():
    told = problems(sheet(play(FIRST, "1A A", 1)), TSO_2010)

    assert told == (
        SheetProblem(
            1,
            SheetFault.PLACEMENT,
            FIRST,
            "Allgemeine Spielregeln 4 a",
            placement=boards.PlayProblem(boards.PlayFault.CENTRE_MISSED, CENTRE_SQUARE),
        ),
        SheetProblem(
            1,
            SheetFault.PLACEMENT,
            FIRST,
            "Allgemeine Spielregeln 4 a",
            placement=boards.PlayProblem(boards.PlayFault.ONE_TILE),
        ),
    )


# Whose turn it is.


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ((play(FIRST, "", 1), play(SECOND, "", 1), passed(FIRST), exchange(SECOND)), []),
        ((play(SECOND, "", 1), play(FIRST, "", 1)), [(1, SheetFault.OUT_OF_TURN)]),
        ((play(FIRST, "", 1), withdrawn(FIRST), play(SECOND, "", 1)), [(2, SheetFault.OUT_OF_TURN)]),
        ((play(FIRST, "", 1), challenge(SECOND, -10), play(SECOND, "", 1), penalty(SECOND, -5), passed(FIRST)), []),
    ],
    ids=["in turn", "second begins", "twice in a row", "adjustments are no turns"],
)
def test_order_of_turns(lines, expected):
    assert faults(*lines) == expected


def test_game_goes_on_after_the_passes_that_end_it():
    told = found(*PASSES, play(FIRST, "8H AB"), penalty(SECOND, -5), passed(SECOND), left=("AB", "CD"))

    assert told[:2] == [(5, SheetFault.AFTER_THE_END, None, 4), (7, SheetFault.AFTER_THE_END, None, 4)]


def test_game_goes_on_after_somebody_went_out():
    assert found(*GAME, passed(SECOND), ruleset=TSO_2010) == [(34, SheetFault.AFTER_THE_END, None, 33)]


# Exchanges and passes.


def test_exchange_with_fewer_than_seven_in_the_bag():
    bags = [counted.bag for counted in count(Sheet(GAME), TSO_2010).lines]
    last = max(number for number, bag in enumerate(bags) if bag >= 7)

    for place, expected in ((last, []), (last + 1, [(last + 2, SheetFault.BAG_TOO_SMALL, 7, bags[last + 1])])):
        lines = (*GAME[:place], exchange(GAME[place].side))
        assert found(*lines) == expected
        assert found(*lines, ruleset=GENERAL_DE) == expected
        assert [fault for _, fault in faults(*lines, ruleset=SENIOR_DE)] == []


def test_exchange_with_exactly_as_many_in_the_bag_as_it_needs():
    lines = (*GAME[:20], exchange(GAME[20].side))
    bag = count(Sheet(lines), TSO_2010).lines[20].bag

    needing = [replace(TSO_2010, exchanges=ExchangeRules(in_bag=needed)) for needed in (bag, bag + 1)]

    assert [found(*lines, ruleset=ruleset) for ruleset in needing] == [
        [],
        [(21, SheetFault.BAG_TOO_SMALL, bag + 1, bag)],
    ]


def test_exchange_of_more_than_the_bag_has():
    lines = next(
        (*GAME[: counted.number - 1], exchange(counted.line.side, counted.line.rack))
        for counted in count(Sheet(GAME), TSO_2010).lines
        if counted.bag < len(counted.line.rack) == 7
    )

    assert [fault for _, fault in faults(*lines, ruleset=SENIOR_DE)] == [SheetFault.BAG_TOO_SMALL]


def test_exchange_where_nobody_knows_what_is_in_the_bag():
    lines = [play(FIRST if number % 2 == 0 else SECOND, "", 20) for number in range(24)]

    assert found(*lines, exchange(FIRST, "ABC")) == []


@pytest.mark.parametrize(
    ("ruleset", "lines", "expected"),
    [
        pytest.param(PUNTEN, [*[exchange(FIRST), exchange(SECOND)] * 3], [], id="Puntenscrabble III-7: three"),
        pytest.param(
            PUNTEN,
            [*[exchange(FIRST), exchange(SECOND)] * 3, exchange(FIRST)],
            [(7, SheetFault.TOO_OFTEN_BEFORE_WORD, 3, 4)],
            id="Puntenscrabble III-7: four",
        ),
        pytest.param(
            WEDSTRIJD,
            [exchange(FIRST), play(SECOND, "", 10), exchange(FIRST), exchange(SECOND)],
            [(3, SheetFault.TOO_OFTEN_BEFORE_WORD, 1, 2)],
            id="Wedstrijdscrabble III-7: two",
        ),
        pytest.param(
            WEDSTRIJD,
            [play(FIRST, "", 10), play(SECOND, "", 10), exchange(FIRST), exchange(SECOND), exchange(FIRST)],
            [(5, SheetFault.NO_TILE_BEFORE, None, None)],
            id="III-7: a tile before",
        ),
        pytest.param(
            WEDSTRIJD,
            [play(FIRST, "", 10), passed(SECOND, -20), withdrawn(FIRST, -20), play(SECOND, "", 10), exchange(FIRST)],
            [(5, SheetFault.NO_TILE_BEFORE, None, None)],
            id="III-7: a withdrawn play is none",
        ),
        pytest.param(SBNL_DUPLICATE, [exchange(FIRST)], [(1, SheetFault.NO_EXCHANGES, None, None)], id="duplicate"),
    ],
)
def test_exchanges_of_the_dutch_rules(ruleset, lines, expected):
    assert found(*lines, ruleset=ruleset) == expected


def test_exchange_of_the_dutch_rules_needs_sixteen_in_the_bag():
    bags = [counted.bag for counted in count(Sheet(GAME), PUNTEN).lines]
    place = next(place for place, bag in enumerate(bags) if bag < 16)

    assert found(*GAME[:place], exchange(GAME[place].side), ruleset=PUNTEN)[-1] == (
        place + 1,
        SheetFault.BAG_TOO_SMALL,
        16,
        bags[place],
    )


@pytest.mark.parametrize(
    ("ruleset", "line", "expected"),
    [
        (TSO_2010, passed(FIRST), []),
        (PUNTEN, passed(FIRST), [(1, SheetFault.PASSING_NOT_ALLOWED, 0, None)]),
        (WEDSTRIJD, passed(FIRST), [(1, SheetFault.PASSING_NOT_ALLOWED, 20, None)]),
        (WEDSTRIJD, passed(FIRST, 0), [(1, SheetFault.PASSING_NOT_ALLOWED, 20, None)]),
        (WEDSTRIJD, passed(FIRST, -20), []),
        (SBNL_DUPLICATE, passed(FIRST), [(1, SheetFault.PASSING_NOT_ALLOWED, 0, None)]),
    ],
)
def test_passing(ruleset, line, expected):
    assert found(line, ruleset=ruleset) == expected


ASKED = {"jury": True}
"""The jury was asked before the turn."""

BEGUN = (play(FIRST, "", 10), play(SECOND, "", 10))


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param((exchange(FIRST),), [], id="III-7: the first turn"),
        pytest.param((exchange(FIRST), exchange(SECOND), exchange(FIRST, **ASKED)), [], id="III-8: consent"),
        pytest.param(
            (exchange(FIRST), exchange(SECOND), exchange(FIRST)),
            [(3, SheetFault.TOO_OFTEN_BEFORE_WORD, 1, 2)],
            id="III-8: without consent",
        ),
        pytest.param(
            (exchange(FIRST), exchange(SECOND), passed(FIRST, **ASKED), exchange(SECOND, **ASKED)),
            [],
            id="III-8: refused, turn lost",
        ),
        pytest.param(
            (exchange(FIRST), exchange(SECOND), passed(FIRST, -20, **ASKED)), [], id="III-8: refused, 20 written"
        ),
        pytest.param(
            (exchange(FIRST), exchange(SECOND), passed(FIRST, 0, **ASKED)),
            [(3, SheetFault.POINTS_DIFFER, -20, 0)],
            id="III-8: refused, nothing written",
        ),
        pytest.param(
            (exchange(FIRST), exchange(SECOND), play(FIRST, "", 12, **ASKED)), [], id="III-8: refused, a word found"
        ),
        pytest.param((*BEGUN, exchange(FIRST), exchange(SECOND)), [], id="III-7: after a tile"),
        pytest.param(
            (*BEGUN, exchange(FIRST), exchange(SECOND), exchange(FIRST, **ASKED)), [], id="III-8: again later"
        ),
        pytest.param(
            (*BEGUN, exchange(FIRST), exchange(SECOND), exchange(FIRST)),
            [(5, SheetFault.NO_TILE_BEFORE, None, None)],
            id="III-8: again later without consent",
        ),
        pytest.param(
            (*BEGUN, withdrawn(FIRST, -20), passed(SECOND), exchange(FIRST, **ASKED)),
            [(4, SheetFault.PASSING_NOT_ALLOWED, 20, None)],
            id="III-8: nobody passes without the jury",
        ),
    ],
)
def test_consent_of_the_jury(lines, expected):
    assert found(*lines, ruleset=WEDSTRIJD) == expected


def test_consent_says_what_it_would_have_mended():
    lines = (exchange(FIRST), exchange(SECOND), exchange(FIRST), passed(SECOND))

    told = [(each.fault, each.by_consent, each.clause) for each in problems(sheet(*lines), WEDSTRIJD)]

    assert told == [
        (SheetFault.TOO_OFTEN_BEFORE_WORD, True, "Wedstrijdscrabble III-7"),
        (SheetFault.PASSING_NOT_ALLOWED, True, "Wedstrijdscrabble III-8"),
    ]


def test_consent_does_not_fill_the_bag():
    bags = [counted.bag for counted in count(Sheet(GAME), WEDSTRIJD).lines]
    place = next(place for place, bag in enumerate(bags) if bag < 16)

    told = found(*GAME[:place], exchange(GAME[place].side, **ASKED), ruleset=WEDSTRIJD)

    assert told[-1] == (place + 1, SheetFault.BAG_TOO_SMALL, 16, bags[place])


def test_refused_by_the_jury_is_not_finished():
    begun = dutch_end()
    side = begun[-1].side.other
    lines = (*begun, passed(side, **ASKED), play(side.other, "", 10), play(side, "", 10))

    whole = count(Sheet(lines), WEDSTRIJD)

    assert [fault for line, fault in faults(*lines, ruleset=WEDSTRIJD) if line > len(begun)] == []
    assert (whole.lines[len(begun)].points, whole.lines[len(begun)].clause) == (-20, "Wedstrijdscrabble III-8")


@pytest.mark.parametrize(
    ("ruleset", "clause"), [(PUNTEN, "Puntenscrabble III-8"), (TSO_2010, "TSO 3.3"), (SBNL_DUPLICATE, "")]
)
def test_jury_that_cannot_consent(ruleset, clause):
    told = [
        each for each in problems(sheet(play(FIRST, "", 10, **ASKED)), ruleset) if each.fault is SheetFault.NO_CONSENT
    ]

    assert [each.clause for each in told] == [clause]


def test_who_has_exchanged_and_finds_no_word_is_done_with_the_bag_full():
    """Puntenscrabble V: nobody exchanges twice in a row, and nobody passes, so that the tiles can only be kept."""
    lines = (*BEGUN, exchange(FIRST), play(SECOND, "", 10), passed(FIRST), play(SECOND, "", 10), play(FIRST, "", 5))

    whole = count(Sheet(lines), PUNTEN)

    assert found(*lines, ruleset=PUNTEN) == [(7, SheetFault.GAVE_UP_BEFORE, None, 5)]
    assert whole.turn is SECOND


def test_nobody_is_done_before_the_first_word():
    """Puntenscrabble III-8: a player who finds no word after three exchanges asks for a new start."""
    lines = (*[exchange(FIRST), exchange(SECOND)] * 3, passed(FIRST), play(SECOND, "", 10))

    assert found(*lines, ruleset=PUNTEN) == [(7, SheetFault.PASSING_NOT_ALLOWED, 0, None)]
    assert count(Sheet(lines), PUNTEN).turn is FIRST


def test_passing_is_a_fault_as_long_as_there_must_be_tiles_to_exchange():
    plays = [play(FIRST if number % 2 == 0 else SECOND, "", 20) for number in range(12)]

    assert [
        faults(*plays[:number], passed(SECOND if number % 2 else FIRST), ruleset=PUNTEN) for number in (10, 11)
    ] == [[(11, SheetFault.PASSING_NOT_ALLOWED)], []]


def dutch_end():
    """The known game as far as the bag is short of 16, under the Dutch rules, without its withdrawn play."""
    bags = [counted.bag for counted in count(Sheet(GAME), PUNTEN).lines]
    return GAME[: next(place for place, bag in enumerate(bags) if bag < 16)]


def test_who_cannot_lay_a_tile_is_done_and_the_other_goes_on():
    begun = dutch_end()
    side = begun[-1].side.other
    lines = (*begun, passed(side), play(side.other, "", 10), play(side.other, "", 10), play(side, "", 10))

    assert found(*lines, ruleset=PUNTEN) == [(len(lines), SheetFault.GAVE_UP_BEFORE, None, len(begun) + 1)]
    assert count(Sheet(lines[:-1]), PUNTEN).turn is side.other


@pytest.mark.parametrize(("more", "expected"), [(0, [SheetFault.PASSING_NOT_ALLOWED]), (1, [])])
def test_who_can_still_exchange_may_not_pass(more, expected):
    """The bag holds as many as an exchange needs, or one fewer."""
    begun = dutch_end()
    bag = count(Sheet(begun), PUNTEN).bag
    ruleset = replace(PUNTEN, exchanges=replace(PUNTEN.exchanges, in_bag=bag + more))
    lines = (*begun, passed(begun[-1].side.other))

    whole = count(Sheet(lines), ruleset)

    assert [fault for line, fault in faults(*lines, ruleset=ruleset) if line == len(lines)] == expected
    after = count(Sheet((*lines, play(begun[-1].side, "", 10))), ruleset)
    assert (whole.turn, after.turn is begun[-1].side) == (begun[-1].side, bool(more))


def test_game_is_over_when_nobody_can_lay_a_tile():
    begun = dutch_end()
    side = begun[-1].side.other
    lines = (*begun, passed(side), passed(side.other))

    whole = count(Sheet(lines), PUNTEN)

    assert (whole.over.number, whole.over.clause) == (len(lines), "Puntenscrabble, Einde van het spel")


def test_who_goes_out_first_leaves_the_other_a_turn_under_the_dutch_rules():
    lines = GAME

    whole = count(Sheet(lines), PUNTEN)
    after = count(Sheet((*lines, passed(SECOND))), PUNTEN)

    assert (whole.over, whole.turn) == (None, SECOND)
    assert (after.over.number, after.over.out) == (len(lines) + 1, FIRST)
    assert (after.first.settlement, after.second.settlement) == (0, -11)


def test_out_ends_the_game_at_once_where_the_other_is_done():
    lines = (*GAME[:-2], passed(SECOND), GAME[-1])

    whole = count(Sheet((*lines[:-1], replace(GAME[-1], play=GAME[-1].play, rack=""))), PUNTEN)

    assert (whole.over.number, whole.over.out) == (len(lines), FIRST)


# Tiles.


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (play(FIRST, "8H AB", rack="ABCDEFGH"), [(SheetFault.TOO_MANY_IN_HAND, "ABCDEFGH")]),
        (exchange(FIRST, "ABCDEFGH"), [(SheetFault.TOO_MANY_IN_HAND, "ABCDEFGH")]),
        (exchange(FIRST, "ABC", rack="abd?"), [(SheetFault.NOT_ON_RACK, "C")]),
        (exchange(FIRST, "AAb?", rack="AB??EEE"), [(SheetFault.NOT_ON_RACK, "A")]),
        (exchange(FIRST, "ab?", rack="AB??EEE"), []),
        (exchange(FIRST, "Å"), [(SheetFault.NOT_IN_SET, "Å")]),
        (exchange(FIRST, "Qq"), [(SheetFault.MORE_THAN_SET, "Q")]),
        (exchange(FIRST, "QQ", rack="QQ"), [(SheetFault.MORE_THAN_SET, "Q")]),
        (exchange(FIRST, "QQ", rack="QAB"), [(SheetFault.NOT_ON_RACK, "Q")]),
        (passed(FIRST), []),
        (play(FIRST, "8H AB", rack="ABQQÅ"), [(SheetFault.MORE_THAN_SET, "Q"), (SheetFault.NOT_IN_SET, "Å")]),
        (play(FIRST, "8H AB", rack="AB????"), [(SheetFault.MORE_THAN_SET, "?")]),
    ],
)
def test_tiles_in_hand(line, expected):
    assert texts(line) == expected


def test_rack_has_tiles_that_lie_on_the_board():
    lines = [play(FIRST, "8G QU"), play(SECOND, "H8 .NQ", rack="QN")]

    assert [(fault, text) for fault, text in texts(*lines)] == [(SheetFault.PLACEMENT, "")]
    assert found(lines[0], exchange(SECOND, "N", rack="QN")) == [(2, SheetFault.MORE_THAN_SET, 1, 2)]


@pytest.mark.parametrize(
    ("rack", "expected"),
    [("Q", [(SheetFault.MORE_THAN_SET, "Q")]), ("BQ", [(SheetFault.MORE_THAN_SET, "Q")]), ("BE", [])],
)
@pytest.mark.parametrize(
    "first",
    [
        play(FIRST, "8H AB", rack="QAB"),
        exchange(FIRST, "ab", rack="QAB"),
        ScoreSheetLine(FIRST, LineKind.PASS, rack="qab"),
        ScoreSheetLine(FIRST, LineKind.WITHDRAWN, rack="QAB"),
    ],
)
def test_tiles_that_the_opponent_kept_are_not_on_the_rack(first, rack, expected):
    assert texts(first, ScoreSheetLine(SECOND, LineKind.PASS, rack=rack)) == expected


@pytest.mark.parametrize(
    "first", [play(FIRST, "", 5, rack="Q"), exchange(FIRST, rack="Q"), exchange(FIRST, "Q", rack="Q")]
)
def test_tiles_that_the_opponent_may_not_have_kept_are_not_held_against_anybody(first):
    assert found(first, exchange(SECOND, rack="Q")) == []


def test_more_tiles_than_were_held():
    lines = [*GAME[:-1], replace(GAME[-1], play=play(FIRST, "G1 AUENS").play, rack="")]

    told = found(*lines)

    assert (33, SheetFault.MORE_THAN_HELD, 3, 4) in told


@pytest.mark.parametrize(("tiles", "is_told"), [("ABC", False), ("ABCD", True), ("ABCDEFG", True), ("ABCDEFGH", False)])
def test_more_tiles_than_were_held_are_told_up_to_a_full_hand(tiles, is_told):
    told = found(*GAME[:-1], exchange(GAME[-1].side, tiles))

    assert ((33, SheetFault.MORE_THAN_HELD, 3, len(tiles)) in told) is is_told


def test_play_that_cannot_be_laid_is_not_counted_in_tiles():
    """Who has gone out holds nothing; a play without a place takes nothing from them."""
    told = faults(*GAME, play(FIRST, "1A ..", 9))

    assert [fault for line, fault in told if line] == [
        SheetFault.AFTER_THE_END,
        SheetFault.PLACEMENT,
        SheetFault.PLACEMENT,
    ]


def test_eight_tiles_are_told_once():
    assert [fault for _, fault in faults(play(FIRST, "8A ABERGEHE", 10))] == [SheetFault.PLACEMENT]


# The end.


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, []),
        ({"left": ("", "IQ")}, []),
        ({"left": ("", "qi"), "settlement": (11, -11), "final": (467, 409), "is_finished": True}, []),
        ({"left": ("", None), "settlement": (None, -11)}, []),
        ({"settlement": (11, None)}, []),
        ({"left": ("", "IX")}, [(SheetFault.LEFTOVERS_DIFFER, None, None, None)]),
        ({"left": ("", "I")}, [(SheetFault.LEFTOVERS_DIFFER, SECOND, 2, 1)]),
        (
            {"left": ("I", "Q")},
            [(SheetFault.LEFTOVERS_DIFFER, FIRST, 0, 1), (SheetFault.LEFTOVERS_DIFFER, SECOND, 2, 1)],
        ),
        (
            {"settlement": (22, 0)},
            [(SheetFault.SETTLEMENT_DIFFERS, FIRST, 11, 22), (SheetFault.SETTLEMENT_DIFFERS, SECOND, -11, 0)],
        ),
        ({"final": (478, 409)}, [(SheetFault.FINAL_DIFFERS, FIRST, 467, 478)]),
        ({"overtime": (61, 0), "final": (467, 409)}, [(SheetFault.FINAL_DIFFERS, FIRST, 447, 467)]),
    ],
)
def test_what_stands_below_the_last_turn(more, expected):
    told = problems(Sheet(GAME, **more), TSO_2010)

    found = [(problem.fault, problem.side, problem.needed, problem.found) for problem in told]
    assert [each for each in found if each[0] is not SheetFault.MORE_THAN_SET] == expected
    assert {problem.line for problem in told} <= {None}


def test_leftovers_are_told_beside_the_tiles_that_are_unseen():
    told = problems(Sheet(GAME, left=("", "IE")), TSO_2010)

    assert [(problem.text, problem.other) for problem in told if problem.fault is SheetFault.LEFTOVERS_DIFFER] == [
        ("IE", "IQ")
    ]
    assert [(problem.fault, problem.text) for problem in told] == [
        (SheetFault.MORE_THAN_SET, "E"),
        (SheetFault.LEFTOVERS_DIFFER, "IE"),
    ]


@pytest.mark.parametrize(
    ("left", "expected"),
    [
        (("AAAAAAA", "EEEEEEE"), [(SheetFault.MORE_THAN_SET, "A")]),
        (
            ("EEEEEEEE", "NNNNNNN"),
            [(SheetFault.TOO_MANY_IN_HAND, "EEEEEEEE"), (SheetFault.LEFTOVERS_DIFFER, "EEEEEEEE")],
        ),
        (("EEEEEEE", "NNNNNNÅ"), [(SheetFault.NOT_IN_SET, "Å")]),
        (("EEEEEEE", "NNNNNN"), [(SheetFault.LEFTOVERS_DIFFER, "NNNNNN")]),
        (("EEEEEEE", "NNNNNNN"), []),
        ((None, None), [(SheetFault.SETTLEMENT_UNKNOWN, ""), (SheetFault.SETTLEMENT_UNKNOWN, "")]),
        ((None, "NNNNNNN"), [(SheetFault.SETTLEMENT_UNKNOWN, "")]),
    ],
)
def test_tiles_left_after_passes(left, expected):
    assert texts(*PASSES, left=left) == expected


def test_tiles_left_are_not_compared_where_tiles_are_not_known():
    assert texts(play(FIRST, "", 30), play(SECOND, "", 20), left=("", "QX")) == []
    assert texts(play(FIRST, "", 30), left=("", "QQ")) == [(SheetFault.MORE_THAN_SET, "Q")]


def test_game_that_did_not_end():
    lines = [play(FIRST, "8H AB"), play(SECOND, "H8 .B")]

    told = problems(sheet(*lines, is_finished=True, left=("EEEEEEE", "NNNNNNN")), TSO_2010)

    assert told == (SheetProblem(None, SheetFault.NOT_OVER, clause="TSO 5.1 b", needed=4, found=0),)
    assert not told[0].by_consent


def test_game_that_ends_beside_three_passes_says_how_many_there_are():
    lines = [play(FIRST, "8H AB"), passed(SECOND), passed(FIRST), passed(SECOND)]

    [told] = problems(sheet(*lines, is_finished=True, left=("EEEEEEE", "NNNNNNN")), TSO_2010)

    assert (told.fault, told.needed, told.found) == (SheetFault.NOT_OVER, 4, 3)


def test_tiles_of_who_went_out_are_not_called_unknown():
    told = problems(sheet(play(FIRST, "", 30), play(SECOND, "", 20), left=(None, ""), is_finished=True), TSO_2010)

    assert [(problem.fault, problem.side) for problem in told] == [(SheetFault.SETTLEMENT_UNKNOWN, FIRST)]


@pytest.mark.parametrize(
    ("lines", "ruleset"),
    [((play(FIRST, "", 8),), TSO_2010), ((play(FIRST, "8H AB"),), PUNTEN)],
    ids=["tiles not known", "Dutch: time is up"],
)
def test_game_may_have_ended(lines, ruleset):
    assert found(*lines, ruleset=ruleset, settlement=(0, 0), is_finished=True) == []


def test_game_broken_off_by_time_has_no_settlement():
    assert found(play(FIRST, "8H AB"), overtime=(601, 0), final=(8, 0)) == []


# All at once.


def test_sheet_with_many_faults_tells_each():
    lines = [
        play(SECOND, "8H AB", 9),
        play(FIRST, "H8 .Q", 11, rack="BCDEFGHI"),
        play(FIRST, "I8 .QA", 14),
        exchange(SECOND, "ABC", 5),
        penalty(SECOND, 5, note=""),
        withdrawn(FIRST, 12),
        passed(SECOND),
        passed(FIRST),
        passed(SECOND),
        passed(FIRST),
        challenge(FIRST, -15, words=2),
        play(SECOND, "", None),
    ]

    told = faults(*lines, final=(100, 100))

    assert told == [
        (1, SheetFault.OUT_OF_TURN),
        (1, SheetFault.POINTS_DIFFER),
        (2, SheetFault.PLACEMENT),
        (2, SheetFault.TOO_MANY_IN_HAND),
        (3, SheetFault.OUT_OF_TURN),
        (3, SheetFault.POINTS_DIFFER),
        (3, SheetFault.PLACEMENT),
        (4, SheetFault.POINTS_DIFFER),
        (5, SheetFault.PENALTY_ADDS),
        (5, SheetFault.REASON_MISSING),
        (6, SheetFault.WITHDRAWN_SCORES),
        (11, SheetFault.POINTS_DIFFER),
        (11, SheetFault.NOTHING_TO_CHALLENGE),
        (12, SheetFault.AFTER_THE_END),
        (12, SheetFault.POINTS_MISSING),
        (None, SheetFault.SETTLEMENT_UNKNOWN),
        (None, SheetFault.FINAL_DIFFERS),
        (None, SheetFault.SETTLEMENT_UNKNOWN),
        (None, SheetFault.FINAL_DIFFERS),
    ]


def test_count_at_hand_is_used():
    written = sheet(play(FIRST, "8H AB", 9))
    whole = count(written, TSO_2010)

    assert problems(written, TSO_2010, whole) == problems(written, TSO_2010)
    assert problems(written, TSO_2010)[0].clause == "Allgemeine Spielregeln 4 d"
