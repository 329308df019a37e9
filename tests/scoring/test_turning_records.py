"""What a record hung on: worked cases, then against a plain search of every game, both players and every number."""

import random
from dataclasses import replace

import pytest

from scoring import prizes, statistics, turning_records
from scoring.awards import Outcome
from scoring.prizes import BEST_PLACED_PRIZES, PrizeKind, PrizeResults
from scoring.statistics import GameHalf, StatisticsGame
from scoring.turning_points import GamePlace
from scoring.turning_records import EventCourse
from tests.laws import seeds

UNBOUND = EventCourse(
    spot=lambda key: GamePlace(round=int(str(key))), steps=lambda _spot, _player: (), keeps=lambda _change: True
)
HIGHEST, LOSING, WIN, AVERAGE, MOVE, BINGOS, UPSET = (
    PrizeKind.HIGHEST_GAME,
    PrizeKind.HIGHEST_LOSING_SCORE,
    PrizeKind.BIGGEST_WIN,
    PrizeKind.BEST_AVERAGE,
    PrizeKind.BEST_MOVE,
    PrizeKind.MOST_BINGOS,
    PrizeKind.BIGGEST_UPSET,
)


def games(*rows, outcome=Outcome.PLAYED):
    """Games in order; of each player name, points, and what more there is."""
    return [
        StatisticsGame(number, outcome, GameHalf(one[0], *one[1:]), GameHalf(two[0], *two[1:]))
        for number, (one, two) in enumerate(rows, start=1)
    ]


def rated(name, points, rating):
    return name, points, rating


def moved(name, points, *moves):
    return name, points, None, moves


def laid(name, points, bingos):
    return name, points, None, (), bingos


def told(found):
    """Game, whose points, how many, who would hold it."""
    if found is None:
        return None
    change = found.change
    return change.spot.round, change.player, change.points, "".join(sorted(found.winners))


CASES = {
    "highest game: as much as the other, so shared": (
        HIGHEST,
        games((("A", 500), ("B", 400)), (("C", 490), ("D", 497))),
        (2, "D", 3, "AD"),
    ),
    "highest game shared: one more, and alone": (
        HIGHEST,
        games((("A", 500), ("B", 400)), (("C", 490), ("D", 500))),
        (1, "A", 1, "A"),
    ),
    "highest losing score: one short of a draw it is lost to the next": (
        LOSING,
        games((("A", 450), ("B", 449)), (("C", 460), ("D", 440))),
        (1, "B", 1, "D"),
    ),
    "highest losing score: who wins by it leaves it to the other": (
        LOSING,
        games((("A", 450), ("B", 380)), (("C", 420), ("D", 415))),
        (2, "D", 5, "B"),
    ),
    "biggest win: a point for the loser, and it is shared": (
        WIN,
        games((("A", 500), ("B", 400)), (("C", 499), ("D", 400))),
        (1, "B", 1, "AC"),
    ),
    "best average: as many points as the sum lacks": (
        AVERAGE,
        games((("A", 400), ("B", 410)), (("A", 421), ("B", 410))),
        (1, "B", 1, "AB"),
    ),
    "best average shared: one more, and alone": (
        AVERAGE,
        games((("A", 400), ("B", 410)), (("A", 420), ("B", 410))),
        (1, "A", 1, "A"),
    ),
    "best average: who has played too few games is not asked": (
        AVERAGE,
        games(*[(("A", 400), ("B", 390))] * 3, (("C", 399), ("A", 400))),
        (1, "B", 30, "AB"),
    ),
    "best move: what the play lacks": (MOVE, games((moved("A", 400, 90, 30), moved("B", 380, 84))), (1, "B", 6, "AB")),
    "best move: nobody's is written down": (MOVE, games((("A", 400), ("B", 380))), None),
    "biggest upset: the game that was lost narrowly": (
        UPSET,
        games((rated("A", 400, 1500), rated("B", 380, 1600)), (rated("C", 400, 1400), rated("D", 404, 1800))),
        (2, "C", 5, "C"),
    ),
    "biggest upset: a draw is none, so that the next is it": (
        UPSET,
        games((rated("A", 400, 1500), rated("B", 399, 1600)), (rated("C", 450, 1400), rated("D", 404, 1450))),
        (1, "B", 1, "C"),
    ),
    "a single game holds it, and no other": (HIGHEST, games((("A", 1500), ("B", 400))), None),
    "an awarded game is not touched": (HIGHEST, games((("A", 500), ("B", 499)), outcome=Outcome.SECOND_FORFEITS), None),
    "a place goes by no record": (PrizeKind.PLACE, games((("A", 500), ("B", 499))), None),
    "the organiser's own goes by no record": (PrizeKind.OWN, games((("A", 500), ("B", 499))), None),
    "nobody was upset": (UPSET, games((("A", 500), ("B", 499))), None),
}


@pytest.mark.parametrize(("kind", "played", "expected"), CASES.values(), ids=CASES)
def test_record_of_a_worked_case(kind, played, expected):
    assert told(turning_records.find_record_turning_point(kind, played, UNBOUND)) == expected


