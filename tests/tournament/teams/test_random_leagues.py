"""Random leagues against a second reckoning: from the results as stored, which know nothing of matches."""

import random
from collections import defaultdict
from contextlib import suppress

import pytest

from scoring.awards import Outcome
from scoring.team_matches import LeaverMatches, TeamFormat, TeamPairing
from tests import factories
from tests.tournament.teams.test_team_matches import drawn, entry, league, publish, tables
from tournament.archive.replaying import find_journal_differences
from tournament.basics.refusals import Refusal
from tournament.entries.operations.attendance import set_absence
from tournament.models import Division, Pairing, Round
from tournament.rounds.drafts import pair_by_hand, pair_rest_anew, set_pair_locked, swap_players
from tournament.rounds.operations import list_unpaired_entries
from tournament.rounds.round_matches import list_round_matches
from tournament.rounds.team_matches import load_team_matches
from tournament.teams.operations import award_match, withdraw_team

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


def disturb(division: Division, chance: random.Random, left: set[str], teams: list[str]) -> None:
    """Perhaps a walkover in the round that is played, perhaps a team that leaves; three stay at least."""
    doris = factories.director()
    round = Round.objects.select_related("division__tournament").filter(division=division).latest("number")
    for match in list_round_matches(round):
        if match.away is not None and chance.random() < 0.2:
            both = [match.home, match.away]
            with suppress(Refusal):  # all games of it may be awarded already
                award_match(match, at_fault=set(chance.sample(both, chance.randint(1, 2))), actor=doris)
    if chance.random() < 0.25 and len(teams) - len(left) > 3:
        leaver = chance.choice(sorted(set(teams) - left))
        withdraw_team(factories.fresh(division), leaver, actor=doris)
        left.add(leaver)


HALVES = {
    Outcome.BYE: ((2, 50), (0, 0)),
    Outcome.FIRST_FORFEITS: ((0, -100), (2, 50)),
    Outcome.SECOND_FORFEITS: ((2, 50), (0, -100)),
    Outcome.BOTH_FORFEIT: ((0, -100), (0, -100)),
}
"""What first and second get, by TSO 6.1.1: half wins and spread."""


def reckon(division: Division, boards: int, form: TeamFormat, left: set[str]) -> dict[str, list[float]]:
    """Match points, board points, spread and matches of each team: a bye is two half wins and 50. By the rule “struck”
    no match of a team that has left counts, nor, where all play all, a bye."""
    length = boards if form == TeamFormat.ALL else 1
    tournament = division.tournament
    is_struck, all_play_all = tournament.team_leavers == "struck", tournament.team_pairing == "all_play_all"
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
            points = (result.first_points or 0) - (result.second_points or 0)
            halves = 1 + (points > 0) - (points < 0)
            own, other = HALVES.get(Outcome(result.outcome), ((halves, points), (2 - halves, -points)))
            match[first] = [match[first][0] + own[0], match[first][1] + own[1]]
            if pairing.second:
                second = pairing.second.team_name
                match[second] = [match[second][0] + other[0], match[second][1] + other[1]]
        for pair, score in matches.items():
            if is_struck and (pair & left or (all_play_all and len(pair) == 1)):
                continue
            for team in pair:
                others = [score[each][0] for each in pair if each != team] or [-1.0]
                mine = score[team][0]
                brought = 2 if mine > others[0] else 1 if mine == others[0] else 0
                sums[team] = [sum(both) for both in zip(sums[team], (brought, *score[team], 1), strict=True)]
    return sums


@pytest.mark.parametrize("seed", [6, *(pytest.param(seed, marks=pytest.mark.long) for seed in (0, 2, 3, 5, 7))])
def test_table_is_that_of_a_second_reckoning(seed: int) -> None:
    chance = random.Random(seed)
    teams = [chr(ord("A") + number) for number in range(chance.randint(3, 6))]
    boards, form = chance.randint(1, 3), chance.choice(list(TeamFormat))
    division = league(
        *((team, boards + chance.randint(0, 1)) for team in teams),
        boards=boards,
        rounds=6,
        team_format=form.value,
        team_pairing=chance.choice(list(TeamPairing)).value,
        team_leavers=chance.choice(list(LeaverMatches)).value,
    )
    left: set[str] = set()
    for _round in range(boards * 2):
        round = drawn(division)
        meddle(round, chance, sorted(set(teams) - left))
        round = publish(drawn(division) if list_unpaired_entries(round) else round)
        disturb(division, chance, left, teams)
        for number, _first, _second in tables(round):
            if not round.pairings.get(table=number).results.filter(official=True).exists():
                factories.result(round, number, chance.randint(398, 402), chance.randint(398, 402))

    table = load_team_matches(factories.fresh(division))
    expected = reckon(factories.fresh(division), boards, form, left)
    assert {row.team: [row.match_points, row.half_wins, row.spread, row.played] for row in table.rows} == {
        team: expected[team] for team in teams
    }
    best = max(expected[team][:3] for team in teams if team not in left)
    assert [row.team for row in table.rows if row.rank == 1] == [
        team for team in teams if team not in left and expected[team][:3] == best
    ]
    assert {row.team for row in table.rows if row.rank is None} == left
    assert not list(find_journal_differences(division.tournament))
