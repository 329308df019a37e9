"""Lists on disk: sorted, each word once, found again, and never trusted when they were changed."""

import hashlib
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.judge import store
from games.judge.store import (
    OpenWordList,
    StoredWordList,
    WordListDamaged,
    WordListMissing,
    get_or_create_words_folder,
    open_list_file,
    remove_list_file,
    write_list_file,
)
from tests.laws import tried_on
from tests.refusals import refuses

WORDS = st.text("ABZÄÖÜ", min_size=2, max_size=5)


def opened(stored: StoredWordList) -> OpenWordList:
    return open_list_file(stored.name, sha256=stored.sha256, title="Liste")


@given(st.lists(WORDS, min_size=1, max_size=40), st.lists(WORDS, max_size=20))
@tried_on(10)
def test_look_up_finds_what_was_written_and_nothing_else(written: list[str], others: list[str]) -> None:
    stored = write_list_file(written)
    found = opened(stored)

    assert [found.holds(word) for word in [*written, *others]] == [word in written for word in [*written, *others]]
    assert (stored.count, stored.twice) == (len(set(written)), len(written) - len(set(written)))
    remove_list_file(stored.name)


@pytest.mark.parametrize("word", ["", "H", "HAU", "HAUSE", "AUS", "HAUS\n", "HAUS\nOMA", "haus", "ŁÓDŹ", "€"])
def test_parts_and_strange_words_are_not_in_the_list(word: str) -> None:
    found = opened(write_list_file(["HAUS", "OMA"]))

    assert not found.holds(word)


def test_order_and_encoding_of_the_source_do_not_matter_to_the_fingerprint() -> None:
    one, other = write_list_file(["ÖL", "HAUS", "ÖL"]), write_list_file(["HAUS", "ÖL"])

    assert one.sha256 == other.sha256 == hashlib.sha256("HAUS\nÖL\n".encode("latin-1")).hexdigest()


def test_words_of_all_texts_are_sorted_together() -> None:
    words = [first + second for first in "ZAÄ" for second in ("B", "Ü", "CCCCCCCCCCCCCC")]

    stored = write_list_file(["\n".join(words[:4]), "\n".join([*words[4:], *words[:2]])])

    content = (get_or_create_words_folder() / stored.name).read_text("latin-1").splitlines()
    assert (content, stored.count, stored.twice) == (sorted(words), 9, 2)


def test_first_and_last_words_are_told() -> None:
    found = opened(write_list_file(["BAUM", "ALM", "OMA", "ZYSTE"]))

    assert found.ends(1) == (["ALM"], ["ZYSTE"])
    assert found.ends(3) == (["ALM", "BAUM", "OMA"], ["BAUM", "OMA", "ZYSTE"])


def test_too_many_words_leave_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "MOST_WORDS", 2)

    with refuses("too_many_words", match="2"):
        write_list_file(["AB", "BA", "AA"])

    assert list(get_or_create_words_folder().iterdir()) == []


def test_half_written_files_go_with_the_next_list(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "STALE_SECONDS", -1)
    (get_or_create_words_folder() / "half.new").write_bytes(b"AB\n")

    stored = write_list_file(["AB"])

    assert [path.name for path in get_or_create_words_folder().iterdir()] == [stored.name]


def test_missing_file_is_said() -> None:
    stored = write_list_file(["AB"])
    (get_or_create_words_folder() / stored.name).unlink()

    with pytest.raises(WordListMissing, match="Liste"):
        opened(stored)


def test_changed_file_is_said_though_it_was_open() -> None:
    stored = write_list_file(["AB", "BA"])
    assert opened(stored).holds("AB")
    path = get_or_create_words_folder() / stored.name
    path.unlink()
    path.write_bytes(b"AB\nBB\n")

    with pytest.raises(WordListDamaged, match="Liste"):
        opened(stored)


@pytest.mark.parametrize("content", [b"", b"AB\n", b"AB\nBA\nBB\n"])
def test_cut_or_longer_file_is_said(content: bytes) -> None:
    stored = write_list_file(["AB", "BA"])
    (get_or_create_words_folder() / stored.name).write_bytes(content)

    with pytest.raises(WordListDamaged):
        opened(stored)


def test_many_look_at_once() -> None:
    words = [first + second for first in "ABCDEFGHIJ" for second in "KLMNOPQRST"]
    stored = write_list_file(words[::2])

    def look(word: str) -> bool:
        return opened(stored).holds(word)

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(look, words * 5)) == [word in words[::2] for word in words] * 5
