"""Signing in while somebody tries passwords."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from threading import Thread
from typing import Any

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.test import Client, RequestFactory

from tests import factories
from tournament.access import signing_in
from tournament.access.signing_in import (
    CLEAN,
    FOR_ACCOUNT,
    FOR_ADDRESS,
    FROM_ADDRESS,
    HASHES_AT_ONCE,
    HASHING,
    IN_SUM,
    KNOWN,
    LETTERS,
    MOST_DELAY,
    OTHERS,
    PASSWORDS_PAUSE,
    PATIENCE_SECONDS,
    SECONDS_BETWEEN_LETTERS,
    SLOW_PASSWORDS,
    TO_RECIPIENT,
    WAITING_OF_ONE,
    WAITING_PLACES,
    FairQueue,
    TooManyAttempts,
    Turn,
    count_letter,
    count_letter_delay,
    get_client_address,
)

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 10, 3, 12, 0, 20, tzinfo=UTC)
ATTACKER, HALL = "192.0.2.66", "192.0.2.7"


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    caches["attempts"].clear()
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


def attempt(password: str, *, name: str = "doris", address: str = ATTACKER, client: Client | None = None) -> int:
    """The status of the answer: 302 signed in, 200 wrong, 429 not looked at."""
    sent = {"username": name, "password": password}
    return (client or Client()).post("/login/", sent, REMOTE_ADDR=address).status_code


def test_after_some_wrong_passwords_an_address_waits_some_seconds(clock: time_machine.Traveller) -> None:
    factories.user("doris")
    wrong = [attempt("x") for _time in range(FOR_ACCOUNT)]
    browser = Client()

    refused = browser.post("/login/", {"username": "doris", "password": "doris"}, REMOTE_ADDR=ATTACKER)

    assert wrong == [200] * FOR_ACCOUNT
    assert (refused.status_code, refused["Retry-After"]) == (429, "5")
    page = refused.content.decode()
    assert "5 Sekunden" in page
    assert 'value="doris"' in page  # the name stays, the password does not
    clock.shift(PATIENCE_SECONDS - 1)
    again = browser.post("/login/", {"username": "doris", "password": "doris"}, REMOTE_ADDR=ATTACKER)
    assert (again.status_code, again["Retry-After"]) == (429, "1")
    clock.shift(1)
    assert attempt("doris", client=browser) == 302


def test_ticket_is_good_for_one_attempt(clock: time_machine.Traveller) -> None:
    factories.user("doris")
    for _time in range(FOR_ACCOUNT):
        attempt("x")
    browser = Client()
    attempt("x", client=browser)
    clock.shift(PATIENCE_SECONDS)
    ticket = browser.cookies["patience"].value

    assert attempt("x", client=browser) == 200
    browser.cookies["patience"] = ticket
    assert attempt("doris", client=browser) == 429
    browser.cookies["patience"] = ticket[:-1] + ("A" if ticket[-1] != "A" else "B")
    assert attempt("doris", client=browser) == 429


def test_three_addresses_with_wrong_passwords_keep_nobody_out() -> None:
    factories.user("doris")
    for number in range(FOR_ADDRESS * 3):
        attempt("x", name=f"n{number}", address=f"198.51.100.{number % 3}")

    assert attempt("doris", address=HALL) == 302  # typed once


def test_director_elsewhere_is_not_kept_out() -> None:
    factories.user("doris")
    for _time in range(FOR_ACCOUNT + 1):
        attempt("x")

    assert attempt("doris", address=HALL) == 302


def test_many_accounts_from_one_address_count_together() -> None:
    statuses = [attempt("x", name=f"n{number}") for number in range(FOR_ADDRESS + 1)]

    assert statuses[-2:] == [200, 429]


@pytest.mark.long
def test_many_addresses_count_in_sum_but_not_this_machine_nor_a_known_browser(
    rf: RequestFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Over the sum, only the slow lane leads in, which is taken here."""
    factories.user("doris")
    known = Client()
    attempt("doris", address=HALL, client=known)
    known.post("/logout/")
    with SLOW_PASSWORDS.take_turn(rf.get("/"), Turn("the test", KNOWN, 0.0)), monkeypatch.context() as impatient:
        impatient.setattr(signing_in, "WAITING_SECONDS", 0.01)
        statuses = [attempt("x", name=f"n{each}", address=f"198.51.100.{each}") for each in range(IN_SUM + 1)]

        assert statuses[-2:] == [200, 429]
        assert attempt("doris", address=HALL) == 429
        assert attempt("doris", address="127.0.0.1") == 302
        assert attempt("doris", address=ATTACKER, client=known) == 302
    assert attempt("doris", address=HALL) == 302


