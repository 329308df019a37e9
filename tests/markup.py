"""Markup as tests compare it."""

import re

BLOCKS = (
    "caption|dd|details|div|dl|dt|fieldset|figure|form|h[1-6]|header|legend|li|main|nav|ol|p|section|summary|table|tbody"
    "|td|th|thead|tr|ul"
)
EDGES = re.compile(rf" ?(</?(?:{BLOCKS})\b[^>]*>) ?")


def tidy(markup: str) -> str:
    """Markup without the white space that no page shows: around blocks, between attributes, before the end of a tag."""
    return EDGES.sub(r"\1", " ".join(markup.split()).replace(" >", ">"))
