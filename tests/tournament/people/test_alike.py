"""All who may be one person, on one page, until somebody has said it."""

import json
from pathlib import Path

import pytest
from django.test import Client

from tests import factories
from tests.markup import tidy
from tests.tournament.exchange.terminal import run
from tournament.archive.replaying import find_register_differences
from tournament.core.change import Actor
from tournament.entries.operations.entries import AlreadyEntered, enter_player
from tournament.entries.operations.register import MayBeKnown, Person, add_player, edit_player
from tournament.exchange.event_rows import load_event_data
from tournament.exchange.tournament_file import format_tournament_file
from tournament.models import Division, Entry, Player, SamePerson, Tournament
from tournament.people.alike import keep_two_people, list_open_pairs
from tournament.people.merging import merge_players, part_players
from tournament.registration.forgetting import forget_player

pytestmark = pytest.mark.django_db


def list_pairs(doris: Actor) -> list[tuple[str, str]]:
    return [(one.name, other.name) for one, other in list_open_pairs(factories.organiser())]


def forget_answers() -> None:
    """As in a register of before, when nobody was asked."""
    SamePerson.objects.all().delete()


@pytest.fixture
def anna(doris: Actor) -> Player:
    return add_player(person=Person("Köhler, Anna", "SC Fulda"), actor=doris)


@pytest.fixture
def kohler(anna: Player, doris: Actor) -> Player:
    return add_player(person=Person("Kohler, Anna"), actor=doris, anyway=True)


def test_the_form_asks_and_remembers_that_it_is_somebody_else(
    anna: Player, division: Division, doris: Actor, doris_client: Client
) -> None:
    address = f"/director/{division.tournament.slug}/entries/"
    typed = {"name": "Kohler, Anna", "club": "", "rating": "1400"}
    page = doris_client.post(address, typed)
    assert f'name="meant" value="{anna.pk}"' in page.content.decode()
    assert "Dieselbe Person: Köhler, Anna (SC Fulda)" in tidy(page.content.decode())
    assert not Entry.objects.exists()

    doris_client.post(address, typed | {"anyway": "on"})

    entry = Entry.objects.get()
    assert (entry.player.name, entry.rating) == ("Kohler, Anna", 1400)
    assert list_pairs(doris) == []
    assert not find_register_differences()


def test_the_form_takes_the_same_and_remembers_the_spelling(
    anna: Player, division: Division, other_cup: Tournament, doris: Actor, doris_client: Client
) -> None:
    typed = {"name": "Koehler,Anna", "club": "", "rating": "", "meant": anna.pk}
    doris_client.post(f"/director/{division.tournament.slug}/entries/", typed)

    assert Entry.objects.get().player == anna
    entry = enter_player(other_cup.divisions.get(), person=Person("Koehler, Anna"), actor=doris)
    assert entry.player == anna
    with pytest.raises(AlreadyEntered):
        enter_player(division, person=Person("Koehler, Anna"), actor=doris)
    assert not find_register_differences()


def test_whoever_is_meant_and_in_already_is_not_entered_twice(anna: Player, division: Division, doris: Actor) -> None:
    enter_player(division, person=Person("Köhler, Anna"), actor=doris)
    with pytest.raises(MayBeKnown):
        enter_player(division, person=Person("Köhler, A."), actor=doris)

    with pytest.raises(AlreadyEntered):
        enter_player(division, person=Person("Köhler, A."), actor=doris, meant=anna)

    assert Entry.objects.count() == 1


def test_players_of_another_organiser_cannot_be_meant(division: Division, doris_client: Client) -> None:
    stranger = add_player(
        person=Person("Köhler, Anna"), actor=factories.director("otto", factories.organiser("Anderswo"))
    )

    doris_client.post(f"/director/{division.tournament.slug}/entries/", {"name": "Kohler, Anna", "meant": stranger.pk})

    assert not Entry.objects.filter(player=stranger).exists()


def test_the_page_asks_until_it_is_decided(anna: Player, kohler: Player, doris: Actor, doris_client: Client) -> None:
    assert list_pairs(doris) == []
    forget_answers()
    page = tidy(doris_client.get("/director/register/alike/").content.decode())
    assert "Kohler, Anna" in page
    assert "Köhler, Anna" in page

    decided = doris_client.post("/director/register/alike/two/", {"one": kohler.pk, "other": anna.pk}, follow=True)
    assert list_pairs(doris) == []
    assert "Zurücknehmen" in tidy(decided.content.decode())

    decision = SamePerson.objects.get()
    doris_client.post(f"/director/register/alike/{decision.pk}/back/", follow=True)
    assert len(list_pairs(doris)) == 1
    assert doris_client.post(f"/director/register/alike/{decision.pk}/back/").status_code == 404


