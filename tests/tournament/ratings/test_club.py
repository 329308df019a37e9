"""An organiser's own list of ratings: carried from event to event, worked out anew when a result is corrected."""

import csv
import io
from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains

from scoring.awards import Outcome
from scoring.ratings import RatingSystem
from tests import factories
from tests.games.conftest import browser
from tournament.events.operations import update_settings
from tournament.models import Division, Entry, Pairing, Player, Result, Round
from tournament.ratings.club import ClubList, find_moved_players, list_corrections, load_club_list

pytestmark = pytest.mark.django_db

DEU, NORWEGIAN = RatingSystem.TSH_DEU, RatingSystem.NORWEGIAN


def play(name: str, day: int, *scores: tuple[int, int], **values: Any) -> Division:
    """An evening of the same four players, one round, on this day of May."""
    division = factories.event(name, players=4, rounds=1, starts_on=date(2026, 5, day), **values)
    Entry.objects.filter(division=division).update(rating=1500, games=10)
    one, two, three, four = division.entries.order_by("position")
    factories.evening(division, [(one, two), (three, four)], scores or ((430, 380), (410, 405)))
    return factories.fresh(division)


def load(division: Division, system: RatingSystem = DEU) -> ClubList:
    return load_club_list(division.tournament.organiser, system)


def histories(found: ClubList) -> dict[str, list[tuple[int | None, int | None]]]:
    return {
        each.player.name: [(line.new.before.rating, line.new.new) for line in each.history] for each in found.players
    }


@pytest.mark.parametrize("system", RatingSystem)
def test_rating_games_and_deviation_go_on_from_event_to_event(system: RatingSystem) -> None:
    play("Zweiter", 20)
    division = play("Erster", 10)

    found = load(division, system)

    assert [division.tournament.name for division in found.events] == ["Erster", "Zweiter"]
    for each in found.players:
        first, second = each.history
        assert first.new.before.rating == 1500
        assert second.new.before.rating == first.new.new
        assert (second.new.before.games, each.games) == (11, 12)
        assert second.new.deviation_before == first.new.deviation_after
    assert [each.rating for each in found.players] == sorted((each.rating for each in found.players), reverse=True)


def test_list_begins_with_the_first_event_that_was_played_in() -> None:
    earlier = factories.event("Nur gemeldet", players=4, rounds=1, starts_on=date(2026, 4, 1))
    Entry.objects.filter(division=earlier).update(rating=1999)
    division = play("Gespielt", 10)

    assert {before for history in histories(load(division)).values() for before, _new in history} == {1500}


def test_event_that_is_not_rated_is_left_out() -> None:
    play("Frei", 12, rated=False)
    division = play("Gewertet", 10)

    assert [division.tournament.name for division in load(division).events] == ["Gewertet"]


def test_only_the_organisers_own_events_count() -> None:
    factories.organiser()  # ours
    other = factories.director("otto", factories.organiser("Anderer Verein"))
    foreign = factories.event("Fremd", players=4, by=other, rounds=1)
    factories.played(foreign)
    division = play("Eigen", 10)

    assert [division.tournament.name for division in load(division).events] == ["Eigen"]


def correct(division: Division, table: int, first: int, second: int, outcome: Outcome = Outcome.PLAYED) -> Result:
    factories.result(Round.objects.get(division=division), table, first, second, outcome)
    return Result.objects.get(official=True, pairing__round__division=division, pairing__table=table)


def test_corrected_result_changes_every_rating_after_it() -> None:
    first, second = play("Erster", 10), play("Zweiter", 20)
    before = histories(load(first))

    result = correct(first, 1, 300, 480)

    after = histories(load(first))
    assert [name for name in before if before[name][0] != after[name][0]]
    assert [name for name in before if before[name][1] != after[name][1]]
    moved = {
        each.player.name: (each.before, each.now)
        for each in find_moved_players(first.tournament.organiser, result, DEU)
    }
    assert moved == {
        name: (before[name][-1][1], after[name][-1][1]) for name in before if before[name][-1] != after[name][-1]
    }
    assert [each.pk for each in list_corrections(second.tournament.organiser)] == [result.pk]


def test_game_corrected_to_a_forfeit_and_back() -> None:
    division = play("Abend", 10)
    organiser = division.tournament.organiser
    before = {each.player.name: each.rating for each in load(division).players}

    forfeit = correct(division, 2, 410, 405, Outcome.SECOND_FORFEITS)
    lost = {each.player.name: (each.before, each.now) for each in find_moved_players(organiser, forfeit, DEU)}
    played = correct(division, 2, 410, 405)
    found = {each.player.name: (each.before, each.now) for each in find_moved_players(organiser, played, DEU)}

    assert lost == {name: (before[name], None) for name in lost}
    assert len(lost) == 2
    assert found == {name: (None, before[name]) for name in lost}


