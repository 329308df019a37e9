"""`restore` over a database that is lost, run as a director runs it."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.tournament.management.commands.test_backup import ROOT, run
from tournament.backup.health import accept_missing_entries, renew_mark
from tournament.backup.places import Installation
from tournament.backup.restoring import inspect_backup
from tournament.basics.version import get_version


@pytest.fixture(scope="module")
def entered_once(made_once: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A data folder with a backup and two results entered after it, to be copied, not used; and the backup's name."""
    data = tmp_path_factory.mktemp("entered") / "data"
    shutil.copytree(made_once, data)
    run(data, "demo", "--players", "8", "--rounds", "3", "--played", "1")
    made = json.loads(run(data, "backup", "--format", "json").stdout)
    for table in (3, 4):
        done = run(data, "result", "herbst-cup", "2", str(table), "401", "302")
        assert done.returncode == 0, done.stderr
    (data / "uploads").mkdir(exist_ok=True)
    (data / "uploads" / "later.jpg").write_bytes(b"later")
    return data, str(Path(made["file"]).relative_to(data))


@pytest.fixture
def entered_after(entered_once: tuple[Path, str], tmp_path: Path) -> tuple[Path, str]:
    """Such a folder of one's own, and its backup's path."""
    folder, backup = entered_once
    data = shutil.copytree(folder, tmp_path / "data")
    return data, str(data / backup)


@pytest.mark.long
def test_what_was_entered_after_the_backup_comes_back(entered_after: tuple[Path, str]) -> None:
    data, backup = entered_after
    table = run(data, "standings", "herbst-cup", "--format", "json").stdout
    (data / "tso.sqlite3").unlink()
    refused = run(data, "standings", "herbst-cup")

    done = run(data, "restore", backup, "--yes")

    assert f"restore {backup}" in refused.stderr
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"is restored as well: 2 journal entries\.", done.stdout)
    assert "Names and passwords are those of the backup again." in done.stdout
    assert run(data, "standings", "herbst-cup", "--format", "json").stdout == table
    assert run(data, "journal", "herbst-cup", "--verify").returncode == 0
    assert (data / "uploads" / "later.jpg").read_bytes() == b"later"


@pytest.mark.long
def test_older_backup_can_be_restored_once_more(entered_after: tuple[Path, str]) -> None:
    """What was noted before the first loss stands beside what was noted after it."""
    data, backup = entered_after
    (data / "tso.sqlite3").unlink()
    run(data, "restore", backup, "--yes")
    run(data, "publish", "herbst-cup", "2")
    run(data, "result", "herbst-cup", "2", "3", "444", "333")
    table = run(data, "standings", "herbst-cup", "--format", "json").stdout
    (data / "tso.sqlite3").unlink()

    done = run(data, "restore", backup, "--yes")

    assert "is restored as well: 3 journal entries." in done.stdout
    assert run(data, "standings", "herbst-cup", "--format", "json").stdout == table


@pytest.mark.long
def test_notes_of_another_installation_are_left_alone(
    made_once: Path, entered_after: tuple[Path, str], tmp_path: Path
) -> None:
    data, backup = entered_after
    shutil.copytree(made_once, tmp_path / "other", ignore=shutil.ignore_patterns("secret-key.txt"))
    run(tmp_path / "other", "demo", "--players", "8", "--rounds", "3", "--played", "2")
    shutil.rmtree(data / "entered")
    shutil.copytree(tmp_path / "other" / "entered", data / "entered")
    (data / "tso.sqlite3").unlink()

    done = run(data, "restore", backup, "--yes")

    assert done.returncode == 0
    assert "is restored as well" not in done.stdout
    assert "please check the last results." in done.stdout


@pytest.mark.long
def test_what_commands_alone_have_entered_comes_back(used_folder: Path) -> None:
    run(used_folder, "demo", "--players", "8", "--rounds", "3", "--played", "1")
    (backup,) = (used_folder / "backups").glob("*.zip")
    run(used_folder, "result", "herbst-cup", "2", "3", "401", "302")
    table = run(used_folder, "standings", "herbst-cup", "--format", "json").stdout
    (used_folder / "tso.sqlite3").unlink()

    assert run(used_folder, "restore", str(backup), "--yes").returncode == 0
    assert run(used_folder, "standings", "herbst-cup", "--format", "json").stdout == table


