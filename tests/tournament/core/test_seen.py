"""What was seen is what happens: acts from pages that showed an older state."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from django.contrib.auth.models import User

from scoring.awards import Outcome
from tests.tournament.conftest import PEOPLE
from tests.tournament.knockout import knockouts as bracket
from tests.tournament.rounds.steps import play_next_round, publish_next_round
from tournament.core.change import Actor
from tournament.core.reports import PlayerReport, Report
from tournament.core.seen import MAX_TOLD_ENTRIES, ChangedMeanwhile, SentTwice
from tournament.entries.operations.attendance import (
    bring_back_entry,
    check_in_entries,
    leave_out_absentees,
    withdraw_absentees,
    withdraw_entry,
)
from tournament.entries.operations.entries import (
    EntryDetails,
    NewEntry,
    edit_entry,
    enter_player,
    enter_players,
    remove_entry,
)
from tournament.entries.operations.register import Person
from tournament.knockout.operations import announce_knockout, confirm_seeds, draw_match_lot
from tournament.knockout.plan import KnockoutPlan
from tournament.models import Division, Entry, JournalEntry, Pairing, Round, Tournament
from tournament.results.operations import record_result
from tournament.rounds.drafts import (
    DrawWish,
    draft_round,
    pair_by_hand,
    pair_rest_anew,
    set_pair_locked,
    swap_players,
    switch_starter,
)
from tournament.rounds.operations import close_round, discard_draft, publish_round
from tournament.table.league import load_table
from tournament.table.lots import find_level_groups, settle_tie_by_lot

pytestmark = pytest.mark.usefixtures("four_of_module")

ANNA = PEOPLE[0]
NAMES = ("Fuchs, Emil", "Eriksen, Åse", "Öztürk, Cem", "Řezníček, Tomáš")


@pytest.fixture
def bernd(db: None) -> Actor:
    return Actor(user=User.objects.create_user("bernd"))


@pytest.fixture
def draft(division: Division, four: list[Entry], doris: Actor) -> Round:
    enter_players(division.tournament, newcomers=[NewEntry(Person(name), division) for name in NAMES], actor=doris)
    return draft_round(division, actor=doris, wish=DrawWish(seed=3))


def now(tournament: Tournament, actor: Actor) -> Actor:
    """The actor before a page that shows the tournament as it is."""
    tournament.refresh_from_db()
    return replace(actor, seen=tournament.revision)


def pair(draft: Round, table: int = 1) -> Pairing:
    found = Pairing.objects.with_players().get(round=draft, table=table)
    found.round = draft
    return found


EDITS: dict[str, Callable[[Round, Actor], object]] = {
    "lock": lambda draft, actor: set_pair_locked(pair(draft), locked=True, actor=actor),
    "turn": lambda draft, actor: switch_starter(pair(draft, 2), actor=actor),
    "swap": lambda draft, actor: swap_players(draft, one=pair(draft, 2).first, other=pair(draft, 3).first, actor=actor),
    "pair by hand": lambda draft, actor: pair_by_hand(
        draft, one=pair(draft, 2).first, other=pair(draft, 3).first, actor=actor
    ),
    "draw the rest anew": lambda draft, actor: pair_rest_anew(draft, actor=actor, seed=9),
    "draw again": lambda draft, actor: draft_round(draft.division, actor=actor, wish=DrawWish(seed=8)),
}
ACTS = EDITS | {
    "throw away": lambda draft, actor: discard_draft(draft, actor=actor),
    "publish": lambda draft, actor: publish_round(draft, actor=actor),
}


CHANGES = [name for name in EDITS if name != "draw again"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("edit", "act"), [(edit, "publish") for edit in CHANGES] + [("lock", act) for act in ACTS if act != "lock"]
)
def test_a_draft_changed_meanwhile_waits_for_a_second_look(
    cup: Tournament, draft: Round, doris: Actor, bernd: Actor, edit: str, act: str
) -> None:
    """Whatever Bernd does to the draft, Doris's page showed it without that."""
    looking = now(cup, doris)
    EDITS[edit](draft, bernd)
    before = cup.journal.count()

    with pytest.raises(ChangedMeanwhile) as told:
        ACTS[act](Round.objects.get(pk=draft.pk), looking)
    assert "bernd" in str(told.value)
    assert (cup.journal.count(), Round.objects.get(pk=draft.pk).state) == (before, Round.State.DRAFT)

    ACTS[act](Round.objects.get(pk=draft.pk), now(cup, doris))
    assert cup.journal.count() == before + 1