def test_every_kind_of_prize_hangs_on_places_on_points_or_on_plays_or_is_given_by_the_director():
    by_points = {kind for kind in PrizeKind if turning_records.make_record_question(kind, []) is not None}

    assert set(PrizeKind) == by_points | BEST_PLACED_PRIZES | {PrizeKind.PLACE, PrizeKind.MOST_BINGOS, PrizeKind.OWN}


PLAYS = {
    "one short of the others": (games((laid("A", 1, 3), laid("B", 1, 2))), ("B", 1, "A", "AB")),
    "level: one more, and alone": (games((laid("A", 1, 2), laid("B", 1, 2))), ("A", 1, "AB", "A")),
    "who has laid none lacks all": (games((laid("A", 1, 2), laid("B", 1, 0))), ("B", 2, "A", "AB")),
    "of nobody else is it known": (games((laid("A", 1, 2), laid("B", 1, None))), None),
    "nobody laid one": (games((laid("A", 1, 0), laid("B", 1, 0))), None),
    "nobody wrote them down": (games((("A", 1), ("B", 1))), None),
}


@pytest.mark.parametrize(("played", "expected"), PLAYS.values(), ids=PLAYS)
def test_most_plays_of_a_worked_case(played, expected):
    found = turning_records.find_record_turning_point(BINGOS, played, UNBOUND)

    said = found and (found.player, found.count, "".join(sorted(found.won)), "".join(sorted(found.winners)))
    assert said == expected


def random_games(rng):
    names = "ABCDEF"
    found = []
    for number in range(rng.randint(1, 8)):
        one, two = rng.sample(names, 2)
        halves = [
            GameHalf(
                name,
                rng.randint(390, 405),
                rng.choice((None, 1500, 1510, 1520)),
                rng.choice(((), (70,), (60, 75), (75, 74))),
                rng.choice((None, 0, 1, 2)),
            )
            for name in (one, two)
        ]
        outcome = rng.choices((Outcome.PLAYED, Outcome.FIRST_FORFEITS), (9, 1))[0]
        found.append(StatisticsGame(number, outcome, *halves))
    return found


def holders(kind, played):
    """Who wins a prize for a record."""
    results = PrizeResults((), statistics.records(played), statistics.upsets(played))
    return {winner.player for winner in prizes.winners(kind, results)}


def with_points(played, at, side, points):
    """These games with so many points more, which the player's best play brought."""
    half = played[at].halves[side]
    top = max(half.moves, default=0)
    rest = list(half.moves)
    if rest:
        rest[rest.index(top)] += points
    half = replace(half, points=half.points + points, moves=tuple(rest))
    halves = (half, played[at].second) if side == 0 else (played[at].first, half)
    return [*played[:at], StatisticsGame(played[at].key, played[at].outcome, *halves), *played[at + 1 :]]


def plainly(kind, played, barred, most=30):
    """The smallest change by trying everything but what is barred, and who holds it then."""
    won = holders(kind, played)
    for points in range(1, most + 1) if won else ():
        for at, game in enumerate(played):
            for side in (0, 1) if game.is_played else ():
                if kind == MOVE and not game.halves[side].moves:
                    continue
                now = holders(kind, with_points(played, at, side, points))
                if now and now != won and points not in barred.get(at, ()):
                    return at, game.halves[side].player, points, now
    return None


@pytest.mark.parametrize("seed", seeds(15))
@pytest.mark.parametrize("kind", [HIGHEST, LOSING, WIN, AVERAGE, MOVE, UPSET])
@pytest.mark.sampled(30)
def test_smallest_change_is_the_one_that_trying_everything_finds(kind, seed):
    rng = random.Random(seed)
    played = random_games(rng)
    barred = {at: range(low := rng.randint(1, 9), low + rng.randint(0, 9)) for at in range(8) if rng.random() < 0.3}
    course = EventCourse(
        spot=lambda key: GamePlace(round=key),
        steps=lambda spot, _player: (barred[spot.round].stop,) if spot.round in barred else (),
        keeps=lambda change: change.points not in barred.get(change.spot.round, ()),
    )

    found = turning_records.find_record_turning_point(kind, played, course, most=30)

    said = found and (found.change.spot.round, found.change.player, found.change.points, found.winners)
    assert said == plainly(kind, played, barred)


@pytest.mark.parametrize("seed", seeds(15))
def test_fewest_plays_more_are_those_that_trying_everything_finds(seed):
    played = random_games(random.Random(seed))
    won, fewest = holders(BINGOS, played), None
    for count in range(1, 10) if won else ():
        for at, game in enumerate(played):
            for side in (0, 1):
                half = game.halves[side]
                is_counted = game.is_played or side == 1
                if half.bingos is None or not is_counted or fewest is not None:
                    continue
                more = replace(half, bingos=half.bingos + count)
                halves = (more, game.second) if side == 0 else (game.first, more)
                then = [*played[:at], replace(game, first=halves[0], second=halves[1]), *played[at + 1 :]]
                if holders(BINGOS, then) != won:
                    fewest = count

    found = turning_records.find_record_turning_point(BINGOS, played, UNBOUND)

    assert (found and found.count) == fewest
