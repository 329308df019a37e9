"""A division whose knock-out is announced, seeded and played as far as a test needs it."""

from collections.abc import Sequence

from django.db.models import Q

from scoring.awards import AwardReason, Outcome
from scoring.knockout_values import FactKind, Match
from tests import factories
from tournament.archive.replaying import find_journal_differences
from tournament.core.reports import PlayerReport, Report
from tournament.knockout.operations import announce_knockout, confirm_seeds, mark_fact_not_recorded
from tournament.knockout.plan import KnockoutPlan
from tournament.models import Division, Entry, NotRecorded, Pairing, Result
from tournament.results.knockout_state import load_knockout_state
from tournament.results.operations import record_result

Score = tuple[int, int]


def seeded(size: int = 4, *, players: int = 6, form: str = "single", rounds: int = 1, **announced: object) -> Division:
    """A division with a league round played and its knock-out seeded in the order of entry."""
    division = factories.event(players=players, rounds=rounds)
    for _number in range(rounds):
        factories.played(division)
    announce(division, size, form=form, **announced)
    confirm_seeds(division, seeds=field(division)[:size], actor=factories.director())
    return factories.fresh(division)


def league() -> Division:
    """Six players, one round planned and played."""
    division = factories.event(players=6, rounds=1)
    factories.played(division, (450, 350), (440, 360), (430, 370))
    return factories.fresh(division)


def announce(division: Division, size: int = 4, **announced: object) -> None:
    announce_knockout(
        division,
        plan=KnockoutPlan(size=size, **announced),  # type: ignore[arg-type]  # a test names what it needs
        actor=factories.director(),
    )


def field(division: Division) -> list[Entry]:
    """Everybody in the order of entry: seed 1 first."""
    return list(Entry.objects.filter(division=division).with_names().in_order())


def game(division: Division, stage: int, position: int = 1, number: int = 1) -> Pairing:
    """A game of the knock-out as a page would fetch it."""
    found = Pairing.objects.select_related("round__division__tournament", "round__division__knockout")
    found = found.filter(round__division=division, round__stage=stage, round__game=number)
    return found.with_players().with_results().get(Q(position=position) | Q(position=None, table=position))


def report(first: int | None, second: int | None, outcome: Outcome = Outcome.PLAYED, **sides: object) -> Report:
    reason = None if outcome == Outcome.PLAYED else AwardReason.NO_SHOW if first is None else AwardReason.DISQUALIFIED
    return Report(outcome, PlayerReport(points=first), PlayerReport(points=second), reason=reason)


def play(
    division: Division,
    stage: int,
    position: int,
    number: int,
    first: int | None,
    second: int | None,
    outcome: Outcome = Outcome.PLAYED,
    *,
    disturb: Sequence[int] = (),
) -> Result:
    """The result of a game, points of the starter first."""
    return record_result(
        game(division, stage, position, number),
        report=report(first, second, outcome),
        actor=factories.director(),
        expected_version=None,
        disturb=disturb,
    )


def level(division: Division, stage: int = 1, position: int = 1, number: int = 1) -> Result:
    """A single game that ends level, of which nobody wrote down the best plays: only lots are left."""
    result = play(division, stage, position, number, 400, 400)
    not_recorded(division, stage, position)
    return result


def not_recorded(
    division: Division, stage: int = 1, position: int = 1, fact: FactKind = FactKind.HIGHEST_MOVE
) -> NotRecorded:
    """What the director says nobody wrote down."""
    return mark_fact_not_recorded(division, stage=stage, position=position, fact=fact, actor=factories.director())


def semis(division: Division) -> None:
    """Both semi-finals of single games, won by who starts."""
    play(division, 1, 1, 1, 420, 380)
    play(division, 1, 2, 1, 410, 390)


def games(division: Division) -> dict[tuple[int, int, int], tuple[str, str]]:
    """Every stored game of the knock-out: who starts, who replies."""
    found = Pairing.objects.filter(round__division=division, round__stage__isnull=False)
    return {
        (pairing.round.stage or 0, pairing.match_position or 0, pairing.round.game or 0): (
            pairing.first.key,
            pairing.second.key if pairing.second else "",
        )
        for pairing in found.select_related("round").with_players()
    }


def match(division: Division, stage: int, position: int = 1) -> Match:
    """A match as it stands."""
    state = load_knockout_state(division)
    assert state is not None
    return state.bracket.match(stage, position)


def replayed(division: Division) -> list[str]:
    """Where the journal does not explain what is stored, besides the plan that the factory writes past it."""
    return [fault for fault in find_journal_differences(division.tournament) if ".plan:" not in fault]
