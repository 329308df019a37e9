"""`restore` over a database that is lost, run as a director runs it."""

import json
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.terminal import ROOT, Terminal
from tournament.backup.health import accept_missing_entries, renew_mark
from tournament.backup.places import Installation
from tournament.backup.restoring import inspect_backup
from tournament.basics.version import get_version


@pytest.fixture(scope="module")
def entered_once(made_once: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """A data folder with a backup and two results entered after it, to be copied, not used; the backup's name; and the
    table of the event as JSON."""
    data = tmp_path_factory.mktemp("entered") / "data"
    shutil.copytree(made_once, data)
    with Terminal(data) as terminal:
        terminal.run("demo", "--players", "8", "--rounds", "3", "--played", "1")
        made = json.loads(terminal.run("backup", "--format", "json").stdout)
        for table in ("3", "4"):
            done = terminal.run("result", "herbst-cup", "2", table, "401", "302")
            assert done.returncode == 0, done.stderr
        standings = terminal.run("standings", "herbst-cup", "--format", "json").stdout
    (data / "uploads").mkdir(exist_ok=True)
    (data / "uploads" / "later.jpg").write_bytes(b"later")
    return data, str(Path(made["file"]).relative_to(data)), standings


@dataclass(frozen=True, slots=True)
class Entered:
    """Such a folder of one's own, its backup's path, the table, and a terminal over it."""

    data: Path
    backup: str
    standings: str
    terminal: Terminal

    def read_standings(self) -> str:
        return self.terminal.run("standings", "herbst-cup", "--format", "json").stdout

    def restore(self) -> subprocess.CompletedProcess[str]:
        return self.terminal.run("restore", self.backup, "--yes")


@pytest.fixture
def entered(entered_once: tuple[Path, str, str], tmp_path: Path) -> Iterator[Entered]:
    folder, backup, standings = entered_once
    data = shutil.copytree(folder, tmp_path / "data")
    with Terminal(data) as terminal:
        yield Entered(data, str(data / backup), standings, terminal)


def put_database_of_the_backup_back(entered: Entered) -> None:
    """An older database in its place, as when a `-wal` was lost."""
    (entered.data / "tso.sqlite3-mark").unlink(missing_ok=True)
    with ZipFile(entered.backup) as packed:
        (entered.data / "tso.sqlite3").write_bytes(packed.read("tso.sqlite3"))


@pytest.mark.long
def test_what_was_entered_after_the_backup_comes_back(entered: Entered) -> None:
    """Also from the same backup once more: what was noted before the first loss stands beside what was noted after."""
    data, run = entered.data, entered.terminal.run
    (data / "tso.sqlite3").unlink()
    refused = run("standings", "herbst-cup")

    done = entered.restore()

    assert f"restore {entered.backup}" in refused.stderr
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"is restored as well: 2 journal entries\.", done.stdout)
    assert "Names and passwords are those of the backup again." in done.stdout
    assert entered.read_standings() == entered.standings
    assert run("journal", "herbst-cup", "--verify").returncode == 0
    assert (data / "uploads" / "later.jpg").read_bytes() == b"later"

    run("publish", "herbst-cup", "2")
    run("result", "herbst-cup", "2", "3", "444", "333")
    standings = entered.read_standings()
    (data / "tso.sqlite3").unlink()

    assert "is restored as well: 3 journal entries." in entered.restore().stdout
    assert entered.read_standings() == standings != entered.standings


@pytest.mark.long
def test_notes_of_another_installation_are_left_alone(made_once: Path, entered: Entered, tmp_path: Path) -> None:
    other = shutil.copytree(made_once, tmp_path / "other", ignore=shutil.ignore_patterns("secret-key.txt"))
    with Terminal(other) as terminal:
        terminal.run("demo", "--players", "8", "--rounds", "3", "--played", "2")
    shutil.rmtree(entered.data / "entered")
    shutil.copytree(other / "entered", entered.data / "entered")
    (entered.data / "tso.sqlite3").unlink()

    done = entered.restore()

    assert done.returncode == 0
    assert "is restored as well" not in done.stdout
    assert "please check the last results." in done.stdout


