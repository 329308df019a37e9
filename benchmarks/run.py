"""Measure everything on generated fields and print one JSON: `python benchmarks/run.py [part …]`.

Parts: pairing, small_fields, standings, requests, sheets, start, turning_points, words, chances (all, if none is
named). Times are medians in milliseconds of one run on this machine.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import chances, pairing, requests, sheets, small_fields, standings, start, turning_points, words

PARTS = {
    "standings": standings.measure,
    "pairing": pairing.measure,
    "small_fields": small_fields.measure,
    "requests": requests.measure,
    "sheets": sheets.measure,
    "start": start.measure,
    "turning_points": turning_points.measure,
    "words": words.measure,
    "chances": chances.measure,
}


def main() -> None:
    """Run the parts named and print what they found."""
    parser = argparse.ArgumentParser(description="Measure TSO on generated fields.")
    parser.add_argument("part", nargs="*", choices=[[], *PARTS], help="what to measure (default: everything)")
    chosen = parser.parse_args().part or list(PARTS)
    found = {"python": platform.python_version(), "machine": platform.machine()}
    json.dump(found | {name: PARTS[name]() for name in chosen}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
