"""A laptop sends over a line that fails in every way; what arrives in the end is what everybody sees in the hall."""

import random
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests import factories
from tests.tournament.mirror.bad_line import BadLine, choose_failures
from tests.tournament.mirror.test_storing import state_of, what_shows
from tournament.events.operations import delete_tournament
from tournament.mirror import sending
from tournament.mirror.operations import pause_mirror, set_mirror_target, take_mirror_over
from tournament.mirror.receiving import create_mirror_link, make_secret, revoke_mirror_link
from tournament.mirror.sending import MirrorSender, Progress, SendFault
from tournament.models import Absence, Division, Entry, MirrorLink, MirrorTarget, Result, Round, Tournament

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("impatient")]

SECRET = "Geheim-7141"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pause between two tries: a test calls `look` as often as it likes."""
    for name in ("SEND_SECONDS", "FIRST_PAUSE", "LONGEST_PAUSE"):
        monkeypatch.setattr(sending, name, 0.0)
    monkeypatch.setattr(sending, "SOCKET_SECONDS", 2.0)


@pytest.fixture
def division() -> Division:
    division = factories.event(players=8)
    factories.played(division)
    factories.published(factories.fresh(division))
    return factories.fresh(division)


@pytest.fixture
def link(division: Division) -> MirrorLink:
    return create_mirror_link(factories.organiser("Schaufenster"), name="Herbst-Cup")


@pytest.fixture
def line(live_server: Any) -> Iterator[BadLine]:
    line = BadLine(live_server.thread.port)
    yield line
    line.close()


@pytest.fixture
def target(division: Division, link: MirrorLink, line: BadLine) -> MirrorTarget:
    pasted = f"{line.address}/mirror/{link.nonce}/#{make_secret(link)}"
    return set_mirror_target(division.tournament, link=pasted)


@pytest.fixture
def sender(tmp_path: Path) -> MirrorSender:
    return MirrorSender(tmp_path, rng=random.Random(1))


def known(sender: MirrorSender, target: MirrorTarget) -> Progress:
    return sender.progress[target.pk]


def look_until_sent(sender: MirrorSender, target: MirrorTarget) -> int:
    """Look until nothing is new; how often."""
    for count in range(1, 200):
        sender.look()
        found = known(sender, target)
        event = Tournament.objects.get(mirror_target=target)
        if found.fault is None and found.sent.partition("-")[0] == str(event.revision):
            return count
    raise AssertionError(known(sender, target))


def assert_shown(link: MirrorLink, division: Division) -> None:
    link.refresh_from_db()
    assert link.tournament is not None
    assert what_shows(state_of(link.tournament)) == what_shows(state_of(division.tournament))


def test_state_arrives(division: Division, link: MirrorLink, target: MirrorTarget, sender: MirrorSender) -> None:
    sender.look()

    assert known(sender, target).fault is None
    assert_shown(link, division)
    assert known(sender, target).path == "/t/herbst-cup-2/"


def test_line_that_fails_every_second_time_delivers_all(
    division: Division, link: MirrorLink, target: MirrorTarget, sender: MirrorSender, line: BadLine
) -> None:
    line.fails = choose_failures(7)
    tries = 0
    for table in (1, 2, 3, 4):
        factories.result(Round.objects.get(division=division, number=2), table, 400 + table, 390)
        tries += look_until_sent(sender, target)
        assert_shown(link, division)

    assert tries > 4


@pytest.mark.parametrize(
    ("way", "fault"),
    [
        ("drop", SendFault.UNREACHABLE),
        ("cut", SendFault.UNREACHABLE),
        ("half", SendFault.UNREACHABLE),
        ("nonsense", SendFault.NONSENSE),
    ],
)
def test_failure_is_told_and_made_good(
    way: str,
    fault: SendFault,
    division: Division,
    link: MirrorLink,
    target: MirrorTarget,
    sender: MirrorSender,
    line: BadLine,
) -> None:
    line.fails = lambda: way
    sender.look()
    told = known(sender, target).fault
    line.fails = lambda: ""

    look_until_sent(sender, target)

    assert told == fault
    assert_shown(link, division)


def test_sender_that_starts_anew_goes_on(
    division: Division, link: MirrorLink, target: MirrorTarget, sender: MirrorSender, tmp_path: Path
) -> None:
    sender.look()
    factories.result(Round.objects.get(division=division, number=2), 1, 444, 333)

    again = MirrorSender(tmp_path)
    again.look()

    assert known(again, target).fault is None
    assert_shown(link, division)


def test_other_laptop_is_told_and_takes_over_by_a_click(
    division: Division, link: MirrorLink, target: MirrorTarget, sender: MirrorSender, tmp_path: Path
) -> None:
    sender.look()
    (tmp_path / "b").mkdir()
    other = MirrorSender(tmp_path / "b")
    other.look()
    before = known(other, target).fault
    target.refresh_from_db()
    take_mirror_over(target)
    other.wake()
    other.look()
    after = known(other, target).fault
    factories.result(Round.objects.get(division=division, number=2), 1, 444, 333)
    sender.look()

    target.refresh_from_db()
    assert (before, after, known(sender, target).fault) == (SendFault.OTHER, None, SendFault.OTHER)
    assert not target.takes_over


def test_holder_is_told_that_another_one_tried(
    target: MirrorTarget, sender: MirrorSender, division: Division, tmp_path: Path
) -> None:
    sender.look()
    (tmp_path / "b").mkdir()
    MirrorSender(tmp_path / "b").look()
    factories.result(Round.objects.get(division=division, number=2), 1, 444, 333)

    sender.look()

    assert known(sender, target).rival


def test_laptop_with_a_slow_clock_counts_on(
    division: Division, link: MirrorLink, target: MirrorTarget, sender: MirrorSender
) -> None:
    MirrorLink.objects.update(revision=1 << 50)

    look_until_sent(sender, target)

    assert_shown(link, division)


def test_hidden_paused_and_deleted_event_follows(
    client: Client, division: Division, link: MirrorLink, target: MirrorTarget, sender: MirrorSender
) -> None:
    sender.look()
    address = known(sender, target).path
    shown = [client.get(address).status_code]
    Tournament.objects.filter(pk=division.tournament_id).update(is_public=False)
    sender.look()
    shown.append(client.get(address).status_code)
    Tournament.objects.filter(pk=division.tournament_id).update(is_public=True)
    sender.look()
    shown.append(client.get(address).status_code)
    pause_mirror(target, paused=True)
    sender.look()
    link.refresh_from_db()
    rests = not link.runs
    MirrorTarget.objects.update(is_paused=False)
    delete_tournament(division.tournament, typed_name=division.tournament.name, actor=factories.director())
    sender.look()
    shown.append(client.get(address).status_code)

    assert shown == [200, 404, 200, 404]
    assert rests
    assert not MirrorTarget.objects.exists()


def test_link_taken_back_is_told(target: MirrorTarget, link: MirrorLink, sender: MirrorSender) -> None:
    revoke_mirror_link(link)

    sender.look()

    assert known(sender, target).fault == SendFault.CLOSED


def test_unknown_link_is_told(target: MirrorTarget, link: MirrorLink, sender: MirrorSender) -> None:
    link.delete()

    sender.look()

    assert known(sender, target).fault == SendFault.UNKNOWN


def test_bytes_on_the_line_hold_nothing_private(
    division: Division, target: MirrorTarget, sender: MirrorSender, line: BadLine
) -> None:
    Result.objects.update(note=SECRET, penalty_reason=SECRET, why=SECRET, by_name=SECRET)
    Absence.objects.create(entry=Entry.objects.order_by("pk")[0], number=5)
    Round.objects.filter(number=1).update(results_shown="hand")
    Result.objects.filter(pairing__round__number=1).update(first_points=987, second_points=876)

    sender.look()

    sent = b"".join(line.passed)
    content = zlib.decompress(sent[sent.index(b"\x78\xda", sent.index(b"payload")) :]).decode()
    assert "Herbst-Cup" in content
    for private in (SECRET, "absences", "@", target.secret, "/me/"):
        assert private not in content
    assert not re.search(r"\b(987|876)\b", content)
    assert SECRET.encode() not in sent
    assert target.secret.encode() not in sent
