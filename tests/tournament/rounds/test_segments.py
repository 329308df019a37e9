"""The plan of rounds."""

import pytest

from tournament.rounds.plan import PlanSegment, find_segment, read_round_plan

CUP = read_round_plan(
    [
        {"rounds": [13, 13], "method": "king_of_the_hill", "repeats": True},
        {"rounds": [1, 3], "method": "groups"},
        {"rounds": [4, 12], "method": "swiss", "behind": 1},
    ]
)


@pytest.mark.parametrize(
    ("number", "segment"),
    [
        (1, PlanSegment(1, 3, "groups")),
        (3, PlanSegment(1, 3, "groups")),
        (4, PlanSegment(4, 12, "swiss", behind=1)),
        (13, PlanSegment(13, 13, "king_of_the_hill", repeats=True)),
        (14, PlanSegment(14, 14, "king_of_the_hill", repeats=True)),
    ],
)
def test_for_round_finds_the_segment(number: int, segment: PlanSegment) -> None:
    assert find_segment(CUP, number) == segment


@pytest.mark.parametrize("method", ["groups", "round_robin"])
def test_for_round_beyond_a_schedule_is_swiss(method: str) -> None:
    assert find_segment((PlanSegment(1, 3, method),), 4) == PlanSegment(4, 4, "swiss")


def test_for_round_without_a_plan_is_swiss() -> None:
    assert find_segment((), 5) == PlanSegment(5, 5, "swiss")


def test_segment_stored_leaves_defaults_out_and_reads_back() -> None:
    stored = [segment.stored() for segment in CUP]

    assert stored[0] == {"rounds": [1, 3], "method": "groups"}
    assert read_round_plan(stored) == CUP
