"""A word list as tables: it holds the words that can be laid, and nothing else."""

from pathlib import Path

import pytest

from scoring.letters import DUTCH_LETTERS, GERMAN_LETTERS
from scoring.lexicon import Lexicon, NoLexicon

WORDS = ["AB", "ÄB", "ABER", "RABE", "ABER", "SPIELSTEINCHENS", "ß", "A", "CAFÉ", "KREUZWORTSPIELER"]


def test_words_that_can_be_laid_are_kept_once() -> None:
    found = Lexicon.of(GERMAN_LETTERS, WORDS)

    assert len(found) == 5
    assert [word for word in (*WORDS, "", "BA", "ABE", "?B", "aber") if found.holds(word)] == [
        "AB", "ÄB", "ABER", "RABE", "ABER", "SPIELSTEINCHENS",
    ]  # fmt: skip


def test_letters_are_those_of_the_set() -> None:
    assert not Lexicon.of(DUTCH_LETTERS, WORDS).holds("ÄB")


def test_empty_list_holds_nothing() -> None:
    assert not Lexicon.of(GERMAN_LETTERS, []).holds("AB")


def test_tables_come_back_from_a_file(tmp_path: Path) -> None:
    made = Lexicon.of(GERMAN_LETTERS, WORDS)
    made.save(tmp_path / "list", source="abc")

    back = Lexicon.load(tmp_path / "list", source="abc")

    assert back.letters is GERMAN_LETTERS
    assert [*back.words] == [2, 4, 15]
    assert all((back.words[length].counts == words.counts).all() for length, words in made.words.items())
    assert [word for word in ("AB", "ÄB", "ABER", "RABE", "BAER") if back.holds(word)] == ["AB", "ÄB", "ABER", "RABE"]


@pytest.mark.parametrize("content", [b"", b"AB\nABER\n", None], ids=["empty", "a list of words", "cut short"])
def test_another_file_is_refused(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "list"
    Lexicon.of(GERMAN_LETTERS, WORDS).save(path, source="abc")
    path.write_bytes(path.read_bytes()[:-9] if content is None else content)

    with pytest.raises(NoLexicon, match="list"):
        Lexicon.load(path, source="abc")


def test_tables_of_another_list_are_refused(tmp_path: Path) -> None:
    Lexicon.of(GERMAN_LETTERS, WORDS).save(tmp_path / "list", source="abc")

    with pytest.raises(NoLexicon):
        Lexicon.load(tmp_path / "list", source="of a newer list")
