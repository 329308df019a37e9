"""The letter before the day: everybody with an address gets it once, and may say how the name is written."""

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client, override_settings

from tests import factories
from tests.tournament.registration.registering import LINK, delivered, open_entry, registered
from tests.tournament.registration.test_views_registrations import AWAY, SERVER
from tournament.access.codes import make_personal_link
from tournament.archive.replaying import find_journal_differences
from tournament.entries.operations.entries import enter_player, remove_entry
from tournament.entries.operations.name_wishes import answer_name_question, list_name_wishes, settle_name_wish
from tournament.entries.operations.register import Person
from tournament.letters.outbox import deliver_letters
from tournament.models import Contact, Entry, Letter, Player, Tournament
from tournament.people.merging import merge_players
from tournament.registration.day_letters import list_recipients, send_day_letters
from tournament.registration.forgetting import forget_player
from tournament.registration.operations import take_over_registrations

PAGE = "/director/herbst-cup/letters/"


@pytest.fixture(autouse=True, scope="module")
def mail() -> Iterator[None]:
    with override_settings(MAIL=SERVER, NAMED_HOSTS=["tso.example.org"]):
        yield


@pytest.fixture(scope="module")
def cup_of_module(*, mail: None, shares_rows: bool) -> Tournament:
    """Amsel has registered, Bussard's address is in the register, nobody knows one of Cramer."""
    division = factories.event(players=0, rounds=0)
    made, doris = division.tournament, factories.director()
    open_entry(made)
    take_over_registrations(made, chosen=[registered(made, "Amsel, Ada").pk], actor=doris)
    enter_player(division, person=Person("Bussard, Bo", email="bo@example.org"), actor=doris)
    enter_player(division, person=Person("Cramer, Cy"), actor=doris)
    delivered()
    return made


@pytest.fixture
def cup(cup_of_module: Tournament, db: None) -> Tournament:
    return Tournament.objects.get(pk=cup_of_module.pk)


@pytest.fixture
def doris_client(cup: Tournament, client: Client) -> Client:
    factories.sign_in(client)
    return client


def entry_of(surname: str) -> Entry:
    entries = Entry.objects.with_names().select_related("tournament", "division")
    return entries.get(player__name__startswith=surname)


def test_each_gets_number_and_own_link_once(cup: Tournament, doris_client: Client) -> None:
    before = doris_client.get(PAGE).text
    answer = doris_client.post(PAGE, {"seen": cup.revision}, follow=True).text
    letters = delivered()
    doris_client.post(PAGE, follow=True)

    assert "2 von 3 haben eine E-Mail-Adresse" in before
    assert "keine E-Mail-Adresse" in answer
    assert sorted(letter.to[0] for letter in letters) == ["amsel@example.org", "bo@example.org"]
    assert delivered() == []
    for letter in letters:
        surname = letter.to[0][:1].upper()
        entry = entry_of(surname)
        assert f"/me/{make_personal_link(entry)}/" in letter.body
        assert f"Nummer {entry.key}" in letter.body


def test_who_comes_later_gets_it_with_a_second_click_and_the_others_only_when_asked(
    cup: Tournament, doris_client: Client
) -> None:
    doris_client.post(PAGE)
    delivered()
    enter_player(cup.divisions.get(), person=Person("Dachs, Di", email="di@example.org"), actor=factories.director())

    doris_client.post(PAGE)
    later = delivered()
    doris_client.post(PAGE, {"again": "on"})

    assert [letter.to for letter in later] == [["di@example.org"]]
    assert len(delivered()) == 3


def test_a_fault_in_between_leaves_neither_letter_nor_note(cup: Tournament) -> None:
    with transaction.atomic():
        send_day_letters(cup, again=False, actor=factories.director())
        transaction.set_rollback(True)

    assert not Letter.objects.exists()
    assert send_day_letters(cup, again=False, actor=factories.director()) == 2


def test_what_was_not_sent_stands_beside_the_player(cup: Tournament, doris_client: Client) -> None:
    with override_settings(**AWAY):
        doris_client.post(PAGE)
        deliver_letters()

    assert "nicht verschickt: Der Mailserver war nicht zu erreichen." in doris_client.get(PAGE).text


def test_the_player_says_that_it_is_right_and_nothing_is_to_be_decided(
    cup: Tournament, doris_client: Client, client: Client
) -> None:
    send_day_letters(cup, again=False, actor=factories.director())
    link = next(LINK.search(str(letter.body)) for letter in delivered() if "bo@example.org" in letter.to)
    assert link is not None
    page = link[0].partition("tso.example.org")[2]

    assert "Ist der Name richtig geschrieben?" in Client().get(page).text
    Client().post(f"{page}name/", {"name": "Bussard, Bo"})

    assert entry_of("Bussard").name_checked_at is not None
    assert not list_name_wishes(cup).exists()
    assert "Name richtig" in doris_client.get(PAGE).text


