"""Where a division stands in its day."""

import pytest
from django.utils import translation

from tests.tournament.operations import knockouts, steps
from tournament.models import Division, Entry
from tournament.operations import attendance, drafts, knockout, rounds
from tournament.operations.change import Actor
from tournament.queries import league, phase
from tournament.queries.phase import Step
from tournament.views.director.console import day, next_step


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

    states = [step.state for step in day(phase.of(division, league.rounds(division, drafts=True)))]

    assert states == ["done", "done", "now", "coming", "coming"]


def test_phase_over_a_knockout(division: Division, four: list[Entry], doris: Actor) -> None:
    division.plan = [{"rounds": [1, 1], "method": "swiss"}]
    division.save(update_fields=["plan"])
    knockouts.announce(division, 4, criteria=("preliminary_rank",))
    found = [phase.of(division)]
    steps.played(division, doris)
    found.append(phase.of(division))
    knockout.confirm_seeds(division, actor=doris)
    found.append(phase.of(division))
    knockouts.semis(division)
    found.append(phase.of(division))
    knockouts.play(division, 2, 1, 1, 420, 380)
    found.append(phase.of(division))

    assert [(now.step, now.stage, now.missing) for now in found] == [
        (Step.PAIR, 0, 0),
        (Step.CONFIRM_SEEDS, 0, 0),
        (Step.KNOCKOUT_RESULTS, 1, 2),
        (Step.KNOCKOUT_RESULTS, 2, 1),
        (Step.FINISHED, 0, 0),
    ]
    states = [[step.state for step in day(now)] for now in found]
    assert states[1:] == [["done", "done", "now", "coming"]] + [["done", "done", "now", "coming"]] * 2 + [["done"] * 4]


def test_phase_of_a_level_match_waits_for_the_lot(db: None) -> None:
    division = knockouts.seeded(2)
    knockouts.play(division, 1, 1, 1, 400, 400)

    waits = phase.of(division)
    knockouts.not_recorded(division)
    now = phase.of(division)

    assert waits.step == Step.KNOCKOUT_RESULTS
    assert (now.step, now.stage, now.stages) == (Step.DRAW_LOT, 1, 1)


@pytest.mark.parametrize(("score", "label"), [(None, "Results: Final"), ((400, 400), "Draw lots")])
def test_console_leads_on_in_the_knockout(score: tuple[int, int] | None, label: str, db: None) -> None:
    division = knockouts.seeded(2)
    if score:
        knockouts.level(division)

    with translation.override("en"):
        step = next_step(division, phase.of(division))

    assert step.label == label
