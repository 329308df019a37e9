"""Whenever the machine goes down while somebody is being forgotten, nothing beside the database keeps the name."""

import os
import shutil
from pathlib import Path

import pytest

from tests.terminal import Terminal

TRACES = [trace.encode() for trace in ("Vergissmein", "vergissmein", "VERGISSMEIN", "oezge@", "4711 0815")]
PREPARE = """
import io
from PIL import Image
from django.utils import timezone
from tournament.backup.keeper import take_journal_notes
from tournament.backup.making import take_copy
from tournament.backup.places import BackupReason, get_installation
from tournament.basics.pictures import SentFile
from tournament.core.change import TERMINAL_ACTOR
from tournament.entries.operations.entries import enter_player, give_portrait
from tournament.entries.operations.register import Person
from tournament.events.demo import DemoSize, make_demo_tournament
from tournament.laptop.first_start import create_first_director
from tournament.management.commands.start import prepare_installation
prepare_installation(wal=None, tell=print)
with take_journal_notes(get_installation(), tell=print):
    create_first_director()
    size = DemoSize(players=8, rounds=3, played=1)
    made = make_demo_tournament(actor=TERMINAL_ACTOR, today=timezone.localdate(), size=size)
    person = Person("Vergissmein, Oezge", club="SC Fulda", email="oezge@example.org", phone="4711 0815")
    entry = enter_player(made.divisions.first(), person=person, actor=TERMINAL_ACTOR)
    content = io.BytesIO()
    Image.effect_noise((320, 400), 60).convert("RGB").save(content, "JPEG")
    content.seek(0)
    give_portrait(entry, sent=SentFile("photo.jpg", content), actor=TERMINAL_ACTOR)
take_copy(get_installation(), BackupReason.DELETION)
"""
FORGET = """
import os, signal, sys
from django.db import transaction
from tournament.backup.keeper import take_journal_notes
from tournament.backup.places import get_installation
from tournament.core.change import TERMINAL_ACTOR
from tournament.models import Player
from tournament.registration.forgetting import forget_player

steps = None
FILE_EVENTS = {"open", "os.remove", "os.rename", "os.rmdir", "os.mkdir", "sqlite3.connect"}

def kill_later(event, _words):
    global steps
    if steps is not None and event in FILE_EVENTS:
        steps -= 1
        if steps < 0:
            os.kill(os.getpid(), signal.SIGKILL)

def begin():
    global steps
    steps = int(sys.argv[1])

sys.addaudithook(kill_later)
with take_journal_notes(get_installation(), tell=print), transaction.atomic():
    transaction.on_commit(begin)
    forget_player(Player.objects.get(name="Vergissmein, Oezge"), actor=TERMINAL_ACTOR)
steps = None
print("forgotten")
"""
START = """
from django.core.management import call_command
from tournament.management.commands.start import prepare_installation
prepare_installation(wal=None, tell=print)
call_command("check_data")
"""

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(os.name == "nt", reason="Windows has no signal to kill by"),
]


def find_traces(data: Path) -> list[str]:
    """Every file that holds something of the person, byte by byte."""
    files = [path for path in sorted(data.rglob("*")) if path.is_file()]
    return [str(path.relative_to(data)) for path in files if any(trace in path.read_bytes() for trace in TRACES)]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("forgetting") / "model"
    data.mkdir(mode=0o700)
    with Terminal(data) as terminal:
        done = terminal.run_code(PREPARE)
    assert done.returncode == 0, done.stderr
    assert len(find_traces(data)) >= 3  # the database, its notes, and the copy
    return data


def test_next_start_goes_on_with_what_a_kill_has_left(model: Path, tmp_path: Path) -> None:
    data = shutil.copytree(model, tmp_path / "data")
    with Terminal(data) as terminal:
        for steps in (0, 3, 9, 20, 1000):
            shutil.rmtree(data)
            shutil.copytree(model, data)

            forgetting = terminal.run_code(FORGET, str(steps))
            if steps < 1000:
                assert forgetting.stdout == "", forgetting.stderr
            else:
                assert (forgetting.stdout, find_traces(data)) == ("forgotten\n", [])
            started = terminal.run_code(START)

            assert (started.returncode, started.stderr) == (0, ""), steps
            assert "rgissmein" not in started.stdout
            assert find_traces(data) == [], steps
            assert list((data / "uploads").iterdir()) == []
            # Of the start, taken after the person was gone.
            assert list(data.glob("backups/copy-*/tso.sqlite3")) != []


def test_check_after_a_kill_names_nobody(model: Path, tmp_path: Path) -> None:
    data = shutil.copytree(model, tmp_path / "data")
    with Terminal(data) as terminal:
        terminal.run_code(FORGET, "0")
        assert "entered/00001.jsonl" in find_traces(data)

        checked = terminal.run("check_data")

    assert (checked.returncode, checked.stderr) == (0, "")
    assert "rgissmein" not in checked.stdout
    assert find_traces(data) == []
