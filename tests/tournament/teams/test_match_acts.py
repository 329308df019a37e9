"""A match as a unit: its results, a walkover, a team that leaves and comes back, by operations, pages and commands."""

import json

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from scoring.awards import AwardReason, Outcome
from scoring.team_matches import TeamFormat
from tests import factories
from tests.games.conftest import browser
from tests.tournament.exchange.terminal import run
from tests.tournament.teams.test_team_matches import FOUR, alone, drawn, entry, league, play, publish, rows
from tournament.archive.replaying import find_journal_differences
from tournament.basics.refusals import Refusal, Refusals
from tournament.core.reports import PlayerReport, Report
from tournament.journal.undoing import undo_journal_entry
from tournament.models import Division, Entry, JournalEntry, Pairing, Result, Round
from tournament.rounds.drafts import pair_rest_anew
from tournament.rounds.round_matches import RoundMatch, list_round_matches
from tournament.rounds.team_matches import load_team_matches
from tournament.teams.operations import award_match, bring_back_team, record_match, withdraw_team

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def published_of_module(*, shares_rows: bool) -> Round:
    return publish(drawn(league(*FOUR)))


@pytest.fixture
def published(published_of_module: Round, db: None) -> Round:
    """The first round of four teams."""
    return Round.objects.select_related("division__tournament").get(pk=published_of_module.pk)


@pytest.fixture
def four_teams(published: Round) -> Division:
    return factories.fresh(published.division)


def match_of(round: Round, team: str) -> RoundMatch:
    return next(match for match in list_round_matches(round) if team in (match.home, match.away))


def other_team(match: RoundMatch, team: str) -> str:
    return str(match.away if match.home == team else match.home)


def results(round: Round, *outcomes: Outcome) -> int:
    """How many games of a round have one of these outcomes."""
    return Result.objects.filter(pairing__round=round, official=True, outcome__in=outcomes).count()


def undo_last(division: Division) -> None:
    last = JournalEntry.objects.filter(tournament=division.tournament).order_by("-number")[0]
    undo_journal_entry(last, actor=factories.director())


def is_sound(division: Division) -> bool:
    return not list(find_journal_differences(division.tournament))


def test_results_of_a_match_in_one_step(four_teams: Division, published: Round) -> None:
    match = match_of(published, "Aachen")
    reports = {}
    for board, own in zip(match.boards, (430, 370), strict=True):
        first, second = board.order(own, 400) if match.home == "Aachen" else board.order(400, own)
        reports[board.pairing.pk] = Report(Outcome.PLAYED, PlayerReport(first), PlayerReport(second))

    record_match(match, reports=reports, actor=factories.director())

    again = match_of(published, "Aachen")
    assert again.half_wins == (2, 2)
    assert again.open_games == []
    entries = JournalEntry.objects.filter(verb="record_match")
    assert entries.get().details["count"] == 2
    record_match(again, reports=reports, actor=factories.director())  # a second click
    assert entries.count() == 1
    undo_last(four_teams)
    assert len(match_of(published, "Aachen").open_games) == 2
    assert is_sound(four_teams)


def test_one_bad_board_keeps_the_whole_match_out(published: Round) -> None:
    match = match_of(published, "Aachen")
    good, bad = (board.pairing.pk for board in match.boards)
    reports = {
        good: Report(Outcome.PLAYED, PlayerReport(400), PlayerReport(380)),
        bad: Report(Outcome.PLAYED, PlayerReport(400), PlayerReport(None)),
    }

    with pytest.raises(Refusals, match=f"Tisch {match.boards[1].pairing.table}: "):
        record_match(match, reports=reports, actor=factories.director())

    assert not Result.objects.exists()


