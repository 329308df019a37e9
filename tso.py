#!/usr/bin/env python3
"""Sets the program up beside itself and runs it. Needs nothing but Python 3.11 or newer.

    python3 tso.py                 set up (once), start the program, open the browser
    python3 tso.py --lan           start it for phones and other machines in the network, too
    python3 tso.py test            set up (once), run the tests; what follows goes to pytest
    python3 tso.py demo            any other word is a command of `manage.py`

Everything is installed into the folder `.venv`, from a folder `wheels` if there is one, otherwise from the internet.
This file must stay readable for old Pythons up to the check of their version: no newer syntax here.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  # the one place that an old Python gets to see
    sys.exit(
        "Dieses Programm braucht Python 3.11 oder neuer, hier läuft {0}.{1}: bitte von python.org installieren.\n"
        "This program needs Python 3.11 or newer, this is {0}.{1}: please install it from python.org.\n"
        "Dit programma heeft Python 3.11 of nieuwer nodig, dit is {0}.{1}: installeer het van python.org.".format(
            *sys.version_info
        )
    )

import hashlib
import os
import re
import subprocess
from collections import deque
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "installed.txt"
"""Says what was installed last: it holds `fingerprint()`."""
REQUIREMENTS = ROOT / "requirements.txt"
WHEELS = ROOT / "wheels"
ALL_TESTS = ["-q", "-n", "auto"]
"""Quietly, on all of the machine's cores."""


def main() -> None:
    """Install what is missing, then become the program."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # a window that cannot show an umlaut
    try:
        prepare()
    except OSError as fault:
        fail(
            f"Der Ordner {VENV} lässt sich nicht einrichten ({fault}). Lege das Programm in einen eigenen Ordner.",
            f"The folder {VENV} cannot be set up ({fault}). Put the program into a folder of your own.",
            f"De map {VENV} kan niet worden ingericht ({fault}). Zet het programma in een eigen map.",
        )
    except KeyboardInterrupt:
        fail(
            "Abgebrochen; der nächste Start macht weiter.",
            "Interrupted; the next start goes on.",
            "Afgebroken; de volgende start gaat verder.",
        )
    become(command(sys.argv[1:]))


def command(arguments: list[str]) -> list[str]:
    """What to run for these arguments: the tests, a command of `manage.py`, or `start` if none is named."""
    if arguments[:1] == ["test"]:
        os.chdir(ROOT)
        return [str(PYTHON), "-m", "pytest", *(arguments[1:] or ALL_TESTS)]
    named = bool(arguments) and not arguments[0].startswith("-")
    return [str(PYTHON), str(ROOT / "manage.py"), *([] if named else ["start"]), *arguments]


def become(words: list[str]) -> NoReturn:
    """Run the command in this window and leave with its status."""
    os.environ["PYTHONUTF8"] = "1"
    sys.stdout.flush()
    if os.name != "nt":
        os.execv(words[0], words)
    with subprocess.Popen(words) as program:
        while True:
            try:
                sys.exit(program.wait())
            except KeyboardInterrupt:  # the program got it too, and ends by itself
                continue


def prepare() -> None:
    """A `.venv` with everything in `requirements.txt`; quick if nothing has changed since the last time."""
    if STAMP.exists() and STAMP.read_text(encoding="utf-8") == fingerprint() and works("import django"):
        return
    say(
        "Das Programm wird eingerichtet (nur beim ersten Mal) …",
        "Setting the program up (only the first time) …",
        "Het programma wordt ingericht (alleen de eerste keer) …",
    )
    if not works("assert sys.version_info >= (3, 11)"):
        make_venv()
    install()
    STAMP.write_text(fingerprint(), encoding="utf-8")


def fingerprint() -> str:
    """Changes with what is to be installed and with the Python that is to run it."""
    version = ".".join(map(str, sys.version_info[:2]))
    return f"{hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()} {version} {VENV}\n"


def works(statement: str) -> bool:
    """Whether the `.venv`'s Python is there and can do this.

    A damaged `.venv` may hand over to the system's Python, into which nothing may be installed: that does not count.
    """
    code = f"import sys; assert sys.prefix != sys.base_prefix; {statement}"
    try:
        return subprocess.run([PYTHON, "-c", code], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def make_venv() -> None:
    """A new `.venv`, in the place of a broken one; without pip where this Python cannot bring it along."""
    for options in (["--clear"], ["--clear", "--without-pip"]):
        words = [sys.executable, "-m", "venv", *options, str(VENV)]
        made = subprocess.run(words, capture_output=True, text=True, check=False)
        if made.returncode == 0:
            return
    fail(
        f"Python kann hier keine Umgebung anlegen ({last_line(made.stdout + made.stderr)}). "
        "Unter Debian und Ubuntu hilft: sudo apt install python3-venv",
        f"Python cannot make an environment here ({last_line(made.stdout + made.stderr)}). "
        "On Debian and Ubuntu this helps: sudo apt install python3-venv",
        f"Python kan hier geen omgeving maken ({last_line(made.stdout + made.stderr)}). "
        "Op Debian en Ubuntu helpt: sudo apt install python3-venv",
    )


def pip() -> list[str]:
    """How to call a pip that installs into the `.venv`: its own, or this Python's."""
    if works("import pip"):
        return [str(PYTHON), "-m", "pip"]
    found = subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, check=False)
    if found.returncode != 0:
        fail(
            "Hier fehlt pip. Unter Debian und Ubuntu hilft: sudo apt install python3-venv python3-pip",
            "pip is missing here. On Debian and Ubuntu this helps: sudo apt install python3-venv python3-pip",
            "Hier ontbreekt pip. Op Debian en Ubuntu helpt: sudo apt install python3-venv python3-pip",
        )
    return [sys.executable, "-m", "pip", "--python", str(PYTHON)]


