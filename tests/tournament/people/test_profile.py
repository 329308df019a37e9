"""A player's profile: what is counted, what is never shown, and who may see it."""

import io
import re
import zipfile
from datetime import date
from html import unescape

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from scoring.statistics import RecordKind
from tests import factories
from tournament.accounts.operations import update_organiser
from tournament.basics.showing import ShowingStep
from tournament.core.change import Actor
from tournament.ending.operations import end_tournament
from tournament.entries.operations.register import Person, add_player
from tournament.events.operations import set_public
from tournament.files.website import write_website
from tournament.models import Division, Organiser, Player, Tournament
from tournament.people.merging import merge_players
from tournament.people.profile import list_public_players, load_profile, set_profile_hidden
from tournament.registration.forgetting import forget_player
from tournament.rounds.operations import close_round, hold_back_round_step


@pytest.fixture(scope="module")
def spring_of_module(*, shares_rows: bool) -> Division:
    """Two rounds among four, ended: Klara wins 450 : 300 as the first player and loses 380 : 390 as the second."""
    division = factories.event("Frühlings-Cup", rounds=2, starts_on=date(2026, 3, 1), by=factories.director())
    one, two, three, four = division.entries.order_by("position")
    for scores, pairs in (
        (((450, 300), (400, 400)), ((one, two), (three, four))),
        (((390, 380), (420, 380)), ((three, one), (two, four))),
    ):
        close_round(factories.played(division, *scores, pairs=pairs), actor=factories.director())
    end_tournament(division.tournament, actor=factories.director())
    return division


@pytest.fixture
def spring(spring_of_module: Division, db: None) -> Division:
    return factories.fresh(spring_of_module)


@pytest.fixture
def autumn(spring: Division, doris: Actor) -> Division:
    """A round among the same four, still running: Klara wins 500 : 200 against Jana."""
    division = factories.event("Herbst-Cup", rounds=3, starts_on=date(2026, 9, 1), by=doris)
    factories.played(division, (500, 200))
    return division


@pytest.fixture
def klara(spring: Division) -> Player:
    return Player.objects.select_related("organiser").get(name="Aumann, Klara")


@pytest.fixture
def shown(klara: Player, doris: Actor) -> Organiser:
    """The club, which shows profiles."""
    club = klara.organiser
    return update_organiser(club, name=club.name, slug=club.slug, profiles_public=True, actor=doris)


def profile_address(player: Player) -> str:
    return f"/organisers/{player.organiser.slug}/players/{player.pk}/"


def test_a_profile_counts_games_places_opponents_and_records(klara: Player, autumn: Division) -> None:
    found = load_profile(klara)

    assert [(event.entry.tournament.name, event.place, event.field) for event in found.events] == [
        ("Frühlings-Cup", 2, 4),
        ("Herbst-Cup", None, 4),
    ]
    assert [(event.half_wins, event.spread, event.average) for event in found.events] == [(2, 140, 415), (2, 300, 500)]
    assert [(game.own, game.other) for game in found.games] == [(450, 300), (380, 390), (500, 200)]
    assert (found.half_wins, found.spread, found.average) == (4, 440, 443)
    assert [(each.player.name, len(each.games), each.half_wins, each.spread) for each in found.opponents] == [
        ("Dvořák, Jana", 2, 4, 450),
        ("Müller-Lüdenscheidt, Ann-Kathrin", 1, 0, -10),
    ]
    assert [(kind, value, game.own) for kind, value, game in found.records] == [
        (RecordKind.HIGHEST_GAME, 500, 500),
        (RecordKind.HIGHEST_LOSING_SCORE, 380, 380),
        (RecordKind.BIGGEST_WIN, 300, 500),
        (RecordKind.HIGHEST_COMBINED, 770, 380),
    ]
    assert found.milestones == []
    assert found.average_curve is not None
    assert [value for _x, _y, _event, value in found.average_curve.points] == [415, 500]