def test_who_sends_least_goes_first_and_an_attackers_minute_never_begins_anew(clock: time_machine.Traveller) -> None:
    """An address that sent a wrong password some minutes ago stands behind one that never did, and one that comes again
    and again behind one that came once."""
    request = RequestFactory().post("/", REMOTE_ADDR=ATTACKER)
    ranks = [signing_in._find_turn(request, "doris").rank]
    for wrong in (1, 1, 2):
        for _time in range(wrong):
            attempt("x", name="nobody")
        clock.shift(600)
        ranks.append(signing_in._find_turn(request, "doris").rank)

    assert ranks == [CLEAN, OTHERS, OTHERS + 1, OTHERS + 2]


def test_whoever_was_sent_away_and_has_waited_goes_before_those_who_came_later(
    rf: RequestFactory, monkeypatch: pytest.MonkeyPatch, clock: time_machine.Traveller
) -> None:
    monkeypatch.setattr(signing_in, "WAITING_SECONDS", 0.01)
    factories.user("doris")
    browser = Client()
    with ExitStack() as held:
        for number in range(HASHES_AT_ONCE):
            held.enter_context(HASHING.take_turn(rf.get("/"), Turn(str(number), OTHERS, 0.0)))
        assert attempt("doris", address=HALL, client=browser) == 429
    request = rf.post("/", REMOTE_ADDR=HALL)
    impatient = signing_in._find_turn(request, "doris")
    clock.shift(PATIENCE_SECONDS)
    request.COOKIES.update({name: found.value for name, found in browser.cookies.items()})
    patient = signing_in._find_turn(request, "doris")

    assert (impatient.rank, patient.rank) == (OTHERS, CLEAN)
    assert patient.since == NOON.timestamp()
    with ExitStack() as held:  # sent away once more, they keep their moment
        for number in range(HASHES_AT_ONCE):
            held.enter_context(HASHING.take_turn(rf.get("/"), Turn(str(number), OTHERS, 0.0)))
        assert attempt("doris", address=HALL, client=browser) == 429
    request.COOKIES.update({name: found.value for name, found in browser.cookies.items()})
    assert signing_in._find_turn(request, "doris").since == NOON.timestamp()
    assert attempt("doris", address=HALL, client=browser) == 302


def test_thirty_addresses_in_a_queue_keep_no_newcomer_waiting() -> None:
    crowd = Crowd(FairQueue(1))
    for number in range(30):
        crowd.add(f"198.51.100.{number}", OTHERS + 3)
    crowd.add("honest", CLEAN)

    assert "honest" not in crowd.sent_away
    assert crowd.let_go()[0] == "honest"


def test_fresh_addresses_of_one_network_take_turns_with_another_network() -> None:
    crowd = Crowd(FairQueue(1))
    for number in range(WAITING_PLACES):
        crowd.add(f"198.51.100.{number}", CLEAN, float(number))
    crowd.add("192.0.2.7", CLEAN, 50.0)

    assert crowd.sent_away == [f"198.51.100.{WAITING_PLACES - 1}"]
    assert crowd.let_go()[:2] == ["198.51.100.0", "192.0.2.7"]


