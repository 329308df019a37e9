"""Unpack what is handed out into a bare folder and start it as a new user does; what does not work ends with status 1.

    python -m tests.releases.try_out tso-1.0.zip                 # the release: python3 tso.py
    python -m tests.releases.try_out tso-1.0-linux-x64.zip       # the folder of this system: its start file
    python -m tests.releases.try_out tso-1.0-py3-none-any.whl    # the package: pip install, then tso

The program has to set itself up, show an account, let it in with that, load the example event, stop when told, and
start once more. With `--older tso-1.0.zip` the older version is worked with first, the newer one takes its data over in
the way of its kind, and both ways back are gone. Several files are tried one after the other, each on the data that the
older version was left with: that is set up and worked with once. All stands in a folder with blanks and umlauts. The
release and the package take what they need from the internet or from pip's cache, the folder nothing;
`PIP_NO_COMPILE=1` saves half of the time.
Prints how long each start took until a page was there.
"""

import argparse
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
import venv
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from http.cookiejar import CookieJar
from pathlib import Path

PATIENCE = 300
"""Seconds until the program has to answer; the first start installs."""
KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "SYSTEMROOT")
PASSWORD = re.compile(r"Passwort: (\S+)")
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
CAN_RUN = 0o100
HARD_PATH = "Größe & Co/der Stick"
"""What a shell or an address trips over."""
START_FILE = "TSO starten.sh"
NO_NETWORK = {"UV_OFFLINE": "1", "HTTPS_PROXY": "http://127.0.0.1:9", "PIP_NO_INDEX": "1"}


class Failed(Exception):
    """What a new user would stumble over."""


def main() -> None:
    """Try the files that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+", metavar="file")
    parser.add_argument("--older", type=Path, help="the zip of an older release, whose data are taken over")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as bare:
        try:
            older = work_with_older(options.older, Path(bare, "Update & zurück")) if options.older else None
            for number, file in enumerate(options.files):
                folder = Path(bare, str(number), HARD_PATH)
                folder.mkdir(parents=True)
                words, environment = set_up(file, folder)
                took = [run(words, environment, folder, act) for act in (greet, read_manual)]
                print(f"{file.name}: set up, started, signed in, stopped; again. ", end="")
                print(f"A page after {took[0]:.0f} s, the second time after {took[1]:.1f} s", flush=True)
                if older:
                    update(file, older)
                    print(
                        f"{file.name}: took the data of {options.older.name} over; back by its folder and by the backup"
                    )
        except Failed as fault:
            sys.exit(str(fault))


def set_up(file: Path, folder: Path) -> tuple[list[str], dict[str, str]]:
    """Put the file's content into the folder; what to type there, and in which environment."""
    environment = {name: value for name, value in os.environ.items() if name in KEPT or name.startswith("PIP_")}
    if file.suffix == ".whl":
        venv.create(folder / "venv", with_pip=True)
        place = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        subprocess.run(
            [place / "python", "-m", "pip", "install", "--quiet", file.resolve()], env=environment, check=True
        )
        return [str(place / "tso")], {**environment, "HOME": str(folder), "PATH": os.defpath}
    program = unpacked(file, folder)
    if (program / START_FILE).exists():
        words = [str(shutil.which("sh")), str(program / START_FILE)]
        return words, {**environment, **NO_NETWORK, "HOME": str(folder), "PATH": f"{python().parent}:{os.defpath}"}
    return [str(python()), str(program / "tso.py")], environment


@dataclass(frozen=True)
class OlderVersion:
    """An older version that holds the example event, in a folder where a newer one is put beside it."""

    folder: Path
    words: list[str]
    environment: dict[str, str]
    password: str

    @property
    def program(self) -> Path:
        """The folder that it was unpacked to."""
        return Path(self.words[-1]).parent

    @property
    def untouched(self) -> Path:
        """A copy of its data as it was left, out of the way of a newer version that looks for data beside it."""
        return self.folder.with_name("untouched")


def work_with_older(older: Path, folder: Path) -> OlderVersion:
    """Set an older release up and load its example event. Raises `Failed`."""
    folder.mkdir()
    words, environment = set_up(older, folder)
    run(words, environment, folder, greet)
    password = find_password((folder / "window.txt").read_text(encoding="utf-8"))
    version = OlderVersion(folder, words, environment, password)
    shutil.copytree(version.program / "data", version.untouched)
    return version


