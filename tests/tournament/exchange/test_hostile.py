"""Files that are small to send and large to read: refused by what they say of themselves, before they are read."""

import io
import json
import zipfile

import pytest

from tests.tournament.exchange import examples
from tournament.archive.carrying import is_archive
from tournament.basics import limits
from tournament.basics.names import MAX_MARKS, compose_marks
from tournament.exchange.faults import FaultCode, FileFaults
from tournament.exchange.json_text import find_json_places
from tournament.exchange.players import read_player_list
from tournament.exchange.rows import count_zip_entries
from tournament.files.forms import read_uploaded_event

HEAD = '{"format": "tso-tournament", "version": 1, "slug": "x", "name": "x", '
SHEET = "xl/worksheets/sheet1.xml"


def codes(name: str, content: bytes) -> list[FaultCode]:
    """What is wrong with a tournament's file."""
    with pytest.raises(FileFaults) as refused:
        read_uploaded_event({name: content})
    assert all(len(str(fault)) < 1000 for fault in refused.value.faults)
    return [fault.code for fault in refused.value.faults]


def zipped(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_xml", ".xml"), content)
    return out.getvalue()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[" * (limits.CONTAINERS + 1), FaultCode.TOO_MANY),
        ("[" * 100_000, FaultCode.TOO_DEEP),
        (HEAD + '"spread_cap": [' + "1," * (limits.VALUES + 1) + "1]}", FaultCode.TOO_MANY),
        ("{" + ",".join(f'"{number}": 1' for number in range(limits.KEYS + 1)) + "}", FaultCode.TOO_MANY_KEYS),
        (HEAD + '"x": "' + "x" * limits.FILE_BYTES + '"}', FaultCode.TOO_LARGE),
    ],
    ids=["lists", "deep", "values", "keys", "bytes"],
)
def test_file_with_too_much_in_it_is_refused(text: str, code: FaultCode) -> None:
    assert codes("a.json", text.encode()) == [code]


@pytest.mark.parametrize("key", ["place", "announcement", "word_list"])
def test_long_text_is_refused_without_being_tidied(key: str) -> None:
    found = codes("a.json", json.dumps(json.loads(examples.EXAMPLE) | {key: "x̨́" * 200_000}).encode())

    assert found == [FaultCode.TOO_LONG]


def test_long_unknown_key_is_named_in_short() -> None:
    assert codes("a.json", json.dumps(json.loads(examples.EXAMPLE) | {"x" * 900_000: 1}).encode()) == [
        FaultCode.UNKNOWN_KEY
    ]


def test_line_of_a_fault_is_found_behind_a_million_line_ends() -> None:
    text = "\n" * 1_000_000 + '{"a": [{"b": 1}, {"b": 2}]}'

    found = find_json_places(text, [("a", 1, "b"), ("a", 7, "c")])

    assert [str(place.path) for place in found.values()] == ["a[1].b", "a[7].c"]
    assert {place.line for place in found.values()} == {1_000_001}


def test_more_games_than_can_be_stored_while_others_wait_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "GAMES_SENT", 1)

    assert codes("a.json", examples.EXAMPLE.encode()) == [FaultCode.TOO_MANY_GAMES_SENT]
    assert codes("a.t", b"Muster, A 1500 2 2 2; 1 1 1\nMuster, B 1500 1 1 1; 2 2 2\n") == [
        FaultCode.TOO_MANY_GAMES_SENT
    ]


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("a.t", b"\n" * (limits.LINES + 1), FaultCode.TOO_MANY_ROWS),
        ("config.tsh", b"\n" * (limits.LINES + 1), FaultCode.TOO_MANY_ROWS),
        ("a.t", b"x" * (limits.TSH_BYTES + 1), FaultCode.TOO_LARGE),
        ("a.t", b"Muster, A 1500" + b" 1" * limits.LINE, FaultCode.TSH_LINE),
        ("config.tsh", b"config a" + b" " * limits.LINE, FaultCode.TSH_NO_DIVISION),
        ("config.tsh", b"config a = [" + b"1..9999," * 13 + b"];\n", FaultCode.TOO_MANY),
        ("config.tsh", b"config a = [1..9999];\n" * 13, FaultCode.TOO_MANY),
        ("tourney.js", b"newt={a:[" + b"1," * (limits.SCRIPT_VALUES + 1) + b"1]}", FaultCode.TOO_MANY),
        ("tourney.js", b"newt={a:'" + b"x" * 30_000 + b"'}", FaultCode.SYNTAX),
        ("a.zip", zipped(**{f"f{number}": b"" for number in range(limits.FILES + 1)}), FaultCode.TOO_MANY_FILES),
        ("a.zip", zipped(big=b"x" * (limits.FILE_BYTES + 1)), FaultCode.UNPACKED_TOO_LARGE),
    ],
    ids=[
        *("lines", "config lines", "bytes", "line", "setting", "spans", "lines of spans"),
        *("values", "text", "files", "unpacked"),
    ],
)
def test_file_of_tsh_with_too_much_in_it_is_refused(name: str, content: bytes, code: FaultCode) -> None:
    assert codes(name, content)[0] == code


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("content", "code"),
    [
        (zipped(**{f"f{number}": b"" for number in range(limits.PARTS + 1)}), FaultCode.TOO_MANY_FILES),
        (zipped(xl__workbook_xml=b" " * (limits.UNPACKED_BYTES + 1)), FaultCode.UNPACKED_TOO_LARGE),
        (zipped(xl__worksheets__sheet1_xml=b"<c/>" * (limits.SHEET_TAGS + 1)), FaultCode.WORKBOOK_TOO_LARGE),
        (zipped(xl__sharedStrings_xml=b"<si/>" * (limits.SHEET_STRINGS + 1)), FaultCode.WORKBOOK_TOO_LARGE),
        (zipped(xl__styles_xml=b"<xf/>" * (limits.OTHER_TAGS + 1)), FaultCode.WORKBOOK_TOO_LARGE),
        (zipped(xl__workbook_xml='<!DOCTYPE a [<!ENTITY b "c">]><a/>'.encode("utf-16")), FaultCode.NO_WORKBOOK),
        (b"\n" * 60_000 + b"Muster", FaultCode.TOO_MANY_ROWS),
        (b"x" * (limits.LIST_BYTES + 1), FaultCode.TOO_LARGE),
    ],
    ids=["parts", "unpacked", "cells", "texts", "formats", "entities", "rows", "bytes"],
)
def test_list_of_players_with_too_much_in_it_is_refused(content: bytes, code: FaultCode) -> None:
    with pytest.raises(FileFaults) as refused:
        read_player_list(content)

    assert [fault.code for fault in refused.value.faults] == [code]


def test_cells_and_columns_beyond_the_limits_are_not_read() -> None:
    sheet = read_player_list(b"Name;Verein\n" + b"x" * 100_000 + b";" + b"y;" * 100_000)

    assert len(sheet.rows[0].person.name) == limits.CELL
    assert sheet.rows[0].faults


def test_thousands_of_marks_on_one_letter_are_cut_off_before_they_are_put_in_order() -> None:
    marks = "\u0328\u0301" * 20_000

    assert len(compose_marks(f"a{marks}b")) <= MAX_MARKS + 2
    assert compose_marks("Zoe\u0308 " * 20) == "Zoë " * 20


def test_archive_with_countless_files_is_none_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "ARCHIVE_MEMBERS", 2)
    many = io.BytesIO(zipped(**{"manifest.json": b"{}", "a": b"", "b": b""}))

    assert count_zip_entries(many) == 3
    assert not is_archive(many)
