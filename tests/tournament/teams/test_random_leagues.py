"""Random leagues against a second reckoning: from the results as stored, which know nothing of matches."""

import random
from collections import defaultdict
from contextlib import suppress

import pytest

from scoring.team_matches import TeamFormat
from tests import factories
from tests.tournament.teams.test_team_matches import drawn, entry, league, publish, tables
from tournament.archive.replaying import find_journal_differences
from tournament.basics.refusals import Refusal
from tournament.entries.operations.attendance import set_absence
from tournament.models import Division, Pairing, Round
from tournament.rounds.drafts import pair_by_hand, pair_rest_anew, set_pair_locked, swap_players
from tournament.rounds.operations import list_unpaired_entries
from tournament.teams.team_table import load_match_table

pytestmark = pytest.mark.django_db


def meddle(round: Round, chance: random.Random, teams: list[str]) -> None:
    """Some acts of the director in a draft; those that are refused change nothing."""
    doris = factories.director()
    for _act in range(chance.randint(0, 4)):
        one, other = (entry(f"{team}, 1") for team in chance.sample(teams, 2))
        with suppress(Refusal):
            what = chance.randrange(5)
            if what == 0:
                pair_by_hand(round, one=one, other=other, actor=doris)
            elif what == 1:
                swap_players(round, one=one, other=other, actor=doris)
            elif what == 2:
                boards = Pairing.objects.select_related("round__division__tournament").with_players()
                set_pair_locked(chance.choice(list(boards.filter(round=round))), locked=True, actor=doris)
            elif what == 3:
                set_absence(one, number=round.number, actor=doris)
            else:
                pair_by_hand(round, one=one, other=None, actor=doris)
    with suppress(Refusal):  # whoever has been left alone gets an opponent again
        pair_rest_anew(round, actor=doris, seed=1)


def reckon(division: Division, boards: int, form: TeamFormat) -> dict[str, list[float]]:
    """Match points, board points, spread and matches of each team: a bye is two half wins and 50."""
    length = boards if form == TeamFormat.ALL else 1
    sums: dict[str, list[float]] = defaultdict(lambda: [0, 0, 0, 0])
    rounds = list(Round.objects.filter(division=division).order_by("number"))
    for start in range(0, len(rounds) - len(rounds) % length, length):
        matches: dict[frozenset[str], dict[str, list[float]]] = {}
        together: dict[str, frozenset[str]] = {}
        found = Pairing.objects.filter(round__in=rounds[start : start + length]).with_players().with_results()
        for pairing in found:
            if pairing.second:
                sides = [(pairing.first, pairing.second), (pairing.second, pairing.first)]
                pair = frozenset(each.team_name for each, _other in sides)
                together |= dict.fromkeys(pair, pair)
        for pairing in found:
            if pairing.kind == Pairing.Kind.ABSENT:
                continue
            result = pairing.result
            assert result is not None
            first = pairing.first.team_name
            match = matches.setdefault(together.get(first, frozenset([first])), defaultdict(lambda: [0, 0]))
            points = (result.first_points or 0) - (result.second_points or 0) if pairing.second else 50
            halves = 1 + (points > 0) - (points < 0)
            match[first] = [match[first][0] + halves, match[first][1] + points]
            if pairing.second:
                second = pairing.second.team_name
                match[second] = [match[second][0] + 2 - halves, match[second][1] - points]
        for pair, score in matches.items():
            for team in pair:
                others = [score[each][0] for each in pair if each != team] or [-1.0]
                own = score[team][0]
                brought = 2 if own > others[0] else 1 if own == others[0] else 0
                sums[team] = [sum(both) for both in zip(sums[team], (brought, *score[team], 1), strict=True)]
    return sums


@pytest.mark.sampled(1)
@pytest.mark.parametrize("seed", range(4))
def test_table_is_that_of_a_second_reckoning(seed: int) -> None:
    chance = random.Random(seed)
    teams = [chr(ord("A") + number) for number in range(chance.randint(3, 6))]
    boards, form = chance.randint(1, 3), chance.choice(list(TeamFormat))
    division = league(
        *((team, boards + chance.randint(0, 1)) for team in teams), boards=boards, rounds=6, team_format=form.value
    )
    for _round in range(boards * 2):
        round = drawn(division)
        meddle(round, chance, teams)
        publish(drawn(division) if list_unpaired_entries(round) else round)
        for number, _first, _second in tables(round):
            factories.result(round, number, chance.randint(300, 420), chance.randint(300, 420))

    table = load_match_table(factories.fresh(division))
    expected = reckon(division, boards, form)
    assert {row.team: [row.match_points, row.half_wins, row.spread, row.played] for row in table.rows} == {
        team: expected[team] for team in teams
    }
    assert [row.team for row in table.rows if row.rank == 1] == [
        team for team in teams if expected[team][:3] == max(each[:3] for each in expected.values())
    ]
    assert not list(find_journal_differences(division.tournament))
