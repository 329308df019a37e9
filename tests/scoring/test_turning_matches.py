"""What a knock-out hung on: worked cases, then against a plain search with the second, plain program for matches."""

import copy
import random
from dataclasses import replace

import pytest

from scoring import final_ranking, knockout, turning_matches
from scoring.awards import Outcome
from scoring.knockout_values import DecidedBy, GameFacts, KnockoutGame, KnockoutRules, MatchCriterion, MatchFormat
from scoring.standings import Standing
from scoring.turning_matches import PlayedKnockout
from scoring.turning_points import BestPlacedQuestion, GamePlace, MorePoints
from tests.laws import seeds
from tests.scoring.stories import Story

SINGLE, DOUBLE, THREE = (
    KnockoutRules(MatchFormat.SINGLE),
    KnockoutRules(MatchFormat.DOUBLE),
    KnockoutRules(MatchFormat.BEST_OF, 3),
)
RANK, DECIDER, BINGOS = MatchCriterion.PRELIMINARY_RANK, MatchCriterion.DECIDER_GAME, MatchCriterion.MOST_BINGOS
FORFEIT = Outcome.SECOND_FORFEITS


def row(player, rank):
    return Standing(rank, player, 0, 0, 0, 0, None)


def make_knockout(rules, games, seeds="AB", lots=None, rest=""):
    table = tuple(row(player, rank) for rank, player in enumerate((*seeds, *rest), start=1))
    return PlayedKnockout(
        tuple(seeds),
        rules,
        {place: tuple(each) for place, each in games.items()},
        lots or {},
        {},
        table,
        places_before={each.player: each.rank for each in table},
    )


def final(rules, *scores, **more):
    """A final of A, who is seeded first, and B."""
    games = [
        each if isinstance(each, KnockoutGame) else KnockoutGame("A", "B", Outcome.PLAYED, *each) for each in scores
    ]
    return make_knockout(rules, {(1, 1): games}, **more)


def with_criteria(rules, *criteria):
    return replace(rules, criteria=criteria)


def bingos(one, other, first, second):
    return KnockoutGame("A", "B", Outcome.PLAYED, one, other, GameFacts(first), GameFacts(second))


def told(found):
    """Game, whose points, how many, and what would have decided it; that it would have gone on."""
    if found is None:
        return None
    by, nth = found.by
    spot = found.change.spot.place[2]
    return (
        (spot, found.change.player, found.change.points, by and by.value, nth)
        if not found.goes_on
        else (*(spot, found.change.player, found.change.points), "goes on")
    )


FINALS = {
    "single game: one more than behind": (final(SINGLE, (402, 400)), (1, "B", 3, "points", 1)),
    "single game, level, the better seed won it: one more": (
        final(with_criteria(SINGLE, RANK), (400, 400)),
        (1, "B", 1, "points", 1),
    ),
    "single game, level is enough where more seven-tile plays decide": (
        final(with_criteria(SINGLE, BINGOS), bingos(402, 400, 1, 2)),
        (1, "B", 2, "most_bingos", 1),
    ),
    "level would wait for figures that nobody wrote down: nothing is said of it": (
        final(with_criteria(SINGLE, BINGOS), (402, 400)),
        (1, "B", 3, "points", 1),
    ),
    "double game: what is behind in both together, in the first": (
        final(DOUBLE, (420, 400), (380, 399)),
        (1, "B", 2, "points", 1),
    ),
    "double game, level at 800: the highest game is the lower seed's": (
        final(DOUBLE, (401, 430), (400, 370)),
        (1, "B", 1, "highest_game", 1),
    ),
    "double game decided by a deciding game: one more in a regular game, and that one would not have been played": (
        final(with_criteria(DOUBLE, DECIDER), (400, 390), (390, 400), (420, 380)),
        (1, "B", 1, "points", 1),
    ),
    "deciding game lost by one: two more there, but one more before": (
        final(with_criteria(DOUBLE, DECIDER), (400, 390), (390, 400), (400, 399)),
        (1, "B", 1, "points", 1),
    ),
    "a level match would have had a deciding game: only what wins without it is said": (
        final(with_criteria(SINGLE, DECIDER), (402, 400)),
        (1, "B", 3, "points", 1),
    ),
    "best of three, 2 : 1: a draw in the first makes it level, and then the highest game decides for B": (
        final(THREE, (400, 399), (300, 450), (410, 390)),
        (1, "B", 1, "highest_game", 1),
    ),
    "best of three, 2 : 1: the first turned makes it 2 : 0, and the third would not have been played": (
        final(with_criteria(THREE, RANK), (400, 399), (300, 450), (410, 390)),
        (1, "B", 2, "wins", 1),
    ),
    "best of three, 2 : 1: a draw is not enough for the lower seed, one more turns the first": (
        final(with_criteria(THREE, RANK), (420, 400), (300, 450), (410, 385)),
        (1, "B", 21, "wins", 1),
    ),
    "best of three, 1 : 1, and one lost by both: as high a game as A's in the second, and B's next best is higher": (
        final(THREE, KnockoutGame("A", "B", Outcome.BOTH_FORFEIT), (450, 400), (380, 440)),
        (3, "B", 10, "highest_game", 2),
    ),
    "best of three, 2 : 0: one game turned does not win it; there would have been a third": (
        final(THREE, (400, 390), (410, 405)),
        (2, "B", 5, "goes on"),
    ),
    "who forfeits the last scheduled game loses the match, whatever the first one": (
        final(DOUBLE, (400, 399), KnockoutGame("A", "B", FORFEIT)),
        None,
    ),
    "best of three: who forfeited the third would not have had to play it": (
        final(THREE, (400, 402), (410, 400), KnockoutGame("B", "A", FORFEIT)),
        (1, "A", 3, "wins", 1),
    ),
    "forfeited single game": (final(SINGLE, KnockoutGame("A", "B", FORFEIT, 420, 418)), None),
    "lot: one more, and no lot would have been drawn": (
        final(with_criteria(SINGLE), (400, 400), lots={(1, 1): "A"}),
        (1, "B", 1, "points", 1),
    ),
    "still open": (final(DOUBLE, (400, 399)), None),
}


