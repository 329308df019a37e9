"""The table of what all share names tests that are there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "shared-limits.md"
ROW = re.compile(r"^\| (?!shared|---).+\| `(?P<path>tests/[\w/]+\.py)(?:::(?P<test>\w+))?` \|$")


def test_each_shared_limit_has_a_test_that_is_there() -> None:
    rows = [line for line in DOCUMENT.read_text(encoding="utf-8").splitlines() if line.startswith("| ")][1:]
    missing = []
    for row in rows:
        named = ROW.match(row)
        path = ROOT / named["path"] if named else ROOT / "nothing"
        source = path.read_text(encoding="utf-8") if path.is_file() else ""
        if named is None or not source or (named["test"] and f"def {named['test']}(" not in source):
            missing.append(row)

    assert len(rows) > 20
    assert missing == []
