"""Games of a league whose day has passed: reminded of, postponed, awarded; and what players see of their open games."""

from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from django.test import Client, override_settings
from django.urls import reverse
from django.utils.timezone import localdate

from scoring.awards import Outcome
from tests import factories
from tests.markup import read_words
from tests.refusals import refuses
from tests.tournament.registration.registering import delivered
from tests.tournament.registration.test_views_registrations import SERVER
from tournament.access.codes import make_personal_link
from tournament.core.change import Actor
from tournament.entries.operations.entries import NewEntry, enter_players
from tournament.entries.operations.name_wishes import share_contact
from tournament.entries.operations.register import Person
from tournament.events.console import build_console_context
from tournament.exchange.event_rows import load_event_data
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.models import Division, Entry, Pairing
from tournament.pairing.values import Method
from tournament.registration.reminders import remind_players
from tournament.rounds.due_days import publish_all_rounds, set_due_days
from tournament.rounds.overdue import postpone_game, select_overdue_games
from tournament.rounds.plan import PlanSegment

WEEK = timedelta(days=7)
PEOPLE = (
    Person("Amsel, Ada", email="ada@example.org", phone="0151 1"),
    Person("Bussard, Bo", email="bo@example.org"),
    Person("Cramer, Cy"),
    Person("Dachs, Di"),
)


@pytest.fixture(autouse=True)
def mail() -> Iterator[None]:
    with override_settings(MAIL=SERVER, NAMED_HOSTS=["tso.example.org"]):
        yield


def publish_league() -> Division:
    """Four players, two with an address; three rounds published, by no day."""
    division = factories.event(players=0, rounds=0)
    division.plan = [PlanSegment(1, 3, Method.ROUND_ROBIN).stored()]
    division.save(update_fields=["plan"])
    newcomers = [NewEntry(person, division) for person in PEOPLE]
    enter_players(division.tournament, newcomers=newcomers, actor=factories.director())
    division = factories.fresh(division)
    publish_all_rounds(division, actor=factories.director())
    return division


def state_days(division: Division, first: date) -> None:
    """Have the rounds of a published league be played by this day and those one and two weeks later."""
    due_days = {number: first + (number - 1) * WEEK for number in (1, 2, 3)}
    set_due_days(factories.fresh(division), due_days=due_days, actor=factories.director())


@pytest.fixture(scope="module")
def league_of_module(*, shares_rows: bool) -> Division:
    return publish_league()


@pytest.fixture
def league(league_of_module: Division, db: None) -> Division:
    """Of the three rounds the first was to be played yesterday."""
    state_days(league_of_module, localdate() - timedelta(days=1))
    return factories.fresh(league_of_module)


def entry_of(surname: str) -> Entry:
    entries = Entry.objects.with_names().select_related("tournament", "division")
    return entries.get(player__name__startswith=surname)


def meeting_of(one: str, other: str) -> Pairing:
    games = Pairing.objects.filter(seats__entry=entry_of(one)).filter(seats__entry=entry_of(other))
    return games.select_related("round__division__tournament").with_players().get()


def read_own_page(client: Client, surname: str, query: str = "") -> str:
    address = reverse("games:me", args=[make_personal_link(entry_of(surname))])
    return read_words(client.get(address + query).content.decode())


def test_games_are_overdue_until_they_have_a_result_or_another_day(league: Division) -> None:
    first, second = (
        select_overdue_games(league, localdate()).select_related("round__division__tournament").with_players()
    )
    counted = build_console_context(league)["overdue"]

    factories.result(first.round, first.table or 0, None, None, Outcome.BOTH_FORFEIT)
    postpone_game(second, due_on=localdate() + WEEK, actor=factories.director())

    assert counted == 2
    assert not select_overdue_games(league, localdate()).exists()
    assert list(select_overdue_games(league, localdate() + 2 * WEEK)) != []


@pytest.mark.parametrize("days", [1, 1000])
def test_game_is_not_postponed_to_the_past(days: int, league: Division) -> None:
    game = select_overdue_games(league, localdate()).select_related("round__division__tournament").with_players()[0]

    with refuses("day_passed"):
        postpone_game(game, due_on=localdate() - timedelta(days=days), actor=factories.director())

    assert Pairing.objects.get(pk=game.pk).due_on is None


def test_game_with_a_result_is_neither_postponed_nor_reminded_of(league: Division) -> None:
    game = meeting_of("Amsel", "Bussard")
    factories.result(game.round, game.table or 0, 400, 300)

    with refuses("has_result"):
        postpone_game(game, due_on=localdate() + WEEK, actor=factories.director())
    with refuses("has_result"):
        remind_players(game, actor=factories.director())

    assert delivered() == []


