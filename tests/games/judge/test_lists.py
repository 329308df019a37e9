"""What may be asked, and what is answered."""

import pytest

from games.judge.lists import NoWordList, look_up_words, open_word_list, parse_typed_words
from games.judge.store import WordListMissing
from games.models import WordList
from scoring.letters import DUTCH_LETTERS, GERMAN_LETTERS
from tests import factories
from tests.games.judge.conftest import load
from tournament.basics.refusals import Refusals


def refused(text: str) -> list[str]:
    """The codes of everything that is wrong with a question."""
    with pytest.raises(Refusals) as refusals:
        parse_typed_words(text, GERMAN_LETTERS)
    return [refusal.code for refusal in refusals.value.refusals]


@pytest.mark.parametrize("text", ["haus öl", "HAUS,ÖL", " Haus\n\nÖl ", "haus; o\u0308l", "haus/öl", "haus +  öl"])
def test_words_may_be_separated_in_many_ways(text: str) -> None:
    assert parse_typed_words(text, GERMAN_LETTERS) == ("HAUS", "ÖL")


def test_sharp_s_is_two_letters() -> None:
    assert parse_typed_words("Straße", GERMAN_LETTERS) == ("STRASSE",)
    assert refused("ß" * 8) == ["no_length"]


def test_word_typed_twice_stands_twice() -> None:
    assert parse_typed_words("ab AB", GERMAN_LETTERS) == ("AB", "AB")


@pytest.mark.parametrize("text", ["", "  \n", ",;"])
def test_nothing_asked_is_said(text: str) -> None:
    assert refused(text) == ["nothing_asked"]


def test_more_words_than_a_play_makes_are_refused() -> None:
    assert parse_typed_words("AB " * 8, GERMAN_LETTERS) == ("AB",) * 8
    assert refused("AB " * 9) == ["too_many_asked"]


def test_all_that_is_wrong_is_said_at_once_and_quoted() -> None:
    with pytest.raises(Refusals) as refusals:
        parse_typed_words("HAUS B2B café X ABCDEFGHIJKLMNOP", GERMAN_LETTERS)

    assert [refusal.figures["word"] for refusal in refusals.value.refusals] == ["B2B", "café", "X", "ABCDEFGHIJKLMNOP"]
    assert "A–Z Ä Ö Ü" in str(refusals.value.refusals[0])


def test_long_rubbish_is_quoted_short() -> None:
    with pytest.raises(Refusals) as refusals:
        parse_typed_words("1" * 300 + "\x07", GERMAN_LETTERS)

    assert refusals.value.refusals[0].figures["word"] == "1" * 60 + "…"


def test_umlauts_are_no_dutch_letters() -> None:
    with pytest.raises(Refusals, match="A–Z"):
        parse_typed_words("müsli", DUTCH_LETTERS)


@pytest.mark.parametrize(
    ("words", "good"),
    [(["HAUS", "ÖL"], [True, True]), (["HAUS", "HAUSE"], [True, False]), (["straße", "Übel"], [True, True])],
)
def test_one_bad_word_withdraws_the_play(word_list: WordList, words: list[str], good: list[bool]) -> None:
    verdict = look_up_words(words, factories.organiser().pk)

    assert [each for _word, each in verdict.words] == good
    assert (verdict.stands, verdict.word_list) == (all(good), word_list)


def test_each_letter_set_has_its_own_list(word_list: WordList) -> None:
    load("huis\n", letters="nl", title="Woorden")

    assert look_up_words(["HUIS"], factories.organiser().pk, letters="nl").stands
    assert not look_up_words(["HUIS"], factories.organiser().pk).stands


def test_without_a_list_nothing_is_judged(db: None) -> None:
    with pytest.raises(NoWordList):
        look_up_words(["HAUS"], factories.organiser().pk)


def test_list_deleted_at_this_very_moment_is_said(word_list: WordList) -> None:
    open_word_list(word_list).data.close()

    with pytest.raises(WordListMissing, match="Kleine Liste"):
        look_up_words(["HAUS"], factories.organiser().pk)
