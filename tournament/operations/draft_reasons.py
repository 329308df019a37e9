"""The reasons and notes of a draft, made anew when the director or somebody's coming or going has changed it."""

from collections.abc import Sequence
from dataclasses import replace

from tournament import pairing
from tournament.models import Division, Entry, Pairing, Round
from tournament.operations import drafts
from tournament.operations.change import Change
from tournament.pairing import values
from tournament.pairing.values import Method
from tournament.plan import segments
from tournament.queries import draw_request, league
from tournament.queries.draw_request import WhatIf


def explain_anew(log: Change, *divisions: Division) -> None:
    """Explain the drafts of these divisions anew within a change that is open; their pairs stay."""
    for round in Round.objects.league().filter(division__in=divisions, state=Round.State.DRAFT).order_by("pk"):
        round.division.tournament = log.tournament
        _renew(log, round)


def _renew(log: Change, round: Round) -> None:
    pairings = stored(round)
    draft = kept(round, _request(round, pairings))
    made = {frozenset((pair.first, pair.second)): pair for pair in draft.pairs}
    for pairing_ in pairings:
        second = pairing_.second
        pair = made[frozenset((pairing_.first.pk, second.pk if second else None))]
        log.save(pairing_, flags=drafts.flags(pair), why=draw_request.why(pair))
    log.save(round, notes=notes(round, draft))


def _request(round: Round, pairings: list[Pairing]) -> values.DrawRequest:
    """The request that the draft answers, everybody in it who is there or still seated, at the tables they have."""
    there = {entry.pk: entry for entry in draw_request.field(round.division, round.number)[0]}
    there |= {seat.entry_id: seat.entry for pairing_ in pairings for seat in pairing_.seats.all()}
    given = [replace(draw_request.given(pairing_), table=pairing_.table) for pairing_ in pairings]
    return request(round, list(there.values()), given)


def request(
    round: Round,
    present: Sequence[Entry],
    given: Sequence[values.Given],
    seed: int | None = None,
    *,
    what_if: WhatIf | None = None,
) -> values.DrawRequest:
    """The request that a stored round answers, or would with another seed or other results, with these pairs kept."""
    return draw_request.request(
        round.division,
        round.number,
        segment=replace(segment_of(round), repeats=round.repeats),
        seed=round.seed if seed is None else seed,
        based_on=round.based_on,
        present=present,
        given=given,
        what_if=what_if,
    )


def segment_of(round: Round) -> segments.Segment:
    """The plan's segment for a drafted round, or one of its own if the director chose another method."""
    segment = segments.for_round(segments.read(round.division.plan), round.number)
    return segment if segment.method == round.method else segments.Segment(round.number, round.number, round.method)


def kept(round: Round, asked: values.DrawRequest) -> values.Draft:
    """The draft that holds the request's pairs and no others, explained by the method that drew the round."""
    names = drafts.names_of(league.entries(round.division))
    draft = drafts.draw_or_refuse(replace(asked, method=Method.MANUAL), names)
    return pairing.explain(replace(draft, groups=tuple(tuple(group) for group in round.groups)), asked)


def notes(round: Round, draft: values.Draft) -> list[dict[str, object]]:
    """A changed draft's notes, and those on the round that stay true whatever is changed by hand."""
    return [*draw_request.notes(draft), *draw_request.lasting_notes(round)]


def stored(round: Round) -> list[Pairing]:
    """The draft's games and byes with their players."""
    pairings = Pairing.objects.filter(round=round).exclude(kind=Pairing.Kind.ABSENT)
    return list(pairings.with_players().by_table())
