"""Signing in asks for a code where the account wants it so: by its pages, on any database."""

import re
import time
from binascii import unhexlify
from collections.abc import Iterator

import pytest
import time_machine
from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import caches
from django.test import Client, RequestFactory, override_settings

from tests import factories
from tournament.access.second_factor import (
    APPS,
    FOR_ACCOUNT,
    FROM_PLACE,
    RECOVERY_CODE_COUNT,
    SECONDS_FOR_PLACE,
    _query_devices,
    count_recovery_codes,
    has_second_factor,
    make_recovery_codes,
    prepare_second_factor,
    verify_second_factor,
)

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(not settings.SECOND_FACTOR, reason="comes with requirements-hosted.txt"),
]
ON, OFF, NEW_CODES = (f"/account/second-factor/{name}" for name in ("", "off/", "recovery-codes/"))
CODE, HOST = "/login/code/", "/host/accounts/second-factors/"
RECOVERY = re.compile("<code>([a-z2-7]{4}-[a-z2-7]{4})</code>")
NAMED = {"username": "doris", "password": "doris"}


@pytest.fixture(autouse=True)
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(time.time(), tick=False) as traveller:
        yield traveller


@pytest.fixture
def doris_user(db: None) -> User:
    caches["attempts"].clear()
    return factories.user("doris")


@pytest.fixture
def browser(doris_user: User) -> Client:
    client = Client()
    client.force_login(doris_user)
    return client


def shown(user: User) -> str:
    """What the app on the phone shows now."""
    from django_otp.oath import totp  # noqa: PLC0415  # not installed on a laptop

    device = _query_devices(APPS).get(user=user)
    return f"{totp(unhexlify(device.key)):06d}"


@pytest.fixture
def codes(browser: Client, doris_user: User, clock: time_machine.Traveller) -> list[str]:
    """Doris has turned it on: her recovery codes."""
    browser.get(ON)
    page = browser.post(ON, {"code": shown(doris_user), "password": "doris"})
    clock.shift(30)
    return RECOVERY.findall(page.content.decode())


def half(client: Client | None = None, to: str = "") -> Client:
    """A browser in which the password was right."""
    client = client or Client()
    answer = client.post("/login/", NAMED | {"next": to})
    assert answer["Location"] == CODE
    return client


def signs_in(client: Client, code: str) -> bool:
    """Whether the code was the last thing that lacked."""
    answer = client.post(CODE, {"code": code})
    assert answer.status_code in (200, 302)
    return client.get("/account/").status_code == 200


def test_key_is_shown_as_a_picture_and_as_text(browser: Client, doris_user: User) -> None:
    page = browser.get(ON).content.decode()
    address, key = prepare_second_factor(doris_user)

    assert key in page
    assert re.fullmatch("(?:[A-Z2-7]{4} ){7}[A-Z2-7]{4}", key)
    assert address.startswith("otpauth://totp/TSO%3Adoris?secret=" + key.replace(" ", ""))
    assert '<svg class="qr"' in page


def test_sign_in_asks_for_the_code_and_goes_on(codes: list[str], doris_user: User) -> None:
    client = half(to="/account/password/")
    answer = client.post(CODE, {"code": shown(doris_user)})

    assert (answer.status_code, answer["Location"]) == (302, "/account/password/")
    assert client.get("/account/").status_code == 200
    assert len(set(codes)) == RECOVERY_CODE_COUNT


@pytest.mark.usefixtures("codes")
def test_half_signed_in_is_not_signed_in(doris_user: User) -> None:
    client = half()

    assert client.get("/account/")["Location"] == "/login/?next=/account/"
    assert client.get("/director/")["Location"] == "/login/?next=/director/"
    assert "_auth_user_id" not in client.session


def test_code_counts_once_also_in_two_browsers(codes: list[str], doris_user: User) -> None:
    code = shown(doris_user)

    assert signs_in(half(), f"{code[:3]} {code[3:]}")
    assert not signs_in(half(), code)
    assert signs_in(half(), codes[0].upper())
    assert not signs_in(half(), codes[0])
    assert count_recovery_codes(doris_user) == RECOVERY_CODE_COUNT - 1


@pytest.mark.sampled(3)
@pytest.mark.usefixtures("codes")
@pytest.mark.parametrize("typed", ["", "000000", "abcd-efgh", "²²²²²²", "١٢٣٤٥٦", "a\0b", "x" * 21])
def test_wrong_code_is_told(typed: str) -> None:
    client = half()
    page = client.post(CODE, {"code": typed})

    assert page.status_code == 200
    assert 'aria-invalid="true"' in page.content.decode()
    assert client.get("/account/").status_code == 302


@pytest.mark.long
def test_wrong_codes_make_wait_and_never_for_long(
    codes: list[str], doris_user: User, clock: time_machine.Traveller
) -> None:
    client, waits = half(), list[int]()
    for _time in range(200):
        answer = client.post(CODE, {"code": "000000"})
        if answer.status_code == 429:
            waits.append(int(answer["Retry-After"]))
    refused = client.post(CODE, {"code": shown(doris_user)})

    assert len(waits) == 200 - FROM_PLACE - 1
    assert 0 < max(waits) <= SECONDS_FOR_PLACE
    assert refused.status_code == 429
    assert f'value="{shown(doris_user)}"' in refused.content.decode()
    clock.shift(int(refused["Retry-After"]))
    assert signs_in(client, codes[0])


