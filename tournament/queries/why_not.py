"""“Why not …?”: what it would cost to let two players meet in a round that is drafted or published."""

import threading
from dataclasses import dataclass, replace

from django.core.cache import cache
from django.utils.translation import gettext_lazy as _

from tournament import pairing
from tournament.models import Entry, Pairing, Round
from tournament.pairing import values
from tournament.pairing.values import Method
from tournament.pairing.why_not import CostComparison
from tournament.plan import segments
from tournament.queries import draw_request, league
from tournament.refusals import Refusal
from tournament.words import draws

KEPT_SECONDS = 3600
"""How long an answer is kept; a new revision asks anew."""

_one_at_a_time = threading.Lock()
"""Anybody may ask and each answer takes a draw: so they never take more than one processor."""


class TheyMeet(Refusal):
    code = "they_meet"
    message = _("%(one)s and %(other)s do meet in round %(number)s, at table %(table)s.")


class OnePlayer(Refusal):
    code = "one_player"
    message = _("Choose two players; %(name)s does not play against themselves.")


class NotThere(Refusal):
    code = "not_there"
    message = _("%(name)s does not play in round %(number)s.")


class NotChosen(Refusal):
    code = "not_chosen"
    message = _("The program did not choose the pairings of round %(number)s.")


class NoPairing(Refusal):
    code = "no_pairing"
    message = _("With these two round %(number)s cannot be paired: %(why)s")


@dataclass(frozen=True, slots=True)
class WhyNot:
    """What it would cost to let `one` meet `other` in a round, with everybody's entry."""

    round: Round
    one: Entry
    other: Entry
    comparison: CostComparison
    players: dict[int, Entry]


def why_not(round: Round, pairings: list[Pairing], one: Entry, other: Entry) -> WhyNot:
    """The round paired again with these two held; `pairings` are the round's, with players.

    An older round is asked by its own facts: its method, its table, the games before it, and who was there. Raises
    `OnePlayer`, `NotThere`, `TheyMeet`, `NotChosen`, or `NoPairing` with what stands in the way.
    """
    _refuse(round, pairings, one, other)
    players = {seat.entry_id: seat.entry for paired in pairings for seat in paired.seats.all()}
    key = f"why-not-{round.division.tournament_id}-{round.division.tournament.revision}-{round.pk}-{one.pk}-{other.pk}"
    comparison = cache.get(key)
    if comparison is None:
        with _one_at_a_time:
            comparison = _compared(round, pairings, one, other)
        cache.set(key, comparison, KEPT_SECONDS)
    return WhyNot(round, one, other, comparison, players)


def _refuse(round: Round, pairings: list[Pairing], one: Entry, other: Entry) -> None:
    number = round.number
    if one == other:
        raise OnePlayer(name=one.name)
    seated = {entry: paired for paired in pairings if paired.kind != Pairing.Kind.ABSENT for entry in _both(paired)}
    for entry in (one, other):
        if entry not in seated:
            raise NotThere(name=entry.name, number=number)
    if seated[one] == seated[other]:
        raise TheyMeet(one=one.name, other=other.name, number=number, table=seated[one].table)
    if round.method == Method.MANUAL:
        raise NotChosen(number=number)


def _both(paired: Pairing) -> list[Entry]:
    return [seat.entry for seat in paired.seats.all()]


def _compared(round: Round, pairings: list[Pairing], one: Entry, other: Entry) -> CostComparison:
    there = [paired for paired in pairings if paired.kind != Pairing.Kind.ABSENT]
    request = _request(round, [entry for paired in there for entry in _both(paired)])
    stored = [draw_request.given(paired) for paired in there]
    try:
        return pairing.compare(request, stored, one.pk, other.pk)
    except values.Impossible as impossible:
        names = {entry.pk: entry.name for entry in league.entries(round.division)}
        raise NoPairing(number=round.number, why=draws.obstacles(impossible.obstacles, names)) from impossible


def _request(round: Round, present: list[Entry]) -> values.DrawRequest:
    """What the round was drawn from, as far as it is stored: its method, seed, table, and the games before it."""
    segment = segments.for_round(segments.read(round.division.plan), round.number)
    if segment.method != round.method:
        segment = segments.Segment(round.number, round.number, round.method)
    return draw_request.request(
        round.division,
        round.number,
        segment=replace(segment, repeats=round.repeats),
        seed=round.seed,
        based_on=round.based_on,
        present=present,
    )