@pytest.mark.long
def test_what_commands_alone_have_entered_is_in_a_backup_or_comes_back(used_folder: Path, tmp_path: Path) -> None:
    with Terminal(used_folder) as terminal:
        terminal.run("demo", "--players", "8", "--rounds", "3", "--played", "1")
        (backup,) = (used_folder / "backups").glob("*.zip")
        terminal.run("result", "herbst-cup", "2", "3", "401", "302")
        table = terminal.run("standings", "herbst-cup", "--format", "json").stdout
        (used_folder / "tso.sqlite3").unlink()

        assert terminal.run("restore", str(backup), "--yes").returncode == 0
        assert terminal.run("standings", "herbst-cup", "--format", "json").stdout == table

        terminal.run("export_event", "herbst-cup", "-o", str(tmp_path / "cup.zip"))
        done = terminal.run("import_event", str(tmp_path / "cup.zip"), "--slug", "carried")

    assert done.returncode == 0, done.stderr
    newest = max((used_folder / "backups").glob("*.zip"))
    assert "carried" in {event.slug for event in inspect_backup(newest).facts.events}


@pytest.mark.long
def test_deleted_event_does_not_spoil_the_count(entered: Entered) -> None:
    """An event that is deleted again takes its entries along; those that were done are counted."""
    code = (
        "from tournament.models import Tournament; "
        "from tournament.backup.keeper import back_up_before_hard_steps; "
        "from tournament.backup.places import get_installation; "
        "from tournament.core.change import TERMINAL_ACTOR; "
        "from tournament.events.operations import delete_tournament\n"
        "with back_up_before_hard_steps(get_installation(), tell=print):\n"
        "    cup = Tournament.objects.get(); "
        "delete_tournament(cup, typed_name=cup.name, actor=TERMINAL_ACTOR)"
    )
    deleted = entered.terminal.run_code(code)
    (entered.data / "tso.sqlite3").unlink()

    done = entered.restore()

    assert (deleted.returncode, deleted.stderr) == (0, "")
    assert "is restored as well: 3 journal entries." in done.stdout, done.stdout + done.stderr


@pytest.mark.long
def test_whoever_goes_back_on_purpose_gets_what_was_then(entered: Entered) -> None:
    done = entered.restore()

    assert done.returncode == 0
    assert "is restored as well" not in done.stdout
    assert entered.terminal.run("result", "herbst-cup", "2", "3", "500", "200").returncode == 0


@pytest.mark.long
def test_letter_turned_is_told_and_comes_back(entered: Entered) -> None:
    run = entered.terminal.run
    looks = (("check_data",), ("journal", "herbst-cup", "--verify"), ("backup",))
    with closing(sqlite3.connect(entered.data / "tso.sqlite3")) as database, database:
        database.execute("UPDATE tournament_player SET name = 'X' || substr(name, 2) WHERE id = 1")
    told_of_register = [run(*words) for words in looks]
    restored = entered.restore()
    whole, standings = run("check_data"), entered.read_standings()
    with closing(sqlite3.connect(entered.data / "tso.sqlite3")) as database, database:
        database.execute("UPDATE tournament_journalentry SET by_name = 'Xerminal' WHERE verb = 'publish_round'")
    told_of_journal = [run(*words) for words in looks]

    for done in told_of_register:
        assert done.returncode == 1
        assert "player 1.name: " in done.stderr
        assert f"restore {entered.backup}" in done.stderr
    assert "is restored as well: 2 journal entries." in restored.stdout
    assert (whole.returncode, standings) == (0, entered.standings)
    for done in told_of_journal:
        assert done.returncode == 1
        assert ".by_name ≠ entered" in done.stderr
        assert f"restore {entered.backup}" in done.stderr


@pytest.mark.long
def test_migration_that_nobody_made_is_damage_and_loses_nothing(entered: Entered) -> None:
    (entered.data / "version.json").write_text(json.dumps({"version": get_version()}))
    with closing(sqlite3.connect(entered.data / "tso.sqlite3")) as database, database:
        database.execute("UPDATE django_migrations SET name = '0001_urer' WHERE app = 'auth' AND name = '0001_initial'")

    assert "is restored as well: 2 journal entries." in entered.restore().stdout


@pytest.mark.long
def test_files_damaged_at_random_are_told_or_no_worse() -> None:
    words = [sys.executable, "-m", "benchmarks.damages", "--damages", "8", "--seed", "3"]

    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, ""), done.stdout


