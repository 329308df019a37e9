"""The zip of a release: the commit, whole, always the same."""

import shutil
import subprocess
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.releases import build

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.skipif(
    not (ROOT / ".git").exists() or shutil.which("git") is None, reason="needs a clone, and Git to pack its commits"
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build.build("HEAD", tmp_path_factory.mktemp("made"))


@pytest.mark.long
def test_same_commit_gives_the_same_bytes(made: Path, tmp_path: Path) -> None:
    again = build.build("HEAD", tmp_path)

    assert again.read_bytes() == made.read_bytes()


def test_named_after_the_version_that_the_project_states(made: Path) -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]

    names = zipfile.ZipFile(made).namelist()

    assert made.name == f"tso-{version}.zip"
    assert {name.split("/")[0] for name in names} == {f"tso-{version}"}


def test_holds_what_git_holds_and_nothing_else(made: Path) -> None:
    tracked = subprocess.run(
        ["git", "-C", ROOT, "ls-tree", "-r", "--name-only", "-z", "HEAD"], capture_output=True, check=True, text=True
    )
    names = {name.partition("/")[2] for name in zipfile.ZipFile(made).namelist()}

    assert names == set(tracked.stdout.strip("\0").split("\0")) - set(build.LEFT_OUT)
    assert {"tso.py", "requirements.txt", "locale/de/LC_MESSAGES/django.mo", "LICENSE"} <= names


def test_start_files_can_be_run(made: Path) -> None:
    opened = zipfile.ZipFile(made)

    can_run = {entry.filename.partition("/")[2] for entry in opened.infolist() if entry.external_attr >> 16 & 0o100}

    assert {"tso.py", "manage.py"} <= can_run
    assert "README.md" not in can_run


def test_version_that_the_changelog_does_not_name_is_not_packed() -> None:
    files = {"CHANGELOG.md": (b"# Changes\n\n## [1.0] - 2026-11-22\n", False)}

    build.require_entry(files, "1.0")
    with pytest.raises(build.NotReady, match=r"\[1\.1\]"):
        build.require_entry(files, "1.1")


def test_commit_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(build.NotReady, match="nowhere"):
        build.build("nowhere", tmp_path)
