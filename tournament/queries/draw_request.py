"""From rows to a draw's request and back: the one place where stored rounds meet `tournament.pairing`."""

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from scoring import standings
from scoring.awards import Outcome
from tournament.models import Absence, Division, Entry, KeptApart, Pairing, Result, Round, Seat
from tournament.pairing import values
from tournament.pairing.values import Method, Starts
from tournament.plan import segments
from tournament.queries import league
from tournament.queries.knockout import Instead
from tournament.queries.seats import by_pairing


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Other results than the official ones: all games of the league with them, and those `instead` by their pairing."""

    games: Sequence[standings.Game]
    instead: Instead


SCHEDULED = (Method.GROUPS, Method.ROUND_ROBIN)
"""The methods that pair by a schedule."""

NOTHING_ELSE: Instead = MappingProxyType({})


def field(division: Division, number: int) -> tuple[list[Entry], list[Entry]]:
    """Who is to be paired in round `number`, and who misses it and is charged with a loss by absence. Two queries."""
    away = dict(
        Absence.objects.filter(entry__division=division, number=number).values_list("entry_id", "counts_as_loss")
    )
    entered = [entry for entry in league.entries(division) if entry.plays_in(number)]
    return [entry for entry in entered if entry.pk not in away], [entry for entry in entered if away.get(entry.pk)]


def request(
    division: Division,
    number: int,
    *,
    segment: segments.Segment,
    seed: int,
    based_on: int | None = None,
    present: Sequence[Entry],
    given: Sequence[values.Given] = (),
    what_if: WhatIf | None = None,
) -> values.DrawRequest:
    """Everything that a draw of round `number` depends on. A fixed number of queries.

    `based_on` is the round whose table ranks the players (default: the one before). With `what_if` other results
    count, and the round is to be drawn as if it had not been: groups that it has do not bind it.
    """
    tournament = division.tournament
    everybody = league.entries(division)
    missing = _missing(everybody, number, segment, present)
    away = {entry.pk for entry in missing}
    basis = number - 1 if based_on is None else based_on
    ranked = competitors(division, [*present, *missing], basis, list(what_if.games) if what_if else None)
    return values.DrawRequest(
        competitors=tuple(one for one in ranked if one.key not in away),
        meetings=meetings(division, number, instead=what_if.instead if what_if else {}),
        round=number,
        rounds=max(league.planned_rounds(division), number),
        method=values.Method(segment.method),
        seed=seed,
        repeats=segment.repeats,
        factor=segment.factor,
        clubs=values.Clubs.APART if number <= tournament.clubs_apart else values.Clubs.IGNORED,
        starts=values.Starts(tournament.starts),
        bye_policy=values.ByePolicy(tournament.bye_policy),
        given=tuple(given),
        forbidden=_kept_apart(division),
        segment=schedule(division, segment, seed, upto=number - 1 if what_if else number),
        missing=tuple(one for one in ranked if one.key in away),
        later=_later(division, everybody, number),
    )


def _kept_apart(division: Division) -> frozenset[tuple[int, int]]:
    """The pairs that are not to meet."""
    kept = KeptApart.objects.filter(one__division=division)
    return frozenset(kept.values_list("one_id", "other_id").order_by("pk"))


def competitors(
    division: Division, present: Sequence[Entry], based_on: int, results: list[standings.Game] | None = None
) -> tuple[values.Competitor, ...]:
    """The players to be paired, ranked by the table after round `based_on`; level players by rating.

    Whoever the table does not list yet comes as somebody without games.
    """
    known = league.games(division, after=based_on) if results is None else results
    everybody, played = league.entries(division), [game for game in known if game.round <= based_on]
    table = league.rank(division, everybody, played, after=based_on)
    listed = _listed(division, everybody, played, table, based_on)
    places = {standing.player: place for place, standing in enumerate(table)}
    level = {standing.player: standing.rank or len(table) + 1 for standing in table}
    half_wins = {standing.player: standing.half_wins for standing in table}
    by_rating = sorted(everybody, key=lambda entry: (-(entry.rating or 0), entry.position, entry.pk))
    seeding = {entry.pk: place for place, entry in enumerate(by_rating, 1)}
    ranked = sorted(
        present, key=lambda entry: (level[entry.pk], seeding[entry.pk] if based_on == 0 else 0, places[entry.pk])
    )
    return tuple(
        values.Competitor(
            key=entry.pk,
            rank=rank,
            half_wins=half_wins[entry.pk],
            rating=entry.rating,
            seeding=seeding[entry.pk],
            club=entry.club_id,
            fixed_table=entry.fixed_table,
            listed=listed.get(entry.pk),
        )
        for rank, entry in enumerate(ranked, 1)
    )


def _listed(
    division: Division,
    everybody: Sequence[Entry],
    played: list[standings.Game],
    ranked: Sequence[standings.Standing],
    after: int,
) -> dict[standings.Key, int | None]:
    """The ranks as the table after a round shows them, of everybody `ranked` or, where some come later, of the others;
    nobody's before the first round."""
    if not after:
        return {}
    field = league.in_table(everybody, played, after)
    rows = ranked if len(field) == len(everybody) else league.rank(division, field, played, after=after)
    return {row.player: row.rank for row in rows}


