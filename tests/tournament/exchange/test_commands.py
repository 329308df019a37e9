"""The commands that read and write files, as people and programs call them."""

import csv
import io
import json
from pathlib import Path

import pytest

from tests.tournament.exchange import examples
from tests.tournament.exchange.terminal import run
from tournament.models import Entry, Player, Tournament

FOLDER = Path(__file__).parent


@pytest.fixture
def example(db: None) -> Tournament:
    """The contract's example, imported."""
    assert run("import_tournament", str(FOLDER / "example.json"))[0] == 0
    return Tournament.objects.get()


@pytest.mark.django_db
def test_import_prints_the_address_as_json() -> None:
    status, out, err = run("import_tournament", str(FOLDER / "example.json"), "--slug", "neu", "--format", "json")

    assert (status, json.loads(out), err) == (0, {"slug": "neu"}, "")
    assert Tournament.objects.get().slug == "neu"


@pytest.mark.django_db
def test_import_of_a_faulty_file_names_every_fault_and_stores_nothing(tmp_path: Path) -> None:
    file = tmp_path / "faulty.json"
    file.write_text(examples.EXAMPLE.replace('"P04"', '"P05"').replace("431", "43100"), encoding="utf-8")

    status, out, err = run("import_tournament", str(file), "--format", "json")

    assert (status, out) == (1, "")
    assert len(err.splitlines()) == 3
    assert all("player" in line or "pairing" in line for line in err.splitlines())
    assert not Tournament.objects.exists()
    assert not Player.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["nowhere.json", "."])
def test_import_of_what_is_no_file_is_refused(tmp_path: Path, name: str) -> None:
    status, out, err = run("import_tournament", str(tmp_path / name))

    assert (status, out, len(err.splitlines())) == (1, "", 1)


@pytest.mark.django_db
def test_huge_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "huge.json"
    with file.open("wb") as sparse:
        sparse.truncate(200_000_000)

    status, _out, err = run("import_tournament", str(file))

    assert status == 1
    assert "200" in err


def test_import_under_an_address_that_is_taken_is_refused(example: Tournament) -> None:
    status, out, err = run("import_tournament", str(FOLDER / "example.json"))

    assert (status, out) == (1, "")
    assert "herbst-cup-2026" in err
    assert "--slug" in err


def test_export_prints_what_was_imported(example: Tournament, tmp_path: Path) -> None:
    status, out, _err = run("export_tournament", example.slug)
    copy = tmp_path / "copy.json"
    copy.write_text(out, encoding="utf-8")
    run("import_tournament", str(copy), "--slug", "zweiter")

    again = run("export_tournament", "zweiter", "-o", str(tmp_path / "again.json"))

    assert status == again[0] == 0
    assert (tmp_path / "again.json").read_text(encoding="utf-8") == out.replace("herbst-cup-2026", "zweiter")
    assert not list(tmp_path.glob("*.new"))


def test_export_of_what_is_not_there_is_refused(example: Tournament, tmp_path: Path) -> None:
    assert run("export_tournament", "nirgends")[0] == 1
    assert run("export_tournament", example.slug, "-o", str(tmp_path / "no" / "folder.json"))[0] == 1
    (tmp_path / "file").touch()
    assert run("export_tsh", example.slug, "-o", str(tmp_path / "file"))[0] == 1


def test_standings_as_json_follow_the_contract(example: Tournament) -> None:
    status, out, _err = run("standings", example.slug, "--format", "json")

    rows = json.loads(out)
    assert status == 0
    assert rows[0] == {
        "rank": 1,
        "player": "P03",
        "name": "Vorbild, Zoë",
        "wins": 1.0,
        "losses": 0.0,
        "spread": 90,
        "points": 430,
        "games": 1,
        "highest_game": 430,
        "decided_by": None,
    }
    assert [row["decided_by"] for row in rows] == [None, "spread", "spread", "wins", "spread"]


def test_standings_as_csv_are_german_and_have_a_mark(example: Tournament) -> None:
    _status, out, _err = run("standings", example.slug, "--format", "csv")

    assert out.startswith("\ufeff")
    rows = list(csv.reader(io.StringIO(out.removeprefix("\ufeff")), delimiter=";"))
    assert rows[1][1] == "Vorbild, Zoë"


def test_standings_as_table_show_everybody(example: Tournament) -> None:
    _status, out, _err = run("standings", example.slug)

    assert len(out.splitlines()) == 5
    assert "Nguyễn, Linh" in out


def test_standings_before_the_first_round_are_empty_and_after_an_unknown_one_refused(example: Tournament) -> None:
    rows = json.loads(run("standings", example.slug, "--after", "0", "--format", "json")[1])

    assert {row["games"] for row in rows} == {0}
    assert run("standings", example.slug, "--after", "2")[0] == 1
    assert run("standings", example.slug, "--division", "Z")[0] == 1


