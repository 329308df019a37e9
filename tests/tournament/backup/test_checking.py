"""The process that checks a copy of the data."""

import os
import sys
from pathlib import Path

import pytest

from tournament.backup.making import DataCheckFailed, run_data_check


@pytest.mark.skipif(os.name == "nt", reason="Windows has no process groups to ask for")
def test_ctrl_c_in_the_window_does_not_reach_the_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, told = tmp_path / "python", tmp_path / "group"
    program.write_text(f"#!{sys.executable}\nimport os\nopen({str(told)!r}, 'w').write(str(os.getpgrp()))\n")
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))

    with pytest.raises(DataCheckFailed):
        run_data_check(None)

    assert int(told.read_text()) != os.getpgrp()


def test_another_version_in_the_terminals_folder_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "__init__.py").write_text("raise RuntimeError('of another version')\n")
    (tmp_path / "data").mkdir()
    monkeypatch.chdir(tmp_path)

    assert not run_data_check(tmp_path / "data").faults
