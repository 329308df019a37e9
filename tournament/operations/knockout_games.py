"""The games of the knock-out: after every result exactly those exist that are certain to be needed (TSO 6.2)."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from django.db import models
from django.utils.translation import gettext_lazy

from scoring.knockout import DueGame, Key
from tournament import records
from tournament.models import Division, Knockout, MatchLot, NotRecorded, Pairing, Round, Seat, Tournament
from tournament.operations.change import Change, Log
from tournament.pairing.values import Method
from tournament.queries.knockout import KnockoutState, knockout_state
from tournament.refusals import Refusal
from tournament.showing import Showing
from tournament.words.clauses import bracketed
from tournament.words.consequences import PlacedGame

ID = re.compile(r"[0-9]{1,18}")
"""A row's number as a page of ours writes it; a longer one is no row's in any database."""

Spot = tuple[int, int, int]
"""Where a game stands: stage, position of its match, number of the game in its match."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """What has to happen to the stored games of a knock-out, and its current state.

    `missing` are games to be laid out, `gone` pairings that no game needs any more, `lots` those drawn for somebody who
    no longer plays that match. Pairings have their round, players and official results fetched.
    """

    state: KnockoutState
    missing: tuple[tuple[Spot, DueGame], ...]
    gone: tuple[Pairing, ...]
    lots: tuple[MatchLot, ...]

    @property
    def disturbed(self) -> tuple[Pairing, ...]:
        """The pairings in `gone` that have been played."""
        return tuple(pairing for pairing in self.gone if pairing.result is not None)


class DisturbsLater(Refusal):
    """A question: games that have been played would no longer count. `results` are their ids, to be confirmed."""

    code = "disturbs_later"
    message = gettext_lazy(
        "This decides a match of the knock-out otherwise%(clause)s, so that games played after it would no longer "
        "count: %(games)s."
    )

    def __init__(self, played: Collection[Pairing], clause: str) -> None:
        super().__init__(games="; ".join(str(PlacedGame.of(pairing)) for pairing in played), clause=bracketed(clause))
        self.results = result_ids(played)

    @property
    def agreed(self) -> str:
        """What a page sends back once it has asked."""
        return ids_as_text(self.results)


def ids_as_text(results: Iterable[int]) -> str:
    """Ids of results as a page sends them back once it has asked about them: 12-15."""
    return "-".join(map(str, results))


def ids_from_text(text: str) -> tuple[int, ...]:
    """The ids that a page sends back; anything else is ignored."""
    return tuple(int(part) for part in text.split("-") if ID.fullmatch(part))


def result_ids(played: Iterable[Pairing]) -> tuple[int, ...]:
    """The ids of the official results of these pairings, in order."""
    return tuple(sorted(pairing.result.pk for pairing in played if pairing.result is not None))


def stored_games(knockout: Knockout) -> list[Pairing]:
    """The stored games of a knock-out with round, players and official results, in order. Three queries."""
    found = Pairing.objects.filter(round__division=knockout.division_id, round__stage__isnull=False)
    listed = list(
        found.select_related("round").with_players().with_results().order_by("round__stage", "table", "round__game")
    )
    for pairing in listed:
        pairing.round.division = knockout.division
    return listed


def settlement(state: KnockoutState) -> Settlement:
    """What has to happen so that the stored games are those that a knock-out needs. Four queries."""
    knockout = state.knockout
    needed = {(match.stage, match.position, due.number): due for match in state.bracket.matches for due in match.needed}
    kept: set[Spot] = set()
    gone: list[Pairing] = []
    for pairing in stored_games(knockout):
        spot = (pairing.round.stage or 0, pairing.table or 0, pairing.round.game or 0)
        if _stays(pairing, needed.get(spot)):
            kept.add(spot)
        else:
            gone.append(pairing)
    players = {match.place: match.players for match in state.bracket.matches}
    drawn = MatchLot.objects.filter(knockout=knockout).order_by("pk")
    return Settlement(
        state=state,
        missing=tuple((spot, due) for spot, due in sorted(needed.items()) if spot not in kept),
        gone=tuple(gone),
        lots=tuple(lot for lot in drawn if lot.winner_id not in players.get((lot.stage, lot.position), ())),
    )


def _stays(pairing: Pairing, due: DueGame | None) -> bool:
    """Whether a stored game is the one needed at its place; who starts matters only while it is open."""
    if due is None:
        return False
    seated: list[Key] = [seat.entry_id for seat in pairing.seats.all()]
    wanted = [due.first, due.second]
    return seated == wanted or (pairing.result is not None and sorted(map(str, seated)) == sorted(map(str, wanted)))


def settle(log: Change, knockout: Knockout, *, disturb: Collection[int] = ()) -> None:
    """Make the stored games those that are needed now, within an open change.

    Open games are added and removed without asking. Raises `DisturbsLater` if games with results would be removed,
    unless `disturb` names all of these results.
    """
    knockout.division.tournament = log.tournament
    state = knockout_state(knockout.division)
    if state is None:
        return
    found = settlement(state)
    if not set(result_ids(found.disturbed)) <= set(disturb):
        raise DisturbsLater(found.disturbed, log.tournament.rules.clauses.knockout.whole)
    if found.disturbed:
        log.tell(disturbed=[str(PlacedGame.of(pairing)) for pairing in found.disturbed])
    log.delete_all(found.lots)
    log.delete_all(_said_of(knockout, found.disturbed))
    _remove(log, knockout, found.gone, refilled={(stage, game) for (stage, _position, game), _due in found.missing})
    _lay_out(log, knockout, found.missing)


def _said_of(knockout: Knockout, games: Collection[Pairing]) -> list[NotRecorded]:
    """What was said not to be recorded of the matches of these games, which no longer count."""
    places = {(pairing.round.stage, pairing.table) for pairing in games}
    said = NotRecorded.objects.filter(knockout=knockout).order_by("pk") if places else ()
    return [row for row in said if (row.stage, row.position) in places]


def settle_all(log: Change, tournament: Tournament) -> None:
    """`settle` for every knock-out of a tournament that is seeded. Raises `DisturbsLater`."""
    seeded = Knockout.objects.filter(division__tournament=tournament, seeds__isnull=False).distinct()
    for knockout in seeded.select_related("division__tournament").order_by("pk"):
        settle(log, knockout)


def seeded_knockout(division: Division) -> Knockout | None:
    """The knock-out of a division if its seeds are confirmed. One query."""
    found = Knockout.objects.filter(division=division, seeds__isnull=False).first()
    if found is not None:
        found.division = division
    return found


def settle_round(log: Change, round: Round, *, disturb: Collection[int] = ()) -> None:
    """`settle` for the knock-out that a round belongs to; nothing for a round of the league."""
    if round.stage is None:
        return
    division = Division.objects.select_related("tournament", "knockout").get(pk=round.division_id)
    settle(log, division.knockout, disturb=disturb)


def clear(log: Change, knockout: Knockout) -> None:
    """Delete all games of a knock-out within an open change, with whatever belongs to them."""
    _remove(log, knockout, stored_games(knockout))


def _remove(
    log: Change, knockout: Knockout, gone: Collection[Pairing], *, refilled: Collection[tuple[int, int]] = ()
) -> None:
    """Delete pairings with everything that belongs to them, and rounds that are then empty and not `refilled`."""
    if not gone:
        return
    clear_pairings(log, gone)
    log.delete_all(list(Seat.objects.filter(pairing__in=gone).order_by("pk")))
    log.delete_all(list(gone))
    empty = Round.objects.filter(division=knockout.division_id, stage__isnull=False, pairings=None).order_by("pk")
    log.delete_all([round for round in empty if (round.stage, round.game) not in refilled])


def clear_pairings(log: Log, pairings: Collection[Pairing]) -> None:
    """Delete what belongs to pairings except their seats: results, and what the apps above keep of a game."""
    for model, way in reversed(_hanging()):
        log.delete_all(list(model._default_manager.filter(**{f"{way}__in": pairings}).order_by("pk")))


def _hanging() -> list[tuple[type[models.Model], str]]:
    """The tables whose rows belong to a pairing, those of the apps above included, each with the lookup of it."""
    to_pairing = f"pairing__{records.OWNED[Pairing]}"
    behind = to_pairing.removeprefix("pairing")
    return [(model, way.removesuffix(behind)) for model, way in records.OWNED.items() if way.endswith(to_pairing)]


def _lay_out(log: Change, knockout: Knockout, missing: Collection[tuple[Spot, DueGame]]) -> None:
    rounds = {
        (round.stage, round.game): round
        for round in Round.objects.filter(division=knockout.division_id, stage__isnull=False)
    }
    spots = {(stage, game) for (stage, _position, game), _due in missing}
    for stage, game in sorted(spots - rounds.keys()):
        rounds[stage, game] = log.create(_round(log, knockout, stage, game))
    made = log.create_all(
        Pairing(round=rounds[stage, game], kind=Pairing.Kind.GAME, table=position)
        for (stage, position, game), _due in missing
    )
    log.create_all(
        Seat(pairing=pairing, round=pairing.round, entry_id=entry, side=side)
        for pairing, (_spot, due) in zip(made, missing, strict=True)
        for side, entry in ((Seat.FIRST, due.first), (Seat.SECOND, due.second))
    )


def _round(log: Change, knockout: Knockout, stage: int, game: int) -> Round:
    return Round(
        division=knockout.division,
        number=Round.knockout_number(stage, game),
        stage=stage,
        game=game,
        method=Method.MANUAL,
        state=Round.State.PUBLISHED,
        published_at=log.now,
        **Showing.of(log.tournament).columns,
    )
