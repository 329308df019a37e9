"""How far a division is in its day, and what its director does next."""

from dataclasses import dataclass, replace
from enum import StrEnum

from django.db.models import Count, Exists, OuterRef, Q
from django.utils.timezone import localdate

from scoring.knockout_values import KnockoutSystem, WaitsFor
from tournament.models import Division, Knockout, Round, Seed
from tournament.results.knockout_state import load_knockout_state
from tournament.table.league import RoundProgress, count_planned_rounds, find_round_of_day, list_league_rounds

FEWEST_TO_PAIR = 2  # players


class DirectorStep(StrEnum):
    """What the director does next."""

    ENTER_PLAYERS = "enter_players"
    PAIR = "pair"
    PUBLISH = "publish"
    ENTER_RESULTS = "enter_results"
    ENTER_EARLIER = "enter_earlier"
    CLOSE = "close"
    CONFIRM_SEEDS = "confirm_seeds"
    KNOCKOUT_RESULTS = "knockout_results"
    DRAW_LOT = "draw_lot"
    ENTER_WINNER = "enter_winner"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class DivisionPhase:
    """A division's state: the next step and the round it concerns."""

    step: DirectorStep
    number: int  # 0 in a knock-out without rounds
    planned: int  # rounds in the plan; 0: none
    done: int  # rounds that are complete
    entries: int  # who plays
    withdrawn: int = 0  # and who was entered and has left
    games: int = 0  # with `missing` the progress of the last published round, or of the stage that is being played
    missing: int = 0
    stage: int = 0  # of the knock-out
    stages: int = 0
    system: KnockoutSystem = KnockoutSystem.SINGLE
    earlier: int = 0  # the first published round that lacks a result (0: none); `ENTER_EARLIER` is about it

    @property
    def entered(self) -> int:
        """How many results have been entered."""
        return self.games - self.missing

    @property
    def is_before_play(self) -> bool:
        """Whether nothing is published yet, of the rounds or of a knock-out without any (`number` 0)."""
        if self.step == DirectorStep.CONFIRM_SEEDS:
            return not self.number
        return self.number <= 1 and self.step in (DirectorStep.ENTER_PLAYERS, DirectorStep.PAIR, DirectorStep.PUBLISH)


def get_division_phase(division: Division, progress: list[RoundProgress] | None = None) -> DivisionPhase:
    """The phase of a division, drafts included. Three queries; five more once a knock-out is seeded."""
    rounds = list_league_rounds(division, drafts=True) if progress is None else progress
    left = Count("pk", filter=Q(withdrawn_after__isnull=False))
    counted = division.entries.aggregate(entered=Count("pk"), withdrawn=left)
    # Whoever has left counts no more: an event whose second player withdraws before round 1 has nobody to pair.
    players = counted["entered"] - counted["withdrawn"]
    planned = count_planned_rounds(division)
    done_count = sum(1 for item in rounds if not item.round.is_draft and not item.missing)
    earlier = next((item.round.number for item in rounds if not item.round.is_draft and item.missing), 0)
    seeds = Seed.objects.filter(knockout=OuterRef("pk"))
    announced = Knockout.objects.filter(division=division).annotate(seeded=Exists(seeds)).first()
    begun = DivisionPhase(DirectorStep.FINISHED, 1, planned, done_count, players, counted["withdrawn"], earlier=earlier)
    if announced is not None and announced.seeded:
        return _get_knockout_phase(division, replace(begun, number=rounds[-1].round.number if rounds else 0))
    return _get_league_phase(begun, rounds, announced)


def _get_league_phase(begun: DivisionPhase, found: list[RoundProgress], announced: Knockout | None) -> DivisionPhase:
    """The phase while the rounds of the league go on; a knock-out that is `announced` follows them, or is
    all that is played."""
    if not found and announced is not None and not begun.planned:
        # Nothing but the knock-out: it is seeded as soon as it has its players.
        step = DirectorStep.CONFIRM_SEEDS if begun.entries >= announced.size else DirectorStep.ENTER_PLAYERS
        return replace(begun, number=0, step=step)
    if not found:
        return replace(begun, step=DirectorStep.PAIR if begun.entries >= FEWEST_TO_PAIR else DirectorStep.ENTER_PLAYERS)
    last = found[-1]
    if last.round.is_draft:
        return replace(begun, number=last.round.number, step=DirectorStep.PUBLISH)
    # In a league over weeks later rounds are published, too: results are awaited from the round that is played by now.
    of_day = find_round_of_day(found, localdate()) or last
    last = next((item for item in found if item.round.number >= of_day.round.number and item.missing), last)
    now = replace(begun, number=last.round.number)
    now = replace(now, games=last.games)
    if last.missing:
        return replace(now, step=DirectorStep.ENTER_RESULTS, missing=last.missing)
    if not now.planned or now.number < now.planned:
        return replace(now, step=DirectorStep.PAIR, number=now.number + 1)
    # Every planned round has been paired and the last one is complete.
    # An earlier round that is open again comes before all this: the seeding is a copy of a table that still changes.
    step = DirectorStep.FINISHED if last.round.state == Round.State.CLOSED else DirectorStep.CLOSE
    if announced is not None:
        step = DirectorStep.CONFIRM_SEEDS
    return replace(now, step=DirectorStep.ENTER_EARLIER if now.earlier else step)


def _get_knockout_phase(division: Division, over: DivisionPhase) -> DivisionPhase:
    """The phase once the knock-out is seeded: the first stage that is not over, `over` when all are."""
    state = load_knockout_state(division)
    assert state is not None  # it has seeds
    stages = state.bracket.stages
    over = replace(over, stages=len(stages), system=state.bracket.rules.system)
    for number, stage in enumerate(stages, 1):
        if all(match.is_over for match in stage):
            continue
        # Only games that are certain to be needed exist (TSO 6.2): a third one that may not be played is not missing.
        due = [game for match in stage for game in match.needed]
        missing = sum(game.is_open for game in due)
        waits = {match.waits_for for match in stage}
        step = DirectorStep.KNOCKOUT_RESULTS
        if not missing and WaitsFor.LOT in waits:
            step = DirectorStep.DRAW_LOT
        elif not missing and WaitsFor.OWN in waits:
            step = DirectorStep.ENTER_WINNER
        return replace(over, step=step, games=len(due), missing=missing, stage=number)
    return replace(over, step=DirectorStep.ENTER_EARLIER if over.earlier else over.step)
