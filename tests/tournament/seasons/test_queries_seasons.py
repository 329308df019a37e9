"""A season worked out from results: who is one person, what counts, and that nothing hidden is told."""

from datetime import date

import pytest
from pytest_django import DjangoAssertNumQueries

from tests import factories
from tests.tournament.seasons.steps import ANNA, BERT, CORA, DORA, event, season, uncount
from tournament.events.operations import delete_tournament, set_public
from tournament.models import Division, Player, Season, Tournament
from tournament.seasons.operations import (
    add_season_event,
    decide_same_person,
    edit_season,
    take_back_same_person,
)
from tournament.seasons.season_table import EventState, build_season_table, get_season_state

pytestmark = pytest.mark.django_db


def totals(found: Season) -> list[tuple[int, str, float]]:
    return [(line.row.rank, line.player.name, float(line.row.total)) for line in build_season_table(found).lines]


def test_points_of_the_places_of_two_events_are_added_up(january: Division) -> None:
    found = season(january, event("Februar", BERT, ANNA, CORA, DORA))

    # Anna 1st and 4th, Bert 2nd and 1st, Cora and Dora only in February.
    assert totals(found) == [(1, BERT, 37.0), (2, ANNA, 33.0), (3, CORA, 17.0), (4, DORA, 15.0)]


def test_best_of_two_strikes_the_other_out(january: Division) -> None:
    found = season(january, event("Februar", BERT, ANNA), best=1)

    (anna, bert) = build_season_table(found).lines
    assert {anna.player.name, bert.player.name} == {ANNA, BERT}
    assert [[score.counts for score in line.row.scores].count(True) for line in (anna, bert)] == [1, 1]
    assert [line.row.rank for line in (anna, bert)] == [1, 1]


def test_events_stand_by_their_days_and_who_missed_one_has_no_score_there() -> None:
    later = event("Zuerst angelegt", ANNA, BERT, starts_on=date(2026, 5, 1))
    earlier = event("Danach angelegt", CORA, BERT, starts_on=date(2026, 2, 1))
    found = build_season_table(season(later, earlier))

    assert [each.division.tournament.name for each in found.counted] == ["Danach angelegt", "Zuerst angelegt"]
    cora = next(line for line in found.lines if line.player.name == CORA)
    assert [cora.row.score_in(number) is None for number in (0, 1)] == [False, True]


def test_empty_season_and_event_that_has_not_begun_give_no_rows() -> None:
    assert build_season_table(season()).lines == ()
    coming = build_season_table(season(factories.event("Im Mai", players=4), name="Zweite", with_running=True))

    assert (coming.lines, [each.standing for each in coming.events]) == ((), [EventState.NOT_BEGUN])


def test_running_event_counts_only_if_the_director_says_so() -> None:
    running = event("Läuft", ANNA, BERT, CORA, DORA, over=False)
    running.plan[0]["rounds"] = [1, 3]
    running.save(update_fields=["plan"])
    found = season(running)

    assert totals(found) == []
    plan = Season.objects.get(pk=found.pk)
    plan.with_running = True
    edit_season(found, plan=plan, actor=factories.director())
    assert [row[1:] for row in totals(Season.objects.get(pk=found.pk))][:1] == [(ANNA, 20.0)]


def test_hidden_event_counts_nowhere(january: Division) -> None:
    shown, hidden = january, event("Februar", BERT, CORA)
    found = season(shown, hidden)
    set_public(hidden.tournament, public=False, actor=factories.director())

    table = build_season_table(found)

    assert [line.player.name for line in table.lines] == [ANNA, BERT]
    assert [each.standing for each in table.events] == [EventState.OVER, EventState.HIDDEN]
    assert [each.division for each in table.public] == [shown]


def test_event_taken_out_counts_no_more(january: Division) -> None:
    found = season(january, event("Februar", BERT, CORA))

    uncount(found.events.get(division__tournament__name="Februar"))

    assert totals(found) == [(1, ANNA, 20.0), (2, BERT, 17.0)]


def test_deleted_tournament_leaves_the_season(january: Division) -> None:
    gone = event("Februar", BERT, CORA)
    found = season(january, gone)

    delete_tournament(gone.tournament, typed_name="Februar", actor=factories.director())

    assert totals(found) == [(1, ANNA, 20.0), (2, BERT, 17.0)]
    assert Tournament.objects.count() == 1


def players(found: Season) -> dict[str, Player]:
    return {line.player.name: line.player for line in build_season_table(found).lines}


def test_same_words_in_another_order_are_asked_about_until_somebody_decides(january: Division) -> None:
    found = season(january, event("Februar", "Anna Beispiel", CORA))
    ((one, other),) = build_season_table(found).questions

    assert {one.name, other.name} == {ANNA, "Anna Beispiel"}
    decide_same_person(found, one=other, other=one, is_same=True, actor=factories.director())
    assert totals(found) == [(1, ANNA, 40.0), (2, BERT, 17.0), (2, CORA, 17.0)]
    assert build_season_table(found).questions == ()

    decide_same_person(found, one=one, other=other, is_same=False, actor=factories.director())
    assert [row[1] for row in totals(found)][:2] == ["Anna Beispiel", ANNA]
    assert build_season_table(found).questions == ()

    take_back_same_person(found.decisions.get(), actor=factories.director())
    assert len(build_season_table(found).questions) == 1


def test_who_played_in_the_same_event_is_never_counted_as_one(january: Division) -> None:
    found = season(january, event("Februar", CORA, DORA))
    known = players(found)
    decide_same_person(found, one=known[ANNA], other=known[CORA], is_same=True, actor=factories.director())

    add_season_event(found, division=event("März", ANNA, CORA), actor=factories.director())

    table = build_season_table(found)
    assert [decision.other.name for decision in table.clashes] == [CORA]
    assert {ANNA, CORA} <= {line.player.name for line in table.lines}


def test_joining_three_in_a_row_makes_one_person(january: Division) -> None:
    found = season(january, event("Februar", CORA, BERT), event("März", DORA, BERT))
    known = players(found)
    for one, other in ((CORA, DORA), (ANNA, DORA)):
        decide_same_person(found, one=known[one], other=known[other], is_same=True, actor=factories.director())

    assert totals(found) == [(1, ANNA, 60.0), (2, BERT, 51.0)]


def test_state_moves_with_the_season_and_with_each_result(january: Division) -> None:
    found = season(january)
    states = [get_season_state(found)]

    set_public(january.tournament, public=False, actor=factories.director())
    states.append(get_season_state(found))
    uncount(found.events.get())
    states.append(get_season_state(Season.objects.select_related("organiser").get(pk=found.pk)))

    assert len(set(states)) == 3


@pytest.mark.parametrize("players_of_one", [2, 8])
def test_queries_do_not_grow_with_the_field(
    players_of_one: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    found = season(event("Januar", *[f"Spieler, {number}" for number in range(players_of_one)]))

    with django_assert_max_num_queries(14):
        assert len(build_season_table(found).lines) == players_of_one
