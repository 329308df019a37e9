"""What a result would change: the ranks now, and the later rounds that were paired on the old figures.

Reads only. A correction never touches what has been played; this says how it would have been otherwise.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from scoring import standings
from tournament import pairing
from tournament.models import Division, Entry, Pairing, Round
from tournament.pairing import values
from tournament.pairing.values import Method
from tournament.plan import segments
from tournament.queries import draw_request, league
from tournament.reports import Report
from tournament.whatif import knockout as knockout_consequences
from tournament.whatif.knockout import KnockoutChange, SeedChange


@dataclass(frozen=True, slots=True)
class RankChange:
    """A player's row in the table as it is and as it would be."""

    entry: Entry
    before: standings.Standing
    after: standings.Standing

    @property
    def changes_rank(self) -> bool:
        return self.before.rank != self.after.rank


@dataclass(frozen=True, slots=True)
class LaterRound:
    """A later round that was paired on a table with the old result in it.

    `otherwise` holds the pairs (a bye: the player and None) that the same draw would have made on the new table, and
    did not on the old one. None: nobody can say (paired by hand, or no longer possible).
    """

    round: Round
    otherwise: tuple[tuple[Entry, Entry | None], ...] | None


@dataclass(frozen=True, slots=True)
class Consequences:
    """What a result would change.

    In the league, `players` are those at the table, `moves` everybody whose rank changes, `seeding` everybody who would
    have another place in a knock-out that is seeded already. A game of the knock-out has only `knockout`.
    """

    after: int = 0
    players: tuple[RankChange, ...] = ()
    moves: tuple[RankChange, ...] = ()
    later: tuple[LaterRound, ...] = ()
    seeding: tuple[SeedChange, ...] = ()
    knockout: KnockoutChange | None = None


def of(at: Pairing, report: Report | None) -> Consequences:
    """What would change if `report` became the official result of a pairing, or (None) if its result were withdrawn.

    `at` has its players fetched. The number of queries depends only on the number of later league rounds.
    """
    if at.round.is_knockout:
        return Consequences(knockout=knockout_consequences.of(at, report))
    division, number = at.round.division, at.round.number
    everybody = league.entries(division)
    now = league.games(division)
    then = _with(now, at, report)
    last = max((game.round for game in (*now, *then)), default=0)
    everybody = league.in_table(everybody, [*now, *then], last)
    tables = [
        {row.player: row for row in league.rank(division, everybody, played, after=last)} for played in (now, then)
    ]
    moves = tuple(
        RankChange(entry, tables[0][entry.pk], tables[1][entry.pk])
        for entry in sorted(everybody, key=lambda entry: (tables[1][entry.pk].rank or len(everybody), entry.position))
    )
    seated = {seat.entry_id for seat in at.seats.all()}
    return Consequences(
        after=last,
        players=tuple(move for move in moves if move.entry.pk in seated),
        moves=tuple(move for move in moves if move.changes_rank),
        later=tuple(_later(division, number, now, then)),
        seeding=knockout_consequences.seeding(division, *(_order(everybody, table) for table in tables)),
    )


def _order(everybody: Sequence[Entry], table: Iterable[standings.Key]) -> list[Entry]:
    """Everybody who can be seeded, in the order of a table."""
    by_key: dict[standings.Key, Entry] = {entry.pk: entry for entry in everybody}
    return [by_key[key] for key in table if not by_key[key].is_withdrawn]


def _with(games: Sequence[standings.Game], at: Pairing, report: Report | None) -> list[standings.Game]:
    """The games with `report` in the place of the pairing's own."""
    number, first, second = at.round.number, at.first.pk, at.second
    others = [game for game in games if (game.round, game.first) != (number, first)]
    if report is None:
        return others
    return [*others, report.game(number, first, second.pk if second else None)]


def _later(division: Division, number: int, now: list[standings.Game], then: list[standings.Game]) -> list[LaterRound]:
    rounds = Round.objects.league().filter(division=division, number__gt=number, based_on__gte=number).in_order()
    return [LaterRound(round, _otherwise(division, round, now, then)) for round in rounds]


def _otherwise(
    division: Division, round: Round, now: list[standings.Game], then: list[standings.Game]
) -> tuple[tuple[Entry, Entry | None], ...] | None:
    """The pairs of the round's own draw, repeated on the new table, that the old table did not give."""
    if round.method == Method.MANUAL:
        return None
    pairings = league.pairings(round)
    field = {seat.entry_id: seat.entry for each in pairings if each.kind != "absent" for seat in each.seats.all()}
    segment = segments.for_round(segments.read(division.plan), round.number)
    request = draw_request.request(
        division,
        round.number,
        segment=replace(segment, method=round.method, repeats=round.repeats),
        seed=round.seed,
        based_on=round.based_on,
        present=list(field.values()),
        given=[draw_request.given(each) for each in pairings if each.locked],
        results=now,
    )
    based_on = round.number - 1 if round.based_on is None else round.based_on
    ranked_anew = draw_request.competitors(division, list(field.values()), based_on, then)
    try:
        old, new = pairing.draw(request), pairing.draw(replace(request, competitors=ranked_anew))
    except values.Impossible:
        return None
    known = {frozenset((pair.first, pair.second)) for pair in old.pairs}
    return tuple(
        (field[pair.first], field[pair.second] if pair.second is not None else None)
        for pair in new.pairs
        if frozenset((pair.first, pair.second)) not in known
    )
