"""Two sheets of one game: typed, compared, and published to be stepped through."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from browsing import event, follow, root, shot, window
from PIL import Image
from playwright.sync_api import Page

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.sheets import GAME

TURNS = tuple("-" if number == 28 else "-3" if turn == "-" else turn for number, turn in enumerate(GAME.split(","), 1))
"""The turns as they are typed: of those without tiles on the board the second one is a pass."""
SHOWN = 16
MISREAD = {"11H SEMS +20": "11H SEMS +22", "6J U. +5": "6J U. +8"}
"""What the second player has written otherwise, in the words of a GCG file."""


def sheet(page: Page) -> Image.Image:
    """Half a game, and a line whose points are wrong."""
    event(page, "results/7/")
    page.get_by_role("link", name="Wertungsbogen").first.click()
    page.get_by_role("button", name="Beginnen").first.click()
    write(page, *TURNS[:SHOWN])
    spell(page, f"{TURNS[SHOWN]} 32")
    page.locator(".sheet-differs").wait_for()
    page.locator("summary", has_text="So wird getippt").click()
    page.locator("#id_points").focus()
    return window(page, 1120)


def compare(page: Page) -> Image.Image:
    """The whole game, and the opponent's sheet of it."""
    page.keyboard.press("Escape")
    write(page, *TURNS[SHOWN:])
    page.keyboard.press("Enter")
    page.get_by_label("Der Bogen ist vollständig: Die Partie ist zu Ende").check()
    follow(page, "Spielende speichern")
    follow(page, "GCG")
    link = page.get_by_role("link", name="Als GCG speichern").first.get_attribute("href")
    text = page.request.get(f"{root(page)}{link}").text()
    for right, wrong in MISREAD.items():
        text = re.sub(rf"{re.escape(right)} (\d+)\n#note tso .*", rf"{wrong} \1", text)
    page.get_by_label("Text einer GCG-Datei").fill(text)
    page.get_by_label("Wessen Bogen ist das?").select_option(index=1)
    follow(page, "Ansehen")
    follow(page, "Übernehmen")
    follow(page, "Vergleich")
    return shot(page, 1380)


def replay(page: Page) -> Image.Image:
    """The published game after a turn of seven tiles."""
    follow(page, "GCG")
    page.get_by_role("button", name="Partie veröffentlichen").first.click()
    page.wait_for_load_state("networkidle")
    follow(page, "Ansehen")
    page.locator(".replay-turns a").nth(13).click()
    page.get_by_text("Nach Zug 14 von").first.wait_for()
    return window(page, 960, anew=True)


def write(page: Page, *turns: str) -> None:
    """Type so many lines and wait until they are saved."""
    page.locator("#id_position:focus").wait_for()
    for turn in turns:
        spell(page, turn)
        page.keyboard.press("Enter")
    page.locator("#sheet-pending li").first.wait_for(state="detached")


def spell(page: Page, text: str) -> None:
    """Type key by key; a blank goes to the next field."""
    for piece in re.split("( )", text):
        page.keyboard.type(piece)
