"""What the public page of a table shows."""

from django.test import Client
from django.utils.html import strip_tags

TABLE = "/t/herbst-cup/table/"


def cells(client: Client, path: str) -> list[list[str]]:
    """The table's cells as the page shows them, without their marks, row by row."""
    table = client.get(path).context["table"]
    return [[" ".join(strip_tags(str(cell)).split()) for _column, cell in row.items()] for row in table.rows]


def names(client: Client, path: str) -> list[str]:
    """The players in the order of the table."""
    return [line.entry.name for line in client.get(path).context["shown"].lines]
