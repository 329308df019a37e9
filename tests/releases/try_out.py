"""Unpack a release in a bare folder and start it as a new user does; what does not work ends with status 1.

    python -m tests.releases.try_out tso-1.0.zip

The program has to set itself up, show an account, let it in with that, load the example event, and stop when told. It
takes what it needs from the internet or from pip's cache; `PIP_NO_COMPILE=1` saves half of the time.
"""

import argparse
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
import zipfile
from http.cookiejar import CookieJar
from pathlib import Path

PATIENCE = 300
"""Seconds until the program has to answer; the first start installs."""
KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "SYSTEMROOT")
PASSWORD = re.compile(r"Passwort: (\S+)")
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
CAN_RUN = 0o100


class Failed(Exception):
    """What a new user would stumble over."""


def main() -> None:
    """Try the zip that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("zip", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as bare:
        began = time.monotonic()
        program = start(unpacked(options.zip, Path(bare)))
        try:
            walk(program)
        except (Failed, OSError) as fault:
            sys.exit(f"{fault}\n{program.said()}")
        finally:
            program.process.kill()
        print(f"{options.zip.name}: set up, started, signed in, stopped ({time.monotonic() - began:.0f} s)")


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


def start(folder: Path) -> Program:
    """Start the unpacked program with nothing of ours around it."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {name: value for name, value in os.environ.items() if name in KEPT or name.startswith("PIP_")}
    window = folder.parent / "window.txt"
    with window.open("wb") as shown:
        words = [str(python()), "tso.py", "start", "--no-browser", "--port", str(port)]
        process = subprocess.Popen(words, cwd=folder, env=environment, stdout=shown, stderr=shown)
    return Program(process, window, port)


def python() -> Path:
    """The machine's own Python, not one of an environment."""
    return Path(sys.base_prefix, "python.exe" if os.name == "nt" else "bin/python3")


def walk(program: Program) -> None:
    """What a new user does first. Raises `Failed` or `OSError`."""
    wait(program)
    password = PASSWORD.search(program.said())
    if password is None:
        raise Failed("no account was shown")
    program.post("/login/", "/login/", username="turnierleitung", password=password[1])
    if "Beispielturnier laden" not in program.get("/director/"):
        raise Failed("the account does not let its owner in")
    if "Herbst" not in program.post("/director/", "/director/tournaments/demo/"):
        raise Failed("the example event does not load")
    program.process.send_signal(signal.SIGTERM)
    program.process.wait(timeout=300)
    if "Traceback" in program.said():
        raise Failed("the program broke")


def wait(program: Program) -> None:
    """Until the program answers. Raises `Failed` if it ends or takes too long."""
    for _second in range(PATIENCE):
        try:
            program.get("/")
        except OSError:
            time.sleep(1)
        else:
            return
        if program.process.poll() is not None:
            raise Failed("the program ended by itself")
    raise Failed(f"no answer within {PATIENCE} s")


if __name__ == "__main__":
    main()
