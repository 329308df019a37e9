"""Tells hatchling, which builds the package, what the program needs: `requirements.txt` without what the tests need."""

from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

TESTS_BEGIN = "# The tests"


def read_requirements(path: Path) -> list[str]:
    """The exact versions that a file names before the tests' part begins."""
    program, found, _tests = path.read_text(encoding="utf-8").partition(f"\n{TESTS_BEGIN}\n")
    if not found:
        raise ValueError(f"{path} has no line “{TESTS_BEGIN}”.")
    named = [line.partition("#")[0].strip() for line in program.splitlines()]
    return [name for name in named if name]


class RequirementsHook(MetadataHookInterface):
    """Fills in `dependencies` while the package is built."""

    def update(self, metadata: dict[str, Any]) -> None:
        metadata["dependencies"] = read_requirements(Path(self.root, "requirements.txt"))
