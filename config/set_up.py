"""The environment `.venv` beside the program: made once, mended when it is broken; then the program runs in it.

What starts by hand calls it, with the machine's own Python: standard library only.
"""

import hashlib
import os
import re
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import NoReturn

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "installed.txt"
"""Says what was installed last: it holds `fingerprint()`."""
REQUIREMENTS = ROOT / "requirements.txt"
WHEELS = ROOT / "wheels"
ALL_TESTS = ["-q", "-n", "auto"]
"""Quietly, on all of the machine's cores."""
SHORT_TESTS = [*ALL_TESTS, "-m", "not long", "--assert=plain", "--showlocals"]
"""Asserted lines are left as they stand: to make them tell their values takes each core ten seconds in a new clone.
What fails shows the variables around it, and tells the values when it is run by its name."""


def main(arguments: list[str]) -> NoReturn:
    """Install what is missing, then become the program that these arguments name."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # a window that cannot show an umlaut
    try:
        with lock_folder():
            prepare()
    except (BrokenPipeError, KeyboardInterrupt):  # by hand, or nobody reads any more: `tso.py | head`
        fail(
            "Abgebrochen; der nächste Start macht weiter.",
            "Interrupted; the next start goes on.",
            "Afgebroken; de volgende start gaat verder.",
        )
    except OSError as fault:
        fail(
            f"Der Ordner {VENV} lässt sich nicht einrichten ({fault}). Lege das Programm in einen eigenen Ordner.",
            f"The folder {VENV} cannot be set up ({fault}). Put the program into a folder of your own.",
            f"De map {VENV} kan niet worden ingericht ({fault}). Zet het programma in een eigen map.",
        )
    become(command(arguments))


def command(arguments: list[str]) -> list[str]:
    """What to run for these arguments: the tests, a command of `manage.py`, or `start` if none is named."""
    if arguments[:1] == ["test"]:
        os.chdir(ROOT)
        words = [*ALL_TESTS, *arguments[2:]] if arguments[1:2] == ["--all"] else arguments[1:] or SHORT_TESTS
        return [str(PYTHON), "-m", "pytest", *words]
    named = bool(arguments) and not arguments[0].startswith("-")
    return [str(PYTHON), str(ROOT / "manage.py"), *([] if named else ["start"]), *arguments]


def become(words: list[str]) -> NoReturn:
    """Run the command in this window and leave with its status."""
    os.environ["PYTHONUTF8"] = "1"
    sys.stdout.flush()
    # On Windows exec starts another process and ends this one: the window would take commands while the program runs.
    if os.name != "nt":
        os.execv(words[0], words)
    with subprocess.Popen(words) as program:
        while True:
            try:
                sys.exit(program.wait())
            except KeyboardInterrupt:  # the program got it too, and ends by itself
                continue


@contextmanager
def lock_folder() -> Iterator[None]:
    """Let one start at a time set up: whoever comes second waits, and finds everything there.

    A byte behind the end of `requirements.txt` is locked on Windows, elsewhere the folder itself: nothing is left lying
    about, and a start that is killed lets go of it.
    """
    with REQUIREMENTS.open("rb") if os.name == "nt" else nullcontext() as file:
        place = file.fileno() if file else os.open(ROOT, os.O_RDONLY)
        try:
            # Somebody clicks once more while nothing seems to happen. That start made the environment anew under the
            # first one, which then found no Python.
            if not take_lock(place, wait=False):
                say(
                    "Das Programm wird gerade schon eingerichtet; dieser Start wartet darauf …",
                    "The program is being set up already; this start waits for it …",
                    "Het programma wordt al ingericht; deze start wacht daarop …",
                )
                take_lock(place, wait=True)
            yield
        finally:
            if not file:
                os.close(place)


def take_lock(place: int, *, wait: bool) -> bool:
    """Whether this open file is locked now; a drive that knows no locks counts as locked."""
    if sys.platform == "win32":
        while True:
            os.lseek(place, 1 << 30, os.SEEK_SET)
            try:
                msvcrt.locking(place, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
            except OSError:  # ten seconds have gone by
                if not wait:
                    return False
            else:
                return True
    try:
        fcntl.flock(place, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


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
    """Whether the `.venv` has a Python that can run this statement.

    A damaged `.venv` may hand over to the system's Python, into which nothing may be installed: that does not count.
    """
    code = f"import sys; assert sys.prefix != sys.base_prefix; {statement}"
    try:
        # Equal to 0 and nothing else: on Windows what crashes may end with a number below 0, and an environment that
        # crashed counted as ready.
        return subprocess.run([PYTHON, "-c", code], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def make_venv() -> None:
    """A new `.venv`, in the place of a broken one; without pip where this Python cannot bring it along.

    Raises `OSError` where the folder cannot be written: Python's own complaint would send people to Debian's packages.
    """
    VENV.mkdir(exist_ok=True)
    for options in (["--clear"], ["--clear", "--without-pip"]):
        words = [sys.executable, "-m", "venv", *options, str(VENV)]
        process = subprocess.run(words, capture_output=True, text=True, check=False)
        if process.returncode == 0:
            return
    fail(
        f"Python kann hier keine Umgebung anlegen ({last_line(process.stdout + process.stderr)}). "
        "Unter Debian und Ubuntu hilft: sudo apt install python3-venv",
        f"Python cannot make an environment here ({last_line(process.stdout + process.stderr)}). "
        "On Debian and Ubuntu this helps: sudo apt install python3-venv",
        f"Python kan hier geen omgeving maken ({last_line(process.stdout + process.stderr)}). "
        "Op Debian en Ubuntu helpt: sudo apt install python3-venv",
    )


def pip() -> list[str]:
    """How to call a pip that installs into the `.venv`: its own, or this Python's."""
    own = [str(PYTHON), "-m", "pip"]
    if works("import pip"):
        return own
    process = subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, check=False)
    if process.returncode == 0:
        return [sys.executable, "-m", "pip", "--python", str(PYTHON)]
    make_venv()  # Debian's python3-venv, which brings pip along, may have been installed since the last try
    if not works("import pip"):
        fail(
            "Hier fehlt pip. Unter Debian und Ubuntu hilft: sudo apt install python3-venv",
            "pip is missing here. On Debian and Ubuntu this helps: sudo apt install python3-venv",
            "Hier ontbreekt pip. Op Debian en Ubuntu helpt: sudo apt install python3-venv",
        )
    return own


