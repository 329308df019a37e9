"""The link of a mirror read from a picture of its code."""

import io
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from PIL import Image, ImageFilter

from tests import factories
from tests.games.photos import samples
from tournament.basics.qr import make_qr_modules
from tournament.mirror.messages import make_secret
from tournament.mirror.receiving import create_mirror_link
from tournament.models import MirrorTarget

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def on_a_laptop(settings: Any) -> None:
    """Only there is an event sent away; with PostgreSQL the tests' settings are those of a service."""
    settings.HOSTED = False


LINK = f"https://tso.example.org:8443/mirror/{'a1' * 16}/#{'c4' * 32}"
QUIET, MODULE = 4, 8


def draw(text: str) -> Image.Image:
    """A code in black on white paper."""
    rows = make_qr_modules(text)
    paper = Image.new("L", (len(rows) + 2 * QUIET, len(rows) + 2 * QUIET), 255)
    for y, row in enumerate(rows, QUIET):
        for x, dark in enumerate(row, QUIET):
            if dark:
                paper.putpixel((x, y), 0)
    return paper.resize((paper.width * MODULE, paper.height * MODULE), Image.Resampling.NEAREST)


def take_photo(code: Image.Image) -> Image.Image:
    """As a phone takes one off a screen: aslant, on its side, on a grey table, a little out of focus."""
    table = Image.new("L", (1600, 1200), 120)
    table.paste(code.rotate(11, expand=True, fillcolor=120), (420, 260))
    slanted = table.transform(table.size, Image.Transform.QUAD, (0, 0, 60, 1200, 1600, 1150, 1500, 40))
    return slanted.filter(ImageFilter.GaussianBlur(1.6)).point(lambda value: 40 + value * 0.7)


def pack(image: Image.Image, kind: str = "JPEG", **options: object) -> bytes:
    written = io.BytesIO()
    image.save(written, kind, **options)
    return written.getvalue()


@pytest.fixture
def address(client: Client) -> str:
    division = factories.event(players=4)
    factories.sign_in(client)
    return reverse("director:mirror", args=[division.tournament.slug])


def post(client: Client, address: str, content: bytes, field: str = "photos") -> str:
    """Send a picture as the page's form does, without JavaScript; the page that comes."""
    sent = {"link": "", field: SimpleUploadedFile("code.jpg", content)}
    return client.post(address, sent, follow=True).content.decode()


def see_through(code: Image.Image) -> bytes:
    """The code as a PNG whose light squares are transparent."""
    black = Image.new("RGBA", code.size, (0, 0, 0, 0))
    black.putalpha(code.point(lambda value: 255 - value))
    return pack(black, "PNG")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("field", ["camera", "photos"])
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_picture_of_the_code_is_as_good_as_the_link(client: Client, address: str, kind: str, field: str) -> None:
    post(client, address, pack(draw(LINK), kind), field)

    target = MirrorTarget.objects.get()
    assert (target.address, target.key, target.secret) == ("https://tso.example.org:8443", "a1" * 16, "c4" * 32)


@pytest.mark.long
def test_photo_taken_by_hand_is_read(client: Client, address: str) -> None:
    photo = take_photo(draw(LINK))
    turned = Image.Exif()
    turned[0x0112] = 6
    for content in (pack(photo, quality=60), pack(photo.rotate(90, expand=True), exif=turned), see_through(draw(LINK))):
        MirrorTarget.objects.all().delete()
        post(client, address, content)

        assert MirrorTarget.objects.get().key == "a1" * 16


def test_code_that_the_hosted_page_shows_is_read(client: Client, address: str) -> None:
    link = create_mirror_link(factories.organiser("Schaufenster"), name="x")
    shown = f"https://turniere.scrabble-verein-muelldorf.example.org/mirror/{link.nonce}/#{make_secret(link)}"

    post(client, address, pack(take_photo(draw(shown))))

    assert MirrorTarget.objects.get().secret == make_secret(link)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (samples.picture(), "kein Code zu sehen"),
        (pack(draw("https://example.org/speisekarte")), "„https://example.org/speisekarte“"),
        (samples.TEXT, "ist kein Bild, das sich"),
        (b"", "ist leer"),
        (samples.bomb(60_000, 60_000), "Bildpunkte"),
    ],
    ids=["no code", "foreign code", "no picture", "empty", "bomb"],
)
def test_picture_without_a_link_is_told(client: Client, address: str, content: bytes, said: str) -> None:
    page = post(client, address, content)

    assert said in page
    assert 'aria-invalid="true"' in page
    assert not MirrorTarget.objects.exists()


def test_neither_link_nor_picture_is_told(client: Client, address: str) -> None:
    page = client.post(address, {"link": ""}).content.decode()

    assert "Den Link einfügen oder" in page
    assert not MirrorTarget.objects.exists()


def test_link_among_other_codes_is_found(client: Client, address: str) -> None:
    one, other = draw("https://example.org/wlan"), draw(LINK)
    both = Image.new("L", (one.width + other.width, max(one.height, other.height)), 255)
    both.paste(one, (0, 0))
    both.paste(other, (one.width, 0))

    post(client, address, pack(both))

    assert MirrorTarget.objects.get().key == "a1" * 16


def test_form_offers_the_camera_and_files_without_javascript(client: Client, address: str) -> None:
    page = client.get(address).content.decode()

    assert 'enctype="multipart/form-data"' in page
    assert 'capture="environment"' in page
