"""A copy of the data checked by a process of its own, so that pages are answered meanwhile as fast as ever."""

import json
import os
import subprocess
import sys
from pathlib import Path

from django.conf import settings

from tournament.laptop.backup import copying
from tournament.laptop.backup.copying import Copy
from tournament.laptop.backup.values import DataFacts, Engine, facts_from

LONGEST = 600
"""Seconds; a thousand players' event takes three."""


if sys.platform == "win32":
    OWN_GROUP: dict[str, int] = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
else:
    OWN_GROUP = {"process_group": 0}
"""Ctrl+C in the window goes to all processes of its group: the check goes on, the program waits for it."""


class CheckFailed(OSError):
    """The check could not be made at all; what it printed is in the message."""


def check(copy: Copy, *, known: list[str], journals: bool = True) -> DataFacts:
    """What is in the copy and what is wrong with it; `known` are events checked before, as `slug:revision`.

    Raises `CheckFailed`.
    """
    options = ["--leave-out", *known] if journals else ["--no-journals"]
    if copy.engine is not Engine.SQLITE:
        return run_check(None, *options)
    try:
        return run_check(copy.folder, *options)
    finally:
        copying.close(copy)


def run_check(data: Path | None, *options: str) -> DataFacts:
    """`check_data` in a process of its own, over another data folder where one is given. Raises `CheckFailed`."""
    words = [sys.executable, "-m", "django", "check_data", "--polite", "--format", "json", *options]
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONUTF8": "1"}
    environment["PYTHONPATH"] = str(settings.BASE_DIR)
    if data is not None:
        environment |= {"TSO_DATA": str(data), "DATABASE_URL": "", "CACHE_URL": ""}
    try:
        done = subprocess.run(  # noqa: S603  # our own program with our own words
            words,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=LONGEST,
            check=False,
            **OWN_GROUP,  # type: ignore[call-overload]  # one keyword or the other, by the system
        )
        return facts_from(json.loads(done.stdout))
    except (OSError, subprocess.TimeoutExpired) as fault:
        raise CheckFailed(0, str(fault)) from fault
    except (KeyError, TypeError, ValueError) as fault:
        last = (done.stderr.strip().splitlines() or [str(fault)])[-1]
        raise CheckFailed(0, last) from fault
