"""Every fault has a sentence in which its figures find their places."""

import pytest
from django.utils import translation

from games.sheets.lines import NotAPlay
from games.sheets.words import (
    CONSENT_SENTENCES,
    describe_game_end,
    describe_longer_word,
    describe_placement_fault,
    describe_play_score,
    describe_sheet_problem,
)
from scoring import board as boards
from scoring.plays import BadPlayReason, Play
from scoring.rulesets.tso import TSO_2017
from scoring.sheet_count import count
from scoring.sheet_values import Ending, GameEnd, LineKind, ScoreSheetLine, Sheet, SheetFault, SheetProblem, Side
from scoring.squares import Direction, Square

NAMES = ("Anna", "Jörg")


@pytest.mark.parametrize(("word", "asked"), [("DER", "Ist DERE gemeint?"), ("DERE", "")])
def test_word_that_is_longer_is_asked_about(word: str, asked: str) -> None:
    lines = (
        ScoreSheetLine(Side.FIRST, LineKind.PLAY, play=Play.parse("H8", "EN")),
        ScoreSheetLine(Side.SECOND, LineKind.PLAY, play=Play.parse("8E", word)),
    )
    whole = count(Sheet(lines), TSO_2017)

    assert describe_longer_word(whole.lines[1]).partition(" Mit")[0] == asked


@pytest.mark.parametrize("fault", boards.PlayFault)
def test_placement_fault_has_its_sentence(fault: boards.PlayFault) -> None:
    said = describe_placement_fault(boards.PlayProblem(fault, Square(7, 7), "?", "E", needed=7, found=8))

    assert said.endswith(".")
    assert "%" not in said


@pytest.mark.parametrize("fault", [fault for fault in SheetFault if fault is not SheetFault.PLACEMENT])
def test_fault_has_its_sentence_with_the_clause(fault: SheetFault) -> None:
    found = SheetProblem(3, fault, Side.SECOND, "TSO 9.9", needed=7, found=8, text="ENR", other="EN")

    said = describe_sheet_problem(found, NAMES)

    assert said.endswith(". (TSO 9.9)")
    assert "%" not in said


@pytest.mark.parametrize("reason", BadPlayReason)
def test_unreadable_play_has_its_sentence(reason: BadPlayReason) -> None:
    with translation.override("en"):
        said = str(NotAPlay(reason=reason, text="8H A3", part="3"))

    assert "“8H A3”" in said


@pytest.mark.parametrize("ending", Ending)
def test_end_of_a_game_has_its_sentence(ending: Ending) -> None:
    assert describe_game_end(GameEnd(ending, "TSO 5.1", 12, Side.FIRST), NAMES).endswith(" (TSO 5.1)")
    assert describe_game_end(None, NAMES) == ""


def test_sentences_name_blanks_players_and_words() -> None:
    with translation.override("en"):
        used = boards.PlayProblem(boards.PlayFault.USED_UP, letter="?", needed=2, found=3)
        assert describe_placement_fault(used) == "blank would then lie on the board 3 times; there are 2."
        nobody = SheetProblem(None, SheetFault.OUT_OF_TURN)
        assert describe_sheet_problem(nobody, NAMES) == "Out of turn: it was not the turn of Anna – Jörg."
        bingo = boards.PlayScore(74, (boards.FormedWord("ABER", 24, Square(7, 7), Direction.ACROSS),), (), True, False)
        assert describe_play_score(bingo) == "ABER 24, seven tiles 50"


@pytest.mark.parametrize(
    ("needed", "text", "said"),
    [
        (2, "NNT", "Tiles left of Jörg: the sheet has 3 (NNT), there were 2. Unseen: NNT."),
        (2, "", "Tiles left of Jörg: the sheet has 0 (none), there were 2. Unseen: NNT."),
        (None, "EEE", "The tiles left, EEE, are not those that are unseen, NNT."),
    ],
)
def test_leftovers_that_are_too_many_do_not_contradict_themselves(needed: int | None, text: str, said: str) -> None:
    fault = SheetProblem(
        None,
        SheetFault.LEFTOVERS_DIFFER,
        Side.SECOND,
        needed=needed,
        found=len(text),
        text=text,
        other="NNT",
    )

    with translation.override("en"):
        assert describe_sheet_problem(fault, NAMES) == said


@pytest.mark.parametrize("fault", CONSENT_SENTENCES)
def test_fault_that_the_jury_could_have_mended_says_so(fault: SheetFault) -> None:
    found = SheetProblem(3, fault, Side.SECOND, needed=20, found=2, by_consent=True)

    with translation.override("en"):
        said = describe_sheet_problem(found, NAMES)

    assert "jury" in said
    assert "%" not in said
