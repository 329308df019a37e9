"""What can still happen in a division, as far as the reader may see it. A round whose table is held back counts as one
with open games, one whose pairings are held back as not drawn yet."""

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from django.core.cache import cache
from django.db.models import Exists, OuterRef

from scoring import simulation
from scoring.awards import Outcome
from scoring.chances import Prospect, find_prospects
from scoring.completions import Event
from scoring.needs import Need, find_needs
from scoring.prizes import PrizeKind
from scoring.standings import PlayerKey, RankingBasis, Standing, TableGame
from tournament.core.public_view import (
    build_results_filter,
    build_rounds_filter,
    find_last_seen_table,
    is_public_view_open,
)
from tournament.models import Division, Entry, Pairing, Prize, Result, Round, Seat
from tournament.pairing.values import StartPolicy
from tournament.results.league_games import (
    list_division_entries,
    list_league_games,
    load_players_by_pairing,
    select_table_entries,
)
from tournament.table.league import count_planned_rounds, plans_team_matches

USUAL_PLACES = (1, 2, 3)  # where no prizes for places are announced
RUNS = 20_000
LAST_ROUNDS = 3  # with more to come, the table and the players' pages say nothing of chances
STEP = 2 * simulation.BATCH_RUNS  # runs that are held at once
KEPT_SECONDS = 86400

Found = TypeVar("Found")


# Without slots, since what is worked out once is kept in the object's own dictionary.
@dataclass(frozen=True)
class DivisionChances:
    """What can still happen. `after`: the last published round; `rows`: everybody who plays by the end, in the order of
    their wins; `ranks`: the table now, in which who enters later has no rank yet; `prospects` by entry id, of everybody
    who can end with a rank; `places`: those that count."""

    event: Event
    after: int
    rows: tuple[Standing, ...]
    ranks: Mapping[PlayerKey, int | None]
    entries: Mapping[PlayerKey, Entry]
    prospects: Mapping[PlayerKey, Prospect]
    places: tuple[int, ...]
    balanced: bool

    @property
    def rounds_left(self) -> int:
        return len(self.event.rounds)

    @property
    def open_games(self) -> int:
        return len(self.event.open_games)

    @property
    def is_over(self) -> bool:
        return not self.rounds_left and not self.open_games

    @property
    def has_shares(self) -> bool:
        """Whether endings can be simulated: there is no model of a table by points or Keizer, nor of team matches."""
        return self.event.ranking.basis is RankingBasis.WINS and bool(self.prospects)

    @cached_property
    def names(self) -> Mapping[PlayerKey, str]:
        """Everybody's name, as sentences have it."""
        return {player: entry.name for player, entry in self.entries.items()}

    @cached_property
    def needs(self) -> Mapping[PlayerKey, list[Need]]:
        """What everybody with a rank needs, until all is played; kept as long as nothing changes."""
        if self.is_over:
            return {}
        return _keep(self.event, f"needs-{self.places}", lambda: find_needs(self.event, self.prospects, self.places))

    def list_needs(self, entry: PlayerKey) -> list[Need]:
        """What a player needs; empty for somebody without a rank, and once everything has been played."""
        return self.needs.get(entry, [])


