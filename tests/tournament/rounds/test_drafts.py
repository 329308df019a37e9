"""Pairing the next round as a draft."""

import pytest

from scoring.awards import Outcome
from tests.refusals import refuses
from tests.tournament.rounds import steps
from tournament.core.change import Actor
from tournament.core.reports import PlayerReport, Report
from tournament.entries.operations.attendance import set_absence
from tournament.entries.operations.entries import enter_player, keep_apart
from tournament.entries.operations.register import Person
from tournament.events.operations import update_settings
from tournament.models import Division, Entry, Pairing, Result, Round, Seat
from tournament.results.operations import record_result
from tournament.rounds.drafts import DrawImpossible, DrawWish, draft_round
from tournament.rounds.operations import list_unpaired_entries, publish_round
from tournament.rounds.plan import MethodUnknown
from tournament.table.league import list_round_pairings

pytestmark = pytest.mark.usefixtures("four_of_module")


def pairs(round: Round) -> list[set[str]]:
    return [{seat.entry.key for seat in pairing.seats.all()} for pairing in list_round_pairings(round)]


def test_draft_round_follows_the_plan_and_keeps_its_seed(division: Division, four: list[Entry], doris: Actor) -> None:
    round = draft_round(division, actor=doris, wish=DrawWish(seed=7))

    assert (round.number, round.method, round.state, round.seed) == (1, "swiss", "draft", 7)
    assert round.based_on == 0
    assert sorted(len(pair) for pair in pairs(round)) == [2, 2]


def test_draft_round_same_seed_same_pairs(division: Division, four: list[Entry], doris: Actor) -> None:
    wish = DrawWish(method="random", seed=11)

    first = pairs(draft_round(division, actor=doris, wish=wish))
    second = pairs(draft_round(division, actor=doris, wish=wish))

    assert first == second


def test_draft_round_replaces_the_draft(division: Division, four: list[Entry], doris: Actor) -> None:
    old = draft_round(division, actor=doris)

    new = draft_round(division, actor=doris)

    assert list(Round.objects.filter(division=division)) == [new]
    assert not Seat.objects.filter(round_id=old.pk).exists()
    assert new.number == 1


def test_draft_round_after_a_published_one_is_the_next(division: Division, four: list[Entry], doris: Actor) -> None:
    steps.play_next_round(division, doris)

    round = draft_round(division, actor=doris)

    assert round.number == 2


def test_draft_round_odd_field_gives_one_bye(division: Division, four: list[Entry], doris: Actor) -> None:
    enter_player(division, person=Person("Fuchs, Emil"), actor=doris)

    round = draft_round(division, actor=doris)

    kinds = sorted(Pairing.objects.filter(round=round).values_list("kind", flat=True))
    assert kinds == ["bye", "game", "game"]
    assert not Result.objects.exists()


def test_draft_round_charges_absence_as_said(division: Division, four: list[Entry], doris: Actor) -> None:
    set_absence(four[0], number=1, actor=doris, counts_as_loss=True)
    set_absence(four[1], number=1, actor=doris, counts_as_loss=False)

    round = draft_round(division, actor=doris)

    seated = {(seat.pairing.kind, seat.entry.key) for seat in Seat.objects.filter(round=round)}
    assert seated == {("absent", "P01"), ("game", "P03"), ("game", "P04")}


def test_draft_round_with_one_player_is_refused(division: Division, four: list[Entry], doris: Actor) -> None:
    for entry in four[1:]:
        set_absence(entry, number=1, actor=doris)

    with refuses("too_few_players") as refused:
        draft_round(division, actor=doris)

    assert refused.value.figures == {"number": 1, "players": 1}
    assert not Round.objects.exists()


def test_draft_round_on_missing_results_says_which(division: Division, four: list[Entry], doris: Actor) -> None:
    steps.publish_next_round(division, doris)

    with refuses("results_missing") as refused:
        draft_round(division, actor=doris)

    assert refused.value.figures == {"number": 1, "missing": 2, "tables": "1, 2", "earlier": 0}


@pytest.mark.parametrize("wish", [DrawWish(accept_missing=True), DrawWish(based_on=0), DrawWish(method="manual")])
@pytest.mark.sampled(1)
def test_draft_round_on_missing_results_when_wished(
    wish: DrawWish, division: Division, four: list[Entry], doris: Actor
) -> None:
    steps.publish_next_round(division, doris)

    assert draft_round(division, actor=doris, wish=wish).number == 2


def test_draft_round_avoids_repeats_of_a_round_without_results(
    division: Division, four: list[Entry], doris: Actor
) -> None:
    first = steps.publish_next_round(division, doris)

    second = draft_round(division, actor=doris, wish=DrawWish(based_on=0))

    assert not [pair for pair in pairs(second) if pair in pairs(first)]


@pytest.mark.parametrize("based_on", [-1, 1, 9])
@pytest.mark.sampled(1)
def test_draft_round_on_an_impossible_table_is_refused(
    based_on: int, division: Division, four: list[Entry], doris: Actor
) -> None:
    with refuses("basis_unknown") as refused:
        draft_round(division, actor=doris, wish=DrawWish(based_on=based_on))

    assert refused.value.field == "based_on"


@pytest.mark.parametrize("method", ["contest", "swis", ""])
@pytest.mark.sampled(1)
def test_draft_round_by_an_unknown_method_is_refused(
    method: str, division: Division, four: list[Entry], doris: Actor
) -> None:
    with pytest.raises(MethodUnknown) as refused:
        draft_round(division, actor=doris, wish=DrawWish(method=method))

    assert "swiss" in str(refused.value)


def test_draft_round_bye_by_hand_names_the_way_out(division: Division, four: list[Entry], doris: Actor) -> None:
    update_settings(division.tournament, actor=doris, bye_policy="by_hand")
    division.tournament.refresh_from_db()
    set_absence(four[0], number=1, actor=doris, counts_as_loss=False)

    with pytest.raises(DrawImpossible) as refused:
        draft_round(division, actor=doris)

    assert [obstacle.rule for obstacle in refused.value.obstacles] == ["bye_not_named"]


def test_draft_round_keeps_apart_who_should_be(division: Division, four: list[Entry], doris: Actor) -> None:
    keep_apart(one=four[0], other=four[1], actor=doris)

    drawn = [
        pairs(draft_round(division, actor=doris, wish=DrawWish(method="random", seed=seed))) for seed in range(1, 9)
    ]

    assert not [found for found in drawn if {"P01", "P02"} in found]


def test_draft_round_groups_go_on_over_their_rounds(division: Division, four: list[Entry], doris: Actor) -> None:
    division.plan = [{"rounds": [1, 3], "method": "groups"}]
    division.save(update_fields=["plan"])

    met = []
    for _ in range(3):
        round = draft_round(division, actor=doris)
        met += [frozenset(pair) for pair in pairs(round)]
        publish_round(round, actor=doris)
        _play(round, doris)

    assert len(set(met)) == 6


def _play(round: Round, actor: Actor) -> None:
    for pairing in list_round_pairings(round):
        if pairing.kind == Pairing.Kind.GAME:
            report = Report(Outcome.PLAYED, PlayerReport(points=400), PlayerReport(points=390))
            record_result(pairing, report=report, actor=actor, expected_version=0)


def test_draft_round_by_hand_leaves_all_to_the_director(division: Division, four: list[Entry], doris: Actor) -> None:
    round = draft_round(division, actor=doris, wish=DrawWish(method="manual"))

    assert pairs(round) == []
    assert [entry.key for entry in list_unpaired_entries(round)] == ["P01", "P02", "P03", "P04"]
