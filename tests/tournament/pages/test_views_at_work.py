"""Who else has a page of the director's open."""

import time_machine
from django.test import Client
from django.urls import reverse

from tests import factories
from tournament.core.change import Actor
from tournament.models import Tournament


def signed_in(cup: Tournament, name: str) -> Client:
    client = Client()
    factories.sign_in(client, factories.director(name, cup.organiser))
    return client


def test_two_on_one_page_see_each_other(cup: Tournament, doris_client: Client) -> None:
    bernd = signed_in(cup, "bernd")
    address = reverse("director:settings", args=[cup.slug])

    assert "Auch auf dieser Seite" not in doris_client.get(address).content.decode()
    assert "Auch auf dieser Seite: doris" in bernd.get(address).content.decode()
    assert "Auch auf dieser Seite: bernd" in doris_client.get(address).content.decode()
    assert "Auch auf dieser Seite" not in doris_client.get(reverse("director:plan", args=[cup.slug])).content.decode()


def test_an_open_page_asks_and_who_has_left_is_forgotten(cup: Tournament, doris_client: Client) -> None:
    bernd = signed_in(cup, "bernd")
    ask = reverse("director:at_work", args=[cup.slug])
    with time_machine.travel("2026-10-03 14:00 +0200", tick=False) as clock:
        assert doris_client.get(ask, {"page": "/x/"}).status_code == 204
        assert bernd.get(ask, {"page": "/x/"}).content.decode() == "Auch auf dieser Seite: doris"
        clock.shift(30)
        assert doris_client.get(ask, {"page": "/x/"}).content.decode() == "Auch auf dieser Seite: bernd"
        clock.shift(39)
        assert doris_client.get(ask, {"page": "/x/"}).status_code == 204


def test_a_tournament_keeps_who_works_there_to_itself(
    cup: Tournament, other_cup: Tournament, doris_client: Client, doris: Actor
) -> None:
    bernd = signed_in(cup, "bernd")
    bernd.get(reverse("director:at_work", args=[cup.slug]), {"page": "/x/"})
    assert doris_client.get(reverse("director:at_work", args=[other_cup.slug]), {"page": "/x/"}).status_code == 204
    foreign = factories.event("Fremder Cup", players=0, by=factories.director("otto", factories.organiser("SC Dort")))
    assert bernd.get(reverse("director:at_work", args=[foreign.tournament.slug])).status_code == 404
    assert Client().get(reverse("director:at_work", args=[cup.slug])).status_code == 302


def test_any_page_can_be_named(cup: Tournament, doris_client: Client) -> None:
    ask = reverse("director:at_work", args=[cup.slug])
    for page in ("", "/" * 100_000, "\N{NULL}", "<script>", "ä"):
        assert doris_client.get(ask, {"page": page}).status_code == 204
