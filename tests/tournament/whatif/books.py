"""What stands in a division, read a second time row by row, and counted by the plain programs of `tests/scoring`.

Nothing of `tournament.queries` or `scoring` is used, except to draw a round again as it was drawn.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from tests.scoring import naive, naive_knockout
from tournament import pairing, records
from tournament.models import (
    Division,
    Entry,
    Knockout,
    Lot,
    MatchLot,
    NotRecorded,
    Pairing,
    Result,
    Round,
    Seat,
    Seed,
    Tournament,
)
from tournament.operations import draft_reasons
from tournament.operations.change import snapshot
from tournament.pairing import values
from tournament.queries import draw_request

Pairs = frozenset[frozenset[int]]

PlainTable: Any = naive.Table
PlainKnockout: Any = naive_knockout.Knockout


@contextmanager
def trial() -> Iterator[None]:
    """What is done here is done for good, and gone afterwards."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


@dataclass(frozen=True, slots=True)
class Row:
    """A player's line of the table."""

    rank: int | None
    half_wins: int
    spread: int
    points: int


class Books:
    """A division as it stands now."""

    def __init__(self, division: Division) -> None:
        self.division = Division.objects.select_related("tournament").get(pk=division.pk)
        self.entries = {entry.pk: entry for entry in Entry.objects.filter(division=division)}
        self.rounds = {round.pk: round for round in Round.objects.filter(division=division)}
        self.pairings = {pairing.pk: pairing for pairing in Pairing.objects.filter(round__in=self.rounds)}
        self.seats: dict[int, dict[int, int]] = {pk: {} for pk in self.pairings}
        for seat in Seat.objects.filter(round__in=self.rounds):
            self.seats[seat.pairing_id][seat.side] = seat.entry_id
        versions = list(Result.objects.filter(pairing__in=self.pairings))
        self.official = {result.pairing_id: result for result in versions if result.official}
        self.had_result = {result.pairing_id for result in versions}
        self.knockout = Knockout.objects.filter(division=division).first()

    def league(self) -> list[dict[str, Any]]:
        """The games that the table counts, as the plain program wants them."""
        return [
            {
                "round": self.round_of(pk).number,
                "first": self.seats[pk][1],
                "second": self.seats[pk].get(2),
                "outcome": result.outcome,
                "first_points": result.first_points,
                "second_points": result.second_points,
                "spread": result.spread,
                "reason": result.reason,
            }
            for pk, result in self.official.items()
            if self.round_of(pk).stage is None and self.round_of(pk).state != "draft"
        ]

    def round_of(self, pairing: int) -> Round:
        return self.rounds[self.pairings[pairing].round_id]

    def last(self) -> int:
        """The last round of which a result is known."""
        return max((game["round"] for game in self.league()), default=0)

    def table(self, after: int) -> dict[int, Row]:
        """The table after a round, the best first."""
        games = [game for game in self.league() if game["round"] <= after]
        seen = {key for game in games for key in (game["first"], game["second"])}
        there = [each for each in self.entries.values() if each.pk in seen or each.first_round <= max(after, 1)]
        event: Tournament = self.division.tournament
        rules = {
            "unranked": event.withdrawn == "unranked",
            "basis": event.basis,
            "order": event.order,
            "shared_ties": event.ties == "shared",
            "losses_count": event.ties == "shared",
            "caps": event.spread_cap,
        }
        drawn = Lot.objects.filter(division=self.division, after=after).order_by("pk")
        lots = [lot.order for lot in drawn]
        players = [(each.pk, each.withdrawn_after is not None) for each in there]
        found = PlainTable(players, games, rules, lots)
        return {name: Row(rank, won, spread, points) for rank, name, won, spread, points, *_rest in found.rows()}

    def open_tables(self) -> dict[int, dict[int, bool]]:
        """The tables without a result by the number of their published round; whether they had one before."""
        found: dict[int, dict[int, bool]] = {}
        for pk, each in self.pairings.items():
            round = self.rounds[each.round_id]
            if each.kind == "game" and round.stage is None and round.state != "draft" and pk not in self.official:
                found.setdefault(round.number, {})[each.table or 0] = pk in self.had_result
        return found

    def proposed(self, size: int) -> list[int]:
        """Who would be seeded from the table."""
        return [key for key in self.table(self.last()) if self.entries[key].withdrawn_after is None][:size]

    def seeds(self) -> list[int]:
        found = Seed.objects.filter(knockout__division=self.division).order_by("number")
        return list(found.values_list("entry_id", flat=True))

    def matches(self) -> dict[tuple[int, int], tuple[Any, ...]]:
        """Players, winner, score, by what or what is waited for, of every match of the knock-out."""
        if self.knockout is None or not self.seeds():
            return {}
        stored = self.knockout
        rules = {
            "form": stored.form,
            "n": stored.best_of,
            "criteria": stored.criteria,
            "third_place": stored.third_place,
        }
        lots = {(each.stage, each.position): each.winner_id for each in MatchLot.objects.filter(knockout=stored)}
        unknown: dict[tuple[int, int], set[str]] = {}
        for said in NotRecorded.objects.filter(knockout=stored):
            unknown.setdefault((said.stage, said.position), set()).add(said.fact)
        plain = PlainKnockout(self.seeds(), rules, self.played(), lots, unknown)
        found = {}
        for place in plain.places():
            winner, _loser, by, score = plain.outcome(*place)
            found[place] = (tuple(plain.players(*place)), winner, score, by)
            plain.close(*place)
        return found

    def played(self) -> dict[tuple[int, int], list[dict[str, Any]]]:
        """The games of the knock-out that have a result, match by match."""
        found: dict[tuple[int, int], list[dict[str, Any]]] = {}
        for place, pk in sorted((place, pk) for place, pk in self.places().items() if pk in self.official):
            first, second = self.seats[pk][1], self.seats[pk][2]
            found.setdefault(place[:2], []).append(_game(self.official[pk], first, second))
        return found

    def places(self) -> dict[tuple[int, int, int], int]:
        """The pairings of the knock-out by stage, position and game."""
        return {
            (round.stage, each.table or 0, round.game or 0): pk
            for pk, each in self.pairings.items()
            if (round := self.rounds[each.round_id]).stage is not None
        }

    def games(self, *, with_result: bool) -> set[tuple[Any, ...]]:
        """Stage, position, game and players of the games of the knock-out, with their scores where they have some."""
        found = set()
        for place, pk in self.places().items():
            result = self.official.get(pk)
            if (result is not None) == with_result:
                points = (result.outcome, result.first_points, result.second_points) if result else ()
                found.add((*place, self.seats[pk][1], self.seats[pk][2], *points))
        return found

    def pairs(self, round: int) -> Pairs:
        """Who meets whom in a round; a bye is a set of one."""
        mine = (pk for pk, each in self.pairings.items() if each.round_id == round and each.kind != "absent")
        return frozenset(frozenset(self.seats[pk].values()) for pk in mine)


