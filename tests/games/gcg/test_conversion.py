"""A score sheet goes out as GCG and comes back word for word."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.gcg.checking import check_game
from games.gcg.conversion import (
    ConvertedSheet,
    WrittenSheet,
    convert_game_to_sheet,
    format_sheet_as_gcg,
)
from games.gcg.reading import read_gcg_text
from games.gcg.values import GcgProblemCode
from games.models import Line
from games.sheets.lines import WrittenEnding, WrittenLine
from games.sheets.sheet_page import convert_written_sheet
from scoring import sheet_count
from scoring.letters import LETTER_SETS
from scoring.rulesets import RULESETS
from tests.games.gcg import games
from tests.laws import tried_on
from tests.refusals import refuses

RULES = RULESETS["tso-2017"]
NAMES = ("Beispiel, Anna", "Müster, Jörg: der Große")
KIND = Line.Kind


def back(text: str, *, key: str = "de") -> ConvertedSheet:
    """The sheet that a file makes, its first player first."""
    game = read_gcg_text(text)
    return convert_game_to_sheet(check_game(game, LETTER_SETS[key]), game.nicks[0], RULES)


def out(written: WrittenSheet) -> str:
    return format_sheet_as_gcg(written, RULES, NAMES, {"title": "Herbst-Cup"})


def deal_sheet(seed: int) -> WrittenSheet:
    return back(games.format_game(games.dealt(seed))).written


def varied(written: WrittenSheet, chance: random.Random) -> WrittenSheet:
    """A sheet as people keep them: something is missing, something is wrong, something is noted."""
    lines = [_varied(line, chance) for line in written.lines]
    for _ in range(chance.randint(0, 3)):
        side = chance.randint(1, 2)
        extra = chance.choice(
            [
                WrittenLine(side, KIND.PENALTY, points=-20, note="Telefon klingelte"),
                WrittenLine(side, KIND.PENALTY, points=5, note="zu viel abgezogen"),
                WrittenLine(side, KIND.CHALLENGE, points=None, words=2),
                WrittenLine(side, KIND.CHALLENGE, points=-5, words=1, note="halbiert"),
                WrittenLine(side, KIND.EXCHANGE, tiles="3"),
                WrittenLine(side, KIND.WITHDRAWN, note="Wort nicht lesbar"),
                WrittenLine(side, KIND.PASS, points=0),
            ]
        )
        lines.insert(chance.randint(0, len(lines)), extra)
    ending = written.ending
    if chance.random() < 0.7:
        ending = replace(
            ending,
            overtime=(chance.choice([None, 0, 61]), chance.choice([None, 700])),
            seconds=(chance.choice([None, 1500]), None),
            final=(chance.choice([None, 400]), ending.final[1]),
            is_finished=chance.random() < 0.5,
            note=chance.choice(["", "#note >anna: nichts", 'tso {"note": 1}']),
        )
    return WrittenSheet(tuple(lines), ending)


def _varied(line: WrittenLine, chance: random.Random) -> WrittenLine:
    changes: list[dict[str, object]] = [
        {},
        {},
        {"rack": ""},
        {"note": "knapp > gut: #1"},
        {"note": "tso {sic"},
        {"points": None} if line.kind == KIND.PLAY else {},
        {"points": (line.points or 0) + 3} if line.kind == KIND.PLAY else {},
    ]
    return replace(line, **chance.choice(changes))  # type: ignore[arg-type]  # the fields of a line


@tried_on(2)
@given(seed=st.integers(0, 10_000))
def test_played_game_comes_back_as_it_was(seed: int) -> None:
    written = deal_sheet(seed)

    text = out(written)

    assert back(text).written == written
    assert "#note tso" not in text, "a plain game needs no notes of ours"


@tried_on(4)
@given(seed=st.integers(0, 10_000))
def test_sheet_with_gaps_faults_and_notes_comes_back_as_it_was(seed: int) -> None:
    written = varied(deal_sheet(seed), random.Random(seed))

    assert back(out(written)).written == written


@tried_on(3)
@given(seed=st.integers(0, 10_000))
def test_what_is_written_out_is_right_by_the_board(seed: int) -> None:
    written = deal_sheet(seed)

    checked = check_game(read_gcg_text(out(written)))

    assert (checked.letters.key, checked.differences, checked.problems) == ("de", (), ())
    assert (
        tuple(checked.final.values())
        == sheet_count.count(convert_written_sheet(written.lines, written.ending), RULES).final
    )


@pytest.mark.parametrize(
    "line",
    [
        WrittenLine(1, KIND.PLAY, "8D", "W(Ö)R"),
        WrittenLine(1, KIND.PLAY, "8D", "..R"),
        WrittenLine(1, KIND.PLAY, "8D", "ZU", points=-3),
        WrittenLine(1, KIND.PLAY, "16A", "ZU", points=7, rack="?UZ"),
        WrittenLine(2, KIND.PLAY, "K4", "süß".replace("ß", "SS"), points=12),
        WrittenLine(1, KIND.WITHDRAWN, "8D", "QUYX", points=0),
        WrittenLine(1, KIND.WITHDRAWN, "8D", "", points=24),
        WrittenLine(1, KIND.EXCHANGE, tiles=""),
        WrittenLine(1, KIND.EXCHANGE, tiles="ÄÖ?", points=0),
        WrittenLine(1, KIND.CHALLENGE, words=0, points=-10),
        WrittenLine(2, KIND.PENALTY, points=None, note=""),
        WrittenLine(2, KIND.PENALTY, points=0, note="verwarnt"),
        WrittenLine(2, KIND.CHALLENGE, words=1, points=5),
        WrittenLine(1, KIND.PASS, jury=True),
        WrittenLine(2, KIND.EXCHANGE, tiles="ENR", jury=True),
        WrittenLine(1, KIND.PASS, note="zwei  Blanks"),
        WrittenLine(1, KIND.PASS, note='tso {"points": 1}'),
        WrittenLine(1, KIND.PASS, note="ä" * 200),
        WrittenLine(1, KIND.WITHDRAWN, "8D", "QUYX", rack="QUYXE?A", note="angefochten"),
    ],
    ids=str,
)
def test_odd_line_comes_back_as_it_was(line: WrittenLine) -> None:
    written = WrittenSheet((line, WrittenLine(2, KIND.PLAY, "H8", "AN", points=4)))

    assert back(out(written)).written == written


@pytest.mark.parametrize(
    "ending",
    [
        WrittenEnding(left=("", "ABC"), settlement=(9, -9), is_finished=True),
        WrittenEnding(left=(None, None), settlement=(4, -4), final=(70, 32)),
        WrittenEnding(left=("Q", "EN"), settlement=(None, None), overtime=(59, 3599)),
        WrittenEnding(left=("", ""), is_finished=True, note="Uhr stand"),
    ],
)
def test_odd_end_comes_back_as_it_was(ending: WrittenEnding) -> None:
    written = WrittenSheet((WrittenLine(1, KIND.PLAY, "8D", "WÖRTER", points=36),), ending)

    assert back(out(written)).written == written


def test_words_are_written_as_on_german_sheets() -> None:
    converted = back(games.GERMAN)

    assert [(str(line), line.side) for line in converted.written.lines] == [
        ("8D WÖRTER 36", 1),
        ("H4 KÄSTE 17", 2),
        ("9B HEXE --", 1),
        ("4H KINDE 16", 2),
        ("!1 10", 1),
        ("-HÜ", 1),
        ("-", 2),
    ]
    assert (converted.faults, converted.remarks, converted.written.lines[0].note) == ((), (), "Ein guter Anfang.")


def test_bonus_for_a_challenge_becomes_points_with_their_reason() -> None:
    converted = back(games.ENGLISH + ">bob: (challenge) +5 28\n", key="en")

    assert converted.written.lines[-1] == WrittenLine(2, KIND.PENALTY, points=5, note="(challenge)")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (">carl: AB - +0 0", GcgProblemCode.UNKNOWN_PLAYER),
        (">anna: AB 9A [CH]A +3 3", GcgProblemCode.DIGRAPH),
        (">anna: AB 9A ßA +3 3", GcgProblemCode.BAD_PLAY),
        ("unlesbar", GcgProblemCode.UNREADABLE_LINE),
    ],
)
def test_file_with_such_a_fault_cannot_become_a_sheet(line: str, code: GcgProblemCode) -> None:
    converted = back(f"#player1 anna A\n#player2 bert B\n{line}\n>anna: AB - +0 0")

    assert [(problem.code, problem.line) for problem in converted.faults] == [(code, 3)]


def test_sheet_without_words_cannot_be_written() -> None:
    lines = (WrittenLine(1, points=24), WrittenLine(2, KIND.PASS), WrittenLine(1, word="ABER", points=3))

    with refuses("not_writable") as refused:
        out(WrittenSheet(lines))

    assert refused.value.figures == {"lines": "1, 3"}


def test_end_of_a_sheet_keeps_a_note_that_looks_like_ours() -> None:
    written = WrittenSheet((WrittenLine(1, KIND.PASS),), WrittenEnding(note='tso {"note": "x"}', seconds=(1, None)))

    assert back(out(written)).written == written


def test_notes_of_ours_that_somebody_spoilt_stay_notes() -> None:
    notes = ('tso {"kind": "party"}', 'tso {"points": "x"}', "tso [1]", "tso {", 'tso {"left": [1, 2]}')
    text = "#player1 a A\n#player2 b B\n" + "".join(f">a: AB - +0 0\n#note {note}\n>b: CD - +0 0\n" for note in notes)

    lines = back(text).written.lines

    assert {line.kind for line in lines} == {KIND.PASS}


@pytest.mark.parametrize(
    ("key", "points", "words"),
    [("tso-2017", -20, 2), ("tso-2017", -5, 1), ("general-de", -5, 1), ("sbnl-wedstrijd", -20, 1)],
)
def test_challenge_costs_as_many_words_as_the_ruleset_says(key: str, points: int, words: int) -> None:
    game = read_gcg_text(f">anna: ABER 8D ABER +12 12\n>bert: (challenge) {points} {points}\n")

    converted = convert_game_to_sheet(check_game(game, LETTER_SETS["de"]), "anna", RULESETS[key])

    assert [line.words for line in converted.written.lines] == [0, words]


@pytest.mark.parametrize(("key", "seconds"), [("tso-2017", 120), ("sbnl-wedstrijd", 120), ("general-de", None)])
def test_time_is_as_long_as_the_ruleset_says(key: str, seconds: int | None) -> None:
    game = read_gcg_text(">anna: ABER 8D ABER +12 12\n>anna: (time) -20 -8\n>bert: - +0 0\n")

    converted = convert_game_to_sheet(check_game(game, LETTER_SETS["de"]), "anna", RULESETS[key])

    assert converted.written.ending.overtime == (seconds, None)


def test_names_without_a_letter_that_a_nick_may_hold_are_players_by_number() -> None:
    dealt_sheet = deal_sheet(1)

    text = format_sheet_as_gcg(dealt_sheet, RULES, ("###", ":>#"), {})

    assert [line.split(" ", 2)[1] for line in text.splitlines() if line.startswith("#player")] == ["player1", "player2"]
