"""What the games of events make of ratings: a preview for one event, and an organiser's own list over all its events.
Nothing of it is stored."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from scoring.awards import Outcome
from scoring.ratings import NewRating, RatedGame, RatedPlayer, RatingSystem, rate_event
from scoring.standings import PlayerKey
from tournament.core.public_view import build_results_filter, find_last_seen_table
from tournament.models import Division, Entry, Result, Round, Seat
from tournament.models.play import KNOCKOUT_FROM
from tournament.results.league_games import list_division_entries, load_players_by_pairing
from tournament.table.league import count_planned_rounds


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A player of an event and what it makes of their rating."""

    entry: Entry
    new: NewRating


@dataclass(frozen=True, slots=True)
class DivisionRatings:
    """The preview of a division: everybody by the new rating, players without one last."""

    division: Division
    system: RatingSystem
    rows: tuple[RatingRow, ...]

    @property
    def games(self) -> int:
        """How many games are rated."""
        return sum(row.new.rated_games for row in self.rows) // 2


def load_division_ratings(division: Division, system: RatingSystem | None = None) -> DivisionRatings:
    """What a division's games make of the ratings, by the event's procedure or another one; as far as the reader may
    see them. Three queries."""
    chosen = system or RatingSystem(division.tournament.rating_system)
    games = load_rated_games([division]).get(division.pk, {})
    return preview_ratings(division, list_division_entries(division), games.values(), chosen)


def preview_ratings(
    division: Division, entries: Iterable[Entry], games: Iterable[RatedGame], system: RatingSystem
) -> DivisionRatings:
    """What these games make of the ratings of a division's entries. No query."""
    entries_by_key = {entry.pk: entry for entry in entries}
    players = [RatedPlayer(entry.pk, entry.rating, entry.games) for entry in entries_by_key.values()]
    ratings = rate_division(division, players, games, system)
    rows = [RatingRow(entries_by_key[int(player)], new) for player, new in ratings.items()]
    rows.sort(key=lambda row: (row.new.new is None, -(row.new.new or 0), row.entry.player.sort_name, row.entry.pk))
    return DivisionRatings(division, system, tuple(rows))


def rate_division(
    division: Division, players: Iterable[RatedPlayer], games: Iterable[RatedGame], system: RatingSystem
) -> dict[PlayerKey, NewRating]:
    """Everybody's rating after these games. The rounds are those of the plan, or those played once the event is
    over."""
    listed = list(games)
    # Without the knock-out, the numbers of whose rounds would make the event a thousand rounds long.
    played = max((game.round for game in listed if game.round < KNOCKOUT_FROM), default=0)
    # An event that was broken off is as long as it was: a longer one may be rated in parts.
    planned = 0 if division.tournament.is_ended else count_planned_rounds(division)
    return rate_event(players, listed, rounds=max(played, planned), system=system)


def load_rated_games(divisions: Iterable[Division]) -> dict[int, dict[int, RatedGame]]:
    """The rated games of divisions by their ids, each by its pairing, as far as the reader may see them: played to
    their end, in an event that is rated; byes and forfeits are none. Two queries."""
    rated = {division.pk: division.tournament.knockout_rated for division in divisions if division.tournament.rated}
    seen = Q()
    for pk in rated:
        # Of rounds whose table is held back no rating tells, or the winners could be read from these before the
        # ceremony.
        if (last := find_last_seen_table(pk)) is not None:
            seen &= ~Q(pairing__round__division=pk, pairing__round__stage=None, pairing__round__number__gt=last)
    results = Result.objects.filter(build_results_filter(), seen, official=True, outcome=Outcome.PLAYED)
    results = results.filter(pairing__round__division__in=rated).exclude(pairing__round__state=Round.State.DRAFT)
    rows = results.order_by("pairing__round__number", "pairing_id").values_list(
        *("pairing_id", "pairing__round__division_id", "pairing__round__number", "pairing__round__stage"),
        *("first_points", "second_points"),
    )
    players = load_players_by_pairing(Seat.objects.filter(round__division__in=rated).order_by())
    games: dict[int, dict[int, RatedGame]] = {pk: {} for pk in rated}
    for pairing, division, number, stage, first_points, second_points in rows:
        at = players.get(pairing)
        # `rated` says of each division whether the games of its knock-out are, too.
        if at is None or at.second is None or (stage is not None and not rated[division]):
            continue
        games[division][pairing] = RatedGame(number, at.first, at.second, first_points, second_points)
    return games