def test_corrected_game_of_an_unrated_knockout_changes_nothing() -> None:
    division = factories.knockout(play("Pokal", 10, knockout_rated=False), 2)
    factories.knockout_game(division, (1, 1, 1), 380, 402)
    game = Pairing.objects.get(round__stage=1)
    factories.result(game.round, 1, 390, 402)

    (result,) = list_corrections(division.tournament.organiser)
    assert find_moved_players(division.tournament.organiser, result, DEU) == []
    update_settings(division.tournament, knockout_rated=True, actor=factories.director())
    (result,) = list_corrections(division.tournament.organiser)
    assert find_moved_players(division.tournament.organiser, result, DEU) == []  # the same player won
    assert find_moved_players(division.tournament.organiser, result, NORWEGIAN) != []


@pytest.mark.long
def test_pages_show_list_history_and_correction() -> None:
    division = play("Erster", 10)
    doris = browser(factories.director().user)
    assertContains(doris.get("/director/"), reverse("director:rating_list"))
    empty = doris.get(reverse("director:rating_list") + "?system=norwegian")
    correct(division, 1, 300, 480)
    play("Zweiter", 20)
    found = load(division)

    page = doris.get(reverse("director:rating_list"))

    assertContains(empty, "Norwegian procedure")
    assertContains(page, "2 rated events.")
    for each in found.players:
        assertContains(page, each.player.called)
        assertContains(page, f">{each.rating}")
    history = doris.get(reverse("director:rating_history", args=[found.players[0].player.pk]))
    for line in found.players[0].history:
        assertContains(history, line.division.tournament.name)
        assertContains(history, f">{line.new.new}<")
    (result,) = list_corrections(division.tournament.organiser)
    correction = doris.get(reverse("director:rating_correction", args=[result.pk]))
    for moved in find_moved_players(division.tournament.organiser, result, DEU):
        assertContains(correction, moved.player.called)


def test_list_without_a_game_says_so() -> None:
    factories.event(players=4)

    page = browser(factories.director().user).get(reverse("director:rating_list"))

    assertContains(page, "No rated game yet")


def test_nobody_reaches_anothers_list() -> None:
    division = play("Erster", 10)
    result = correct(division, 1, 300, 480)
    otto = browser(factories.director("otto", factories.organiser("Anderer Verein")).user)
    player = Player.objects.filter(organiser=division.tournament.organiser)[0]

    for address in ("rating_history", player.pk), ("rating_correction", result.pk):
        assert otto.get(reverse(f"director:{address[0]}", args=[address[1]])).status_code == 404
    assert Client().get(reverse("director:rating_list")).status_code == 302


def test_what_there_is_not_is_not_found() -> None:
    division = play("Erster", 10)
    doris = browser(factories.director().user)
    Player.objects.create(organiser=division.tournament.organiser, name="Neu, Nina")

    for address in (
        reverse("director:rating_list") + "?system=elo",
        reverse("director:rating_list_file", args=["other"]),
        reverse("director:rating_history", args=[Player.objects.latest("pk").pk]),
        reverse("director:rating_correction", args=[Result.objects.latest("pk").pk]),  # it was never another
    ):
        assert doris.get(address).status_code == 404


@pytest.mark.parametrize("system", RatingSystem)
def test_files_have_the_list_and_its_history(system: RatingSystem) -> None:
    play("Erster", 10)
    division = play("Zweiter", 20)
    doris = browser(factories.director().user)

    rows = {}
    for name in ("list", "history"):
        answer = doris.get(reverse("director:rating_list_file", args=[name]) + f"?system={system}")
        rows[name] = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))

    found = load(division, system)
    assert [row[2] for row in rows["list"][1:]] == [str(each.rating) for each in found.players]
    assert len(rows["history"]) == 9
    assert [row[0] for row in rows["history"][1:]] == ["2026-05-10"] * 4 + ["2026-05-20"] * 4
    assert len({len(row) for row in rows["history"]}) == 1


def test_list_takes_the_same_queries_however_many_events(django_assert_num_queries: Any) -> None:
    division = play("Erster", 1)
    organiser = division.tournament.organiser
    for day in range(2, 6):
        with django_assert_num_queries(5):
            load_club_list(organiser, DEU)
        play(f"Abend {day}", day)
