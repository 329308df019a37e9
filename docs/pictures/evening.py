"""An evening from the first start to the table, picture by picture."""

from __future__ import annotations

import io
import shutil
import subprocess

from browsing import PHONE, event, follow, part, press, root, shot
from PIL import Image, ImageOps
from playwright.sync_api import Page

PAPER_DPI = 60
LIST = """Name; Verein; Wertungszahl; Turnierspiele
Beispiel, Anna; SC Fulda; 1512; 73
Müller-Lüdenscheidt, Ann-Kathrin; SC Fulda; 1450; 120
Öztürk, Cem; Hamburger Wortwechsel; 1401; 88
Dvořák, Jana; SC Fulda; ; 0
Beispiel, Anna; SC Fulda; ;
"""


def welcome(page: Page) -> Image.Image:
    return shot(page, 560)


def presets(page: Page) -> Image.Image:
    follow(page, "Neues Turnier")
    return shot(page)


def new(page: Page) -> Image.Image:
    page.get_by_role("link", name="Vereinsabend").first.click()
    page.wait_for_url("**/new/*/**")
    page.get_by_label("Name", exact=True).fill("Oktoberabend")
    page.get_by_label("Ort").fill("Fulda")
    page.get_by_text("Was sie setzt").click()
    picture = shot(page, 900)
    follow(page, "Anlegen und Spieler eintragen")
    page.wait_for_url("**/entries/")
    return picture


def entries(page: Page) -> Image.Image:
    for name in ("Aumann, Klara", "Bianchi, Ugo", "Çelik, Deniz"):
        page.get_by_label("Name", exact=True).first.fill(name)
        page.keyboard.press("Enter")
        page.locator("tr[data-entry]").first.get_by_role("link", name=name).wait_for()
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


def result(page: Page) -> Image.Image:
    page.locator("[data-dirty] button[name=more]").click()
    page.wait_for_load_state("networkidle")
    page.locator("[name=second_points]").fill("398")
    page.locator("[name=second_overtime]").fill("1:12")
    page.get_by_text("20 Punkte Abzug").wait_for()
    picture = shot(page)
    page.locator("button[name=figure]").first.click()
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
    page.get_by_label("Losnummer").fill("7")
    page.get_by_role("button", name="Runde 7 paaren").click()
    for place, count in ((2, 1), (7, 2)):
        page.locator(".pick").nth(place).click()
        page.locator(".pick[aria-current]").nth(count - 1).wait_for()
    page.wait_for_load_state("networkidle")
    return shot(page, 760)


def paper(page: Page) -> Image.Image:
    """Four documents beside each other, as a printer gives them."""
    follow(page, "Nur veröffentlichen")
    event(page, "print/")
    return beside([printed(page, name) for name in ("pairings", "result-slips", "scoresheets", "standings")])


def beside(sheets: list[Image.Image]) -> Image.Image:
    """Sheets of one size as they lie on a desk."""
    width, height, gap = sheets[0].width, sheets[0].height, 14
    desk = Image.new("RGB", (len(sheets) * (width + gap) + gap, height + 2 * gap), "#d8dade")
    for number, sheet in enumerate(sheets):
        desk.paste(sheet, (gap + number * (width + gap), gap))
    return desk


def printed(page: Page, name: str, *, event: str = "herbst-cup", round: int = 6) -> Image.Image:
    """The first page of a document."""
    answer = page.request.get(f"{root(page)}/director/{event}/print/{name}.pdf?round={round}")
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
