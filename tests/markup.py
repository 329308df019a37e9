"""Markup as tests compare it, and what a page says without it."""

import re
from html import unescape

from django.test import Client

BLOCKS = (
    "caption|dd|details|div|dl|dt|fieldset|figure|form|h[1-6]|header|legend|li|main|nav|ol|p|section|summary|table|tbody"
    "|td|th|thead|tr|ul"
)
EDGES = re.compile(rf" ?(</?(?:{BLOCKS})\b[^>]*>) ?")


def tidy(markup: str) -> str:
    """Markup without the white space that no page shows: around blocks, between attributes, before the end of a tag."""
    return EDGES.sub(r"\1", " ".join(markup.split()).replace(" >", ">"))


def read_words(html: str) -> str:
    """What a page says, without its markup."""
    shown = re.sub(r"<(script|style|template)\b.*?</\1>", " ", html, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", shown)).split())


def read_main(client: Client, address: str) -> str:
    """What the main part of a page says, without its markup."""
    page = client.get(address, follow=True).content.decode()
    return read_words(f"<main{page.partition('<main')[2]}")
