"""The director's account and the link that signs in once."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tournament.laptop.first_start import (
    LINK_SECONDS,
    create_first_director,
    make_readable_password,
    make_sign_in_token,
    remove_expired_sessions,
)

pytestmark = pytest.mark.django_db


def link(user: User) -> str:
    return reverse("first_start", args=[make_sign_in_token(user)])


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_director_made_on_first_start() -> None:
    made = create_first_director()

    assert made is not None
    user, password = made
    assert user.get_username() == "turnierleitung"
    assert user.is_superuser
    assert user.check_password(password)


def test_director_made_once() -> None:
    create_first_director()

    assert create_first_director() is None
    assert User.objects.count() == 1


def test_director_made_beside_somebody_of_that_name() -> None:
    User.objects.create_user("turnierleitung")

    made = create_first_director()

    assert made is not None
    assert made[0].get_username() == "turnierleitung-2"


def test_director_made_when_the_old_one_is_locked_out() -> None:
    User.objects.create_superuser("chef", is_active=False)

    assert create_first_director() is not None


def test_password_readable_and_new() -> None:
    passwords = {make_readable_password() for _number in range(50)}

    assert len(passwords) == 50
    assert all(re.fullmatch(r"[a-z]{6}-[a-z]{6}-[a-z]{6}", password) for password in passwords)


def test_link_signs_in(client: Client, director: User) -> None:
    response = client.get(link(director))

    assert response.status_code == 302
    assert response.headers["Location"] == reverse("director:home")
    assert client.session["_auth_user_id"] == str(director.pk)


def test_link_works_once(director: User) -> None:
    address = link(director)
    Client().get(address)
    second = Client()

    response = second.get(address)

    assert response.status_code == 403
    assert not is_signed_in(second)


def test_link_after_another_sign_in(client: Client, director: User) -> None:
    address = link(director)
    Client().force_login(director)

    response = client.get(address)

    assert response.status_code == 403


def test_link_too_old(client: Client, director: User, monkeypatch: pytest.MonkeyPatch) -> None:
    address = link(director)
    later = (datetime.now(UTC) + timedelta(seconds=LINK_SECONDS + 1)).timestamp()
    monkeypatch.setattr("django.core.signing.time.time", lambda: later)

    response = client.get(address)

    assert response.status_code == 403
    assert not is_signed_in(client)


@pytest.mark.parametrize("address", ["192.168.1.20", "10.0.0.1", "2001:db8::1", "", "somewhere"])
def test_link_from_elsewhere(client: Client, director: User, address: str) -> None:
    response = client.get(link(director), REMOTE_ADDR=address)

    assert response.status_code == 403
    assert not is_signed_in(client)


def test_link_forged(client: Client, director: User) -> None:
    response = client.get(link(director)[:-3] + "xy/")

    assert response.status_code == 403
    assert not is_signed_in(client)


def test_link_of_somebody_locked_out(client: Client, director: User) -> None:
    address = link(director)
    User.objects.update(is_active=False)

    response = client.get(address)

    assert response.status_code == 403


def test_link_posted(client: Client, director: User) -> None:
    assert client.post(link(director)).status_code == 405


def test_old_sessions_go() -> None:
    for key, days in (("old", -1), ("new", 1)):
        Session.objects.create(session_key=key, session_data="", expire_date=timezone.now() + timedelta(days=days))

    remove_expired_sessions()

    assert [each.session_key for each in Session.objects.all()] == ["new"]