def _game(result: Result, first: int, second: int) -> dict[str, Any]:
    at_fault = {"first_forfeits": {first}, "second_forfeits": {second}, "both_forfeit": {first, second}}
    sides = ((first, "first"), (second, "second"))
    began = result.first_points is not None
    return {
        "outcome": result.outcome,
        "at_fault": at_fault.get(result.outcome, set()),
        "points": {first: result.first_points, second: result.second_points} if began else None,
        "bingos": _told(result, sides, "bingos"),
        "seconds": _told(result, sides, "seconds"),
        "moves": {key: moves for key, side in sides if (moves := tuple(getattr(result, f"{side}_moves")))},
    }


def _told(result: Result, sides: tuple[tuple[int, str], ...], fact: str) -> dict[int, int]:
    found = {key: getattr(result, f"{side}_{fact}") for key, side in sides}
    return {key: value for key, value in found.items() if value is not None}


def drawn_again(stored: Round) -> Pairs | None:
    """What the draw of a round gives on the table as it stands now; None if it gives nothing.

    The round is made a draft again for it, and nothing is left of what came after it; pairs that were locked or made by
    hand stay. To be called within a trial.
    """
    books = Books(stored.division)
    later = [pk for pk, each in books.rounds.items() if each.stage is not None or each.number > stored.number]
    Result.objects.filter(pairing__round__in=later).delete()
    Seat.objects.filter(round__in=later).delete()
    Pairing.objects.filter(round__in=later).delete()
    Round.objects.filter(pk__in=later).delete()
    Round.objects.filter(pk=stored.pk).update(state=Round.State.DRAFT)
    round = Round.objects.select_related("division__tournament").get(pk=stored.pk)
    seated = draft_reasons.stored(round)
    players = {seat.entry_id: seat.entry for each in seated for seat in each.seats.all()}
    kept = [draw_request.given(each) for each in seated if each.locked or values.Flag.MANUAL in each.flags]
    try:
        draft = pairing.draw(draft_reasons.request(round, list(players.values()), kept))
    except values.Impossible:
        return None
    pairs = (frozenset(key for key in (pair.first, pair.second) if key is not None) for pair in draft.pairs)
    return frozenset(pairs)


def rows(tournament: Tournament) -> dict[tuple[str, int], dict[str, Any]]:
    """Every row of a tournament as it is stored, without what every change raises."""
    tables = [*records.OWNED, *records.REGISTER]
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for model in tables:
        owned = model in records.OWNED
        for row in records.rows_of(model, tournament) if owned else model._default_manager.all():
            stored = snapshot(row)
            stored.pop("revision", None)
            found[model._meta.model_name or "", row.pk] = stored
    return found