@pytest.mark.parametrize(("tried", "expected"), FINALS.values(), ids=FINALS)
def test_final_of_a_worked_case(tried, expected):
    assert told(turning_matches.find_final_change(tried)) == expected


def test_change_says_the_score_from_its_player_and_what_was_compared_then():
    level = turning_matches.find_final_change(final(with_criteria(SINGLE, RANK), (400, 402)))
    other = turning_matches.find_final_change(final(SINGLE, (402, 400)))

    assert (level.change.player, level.change.opponent, level.change.score) == ("A", "B", (400, 402))
    assert (level.change.points, level.after.decided_by, level.after.compared) == (
        2,
        DecidedBy.PRELIMINARY_RANK,
        (1, 2),
    )
    assert (other.change.player, other.change.opponent, other.change.score) == ("B", "A", (400, 402))


def test_more_than_asked_for_is_not_told():
    assert told(turning_matches.find_final_change(final(SINGLE, (402, 400)), most=3)) == (1, "B", 3, "points", 1)
    assert turning_matches.find_final_change(final(SINGLE, (402, 400)), most=2) is None


def four(*scores, third=True):
    """A and B reach the final; C and D play for third place if there is such a match."""
    rules = replace(SINGLE, third_place=third)
    pairs = ("AD", "BC", "AB", "CD")
    places = ((1, 1), (1, 2), (2, 1), (2, 2))
    games = {
        place: [KnockoutGame(*pair, Outcome.PLAYED, *score)]
        for place, pair, score in zip(places, pairs, scores, strict=False)
    }
    return make_knockout(rules, games, "ABCD", rest="EF")


FOUR = four((450, 400), (410, 405), (420, 400), (400, 398))


def test_third_place_goes_to_the_other_by_one_more_than_behind():
    found = turning_matches.find_third_place_change(FOUR)

    assert (found.change.spot.place, told(found)) == ((2, 2, 1), (1, "D", 3, "points", 1))
    assert turning_matches.find_third_place_change(four((450, 400), (410, 405), (420, 400), third=False)) is None
    assert turning_matches.find_third_place_change(four((450, 400), (410, 405), (420, 400))) is None


def test_champion_could_have_been_out_before_the_final():
    found = turning_matches.find_change_before_final(FOUR)

    assert (found.change.spot.place, found.after.winner, told(found)) == ((1, 1, 1), "D", (1, "D", 51, "points", 1))
    assert turning_matches.find_change_before_final(final(SINGLE, (402, 400))) is None
    assert turning_matches.find_change_before_final(four((450, 400))) is None


BEST_OF_SOME = {
    "both in the final: what turns it": (FOUR, "AB", ((2, 1, 1), "B", 21, "B")),
    "both in the match for third place": (FOUR, "CD", ((2, 2, 1), "D", 3, "D")),
    "one in the final, one third: the semi-final turned leaves open who wins then": (FOUR, "AC", None),
    "without a match for third place: B, beaten by C, shares it with D": (
        four((450, 400), (410, 405), (420, 400), third=False),
        "BD",
        ((1, 2, 1), "C", 6, "BD"),
    ),
    "nobody of them": (FOUR, "", None),
}


