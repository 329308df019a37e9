"""What holds of every table, on random events; and that a second, plain program gives the same table."""

import dataclasses
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from scoring import standings
from scoring.awards import AWARDED_OUTCOMES, AwardReason, Outcome
from scoring.rulesets.tso import TSO_AWARDS
from scoring.standings import Contestant, Criterion, Ranking, RankingBasis, TableGame, WithdrawnPlacement
from tests.laws import tried_on
from tests.scoring import naive

NAMED = (Criterion.SPREAD, Criterion.POINTS, Criterion.HEAD_TO_HEAD)
SWAPPED = {Outcome.FIRST_FORFEITS: Outcome.SECOND_FORFEITS, Outcome.SECOND_FORFEITS: Outcome.FIRST_FORFEITS}
laws = tried_on(10)

scores = st.sampled_from([398, 400, 402])
"""Few scores, so that players are often level."""


@st.composite
def games_of_a_pair(draw, round, first, second):
    outcome = draw(st.sampled_from([Outcome.PLAYED] * 8 + [Outcome.OPEN, *sorted(AWARDED_OUTCOMES)]))
    if outcome == Outcome.PLAYED:
        return TableGame(round, first, second, outcome, draw(scores), draw(scores))
    if outcome == Outcome.OPEN or draw(st.booleans()):
        return TableGame(round, first, second, outcome)
    reached = st.sampled_from([300, 349, 350, 400, 401, 451, 452])
    reason = draw(st.none() | st.sampled_from(AwardReason))
    return TableGame(round, first, second, outcome, draw(reached), draw(reached), reason=reason)


@st.composite
def games_alone(draw, round, player):
    outcome = draw(st.sampled_from([Outcome.BYE, Outcome.ABSENT]))
    return TableGame(round, player, None, outcome, spread=draw(st.sampled_from([None, None, 100, 0, -50])))


@st.composite
def events(draw, plain=False):
    """Contestants and games, in any order; `plain`: all games played."""
    players = [f"P{number}" for number in range(draw(st.integers(1, 7)))]
    games = []
    for number in range(1, draw(st.integers(0, 5)) + 1):
        seated = draw(st.permutations(players))
        for first, second in zip(seated[::2], seated[1::2], strict=False):
            game = TableGame(number, first, second, Outcome.PLAYED, draw(scores), draw(scores))
            games.append(game if plain else draw(games_of_a_pair(number, first, second)))
        if len(seated) % 2 and not plain and draw(st.booleans()):
            games.append(draw(games_alone(number, seated[-1])))
    withdrawn = draw(st.sets(st.sampled_from(players), max_size=2))
    return [Contestant(player, player in withdrawn) for player in players], games


rankings = st.builds(
    Ranking,
    basis=st.sampled_from(RankingBasis),
    order=st.lists(st.sampled_from(NAMED), unique=True).map(tuple),
    shared_ties=st.booleans(),
    losses_count=st.booleans(),
    withdrawn=st.sampled_from(WithdrawnPlacement),
    spread_cap=st.sampled_from([(), (), (1,), (3, 60)]),
)


@laws
@given(events(), rankings, st.randoms(use_true_random=False))
def test_table_does_not_depend_on_the_order_of_input(event, ranking, rng):
    contestants, games = event

    shuffled = rng.sample(contestants, len(contestants)), rng.sample(games, len(games))

    assert standings.rank(*shuffled, ranking, TSO_AWARDS) == standings.rank(*event, ranking, TSO_AWARDS)


@laws
@given(events(), rankings)
def test_swapping_the_sides_of_every_pairing_changes_nothing(event, ranking):
    contestants, games = event
    turned = [
        dataclasses.replace(
            game,
            first=game.second,
            second=game.first,
            outcome=SWAPPED.get(game.outcome, game.outcome),
            first_points=game.second_points,
            second_points=game.first_points,
        )
        if game.second is not None
        else game
        for game in games
    ]

    assert standings.rank(contestants, turned, ranking, TSO_AWARDS) == standings.rank(
        contestants, games, ranking, TSO_AWARDS
    )


@laws
@given(events(plain=True), st.sampled_from([(), (1, 2)]))
def test_spreads_and_wins_of_played_games_cancel(event, cap):
    contestants, games = event

    rows = standings.rank(contestants, games, Ranking(spread_cap=cap), TSO_AWARDS)

    assert sum(row.spread for row in rows) == 0
    assert sum(row.half_wins for row in rows) == sum(row.half_losses for row in rows) == 2 * len(games)
    assert sum(row.points for row in rows) == sum(game.first_points + game.second_points for game in games)


@laws
@given(events(), rankings)
def test_decided_by_is_what_the_figures_say(event, ranking):
    rows = [row for row in standings.rank(*event, ranking, TSO_AWARDS) if row.rank is not None]

    columns = {
        Criterion.KEIZER: lambda row: row.keizer,
        Criterion.WINS: lambda row: (row.half_wins, -row.half_losses if ranking.losses_count else 0),
        Criterion.SPREAD: lambda row: row.spread,
        Criterion.POINTS: lambda row: row.points,
    }
    for place, (above, row) in enumerate(pairwise(rows), 2):
        before = ranking.criteria[: ranking.criteria.index(row.decided_by)] if row.decided_by else ranking.criteria
        for column in [columns[criterion] for criterion in before if criterion in columns]:
            assert column(above) == column(row)
        if row.decided_by in columns:
            assert columns[row.decided_by](above) > columns[row.decided_by](row)
        elif row.decided_by:
            assert row.detail.above is not None
            assert row.detail.own is None or row.detail.own < row.detail.above
        assert row.rank == (place if row.decided_by else above.rank)


def naive_table(players, games, ranking, lots):
    """The second program's table of the same event."""
    rules = {
        "basis": ranking.basis,
        "order": ranking.order,
        "shared_ties": ranking.shared_ties,
        "losses_count": ranking.losses_count,
        "unranked": ranking.withdrawn == "unranked",
        "caps": ranking.spread_cap,
    }
    return naive.Table(players, [dataclasses.asdict(game) for game in games], rules, lots)


@tried_on(25)
@given(events(), rankings)
def test_details_are_those_of_a_second_program(event, ranking):
    contestants, games = event
    second = naive_table([(each.key, each.withdrawn) for each in contestants], games, ranking, ())

    for above, row in pairwise(standings.rank(*event, ranking, TSO_AWARDS)):
        if row.decided_by in (Criterion.HEAD_TO_HEAD, Criterion.HIGHEST_GAME):
            detail = (row.detail.own, row.detail.above, row.detail.nth, row.detail.meetings)
            assert detail == second.compared(row.decided_by, row.player, above.player)
        else:
            assert row.detail is None


@tried_on(15)
@given(events(), rankings, st.none() | st.integers(0, 5), st.data())
def test_table_is_that_of_a_second_program(event, ranking, after, data):
    contestants, games = event
    keys = [contestant.key for contestant in contestants]
    lots = data.draw(st.lists(st.permutations(keys).map(lambda drawn: tuple(drawn[:4])), max_size=2))
    players = [(contestant.key, contestant.withdrawn) for contestant in contestants]
    counted = [game for game in games if after is None or game.round <= after]

    rows = standings.rank(contestants, games, ranking, TSO_AWARDS, after=after, lots=lots)

    assert [
        (row.rank, row.player, row.half_wins, row.spread, row.points, row.games, row.highest_game, row.decided_by)
        for row in rows
    ] == [
        (*row[:6], row[6][0] if row[6] else None, row[7]) for row in naive_table(players, counted, ranking, lots).rows()
    ]
