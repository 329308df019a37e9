"""The final ranking: places of the knock-out first, then the table."""

import random

import pytest

from scoring import final_ranking, knockout
from scoring.awards import Outcome
from scoring.final_ranking import PlacedBy
from scoring.knockout_values import KnockoutGame, KnockoutRules, MatchFormat
from scoring.standings import Standing

SINGLE = KnockoutRules(MatchFormat.SINGLE)
THIRD = KnockoutRules(MatchFormat.SINGLE, third_place=True)


def table(ranks):
    """A table of these players, each with their rank (None: without one)."""
    return [Standing(rank, player, 0, 0, 0, 0, None) for player, rank in ranks.items()]


def won(first, second):
    return (KnockoutGame(first, second, Outcome.PLAYED, 420, 380),)


def both_forfeit(first, second):
    return (KnockoutGame(first, second, Outcome.BOTH_FORFEIT),)


def places(rows):
    """Each row as place, player and what gave the place."""
    return [(row.place, row.player, row.by) for row in rows]


TEN = dict(zip("ABCDEFGHIJ", range(1, 11), strict=True))

SEMI_FINALS = {(1, 1): won("A", "D"), (1, 2): won("C", "B")}


def test_without_a_knockout_it_is_the_table():
    rows = final_ranking.rank(table({"A": 1, "B": 2, "C": 2, "D": 4, "E": None}))

    assert places(rows) == [
        (1, "A", PlacedBy.TABLE),
        (2, "B", PlacedBy.TABLE),
        (2, "C", PlacedBy.TABLE),
        (4, "D", PlacedBy.TABLE),
        (None, "E", PlacedBy.TABLE),
    ]
    assert [row.shared for row in rows] == [False, True, True, False, False]


def test_seeds_not_confirmed_leave_the_table():
    unseeded = knockout.bracket([None] * 4, THIRD)

    assert final_ranking.rank(table(TEN), unseeded) == final_ranking.rank(table(TEN))


def test_four_with_a_match_for_third_place():
    games = {**SEMI_FINALS, (2, 1): won("C", "A"), (2, 2): won("B", "D")}

    rows = final_ranking.rank(table({**TEN, "F": 5, "G": 7}), knockout.bracket("ABCD", THIRD, games))

    assert places(rows) == [
        (1, "C", PlacedBy.CHAMPION),
        (2, "A", PlacedBy.FINAL),
        (3, "B", PlacedBy.THIRD_PLACE),
        (4, "D", PlacedBy.THIRD_PLACE),
        (5, "E", PlacedBy.TABLE),
        (5, "F", PlacedBy.TABLE),
        (7, "G", PlacedBy.TABLE),
        (8, "H", PlacedBy.TABLE),
        (9, "I", PlacedBy.TABLE),
        (10, "J", PlacedBy.TABLE),
    ]
    assert [row.match.place for row in rows[:4]] == [(2, 1), (2, 1), (2, 2), (2, 2)]


def test_without_that_match_both_share_third_place():
    games = {**SEMI_FINALS, (2, 1): won("C", "A")}

    rows = final_ranking.rank(table({"A": 1, "B": 2, "C": 3, "D": 4, "E": 5}), knockout.bracket("ABCD", SINGLE, games))

    assert places(rows) == [
        (1, "C", PlacedBy.CHAMPION),
        (2, "A", PlacedBy.FINAL),
        (3, "B", PlacedBy.SEMI_FINAL),
        (3, "D", PlacedBy.SEMI_FINAL),
        (5, "E", PlacedBy.TABLE),
    ]


def test_losers_of_a_stage_share_its_place_in_order_of_seeds():
    games = {
        (1, 2): won("E", "D"),
        (1, 4): won("C", "F"),
        (2, 1): won("A", "E"),
        (2, 2): won("B", "C"),
        (3, 1): won("A", "B"),
    }

    rows = final_ranking.rank(table(TEN), knockout.bracket("ABCDEF", SINGLE, games))

    assert places(rows)[:7] == [
        (1, "A", PlacedBy.CHAMPION),
        (2, "B", PlacedBy.FINAL),
        (3, "C", PlacedBy.SEMI_FINAL),
        (3, "E", PlacedBy.SEMI_FINAL),
        (5, "D", PlacedBy.STAGE),
        (5, "F", PlacedBy.STAGE),
        (7, "G", PlacedBy.TABLE),
    ]


def test_who_still_plays_has_no_place_and_stands_first():
    rows = final_ranking.rank(
        table({"A": 1, "B": 2, "C": 3, "D": 4, "E": 5}), knockout.bracket("ABCD", THIRD, SEMI_FINALS)
    )

    assert places(rows) == [(None, player, None) for player in "ABCD"] + [(5, "E", PlacedBy.TABLE)]
    assert not any(row.shared for row in rows)


