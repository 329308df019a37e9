"""In which characters a file is written: as it says, as it must be, or as it can only be."""

import pytest

from games.gcg.reading import decode_gcg
from games.gcg.values import GcgProblemCode, UnreadableGcg
from games.limits import GCG_BYTES

LINE = ">jörg: KÄSE 8D KÄSE +1 1\n"
SAYS = {name: f"#character-encoding {name}\n{LINE}" for name in ("UTF-8", "ISO-8859-1", "KOI8-X")}


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        pytest.param(LINE.encode(), "utf-8", id="utf-8 without a word"),
        pytest.param(LINE.encode("latin-1"), "cp1252", id="latin-1 without a word, as the specification has it"),
        pytest.param(SAYS["UTF-8"].encode(), "utf-8", id="utf-8 as it says"),
        pytest.param(SAYS["ISO-8859-1"].encode("latin-1"), "cp1252", id="latin-1 as it says"),
        pytest.param(b"\xef\xbb\xbf" + LINE.encode(), "utf-8", id="a mark at the start"),
        pytest.param(LINE.encode("utf-16"), "utf-16", id="utf-16"),
        pytest.param(LINE.replace("ö", "o\u0308").encode(), "utf-8", id="dots apart from their letter"),
        pytest.param(
            LINE.replace("\n", " \x81\n").encode("latin-1"), "cp1252", id="a byte that Windows has no sign for"
        ),
    ],
)
def test_text_is_read_in_the_encoding_that_it_is_in(content: bytes, encoding: str) -> None:
    text, used, warnings = decode_gcg(content)

    assert (">jörg: KÄSE 8D KÄSE" in text, used, warnings) == (True, encoding, [])


@pytest.mark.parametrize(
    ("content", "code", "line"),
    [
        pytest.param(SAYS["UTF-8"].encode("latin-1"), GcgProblemCode.WRONG_ENCODING, 1, id="says utf-8, is not"),
        pytest.param(SAYS["ISO-8859-1"].encode(), GcgProblemCode.WRONG_ENCODING, 1, id="says latin-1, is utf-8"),
        pytest.param(b"\r\n" + SAYS["KOI8-X"].encode(), GcgProblemCode.UNKNOWN_ENCODING, 2, id="nobody knows it"),
    ],
)
def test_a_wrong_word_about_the_encoding_is_told(content: bytes, code: GcgProblemCode, line: int) -> None:
    text, _used, warnings = decode_gcg(content)

    assert ">jörg: KÄSE 8D KÄSE" in text
    assert [(warning.code, warning.line) for warning in warnings] == [(code, line)]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        pytest.param(b"", GcgProblemCode.EMPTY, id="nothing"),
        pytest.param(b" \r\n\t", GcgProblemCode.EMPTY, id="blanks"),
        pytest.param(b"\x89PNG\r\n\x1a\n\x00\x00", GcgProblemCode.BINARY, id="a picture"),
        pytest.param(b"\xff\xfe\x00", GcgProblemCode.BINARY, id="half a letter of utf-16"),
        pytest.param(b"#" * (GCG_BYTES + 1), GcgProblemCode.TOO_LARGE, id="too large"),
    ],
)
def test_what_is_no_text_is_refused(content: bytes, code: GcgProblemCode) -> None:
    with pytest.raises(UnreadableGcg) as refused:
        decode_gcg(content)

    assert [problem.code for problem in refused.value.problems] == [code]
