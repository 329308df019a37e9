"""The word judge on a million generated words: loading, looking up, and what it costs in memory.

`python -m benchmarks.words` prints this part alone. Memory is measured in a process of its own, so that what else was
measured before does not count.
"""

from __future__ import annotations

import io
import itertools
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.timing import median_ms

ROOT = Path(__file__).resolve().parent.parent
COUNT = 1_000_000
LETTERS = "ENSIRTUADHGLOMBWZCFKPÄJÜVÖXQY"
WEIGHTS = (15, 9, 7, 6, 6, 6, 6, 5, 4, 4, 3, 3, 3, 4, 2, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1)
LOOK_UPS = 1_000
"""How many words are looked up in one measured call: a single look-up is too short to be timed."""


def generated(count: int, seed: int = 1) -> list[str]:
    """`count` different words of 2 to 15 letters, in no order; letters as frequent as in the bag."""
    rng = random.Random(seed)
    found: dict[str, None] = {}
    while len(found) < count:
        length = min(15, max(2, round(rng.gauss(10.5, 2.5))))
        found["".join(rng.choices(LETTERS, WEIGHTS, k=length))] = None
    return list(found)


def look_ups(count: int) -> dict[str, Any]:
    """Load a list of that size and look words up, half of which are in it: one process's times and memory."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TSO_DATA"] = folder
        os.environ.pop("DATABASE_URL", None)
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        file = Path(folder) / "generated.txt"
        _generate(file, count)
        found = {"file_mb": round(file.stat().st_size / 1024**2, 1), **_measured(file)}
        from django.db import connections

        connections.close_all()
    return found


def _generate(file: Path, count: int) -> None:
    """Write the words in a process of its own, whose memory goes with it."""
    code = f"from benchmarks import words; print('\\n'.join(words.generated({count})))"
    with file.open("wb") as out:
        environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
        subprocess.run([sys.executable, "-c", code], cwd=ROOT, stdout=out, check=True, env=environment)


def _measured(file: Path) -> dict[str, Any]:
    from games.judge.lists import look_up_words
    from games.judge.operations import delete_word_list, load_word_list
    from games.judge.store import open_list_file
    from tournament.core.change import TERMINAL_ACTOR

    before = peak_mb()
    with file.open(encoding="utf-8") as lines:
        content = [line.strip() for line in itertools.islice(lines, 0, None, max(1, COUNT // 500))]

    def load() -> None:
        with file.open("rb") as source:
            done = load_word_list(source, letters="de", title="generated", actor=TERMINAL_ACTOR)
        delete_word_list(done.word_list, actor=TERMINAL_ACTOR)

    loading = median_ms(load, repeat=3)
    with file.open("rb") as source:
        stored = load_word_list(source, letters="de", title="generated", actor=TERMINAL_ACTOR).word_list
    opened = open_list_file(stored.name, sha256=stored.sha256, title="")
    asked = list(itertools.islice(itertools.cycle([*content, *(f"{word[:-1]}Q" for word in content)]), LOOK_UPS))
    many = median_ms(lambda: [opened.holds(word) for word in asked], repeat=30)
    return {
        "words": stored.count,
        "load_ms": loading,
        "look_up_ms": round(many / LOOK_UPS, 5),
        "judge_8_words_ms": median_ms(lambda: look_up_words(asked[:8], stored.organiser_id), repeat=200),
        "memory_mb": {"before": before, "peak": peak_mb()},
    }


def peak_mb() -> int:
    """The most memory that this process has taken so far."""
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def measure() -> dict[str, Any]:
    """Everything for a million words."""
    code = f"import json; from benchmarks import words; print(json.dumps(words.look_ups({COUNT})))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    return dict(json.load(io.BytesIO(done.stdout)))


if __name__ == "__main__":
    json.dump(measure(), sys.stdout, indent=1)
