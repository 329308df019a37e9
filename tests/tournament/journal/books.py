"""What stands in a division, read a second time row by row, and counted by the plain programs of `tests/scoring`.

Nothing of `tournament.queries` or `scoring` is used, except to draw a round again as it was drawn.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import models, transaction

from tests.scoring import naive, naive_knockout
from tournament.core.change import take_snapshot
from tournament.core.records import OWNED_TABLES, REGISTER_TABLES
from tournament.models import (
    Division,
    Entry,
    Knockout,
    Lot,
    MatchLot,
    NotRecorded,
    Pairing,
    Player,
    Result,
    Round,
    Seat,
    Seed,
    Tournament,
)
from tournament.pairing.drafting import draw_round
from tournament.pairing.values import PairFlag, RequestImpossible
from tournament.rounds.drafts import load_draft_pairings
from tournament.rounds.draw_request import build_chosen_pair, rebuild_draw_request

Pairs = frozenset[frozenset[int]]
BESIDE = {"bye": "Freilos", "absent": "Abwesend"}

PlainTable: Any = naive.Table
PlainKnockout: Any = naive_knockout.Knockout


@contextmanager
def trial() -> Iterator[None]:
    """What is done here is done for good, and gone afterwards."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


Stored = TypeVar("Stored", bound=models.Model)


def stored(model: type[Stored], **which: object) -> list[Stored]:
    """The rows of a table, those with these values in their columns."""
    rows = model._default_manager.raw(f'SELECT * FROM "{model._meta.db_table}"')
    return [row for row in rows if all(getattr(row, name) == value for name, value in which.items())]


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
        mine = {"division_id": division.pk}
        self.event = next(each for each in stored(Tournament) if each.pk == division.tournament_id)
        self.entries = {entry.pk: entry for entry in stored(Entry, **mine)}
        people = {person.pk: person.name for person in stored(Player)}
        self.name = {pk: people[entry.player_id] for pk, entry in self.entries.items()}
        self.rounds = {round.pk: round for round in stored(Round, **mine)}
        self.pairings = {each.pk: each for each in stored(Pairing) if each.round_id in self.rounds}
        self.seats: dict[int, dict[int, int]] = {pk: {} for pk in self.pairings}
        for seat in stored(Seat):
            if seat.pairing_id in self.pairings:
                self.seats[seat.pairing_id][seat.side] = seat.entry_id
        versions = [result for result in stored(Result) if result.pairing_id in self.pairings]
        self.official = {result.pairing_id: result for result in versions if result.official}
        self.had_result = {result.pairing_id for result in versions}
        self.lots = sorted(stored(Lot, **mine), key=lambda lot: lot.pk)
        self.knockout = next(iter(stored(Knockout, **mine)), None)
        of_it = {"knockout_id": self.knockout.pk if self.knockout else None}
        self.seeds = [seed.entry_id for seed in sorted(stored(Seed, **of_it), key=lambda seed: seed.number)]
        self.match_lots = {(lot.stage, lot.position): lot.winner_id for lot in stored(MatchLot, **of_it)}
        self.own = {(lot.stage, lot.position) for lot in stored(MatchLot, **of_it) if lot.by_own_criterion}
        self.not_recorded: dict[tuple[int, int], set[str]] = {}
        for said in stored(NotRecorded, **of_it):
            self.not_recorded.setdefault((said.stage, said.position), set()).add(said.fact)

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
        event = self.event
        rules = {
            "unranked": event.withdrawn == "unranked",
            "basis": event.basis,
            "order": event.order,
            "shared_ties": event.ties == "shared",
            "losses_count": event.ties == "shared",
            "caps": event.spread_cap,
        }
        lots = [lot.order for lot in self.lots if lot.after == after]
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

    def matches(self) -> dict[tuple[int, int], tuple[Any, ...]]:
        """Players, winner, score, by what or what is waited for, of every match of the knock-out."""
        if self.knockout is None or not self.seeds:
            return {}
        stored = self.knockout
        rules = {
            "form": stored.form,
            "n": stored.best_of,
            "criteria": stored.criteria,
            "third_place": stored.third_place,
        }
        plain = PlainKnockout(self.seeds, rules, self.knockout_games(), self.match_lots, self.not_recorded, self.own)
        found = {}
        for place in plain.places():
            winner, _loser, by, score = plain.outcome(*place)
            found[place] = (tuple(plain.players(*place)), winner, score, by)
            plain.close(*place)
        return found

    def knockout_games(self) -> dict[tuple[int, int], list[dict[str, Any] | None]]:
        """The games of the knock-out in order, match by match; None for one that is open."""
        found: dict[tuple[int, int], list[dict[str, Any] | None]] = {}
        for (stage, position, number), pk in sorted(self.places().items()):
            listed = found.setdefault((stage, position), [])
            assert number == len(listed) + 1, (stage, position, number)
            listed.append(_game(self.official[pk], *self.seated(pk)) if pk in self.official else None)
        return found

    def seated(self, pairing: int) -> tuple[int, int]:
        """The two at a table, who starts first."""
        return self.seats[pairing][1], self.seats[pairing][2]

    def places(self) -> dict[tuple[int, int, int], int]:
        """The pairings of the knock-out by stage, position and game."""
        return {
            (round.stage, each.table or 0, round.game or 0): pk
            for pk, each in self.pairings.items()
            if (round := self.rounds[each.round_id]).stage is not None
        }

    def round_name(self, key: int) -> str:
        """A round, as a German page calls it: all games of that number of a stage of the knock-out."""
        round = self.rounds[key]
        if round.stage is None:
            return f"Runde {round.number}"
        return self.match_name(round.stage, 1).removesuffix(" 1") + self.game_of_match(round)

    def game_of_match(self, round: Round) -> str:
        """Which game of a match; nothing where it has only one."""
        single = self.knockout is not None and self.knockout.form == "single" and round.game == 1
        return "" if single else f", Partie {round.game}"

    def match_name(self, stage: int, position: int) -> str:
        """A match of a knock-out of up to eight players, as a German page calls it."""
        assert self.knockout is not None
        to_come = (2, 4, 8).index(next(size for size in (2, 4, 8) if size >= self.knockout.size)) + 1 - stage
        if to_come == 0:
            return ("Finale", "Spiel um Platz 3")[position - 1]
        return f"{('Halbfinale', 'Viertelfinale')[to_come - 1]} {position}"

    def game_name(self, pairing: int) -> str:
        """A game by its place, as a German page calls it."""
        at, round = self.pairings[pairing], self.round_of(pairing)
        if round.stage is None:
            return f"Tisch {at.table}, Runde {round.number}" if at.table else f"{BESIDE[at.kind]}, Runde {round.number}"
        return self.match_name(round.stage, at.table or 0) + self.game_of_match(round)

    def names(self, pairing: int) -> tuple[str, ...]:
        """Who sits at a table, who starts first."""
        seats = self.seats[pairing]
        return tuple(self.name[seats[side]] for side in sorted(seats))

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