def test_pairs_of_others_are_not_shown_nor_decided(anna: Player, kohler: Player, client: Client) -> None:
    forget_answers()
    factories.sign_in(client, factories.director("otto", factories.organiser("Anderswo")))

    assert "Kohler" not in client.get("/director/register/alike/").content.decode()
    assert client.post("/director/register/alike/two/", {"one": kohler.pk, "other": anna.pk}).status_code == 404
    assert client.post("/director/register/alike/two/", {"one": "x"}).status_code == 404


def test_whoever_plays_in_the_same_event_is_not_asked_about(
    anna: Player, kohler: Player, division: Division, doris: Actor
) -> None:
    forget_answers()
    assert len(list_pairs(doris)) == 1

    for player in (anna, kohler):
        factories.entry(division, player.name)
    SamePerson.objects.all().delete()

    assert list_pairs(doris) == []


def test_a_merge_wins_over_an_earlier_answer_and_parting_is_one(anna: Player, kohler: Player, doris: Actor) -> None:
    merge_players(anna, other=kohler, actor=doris)
    assert not SamePerson.objects.exists()

    part_players(Player.objects.get(pk=kohler.pk), actor=doris)

    assert list_pairs(doris) == []
    assert SamePerson.objects.count() == 1
    assert not find_register_differences()


def test_a_name_corrected_by_hand_still_finds_the_player(
    anna: Player, division: Division, doris: Actor, doris_client: Client
) -> None:
    edit_player(anna, person=Person("Köhler-Braun, Anna", "SC Fulda"), actor=doris)
    assert factories.entry(division, "Köhler, Anna").player == anna

    (spelling,) = Player.objects.filter(merged_into=anna)
    assert "Köhler, Anna" in tidy(doris_client.get(f"/director/register/players/{anna.pk}/").content.decode())
    doris_client.post(f"/director/register/players/{spelling.pk}/part/", follow=True)

    assert not Player.objects.filter(merged_into=anna).exists()
    with pytest.raises(MayBeKnown):
        add_player(person=Person("Köhler, Anna", "SC Fulda"), actor=doris)
    assert not find_register_differences()


def test_a_former_name_that_somebody_else_has_is_theirs(anna: Player, doris: Actor) -> None:
    other = add_player(person=Person("Köhler, Anna", "SC Bonn"), actor=doris)

    edit_player(anna, person=Person("Köhler, Anna jun.", "SC Fulda"), actor=doris, anyway=True)

    assert list(Player.objects.current().filter(name="Köhler, Anna")) == [other]
    assert not Player.objects.exclude(merged_into=None).exists()


def test_who_is_forgotten_is_forgotten_exactly(anna: Player, kohler: Player, doris: Actor) -> None:
    edit_player(anna, person=Person("Köhler, Hanna", "SC Fulda"), actor=doris, anyway=True)

    forget_player(Player.objects.get(pk=anna.pk), actor=doris)

    assert list(Player.objects.values_list("name", flat=True)) == ["Kohler, Anna"]
    kohler.refresh_from_db()
    assert kohler.sort_name == "kohler, anna"
    assert not SamePerson.objects.exists()
    assert not find_register_differences()


def test_a_tournament_file_keeps_its_names_and_asks_behind_it(
    anna: Player, division: Division, doris: Actor, tmp_path: Path
) -> None:
    factories.entry(division, "Koehler, Anna")
    SamePerson.objects.all().delete()
    file = tmp_path / "event.json"
    file.write_text(format_tournament_file(load_event_data(division.tournament)), encoding="utf-8")
    assert run("import_tournament", str(file), "--slug", "noch-einmal")[0] == 0

    status, out, _err = run("import_tournament", str(file), "--slug", "wieder", "--format", "json")

    assert (status, json.loads(out)) == (0, {"slug": "wieder", "alike": [["Köhler, Anna", "Koehler, Anna"]]})
    assert Player.objects.count() == 2
    keep_two_people(anna, other=Player.objects.get(name="Koehler, Anna"), actor=doris)
    status, out, _err = run("import_tournament", str(file), "--slug", "zuletzt", "--format", "json")
    assert json.loads(out) == {"slug": "zuletzt"}


def test_two_people_said_twice_are_noted_once(anna: Player, kohler: Player, doris: Actor) -> None:
    keep_two_people(anna, other=kohler, actor=doris)

    assert SamePerson.objects.count() == 1
