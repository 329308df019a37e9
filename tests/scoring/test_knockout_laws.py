"""What holds of every knock-out, on random ones."""

from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from scoring import knockout
from scoring.awards import AWARDED_OUTCOMES, Outcome
from scoring.knockout_values import GameFacts, KnockoutGame, KnockoutRules, MatchCriterion, MatchFormat, WaitsFor
from tests.laws import tried_on

laws = tried_on(8)

SWAPPED = {Outcome.FIRST_FORFEITS: Outcome.SECOND_FORFEITS, Outcome.SECOND_FORFEITS: Outcome.FIRST_FORFEITS}

rules = st.builds(
    lambda form, number, criteria, third: KnockoutRules(
        form, number if form == MatchFormat.BEST_OF else None, tuple(criteria), third
    ),
    st.sampled_from(MatchFormat),
    st.sampled_from([1, 3, 5]),
    st.lists(st.sampled_from(MatchCriterion), unique=True),
    st.booleans(),
)
scores = st.sampled_from([399, 400, 401])
facts = st.builds(
    GameFacts,
    bingos=st.sampled_from([None, 0, 1]),
    moves=st.lists(st.sampled_from([70, 80]), max_size=2).map(tuple),
    seconds=st.sampled_from([None, 1500, 1501]),
)


@st.composite
def results(draw, first, second):
    """A game with a result, either player starting."""
    if draw(st.booleans()):
        first, second = second, first
    outcome = draw(st.sampled_from([Outcome.PLAYED] * 6 + sorted(AWARDED_OUTCOMES)))
    began = outcome == Outcome.PLAYED or draw(st.booleans())
    points = (draw(scores), draw(scores)) if began else (None, None)
    return KnockoutGame(first, second, outcome, *points, draw(facts), draw(facts))


@st.composite
def knockouts(draw):
    """Seeds, rules, games and lots of a knock-out that was played as far as somebody went on."""
    seeds = [f"P{number}" for number in range(draw(st.integers(2, 9)))]
    announced, games, lots = draw(rules), {}, {}
    for _ in range(draw(st.integers(0, 40))):
        found = knockout.bracket(seeds, announced, games, lots)
        for match in found.matches:
            if match.waits_for == WaitsFor.GAMES:
                played = games.setdefault(match.place, [])
                played.append(draw(results(*match.players)))
                break
            if match.waits_for == WaitsFor.LOT:
                lots[match.place] = draw(st.sampled_from(match.players))
                break
    return seeds, announced, games, lots


def swapped(game):
    return KnockoutGame(
        game.second,
        game.first,
        SWAPPED.get(game.outcome, game.outcome),
        game.second_points,
        game.first_points,
        game.second_facts,
        game.first_facts,
    )


def outcome(match):
    return match.players, match.score, match.winner, match.loser, match.decided_by, match.compared, match.waits_for


@laws
@given(knockouts())
def test_swapping_the_sides_of_every_game_changes_nothing(made):
    seeds, announced, games, lots = made
    turned = {place: [swapped(game) for game in listed] for place, listed in games.items()}

    before = knockout.bracket(seeds, announced, games, lots)
    after = knockout.bracket(seeds, announced, turned, lots)

    assert list(map(outcome, after.matches)) == list(map(outcome, before.matches))


@laws
@given(knockouts())
def test_winner_plays_the_next_match_and_loser_is_out(made):
    found = knockout.bracket(*made)

    for stage, after in pairwise(found.stages):
        advanced = {player for match in after if not match.is_third_place for player in match.players} - {None}
        assert advanced == {match.winner for match in stage} - {None}
    for match in found.matches:
        assert {match.winner, match.loser} - {None} <= set(match.players)
        assert match.winner is None or match.winner != match.loser


@laws
@given(knockouts())
def test_everybody_is_out_in_the_end_but_one_at_most(made):
    found = knockout.bracket(*made)
    lost = [match.loser for match in found.matches if match.loser is not None and not match.is_third_place]

    assert len(set(lost)) == len(lost)
    assert found.champion not in lost
    if found.is_over and not any(match.decided_by == "forfeit" for match in found.matches):
        assert set(lost) | {found.champion} == set(found.seeds)


@laws
@given(knockouts(), st.data())
def test_game_after_the_decision_changes_nothing(made, data):
    seeds, announced, games, lots = made
    before = knockout.bracket(*made)
    over = [match for match in before.matches if match.is_over and match.games]
    more = {
        match.place: [*match.games, data.draw(results(*match.players))]
        for match in over
        if len(match.games) < announced.most_games
    }

    after = knockout.bracket(seeds, announced, {**games, **more}, lots)

    assert [replace(match, surplus=0) for match in after.matches] == list(before.matches)
    assert {match.place for match in after.matches if match.surplus} == set(more)


@laws
@given(knockouts())
def test_match_needs_a_game_exactly_while_it_waits_for_one(made):
    found = knockout.bracket(*made)

    for match in found.matches:
        assert any(due.is_open for due in match.needed) == (match.waits_for == WaitsFor.GAMES)
        assert [due.number for due in match.needed] == list(range(1, len(match.needed) + 1))
        starts = [due.first for due in match.needed if due.is_open]
        assert all(one != other for one, other in pairwise(starts))


@laws
@given(knockouts())
def test_withdrawing_the_last_result_makes_that_game_needed_again(made):
    seeds, announced, games, lots = made
    matches = [match for match in knockout.bracket(*made).matches if match.games]
    if not matches:
        return
    last = matches[-1]
    taken_back = {**games, last.place: [*games[last.place][:-1], KnockoutGame(*last.players)]}

    found, _problems = knockout.fit_bracket(seeds, announced, taken_back, lots)

    assert found.match(*last.place).needed[-1].is_open