def install() -> None:
    """Install `requirements.txt`, naming each package as it comes."""
    words = [*pip(), "install", "--only-binary=:all:", "--disable-pip-version-check", "--no-input"]
    words += ["--progress-bar=off", "-r", str(REQUIREMENTS)]
    if WHEELS.is_dir():
        words += ["--no-index", "--find-links", str(WHEELS)]
    environment = {**os.environ, "PIP_USER": "0", "PIP_REQUIRE_VIRTUALENV": "1", "PYTHONUTF8": "1"}
    last: deque[str] = deque(maxlen=20)
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace", env=environment
    ) as program:
        for line in program.stdout or ():
            last.append(line.rstrip())
            if line.startswith(("Collecting ", "Processing ")):
                print(f"  {package(line)}", flush=True)
            elif line.startswith("Installing "):
                say("  Fast fertig …", "  Nearly done …", "  Bijna klaar …")
    if program.returncode != 0:
        explain_failure("\n".join(last))


def package(line: str) -> str:
    """The name in pip's “Collecting django-htmx==1.29.0” or “Processing ./wheels/numpy-2.4.6-….whl”."""
    verb, what = line.split()[:2]
    return what.split("==")[0] if verb == "Collecting" else re.split(r"[/\\]", what)[-1].split("-")[0]


def explain_failure(output: str) -> NoReturn:
    """Say why pip gave up and what helps."""
    faults = [line for line in output.splitlines() if line.startswith("ERROR")]
    reason = faults[0] if faults else last_line(output)
    if WHEELS.is_dir():
        fail(
            f"Im Ordner {WHEELS} fehlt etwas ({reason}). Hole ihn neu oder benenne ihn um und starte mit Internet.",
            f"Something is missing in the folder {WHEELS} ({reason}). Fetch it anew, or rename it and go online.",
            f"In de map {WHEELS} ontbreekt iets ({reason}). Haal haar opnieuw, of hernoem haar en start met internet.",
        )
    fail(
        f"Die Installation ist misslungen ({reason}). Prüfe die Internetverbindung und starte noch einmal. Ohne "
        "Internet: auf einem anderen Rechner „python -m pip download -d wheels -r requirements.txt“ ausführen und den "
        "Ordner wheels hierher kopieren.",
        f"The installation failed ({reason}). Check the internet connection and start again. Without internet: run "
        "“python -m pip download -d wheels -r requirements.txt” on another machine and copy the folder wheels here.",
        f"De installatie is mislukt ({reason}). Controleer de internetverbinding en start opnieuw. Zonder internet: "
        "voer op een andere computer “python -m pip download -d wheels -r requirements.txt” uit en kopieer de map "
        "wheels hierheen.",
    )


def last_line(text: str) -> str:
    """The end of a program's complaint."""
    return (text.strip().splitlines() or ["?"])[-1]


def say(german: str, english: str, dutch: str) -> None:
    """Print in every language, as nobody has chosen one yet."""
    print(f"{german}\n{english}\n{dutch}", flush=True)


def fail(german: str, english: str, dutch: str) -> NoReturn:
    """Leave with a reason; a window opened by a double click stays open until it has been read."""
    print(f"{german}\n{english}\n{dutch}", file=sys.stderr, flush=True)
    if os.name == "nt" and sys.stdin.isatty():
        input("⏎ ")
    sys.exit(1)


if __name__ == "__main__":
    main()
