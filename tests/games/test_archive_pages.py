"""The pages that let an event be taken along and read in again."""

import io
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from games.models import Photo
from tests import factories
from tests.games import archives
from tests.games.conftest import browser
from tournament.archive.carrying import import_archive
from tournament.basics import limits
from tournament.core.change import TERMINAL_ACTOR
from tournament.models import Result, Tournament

IMPORT = "/director/tournaments/import/"


@pytest.fixture
def cup(evening_cup: Tournament) -> Tournament:
    return evening_cup


@pytest.fixture
def doris_client(cup: Tournament) -> Client:
    return browser(User.objects.get(username="doris"))


def saved(client: Client) -> bytes:
    """The archive that the page of files offers."""
    response = client.get("/director/herbst-cup/export/event.zip")
    assert response.headers["Content-Type"] == "application/zip"
    content: bytes = response.getvalue()
    return content


def sent(client: Client, content: bytes, name: str = "cup.zip") -> Any:
    return client.post(IMPORT, {"sent": SimpleUploadedFile(name, content)}, follow=True)


@pytest.mark.long
def test_page_offers_the_archive_under_a_name_that_says_which(doris_client: Client, cup: Tournament) -> None:
    page = doris_client.get("/director/herbst-cup/export/").content.decode()
    response = doris_client.get("/director/herbst-cup/export/event.zip")
    response.getvalue()

    assert "/director/herbst-cup/export/event.zip" in page
    assert f'filename="herbst-cup-{cup.revision}.zip"' in response.headers["Content-Disposition"]


def test_archive_is_read_in_at_a_free_address(doris_client: Client, cup: Tournament) -> None:
    response = sent(doris_client, saved(doris_client))

    there = Tournament.objects.get(slug="herbst-cup-2")
    assert response.redirect_chain[-1][0] == "/director/herbst-cup-2/"
    assert "Continue here" in response.content.decode()
    assert "at herbst-cup was already here and stays as it was" in response.content.decode()
    assert Photo.objects.filter(pairing__round__division__tournament=there).count() == 2
    assert there.organiser == cup.organiser


def test_sending_twice_reads_it_in_once(doris_client: Client, cup: Tournament) -> None:
    content = saved(doris_client)

    for _time in range(2):
        doris_client.post(IMPORT, {"sent": SimpleUploadedFile("cup.zip", content), "once": "abc"})

    assert Tournament.objects.count() == 2


def test_broken_archive_is_refused_with_the_reason(doris_client: Client, cup: Tournament) -> None:
    response = sent(doris_client, saved(doris_client)[:-100])

    assert response.status_code == 200
    assert "This is not an archived event" in response.content.decode()
    assert Tournament.objects.count() == 1


def test_journal_with_a_gap_is_refused_with_the_reason(doris_client: Client, cup: Tournament) -> None:
    wrong = archives.changed(io.BytesIO(saved(doris_client)), "journal.jsonl", lambda lines: [*lines[:2], lines[-1]])

    response = sent(doris_client, wrong.getvalue())

    assert "The journal of “herbst-cup” lacks entries" in response.content.decode()


def test_archive_that_would_take_minutes_is_for_the_command(
    doris_client: Client, cup: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = saved(doris_client)
    monkeypatch.setattr(limits, "ARCHIVE_ROWS_SENT", 5)

    said = sent(doris_client, content).content.decode()
    done = import_archive(io.BytesIO(content), slug="dort", actor=TERMINAL_ACTOR)

    assert "has more than 5 rows; importing it would take minutes" in said
    assert done.entries > 5


def test_damaged_event_is_not_saved_but_told(doris_client: Client, cup: Tournament) -> None:
    Result.objects.update(first_points=1)

    response = doris_client.get("/director/herbst-cup/export/event.zip", follow=True)

    assert "--rebuild" in response.content.decode()


def test_archive_is_for_those_who_direct(doris_client: Client, cup: Tournament, anybody: Client) -> None:
    factories.event("Anderer Cup", by=factories.director("otto", factories.organiser("SC Anderswo")))
    otto = browser(User.objects.get(username="otto"))

    assert otto.get("/director/herbst-cup/export/event.zip").status_code == 404
    assert anybody.get("/director/herbst-cup/export/event.zip").status_code == 302


@pytest.mark.parametrize(("path", "status"), [(IMPORT, 200), ("/director/tournaments/new/", 413)])
def test_more_may_be_sent_where_archives_are_read(doris_client: Client, settings: Any, path: str, status: int) -> None:
    settings.UPLOAD_LIMIT = 1000

    response = doris_client.post(path, {"sent": SimpleUploadedFile("x.json", bytes(2000))})

    assert response.status_code == status


def test_who_has_no_account_may_not_send_more(anybody: Client, settings: Any, db: None) -> None:
    settings.ANONYMOUS_UPLOAD_LIMIT, settings.LARGE_UPLOADS = 1000, {"director:import_file": 5000}

    response = anybody.post(IMPORT, {"sent": SimpleUploadedFile("x.json", bytes(2000))})

    assert response.status_code == 413
