"""The second start of the program in a folder that has been set up, until its first page is answered.

`python -m benchmarks.start` prints this part alone. Where `tso.py` has installed the program, it is what is started.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from benchmarks.hall import computed
from config.set_up import ROOT, STAMP

PORT = 8896
STARTS = 7
PATIENCE = 60.0
"""Seconds after which a start counts as failed."""


def start_once(folder: str) -> tuple[float, float]:
    """Start the program on these data, ask for its first page, and end it: the seconds by the clock until the page was
    there, and those for which the program had computed by then. Raises `RuntimeError` if the page does not come."""
    environment = {**os.environ, "TSO_DATA": folder, "TSO_HOSTS": "127.0.0.1,localhost"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # a director's machine keeps what it has compiled
    words = ["tso.py"] if STAMP.exists() else ["manage.py", "start"]
    begun = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, *words, "--no-browser", "--port", str(PORT)],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as program:
        try:
            while not is_answered():
                if program.poll() is not None or time.perf_counter() - begun > PATIENCE:
                    raise RuntimeError("the program did not start")
                time.sleep(0.01)
            return time.perf_counter() - begun, computed(program.pid)
        finally:
            program.terminate()


def is_answered() -> bool:
    """Whether the first page comes."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/", timeout=PATIENCE) as page:
            return bool(page.read())
    except OSError:
        return False


def measure() -> dict[str, Any]:
    """Medians of several starts, with the example event of 100 players in the database; the first one sets up."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "TSO_DATA": folder}
        command = [sys.executable, str(Path(ROOT) / "manage.py"), "demo", "--players", "100"]
        subprocess.run(command, env=environment, check=True, capture_output=True)
        start_once(folder)
        starts = [start_once(folder) for _number in range(STARTS)]
    clock, processor = (round(statistics.median(seconds) * 1000) for seconds in zip(*starts, strict=True))
    return {"started": "tso.py" if STAMP.exists() else "manage.py start", "ms": clock, "processor_ms": processor}


if __name__ == "__main__":
    json.dump(measure(), sys.stdout, indent=1)
