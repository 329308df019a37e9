"""Matches of teams: line-ups, drawing teams, boards against boards and all against all, byes, corrections, table."""

import csv
import io
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django.asserts import assertContains

from scoring.awards import AwardReason, Outcome
from scoring.team_matches import TeamFormat
from scoring.teams import TeamRule
from tests import factories
from tests.games.conftest import browser
from tests.tournament.exchange.terminal import run
from tournament.archive.replaying import find_journal_differences
from tournament.basics.refusals import Refusals
from tournament.basics.showing import ShowingTrigger
from tournament.chances.queries import load_chances
from tournament.core.public_view import open_public_view
from tournament.core.reports import PlayerReport, Report
from tournament.entries.operations.attendance import RoundBehind, set_absence, withdraw_entry
from tournament.entries.operations.entries import EntryDetails, NewEntry, edit_entry, enter_players
from tournament.entries.operations.register import Person
from tournament.events.operations import add_division, copy_tournament, update_division
from tournament.files.print_room import render_document
from tournament.journal.consequences import find_consequences
from tournament.journal.undoing import undo_journal_entry
from tournament.journal.words import RedrawOutcome
from tournament.models import Division, Entry, JournalEntry, Pairing, Round
from tournament.pairing.values import Method
from tournament.public_state import load_public_state
from tournament.results.operations import record_result
from tournament.rounds.drafts import draft_round, pair_rest_anew
from tournament.rounds.operations import publish_round
from tournament.rounds.outlook import NoRoundToForesee, load_outlook
from tournament.rounds.plan import PlanSegment, set_plan
from tournament.rounds.team_matches import TooFewTeams, load_team_matches
from tournament.teams.files import build_matches_json
from tournament.teams.operations import PlayedForTeam, line_up, name_teams
from tournament.teams.screen import make_teams_part
from tournament.teams.tables import build_shown_teams

pytestmark = pytest.mark.django_db


def league(*teams: tuple[str, int], boards: int = 2, rounds: int = 6, **values: Any) -> Division:
    """Teams with so many players each, the strongest first; players are called by their team and number."""
    chosen = {"team_rule": TeamRule.MATCHES.value, "team_best": boards, **values}
    division = factories.event(players=0, rounds=0, **chosen)
    set_plan(division, segments=[PlanSegment(1, rounds, Method.TEAMS)], actor=factories.director())
    newcomers = [
        NewEntry(Person(f"{team}, {number}", team, 1900 - 100 * place - number, games=9), division, EntryDetails())
        for place, (team, players) in enumerate(teams)
        for number in range(1, players + 1)
    ]
    enter_players(division.tournament, newcomers=newcomers, actor=factories.director())
    return factories.fresh(division)


FOUR = (("Aachen", 3), ("Berlin", 2), ("Celle", 2), ("Dresden", 2))


def drawn(division: Division) -> Round:
    made = draft_round(factories.fresh(division), actor=factories.director())
    return Round.objects.select_related("division__tournament").get(pk=made.pk)


def publish(round: Round) -> Round:
    publish_round(round, actor=factories.director())
    return Round.objects.select_related("division__tournament").get(pk=round.pk)


def play(division: Division, *winners: str) -> Round:
    """The next round, in which players of these teams win, the first named most, and others draw."""
    round = publish(drawn(division))
    for table, first, second in tables(round):
        ranks = [
            winners.index(team) if (team := name.split(",")[0]) in winners else len(winners) for name in (first, second)
        ]
        scores = (400, 400) if ranks[0] == ranks[1] else (450, 350) if ranks[0] < ranks[1] else (350, 450)
        factories.result(round, table, *scores)
    return round


def tables(round: Round) -> list[tuple[int, str, str]]:
    """The games of a round: table and players, who starts first."""
    found = Pairing.objects.filter(round=round, kind=Pairing.Kind.GAME).with_players().by_table()
    return [(each.table or 0, each.first.player.name, each.second.player.name) for each in found if each.second]


def alone(round: Round) -> list[str]:
    found = Pairing.objects.filter(round=round, kind=Pairing.Kind.BYE).with_players()
    return sorted(each.first.player.name for each in found)