def test_records_lead_to_the_round_in_which_the_game_stands(shown: Organiser, klara: Player, autumn: Division) -> None:
    reader = Client()
    text = reader.get(profile_address(klara)).content.decode()
    links = re.findall(r'href="(/t/[\w-]+/rounds/\d+/\?[^"]+)"', text)

    assert {each.partition("?")[0] for each in links} == {"/t/fruehlings-cup/rounds/2/", "/t/herbst-cup/rounds/1/"}
    for each in links:
        assert re.search("500|380", reader.get(unescape(each)).content.decode())


def test_milestones_are_games_in_their_order(klara: Player, monkeypatch: pytest.MonkeyPatch, autumn: Division) -> None:
    monkeypatch.setattr("tournament.people.profile.MILESTONES", (3, 4))

    assert [(number, game.own) for number, game in load_profile(klara).milestones] == [(3, 500)]


def test_what_is_held_back_drafted_or_not_public_counts_nowhere(klara: Player, autumn: Division, doris: Actor) -> None:
    hold_back_round_step(autumn.rounds.get(), ShowingStep.RESULTS, actor=doris)
    factories.draft(autumn)
    assert [len(event.games) for event in load_profile(klara).events] == [2, 0]

    set_public(autumn.tournament, public=False, actor=doris)
    assert [event.entry.tournament.name for event in load_profile(klara).events] == ["Frühlings-Cup"]


def test_the_places_of_an_event_that_is_over_are_kept_by_its_revision(klara: Player, spring: Division) -> None:
    assert load_profile(klara).events[0].place == 2
    kept = cache.get(f"places-{spring.pk}-{Tournament.objects.get(pk=spring.tournament_id).revision}")
    assert sorted(kept.values()) == [1, 2, 3, 4]


def test_a_merged_player_has_one_profile(klara: Player, autumn: Division, doris: Actor) -> None:
    other = add_player(person=Person("Aumann, K."), actor=doris, anyway=True)
    winter = factories.event("Winter-Cup", players=0, starts_on=date(2026, 12, 1), by=doris)
    entered = factories.entry(winter, "Aumann, K.")
    factories.played(winter, (350, 340), pairs=((entered, factories.entry(winter, "Gast, Gerd")),))

    merge_players(klara, other=other, actor=doris)

    assert [len(event.games) for event in load_profile(klara).events] == [2, 1, 1]


