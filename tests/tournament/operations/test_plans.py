"""Plans of rounds: what is refused, and the all-play-all that fits its field."""

import pytest

from tests.tournament.operations import steps
from tournament.models import Division, Entry
from tournament.operations import entries, plans
from tournament.operations.change import Actor
from tournament.operations.players import Person
from tournament.pairing.values import Method
from tournament.plan import presets
from tournament.plan.segments import Segment
from tournament.refusals import Refusals


@pytest.mark.parametrize(
    ("segments", "codes"),
    [
        ([], []),
        ([Segment(1, 3), Segment(4, 4, Method.KING_OF_THE_HILL)], []),
        ([Segment(2, 3)], ["round_left_out"]),
        ([Segment(1, 3), Segment(5, 6)], ["round_left_out"]),
        ([Segment(1, 3), Segment(3, 6)], ["rounds_overlap"]),
        ([Segment(3, 1)], ["rounds_reversed"]),
        ([Segment(0, 3)], ["out_of_range"]),
        ([Segment(1, 201)], ["out_of_range"]),
        ([Segment(1, 3, "contention")], ["method_unknown"]),
        ([Segment(1, 3, "chess")], ["method_unknown"]),
        ([Segment(1, 3, Method.FACTOR, factor=0)], ["out_of_range"]),
        ([Segment(1, 3, behind=-1)], ["out_of_range"]),
        ([Segment(1, 3, "chess", behind=-1)], ["out_of_range", "method_unknown"]),
    ],
)
def test_problems(segments: list[Segment], codes: list[str]) -> None:
    assert [fault.code for fault in plans.problems(segments)] == codes


def test_problems_of_a_plan_shorter_than_what_is_published() -> None:
    (fault,) = plans.problems([Segment(1, 3)], published=4)

    assert fault.figures == {"planned": 3, "published": 4}


def test_set_plan_puts_rows_in_order(division: Division, doris: Actor) -> None:
    plans.set_plan(division, segments=[Segment(4, 5), Segment(1, 3, Method.GROUPS)], actor=doris)

    division.refresh_from_db()
    assert division.plan == [{"rounds": [1, 3], "method": "groups"}, {"rounds": [4, 5], "method": "swiss"}]


def test_set_plan_below_a_published_round_is_refused(division: Division, doris: Actor, four: list[Entry]) -> None:
    steps.played(division, doris)
    steps.played(division, doris)

    with pytest.raises(Refusals) as refused:
        plans.set_plan(division, segments=[Segment(1, 1)], actor=doris)

    assert [fault.code for fault in refused.value.refusals] == ["plan_too_short"]


def test_set_plan_empty_is_possible_at_any_time(division: Division, doris: Actor, four: list[Entry]) -> None:
    steps.played(division, doris)

    plans.set_plan(division, segments=[], actor=doris)

    division.refresh_from_db()
    assert division.plan == []


@pytest.mark.parametrize(("players", "needed"), [(1, None), (5, 5), (6, 5), (7, None), (8, None), (9, 9)])
def test_rounds_needed_by_an_all_play_all_of_seven_rounds(
    division: Division, doris: Actor, players: int, needed: int | None
) -> None:
    plans.set_plan(division, segments=[Segment(1, 7, Method.ROUND_ROBIN)], actor=doris)
    division.refresh_from_db()

    assert plans.rounds_needed(division, entered=players) == needed


def test_rounds_needed_by_two_legs_is_nothing(division: Division, doris: Actor) -> None:
    plans.set_plan(division, segments=[Segment(1, 6, Method.ROUND_ROBIN)], actor=doris)
    division.refresh_from_db()

    assert plans.rounds_needed(division, entered=4) is None


def test_fit_plan_follows_the_entries(division: Division, doris: Actor, four: list[Entry]) -> None:
    plans.set_plan(division, segments=[Segment(1, 7, Method.ROUND_ROBIN)], actor=doris)
    entries.enter(division, person=Person("Fuchs, Emil"), actor=doris)
    division.refresh_from_db()

    plans.fit_plan(division, actor=doris)

    division.refresh_from_db()
    assert division.plan == [{"rounds": [1, 5], "method": "round_robin"}]


def test_fit_plan_leaves_other_plans_alone(division: Division, doris: Actor, four: list[Entry]) -> None:
    before = division.plan

    plans.fit_plan(division, actor=doris)

    division.refresh_from_db()
    assert division.plan == before


@pytest.mark.parametrize(
    ("preset", "rounds", "expected"),
    [
        (presets.WEEKEND_CUP, 13, [(1, 12, "swiss"), (13, 13, "king_of_the_hill")]),
        (presets.WEEKEND_CUP, 7, [(1, 6, "swiss"), (7, 7, "king_of_the_hill")]),
        (presets.WEEKEND_CUP, 1, [(1, 1, "king_of_the_hill")]),
        (presets.FINAL_FOUR, 5, [(1, 5, "swiss")]),
        (presets.GERMAN_CHAMPIONSHIP, 16, [(1, 3, "groups"), (4, 16, "swiss")]),
        (presets.GERMAN_CHAMPIONSHIP, 3, [(1, 3, "groups")]),
        (presets.GERMAN_CHAMPIONSHIP, 2, [(1, 2, "groups")]),
        (presets.CLUB_EVENING, 5, [(1, 1, "random"), (2, 5, "swiss")]),
        (presets.EMPTY, 5, []),
        (presets.WEEKEND_CUP, 0, []),
    ],
)
def test_preset_stretched_to_a_number_of_rounds(
    preset: presets.Preset, rounds: int, expected: list[tuple[int, int, str]]
) -> None:
    plan = preset.plan_for(rounds)

    assert [(segment.first, segment.last, segment.method) for segment in plan] == expected


@pytest.mark.parametrize("preset", presets.PRESETS, ids=lambda preset: preset.key)
def test_preset_has_a_possible_plan_of_any_length(preset: presets.Preset) -> None:
    for rounds in range(1, 30):
        plan = preset.plan_for(rounds)

        assert plans.problems(plan) == []
        assert not preset.plan or plan[-1].last == rounds
