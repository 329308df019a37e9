"""The word judge between the two players' keys."""

from __future__ import annotations

from browsing import event, root, shot
from PIL import Image
from playwright.sync_api import Page

WORDS = "ABER\nKAMM\nÖSIS\nTÄT\nVENN\n"


def question(page: Page) -> Image.Image:
    """The left player has pressed."""
    page.goto(f"{root(page)}/director/register/words/")
    file = {"name": "Beispielliste.txt", "mimeType": "text/plain", "buffer": WORDS.encode()}
    page.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]  # a TypedDict of the driver's
    page.get_by_role("button", name="Liste laden").click()
    page.get_by_text("„Beispielliste“ ist geladen").first.wait_for()
    event(page, "judge/")
    page.keyboard.type("kamm tät")
    page.keyboard.press("1")
    page.get_by_text("Jetzt der andere Spieler.").first.wait_for()
    return shot(page, 640)