def test_tsh_event_goes_out_and_comes_back_with_the_same_table(example: Tournament, tmp_path: Path) -> None:
    status = run("export_tsh", example.slug, "-o", str(tmp_path / "tsh"))[0]
    read = run("import_tsh", str(tmp_path / "tsh"), "--slug", "zurueck", "--format", "json")

    assert (status, read[0]) == (0, 0)
    assert json.loads(read[1]) == {"slug": "zurueck", "warnings": []}
    mine, theirs = (json.loads(run("standings", slug, "--format", "json")[1]) for slug in (example.slug, "zurueck"))
    # The withdrawn player keeps the place here and has none in tsh.
    assert [row["name"] for row in theirs] == [row["name"] for row in mine if "Muster" not in row["name"]] + [
        "Muster, Jörg"
    ]
    assert [(row["wins"], row["spread"]) for row in theirs[:4]] == [(1, 90), (1, 50), (1, 43), (0, -140)]


@pytest.mark.django_db
def test_tsh_warnings_are_printed_and_do_not_stop_the_import(tmp_path: Path) -> None:
    (tmp_path / "config.tsh").write_text("division a a.t\nperl print 1\nconfig event_name = 'X'\n")
    (tmp_path / "a.t").write_text("Adam, Al  1500 2; 400\nBeta, Bo  1400 1; 390\n")

    status, out, err = run("import_tsh", str(tmp_path))

    assert (status, len(err.splitlines())) == (0, 1)
    assert "config.tsh" in err
    assert "x" in out


@pytest.mark.django_db
def test_tsh_event_with_contradicting_lines_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.t").write_text("Adam, Al  1500 2; 400\nBeta, Bo  1400 3; 390\nCohn, Cy 1300 2; 380\n")

    status, out, err = run("import_tsh", str(tmp_path / "a.t"))

    assert (status, out) == (1, "")
    assert "1" in err
    assert "2" in err
    assert not Tournament.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("order", "status"),
    [("spread,points,head_to_head", 0), (" points , spread", 0), ("wins", 1), ("spread,spread", 1), ("", 1)],
)
def test_tsh_order_names_criteria(tmp_path: Path, order: str, status: int) -> None:
    (tmp_path / "a.t").write_text("Adam, Al  1500 2; 400\nBeta, Bo  1400 1; 390\n")

    assert run("import_tsh", str(tmp_path / "a.t"), "--order", order)[0] == status


def test_tou_is_written(example: Tournament, tmp_path: Path) -> None:
    status = run("export_tou", example.slug, "-o", str(tmp_path / "event.tou"))[0]

    assert status == 0
    assert (tmp_path / "event.tou").read_bytes().endswith(b"*** END OF FILE ***\r\n")


def test_joined_file_of_all_divisions_comes_back(example: Tournament, tmp_path: Path) -> None:
    status = run("export_t", example.slug, "-o", str(tmp_path / "event.t"))[0]
    read = run("import_tsh", str(tmp_path / "event.t"), "--slug", "zurueck", "--format", "json")

    assert (status, read[0]) == (0, 0)
    assert (tmp_path / "event.t").read_bytes().startswith(b"#division A\n")
    names = [set(event.entries.values_list("player__name", flat=True)) for event in Tournament.objects.all()]
    assert names[0] == names[1]


@pytest.mark.django_db
def test_players_come_into_the_register(tmp_path: Path) -> None:
    file = tmp_path / "players.csv"
    file.write_text("Name;Verein;Wertung;E-Mail\nMuster, Jörg;SC Fulda;1512;j@example.org\n", encoding="cp1252")

    status, _out, err = run("import_players", str(file))

    player = Player.objects.get()
    assert (status, err) == (0, "")
    assert (player.name, player.club and player.club.name, player.rating, player.email) == (
        "Muster, Jörg",
        "SC Fulda",
        1512,
        "j@example.org",
    )


def test_players_are_entered_by_division(example: Tournament, tmp_path: Path) -> None:
    file = tmp_path / "players.csv"
    file.write_text('Name,Division\nNeu 1,A\n"Beispiel, Anna",a\n', encoding="utf-8")

    status, _out, _err = run("import_players", str(file), "--tournament", example.slug)

    assert status == 0
    assert Entry.objects.filter(tournament=example).count() == 6


def test_players_with_faults_are_named_by_row_and_nobody_is_entered(example: Tournament, tmp_path: Path) -> None:
    file = tmp_path / "players.csv"
    file.write_text("Name,Rating,E-Mail,Division\nGut,1500,,A\n,1,,A\nX,viel,kein,Z\n", encoding="utf-8")

    status, out, err = run("import_players", str(file), "--tournament", example.slug)

    assert (status, out) == (1, "")
    assert len(err.splitlines()) == 4
    assert Entry.objects.filter(tournament=example).count() == 5


def test_players_of_an_unknown_division_are_refused(example: Tournament, tmp_path: Path) -> None:
    file = tmp_path / "players.csv"
    file.write_text("Name,Division\nX,Z\n", encoding="utf-8")

    status, _out, err = run("import_players", str(file), "--tournament", example.slug)

    assert (status, "Z" in err) == (1, True)