def test_of_three_the_loser_of_the_only_semi_final_is_third():
    rows = final_ranking.rank(
        table({"A": 1, "B": 2, "C": 3}), knockout.bracket("ABC", THIRD, {(1, 2): won("B", "C"), (2, 1): won("B", "A")})
    )

    assert places(rows) == [(1, "B", PlacedBy.CHAMPION), (2, "A", PlacedBy.FINAL), (3, "C", PlacedBy.THIRD_PLACE)]


@pytest.mark.parametrize(
    ("player", "order"),
    [
        ("C", [(1, "A"), (2, "B"), (2, "D"), (4, "E")]),
        ("A", [(1, "C"), (2, "B"), (2, "D"), (4, "E")]),
        ("B", [(1, "C"), (2, "A"), (3, "D"), (4, "E")]),
        ("E", [(1, "C"), (2, "A"), (3, "B"), (3, "D")]),
    ],
)
def test_whoever_is_disqualified_is_last_and_those_behind_move_up(player, order):
    games = {**SEMI_FINALS, (2, 1): won("C", "A")}
    rows = table({"A": 1, "B": 2, "C": 3, "D": 4, "E": 5})
    for row in rows:
        row.disqualified = row.player == player

    ranked = final_ranking.rank(rows, knockout.bracket("ABCD", SINGLE, games))

    assert [(row.place, row.player) for row in ranked] == [*order, (None, player)]


FORFEITED = {
    "a final that both forfeit has no champion": (
        SINGLE,
        {**SEMI_FINALS, (2, 1): both_forfeit("A", "C")},
        [
            (2, "A", PlacedBy.FINAL),
            (2, "C", PlacedBy.FINAL),
            (3, "B", PlacedBy.SEMI_FINAL),
            (3, "D", PlacedBy.SEMI_FINAL),
        ],
    ),
    "a match for third place that both forfeit": (
        THIRD,
        {**SEMI_FINALS, (2, 1): won("A", "C"), (2, 2): both_forfeit("D", "B")},
        [
            (1, "A", PlacedBy.CHAMPION),
            (2, "C", PlacedBy.FINAL),
            (3, "B", PlacedBy.THIRD_PLACE),
            (3, "D", PlacedBy.THIRD_PLACE),
        ],
    ),
    "a semi-final that both forfeit: third place is taken without them": (
        THIRD,
        {(1, 1): both_forfeit("A", "D"), (1, 2): won("C", "B")},
        [
            (1, "C", PlacedBy.CHAMPION),
            (3, "B", PlacedBy.THIRD_PLACE),
            (4, "A", PlacedBy.SEMI_FINAL),
            (4, "D", PlacedBy.SEMI_FINAL),
        ],
    ),
}


@pytest.mark.parametrize(("rules", "games", "expected"), FORFEITED.values(), ids=FORFEITED)
def test_matches_that_both_forfeit(rules, games, expected):
    rows = final_ranking.rank(table({"A": 1, "B": 2, "C": 3, "D": 4}), knockout.bracket("ABCD", rules, games))

    assert places(rows) == expected


@pytest.mark.sampled(12)
@pytest.mark.parametrize("third", [False, True])
@pytest.mark.parametrize("size", range(2, 34))
def test_places_are_those_of_who_lost_to_whom(size, third):
    """Played to its end with a winner in each match, the places follow from counting who lost how late."""
    rng = random.Random(size)
    seeds, games = list(range(size)), {}
    rules = KnockoutRules(MatchFormat.SINGLE, third_place=third)
    while due := [
        (match, game)
        for match in knockout.bracket(seeds, rules, games).matches
        for game in match.needed
        if game.is_open
    ]:
        match, game = due[0]
        games[match.place] = won(*rng.sample([game.first, game.second], 2))
    played = knockout.bracket(seeds, rules, games)
    lost_in = {
        match.loser: match.stage for match in played.matches if not match.is_third_place and match.loser is not None
    }

    rows = final_ranking.rank(table({player: player + 1 for player in range(size + 3)}), played)

    assert sorted(row.player for row in rows) == list(range(size + 3))
    for row in rows:
        later = sum(stage > lost_in[row.player] for stage in lost_in.values()) if row.player in lost_in else 0
        if row.player >= size:
            assert (row.place, row.by) == (row.player + 1, PlacedBy.TABLE)
        elif row.player == played.champion:
            assert (row.place, row.by) == (1, PlacedBy.CHAMPION)
        elif third and played.third_place and row.player in played.third_place.players:
            assert (row.place, row.by) == (3 + (row.player != played.third_place.winner), PlacedBy.THIRD_PLACE)
        else:
            assert row.place == 2 + later