def drawn_again(drawn: Round) -> Pairs | None:
    """What the draw of a round gives on the table as it stands now; None if it gives nothing.

    The round is made a draft again for it, and nothing is left of what came after it; pairs that were locked or made by
    hand stay. To be called within a trial.
    """
    everything = Round.objects.filter(division=drawn.division_id)
    later = [each.pk for each in everything if each.stage is not None or each.number > drawn.number]
    if later:
        Result.objects.filter(pairing__round__in=later).delete()
        Seat.objects.filter(round__in=later).delete()
        Pairing.objects.filter(round__in=later).delete()
        Round.objects.filter(pk__in=later).delete()
    Round.objects.filter(pk=drawn.pk).update(state=Round.State.DRAFT)
    round = Round.objects.select_related("division__tournament").get(pk=drawn.pk)
    seated = load_draft_pairings(round)
    players = {seat.entry_id: seat.entry for each in seated for seat in each.seats.all()}
    kept = [build_chosen_pair(each) for each in seated if each.locked or PairFlag.MANUAL in each.flags]
    try:
        draft = draw_round(rebuild_draw_request(round, list(players.values()), kept))
    except RequestImpossible:
        return None
    pairs = (frozenset(key for key in (pair.first, pair.second) if key is not None) for pair in draft.pairs)
    return frozenset(pairs)


def rows() -> dict[tuple[str, int], dict[str, Any]]:
    """Every row that is stored, without what every change raises."""
    found: dict[tuple[str, int], dict[str, Any]] = {}
    for model in (*OWNED_TABLES, *REGISTER_TABLES):
        for row in stored(model):
            kept = take_snapshot(row)
            kept.pop("revision", None)
            found[model._meta.model_name or "", row.pk] = kept
    return found
