"""Lists of players from CSV, workbooks and pasted lines, and the preview of what they would do."""

import io
import zipfile
from typing import Any

import openpyxl
import pytest

from tests import factories
from tournament.basics import limits
from tournament.core.change import TERMINAL_ACTOR
from tournament.entries.operations.entries import enter_player
from tournament.entries.operations.register import Person, add_player
from tournament.exchange.faults import FileFaults
from tournament.exchange.players import (
    PlayerList,
    PlayerRow,
    RowFate,
    preview_player_list,
    read_pasted_player_list,
    read_player_list,
)


def people(sheet: PlayerList) -> list[Person]:
    assert sheet.faults == []
    return [row.person for row in sheet.rows]


def code(content: bytes) -> str:
    """The one fault for which a file is refused."""
    with pytest.raises(FileFaults) as wrong:
        read_player_list(content)
    assert len(wrong.value.faults) == 1
    return wrong.value.faults[0].code.name.lower()


def workbook(*rows: list[Any]) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.worksheets[0].append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


ANN = Person("Müller-Lüdenscheidt, Ann-Kathrin", "SC Fulda", 1512, 73, "a@example.org")


@pytest.mark.parametrize(
    "text",
    [
        "Name;Verein;Wertung;Spiele;E-Mail\nMüller-Lüdenscheidt, Ann-Kathrin;SC Fulda;1512;73;a@example.org\n",
        'Name,Club,Rating,Games,E-mail\n"Müller-Lüdenscheidt, Ann-Kathrin",SC Fulda,1512,73,a@example.org\n',
        "NAME\tVEREIN\tELO\tPartien\tMail\nMüller-Lüdenscheidt, Ann-Kathrin\tSC Fulda\t1512\t73\ta@example.org\n",
        (
            "Nachname;Vorname;Klub;Elo;Turnierspiele;E-Mail\n"
            "Müller-Lüdenscheidt;Ann-Kathrin;SC Fulda;1512;73;a@example.org\n"
        ),
        "Wertung;Verein;Spieler/in;Spiele;email\r\n1512;SC Fulda;Müller-Lüdenscheidt, Ann-Kathrin;73;a@example.org\r\n",
        "\n\nName;Verein;Elo;Spiele;E-Mail\n;;;;\n Müller-Lüdenscheidt,  Ann-Kathrin ;SC Fulda;1512;73;a@example.org",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_table_with_headings_is_read(text: str, encoding: str) -> None:
    assert people(read_player_list(text.encode(encoding))) == [ANN]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Müller, Udo\nÖzil, Cem\n", ["Müller, Udo", "Özil, Cem"]),
        ("Udo Müller\nCem Özil", ["Udo Müller", "Cem Özil"]),
        ("Müller, Udo;Köln\nÖzil, Cem;Bonn", ["Müller, Udo", "Özil, Cem"]),
        ("Spieler\nMüller, Udo\n", ["Müller, Udo"]),
        ("Name\nMüller, Udo\n", ["Müller, Udo"]),
    ],
)
def test_table_without_headings_has_the_name_first(text: str, names: list[str]) -> None:
    assert [person.name for person in people(read_player_list(text.encode()))] == names


@pytest.mark.parametrize(
    ("line", "person"),
    [
        (
            "Müller-Lüdenscheidt, Ann-Kathrin; SC Fulda; 1512",
            Person("Müller-Lüdenscheidt, Ann-Kathrin", "SC Fulda", 1512),
        ),
        ("Ann-Kathrin Müller-Lüdenscheidt", Person("Ann-Kathrin Müller-Lüdenscheidt")),
        ("Mu\u0308ller,\u00a0  Udo", Person("Müller, Udo")),
        ("1. Müller, Udo", Person("Müller, Udo")),
        ("12) Müller, Udo\tKöln\t1400\t30", Person("Müller, Udo", "Köln", 1400, 30)),
        ("- Müller, Udo; u@example.org", Person("Müller, Udo", email="u@example.org")),
        ("Müller, Udo; 0170/1234567; Köln; 1400", Person("Müller, Udo", "Köln", 1400, phone="0170/1234567")),
        ("Müller, Udo; 02211234567; 1400", Person("Müller, Udo", rating=1400, phone="02211234567")),
        ("Müller, Udo; +31 (0)6 12345678", Person("Müller, Udo", phone="+31 (0)6 12345678")),
        ('"Müller, Udo"; 0', Person("Müller, Udo")),
        ("Müller, Udo;; 1400", Person("Müller, Udo", rating=1400)),
        ("Müller, Udo, Köln, 1400", Person("Müller, Udo", "Köln", 1400)),
        ("Udo Müller,Köln,1400", Person("Udo Müller", "Köln", 1400)),
        ("Müller,Udo", Person("Müller, Udo")),
    ],
)
def test_pasted_line_is_read(line: str, person: Person) -> None:
    assert people(read_pasted_player_list(f"\n{line}\n\n")) == [person]


