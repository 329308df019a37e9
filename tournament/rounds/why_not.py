"""“Why not …?”: a round drawn once more with two players who must meet, and what that would cost."""

import threading

from django.core.cache import cache
from django.utils.translation import gettext_lazy as _

from tournament.basics.refusals import Refusal
from tournament.models import Entry, Pairing, Round
from tournament.pairing.values import Method, RequestImpossible
from tournament.pairing.why_not import CostComparison, compare_pairings
from tournament.results.league_games import list_division_entries
from tournament.rounds.draw_request import build_chosen_pair, rebuild_draw_request
from tournament.rounds.words import describe_obstacles

ANSWER_KEPT_SECONDS = 3600  # a new revision asks anew
_DRAW_LOCK = threading.Lock()  # anybody may ask and each answer takes a draw: they never take more than one processor


class SamePlayerTwice(Refusal, code="one_player"):
    message = _("Choose two players; %(name)s does not play against themselves.")


class PlayerNotSeated(Refusal, code="not_there"):
    message = _("%(name)s does not play in round %(number)s.")


def answer_why_not(round: Round, pairings: list[Pairing], one: Entry, other: Entry) -> CostComparison:
    """What it would cost to let the two meet: the round paired again with them held; its `pairings` have their players.
    An older round is asked by its own facts: its method, its table, the games before it, and who was there. Raises
    `SamePlayerTwice`, `PlayerNotSeated`, `they_meet`, `not_chosen`, `boards_of_teams`, or `no_pairing` with
    what is in the way.
    """
    there = [paired for paired in pairings if paired.kind != Pairing.Kind.ABSENT]
    seated = {seat.entry: paired for paired in there for seat in paired.seats.all()}
    if one == other:
        raise SamePlayerTwice(name=one.name)
    for entry in (one, other):
        if entry not in seated:
            raise PlayerNotSeated(name=entry.name, number=round.number)
    if seated[one] == seated[other]:
        raise Refusal(
            "they_meet",
            _("%(one)s and %(other)s do meet in round %(number)s, at table %(table)s."),
            one=one.name,
            other=other.name,
            number=round.number,
            table=seated[one].table,
        )
    if round.method == Method.TEAMS:
        raise Refusal(
            "boards_of_teams",
            _("In round %(number)s teams meet: who plays whom follows from their line-ups."),
            number=round.number,
        )
    if round.method == Method.MANUAL:
        raise Refusal(
            "not_chosen", _("The program did not choose the pairings of round %(number)s."), number=round.number
        )
    key = f"why-not-{round.division.tournament_id}-{round.division.tournament.revision}-{round.pk}-{one.pk}-{other.pk}"
    comparison: CostComparison | None = cache.get(key)
    if comparison is None:
        with _DRAW_LOCK:
            # Ten phones ask the same as soon as a round is out: whoever has waited finds the first one's answer.
            comparison = cache.get(key)
            if comparison is None:
                comparison = _compare_round(round, there, list(seated), one, other)
                cache.set(key, comparison, ANSWER_KEPT_SECONDS)
    return comparison


def _compare_round(
    round: Round, pairings: list[Pairing], present: list[Entry], one: Entry, other: Entry
) -> CostComparison:
    request = rebuild_draw_request(round, present)
    try:
        return compare_pairings(request, [build_chosen_pair(paired) for paired in pairings], one.pk, other.pk)
    except RequestImpossible as impossible:
        names = {entry.pk: entry.name for entry in list_division_entries(round.division)}
        message, why = _("With these two round %(number)s cannot be paired: %(why)s"), impossible.obstacles
        raise Refusal("no_pairing", message, number=round.number, why=describe_obstacles(why, names)) from impossible
