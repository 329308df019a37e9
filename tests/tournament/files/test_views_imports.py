"""Files in through the browser: lists of players, whole tournaments."""

import io
import json
import re
import zipfile

import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from tournament.core.change import Actor
from tournament.entries.operations.entries import enter_player
from tournament.entries.operations.register import Person
from tournament.events.operations import remove_division
from tournament.models import Division, Entry, Player, Tournament

IMPORT = "/director/tournaments/import/"
REGISTER = "/director/register/players/import/"


@pytest.fixture
def address(cup: Tournament) -> str:
    return f"/director/{cup.slug}/entries/import/"


def file(name: str, content: str | bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content.encode() if isinstance(content, str) else content)


def zipped(files: dict[str, str], folder: str = "") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as parts:
        for name, content in files.items():
            parts.writestr(f"{folder}{name}", content)
    return out.getvalue()


def workbook(*rows: tuple[object, ...]) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_pasted_list_is_shown_first_and_entered_then(four: list[Entry], address: str, doris_client: Client) -> None:
    pasted = "Fuchs, Emil; SC Fulda; 1400\nBeispiel, Anna\nFuchs, Emil; SC Fulda\nBaum, Peter"

    shown = doris_client.post(address, {"text": pasted}).context["preview"]
    before = Entry.objects.count()
    answer = doris_client.post(address, {"text": shown.text, "enter": "yes"})

    assert [row.fate for row in shown.rows] == ["new", "entered", "twice", "new"]
    assert (before, Entry.objects.count()) == (4, 6)
    assert answer["Location"] == "/director/herbst-cup/entries/?division=A"
    assert Entry.objects.get(player__name="Fuchs, Emil").rating == 1400


def test_preview_says_what_is_left_out(four: list[Entry], address: str, doris_client: Client) -> None:
    page = doris_client.post(address, {"text": "Fuchs, Emil; SC Fulda; abc"})

    assert page.context["preview"].dropped == [(1, "abc")]
    assert "Zeile 1: „abc“" in page.content.decode()


@pytest.mark.parametrize(
    "sent",
    [
        {"text": "\nFuchs, Emil; SC Fulda; abc\n\nBaum, Peter; Bonn; 99999"},
        {"file": file("liste.csv", "\nFuchs, Emil;SC Fulda;abc\n\nBaum, Peter;Bonn;99999")},
        {"file": file("liste.csv", "\nName;Verein\n\nBaum, Peter;Bonn;Bad Bonn")},
    ],
    ids=["pasted", "file", "file with headings"],
)
@pytest.mark.sampled(1)
def test_lines_keep_their_numbers_and_what_was_left_out_when_they_are_looked_at_again(
    sent: dict[str, str], address: str, doris_client: Client
) -> None:
    first = doris_client.post(address, sent)
    again = doris_client.post(address, {"text": first.context["form"]["text"].value()})

    for page in (first, again):
        shown = page.context["preview"]
        assert [row.row.number for row in shown.rows][-1] == 4
        assert shown.dropped in ([(2, "abc")], [(4, "Bad Bonn")])
    assert list(map(str, again.context["preview"].faults)) == list(map(str, first.context["preview"].faults))


def test_preview_tells_whose_letters_no_font_has(four: list[Entry], address: str, doris_client: Client) -> None:
    page = doris_client.post(address, {"text": "Name\nHanako, 花子\nŁuczak, Żaneta\n"}).content.decode()

    (told,) = re.findall(r'<p class="note note-warn">\s*([^<]*□[^<]*)', page)
    assert "Hanako, 花子" in told
    assert "Łuczak" not in told


def test_names_without_a_comma_are_asked_about_before_they_are_entered(
    four: list[Entry], address: str, doris_client: Client
) -> None:
    asked = doris_client.post(address, {"text": "Emil Fuchs; SC Fulda\nBaum, Peter"}).context["preview"]
    turned = doris_client.post(address, {"text": asked.text, "turn": "yes"}).context["preview"]
    doris_client.post(address, {"text": turned.text, "enter": "yes"})

    assert (asked.unturned, turned.unturned) == (["Emil Fuchs"], [])
    assert Entry.objects.filter(player__name="Fuchs, Emil", club__name="SC Fulda").exists()
    assert not Player.objects.filter(name="Emil Fuchs").exists()


def test_names_without_a_comma_can_stay(four: list[Entry], address: str, doris_client: Client) -> None:
    doris_client.post(address, {"text": "Emil Fuchs", "enter": "yes"})

    assert Entry.objects.filter(player__name="Emil Fuchs").exists()


