"""The German procedure as the program tsh computes it (its rating system `deu`).

Source: John Chew's tsh, `Ratings.pm`, `Ratings/Elo.pm` and `Ratings/Elo/Deutsch.pm`; this is a formulation of our own.

An expected result is linear: half a game, and one game more for each 1200 points of difference; it has no bounds.
Wins above the expectation bring a multiplier each: 30 below 1800, 24 below 2000, else 15, for who has played fewer than
50 games before the event; 20, 16 and 10 for others. Where the rating crosses 1800 or 2000 on its way, the rest counts
by the other multiplier (downwards the change of bands is at 1799 and 1999).

Who gains more than five points a rated game gets what is above it once more (acceleration); each rated opponent gets a
twentieth of that for each game against them (feedback).

An event of more than 16 rounds is rated in two parts, of more than 35 in three, each on the whole ratings that the part
before it has made. Lifetime games are those from before the event in all parts.

A newcomer's rating is the one at which the result would have been the expected one (a result without wins counts as
5 %, one without losses as 95 %), at least 500 and at most that of the strongest rated opponent plus 400 times the share
of wins. Where newcomers meet, this is repeated six times; if it does not settle, the mean of six further times counts,
in which who met no rated opponent is held to 1500 plus the same. tsh looks for it in whole points; here it is exact.
A newcomer without a rated game stays one.

Example: 1400, 60 games, five wins of seven against 1450. Expected 7 · (1/2 − 50/1200) = 3.208, so 1.792 more, times 20
= 35.83; 0.83 of that is above 35 and counts twice: 1436.67, listed as 1437.
"""

from collections.abc import Iterable, Mapping, Sequence

from scoring.ratings.values import (
    GamePart,
    NewRating,
    OwnGame,
    RatedGame,
    RatedPlayer,
    Segment,
    list_own_games,
    round_rating,
)
from scoring.standings import PlayerKey

POINTS_OF_A_WIN = 1200  # difference in ratings that is worth a whole game

BANDS = (1800, 2000)  # a rating from which the multiplier is smaller
NEW_MULTIPLIERS = (30, 24, 15)
USUAL_MULTIPLIERS = (20, 16, 10)
FEW_GAMES = 50  # who has played fewer moves faster

UNACCELERATED = 5  # points a game that bring no acceleration
FEEDBACK_SHARE = 1 / 20

ONE_PART, TWO_PARTS = 16, 35  # rounds that an event may have to be rated in one or two parts

NO_WINS, ALL_WINS = 0.05, 0.95
LOWEST, HIGHEST = 500, 3000  # of a newcomer
ABOVE_THE_STRONGEST = 400  # times the share of wins
USUAL_START = 1500
REPETITIONS = 6
SETTLED = 0.5

Ratings = Mapping[PlayerKey, float]
OwnGames = Mapping[PlayerKey, Sequence[OwnGame]]


def rate_event(
    players: Iterable[RatedPlayer], games: Iterable[RatedGame], *, rounds: int
) -> dict[PlayerKey, NewRating]:
    """Everybody's rating after the games of a field in an event of so many rounds."""
    field = {player.player: player for player in players}
    own_games = list_own_games(games)
    standing = {player: field_player.rating for player, field_player in field.items()}
    segments: dict[PlayerKey, list[Segment]] = {player: [] for player in field}
    before = 0
    for last in split_rounds(rounds):
        # The last part takes what comes after it as well: a round played beyond the number that is stated still counts.
        part = {
            player: counting_games
            for player, own in own_games.items()
            if (
                counting_games := [
                    game for game in own if before < game.round and (game.round <= last or last == rounds)
                ]
            )
        }
        for player, segment in _rate_segment(field, standing, part).items():
            segments[player].append(segment)
            # Rounded in between: the next part begins with ratings as they are listed.
            standing[player] = round_rating(segment.new_exact)
        before = last
    return {player: NewRating(rating, tuple(segments[player])) for player, rating in field.items()}