def test_another_spelling_waits_for_the_director_who_takes_it(cup: Tournament, doris_client: Client) -> None:
    send_day_letters(cup, again=False, actor=factories.director())
    bo = entry_of("Bussard")
    page = f"/me/{make_personal_link(bo)}/"
    Client().post(f"{page}name/", {"name": "Bußard, Bodo"})

    assert entry_of("Bussard").player.name == "Bussard, Bo"
    assert "Bußard, Bodo" in doris_client.get("/director/herbst-cup/").text
    assert "Bußard, Bodo" in doris_client.get(f"/director/herbst-cup/entries/{bo.pk}/").text
    seen = Tournament.objects.get(pk=cup.pk).revision
    doris_client.post(f"/director/herbst-cup/entries/{bo.pk}/name/", {"take": "1", "seen": seen})

    assert entry_of("Bußard").name_wish == ""
    assert not list_name_wishes(cup).exists()
    assert find_journal_differences(Tournament.objects.get(pk=cup.pk)) == []


def test_the_director_may_leave_it(cup: Tournament) -> None:
    send_day_letters(cup, again=False, actor=factories.director())
    bo = answer_name_question(entry_of("Bussard"), name="Die Schönste", actor=factories.director())

    assert settle_name_wish(bo, is_taken=False, actor=factories.director()) == "Bussard, Bo"
    assert not list_name_wishes(cup).exists()


@pytest.mark.parametrize(("name", "said"), [("", "braucht einen Namen"), ("x" * 81, "höchstens 80"), ("4711", "4711")])
@pytest.mark.sampled(1)
def test_what_is_no_name_is_refused_on_the_page(name: str, said: str, cup: Tournament) -> None:
    send_day_letters(cup, again=False, actor=factories.director())
    page = f"/me/{make_personal_link(entry_of('Bussard'))}/"

    assert said in Client().post(f"{page}name/", {"name": name}).text
    assert entry_of("Bussard").name_checked_at is None


def test_nobody_is_asked_without_a_letter(cup: Tournament) -> None:
    page = f"/me/{make_personal_link(entry_of('Bussard'))}/"

    assert "Ist der Name richtig geschrieben?" not in Client().get(page).text
    Client().post(f"{page}name/", {"name": "Anders, Ada"})

    assert entry_of("Bussard").name_wish == ""


def test_who_is_forgotten_leaves_no_wish_and_no_letter_but_the_family_keeps_theirs(cup: Tournament) -> None:
    doris, division = factories.director(), cup.divisions.get()
    enter_player(division, person=Person("Bussard, Ina", email="bo@example.org"), actor=doris)
    with override_settings(**AWAY):
        send_day_letters(cup, again=False, actor=doris)
    bo = Player.objects.get(name="Bussard, Bo")
    answer_name_question(bo.entries.select_related("tournament").get(), name="Bußard, Bodo", actor=doris)
    factories.played(division)

    forget_player(bo, actor=doris)

    kept = Letter.objects.get(entry__player__name="Bussard, Ina")
    assert kept.to == "bo@example.org"
    assert [letter.entry_id for letter in Letter.objects.exclude(contact=None)] == [entry_of("Amsel").pk]
    assert Letter.objects.count() == 2
    assert not Entry.objects.exclude(name_wish="").exists()
    told = [str(row) for entry in cup.journal.all() for row in entry.rows]
    assert "Bodo" not in "".join(told)
    assert find_journal_differences(Tournament.objects.get(pk=cup.pk)) == []


def test_before_and_after_a_removal_a_merge_and_an_undo_nobody_gets_a_stray_letter(cup: Tournament) -> None:
    doris = factories.director()
    with override_settings(**AWAY):
        send_day_letters(cup, again=False, actor=doris)
    remove_entry(entry_of("Amsel"), actor=doris)

    assert [letter.to for letter in Letter.objects.exclude(entry=None)] == ["bo@example.org"]
    assert [item.entry.player.name for item in list_recipients(cup)] == ["Bussard, Bo", "Cramer, Cy"]

    other = Player.objects.create(organiser=cup.organiser, name="Bussard, Bodo")
    merge_players(entry_of("Bussard").player, other=other, actor=doris)
    assert entry_of("Bussard").letter_at is not None
    call_command("journal", "herbst-cup", verify=True)


def test_addresses_of_the_form_come_before_those_of_the_register(cup: Tournament) -> None:
    Player.objects.filter(name="Amsel, Ada").update(email="alt@example.org")

    assert {item.email for item in list_recipients(cup)} == {"amsel@example.org", "bo@example.org", ""}
    assert Contact.objects.get().email == "amsel@example.org"