@pytest.mark.long
def test_deleted_event_does_not_spoil_the_count(entered_after: tuple[Path, str]) -> None:
    """An event that is deleted again takes its entries along; those that were done are counted."""
    data, backup = entered_after
    code = (
        "import django; django.setup(); from tournament.models import Tournament; "
        "from tournament.backup.keeper import back_up_before_hard_steps; "
        "from tournament.backup.places import get_installation; "
        "from tournament.core.change import TERMINAL_ACTOR; "
        "from tournament.events.operations import delete_tournament\n"
        "with back_up_before_hard_steps(get_installation(), tell=print):\n"
        "    cup = Tournament.objects.get(); "
        "delete_tournament(cup, typed_name=cup.name, actor=TERMINAL_ACTOR)"
    )
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "TSO_DATA": str(data), "DATABASE_URL": ""}
    subprocess.run([sys.executable, "-c", code], env=environment, cwd=ROOT, check=True)
    (data / "tso.sqlite3").unlink()

    done = run(data, "restore", backup, "--yes")

    assert "is restored as well: 3 journal entries." in done.stdout, done.stdout + done.stderr


@pytest.mark.long
def test_event_that_a_command_read_in_is_in_a_backup(used_folder: Path, tmp_path: Path) -> None:
    run(used_folder, "demo", "--players", "8", "--rounds", "3", "--played", "1")
    run(used_folder, "export_event", "herbst-cup", "-o", str(tmp_path / "cup.zip"))

    done = run(used_folder, "import_event", str(tmp_path / "cup.zip"), "--slug", "carried")

    assert done.returncode == 0, done.stderr
    newest = max((used_folder / "backups").glob("*.zip"))
    assert "carried" in {event.slug for event in inspect_backup(newest).facts.events}


@pytest.mark.long
def test_whoever_goes_back_on_purpose_gets_what_was_then(entered_after: tuple[Path, str]) -> None:
    data, backup = entered_after

    done = run(data, "restore", backup, "--yes")

    assert done.returncode == 0
    assert "is restored as well" not in done.stdout
    assert run(data, "result", "herbst-cup", "2", "3", "500", "200").returncode == 0


@pytest.mark.long
def test_letter_turned_in_the_register_is_told_and_comes_back(entered_after: tuple[Path, str]) -> None:
    data, backup = entered_after
    table = run(data, "standings", "herbst-cup", "--format", "json").stdout
    with closing(sqlite3.connect(data / "tso.sqlite3")) as database, database:
        database.execute("UPDATE tournament_player SET name = 'X' || substr(name, 2) WHERE id = 1")

    told = [run(data, *words) for words in (("check_data",), ("journal", "herbst-cup", "--verify"), ("backup",))]

    for done in told:
        assert done.returncode == 1
        assert "player 1.name: " in done.stderr
        assert f"restore {backup}" in done.stderr
    assert "is restored as well: 2 journal entries." in run(data, "restore", backup, "--yes").stdout
    assert run(data, "check_data").returncode == 0
    assert run(data, "standings", "herbst-cup", "--format", "json").stdout == table


@pytest.mark.long
def test_letter_turned_in_the_journal_is_told_and_spoils_no_backup(entered_after: tuple[Path, str]) -> None:
    data, backup = entered_after
    with closing(sqlite3.connect(data / "tso.sqlite3")) as database, database:
        database.execute("UPDATE tournament_journalentry SET by_name = 'Xerminal' WHERE verb = 'publish_round'")

    told = [run(data, *words) for words in (("backup",), ("check_data",), ("journal", "herbst-cup", "--verify"))]

    for done in told:
        assert done.returncode == 1
        assert ".by_name ≠ entered" in done.stderr
        assert f"restore {backup}" in done.stderr


@pytest.mark.long
def test_migration_that_nobody_made_is_damage_and_loses_nothing(entered_after: tuple[Path, str]) -> None:
    data, backup = entered_after
    (data / "version.json").write_text(json.dumps({"version": get_version()}))
    with closing(sqlite3.connect(data / "tso.sqlite3")) as database, database:
        database.execute("UPDATE django_migrations SET name = '0001_urer' WHERE app = 'auth' AND name = '0001_initial'")

    assert "is restored as well: 2 journal entries." in run(data, "restore", backup, "--yes").stdout


@pytest.mark.long
def test_files_damaged_at_random_are_told_or_no_worse() -> None:
    words = [sys.executable, "-m", "benchmarks.damages", "--damages", "8", "--seed", "3"]

    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, ""), done.stdout


@pytest.mark.long
@pytest.mark.parametrize(
    "words", [("start", "--no-browser"), ("standings", "herbst-cup"), ("check_data",), ("backup",)]
)
def test_damaged_schema_is_told_with_the_way_back(entered_after: tuple[Path, str], words: tuple[str, ...]) -> None:
    data, backup = entered_after
    content = (data / "tso.sqlite3").read_bytes()
    (data / "tso.sqlite3").write_bytes(content.replace(b"CREATE TABLE", b"CREATE\xffTABLE"))

    done = run(data, *words)

    assert done.returncode == 1
    assert f"restore {backup}" in done.stderr
    assert "Traceback" not in done.stderr
    if words == ("check_data",):  # whoever told of it, there is one way back
        assert "is restored as well: 2 journal entries." in run(data, "restore", backup, "--yes").stdout