def met(round: Round) -> set[frozenset[str]]:
    """Which teams meet at some table."""
    return {frozenset((first.split(",")[0], second.split(",")[0])) for _table, first, second in tables(round)}


def rows(division: Division) -> list[tuple[int | None, str, int, int, float]]:
    table = load_team_matches(factories.fresh(division))
    return [(row.rank, row.team, row.played, row.match_points, row.half_wins / 2) for row in table.rows]


def entry(name: str) -> Entry:
    """Who has entered last by that name."""
    return Entry.objects.with_names().filter(player__name=name).latest("pk")


def test_boards_meet_boards_and_starts_alternate() -> None:
    round = drawn(league(*FOUR))

    assert len(met(round)) == 2
    assert [table for table, _first, _second in tables(round)] == [1, 2, 3, 4]
    for _table, first, second in tables(round):
        assert first.split(", ")[1] == second.split(", ")[1]
    (_one, first, second), (_two, third, fourth) = tables(round)[:2]
    assert (first.split(",")[0], second.split(",")[0]) == (fourth.split(",")[0], third.split(",")[0])
    assert "Aachen, 3" not in str(tables(round))
    assert alone(round) == []


def test_teams_play_at_the_divisions_own_tables() -> None:
    """Of four teams, of which one has a player too few, in a hall where another division sits at table 6."""
    division = league(("Aachen", 2), ("Berlin", 2), ("Celle", 2), ("Dresden", 1))
    doris = factories.director()
    other = add_division(division.tournament, name="B", actor=doris)
    update_division(other, name="B", tables=[(6, 6)], actor=doris)
    update_division(division, name="A", tables=[(31, 31), (5, 5)], actor=doris)

    round = drawn(division)

    assert [table for table, _first, _second in tables(round)] == [1, 5, 31]
    assert len(met(round)) == 2
    publish(round)
    for table, _first, _second in tables(round):
        factories.result(round, table, 450, 350)
    (match, _other) = load_team_matches(factories.fresh(division)).matches
    assert [game.table for game in match.games if game.table] == [1, 5]
    again = drawn(division)
    assert [table for table, _first, _second in tables(again)] == [1, 5, 31]
    pair_rest_anew(again, actor=doris)
    assert [table for table, _first, _second in tables(again)] == [1, 5, 31]


def test_every_team_meets_every_other_before_any_meets_again() -> None:
    division = league(*FOUR, rounds=3)

    meetings = Counter(pair for _round in range(3) for pair in met(play(division, "Aachen", "Berlin", "Celle")))

    assert set(meetings.values()) == {1}
    assert len(meetings) == 6
    assert rows(division) == [
        (1, "Aachen", 3, 6, 6.0),
        (2, "Berlin", 3, 4, 4.0),
        (3, "Celle", 3, 2, 2.0),
        (4, "Dresden", 3, 0, 0.0),
    ]


def test_winners_meet_in_the_second_round() -> None:
    division = league(*FOUR, rounds=2)
    first = play(division, "Aachen", "Berlin", "Celle")
    winners = {min(pair) for pair in met(first)}

    assert frozenset(winners) in met(drawn(division))


def test_all_meet_all_in_as_many_rounds_as_boards() -> None:
    division = league(*FOUR, boards=3, rounds=6, team_format=TeamFormat.ALL.value)
    met_by_round = [met(play(division, "Aachen", "Berlin", "Celle")) for _round in range(3)]

    assert met_by_round[0] == met_by_round[1] == met_by_round[2]
    assert load_team_matches(factories.fresh(division)).after == 1
    games = Counter(
        frozenset((first, second)) for round in Round.objects.all() for _table, first, second in tables(round)
    )
    assert set(games.values()) == {1}
    assert len(games) == sum(len(a) * len(b) for a, b in [((1, 2, 3), (1, 2)), ((1, 2), (1, 2))])
    assert met(play(division, "Aachen")) != met_by_round[0]
    assert {row[2] for row in rows(division)} == {1}  # the second match is not over


