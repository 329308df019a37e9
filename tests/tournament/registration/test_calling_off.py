"""A minimum number with a day: announced, asked of the director on that day, called off with one letter to all."""

import io
from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from django.core.management import call_command
from django.test import Client, override_settings
from django.utils import timezone, translation
from pypdf import PdfReader

from tests import factories
from tests.refusals import refuses
from tests.tournament.registration.registering import delivered, open_entry, registered
from tests.tournament.registration.test_views_registrations import SERVER
from tournament.core.change import Actor
from tournament.entries.operations.entries import enter_player
from tournament.entries.operations.register import Person
from tournament.events.operations import copy_tournament
from tournament.events.paper import render_division_announcement
from tournament.knockout.operations import announce_knockout, confirm_seeds
from tournament.knockout.plan import KnockoutPlan
from tournament.letters.calendar import write_calendar_file
from tournament.models import Letter, OnlineEntry, Registration, RegistrationState, Tournament
from tournament.pairing.values import Method
from tournament.paper.sheet import PaperHeader
from tournament.registration.calling_off import (
    call_off_tournament,
    let_tournament_take_place,
    list_minimum_facts,
    load_minimum_question,
)
from tournament.registration.day_letters import send_day_letters
from tournament.registration.forgetting import forget_registration
from tournament.registration.operations import (
    confirm_registration,
    put_on_waiting_list,
    set_up_online_entry,
    take_over_registrations,
    withdraw_registration,
)
from tournament.rounds.drafts import draft_round
from tournament.rounds.due_days import publish_all_rounds
from tournament.rounds.operations import publish_round
from tournament.rounds.plan import PlanSegment, set_plan

OVERVIEW, PAGE = "/director/herbst-cup/", "/director/herbst-cup/registrations/minimum/"


@pytest.fixture(autouse=True, scope="module")
def mail() -> Iterator[None]:
    with override_settings(MAIL=SERVER, NAMED_HOSTS=["tso.example.org"]):
        yield


@pytest.fixture
def doris(db: None) -> Actor:
    return factories.director()


@pytest.fixture(scope="module")
def cup_of_module(*, mail: None, shares_rows: bool) -> Tournament:
    """Amsel is entered, Bussard registered, Cramer entered without an address; it takes eight, today."""
    division = factories.event(players=0, rounds=0, starts_on=timezone.localdate() + timedelta(days=9))
    made, doris = division.tournament, factories.director()
    open_entry(made, minimum=8, minimum_day=timezone.localdate())
    take_over_registrations(made, chosen=[registered(made, "Amsel, Ada").pk], actor=doris)
    registered(made, "Bussard, Bo")
    enter_player(division, person=Person("Cramer, Cy"), actor=doris)
    delivered()
    return made


@pytest.fixture
def cup(cup_of_module: Tournament, db: None) -> Tournament:
    return fresh(cup_of_module)


def fresh(tournament: Tournament) -> Tournament:
    return Tournament.objects.get(pk=tournament.pk)


def calendar_of(tournament: Tournament) -> str:
    return write_calendar_file(fresh(tournament)).decode()


def sequence_of(calendar: str) -> int:
    return int(calendar.partition("SEQUENCE:")[2].split()[0])


def test_the_announcement_says_it_and_the_paper_too(cup: Tournament, client: Client) -> None:
    page = client.get("/t/herbst-cup/announcement/").text
    header = PaperHeader(cup.name, timezone.now())
    with translation.override("de"):
        paper = PdfReader(io.BytesIO(render_division_announcement(header, cup.divisions.get(), None)))

    assert "Weniger als 8 Angemeldete am" in page
    assert "Weniger als 8 Angemeldete am" in paper.pages[0].extract_text()


def test_the_overview_asks_on_that_day_and_not_before(cup: Tournament, doris: Actor, client: Client) -> None:
    factories.sign_in(client, doris)

    assert "Angemeldet: 3 von mindestens 8" in client.get(OVERVIEW).text
    OnlineEntry.objects.update(minimum_day=timezone.localdate() + timedelta(days=1))
    assert "von mindestens 8" not in client.get(OVERVIEW).text


def test_called_off_everybody_with_an_address_gets_one_letter_and_pages_say_so(
    cup: Tournament, doris: Actor, client: Client
) -> None:
    factories.sign_in(client, doris)
    client.post(PAGE, {"call_off": "1", "seen": cup.revision})
    letters = delivered()
    client.post(PAGE, {"call_off": "1"})

    assert sorted(letter.to[0] for letter in letters) == ["amsel@example.org", "bussard@example.org"]
    assert all("ist abgesagt" in letter.body for letter in letters)
    assert delivered() == []
    stranger = Client()
    for page in ("", "announcement/", "register/", "feed.atom"):
        assert "Das Turnier ist abgesagt." in stranger.get(f"/t/herbst-cup/{page}").text, page
    assert "abgesagt" in stranger.get("/").text
    assert "von mindestens" not in client.get(OVERVIEW).text
    assert "STATUS:CANCELLED" in calendar_of(cup)
    call_command("journal", "herbst-cup", verify=True)


def test_it_takes_place_although_there_are_too_few(cup: Tournament, doris: Actor, client: Client) -> None:
    factories.sign_in(client, doris)
    client.post(PAGE, {"take_place": "1"})

    assert "Das Turnier findet statt." in Client().get("/t/herbst-cup/announcement/").text
    assert load_minimum_question(cup) is None
    assert not Letter.objects.exists()


