"""Lines of GCG in every manner that is found."""

import pytest

from games.gcg.reading import MAX_PLAYERS, read_gcg, read_gcg_text
from games.gcg.values import GcgEvent, GcgEventKind, GcgPlayer, GcgProblemCode, UnreadableGcg
from tests.games.gcg import games


def event(line: str) -> GcgEvent:
    """The one event of a file with this line."""
    game = read_gcg_text(f"#player1 anna Anna\n#player2 b:o Bob\n{line}")
    assert game.problems == ()
    return game.events[0]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            ">anna: ABCDEFG 8D CAB +24 24",
            GcgEvent(GcgEventKind.PLAY, "anna", "ABCDEFG", "8D", "CAB", points=24, total=24),
        ),
        (
            ">anna:\tABC   8d\tCaB  24   124",
            GcgEvent(GcgEventKind.PLAY, "anna", "ABC", "8D", "CaB", points=24, total=124),
        ),
        (
            ">anna: a?_*BC d8 (CA)B +0 -3",
            GcgEvent(GcgEventKind.PLAY, "anna", "A???BC", "D8", "(CA)B", points=0, total=-3),
        ),
        (">anna: 8D C.B +24", GcgEvent(GcgEventKind.PLAY, "anna", "", "8D", "C.B", points=24)),
        (">anna: ABC 8D CAB + 24 24", GcgEvent(GcgEventKind.PLAY, "anna", "ABC", "8D", "CAB", points=24, total=24)),
        (
            ">anna: ABC 8D CAB +24 24 AB, BC",
            GcgEvent(GcgEventKind.PLAY, "anna", "ABC", "8D", "CAB", points=24, total=24, note="AB, BC"),
        ),
        (">anna: ABC 8D CAB* +24 24", GcgEvent(GcgEventKind.PLAY, "anna", "ABC", "8D", "CAB", points=24, total=24)),
        (">ANNA: ABC - +0 24", GcgEvent(GcgEventKind.PASS, "anna", "ABC", points=0, total=24)),
        (">anna: -  +0 24", GcgEvent(GcgEventKind.PASS, "anna", points=0, total=24)),
        (">anna: ABC -BÄ? +0 24", GcgEvent(GcgEventKind.EXCHANGE, "anna", "ABC", tiles="BÄ?", points=0, total=24)),
        (">anna: ABC - BC +0 24", GcgEvent(GcgEventKind.EXCHANGE, "anna", "ABC", tiles="BC", points=0, total=24)),
        (">anna: ABC -3 +0 24", GcgEvent(GcgEventKind.EXCHANGE, "anna", "ABC", count=3, points=0, total=24)),
        (">anna: ABC --  -24 0", GcgEvent(GcgEventKind.WITHDRAWN, "anna", "ABC", points=-24, total=0)),
        (">anna: (challenge) +5 29", GcgEvent(GcgEventKind.CHALLENGE, "anna", points=5, total=29)),
        (">anna: ABC (Challenge) −10 29", GcgEvent(GcgEventKind.CHALLENGE, "anna", "ABC", points=-10, total=29)),
        (">anna:  (ÄB) +12 29", GcgEvent(GcgEventKind.LEFTOVERS, "anna", tiles="ÄB", points=12, total=29)),
        (">anna: AB (A B) -4 29", GcgEvent(GcgEventKind.LEFTOVERS, "anna", "AB", tiles="AB", points=-4, total=29)),
        (">anna: AB (time) -10 19", GcgEvent(GcgEventKind.TIME, "anna", "AB", points=-10, total=19)),
        (">anna: (penalty) -5 14", GcgEvent(GcgEventKind.PENALTY, "anna", points=-5, total=14)),
        (">b:o: ABC 8D CAB +24 24", GcgEvent(GcgEventKind.PLAY, "b:o", "ABC", "8D", "CAB", points=24, total=24)),
    ],
)
def test_line_is_read(line: str, expected: GcgEvent) -> None:
    found = event(line)

    assert {name: getattr(found, name) for name in GcgEvent.__slots__ if name != "line"} == {
        name: getattr(expected, name) for name in GcgEvent.__slots__ if name != "line"
    }