def test_walkover_awards_what_is_open_by_the_rules(four_teams: Division, published: Round) -> None:
    match = match_of(published, "Aachen")
    board = match.boards[0].pairing
    factories.result(published, board.table or 0, 400, 400)

    assert award_match(match, at_fault={other_team(match, "Aachen")}, actor=factories.director()) == 1

    awarded = Result.objects.get(pairing=match.boards[1].pairing, official=True)
    assert awarded.reason == AwardReason.NO_SHOW
    (found,) = (one for one in load_team_matches(four_teams).matches if "Aachen" in one.teams)
    side = 0 if found.home == "Aachen" else 1
    assert found.counts
    assert found.half_wins[side] == 3  # the drawn board and the one that was awarded
    assert found.spreads[side] == 50
    assert found.spreads[1 - side] == -100
    with pytest.raises(Refusal, match="Alle Partien"):
        award_match(match, at_fault={"Aachen"}, actor=factories.director())
    with pytest.raises(Refusal, match="Welche Mannschaft"):
        award_match(match, at_fault={"Essen"}, actor=factories.director())


def test_neither_team_shows_up(four_teams: Division, published: Round) -> None:
    match = match_of(published, "Aachen")

    award_match(match, at_fault={match.home, str(match.away)}, actor=factories.director())

    assert results(published, Outcome.BOTH_FORFEIT) == 2
    (found,) = (one for one in load_team_matches(four_teams).matches if "Aachen" in one.teams)
    assert (found.half_wins, found.match_points, found.spreads) == ((0, 0), (1, 1), (-200, -200))


def test_player_without_an_opponent_wins_no_board_for_a_team_that_did_not_come() -> None:
    division = league(("Aachen", 2), ("Berlin", 1))
    round = publish(drawn(division))
    assert alone(round) == ["Aachen, 2"]

    award_match(match_of(round, "Aachen"), at_fault={"Aachen"}, actor=factories.director())

    (found,) = load_team_matches(division).matches
    assert dict(zip(found.teams, found.half_wins, strict=True)) == {"Aachen": 0, "Berlin": 2}
    assert results(round, Outcome.ABSENT) == 1
    undo_last(division)
    assert results(round, Outcome.ABSENT) == 0
    assert alone(round) == ["Aachen, 2"]
    assert is_sound(division)


def test_team_with_the_bye_has_no_match_to_award() -> None:
    division = league(("Aachen", 2), ("Berlin", 2), ("Celle", 2))
    round = publish(drawn(division))
    bye = next(match for match in list_round_matches(round) if match.away is None)

    with pytest.raises(Refusal, match="keinen Gegner"):
        award_match(bye, at_fault={bye.home}, actor=factories.director())


@pytest.mark.parametrize("rule", ["kept", "struck"])
def test_team_leaves_in_the_middle_of_a_round_and_undo_brings_it_back(rule: str) -> None:
    division = league(*FOUR, rounds=3, team_leavers=rule)
    play(division, "Aachen", "Berlin", "Celle")
    round = publish(drawn(division))
    rival = other_team(match_of(round, "Aachen"), "Aachen")
    before = rows(division)

    assert withdraw_team(division, "Aachen", actor=factories.director()) == 3

    assert rows(division)[-1][:2] == (None, "Aachen")
    assert Entry.objects.exclude(withdrawn_after=None).count() == 3
    assert match_of(round, "Aachen").open_games == []
    points = {row[1]: row[3] for row in rows(division)}
    assert points[rival] == {row[1]: row[3] for row in before}[rival] + (2 if rule == "kept" else 0)
    with pytest.raises(Refusal, match="schon zurückgezogen"):
        withdraw_team(division, "Aachen", actor=factories.director())
    undo_last(division)
    assert rows(division) == before
    assert not Entry.objects.exclude(withdrawn_after=None).exists()
    assert len(match_of(round, "Aachen").open_games) == 2
    assert is_sound(division)


def test_team_leaves_while_its_match_goes_over_several_rounds() -> None:
    division = league(*FOUR, boards=2, rounds=4, team_format=TeamFormat.ALL.value)
    play(division, "Aachen", "Berlin", "Celle")
    rival = next(
        match.home if match.away == "Aachen" else match.away
        for match in load_team_matches(division).matches
        if "Aachen" in match.teams
    )

    withdraw_team(division, "Aachen", actor=factories.director())
    second = publish(drawn(division))

    assert all(str(rival) in name for name in alone(second))
    both = load_team_matches(division).matches
    assert len(both) == 2
    assert {match.number for match in both} == {1}
    (match,) = (one for one in both if "Aachen" in one.teams)
    assert {game.round for game in match.games} == {1, 2}