def test_a_draw_form_of_a_round_that_is_published_meanwhile_draws_nothing(
    cup: Tournament, division: Division, four: list[Entry], doris: Actor, bernd: Actor
) -> None:
    looking = now(cup, doris)
    publish_next_round(division, bernd)
    with pytest.raises(ChangedMeanwhile, match="bernd: Runde veröffentlicht"):
        draft_round(division, actor=looking, wish=DrawWish(accept_missing=True))
    assert not Round.objects.filter(number=2).exists()


def test_what_others_do_elsewhere_disturbs_nobody(
    cup: Tournament, division: Division, four: list[Entry], doris: Actor, bernd: Actor
) -> None:
    """Results come in all the time, and players are entered, while somebody looks at a page."""
    round = publish_next_round(division, doris)
    looking = now(cup, doris)
    report = Report(Outcome.PLAYED, PlayerReport(points=400), PlayerReport(points=380))
    for table in (1, 2):
        record_result(pair(round, table), report=report, actor=bernd, expected_version=0)
    enter_player(division, person=Person("Fuchs, Emil"), actor=bernd)

    close_round(round, actor=looking)
    edit_entry(four[0], person=replace(ANNA, rating=1600), details=EntryDetails(), actor=looking)


def test_only_the_fields_that_two_write_differently_collide(
    cup: Tournament, four: list[Entry], doris: Actor, bernd: Actor
) -> None:
    anna = four[0]
    looking = now(cup, doris)
    edit_entry(anna, person=replace(ANNA, rating=1600), details=EntryDetails(), actor=bernd)

    stale = Entry.objects.get(pk=anna.pk)
    with pytest.raises(ChangedMeanwhile, match="bernd: "):
        edit_entry(stale, person=replace(ANNA, rating=1580), details=EntryDetails(), actor=looking)
    assert Entry.objects.get(pk=anna.pk).rating == 1600
    stale = Entry.objects.get(pk=anna.pk)
    edit_entry(stale, person=replace(ANNA, rating=1600, games=90), details=EntryDetails(), actor=looking)
    assert Entry.objects.get(pk=anna.pk).games == 90


def test_the_same_act_sent_twice_is_one(cup: Tournament, draft: Round, doris: Actor) -> None:
    looking = now(cup, doris)
    one, other = pair(draft).first, pair(draft, 2).first
    swap_players(draft, one=one, other=other, actor=looking)
    after = {(row.pairing.table, row.entry_id) for row in draft.seats.select_related("pairing")}
    with pytest.raises(SentTwice):
        swap_players(draft, one=one, other=other, actor=looking)
    assert {(row.pairing.table, row.entry_id) for row in draft.seats.select_related("pairing")} == after


def test_a_draw_sent_twice_is_one_and_another_wish_is_not(cup: Tournament, draft: Round, doris: Actor) -> None:
    looking = now(cup, doris)
    draft_round(draft.division, actor=looking)
    with pytest.raises(SentTwice):
        draft_round(draft.division, actor=looking)
    with pytest.raises(ChangedMeanwhile):
        draft_round(draft.division, actor=looking, wish=DrawWish(method="random"))


def test_two_who_both_draw_are_two(cup: Tournament, draft: Round, doris: Actor, bernd: Actor) -> None:
    looking = now(cup, doris)
    draft_round(draft.division, actor=now(cup, bernd))
    with pytest.raises(ChangedMeanwhile, match="bernd"):
        draft_round(draft.division, actor=looking)


def test_much_that_was_done_meanwhile_is_told_shortly(
    cup: Tournament, draft: Round, doris: Actor, bernd: Actor
) -> None:
    looking = now(cup, doris)
    for _each in range(MAX_TOLD_ENTRIES + 3):
        switch_starter(pair(draft), actor=bernd)
    with pytest.raises(ChangedMeanwhile) as told:
        publish_round(draft, actor=looking)
    assert str(told.value).count("bernd") == MAX_TOLD_ENTRIES