@pytest.mark.parametrize(
    ("line", "codes"),
    [
        ("Guten Tag", [GcgProblemCode.UNREADABLE_LINE]),
        (">anna ABC", [GcgProblemCode.NICK_MISSING]),
        (">: ABC 8D CAB +1 1", [GcgProblemCode.NICK_MISSING]),
        (">anna:", [GcgProblemCode.UNREADABLE_LINE]),
        (">anna: ABC", [GcgProblemCode.UNREADABLE_LINE]),
        (">anna: ABC DEF +1 1", [GcgProblemCode.UNREADABLE_LINE]),
        (">anna: ABC -1,2 +0 1", [GcgProblemCode.UNREADABLE_LINE]),
        (">anna: ABC 8D +24 24", [GcgProblemCode.WORD_MISSING]),
        (">anna: ABC 8D [CH]A +24 24", [GcgProblemCode.DIGRAPH]),
        (">anna: ABC 8D CAB", [GcgProblemCode.SCORE_MISSING]),
        (">anna: ABC 8D CAB 2x4", [GcgProblemCode.BAD_NUMBER]),
        (">anna: ABC 8D CAB +24 2,4", [GcgProblemCode.BAD_NUMBER]),
        (">carl: ABC 8D CAB +24 24", [GcgProblemCode.UNKNOWN_PLAYER]),
        ("#player3", [GcgProblemCode.NICK_MISSING]),
        ("#player3 anna Anna again", [GcgProblemCode.PLAYER_TWICE]),
    ],
)
def test_unreadable_line_is_told_with_its_number(line: str, codes: list[GcgProblemCode]) -> None:
    game = read_gcg_text(f"#player1 anna Anna\r\n#player2 bob Bob\r\n{line}\r\n>bob: ABC - +0 0\r\n")

    assert [(problem.code, problem.line) for problem in game.problems] == [(code, 3) for code in codes]


def test_notes_belong_to_the_move_before_and_go_on_over_lines() -> None:
    game = read_gcg_text(
        "#note vorher\nnoch etwas\n#player1 a Anna B C\n#player2 b\n>a: AB - +0 0\n#note eins\nzwei\n\ndrei\n"
        "#note vier\n# frei\n#lexicon CSW21\n#style x\n>b: CD - +0 0"
    )

    assert game.problems == ()
    assert (game.note, game.events[0].note) == ("vorher\nnoch etwas", "eins\nzwei\ndrei\nvier")
    assert game.players == (GcgPlayer("a", "Anna B C"), GcgPlayer("b"))
    assert dict(game.pragmata) == {"player1": "a Anna B C", "player2": "b", "lexicon": "CSW21", "style": "x"}


def test_players_who_are_not_introduced_are_taken_from_the_moves() -> None:
    game = read_gcg_text(">Jörg: AB - +0 0\n>Anna: CD - +0 0\n>Jörg: AB - +0 0")

    assert (game.nicks, game.problems) == (("Jörg", "Anna"), ())


@pytest.mark.parametrize("text", ["hello world", "#title Ohne Spieler", "{}"])
def test_file_without_players_and_moves_is_no_game(text: str) -> None:
    with pytest.raises(UnreadableGcg) as refused:
        read_gcg_text(text)

    assert [problem.code for problem in refused.value.problems] == [GcgProblemCode.NOT_GCG]


def test_file_with_more_moves_than_any_game_is_refused() -> None:
    with pytest.raises(UnreadableGcg) as refused:
        read_gcg_text(">a: AB - +0 0\n>b: CD - +0 0\n" * 600)

    assert [problem.code for problem in refused.value.problems] == [GcgProblemCode.TOO_MANY_MOVES]


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_line_ends_do_not_matter(ends: str) -> None:
    game = read_gcg_text(games.GERMAN.replace("\n", ends))

    assert (len(game.events), game.problems) == (8, ())


def test_file_of_line_ends_is_refused_before_they_are_read() -> None:
    with pytest.raises(UnreadableGcg) as refused:
        read_gcg(b"\n" * 10_000 + b">a: ABC 8D ABC +9 9")

    assert refused.value.problems[0].code == GcgProblemCode.TOO_MANY_LINES


def test_thousands_of_marks_on_a_letter_and_of_players_cost_nothing() -> None:
    introduced = "".join(f"#player{number} p{number} x{'̨́' * 8_000}\n" for number in range(30))

    game = read_gcg(f"{introduced}>p1: ABC 8D ABC +9 9".encode())

    assert len(game.players) == MAX_PLAYERS
    assert game.problems[0].code == GcgProblemCode.TOO_MANY_PLAYERS
