"""Matches of teams that the director sets by hand: who meets, who has the bye, what is locked, and what follows."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_django.asserts import assertContains, assertNotContains

from scoring.team_matches import TeamFormat
from tests import factories
from tests.games.conftest import browser
from tests.refusals import refuses
from tests.tournament.exchange.terminal import run
from tests.tournament.teams.test_team_matches import FOUR, alone, drawn, entry, league, met, play, publish, tables
from tournament.archive.replaying import find_journal_differences
from tournament.entries.operations.attendance import set_absence
from tournament.journal.undoing import undo_journal_entry
from tournament.models import Division, Entry, JournalEntry, Pairing, Round
from tournament.rounds.drafts import (
    PairLocked,
    pair_by_hand,
    pair_rest_anew,
    set_pair_locked,
    swap_players,
    switch_starter,
)
from tournament.rounds.reason_words import describe_pairing
from tournament.rounds.team_matches import load_drafted_matches, load_team_matches
from tournament.rounds.why_not import PlayerNotSeated, SamePlayerTwice
from tournament.teams.operations import line_up, name_teams

pytestmark = pytest.mark.django_db

A, B, C, D = ("Aachen", "Berlin", "Celle", "Dresden")
THREE = ((A, 2), (B, 2), (C, 2))


@pytest.fixture(scope="module")
def draft_of_module(*, shares_rows: bool) -> Round:
    return drawn(league(*FOUR))


@pytest.fixture
def draft(draft_of_module: Round, db: None) -> Round:
    """The draft of the first round of four teams."""
    return fresh(draft_of_module)


@pytest.fixture
def four_teams(draft: Round) -> Division:
    return factories.fresh(draft.division)


def fresh(round: Round) -> Round:
    return Round.objects.select_related("division__tournament").get(pk=round.pk)


def pairs(*teams: str) -> set[frozenset[str]]:
    return {frozenset(teams[at : at + 2]) for at in range(0, len(teams), 2)}


def board(round: Round, team: str) -> Pairing:
    """The first board of the match of a team."""
    found = Pairing.objects.filter(round=round).with_players().by_table()
    found = found.select_related("round__division__tournament")
    return next(each for each in found if team in each.first.name or (each.second and team in each.second.name))


def set_match(round: Round, one: str, other: str | None, number: int = 1) -> None:
    opponent = entry(f"{other}, 1") if other else None
    pair_by_hand(fresh(round), one=entry(f"{one}, {number}"), other=opponent, actor=factories.director())


def locked(round: Round) -> set[str]:
    return {each.home for each in load_drafted_matches(round) if each.locked}


def undo_last(division: Division) -> None:
    last = JournalEntry.objects.filter(tournament=division.tournament).order_by("number").last()
    assert last is not None
    undo_journal_entry(last, actor=factories.director())


def test_any_player_stands_for_the_team(draft: Round) -> None:
    assert met(draft) == pairs(A, C, B, D)

    set_match(draft, A, D, number=3)

    assert met(draft) == pairs(A, D, B, C)
    assert [table for table, _first, _second in tables(draft)] == [1, 2, 3, 4]
    assert JournalEntry.objects.get(verb="pair_by_hand").details["names"] == [A, D]
    for _table, first, second in tables(draft):
        assert first[-1] == second[-1]


def test_set_matches_say_so_at_each_board_and_others_do_not() -> None:
    division = league((A, 2), (B, 2), (C, 2), (D, 2), ("Essen", 2), ("Fulda", 2))
    round = drawn(division)
    first, second, third = load_drafted_matches(round)
    assert third.away is not None

    set_match(round, first.home, third.away)

    for pairing in Pairing.objects.filter(round=round).with_players():
        assert pairing.second is not None
        team = pairing.first.name.split(",")[0]
        by_hand = team not in (second.home, second.away)
        names = {pairing.first.pk: pairing.first.name, pairing.second.pk: pairing.second.name}
        said = describe_pairing(pairing, names, division.tournament.rules)
        assert (pairing.flags == ["manual"], said == "Von Hand geändert.") == (by_hand, by_hand)


def test_two_teams_change_places(draft: Round) -> None:
    doris = factories.director()

    swap_players(draft, one=entry("Aachen, 1"), other=entry("Berlin, 2"), actor=doris)

    assert met(draft) == pairs(B, C, A, D)
    with refuses("already_meet"):
        swap_players(draft, one=entry("Aachen, 1"), other=entry("Dresden, 1"), actor=doris)


def test_bye_is_given_by_hand() -> None:
    round = drawn(league(*THREE))
    assert alone(round) == ["Celle, 1", "Celle, 2"]

    set_match(round, A, None)

    assert alone(round) == ["Aachen, 1", "Aachen, 2"]
    assert met(round) == pairs(B, C)
    publish(round)
    assert [(each.home, each.away) for each in load_team_matches(round.division).matches][-1] == (A, None)


def test_team_left_over_waits_for_an_opponent(draft: Round) -> None:

    set_match(draft, A, None)

    assert met(draft) == pairs(B, D)
    with refuses("not_paired"):
        publish(draft)
    page = browser(factories.director().user).get(f"/director/{draft.division.tournament.slug}/rounds/1/")
    assertContains(page, "Not paired yet")
    assert len(re.findall(r'data-entry="\d+"', page.content.decode())) == 4
    set_match(draft, C, A)
    publish(draft)
    assert met(draft) == pairs(A, C, B, D)


def test_locked_match_stays_when_the_rest_is_drawn_anew() -> None:
    division = league(*((name, 2) for name in "ABCDEFGH"))
    round = drawn(division)
    doris = factories.director()
    set_match(round, "A", "H")
    set_pair_locked(board(round, "A"), locked=True, actor=doris)
    assert {each.flags[0] for each in Pairing.objects.filter(round=round, locked=True)} == {"manual"}

    seen = set()
    for seed in range(1, 6):
        pair_rest_anew(fresh(round), actor=doris, seed=seed)
        assert frozenset("AH") in met(round)
        seen.add(frozenset(met(round)))
    assert Pairing.objects.filter(round=round, locked=True).count() == 2
    for one, other in (("A", "B"), ("B", "H")):
        with pytest.raises(PairLocked):
            set_match(round, one, other)
    assert Round.objects.get(pk=round.pk).seed == 5

    set_pair_locked(board(round, "A"), locked=False, actor=doris)
    set_match(round, "A", "B")
    assert frozenset("AB") in met(round)


def test_locked_as_drawn_is_said_and_unlocked_is_not(draft: Round) -> None:
    doris = factories.director()
    before = list(Pairing.objects.filter(round=draft).order_by("pk").values_list("pk", flat=True))

    set_pair_locked(board(draft, A), locked=True, actor=doris)
    said = [each.why for each in Pairing.objects.filter(round=draft, locked=True)]
    assert said == [[{"code": "locked"}]] * 2
    set_pair_locked(board(draft, A), locked=False, actor=doris)

    assert [each.why for each in Pairing.objects.filter(round=draft)] == [[]] * 4
    assert list(Pairing.objects.filter(round=draft).order_by("pk").values_list("pk", flat=True)) == before


def test_home_and_away_are_swapped() -> None:
    round = drawn(league((A, 1), (B, 3), (C, 2), (D, 2), boards=3))
    before = tables(round)

    switch_starter(board(round, C), actor=factories.director())

    turned = {frozenset(each[1:]): each[1] for each in tables(round)}
    for _table, first, second in before:
        assert (turned[frozenset((first, second))] != first) == (C in first or C in second)


def test_line_up_keeps_what_is_set_and_who_is_at_home(four_teams: Division, draft: Round) -> None:
    doris = factories.director()
    set_match(draft, A, D)
    set_pair_locked(board(draft, A), locked=True, actor=doris)
    home = [each.home for each in load_drafted_matches(draft)]

    first = entry("Aachen, 1")
    line_up(four_teams, number=1, boards={first.pk: None}, resting={first.pk}, actor=doris)
    set_absence(entry("Aachen, 2"), number=1, actor=doris)

    assert locked(draft) & {A, D}
    assert met(draft) == pairs(A, D, B, C)
    assert [each.home for each in load_drafted_matches(draft)] == home
    assert "Aachen, 3" in str(tables(draft))
    assert {each.flags[0] for each in Pairing.objects.filter(round=draft, locked=True)} == {"manual"}
    publish(draft)


@pytest.mark.long
def test_each_act_is_undone(four_teams: Division, draft: Round) -> None:
    doris = factories.director()

    def state() -> list[tuple[object, ...]]:
        found = Pairing.objects.filter(round=draft).with_players().by_table()
        return [(each.table, each.first.pk, each.second and each.second.pk, each.flags, each.locked) for each in found]

    acts: tuple[Callable[[], None], ...] = (
        lambda: set_match(draft, A, D),
        lambda: set_pair_locked(board(draft, A), locked=True, actor=doris),
        lambda: switch_starter(board(draft, B), actor=doris),
        lambda: pair_rest_anew(fresh(draft), actor=doris, seed=3),
    )
    for act in acts:
        before = state()
        act()
        undo_last(four_teams)
        assert state() == before
        act()
    assert not list(find_journal_differences(four_teams.tournament))


def test_archive_and_file_carry_what_is_set(four_teams: Division, draft: Round, tmp_path: Path) -> None:
    doris = factories.director()
    set_match(draft, A, D)
    set_pair_locked(board(draft, A), locked=True, actor=doris)

    assert run("export_event", four_teams.tournament.slug, "-o", str(tmp_path / "league.zip"))[0] == 0
    assert run("import_event", str(tmp_path / "league.zip"), "--slug", "dort")[0] == 0
    carried = Round.objects.select_related("division__tournament").get(division__tournament__slug="dort")
    assert load_drafted_matches(carried) == load_drafted_matches(draft)
    publish(draft)
    for table, first, _second in tables(draft):
        factories.result(draft, table, *((450, 350) if first < "B" else (350, 450)))
    points = {row.team: row.match_points for row in load_team_matches(factories.fresh(four_teams)).rows}
    assert points[A] + points[D] == points[B] + points[C] == 2


def test_refusals(four_teams: Division, draft: Round) -> None:
    doris, first = factories.director(), entry("Aachen, 1")

    with refuses("pair_stands"):
        set_match(draft, A, C)
    for edit in (swap_players, pair_by_hand):
        with pytest.raises(SamePlayerTwice):
            edit(draft, one=first, other=entry("Aachen, 2"), actor=doris)
    name_teams(four_teams, teams={entry("Aachen, 3").pk: "-"}, actor=doris)
    with pytest.raises(PlayerNotSeated):
        set_match(draft, A, D, number=3)
    for number in (1, 2):
        set_absence(entry(f"Dresden, {number}"), number=1, actor=doris)
    with pytest.raises(PlayerNotSeated):
        set_match(draft, A, D)
    publish(draft)
    with refuses("not_a_draft"):
        set_match(draft, A, B)


def test_match_that_has_begun_goes_on() -> None:
    division = league(*FOUR, team_format=TeamFormat.ALL.value)
    play(division, A)
    round = drawn(division)

    with refuses("match_goes_on"):
        set_match(round, A, B)
    with refuses("match_goes_on"):
        pair_rest_anew(round, actor=factories.director())
    page = browser(factories.director().user).get(f"/director/{division.tournament.slug}/rounds/2/")
    assertContains(page, "It goes on with matches that have begun")
    assertNotContains(page, 'class="pick"')
    assertNotContains(page, "Pair all anew")


@pytest.mark.long
def test_director_sets_a_match_in_the_page() -> None:
    division = league(*FOUR, rounds=3)
    slug, doris = division.tournament.slug, browser(factories.director().user)
    play(division, A, B, C)
    round = drawn(division)
    address = f"/director/{slug}/rounds/2/"
    assert met(round) == pairs(A, B, C, D)
    keys = {
        team: min(Entry.objects.filter(division=division, club__name=team), key=lambda each: each.pk) for team in (A, C)
    }

    picked = doris.get(f"{address}?why={keys[A].key}&not={keys[C].key}")
    assertContains(picked, "Let them meet")
    assertContains(picked, "Tables 1–2")
    assertNotContains(picked, "Why not these two?")
    answer = doris.post(f"{address}by-hand/", {"one": keys[A].pk, "other": keys[C].pk, "pair": ""}, follow=True)
    assertContains(answer, f"{A} meets {C}.")
    assert met(round) == pairs(A, C, B, D)
    assertContains(answer, "changed by hand")
    assertContains(answer, "met in round 1")
    one = board(round, A)
    answer = doris.post(f"{address}pairing/{one.pk}/", {"lock": ""}, follow=True)
    assertContains(answer, "The match is locked.")
    assert locked(round) & {A, C}
    answer = doris.post(f"{address}pairing/{one.pk}/", {"unlock": ""}, follow=True)
    assertContains(answer, "The match is no longer locked.")
    answer = doris.post(f"{address}pairing/{one.pk}/", {"turn": ""}, follow=True)
    assertContains(answer, "The other team is at home")
    answer = doris.post(f"{address}anew/", follow=True)
    assertContains(answer, "All unlocked pairs have been drawn again.")
