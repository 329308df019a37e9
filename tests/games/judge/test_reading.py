"""Word lists as they come: encodings, columns, what is folded, and what cannot be a word."""

import io

import pytest

from games import limits
from games.judge import lists as reading
from games.judge.lists import (
    FAULTS_SHOWN,
    NotATextFile,
    ReadingReport,
    WrongEncoding,
    read_list_words,
    start_reading_report,
)
from scoring.letters import DUTCH_LETTERS, GERMAN_LETTERS, LetterSet
from tests.refusals import refuses

UMLAUTS = "Äpfel\nöl\nÜBER\nFluß\n"
READ = ["ÄPFEL", "ÖL", "ÜBER", "FLUSS"]


def read(content: bytes, letters: LetterSet = GERMAN_LETTERS) -> tuple[list[str], ReadingReport]:
    """The words of a list and the report on it."""
    source = io.BytesIO(content)
    report = start_reading_report(source, letters)
    found = list(read_list_words(source, report))
    assert not source.closed
    return found, report


@pytest.mark.parametrize(
    ("codec", "encoding"),
    [("utf-8", "UTF-8"), ("utf-8-sig", "UTF-8"), ("latin-1", "Latin-1"), ("cp1252", "Latin-1")],
)
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_encoding_is_found_and_words_are_folded(codec: str, encoding: str, ends: str) -> None:
    found, report = read(UMLAUTS.replace("\n", ends).encode(codec))

    assert (found, report.encoding, report.faulty) == (READ, encoding, 0)


def test_encoding_is_latin_1_though_the_first_umlaut_comes_late() -> None:
    found, report = read(b"HAUS\n" * 50_000 + "ÖL\n".encode("latin-1"))

    assert (found[-1], len(found), report.encoding) == ("ÖL", 50_001, "Latin-1")


def test_file_that_ends_within_a_letter_is_not_utf_8() -> None:
    found, report = read("HAUS\nÖL\nÄ".encode()[:-1])

    assert (report.encoding, found) == ("Latin-1", ["HAUS"])
    assert [fault["line"] for fault in report.faults] == [2, 3]


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_named(codec: str) -> None:
    with pytest.raises(WrongEncoding, match="UTF-16"):
        read(("HAUS\nBAUM\n" * 20).encode(codec))


@pytest.mark.parametrize("content", [b"PK\x03\x04 and more", b"%PDF-1.4", b"HAUS\n" * 200 + b"\0"])
def test_what_is_no_text_is_refused(content: bytes) -> None:
    with pytest.raises(NotATextFile):
        read(content)


def test_letters_with_their_marks_apart_are_composed() -> None:
    found, report = read("A\u0308pfel\n".encode())

    assert (found, report.faulty) == (["ÄPFEL"], 0)


def test_comments_blank_lines_and_other_columns_do_not_count() -> None:
    found, report = read(b"# Liste 2026\n\n  HAUS  \nBAUM\tSubst.; der\nOMA;die\n   \n")

    assert (found, report.words, report.faulty) == (["HAUS", "BAUM", "OMA"], 3, 0)


def test_lines_that_cannot_be_words_are_named_with_their_number() -> None:
    found, report = read("HAUS\nAD HOC\nCAFÉ\nB2B\nBAUM, der\nBAUM\nſ\n".encode())

    assert found == ["HAUS", "BAUM"]
    assert report.faults == [
        {"line": 2, "text": "AD HOC"},
        {"line": 3, "text": "CAFÉ"},
        {"line": 4, "text": "B2B"},
        {"line": 5, "text": "BAUM, der"},
        {"line": 7, "text": "ſ"},
    ]


def test_first_faults_are_kept_short_and_all_are_counted() -> None:
    _found, report = read(b"1\n" * 60 + b"2" * 500)

    assert (report.faulty, len(report.faults)) == (61, FAULTS_SHOWN)
    assert read(b"2" * 500)[1].faults[0]["text"] == "2" * 60 + "…"
    assert read(b"A\x07B")[1].faults[0]["text"] == "A�B"


def test_words_that_do_not_fit_on_the_board_are_counted_and_left_out() -> None:
    found, report = read(f"A\nAB\n{'A' * 15}\n{'A' * 16}\n{'A' * 14}ß\n".encode())

    assert found == ["AB", "A" * 15]
    assert (report.too_short, report.too_long, report.words) == (1, 2, 2)


def test_report_names_first_last_and_longest_word() -> None:
    _found, report = read(b"mitte\nlangeswort\nende\n")

    assert (report.first, report.last, report.longest) == ("MITTE", "ENDE", "LANGESWORT")


def test_other_letter_sets_have_no_umlauts() -> None:
    found, report = read("huis\nmüsli\nfluß\n".encode(), DUTCH_LETTERS)

    assert (found, [fault["text"] for fault in report.faults]) == (["HUIS"], ["müsli", "fluß"])


def test_capital_sharp_s_is_folded() -> None:
    assert read("GROẞ\n".encode())[0] == ["GROSS"]


def test_file_beyond_the_limit_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "WORD_LIST_BYTES", 1024**2)

    with refuses("file_too_large", match=r"2 MB.*1 MB"):
        read(b"\n" * (1024**2 + 1))


def test_empty_file_has_no_words() -> None:
    assert read(b"")[0] == []


def test_file_with_too_many_lines_is_refused_before_they_are_read() -> None:
    with refuses("too_many_lines") as refused:
        start_reading_report(io.BytesIO(b"\n\n\n\n"), GERMAN_LETTERS, most_lines=3)

    assert refused.value.figures == {"count": 4, "limit": 3}


def test_lines_of_windows_are_counted_once() -> None:
    file = io.BytesIO(b"HAUS\r\n" * 50_000)

    with refuses("too_many_lines", match="50000"):
        start_reading_report(file, GERMAN_LETTERS, most_lines=49_999)

    assert start_reading_report(file, GERMAN_LETTERS, most_lines=50_000).encoding == "UTF-8"


@pytest.mark.parametrize("chunk", [1, 2, 7, 13, 1 << 16])
def test_nothing_depends_on_where_a_chunk_ends(monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    monkeypatch.setattr(reading, "CHUNK", chunk)

    found, report = read("# Liste\nöl\r\n\n  HAUS\t1\nA\u0308PFEL\n\tFluß ; x\n1\nX\nOMA".encode())

    assert found == ["ÖL", "HAUS", "ÄPFEL", "FLUSS", "OMA"]
    assert (report.faults, report.too_short) == ([{"line": 7, "text": "1"}], 1)
    assert (report.words, report.first, report.last, report.longest) == (5, "ÖL", "OMA", "ÄPFEL")


def test_line_of_megabytes_is_looked_at_in_part() -> None:
    report = start_reading_report(io.BytesIO(b"A\xcc\xa8\xcc\x81" * 1_000_000), GERMAN_LETTERS)

    assert list(read_list_words(io.BytesIO(("Ą́" * 1_000_000).encode()), report)) == []
    assert report.faulty == 1
