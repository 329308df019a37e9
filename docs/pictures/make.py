"""Makes the pictures of the documents from the running program: `python docs/pictures/make.py [picture …]`.

It starts the program on a folder of its own, signs in as the director of the first start, and drives this machine's
Chromium through an event: in German through the example event, in Dutch through a club's evening. It needs
`requirements-dev.txt`, and poppler's `pdftoppm`.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import dutch
import evening
import judge
import knockout
import sheets
from PIL import Image
from playwright.sync_api import Page, sync_playwright

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
CHROMIUM = os.environ.get("TSO_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
WIDTH, SCALE, COLOURS = 1220, 1.25, 64
ACCOUNT = re.compile(r"(?:Name|Naam): +(?P<name>\S+)\s+(?:Passwort|Wachtwoord): +(?P<password>\S+)")


@dataclass(frozen=True, slots=True)
class Program:
    """The program while it runs: its address and the director's account."""

    address: str
    name: str
    password: str


def main() -> None:
    """Make the pictures named, or all of them."""
    known = [name for pictures in WALKS.values() for name in pictures]
    wanted = set(sys.argv[1:]) or set(known)
    if unknown := wanted - set(known):
        sys.exit(f"There is no picture {', '.join(sorted(unknown))}. There are: {', '.join(known)}.")
    for language, pictures in WALKS.items():
        if wanted & set(pictures):
            walk(language, pictures, wanted)


def walk(language: str, pictures: Pictures, wanted: set[str]) -> None:
    """Go through an event in a language; each picture needs those before it to have been walked through."""
    with tempfile.TemporaryDirectory() as data, running(Path(data), language) as program, browser(language) as page:
        page.context.add_cookies([{"name": "django_language", "value": language, "url": program.address}])
        page.goto(program.address + "/login/")
        page.locator("[name=username]").fill(program.name)
        page.locator("[name=password]").fill(program.password)
        page.keyboard.press("Enter")
        page.wait_for_url("**/director/")
        for name, take in pictures.items():
            picture = take(page)
            if name in wanted:
                save(name, picture)


@contextmanager
def running(data: Path, language: str) -> Iterator[Program]:
    """The program on a new database in `data`, at a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [sys.executable, str(ROOT / "manage.py"), "start", "--no-browser", "--port", str(port)]
    environment = {**os.environ, "TSO_DATA": str(data), "DATABASE_URL": "", "CACHE_URL": ""}
    environment |= {"LC_ALL": f"{language}.UTF-8", "PYTHONUTF8": "1"}
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, encoding="utf-8") as process:  # noqa: S603 -- this program
        try:
            account = ACCOUNT.search(said(process))
            if account is None:
                sys.exit("The program has shown no account.")
            yield Program(f"http://127.0.0.1:{port}", account["name"], account["password"])
        finally:
            process.terminate()
            process.communicate()


def said(process: subprocess.Popen[str]) -> str:
    """What the program prints until it says where it runs."""
    lines = []
    for line in process.stdout or ():
        lines.append(line)
        if "http://" in line:
            break
    return "".join(lines)


@contextmanager
def browser(language: str) -> Iterator[Page]:
    """The page of a browser in that language, light, as wide as the documents show it."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"] if is_root else [])
        context = chromium.new_context(
            viewport={"width": WIDTH, "height": 900}, device_scale_factor=SCALE, locale=language, color_scheme="light"
        )
        yield context.new_page()
        chromium.close()


def save(name: str, picture: Image.Image) -> None:
    """Write the picture with as few colours as its letters need."""
    path = FOLDER / f"{name}.png"
    picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    sys.stdout.write(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1024} KB\n")


Pictures = dict[str, Callable[[Page], Image.Image]]

GERMAN: Pictures = {
    "welcome": evening.welcome,
    "presets": evening.presets,
    "new": evening.new,
    "entries": evening.entries,
    "list": evening.list_preview,
    "console": evening.console,
    "results": evening.results,
    "result": evening.result,
    "draft": evening.draft,
    "paper": evening.paper,
    "correction": evening.correction,
    "sheet": sheets.sheet,
    "compare": sheets.compare,
    "replay": sheets.replay,
    "judge": judge.question,
    "bracket": knockout.bracket,
    "table": evening.table,
    "phone": evening.phone,
}
DUTCH: Pictures = {
    "nl-presets": dutch.presets,
    "nl-new": dutch.new,
    "nl-entries": dutch.entries,
    "nl-results": dutch.results,
    "nl-console": dutch.console,
    "nl-draft": dutch.draft,
    "nl-paper": dutch.paper,
    "nl-duplicate": dutch.duplicate,
    "nl-table": dutch.table,
    "nl-phone": dutch.phone,
}
WALKS = {"de": GERMAN, "nl": DUTCH}
"""By language, in the order in which one leads to the next."""


if __name__ == "__main__":
    main()
