"""Every score, total and final score comes out from the board, in all habits; every fault is told where it stands."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from games.gcg.checking import CheckedGame, ScoreDifference, check_game
from games.gcg.reading import read_gcg_text
from games.gcg.values import GcgProblemCode, UnreadableGcg
from scoring.letters import LETTER_SETS
from tests.games.gcg import games
from tests.laws import tried_on

HEAD = "#player1 anna Anna\n#player2 bert Bert\n"
CATS = HEAD + ">anna: CATSHEN 8G CATS +12 12\n"
"""C3 + A1 + T1 + S1, doubled by the centre."""


def check(text: str, letters: str | None = "en") -> CheckedGame:
    return check_game(read_gcg_text(text), LETTER_SETS[letters] if letters else None)


def told(checked: CheckedGame) -> list[tuple[object, object]]:
    """The problems by line; those of the board by their fault."""
    return [(problem.line, problem.figures.get("fault", problem.code.value)) for problem in checked.problems]


def test_german_game_comes_out() -> None:
    checked = check(games.GERMAN, None)

    assert (checked.letters.key, checked.differences, checked.problems) == ("de", (), ())
    assert dict(checked.final) == {"anna": 26, "jörg": 33}
    assert [move.points for move in checked.moves] == [36, 17, 33, -33, 16, None, 0, 0]
    assert checked.moves[2].words == ("HEXE", "WX", "ÖE")
    assert "X" in checked.board.unseen()


RACKS = {
    "of a play": (">anna: CATS3EN 8G CATS +12 12", "rack_not_tiles", {"rack": "CATS3EN", "tiles": "3"}),
    "of a pass": (">anna: ABC3EFG - +0 0", "rack_not_tiles", {"rack": "ABC3EFG", "tiles": "3"}),
    "of an exchange": (">anna: ABÄDEFG -AB +0 0", "rack_not_tiles", {"rack": "ABÄDEFG", "tiles": "Ä"}),
    "of a play that is taken back": (
        ">anna: CATSHEN 8G CATS +12 12\n>anna: CATSHEM -- -12 0",
        "other_rack",
        {"rack": "CATSHEM", "played": "CATSHEN"},
    ),
    "of a pass, too long": (">anna: ABCDEFGH - +0 0", "rack_too_long", {"rack": "ABCDEFGH", "limit": 7}),
}


@pytest.mark.parametrize(("lines", "code", "figures"), RACKS.values(), ids=RACKS)
def test_rack_is_looked_at_on_every_turn(lines: str, code: str, figures: dict[str, object]) -> None:
    problems = check(HEAD + lines).problems

    assert [(problem.code, problem.figures) for problem in problems] == [(code, figures)]


def test_rack_of_tiles_that_are_no_longer_left_is_remarked() -> None:
    checked = check(HEAD + ">anna: XXXA - +0 0")

    assert checked.problems == ()
    assert [(remark.code, remark.figures) for remark in checked.warnings] == [
        ("rack_used_up", {"rack": "XXXA", "tiles": "XX"})
    ]


@pytest.mark.parametrize("key", sorted(LETTER_SETS))
@tried_on(4)
@given(seed=st.integers(0, 10_000), turns=st.integers(0, 60))
@example(seed=544, turns=28).via("in the Dutch game the second player is left with a blank alone, worth nothing")
@pytest.mark.sampled(1)
def test_legal_game_comes_out_with_the_tiles_that_fit_it(key: str, seed: int, turns: int) -> None:
    game = games.dealt(seed, turns=turns, key=key)

    checked = check(games.format_game(game), key)

    assert (checked.differences, checked.problems) == ((), ())
    assert list(checked.final.values()) == game.totals


@tried_on(3)
@given(seed=st.integers(0, 10_000), which=st.integers(0, 1000), by=st.sampled_from([-10, -1, 1, 7]))
def test_one_wrong_score_is_found_and_what_follows_from_it(seed: int, which: int, by: int) -> None:
    game = games.dealt(seed)
    plays = [
        at
        for at, line in enumerate(game.lines)
        if ". " in line or ("+" in line and "(" not in line and "-" not in line)
    ]
    at = plays[which % len(plays)]
    nick, rest = game.lines[at].split(":", 1)
    before, points, total = rest.rsplit(" ", 2)
    lines = [*game.lines[:at], f"{nick}:{before} {int(points) + by:+} {total}", *game.lines[at + 1 :]]

    checked = check("\n".join([HEAD.replace("bert", "jörg"), *lines]), "de")

    assert checked.differences[0] == ScoreDifference(at + 4, nick[1:], "points", int(points) + by, int(points))
    assert {found.what for found in checked.differences} == {"points"}, "the totals are right as they are"
    assert list(checked.final.values()) == game.totals


def test_wrong_addition_is_told_once_and_what_follows_is_marked() -> None:
    checked = check(
        CATS
        + ">bert: QI - +0 0\n>anna: HENO J8 .O +2 15\n>bert: QI - +0 0\n>anna: HEN - +0 15\n"
        + ">bert: QI - +0 0\n>anna: HEN - +0 14"
    )

    assert [(found.line, found.written, found.worked_out, found.follows) for found in checked.differences] == [
        (5, 15, 14, False),
        (7, 15, 14, True),
    ]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        pytest.param(">bert: QIZ 9F QX +1 1", [(4, "not_on_rack")], id="not on the rack"),
        pytest.param(">bert: QI 1A QI +22 22", [(4, "not_joined")], id="not joined"),
        pytest.param(
            ">bert: QI 8F DOGS +9 9", [(4, "taken"), (4, "taken"), (4, "taken"), (4, "not_on_rack")], id="taken"
        ),
        pytest.param(
            ">bert: QI 15N QUIZ +9 9", [(4, "off_board"), (4, "not_joined"), (4, "not_on_rack")], id="off board"
        ),
        pytest.param(">bert: 9F Q.I +22 22", [(4, "gap")], id="gap"),
        pytest.param(">bert: 8G CATS +0 0", [(4, "no_new_tile")], id="nothing new"),
        pytest.param(">bert: 9F ÄI +2 2", [(4, "not_in_set")], id="not in the set"),
        pytest.param(">bert: 9F ßI +2 2", [(4, "bad_play")], id="sharp s"),
        pytest.param(">bert: ABCDEFGH 9G AB +9 9", [(4, "rack_too_long")], id="eight tiles"),
        pytest.param(">bert: H8 .IT +9 9", [], id="fits without a rack"),
        pytest.param(">anna: HEN - +0 12", [(4, "out_of_turn")], id="out of turn"),
        pytest.param(">bert: QI -QU +0 0", [(4, "not_on_rack")], id="exchanged from nowhere"),
        pytest.param(">bert: QI -- -12 0", [(4, "not_own_play")], id="withdraws the other's play"),
        pytest.param(">bert: QI - +0 0\n>anna: HEN -- -12 0", [(5, "nothing_to_withdraw")], id="too late"),
        pytest.param(">bert: (challenge) +5 5", [(4, "not_own_play")], id="a bonus for the challenger"),
        pytest.param(">bert: (challenge) -7 -7", [(4, "challenge_points")], id="seven points"),
        pytest.param(">bert: QI - +0 0\n>anna: (challenge) +5 17", [(5, "challenge_without_play")], id="no play"),
        pytest.param(">bert: (time) +10 10", [(4, "time_adds")], id="time that adds"),
        pytest.param(">carl: QI - +0 0", [(4, "unknown_player")], id="a third nick"),
        pytest.param(">bert: 8K S +13 13", [(4, "word_differs")], id="one letter of a longer word"),
        pytest.param(">bert: QI (QU) -11 -11", [(4, "other_leftovers")], id="left is not what the rack holds"),
        pytest.param(">bert: QI (QI) -11 -11\n>anna: HEN - +0 12", [(5, "after_the_end")], id="a turn after the end"),
    ],
)
def test_fault_is_told_with_its_line(lines: str, expected: list[tuple[int, str]]) -> None:
    assert told(check(CATS + lines)) == expected


@pytest.mark.parametrize(
    ("lines", "final"),
    [
        pytest.param(">bert: 8K E +7 7", {"anna": 12, "bert": 7}, id="CATSE: 3 + 1 + 1 + 1 + 1"),
        pytest.param(">bert: K8 E. +0 0", {"anna": 12, "bert": 0}, id="what cannot be laid counts as written"),
        pytest.param(">bert: J8 .O +2 2", {"anna": 12, "bert": 2}, id="SO: 1 + 1"),
        pytest.param(">bert: 9J O +2 2", {"anna": 12, "bert": 2}, id="one tile, written across, makes SO downwards"),
        pytest.param(">bert: J7 I(S) +2 2", {"anna": 12, "bert": 2}, id="brackets around what lies there"),
        pytest.param(">bert: J7 IS +2 2", {"anna": 12, "bert": 2}, id="written in full"),
        pytest.param(">bert: j7 iS +1 1", {"anna": 12, "bert": 1}, id="a blank is worth nothing"),
    ],
)
def test_score_is_worked_out(lines: str, final: dict[str, int]) -> None:
    checked = check(CATS + lines)

    assert (dict(checked.final), checked.differences) == (final, ())


@pytest.mark.parametrize("written", [-12, 0])
def test_withdrawn_play_goes_back_to_the_rack(written: int) -> None:
    checked = check(f"{CATS}>anna: CATSHEN -- {written:+} 0\n>bert: QI 8H QI +22 22\n>anna: CATSHEN 9H CAT +13 13")

    assert (told(checked), dict(checked.final)) == ([], {"anna": checked.moves[3].points, "bert": 22})


OUT = {
    "twice": (">anna:  (QI) +22 34", {"anna": 34, "bert": 0}, []),
    "once, the other loses": (">anna: (QI) +11 23\n>bert: QI (IQ) -11 -11", {"anna": 23, "bert": -11}, []),
    "each their own": (">anna: HEN (HEN) -6 6\n>bert: QI (QI) -11 -11", {"anna": 6, "bert": -11}, []),
    "wrong": (">anna:  (QI) +21 33", {"anna": 34, "bert": 0}, ["points", "total"]),
    "once, in English": (">anna:  (QI) +11 23", {"anna": 34, "bert": 0}, ["points", "total"]),
}


@pytest.mark.parametrize(("lines", "final", "differences"), OUT.values(), ids=OUT.keys())
def test_leftovers_count_as_the_file_has_the_habit(lines: str, final: dict[str, int], differences: list[str]) -> None:
    checked = check(CATS + ">bert: QI - +0 0\n" + lines)

    assert dict(checked.final) == final
    assert [found.what for found in checked.differences] == differences


def test_german_game_whose_loser_keeps_the_leftovers_is_told() -> None:
    checked = check(games.GERMAN + ">anna: (GIA) +4 30\n", "de")

    assert [problem.code for problem in checked.problems] == [
        GcgProblemCode.OTHER_LEFTOVERS,
        GcgProblemCode.LOSS_MISSING,
    ]
    assert checked.final["anna"] == 30


def test_leftovers_are_what_is_not_on_the_board() -> None:
    game = next(game for game in map(games.dealt, range(50)) if "" in map("".join, game.racks))
    lines = games.format_game(game)
    left = "".join(game.racks[0] or game.racks[1])
    strange = next(letter for letter in "ABCDE" if letter not in left)

    checked = check(lines.replace(f"({left})", f"({strange}{left[1:]})"), "de")

    assert checked.problems[0].code is GcgProblemCode.OTHER_LEFTOVERS
    assert len({(problem.line, problem.code) for problem in checked.problems}) == len(checked.problems)


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        ("#lexicon NWL23", "en"),
        ("#lexicon CSW21", "en"),
        ("#lexicon RD28", "de"),
        ("#tile-distribution German", "de"),
        ("#tile-set Dutch", "nl"),
        ("#note LetterDistribution: english", "en"),
        ("#lexicon Nobody's", "de"),
    ],
)
def test_tiles_are_those_that_the_file_names(says: str, expected: str) -> None:
    assert check(f"{says}\n#player1 a A\n#player2 b B\n", None).letters.key == expected


@pytest.mark.parametrize(
    ("says", "code"),
    [
        ("#tile-distribution polish", GcgProblemCode.OTHER_LETTERS),
        ("#lexicon ODS8", GcgProblemCode.OTHER_LETTERS),
        ("#board-layout SuperCrosswordGame", GcgProblemCode.OTHER_BOARD),
    ],
)
def test_other_games_are_refused(says: str, code: GcgProblemCode) -> None:
    with pytest.raises(UnreadableGcg) as refused:
        check(f"{says}\n{HEAD}", None)

    assert [problem.code for problem in refused.value.problems] == [code]


def test_more_than_two_may_play() -> None:
    checked = check(
        "#player1 a A\n#player2 b B\n#player3 c C\n>a: CATS 8G CATS +12 12\n>b: O J8 .O +2 2\n>c: E - +0 0\n"
        ">b: X - +0 2\n>b: (E) +1 3"
    )

    assert (dict(checked.final), told(checked)) == ({"a": 12, "b": 3, "c": 0}, [(7, "out_of_turn")])


@pytest.mark.parametrize("kind", ["time", "penalty"])
@pytest.mark.parametrize(("points", "problems"), [(-1, []), (0, []), (1, [(4, "time_adds")]), (2, [(4, "time_adds")])])
def test_penalty_takes_points_off_and_never_adds_one(
    kind: str, points: int, problems: list[tuple[object, object]]
) -> None:
    checked = check(CATS + f">anna: ({kind}) {points:+d} {12 + points}\n")

    assert told(checked) == problems
    assert dict(checked.final)["anna"] == 12 + points