@pytest.mark.parametrize("rounds", [1, 6])
def test_queries_do_not_depend_on_the_number_of_games(
    rounds: int, db: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    otto = factories.director("otto", of=factories.organiser("SC Anderswo"))
    factories.season(factories.event(players=8, rounds=9, by=otto), rounds)
    player = Player.objects.select_related("organiser").get(name="Aumann, Klara", organiser=otto.organiser)

    with django_assert_num_queries(12):
        found = load_profile(player)

    assert len(found.games) == rounds


@pytest.mark.long
def test_a_profile_is_public_only_where_club_and_player_want_it(klara: Player, autumn: Division, doris: Actor) -> None:
    club, reader = klara.organiser, Client()
    listed = f"/organisers/{club.slug}/players/"
    assert [reader.get(each).status_code for each in (listed, profile_address(klara))] == [404, 404]
    assert listed not in reader.get(f"/organisers/{club.slug}/").content.decode()

    update_organiser(club, name=club.name, slug=club.slug, profiles_public=True, actor=doris)
    assert [reader.get(each).status_code for each in (listed, profile_address(klara))] == [200, 200]
    assert listed in reader.get(f"/organisers/{club.slug}/").content.decode()

    set_profile_hidden(klara, hidden=True, actor=doris)
    assert reader.get(profile_address(klara)).status_code == 404
    assert "Aumann" not in reader.get(listed).content.decode()
    jana = Player.objects.select_related("organiser").get(name="Dvořák, Jana")
    assert profile_address(klara) not in reader.get(profile_address(jana)).content.decode()


def test_nobody_without_a_public_event_is_listed(shown: Organiser, doris: Actor) -> None:
    add_player(person=Person("Fremd, Frida"), actor=doris)

    assert set(list_public_players(shown).values_list("name", flat=True)) == {
        "Aumann, Klara",
        "Dvořák, Jana",
        "Müller-Lüdenscheidt, Ann-Kathrin",
        "Öztürk, Cem",
    }


def test_a_kept_page_follows_the_results(shown: Organiser, klara: Player, autumn: Division) -> None:
    reader = Client()
    assert all(
        "611 : 222" not in " ".join(reader.get(profile_address(klara)).content.decode().split()) for _ in range(2)
    )

    factories.played(autumn, (611, 222))

    assert "611 : 222" in " ".join(reader.get(profile_address(klara)).content.decode().split())


@pytest.mark.parametrize("query", ["?&&&", "?x=1"])
def test_a_page_asked_for_with_a_query_is_kept_for_nobody_else(query: str, shown: Organiser, klara: Player) -> None:
    reader, address = Client(), profile_address(klara)
    assert 'value="' + address + query.replace("&", "&amp;") in reader.get(address + query).content.decode()

    assert f'value="{address}"' in reader.get(address).content.decode()


@pytest.mark.long
def test_the_page_of_an_event_leads_to_the_profile_and_back(klara: Player, autumn: Division, doris: Actor) -> None:
    club, reader, event = klara.organiser, Client(), autumn.tournament
    key = autumn.entries.get(player=klara).key
    page = f"/t/{event.slug}/players/{key}/"

    def leads_there() -> bool:
        answers = {profile_address(klara) in reader.get(page).content.decode() for _kept in range(2)}
        website = io.BytesIO()
        write_website(Tournament.objects.get(pk=event.pk), website)
        with zipfile.ZipFile(website) as folder:
            written = [folder.read(name).decode() for name in folder.namelist() if name.endswith(".html")]
        assert "Profil über alle Turniere" not in " ".join(written)
        return answers == {True}

    assert not leads_there()
    update_organiser(club, name=club.name, slug=club.slug, profiles_public=True, actor=doris)
    assert leads_there()
    assert page in reader.get(profile_address(klara)).content.decode()
    set_profile_hidden(klara, hidden=True, actor=doris)
    assert not leads_there()
    set_profile_hidden(klara, hidden=False, actor=doris)
    assert leads_there()
    forget_player(klara, actor=doris)
    assert not leads_there()


def test_whoever_is_forgotten_has_no_public_profile(shown: Organiser, klara: Player, doris: Actor) -> None:
    pseudonym = forget_player(klara, actor=doris)

    assert Client().get(profile_address(klara)).status_code == 404
    assert pseudonym not in Client().get(f"/organisers/{shown.slug}/players/").content.decode()


def test_the_director_sees_it_and_notes_an_objection(klara: Player, autumn: Division, doris_client: Client) -> None:
    address = f"/director/register/players/{klara.pk}/profile/"
    page = doris_client.get(address).content.decode()
    assert "Dvořák, Jana" in page
    assert "500 : 200" in " ".join(page.split())

    entry = autumn.entries.get(player=klara)
    in_event = f"/director/{autumn.tournament.slug}/entries/{entry.pk}/"
    assert in_event in doris_client.get(f"/director/register/players/{klara.pk}/").content.decode()
    assert f"/director/register/players/{klara.pk}/" in doris_client.get(in_event).content.decode()

    for sent, hidden in (({}, True), ({"show": "1"}, False)):
        assert doris_client.post(f"{address}hide/", sent)["Location"] == address
        assert Player.objects.get(pk=klara.pk).hides_profile == hidden


def test_without_an_event_there_are_no_curves(doris: Actor) -> None:
    profile = load_profile(add_player(person=Person("Neumann, Nora"), actor=doris))

    assert (profile.rating_curve, profile.average_curve) == (None, None)


def test_without_an_event_the_profile_says_so(doris: Actor, doris_client: Client) -> None:
    player = add_player(person=Person("Neu, Nina"), actor=doris)

    page = doris_client.get(f"/director/register/players/{player.pk}/profile/")

    assert page.status_code == 200
    assert "Noch kein öffentliches Turnier" in page.content.decode()
