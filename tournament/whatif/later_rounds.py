"""What the draws of later rounds would give on a table with another result in it."""

from collections.abc import Iterator, Sequence

from scoring import standings
from tournament import pairing
from tournament.models import Entry, Pairing, Round
from tournament.operations import draft_reasons
from tournament.pairing import values
from tournament.pairing.values import Method
from tournament.queries import draw_request, league
from tournament.queries.draw_request import WhatIf
from tournament.reports import Report
from tournament.words.consequences import Redrawn, RedrawnRound

Pairs = list[frozenset[int | None]]
"""Who meets whom, in the order of the tables; a bye: the player and None."""


def of(
    at: Pairing, report: Report | None, now: list[standings.Game], then: list[standings.Game]
) -> Iterator[RedrawnRound]:
    """The later rounds that were paired on a table with the pairing's result in it, `now` and `then` the games."""
    found = Round.objects.league().filter(
        division=at.round.division, number__gt=at.round.number, based_on__gte=at.round.number
    )
    for round in found.in_order():
        round.division = at.round.division
        if round.method == Method.MANUAL:
            yield _told(round, Redrawn.BY_HAND)
        else:
            yield _compared(round, WhatIf(now, {}), WhatIf(then, {at.pk: report}))


def _compared(round: Round, now: WhatIf, then: WhatIf) -> RedrawnRound:
    """What the round's own draw gives on the new table, beside the pairs that it has.

    Where it no longer gives these on the table as it stands, something else has changed since it was drawn; what comes
    of the result alone can be said then only if it brings them back.
    """
    pairings = [each for each in league.pairings(round) if each.kind != Pairing.Kind.ABSENT]
    players = {seat.entry_id: seat.entry for each in pairings for seat in each.seats.all()}
    kept = [draw_request.given(each) for each in pairings if each.locked or values.Flag.MANUAL in each.flags]
    has = [frozenset((each.first.pk, each.second.pk if each.second else None)) for each in pairings]
    anew = _drawn(round, list(players.values()), kept, then)
    if anew is not None and set(anew) == set(has):
        return _told(round, Redrawn.SAME)
    as_it_stands = _drawn(round, list(players.values()), kept, now)
    if anew is None or as_it_stands is None or set(as_it_stands) != set(has):
        return _told(round, Redrawn.UNKNOWN)
    names: dict[int | None, str] = {None: ""} | {key: entry.name for key, entry in players.items()}
    otherwise = [sorted(filter(None, (names[key] for key in pair))) for pair in anew if pair not in has]
    return _told(round, Redrawn.OTHERWISE, tuple(map(tuple, otherwise)), keeps=bool(kept))


def _told(
    round: Round, redrawn: Redrawn, pairs: tuple[tuple[str, ...], ...] = (), *, keeps: bool = False
) -> RedrawnRound:
    based_on = round.number - 1 if round.based_on is None else round.based_on
    return RedrawnRound(round.number, based_on, round.is_draft, redrawn, pairs, keeps)


def _drawn(round: Round, players: Sequence[Entry], kept: Sequence[values.Given], results: WhatIf) -> Pairs | None:
    """The pairs that the round's draw gives on these results; None if none is possible."""
    asked = draft_reasons.request(round, players, kept, what_if=results)
    try:
        return [frozenset((pair.first, pair.second)) for pair in pairing.draw(asked).pairs]
    except values.Impossible:
        return None
