"""What the package says of itself: what the program needs and nothing of the tests, a README that leads somewhere."""

import re
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

pytest.importorskip("hatchling", reason="comes with requirements-dev.txt")

from config.packing.dependencies import (  # needs hatchling
    FILES_VARIABLE,
    RequirementsHook,
    free_links,
    read_requirements,
    widen_version,
)

ROOT = Path(__file__).resolve().parents[3]


FILES = "https://example.org/tso/"


def fill_in() -> dict[str, Any]:
    """What the hook says of the program itself."""
    metadata: dict[str, Any] = {}
    RequirementsHook(str(ROOT), {}).update(metadata)
    return metadata


def test_program_without_its_tests() -> None:
    needed = [Requirement(line) for line in fill_in()["dependencies"]]

    names = {requirement.name for requirement in needed}
    assert {"Django", "numpy", "tzdata", "whitenoise"} <= names
    assert not {"pytest", "hypothesis", "execnet", "colorama"} & names


def test_each_range_begins_with_the_version_that_is_tested() -> None:
    tested = map(Requirement, read_requirements(ROOT / "requirements.txt"))
    needed = {requirement.name: requirement.specifier for requirement in map(Requirement, fill_in()["dependencies"])}

    for requirement in tested:
        [exact] = requirement.specifier
        assert exact.version in needed[requirement.name]
        assert {each.operator for each in needed[requirement.name]} <= {">=", "<"}


@pytest.mark.parametrize(
    ("exact", "widened"),
    [
        ("Django==5.2.19", "Django>=5.2.19,<6"),
        ("zeroconf==0.154.0", "zeroconf>=0.154.0,<0.155"),
        ("tzdata==2026.6", "tzdata>=2026.6"),
        ('colorama==0.4.6; sys_platform == "win32"', 'colorama>=0.4.6,<0.5; sys_platform == "win32"'),
    ],
)
def test_range_ends_where_a_promise_may(exact: str, widened: str) -> None:
    assert widen_version(exact) == widened


def test_readme_without_an_address_links_to_no_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FILES_VARIABLE, raising=False)
    metadata = fill_in()

    assert re.findall(r"\]\((?!https?://)", metadata["readme"]["text"]) == []
    assert "how it is made" in metadata["readme"]["text"]
    assert metadata["urls"] == {}


def test_readme_with_an_address_links_below_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FILES_VARIABLE, FILES)
    metadata = fill_in()

    links = re.findall(r"\]\(([^)\s]+)\)", metadata["readme"]["text"])
    assert f"{FILES}docs/developer.md" in links
    assert all((ROOT / link.removeprefix(FILES).partition("#")[0]).is_file() for link in links)
    assert metadata["urls"] == {"Source": FILES}


def test_links_to_elsewhere_stay() -> None:
    linked = "[a](https://example.org/x) ![b](c.png) [d](e.md#f)"

    assert free_links(linked, "") == "[a](https://example.org/x)  d"


def test_remarks_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("# Why\nDjango==5.2  # the last one\n\n# The tests\npytest==9\n")

    assert read_requirements(tmp_path / "requirements.txt") == ["Django==5.2"]


def test_file_without_a_line_for_the_tests_refused(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("Django==5.2\npytest==9\n")

    with pytest.raises(ValueError, match="The tests"):
        read_requirements(tmp_path / "requirements.txt")
