"""A lost password is replaced by a letter, and nobody learns who has an account."""

import re
import threading
import time
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core import mail as post
from django.test import Client

from tournament.access.signing_in import TO_RECIPIENT

pytestmark = pytest.mark.usefixtures("fresh_counts")


ASK = "/password/"
LINK = re.compile(r"http://testserver(/password/\S+)")
NEW = {"new_password1": "Quarzuhr-17", "new_password2": "Quarzuhr-17"}


def asked(email: str, client: Client | None = None) -> Any:
    """The answer, once the letter is written."""
    answer = (client or Client()).post(ASK, {"email": email})
    for thread in threading.enumerate():
        if thread.name == "letter":
            thread.join()
    return answer


@pytest.fixture
def link(transactional_db: None, mail: None, doris_user: User) -> str:
    """The way of the link in the letter."""
    asked("Doris@example.org")
    found = LINK.search(str(post.outbox[0].body))
    assert found is not None
    return found[1]


@pytest.mark.django_db(transaction=True)
def test_letter_brings_a_link_that_works_once(link: str) -> None:
    letter = post.outbox[0]
    client = Client()

    page = client.get(link, follow=True)
    asks_for = page.redirect_chain[-1][0]
    done = client.post(asks_for, NEW, follow=True)

    assert (letter.to, letter.from_email) == (["doris@example.org"], "TSO <tso@example.org>")
    assert letter.subject == "Neues Passwort für testserver"
    assert "„doris“" in letter.body
    assert "60 Minuten" in letter.body
    assert link.split("/")[-2] not in asks_for
    assert page["Referrer-Policy"] == "same-origin"
    assert "Das neue Passwort ist gesetzt." in done.content.decode()
    assert User.objects.get(username="doris").check_password("Quarzuhr-17")
    assert "verbraucht" in Client().get(link).content.decode()


@pytest.mark.django_db(transaction=True)
def test_link_is_too_old_after_the_time_that_is_stated(link: str) -> None:
    with time_machine.travel(time.time() + 61 * 60):
        assert "zu alt" in Client().get(link).content.decode()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("mail", "doris_user")
def test_nobody_learns_who_has_an_account() -> None:
    User.objects.create_user("gesperrt", "gesperrt@example.org", "x", is_active=False)
    answers = [asked(f"{name}@example.org") for name in ("doris", "niemand", "gesperrt")]
    pages = {Client().get(answer["Location"]).content for answer in answers}

    assert len(pages) == 1
    assert [letter.to for letter in post.outbox] == [["doris@example.org"]]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("mail")
@pytest.mark.parametrize("email", ["doris@example.org", "niemand@example.org"])
def test_letters_to_one_recipient_are_few(doris_user: User, email: str) -> None:
    statuses = [asked(email).status_code for _time in range(TO_RECIPIENT + 1)]

    assert statuses == [302] * TO_RECIPIENT + [429]
    assert len(post.outbox) <= TO_RECIPIENT


@pytest.mark.django_db
@pytest.mark.usefixtures("mail")
@pytest.mark.parametrize("email", ["", "nirgendwo", "x" * 250 + "@a.de", "a\0b@example.org"])
def test_what_is_no_address_is_told(email: str) -> None:
    answer = Client().post(ASK, {"email": email})

    assert (answer.status_code, post.outbox) == (200, [])
    assert 'aria-invalid="true"' in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("address", [ASK, "/password/sent/", "/password/a/b/"])
def test_without_a_server_there_is_no_such_page(address: str) -> None:
    assert Client().get(address).status_code == 404


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("mail", "doris_user")
@pytest.mark.parametrize(
    ("service", "begins"),
    [("https://tso.example.org:8443", "https://tso.example.org:8443/password/"), ("", "http://testserver/password/")],
)
def test_links_begin_as_the_setting_says_whatever_the_browser_names(settings: Any, service: str, begins: str) -> None:
    settings.SERVICE_ADDRESS, settings.NAMED_HOSTS = service, ["testserver"]

    asked("doris@example.org", Client(headers={"host": "testserver:1234"}))

    assert begins in post.outbox[0].body
    assert "1234" not in post.outbox[0].subject + str(post.outbox[0].body)
