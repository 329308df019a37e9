"""The director decides for each player who is not there when the check-in closes."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from tests import factories
from tests.markup import read_main
from tournament.basics.names import fold_text
from tournament.entries.operations.attendance import check_in_entries, list_expected_entries
from tournament.entries.operations.entries import enter_player
from tournament.entries.operations.register import Person
from tournament.models import Absence, Contact, Division, Entry, Player, Registration, Role
from tournament.rounds.drafts import draft_round
from tournament.rounds.operations import publish_round

pytestmark = pytest.mark.django_db
CHECK_IN = "/director/herbst-cup/entries/check-in/"


@pytest.fixture(scope="module")
def division_of_module(*, shares_rows: bool) -> Division:
    division = factories.event(players=4)
    first = Entry.objects.order_by("pk")[0]
    check_in_entries(division.tournament, shown={first.pk}, present={first.pk}, actor=factories.director())
    return division


@pytest.fixture
def cup(division_of_module: Division, db: None) -> Division:
    """Four players, of whom the first has come."""
    return factories.fresh(division_of_module)


@pytest.fixture
def doris_client(cup: Division) -> Client:
    client = Client()
    factories.sign_in(client)
    return client


def test_each_is_decided_and_the_expected_are_told_of(doris_client: Client) -> None:
    _there, waits, out, gone = Entry.objects.order_by("pk")
    fates = {waits: "expected", out: "out", gone: "withdrawn"}
    answer = doris_client.post(f"{CHECK_IN}close/", {f"absent-{entry.pk}": fate for entry, fate in fates.items()})
    console = read_main(doris_client, "/director/herbst-cup/")
    gone.refresh_from_db()

    assert answer.status_code == 302
    assert f"Wird noch erwartet: {Entry.objects.with_names().get(pk=waits.pk).name}" in console
    assert "nicht eingecheckt" not in console
    assert (gone.withdrawn_after, Absence.objects.get().entry_id) == (0, out.pk)


def test_who_is_left_open_stays_to_be_decided(doris_client: Client) -> None:
    waits = Entry.objects.order_by("pk")[1]
    doris_client.post(f"{CHECK_IN}close/", {f"absent-{waits.pk}": "expected"})
    page = doris_client.get(CHECK_IN).content.decode()

    assert len(re.findall(r'name="absent-[0-9]+" value="out"', page)) == 3
    assert len(re.findall(r'name="absent-[0-9]+" value="expected"', page)) == 2
    assert page.count('<span class="chip">') == 1


def test_other_words_are_refused(doris_client: Client) -> None:
    waits = Entry.objects.order_by("pk")[1]
    page = doris_client.post(f"{CHECK_IN}close/", {f"absent-{waits.pk}": "late"}).content.decode()

    assert "late ist keine gültige Auswahl" in page
    assert not Absence.objects.exists()


def test_absentees_stand_by_name_and_namesakes_with_their_club(doris_client: Client, cup: Division) -> None:
    for club in ("SC Köln", "SC Bonn"):
        enter_player(cup, person=Person("Aal, Udo", club=club), actor=factories.director())
    page = doris_client.get(CHECK_IN).content.decode()
    labels = re.findall(r"<strong>([^<]+)</strong>", page.partition("check-absent")[2])

    assert labels[:2] == ["Aal, Udo (SC Köln)", "Aal, Udo (SC Bonn)"]
    assert labels[2:] == sorted(labels[2:], key=fold_text)


def test_who_is_missing_can_be_called_by_the_director_alone(doris_client: Client, cup: Division) -> None:
    _there, known, registered, _unknown = Entry.objects.order_by("pk")
    Player.objects.filter(pk=known.player_id).update(phone="+49 (0)661 123-45")
    sent = Registration.objects.create(
        tournament=cup.tournament, division=cup, entry=registered, name="B", state="confirmed", at=timezone.now()
    )
    Contact.objects.create(
        tournament=cup.tournament, registration=sent, email="b@example.org", phone="0171 000", asked_at=timezone.now()
    )
    page = doris_client.get(CHECK_IN).content.decode()

    assert re.findall(r'href="(tel:[^"]*)">([^<]*)<', page) == [
        ("tel:+4966112345", "+49 (0)661 123-45"),
        ("tel:0171000", "0171 000"),
    ]
    factories.sign_in(doris_client, factories.member(factories.user("hilde"), Role.HELPER, cup.tournament.organiser))
    assert "tel:" not in doris_client.get(CHECK_IN).content.decode()


def test_who_comes_after_the_close_is_told_of(doris_client: Client, cup: Division) -> None:
    late = Entry.objects.with_names().order_by("pk")[1]
    doris_client.post(f"{CHECK_IN}close/", {f"absent-{late.pk}": "out"})
    decided = read_main(doris_client, "/director/herbst-cup/")
    check_in_entries(cup.tournament, shown={late.pk}, present={late.pk}, actor=factories.director())
    come = read_main(doris_client, "/director/herbst-cup/")
    publish_round(draft_round(cup, actor=factories.director()), actor=factories.director())

    assert "in Runde 1 als abwesend" not in decided
    assert "ist da, gilt aber in Runde 1 als abwesend" in come
    assert "in Runde 1 als abwesend" not in read_main(doris_client, "/director/herbst-cup/")


def test_who_has_played_is_expected_no_more(doris_client: Client, cup: Division) -> None:
    for waits in Entry.objects.order_by("pk")[1:]:
        doris_client.post(f"{CHECK_IN}close/", {f"absent-{waits.pk}": "expected"})
    factories.result(factories.published(cup), 1, 400, 300)
    second = Entry.objects.filter(division=cup, expected=True, seats__pairing__table=2)

    assert sorted(each.pk for each in list_expected_entries(cup)) == sorted(each.pk for each in second)