def test_title_may_stand_above_the_headings() -> None:
    content = workbook(["Herbst-Cup"], [], ["Stand", "1.10."], ["Nr", "Name", "Verein"], [1, "Müller, Udo", "Köln"])

    assert people(read_player_list(content)) == [Person("Müller, Udo", "Köln")]


def test_commas_without_headings_separate_where_texts_are_quoted() -> None:
    assert people(read_player_list(b'"A, B",Bonn\n"C, D",Ulm\n')) == [Person("A, B", "Bonn"), Person("C, D", "Ulm")]


def test_pasted_list_may_have_headings() -> None:
    assert people(read_pasted_player_list("Verein;Name\nKöln;Müller, Udo")) == [Person("Müller, Udo", "Köln")]


@pytest.mark.parametrize("heading", ["Telefon", "Tel.", "Handynummer", "Mobiel", "phone number"])
def test_phone_number_is_read_by_its_heading(heading: str) -> None:
    sheet = read_player_list(f"Name;{heading}\nMüller, Udo;0221 12345\nAal, Ida;nachts\n".encode())

    assert sheet.rows[0].person == Person("Müller, Udo", phone="0221 12345")
    assert "Telefonnummer" in sheet.faults[0].sentence


def test_workbook_is_read() -> None:
    content = workbook(
        ["Name", "Verein", "Wertung", "Spiele", "E-Mail"], [*_row(ANN)], [None] * 5, ["Ğ, Ü", None, 1400.0]
    )

    assert people(read_player_list(content)) == [ANN, Person("Ğ, Ü", rating=1400)]


def _row(person: Person) -> list[Any]:
    return [person.name, person.club, person.rating, person.games, person.email]


def test_formulas_of_a_workbook_are_not_worked_out() -> None:
    sheet = read_player_list(workbook(["Name", "Rating"], ["Müller, Udo", "=1+1"], ['=HYPERLINK("http://x")', 3]))

    # No program has shown a value for them yet, so that there is none.
    assert sheet.rows[0].person == Person("Müller, Udo")
    assert [fault.place.row for fault in sheet.faults] == [3]


def test_columns_that_are_not_used_are_named() -> None:
    sheet = read_player_list("Name;Schuhgröße;Verein\nA;43;B\n".encode())

    assert sheet.ignored == ("Schuhgröße",)


def test_divisions_are_read() -> None:
    sheet = read_player_list(b"Name;Gruppe\nA;B\n")

    assert sheet.rows[0].division == "B"


@pytest.mark.parametrize(
    ("line", "faults"),
    [
        ("A;viel;1;", 1),
        ("A;1.512;1;", 1),
        ("A;-1;1;", 1),
        ("A;10000;1;", 1),
        ("A;1;100000;", 1),
        ("A;1;1;keine Adresse", 1),
        (";1;1;", 1),
        (";x;y;z", 4),
        ("A" * 81 + ";1;1;", 1),
        ("A\x07;1;1;", 1),
    ],
)
def test_row_with_faults_names_each_with_its_row(line: str, faults: int) -> None:
    sheet = read_player_list(f"Name;Rating;Games;E-Mail\nGut;1;;\n{line}\n".encode())

    assert [fault.place.row for fault in sheet.faults] == [3] * faults


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "no_players"),
        (b"\n \n", "no_players"),
        (b"Name;Verein\n", "no_players"),
        (b"\xd0\xcf\x11\xe0" + b"\0" * 100, "old_excel"),
        (b"PK\x03\x04 broken", "no_workbook"),
        (b"Name\n" + b"A\n" * 5001, "too_many_rows"),
        (b'"' + b"a" * 200_000, "open_quote"),
        (b"x" * 5_000_001, "too_large"),
        (b"Name\n\x81\n", "not_text"),
        (b'Name\n"' + b"x" * 200_000 + b'"', "not_readable"),
    ],
)
def test_file_that_cannot_be_a_list_is_refused(content: bytes, expected: str) -> None:
    assert code(content) == expected


def test_list_may_have_as_many_rows_as_are_allowed() -> None:
    assert len(read_player_list(b"Name\n" + b"A\n" * (limits.ROWS - 1)).rows) == limits.ROWS - 1


def test_zip_that_is_no_workbook_is_refused() -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as parts:
        parts.writestr("a.txt", "hello")

    assert code(content.getvalue()) == "no_workbook"


