"""What holds of every score sheet, on games by chance; and that a second, plain program comes to the same scores."""

import random
from dataclasses import replace
from functools import cache

from hypothesis import given
from hypothesis import strategies as st

from scoring.letters import LETTER_SETS
from scoring.rulesets.general import GENERAL_DE, SENIOR_DE
from scoring.rulesets.sbnl import SBNL_WEDSTRIJD
from scoring.rulesets.tso import TSO_2010, TSO_2017
from scoring.rulesets.values import LeftoversRule, PenaltyUnit
from scoring.sheet_count import count
from scoring.sheet_faults import problems
from scoring.sheet_values import Ending, LineKind, Sheet, SheetFault, Side
from tests.laws import TIMES, tried_on
from tests.scoring import naive_sheet
from tests.scoring.sheets import challenge, passed, penalty, play, simulated, withdrawn

laws = tried_on(5)


@cache
def game(seed):
    """One of the games by chance; they are few, since playing one takes longer than any law."""
    return simulated(random.Random(seed))


games = st.integers(1, 4 * TIMES).map(game)
RULESETS = (TSO_2010, TSO_2017, GENERAL_DE, SENIOR_DE, SBNL_WEDSTRIJD)


def row(line):
    position, word = (line.play.position, line.play.word) if line.play else ("", "")
    return int(line.side), line.kind.value, position, word, line.points, line.words


def plain_rules(ruleset):
    return {
        "per_word": ruleset.challenges.per is PenaltyUnit.WORD,
        "failed": ruleset.challenges.failed_penalty,
        "upheld": ruleset.challenges.upheld_penalty,
        "minute": ruleset.overtime_points,
        "limit": ruleset.overtime_limit,
        "own": ruleset.leftovers is LeftoversRule.EACH_LOSES_OWN,
    }


@st.composite
def disturbed(draw, lines):
    """A game with challenges, penalties and withdrawn plays strewn in."""
    lines = list(lines)
    for _ in range(draw(st.integers(0, 5))):
        side = draw(st.sampled_from(Side))
        made = draw(
            st.sampled_from(
                [
                    challenge(side, words=draw(st.integers(1, 3))),
                    penalty(side, -draw(st.integers(0, 50))),
                    withdrawn(side),
                ]
            )
        )
        lines.insert(draw(st.integers(0, len(lines))), made)
    return tuple(lines)


@laws
@given(
    games, st.sampled_from(RULESETS), st.tuples(*[st.sampled_from([0, 1, 60, 61, 300, 301, 600, 601])] * 2), st.data()
)
def test_final_scores_are_those_of_a_second_program(game, ruleset, overtime, data):
    lines, left = game
    ruleset = replace(ruleset, letters="de")
    strewn = data.draw(disturbed(lines))
    values = {tile.letter: tile.value for tile in LETTER_SETS["de"].tiles}

    whole = count(Sheet(strewn, left=left, overtime=overtime), ruleset)

    assert whole.final == naive_sheet.finals(map(row, strewn), values, left, overtime, plain_rules(ruleset))


@laws
@given(games)
def test_game_by_the_rules_has_no_problem(game):
    lines, left = game
    whole = count(Sheet(lines), TSO_2010)
    written = tuple(replace(line, points=counted.points) for line, counted in zip(lines, whole.lines, strict=True))
    passed_out = whole.over.ending is Ending.PASSES

    assert problems(Sheet(written, left=left, final=count(Sheet(lines, left=left), TSO_2010).final), TSO_2010) == ()
    assert passed_out or (whole.first.left, whole.second.left) == tuple(
        "".join(sorted(each, key=order)) for each in left
    )
    assert whole.turn is None


def order(letter):
    return [tile.letter for tile in LETTER_SETS["de"].tiles].index(letter)


@laws
@given(games)
def test_tiles_are_neither_lost_nor_made(game):
    lines, left = game

    whole = count(Sheet(lines, left=left), TSO_2010)

    assert len(whole.board.tiles) + len(whole.unseen) == 102
    assert len(whole.unseen) == whole.bag + sum(whole.racks)
    assert whole.racks == tuple(map(len, left))
    assert [counted.held for counted in whole.lines] == [len(counted.line.rack) for counted in whole.lines]


@laws
@given(games, st.data())
def test_running_totals_add_up(game, data):
    strewn = data.draw(disturbed(game[0]))

    whole = count(Sheet(strewn, left=game[1]), TSO_2010)

    for half in whole.halves:
        own = [counted for counted in whole.lines if counted.line.side is half.side]
        assert half.total == sum(counted.points for counted in own) == (own[-1].total if own else 0)
        assert half.final == half.plays + half.challenges + half.penalties + half.settlement + half.time
        assert half.plays + half.settlement + half.challenges + half.penalties + half.time == half.final
        assert list(half.moves) == sorted(
            (each.points for each in own if each.line.kind is LineKind.PLAY), reverse=True
        )
    assert whole.first.settlement == -whole.second.settlement or whole.over.ending is not Ending.OUT


