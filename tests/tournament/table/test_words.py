"""What separated two rows of a table, in words: every sentence is held against the games themselves."""

import re
from itertools import pairwise, zip_longest

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from scoring import standings
from scoring.awards import Outcome
from scoring.rulesets.tso import TSO_AWARDS
from scoring.standings import ComparedFigures, Contestant, Criterion, PlayerKey, Ranking, Standing, TableGame
from tests.laws import tried_on
from tournament.table.words import describe_rank_decision

NAMED = (Criterion.SPREAD, Criterion.POINTS, Criterion.HEAD_TO_HEAD)
NTH = {
    "highest game": 1,
    "second-highest game": 2,
    "third-highest game": 3,
    "fourth-highest game": 4,
    "fifth-highest game": 5,
    "no. 6 of the highest games": 6,
    "no. 7 of the highest games": 7,
}
SENTENCE = re.compile(r"(.*?):? (none|[+−]?[\d,½.–]+) (?:against|:) ([+−]?[\d,½.–]+)")
LEVEL = Standing(1, "above", 2, 0, 400, 1, 450)


@pytest.mark.parametrize(
    ("by", "detail", "said"),
    [
        (Criterion.HIGHEST_GAME, ComparedFigures(400, 450), "highest game 400 against 450"),
        (Criterion.HIGHEST_GAME, ComparedFigures(380, 400, nth=3), "third-highest game 380 against 400"),
        (Criterion.HIGHEST_GAME, ComparedFigures(None, 400, nth=6), "no. 6 of the highest games: none against 400"),
        (Criterion.HEAD_TO_HEAD, ComparedFigures(390, 410), "head-to-head 390 : 410"),
        (Criterion.HEAD_TO_HEAD, ComparedFigures(790, 812, meetings=2), "2 direct meetings together 790 : 812"),
        (Criterion.LOT, None, "lot"),
        (None, None, ""),
    ],
)
def test_decided_by_names_the_place_that_decided(
    by: Criterion | None, detail: ComparedFigures | None, said: str
) -> None:
    row = Standing(2, "own", 2, 0, 400, 1, 450, by, detail)

    with translation.override("en"):
        assert describe_rank_decision(row, LEVEL) == said


scores = st.sampled_from([380, 400, 420])


@st.composite
def seasons(draw: st.DrawFn) -> list[TableGame]:
    """Games of a few players over some rounds, few scores, so that many are level; some games were forfeited."""
    players: list[str] = ["A", "B", "C", "D"]
    games: list[TableGame] = []
    for number in range(1, draw(st.integers(1, 7)) + 1):
        one, two, three, four = draw(st.permutations(players))
        for first, second in ((one, two), (three, four)):
            outcome = draw(st.sampled_from([Outcome.PLAYED] * 6 + [Outcome.FIRST_FORFEITS, Outcome.BOTH_FORFEIT]))
            is_scored = outcome == Outcome.PLAYED or draw(st.booleans())
            points = (draw(scores), draw(scores)) if is_scored else (None, None)
            games.append(TableGame(number, first, second, outcome, *points))
    return games


@tried_on(60)
@given(seasons(), st.lists(st.sampled_from(NAMED), unique=True))
def test_decided_by_is_true_of_the_games(games: list[TableGame], order: list[Criterion]) -> None:
    rows = standings.rank(map(Contestant, "ABCD"), games, Ranking(order=tuple(order)), TSO_AWARDS)

    for above, row in pairwise(rows):
        with translation.override("en"):
            said = describe_rank_decision(row, above)
        if row.decided_by is None:
            assert said == ""
        else:
            found = SENTENCE.fullmatch(said)
            assert found
            name, mine, theirs = found.groups()
            assert holds(name, mine, theirs, games, row, above), said


def holds(name: str, mine: str, theirs: str, games: list[TableGame], row: Standing, above: Standing) -> bool:
    """Whether the figures of a sentence are those of the games."""
    own, rival = (reached(games, each.player) for each in (row, above))
    if name in NTH:
        pairs = list(zip_longest(own, rival))
        at = NTH[name] - 1
        return all(a == b for a, b in pairs[:at]) and pairs[at] == (None if mine == "none" else int(mine), int(theirs))
    if "head-to-head" in name or "direct meetings" in name:
        met = [game for game in games if {game.first, game.second} == {row.player, above.player}]
        met = [game for game in met if game.first_points is not None]
        said = int(name[0]) if name[0].isdigit() else 1
        return len(met) == said and int(mine.replace(",", "")) < int(theirs.replace(",", ""))
    columns = {"wins": "wins", "spread": "spread", "points": "points"}
    figures = [float(text.replace("−", "-").replace(",", "").replace("½", ".5")) for text in (mine, theirs)]
    return figures == [getattr(each, columns[name]) for each in (row, above)]


def reached(games: list[TableGame], player: PlayerKey) -> list[int]:
    """The scores that a player really reached, the highest first."""
    found = []
    for game in games:
        if player in (game.first, game.second) and game.first_points is not None:
            is_first = game.first == player
            if not game.outcome.at_fault[0 if is_first else 1]:
                found.append((game.first_points if is_first else game.second_points) or 0)
    return sorted(found, reverse=True)