def install() -> None:
    """Install `requirements.txt`, naming each package as it comes."""
    # Wheels only: whoever starts the program has no compiler, and no package runs its own code while it is installed.
    words = [*pip(), "install", "--only-binary=:all:", "--disable-pip-version-check", "--no-input"]
    words += ["--progress-bar=off", "-r", str(REQUIREMENTS)]
    if WHEELS.is_dir():
        words += ["--no-index", "--find-links", str(WHEELS)]
    elif not works("import pip"):
        words += ["pip"]  # for the next time, and for the tests that install something
    # Whatever the machine's own pip settings say, the packages go into the .venv.
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
    """Say why pip gave up and what helps. Raises `OSError` where the folder or the disk is the reason."""
    faults = [line for line in output.splitlines() if line.startswith("ERROR")]
    reason = faults[0] if faults else last_line(output)
    if re.search("permission denied|read-only file system|no space left|disk quota", output, re.IGNORECASE):
        raise OSError(reason)
    if re.search(r"CERTIFICATE_VERIFY_FAILED|SSLCertVerification|SSLError", output):
        fail(
            f"Dem Zertifikat des Servers wird hier nicht getraut ({certificate_fault(output)}). Meist prüft ein "
            "Virenschutz oder das Netz einer Firma die Verbindung: in einem anderen Netz starten oder PIP_CERT auf die "
            "Datei mit deren Zertifikat setzen. Auch eine falsche Uhrzeit des Rechners hat diese Folge.",
            f"The server's certificate is not trusted here ({certificate_fault(output)}). Usually a virus scanner or a "
            "company's network looks into the connection: start in another network, or let PIP_CERT name the file with "
            "its certificate. A wrong clock on this machine does it as well.",
            f"Het certificaat van de server wordt hier niet vertrouwd ({certificate_fault(output)}). Meestal kijkt een "
            "virusscanner of het netwerk van een bedrijf mee: start in een ander netwerk, of laat PIP_CERT het bestand "
            "met dat certificaat noemen. Ook een verkeerde klok van deze computer heeft dit gevolg.",
        )
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


def certificate_fault(output: str) -> str:
    """What OpenSSL says about a certificate, as “unable to get local issuer certificate”."""
    fault = re.search(r"certificate verify failed: ([^(\n\"')]+)", output)
    return fault[1].strip() if fault else "SSL"


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