def meetings(division: Division, number: int, *, instead: Instead = NOTHING_ELSE) -> tuple[values.Meeting, ...]:
    """The games and byes of the rounds before `number`; `instead` replaces results by their pairing. Two queries.

    In a game that never began the two have not met, and nobody started.
    """
    unstarted = set(
        Result.objects.filter(official=True, pairing__round__division=division)
        .exclude(outcome=Outcome.PLAYED.value)
        .filter(first_points=None, second_points=None)
        .values_list("pairing_id", flat=True)
    )
    unstarted -= instead.keys()
    unstarted |= {pk for pk, report in instead.items() if report is not None and not report.has_begun}
    seats = Seat.objects.filter(round__division=division, round__stage=None, round__number__lt=number)
    seats = seats.exclude(round__state=Round.State.DRAFT)
    met = by_pairing(seats.order_by("round__number", "pairing_id"), "round__number", "pairing__kind")
    outcomes = {pk: report.outcome for pk, report in instead.items() if report is not None}
    known = division.tournament.starts == Starts.BALANCED
    return tuple(
        values.Meeting(round, at.first, at.second, known and pairing not in unstarted, played=pairing not in unstarted)
        for pairing, at in met.items()
        for round, kind in (at.about,)
        if outcomes.get(pairing, kind) != Outcome.ABSENT
    )


def schedule(division: Division, segment: segments.Segment, seed: int, *, upto: int) -> values.ScheduledRounds | None:
    """The schedule of a segment, with its first seed and its groups as last published up to round `upto`."""
    if segment.method not in SCHEDULED:
        return None
    rounds = Round.objects.league().filter(division=division, number__range=(segment.first, upto)).public()
    made = list(rounds.in_order().values_list("seed", "groups"))
    last: list[list[int]] = next((groups for _, groups in reversed(made) if groups), [])
    first_seed = made[0][0] if made else seed
    return values.ScheduledRounds(segment.first, segment.last, first_seed, tuple(tuple(group) for group in last))


def _missing(
    everybody: Sequence[Entry], number: int, segment: segments.Segment, present: Sequence[Entry]
) -> list[Entry]:
    """Whom a schedule seats although they miss the round: entered, perhaps for a later round, and not withdrawn."""
    if segment.method not in SCHEDULED:
        return []
    there = {entry.pk for entry in present}
    entered = [entry for entry in everybody if entry.pk not in there and entry.first_round <= segment.last]
    return [entry for entry in entered if entry.plays_in(max(number, entry.first_round))]


def _later(division: Division, everybody: Sequence[Entry], number: int) -> tuple[values.LaterRound, ...]:
    """The rounds that the plan still has after round `number`, with those who are expected to play."""
    plan = segments.read(division.plan)
    away = set(Absence.objects.filter(entry__division=division, number__gt=number).values_list("entry_id", "number"))
    found = []
    for later in range(number + 1, league.planned_rounds(division) + 1):
        segment = segments.for_round(plan, later)
        players = (entry.pk for entry in everybody if entry.plays_in(later) and (entry.pk, later) not in away)
        found.append(values.LaterRound(later, Method(segment.method), frozenset(players), segment.repeats))
    return tuple(found)


def why(pair: values.Pair) -> list[dict[str, Any]]:
    """A pair's reasons as the JSON that `Pairing.why` keeps."""
    return [{"code": reason.code.value, **reason.figures} for reason in pair.why]


def given(pairing: Pairing) -> values.Given:
    """A stored draft pairing as one that the draw must keep, starter and all, and whose work it is."""
    second = pairing.second
    by_hand = values.Flag.MANUAL if values.Flag.MANUAL in pairing.flags else None
    starter = pairing.reason(values.ReasonCode.STARTER)
    return values.Given(
        first=pairing.first.pk,
        second=second.pk if second else None,
        flag=by_hand or (values.Flag.LOCKED if pairing.locked else None),
        starter_fixed=True,
        starter_by=values.StarterBy(starter["by"]) if starter else values.StarterBy.EARLIER,
        group=_group(pairing),
    )


def _group(pairing: Pairing) -> int | None:
    """The schedule's group whose game the pairing is."""
    if group := pairing.reason(values.ReasonCode.GROUP):
        return int(group["group"])
    return 1 if pairing.reason(values.ReasonCode.SCHEDULE) else None


def lasting_notes(round: Round) -> list[dict[str, Any]]:
    """The stored notes that a change by hand leaves true: those on the schedule."""
    return [note for note in round.notes if note["code"] in values.ON_SCHEDULE]


def notes(draft: values.Draft) -> list[dict[str, Any]]:
    """What the director should know about the draw as a whole, as the JSON that `Round.notes` keeps."""
    return [
        {"code": note.code.value, "keys": list(note.keys), "figure": note.figure, "unless": [*note.unless]}
        for note in draft.notes
    ]
