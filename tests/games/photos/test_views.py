"""The pages of photos: who gets at them, what is sent along, what is refused."""

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import Photo
from games.photos import attach_photos
from tests import factories
from tests.games.photos import samples
from tournament.models import Pairing, Tournament


@pytest.fixture
def photo(tables: list[Pairing]) -> Photo:
    content = samples.picture()
    return attach_photos(tables[0], sent=[samples.sent("a.jpg", content)], actor=factories.director())[0]


def upload(name: str, data: bytes, content_type: str = "image/jpeg") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data, content_type)


def page(pairing: Pairing) -> str:
    return reverse("games:photos", args=["herbst-cup", pairing.pk])


def test_empty_page_offers_the_camera(doris_client: Client, tables: list[Pairing]) -> None:
    text = doris_client.get(page(tables[0])).content.decode()

    assert "No photo yet" in text
    assert 'capture="environment"' in text
    assert 'accept="image/*"' in text


def test_photos_are_attached_from_camera_and_files(doris_client: Client, tables: list[Pairing]) -> None:
    camera = upload("IMG.jpg", samples.from_phone())
    chosen = [upload("a.png", samples.picture("PNG")), upload("b.webp", samples.picture("WEBP", size=(30, 30)))]

    response = doris_client.post(page(tables[0]), {"camera": camera, "photos": chosen}, follow=True)

    assert Photo.objects.filter(pairing=tables[0]).count() == 3
    assert "3 photos are attached." in response.content.decode()


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("bogen.jpg", samples.TEXT, "“bogen.jpg” cannot be kept"),
        ("x.svg", samples.SVG, "cannot be kept"),
        ("IMG_1.HEIC", samples.HEIC, "Most Compatible"),
        ("big.png", samples.bomb(20_000, 20_000), "13 million at most"),
        ("leer.jpg", b"", "“leer.jpg” is empty"),
        ("<script>.jpg", samples.TEXT, "“&lt;script&gt;.jpg” cannot be kept"),
    ],
)
def test_what_is_no_picture_is_refused_with_a_sentence(
    doris_client: Client, tables: list[Pairing], name: str, data: bytes, said: str
) -> None:
    response = doris_client.post(page(tables[0]), {"photos": upload(name, data)})

    assert said in response.content.decode()
    assert not Photo.objects.exists()


def test_form_without_a_file(doris_client: Client, tables: list[Pairing]) -> None:
    assert "No photo was chosen" in doris_client.post(page(tables[0]), {}).content.decode()


def test_request_that_is_too_large_gets_413(doris_client: Client, tables: list[Pairing]) -> None:
    response = doris_client.post(page(tables[0]), {}, CONTENT_LENGTH=str(200 * 1024**2))

    assert response.status_code == 413


def test_picture_is_sent_as_nothing_but_a_picture(doris_client: Client, photo: Photo) -> None:
    response = doris_client.get(reverse("games:photo", args=["herbst-cup", photo.pk]))

    content = b"".join(response.streaming_content)  # type: ignore[attr-defined]  # a file's response
    response.close()
    assert content.startswith(b"\xff\xd8\xff")
    assert response.headers["Content-Type"] == "image/jpeg"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert response.headers["Content-Disposition"] == f'inline; filename="photo-{photo.pk}.jpg"'
    assert response.headers["Cache-Control"] == "private, no-store"


def test_picture_whose_file_is_gone_is_404(doris_client: Client, photo: Photo, uploads: Path) -> None:
    (uploads / photo.name).unlink()

    assert doris_client.get(reverse("games:photo", args=["herbst-cup", photo.pk])).status_code == 404
    assert doris_client.get(page(photo.pairing)).status_code == 200


@pytest.mark.sampled(1)
@pytest.mark.parametrize("name", ["photo", "photo_delete"])
def test_only_the_directors_of_the_tournament_get_at_a_photo(
    name: str, photo: Photo, otto: Client, anybody: Client, cup: Tournament
) -> None:
    address = reverse(f"games:{name}", args=[cup.slug, photo.pk])

    assert otto.get(address).status_code == 404
    assert anybody.get(address).status_code == 302
    assert otto.get(reverse(f"games:{name}", args=["anderer-cup", photo.pk])).status_code == 404
    assert otto.post(page(photo.pairing), {"photos": upload("a.jpg", samples.picture(size=(9, 9)))}).status_code == 404
    assert Photo.objects.count() == 1


def test_deleting_is_asked_about_once(doris_client: Client, photo: Photo) -> None:
    address = reverse("games:photo_delete", args=["herbst-cup", photo.pk])

    assert "This cannot be undone" in doris_client.get(address).content.decode()
    response = doris_client.post(address)

    assert response.status_code == 302
    assert not Photo.objects.exists()
    assert doris_client.post(address).status_code == 404


def test_page_asks_as_often_for_one_photo_as_for_many(
    doris_client: Client, tables: list[Pairing], photo: Photo
) -> None:
    with CaptureQueriesContext(connection) as one:
        doris_client.get(page(tables[0]))
    more = [samples.sent("a.jpg", samples.picture(size=(60 + number, 40))) for number in range(1, 5)]
    attach_photos(tables[0], sent=more, actor=factories.director())
    with CaptureQueriesContext(connection) as many:
        doris_client.get(page(tables[0]))

    assert len(one) == len(many)
