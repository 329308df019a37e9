"""Where a division stands in its day."""

import pytest

from tests.tournament.operations import steps
from tournament import phase, queries
from tournament.models import Division, Entry
from tournament.operations import attendance, drafts, rounds
from tournament.operations.change import Actor
from tournament.phase import Step
from tournament.views.director.console import day


def test_phase_without_players(division: Division) -> None:
    assert phase.of(division).step == Step.ENTER_PLAYERS


def test_phase_with_one_player_still_waits_for_entries(division: Division, four: list[Entry], doris: Actor) -> None:
    for entry in four[1:]:
        attendance.withdraw(entry, actor=doris)

    assert phase.of(division).step == Step.ENTER_PLAYERS


def test_phase_over_a_round(division: Division, four: list[Entry], doris: Actor) -> None:
    found = [phase.of(division)]
    draft = drafts.draft_round(division, actor=doris)
    found.append(phase.of(division))
    rounds.publish_round(draft, actor=doris)
    found.append(phase.of(division))
    rounds.unpublish_round(draft, actor=doris)
    rounds.discard_draft(draft, actor=doris)
    steps.played(division, doris)
    found.append(phase.of(division))

    assert [(now.step, now.number, now.missing) for now in found] == [
        (Step.PAIR, 1, 0),
        (Step.PUBLISH, 1, 0),
        (Step.ENTER_RESULTS, 1, 2),
        (Step.PAIR, 2, 0),
    ]


@pytest.mark.parametrize("planned", [0, 1])
def test_phase_after_the_last_planned_round(planned: int, division: Division, four: list[Entry], doris: Actor) -> None:
    division.plan = [{"rounds": [1, 1], "method": "swiss"}] if planned else []
    played = steps.played(division, doris)
    before = phase.of(division).step
    rounds.close_round(played, actor=doris)
    after = phase.of(division).step

    assert (before, after) == ((Step.CLOSE, Step.FINISHED) if planned else (Step.PAIR, Step.PAIR))


def test_day_shows_what_was_and_what_comes(division: Division, four: list[Entry], doris: Actor) -> None:
    steps.played(division, doris)
    steps.published(division, doris)

    states = [step.state for step in day(phase.of(division, queries.rounds(division, drafts=True)))]

    assert states == ["done", "done", "now", "coming", "coming"]
