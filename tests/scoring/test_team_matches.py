"""Matches of teams: who meets whom at which board, what a match brings, and the table."""

from collections import Counter

import pytest

from scoring.team_matches import (
    BoardGame,
    LeaverMatches,
    MatchTableCriterion,
    TeamFormat,
    TeamMatch,
    list_boards,
    rank_matches,
    strike_matches,
)


def match(number, home, away, *games, counts=True):
    """A match whose games have these half wins of the home team and this spread; None for an open game."""
    rows = []
    for table, (half_wins, spread) in enumerate(games, 1):
        open_game = BoardGame(number, table, f"{home}{table}", f"{away}{table}")
        done = BoardGame(
            number, table, f"{home}{table}", f"{away}{table}", half_wins, 2 - (half_wins or 0), spread, -spread
        )
        rows.append(open_game if half_wins is None else done)
    return TeamMatch(number, home, away, tuple(rows), counts)


KOELN_FULDA = match(1, "Köln", "Fulda", (2, 120), (1, 0), (0, -44), (2, 31))
"""By hand: Köln wins two boards, draws one, loses one."""


def test_match_by_hand():
    assert KOELN_FULDA.half_wins == (5, 3)
    assert KOELN_FULDA.spreads == (107, -107)
    assert KOELN_FULDA.match_points == (2, 0)


@pytest.mark.parametrize(
    ("games", "points"),
    [
        pytest.param([(2, 1), (0, -300)], (1, 1), id="drawn, whatever the spread"),
        pytest.param([(0, -1), (0, -1)], (0, 2), id="lost"),
        pytest.param([(1, 0), (2, 5)], (2, 0), id="won by half a point"),
    ],
)
def test_points_of_a_match(games, points):
    assert match(1, "A", "B", *games).match_points == points


def test_bye_of_a_team_wins_and_brings_the_byes_of_its_boards():
    byes = tuple(BoardGame(1, None, player, None, 2, None, 50) for player in "xyz")
    alone = TeamMatch(1, "A", None, byes, counts=True)

    assert (alone.match_points, alone.half_wins, alone.spreads) == ((2, 0), (6, 0), (150, 0))
    assert not byes[0].is_open


def test_league_by_hand():
    matches = [
        KOELN_FULDA,
        match(1, "Berlin", "Praha", (2, 10), (2, 10), (0, -10), (0, -10)),
        match(2, "Köln", "Berlin", (2, 5), (0, -5), (0, -5), (0, -90)),
        match(2, "Praha", "Fulda", (2, 70), (2, 1), (2, 1), (1, 0)),
        match(3, "Köln", "Praha", (2, 400), (None, 0), counts=False),
    ]

    found = rank_matches(["Köln", "Fulda", "Berlin", "Praha"], matches)

    assert [
        (row.rank, row.team, row.played, row.match_points, row.half_wins, row.spread, row.decided_by) for row in found
    ] == [
        (1, "Praha", 2, 3, 11, 72, None),
        (2, "Berlin", 2, 3, 10, 95, MatchTableCriterion.BOARD_POINTS),
        (3, "Köln", 2, 2, 7, 12, MatchTableCriterion.MATCH_POINTS),
        (4, "Fulda", 2, 0, 4, -179, MatchTableCriterion.MATCH_POINTS),
    ]


def test_spread_separates_and_teams_level_in_everything_share_the_rank():
    matches = [match(1, "A", "B", (2, 9)), match(1, "C", "D", (2, 8)), match(1, "E", "F", (2, 8))]

    found = rank_matches("ABCDEF", matches)

    assert [(row.rank, row.team, row.decided_by) for row in found] == [
        (1, "A", None),
        (2, "C", MatchTableCriterion.SPREAD),
        (2, "E", None),
        (4, "D", MatchTableCriterion.MATCH_POINTS),
        (4, "F", None),
        (6, "B", MatchTableCriterion.SPREAD),
    ]


@pytest.mark.parametrize(
    ("rule", "points"),
    [
        pytest.param(LeaverMatches.KEPT, {"A": (1, 4), "C": (2, 2), "B": (None, 2), "D": (None, 0)}, id="kept"),
        pytest.param(LeaverMatches.STRUCK, {"A": (1, 2), "C": (2, 0), "B": (None, 0), "D": (None, 0)}, id="struck"),
    ],
)
def test_teams_that_have_left_come_last_without_a_rank(rule, points):
    matches = [
        match(1, "A", "B", (2, 10)),
        match(1, "C", "D", (2, 30)),
        match(2, "A", "C", (2, 5)),
        match(2, "B", "D", (2, 5)),
    ]

    found = rank_matches("ABCD", strike_matches(matches, {"B", "D"}, rule), {"B", "D"})

    assert {row.team: (row.rank, row.match_points) for row in found} == points
    assert [row.team for row in found] == list(points)
    assert found[2].decided_by is None


def test_board_meets_the_same_board_and_the_start_alternates():
    assert list_boards(4, TeamFormat.BOARDS, 0) == [(0, 0, True), (1, 1, False), (2, 2, True), (3, 3, False)]


@pytest.mark.parametrize("boards", range(1, 8))
def test_all_meet_all_and_everybody_starts_as_often_as_not(boards):
    games = [each for game in range(boards) for each in list_boards(boards, TeamFormat.ALL, game)]

    assert Counter((home, away) for home, away, _starts in games) == Counter(
        (home, away) for home in range(boards) for away in range(boards)
    )
    for board in range(boards):
        started = sum(starts for home, _away, starts in games if home == board)
        replied = sum(starts for _home, away, starts in games if away == board)
        assert abs(2 * started - boards) <= 1
        assert abs(2 * replied - boards) <= 1
