"""What the pictures have in common: going somewhere, pressing keys, taking what the page shows."""

from __future__ import annotations

import io

from PIL import Image
from playwright.sync_api import Page

PHONE = {"width": 390, "height": 760}


def shot(page: Page, height: int | None = None) -> Image.Image:
    """What the page shows, cut after `height`; without one up to the end of the page."""
    page.evaluate("document.fonts.ready")
    full = page.evaluate("document.documentElement.scrollHeight")
    shown = page.viewport_size or PHONE
    clip = {"x": 0, "y": 0, "width": shown["width"], "height": min(height or full, full)}
    return Image.open(io.BytesIO(page.screenshot(full_page=True, clip=clip, animations="disabled")))


def window(page: Page, height: int, *, anew: bool = False) -> Image.Image:
    """What a window of this height shows, its lists scrolled as they are; the whole page would put them back.

    `anew` loads the page again, for what its scripts do when it opens.
    """
    before = page.viewport_size or PHONE
    page.set_viewport_size({"width": before["width"], "height": height})
    if anew:
        page.reload()
        page.wait_for_load_state("networkidle")
    page.evaluate("scrollTo(0, 0)")
    picture = Image.open(io.BytesIO(page.screenshot(animations="disabled")))
    page.set_viewport_size({"width": before["width"], "height": before["height"]})
    return picture


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


def press(page: Page, typed: str) -> None:
    """A key by its name, or figures."""
    if typed.isalpha():
        page.keyboard.press(typed)
    else:
        page.keyboard.type(typed)
    page.wait_for_function("() => !document.querySelector('[data-sending]')")