def test_zip_bomb_is_refused_before_it_is_unpacked() -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("xl/worksheets/sheet1.xml", b"0" * (limits.UNPACKED_BYTES + 1))

    assert len(content.getvalue()) < 100_000
    assert code(content.getvalue()) == "unpacked_too_large"


def test_zip_of_countless_parts_is_refused() -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as parts:
        for number in range(limits.PARTS + 1):
            parts.writestr(str(number), "")

    assert code(content.getvalue()) == "too_many_files"


def test_many_columns_are_cut_off() -> None:
    sheet = read_player_list(("Name" + ";x" * 500 + "\nA" + ";1" * 500).encode())

    assert len(sheet.ignored) == limits.COLUMNS - 1


def fates(text: str, **more: Any) -> list[RowFate]:
    return [row.fate for row in preview_player_list(read_pasted_player_list(text), factories.organiser().pk, **more)]


@pytest.mark.django_db
def test_preview_says_what_would_happen() -> None:
    for club in ("Köln", "Bonn"):
        add_player(person=Person("Meier, Udo", club=club), actor=TERMINAL_ACTOR)
    add_player(person=Person("Müller, Ann", club="Köln"), actor=TERMINAL_ACTOR)

    rows = preview_player_list(
        read_pasted_player_list(
            "Neu, Ina\nmüller, ann; KÖLN\nMüller, Ann; Köln\nMeier, Udo\nMeier, Udo; Bonn\n; 1400; 99999999"
        ),
        factories.organiser().pk,
    )

    assert [row.fate for row in rows] == [
        RowFate.NEW,
        RowFate.KNOWN,
        RowFate.TWICE,
        RowFate.UNCLEAR,
        RowFate.KNOWN,
        RowFate.FAULTY,
    ]
    assert [row.player.name if row.player else None for row in rows][1] == "Müller, Ann"
    assert all(row.why for row in rows if row.fate in (RowFate.UNCLEAR, RowFate.FAULTY))


@pytest.mark.django_db
def test_preview_knows_who_is_entered() -> None:
    division = factories.event(players=0)
    enter_player(division, person=Person("Müller, Ann"), actor=factories.director())

    assert fates("Müller, Ann\nNeu, Ina", tournament=division.tournament) == [RowFate.ENTERED, RowFate.NEW]


@pytest.mark.django_db
@pytest.mark.parametrize("rows", [1, 50])
def test_preview_takes_two_queries(rows: int, django_assert_num_queries: Any) -> None:
    division = factories.event(players=0)
    sheet = read_pasted_player_list("\n".join(f"Gast {number}" for number in range(rows)))

    with django_assert_num_queries(2):
        found = preview_player_list(sheet, division.tournament.organiser_id, tournament=division.tournament)

    assert found[0].row == PlayerRow(1, Person("Gast 0"))


@pytest.mark.parametrize(
    ("text", "dropped"),
    [
        ("Müller, Udo; Köln; abc", ("abc",)),
        ("Müller, Udo; Köln; 1400; 30; 77", ("77",)),
        ("Müller, Udo; Köln; 1400; a@x.org; b@x.org", ("b@x.org",)),
        ("Müller, Udo; Köln; 1400; 30", ()),
        ("Name;Verein\nMüller, Udo;Köln;1400", ("1400",)),
        ("Name,Verein,Wertung\nMüller, Udo,Köln,1400", ("1400",)),
        ("Name;Verein;Schuhgröße\nMüller, Udo;Köln;43", ()),
        ("Name;Verein;Club\nMüller, Udo;Köln;Bonn", ("Bonn",)),
    ],
)
def test_what_fits_nowhere_is_told(text: str, dropped: tuple[str, ...]) -> None:
    sheet = read_player_list(text.encode()) if "\n" in text else read_pasted_player_list(text)

    assert sheet.rows[0].dropped == dropped


def test_names_without_a_comma_are_asked_about_and_turned_round() -> None:
    sheet = read_pasted_player_list(
        "Udo Müller; Köln\nÖzil, Cem\nMargarethe von der Heide\nMadonna\nLieve De Smet\nJoost van 't Hof"
    )

    unturned = ["Udo Müller", "Margarethe von der Heide", "Lieve De Smet", "Joost van 't Hof"]
    assert [row.person.name for row in sheet.unturned] == unturned
    assert [person.name for person in people(sheet.turned())] == [
        "Müller, Udo",
        "Özil, Cem",
        "von der Heide, Margarethe",
        "Madonna",
        "De Smet, Lieve",
        "van 't Hof, Joost",
    ]