def test_among_equals_the_one_who_has_waited_longest_goes_first() -> None:
    crowd = Crowd(FairQueue(1))
    for who, since in (("a", 30.0), ("b", 20.0), ("honest", 10.0), ("c", 40.0), ("d", 50.0)):
        crowd.add(who, OTHERS, since)

    assert crowd.sent_away == ["d"]
    assert crowd.let_go() == ["honest", "b", "a", "c"]


def test_who_is_new_and_who_came_back_take_turns_and_places() -> None:
    """Thirty who have waited as asked do not keep out who comes once, nor do thirty who are new keep out who waited."""
    crowd = Crowd(FairQueue(1))
    for number in range(5):
        crowd.add(f"waited{number}", CLEAN, float(number), came_back=True)
    for number in range(5):
        crowd.add(f"new{number}", CLEAN, 100.0 + number)

    assert crowd.let_go() == ["waited0", "new0", "waited1", "new1"]


def test_known_browser_has_limits_of_its_own_and_for_its_account_only() -> None:
    factories.user("doris")
    factories.user("other")
    known = Client()
    attempt("doris", client=known)
    known.post("/logout/")
    statuses = [attempt("x", client=known) for _time in range(FOR_ADDRESS + 1)]

    assert statuses[-2:] == [200, 429]
    assert attempt("other", name="other", client=known) == 302


def test_administration_has_the_same_door() -> None:
    sent = Client().post("/admin/login/?next=/admin/auth/", {"username": "doris", "password": "x"})

    assert (sent.status_code, sent["Location"]) == (302, "/login/?next=/admin/auth/")


def test_letters_to_one_recipient_are_few_whoever_asks(rf: RequestFactory) -> None:
    for number in range(TO_RECIPIENT):
        asked = rf.post("/", REMOTE_ADDR=f"198.51.100.{number}")
        count_letter(asked, ["doris@example.org", "Doris@Example.org"][number % 2])

    with pytest.raises(TooManyAttempts) as refused:
        count_letter(rf.post("/", REMOTE_ADDR=HALL), "doris@example.org")
    assert refused.value.seconds == 3600 - 20


def test_letters_from_one_address_wait_for_patience_and_keep_no_other_address_out(rf: RequestFactory) -> None:
    for number in range(FROM_ADDRESS):
        count_letter(rf.post("/", REMOTE_ADDR=ATTACKER), f"{number}@example.org")
    with pytest.raises(TooManyAttempts) as refused:
        count_letter(rf.post("/", REMOTE_ADDR=ATTACKER), "doris@example.org")

    assert refused.value.seconds == PATIENCE_SECONDS
    for number in range(LETTERS):
        count_letter(rf.post("/", REMOTE_ADDR=f"198.51.{number}.1"), f"a{number}@example.org")
    count_letter(rf.post("/", REMOTE_ADDR=HALL), "doris@example.org")


def test_letters_beyond_the_sum_are_sent_later_and_never_much_later() -> None:
    delays = [count_letter_delay("registration") for _letter in range(2 * LETTERS)]

    assert delays[LETTERS - 1 : LETTERS + 2] == [0, SECONDS_BETWEEN_LETTERS, 2 * SECONDS_BETWEEN_LETTERS]
    assert delays[-1] == MOST_DELAY


def test_no_more_passwords_than_allowed_are_checked_at_the_same_time(
    rf: RequestFactory, monkeypatch: pytest.MonkeyPatch, clock: time_machine.Traveller
) -> None:
    assert HASHES_AT_ONCE in {1, 2}
    monkeypatch.setattr(signing_in, "WAITING_SECONDS", 0.01)
    factories.user("doris")
    browser = Client()

    with ExitStack() as held:
        for number in range(HASHES_AT_ONCE):
            held.enter_context(HASHING.take_turn(rf.get("/"), Turn(str(number), OTHERS, 0.0)))
        assert attempt("doris", client=browser) == 429
    assert attempt("doris", client=browser) == 302


