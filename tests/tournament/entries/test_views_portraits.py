"""The page of players' photos: given by a form, seen and deleted by the directors."""

import io
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests import factories
from tests.games.photos import samples
from tournament.core.change import Actor
from tournament.models import Division, Entry, Portrait


@pytest.fixture
def division(doris: Actor, settings: Any, tmp_path: Path) -> Division:
    settings.DATA_DIR = tmp_path
    return factories.event(players=3, rounds=0, by=doris)


@pytest.fixture
def at(division: Division) -> str:
    return f"/director/{division.tournament.slug}/"


def file(content: bytes, name: str = "foto.jpg") -> io.BytesIO:
    sent = io.BytesIO(content)
    sent.name = name
    return sent


def test_photo_is_given_seen_and_deleted(division: Division, at: str, doris_client: Client) -> None:
    entry = Entry.objects.filter(division=division).order_by("pk")[0]

    done = doris_client.post(
        f"{at}portraits/?division=A", {"entry": entry.pk, "photos": file(samples.picture())}, follow=True
    )
    portrait = Portrait.objects.get()
    picture = doris_client.get(f"{at}portraits/{portrait.pk}/")

    assert "Das Foto von Aumann, Klara ist gespeichert." in done.content.decode()
    assert picture.headers["Content-Type"] == "image/jpeg"
    assert picture.getvalue().startswith(b"\xff\xd8")
    assert f"{at}portraits/{portrait.pk}/" in doris_client.get(f"{at}entries/{entry.pk}/").content.decode()

    gone = doris_client.post(f"{at}portraits/{portrait.pk}/remove/", follow=True).content.decode()
    assert "Das Foto von Aumann, Klara ist gelöscht." in gone
    assert not Portrait.objects.exists()


def test_page_says_what_is_wrong_with_a_file(division: Division, at: str, doris_client: Client) -> None:
    entry = Entry.objects.filter(division=division).order_by("pk")[0]

    bad = doris_client.post(f"{at}portraits/", {"entry": entry.pk, "photos": file(samples.TEXT, "notiz.txt")})
    none = doris_client.post(f"{at}portraits/", {"entry": entry.pk})

    assert "„notiz.txt“ ist kein Bild" in bad.content.decode()
    assert "Für Aumann, Klara ist kein Foto gewählt." in none.content.decode()


def test_player_of_the_entry_is_chosen_already(division: Division, at: str, doris_client: Client) -> None:
    entry = Entry.objects.filter(division=division).order_by("pk")[1]

    page = doris_client.get(f"{at}portraits/?entry={entry.pk}").content.decode()

    assert f'<option value="{entry.pk}" selected>' in page
    assert doris_client.get(f"{at}portraits/?entry=x").status_code == 200
