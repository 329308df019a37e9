"""The print room."""

import io

from django.test import Client
from pypdf import PageObject, PdfReader

from tests import factories
from tournament.models import Tournament

ROOM = "/director/herbst-cup/print/"


def test_names_that_paper_cannot_hold_are_told(doris_client: Client, cup: Tournament) -> None:
    division = cup.divisions.earliest("pk")
    before = doris_client.get(ROOM).content.decode()
    for name in ("王小明", "Dvořák, Jana", "<b>李</b>"):
        factories.entry(division, name)
    after = doris_client.get(ROOM).content.decode()

    assert "In den Schriften fehlen" not in before
    assert "auf Papier steht dafür je ein □: 王小明; &lt;b&gt;李&lt;/b&gt;." in after


def test_paper_for_the_wall_comes_on_a3_too(doris_client: Client, cup: Tournament) -> None:
    address = "/director/herbst-cup/print/standings.pdf"
    sizes = {
        size: {(round(page.mediabox.width), round(page.mediabox.height)) for page in read_pages(doris_client, size)}
        for size in (address, f"{address}?size=a4", f"{address}?size=a3")
    }

    assert sizes == {address: {(595, 842)}, f"{address}?size=a4": {(595, 842)}, f"{address}?size=a3": {(842, 1191)}}


def test_unknown_size_of_paper_is_not_found(doris_client: Client, cup: Tournament) -> None:
    answer = doris_client.get("/director/herbst-cup/print/standings.pdf?size=letter")

    assert answer.status_code == 404
    assert "„letter“ ist kein Papierformat" in answer.content.decode()


def read_pages(client: Client, address: str) -> list[PageObject]:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return list(PdfReader(io.BytesIO(answer.content)).pages)
