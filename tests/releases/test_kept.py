"""What each release has left behind is carried up by this version, and its migrations are what they were."""

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.laws import TIMES
from tests.releases import answers

ROOT = Path(__file__).resolve().parents[2]
KEPT = sorted(path.parent for path in answers.FIXTURES.glob(f"*/{answers.EXPECTED}"))
PAGES = 40
DATED = re.compile(r"^## \[(\d[\d.]*)\] - ", re.MULTILINE)


def test_every_release_is_kept() -> None:
    released = DATED.findall((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))

    assert sorted(path.name for path in KEPT) == sorted(released)


@pytest.mark.dear
@pytest.mark.long
@pytest.mark.skipif(bool(os.environ.get("DATABASE_URL")), reason="a laptop's data are SQLite's")
@pytest.mark.parametrize("folder", KEPT, ids=[path.name for path in KEPT])
def test_data_of_a_release_are_carried_up(folder: Path) -> None:
    words = ["-m", "tests.releases.carry_up", folder.name, "--pages", str(PAGES * TIMES)]

    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)

    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr


@pytest.mark.parametrize("folder", KEPT, ids=[path.name for path in KEPT])
def test_released_migrations_stay_as_they_are(folder: Path) -> None:
    released = json.loads((folder / answers.MIGRATIONS).read_text(encoding="utf-8"))

    found = {name: hashlib.sha256((ROOT / name).read_bytes()).hexdigest() for name in released}

    assert found == released


def test_kept_files_stay_small() -> None:
    sizes = {folder.name: sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) for folder in KEPT}

    assert {name: size for name, size in sizes.items() if size > 1_500_000} == {}


@pytest.mark.parametrize(
    ("found", "expected", "same"),
    [
        ([{"rank": 1, "new": 2}], [{"rank": 1}], True),
        ([{"rank": 2}], [{"rank": 1}], False),
        ([{"rank": 1}], [{"rank": 1}, {"rank": 2}], False),
        ({"rank": 1}, {"rank": 1, "name": None}, True),
        ({"rank": 1}, {"rank": 1, "name": "A"}, False),
        (None, {"rank": 1}, False),
    ],
)
def test_later_versions_may_say_more_never_less(found: object, expected: object, same: bool) -> None:
    assert answers.holds(found, expected) is same
