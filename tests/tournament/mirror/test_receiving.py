"""What a mirror takes, and what it refuses."""

import json
import zlib
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import factories
from tests.tournament.mirror.conftest import Send, pack_now
from tournament.basics import limits
from tournament.basics.refusals import Refusals
from tournament.mirror.messages import AnswerStatus, BadMessage, Message, MessageKind, make_secret, sign, unpack_state
from tournament.mirror.receiving import NoSuchLink, create_mirror_link, revoke_mirror_link, take_message
from tournament.models import Division, MirrorLink, Role, Round, Tournament


def test_message_signed_with_another_secret_is_refused(division: Division, link: MirrorLink) -> None:
    content = Message(MessageKind.STATE, 1, "laptop1", payload=pack_now(division)).pack()

    with pytest.raises(NoSuchLink):
        take_message(link.nonce, content, sign("0" * 64, content))
    assert not Tournament.objects.filter(organiser=link.organiser).exists()


def test_replayed_or_older_message_is_refused(division: Division, link: MirrorLink, send: Send) -> None:
    payload = pack_now(division)
    send(revision=5)
    factories.result(Round.objects.get(division=division, number=2), 1, 444, 333)
    send(revision=6)

    again = send(revision=5, payload=payload)
    same = send(revision=6, payload=payload)

    assert [each.status for each in (again, same)] == [AnswerStatus.OLD, AnswerStatus.OLD]
    assert same.revision == 6
    assert unpack_state(bytes(link.state))["event"]["divisions"][0]["rounds"][1]["pairings"][0]["first_points"] == 444


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"nonsense",
        zlib.compress(b"[]"),
        zlib.compress(b"{}"),
        zlib.compress(b'{"at": 7, "event": []}'),
        zlib.compress(b'{"at": "2026-10-03T12:00:00+02:00", "event": {"format": "tso-tournament", "version": 1}}'),
        zlib.compress(b"[" * 400_000),
        zlib.compress(b" " * (limits.FILE_BYTES + 1)),
    ],
    ids=["empty", "nonsense", "list", "object", "wrong kinds", "no event", "deep", "bomb"],
)
@pytest.mark.sampled(1)
def test_state_that_is_none_changes_nothing(payload: bytes, link: MirrorLink, send: Send) -> None:
    send()
    before = bytes(link.state)

    answer = send(payload=payload)

    assert answer.status == AnswerStatus.UNREADABLE
    assert bytes(link.state) == before
    assert link.tournament is not None


@pytest.mark.parametrize("key", ["at", "created_at"])
@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"])
@pytest.mark.sampled(2)
def test_moment_beyond_all_clocks_changes_nothing(
    key: str, moment: str, division: Division, link: MirrorLink, send: Send
) -> None:
    send()
    state = unpack_state(pack_now(division))

    answer = send(payload=zlib.compress(json.dumps({**state, key: moment}).encode()))

    assert answer.status == AnswerStatus.UNREADABLE


@pytest.mark.sampled(2)
@pytest.mark.parametrize("key", ["rounds", "clock", "parts"])
@pytest.mark.parametrize("value", [7, [7], {"games": [7]}, [{"division": "A"}]])
def test_state_with_wrong_parts_changes_nothing(
    key: str, value: object, division: Division, link: MirrorLink, send: Send
) -> None:
    send()
    state = unpack_state(pack_now(division))

    answer = send(payload=zlib.compress(json.dumps({**state, key: value}).encode()))

    assert answer.status == AnswerStatus.UNREADABLE
    assert Client().get(reverse("public:tournament", args=[link.tournament.slug])).status_code == 200


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[1]\n", b'{"kind": "state", "revision": true, "sender": "a", "takes_over": false}\n']
)
def test_bytes_that_are_no_message_are_refused(content: bytes, link: MirrorLink) -> None:
    with pytest.raises(BadMessage):
        take_message(link.nonce, content, sign(make_secret(link), content))


def test_second_laptop_is_told_apart_until_it_takes_over(link: MirrorLink, send: Send) -> None:
    send()

    refused = send(sender="laptop2")
    taken = send(sender="laptop2", takes_over=True)
    first = send(sender="laptop1")

    statuses = [refused.status, taken.status, first.status]
    assert statuses == [AnswerStatus.OTHER, AnswerStatus.TAKEN, AnswerStatus.OTHER]
    assert link.rival_at is not None


def test_sign_of_life_without_a_state_asks_for_one(send: Send) -> None:
    assert send(MessageKind.ALIVE).status == AnswerStatus.AGAIN


def test_link_taken_back_takes_nothing(link: MirrorLink, send: Send) -> None:
    send()
    revoke_mirror_link(link)

    assert send().status == AnswerStatus.CLOSED
    assert link.tournament is not None


