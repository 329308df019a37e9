"""How the results of a round stand that are typed twice: by whom, whether both say the same, what is to be settled."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from games.models import SecondEntry
from scoring.awards import Outcome
from tournament.models import Division, Pairing, Result, Round
from tournament.operations.change import Actor
from tournament.queries import league

TYPED = (Result.How.TYPED, Result.How.TERMINAL)
"""How a result comes that one person has typed. Two players who reported the same are two already."""


class SecondEntryState(StrEnum):
    """How a result stands."""

    ALONE = "alone"
    """Nobody types it again: it was not simply played, or was not typed by one person."""
    ONCE = "once"
    """Typed once."""
    CHECKED = "checked"
    """Typed twice, alike."""
    SETTLED = "settled"
    """Typed twice, not alike, and settled from the paper."""
    DIFFERS = "differs"
    """Typed twice, not alike: to be settled from the paper."""


OPEN = (SecondEntryState.ONCE, SecondEntryState.DIFFERS)


def kind(result: Result, again: SecondEntry | None) -> SecondEntryState:
    """How an official result stands beside its second entry."""
    if again is None:
        return (
            SecondEntryState.ONCE
            if result.how in TYPED and result.outcome == Outcome.PLAYED
            else SecondEntryState.ALONE
        )
    if (result.first_points, result.second_points) != (again.first_points, again.second_points):
        return SecondEntryState.DIFFERS
    return SecondEntryState.SETTLED if again.is_settled else SecondEntryState.CHECKED


def is_by(row: Result | SecondEntry, actor: Actor) -> bool:
    """Whether somebody has typed this: the account, or the device with the code."""
    return (row.by_id, row.by_name) == (actor.primary_key, actor.shown_name)


def of(pairings: Collection[int]) -> dict[int, SecondEntry]:
    """The second entries of these pairings. One query."""
    return {each.pairing_id: each for each in SecondEntry.objects.filter(pairing__in=pairings)}


@dataclass(frozen=True, slots=True)
class CheckedRound:
    """How the results of a round stand that are typed twice, each table with its kind."""

    round: Round
    kinds: Mapping[int, SecondEntryState]
    tables: Mapping[int, int | None]

    def of_kind(self, *kinds: SecondEntryState) -> list[int]:
        """The tables that stand like this, in order."""
        return [self.tables[pk] or 0 for pk, found in self.kinds.items() if found in kinds]


def checked(round: Round) -> CheckedRound:
    """How far a round is that is typed twice. Four queries."""
    games = [each for each in league.pairings(round) if each.kind == Pairing.Kind.GAME]
    again = of([each.pk for each in games])
    kinds = {each.pk: kind(each.result, again.get(each.pk)) for each in games if each.result is not None}
    return CheckedRound(round, kinds, {each.pk: each.table for each in games})


def unsettled(round: Round) -> int:
    """How many results of a round are not typed a second time, or differ; 0 where they are typed once only."""
    if not round.division.tournament.results_twice:
        return 0
    return len(checked(round).of_kind(*OPEN))


def differing(division: Division) -> list[Pairing]:
    """The games of a division whose results are to be settled from the paper, by round and table. Four queries, none
    where results are typed once."""
    if not division.tournament.results_twice:
        return []
    typed = Pairing.objects.filter(round__division=division, second_entry__isnull=False)
    typed = typed.select_related("round__division__knockout").with_players().with_results()
    found = list(typed.order_by("round__number", "table", "pk"))
    again = of([each.pk for each in found])
    return [each for each in found if each.result and kind(each.result, again[each.pk]) == SecondEntryState.DIFFERS]