def test_list_sent_twice_enters_once(four: list[Entry], address: str, doris_client: Client) -> None:
    for _ in range(2):
        doris_client.post(address, {"text": "Fuchs, Emil\nBaum, Peter", "enter": "yes"})

    assert Entry.objects.count() == 6


@pytest.mark.parametrize(
    "sent",
    [
        file("liste.csv", "Name;Verein;Rating;Gruppe\nFuchs, Emil;SC Köln;1400;B\n"),
        file("liste.csv", "Nachname,Vorname,Verein,Elo,Gruppe\r\nFuchs,Emil,SC Köln,1400,b\r\n".encode("cp1252")),
        file("liste.xlsx", workbook(("Name", "Verein", "Rating", "Gruppe"), ("Fuchs, Emil", "SC Köln", 1400, "B"))),
    ],
    ids=["csv", "cp1252", "xlsx"],
)
@pytest.mark.sampled(1)
def test_file_is_entered_as_shown(sent: SimpleUploadedFile, address: str, doris_client: Client) -> None:
    sent.seek(0)
    shown = doris_client.post(address, {"file": sent}).context["preview"]

    doris_client.post(address, {"text": shown.text, "enter": "yes"})

    entry = Entry.objects.select_related("player", "club", "division").get()
    assert (entry.name, str(entry.club), entry.rating, entry.division.name) == ("Fuchs, Emil", "SC Köln", 1400, "B")


def test_list_with_a_fault_enters_nobody_even_if_asked_to(address: str, doris_client: Client) -> None:
    pasted = "Fuchs, Emil; SC Fulda; 1400\nBaum, Peter; Bonn; 99999"

    answer = doris_client.post(address, {"text": pasted, "enter": "yes"})

    page = answer.content.decode()
    assert len(answer.context["preview"].faults) == 1
    assert "99999" in page
    assert 'name="enter"' not in page
    assert "Fuchs, Emil; SC Fulda; 1400" in page
    assert "Baum, Peter; Bonn; 99999" in page
    assert not Entry.objects.exists()


def test_faulty_cell_stays_as_written_to_be_corrected(address: str, doris_client: Client) -> None:
    sent = file("liste.csv", "Name;Elo\nFuchs, Emil;1,234\n")

    shown = doris_client.post(address, {"file": sent}).context["preview"]
    again = doris_client.post(address, {"text": shown.text, "enter": "yes"}).context["preview"]
    doris_client.post(address, {"text": again.text.replace("1,234", "1234"), "enter": "yes"})

    assert shown.text == "Name;Verein;Wertungszahl;Turnierspiele;E-Mail;Telefon;Gruppe\nFuchs, Emil;;1,234;;;;\n"
    assert len(again.faults) == 1
    assert Entry.objects.get().rating == 1234


def test_list_with_an_unknown_division_enters_nobody(address: str, doris_client: Client) -> None:
    answer = doris_client.post(address, {"text": "Name;Division\nFuchs, Emil;Z", "enter": "yes"})

    assert [fault.code.name.lower() for fault in answer.context["preview"].faults] == ["unknown_division"]
    assert not Entry.objects.exists()


def test_list_with_an_ambiguous_name_enters_nobody(
    four: list[Entry], division: Division, doris: Actor, address: str, doris_client: Client
) -> None:
    enter_player(division, person=Person("Beispiel, Anna", club="SC Bonn"), actor=doris)

    answer = doris_client.post(address, {"text": "Fuchs, Emil\nBeispiel, Anna", "enter": "yes"})

    assert [row.fate for row in answer.context["preview"].rows] == ["new", "unclear"]
    assert Entry.objects.count() == 5


def test_nothing_sent_is_said(address: str, doris_client: Client) -> None:
    answer = doris_client.post(address, {"text": " \n "})

    assert list(answer.context["form"].errors) == ["__all__"]


@pytest.mark.parametrize(
    "sent",
    [
        file("x.csv", b""),
        file("x.xlsx", b"PK\x03\x04broken"),
        file("x.csv", b"\xff\xfe\x00"),
    ],
)
@pytest.mark.sampled(1)
def test_file_that_is_no_list_is_refused(sent: SimpleUploadedFile, address: str, doris_client: Client) -> None:
    sent.seek(0)

    answer = doris_client.post(address, {"file": sent})

    assert answer.status_code == 200
    assert answer.context["form"].errors or answer.context["preview"].faults or answer.context["preview"].rows
    assert not Player.objects.exists()


