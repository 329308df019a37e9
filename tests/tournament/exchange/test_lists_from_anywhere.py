"""Lists of players as people, form services and other programs write them."""

import inspect
import io
import json
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tests.tournament.exchange.terminal import run
from tournament.exchange.faults import FileFaults
from tournament.exchange.players import read_pasted_player_list, read_player_list
from tournament.models import Player, PlayerNumber

pytestmark = pytest.mark.django_db

TRF = """012 Herbst-Cup
062 2
001    1 m    Muster,Joerg                      1512 GER    12345678 1990/01/01  1.0    1
001    2 w WFM Beispiel,Aenne                   1490 NED           0 1991/01/01  0.0    2
"""


def workbook(**sheets: list[list[Any]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


TWO = [("Muster, Jörg", "SC Fulda", 1512), ("Beispiel, Änne", "SC Köln", 1490)]

PLAIN = "Name;Verein;Wertung\nMuster, Jörg;SC Fulda;1512\nBeispiel, Änne;SC Köln;1490\n"

LISTS = {
    "running numbers": "1.\tMuster, Jörg\tSC Fulda\t1512\n2.\tBeispiel, Änne\tSC Köln\t1490\n",
    "running numbers in brackets": "1);Muster, Jörg;SC Fulda;1512\n2);Beispiel, Änne;SC Köln;1490",
    "before names": "Spieler (2);Verein;Elo\n1. Muster, Jörg;SC Fulda;1512\n2 Beispiel, Änne;SC Köln;1490",
    "a title above": """Herbst-Cup 2026
        Nr.;Name;Verein;Elo
        1;Muster, Jörg;SC Fulda;1512
        2;Beispiel, Änne;SC Köln;1490""",
    "a form service": """Zeitstempel,E-Mail-Adresse,Vor- und Nachname *,Verein (optional),Wertungszahl
        2026/10/01 9:12:11 AM MESZ,j@example.org,Jörg Muster,SC Fulda,1512
        2026/10/01 9:14:55 AM MESZ,,Änne Beispiel,SC Köln,1490""",
    "chess-results": """Nr.;;Name;FideID;Land;EloI;EloN;Verein/Ort
        1;GM;Muster, Jörg;12345678;GER;1512;0;SC Fulda
        2;;Beispiel, Änne;0;GER;0;1490;SC Köln""",
    "Sharly Chess": """Last name;First name;Fed.;FIDE ID;Standard rating;Club;E-mail
        Muster;Jörg;GER;12345678;1512;SC Fulda;
        Beispiel;Änne;GER;;1490;SC Köln;""",
    "Woogles": """Rank,Username,Real Name,Club,Rating
        1,jmu,Jörg Muster,SC Fulda,1512
        2,abe,Änne Beispiel,SC Köln,1490""",
    "CoCo": """#,Name,CoCo ID,CoCo Rating,Career Games,Club
        1,"Muster, Jörg",JM-1,1512,20,SC Fulda
        2,"Beispiel, Änne",,1490,7,SC Köln""",
    "tsh": """Rank,Player,Old Rtng,Club
        1,"Muster, Jörg",1512,SC Fulda
        2,"Beispiel, Änne",1490,SC Köln""",
    "Name beside Vorname": "Name;Vorname;Verein;DWZ\nMuster;Jörg;SC Fulda;1512\nBeispiel;Änne;SC Köln;1490",
    "decimals": "Name;Verein;Rating\nMuster, Jörg;SC Fulda;1512.0\nBeispiel, Änne;SC Köln;1490,00\n",
    "sums below": f"{PLAIN};;\nSumme: 2;;3002\n",
    "Windows": PLAIN,
    "a Mac": PLAIN,
    "UTF-16 without a mark": PLAIN,
}
ENCODINGS = {"Windows": "cp1252", "a Mac": "mac_roman", "UTF-16 without a mark": "utf-16-le"}
FILES = {
    kind: (inspect.cleandoc(text) if "\n  " in text else text).encode(ENCODINGS.get(kind, "utf-8"))
    for kind, text in LISTS.items()
} | {
    "another sheet": workbook(
        Hinweise=[["Bitte zuerst lesen"], ["Die Liste steht auf dem zweiten Blatt"], ["Danke"], ["sehr"]],
        Teilnehmer=[["Name", "Verein", "Wertung"], *map(list, TWO)],
        Kosten=[["Raum", 100], ["Kuchen", 20]],
    )
}


@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
@pytest.mark.sampled(5)
def test_list_is_read_whoever_wrote_it(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "list"
    file.write_bytes(content)

    status, out, _err = run("import_players", str(file), "--format", "json")

    assert status == 0
    assert [row["name"] for row in json.loads(out)["rows"] if row["fate"] == "new"] == [name for name, *_rest in TWO]
    players = Player.objects.select_related("club").order_by("-rating")
    assert [(player.name, str(player.club), player.rating) for player in players] == TWO


def test_trf_file_is_read_with_federations_and_numbers(tmp_path: Path) -> None:
    file = tmp_path / "cup.trf"
    file.write_text(TRF)

    status, out, _err = run("import_players", str(file), "--format", "json")

    assert (status, [row["row"] for row in json.loads(out)["rows"]]) == (0, [3, 4])
    players = Player.objects.select_related("club").order_by("-rating")
    expected = [("Muster, Joerg", "GER", 1512), ("Beispiel, Aenne", "NED", 1490)]
    assert [(player.name, str(player.club), player.rating) for player in players] == expected
    assert [str(number) for number in PlayerNumber.objects.values_list("number", flat=True)] == ["12345678"]


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ('Name;Verein\nMuster, Jörg;SC Fulda\nBeispiel, Änne;"SC ""Q"" Köln\nKlein, Udo;Fulda\n', 3),
        ('Name;Verein\nBeispiel, Änne;"SC Köln\nKlein, Udo;Fulda\nAal, Ida;"SC Bonn"\n', 2),
        ('Name;Verein\nBeispiel, Änne;"SC Köln\nKlein, Udo;Fulda"\nAal, Ida;Bonn\n', 2),
        ('Name,Verein\r\n"Muster, Jörg,Fulda\r\n"Klein, Udo",Fulda\r\n', 2),
        ('"Muster, Jörg;Fulda\nKlein, Udo;Fulda\n', 1),
    ],
)
def test_quotation_mark_that_is_not_closed_is_a_fault_with_its_row(text: str, row: int, tmp_path: Path) -> None:
    file = tmp_path / "list.csv"
    file.write_bytes(text.encode())

    status, out, err = run("import_players", str(file), "--format", "json", "--language", "en")

    assert (status, [(line["row"], line["fate"]) for line in json.loads(out)["rows"]]) == (1, [(row, "fault")])
    assert err.startswith(f"row {row}: The quotation mark before")
    assert not Player.objects.exists()
    with pytest.raises(FileFaults):
        read_pasted_player_list(text)


def test_line_break_inside_of_closed_quotation_marks_is_part_of_a_cell() -> None:
    sheet = read_player_list('Name;Verein\nMuster, Jörg;"SC\nFulda ""Q"""\nKlein, Udo;""\n'.encode())

    assert [(row.person.name, row.person.club) for row in sheet.rows] == [
        ("Muster, Jörg", 'SC Fulda "Q"'),
        ("Klein, Udo", ""),
    ]


@pytest.mark.parametrize(
    "text",
    ["Name;Verein\n17.;Fulda\n", "17)\n18)\n", "Name\n---\n", "Name;Verein\nMÃ¼ller, Udo;Bonn\n"],
)
def test_what_is_no_name_is_a_fault(text: str) -> None:
    sheet = read_player_list(text.encode())

    assert {fault.place.row for fault in sheet.faults} == {row.number for row in sheet.rows}


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"<html><meta charset=utf-8><table><tr><td>Name</td></tr></table></html>", "web_page"),
        (b'<?xml version="1.0"?><Workbook/>', "web_page"),
        (b'{"format": "tso-tournament", "players": [{"name": "A"}]}', "whole_event"),
    ],
)
def test_file_of_another_kind_is_told_in_one_sentence(content: bytes, code: str) -> None:
    with pytest.raises(FileFaults) as faults:
        read_player_list(content)

    assert [fault.code.name.lower() for fault in faults.value.faults] == [code]


