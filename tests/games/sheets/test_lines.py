"""What somebody types for one line, in one field or in three, and what cannot be read."""

import pytest
from django.utils import translation

from games.models import Line
from games.sheets.lines import (
    WrittenLine,
    find_line_problems,
    format_typed_fields,
    has_only_tiles,
    parse_line_play,
    parse_typed_line,
)
from games.sheets.sheet_page import SheetRow, convert_written_line
from scoring.plays import Play

PLAY, EXCHANGE, PASS, WITHDRAWN, CHALLENGE, PENALTY = Line.Kind


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        (("8H", "ABeR", "24"), WrittenLine(1, PLAY, "8H", "ABeR", points=24)),
        (("8H ABeR 24", "", ""), WrittenLine(1, PLAY, "8H", "ABeR", points=24)),
        (("8h aber 24", "", ""), WrittenLine(1, PLAY, "8H", "ABER", points=24)),
        (("H8", "ABER", ""), WrittenLine(1, PLAY, "H8", "ABER")),
        (("8D", ".e", "2"), WrittenLine(1, PLAY, "8D", ".e", points=2)),
        (("8D", "(AB)ER", ""), WrittenLine(1, PLAY, "8D", "(AB)ER")),
        (("24", "", ""), WrittenLine(1, PLAY, points=24)),
        (("", "", "24"), WrittenLine(1, PLAY, points=24)),
        (("0", "", ""), WrittenLine(1, PLAY, points=0)),
        (("ABER 24", "", ""), WrittenLine(1, PLAY, word="ABER", points=24)),
        (("ABER", "24", ""), WrittenLine(1, PLAY, word="ABER", points=24)),
        (("-ENR", "", ""), WrittenLine(1, EXCHANGE, tiles="ENR")),
        (("-", "enr?", ""), WrittenLine(1, EXCHANGE, tiles="ENR?")),
        (("", "-ENR", "0"), WrittenLine(1, EXCHANGE, tiles="ENR", points=0)),
        (("- 3", "", ""), WrittenLine(1, EXCHANGE, tiles="3")),
        (("−3", "", ""), WrittenLine(1, EXCHANGE, tiles="3")),
        (("-", "", ""), WrittenLine(1, PASS)),
        (("-", "", "0"), WrittenLine(1, PASS, points=0)),
        (("8H ABER 24 --", "", ""), WrittenLine(1, WITHDRAWN, "8H", "ABER", points=24)),
        (("8H", "ABER", "24 --"), WrittenLine(1, WITHDRAWN, "8H", "ABER", points=24)),
        (("8H", "ABER", "--"), WrittenLine(1, WITHDRAWN, "8H", "ABER")),
        (("--", "", ""), WrittenLine(1, WITHDRAWN)),
        (("-ENR *", "", ""), WrittenLine(1, EXCHANGE, tiles="ENR", jury=True)),
        (("- *", "", ""), WrittenLine(1, PASS, jury=True)),
        (("-", "", "-20 *"), WrittenLine(1, PASS, points=-20, jury=True)),
        (("8H", "ABER *", "24"), WrittenLine(1, PLAY, "8H", "ABER", points=24, jury=True)),
        (("!", "", ""), WrittenLine(1, CHALLENGE, words=1)),
        (("!2", "", ""), WrittenLine(1, CHALLENGE, words=2)),
        (("!2", "", "20"), WrittenLine(1, CHALLENGE, words=2, points=-20)),
        (("!2 -20", "", ""), WrittenLine(1, CHALLENGE, words=2, points=-20)),
        (("!2", "", "+10"), WrittenLine(1, CHALLENGE, words=2, points=10)),
        (("!2 +10", "", ""), WrittenLine(1, CHALLENGE, words=2, points=10)),
        (("!2 20", "", "+10"), WrittenLine(1, CHALLENGE, words=2, points=-20)),
        (("#20 Handy im Spiel", "", ""), WrittenLine(1, PENALTY, points=-20, note="Handy im Spiel")),
        (("#", "Handy", "20"), WrittenLine(1, PENALTY, points=-20, note="Handy")),
        (("#+5 irrtümlich", "", ""), WrittenLine(1, PENALTY, points=5, note="irrtümlich")),
    ],
)
def test_line_is_read_from_what_is_typed(typed: tuple[str, str, str], line: WrittenLine) -> None:
    reading = parse_typed_line(1, "play", *typed)

    assert (reading.line, reading.faults) == (line, {})
    assert find_line_problems(reading.line) == []


@pytest.mark.parametrize(
    ("kind", "typed", "line"),
    [
        ("exchange", ("", "ENR", ""), WrittenLine(2, EXCHANGE, tiles="ENR")),
        ("pass", ("", "", ""), WrittenLine(2, PASS)),
        ("withdrawn", ("8H", "ABER", ""), WrittenLine(2, WITHDRAWN, "8H", "ABER")),
        ("challenge", ("", "2", "20"), WrittenLine(2, CHALLENGE, words=2, points=-20)),
        ("penalty", ("", "", "20"), WrittenLine(2, PENALTY, points=-20)),
        ("no such kind", ("24", "", ""), WrittenLine(2, PLAY, points=24)),
    ],
)
def test_kind_can_be_chosen_instead_of_marked(kind: str, typed: tuple[str, str, str], line: WrittenLine) -> None:
    assert parse_typed_line(2, kind, *typed).line == line