@pytest.mark.parametrize(("tried", "among", "expected"), BEST_OF_SOME.values(), ids=BEST_OF_SOME)
def test_prize_of_some_who_played_in_it(tried, among, expected):
    found = turning_matches.find_knockout_turning_point(tried, BestPlacedQuestion(frozenset(among)))

    change = found and found.change
    assert (found and (change.spot.place, change.player, change.points, "".join(sorted(found.winners)))) == expected


def test_table_that_seeds_others_says_nothing():
    rows = [row(player, rank) for rank, player in enumerate("ABCDEF", start=1)]

    assert FOUR.behind(FOUR.table) == {"E": 5, "F": 6}
    assert FOUR.behind([*rows[:4], rows[5], rows[4]]) == {"F": 5, "E": 6}
    assert FOUR.behind([rows[1], rows[0], *rows[2:]]) is None
    assert FOUR.behind([*rows[:4], replace(rows[4], rank=4), rows[5]]) is None


def test_seeds_in_another_order_than_the_table_say_nothing_of_what_it_would_have_made_of_them():
    assert replace(FOUR, seeds=tuple("BACD")).behind(FOUR.table) is None
    assert replace(FOUR, table=FOUR.table[1:]).behind(FOUR.table[1:]) is None
    assert replace(FOUR, table=(replace(FOUR.table[0], rank=None), *FOUR.table[1:])).behind(FOUR.table) is None


def test_level_seeds_may_stand_in_either_order():
    table = (*FOUR.table[:2], *(replace(each, rank=3) for each in FOUR.table[2:4]), *FOUR.table[4:])

    assert replace(FOUR, seeds=tuple("ABDC"), games={}, table=table).behind(table) == {"E": 5, "F": 6}


def test_who_declined_is_passed_over():
    rows = (row("X", 1), *(row(player, rank) for rank, player in enumerate("ABCDEF", start=2)))

    assert replace(FOUR, table=rows).behind(rows) == {"X": 5, "E": 6, "F": 7}
    assert replace(FOUR, table=rows).behind((*rows[1:3], rows[0], *rows[3:])) is None


def in_game(place, player, opponent, points):
    return MorePoints(GamePlace(place=place), player, opponent, (0, 0), points)


def test_same_games_are_played_as_long_as_nobody_else_goes_on():
    assert FOUR.keeps_games(in_game((1, 1, 1), "D", "A", 49))
    assert not FOUR.keeps_games(in_game((1, 1, 1), "D", "A", 50))  # level: somebody has to decide it
    assert not FOUR.keeps_games(in_game((1, 1, 1), "D", "A", 51))
    assert FOUR.keeps_games(in_game((2, 1, 1), "B", "A", 100))  # nothing comes after the final

    astray = replace(FOUR, games={**FOUR.games, (1, 1): (KnockoutGame("A", "X", Outcome.PLAYED, 400, 390),)})
    assert not astray.keeps_games(in_game((1, 1, 1), "A", "X", 1))


def test_one_order_however_it_was_read():
    turned = replace(FOUR, games=dict(reversed(FOUR.games.items())))

    assert list(turned.games) != list(FOUR.games)
    assert repr(turned.sorted) == repr(FOUR.sorted)


MOST = 30


def of_story(story):
    """The story's knock-out, and a table in which two who were not seeded follow."""
    table = tuple(row(player, rank) for rank, player in enumerate((*story.seeds, "Y", "Z"), start=1))
    games = {place: tuple(each) for place, each in story.games.items()}
    return PlayedKnockout(
        tuple(story.seeds),
        story.rules,
        games,
        story.lots,
        story.not_recorded,
        table,
        frozenset(story.own),
        story.places,
    )


def plainly(story, place):
    """The smallest change that gives a match to the other; else the smallest by which it would have gone on."""
    games = story.plain.games.get(place, [])
    one, other = story.plain.players(*place)
    before, _loser, waits, _score = story.plain.outcome(*place)
    goes_on = None
    for points in range(1, MOST + 1) if before or waits == "forfeit" else ():
        for number, game in enumerate(games):
            stored = story.games[place][number]
            for player in (stored.first, stored.second) if game["outcome"] == "played" else ():
                changed = copy.deepcopy(games)
                changed[number]["points"][player] += points
                unknown = story.not_recorded.get(place, ())
                winner, _loser, by, _score = story.plain.decided(one, other, changed, {}, unknown)
                found = (number + 1, player, points)
                if winner not in (None, "bye", before):
                    return *found, by
                if winner is None and by == "games":
                    goes_on = goes_on or (*found, "goes on")
    return goes_on