def update(file: Path, older: OlderVersion) -> None:
    """Work with the newer version on the older one's data, and go back: to the older folder as it was, and to the
    backup that was made before the data were carried up. Leaves the older version as it was. Raises `Failed`."""
    old_data, folder = older.program / "data", older.folder
    newer, surroundings = set_up(file, folder)
    data = choose_data(newer, folder, old_data)
    see_event = partial(look, password=older.password)
    run(newer, surroundings, folder, see_event)
    run(older.words, older.environment, folder, see_event)
    saved = list((data / "backups").glob("tso-*-migration.zip"))
    if len(saved) != 1:
        raise Failed(f"{len(saved)} backups were made before the data were carried up")
    shutil.rmtree(old_data)  # once more without them: only the newer version's data and their backups are left
    shutil.copytree(data, old_data)
    restore = [*older.words, "restore", str(old_data / "backups" / saved[0].name), "--yes"]
    done = subprocess.run(
        restore, cwd=older.program, env=older.environment, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        raise Failed(done.stdout + done.stderr)
    run(older.words, older.environment, folder, see_event)
    shutil.rmtree(old_data)
    shutil.copytree(older.untouched, old_data)
    for path in folder.iterdir():  # the next one must find no other data than these beside it
        if path.is_dir() and path != older.program:
            shutil.rmtree(path)


def choose_data(newer: list[str], folder: Path, old: Path) -> Path:
    """Where the newer version keeps its data; copied there by hand, where it does not look for them beside it."""
    if newer[-1].endswith(START_FILE):
        return Path(newer[-1]).parent / "data"
    installed = newer[-1].endswith("tso")
    data = folder / ".local/share/tso/data" if installed else Path(newer[-1]).parent / "data"
    shutil.copytree(old, data)
    return data


def run(words: list[str], environment: dict[str, str], folder: Path, act: Callable[["Program"], None]) -> float:
    """Start the program, do something with it, and stop it; the seconds until a page was there. Raises `Failed`."""
    began = time.monotonic()
    program = start(words, environment, folder)
    try:
        wait(program)
        took = time.monotonic() - began
        act(program)
        stop(program)
    except (Failed, OSError) as fault:
        raise Failed(f"{fault}\n{program.said()}") from fault
    finally:
        program.process.kill()
    return took


def unpacked(packed: Path, folder: Path) -> Path:
    """The program's folder, out of the zip; as on a desktop, files that can be run stay so."""
    with zipfile.ZipFile(packed) as opened:
        for entry in opened.infolist():
            path = Path(opened.extract(entry, folder))
            if entry.external_attr >> 16 & CAN_RUN:
                path.chmod(0o755)
        (top,) = {name.split("/")[0] for name in opened.namelist()}
    return folder / top


class Program:
    """The program while it runs, and what its window shows."""

    def __init__(self, process: subprocess.Popen[bytes], window: Path, port: int) -> None:
        self.process, self.window, self.address = process, window, f"http://127.0.0.1:{port}"
        self.browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def said(self) -> str:
        """The window."""
        return self.window.read_text(encoding="utf-8", errors="replace")

    def get(self, path: str) -> str:
        """A page as the browser gets it. Raises `OSError`."""
        return str(self.browser.open(self.address + path, timeout=300).read().decode())

    def post(self, page: str, path: str, **fields: str) -> str:
        """Fill in a form of a page and press its button. Raises `OSError` or `Failed`."""
        token = TOKEN.search(self.get(page))
        if token is None:
            raise Failed(f"{page} has no form")
        content = urllib.parse.urlencode({"csrfmiddlewaretoken": token[1], **fields}).encode()
        return str(self.browser.open(self.address + path, content, timeout=300).read().decode())


def start(words: list[str], environment: dict[str, str], folder: Path) -> Program:
    """Start the program with nothing of ours around it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    window = folder / "window.txt"
    with window.open("wb") as shown:
        words = [*words, "start", "--no-browser", "--port", str(port)]
        process = subprocess.Popen(words, cwd=folder, env=environment, stdout=shown, stderr=shown)
    return Program(process, window, port)


def python() -> Path:
    """The machine's own Python, not one of an environment."""
    return Path(sys.base_prefix, "python.exe" if os.name == "nt" else "bin/python3")


def find_password(said: str) -> str:
    """The new account's, as the window shows it. Raises `Failed`."""
    password = PASSWORD.search(said)
    if password is None:
        raise Failed("no account was shown")
    return password[1]


def greet(program: Program) -> None:
    """What a new user does first. Raises `Failed` or `OSError`."""
    program.post("/login/", "/login/", username="turnierleitung", password=find_password(program.said()))
    if "Beispielturnier laden" not in program.get("/director/"):
        raise Failed("the account does not let its owner in")
    if "Herbst" not in program.post("/director/", "/director/tournaments/demo/"):
        raise Failed("the example event does not load")


def look(program: Program, password: str) -> None:
    """What an old user does: sign in and find the event. Raises `Failed` or `OSError`."""
    program.post("/login/", "/login/", username="turnierleitung", password=password)
    if "Herbst" not in program.get("/director/"):
        raise Failed("the event is not there")


def read_manual(program: Program) -> None:
    """What only this version has: its help shows the manual that came with it. Raises `Failed` or `OSError`."""
    if "Runde paaren" not in program.get("/help/draw/"):
        raise Failed("the manual is not in the package")


def stop(program: Program) -> None:
    """Stop it as the system does when one shuts down. Raises `Failed`."""
    program.process.send_signal(signal.SIGTERM)
    program.process.wait(timeout=300)
    if "Traceback" in program.said():
        raise Failed("the program broke")


def wait(program: Program) -> None:
    """Until the program answers. Raises `Failed` if it ends or takes too long."""
    for _tenth in range(10 * PATIENCE):
        try:
            program.get("/")
        except OSError:
            time.sleep(0.1)
        else:
            return
        if program.process.poll() is not None:
            raise Failed("the program ended by itself")
    raise Failed(f"no answer within {PATIENCE} s")


if __name__ == "__main__":
    main()
