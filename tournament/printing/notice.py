"""A page that says why there is nothing to print yet."""

from tournament.layout.boxes import Box
from tournament.printing.paper import MM, Paper
from tournament.printing.values import Header


def nothing(header: Header, title: str, reason: str) -> bytes:
    """One page with the document's title and the reason."""
    paper = Paper(header, title)
    box = paper.content
    for text in paper.pages([reason]):
        paper.write(Box(box.x, box.y + 4 * MM, box.width, 20 * MM), text, size=13)
    return paper.done()