def test_nothing_is_compared_for_who_saw_no_page(cup: Tournament, draft: Round, doris: Actor, bernd: Actor) -> None:
    switch_starter(pair(draft), actor=bernd)
    publish_round(draft, actor=doris)
    assert JournalEntry.objects.filter(tournament=cup).latest("number").verb == "publish_round"


def test_seeds_and_lots_wait_when_the_table_is_another_one(
    cup: Tournament, division: Division, four: list[Entry], doris: Actor, bernd: Actor
) -> None:
    """Seeds and lots are settled by the table that the page showed."""
    announce_knockout(division, plan=KnockoutPlan(size=4), actor=doris)
    round = play_next_round(division, doris)
    looking = now(cup, doris)
    one = pair(round)
    report = Report(Outcome.PLAYED, PlayerReport(points=380), PlayerReport(points=420))
    record_result(one, report=report, actor=bernd, expected_version=1)

    with pytest.raises(ChangedMeanwhile, match="bernd"):
        confirm_seeds(division, actor=looking, accept_missing=True)
    with pytest.raises(ChangedMeanwhile, match="bernd"):
        settle_tie_by_lot(division, after=1, order=level(division), actor=looking)
    confirm_seeds(division, actor=now(cup, doris), accept_missing=True)


def level(division: Division) -> list[Entry]:
    """The first players whom the table after round 1 leaves level."""
    return find_level_groups(load_table(division, after=1))[0]


def test_who_is_missing_is_settled_for_those_the_page_named(
    cup: Tournament, division: Division, four: list[Entry], doris: Actor, bernd: Actor
) -> None:
    keys = [entry.pk for entry in four]
    check_in_entries(cup, shown=keys, present=keys[:2], actor=doris)
    looking = now(cup, doris)
    check_in_entries(cup, shown=keys, present=keys[:3], actor=bernd)
    with pytest.raises(ChangedMeanwhile, match="bernd"):
        leave_out_absentees(division, number=1, actor=looking)
    with pytest.raises(ChangedMeanwhile, match="bernd"):
        withdraw_absentees(division, actor=looking)
    assert leave_out_absentees(division, number=1, actor=now(cup, doris)) == 1


def test_whoever_comes_back_misses_the_rounds_that_the_page_knew(
    cup: Tournament, division: Division, four: list[Entry], doris: Actor, bernd: Actor
) -> None:
    withdraw_entry(four[0], actor=doris)
    looking = now(cup, doris)
    publish_next_round(division, bernd)
    with pytest.raises(ChangedMeanwhile, match="bernd"):
        bring_back_entry(Entry.objects.get(pk=four[0].pk), missed_are_losses=True, actor=looking)
    bring_back_entry(Entry.objects.get(pk=four[0].pk), missed_are_losses=True, actor=now(cup, doris))


def test_a_list_waits_when_others_have_entered_or_left_meanwhile(
    cup: Tournament, division: Division, four: list[Entry], doris: Actor, bernd: Actor
) -> None:
    looking = now(cup, doris)
    remove_entry(four[3], actor=bernd)
    with pytest.raises(ChangedMeanwhile, match="bernd"):
        enter_players(cup, newcomers=[NewEntry(Person("Fuchs, Emil"), division)], actor=looking)
    one = now(cup, doris)
    enter_player(division, person=Person("Eriksen, Åse"), actor=bernd)
    enter_player(division, person=Person("Fuchs, Emil"), actor=one)


def test_a_lot_for_a_match_waits_when_others_play_it_meanwhile(doris: Actor, bernd: Actor) -> None:
    division = bracket.seeded(third_place=False)
    bracket.semis(division)
    final = bracket.level(division, 2)
    looking = now(division.tournament, doris)
    bracket.play(division, 1, 1, 1, 380, 420, disturb=[final.pk])
    bracket.level(division, 2)

    with pytest.raises(ChangedMeanwhile):
        draw_match_lot(division, stage=2, position=1, seed=1, actor=looking)
    draw_match_lot(division, stage=2, position=1, seed=1, actor=now(division.tournament, doris))


def test_a_lot_for_a_match_does_not_wait_for_another_match(doris: Actor) -> None:
    division = bracket.seeded(third_place=False)
    bracket.level(division, 1, 1)
    looking = now(division.tournament, doris)
    bracket.play(division, 1, 2, 1, 410, 390)

    assert draw_match_lot(division, stage=1, position=1, seed=1, actor=looking)
