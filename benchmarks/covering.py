"""Which tests execute which lines, found by running them once under coverage: for whoever wants the tests of a line."""

import json
import os
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import coverage
import pytest

QUIET = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", "--hypothesis-seed=1"]
QUIET += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # of Hypothesis, which is imported before it begins
IMPORT = ""
"""The context of what is executed before the first test begins."""


@dataclass(frozen=True, slots=True)
class Covering:
    """Of some tests: the file and the seconds of each, and which of them execute each line of each module.

    A line that is executed on import is listed under `IMPORT`.
    """

    files: dict[str, str]
    seconds: dict[str, float]
    lines: dict[str, dict[int, set[str]]]

    def tests_of(self, path: Path, wanted: Iterable[int], function: Iterable[int]) -> list[str]:
        """The tests to run for a change of some lines: those that enter the module first, then the quickest.

        Where coverage knows nothing of the lines: those of their function; where they are executed on import (a figure
        of a rule book, a default): all, because whoever reads such a value executes nothing of the module.
        """
        known = self.lines.get(path.as_posix(), {})
        found = _at(known, wanted) or _at(known, function)
        if IMPORT in found or not found:
            found = set(self.files)
        near = _at(known, known)
        return sorted(found, key=lambda test: (test not in near, self.seconds[test]))


def _at(known: dict[int, set[str]], lines: Iterable[int]) -> set[str]:
    return set[str]().union(*(known.get(line, ()) for line in lines))


def covering(tests: list[str], source: str) -> Covering:
    """Run tests in a process of its own and find which execute what of a package. Raises `SystemExit` if one fails."""
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "told"
        child = os.fork()
        if child == 0:
            os._exit(_tell(tests, source, told))
        _pid, status = os.waitpid(child, 0)
        if status:
            raise SystemExit(f"The tests fail without a change: {' '.join(tests)}")
        found: dict[str, Any] = json.loads(told.read_text(encoding="utf-8"))
    lines = {
        path: {int(line): set(tests) for line, tests in of_lines.items()} for path, of_lines in found["lines"].items()
    }
    return Covering(found["files"], found["seconds"], lines)


def _tell(tests: list[str], source: str, told: Path) -> int:
    """In the other process: run the tests and write what they execute; pytest's exit status."""
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    watched = coverage.Coverage(data_file=None, config_file=False, source=[source])
    watch = Watch(watched)
    watched.start()
    status = int(pytest.main([*QUIET, *tests], plugins=[watch]))
    watched.stop()
    data = watched.get_data()
    lines = {_relative(path): data.contexts_by_lineno(path) for path in data.measured_files()}
    told.write_text(json.dumps({"files": watch.files, "seconds": watch.seconds, "lines": lines}), encoding="utf-8")
    return status


def _relative(path: str) -> str:
    return Path(path).relative_to(Path.cwd()).as_posix()


@dataclass
class Watch:
    """Part of pytest's run: tells coverage which test is running, and remembers how long each took."""

    watched: coverage.Coverage
    files: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.files[item.nodeid] = str(item.path)
        self.watched.switch_context(item.nodeid)
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration


@dataclass(frozen=True)
class Only:
    """Part of pytest's run: of what was collected keeps these tests, in this order."""

    tests: list[str]

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        place = {test: number for number, test in enumerate(self.tests)}
        items[:] = sorted((item for item in items if item.nodeid in place), key=lambda item: place[item.nodeid])
