"""The page of the backups: who may see it, what it lists, what it refuses."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.tournament.backup.conftest import EVENT
from tournament.backup.making import DataCopy, MadeBackup, make_backup
from tournament.backup.places import BackupReason, DataFacts, Installation, get_installation
from tournament.backup.restoring import REQUEST_GATE

PAGE = "/director/tournaments/backups/"


def one_event(_copy: DataCopy, *, known: list[str], journals: bool = True) -> DataFacts:
    return DataFacts({"tournament": ["0001_initial"]}, (EVENT,), {"games.Photo": 3})


@pytest.fixture
def home(tmp_path: Path, settings: Any) -> Iterator[Installation]:
    """A data folder of its own, with a database that no test's connection has open."""
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()
    found = get_installation()
    found.key.write_text("k" * 60)
    with closing(sqlite3.connect(found.database)) as database:
        database.execute("CREATE TABLE said (words TEXT)")
    yield found
    REQUEST_GATE.open()


@pytest.fixture
def made(home: Installation) -> MadeBackup:
    made = make_backup(home, BackupReason.BY_HAND, check=one_event)
    assert made is not None
    return made


def test_only_who_looks_after_the_installation(made: MadeBackup, stranger_client: Client, client: Client) -> None:
    paths = [PAGE, f"{PAGE}look/?file={made.path}", f"{PAGE}download/?file={made.name}"]

    assert [stranger_client.get(path).status_code for path in paths] == [403, 403, 403]
    assert [client.get(path).status_code for path in paths] == [302, 302, 302]
    assert [stranger_client.post(f"{PAGE}{act}/").status_code for act in ("make", "place", "look")] == [403, 403, 403]


def test_backups_are_listed_and_can_be_saved(made: MadeBackup, director_client: Client) -> None:
    page = director_client.get(PAGE).content.decode()
    saved = director_client.get(f"{PAGE}download/?file={made.name}")

    assert "von Hand" in page
    assert f"download/?file={made.name}" in page
    assert b"".join(saved.streaming_content) == made.path.read_bytes()  # type: ignore[attr-defined]  # a file's answer


@pytest.mark.parametrize(
    "name", ["", "state.json", "../secret-key.txt", "tso-abcdef-00009-2026-11-22-120000-start.zip"]
)
@pytest.mark.sampled(1)
def test_nothing_else_can_be_saved(name: str, made: MadeBackup, director_client: Client) -> None:
    assert director_client.get(f"{PAGE}download/", {"file": name}).status_code == 404


def test_look_shows_events_and_asks(made: MadeBackup, director_client: Client) -> None:
    page = director_client.get(f"{PAGE}look/", {"file": str(made.path)}).content.decode()

    assert "Herbst-Cup" in page
    assert "Fotos: 3." in page
    assert f"tso.py restore {made.path}" in page  # no program of a laptop's answers here: the command is shown


def test_look_refuses_what_is_no_backup(home: Installation, director_client: Client) -> None:
    (home.data / "text.zip").write_text("sun")

    page = director_client.get(f"{PAGE}look/", {"file": str(home.data / "text.zip")}).content.decode()

    assert "„text.zip“ ist keine Sicherung dieses Programms." in page
    assert 'id="id_file"' in page


def test_post_restores_only_where_the_program_can_begin_anew(made: MadeBackup, director_client: Client) -> None:
    answer = director_client.post(f"{PAGE}look/", {"file": str(made.path)})

    assert answer.status_code == 200
    assert not get_installation().plan.exists()


def test_second_place_is_named_and_taken_back(home: Installation, director_client: Client, tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()

    wrong = director_client.post(f"{PAGE}place/", {"folder": "/no/such/stick"}).content.decode()
    named = director_client.post(f"{PAGE}place/", {"folder": str(stick)})
    page = director_client.get(PAGE).content.decode()
    director_client.post(f"{PAGE}place/", {"folder": ""})

    assert "„/no/such/stick“ ist kein Ordner" in wrong
    assert named.status_code == 302
    assert f'value="{stick}"' in page
    assert str(stick) not in director_client.get(PAGE).content.decode()


def test_backup_that_goes_while_the_page_is_made_is_left_out(
    made: MadeBackup, home: Installation, director_client: Client
) -> None:
    gone = home.backups / made.path.name.replace("00001", "00002")
    gone.symlink_to(home.backups / "let-go")

    page = director_client.get(PAGE).content.decode()

    assert made.path.name in page
    assert gone.name not in page


def test_home_says_when_the_last_good_backup_was_made(made: MadeBackup, director_client: Client) -> None:
    page = director_client.get("/director/").content.decode()

    assert "Letzte gute Sicherung: gerade eben" in page
    assert f'href="{PAGE}"' in page


def test_home_says_nothing_where_nobody_makes_backups(home: Installation, stranger_client: Client) -> None:
    page = stranger_client.get("/director/").content.decode()

    assert "Sicherung" not in page


def test_closed_doors_ask_to_come_back(home: Installation, director_client: Client) -> None:
    REQUEST_GATE.close(staying=0)
    away = director_client.get("/director/")
    REQUEST_GATE.open()

    assert (away.status_code, away["Retry-After"]) == (503, "5")
    assert "Gleich wieder da" in away.content.decode()
    assert director_client.get("/director/").status_code == 200
