"""An organiser's own list of ratings over all its rated events. It is worked out from the first event on whenever it is
read, so a corrected result changes every rating after it by itself."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from django.db.models import Count

from scoring.awards import Outcome
from scoring.ratings import NewRating, RatedGame, RatedPlayer, RatingSystem
from scoring.rulesets import RULESETS
from tournament.models import Division, Entry, Organiser, Player, Result
from tournament.models.play import prefetch_seats
from tournament.ratings.division_ratings import load_rated_games, rate_division


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """What an event, of `list_rated_events`, made of a player's rating in the list."""

    division: Division
    player: Player
    new: NewRating


@dataclass(frozen=True, slots=True)
class ListedPlayer:
    """A player with at least one rated game: the ratings from event to event, the last one valid."""

    player: Player
    history: tuple[HistoryLine, ...]

    @property
    def rating(self) -> int:
        rating = self.history[-1].new.new
        assert rating is not None  # who played has a rating
        return rating

    @property
    def games(self) -> int:
        """Lifetime games: those from before the first event, and all rated ones since."""
        return self.history[-1].new.before.games + self.history[-1].new.rated_games


ListedFigures = tuple[int, int]  # rating and lifetime games


@dataclass(frozen=True, slots=True)
class ClubList:
    """The list, the highest rating first; the events in the order in which they are counted."""

    system: RatingSystem
    events: tuple[Division, ...]
    players: tuple[ListedPlayer, ...]

    @property
    def figures(self) -> dict[Player, ListedFigures]:
        return {line.player: (line.rating, line.games) for line in self.players}

    @property
    def ranked(self) -> list[tuple[int, ListedPlayer]]:
        """The players with their places; who have the same rating share the higher one."""
        # From the last to the first: of one rating the dictionary is left with the highest place.
        places = {player.rating: place for place, player in reversed(list(enumerate(self.players, 1)))}
        return [(places[player.rating], player) for player in self.players]


ReplacedGames = Mapping[int, RatedGame | None]  # other games by their pairing; None for none that is rated


def load_club_list(
    organiser: Organiser, system: RatingSystem, *, instead: ReplacedGames = MappingProxyType({})
) -> ClubList:
    """The list of an organiser by a procedure, with games replaced by those `instead`. Five queries."""
    events = list_rated_events(organiser)
    games = load_rated_games(events)
    starts: dict[int, list[tuple[int, RatedPlayer]]] = {}
    entered = Entry.objects.filter(division__in=games).order_by("position", "pk")
    for pk, division, player, rating, count in entered.values_list("pk", "division", "player", "rating", "games"):
        starts.setdefault(division, []).append((pk, RatedPlayer(player, rating, count)))
    standing: dict[int, RatedPlayer] = {}
    ratings: dict[int, list[tuple[Division, NewRating]]] = {}
    for event in events:
        entries = starts.get(event.pk, [])
        played = _choose_games(games[event.pk], instead, {pk: int(start.player) for pk, start in entries})
        # What an entry states counts until a player has rated games here: from then on the list goes on by itself.
        field = [standing.get(int(start.player), start) for _pk, start in entries]
        for key, new in rate_division(event, field, played, system).items():
            # Whoever had no rated game in an event has nothing from it: the entry of the next one may state another
            # rating.
            if new.rated_games:
                ratings.setdefault(int(key), []).append((event, new))
                count = new.before.games + new.rated_games
                # With the deviation, by which the Norwegian procedure goes on.
                standing[int(key)] = RatedPlayer(key, new.new, count, new.deviation_after)
    players = Player.objects.with_names().in_bulk(ratings)
    listed = [
        ListedPlayer(players[pk], tuple(HistoryLine(division, players[pk], new) for division, new in own_ratings))
        for pk, own_ratings in ratings.items()
    ]
    listed.sort(key=lambda line: (-line.rating, line.player.sort_name, line.player.pk))
    return ClubList(system, tuple(events), tuple(listed))


