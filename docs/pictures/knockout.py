"""A knock-out of eight: quarter-finals played, one semi-final decided."""

from __future__ import annotations

from browsing import event, follow, part, press
from PIL import Image
from playwright.sync_api import Page

GAMES = {
    1101: (412, 388, 401, 431, 355, 398, 390, 410),
    1102: (377, 401, 420, 365, 402, 377, 380, 400),
    1201: (402, 377, 355, 398),
    1202: (366, 431),
}
"""Both scores of each table, by round: 1000 + 100 · stage + game."""


def bracket(page: Page) -> Image.Image:
    """Announced, seeded and played as far as `GAMES` goes."""
    event(page, "knockout/")
    follow(page, "K.\u2011o.-Phase ausschreiben")
    page.get_by_label("8", exact=True).check(force=True)
    page.get_by_label("Doppelpartie").check(force=True)
    page.get_by_label("Spiel um Platz 3").check()
    follow(page, "Ausschreiben")
    follow(page, "Trotzdem jetzt setzen")
    page.get_by_label("Setzen, obwohl sich die Tabelle noch ändern kann").check()
    follow(page, "Setzliste bestätigen")
    for number, scores in GAMES.items():
        event(page, f"results/{number}/")
        page.locator("[autofocus]:focus").wait_for()  # else the first figures go nowhere
        for score in scores:
            press(page, str(score))
            press(page, "Enter")
        page.locator(f"tbody:nth-of-type({len(scores) // 2})").get_by_text("Korrigieren").wait_for()
    event(page, "knockout/")
    return part(page, ".ko")
