"""A federation's list read into the register: who is found, who is asked about, and what it changes."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tournament.core.change import Actor
from tournament.entries.operations.numbers import FederationNumber
from tournament.entries.operations.register import Person, add_player
from tournament.exchange.players import read_player_list
from tournament.models import Player

ADDRESS = "/director/register/players/import/"
LIST = """Rang;Nummer;Name;Verein;Elo
1;12;Beispiel-Neu, Anna;SC Köln;1620
2;14;Muster, Jörg;SC Ulm;1500
3;15;Fremd, Frida;SC Bonn;1400
4;16;Nguyễn, Linh;;1633
"""


@pytest.fixture
def known(doris: Actor) -> dict[str, Player]:
    people = [
        Person("Beispiel, Anna", "SC Fulda", 1512, numbers=(FederationNumber("NTSV", "12"),)),
        Person("Muster, Jörg", "SC Köln", 1404),
        Person("Nguyễn, Linh", "", 1633),
    ]
    return {person.name: add_player(person=person, actor=doris) for person in people}


def look(client: Client, content: bytes, name: str = "ntsv.csv") -> Any:
    return client.post(ADDRESS, {"file": SimpleUploadedFile(name, content), "of": "ntsv"}).context["preview"]


def read(player: Player) -> tuple[object, ...]:
    found = Player.objects.select_related("club").get(pk=player.pk)
    return found.name, str(found.club), found.rating, [str(number) for number in found.numbers.all()]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_list_shows_who_is_sure_and_who_is_asked_about(
    encoding: str, known: dict[str, Player], doris_client: Client
) -> None:
    preview = look(doris_client, LIST.encode(encoding))

    assert [row.fate for row in preview.rows] == ["alike", "alike", "new", "known"]
    assert preview.faults == []
    assert preview.rows[0].candidates == (known["Beispiel, Anna"],)
    assert preview.rows[1].candidates == (known["Muster, Jörg"],)
    assert preview.rows[3].changes == (("number", "", "NTSV 16"),)
    assert [change.label for change in preview.rows[3].changes] == ["Nummer"]


def test_nothing_is_written_before_it_is_asked_for(known: dict[str, Player], doris_client: Client) -> None:
    look(doris_client, LIST.encode())

    assert read(known["Beispiel, Anna"]) == ("Beispiel, Anna", "SC Fulda", 1512, ["NTSV 12"])
    assert Player.objects.count() == 3


def test_what_is_doubtful_is_left_out_until_somebody_says_who_is_meant(
    known: dict[str, Player], doris_client: Client
) -> None:
    text = look(doris_client, LIST.encode()).text

    doris_client.post(ADDRESS, {"text": text, "enter": "yes", "known_only": "yes"})
    assert read(known["Beispiel, Anna"]) == ("Beispiel, Anna", "SC Fulda", 1512, ["NTSV 12"])
    assert read(known["Muster, Jörg"]) == ("Muster, Jörg", "SC Köln", 1404, [])
    assert read(known["Nguyễn, Linh"]) == ("Nguyễn, Linh", "None", 1633, ["NTSV 16"])
    assert Player.objects.count() == 3

    chosen = {"row-2": str(known["Beispiel, Anna"].pk), "row-3": str(known["Muster, Jörg"].pk)}
    doris_client.post(ADDRESS, {"text": text, "enter": "yes", **chosen})
    assert read(known["Beispiel, Anna"]) == ("Beispiel-Neu, Anna", "SC Köln", 1620, ["NTSV 12"])
    assert read(known["Muster, Jörg"]) == ("Muster, Jörg", "SC Ulm", 1500, ["NTSV 14"])
    assert read(Player.objects.get(name="Fremd, Frida"))[3] == ["NTSV 15"]


def test_somebody_new_of_the_same_name_is_added_where_it_is_said(
    known: dict[str, Player], doris_client: Client
) -> None:
    text = look(doris_client, LIST.encode()).text

    doris_client.post(ADDRESS, {"text": text, "enter": "yes", "known_only": "yes", "row-3": "new"})

    assert [read(player)[1] for player in Player.objects.filter(name="Muster, Jörg").order_by("pk")] == [
        "SC Köln",
        "SC Ulm",
    ]


def test_a_number_under_another_name_is_asked_about(known: dict[str, Player], doris_client: Client) -> None:
    preview = look(doris_client, "Nr;Name\n12;Muster, Jörg\n".encode("cp1252"))
    assert preview.rows[0].candidates == (known["Beispiel, Anna"], known["Muster, Jörg"])

    wrong = {"text": preview.text, "enter": "yes", "row-2": str(known["Muster, Jörg"].pk)}
    refused = doris_client.post(ADDRESS, wrong)
    assert "NTSV 12" in refused.content.decode()
    assert read(known["Muster, Jörg"])[3] == []


def test_a_choice_that_was_not_offered_is_left_out(known: dict[str, Player], doris_client: Client) -> None:
    text = look(doris_client, LIST.encode()).text
    other = known["Nguyễn, Linh"]

    doris_client.post(ADDRESS, {"text": text, "enter": "yes", "known_only": "yes", "row-3": str(other.pk)})

    assert read(other) == ("Nguyễn, Linh", "None", 1633, ["NTSV 16"])


def test_json_is_read_by_its_keys(known: dict[str, Player], doris_client: Client) -> None:
    listed = [
        {"name": "Beispiel, Anna", "number": 12, "rating": 1600, "club": None, "games": [1]},
        {"name": "Fremd, Frida", "number": "15", "email": "f@example.org"},
    ]
    for content in (listed, {"made": "2026-11-01", "players": listed}):
        preview = look(doris_client, json.dumps(content).encode(), "ntsv.json")

        assert [row.fate for row in preview.rows] == ["known", "new"]
        assert preview.rows[0].changes == (("rating", "1512", "1600"),)


@pytest.mark.parametrize("content", [b"[]", b'{"players": 3}', b"[1, 2]", b"[{"])
def test_json_without_players_is_refused(content: bytes, doris_client: Client) -> None:
    answer = doris_client.post(ADDRESS, {"file": SimpleUploadedFile("x.json", content)})

    assert answer.context["preview"] is None
    assert list(answer.context["form"].errors) == ["file"]


def test_a_number_without_a_federation_is_left_out_and_named() -> None:
    sheet = read_player_list(LIST.encode())

    assert (sheet.systems, sheet.ignored) == ((), ("Rang", "Nummer"))