def test_encoding_and_sheet_are_told() -> None:
    assert [remark.code.name for remark in read_player_list(FILES["a Mac"]).remarks] == ["LIST_ENCODING"]
    assert [remark.code.name for remark in read_player_list(FILES["another sheet"]).remarks] == ["ONE_SHEET"]
    assert read_player_list(FILES["Windows"]).remarks == ()


@pytest.mark.parametrize("text", ["Tomášová", "Škoda, Jan", "O’Neill, Rose", "André – Groß", "Łukasz"])
def test_text_in_utf8_is_never_taken_for_another(text: str) -> None:
    assert read_player_list(text.encode()).rows[0].person.name == text


UNKNOWN = "Mitspielende;Woher;Stärke\nMuster, Jörg;SC Fulda;1512\nBeispiel, Änne;SC Köln;1490\n"


@pytest.mark.parametrize(
    "text",
    [
        UNKNOWN,
        "Verein;Wertung;Wer\nSC Fulda;1512;Muster, Jörg\n",
        "Muster;Jörg;SC Fulda;1512\nBeispiel;Änne;SC Köln;1490\n",
        "Wer\nMuster, Jörg\nBeispiel, Änne\n",
        "Wer spielt mit\nMuster, Jörg;SC Fulda\nBeispiel, Änne;SC Köln\n",
        "Muster, Jörg;Fulda;m\nBeispiel, Änne;Köln;w\n",
    ],
)
def test_columns_that_are_not_certain_are_asked_about(text: str, tmp_path: Path) -> None:
    file = tmp_path / "list.csv"
    file.write_bytes(text.encode())

    status, out, err = run("import_players", str(file), "--format", "json", "--language", "en")

    assert (status, {row["fate"] for row in json.loads(out)["rows"]}) == (1, {"fault"})
    assert len(err.splitlines()) == 1
    assert not Player.objects.exists()


