"""Where a division stands in its day."""

import pytest
from django.utils import translation

from tests.tournament.knockout import knockouts
from tests.tournament.rounds import steps
from tournament.core.change import Actor
from tournament.entries.operations.attendance import withdraw_entry
from tournament.events.console import build_day_steps, find_next_step
from tournament.knockout.operations import confirm_seeds
from tournament.models import Division, Entry, Tournament
from tournament.rounds.drafts import draft_round
from tournament.rounds.operations import close_round, discard_draft, publish_round, unpublish_round
from tournament.rounds.phase import DirectorStep, get_division_phase
from tournament.table.league import list_league_rounds


def test_phase_without_players(cup: Tournament) -> None:
    assert get_division_phase(cup.divisions.get(name="B")).step == DirectorStep.ENTER_PLAYERS


def test_phase_with_one_player_still_waits_for_entries(division: Division, four: list[Entry], doris: Actor) -> None:
    for entry in four[1:]:
        withdraw_entry(entry, actor=doris)

    assert get_division_phase(division).step == DirectorStep.ENTER_PLAYERS


def test_phase_over_a_round(division: Division, four: list[Entry], doris: Actor) -> None:
    found = [get_division_phase(division)]
    draft = draft_round(division, actor=doris)
    found.append(get_division_phase(division))
    publish_round(draft, actor=doris)
    found.append(get_division_phase(division))
    unpublish_round(draft, actor=doris)
    discard_draft(draft, actor=doris)
    steps.play_next_round(division, doris)
    found.append(get_division_phase(division))

    assert [(now.step, now.number, now.missing) for now in found] == [
        (DirectorStep.PAIR, 1, 0),
        (DirectorStep.PUBLISH, 1, 0),
        (DirectorStep.ENTER_RESULTS, 1, 2),
        (DirectorStep.PAIR, 2, 0),
    ]


@pytest.mark.parametrize("planned", [0, 1])
def test_phase_after_the_last_planned_round(planned: int, division: Division, four: list[Entry], doris: Actor) -> None:
    division.plan = [{"rounds": [1, 1], "method": "swiss"}] if planned else []
    played = steps.play_next_round(division, doris)
    before = get_division_phase(division).step
    close_round(played, actor=doris)
    after = get_division_phase(division).step

    assert (before, after) == (
        (DirectorStep.CLOSE, DirectorStep.FINISHED) if planned else (DirectorStep.PAIR, DirectorStep.PAIR)
    )


def test_day_shows_what_was_and_what_comes(division: Division, four: list[Entry], doris: Actor) -> None:
    steps.play_next_round(division, doris)
    steps.publish_next_round(division, doris)

    states = [
        step.state for step in build_day_steps(get_division_phase(division, list_league_rounds(division, drafts=True)))
    ]

    assert states == ["done", "done", "now", "coming", "coming"]


def test_phase_over_a_knockout(division: Division, four: list[Entry], doris: Actor) -> None:
    division.plan = [{"rounds": [1, 1], "method": "swiss"}]
    division.save(update_fields=["plan"])
    knockouts.announce(division, 4, criteria=("preliminary_rank",))
    found = [get_division_phase(division)]
    steps.play_next_round(division, doris)
    found.append(get_division_phase(division))
    confirm_seeds(division, actor=doris)
    found.append(get_division_phase(division))
    knockouts.semis(division)
    found.append(get_division_phase(division))
    knockouts.play(division, 2, 1, 1, 420, 380)
    found.append(get_division_phase(division))

    assert [(now.step, now.stage, now.missing) for now in found] == [
        (DirectorStep.PAIR, 0, 0),
        (DirectorStep.CONFIRM_SEEDS, 0, 0),
        (DirectorStep.KNOCKOUT_RESULTS, 1, 2),
        (DirectorStep.KNOCKOUT_RESULTS, 2, 1),
        (DirectorStep.FINISHED, 0, 0),
    ]
    states = [[step.state for step in build_day_steps(now)] for now in found]
    assert states[1:] == [["done", "done", "now", "coming"]] + [["done", "done", "now", "coming"]] * 2 + [["done"] * 4]


def test_phase_of_a_level_match_waits_for_the_lot(db: None) -> None:
    division = knockouts.seeded(2)
    knockouts.play(division, 1, 1, 1, 400, 400)

    waits = get_division_phase(division)
    knockouts.not_recorded(division)
    now = get_division_phase(division)

    assert waits.step == DirectorStep.KNOCKOUT_RESULTS
    assert (now.step, now.stage, now.stages) == (DirectorStep.DRAW_LOT, 1, 1)


@pytest.mark.parametrize(("score", "label"), [(None, "Results: Final"), ((400, 400), "Draw lots")])
def test_console_leads_on_in_the_knockout(score: tuple[int, int] | None, label: str, db: None) -> None:
    division = knockouts.seeded(2)
    if score:
        knockouts.level(division)

    with translation.override("en"):
        step = find_next_step(division, get_division_phase(division))

    assert step.label == label
