"""What an event hung on: the sentence, and that the change it names really makes the others win."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from scoring.awards import Outcome
from scoring.standings import PlayerKey
from scoring.turning_points import FirstPlacesQuestion, GamePlace, MorePoints, apply_change, make_turning_point
from tests import factories
from tournament.core.reports import PlayerReport, Report
from tournament.ending.final_ranking import load_final_ranking
from tournament.ending.operations import add_prize, add_usual_prizes, end_tournament, publish_prizes
from tournament.ending.plan import PrizePlan
from tournament.ending.turning_points import TurningTopic, _load_played_table, load_turning_points
from tournament.ending.words import TurningPointNames, describe_other_placing
from tournament.models import Division, Pairing, Seat
from tournament.results.operations import record_result

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def close_of_module(*, shares_rows: bool) -> Division:
    """Klara beats Jana by 20, Ann-Kathrin beats Cem by 14; in round 2 the winners draw."""
    division = factories.event(players=4, rounds=2)
    klara, jana, ann, cem = factories.enter(division, 0)
    factories.played(division, (420, 400), (410, 396), pairs=[(klara, jana), (ann, cem)])
    factories.played(division, (400, 400), (380, 390), pairs=[(klara, ann), (jana, cem)])
    return division


@pytest.fixture
def close(close_of_module: Division, db: None) -> Division:
    return factories.fresh(close_of_module)


def sentences(division: Division) -> list[str]:
    return [each.said.replace("\N{NO-BREAK SPACE}", " ") for each in load_turning_points(load_final_ranking(division))]


def test_smallest_change_is_told_with_what_is_held_fixed(close: Division) -> None:
    said, *_places = sentences(close)

    assert said == (
        "Hätte Ann-Kathrin Müller-Lüdenscheidt in Runde 2 gegen Klara Aumann (400 : 400) 1 Punkt mehr gemacht, hätte "
        "Ann-Kathrin Müller-Lüdenscheidt gewonnen – bei denselben Paarungen."
    )


def test_whoever_would_have_the_same_rank_is_named_too() -> None:
    """The third comes up to the second: they would share the rank."""
    change = MorePoints(GamePlace(round=1), 3, 4, (400, 380), 7)
    point = make_turning_point(FirstPlacesQuestion(2), change, frozenset({1, 2}), {1: 1, 2: 2, 3: 2, 4: 4})

    assert point is not None
    assert (point.place, [*point.winners], [*point.beside]) == (2, [3], [2])
    names: dict[PlayerKey, str] = {1: "Aumann, Klara", 2: "Dvořák, Jana", 3: "Müller, Ann", 4: "Öztürk, Cem"}
    assert describe_other_placing(point, TurningPointNames(names, None)) == (
        "Hätte Ann Müller in Runde 1 gegen Cem Öztürk (400 : 380) 7\N{NO-BREAK SPACE}Punkte mehr gemacht, hätten Jana "
        "Dvořák und Ann Müller gemeinsam Platz 2 belegt – bei denselben Paarungen."
    )


def test_result_corrected_by_so_much_makes_the_others_win(close: Division) -> None:
    told, *_places = load_turning_points(load_final_ranking(close))
    change, points = told.point.change, told.point.change.points
    at = Pairing.objects.select_related("round__division__tournament").with_players()
    pairing = at.get(round__number=change.spot.round or 0, seats__entry=int(change.player))
    starts = pairing.seats.get(side=Seat.FIRST).entry_id == change.player
    first, second = change.score if starts else change.score[::-1]
    first, second = (first + points, second) if starts else (first, second + points)

    report = Report(Outcome.PLAYED, PlayerReport(points=first), PlayerReport(points=second))
    record_result(pairing, report=report, actor=factories.director(), expected_version=None)

    won = {row.entry.pk for row in load_final_ranking(factories.fresh(close)).rows if row.ranked.place == 1}
    assert won == told.point.winners


def test_places_after_the_first_are_told_with_the_rank_that_there_would_be(close: Division) -> None:
    champion, *places = load_turning_points(load_final_ranking(close))

    assert [each.point.place for each in places] == [2, 3]
    for each in places:
        point = each.point
        event = _load_played_table(load_final_ranking(close))
        ranks = {row.player: row.rank for row in apply_change(event, point.change).table()}
        assert {ranks[winner] for winner in point.winners} == {point.place}
    assert places[0].said.endswith("\N{NO-BREAK SPACE}– bei denselben Paarungen.")
    assert "(400\N{NO-BREAK SPACE}:\N{NO-BREAK SPACE}400) 1\N{NO-BREAK SPACE}Punkt mehr" in champion.said
    assert "Platz\N{NO-BREAK SPACE}2" in places[0].said


def test_prize_of_some_is_told_once_it_is_public(close: Division) -> None:
    doris = factories.director()
    club = PrizePlan(kind="rating_class", highest_rating=1690, title="Preis unter 1690")
    add_prize(close, plan=club, actor=doris)
    without = sentences(close)

    publish_prizes(close, public=True, actor=doris)

    *others, prize = sentences(factories.fresh(close))
    assert others == without
    assert prize.startswith("Preis unter 1690: Hätte ")
    assert prize.endswith("– bei denselben Paarungen.")


def test_nothing_is_told_before_the_end(close: Division) -> None:
    running = factories.event("Läuft", players=4, rounds=3)
    factories.played(running)
    assert sentences(running) == []
    assert sentences(factories.knockout(close, 2)) == []


FINALS: dict[str, tuple[dict[str, Any], list[tuple[int, int]], str, str]] = {
    "single": ({}, [(402, 400)], ", 400 : 402) 3 Punkte", "hätte Jana Dvořák das Finale gewonnen."),
    "double, the highest game": (
        {"form": "double"},
        [(401, 430), (370, 400)],
        ", Partie 1, 430 : 401) 1 Punkt",
        "hätte Jana Dvořák das Finale gewonnen (höchste Partie) – bei gleichem Ausgang der anderen Partien.",
    ),
    "best of three, 2 : 0": (
        {"form": "best_of", "best_of": 3},
        [(410, 400), (396, 400)],
        ", Partie 2, 396 : 400) 4 Punkte",
        "wäre das Finale damit nicht zu Ende gewesen: Eine weitere Partie wäre nötig geworden.",
    ),
}


@pytest.mark.parametrize(("form", "scores", "more", "then"), FINALS.values(), ids=FINALS)
@pytest.mark.sampled(1)
def test_final_is_told_with_what_would_have_decided_it(
    close: Division, form: dict[str, Any], scores: list[tuple[int, int]], more: str, then: str
) -> None:
    """Klara starts the first game, and replies in the second."""
    factories.knockout(close, 2, **form)
    for number, score in enumerate(scores, start=1):
        factories.knockout_game(close, (1, 1, number), *score)

    said, *_others = sentences(factories.fresh(close))
    assert said == f"Hätte Jana Dvořák gegen Klara Aumann (Finale{more} mehr gemacht, {then}"


def test_match_for_third_place_and_the_way_to_the_final_are_told(close: Division) -> None:
    factories.knockout(close, 4, third_place=True)
    for place, score in (((1, 1, 1), (401, 400)), ((1, 2, 1), (420, 400)), ((2, 1, 1), (450, 400))):
        factories.knockout_game(close, place, *score)
    factories.knockout_game(close, (2, 2, 1), 410, 405)

    found = load_turning_points(load_final_ranking(factories.fresh(close)))

    assert [each.topic for each in found][:3] == [
        TurningTopic.FINAL,
        TurningTopic.WAY_TO_FINAL,
        TurningTopic.THIRD_PLACE,
    ]
    assert (
        "(Halbfinale 1, 400 : 401) 2 Punkte mehr gemacht, wäre Cem Öztürk statt Klara Aumann weitergekommen."
        in (sentences(factories.fresh(close))[1])
    )
    assert sentences(factories.fresh(close))[2].endswith("hätte Ann-Kathrin Müller-Lüdenscheidt Platz 3 belegt.")


def test_event_without_a_game_has_nothing_to_tell() -> None:
    division = factories.event(players=2, rounds=1)
    end_tournament(division.tournament, accept_open=True, actor=factories.director())

    assert sentences(factories.fresh(division)) == []


def test_queries_do_not_grow(close: Division, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    add_usual_prizes(close, actor=factories.director())
    publish_prizes(factories.fresh(close), public=True, actor=factories.director())
    found = load_final_ranking(factories.fresh(close))

    with django_assert_max_num_queries(9):
        load_turning_points(found)


def test_director_leaves_it_out_and_takes_it_up_again(close: Division, client: Client) -> None:
    factories.sign_in(client)
    page = f"/director/{close.tournament.slug}/end/"
    assert "Damit endet die Siegerehrung." in client.get(page).content.decode()

    client.post(f"{page}turning-point/", {"tells": "no"})
    assert "Die Siegerehrung lässt es weg." in client.get(page).content.decode()
    client.post(f"{page}turning-point/", {"tells": "yes"})
    assert factories.fresh(close).tells_turning_point