def count_waiting(queue: FairQueue) -> int:
    return len(queue._waiting)


class Crowd:
    """Threads that wait in a queue, whose first turn the test itself holds until `let_go`."""

    def __init__(self, queue: FairQueue) -> None:
        self.queue, self.served, self.sent_away = queue, list[str](), list[str]()
        self.threads: list[Thread] = []
        self._held = queue.take_turn(RequestFactory().get("/"), Turn("the test", OTHERS, 0.0))
        self._held.__enter__()

    def add(self, who: str, rank: int = OTHERS, since: float = 0.0, *, came_back: bool = False) -> None:
        """Somebody comes, and has got a place or was sent away when this returns."""
        before = count_waiting(self.queue), len(self.sent_away)
        thread = Thread(target=self._take_turn, args=(Turn(who, rank, since, came_back),))
        self.threads.append(thread)
        thread.start()
        while (count_waiting(self.queue), len(self.sent_away)) == before:
            time.sleep(0.001)

    def _take_turn(self, turn: Turn) -> None:
        try:
            with self.queue.take_turn(RequestFactory().get("/"), turn):
                self.served.append(turn.who)
        except TooManyAttempts:
            self.sent_away.append(turn.who)

    def let_go(self) -> list[str]:
        """Who was served, in order."""
        self._held.__exit__(None, None, None)
        for thread in self.threads:
            thread.join()
        return self.served


def test_addresses_take_turns_and_each_has_few_places() -> None:
    crowd = Crowd(FairQueue(1))
    for who in ("a", "a", "a", "b"):
        crowd.add(who)

    assert crowd.sent_away == ["a"]
    assert crowd.let_go() == ["a", "b", "a"]


@pytest.mark.parametrize("rank", [KNOWN, CLEAN])
def test_whoever_sent_nothing_wrong_goes_first_and_finds_a_place(rank: int) -> None:
    crowd = Crowd(FairQueue(1))
    for who in "abcd"[:WAITING_PLACES]:
        crowd.add(who)
    crowd.add("honest", rank)

    assert crowd.sent_away == ["d"]
    assert crowd.let_go() == ["honest", "a", "b", "c"]


def test_crowd_of_one_address_makes_room_for_another() -> None:
    crowd = Crowd(FairQueue(1))
    for who in ("b", "c", *["a"] * WAITING_OF_ONE, "honest"):
        crowd.add(who)

    assert crowd.sent_away == ["a"]
    assert crowd.let_go() == ["b", "c", "a", "honest"]


def test_slow_lane_bounds_what_is_tried_in_a_minute(rf: RequestFactory) -> None:
    began = time.monotonic()
    for number in range(4):
        with SLOW_PASSWORDS.take_turn(rf.get("/"), Turn(str(number), OTHERS, 0.0)):
            pass

    assert time.monotonic() - began >= 3 * PASSWORDS_PAUSE


def test_nothing_is_stored_of_strangers() -> None:
    client = Client()
    for address in ("/", "/login/", "/nothing-here/?a=b"):
        client.get(address)
    attempt("x", client=client)

    assert "sessionid" not in client.cookies
    assert not Session.objects.exists()


@pytest.mark.parametrize(
    ("behind", "sent", "address"),
    [
        (False, "198.51.100.1", ATTACKER),
        (True, "198.51.100.1", "198.51.100.1"),
        (True, "198.51.100.1, 198.51.100.2", "198.51.100.2"),
        (True, "2001:db8::1", "2001:db8::/64"),
        (True, "anything", ""),
    ],
)
def test_only_a_proxy_that_is_announced_is_believed(
    rf: RequestFactory, settings: Any, behind: bool, sent: str, address: str
) -> None:
    settings.BEHIND_HTTPS = behind
    request = rf.get("/", REMOTE_ADDR=ATTACKER, headers={"x-forwarded-for": sent})

    assert get_client_address(request) == address
