"""Backups that still hold a deleted name: found whatever the block, listed, let go after a new one was made."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.refusals import refuses
from tests.tournament.backup.conftest import Check, say
from tournament.backup import forgotten_names
from tournament.backup.forgotten_names import NameSearch, get_name_search, let_backups_go
from tournament.backup.making import make_backup
from tournament.backup.places import BackupReason, Installation, list_backups, prepare_second_place, save_second_place

NAME, PAGE = "Vergißmein, Özge", "/director/tournaments/backups/"


def save(home: Installation, check: Check) -> str:
    made = make_backup(home, BackupReason.BY_HAND, check=check)
    assert made is not None
    return str(made.name)


def write_anew(home: Installation, before: str, after: str) -> None:
    """Put other words in a row, as forgetting does."""
    with closing(sqlite3.connect(home.database)) as database, database:
        database.execute("PRAGMA secure_delete = ON")
        database.execute("UPDATE said SET words = replace(words, ?, ?)", [before, after])
        database.commit()
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def search_for(home: Installation, *names: str) -> NameSearch:
    search = NameSearch()
    search.add(names)
    search.go_on(home)
    return search


@pytest.mark.parametrize(
    ("stored", "sought", "is_found"),
    [
        (NAME, NAME, True),
        ("Tisch 3: Özge Vergißmein bittet", NAME, True),
        ("vergissmein, ozge", NAME, True),
        ('{"name": "Vergi\\u00dfmein, \\u00d6zge"}', NAME, True),
        ("Vergißmein, Ada", NAME, False),
        ('{"name": "Bo"}', "Bo", True),
        ("Boot", "Bo", False),
        ("ada@example.org", "ada@example.org", True),
    ],
)
def test_names_are_found_as_they_are_stored(
    home: Installation, fine: Check, stored: str, sought: str, *, is_found: bool
) -> None:
    say(home, stored)
    save(home, fine)

    search = search_for(home, sought)

    assert bool(search.backups) is is_found
    assert bool(search.texts) is is_found  # a name that nothing holds is not kept, either


def test_a_name_across_two_blocks_is_found(home: Installation, fine: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    say(home, NAME)
    save(home, fine)
    for size in (7, 64, 100):
        monkeypatch.setattr(forgotten_names, "BLOCK_BYTES", size)
        assert len(search_for(home, NAME).backups) == 1


def test_backups_go_after_one_without_the_name(home: Installation, fine: Check, tmp_path: Path) -> None:
    place = tmp_path / "stick"
    place.mkdir()
    prepare_second_place(home, place)
    save_second_place(home, place)
    before = save(home, fine)
    say(home, NAME)
    named = save(home, fine)
    (home.data / "before-restore-1").mkdir()
    (home.data / "before-restore-1" / "tso.sqlite3").write_bytes(NAME.encode())
    write_anew(home, NAME, "Spieler 48213")
    search = search_for(home, NAME)
    assert [path for path, _name in search.backups] == [home.backups / named, place / named]
    assert search.folders == [home.data / "before-restore-1"]

    assert let_backups_go(home, search, check=fine) == 2

    left = [str(name) for name in list_backups(home.backups)]
    assert (len(left), left[1]) == (2, before)
    assert [str(name) for name in list_backups(place)] == left
    search.go_on(home)
    assert (search.backups, search.is_complete) == ([], True)


def test_nothing_goes_while_the_data_have_faults(home: Installation, fine: Check, faulty: Check) -> None:
    say(home, NAME)
    named = save(home, fine)

    with refuses("no_clean_backup"):
        let_backups_go(home, search_for(home, NAME), check=faulty)

    assert named in [str(name) for name in list_backups(home.backups)]


def test_a_damaged_backup_may_hold_it(home: Installation, fine: Check) -> None:
    name = save(home, fine)
    (home.backups / name).write_bytes(b"PK cut off")

    assert len(search_for(home, NAME).backups) == 1


def test_looking_takes_no_longer_than_one_may_wait(home: Installation, fine: Check) -> None:
    say(home, NAME)
    for _number in range(3):
        save(home, fine)
    search = NameSearch()
    search.add([NAME])

    seen = []
    while not search.is_complete:
        search.go_on(home, seconds=0)
        seen.append((len(search.holding), search.total))

    assert seen == [(1, 3), (2, 3), (3, 3)]


@pytest.fixture
def looked_for(home: Installation, fine: Check, settings: Any) -> Iterator[Installation]:
    """A name that this process looks for, in two backups."""
    settings.DATA_DIR = home.data
    say(home, NAME)
    save(home, fine)
    save(home, fine)
    get_name_search().add([NAME])
    yield home
    get_name_search().texts = frozenset()


def test_page_lists_what_holds_the_name_and_never_says_it(looked_for: Installation, director_client: Client) -> None:
    page = director_client.get(PAGE).content.decode()

    assert "2 Sicherungen enthalten noch einen gelöschten Namen" in page
    assert f'action="{PAGE}names/"' in page
    assert "Vergißmein" not in page


def test_page_says_how_far_it_has_looked(
    looked_for: Installation, director_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tournament.backup.views.SEARCH_SECONDS", 0)

    answer = director_client.get(PAGE)

    assert "1 von 2" in answer.content.decode()
    assert answer["Refresh"] == "0"


def test_only_who_looks_after_the_installation_deletes_them(
    looked_for: Installation, stranger_client: Client, client: Client
) -> None:
    assert stranger_client.post(f"{PAGE}names/").status_code == 403
    assert client.post(f"{PAGE}names/").status_code == 302
    assert len(list_backups(looked_for.backups)) == 2
