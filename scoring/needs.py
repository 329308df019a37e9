"""What a player needs for the places that count: what the bounds of ranks say about them, as values for a sentence."""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from scoring.awards import Outcome
from scoring.chances import Prospect, find_prospects
from scoring.completions import Event
from scoring.linked_games import get_players
from scoring.standings import Criterion, PlayerKey, RankingBasis, TableGame

WON = 2  # half wins
FEW_OPEN_GAMES = 6  # with more of the last round it is not said what others must not do
LARGEST_MARGIN = 300  # a larger one is not named
FAR = 50_000  # more points than any real game brings


class NeedKind(StrEnum):
    """A statement about a place. Each follows from the bounds alone, and holds where they are not exact as well."""

    CERTAIN = "certain"  # the place or a better one, whatever happens
    ENOUGH = "enough"  # so many own wins make it certain, whatever the others do
    MARGIN_ENOUGH = "margin_enough"  # so does the only game that is left, won by so much
    ENOUGH_WITHOUT = "enough_without"  # so do so many own wins, if somebody else does not win
    AT_LEAST = "at_least"  # with fewer own wins it is out of reach
    MARGIN_AT_LEAST = "margin_at_least"  # unless the only game that is left is won by so much
    ONLY_WITHOUT = "only_without"  # if somebody else wins
    OPEN = "open"  # it can be reached, and be missed
    OUT_OF_REACH = "out_of_reach"  # no place as good as this or better


@dataclass(frozen=True, slots=True)
class Need:
    """One statement on a place. `half_wins`: own half wins, from games that are left; `is_last`: there is only one.
    `margin`: that of the only game. `other`: who must not win their only game."""

    kind: NeedKind
    place: int
    half_wins: int = 0
    is_last: bool = False
    margin: int = 0
    other: PlayerKey | None = None

    def holds(self, rank: int, own: int, margin: int = 0, winners: Collection[PlayerKey] = ()) -> bool:
        """Whether the statement is true of a completion in which the player ends at `rank` with `own` half wins, wins
        the last game by `margin`, and the `winners` among the others win theirs."""
        has_place = rank <= self.place
        is_won = own >= self.half_wins and (not self.margin or margin >= self.margin)
        is_met = is_won and all(winner != self.other for winner in winners)
        if self.kind in PROMISES:
            return has_place or not is_met
        if self.kind in CONDITIONS:
            return not has_place or is_met
        return self.kind is NeedKind.OPEN or not has_place  # that it is open says nothing of one completion


PROMISES = (NeedKind.CERTAIN, NeedKind.ENOUGH, NeedKind.MARGIN_ENOUGH, NeedKind.ENOUGH_WITHOUT)
CONDITIONS = (NeedKind.AT_LEAST, NeedKind.MARGIN_AT_LEAST, NeedKind.ONLY_WITHOUT)


def find_needs(
    event: Event, prospects: Mapping[PlayerKey, Prospect], places: Sequence[int]
) -> dict[PlayerKey, list[Need]]:
    """What is worth saying to each player about the places that count; where few games of the last round are open, also
    the margins needed and what others must not do."""
    last_games = _find_last_games(event)
    needs = {player: list_needs(prospect, places) for player, prospect in prospects.items()}
    places_asked = {player: place for player in prospects for place in _list_asked(needs[player])}
    if not places_asked or event.rounds or len(event.open_games) > FEW_OPEN_GAMES:
        return needs
    for player, place in places_asked.items():
        needs[player] += _find_margins(event, player, place, last_games.get(player))
    for player, need in _find_conditions(event, prospects, last_games, places_asked):
        needs[player].append(need)
    return {player: sorted(_drop_what_is_said(own_needs), key=_rank_need) for player, own_needs in needs.items()}


def list_needs(prospect: Prospect, places: Sequence[int]) -> list[Need]:
    """What bounds say to a player about the places that count, the best one first."""
    if prospect.best > places[-1]:
        return [Need(NeedKind.OUT_OF_REACH, prospect.best - 1)]
    return list(_find_needs(prospect, places))


def _find_needs(prospect: Prospect, places: Sequence[int]) -> Iterator[Need]:
    """For each place that can be reached, what it takes and what is enough, unless a better place says as much."""
    if prospect.worst <= places[-1]:
        yield Need(NeedKind.CERTAIN, prospect.worst)
    reached = [place for place in places if prospect.best <= place]
    if reached[0] > places[0]:
        yield Need(NeedKind.OUT_OF_REACH, prospect.best - 1)
    is_last = max(prospect.best_with) <= WON
    pairs_told: set[tuple[NeedKind, int]] = set()
    for place in reached:
        if prospect.worst <= place:
            return
        fewest, enough = prospect.possible_with(place), prospect.certain_with(place)
        # No wins needed is no condition: 0 is passed over as None is.
        if fewest and fewest != enough and (NeedKind.AT_LEAST, fewest) not in pairs_told:
            yield Need(NeedKind.AT_LEAST, place, fewest, is_last)
        elif not fewest and not enough and place == reached[0] and prospect.is_exact:
            yield Need(NeedKind.OPEN, place)
        if enough and (NeedKind.ENOUGH, enough) not in pairs_told:
            yield Need(NeedKind.ENOUGH, place, enough, is_last)
        pairs_told |= {(NeedKind.AT_LEAST, fewest or 0), (NeedKind.ENOUGH, enough or 0)}


