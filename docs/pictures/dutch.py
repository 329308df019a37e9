"""An evening of a Dutch club, from the preset to the table, picture by picture."""

from __future__ import annotations

from browsing import PHONE, follow, part, press, root, shot
from evening import beside, printed
from PIL import Image
from playwright.sync_api import Page

EVENT = "najaarsavond"
LIST = """Naam; Club
van den Berg, Joost; De Letterbak Utrecht
De Smet, Lieve; Scrabbleclub Gent
Claes, Bart; Scrabbleclub Gent
Jansen, Els; De Letterbak Utrecht
Peeters, An; Woordenaars Antwerpen
de Vries, Kees; De Letterbak Utrecht
Wouters, Griet; Scrabbleclub Gent
Bakker, Hanneke; Woordspel Breda
Maes, Wim; Woordenaars Antwerpen
Visser, Ton; Woordspel Breda
Janssens, Luc; Woordenaars Antwerpen
Mulder, Marijke; De Letterbak Utrecht
"""
FIRST_ROUND = ((512, 447), (398, 463), (551, 402), (476, 471), (433, 505), (489, 418))
SECOND_ROUND = ((467, 482), (528, 439), (401, 455), (495, 460))
"""Points in the order of the tables; in the second round two tables are still playing."""
DRAW = "AEINRST"
SLIPS = ("8D STAREN 22", "8D SATIRE 22", "H8 TREIN 16", "8D STIER 18", "8D RATEN 18", "8H SATER 20")
"""As they are handed in; the fourth counts 20."""


def presets(page: Page) -> Image.Image:
    follow(page, "Nieuw toernooi")
    return shot(page)


def new(page: Page) -> Image.Image:
    page.get_by_role("link", name="Puntenscrabble-avond").first.click()
    page.wait_for_url("**/new/*/**")
    page.get_by_label("Naam", exact=True).fill("Najaarsavond")
    page.get_by_label("Plaats").fill("Utrecht")
    page.get_by_text("Wat het instelt").click()
    picture = shot(page, 800)
    follow(page, "Aanmaken en spelers invoeren")
    page.wait_for_url("**/entries/")
    return picture


def entries(page: Page) -> Image.Image:
    """The list as it was read, then the players."""
    follow(page, "Lijst plakken of inlezen")
    page.get_by_label("Eén speler per regel").fill(LIST)
    follow(page, "Bekijken")
    follow(page, "12 spelers inschrijven")
    return shot(page, 800)


def results(page: Page) -> Image.Image:
    """The first round done, the second one half typed."""
    _round(page, 1)
    _type(page, FIRST_ROUND)
    _round(page, 2)
    _type(page, SECOND_ROUND)
    return shot(page, 760)


def draft(page: Page) -> Image.Image:
    """The third round before it is published, paired although two results are missing."""
    page.goto(f"{root(page)}/director/{EVENT}/rounds/draw/")
    page.get_by_label("Op de stand na ronde").select_option(label="1")
    page.get_by_label("Loting nr.").fill("7")
    page.get_by_role("button", name="Ronde 3 indelen").click()
    page.wait_for_load_state("networkidle")
    return shot(page, 760)


def paper(page: Page) -> Image.Image:
    names = ("pairings", "result-slips", "scoresheets", "standings")
    return beside([printed(page, name, event=EVENT, round=2) for name in names])


def duplicate(page: Page) -> Image.Image:
    """A turn of a duplicate session, half of its slips typed."""
    page.goto(f"{root(page)}/director/")
    follow(page, "Nieuw toernooi")
    page.get_by_role("link", name="Duplicate-avond").first.click()
    page.wait_for_url("**/new/*/**")
    page.get_by_label("Naam", exact=True).fill("Duplicate-avond")
    follow(page, "Aanmaken en spelers invoeren")
    page.wait_for_url("**/entries/")
    follow(page, "Lijst plakken of inlezen")
    page.get_by_label("Eén speler per regel").fill(LIST)
    follow(page, "Bekijken")
    follow(page, "12 spelers inschrijven")
    page.goto(f"{root(page)}/director/duplicate-avond/duplicate/prepare/")
    follow(page, "Opslaan")
    page.goto(f"{root(page)}/director/duplicate-avond/duplicate/")
    page.get_by_label("Met de hand getrokken letters").fill(DRAW)
    follow(page, "Letters trekken")
    follow(page, "Klok starten")
    for number, slip in enumerate(SLIPS, 1):
        for label, typed in zip(("Nr.", "Positie", "Woord", "Opgegeven"), (str(number), *slip.split()), strict=True):
            page.get_by_label(label, exact=True).first.fill(typed)
        page.keyboard.press("Enter")
        page.wait_for_load_state("networkidle")
        page.get_by_role("cell", name=slip.split()[1]).first.wait_for()
    return shot(page, 900)


def table(page: Page) -> Image.Image:
    """What everybody sees without having chosen a language."""
    address = root(page)
    page.context.clear_cookies()
    page.goto(f"{address}/t/{EVENT}/table/1/")
    return shot(page, 760)


def phone(page: Page) -> Image.Image:
    page.set_viewport_size(PHONE)
    page.goto(f"{root(page)}/t/{EVENT}/rounds/2/?by=name")
    return shot(page, PHONE["height"])


def console(page: Page) -> Image.Image:
    page.goto(f"{root(page)}/director/{EVENT}/")
    return part(page, "main")


def _round(page: Page, number: int) -> None:
    page.goto(f"{root(page)}/director/{EVENT}/rounds/draw/")
    page.get_by_label("Loting nr.").fill(str(number))
    page.get_by_role("button", name=f"Ronde {number} indelen").click()
    page.wait_for_load_state("networkidle")
    follow(page, "Alleen publiceren")


def _type(page: Page, scores: tuple[tuple[int, int], ...]) -> None:
    page.goto(f"{root(page)}/director/{EVENT}/results/")
    for first, second in scores:
        for typed in (str(first), "Enter", str(second), "Enter"):
            press(page, typed)