@pytest.mark.long
def test_damaged_schema_is_told_with_the_way_back(entered: Entered) -> None:
    content = (entered.data / "tso.sqlite3").read_bytes()
    (entered.data / "tso.sqlite3").write_bytes(content.replace(b"CREATE TABLE", b"CREATE\xffTABLE"))

    for words in (("start", "--no-browser"), ("standings", "herbst-cup"), ("check_data",), ("backup",)):
        done = entered.terminal.run(*words)

        assert done.returncode == 1
        assert f"restore {entered.backup}" in done.stderr
        assert "Traceback" not in done.stderr
    # Whoever told of it, there is one way back.
    assert "is restored as well: 2 journal entries." in entered.restore().stdout


@pytest.mark.long
def test_column_of_another_name_is_told_with_the_way_back(entered: Entered) -> None:
    content = (entered.data / "tso.sqlite3").read_bytes()
    (entered.data / "tso.sqlite3").write_bytes(content.replace(b'"withdrawn_after"', b'"withdrawm_after"'))

    done = entered.terminal.run("start", "--no-browser")
    shutil.rmtree(entered.data / "backups")
    without_backup = entered.terminal.run("start", "--no-browser")

    assert done.returncode == without_backup.returncode == 1
    assert "lacks tournament_entry.withdrawn_after" in done.stdout + done.stderr
    assert f"restore {entered.backup}" in done.stdout + done.stderr
    assert "lacks tournament_entry.withdrawn_after" in without_backup.stdout + without_backup.stderr


@pytest.mark.long
def test_no_command_takes_an_empty_or_foreign_file_for_ours(entered: Entered) -> None:
    database = entered.data / "tso.sqlite3"
    database.unlink()
    (entered.data / "tso.sqlite3-wal").unlink(missing_ok=True)
    database.touch()
    _look_and_change_nothing(entered, "is empty")
    with closing(sqlite3.connect(database)) as foreign:
        foreign.execute("CREATE TABLE recipes (cake TEXT)")
    _look_and_change_nothing(entered, "belongs to another program")


def _look_and_change_nothing(entered: Entered, complaint: str) -> None:
    """Every command says what the file is and names the way back, and leaves it and the backups as they are."""
    database, backups = entered.data / "tso.sqlite3", entered.data / "backups"
    before = database.read_bytes(), sorted(backups.iterdir())

    for words in (("check_data",), ("backup",), ("journal", "herbst-cup", "--verify"), ("standings", "herbst-cup")):
        done = entered.terminal.run(*words)

        assert (done.returncode, done.stdout) == (1, "")
        assert complaint in done.stderr
        assert f"restore {entered.backup}" in done.stderr
    assert (database.read_bytes(), sorted(backups.iterdir())) == before


@pytest.mark.long
def test_database_that_lacks_what_was_noted_is_told(entered: Entered) -> None:
    """An older database in its place, or a `-wal` that was lost; one may go back, or on without what was noted."""
    run = entered.terminal.run
    put_database_of_the_backup_back(entered)
    told = [run(*words) for words in (("standings", "herbst-cup"), ("check_data",), ("backup",))]
    restored, standings = entered.restore(), entered.read_standings()
    put_database_of_the_backup_back(entered)
    accept_missing_entries(Installation(entered.data))
    gone_on = [
        run("standings", "herbst-cup"),
        run("result", "herbst-cup", "2", "3", "444", "333"),
        run("check_data"),
    ]

    for done in told:
        assert done.returncode == 1
        assert "lacks the last entries" in done.stderr
        assert f"restore {entered.backup}" in done.stderr
    assert "is restored as well: 2 journal entries." in restored.stdout
    assert standings == entered.standings
    assert [(done.returncode, done.stderr) for done in gone_on] == [(0, "")] * 3


@pytest.mark.long
def test_backup_refuses_a_foreign_wal(entered: Entered) -> None:
    assert renew_mark(Installation(entered.data), patient=True)
    with closing(sqlite3.connect(entered.data / "tso.sqlite3")) as database:
        database.execute("PRAGMA user_version = 0")
    (entered.data / "tso.sqlite3-wal").write_bytes(bytes(100))
    before = sorted((entered.data / "backups").glob("*.zip"))

    done = entered.terminal.run("backup")

    assert done.returncode == 1
    assert "start --wal aside" in done.stderr
    assert sorted((entered.data / "backups").glob("*.zip")) == before