def list_rated_events(organiser: Organiser) -> list[Division]:
    """The divisions of an organiser's rated events, by day, with how many `divisions` their tournaments have. One
    query."""
    paired = [ruleset.key for ruleset in RULESETS.values() if ruleset.is_paired]
    rated_divisions = Division.objects.filter(tournament__organiser=organiser, tournament__rated=True)
    rated_divisions = rated_divisions.filter(tournament__ruleset__in=paired).select_related("tournament")
    rated_divisions = rated_divisions.annotate(divisions=Count("tournament__divisions"))
    # By day, then by what never changes: each rating rests on the one before, so that the order must be the same every
    # time.
    return sorted(
        rated_divisions,
        key=lambda division: (division.tournament.first_day, division.tournament_id, division.position, division.pk),
    )


def _choose_games(
    games: Mapping[int, RatedGame], instead: ReplacedGames, players: Mapping[int, int]
) -> list[RatedGame]:
    """The games of an event between players of the register instead of entries, some replaced."""
    chosen = [game for pairing, game in games.items() if pairing not in instead]
    # A replaced game belongs to the event in which its players are entered: an entry is of one event alone.
    chosen += [game for game in instead.values() if game is not None and int(game.first) in players]
    return [replace(game, first=players[int(game.first)], second=players[int(game.second)]) for game in chosen]


# What a correction changed.

CORRECTIONS_LISTED = 20


@dataclass(frozen=True, slots=True)
class MovedPlayer:
    """A player whose rating or lifetime games are others in a second list. None: not in that list."""

    player: Player
    before: int | None
    now: int | None
    games_before: int | None = None
    games_now: int | None = None


def list_corrections(organiser: Organiser) -> list[Result]:
    """The latest corrected results of rated events that are official, the newest first. One query, and those for the
    players' names."""
    divisions = list_rated_events(organiser)
    results = Result.objects.filter(official=True, version__gt=1, pairing__round__division__in=divisions)
    results = results.select_related("pairing__round__division__tournament", "pairing__round__division__knockout")
    return list(results.prefetch_related(prefetch_seats("pairing__seats")).order_by("-at", "-pk")[:CORRECTIONS_LISTED])


def find_moved_players(organiser: Organiser, result: Result, system: RatingSystem) -> list[MovedPlayer]:
    """Whose rating in the list a corrected result has changed against the version before it, most first."""
    earlier = result.pairing.results.filter(version__lt=result.version).order_by("-version").first()
    instead = {result.pairing_id: _restore_game(result, earlier)}
    # Both lists as a whole: a correction moves every rating after it, and not only those of the two who played.
    then, now = load_club_list(organiser, system, instead=instead), load_club_list(organiser, system)
    return compare_figures(then.figures, now.figures)


def compare_figures(then: Mapping[Player, ListedFigures], now: Mapping[Player, ListedFigures]) -> list[MovedPlayer]:
    """Whose rating or lifetime games are others in the second list, the ratings that differ most first."""
    moved = []
    # A dictionary, not a set: players of both lists, each once, and in an order that stays.
    for player in {**then, **now}:
        (before, games_before), (after, games_after) = (side.get(player, (None, None)) for side in (then, now))
        if (before, games_before) != (after, games_after):
            moved.append(MovedPlayer(player, before, after, games_before, games_after))
    return sorted(moved, key=lambda row: (-abs((row.now or 0) - (row.before or 0)), row.player.sort_name))


def _restore_game(result: Result, earlier: Result | None) -> RatedGame | None:
    """The game as an earlier version of its result has it; None where that is no rated game."""
    round = result.pairing.round
    if earlier is None or earlier.outcome != Outcome.PLAYED:
        return None
    # The conditions of `load_rated_games`: what these leave out must not count here, or the lists before and after
    # would differ by more than the correction.
    if round.is_knockout and not round.division.tournament.knockout_rated:
        return None
    first, second = result.pairing.first, result.pairing.second
    if second is None or earlier.first_points is None or earlier.second_points is None:
        return None
    return RatedGame(round.number, first.pk, second.pk, earlier.first_points, earlier.second_points)