@pytest.mark.long
def test_column_of_another_name_is_told(used_folder: Path) -> None:
    content = (used_folder / "tso.sqlite3").read_bytes()
    (used_folder / "tso.sqlite3").write_bytes(content.replace(b'"withdrawn_after"', b'"withdrawm_after"'))

    done = run(used_folder, "start", "--no-browser")

    assert done.returncode == 1
    assert "lacks tournament_entry.withdrawn_after" in done.stdout + done.stderr


@pytest.mark.long
def test_column_of_another_name_is_told_with_the_way_back(entered_after: tuple[Path, str]) -> None:
    data, backup = entered_after
    content = (data / "tso.sqlite3").read_bytes()
    (data / "tso.sqlite3").write_bytes(content.replace(b'"withdrawn_after"', b'"withdrawm_after"'))

    done = run(data, "start", "--no-browser")

    assert done.returncode == 1
    assert "lacks tournament_entry.withdrawn_after" in done.stdout + done.stderr
    assert f"restore {backup}" in done.stdout + done.stderr


@pytest.mark.long
@pytest.mark.parametrize("is_empty", [True, False])
def test_no_command_takes_an_empty_or_foreign_file_for_ours(entered_after: tuple[Path, str], *, is_empty: bool) -> None:
    data, backup = entered_after
    (data / "tso.sqlite3").unlink()
    (data / "tso.sqlite3-wal").unlink(missing_ok=True)
    with closing(sqlite3.connect(data / "tso.sqlite3")) as database, database:
        if not is_empty:
            database.execute("CREATE TABLE recipes (cake TEXT)")
    (data / "tso.sqlite3").touch()
    before = (data / "tso.sqlite3").read_bytes(), sorted((data / "backups").iterdir())

    commands = (("check_data",), ("backup",), ("journal", "herbst-cup", "--verify"), ("standings", "herbst-cup"))
    told = [run(data, *words) for words in commands]

    for done in told:
        assert (done.returncode, done.stdout) == (1, "")
        assert ("is empty" if is_empty else "belongs to another program") in done.stderr
        assert f"restore {backup}" in done.stderr
    assert ((data / "tso.sqlite3").read_bytes(), sorted((data / "backups").iterdir())) == before


@pytest.mark.long
def test_database_that_lacks_what_was_noted_is_told(entered_after: tuple[Path, str]) -> None:
    """An older database in its place, or a `-wal` that was lost."""
    data, backup = entered_after
    table = run(data, "standings", "herbst-cup", "--format", "json").stdout
    (data / "tso.sqlite3-mark").unlink(missing_ok=True)
    with ZipFile(backup) as packed:
        (data / "tso.sqlite3").write_bytes(packed.read("tso.sqlite3"))

    told = [run(data, *words) for words in (("standings", "herbst-cup"), ("check_data",), ("backup",))]

    for done in told:
        assert done.returncode == 1
        assert "lacks the last entries" in done.stderr
        assert f"restore {backup}" in done.stderr
    assert "is restored as well: 2 journal entries." in run(data, "restore", backup, "--yes").stdout
    assert run(data, "standings", "herbst-cup", "--format", "json").stdout == table


@pytest.mark.long
def test_one_may_go_on_without_what_was_noted(entered_after: tuple[Path, str]) -> None:
    data, backup = entered_after
    with ZipFile(backup) as packed:
        (data / "tso.sqlite3").write_bytes(packed.read("tso.sqlite3"))

    accept_missing_entries(Installation(data))

    assert run(data, "standings", "herbst-cup").returncode == 0
    assert run(data, "result", "herbst-cup", "2", "3", "444", "333").returncode == 0
    assert run(data, "check_data").returncode == 0


@pytest.mark.long
def test_backup_refuses_a_foreign_wal(entered_after: tuple[Path, str]) -> None:
    data, _backup = entered_after
    assert renew_mark(Installation(data), patient=True)
    with closing(sqlite3.connect(data / "tso.sqlite3")) as database:
        database.execute("PRAGMA user_version = 0")
    (data / "tso.sqlite3-wal").write_bytes(bytes(100))
    before = sorted((data / "backups").glob("*.zip"))

    done = run(data, "backup")

    assert done.returncode == 1
    assert "start --wal aside" in done.stderr
    assert sorted((data / "backups").glob("*.zip")) == before
