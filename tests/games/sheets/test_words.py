"""Every fault has a sentence in which its figures find their places."""

import pytest
from django.utils import translation

from games.sheets import words as sheet_words
from games.sheets.legible import NotAPlay
from scoring import board as boards
from scoring import sheet
from scoring.plays import Misread
from scoring.squares import Square

NAMES = ("Anna", "Jörg")


@pytest.mark.parametrize("fault", boards.Fault)
def test_placement_fault_has_its_sentence(fault: boards.Fault) -> None:
    said = sheet_words.placement(boards.Problem(fault, Square(7, 7), "?", "E", needed=7, found=8))

    assert said.endswith(".")
    assert "%" not in said


@pytest.mark.parametrize("fault", [fault for fault in sheet.Fault if fault is not sheet.Fault.PLACEMENT])
def test_fault_has_its_sentence_with_the_clause(fault: sheet.Fault) -> None:
    found = sheet.Problem(3, fault, sheet.Side.SECOND, "TSO 9.9", needed=7, found=8, text="ENR", other="EN")

    said = sheet_words.problem(found, NAMES)

    assert said.endswith(". (TSO 9.9)")
    assert "%" not in said


@pytest.mark.parametrize("reason", Misread)
def test_unreadable_play_has_its_sentence(reason: Misread) -> None:
    with translation.override("en"):
        said = str(NotAPlay(reason=reason, text="8H A3", part="3"))

    assert "“8H A3”" in said


@pytest.mark.parametrize("ending", sheet.Ending)
def test_end_of_a_game_has_its_sentence(ending: sheet.Ending) -> None:
    assert sheet_words.over(sheet.GameEnd(ending, "TSO 5.1", 12, sheet.Side.FIRST), NAMES).endswith(" (TSO 5.1)")
    assert sheet_words.over(None, NAMES) == ""


def test_sentences_name_blanks_players_and_words() -> None:
    with translation.override("en"):
        used = boards.Problem(boards.Fault.USED_UP, letter="?", needed=2, found=3)
        assert sheet_words.placement(used) == "blank would then lie on the board 3 times; there are 2."
        nobody = sheet.Problem(None, sheet.Fault.OUT_OF_TURN)
        assert sheet_words.problem(nobody, NAMES) == "Out of turn: it was not the turn of Anna – Jörg."
        bingo = boards.PlayScore(74, (boards.Word("ABER", 24, Square(7, 7), boards.Direction.ACROSS),), (), True, False)
        assert sheet_words.words(bingo) == "ABER 24, seven tiles 50"


@pytest.mark.parametrize(
    ("needed", "text", "said"),
    [
        (2, "NNT", "Tiles left of Jörg: the sheet has 3 (NNT), there were 2. Unseen: NNT."),
        (2, "", "Tiles left of Jörg: the sheet has 0 (none), there were 2. Unseen: NNT."),
        (None, "EEE", "The tiles left, EEE, are not those that are unseen, NNT."),
    ],
)
def test_leftovers_that_are_too_many_do_not_contradict_themselves(needed: int | None, text: str, said: str) -> None:
    fault = sheet.Problem(
        None, sheet.Fault.LEFTOVERS_DIFFER, sheet.Side.SECOND, needed=needed, found=len(text), text=text, other="NNT"
    )

    with translation.override("en"):
        assert sheet_words.problem(fault, NAMES) == said


@pytest.mark.parametrize("fault", sheet_words.BY_CONSENT)
def test_fault_that_the_jury_could_have_mended_says_so(fault: sheet.Fault) -> None:
    found = sheet.Problem(3, fault, sheet.Side.SECOND, needed=20, found=2, by_consent=True)

    with translation.override("en"):
        said = sheet_words.problem(found, NAMES)

    assert "jury" in said
    assert "%" not in said
