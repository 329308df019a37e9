"""Small events with the tables that another program, written from the same rules, worked out for them."""

import json
from pathlib import Path

import pytest

from scoring import standings
from scoring.awards import Outcome
from scoring.rulesets.tso import TSO_AWARDS
from scoring.standings import Contestant, Criterion, Ranking, RankingBasis, TableGame

CASES = sorted((Path(__file__).parent / "cases").glob("*.json"))

COLUMNS = ("rank", "player", "wins", "spread", "points", "games", "highest_game", "decided_by")


def game(round, pairing):
    names = ("first_points", "second_points", "spread")
    points = {name: pairing[name] for name in names if name in pairing}
    return TableGame(round["number"], pairing["first"], pairing["second"], Outcome(pairing["outcome"]), **points)


def ranked(event):
    """The rows of a tournament file's table, as the columns of the expected one."""
    (division,) = event["divisions"]
    order = tuple(Criterion(name) for name in event["ranking"]["order"])
    rows = standings.rank(
        [Contestant(player["id"], withdrawn="withdrawn_after" in player) for player in event["players"]],
        [game(round, pairing) for round in division["rounds"] for pairing in round["pairings"]],
        Ranking(RankingBasis(event["ranking"]["basis"]), order),
        TSO_AWARDS,
    )
    return [tuple(getattr(row, column) for column in COLUMNS) for row in rows]


def test_cases_are_all_there():
    assert [path.stem for path in CASES] == [f"case-{number:02}" for number in range(1, 25)]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path):
    case = json.loads(path.read_text(encoding="utf-8"))

    rows = ranked(case["event"])

    assert rows == [tuple(row.get(column) for column in COLUMNS) for row in case["table"]]
