"""The print room."""

import io

import pytest
from django.test import Client
from pypdf import PageObject, PdfReader

from tests import factories
from tests.tournament.rounds import steps
from tournament.core.change import Actor
from tournament.entries.operations.attendance import withdraw_entry
from tournament.events.operations import update_settings
from tournament.files.print_room import DOCUMENTS
from tournament.models import Division, Entry, Tournament

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


def moments(client: Client, query: str = "") -> dict[str, dict[str, tuple[str, bool]]]:
    """What the page offers by moment: each paper with its note, and whether it was opened."""
    found = client.get(ROOM + query).context["moments"]
    return {
        str(each.heading): {paper.name: (str(paper.note), bool(paper.opened)) for paper in each.papers}
        for each in found
    }


def test_papers_are_offered_by_moment_with_their_pages(
    doris_client: Client, division: Division, four: list[Entry], doris: Actor
) -> None:
    assert list(moments(doris_client)) == ["Vor dem Turnier", "Zum Schluss", "Vorrat"]
    steps.play_next_round(division, doris)
    steps.publish_next_round(division, doris)

    found = moments(doris_client)

    assert list(found) == ["Einzeln", "Vor dem Turnier", "Zum Schluss", "Vorrat"]
    assert found["Einzeln"] == {
        "pairings": ("", False),
        "pairings-by-name": ("", False),
        "standings": ("", False),
        "result-slips": ("1 Seite", False),
        "scoresheets": ("2 Seiten", False),
        "crosstable": ("", False),
    }
    assert found["Vor dem Turnier"]["badges"] == ("1 Seite", False)
    assert found["Vor dem Turnier"]["table-cards"] == ("1 Seite", False)
    assert found["Zum Schluss"]["certificates"] == ("4 Seiten", False)
    assert doris_client.get(ROOM).context["whole"].note == "Paarungen, Tabelle, 2 Ergebniszettel"


def test_every_document_is_offered_that_the_round_has(
    doris_client: Client, division: Division, four: list[Entry], doris: Actor
) -> None:
    steps.play_next_round(division, doris)
    factories.knockout(division, 2)
    update_settings(division.tournament, actor=doris, team_rule="wins")

    page = doris_client.get(f"{ROOM}?division=A&round=1").content.decode()

    missing = [name for name in DOCUMENTS if f"/print/{name}.pdf?division=A" not in page]
    assert missing == ["schedule", "match-sheets", "outlook"]  # of a round robin, of rounds of teams, and of open ones


def test_paper_once_opened_says_when_and_how_many_pages_for_its_round_only(
    doris_client: Client, division: Division, four: list[Entry], doris: Actor
) -> None:
    steps.play_next_round(division, doris)
    steps.publish_next_round(division, doris)

    doris_client.get("/director/herbst-cup/print/pairings.pdf?division=A&round=2")
    doris_client.get("/director/herbst-cup/print/round.pdf?division=A&round=2")
    page = doris_client.get(ROOM)

    assert moments(doris_client)["Einzeln"]["pairings"] == ("1 Seite", True)
    assert moments(doris_client, "?round=1")["Einzeln"]["pairings"] == ("", False)
    assert page.context["whole"].note.endswith("2 Ergebniszettel, 4 Seiten")
    assert page.content.decode().count("✓ geöffnet") == 2


def test_round_that_is_none_has_no_papers(doris_client: Client, cup: Tournament) -> None:
    assert [doris_client.get(f"{ROOM}?round={each}").status_code for each in ("99", "x")] == [404, 404]


@pytest.mark.parametrize("players", [2, 9, 17])
@pytest.mark.sampled(1)
def test_pages_that_are_told_before_are_those_of_the_paper(doris: Actor, doris_client: Client, players: int) -> None:
    division = factories.event(players=players, rounds=5)
    room = f"/director/{division.tournament.slug}/print/"
    withdraw_entry(factories.entry(division, "Nie, Nina"), actor=doris)
    factories.played(division)
    _never, left, thrown_out, *_others = Entry.objects.filter(division=division).in_order().reverse()
    if players > 2:
        withdraw_entry(left, actor=doris)
        withdraw_entry(thrown_out, disqualified=True, actor=doris)
        factories.published(division)

    papers = [paper for moment in doris_client.get(room).context["moments"] for paper in moment.papers]
    told = {(paper.name, paper.round): str(paper.note) for paper in papers if "Seite" in str(paper.note)}
    counted = {
        (name, number): len(
            read_pages(doris_client, f"{room}{name}.pdf?division=A" + f"&round={number}" * bool(number))
        )
        for name, number in told
    }

    assert len(told) >= 6
    assert told == {paper: f"{count} Seite{'n' * (count > 1)}" for paper, count in counted.items()}
