"""A season worked out from results: who is one person, what counts, and that nothing hidden is told."""

from dataclasses import replace
from datetime import date

import pytest
from pytest_django import DjangoAssertNumQueries

from tests import factories
from tests.tournament.seasons import ANNA, BERT, CORA, DORA, event, season
from tournament.models import Player, Season, Tournament
from tournament.operations import seasons, tournaments
from tournament.plan.seasons import EventState, SeasonPlan
from tournament.queries import seasons as queries

pytestmark = pytest.mark.django_db


def totals(found: Season) -> list[tuple[int, str, float]]:
    return [(line.row.rank, line.player.name, float(line.row.total)) for line in queries.table(found).lines]


def test_points_of_the_places_of_two_events_are_added_up() -> None:
    found = season(event("Januar", ANNA, BERT), event("Februar", BERT, ANNA, CORA, DORA))

    # Anna 1st and 4th, Bert 2nd and 1st, Cora and Dora only in February.
    assert totals(found) == [(1, BERT, 37.0), (2, ANNA, 33.0), (3, CORA, 17.0), (4, DORA, 15.0)]


def test_best_of_two_strikes_the_other_out() -> None:
    found = season(event("Januar", ANNA, BERT), event("Februar", BERT, ANNA), best=1)

    (anna, bert) = queries.table(found).lines
    assert {anna.player.name, bert.player.name} == {ANNA, BERT}
    assert [[score.counts for score in line.row.scores].count(True) for line in (anna, bert)] == [1, 1]
    assert [line.row.rank for line in (anna, bert)] == [1, 1]


def test_events_stand_by_their_days_and_who_missed_one_has_no_score_there() -> None:
    later = event("Zuerst angelegt", ANNA, BERT, starts_on=date(2026, 5, 1))
    earlier = event("Danach angelegt", CORA, BERT, starts_on=date(2026, 2, 1))
    found = queries.table(season(later, earlier))

    assert [each.division.tournament.name for each in found.counted] == ["Danach angelegt", "Zuerst angelegt"]
    cora = next(line for line in found.lines if line.player.name == CORA)
    assert [cora.row.score_in(number) is None for number in (0, 1)] == [False, True]


def test_empty_season_and_event_that_has_not_begun_give_no_rows() -> None:
    assert queries.table(season()).lines == ()
    coming = queries.table(season(factories.event("Im Mai", players=4), name="Zweite", with_running=True))

    assert (coming.lines, [each.standing for each in coming.events]) == ((), [EventState.NOT_BEGUN])


def test_running_event_counts_only_if_the_director_says_so() -> None:
    running = event("Läuft", ANNA, BERT, CORA, DORA, over=False)
    running.plan[0]["rounds"] = [1, 3]
    running.save(update_fields=["plan"])
    found = season(running)

    assert totals(found) == []
    plan = replace(SeasonPlan.of(found), with_running=True)
    seasons.edit_season(found, plan=plan, actor=factories.director())
    assert [row[1:] for row in totals(Season.objects.get(pk=found.pk))][:1] == [(ANNA, 20.0)]


def test_hidden_event_counts_nowhere() -> None:
    shown, hidden = event("Januar", ANNA, BERT), event("Februar", BERT, CORA)
    found = season(shown, hidden)
    tournaments.set_public(hidden.tournament, public=False, actor=factories.director())

    table = queries.table(found)

    assert [line.player.name for line in table.lines] == [ANNA, BERT]
    assert [each.standing for each in table.events] == [EventState.OVER, EventState.HIDDEN]
    assert [each.division for each in table.public] == [shown]


def test_event_taken_out_counts_no_more() -> None:
    found = season(event("Januar", ANNA, BERT), event("Februar", BERT, CORA))

    seasons.remove_event(found.events.get(division__tournament__name="Februar"), actor=factories.director())

    assert totals(found) == [(1, ANNA, 20.0), (2, BERT, 17.0)]


def test_deleted_tournament_leaves_the_season() -> None:
    gone = event("Februar", BERT, CORA)
    found = season(event("Januar", ANNA, BERT), gone)

    tournaments.delete_tournament(gone.tournament, typed_name="Februar", actor=factories.director())

    assert totals(found) == [(1, ANNA, 20.0), (2, BERT, 17.0)]
    assert Tournament.objects.count() == 1


def players(found: Season) -> dict[str, Player]:
    return {line.player.name: line.player for line in queries.table(found).lines}


def test_same_words_in_another_order_are_asked_about_until_somebody_decides() -> None:
    found = season(event("Januar", ANNA, BERT), event("Februar", "Anna Beispiel", CORA))
    ((one, other),) = queries.table(found).questions

    assert {one.name, other.name} == {ANNA, "Anna Beispiel"}
    seasons.decide(found, one=other, other=one, is_same=True, actor=factories.director())
    assert totals(found) == [(1, ANNA, 40.0), (2, BERT, 17.0), (2, CORA, 17.0)]
    assert queries.table(found).questions == ()

    seasons.decide(found, one=one, other=other, is_same=False, actor=factories.director())
    assert [row[1] for row in totals(found)][:2] == ["Anna Beispiel", ANNA]
    assert queries.table(found).questions == ()

    seasons.take_back(found.decisions.get(), actor=factories.director())
    assert len(queries.table(found).questions) == 1


def test_who_played_in_the_same_event_is_never_counted_as_one() -> None:
    found = season(event("Januar", ANNA, BERT), event("Februar", CORA, DORA))
    known = players(found)
    seasons.decide(found, one=known[ANNA], other=known[CORA], is_same=True, actor=factories.director())

    seasons.add_event(found, division=event("März", ANNA, CORA), actor=factories.director())

    table = queries.table(found)
    assert [decision.other.name for decision in table.clashes] == [CORA]
    assert {ANNA, CORA} <= {line.player.name for line in table.lines}


def test_joining_three_in_a_row_makes_one_person() -> None:
    found = season(event("Januar", ANNA, BERT), event("Februar", CORA, BERT), event("März", DORA, BERT))
    known = players(found)
    for one, other in ((CORA, DORA), (ANNA, DORA)):
        seasons.decide(found, one=known[one], other=known[other], is_same=True, actor=factories.director())

    assert totals(found) == [(1, ANNA, 60.0), (2, BERT, 51.0)]


def test_state_moves_with_the_season_and_with_each_result() -> None:
    january = event("Januar", ANNA, BERT)
    found = season(january)
    states = [queries.state(found)]

    tournaments.set_public(january.tournament, public=False, actor=factories.director())
    states.append(queries.state(found))
    seasons.remove_event(found.events.get(), actor=factories.director())
    states.append(queries.state(Season.objects.select_related("organiser").get(pk=found.pk)))

    assert len(set(states)) == 3


@pytest.mark.parametrize("players_of_one", [2, 8])
def test_queries_do_not_grow_with_the_field(
    players_of_one: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    found = season(event("Januar", *[f"Spieler, {number}" for number in range(players_of_one)]))

    with django_assert_max_num_queries(12):
        assert len(queries.table(found).lines) == players_of_one
