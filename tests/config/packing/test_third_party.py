"""`docs/THIRD_PARTY.md` names every package that is handed out, by the licence that it states itself."""

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

pytest.importorskip("hatchling", reason="comes with requirements-dev.txt")

from config.packing.dependencies import read_requirements  # needs hatchling
from config.packing.folder import LICENCES, RUNNER, copy_licences

ROOT = Path(__file__).resolve().parents[3]
DOCUMENT = ROOT / "docs" / "THIRD_PARTY.md"
PACKAGES = [re.split("[=<>~;]", line)[0] for line in read_requirements(ROOT / "requirements.txt")]

SHORT = {
    "GNU General Public License v2 or later (GPLv2+)": "GPL",
    "GNU Lesser General Public License v2 or later (LGPLv2+)": "LGPL",
    "Mozilla Public License 1.1 (MPL 1.1)": "MPL",
    "Zope Public License": "ZPL",
}
"""How a classifier's licence begins in the document, where not by the classifier's first word."""


def read_licences() -> dict[str, str]:
    """The document's rows of two cells, by package."""
    [packages] = re.findall(r"^## Packages\n(.*?)^## ", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    return dict(re.findall(r"^\| ([\w-]+) \| ([^|]+) \|$", packages, re.MULTILINE)[1:])


def test_document_names_every_package_and_no_other() -> None:
    assert sorted(read_licences()) == sorted(PACKAGES)


@pytest.mark.parametrize("name", [*PACKAGES, RUNNER])
def test_licence_is_the_one_that_the_package_states(name: str) -> None:
    stated = metadata.metadata(name)
    document = DOCUMENT.read_text(encoding="utf-8")
    licence = read_licences().get(name) or re.findall(rf"^\| {name} \| [^|]+ \| ([^|]+) \|$", document, re.MULTILINE)[0]

    kinds = [line.rpartition(":: ")[2] for line in stated.get_all("Classifier", []) if line.startswith("License ::")]
    expression = next((stated[field] for field in ("License-Expression", "License") if field in stated), "")
    families = {re.sub(r"\W.*", "", SHORT.get(kind, kind)) for kind in kinds}
    assert licence == expression or {part.partition("-")[0] for part in licence.split(" OR ")} == families


def test_it_is_packed_where_the_licence_is(tmp_path: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    copy_licences(tmp_path)

    assert project["license-files"] == list(LICENCES)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {
        name.rpartition("/")[2]: (ROOT / name).read_bytes() for name in ("LICENSE", "docs/THIRD_PARTY.md")
    }
