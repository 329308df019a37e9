"""What the package asks for: what the program needs, and nothing of the tests."""

from pathlib import Path

import pytest

pytest.importorskip("hatchling", reason="comes with requirements-dev.txt")

from config.packing.dependencies import RequirementsHook, read_requirements  # needs hatchling

ROOT = Path(__file__).resolve().parents[3]


def test_program_without_its_tests() -> None:
    metadata: dict[str, list[str]] = {}

    RequirementsHook(str(ROOT), {}).update(metadata)

    names = {line.split("==")[0] for line in metadata["dependencies"]}
    assert {"Django", "numpy", "tzdata", "whitenoise"} <= names
    assert not {"pytest", "hypothesis", "execnet", "colorama"} & names
    assert all("==" in line and "#" not in line for line in metadata["dependencies"])


def test_remarks_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("# Why\nDjango==5.2  # the last one\n\n# The tests\npytest==9\n")

    assert read_requirements(tmp_path / "requirements.txt") == ["Django==5.2"]


def test_file_without_a_line_for_the_tests_refused(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("Django==5.2\npytest==9\n")

    with pytest.raises(ValueError, match="The tests"):
        read_requirements(tmp_path / "requirements.txt")