def test_odd_team_has_the_bye_and_its_players_too() -> None:
    division = league(("Aachen", 2), ("Berlin", 2), ("Celle", 3), rounds=3)

    for _round in range(3):
        play(division, "Aachen", "Berlin")

    byes = [match for match in load_team_matches(division).matches if match.away is None]
    assert {match.home for match in byes} == {"Aachen", "Berlin", "Celle"}
    assert all(match.match_points == (2, 0) and match.half_wins == (4, 0) for match in byes)
    assert rows(division) == [(1, "Aachen", 3, 6, 6.0), (2, "Berlin", 3, 4, 4.0), (3, "Celle", 3, 2, 2.0)]


def test_absent_board_leaves_the_opponent_a_bye() -> None:
    division = league(("Aachen", 2), ("Berlin", 1))
    round = play(division, "Berlin")

    assert alone(round) == ["Aachen, 2"]
    (match,) = load_team_matches(division).matches
    assert sorted(match.half_wins) == [2, 2]
    assert {row[3] for row in rows(division)} == {1}


def test_reserve_comes_in_and_a_draft_follows(four_teams: Division) -> None:
    round = drawn(four_teams)
    members = [entry(f"Aachen, {number}") for number in (1, 2, 3)]
    pairs = met(round)

    line_up(
        four_teams,
        number=1,
        boards={members[0].pk: None, members[1].pk: 2, members[2].pk: 1},
        resting={members[0].pk},
        actor=factories.director(),
    )

    assert met(round) == pairs
    boards = {table: {first, second} for table, first, second in tables(round)}
    base = min(table for table, names in boards.items() if "Aachen" in str(names))
    assert "Aachen, 3" in boards[base]
    assert "Aachen, 2" in boards[base + 1]
    publish(round)
    undone = JournalEntry.objects.get(verb="publish_round")
    assert undone.details["round"] == 1


def test_team_is_one_however_it_is_spelled(four_teams: Division) -> None:
    first, second, third = (entry(f"Aachen, {number}") for number in (1, 2, 3))
    teams = {first.pk: "Die Ersten", second.pk: "die  ersten", third.pk: "DIE ERSTEN"}
    name_teams(four_teams, teams=teams, actor=factories.director())
    set_absence(first, number=1, actor=factories.director())

    publish(drawn(four_teams))

    assert [match.home for match in load_team_matches(four_teams).matches if "Ersten" in match.home] or [
        match.away for match in load_team_matches(four_teams).matches if match.away == "Die Ersten"
    ]
    assert len(load_team_matches(factories.fresh(four_teams)).rows) == 4


def test_line_up_is_undone(four_teams: Division) -> None:
    drawn(four_teams)
    first = entry("Aachen, 1")
    line_up(four_teams, number=1, boards={first.pk: 2}, resting={first.pk}, actor=factories.director())

    undo_journal_entry(JournalEntry.objects.get(verb="line_up"), actor=factories.director())

    assert Entry.objects.get(pk=first.pk).board is None
    assert not first.absences.exists()
    assert "Aachen, 1" in str(tables(Round.objects.get()))


def test_draft_follows_whoever_leaves_or_misses_the_round(four_teams: Division) -> None:
    round = drawn(four_teams)

    withdraw_entry(entry("Aachen, 1"), after=0, actor=factories.director())
    set_absence(entry("Berlin, 2"), number=1, counts_as_loss=True, actor=factories.director())

    assert "Aachen, 3" in str(tables(round))
    assert len(alone(round)) == 1
    publish(round)
    charged = Pairing.objects.with_players().get(round=round, kind=Pairing.Kind.ABSENT)
    assert charged.first.player.name == "Berlin, 2"


def test_refusals(four_teams: Division) -> None:
    round, first = drawn(four_teams), entry("Aachen, 1")
    doris = factories.director()

    with pytest.raises(Refusals):
        line_up(four_teams, number=1, boards={first.pk: 100}, resting=set(), actor=doris)
    publish(round)
    with pytest.raises(RoundBehind):
        line_up(four_teams, number=1, boards={first.pk: 1}, resting=set(), actor=doris)
    with pytest.raises(TooFewTeams):
        draft_round(league(("Essen", 3)), actor=doris)


