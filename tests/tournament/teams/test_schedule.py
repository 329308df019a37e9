"""All teams play all, home and away by turns: worked tables, byes, further legs, leavers, late teams."""

from collections import Counter

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains

from scoring.team_matches import TeamPairing
from tests import factories
from tests.markup import read_words
from tests.tournament.paper.samples import pages
from tests.tournament.teams.test_team_matches import alone, drawn, league, publish, rows, tables
from tournament.archive.replaying import find_journal_differences
from tournament.entries.operations.entries import EntryDetails, NewEntry, enter_players
from tournament.entries.operations.register import Person
from tournament.files.print_room import render_document
from tournament.models import Division, Round
from tournament.rounds.due_days import publish_all_rounds
from tournament.rounds.schedule import load_schedule
from tournament.rounds.team_matches import load_team_matches
from tournament.teams.operations import withdraw_team
from tournament.teams.words import describe_team_rule

pytestmark = pytest.mark.django_db

ALL = TeamPairing.ALL_PLAY_ALL.value


def all_play_all(teams: int, rounds: int, boards: int = 2, **values: object) -> Division:
    named = [(chr(ord("A") + number) * 2, boards) for number in range(teams)]
    return league(*named, boards=boards, rounds=rounds, team_pairing=ALL, **values)


def schedule(division: Division) -> list[list[str]]:
    """The matches of each number as home–away, by letters; a bye as a letter alone."""
    found: dict[int, list[str]] = {}
    for match in load_team_matches(factories.fresh(division)).matches:
        found.setdefault(match.number, []).append(match.home[0] + (match.away or "")[:1])
    return [sorted(found[number]) for number in sorted(found)]


FOUR_TEAMS = ["CB DA", "AC BD", "BA DC"]
FIVE_TEAMS = ["AE CB D", "A BD EC", "B CA DE", "AD C EB", "BA DC E"]
SIX_TEAMS = ["CB ED FA", "AC BE DF", "DA EC FB", "AE BD CF", "BA DC FE"]
"""By hand: labels in a circle, of which those meet whose sum is the round's; a letter alone rests."""


@pytest.mark.parametrize(("teams", "worked"), [(4, FOUR_TEAMS), (5, FIVE_TEAMS), (6, SIX_TEAMS)])
def test_worked_tables(teams: int, worked: list[str]) -> None:
    division = all_play_all(teams, len(worked))

    publish_all_rounds(division, actor=factories.director())

    assert [" ".join(matches) for matches in schedule(division)] == worked


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("teams", "rounds", "form"), [(4, 3, "boards"), (5, 5, "boards"), (4, 6, "all")])
def test_whole_schedule_is_seen_and_printed_before_it_is_published(
    teams: int, rounds: int, form: str, doris_client: Client
) -> None:
    division = all_play_all(teams, rounds, team_format=form)
    page = reverse("director:due_days", args=[division.tournament.slug])

    foreseen = load_schedule(division)
    before = read_words(doris_client.get(page).content.decode())
    paper = render_document("schedule", division)
    publish(drawn(division))
    half_way = load_schedule(factories.fresh(division))
    publish_all_rounds(factories.fresh(division), actor=factories.director())
    published = load_schedule(factories.fresh(division))

    assert [set(each.pairs) for each in foreseen] == [set(each.pairs) for each in published]
    assert [set(each.pairs) for each in half_way] == [set(each.pairs) for each in published]
    assert [each.is_published for each in half_way] == [True, *[False] * (rounds - 1)]
    assert "stehen da, wie sie jetzt gepaart würden" in before
    assert all(name in pages(paper)[0] for pair in published[-1].pairs for name in pair if name)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("teams", [3, 4, 5, 6, 7, 8])