def test_removed_event_is_gone_with_its_people(link: MirrorLink, send: Send) -> None:
    send()

    send(MessageKind.REMOVE)

    assert link.tournament is None
    assert not link.organiser.players.exists()
    assert not link.organiser.tournaments.exists()


def test_address_stays_though_the_hall_calls_it_otherwise(division: Division, link: MirrorLink, send: Send) -> None:
    send()
    before = link.tournament.slug
    Tournament.objects.filter(pk=division.tournament_id).update(slug="anders", name="Anders")

    send()

    assert (link.tournament.slug, link.tournament.name) == (before, "Anders")


def test_public_page_tells_from_when_it_is_and_when_the_hall_is_silent(link: MirrorLink, send: Send) -> None:
    with time_machine.travel("2026-10-03 16:24 +0200", tick=False):
        send()
        address = reverse("public:tournament", args=[link.tournament.slug])
        running = Client().get(address).content.decode()
        news = Client().get(f"{address}news/").content
    with time_machine.travel("2026-10-03 16:26 +0200", tick=False):
        silent = Client().get(address).content.decode()
        later = Client().get(f"{address}news/").content

    assert "16:24" in running
    assert "note-warn" not in running
    assert "note-warn" in silent
    assert news != later


def test_paused_event_is_not_called_silent(link: MirrorLink, send: Send) -> None:
    send()
    send(MessageKind.REST)

    assert not link.is_silent(timezone.now() + timedelta(hours=1))


def test_mirrored_event_cannot_be_changed_here(client: Client, link: MirrorLink, send: Send) -> None:
    send()
    owner = factories.director("olga", of=link.organiser)
    factories.sign_in(client, owner)
    slug = link.tournament.slug
    revision = link.tournament.revision

    page = client.get(reverse("director:settings", args=[slug]))
    posted = client.post(reverse("director:end_tournament", args=[slug]), {})

    assert page.status_code == 200
    assert "Saal" in page.content.decode()
    assert posted.status_code == 403
    assert Tournament.objects.get(slug=slug).revision == revision


def test_bytes_come_by_http(client: Client, division: Division, link: MirrorLink) -> None:
    content = Message(MessageKind.STATE, 1, "laptop1", payload=pack_now(division)).pack()
    address = reverse("mirror", args=[link.nonce])

    def post(body: bytes, signature: str) -> int:
        headers = {"X-TSO-Signature": signature}
        return client.post(address, body, content_type="application/x-tso-mirror", headers=headers).status_code

    assert post(content, sign(make_secret(link), content)) == 200
    assert post(content, "no") == 401
    assert post(b"x", sign(make_secret(link), b"x")) == 400
    assert post(bytes(300_000), "") == 401
    assert post(bytes(limits.MIRROR_PACKED_BYTES + 9000), "") == 413
    assert client.get(address).status_code == 200


def test_owner_sees_a_link_once(client: Client, division: Division) -> None:
    club = factories.organiser("Schaufenster")
    factories.sign_in(client, factories.director("olga", of=club))
    address = reverse("director:mirror_links")

    made = client.post(address, {"name": "Herbst-Cup"}, follow=True).content.decode()
    again = client.get(address).content.decode()

    link = MirrorLink.objects.get()
    assert f"/mirror/{link.nonce}/#{make_secret(link)}" in made
    assert make_secret(link) not in again
    assert "Herbst-Cup" in again


def test_links_are_the_owners_alone(client: Client, link: MirrorLink) -> None:
    factories.sign_in(client, factories.member(factories.user("dirk"), Role.DIRECTOR, of=link.organiser))
    stranger = Client()
    factories.sign_in(stranger, factories.director("fremd", of=factories.organiser("Andere")))
    end = reverse("director:mirror_link_end", args=[link.pk])

    assert client.get(reverse("director:mirror_links")).status_code == 403
    assert client.post(end).status_code == 403
    assert stranger.post(end).status_code == 404


def test_link_is_taken_back_and_deleted_after_a_question(client: Client, link: MirrorLink, send: Send) -> None:
    send()
    factories.sign_in(client, factories.director("olga", of=link.organiser))
    end = reverse("director:mirror_link_end", args=[link.pk])

    asked = client.get(end).status_code
    client.post(end)
    link.refresh_from_db()
    client.post(f"{end}?remove")

    assert asked == 200
    assert link.revoked_at is not None
    assert not MirrorLink.objects.exists()
    assert not Tournament.objects.filter(organiser=link.organiser).exists()


def test_name_that_is_too_long_is_refused(division: Division) -> None:
    with pytest.raises(Refusals):
        create_mirror_link(factories.organiser(), name="x" * 500)
