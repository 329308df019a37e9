"""The print room."""

from django.test import Client

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
