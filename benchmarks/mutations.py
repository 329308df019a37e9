"""Change the program one sign at a time and see whether a test notices: what none notices is explained, or a gap.

    python -m benchmarks.mutations                          # all of scoring/, tournament/access/rules.py and acts.py
    python -m benchmarks.mutations scoring/clock.py         # some modules, of any slice
    python -m benchmarks.mutations --sample 40 --seed 1     # forty changes of them all, by chance
    python -m benchmarks.mutations tournament/results/operations.py --tests tests/tournament/results tests/flows

Prints each change that no test noticed and that `docs/mutations.md` does not explain; then the exit status is 1.
Nothing is written: each change lives in the memory of a process of its own, which runs the tests that execute the
changed line, the quickest first, until one fails. Which those are is found once, at the beginning.
"""

import argparse
import os
import random
import re
import select
import signal
import sys
import time
from collections import Counter
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import hypothesis
import pytest

from benchmarks.covering import QUIET, Covering, Only, covering
from benchmarks.mutants import Mutant, mutants

ROOT = Path(__file__).resolve().parents[1]
EXPLAINED = ROOT / "docs" / "mutations.md"
ACCESS_TESTS = ["tests/tournament/access/test_rules.py"]
"""The walk over every address (`tests/config/test_access.py`) takes a minute and more, so the table and the loaders are
promised by tests of their own."""

PATIENCE = 20
"""Seconds beside ten times what the tests take without a change; an endless loop is noticed, too."""


def main() -> None:
    """Try every change asked for, and say which ones nobody noticed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("modules", nargs="*", type=Path)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tests", nargs="+", help="instead of the tests of each module's own folder")
    options = parser.parse_args()
    os.chdir(ROOT)
    todo = [mutant for path in options.modules or everything() for mutant in mutants(path)]
    if options.sample:
        todo = random.Random(options.seed).sample(todo, min(options.sample, len(todo)))
    sys.exit(report(todo, options.seed, options.tests))


def everything() -> list[Path]:
    """The rules, and who may do what."""
    return [
        *sorted(Path("scoring").rglob("*.py")),
        Path("tournament/access/rules.py"),
        Path("tournament/access/acts.py"),
    ]


def find_slice(path: Path) -> tuple[str, ...]:
    """The package whose folder of tests a module has: all of `scoring`, or a slice of an app."""
    return path.parts[: 1 if path.parts[0] == "scoring" else 2]


def find_tests(part: tuple[str, ...]) -> list[str]:
    """The tests of a package."""
    return ACCESS_TESTS if part == ("tournament", "access") else ["/".join(("tests", *part))]


def report(todo: list[Mutant], seed: int, tests: list[str] | None = None) -> int:
    """Try them and print how it went; 1 if some survived unexplained, else 0."""
    explained = known_survivors()
    outcomes: Counter[str] = Counter()
    parts = {find_slice(mutant.path) for mutant in todo}
    known = {part: covering(tests or find_tests(part), ".".join(part)) for part in parts}
    started = time.monotonic()
    for mutant in todo:
        noticed = is_noticed(mutant, known[find_slice(mutant.path)])
        outcome = "noticed" if noticed else "explained" if mutant.key in explained else "survived"
        outcomes[outcome] += 1
        if outcome == "survived":
            print(f"- `{mutant.key}` (line {mutant.lines.start})", flush=True)
    seconds = (time.monotonic() - started) / max(len(todo), 1)
    print(f"seed {seed}: {len(todo)} changes, {seconds:.2f} s each, {dict(sorted(outcomes.items()))}")
    return min(outcomes["survived"], 1)


def known_survivors() -> set[str]:
    """The changes that are explained."""
    if not EXPLAINED.exists():
        return set()
    return set(re.findall(r"^- `(.+?)`", EXPLAINED.read_text(encoding="utf-8"), re.MULTILINE))


def is_noticed(mutant: Mutant, known: Covering) -> bool:
    """Whether a test fails with this change, or does not come to an end."""
    tests = known.tests_of(mutant.path, mutant.lines, mutant.function)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        run_child(mutant, tests, sorted({known.files[test] for test in tests}))
    os.close(writing)
    patience = PATIENCE + 10 * sum(map(known.seconds.__getitem__, tests))
    ended, _nothing, _at_all = select.select([reading], [], [], patience)
    if not ended:
        os.kill(child, signal.SIGKILL)
    _pid, status = os.waitpid(child, 0)
    os.close(reading)
    return status != 0


def run_child(mutant: Mutant, tests: list[str], files: list[str]) -> None:
    """In a process of its own: put the change in the module's place and run the tests."""
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    sys.meta_path.insert(0, Changed(mutant))
    phases = (hypothesis.Phase.explicit, hypothesis.Phase.generate)  # a failure is enough, it need not be a small one
    hypothesis.settings.register_profile("mutations", phases=phases)
    hypothesis.settings.load_profile("mutations")
    os._exit(int(pytest.main([*QUIET, *files], plugins=[Only(tests)])))


class Changed(MetaPathFinder, Loader):
    """Finds the changed module in the place of the one on the disk."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != self.mutant.module:
            return None
        is_package = self.mutant.path.name == "__init__.py"
        spec = ModuleSpec(name, self, origin=str(self.mutant.path.resolve()), is_package=is_package)
        spec.has_location = True
        if is_package:
            spec.submodule_search_locations = [str(self.mutant.path.resolve().parent)]
        return spec

    def exec_module(self, module: ModuleType) -> None:
        code = compile(self.mutant.source, str(self.mutant.path), "exec")
        exec(code, module.__dict__)


if __name__ == "__main__":
    main()
