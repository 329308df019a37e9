"""What a player of the register has done in the public events of their organiser: places, games, opponents, records,
milestones. Worked out from official results as the public may see them; nothing of it is stored."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.core.cache import cache

from scoring.awards import Outcome
from scoring.statistics import RecordKind
from tournament.core.change import Actor, open_register_change
from tournament.core.public_view import annotate_holds_back, build_results_filter, count_shown_moments, open_public_view
from tournament.entries.curve import Curve, lay_out_curve
from tournament.models import Division, Entry, Organiser, Player, Result, Round, Seat, Tournament
from tournament.models.organiser import PlayerQuerySet
from tournament.seasons.season_table import EventState, read_public_event

MILESTONES = (100, 500, 1000, 2000)
PLACES_KEPT = 7 * 86_400  # seconds for which the places of an event that is over are kept


@dataclass(frozen=True, slots=True)
class ProfileGame:
    """A game that was played to its end, from the player's side."""

    entry: Entry
    round: int
    is_knockout: bool
    own: int
    other: int
    opponent: Player

    @property
    def spread(self) -> int:
        return self.own - self.other


class GamesSum:
    """What some games come to: half wins, spread and points a game."""

    __slots__ = ()
    games: tuple[ProfileGame, ...]

    @property
    def half_wins(self) -> int:
        return sum(1 + (game.spread > 0) - (game.spread < 0) for game in self.games)

    @property
    def spread(self) -> int:
        return sum(game.spread for game in self.games)

    @property
    def average(self) -> int | None:
        """Points a game, rounded; None without games."""
        return round(sum(game.own for game in self.games) / len(self.games)) if self.games else None


@dataclass(frozen=True, slots=True)
class ProfileEvent(GamesSum):
    """An event with the player's place of so many, None until it is over, and their games."""

    entry: Entry
    place: int | None
    field: int
    games: tuple[ProfileGame, ...]


@dataclass(frozen=True, slots=True)
class OpponentBalance(GamesSum):
    """How the player fared against somebody. `is_public`: whoever reads this may see their profile."""

    player: Player
    games: tuple[ProfileGame, ...]
    is_public: bool


_RECORDS: Mapping[RecordKind, tuple[Callable[[ProfileGame], bool], Callable[[ProfileGame], int]]] = {
    RecordKind.HIGHEST_GAME: (lambda game: True, lambda game: game.own),
    RecordKind.HIGHEST_LOSING_SCORE: (lambda game: game.spread < 0, lambda game: game.own),
    RecordKind.BIGGEST_WIN: (lambda game: game.spread > 0, lambda game: game.spread),
    RecordKind.HIGHEST_COMBINED: (lambda game: True, lambda game: game.own + game.other),
}


@dataclass(frozen=True, slots=True)
class Profile(GamesSum):
    """A player's profile. `events` are in order of days, the first one first; so are the rounds of the curves. `games`
    are all in the order in which they were played."""

    player: Player
    events: tuple[ProfileEvent, ...]
    games: tuple[ProfileGame, ...]
    opponents: tuple[OpponentBalance, ...]

    @property
    def milestones(self) -> list[tuple[int, ProfileGame]]:
        """The hundredth game and so on, as far as they were played here."""
        games = self.games
        return [(number, games[number - 1]) for number in MILESTONES if len(games) >= number]

    @property
    def records(self) -> list[tuple[RecordKind, int, ProfileGame]]:
        """The best values, each with the first game that has it; none without games."""
        # Of equal values `max` keeps the first, and games come in the order in which they were played.
        best_games = [
            (kind, measure, max(filter(counts, self.games), key=measure, default=None))
            for kind, (counts, measure) in _RECORDS.items()
        ]
        return [(kind, measure(game), game) for kind, measure, game in best_games if game is not None]

    @property
    def rating_curve(self) -> Curve | None:
        """The rating with which the player came to each event, by the event's number; None for fewer than two."""
        return self._lay_out([event.entry.rating for event in self.events])

    @property
    def average_curve(self) -> Curve | None:
        """Points a game in each event, by its number; None for fewer than two."""
        return self._lay_out([event.average for event in self.events])

    def _lay_out(self, values: Sequence[int | None]) -> Curve | None:
        return lay_out_curve(range(1, len(values) + 1), values)


def list_public_players(organiser: Organiser) -> PlayerQuerySet:
    """The players whose profile everybody may see, in any order: the organiser shows profiles, they play in a public
    event, and they have not objected."""
    if not organiser.profiles_public:
        return Player.objects.none()
    entered = Entry.objects.filter(tournament__organiser=organiser, tournament__is_public=True).values("player")
    return Player.objects.current().filter(organiser=organiser, hides_profile=False, pk__in=entered)