def test_picture_as_a_list_is_shown_with_its_faults(address: str, doris_client: Client) -> None:
    picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0(\0\0\0\x14\x10\0"

    for place in (address, REGISTER):
        answer = doris_client.post(place, {"file": file("foto.csv", picture), "enter": "yes"})

        assert answer.status_code == 200
    assert not Player.objects.filter(name__contains="PNG").exists()


def test_cells_that_are_markup_or_formulas_stay_text(address: str, doris_client: Client) -> None:
    pasted = '<script>alert(1)</script>; <b>\n=HYPERLINK("http://example.org")'

    shown = doris_client.post(address, {"text": pasted})
    doris_client.post(address, {"text": shown.context["preview"].text, "enter": "yes"})

    assert "<script>alert" not in shown.content.decode()
    names = Entry.objects.in_order().values_list("player__name", flat=True)
    assert list(names) == ["<script>alert(1)</script>", '=HYPERLINK("http://example.org")']


def test_names_with_separators_come_through_the_preview(address: str, doris_client: Client) -> None:
    sent = file("liste.xlsx", workbook(("Name", "Verein"), ('Fuchs; "Emil"', "SC\tFulda, e. V.")))

    shown = doris_client.post(address, {"file": sent}).context["preview"]
    doris_client.post(address, {"text": shown.text, "enter": "yes"})

    entry = Entry.objects.select_related("player", "club").get()
    assert (entry.name, str(entry.club)) == ('Fuchs; "Emil"', "SC Fulda, e. V.")


@pytest.mark.parametrize("number", [1, 3])
def test_preview_takes_the_same_queries_for_any_number(
    number: int, address: str, doris_client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    pasted = "\n".join(("Fuchs, Emil", "Baum, Peter", "Eriksen, Åse")[:number])

    with django_assert_num_queries(9):
        doris_client.post(address, {"text": pasted})


def test_register_list_writes_what_it_states(four: list[Entry], doris_client: Client) -> None:
    pasted = "Name;Verein;Rating;E-Mail\nBeispiel, Anna;SC Fulda;1600;anna@example.org\nFuchs, Emil;;;"

    shown = doris_client.post(REGISTER, {"text": pasted}).context["preview"]
    answer = doris_client.post(REGISTER, {"text": shown.text, "enter": "yes"})

    anna = Player.objects.get(name="Beispiel, Anna")
    assert [row.fate for row in shown.rows] == ["known", "new"]
    assert answer["Location"] == "/director/register/players/"
    assert (anna.rating, anna.email, Player.objects.count()) == (1600, "anna@example.org", 5)


def test_register_list_with_a_fault_writes_nothing(doris_client: Client) -> None:
    doris_client.post(REGISTER, {"text": "Fuchs, Emil\nBaum, Peter; Bonn; -5; x@", "enter": "yes"})

    assert not Player.objects.exists()


def test_tournament_file_under_a_free_address(saved: str, cup: Tournament, doris_client: Client) -> None:
    answer = doris_client.post(IMPORT, {"sent": [file("cup.json", saved)]})

    made = Tournament.objects.get(slug="herbst-cup-2")
    assert answer["Location"] == "/director/herbst-cup-2/"
    assert (made.name, made.entries.count(), Player.objects.count()) == ("Herbst-Cup", 4, 4)
    assert doris_client.get("/director/herbst-cup-2/").status_code == 200


def test_tournament_file_sent_twice_is_read_once(saved: str, doris_client: Client) -> None:
    for _ in range(2):
        doris_client.post(IMPORT, {"sent": [file("cup.json", saved)], "once": "t1"})

    assert Tournament.objects.count() == 2


def test_tournament_file_with_faults_lists_them_all_and_stores_nothing(
    saved: str, cup: Tournament, doris_client: Client
) -> None:
    event = json.loads(saved)
    event |= {"minutes": 31, "colour": "green", "ruleset": "tso-1875"}

    answer = doris_client.post(IMPORT, {"sent": [file("cup.json", json.dumps(event, indent=1))]})

    page = answer.content.decode()
    assert {"unknown_key", "unknown_ruleset"} <= {fault.code.name.lower() for fault in answer.context["faults"]}
    assert all(fault.place.line for fault in answer.context["faults"])
    assert "colour" in page
    assert list(Tournament.objects.all()) == [cup]


@pytest.mark.parametrize(
    "sent",
    [
        [file("a.json", "{")],
        [file("a.json", "[]")],
        [file("a.zip", b"PK\x03\x04nothing")],
        [file("a.t", "Beispiel, Anna 1500 2; 400\nMuster, Jörg 1400 3; 300\n")],
        [file("a.t", "Beispiel, Anna 1500"), file("b.t", "Muster, Jörg 1400")],
        [file(".t", "Beispiel, Anna 1500 9; 400\n")],
        [file("a.t", "Beispiel, Anna 1500\nMuster, Jörg 1400\n"), file("a.t", "Dritte, Ida 1300\nVierte, Ute 1200\n")],
        [
            file(
                "two.zip",
                zipped(
                    {
                        "x/a.t": "Beispiel, Anna 1500\nMuster, Jörg 1400\n",
                        "y/a.t": "Dritte, Ida 1300\nVierte, Ute 1200\n",
                    }
                ),
            )
        ],
    ],
    ids=["half", "list", "zip", "contradiction", "no config", "odd name", "two of one name", "two in a zip"],
)
def test_files_that_are_no_tournament_are_refused(sent: list[SimpleUploadedFile], doris_client: Client) -> None:
    for each in sent:
        each.seek(0)
    before = Tournament.objects.count()

    answer = doris_client.post(IMPORT, {"sent": sent})

    assert answer.status_code == 200
    assert len(answer.context["faults"]) >= 1
    assert Tournament.objects.count() == before


def test_no_file_is_said(doris_client: Client) -> None:
    assert list(doris_client.post(IMPORT, {"tso_order": "on"}).context["form"].errors) == ["sent"]


TSH = {
    "config.tsh": "division A a.t\nconfig event_name = 'Winter-Cup'\nconfig max_rounds = 2\n",
    "a.t": "Beispiel, Anna 1500 2; 420\nMuster, Joerg 1400 1; 380\n",
}


@pytest.mark.parametrize(
    "sent",
    [
        [file(name, content) for name, content in TSH.items()],
        [file("cup.zip", zipped(TSH))],
        [file("cup.zip", zipped(TSH, "deep/in/it/"))],
        [file("cup.zip", zipped({**{f"cup/{name}": text for name, text in TSH.items()}, "cup/html/a.t": "nonsense"}))],
    ],
    ids=["several files", "zip", "folder in a zip", "other files deeper"],
)
@pytest.mark.sampled(1)
def test_files_of_tsh(sent: list[SimpleUploadedFile], doris_client: Client) -> None:
    for each in sent:
        each.seek(0)

    answer = doris_client.post(IMPORT, {"sent": sent})

    made = Tournament.objects.get(slug="winter-cup")
    assert (answer["Location"], made.name, made.entries.count()) == ("/director/winter-cup/", "Winter-Cup", 2)


def test_one_file_of_tsh_by_the_tsos_criteria(doris_client: Client) -> None:
    doris_client.post(IMPORT, {"sent": [file("a.t", TSH["a.t"])], "tso_order": "on"})

    made = Tournament.objects.get(slug="a")
    assert (made.ties, made.order) == ("tso", ["spread", "points", "head_to_head"])


def test_zip_that_unpacks_to_too_much_is_refused(doris_client: Client) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("a.t", b"0" * 21_000_000)

    answer = doris_client.post(IMPORT, {"sent": [file("bomb.zip", out.getvalue())]})

    assert [fault.code.name.lower() for fault in answer.context["faults"]] == ["unpacked_too_large"]


def test_zip_with_too_many_files_is_refused(doris_client: Client) -> None:
    answer = doris_client.post(IMPORT, {"sent": [file("x.zip", zipped({f"{n}.t": "" for n in range(501)}))]})

    assert [fault.code.name.lower() for fault in answer.context["faults"]] == ["too_many_files"]


def test_what_is_saved_for_tsh_is_read_again(saved: str, cup: Tournament, doris: Actor, doris_client: Client) -> None:
    remove_division(cup.divisions.get(name="B"), actor=doris)
    content = doris_client.get(f"/director/{cup.slug}/export/tsh/").content

    answer = doris_client.post(IMPORT, {"sent": [file("herbst-cup-tsh.zip", content)]})

    assert answer.status_code == 302, [str(fault) for fault in answer.context["faults"]]
    made = Tournament.objects.exclude(pk=cup.pk).get()
    assert (made.name, made.entries.count()) == ("Herbst-Cup", 4)


UNKNOWN = "Mitspielende;Woher;Stärke\nMuster, Jörg;SC Fulda;1512\nBeispiel, Änne;SC Köln;1490\n"


@pytest.mark.parametrize("way", ["file", "text"])
def test_columns_that_are_not_certain_are_chosen_first(way: str, address: str, doris_client: Client) -> None:
    sent = {"text": UNKNOWN} if way == "text" else {"file": file("liste.csv", UNKNOWN)}

    asked = doris_client.post(address, {**sent, "enter": "yes"})
    questions = asked.context["questions"]
    choice = {"text": questions.text, "headings": questions.headings, "column": ["name", "club", "rating"]}
    shown = doris_client.post(address, {**choice, "arrange": "yes"}).context["preview"]
    answer = {"text": shown.text, "column": list(shown.columns), "headings": shown.sheet.headings, "enter": "yes"}
    doris_client.post(address, answer)

    assert asked.context["preview"] is None
    assert [column["column"] for column in questions.columns] == ["name", "club", "rating"]
    assert questions.columns[0]["cells"] == ["Muster, Jörg", "Beispiel, Änne"]
    assert "Welche Spalte ist was?" in asked.content.decode()
    entries = Entry.objects.order_by("-rating").values_list("player__name", "club__name", "rating")
    assert list(entries) == [("Muster, Jörg", "SC Fulda", 1512), ("Beispiel, Änne", "SC Köln", 1490)]


def test_answer_is_remembered_for_lists_with_the_same_headings(address: str, doris_client: Client) -> None:
    choice = {"text": UNKNOWN, "headings": "1", "column": ["name", "-", "number:SDeV"], "arrange": "yes"}
    doris_client.post(address, choice)
    other = UNKNOWN.replace("Muster, Jörg", "Fuchs, Emil").replace("Mitspielende;", "MITSPIELENDE;")

    here = doris_client.post(address, {"text": other}).context["preview"]
    register = doris_client.post(REGISTER, {"file": file("liste.csv", other)}).context["preview"]

    for preview in (here, register):
        people = [(row.row.person.name, row.row.person.club, str(row.row.person.numbers[0])) for row in preview.rows]
        assert people == [("Fuchs, Emil", "", "SDeV 1512"), ("Beispiel, Änne", "", "SDeV 1490")]


@pytest.mark.parametrize("columns", [["-", "club"], ["nonsense", "name"], ["name"] * 99])
@pytest.mark.sampled(1)
def test_columns_that_cannot_be_are_asked_about_again_or_refused(
    columns: list[str], address: str, doris_client: Client
) -> None:
    choice = {"text": "Muster;Fulda\nFuchs;Bonn", "headings": "", "column": columns}

    for button in ("arrange", "enter"):
        answer = doris_client.post(address, {**choice, button: "yes"})

        if "name" not in columns:
            assert answer.context["questions"].lacks_names
        elif "nonsense" in columns:
            assert answer.context["form"].errors
    assert Entry.objects.count() == (2 if len(columns) == 99 else 0)


@pytest.mark.parametrize(
    "sent",
    [
        file("a.t", "Muster, Jörg 1512 2; 400\nFuchs, Emil 1400 1; 380\n"),
        file("config.tsh", "division A a.t\n"),
        file("cup.json", '{"format": "tso-tournament", "players": [{"name": "A"}]}'),
    ],
)
@pytest.mark.sampled(1)
def test_whole_event_among_the_lists_is_sent_to_its_page(
    sent: SimpleUploadedFile, address: str, doris_client: Client
) -> None:
    for page in (address, REGISTER):
        sent.seek(0)
        answer = doris_client.post(page, {"file": sent})

        assert len(answer.context["form"].errors["file"]) == 1
        assert f'href="{IMPORT}' in answer.content.decode()


@pytest.mark.parametrize(
    "sent",
    [
        file("liste.csv", "Name;Verein\nMuster, Jörg;Fulda\n"),
        file("liste.xlsx", workbook(("Name", "Verein"), ("Muster, Jörg", "Fulda"))),
        file("liste.json", '[{"name": "Muster, Jörg", "club": "Fulda"}]'),
    ],
)
def test_list_among_the_whole_events_is_sent_to_its_page(sent: SimpleUploadedFile, doris_client: Client) -> None:
    sent.seek(0)
    answer = doris_client.post(IMPORT, {"sent": sent})

    assert [fault.code.name for fault in answer.context["faults"]] == ["PLAYER_LIST"]
    assert f'href="{REGISTER}' in answer.content.decode()


def test_new_name_of_a_number_is_shown_before_it_is_taken(doris_client: Client) -> None:
    doris_client.post(REGISTER, {"text": "Name;SDeV\nKöhler, Anna;4711", "enter": "yes"})

    page = doris_client.post(REGISTER, {"text": "Name;SDeV\nKöhler-Meier, Anna;4711"}).content.decode()

    assert "Köhler, Anna → Köhler-Meier, Anna" in " ".join(page.split())