def load_chances(division: Division) -> DivisionChances:
    """What can still happen in a division. Seven queries; the bounds are kept as long as nothing changes."""
    everybody = list_division_entries(division)
    games = list_league_games(division, after=find_last_seen_table(division.pk))
    drawn = _list_drawn_games(division)
    # Round and first player name a game: nobody has two in one round.
    known_games = {(game.round, game.first) for game in games}
    # A pairing without a result that the reader may see is an open game: that these two meet narrows what can happen.
    games += [game for game in drawn if (game.round, game.first) not in known_games]
    after = max((game.round for game in drawn), default=0)
    # An event that is ended has no round to come, whatever its plan still holds.
    planned = max(after, 0 if division.tournament.is_ended else count_planned_rounds(division))
    field = select_table_entries(everybody, games, planned)
    # Who plays in a match of teams is theirs to decide, and several may have byes: nothing is foreseen.
    teams_meet = plans_team_matches(division)
    event = Event(
        tuple(entry.as_contestant(after) for entry in field),
        tuple(games),
        tuple(range(after + 1, planned + 1)),
        division.tournament.ranking,
        division.tournament.awards,
        tuple(tuple(lot.order) for lot in division.lots.filter(after=after).order_by("pk")),
    )
    # A late entry plays by the end, but has no rank before the table has them.
    in_table = {entry.pk for entry in select_table_entries(field, games, after)}
    now = replace(
        event, contestants=tuple(contestant for contestant in event.contestants if contestant.key in in_table)
    )
    players = len(field)
    named: list[int] = []
    # Prizes that are not announced must not be read off the columns of a public page.
    if division.prizes_public or not is_public_view_open():
        prizes = Prize.objects.filter(division=division, kind=PrizeKind.PLACE.value)
        named = sorted({place for place in prizes.values_list("place", flat=True) if place is not None})
    return DivisionChances(
        event=event,
        after=after,
        rows=event.rank(),
        ranks={row.player: row.rank for row in now.rank()},
        entries={entry.pk: entry for entry in everybody},
        prospects={} if teams_meet else _keep(event, "bounds", lambda: find_prospects(event)),
        # No more places than players: of two nobody ends third.
        places=tuple(place for place in named if place <= players) or USUAL_PLACES[: max(players, 1)],
        balanced=division.tournament.starts == StartPolicy.BALANCED,
    )


def load_last_chances(division: Division, after: int) -> DivisionChances | None:
    """What can still happen after that round, if it is the last published one and among the last of the plan; None also
    where all is played."""
    to_come = count_planned_rounds(division) - after
    if not after or to_come > LAST_ROUNDS:
        return None
    if to_come <= 0:  # the table that is asked for most, after an event's end: nothing is read for it without need
        games = Pairing.objects.filter(build_rounds_filter("round"), round__division=division, round__stage=None)
        games = games.filter(kind=Pairing.Kind.GAME).exclude(round__state=Round.State.DRAFT)
        # Open to the reader: a last result that was typed once took the needs off the page, and so told that it is in.
        is_seen = Exists(Result.objects.filter(build_results_filter(), pairing=OuterRef("pk"), official=True))
        open_rounds = set(games.exclude(is_seen).values_list("round__number", flat=True))
        # In a league every round is published from the start: what a place takes is worth asking in the last ones.
        if not open_rounds or len(open_rounds) > LAST_ROUNDS + 1:
            return None
    chances = load_chances(division)
    return None if chances.is_over or chances.after != after or not chances.prospects else chances


def _list_drawn_games(division: Division) -> list[TableGame]:
    """The pairings of published rounds that the reader may see, without results. One query."""
    seats = Seat.objects.filter(build_rounds_filter("round"), round__division=division, round__stage=None)
    seats = seats.exclude(round__state=Round.State.DRAFT).order_by("round__number", "pairing_id")
    outcomes = {Pairing.Kind.GAME: Outcome.OPEN, Pairing.Kind.BYE: Outcome.BYE, Pairing.Kind.ABSENT: Outcome.ABSENT}
    return [
        TableGame(number, at.first, at.second, outcomes[Pairing.Kind(kind)])
        for at in load_players_by_pairing(seats, "round__number", "pairing__kind").values()
        for number, kind in [at.about]
    ]


def _make_key(event: Event, about: str) -> str:
    # By all that the event holds, not by its revision: the public and the director see two events, and a change that
    # moves no result costs no proof.
    return f"chances-{hashlib.sha256(repr((about, event)).encode()).hexdigest()}"


def _keep(event: Event, about: str, work_out: Callable[[], Found]) -> Found:
    """An answer about an event, worked out once."""
    key = _make_key(event, about)
    cached: Found | None = cache.get(key)
    if cached is None:
        cached = work_out()
        cache.set(key, cached, KEPT_SECONDS)
    return cached


