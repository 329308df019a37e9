"""Unpack what is handed out into a bare folder and start it as a new user does; what does not work ends with status 1.

    python -m tests.releases.try_out tso-1.0.zip                 # the release: python3 tso.py
    python -m tests.releases.try_out tso-1.0-linux-x64.zip       # the folder of this system: its start file
    python -m tests.releases.try_out tso-1.0-py3-none-any.whl    # the package: pip install, then tso

The program has to set itself up, show an account, let it in with that, load the example event, stop when told, and
start once more. All stands in a folder with blanks and umlauts. The release and the package take
what they need from the internet or from pip's cache, the folder nothing; `PIP_NO_COMPILE=1` saves half of the time.
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
    """Try the file that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as bare:
        folder = Path(bare, HARD_PATH)
        folder.mkdir(parents=True)
        try:
            words, environment = set_up(options.file, folder)
            took = [run(words, environment, folder, again=again) for again in (False, True)]
        except Failed as fault:
            sys.exit(str(fault))
    print(f"{options.file.name}: set up, started, signed in, stopped; again. ", end="")
    print(f"A page after {took[0]:.0f} s, the second time after {took[1]:.1f} s")


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


def run(words: list[str], environment: dict[str, str], folder: Path, *, again: bool) -> float:
    """Start the program, do what a new user does, or an old one, and stop it; the seconds until a page was there.
    Raises `Failed`."""
    began = time.monotonic()
    program = start(words, environment, folder)
    try:
        wait(program)
        took = time.monotonic() - began
        if not again:
            greet(program)
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


def greet(program: Program) -> None:
    """What a new user does first. Raises `Failed` or `OSError`."""
    password = PASSWORD.search(program.said())
    if password is None:
        raise Failed("no account was shown")
    program.post("/login/", "/login/", username="turnierleitung", password=password[1])
    if "Beispielturnier laden" not in program.get("/director/"):
        raise Failed("the account does not let its owner in")
    if "Herbst" not in program.post("/director/", "/director/tournaments/demo/"):
        raise Failed("the example event does not load")


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
