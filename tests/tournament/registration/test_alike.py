"""Registrations whose names are like others: two who are two stay two, and who is meant somebody says."""

from collections.abc import Iterator
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client, override_settings

from config.mail import MailServer
from tests import factories
from tests.tournament.registration.registering import open_entry, registered
from tournament.entries.operations.register import Person, add_player
from tournament.letters.outbox import find_contact, make_contact_link
from tournament.models import Contact, Entry, Registration, Tournament
from tournament.people.alike import list_open_pairs

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def mail() -> Iterator[None]:
    server = MailServer("smtps", "mail.example.org", 465, "tso", "x", "TSO <tso@example.org>")
    with override_settings(MAIL=server, NAMED_HOSTS=["tso.example.org"]):
        yield


def test_whoever_is_merely_alike_is_asked_about_before_an_entry_is_made(cup: Tournament, doris_client: Client) -> None:
    open_entry(cup)
    anna = add_player(person=Person("Köhler, Anna", "SC Fulda"), actor=factories.director())
    koehler, kohler = registered(cup, "Koehler, Anna"), registered(cup, "Kohler, Anna")
    address = f"/director/{cup.slug}/registrations/enter/"
    taken = {"take": [koehler.pk, kohler.pk]}

    page = doris_client.post(address, taken, follow=True)
    assert not Entry.objects.exists()
    assert page.redirect_chain[-1][0] == address
    assert f'<option value="{anna.pk}"' in page.content.decode()

    doris_client.post(address, taken | {f"row-{koehler.pk}": anna.pk, f"row-{kohler.pk}": "new"})

    assert list(Entry.objects.order_by("pk").values_list("player__name", flat=True)) == ["Köhler, Anna", "Kohler, Anna"]
    assert Entry.objects.get(registration=koehler).player == anna
    assert list_open_pairs(cup.organiser) == []


def test_two_at_one_address_are_two_though_their_names_sort_alike(cup: Tournament) -> None:
    open_entry(cup)

    for name in ("Bär, Udo", "Bar, Udo"):
        registered(cup, name, email="udo@example.org")

    assert list(Registration.objects.order_by("pk").values_list("name", flat=True)) == ["Bär, Udo", "Bar, Udo"]


def test_keys_of_earlier_versions_become_exact_and_their_links_still_lead_there(cup: Tournament) -> None:
    open_entry(cup)
    contacts = [registered(cup, name, email="ohm@example.org").contact for name in ("Öhm, Olga", "Öhm, Otto")]
    links = [make_contact_link(contact) for contact in contacts]
    Contact.objects.filter(pk=contacts[0].pk).update(name_key="ohm, olga")
    Contact.objects.filter(pk=contacts[1].pk).update(name_key="ohm,olga", name="Öhm,Olga")

    import_module("tournament.migrations.0048_who_is_who").name_exactly(apps, SimpleNamespace(connection=connection))

    assert list(Contact.objects.order_by("pk").values_list("name_key", flat=True)) == ["öhm, olga", "ohm,olga"]
    assert find_contact(cup.slug, links[0]) == contacts[0]