def test_draft_goes_on_without_a_team_that_leaves() -> None:
    division = league(*FOUR, rounds=3)
    play(division, "Aachen", "Berlin", "Celle")
    draft = drawn(division)
    rival = other_team(match_of(draft, "Aachen"), "Aachen")

    withdraw_team(division, "Aachen", actor=factories.director())

    assert {name.split(",")[0] for name in alone(draft)} == {rival}
    bring_back_team(division, "Aachen", actor=factories.director())
    pair_rest_anew(draft, actor=factories.director())
    assert alone(draft) == []
    with pytest.raises(Refusal, match="Kein Spieler"):
        bring_back_team(division, "Aachen", actor=factories.director())
    with pytest.raises(Refusal, match="Bekannt: Aachen, Berlin, Celle, Dresden"):
        withdraw_team(division, "Essen", actor=factories.director())


def test_newcomer_brings_the_team_back() -> None:
    division = league(*FOUR, rounds=3)
    play(division, "Aachen", "Berlin", "Celle")
    withdraw_team(division, "Dresden", actor=factories.director())

    Entry.objects.filter(player__name="Berlin, 2").update(team="Dresden")

    assert "Dresden" not in load_team_matches(factories.fresh(division)).left


def address(name: str, division: Division, *args: int) -> str:
    return reverse(f"director:{name}", args=[division.tournament.slug, *args])


def test_director_enters_a_match_on_one_page(four_teams: Division, published: Round) -> None:
    match, doris = match_of(published, "Aachen"), browser(factories.director().user)
    page = address("match", four_teams, 1, entry("Aachen, 1").pk)
    first, second = (board.pairing.pk for board in match.boards)
    typed = {f"home-{first}": "412", f"away-{first}": "380", f"home-{second}": "4OO", f"away-{second}": "400"}

    refused = doris.post(page, typed)
    assertContains(refused, "4OO")
    assert not Result.objects.exists()
    odd = doris.post(page, {**typed, f"home-{second}": "90"})
    assertContains(odd, "unusually low")
    assertContains(odd, 'value="90"')
    assert not Result.objects.exists()
    saved = doris.post(page, {**typed, f"home-{second}": "90", "sure": "1"}, follow=True)

    assertContains(saved, "2 results are saved")
    assert match_of(published, "Aachen").half_wins == (2, 2)
    assertContains(doris.get(page), 'value="412"')
    late = doris.post(page, {**typed, f"home-{second}": "300", f"seen-{second}": "0", f"seen-{first}": "1"})
    assertContains(late, "In the meantime")
    assertContains(doris.get(address("teams", four_teams)), "/rounds/1/match/", count=2)


def test_director_awards_a_match_and_sees_before_what_it_gives(four_teams: Division, published: Round) -> None:
    match, doris = match_of(published, "Aachen"), browser(factories.director().user)
    page = address("award_match", four_teams, 1, entry("Aachen, 1").pk)

    before = doris.get(page, {"at_fault": "home"})
    assertContains(before, f"Did not show up: {match.home}. Award 2 games?")
    assertContains(before, "+50")
    assert not Result.objects.exists()
    after = doris.post(page, {"at_fault": "home"}, follow=True)

    assertContains(after, "2 games are awarded")
    assertContains(doris.post(page, {"at_fault": "home"}, follow=True), "All games of")
    assert doris.get(page, {"at_fault": "quer"})["Location"] == address("match", four_teams, 1, entry("Aachen, 1").pk)
    assertContains(doris.get(page, {"at_fault": "home"}), "nothing is left to be awarded")
    assert doris.get(address("match", four_teams, 2, entry("Aachen, 1").pk)).status_code == 404


def test_team_without_a_match_leads_back_to_the_round() -> None:
    division = league(("Aachen", 2), ("Berlin", 2), ("Celle", 2))
    bye = next(match for match in list_round_matches(publish(drawn(division))) if match.away is None)
    doris, player = browser(factories.director().user), bye.boards[0].pairing.first.pk

    for name in ("match", "award_match"):
        back = doris.get(address(name, division, 1, player), follow=True)
        assertContains(back, "In round 1 no teams meet.")