def test_forfeit_and_correction_change_the_match() -> None:
    division = league(("Aachen", 2), ("Berlin", 2))
    round = play(division, "Aachen")
    assert rows(division)[0] == (1, "Aachen", 1, 2, 2.0)

    for table, first, _second in tables(round):
        outcome = Outcome.FIRST_FORFEITS if first.startswith("Aachen") else Outcome.SECOND_FORFEITS
        pairing = Pairing.objects.select_related("round__division__tournament").get(round=round, table=table)
        report = Report(outcome, PlayerReport(), PlayerReport(), reason=AwardReason.NO_SHOW)
        record_result(pairing, report=report, actor=factories.director(), expected_version=1, why="zu spät")

    assert rows(division)[0] == (1, "Berlin", 1, 2, 2.0)


def test_public_table_waits_for_the_round_that_is_held_back(four_teams: Division) -> None:
    play(four_teams, "Aachen", "Berlin", "Celle")
    second = play(four_teams, "Dresden", "Celle")
    Round.objects.filter(pk=second.pk).update(
        results_shown=ShowingTrigger.HAND.value, table_shown=ShowingTrigger.HAND.value
    )
    four_teams = factories.fresh(four_teams)

    with open_public_view(four_teams.tournament):
        public, shown = load_team_matches(four_teams), build_shown_teams(four_teams)
    everything = load_team_matches(four_teams)

    assert (public.after, everything.after) == (1, 2)
    assert public.rows != everything.rows
    assert shown is not None
    assert {line.score for line in shown.matches[0][1]} == {"–"}


def test_pages_files_and_screen(four_teams: Division, client: Client) -> None:
    play(four_teams, "Aachen", "Berlin", "Celle")
    slug = four_teams.tournament.slug
    doris = browser(factories.director().user)

    page = client.get(f"/t/{slug}/teams/")
    assertContains(page, "Mannschaften nach Begegnung 1")
    assertContains(page, "Aachen, 2")
    assert re.search("2 : 0|0 : 2", page.content.decode())  # as the lot has it
    assertContains(doris.get(f"/director/{slug}/teams/"), "/teams/line-ups/")
    found = json.loads(client.get(f"/t/{slug}/teams.json").content)
    assert [(each["team"], each["match_points"]) for each in found["teams"]][:2] == [("Aachen", 2), ("Berlin", 2)]
    assert [len(match["games"]) for match in found["matches"]] == [2, 2]
    text = client.get(f"/t/{slug}/teams.csv").content.decode("utf-8-sig")
    assert next(csv.reader(io.StringIO(text.splitlines()[1]), delimiter=";")) == [
        "1",
        "Aachen",
        "2",
        "2",
        "200",
        "1",
        "0",
    ]
    assert client.get(f"/t/{slug}/teams.pdf").content.startswith(b"%PDF")
    assert [row.cells[1] for row in make_teams_part(four_teams).rows][:2] == ["Aachen", "Berlin"]
    assertContains(client.get(f"/t/{slug}/announcement/"), "Mannschaftskämpfe")


def test_director_lines_up_and_draws_in_pages(four_teams: Division) -> None:
    slug, doris = four_teams.tournament.slug, browser(factories.director().user)
    first, third = entry("Aachen, 1"), entry("Aachen, 3")

    page = doris.get(f"/director/{slug}/teams/line-ups/")
    assertContains(page, "reserve")
    everybody = {f"board-{each.pk}": "" for each in Entry.objects.all()}
    answer = doris.post(
        f"/director/{slug}/teams/line-ups/",
        {**everybody, f"rests-{first.pk}": "on", f"board-{third.pk}": "1"},
        follow=True,
    )
    assertContains(answer, "The line-ups for round 1 are saved.")
    round = drawn(four_teams)

    draft = doris.get(f"/director/{slug}/rounds/1/")
    assertContains(draft, "the boards follow from their line-ups")
    assert "Aachen, 3" in str(tables(round))
    bad = doris.post(f"/director/{slug}/teams/line-ups/", {**everybody, f"board-{third.pk}": "vorn"})
    assertContains(bad, "vorn")