@pytest.mark.parametrize("seed", seeds(15))
def test_final_hung_on_what_trying_everything_finds(seed):
    story = Story(seed)
    place = max(each for each in story.plain.places() if each[1] == 1)
    if None in story.plain.players(*place) or "bye" in story.plain.players(*place):
        return

    found = told(turning_matches.find_final_change(of_story(story), MOST))

    assert (found and found[:4]) == plainly(story, place)


def ranking(tried, games):
    """The final ranking by these games; who is still to play has no place."""
    of_matches = games, tried.lots, tried.not_recorded, tried.by_own_criterion, tried.places_before
    bracket = knockout.fit_bracket(tried.seeds, tried.rules, *of_matches)[0]
    return {each.player: each for each in final_ranking.rank(tried.table, bracket)}


def best(rows, among):
    """Who of some players is placed best; nobody while one of them plays on."""
    if any(rows[player].by is None for player in among):
        return frozenset()
    place = min((rows[player].place for player in among if rows[player].place), default=None)
    return frozenset(player for player in among if place and rows[player].place == place)


def plainly_best(tried, among):
    won = best(ranking(tried, tried.games), among)
    known = {match.place for match in tried.matches}
    for points in range(1, MOST + 1) if won else ():
        for place, listed in sorted(tried.games.items()):
            for number, game in enumerate(listed):
                if game.outcome != Outcome.PLAYED or place not in known:
                    continue
                for at, player in ((3, game.first), (4, game.second)):
                    fields = [game.first, game.second, game.outcome, game.first_points, game.second_points]
                    fields[at] += points
                    then = (
                        *listed[:number],
                        KnockoutGame(*fields, game.first_facts, game.second_facts),
                        *listed[number + 1 :],
                    )
                    lots = {each: lot for each, lot in tried.lots.items() if each != place}
                    now = best(ranking(replace(tried, lots=lots), {**tried.games, place: then}), among)
                    if now and now != won:
                        return place, number + 1, player, points, now
    return None


@pytest.mark.parametrize("seed", seeds(8))
@pytest.mark.sampled(2)
def test_prize_of_some_hung_on_what_trying_everything_finds(seed):
    story = Story(seed)
    tried = of_story(story)
    among = frozenset(random.Random(seed).sample([*story.seeds, "Y", "Z"], min(3, len(story.seeds))))

    found = turning_matches.find_knockout_turning_point(tried, BestPlacedQuestion(among), MOST)

    said = found and (
        *(found.change.spot.place[:2], found.change.spot.place[2]),
        *(found.change.player, found.change.points, found.winners),
    )
    assert said == plainly_best(tried, among)


def test_stories_come_to_all_that_can_be_said():
    """So that the comparison is not one of nothing with nothing."""
    said = [told(turning_matches.find_final_change(of_story(Story(seed)), MOST)) for seed in range(80)]

    assert {each and each[3] for each in said} >= {None, "goes on", DecidedBy.POINTS, DecidedBy.WINS}
    assert any(turning_matches.find_change_before_final(of_story(Story(seed)), MOST) for seed in range(20))
    assert any(turning_matches.find_third_place_change(of_story(Story(seed)), MOST) for seed in range(40))


def test_only_matches_that_are_over_can_have_come_out_otherwise():
    half_way = four((450, 400), (410, 405))

    assert [match.place for match in half_way.matches] == [(1, 1), (1, 2)]
    assert [match.place for match in FOUR.matches] == [(1, 1), (1, 2), (2, 1), (2, 2)]


def test_lots_of_other_matches_stand_after_a_change_and_its_own_does_not():
    drawn = four((400, 400), (410, 405))
    drawn = replace(drawn, rules=with_criteria(drawn.rules), lots={(1, 1): "A"})

    after = {match.place: match.winner for match in drawn.with_change(in_game((1, 2, 1), "C", "B", 1)).matches}
    assert after[1, 1] == "A"
    level = replace(drawn, games={**drawn.games, (1, 1): (KnockoutGame("A", "D", Outcome.PLAYED, 400, 399),)})
    after = {match.place: match.winner for match in level.with_change(in_game((1, 1, 1), "D", "A", 1)).matches}
    assert after[1, 1] is None
