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


def test_many_photos_find_their_players_by_the_files_names(division: Division, at: str, doris_client: Client) -> None:
    anna = factories.entry(division, "Müßig, Jörg")
    for same in ("Thomas, Ida", "Ida, Thomas"):
        factories.entry(division, same)
    names = ("Jörg_MUESSIG.jpg", "p01.jpg", "Klara Aumann.jpg", "ida-thomas.jpg", "Gruppenbild.jpg", "Notiz.txt")
    sent = [file(samples.picture(), name) for name in names]

    done = doris_client.post(f"{at}portraits/?division=A", {"entry": "", "photos": sent}, follow=True)

    first = Entry.objects.filter(division=division).order_by("pk")[0]
    assert set(Portrait.objects.values_list("entry", flat=True)) == {anna.pk, first.pk}
    said = done.content.decode()
    assert "2 Fotos sind gespeichert." in said
    assert "„Klara Aumann.jpg“ wird nicht gespeichert: Eine andere Datei ist auch nach Aumann, Klara benannt." in said
    assert "„ida-thomas.jpg“ wird nicht gespeichert: So heißen 2 Spieler." in said
    assert "„Gruppenbild.jpg“ wird nicht gespeichert: So heißt kein Spieler dieser Gruppe." in said


def test_damaged_file_among_many_keeps_no_other_back(division: Division, at: str, doris_client: Client) -> None:
    first, second, _third = Entry.objects.filter(division=division).order_by("pk")
    sent = [file(samples.TEXT, f"{first.key}.jpg"), file(samples.picture(), f"{second.key}.jpg")]

    done = doris_client.post(f"{at}portraits/?division=A", {"entry": "", "photos": sent}, follow=True)

    assert [each.entry for each in Portrait.objects.all()] == [second]
    assert f"„{first.key}.jpg“ ist kein Bild" in done.content.decode()


@pytest.mark.parametrize(("files", "more"), [(10, ""), (11, "1 weitere Datei"), (12, "2 weitere Dateien")])
def test_ten_files_that_are_not_kept_are_named_and_the_others_counted(
    files: int, more: str, division: Division, at: str, doris_client: Client
) -> None:
    first = Entry.objects.filter(division=division).order_by("pk")[0]
    sent = [file(samples.TEXT, f"Niemand-{number}.jpg") for number in range(files)]
    sent.append(file(samples.picture(), f"{first.key}.jpg"))

    page = doris_client.post(f"{at}portraits/?division=A", {"entry": "", "photos": sent}, follow=True).text

    assert sum(f"Niemand-{number}.jpg" in page for number in range(files)) == 10
    assert more in page
    assert ("weitere Datei" in page) == bool(more)


def test_one_player_gets_one_photo_and_nobody_none(division: Division, at: str, doris_client: Client) -> None:
    first = Entry.objects.filter(division=division).order_by("pk")[0]
    both = [file(samples.picture(), name) for name in ("a.jpg", "b.jpg")]

    two = doris_client.post(f"{at}portraits/", {"entry": first.pk, "photos": both})
    none = doris_client.post(f"{at}portraits/", {"entry": ""})
    strange = doris_client.post(f"{at}portraits/", {"entry": "", "photos": file(samples.picture(), "x.jpg")})

    assert "hat ein Foto; gewählt sind 2 Dateien." in two.content.decode()
    assert "Es ist kein Foto gewählt." in none.content.decode()
    assert "So heißt kein Spieler dieser Gruppe." in strange.content.decode()
    assert not Portrait.objects.exists()


def test_player_of_the_entry_is_chosen_already(division: Division, at: str, doris_client: Client) -> None:
    entry = Entry.objects.filter(division=division).order_by("pk")[1]

    page = doris_client.get(f"{at}portraits/?entry={entry.pk}").content.decode()

    assert f'<option value="{entry.pk}" selected>' in page
    assert doris_client.get(f"{at}portraits/?entry=x").status_code == 200