def split_rounds(rounds: int) -> tuple[int, ...]:
    """The last round of each part, for an event of `rounds` rounds."""
    if rounds <= ONE_PART:
        return (rounds,)
    if rounds <= TWO_PARTS:
        return ((rounds + 1) // 2, rounds)
    return ((rounds + 2) // 3, (2 * rounds + 2) // 3, rounds)


def _rate_segment(
    field: Mapping[PlayerKey, RatedPlayer], standing: Mapping[PlayerKey, int | None], games: OwnGames
) -> dict[PlayerKey, Segment]:
    """What a part of the event makes of those who played in it, on the ratings from before it."""
    rated: dict[PlayerKey, float] = {player: rating for player, rating in standing.items() if rating is not None}
    newcomers = rate_newcomers(rated, {player: own for player, own in games.items() if player not in rated})
    counted = rated | newcomers
    gains = {}
    for player, own in games.items():
        if player in rated:
            above = sum(game.won - expect(counted[player], counted[game.opponent]) for game in own)
            gains[player] = convert_wins(above, rating=rated[player], games=field[player].games), above
    accelerations = {
        player: max(gain - UNACCELERATED * len(games[player]), 0.0) for player, (gain, _above) in gains.items()
    }
    segments = {}
    for player, own in games.items():
        if player in newcomers:
            parts = tuple(_make_part(game, counted, player, factor=None, feedback=0.0) for game in own)
            segments[player] = Segment(None, newcomers[player], parts)
            continue
        gain, above = gains[player]
        # With exactly the expected result this is 0 / 0; each single game still has points, by the multiplier of the
        # band.
        factor = gain / above if above else get_multiplier(rated[player], field[player].games)
        parts = tuple(
            _make_part(game, counted, player, factor, accelerations.get(game.opponent, 0.0) * FEEDBACK_SHARE)
            for game in own
        )
        exact = rated[player] + gain + accelerations[player] + sum(part.feedback for part in parts)
        segments[player] = Segment(standing[player], exact, parts, accelerations[player])
    return segments


def _make_part(game: OwnGame, counted: Ratings, player: PlayerKey, factor: float | None, feedback: float) -> GamePart:
    """A game's share in a change of rating. `factor`: what a win above the expectation is worth over the whole part."""
    expected = expect(counted[player], counted[game.opponent])
    points = None if factor is None else factor * (game.won - expected)
    return GamePart(game, counted[game.opponent], expected, game.won, points, feedback)


def expect(own: float, other: float) -> float:
    """The share of a game that a player is expected to win."""
    return 0.5 + (own - other) / POINTS_OF_A_WIN


def get_multiplier(rating: float, games: int) -> int:
    """What a win above the expectation brings at a rating, by the games played before the event."""
    multipliers = NEW_MULTIPLIERS if games < FEW_GAMES else USUAL_MULTIPLIERS
    return multipliers[sum(rating >= band for band in BANDS)]


def convert_wins(above: float, *, rating: float, games: int) -> float:
    """The points for wins above the expectation (below it: lost points), by the multiplier of each band crossed."""
    now = rating
    # One band at a time: from 1700 many wins lead past 1800 and 2000, each stretch by its own multiplier.
    while True:
        multiplier = get_multiplier(now, games)
        target = now + multiplier * above
        if get_multiplier(target, games) == multiplier:
            return target - rating
        border = min(band for band in BANDS if band > now) if above > 0 else max(b for b in BANDS if b <= now) - 1
        above -= (border - now) / multiplier
        now = border


def rate_newcomers(rated: Ratings, games: OwnGames) -> dict[PlayerKey, float]:
    """The first ratings of newcomers with these games, on the ratings of the others."""
    now = {player: _start_newcomer(own, rated) for player, own in games.items()}
    for _time in range(REPETITIONS):
        last, now = now, _repeat_newcomers(rated, games, now, settling=True)
    if all(abs(now[player] - last[player]) < SETTLED for player in now):
        return now
    times = []
    for _time in range(REPETITIONS):
        now = _repeat_newcomers(rated, games, now, settling=False)
        times.append(now)
    return {player: sum(rating_pass[player] for rating_pass in times) / REPETITIONS for player in now}


def _start_newcomer(own: Sequence[OwnGame], rated: Ratings) -> float:
    """Where the search begins: the mean of the rated opponents."""
    opponent_ratings = [rated[game.opponent] for game in own if game.opponent in rated]
    return sum(opponent_ratings) / len(opponent_ratings) if opponent_ratings else USUAL_START


def _repeat_newcomers(
    rated: Ratings, games: OwnGames, now: Mapping[PlayerKey, float], *, settling: bool
) -> dict[PlayerKey, float]:
    """The newcomers' ratings worked out once more, on those of the time before. `settling`: a newcomer who met no rated
    opponent is bounded by the strongest newcomer met; afterwards by the usual start."""
    counted = {**rated, **now}
    ratings = {}
    for player, own in games.items():
        share, opponents = sum(game.won for game in own) / len(own), [counted[game.opponent] for game in own]
        # Compared with 0.0 and 1.0 exactly: wins and draws add up in halves, without an error of rounding.
        bounded = {0.0: NO_WINS, 1.0: ALL_WINS}.get(share, share)
        performance = sum(opponents) / len(own) + POINTS_OF_A_WIN * (bounded - 0.5)
        opponent_ratings = [rated[game.opponent] for game in own if game.opponent in rated]
        strongest = max(opponent_ratings) if opponent_ratings else max(opponents) if settling else USUAL_START
        held = min(max(performance, LOWEST), HIGHEST)
        ratings[player] = min(held, strongest + ABOVE_THE_STRONGEST * share)
    return ratings