def test_title_above_headings_that_are_not_known_is_none_of_them() -> None:
    layout = read_player_list(f"Herbst-Cup\n{UNKNOWN}".encode()).layout

    assert (layout.headings, layout.columns, layout.is_certain) == (1, ("name", "club", "rating"), False)


def test_columns_are_said_once_and_remembered_for_the_headings(tmp_path: Path) -> None:
    file = tmp_path / "list.csv"
    file.write_bytes(UNKNOWN.encode())

    trial, *_ = run("import_players", str(file), "--columns", "name,club,rating", "--dry-run")
    still_unknown, *_ = run("import_players", str(file), "--dry-run")
    said, out, _err = run("import_players", str(file), "--columns", "name,club,rating", "--format", "json")
    again, *_ = run("import_players", str(file), "--dry-run")

    assert (trial, still_unknown, said, again) == (0, 1, 0, 0)
    assert json.loads(out)["columns"] == ["name", "club", "rating"]
    players = Player.objects.select_related("club").order_by("-rating")
    assert [(player.name, str(player.club), player.rating) for player in players] == TWO


def test_columns_name_running_and_federation_numbers(tmp_path: Path) -> None:
    file = tmp_path / "list.csv"
    file.write_bytes("1;'4711;Muster;Jörg;j@example.org\n2;4712?;Beispiel;Änne;\n".encode())

    columns = "number,number:sdev,surname,Vorname,-"
    status, out, _err = run("import_players", str(file), "--columns", columns, "--format", "json")

    assert (status, json.loads(out)["columns"]) == (0, [None, "number", "surname", "given", None])
    numbers = PlayerNumber.objects.order_by("number").values_list("player__name", "system", "number", "is_provisional")
    assert list(numbers) == [
        ("Muster, Jörg", "SDeV", "4711", False),
        ("Beispiel, Änne", "SDeV", "4712", True),
    ]


@pytest.mark.parametrize("columns", ["club,rating", "name,colour", "name,number:" + "x" * 30, ""])
def test_columns_that_cannot_be_are_refused(columns: str, tmp_path: Path) -> None:
    file = tmp_path / "list.csv"
    file.write_bytes(UNKNOWN.encode())

    status, _out, err = run("import_players", str(file), "--columns", columns)

    assert (status, len(err.splitlines()), Player.objects.count()) == (1, 1, 0)
