"""A laptop sends over a line that fails in every way; what arrives in the end is what everybody sees in the hall."""

import random
import re
import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests import factories
from tests.games.photos import samples
from tests.tournament.mirror.bad_line import BadLine, choose_failures
from tests.tournament.mirror.test_storing import state_of, what_shows
from tournament.basics.pictures import get_upload_path
from tournament.ending.final_ranking import load_final_ranking
from tournament.ending.operations import end_tournament
from tournament.entries.operations.entries import give_portrait, remove_portrait
from tournament.events.operations import delete_tournament
from tournament.hall.operations import set_hall_message, show_on_screen, show_slide
from tournament.mirror import sending
from tournament.mirror.messages import make_secret
from tournament.mirror.operations import pause_mirror, set_mirror_target, take_mirror_over
from tournament.mirror.receiving import create_mirror_link, revoke_mirror_link
from tournament.mirror.sending import MirrorSender, Progress, SendFault
from tournament.models import (
    Absence,
    Division,
    Entry,
    MirrorLink,
    MirrorTarget,
    Portrait,
    Result,
    Round,
    Screen,
    Tournament,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("impatient")]

SECRET = "Geheim-7141"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pause between two tries: a test calls `look` as often as it likes."""
    for name in ("SEND_SECONDS", "FIRST_PAUSE", "LONGEST_PAUSE"):
        monkeypatch.setattr(sending, name, 0.0)
    monkeypatch.setattr(sending, "SOCKET_SECONDS", 3.0)


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


@pytest.mark.long
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


@pytest.mark.sampled(1)
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


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.fixture
def photos(division: Division, settings: Any, tmp_path: Path) -> list[str]:
    """Photos of the first two, on slides that the ceremony has shown; their SHA-256."""
    settings.DATA_DIR = tmp_path
    doris = factories.director()
    for table in range(1, 5):
        factories.result(Round.objects.get(division=division, number=2), table, 400 + table, 300)
    end_tournament(division.tournament, accept_open=True, actor=doris)
    winners = [row.entry.pk for row in load_final_ranking(factories.fresh(division)).rows[:2]]
    kept = [
        give_portrait(
            Entry.objects.get(pk=pk), sent=samples.sent(content=samples.picture(size=(90 + number, 40))), actor=doris
        )
        for number, pk in enumerate(winners)
    ]
    show_on_screen(division.tournament, 1, shows=Screen.Shows.CEREMONY, actor=doris)
    show_slide(division.tournament, slide=0, runs=True, actor=doris)
    return sorted(each.sha256 for each in kept)


def list_arrived(link: MirrorLink) -> list[str]:
    link.refresh_from_db()
    found = Portrait.objects.filter(entry__tournament=link.tournament)
    return sorted(each.sha256 for each in found if get_upload_path(each.name).exists())


@pytest.mark.long
def test_photos_follow_the_state_over_a_line_that_fails_every_second_time(
    division: Division, link: MirrorLink, target: MirrorTarget, sender: MirrorSender, line: BadLine, photos: list[str]
) -> None:
    line.fails = choose_failures(3)
    look_until_sent(sender, target)
    for _turn in range(60):
        if list_arrived(link) == photos and not known(sender, target).wants:
            break
        sender.look()

    assert list_arrived(link) == photos
    assert known(sender, target).wants == ()
    assert_shown(link, division)


@pytest.mark.long
def test_photos_are_sent_once(
    division: Division, link: MirrorLink, target: MirrorTarget, sender: MirrorSender, line: BadLine, photos: list[str]
) -> None:
    for _turn in range(3):
        sender.look()
    before = b"".join(line.passed).count(b'"photo"')
    set_hall_message(division.tournament, message="Danke!", covers=False, actor=factories.director())
    for _turn in range(3):
        sender.look()
    MirrorSender(sender.data).look()

    assert before == len(photos)
    assert b"".join(line.passed).count(b'"photo"') == before
    assert_shown(link, division)


@pytest.mark.long
def test_mirror_that_drips_holds_up_no_other(
    division: Division, target: MirrorTarget, sender: MirrorSender, line: BadLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "MESSAGE_SECONDS", 10.0)
    slow = factories.event("Drossel-Cup", players=2)
    factories.published(slow)
    with closing(DrippingMirror()) as dripping:
        set_mirror_target(slow.tournament, link=f"{dripping.address}/mirror/{'0' * 32}/#{'0' * 64}")
        began = time.monotonic()
        quick, dripped = (MirrorTarget.objects.get(tournament=each.tournament) for each in (division, slow))
        for table in (1, 2, 3):
            factories.result(Round.objects.get(division=division, number=2), table, 400, 390)
            assert look_until(sender, lambda: has_latest(known(sender, quick), division))
        assert dripped.pk in sender.states_under_way
        assert look_until(sender, lambda: known(sender, dripped).fault == SendFault.UNREACHABLE)
        seconds = time.monotonic() - began

    assert 10.0 <= seconds < 15.0
    assert dripping.count > 5


class DrippingMirror:
    """Takes a message, and answers with a byte every half second, for ever."""

    def __init__(self) -> None:
        self.count = 0
        self.listening = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.listening.getsockname()[1]}"

    def close(self) -> None:
        self.listening.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _where = self.listening.accept()
                threading.Thread(target=self._drip, args=(near,), daemon=True).start()

    def _drip(self, near: socket.socket) -> None:
        with near, suppress(OSError):
            near.recv(1 << 16)
            near.sendall(b"HTTP/1.1 200 OK\r\nX-Long: ")
            while True:
                near.sendall(b"x")
                self.count += 1
                time.sleep(0.5)


def has_latest(progress: Progress, division: Division) -> bool:
    """Whether the mirror has the event as it is now."""
    return progress.sent.partition("-")[0] == str(Tournament.objects.get(pk=division.tournament_id).revision)


def look_until(sender: MirrorSender, is_so: Callable[[], bool]) -> bool:
    """Look as often as the thread does; whether it came to be so within fifteen seconds."""
    end = time.monotonic() + 15
    while time.monotonic() < end:
        sender._look_at_mirrors()
        if is_so():
            return True
        time.sleep(0.05)
    return False


@pytest.mark.long
def test_photo_that_is_lost_at_the_mirror_is_sent_again(
    division: Division, link: MirrorLink, target: MirrorTarget, sender: MirrorSender, photos: list[str]
) -> None:
    for _turn in range(3):
        sender.look()
    Portrait.objects.filter(entry__tournament__mirror_link=link).delete()
    set_hall_message(division.tournament, message="Danke!", covers=False, actor=factories.director())

    for _turn in range(3):
        sender.look()

    assert list_arrived(link) == photos


@pytest.mark.long
def test_photo_that_is_withdrawn_meanwhile_stays_in_the_hall(
    division: Division, link: MirrorLink, target: MirrorTarget, sender: MirrorSender, line: BadLine, photos: list[str]
) -> None:
    sender._look_at_mirrors()
    for delivery in sender.states_under_way.values():
        delivery.thread.join()
    for entry in Entry.objects.filter(division=division):
        remove_portrait(entry, actor=factories.director())

    for _turn in range(3):
        sender.look()

    assert known(sender, target).wants == ()
    assert b'"photo"' not in b"".join(line.passed)


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
