"""Makes the pictures of the documents from the running program: `python docs/pictures/make.py [picture …]`.

It starts the program on a folder of its own, in German, signs in as the director of the first start, loads the example
event and drives this machine's Chromium through it. It needs `requirements-dev.txt`, and poppler's `pdftoppm`.
"""

from __future__ import annotations

import io
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

from PIL import Image, ImageOps
from playwright.sync_api import Page, sync_playwright

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent
CHROMIUM = os.environ.get("TSO_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
WIDTH, SCALE, COLOURS = 1220, 1.25, 40
PHONE = {"width": 390, "height": 760}
PAPER_DPI = 60
ACCOUNT = re.compile(r"Name: +(?P<name>\S+)\s+Passwort: +(?P<password>\S+)")
LIST = """Name; Verein; Wertungszahl; Turnierspiele
Beispiel, Anna; SC Fulda; 1512; 73
Müller-Lüdenscheidt, Ann-Kathrin; SC Fulda; 1450; 120
Öztürk, Cem; Hamburger Wortwechsel; 1401; 88
Dvořák, Jana; SC Fulda; ; 0
Beispiel, Anna; SC Fulda; ;
"""


@dataclass(frozen=True, slots=True)
class Program:
    """The program while it runs: its address and the director's account."""

    address: str
    name: str
    password: str


def main() -> None:
    """Make the pictures named, or all of them; each needs those before it to have been walked through."""
    wanted = set(sys.argv[1:]) or set(PICTURES)
    if unknown := wanted - set(PICTURES):
        sys.exit(f"There is no picture {', '.join(sorted(unknown))}. There are: {', '.join(PICTURES)}.")
    with tempfile.TemporaryDirectory() as data, running(Path(data)) as program, browser() as page:
        page.goto(program.address + "/login/")
        page.get_by_label("Benutzername").fill(program.name)
        page.get_by_label("Passwort").fill(program.password)
        page.keyboard.press("Enter")
        page.wait_for_url("**/director/")
        for name, take in PICTURES.items():
            picture = take(page)
            if name in wanted:
                save(name, picture)


@contextmanager
def running(data: Path) -> Iterator[Program]:
    """The program on a new database in `data`, at a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = [sys.executable, str(ROOT / "manage.py"), "start", "--no-browser", "--port", str(port)]
    environment = {**os.environ, "TSO_DATA": str(data), "DATABASE_URL": "", "CACHE_URL": ""}
    environment |= {"LC_ALL": "de_DE.UTF-8", "PYTHONUTF8": "1"}
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
def browser() -> Iterator[Page]:
    """A German browser's page, light, as wide as the documents show it."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"] if is_root else [])
        context = chromium.new_context(
            viewport={"width": WIDTH, "height": 900}, device_scale_factor=SCALE, locale="de-DE", color_scheme="light"
        )
        yield context.new_page()
        chromium.close()


def save(name: str, picture: Image.Image) -> None:
    """Write the picture with as few colours as its letters need."""
    path = FOLDER / f"{name}.png"
    picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    sys.stdout.write(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1024} KB\n")


def shot(page: Page, height: int | None = None) -> Image.Image:
    """What the page shows, cut after `height`; without one up to the end of the page."""
    page.evaluate("document.fonts.ready")
    full = page.evaluate("document.documentElement.scrollHeight")
    shown = page.viewport_size or PHONE
    clip = {"x": 0, "y": 0, "width": shown["width"], "height": min(height or full, full)}
    return Image.open(io.BytesIO(page.screenshot(full_page=True, clip=clip, animations="disabled")))


def part(page: Page, selector: str) -> Image.Image:
    """One part of what the page shows."""
    return Image.open(io.BytesIO(page.locator(selector).first.screenshot(animations="disabled")))


def follow(page: Page, label: str) -> None:
    """Follow the link, or press the button, that is called so."""
    page.get_by_role("link", name=label, exact=True).or_(
        page.get_by_role("button", name=label, exact=True)
    ).first.click()
    page.wait_for_load_state("networkidle")


def event(page: Page, path: str = "") -> None:
    """Go to a page of the example event's director."""
    page.goto(f"{root(page)}/director/herbst-cup/{path}")


def root(page: Page) -> str:
    """The program's address, from the page that is open."""
    return "/".join(page.url.split("/")[:3])


def welcome(page: Page) -> Image.Image:
    return shot(page, 560)


def presets(page: Page) -> Image.Image:
    follow(page, "Neues Turnier")
    return shot(page)


def new(page: Page) -> Image.Image:
    page.get_by_role("link", name="Vereinsabend").first.click()
    page.get_by_label("Name", exact=True).fill("Oktoberabend")
    page.get_by_label("Ort").fill("Fulda")
    picture = part(page, ".card:has(dl)")
    follow(page, "Turnier anlegen")
    return picture


def entries(page: Page) -> Image.Image:
    for name in ("Aumann, Klara", "Bianchi, Ugo", "Çelik, Deniz"):
        page.get_by_label("Name", exact=True).first.fill(name)
        page.keyboard.press("Enter")
        page.get_by_text(f"{name} ist eingetragen").first.wait_for()
    return shot(page)


def list_preview(page: Page) -> Image.Image:
    follow(page, "Liste einfügen oder einlesen")
    page.get_by_label("Ein Spieler je Zeile").fill(LIST)
    follow(page, "Ansehen")
    return shot(page, 560)


def console(page: Page) -> Image.Image:
    page.goto(f"{root(page)}/director/")
    follow(page, "Beispielturnier laden")
    event(page)
    return shot(page)


def results(page: Page) -> Image.Image:
    follow(page, "Ergebnisse eingeben")
    for typed in ("412", "Enter", "1389", "Enter"):
        press(page, typed)
    page.locator(".grid-note").get_by_text("ist ungewöhnlich viel").wait_for()
    return shot(page, 980)


def press(page: Page, typed: str) -> None:
    """A key by its name, or figures."""
    if typed.isalpha():
        page.keyboard.press(typed)
    else:
        page.keyboard.type(typed)
    page.wait_for_function("() => !document.querySelector('[data-sending]')")


def result(page: Page) -> Image.Image:
    page.locator("[data-dirty] button[name=more]").click()
    page.wait_for_load_state("networkidle")
    page.locator("[name=second_points]").fill("398")
    page.locator("[name=second_overtime]").fill("1:12")
    page.get_by_text("20 Punkte Abzug").wait_for()
    picture = shot(page)
    page.get_by_role("button", name="Speichern", exact=True).click()
    page.wait_for_load_state("networkidle")
    return picture


def draft(page: Page) -> Image.Image:
    event(page, "results/")
    for figure in range(380, 440, 10):
        if page.locator("input.score[data-side]").count():
            for typed in (str(figure), "Enter", str(figure - 17), "Enter"):
                press(page, typed)
    event(page, "rounds/draw/")
    page.get_by_label("Verfahren").select_option(label="Schweizer System")
    page.get_by_label("Gegner dürfen sich erneut begegnen").uncheck()
    page.get_by_label("Startwert").fill("7")
    page.get_by_role("button", name="Runde 7 paaren").click()
    page.get_by_role("button", name="Fixieren").nth(1).click()
    page.wait_for_load_state("networkidle")
    return shot(page, 760)


def paper(page: Page) -> Image.Image:
    """Four documents beside each other, as a printer gives them."""
    follow(page, "Veröffentlichen")
    event(page, "print/")
    sheets = [printed(page, name) for name in ("pairings", "result-slips", "scoresheets", "standings")]
    width, height, gap = sheets[0].width, sheets[0].height, 14
    desk = Image.new("RGB", (len(sheets) * (width + gap) + gap, height + 2 * gap), "#d8dade")
    for number, sheet in enumerate(sheets):
        desk.paste(sheet, (gap + number * (width + gap), gap))
    return desk


def printed(page: Page, name: str) -> Image.Image:
    """The first page of a document."""
    answer = page.request.get(f"{root(page)}/director/herbst-cup/print/{name}.pdf?round=6")
    words = [str(shutil.which("pdftoppm")), "-r", str(PAPER_DPI), "-f", "1", "-l", "1", "-png", "-"]
    drawn = subprocess.run(words, input=answer.body(), capture_output=True, check=True)  # noqa: S603 -- the PDF is ours
    return ImageOps.expand(Image.open(io.BytesIO(drawn.stdout)).convert("RGB"), 1, "#888")


def correction(page: Page) -> Image.Image:
    event(page, "results/5/")
    page.get_by_role("link", name="Korrigieren").first.click()
    page.locator("[name=first_points]").fill("405")
    page.locator("[name=second_points]").fill("450")
    page.get_by_role("button", name="Auswirkungen ansehen").click()
    page.get_by_text("Was sich dadurch ändert").wait_for()
    return part(page, "#preview")


def table(page: Page) -> Image.Image:
    """What everybody sees, signed in or not."""
    address = root(page)
    page.context.clear_cookies()
    page.goto(f"{address}/t/herbst-cup/table/5/")
    return shot(page, 760)


def phone(page: Page) -> Image.Image:
    page.set_viewport_size(PHONE)
    page.goto(f"{root(page)}/t/herbst-cup/rounds/7/?by=name")
    return shot(page, PHONE["height"])


PICTURES: dict[str, Callable[[Page], Image.Image]] = {
    "welcome": welcome,
    "presets": presets,
    "new": new,
    "entries": entries,
    "list": list_preview,
    "console": console,
    "results": results,
    "result": result,
    "draft": draft,
    "paper": paper,
    "correction": correction,
    "table": table,
    "phone": phone,
}
"""In the order in which one leads to the next."""


if __name__ == "__main__":
    main()