def test_everybody_meets_everybody_and_home_and_away_are_even(teams: int) -> None:
    leg = teams - 1 + teams % 2
    division = all_play_all(teams, 2 * leg, boards=1)

    assert publish_all_rounds(division, actor=factories.director()) == 2 * leg

    matches = [pair for round in schedule(division) for pair in round]
    met = [pair for pair in matches if len(pair) == 2]
    assert Counter(frozenset(pair) for pair in met) == dict.fromkeys({frozenset(pair) for pair in met}, 2)
    assert len(met) == teams * (teams - 1)
    assert len(set(met)) == len(met)  # the second time the other team is at home
    first_leg = [pair for round in schedule(division)[:leg] for pair in round if len(pair) == 2]
    for team in {pair[0] for pair in met}:
        at_home = sum(pair[0] == team for pair in first_leg)
        assert abs(at_home - sum(pair[1] == team for pair in first_leg)) <= 1
        assert sum(pair[0] == team for pair in met) == sum(pair[1] == team for pair in met)
    byes = Counter(pair for pair in matches if len(pair) == 1)
    assert set(byes.values()) <= {2}
    assert len(byes) == (teams if teams % 2 else 0)
    assert not list(find_journal_differences(division.tournament))


def test_schedule_goes_on_over_rounds_of_all_against_all() -> None:
    division = all_play_all(4, 6, team_format="all")

    publish_all_rounds(division, actor=factories.director())

    assert len(schedule(division)) == 3
    assert Counter(frozenset(pair) for round in schedule(division) for pair in round) == dict.fromkeys(
        map(frozenset, ("AB", "AC", "AD", "BC", "BD", "CD")), 1
    )


def play_out(division: Division, round: Round) -> None:
    """The first in the alphabet wins each game."""
    for table, first, second in tables(round):
        factories.result(round, table, *((450, 350) if first < second else (350, 450)))


@pytest.mark.parametrize(
    ("rule", "points"),
    [
        pytest.param("kept", {"AA": 6, "BB": 4, "CC": 2, "DD": 0}, id="kept"),
        pytest.param("struck", {"AA": 4, "BB": 2, "CC": 0, "DD": 0}, id="struck"),
    ],
)
def test_place_of_a_team_that_leaves_stays_empty(rule: str, points: dict[str, int]) -> None:
    """D leaves after the first round, in which A has beaten it; B and C, who were to meet it, have byes."""
    division = all_play_all(4, 3, team_leavers=rule)
    play_out(division, publish(drawn(division)))
    withdraw_team(division, "DD", actor=factories.director())
    for _round in (2, 3):
        play_out(division, publish(drawn(division)))

    assert schedule(division) == [["CB", "DA"], ["AC", "B"], ["BA", "C"]]
    assert {team: got for _rank, team, _played, got, _boards in rows(division)} == points
    assert rows(division)[-1][:2] == (None, "DD")


def test_withdrawal_from_a_league_that_is_published_as_a_whole() -> None:
    division = all_play_all(4, 3, team_leavers="kept")
    publish_all_rounds(division, actor=factories.director())
    play_out(division, Round.objects.get(number=1))

    withdraw_team(division, "DD", actor=factories.director())

    assert set(division.entries.filter(withdrawn_after__isnull=False).values_list("withdrawn_after", flat=True)) == {1}
    points = {team: got for _rank, team, _played, got, _boards in rows(division)}
    assert points == {"AA": 2, "BB": 4, "CC": 2, "DD": 0}
    assert not list(find_journal_differences(division.tournament))


def test_late_team_takes_the_bye() -> None:
    division = all_play_all(3, 3)
    play_out(division, publish(drawn(division)))
    late = [Person(f"ZZ, {number}", "ZZ", 1500, games=9) for number in (1, 2)]
    enter_players(
        division.tournament,
        newcomers=[NewEntry(person, division, EntryDetails()) for person in late],
        actor=factories.director(),
    )

    second, third = (publish(drawn(division)) for _round in (2, 3))

    assert [pair for round in (second, third) for pair in alone(round)] == []
    met = [frozenset(pair) for round in schedule(division) for pair in round if len(pair) == 2]
    assert len(set(met)) == len(met) == 5


def test_results_need_not_be_in_for_the_next_round() -> None:
    division = all_play_all(4, 3)
    publish(drawn(division))

    assert drawn(division).number == 2


def test_announcement_says_it(client: Client) -> None:
    division = all_play_all(4, 3, team_leavers="struck")

    sentences = " ".join(describe_team_rule(division.tournament))

    assert "Jede Mannschaft trifft auf jede" in sentences
    assert "eine Mannschaft ohne Gegner bekommt nichts" in sentences
    assertContains(client.get(f"/t/{division.tournament.slug}/announcement/"), "Jede Mannschaft trifft auf jede")
