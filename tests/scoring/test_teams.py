"""The table of teams: who counts for a team, what is added up, and what separates teams that are level."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.teams import TEAM_CRITERIA, TeamCriterion, TeamPlayer, TeamRule, rank_teams

RANKING_RULES = list(TEAM_CRITERIA)


def field(*rows):
    """Players called by their places: team, wins and spread of each, in the order of the table."""
    return [TeamPlayer(place, team, place, int(2 * wins), spread) for place, (team, wins, spread) in enumerate(rows, 1)]


CLUB_CUP = field(
    ("Gent", 8, 612),
    ("Leiden", 7, 480),
    ("Leiden", 7, 301),
    ("Gent", 6.5, 290),
    ("Utrecht", 6, 411),
    (None, 6, 120),
    ("Leiden", 5, 88),
    ("Utrecht", 5, 35),
    ("Gent", 4.5, -20),
    ("Utrecht", 4, -60),
    ("Leiden", 4, -75),
    ("Utrecht", 4, -130),
    ("Gent", 3, -190),
    ("Utrecht", 3, -244),
    ("Gent", 2, -318),
    ("Leiden", 2, -402),
    ("Zwolle", 1, -420),
    ("Gent", 0, -478),
)
"""A Dutch club cup by hand: clubs of five and six, the best four of each count, and one player too few."""


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        # Gent's best four are at 1, 4, 9 and 13: 18 + 15 + 10 + 6 of 18 places.
        pytest.param(
            TeamRule.PLACES,
            [
                (1, "Leiden", 17 + 16 + 12 + 8, 23, 794, None),
                (2, "Gent", 49, 22, 692, TeamCriterion.PLACE_POINTS),
                (3, "Utrecht", 14 + 11 + 9 + 7, 19, 256, TeamCriterion.PLACE_POINTS),
                (None, "Zwolle", 2, 1, -420, None),
            ],
            id="by places",
        ),
        pytest.param(
            TeamRule.WINS,
            [
                (1, "Leiden", 53, 23, 794, None),
                (2, "Gent", 49, 22, 692, TeamCriterion.WINS),
                (3, "Utrecht", 41, 19, 256, TeamCriterion.WINS),
                (None, "Zwolle", 2, 1, -420, None),
            ],
            id="by wins",
        ),
        pytest.param(
            TeamRule.SPREAD,
            [
                (1, "Leiden", 53, 23, 794, None),
                (2, "Gent", 49, 22, 692, TeamCriterion.SPREAD),
                (3, "Utrecht", 41, 19, 256, TeamCriterion.SPREAD),
                (None, "Zwolle", 2, 1, -420, None),
            ],
            id="by spread",
        ),
    ],
)
def test_club_cup(rule, expected):
    found = rank_teams(CLUB_CUP, rule, 4)

    assert [
        (row.rank, row.team, row.place_points, row.half_wins / 2, row.spread, row.decided_by) for row in found
    ] == expected
    gent = next(row for row in found if row.team == "Gent")
    assert [(member.player.player, member.counts) for member in gent.members] == [
        *[(place, True) for place in (1, 4, 9, 13)],
        *[(place, False) for place in (15, 18)],
    ]


@pytest.mark.parametrize(
    ("rule", "rows", "decided"),
    [
        pytest.param(TeamRule.PLACES, [("A", 9, 0), ("B", 5, 0)], TeamCriterion.PLACE_POINTS, id="points"),
        pytest.param(
            TeamRule.PLACES, [("A", 9, 0), ("B", 5, 0), ("B", 5, 0), ("A", 3, 0)], TeamCriterion.WINS, id="wins"
        ),
        pytest.param(
            TeamRule.PLACES, [("A", 6, 99), ("B", 5, 0), ("B", 5, 0), ("A", 4, 1)], TeamCriterion.SPREAD, id="spread"
        ),
        pytest.param(
            TeamRule.PLACES, [("A", 6, 9), ("B", 5, 4), ("B", 5, 5), ("A", 4, 0)], TeamCriterion.BEST_PLACE, id="place"
        ),
        pytest.param(TeamRule.WINS, [("A", 5, 9), ("B", 5, 8)], TeamCriterion.SPREAD, id="spread after wins"),
        pytest.param(TeamRule.WINS, [("A", 5, 9), ("B", 5, 9)], TeamCriterion.BEST_PLACE, id="place after both"),
        pytest.param(TeamRule.SPREAD, [("A", 5, 9), ("B", 4, 9)], TeamCriterion.WINS, id="wins after spread"),
    ],
)
def test_level_teams_are_separated_in_the_stated_order(rule, rows, decided):
    players = field(*rows)

    first, second = rank_teams(players, rule, len(players) // 2)

    assert (first.team, first.rank, second.team, second.rank) == ("A", 1, "B", 2)
    assert (first.decided_by, second.decided_by) == (None, decided)


def test_teams_level_in_everything_share_the_rank():
    level = [TeamPlayer(name, name, 1, 10, 300) for name in "AB"] + [TeamPlayer("C", "C", 3, 8, 0)]

    found = rank_teams(level, TeamRule.WINS, 1)

    assert [(row.rank, row.team, row.decided_by) for row in found] == [
        (1, "A", None),
        (1, "B", None),
        (3, "C", TeamCriterion.WINS),
    ]


def test_players_who_share_a_place_each_bring_its_points():
    shared = [TeamPlayer(name, name, place, 10, 0) for name, place in (("A", 1), ("B", 1), ("C", 3))]

    assert [row.place_points for row in rank_teams(shared, TeamRule.PLACES, 1)] == [3, 3, 1]


def test_whoever_has_no_place_counts_for_nothing():
    left = [TeamPlayer("x", "A", None, 12, 999), TeamPlayer("y", "A", 1, 4, 10), TeamPlayer("z", "B", None, 2, 5)]

    first, second = rank_teams(left, TeamRule.WINS, 1)

    assert [(member.player.player, member.counts) for member in first.members] == [("y", True), ("x", False)]
    assert (second.rank, second.half_wins, second.best_place, second.counting) == (None, 0, None, 0)


def test_nobody_and_loners_make_no_team():
    assert rank_teams([], TeamRule.PLACES, 4) == ()
    assert rank_teams(field((None, 1, 1)), TeamRule.PLACES, 1) == ()


figures = st.tuples(st.sampled_from(["A", "B", "C", "D", None]), st.integers(0, 20), st.integers(-500, 500))


@given(st.lists(figures, max_size=14), st.sampled_from(RANKING_RULES), st.integers(1, 4))
def test_laws(rows, rule, best):
    players = [TeamPlayer(place, team, place, wins, spread) for place, (team, wins, spread) in enumerate(rows, 1)]

    found = rank_teams(players, rule, best)

    assert {row.team for row in found} == {each.team for each in players} - {None}
    assert sorted(m.player.player for row in found for m in row.members) == [e.player for e in players if e.team]
    for row in found:
        counting = [member for member in row.members if member.counts]
        assert row.counting == min(best, len(row.members))
        assert (row.rank is None) == (row.counting < best)
        assert row.spread == sum(member.player.spread for member in counting)
        if rule == TeamRule.SPREAD:
            spreads = sorted((member.player.spread for member in row.members), reverse=True)
            assert row.spread == sum(spreads[:best])
    ranks = [row.rank for row in found if row.rank is not None]
    assert ranks == sorted(ranks)
    assert [row.rank is None for row in found] == sorted(row.rank is None for row in found)


def test_team_that_has_left_has_no_rank_and_takes_none_away():
    players = [TeamPlayer(name, name[0], place, 2, 10) for place, name in enumerate(("A1", "B1", "C1"), 1)]

    found = rank_teams(players, TeamRule.PLACES, 1, {"B"})

    assert [(row.rank, row.team) for row in found] == [(1, "A"), (2, "C"), (None, "B")]