def test_director_withdraws_a_team_and_brings_it_back() -> None:
    division = league(*FOUR, team_leavers="struck")
    play(division, "Aachen", "Berlin", "Celle")
    doris, player = browser(factories.director().user), entry("Celle, 1").pk
    page = address("withdraw_team", division, player)
    assertContains(doris.get(address("teams", division)), "/withdraw/", count=4)

    before = doris.get(page)
    assertContains(before, "Does Celle leave the event?")
    assertContains(before, "1 match of the team is struck, as announced.")
    assert not Entry.objects.exclude(withdrawn_after=None).exists()
    assertContains(doris.post(page, follow=True), "Celle is withdrawn.")
    assertContains(doris.get(page), "have withdrawn already")
    back = doris.post(address("bring_back_team", division, player), follow=True)

    assertContains(back, "Celle plays again from the next round.")
    assert not Entry.objects.exclude(withdrawn_after=None).exists()


def test_pages_know_only_their_own_event(published: Round) -> None:
    stranger, foreign = factories.event("Anderswo", players=2), entry("Aachen, 1").pk
    doris = browser(factories.director().user)

    for name, args in (("match", (1, foreign)), ("award_match", (1, foreign)), ("withdraw_team", (foreign,))):
        assert doris.get(address(name, stranger, *args)).status_code == 404
    assert doris.post(address("bring_back_team", stranger, foreign)).status_code == 404
    loner = stranger.entries.get(key="P01")
    Entry.objects.filter(pk=loner.pk).update(team="–")
    assertContains(doris.get(address("withdraw_team", stranger, loner.pk), follow=True), "plays for no team")
    assertContains(doris.post(address("bring_back_team", stranger, loner.pk), follow=True), "There is no team “”")


def test_commands_enter_award_and_withdraw(four_teams: Division, published: Round) -> None:
    slug = four_teams.tournament.slug
    rival = other_team(match_of(published, "Aachen"), "Aachen")
    third = next(team for team in ("Berlin", "Celle", "Dresden") if team != rival)

    status, out, _err = run("match", slug, "1", "Aachen", "430:370", "-", "--format", "json")
    assert status == 0
    shown = json.loads(out)
    assert (shown["open"], sorted(shown["board_points"])) == (1, [0.0, 1.0])
    assert run("match", slug, "1", "Aachen", "430:370")[2] == (
        "Partien der Begegnung: 2, angegebene Ergebnisse: 1. Für eine Partie, die bleibt, wie sie ist, steht ein -.\n"
    )
    assert "„430“ ist kein Ergebnis" in run("match", slug, "1", "Aachen", "430", "-")[2]
    assert "Bekannt: " in run("match", slug, "1", "Essen")[2]
    assert run("match", slug, "1", "Aachen", "--walkover", "other")[0] == 0
    assert run("match", slug, "1", "Aachen", "--walkover", "both")[0] == 1
    assert run("match", slug, "1", "Aachen", "1:2", "-", "--walkover", "both")[0] == 1
    assert run("match", slug, "1", third, "--walkover", "own")[0] == 0
    assert Pairing.objects.filter(round=published, results=None).count() == 0
    status, out, _err = run("match", slug, "1", "Aachen")
    assert "2 : 0" in out or "0 : 2" in out
    assert run("team", slug, third, "--withdraw")[1] == f"{third} hat zurückgezogen. 2 Spieler.\n"
    assert rows(four_teams)[-1][:2] == (None, third)
    assert run("team", slug, third, "--back")[0] == 0
    assert run("team", slug, "Essen", "--back")[0] == 1
    assert is_sound(four_teams)


def test_round_page_says_nothing_of_matches_where_none_are(client: Client) -> None:
    division = factories.event(players=4, rounds=1)
    factories.played(division)

    assertNotContains(browser(factories.director().user).get(address("round", division, 1)), "/match/")
