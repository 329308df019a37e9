"""Tells hatchling, which builds the package, what stands elsewhere: what the program needs (`requirements.txt` without
what the tests need, each version as a range), the README with links that work outside the repository, and where the
repository's files can be read."""

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

TESTS_BEGIN = "# The tests"
FILES_VARIABLE = "TSO_FILES"
"""The environment's variable with the address below which the repository's files can be read."""
FIRST_YEAR = 2000  # a first figure from here on is the year
LINK = re.compile(r"(?P<picture>!?)\[(?P<label>[^\]]*)\]\((?P<target>[^)\s]+)\)")


def read_requirements(path: Path) -> list[str]:
    """The exact versions that a file names before the tests' part begins."""
    program, separator, _tests = path.read_text(encoding="utf-8").partition(f"\n{TESTS_BEGIN}\n")
    if not separator:
        raise ValueError(f"{path} has no line “{TESTS_BEGIN}”.")
    named = [line.partition("#")[0].strip() for line in program.splitlines()]
    return [name for name in named if name]


def widen_version(requirement: str) -> str:
    """An exact version as a range: from that one up to the next one that may break its promises."""
    exact, semicolon, marker = requirement.partition(";")
    name, _equal, version = exact.strip().partition("==")
    first, second = (int(figure) for figure in version.split(".")[:2])
    following = "" if first >= FIRST_YEAR else f",<{first + 1}" if first else f",<0.{second + 1}"
    return f"{name}>={version}{following}{f'; {marker.strip()}' if semicolon else ''}"


def free_links(readme: str, files: str) -> str:
    """The README for where the repository's files are not: links lead below the address `files`; without one
    their words stay, and pictures go."""

    def free(link: re.Match[str]) -> str:
        if "://" in link["target"]:
            return link[0]
        if files:
            return f"{link['picture']}[{link['label']}]({files.rstrip('/')}/{link['target']})"
        return "" if link["picture"] else link["label"]

    return LINK.sub(free, readme)


class RequirementsHook(MetadataHookInterface):
    """Fills in `dependencies`, `readme` and `urls` while the package is built."""

    def update(self, metadata: dict[str, Any]) -> None:
        root, files = Path(self.root), os.environ.get(FILES_VARIABLE, "")
        metadata["dependencies"] = [widen_version(line) for line in read_requirements(root / "requirements.txt")]
        readme = free_links((root / "README.md").read_text(encoding="utf-8"), files)
        metadata["readme"] = {"content-type": "text/markdown", "text": readme}
        metadata["urls"] = {"Source": files} if files else {}