@dataclass(frozen=True, slots=True)
class Shares:
    """In how many of the `runs` each player ends at each place or better, by entry id and place."""

    runs: int
    counted: Mapping[PlayerKey, Mapping[int, int]]


def simulate_shares(
    found: DivisionChances, *, runs: int = RUNS, seed: int = 1, by_rating: bool = False
) -> Shares | None:
    """How the rest may go by the model of `scoring.simulation`; None where it has none of the table."""
    if not found.has_shares:
        return None
    return _keep(
        found.event, _name_shares(found, runs, seed, by_rating), lambda: _simulate(found, runs, seed, by_rating)
    )


def find_kept_shares(found: DivisionChances) -> Shares | None:
    """The usual shares, if they have been simulated already."""
    shares: Shares | None = cache.get(_make_key(found.event, _name_shares(found, RUNS, 1, False)))
    return shares


def _name_shares(found: DivisionChances, runs: int, seed: int, by_rating: bool) -> str:
    return f"shares-{runs}-{seed}-{by_rating}-{found.places}"


def _simulate(found: DivisionChances, runs: int, seed: int, by_rating: bool) -> Shares:
    situation = _describe_situation(found, by_rating)
    unranked = [column for column, row in enumerate(found.rows) if row.rank is None]
    counted = {row.player: dict.fromkeys(found.places, 0) for row in found.rows if row.rank is not None}
    for skip in range(0, runs, STEP):
        endings = simulation.simulate_endings(situation, min(STEP, runs - skip), seed, skip)
        # Behind everybody who can have a rank: fewer than no wins.
        endings.half_wins[:, unranked] = -1
        # Another seed for each part: with the same one the lots of level players would fall alike in all of them.
        ranks = simulation.rank_endings(endings, seed + skip)
        for column, row in enumerate(found.rows):
            for place in counted.get(row.player, ()):
                counted[row.player][place] += int((ranks[:, column] <= place).sum())
    return Shares(runs, counted)


def _describe_situation(found: DivisionChances, by_rating: bool) -> simulation.Situation:
    """The event as the model takes it, in the order of the table."""
    event, columns = found.event, {row.player: column for column, row in enumerate(found.rows)}
    withdrawn = {contestant.key for contestant in event.contestants if contestant.withdrawn}
    byes = Counter(game.first for game in event.games if game.outcome is Outcome.BYE)
    starts = Counter[PlayerKey | None](game.first for game in event.games if game.second is not None)
    # The balance, not the number of starts: by it the model lets the one start who has replied more often.
    starts.subtract(game.second for game in event.games if game.second is not None)
    ratings = [found.entries[row.player].rating for row in found.rows]
    return simulation.Situation(
        half_wins=tuple(row.half_wins for row in found.rows),
        spread=tuple(row.spread for row in found.rows),
        open_games=tuple(
            simulation.OpenGame(columns[game.first], columns[game.second], event.ranking.cap(game.round))
            for game in event.open_games
            if game.second is not None
        ),
        caps=tuple(map(event.ranking.cap, event.rounds)),
        playing=tuple(row.player not in withdrawn for row in found.rows),
        byes=tuple(byes[row.player] for row in found.rows),
        starts=tuple(starts[row.player] for row in found.rows),
        balanced=found.balanced,
        strengths=simulation.estimate_strengths(ratings) if by_rating else (),
        bye_spread=event.awards.bye_spread,
    )


def find_reach(found: DivisionChances, shares: Shares | None, player: PlayerKey, place: int) -> float | None:
    """The share of endings at that place or better: 0 and 1 where that is proven; None where nothing is known."""
    prospect = found.prospects[player]
    if prospect.best > place:
        return 0.0
    if prospect.worst <= place:
        return 1.0
    return None if shares is None else shares.counted[player][place] / shares.runs