def _drop_what_is_said(needs: Sequence[Need]) -> list[Need]:
    """The needs without those that others include: that a place is open when something is enough for it, and that it
    takes a win when the margin of that win is named."""
    by_margin = {(NeedKind.AT_LEAST, need.place) for need in needs if need.kind is NeedKind.MARGIN_AT_LEAST}
    enough = {(NeedKind.OPEN, need.place) for need in needs if need.kind in PROMISES}
    return [need for need in needs if (need.kind, need.place) not in by_margin | enough]


def _rank_need(need: Need) -> tuple[bool, int]:
    """What is certain or out of reach at all comes first, then place by place."""
    return need.kind not in (NeedKind.CERTAIN, NeedKind.OUT_OF_REACH), need.place


def _list_asked(needs: Sequence[Need]) -> list[int]:
    """The best place that a player can reach and miss."""
    telling = (NeedKind.AT_LEAST, NeedKind.ENOUGH, NeedKind.OPEN)
    return [need.place for need in needs if need.kind in telling][:1]


def _find_last_games(event: Event) -> dict[PlayerKey, TableGame]:
    """The open game of everybody who has only one."""
    games: dict[PlayerKey, list[TableGame]] = {}
    for game in event.open_games:
        for player in get_players(game):
            games.setdefault(player, []).append(game)
    return {player: own[0] for player, own in games.items() if len(own) == 1}


# By how much. Of all wins by a margin the one with the fewest points serves a player worst, and the one with the most
# serves best; a larger margin never serves worse. So what holds of these holds of every win by that margin or more.
# Only whether three are level, the opponent among them, may differ: such a margin is passed over.


def _find_margins(event: Event, player: PlayerKey, place: int, game: TableGame | None) -> Iterator[Need]:
    """What a player's last game must be won by, and what is enough."""
    if game is None or event.ranking.basis is not RankingBasis.WINS or Criterion.SPREAD not in event.ranking.criteria:
        return
    if _rank_after(event, game, player, 1).best > place >= _rank_after(event, game, player, LARGEST_MARGIN).best:
        needed = _find_least_margin(lambda margin: _rank_after(event, game, player, margin).best <= place)
        needed -= _is_level_with_opponent(event, game, player, needed - 1)
        yield Need(NeedKind.MARGIN_AT_LEAST, place, WON, is_last=True, margin=needed)
    if _rank_after(event, game, player, -1).worst > place >= _rank_after(event, game, player, -LARGEST_MARGIN).worst:
        needed = _find_least_margin(lambda margin: _rank_after(event, game, player, -margin).worst <= place)
        needed += _is_level_with_opponent(event, game, player, needed)
        yield Need(NeedKind.MARGIN_ENOUGH, place, WON, is_last=True, margin=needed)


def _find_least_margin(is_reached: Callable[[int], bool]) -> int:
    # From 1, since nobody wins by nothing.
    return bisect_left(range(LARGEST_MARGIN), True, lo=1, key=is_reached)


def _rank_after(event: Event, game: TableGame, player: PlayerKey, margin: int) -> Prospect:
    """Where a player can end who wins this game by a margin: with as many points as can be or, if the margin is
    negative, by its amount and with as few."""
    return find_prospects(_win_game(event, game, player, abs(margin), FAR if margin > 0 else -FAR), (player,))[player]


def _win_game(event: Event, game: TableGame, player: PlayerKey, margin: int, points: int) -> Event:
    """The event once a player has won this game by a margin, the loser with so many points."""
    scores = (points + margin, points) if player == game.first else (points, points + margin)
    won = replace(game, outcome=Outcome.PLAYED, first_points=scores[0], second_points=scores[1])
    return replace(event, games=tuple(won if played == game else played for played in event.games))


def _is_level_with_opponent(event: Event, game: TableGame, player: PlayerKey, margin: int) -> bool:
    rows = {row.player: row for row in _win_game(event, game, player, margin, 0).rank()}
    one, other = (rows[key] for key in get_players(game))
    return (one.half_wins, one.spread) == (other.half_wins, other.spread)


# What others must not do: the bounds of the event in which somebody wins their last game, and in which they do not.


def _find_conditions(
    event: Event,
    prospects: Mapping[PlayerKey, Prospect],
    last_games: Mapping[PlayerKey, TableGame],
    places_asked: Mapping[PlayerKey, int],
) -> Iterator[tuple[PlayerKey, Need]]:
    """Who must not win so that a player's wins are enough, or else so that the place can be reached at all."""
    for other, game in last_games.items():
        players = [player for player in places_asked if player not in get_players(game)]
        if not players:
            continue
        # As half wins of the first player: the second has won with 0.
        ways = ((2,), (0, 1)) if other == game.first else ((0,), (1, 2))
        won, not_won = (find_prospects(replace(event, limits=((game, way),)), players) for way in ways)
        for player in players:
            place, is_last = places_asked[player], max(prospects[player].best_with) <= WON
            enough, now = not_won[player].certain_with(place), prospects[player].certain_with(place)
            if enough is not None and (now is None or enough < now):
                yield player, Need(NeedKind.ENOUGH_WITHOUT, place, enough, is_last, other=other)
            elif won[player].best > place:
                yield player, Need(NeedKind.ONLY_WITHOUT, place, other=other)
