"""Drafts: pairing the next round. A draft is seen by nobody but the director."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import SystemRandom

from django.utils.translation import gettext_lazy as _

from tournament import pairing
from tournament.models import Division, Entry, Pairing, Round, Seat, Seed
from tournament.operations.change import Actor, Change, change
from tournament.operations.setup import require_pairs
from tournament.pairing import values
from tournament.pairing.values import Method
from tournament.plan import segments
from tournament.queries import draw_request, league
from tournament.refusals import Refusal
from tournament.words import draws

SEEDS = 2**31
"""Seeds run from 1 to this."""


@dataclass(frozen=True, slots=True)
class DrawWish:
    """What the director asks of a draw; a field that is None follows the plan."""

    method: str | None = None
    seed: int | None = None
    based_on: int | None = None
    repeats: bool | None = None
    accept_missing: bool = False

    @property
    def asked(self) -> dict[str, object]:
        """What is asked of the draw besides the plan, for the journal."""
        asked = {"method": self.method, "seed": self.seed, "based_on": self.based_on, "repeats": self.repeats}
        return {name: value for name, value in asked.items() if value is not None}


class ResultsMissing(Refusal):
    code = "results_missing"
    message = _(
        "Round %(number)s still lacks %(missing)s result(s), at table %(tables)s. "
        "Enter them, or pair on the table after round %(earlier)s, or say that they are to count as open."
    )


class KnockoutBegun(Refusal):
    code = "knockout_begun"
    message = _(
        "Round %(number)s cannot be paired: the knock-out is seeded from the table, and another round would change "
        "that. Take the seeding back first, as long as nothing of the knock-out is played."
    )


class BasisUnknown(Refusal):
    code = "basis_unknown"
    message = _("There is no table after round %(based_on)s to pair round %(number)s on: 0 to %(last)s are possible.")
    field = "based_on"


class MethodUnknown(Refusal):
    code = "method_unknown"
    message = _("“%(method)s” is not a method of pairing. Possible are: %(allowed)s.")
    field = "method"


class TooFewPlayers(Refusal):
    code = "too_few_players"
    message = _("Round %(number)s has %(players)s player(s) to pair; two are needed.")


class DrawImpossible(Refusal):
    """No complete pairing is possible; `obstacles` says which rules prevent it, and what relaxing them gives."""

    code = "draw_impossible"
    message = _("Round %(number)s cannot be paired: %(why)s")

    def __init__(self, *, number: int, why: str, obstacles: tuple[values.Obstacle, ...]) -> None:
        super().__init__(number=number, why=why)
        self.obstacles = obstacles


def draft_round(division: Division, *, actor: Actor, wish: DrawWish = DrawWish()) -> Round:
    """Pair the next round as a draft; an existing draft is replaced, a published round never.

    Raises `ResultsMissing` unless the wish accepts that or pairs on an earlier table, `TooFewPlayers`, `NobodyPaired`,
    `KnockoutBegun`, `BasisUnknown`, `MethodUnknown` and `DrawImpossible`.
    """
    require_pairs(division.tournament)
    with change(division.tournament, actor=actor, verb="draft_round", division=division.name) as log:
        number = league.last_round(division) + 1
        log.tell(round=number, **wish.asked)
        if Seed.objects.filter(knockout__division=division).exists():
            raise KnockoutBegun(number=number)
        segment = _segment(division, number, wish)
        based_on = _basis(division, number, segment, wish)
        present, charged = draw_request.field(division, number)
        if len(present) < 2:
            raise TooFewPlayers(number=number, players=len(present))
        draft = draw_or_refuse(
            draw_request.request(
                division,
                number,
                segment=segment,
                seed=wish.seed if wish.seed is not None else new_seed(),
                based_on=based_on,
                present=present,
            ),
            names_of(present),
        )
        _clear_draft(log, division)
        round = _create_draft(log, division, segment, draft, number=number, based_on=based_on)
        write_absent(log, round, charged)
        return round


def _clear_draft(log: Change, division: Division) -> None:
    """Take away the draft that there was, with its pairs."""
    for old in Round.objects.league().filter(division=division, state=Round.State.DRAFT):
        clear(log, old)
        log.delete(old)


def _create_draft(
    log: Change, division: Division, segment: segments.Segment, draft: values.Draft, *, number: int, based_on: int
) -> Round:
    """The round that was drawn, with its pairs."""
    round = log.create(
        Round(
            division=division,
            number=number,
            method=segment.method,
            seed=draft.seed,
            based_on=based_on,
            repeats=segment.repeats,
            groups=[list(group) for group in draft.groups],
            notes=draw_request.notes(draft),
        )
    )
    write_pairs(log, round, draft.pairs)
    return round


def draw_or_refuse(request: values.DrawRequest, names: Mapping[int, str]) -> values.Draft:
    """Draw, or raise `DrawImpossible` with every rule that is in the way."""
    try:
        return pairing.draw(request)
    except values.Impossible as impossible:
        why = draws.obstacles(impossible.obstacles, names)
        raise DrawImpossible(number=request.round, why=why, obstacles=impossible.obstacles) from impossible


def new_seed() -> int:
    """A fresh seed; it is stored with the round, so that the draw can be repeated."""
    return SystemRandom().randrange(1, SEEDS)


def _segment(division: Division, number: int, wish: DrawWish) -> segments.Segment:
    segment = segments.for_round(segments.read(division.plan), number)
    if wish.method is not None and wish.method != segment.method:
        if wish.method not in list(Method):
            raise MethodUnknown(method=wish.method, allowed=", ".join(Method))
        segment = segments.Segment(number, number, wish.method, repeats=segment.repeats, factor=segment.factor)
    if wish.repeats is not None:
        segment = replace(segment, repeats=wish.repeats)
    return segment


def _basis(division: Division, number: int, segment: segments.Segment, wish: DrawWish) -> int:
    """The round whose table ranks the players; no result up to it may be missing unless the director accepts that."""
    based_on = wish.based_on if wish.based_on is not None else max(number - 1 - segment.behind, 0)
    if not 0 <= based_on < number:
        raise BasisUnknown(based_on=based_on, number=number, last=number - 1)
    if not wish.accept_missing and segment.method not in (Method.MANUAL, Method.ROUND_ROBIN):
        _refuse_missing(division, based_on)
    return based_on


def _refuse_missing(division: Division, based_on: int) -> None:
    open_games = (
        Pairing.objects.filter(round__division=division, round__number__lte=based_on, kind=Pairing.Kind.GAME)
        .exclude(results__official=True)
        .order_by("round__number", "table")
        .values_list("round__number", "table")
    )
    missing = list(open_games)
    if missing:
        number = missing[0][0]
        tables = [str(table) for round, table in missing if round == number]
        raise ResultsMissing(number=number, missing=len(tables), tables=", ".join(tables), earlier=number - 1)


def clear(log: Change, round: Round) -> None:
    """Delete a draft's pairings within a change that is open."""
    pairings = list(Pairing.objects.filter(round=round).order_by("pk"))
    log.delete_all(list(Seat.objects.filter(round=round).order_by("pk")))
    log.delete_all(pairings)


