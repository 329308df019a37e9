"""Who goes up or down a division, whatever the games that are left bring.

| claim | holds if | test |
|---|---|---|
| up | fewer than `up` others can end above or level | `test_promotion.py` tries every completion of tiny fields |
| down | at least all places but `down` end above in any case | the same |
| stays | fewer others than there are places that stay can end above or level | the same |
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from scoring.completions import Event
from scoring.standings import Criterion, PlayerKey, game_credits

Bounds = tuple[int, int]  # the best and the worst rank that a player can still reach


@dataclass(frozen=True, slots=True)
class SettledMoves:
    """The players of whom it is certain that they go `up`, that they go `down`, and of the others that they
    `stay` at least."""

    up: tuple[PlayerKey, ...] = ()
    down: tuple[PlayerKey, ...] = ()
    stay: tuple[PlayerKey, ...] = ()


def find_settled_moves(
    bounds: Mapping[PlayerKey, Bounds], *, up: int, down: int, ties: Mapping[PlayerKey, int] | None = None
) -> SettledMoves:
    """What the bounds of all players of a division prove where the first `up` go up and the last `down` go down. Ranks
    may be shared: whoever goes up for certain does so even if every tie is lost, whoever goes down even if every tie is
    won. `ties`: how many others each can end level with at most; None: with anybody. Nobody is both; what is certain
    may be missed."""
    goes_up, goes_down, stays = [], [], []
    last_safe = len(bounds) - down
    for player, (best, worst) in bounds.items():
        others = [bound for other, bound in bounds.items() if other != player]
        ahead_or_level = sum(other_best <= worst for other_best, _worst in others)
        if ties is not None:
            # One by one more can pass a player than together: of two who still meet, only one wins.
            ahead_or_level = min(ahead_or_level, worst - 1 + ties[player])
        ahead = max(best - 1, sum(other_worst < best for _best, other_worst in others))
        # Down goes only who cannot go up: with three up and three down of five the places overlap.
        if ahead_or_level < up:
            goes_up.append(player)
        elif down and ahead >= max(last_safe, up):
            goes_down.append(player)
        elif down and ahead_or_level < last_safe:
            stays.append(player)
    return SettledMoves(tuple(goes_up), tuple(goes_down), tuple(stays))


def count_possible_ties(event: Event) -> dict[PlayerKey, int]:
    """How many others each player may end level with after every criterion. If the highest game is one of them, those
    who are level have the same scores in all of their games: nobody with more scores apart than games left."""
    if Criterion.HIGHEST_GAME not in event.ranking.criteria:  # then whoever is level by wins and spread stays so
        return {one.key: len(event.contestants) - 1 for one in event.contestants}
    games_left = {one.key: 0 if one.withdrawn else len(event.rounds) for one in event.contestants}
    scores: dict[PlayerKey, Counter[int]] = {one.key: Counter() for one in event.contestants}
    for key in [key for game in event.open_games for key in (game.first, game.second) if key is not None]:
        games_left[key] += 1
    for game in event.games:
        for key, credit in game_credits(game, event.awards):
            if credit is not None and credit.score is not None:
                scores[key][credit.score] += 1
    return {
        player: sum(
            (own - scores[other]).total() <= games_left[other] and (scores[other] - own).total() <= games_left[player]
            for other in scores
            if other != player
        )
        for player, own in scores.items()
    }