@laws
@given(games, st.data())
def test_wrong_points_are_told_on_their_line_alone_and_do_not_count(game, data):
    lines, left = game
    place = data.draw(st.integers(0, len(lines) - 1))
    right = count(Sheet(lines, left=left), TSO_2010)
    wrong = replace(lines[place], points=right.lines[place].points + 1)
    sheet = Sheet((*lines[:place], wrong, *lines[place + 1 :]), left=left)

    told = problems(sheet, TSO_2010)

    assert [(problem.line, problem.fault) for problem in told] == [(place + 1, SheetFault.POINTS_DIFFER)]
    assert count(sheet, TSO_2010).final == right.final


@laws
@given(games, st.data())
def test_points_alone_count_like_the_plays_they_stand_for(game, data):
    """Any play may be replaced by its points, if those after it have theirs; nothing is held against the sheet then."""
    lines, left = game
    whole = count(Sheet(lines, left=left), TSO_2010)
    written = [replace(line, points=counted.points) for line, counted in zip(lines, whole.lines, strict=True)]
    place = data.draw(st.sampled_from([place for place, line in enumerate(lines) if line.kind is LineKind.PLAY]))
    written[place] = play(written[place].side, "", written[place].points)
    sheet = Sheet(tuple(written), left=left)

    assert count(sheet, TSO_2010).final == whole.final
    assert problems(sheet, TSO_2010) == ()


@laws
@given(st.lists(st.sampled_from([*LineKind]), max_size=8), st.data())
def test_nothing_that_is_written_stops_the_count(kinds, data):
    texts = st.sampled_from(["", "8H AB", "H8 .XE", "15N ÅBC", "1A ...", "I9 xyz", "8H ABERGEHEN"])
    points = st.none() | st.integers(-50, 99)
    tiles = st.text("ABÅ?x", max_size=9)
    lines = tuple(
        replace(
            play(data.draw(st.sampled_from(Side)), data.draw(texts), data.draw(points)),
            kind=kind,
            rack=data.draw(tiles),
            tiles=data.draw(tiles),
            words=data.draw(st.integers(0, 9)),
            note=data.draw(st.sampled_from(["", "ja"])),
        )
        for kind in kinds
    )
    pair = st.tuples(points, points)
    left = data.draw(st.tuples(st.none() | tiles, st.none() | tiles))
    sheet = Sheet(lines, left, data.draw(pair), (0, data.draw(st.sampled_from([0, 601]))), data.draw(pair))

    for ruleset in (*RULESETS, replace(SBNL_WEDSTRIJD, letters="de")):
        whole = count(sheet, ruleset)

        assert problems(sheet, ruleset, whole) == problems(sheet, ruleset)
        assert len(whole.lines) == len(lines)
        assert whole.turn in (None, *Side)
        assert (whole.over is None) == (whole.turn is not None)


@tried_on(40)
@given(games, st.data())
def test_faults_are_true_of_the_lines(game, data):
    lines, left = game
    end = data.draw(st.integers(0, len(lines)))
    strewn = data.draw(disturbed((*lines[:end], *data.draw(st.lists(st.sampled_from(Side).map(passed), max_size=4)))))
    known = tuple(data.draw(st.sampled_from([tiles, None])) for tiles in left)
    written = Sheet(strewn, left=known, is_finished=True)
    ruleset = data.draw(st.sampled_from(RULESETS))

    for problem in problems(written, replace(ruleset, letters="de")):
        before = strewn[: (problem.line or 1) - 1]
        theirs = [line for line in before if line.side is not problem.side and line.kind.is_turn]
        turns = [line for line in strewn if line.kind.is_turn]
        match problem.fault:
            case SheetFault.NOTHING_TO_CHALLENGE:
                assert problem.found == len(theirs)
                assert not theirs or theirs[-1].kind not in (LineKind.PLAY, LineKind.WITHDRAWN)
            case SheetFault.NOT_OVER:
                own = [
                    "".join("x."[line.kind is LineKind.PASS] for line in turns if line.side is side) for side in Side
                ]
                assert problem.found == sum(min(2, len(each) - len(each.rstrip("."))) for each in own) < problem.needed
            case SheetFault.SETTLEMENT_UNKNOWN:
                assert known[problem.side - 1] is None
            case SheetFault.AFTER_THE_END:
                assert any(line.kind.is_turn for line in strewn[problem.found : problem.line])
                assert problem.clause
            case SheetFault.OUT_OF_TURN:
                assert strewn[problem.line - 1].side is problem.side