@pytest.mark.parametrize(
    "text",
    [
        "8H ABeR 24",
        "H8 ÄÖÜ",
        "24",
        "ABER 24",
        "-ENR",
        "-3",
        "-",
        "8H ABER 24 --",
        "!2",
        "!1 20",
        "!2 +10",
        "#20 Handy",
        "#+5 Uhr",
    ],
)
def test_text_of_a_line_is_read_back(text: str) -> None:
    line = parse_typed_line(1, "", text, "", "").line

    assert parse_typed_line(1, "", str(line), "", "").line == line
    fields = format_typed_fields(line)
    parts = (fields[name] for name in ("kind", "position", "word", "points"))
    assert parse_typed_line(int(fields["side"]), *parts, rack=fields["rack"], note=fields["note"]).line == line


@pytest.mark.parametrize(
    ("typed", "field", "said"),
    [
        (("", "", ""), "position", "Nothing is written here"),
        (("8H", "", ""), "word", "The word at 8H is missing."),
        (("8H", "", "24"), "word", "The word at 8H is missing."),
        (("8H", "ABER EHE", ""), "word", "“ABER EHE” is several words: one play has one word."),
        (("8H", "ABER", "2x"), "points", "“2x” is not valid: enter a whole number from -999 to 2000."),
        (("8H", "ABER", "20001"), "points", "“20001” is not valid"),
        (("-", "E4", ""), "word", "“E4” are not tiles"),
        (("-9", "", ""), "word", "“9” are not tiles"),
        (("!x", "", ""), "word", "“x” is not a number of good words"),
        (("!9", "", ""), "word", "“9” is not a number of good words"),
        (("#Handy", "", ""), "points", "“Handy” is not valid"),
        (("#", "", ""), "points", "How many points are taken off?"),
    ],
)
def test_what_cannot_be_read_is_told_at_its_field(typed: tuple[str, str, str], field: str, said: str) -> None:
    with translation.override("en"):
        faults = parse_typed_line(1, "play", *typed).faults

    assert list(faults) == [field]
    assert said in faults[field]


def test_chosen_kind_without_what_it_needs_is_told() -> None:
    with translation.override("en"):
        assert "Which tiles were exchanged?" in parse_typed_line(1, "exchange", "", "", "").faults["word"]
        assert "does not belong to a pass" in parse_typed_line(1, "pass", "8H", "ABER", "").faults["word"]


@pytest.mark.parametrize(
    ("line", "field", "said"),
    [
        (WrittenLine(1, position="8H", word="A3ER"), "word", "“3” in “8H A3ER” is not a letter."),
        (WrittenLine(1, position="8H", word="(ABER"), "word", "“8H (ABER” has an unmatched or an empty bracket"),
        (WrittenLine(1, position="8H", word="GROß"), "word", "“8H GROß” has ß, for which there is no tile; it is SS"),
        (WrittenLine(1, position="H", word="ABER"), "position", "“H ABER” is not a position"),
        (WrittenLine(1, word="A" * 31), "word", "is too long for a word"),
        (WrittenLine(1, position="8H"), "word", "has no word"),
        (WrittenLine(1, word="A" * 41), "word", "at most 40 characters"),
        (WrittenLine(1, rack="E2"), "rack", "“E2” are not tiles"),
        (WrittenLine(1, note="x\x07"), "note", "a character that cannot be shown"),
        (WrittenLine(1, points=2001), "points", "2001 is out of range"),
        (WrittenLine(1, words=21), "word", "21 is out of range"),
    ],
)
def test_line_that_nobody_could_read_back_is_refused(line: WrittenLine, field: str, said: str) -> None:
    with translation.override("en"):
        (refusal,) = find_line_problems(line)

        assert (refusal.field, said in str(refusal)) == (field, True), str(refusal)


def test_play_of_a_line_needs_position_and_word() -> None:
    assert parse_line_play(WrittenLine(1, position="8H", word="ABER")) == Play.parse("8H ABER")
    assert parse_line_play(WrittenLine(1, word="ABER")) is None


@pytest.mark.parametrize("tiles", ["²", "½", "Ⅷ", "①", "8", "A²"])
def test_figure_that_is_neither_letter_nor_number_is_no_tile(tiles: str) -> None:
    with translation.override("en"):
        read = parse_typed_line(1, "", f"-{tiles}", "", "")

    assert "are not tiles" in read.faults["word"]
    assert not has_only_tiles(tiles)


def test_sheet_with_such_a_figure_is_shown_all_the_same() -> None:
    kept = Line(kind=EXCHANGE, tiles="²")

    assert convert_written_line(WrittenLine(1, EXCHANGE, tiles="²")).tiles == "²"
    assert SheetRow(kept, None, "").text == "²"  # type: ignore[arg-type]  # nothing is counted here
