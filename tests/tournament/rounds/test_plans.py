"""Plans of rounds: what is refused, and the all-play-all that fits its field."""

import pytest

from tests.tournament.rounds import steps
from tournament.basics.refusals import Refusals
from tournament.core.change import Actor
from tournament.entries.operations.entries import enter_player
from tournament.entries.operations.register import Person
from tournament.events.presets import PRESETS, Preset
from tournament.models import Division, Entry
from tournament.pairing.values import Method
from tournament.rounds.plan import (
    PlanSegment,
    count_rounds_needed,
    find_plan_problems,
    find_segment,
    fit_plan_to_entries,
    set_plan,
)


@pytest.mark.parametrize(
    ("segments", "codes"),
    [
        ([], []),
        ([PlanSegment(1, 3), PlanSegment(4, 4, Method.KING_OF_THE_HILL)], []),
        ([PlanSegment(2, 3)], ["round_left_out"]),
        ([PlanSegment(1, 3), PlanSegment(5, 6)], ["round_left_out"]),
        ([PlanSegment(1, 3), PlanSegment(3, 6)], ["rounds_overlap"]),
        ([PlanSegment(3, 1)], ["rounds_reversed"]),
        ([PlanSegment(0, 3)], ["out_of_range"]),
        ([PlanSegment(1, 201)], ["out_of_range"]),
        ([PlanSegment(1, 3, "contest")], ["method_unknown"]),
        ([PlanSegment(1, 3, "chess")], ["method_unknown"]),
        ([PlanSegment(1, 3, Method.FACTOR, factor=0)], ["out_of_range"]),
        ([PlanSegment(1, 3, behind=-1)], ["out_of_range"]),
        ([PlanSegment(1, 3, "chess", behind=-1)], ["out_of_range", "method_unknown"]),
    ],
)
def test_problems(segments: list[PlanSegment], codes: list[str]) -> None:
    assert [fault.code for fault in find_plan_problems(segments)] == codes


def test_problems_of_a_plan_shorter_than_what_is_published() -> None:
    (fault,) = find_plan_problems([PlanSegment(1, 3)], published=4)

    assert fault.figures == {"planned": 3, "published": 4}


@pytest.mark.parametrize("method", [Method.FACTOR, Method.ROUND_ROBIN, Method.SWISS])
def test_round_beyond_the_plan_keeps_the_figures_of_the_last_segment(method: Method) -> None:
    beyond = find_segment([PlanSegment(1, 3, method, repeats=True, factor=5)], 7)

    paired_as = Method.SWISS if method is Method.ROUND_ROBIN else method
    assert beyond == PlanSegment(7, 7, paired_as, repeats=True, factor=5)


def test_set_plan_puts_rows_in_order(division: Division, doris: Actor) -> None:
    set_plan(division, segments=[PlanSegment(4, 5), PlanSegment(1, 3, Method.GROUPS)], actor=doris)

    division.refresh_from_db()
    assert division.plan == [{"rounds": [1, 3], "method": "groups"}, {"rounds": [4, 5], "method": "swiss"}]


def test_set_plan_below_a_published_round_is_refused(division: Division, doris: Actor, four: list[Entry]) -> None:
    steps.play_next_round(division, doris)
    steps.play_next_round(division, doris)

    with pytest.raises(Refusals) as refused:
        set_plan(division, segments=[PlanSegment(1, 1)], actor=doris)

    assert [fault.code for fault in refused.value.refusals] == ["plan_too_short"]


def test_set_plan_empty_is_possible_at_any_time(division: Division, doris: Actor, four: list[Entry]) -> None:
    steps.play_next_round(division, doris)

    set_plan(division, segments=[], actor=doris)

    division.refresh_from_db()
    assert division.plan == []


@pytest.mark.parametrize(("players", "needed"), [(1, None), (5, 5), (6, 5), (7, None), (8, None), (9, 9)])
@pytest.mark.sampled(2)
def test_rounds_needed_by_an_all_play_all_of_seven_rounds(
    division: Division, doris: Actor, players: int, needed: int | None
) -> None:
    set_plan(division, segments=[PlanSegment(1, 7, Method.ROUND_ROBIN)], actor=doris)
    division.refresh_from_db()

    assert count_rounds_needed(division, entered=players) == needed


def test_rounds_needed_by_two_legs_is_nothing(division: Division, doris: Actor) -> None:
    set_plan(division, segments=[PlanSegment(1, 6, Method.ROUND_ROBIN)], actor=doris)
    division.refresh_from_db()

    assert count_rounds_needed(division, entered=4) is None


def test_fit_plan_follows_the_entries(division: Division, doris: Actor, four: list[Entry]) -> None:
    set_plan(division, segments=[PlanSegment(1, 7, Method.ROUND_ROBIN)], actor=doris)
    enter_player(division, person=Person("Fuchs, Emil"), actor=doris)
    division.refresh_from_db()

    fit_plan_to_entries(division, actor=doris)

    division.refresh_from_db()
    assert division.plan == [{"rounds": [1, 5], "method": "round_robin"}]


def test_fit_plan_leaves_other_plans_alone(division: Division, doris: Actor, four: list[Entry]) -> None:
    before = division.plan

    fit_plan_to_entries(division, actor=doris)

    division.refresh_from_db()
    assert division.plan == before


@pytest.mark.parametrize(
    ("preset", "rounds", "expected"),
    [
        (PRESETS["weekend_cup"], 13, [(1, 11, "swiss"), (12, 13, "contention")]),
        (PRESETS["weekend_cup"], 9, [(1, 7, "swiss"), (8, 9, "contention")]),
        (PRESETS["weekend_cup"], 8, [(1, 7, "swiss"), (8, 8, "contention")]),
        (PRESETS["weekend_cup"], 1, [(1, 1, "contention")]),
        (PRESETS["match_day"], 9, [(1, 1, "random"), (2, 7, "swiss"), (8, 9, "contention")]),
        (PRESETS["final_four"], 5, [(1, 5, "swiss")]),
        (PRESETS["german_championship"], 16, [(1, 3, "groups"), (4, 16, "swiss")]),
        (PRESETS["german_championship"], 3, [(1, 3, "groups")]),
        (PRESETS["german_championship"], 2, [(1, 2, "groups")]),
        (PRESETS["club_evening"], 5, [(1, 1, "random"), (2, 5, "swiss")]),
        (PRESETS["empty"], 5, []),
        (PRESETS["weekend_cup"], 0, []),
    ],
)
def test_preset_stretched_to_a_number_of_rounds(
    preset: Preset, rounds: int, expected: list[tuple[int, int, str]]
) -> None:
    plan = preset.plan_for(rounds)

    assert [(segment.first, segment.last, segment.method) for segment in plan] == expected


@pytest.mark.parametrize("preset", PRESETS.values(), ids=lambda preset: preset.key)
def test_preset_has_a_possible_plan_of_any_length(preset: Preset) -> None:
    for rounds in range(1, 30):
        plan = preset.plan_for(rounds)

        assert find_plan_problems(plan) == []
        assert not preset.plan or plan[-1].last == rounds
