"""A form that is sent twice acts once."""

import threading

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.http import HttpRequest
from django.test import Client, RequestFactory

from tests import factories
from tournament.models import Tournament
from tournament.pages.requests import SingleSubmission


def sending(user: User, token: str) -> HttpRequest:
    request = RequestFactory().post("/", {"once": token})
    request.user = user
    return request


def test_second_sending_goes_where_the_first_went(stranger: User) -> None:
    first, second = (SingleSubmission(sending(stranger, "abc")) for _ in range(2))
    first.run(lambda: "/first/")

    address = second.run(lambda: pytest.fail("acted twice"))

    assert address == "/first/"


def test_refused_sending_can_be_sent_again(stranger: User) -> None:
    def refuse() -> str:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        SingleSubmission(sending(stranger, "abc")).run(refuse)
    again = SingleSubmission(sending(stranger, "abc")).run(lambda: "/again/")

    assert again == "/again/"


def test_tokens_of_two_people_are_two(stranger: User, director: User) -> None:
    SingleSubmission(sending(stranger, "abc")).run(lambda: "/theirs/")
    mine = SingleSubmission(sending(director, "abc")).run(lambda: "/mine/")

    assert mine == "/mine/"


@pytest.mark.parametrize("token", ["", "a b", "x" * 65, "ä", "\x00"])
def test_token_that_no_form_has_is_replaced(stranger: User, token: str) -> None:
    assert SingleSubmission(sending(stranger, token)).token != token


@pytest.mark.django_db(transaction=True)
def test_double_click_makes_one_tournament() -> None:
    user = User.objects.create_user("doris")
    ready = threading.Barrier(2)
    answers: list[str] = []

    factories.member(user)

    def click() -> None:
        client = Client()
        client.force_login(user)
        ready.wait()
        answers.append(client.post("/director/tournaments/new/empty/", {"name": "Cup", "once": "abc"})["Location"])
        connection.close()

    threads = [threading.Thread(target=click) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert answers == ["/director/cup/entries/"] * 2
    assert Tournament.objects.count() == 1