@pytest.mark.parametrize("form", list(TeamFormat))
def test_match_sheets(form: TeamFormat) -> None:
    division = league(("Aachen", 3), ("Berlin", 2), ("Celle", 1), boards=3, team_format=form.value)
    assert render_document("match-sheets", division).startswith(b"%PDF")
    round = publish(drawn(division))

    assert render_document("match-sheets", factories.fresh(division), round=round).startswith(b"%PDF")
    players = factories.event("Einzel", players=4)
    assert render_document("match-sheets", players, round=factories.published(players)).startswith(b"%PDF")


def test_nothing_is_foreseen(four_teams: Division, client: Client) -> None:
    play(four_teams, "Aachen")

    assert not load_chances(four_teams).prospects
    assertContains(client.get(f"/t/{four_teams.tournament.slug}/chances/"), "wird nichts vorausgesagt")
    with pytest.raises(NoRoundToForesee):
        load_outlook(four_teams)


def test_later_round_of_teams_is_told_of_as_such(four_teams: Division) -> None:
    first = play(four_teams, "Aachen", "Berlin")
    drawn(four_teams)
    pairing = Pairing.objects.select_related("round__division__tournament").get(round=first, table=1)
    report = Report(Outcome.PLAYED, PlayerReport(points=300), PlayerReport(points=500))

    (later,) = find_consequences(pairing, report).later

    assert later.redrawn == RedrawOutcome.TEAMS
    status, out, err = run("why", four_teams.tournament.slug, "1", "P01", "P02")
    assert status == 1
    assert "Aufstellungen" in out + err


def test_file_and_copy_keep_boards_and_method() -> None:
    division = league(*FOUR, team_format=TeamFormat.ALL.value)
    first = entry("Aachen, 3")
    line_up(division, number=1, boards={first.pk: 1}, resting=set(), actor=factories.director())
    play(division, "Aachen")

    _status, out, _err = run("export_tournament", division.tournament.slug)
    copied = copy_tournament(division.tournament, name="Rückrunde", actor=factories.director(), with_entries=True)

    found = json.loads(out)
    assert (found["team_rule"], found["team_format"]) == ("matches", "all")
    assert [each["board"] for each in found["players"] if "board" in each] == [1]
    assert found["divisions"][0]["rounds"][0]["method"] == "teams"
    assert (copied.team_rule, copied.team_format, copied.team_best) == ("matches", "all", 2)
    assert list(copied.entries.exclude(board=None).values_list("player__name", "board")) == [("Aachen, 3", 1)]


def test_queries_do_not_grow_with_the_field(django_assert_max_num_queries: Any) -> None:
    division = league(*((name, 4) for name in "ABCDEFGH"), boards=4)
    play(division, "A")

    with django_assert_max_num_queries(6):
        load_team_matches(division)


def test_players_stay_with_the_team_that_they_have_played_for(four_teams: Division) -> None:
    play(four_teams, "Aachen")
    doris, aachen = factories.director(), [entry(f"Aachen, {number}") for number in (1, 2, 3)]

    with pytest.raises(PlayedForTeam):
        name_teams(four_teams, teams={aachen[0].pk: "Berlin"}, actor=doris)
    with pytest.raises(PlayedForTeam):
        name_teams(four_teams, teams={aachen[0].pk: "Neu"}, actor=doris)
    name_teams(four_teams, teams={aachen[2].pk: "Berlin"}, actor=doris)
    name_teams(four_teams, teams={each.pk: "Alemannia" for each in aachen[:2]}, actor=doris)

    assert load_team_matches(factories.fresh(four_teams)).rows[0].team == "Alemannia"


