"""What a game looks like after each of its turns."""

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from games.gcg.checking import check_game
from games.gcg.conversion import convert_game_to_sheet
from games.gcg.reading import read_gcg_text
from games.models import Line, Scoresheet
from games.replay.replays import Replay
from scoring.letters import GERMAN_LETTERS
from scoring.rulesets import RULESETS
from tests.games.gcg import games
from tests.laws import tried_on

RULES = RULESETS["tso-2017"]


def replay(text: str) -> Replay:
    checked = check_game(read_gcg_text(text), GERMAN_LETTERS)
    written = convert_game_to_sheet(checked, checked.game.nicks[0], RULES).written
    lines = [Line(number=number, **line.fields()) for number, line in enumerate(written.lines, 1)]
    return Replay(Scoresheet(**written.ending.fields()), lines, ("Anna", "Jörg"), RULES)


def totals(game: Replay, turn: int) -> tuple[int, int]:
    first, second = game.list_standings(turn)
    return first["total"], second["total"]


def marked(game: Replay, turn: int) -> list[str]:
    """The squares of the tiles that are marked as new."""
    return [cell.name for row in game.make_picture(turn) for cell in row if cell.is_new]


def test_every_turn_is_told_as_people_write_it() -> None:
    game = replay(games.GERMAN)

    with translation.override("en"):
        assert [(turn.turn, turn.name, turn.text, turn.points, turn.total) for turn in game.turns] == [
            (1, "Anna", "8D WÖRTER", "+36", 36),
            (2, "Jörg", "H4 KÄSTE", "+17", 17),
            (3, "Anna", "9B HEXE withdrawn", "0", 36),
            (4, "Jörg", "4H KINDE", "+16", 33),
            (5, "Anna", "failed challenge", "−10", 26),
            (6, "Anna", "exchanges HÜ", "0", 26),
            (7, "Jörg", "passes", "0", 33),
        ]
    assert game.last == 7


@pytest.mark.parametrize(
    ("turn", "expected", "new"),
    [
        (0, (0, 0), []),
        (1, (36, 0), ["8D", "8E", "8F", "8G", "8H", "8I"]),
        (2, (36, 17), ["4H", "5H", "6H", "7H"]),
        (3, (36, 17), []),
        (4, (36, 33), ["4I", "4J", "4K", "4L"]),
        (7, (26, 33), []),
    ],
)
def test_after_a_turn_its_tiles_are_marked(turn: int, expected: tuple[int, int], new: list[str]) -> None:
    game = replay(games.GERMAN)

    assert (totals(game, turn), marked(game, turn)) == (expected, new)


def test_racks_are_those_of_the_next_turn() -> None:
    game = replay(games.GERMAN)

    assert [[player["rack"] for player in game.list_standings(turn)] for turn in (0, 1, 3)] == [
        ["WÖRTERN", "KÄSTEIG"],
        ["NEHXEUÜ", "KÄSTEIG"],
        ["NEHXEUÜ", "GINDEIA"],
    ]


@tried_on(6)
@given(seed=st.integers(0, 5_000))
def test_last_step_is_the_end_of_the_game(seed: int) -> None:
    dealt = games.dealt(seed)

    game = replay(games.format_game(dealt))

    assert totals(game, game.last) == tuple(dealt.totals)
    assert game.get_board(game.last).tiles == dealt.board.tiles
    text, count = game.list_unseen_tiles(game.last)
    assert count == 102 - len(dealt.board.tiles)
    assert "×2" not in text


@tried_on(2)
@given(seed=st.integers(0, 5_000))
def test_board_only_grows_and_holds_what_is_marked(seed: int) -> None:
    game = replay(games.format_game(games.dealt(seed)))

    for turn in range(1, game.last + 1):
        before, after = game.get_board(turn - 1).tiles, game.get_board(turn).tiles
        assert before.items() <= after.items()
        assert len(marked(game, turn)) == len(after) - len(before)


def test_blank_is_small_and_worth_nothing() -> None:
    game = replay("#player1 a A\n#player2 b B\n>a: ?AB 8H bA +2 2")

    cells = {cell.name: cell for row in game.make_picture(1) for cell in row}
    assert (cells["8H"].letter, cells["8H"].is_blank, cells["8H"].value) == ("B", True, 0)
    assert (cells["8I"].letter, cells["8I"].is_blank, cells["8I"].value) == ("A", False, 1)
    assert {name: cells[name].premium for name in ("1A", "1D", "2B", "2F", "1B")} == {
        "1A": "tw",
        "1D": "dl",
        "2B": "dw",
        "2F": "tl",
        "1B": "",
    }
