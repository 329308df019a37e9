"""The league by its official results: who sits where, which rounds lack results, which games the table counts."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from scoring import standings
from tournament.basics.showing import ShowingStep
from tournament.core.public_view import build_confirmed_filter, build_results_filter, build_rounds_filter
from tournament.models import Division, Entry, Pairing, Result, Round, Seat
from tournament.models.event import list_named_entries
from tournament.models.play import GAME_COLUMNS, build_table_game


class PairingPlayers(NamedTuple):
    """Entry ids of who starts or is listed first and of the opponent (None: nobody); `about`: other columns."""

    first: int
    second: int | None
    about: tuple[Any, ...]


def load_players_by_pairing(seats: QuerySet[Seat], *columns: str) -> dict[int, PairingPlayers]:
    """The players of each pairing by its id, in the order of the seats, with these other columns. One query."""
    # By the side of each seat and not by the order of the rows: some callers ask for no order, and a database gives the
    # rows of a pairing in any.
    starters: dict[int, tuple[int, tuple[Any, ...]]] = {}
    opponents: dict[int, int] = {}
    for row in seats.values_list("pairing_id", "side", "entry_id", *columns):
        pairing, side, entry = row[:3]
        if side == Seat.FIRST:
            starters[pairing] = entry, row[3:]
        else:
            opponents[pairing] = entry
    return {
        pairing: PairingPlayers(entry, opponents.get(pairing), about) for pairing, (entry, about) in starters.items()
    }


@dataclass(frozen=True, slots=True)
class OpenRound:
    """A league round with the tables that lack a result; `again` if one had it, `division` where several are told."""

    number: int
    tables: tuple[int, ...]
    again: bool
    division: str = ""


def list_open_rounds(division: Division, *, upto: int | None = None, overdue_on: date | None = None) -> list[OpenRound]:
    """The open rounds of a division in order, as far as round `upto` (None: all). With `overdue_on` a game of a league
    that may still be played on that day counts only if it had a result. One query."""
    games = Pairing.objects.filter(round__division=division, round__stage=None, kind=Pairing.Kind.GAME)
    official = Result.objects.filter(build_confirmed_filter(), pairing=OuterRef("pk"), official=True)
    games = games.exclude(round__state=Round.State.DRAFT).exclude(Exists(official))
    # While results are held back every table of the round would be told as open.
    games = games.filter(build_rounds_filter("round", ShowingStep.RESULTS))
    if upto is not None:
        games = games.filter(round__number__lte=upto)
    # Every version counts, also one that was withdrawn: a game that is open again is told of at once, even long before
    # its day in a league.
    had = Exists(Result.objects.filter(pairing=OuterRef("pk")))
    if overdue_on is not None:
        # A game that was postponed has a day of its own, which goes before the round's; without any day it is overdue
        # at once.
        games = games.alias(day=Coalesce(F("due_on"), F("round__due_on")))
        games = games.filter(Q(day=None) | Q(day__lt=overdue_on) | had)
    games_by_round: dict[int, list[tuple[int, bool]]] = {}
    for number, table, again in games.order_by("round__number", "table").values_list("round__number", "table", had):
        games_by_round.setdefault(number, []).append((table, again))
    return [
        OpenRound(number, tuple(table for table, _again in tables), any(again for _table, again in tables))
        for number, tables in games_by_round.items()
    ]


def list_notable_open_rounds(
    division: Division, *, current: int, upto: int | None = None, overdue_on: date | None = None
) -> list[OpenRound]:
    """The open rounds that must not keep quiet: all but round `current`, and that one too if it is open again."""
    open_rounds = list_open_rounds(division, upto=upto, overdue_on=overdue_on)
    return [round for round in open_rounds if round.again or round.number != current]


def list_division_entries(division: Division) -> list[Entry]:
    """The entries of a division with names and clubs, in the order they were entered. One query."""
    return list(list_named_entries().filter(division=division).in_order())


def list_league_games(division: Division, *, after: int | None = None) -> list[standings.TableGame]:
    """The official results of the league up to round `after` (None: all) by entry id, without drafts. Two queries."""
    numbers = Q() if after is None else Q(round__number__lte=after)
    # With the seats of drafts: where a round is published between this query and the next, its byes have results at
    # once, and need their players here.
    players = load_players_by_pairing(
        Seat.objects.filter(numbers, round__division=division, round__stage=None).order_by()
    )
    results = Result.objects.filter(
        build_results_filter(), official=True, pairing__round__division=division, pairing__round__stage=None
    ).exclude(pairing__round__state=Round.State.DRAFT)
    if after is not None:
        results = results.filter(pairing__round__number__lte=after)
    rows = results.order_by("pairing__round__number", "pairing_id")
    return [
        build_table_game(number, players[pairing].first, players[pairing].second, *columns)
        for pairing, number, *columns in rows.values_list("pairing_id", "pairing__round__number", *GAME_COLUMNS)
    ]


def select_table_entries(field: Iterable[Entry], played: Iterable[standings.TableGame], after: int) -> list[Entry]:
    """Who has a row in the table after a round: everybody who plays by then, or is charged with a round missed."""
    seen = {player for game in played if game.round <= after for player in (game.first, game.second)}
    # Before round 1 the table lists whoever plays in it. The second half is for a late entry who is charged with the
    # rounds missed: their results lie before their first round.
    return [entry for entry in field if entry.first_round <= max(after, 1) or entry.pk in seen]
