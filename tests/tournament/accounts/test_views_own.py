"""What somebody sets about their own account."""

import threading

import pytest
from django.contrib.auth.models import User
from django.core import mail as post
from django.core.mail import EmailMessage
from django.test import Client

from tournament.access.signing_in import FOR_ACCOUNT

pytestmark = pytest.mark.usefixtures("fresh_counts")


EMAIL, PASSWORD = "/account/email/", "/account/password/"
NEW = {"old_password": "doris", "new_password1": "Quarzuhr-17", "new_password2": "Quarzuhr-17"}


def letter() -> EmailMessage:
    """The only one that was sent."""
    for thread in threading.enumerate():
        if thread.name == "letter":
            thread.join()
    (found,) = post.outbox
    return found


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("mail")
@pytest.mark.parametrize(
    ("address", "typed", "said"),
    [
        (EMAIL, {"email": "neu@example.org", "password": "doris"}, "Seine Post geht an eine andere E-Mail-Adresse."),
        (PASSWORD, NEW, "Es hat ein anderes Passwort."),
    ],
)
def test_what_was_changed_is_told_where_letters_went_before(
    doris_browser: Client, address: str, typed: dict[str, str], said: str
) -> None:
    doris_browser.post(address, typed)

    assert letter().to == ["doris@example.org"]
    assert letter().subject == "Konto auf testserver"
    assert "Das Konto „doris“ auf testserver ist geändert worden:" in letter().body
    assert said in letter().body


@pytest.mark.usefixtures("mail")
def test_letters_go_where_the_account_says(doris_browser: Client, doris_user: User) -> None:
    answer = doris_browser.post(EMAIL, {"email": "neu@example.org", "password": "doris"}, follow=True)

    doris_user.refresh_from_db()
    assert doris_user.email == "neu@example.org"
    assert "neu@example.org" in answer.content.decode()


@pytest.mark.usefixtures("mail")
@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"email": "neu@example.org", "password": "falsch"}, "Das ist nicht das Passwort dieses Kontos."),
        ({"email": "nirgendwo", "password": "doris"}, "„nirgendwo“ ist keine E-Mail-Adresse"),
        ({"email": "x" * 250 + "@a.de", "password": "doris"}, "254"),
    ],
)
def test_address_with_a_fault_is_not_taken(
    doris_browser: Client, doris_user: User, typed: dict[str, str], said: str
) -> None:
    answer = doris_browser.post(EMAIL, typed)

    doris_user.refresh_from_db()
    assert doris_user.email == "doris@example.org"
    assert said in answer.content.decode()


def test_without_a_server_nothing_speaks_of_letters(doris_browser: Client) -> None:
    pages = [doris_browser.get("/account/"), Client().get("/login/")]

    assert doris_browser.get(EMAIL).status_code == 404
    assert not [page for page in pages if "E-Mail" in page.content.decode() or ("/password/" in page.content.decode()
                and page.request["PATH_INFO"] == "/login/")]  # fmt: skip


def test_another_password_signs_every_other_browser_out(doris_browser: Client, doris_user: User) -> None:
    elsewhere = Client()
    elsewhere.force_login(doris_user)

    answer = doris_browser.post(PASSWORD, NEW, follow=True)

    assert "Das Passwort ist geändert." in answer.content.decode()
    assert doris_browser.get("/account/").status_code == 200
    assert elsewhere.get("/account/")["Location"] == "/login/?next=/account/"


@pytest.mark.parametrize(
    "typed", [NEW | {"old_password": "x"}, NEW | {"new_password2": "y"}, dict.fromkeys(NEW, "doris")]
)
def test_password_with_a_fault_is_not_set(doris_browser: Client, doris_user: User, typed: dict[str, str]) -> None:
    assert doris_browser.post(PASSWORD, typed).status_code == 200
    doris_user.refresh_from_db()
    assert doris_user.check_password("doris")


def test_whoever_finds_an_open_laptop_cannot_try_passwords(doris_browser: Client) -> None:
    statuses = [
        doris_browser.post(PASSWORD, NEW | {"old_password": "x"}).status_code for _time in range(FOR_ACCOUNT + 1)
    ]

    assert statuses[-2:] == [200, 429]


@pytest.mark.parametrize("address", [PASSWORD, "/account/"])
def test_nothing_is_kept_of_a_password_that_came_too_late(db: None, address: str) -> None:
    client = Client()

    answer = client.post(address, NEW)

    assert answer["Location"].startswith("/login/")
    assert "sessionid" not in client.cookies
