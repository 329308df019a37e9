"""The board of a streamed table: seen only while the director has switched it on, and without racks."""

from django.test import Client
from django.urls import reverse

from games.models import Scoresheet
from games.sheets.operations import open_sheet
from tests import factories
from tests.games.sheets.steps import write
from tests.markup import tidy
from tournament.archive.replaying import find_journal_differences
from tournament.events.operations import add_division, remove_division
from tournament.hall.operations import end_table_stream, stream_table
from tournament.models import Division, Pairing, StreamedTable

STREAM = "/t/herbst-cup/stream/1/"


def page(client: Client) -> str:
    return tidy(client.get(STREAM).content.decode())


def test_running_game_is_seen_while_its_table_is_streamed(
    client: Client, tables: list[Pairing], division: Division
) -> None:
    paper = open_sheet(tables[0], keeper=Scoresheet.Keeper.OTHER, actor=factories.director())
    write(paper, "8H ABER 12", "tausch 3")
    assert client.get(STREAM).status_code == 404

    stream_table(division, table=1, actor=factories.director())
    shown = page(client)
    assert [tables[0].first.name in shown, ">12<" in shown] == [True, True]

    end_table_stream(division, table=1, actor=factories.director())
    assert client.get(STREAM).status_code == 404
    assert [fault for fault in find_journal_differences(division.tournament) if fault.startswith("streamedtable")] == []


def test_play_is_shown_as_it_is_typed_and_tiles_exchanged_are_not(
    client: Client, tables: list[Pairing], division: Division
) -> None:
    stream_table(division, table=1, actor=factories.director())
    assert "Von dieser Partie ist noch nichts abgetippt." in page(client)

    paper = open_sheet(tables[0], keeper=Scoresheet.Keeper.OTHER, actor=factories.director())
    write(paper, "8H ABER 12")
    assert "ABER, Punkte: 12" in page(client)
    write(paper, "- QXY")
    assert "QXY" not in page(client)


def test_desk_switches_streams_on_and_off(tables: list[Pairing], division: Division) -> None:
    doris = Client()
    factories.sign_in(doris)
    doris.post(reverse("director:hall_stream", args=["herbst-cup"]), {"table": "4"})
    desk = doris.get(reverse("director:hall", args=["herbst-cup"])).content.decode()
    assert "/t/herbst-cup/stream/4/" in desk

    doris.post(reverse("director:hall_end_stream", args=["herbst-cup", 4]), {"division": division.name})
    assert StreamedTable.objects.count() == 0


def test_removed_division_takes_its_streams_along(division: Division) -> None:
    other = add_division(division.tournament, name="B", actor=factories.director())
    stream_table(other, table=1, actor=factories.director())

    remove_division(other, actor=factories.director())

    assert StreamedTable.objects.count() == 0