def wrong_codes(address: str, times: int = 20) -> list[int]:
    """The answers to somebody who knows the password and guesses."""
    guesser = Client(REMOTE_ADDR=address)
    guesser.post("/login/", NAMED)
    return [guesser.post(CODE, {"code": "000000"}).status_code for _time in range(times)]


@pytest.mark.long
def test_guesser_who_knows_the_password_keeps_the_owner_out_nowhere(codes: list[str], doris_user: User) -> None:
    known = half()
    assert signs_in(known, codes[0])
    known.post("/logout/")
    checked = [wrong_codes(f"198.51.100.{number}").count(200) for number in range(9)]

    assert sum(checked) <= FOR_ACCOUNT + 9 + 1  # each address's first code, and one in these seconds
    assert wrong_codes("127.0.0.1").count(200) == 1
    assert signs_in(half(known), codes[1])
    assert signs_in(half(Client(REMOTE_ADDR="192.0.2.7")), codes[2])


@pytest.mark.usefixtures("codes")
def test_between_password_and_code_lie_five_minutes(doris_user: User, clock: time_machine.Traveller) -> None:
    client = half()
    clock.shift(5 * 60 + 1)

    assert not signs_in(client, shown(doris_user))
    assert "Name und Passwort" in client.get(CODE).content.decode()


@pytest.mark.usefixtures("codes")
def test_another_password_begins_anew(doris_user: User) -> None:
    client = half()
    doris_user.set_password("Quarzuhr-17")
    doris_user.save()

    assert not signs_in(client, shown(doris_user))


@pytest.mark.usefixtures("codes")
def test_locked_account_stays_out(doris_user: User) -> None:
    client = half()
    doris_user.is_active = False
    doris_user.save()

    assert not signs_in(client, shown(doris_user))


@pytest.mark.parametrize(("code", "password"), [("000000", "doris"), ("", "doris"), ("right", "falsch")])
def test_it_is_turned_on_by_code_and_password_only(browser: Client, doris_user: User, code: str, password: str) -> None:
    browser.get(ON)
    browser.post(ON, {"code": shown(doris_user) if code == "right" else code, "password": password})

    assert not has_second_factor(doris_user)
    assert Client().post("/login/", NAMED)["Location"] == "/director/"


@pytest.mark.usefixtures("codes")
@pytest.mark.parametrize(("password", "stays"), [("doris", False), ("falsch", True)])
def test_password_turns_it_off(browser: Client, doris_user: User, password: str, stays: bool) -> None:
    browser.post(OFF, {"password": password})

    assert has_second_factor(doris_user) is stays


def test_new_recovery_codes_replace_the_old_ones(browser: Client, codes: list[str], doris_user: User) -> None:
    made = RECOVERY.findall(browser.post(NEW_CODES, {"password": "doris"}).content.decode())

    assert len(set(made)) == RECOVERY_CODE_COUNT
    assert not signs_in(half(), codes[0])
    assert signs_in(half(), made[0])


@pytest.mark.usefixtures("codes")
def test_last_recovery_codes_are_told(doris_user: User, rf: RequestFactory) -> None:
    spare = make_recovery_codes(doris_user)[: RECOVERY_CODE_COUNT // 2 + 1]
    for code in spare[:-1]:
        assert verify_second_factor(rf.get("/"), doris_user, code)
    client = half()
    page = client.post(CODE, {"code": spare[-1]}, follow=True).content.decode()

    assert "4 Ersatzcodes" in page


@pytest.mark.usefixtures("codes")
def test_host_turns_anothers_off(doris_user: User, director_client: Client) -> None:
    page = director_client.get(HOST).content.decode()
    answer = director_client.post(HOST, {"account": doris_user.pk}, follow=True)

    assert ">doris<" in page
    assert "„doris“" in answer.content.decode()
    assert not has_second_factor(doris_user)


@pytest.mark.usefixtures("codes")
def test_nobody_else_turns_anothers_off(doris_user: User, stranger_client: Client) -> None:
    assert stranger_client.post(HOST, {"account": doris_user.pk}).status_code == 403
    assert has_second_factor(doris_user)


def test_administration_shows_no_keys(director_client: Client) -> None:
    assert "otp" not in director_client.get("/admin/").content.decode().lower()


@pytest.mark.parametrize("address", [ON, OFF, NEW_CODES, CODE, HOST])
def test_on_a_laptop_nothing_of_it_is_there(director_client: Client, address: str) -> None:
    with override_settings(SECOND_FACTOR=False):
        assert director_client.get(address).status_code == 404
        assert "factor" not in director_client.get("/account/").content.decode()
        factories.user("anna")
        assert Client().post("/login/", {"username": "anna", "password": "anna"})["Location"] == "/director/"