def list_profile_entries(player: Player) -> list[Entry]:
    """The entries in public events of the player's organiser, by day. One query."""
    events = annotate_holds_back(Tournament.objects.public().filter(organiser=player.organiser_id))
    tournaments = events.in_bulk(Entry.objects.filter(player=player).values_list("tournament", flat=True))
    entries = list(Entry.objects.filter(player=player, tournament__in=tournaments).select_related("division__knockout"))
    for entry in entries:
        entry.tournament = entry.division.tournament = tournaments[entry.tournament_id]
    return sorted(entries, key=lambda entry: (entry.tournament.first_day, entry.tournament_id))


def get_profile_state(player: Player) -> str:
    """What changes whenever the profile may: revisions of register and events, how much is shown. Three queries."""
    # How much is shown as well: results appear by the clock, without anybody writing a new revision.
    revisions = [(entry.tournament_id, entry.tournament.revision) for entry in list_profile_entries(player)]
    rounds = Round.objects.filter(division__entries__player=player, division__tournament__is_public=True)
    return f"{player.organiser.revision}-{revisions}-{count_shown_moments(rounds.distinct())}"


def load_profile(player: Player) -> Profile:
    """A player's profile. Five queries and, for each event, those of its view, its games and its final ranking, which
    is kept once it is over; however many games there are."""
    entries = list_profile_entries(player)
    # The opponents of all events by one query: asked event by event they would cost as many as there are events.
    seats = Seat.objects.filter(pairing__seats__entry__player=player).exclude(entry__player=player)
    rows = seats.values_list("pairing", "entry__player", "side")
    opponents = {pairing: (opponent, side) for pairing, opponent, side in rows}
    players = Player.objects.with_names().in_bulk({pk for pk, _side in opponents.values()})
    events = []
    for entry in entries:
        state, places, field = _read_places(entry.division)
        games = _load_games(entry, opponents, players)
        # A place in a table that still moves would be told as the one that was reached.
        place = places.get(entry.player_id) if state == EventState.OVER else None
        events.append(ProfileEvent(entry, place, field, games))
    public_players = set(list_public_players(player.organiser).filter(pk__in=players).values_list("pk", flat=True))
    all_games = tuple(game for event in events for game in event.games)
    return Profile(player, tuple(events), all_games, _build_balances(all_games, public_players))


def _load_games(
    entry: Entry, opponents: Mapping[int, tuple[int, int]], players: Mapping[int, Player]
) -> tuple[ProfileGame, ...]:
    """An entry's games, as far as the public may see their results."""
    games = []
    with open_public_view(entry.tournament):
        results = Result.objects.filter(build_results_filter(), official=True, outcome=Outcome.PLAYED)
        results = results.filter(pairing__seats__entry=entry).exclude(pairing__round__state=Round.State.DRAFT)
        rows = results.order_by("pairing__round__number", "pairing_id").values_list(
            *("pairing_id", "pairing__round__number", "pairing__round__stage", "first_points", "second_points")
        )
        for pairing, number, stage, first, second in rows:
            if pairing not in opponents:
                continue
            opponent, side = opponents[pairing]
            # `side` is where the opponent sits.
            own, other = (second, first) if side == Seat.FIRST else (first, second)
            games.append(ProfileGame(entry, number, stage is not None, own, other, players[opponent]))
    return tuple(games)


def _read_places(division: Division) -> tuple[EventState, dict[int, int | None], int]:
    """How an event stands for the public, everybody's place by the player, and how many there are."""
    key = f"places-{division.pk}-{division.tournament.revision}"
    if (cached_places := cache.get(key)) is not None:
        return EventState.OVER, cached_places, len(cached_places)
    state, performances = read_public_event(division)
    places = {entry.player_id: performance.place for entry, performance in performances}
    # Until then the public sees more with the clock alone, which no revision tells.
    if state == EventState.OVER:
        cache.set(key, places, PLACES_KEPT)
    return state, places, len(places)


def _build_balances(games: Sequence[ProfileGame], public_players: set[int]) -> tuple[OpponentBalance, ...]:
    """The balance with each opponent, whom the player met most first."""
    games_by_opponent: dict[Player, list[ProfileGame]] = {}
    for game in games:
        games_by_opponent.setdefault(game.opponent, []).append(game)
    balances = [
        OpponentBalance(opponent, tuple(their_games), opponent.pk in public_players)
        for opponent, their_games in games_by_opponent.items()
    ]
    by_games = sorted(balances, key=lambda balance: (-len(balance.games), balance.player.sort_name, balance.player.pk))
    return tuple(by_games)


def set_profile_hidden(player: Player, *, hidden: bool, actor: Actor) -> None:
    """Note that a person objects to a public profile, or no longer does. Nothing happens the second time."""
    about = {"name": player.name, "hidden": hidden}
    with open_register_change(player.organiser, actor=actor, verb="set_profile_hidden", **about) as log:
        log.save(Player.objects.get(pk=player.pk), hides_profile=hidden)
