"""Signing in while somebody tries passwords."""

from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.test import Client, RequestFactory

from tests import factories
from tournament.access import signing_in
from tournament.access.signing_in import (
    FOR_ACCOUNT,
    FOR_ADDRESS,
    FROM_ADDRESS,
    HASHES_AT_ONCE,
    IN_SUM,
    LETTERS,
    TO_RECIPIENT,
    TooManyAttempts,
    _wait_for_hashing,
    count_letter,
    get_client_address,
)

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 10, 3, 12, 0, 20, tzinfo=UTC)
ATTACKER, HALL = "192.0.2.66", "192.0.2.7"


@pytest.fixture(autouse=True)
def noon() -> Iterator[None]:
    caches["attempts"].clear()
    with time_machine.travel(NOON, tick=False):
        yield


def attempt(password: str, *, name: str = "doris", address: str = ATTACKER, client: Client | None = None) -> int:
    """The status of the answer: 302 signed in, 200 wrong, 429 not looked at."""
    sent = {"username": name, "password": password}
    return (client or Client()).post("/login/", sent, REMOTE_ADDR=address).status_code


def test_after_some_wrong_passwords_an_address_waits_for_the_minute_to_end() -> None:
    factories.user("doris")
    wrong = [attempt("x") for _time in range(FOR_ACCOUNT)]

    refused = Client().post("/login/", {"username": "doris", "password": "doris"}, REMOTE_ADDR=ATTACKER)

    assert wrong == [200] * FOR_ACCOUNT
    assert (refused.status_code, refused["Retry-After"]) == (429, "40")
    assert "40 Sekunden" in refused.content.decode()
    with time_machine.travel(NOON.replace(minute=1, second=0), tick=False):
        assert attempt("doris") == 302


def test_director_elsewhere_is_not_kept_out() -> None:
    factories.user("doris")
    for _time in range(FOR_ACCOUNT + 1):
        attempt("x")

    assert attempt("doris", address=HALL) == 302


def test_many_accounts_from_one_address_count_together() -> None:
    statuses = [attempt("x", name=f"n{number}") for number in range(FOR_ADDRESS + 1)]

    assert statuses[-2:] == [200, 429]


def test_many_addresses_count_in_sum_but_not_this_machine_nor_a_known_browser() -> None:
    factories.user("doris")
    known = Client()
    attempt("doris", address=HALL, client=known)
    known.post("/logout/")
    statuses = [attempt("x", name=f"n{each}", address=f"198.51.100.{each}") for each in range(IN_SUM + 1)]

    assert statuses[-2:] == [200, 429]
    assert attempt("doris", address=HALL) == 429
    assert attempt("doris", address="127.0.0.1") == 302
    assert attempt("doris", address=ATTACKER, client=known) == 302


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


@pytest.mark.parametrize(
    ("addresses", "recipients", "most"),
    [
        ([ATTACKER] * 20, ["doris@example.org", "Doris@Example.org"] * 10, TO_RECIPIENT),
        ([ATTACKER] * 20, [f"{each}@example.org" for each in range(20)], FROM_ADDRESS),
        ([f"198.51.100.{each}" for each in range(20)], ["doris@example.org"] * 20, TO_RECIPIENT),
        ([f"198.51.{e}.{e % 250}" for e in range(250)], [f"{e}@example.org" for e in range(250)], LETTERS),
    ],
)
def test_letters_are_counted_by_recipient_by_address_and_in_sum(
    rf: RequestFactory, addresses: list[str], recipients: list[str], most: int
) -> None:
    for number, (address, recipient) in enumerate(zip(addresses, recipients, strict=True)):
        if number < most:
            count_letter(rf.post("/", REMOTE_ADDR=address), recipient)
            continue
        with pytest.raises(TooManyAttempts) as refused:
            count_letter(rf.post("/", REMOTE_ADDR=address), recipient)
        assert refused.value.seconds == 3600 - 20


def test_no_more_passwords_than_allowed_are_checked_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    assert HASHES_AT_ONCE in {1, 2}
    monkeypatch.setattr(signing_in, "HASHING_TIMEOUT_SECONDS", 0.01)
    factories.user("doris")

    with ExitStack() as held:
        for _password in range(HASHES_AT_ONCE):
            held.enter_context(_wait_for_hashing())
        assert attempt("doris") == 429
    assert attempt("doris") == 302


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