def test_both_are_reminded_and_only_shared_contact_is_told(league: Division) -> None:
    share_contact(entry_of("Amsel"), shares=True, actor=Actor(name="Amsel, Ada"))

    count = remind_players(meeting_of("Amsel", "Bussard"), actor=factories.director())

    letters = {letter.to[0]: letter.body for letter in delivered()}
    assert (count, sorted(letters)) == (2, ["ada@example.org", "bo@example.org"])
    assert "0151 1" in letters["bo@example.org"]
    assert "bo@example.org" not in letters["ada@example.org"]
    assert f"/me/{make_personal_link(entry_of('Bussard'))}/" in letters["bo@example.org"]
    assert meeting_of("Amsel", "Bussard").reminded_at is not None


def test_nobody_is_reminded_without_an_address(league: Division) -> None:
    with refuses("nobody_to_write_to", "Cramer, Cy; Dachs, Di|Dachs, Di; Cramer, Cy"):
        remind_players(meeting_of("Cramer", "Dachs"), actor=factories.director())

    assert meeting_of("Cramer", "Dachs").reminded_at is None


def test_postponed_game_is_in_the_tournament_file(league: Division) -> None:
    day = localdate() + WEEK
    postpone_game(meeting_of("Amsel", "Bussard"), due_on=day, actor=factories.director())

    text = format_tournament_file(load_event_data(league.tournament))

    rounds = read_tournament_file(text.encode()).divisions[0].rounds
    assert [game.due_on for round in rounds for game in round.pairings if game.due_on] == [day]


def test_director_decides_on_the_page(league: Division, client: Client) -> None:
    factories.sign_in(client)
    slug, game = league.tournament.slug, select_overdue_games(league, localdate())[0]
    decide = reverse("director:decide_overdue", args=[slug, game.pk])
    console = read_words(client.get(reverse("director:console", args=[slug])).content.decode())

    wrong = client.post(decide, {f"game{game.pk}-due_on": "nie"}).content.decode()
    day = localdate() + WEEK
    right = read_words(client.post(decide, {f"game{game.pk}-due_on": day.isoformat()}, follow=True).content.decode())

    assert "2 Partien sind überfällig." in console
    assert 'value="nie"' in wrong
    assert "„nie“ ist kein" in read_words(wrong)
    assert "Die Partie ist verlegt." in right
    assert Pairing.objects.get(pk=game.pk).due_on == day


def test_game_of_another_event_is_not_found(league: Division, client: Client) -> None:
    factories.sign_in(client)
    other = factories.event("Anderer Cup")
    game = factories.published(other).pairings.all()[0]

    answer = client.post(reverse("director:decide_overdue", args=[league.tournament.slug, game.pk]), {"remind": "1"})

    assert answer.status_code == 404


def test_own_page_has_all_open_games_and_contact_only_of_who_shows_it(league: Division, client: Client) -> None:
    before = read_own_page(client, "Bussard")
    link = make_personal_link(entry_of("Amsel"))
    client.post(reverse("games:me_contact", args=[link]), {"shares": "1"})
    shown = read_own_page(client, "Bussard")
    client.post(reverse("games:me_contact", args=[link]))

    assert before.count("zu spielen bis") == 3
    assert "ada@example.org" not in before
    assert "0151 1" in shown
    assert "ada@example.org" in shown
    assert "ada@example.org" not in read_own_page(client, "Bussard")
    assert "ada@example.org" not in read_own_page(client, "Cramer")


def test_contact_is_seen_only_while_the_game_is_open(league: Division, client: Client) -> None:
    share_contact(entry_of("Amsel"), shares=True, actor=Actor(name="Amsel, Ada"))
    game = meeting_of("Amsel", "Bussard")

    factories.result(game.round, game.table or 0, 400, 300)

    assert "ada@example.org" not in read_own_page(client, "Bussard")
    assert "ada@example.org" in read_own_page(client, "Cramer")


def test_any_open_game_can_be_reported(league: Division, client: Client) -> None:
    last = Pairing.objects.filter(round__number=3, seats__entry=entry_of("Bussard")).with_players().get()

    chosen = client.get(
        reverse("games:me", args=[make_personal_link(entry_of("Bussard"))]) + f"?game={last.pk}"
    ).content.decode()

    assert reverse("games:me_report", args=[make_personal_link(entry_of("Bussard")), last.pk]) in chosen
