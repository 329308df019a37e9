"""The state of results that are typed twice: typed once, alike, settled from the paper, or different."""

from collections.abc import Collection
from enum import StrEnum

from games.models import SecondEntry
from scoring.awards import Outcome
from tournament.models import Pairing, Result, Round, Tournament

TYPED_BY_ONE = (Result.How.TYPED, Result.How.TERMINAL)
"""How a result comes that one person has typed. Two players who reported the same are two already."""


class SecondEntryState(StrEnum):
    """How a result stands."""

    ALONE = "alone"  # nobody types it again: it was not simply played, or was not typed by one person
    ONCE = "once"
    CHECKED = "checked"  # typed twice, alike
    SETTLED = "settled"  # typed twice, not alike, and settled from the paper
    DIFFERS = "differs"  # typed twice, not alike: to be settled from the paper


OPEN_STATES = (SecondEntryState.ONCE, SecondEntryState.DIFFERS)
"""How results stand that nobody but those who type them shall see yet."""


def get_second_entry_state(result: Result, again: SecondEntry | None) -> SecondEntryState:
    """How an official result stands beside its second entry."""
    if again is None:
        # An award or a bye is decided by somebody and not read from two slips: nobody types it again, and nothing waits
        # for that.
        is_checked = result.how in TYPED_BY_ONE and result.outcome == Outcome.PLAYED
        return SecondEntryState.ONCE if is_checked else SecondEntryState.ALONE
    if (result.first_points, result.second_points) != (again.first_points, again.second_points):
        return SecondEntryState.DIFFERS
    return SecondEntryState.SETTLED if again.is_settled else SecondEntryState.CHECKED


def find_second_entries(pairings: Collection[int]) -> dict[int, SecondEntry]:
    """The second entries of these pairings. One query."""
    return {second_entry.pairing_id: second_entry for second_entry in SecondEntry.objects.filter(pairing__in=pairings)}


def find_unconfirmed_results(tournament: Tournament) -> frozenset[int]:
    """The pairings of rounds being played whose official result the public does not see yet: it has been typed once, or
    twice and not alike. At most two queries."""
    # Once the event is over everything is shown: a slip that nobody has typed again must not hide a result for good.
    if not tournament.results_twice or tournament.is_ended:
        return frozenset()
    results = Result.objects.filter(official=True, pairing__round__division__tournament=tournament)
    playing = list(results.filter(pairing__round__state=Round.State.PUBLISHED, pairing__kind=Pairing.Kind.GAME))
    again = find_second_entries([result.pairing_id for result in playing])
    states = {result.pairing_id: get_second_entry_state(result, again.get(result.pairing_id)) for result in playing}
    return frozenset(pairing for pairing, state in states.items() if state in OPEN_STATES)


def count_unsettled_results(round: Round) -> int:
    """How many results of a round (`division__tournament` fetched) are to be typed a second time or settled; 0 if typed
    once. Two queries."""
    if not round.division.tournament.results_twice:
        return 0
    results = list(Result.objects.filter(official=True, pairing__round=round, pairing__kind=Pairing.Kind.GAME))
    again = find_second_entries([result.pairing_id for result in results])
    states = [get_second_entry_state(result, again.get(result.pairing_id)) for result in results]
    return sum(state in OPEN_STATES for state in states)
