"""The director's page on the laptop."""

import random
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories
from tournament.mirror import sending
from tournament.mirror.messages import make_secret
from tournament.mirror.receiving import create_mirror_link
from tournament.mirror.sending import MirrorSender, Progress, SendFault
from tournament.models import Division, MirrorLink, MirrorTarget, WebsiteFolder

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    return factories.event(players=4)


@pytest.fixture
def division(division_of_module: Division, db: None) -> Division:
    return factories.fresh(division_of_module)


@pytest.fixture
def sender(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MirrorSender:
    """As if this process were a laptop's program; the test looks by itself."""
    made = MirrorSender(tmp_path, rng=random.Random(1))
    monkeypatch.setattr(sending, "_running", made)
    return made


@pytest.fixture
def address(division: Division) -> str:
    return reverse("director:mirror", args=[division.tournament.slug])


def paste(client: Client, address: str) -> MirrorTarget:
    link = create_mirror_link(factories.organiser("Schaufenster"), name="x")
    client.post(address, {"link": f" https://tso.example.org/mirror/{link.nonce}/#{make_secret(link)} "})
    return MirrorTarget.objects.get()


@pytest.mark.parametrize(
    "link",
    ["", "https://tso.example.org/mirror/", "ftp://x/mirror/" + "a" * 32 + "/#" + "b" * 64, "https://[/mirror/x#y"],
)
@pytest.mark.sampled(2)
def test_link_that_is_none_is_told(link: str, client: Client, address: str) -> None:
    factories.sign_in(client)

    answer = client.post(address, {"link": link})

    assert answer.status_code == 200
    assert not MirrorTarget.objects.exists()
    assert 'aria-invalid="true"' in answer.content.decode()


def test_pasted_link_is_kept_without_its_secret_on_the_page(client: Client, address: str, sender: MirrorSender) -> None:
    factories.sign_in(client)

    target = paste(client, address)

    assert target.address == "https://tso.example.org"
    assert target.secret not in client.get(address).content.decode()


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("known", "said"),
    [
        (Progress(), "beginnt"),
        (Progress(sent_at=1_790_000_000.0), "gespiegelt, Stand"),
        (Progress(fault=SendFault.UNREACHABLE), "nächster Versuch"),
        (Progress(fault=SendFault.OTHER), "Dieser Laptop sendet"),
        (Progress(sent_at=1_790_000_000.0, rival="16:24"), "16:24"),
        (Progress(sent_at=1_790_000_000.0, wants=("a", "b")), "2 Fotos sind noch zu senden."),
        (Progress(sent_at=1_790_000_000.0, cannot_keep={"a"}), "1 Foto kann der Spiegel nicht aufbewahren."),
    ],
    ids=["new", "sent", "unreachable", "other laptop", "rival", "photos wait", "photo refused"],
)
def test_page_says_how_things_stand(
    known: Progress, said: str, client: Client, address: str, sender: MirrorSender
) -> None:
    factories.sign_in(client)
    target = paste(client, address)
    sender.progress[target.pk] = known

    assert said in client.get(address).content.decode()


def test_buttons_pause_take_over_forget_and_end(client: Client, address: str, sender: MirrorSender) -> None:
    factories.sign_in(client)
    target = paste(client, address)

    def press(act: str) -> MirrorTarget | None:
        client.post(f"{address}act/", {"act": act})
        return MirrorTarget.objects.filter(pk=target.pk).first()

    paused, resumed, taken, forgotten, ended = map(press, ("pause", "resume", "take_over", "forget", "end"))

    assert paused
    assert paused.is_paused
    assert resumed
    assert not resumed.is_paused
    assert taken
    assert taken.takes_over
    assert forgotten
    assert forgotten.is_forgotten
    assert ended is None


def test_mirrored_event_is_not_sent_on(client: Client, division: Division, address: str) -> None:
    MirrorLink.objects.create(organiser=division.tournament.organiser, tournament=division.tournament, nonce="a" * 32)
    factories.sign_in(client)

    assert client.post(address, {"link": "x"}).status_code == 403


def test_page_without_a_sender_says_so(client: Client, address: str) -> None:
    factories.sign_in(client)

    assert "note-warn" in client.get(address).content.decode()


def test_hosted_service_offers_no_mirror_and_tells_no_folders(
    client: Client, division: Division, address: str, settings: Any, tmp_path: Path
) -> None:
    factories.sign_in(client)
    offered = client.get(reverse("director:entries", args=[division.tournament.slug])).content.decode()
    settings.HOSTED = True
    hidden = client.get(reverse("director:entries", args=[division.tournament.slug])).content.decode()
    folder = reverse("director:website_folder", args=[division.tournament.slug])
    answers = [client.post(folder, {"path": path}) for path in (str(tmp_path), str(tmp_path / "missing"), "/etc")]

    assert address in offered
    assert address not in hidden
    assert client.get(address).status_code == 404
    assert client.post(reverse("director:mirror_act", args=[division.tournament.slug])).status_code == 404
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.content for answer in answers}) == 1
    assert not WebsiteFolder.objects.exists()