def test_after_all_it_takes_place_and_the_calendar_knows_it(cup: Tournament, doris: Actor) -> None:
    call_off_tournament(cup, actor=doris)
    before = calendar_of(cup)
    let_tournament_take_place(cup, actor=doris)

    assert "STATUS" not in calendar_of(cup)
    assert sequence_of(calendar_of(cup)) > sequence_of(before)
    assert list_minimum_facts(fresh(cup)) == [("Findet es statt?", "Das Turnier findet statt.")]
    assert not OnlineEntry.objects.get().is_on


def test_another_number_is_decided_anew_and_a_form_saved_again_is_not(cup: Tournament, doris: Actor) -> None:
    let_tournament_take_place(cup, actor=doris)
    terms = {"is_on": True, "minimum": 8, "minimum_day": timezone.localdate()}

    set_up_online_entry(cup, terms=OnlineEntry(**terms), actor=doris)
    assert load_minimum_question(cup) is None
    set_up_online_entry(cup, terms=OnlineEntry(**terms | {"minimum": 6}), actor=doris)
    assert load_minimum_question(cup) is not None


def test_a_number_without_a_day_is_refused_beside_the_day(cup: Tournament, doris: Actor, client: Client) -> None:
    factories.sign_in(client, doris)
    answer = client.post("/director/herbst-cup/registrations/set-up/", {"is_on": "on", "minimum": "6"}).text

    assert "Zur Mindestzahl gehört der Tag" in answer
    assert OnlineEntry.objects.get().minimum == 8


def test_who_withdrew_or_was_forgotten_is_not_written_to(cup: Tournament, doris: Actor) -> None:
    gone = registered(cup, "Dachs, Di")
    withdraw_registration(gone, actor=doris)
    forget_registration(Registration.objects.get(name="Bussard, Bo"), actor=doris)
    delivered()

    assert call_off_tournament(cup, actor=doris) == 1
    assert [letter.to for letter in Letter.objects.all()] == ["amsel@example.org"]


def test_once_a_round_is_published_nothing_is_asked(cup: Tournament, doris: Actor) -> None:
    enter_player(cup.divisions.get(), person=Person("Dachs, Di"), actor=doris)
    enter_player(cup.divisions.get(), person=Person("Elster, El"), actor=doris)
    factories.published(cup.divisions.get())

    assert load_minimum_question(cup) is None


def test_a_copy_is_not_called_off_and_keeps_the_number_without_the_day(cup: Tournament, doris: Actor) -> None:
    call_off_tournament(cup, actor=doris)
    copy = copy_tournament(fresh(cup), name="Nächstes Jahr", starts_on=date(2027, 5, 1), actor=doris)

    online = OnlineEntry.objects.get(tournament=copy)
    assert (copy.called_off_on, online.minimum, online.minimum_day, online.minimum_settled) == (None, 8, None, False)
    assert list_minimum_facts(copy) == []


def test_called_off_no_round_is_published_and_no_knockout_seeded_until_it_takes_place(
    cup: Tournament, doris: Actor, client: Client
) -> None:
    factories.sign_in(client, doris)
    division = factories.fresh(cup.divisions.get())
    field = factories.enter(division, 2)
    announce_knockout(division, plan=KnockoutPlan(4), actor=doris)
    set_plan(division, segments=[PlanSegment(1, 3, Method.ROUND_ROBIN)], actor=doris)
    call_off_tournament(fresh(cup), actor=doris)
    with refuses("called_off"):
        confirm_seeds(factories.fresh(division), seeds=field, accept_missing=True, actor=doris)
    with refuses("called_off"):
        publish_all_rounds(factories.fresh(division), actor=doris)
    draft = draft_round(factories.fresh(division), actor=doris)
    refused = client.post(f"{OVERVIEW}rounds/1/publish/", follow=True).text

    assert "Sagen Sie zuerst, dass es doch stattfindet" in refused
    for page in (OVERVIEW, f"{OVERVIEW}rounds/1/"):
        assert f'href="{PAGE}"' in client.get(page).text
    let_tournament_take_place(fresh(cup), actor=doris)
    publish_round(draft, actor=doris)
    assert f'href="{PAGE}"' not in client.get(OVERVIEW).text


def test_called_off_nobody_is_told_of_the_day_or_of_a_place(cup: Tournament, doris: Actor, client: Client) -> None:
    factories.sign_in(client, doris)
    open_entry(cup, places=3)
    waiting = registered(cup, "Dachs, Di")
    call_off_tournament(fresh(cup), actor=doris)
    delivered()
    with refuses("called_off"):
        send_day_letters(fresh(cup), again=False, actor=doris)
    with refuses("called_off"):
        confirm_registration(waiting, actor=doris)
    with refuses("called_off"):
        put_on_waiting_list(waiting, actor=doris)
    page = client.get("/director/herbst-cup/letters/").text
    withdraw_registration(Registration.objects.get(name="Bussard, Bo"), actor=doris)

    assert f'href="{PAGE}"' in page
    assert not [letter for letter in delivered() if letter.to != ["bussard@example.org"]]
    assert Registration.objects.get(pk=waiting.pk).state == RegistrationState.WAITING


def test_an_event_that_is_over_is_not_called_off(cup: Tournament, doris: Actor, client: Client) -> None:
    Tournament.objects.update(is_ended=True)
    factories.sign_in(client, doris)

    assert "Absagen" not in client.get(PAGE).text
    with refuses("event_over"):
        call_off_tournament(fresh(cup), actor=doris)
    assert not Letter.objects.exists()