def write_pairs(
    log: Change, round: Round, pairs: Sequence[values.Pair], *, locked: Sequence[values.Given] = ()
) -> None:
    """Store a draft's pairs with flags and reasons; those in `locked` stay locked."""
    keep = {frozenset((pair.first, pair.second)) for pair in locked}
    rows = log.create_all(
        Pairing(
            round=round,
            kind=Pairing.Kind.GAME if pair.second is not None else Pairing.Kind.BYE,
            table=pair.table,
            locked=frozenset((pair.first, pair.second)) in keep,
            flags=flags(pair),
            why=draw_request.why(pair),
        )
        for pair in pairs
    )
    log.create_all(
        Seat(pairing=row, round=round, entry_id=entry, side=side)
        for row, pair in zip(rows, pairs, strict=True)
        for side, entry in ((Seat.FIRST, pair.first), (Seat.SECOND, pair.second))
        if entry is not None
    )


def flags(pair: values.Pair) -> list[str]:
    """A pair's flags as they are stored; whether it is locked has a column of its own."""
    return [flag.value for flag in pair.flags if flag is not values.Flag.LOCKED]


def write_absent(log: Change, round: Round, charged: Sequence[Entry]) -> None:
    """Store those who miss the round and are charged with a loss by absence."""
    rows = log.create_all(Pairing(round=round, kind=Pairing.Kind.ABSENT) for _ in charged)
    log.create_all(
        Seat(pairing=row, round=round, entry=entry, side=Seat.FIRST) for row, entry in zip(rows, charged, strict=True)
    )


def round_named(round: Round) -> dict[str, object]:
    """What the journal says to identify the round of a change."""
    return {"division": round.division.name, "round": round.number}


def names_of(entries: Sequence[Entry]) -> dict[int, str]:
    """Names by the players' keys in a draw."""
    return {entry.pk: entry.name for entry in entries}