def test_another_club_leaves_the_matches_that_were_played(four_teams: Division) -> None:
    play(four_teams, "Aachen")
    before = rows(four_teams)

    for name in ("Aachen, 1", "Aachen, 3"):
        edit_entry(entry(name), person=Person(name, "Berlin"), details=EntryDetails(), actor=factories.director())

    assert rows(four_teams) == before
    assert [entry(name).team_name for name in ("Aachen, 1", "Aachen, 3")] == ["Aachen", "Berlin"]


def test_journal_archive_and_mirror_carry_matches_and_line_ups(tmp_path: Path) -> None:
    division = league(*FOUR, boards=2, team_format=TeamFormat.ALL.value)
    play(division, "Aachen", "Berlin")
    first, third = entry("Aachen, 1"), entry("Aachen, 3")
    line_up(division, number=2, boards={first.pk: 2, third.pk: 1}, resting={first.pk}, actor=factories.director())
    play(division, "Aachen", "Berlin")
    drawn(division)
    before = build_matches_json(load_team_matches(factories.fresh(division)))

    assert not list(find_journal_differences(division.tournament))
    assert run("export_event", division.tournament.slug, "-o", str(tmp_path / "league.zip"))[0] == 0
    assert run("import_event", str(tmp_path / "league.zip"), "--slug", "dort")[0] == 0
    carried = Division.objects.select_related("tournament").get(tournament__slug="dort")
    assert build_matches_json(load_team_matches(carried)) == before
    assert carried.entries.get(player__name="Aachen, 3").board == 1
    state = load_public_state(division.tournament)
    assert state is not None
    assert [each.method for each in state.event.divisions[0].rounds] == ["teams", "teams"]
    assert {each.board for each in state.event.players} == {None, 1, 2}


@pytest.mark.parametrize(("rule", "played"), [("kept", 2), ("struck", 1)])
def test_team_that_has_left_is_marked_and_has_no_rank(rule: str, played: int, client: Client) -> None:
    """Of four teams Aachen has won both its matches when it leaves."""
    division = league(*FOUR, rounds=3, team_leavers=rule)
    pairs = [pair for _round in range(2) for pair in met(play(division, "Aachen", "Berlin", "Celle"))]
    beaten = {team for pair in pairs if "Aachen" in pair for team in pair} - {"Aachen"}
    slug = division.tournament.slug

    for number in (1, 2, 3):
        withdraw_entry(entry(f"Aachen, {number}"), actor=factories.director())

    *ranked, (rank, last, *_figures) = rows(division)
    assert (rank, last) == (None, "Aachen")
    assert None not in {row[0] for row in ranked}
    assert {row[1]: row[2] for row in ranked} == {
        team: played if team in beaten else 2 for team in ("Berlin", "Celle", "Dresden")
    }
    shown = build_shown_teams(factories.fresh(division))
    assert shown is not None
    assert [line.has_left for line in shown.lines] == [False, False, False, True]
    assertContains(client.get(f"/t/{slug}/teams/"), '<span class="chip chip-warn">zurückgezogen</span>', count=1)
    assert make_teams_part(division).rows[-1].cells[1] == "Aachen (zurückgezogen)"
    found = client.get(f"/t/{slug}/teams.json").json()
    assert [row["withdrawn"] for row in found["teams"]] == [False, False, False, True]
    assert sum(match["struck"] for match in found["matches"]) == (2 if rule == "struck" else 0)
    assert sum(row["match_points"] for row in found["teams"]) == (8 if rule == "kept" else 4)
    listed = list(
        csv.reader(io.StringIO(client.get(f"/t/{slug}/teams.csv").content.decode("utf-8-sig")), delimiter=";")
    )
    assert listed[-1][:2] == ["", "Aachen"]
    assert [row[-1] for row in listed] == ["Zurückgezogen", "0", "0", "0", "1"]
    assert found["teams"][-1]["match_points"] == (4 if rule == "kept" else 0)


def test_one_player_who_stays_keeps_the_team() -> None:
    division = league(*FOUR, rounds=2)
    play(division, "Aachen", "Berlin", "Celle")

    for number in (1, 2):
        withdraw_entry(entry(f"Aachen, {number}"), actor=factories.director())

    assert rows(division)[0][:2] == (1, "Aachen")
