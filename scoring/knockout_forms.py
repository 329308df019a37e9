"""The forms of the knock-out as data: a list of matches for each system and size, by what feeds their places.

    single elimination   whoever loses is out; the losers of the semi-finals may play for third place
    places to eight      the same, and the losers of the quarter-finals play for the places 5 to 8
    double elimination   out is who has lost twice: whoever loses in the winners' rounds goes on in the losers' rounds.
                         The winners of both meet in the final; if the one without a loss loses it, both have lost once,
                         and a second final decides
    page play-off        of four: the winner of 1 against 2 is in the final, the loser meets the winner of 3 against 4
                         for the other place in it

The matches of a stage are played at the same time: the second of the winners' rounds and the first of the losers'.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from types import MappingProxyType

from scoring.extents import LARGEST, SMALLEST
from scoring.knockout_values import (
    BracketPart,
    Feed,
    FormMatch,
    KnockoutForm,
    KnockoutSystem,
    MatchPlace,
    SourceKind,
)

SYSTEM_SIZES: Mapping[KnockoutSystem, range] = MappingProxyType(
    {
        KnockoutSystem.SINGLE: range(SMALLEST, LARGEST + 1),
        KnockoutSystem.PLACES_TO_EIGHT: range(6, LARGEST + 1),  # of five, only one has lost a quarter-final
        KnockoutSystem.DOUBLE: range(3, 32 + 1),
        KnockoutSystem.PAGE: range(4, 4 + 1),
    }
)
"""For how many players there is a form of each system."""


def count_stages(size: int) -> int:
    """How many stages a single elimination of `size` players has: 1 for two players, 2 for three or four, and so on."""
    return (size - 1).bit_length()


def seed_order(size: int) -> tuple[int, ...]:
    """The seed numbers of the first stage from the top, two to a match: 1, 8, 4, 5, 2, 7, 3, 6 for five to eight.
    Numbers above `size` are empty places; whoever would meet one has a bye."""
    order: tuple[int, ...] = (1,)
    for stage in range(1, count_stages(size) + 1):
        # Each is joined by the seed that makes up 2**stage + 1 with it: so the first two can meet in the final only.
        order = tuple(seed for better in order for seed in (better, 2**stage + 1 - better))
    return order


@lru_cache(maxsize=256)
def make_form(system: KnockoutSystem, size: int, *, third_place: bool = False) -> KnockoutForm:
    """The form of a knock-out of `size` players; `third_place` is for single elimination. Raises ValueError for a size
    that the system does not have."""
    if size not in SYSTEM_SIZES[system]:
        raise ValueError(f"there is no {system} of {size} players")
    if system == KnockoutSystem.DOUBLE:
        return _make_double_elimination(size)
    if system == KnockoutSystem.PAGE:
        return _make_page_playoff()
    return _make_single_elimination(size, third_place=third_place, to_eight=system == KnockoutSystem.PLACES_TO_EIGHT)


@lru_cache(maxsize=64)
def find_full_form(system: KnockoutSystem, stages: int) -> KnockoutForm:
    """The form without byes that has so many stages, with every match that may be played for a place. Raises ValueError
    if the system has none."""
    for size in (2**count for count in range(1, count_stages(LARGEST) + 1) if 2**count in SYSTEM_SIZES[system]):
        form = make_form(system, size, third_place=True)
        if len(form.stages) == stages:
            return form
    raise ValueError(f"no {system} has {stages} stages")


def _winner(place: MatchPlace) -> Feed:
    return Feed(SourceKind.WINNER, match=place)


def _loser(place: MatchPlace) -> Feed:
    return Feed(SourceKind.LOSER, match=place)


def _make_stages(stages: Sequence[Sequence[FormMatch]]) -> KnockoutForm:
    """The form of these matches, each with its number among those of the same part and round. What a match without an
    opponent or without anybody would feed stays empty."""
    empty: set[Feed] = set()
    numbered: list[tuple[FormMatch, ...]] = []
    for stage in stages:
        # Matches of one part and round stand side by side in a stage: `groupby` joins neighbours only, and of two runs
        # the second would replace the first.
        alike = {key: list(group) for key, group in groupby(stage, key=lambda match: (match.part, match.round))}
        matches = []
        for match in stage:
            same = alike[match.part, match.round]
            upper, lower = (None if feed in empty else feed for feed in match.feeds)
            if None in (upper, lower):
                empty.add(_loser(match.place))
            if upper is lower is None:
                empty.add(_winner(match.place))
            matches.append(replace(match, feeds=(upper, lower), number=same.index(match) + 1, count=len(same)))
        numbered.append(tuple(matches))
    return KnockoutForm(tuple(numbered))


def _make_tree(size: int, places: Sequence[Iterable[MatchPlace]], part: BracketPart) -> list[list[FormMatch]]:
    """The matches of a tree in which winners go on, round by round at these places; rounds count from 1."""
    feeds = [Feed(SourceKind.SEED, seed=seed) if seed <= size else None for seed in seed_order(size)]
    rounds = []
    for number, round_places in enumerate(places, 1):
        pairs = zip(round_places, zip(feeds[::2], feeds[1::2], strict=True), strict=True)
        matches = [FormMatch(place, part, pair, number) for place, pair in pairs]
        rounds.append(matches)
        feeds = [_winner(match.place) for match in matches]
    return rounds


def _make_single_elimination(size: int, *, third_place: bool, to_eight: bool) -> KnockoutForm:
    count = count_stages(size)
    places = [[(stage, position + 1) for position in range(2 ** (count - stage))] for stage in range(1, count + 1)]
    # Whoever loses in a round shares the best of the places that are left then: without a match for it both losers of
    # the semi-finals are third.
    stages = [
        [replace(match, round=count - match.round, loser_place=2 ** (count - match.round) + 1) for match in matches]
        for matches in _make_tree(size, places, BracketPart.MAIN)
    ]
    stages[-1] = [replace(match, winner_place=1) for match in stages[-1]]
    # Two players have no semi-final whose losers could meet.
    if (third_place or to_eight) and count > 1:
        semi_finals = stages[-2] = [replace(match, loser_place=None) for match in stages[-2]]
        pair = (_loser(semi_finals[0].place), _loser(semi_finals[1].place))
        stages[-1].append(FormMatch((count, 2), BracketPart.THIRD_PLACE, pair, winner_place=3, loser_place=4))
    if to_eight:
        quarters = stages[-3] = [replace(match, loser_place=None) for match in stages[-3]]
        losers = [_loser(match.place) for match in quarters]
        one, other = (count - 1, 3), (count - 1, 4)
        pairs = zip((one, other), ((losers[0], losers[1]), (losers[2], losers[3])), strict=True)
        stages[-2] += [FormMatch(place, BracketPart.PLACES_TO_EIGHT, pair) for place, pair in pairs]
        fifth, seventh = (_winner(one), _winner(other)), (_loser(one), _loser(other))
        stages[-1] += [
            FormMatch((count, 3), BracketPart.FIFTH_PLACE, fifth, winner_place=5, loser_place=6),
            FormMatch((count, 4), BracketPart.SEVENTH_PLACE, seventh, winner_place=7, loser_place=8),
        ]
    return _make_stages(stages)


def _make_double_elimination(size: int) -> KnockoutForm:
    count = count_stages(size)
    # The winners play their second round beside the first of the losers. From then on each of their rounds goes with
    # every other one of the losers, where those meet among themselves whom the round before has left.
    stage_of_round = [1, *range(2, 2 * count - 1, 2)]
    places = [
        [(stage, position + 1) for position in range(2 ** (count - number))]
        for number, stage in enumerate(stage_of_round, 1)
    ]
    winners = _make_tree(size, places, BracketPart.WINNERS)
    stages: list[list[FormMatch]] = [[] for _stage in range(2 * count + 1)]
    for matches in winners:
        stages[matches[0].place[0] - 1] += matches
    feeds = [_loser(match.place) for match in winners[0]]
    # From the bottom up: whoever loses in the first of the losers' rounds is last, seventh of eight.
    place = 2**count + 1
    for number in range(1, 2 * count - 1):
        pairs = list(zip(feeds[::2], feeds[1::2], strict=True))
        place -= len(pairs)
        first = len(stages[number]) + 1  # below the matches of the winners in the same stage
        matches = [
            FormMatch((number + 1, first + index), BracketPart.LOSERS, pair, number, loser_place=place)
            for index, pair in enumerate(pairs)
        ]
        stages[number] += matches
        feeds = [_winner(match.place) for match in matches]
        # After the losers' first, third … round the losers of the winners' next one join, one to each who stayed in.
        if number % 2:
            dropping = _cross([match.place for match in winners[(number + 1) // 2]], (number + 1) // 2)
            feeds = [feed for pair in zip(map(_loser, dropping), feeds, strict=True) for feed in pair]
    final, second = (2 * count, 1), (2 * count + 1, 1)
    pair = (_winner(winners[-1][0].place), feeds[0])
    stages[-2].append(FormMatch(final, BracketPart.FINAL, pair, winner_place=1, loser_place=2))
    again = FormMatch(
        second, BracketPart.SECOND_FINAL, (_loser(final), _winner(final)), winner_place=1, loser_place=2, repeats=final
    )
    stages[-1].append(again)
    return _make_stages(stages)


def _cross(places: list[MatchPlace], round: int) -> list[MatchPlace]:
    """Matches of the winners in the order in which their losers join the losers' rounds, for the first time, the second
    and so on: from the other end, then in each half from its other end, then the halves exchanged."""
    # Of the orders in use this is the one by which fewest of 16 or 32 players meet again before the losers' last round.
    half = len(places) // 2
    if round == 1:
        return places[::-1]
    return [*places[:half][::-1], *places[half:][::-1]] if round == 2 else [*places[half:], *places[:half]]


def _make_page_playoff() -> KnockoutForm:
    seeds = [Feed(SourceKind.SEED, seed=number) for number in range(1, 5)]
    first_two, last_two, semi_final = (1, 1), (1, 2), (2, 1)
    return _make_stages(
        [
            [
                FormMatch(first_two, BracketPart.FIRST_TWO, (seeds[0], seeds[1])),
                FormMatch(last_two, BracketPart.LAST_TWO, (seeds[2], seeds[3]), loser_place=4),
            ],
            [FormMatch(semi_final, BracketPart.MAIN, (_loser(first_two), _winner(last_two)), 1, loser_place=3)],
            [
                FormMatch(
                    (3, 1),
                    BracketPart.MAIN,
                    (_winner(first_two), _winner(semi_final)),
                    winner_place=1,
                    loser_place=2,
                )
            ],
        ]
    )
