"""What was seen is what happens: acts from pages that showed an older state."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from django.contrib.auth.models import User

from scoring.awards import Outcome
from tests.tournament.conftest import PEOPLE
from tests.tournament.operations import knockouts as bracket
from tests.tournament.operations.steps import played, published
from tournament.models import Division, Entry, JournalEntry, Pairing, Round, Tournament
from tournament.operations import attendance, draft_edits, drafts, entries, lots, results, rounds
from tournament.operations import knockout as knockouts
from tournament.operations.change import Actor
from tournament.operations.entries import Details, Newcomer
from tournament.operations.players import Person
from tournament.operations.seen import TOLD, ChangedMeanwhile, SentTwice
from tournament.plan.knockout import KnockoutPlan
from tournament.queries import league
from tournament.reports import PlayerReport, Report

ANNA = PEOPLE[0]
NAMES = ("Fuchs, Emil", "Eriksen, Åse", "Öztürk, Cem", "Řezníček, Tomáš")


@pytest.fixture
def bernd(db: None) -> Actor:
    return Actor(user=User.objects.create_user("bernd"))


@pytest.fixture
def draft(division: Division, four: list[Entry], doris: Actor) -> Round:
    for name in NAMES:
        entries.enter(division, person=Person(name), actor=doris)
    return drafts.draft_round(division, actor=doris, wish=drafts.DrawWish(seed=3))


def now(tournament: Tournament, actor: Actor) -> Actor:
    """The actor before a page that shows the tournament as it is."""
    tournament.refresh_from_db()
    return replace(actor, seen=tournament.revision)


def pair(draft: Round, table: int = 1) -> Pairing:
    found = Pairing.objects.with_players().get(round=draft, table=table)
    found.round = draft
    return found


EDITS: dict[str, Callable[[Round, Actor], object]] = {
    "lock": lambda draft, actor: draft_edits.set_locked(pair(draft), locked=True, actor=actor),
    "turn": lambda draft, actor: draft_edits.switch_starter(pair(draft, 2), actor=actor),
    "swap": lambda draft, actor: draft_edits.swap(
        draft, one=pair(draft, 2).first, other=pair(draft, 3).first, actor=actor
    ),
    "pair by hand": lambda draft, actor: draft_edits.pair_by_hand(
        draft, one=pair(draft, 2).first, other=pair(draft, 3).first, actor=actor
    ),
    "draw the rest anew": lambda draft, actor: draft_edits.pair_rest_anew(draft, actor=actor, seed=9),
    "draw again": lambda draft, actor: drafts.draft_round(draft.division, actor=actor, wish=drafts.DrawWish(seed=8)),
}
ACTS = EDITS | {
    "throw away": lambda draft, actor: rounds.discard_draft(draft, actor=actor),
    "publish": lambda draft, actor: rounds.publish_round(draft, actor=actor),
}


CHANGES = [name for name in EDITS if name != "draw again"]


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
    published(division, bernd)
    with pytest.raises(ChangedMeanwhile, match="bernd: Runde veröffentlicht"):
        drafts.draft_round(division, actor=looking, wish=drafts.DrawWish(accept_missing=True))
    assert not Round.objects.filter(number=2).exists()


def test_what_others_do_elsewhere_disturbs_nobody(
    cup: Tournament, division: Division, four: list[Entry], doris: Actor, bernd: Actor
) -> None:
    """Results come in all the time, and players are entered, while somebody looks at a page."""
    round = published(division, doris)
    looking = now(cup, doris)
    report = Report(Outcome.PLAYED, PlayerReport(points=400), PlayerReport(points=380))
    for table in (1, 2):
        results.record_result(pair(round, table), report=report, actor=bernd, expected_version=0)
    entries.enter(division, person=Person("Fuchs, Emil"), actor=bernd)

    rounds.close_round(round, actor=looking)
    entries.edit_entry(four[0], person=replace(ANNA, rating=1600), details=Details(), actor=looking)


def test_only_the_fields_that_two_write_differently_collide(
    cup: Tournament, four: list[Entry], doris: Actor, bernd: Actor
) -> None:
    anna = four[0]
    looking = now(cup, doris)
    entries.edit_entry(anna, person=replace(ANNA, rating=1600), details=Details(), actor=bernd)

    stale = Entry.objects.get(pk=anna.pk)
    with pytest.raises(ChangedMeanwhile, match="bernd: "):
        entries.edit_entry(stale, person=replace(ANNA, rating=1580), details=Details(), actor=looking)
    assert Entry.objects.get(pk=anna.pk).rating == 1600
    stale = Entry.objects.get(pk=anna.pk)
    entries.edit_entry(stale, person=replace(ANNA, rating=1600, games=90), details=Details(), actor=looking)
    assert Entry.objects.get(pk=anna.pk).games == 90


def test_the_same_act_sent_twice_is_one(cup: Tournament, draft: Round, doris: Actor) -> None:
    looking = now(cup, doris)
    one, other = pair(draft).first, pair(draft, 2).first
    draft_edits.swap(draft, one=one, other=other, actor=looking)
    after = {(row.pairing.table, row.entry_id) for row in draft.seats.select_related("pairing")}
    with pytest.raises(SentTwice):
        draft_edits.swap(draft, one=one, other=other, actor=looking)
    assert {(row.pairing.table, row.entry_id) for row in draft.seats.select_related("pairing")} == after


def test_a_draw_sent_twice_is_one_and_another_wish_is_not(cup: Tournament, draft: Round, doris: Actor) -> None:
    looking = now(cup, doris)
    drafts.draft_round(draft.division, actor=looking)
    with pytest.raises(SentTwice):
        drafts.draft_round(draft.division, actor=looking)
    with pytest.raises(ChangedMeanwhile):
        drafts.draft_round(draft.division, actor=looking, wish=drafts.DrawWish(method="random"))


def test_two_who_both_draw_are_two(cup: Tournament, draft: Round, doris: Actor, bernd: Actor) -> None:
    looking = now(cup, doris)
    drafts.draft_round(draft.division, actor=now(cup, bernd))
    with pytest.raises(ChangedMeanwhile, match="bernd"):
        drafts.draft_round(draft.division, actor=looking)


def test_much_that_was_done_meanwhile_is_told_shortly(
    cup: Tournament, draft: Round, doris: Actor, bernd: Actor
) -> None:
    looking = now(cup, doris)
    for _each in range(TOLD + 3):
        draft_edits.switch_starter(pair(draft), actor=bernd)
    with pytest.raises(ChangedMeanwhile) as told:
        rounds.publish_round(draft, actor=looking)
    assert str(told.value).count("bernd") == TOLD


def test_nothing_is_compared_for_who_saw_no_page(cup: Tournament, draft: Round, doris: Actor, bernd: Actor) -> None:
    draft_edits.switch_starter(pair(draft), actor=bernd)
    rounds.publish_round(draft, actor=doris)
    assert JournalEntry.objects.filter(tournament=cup).latest("number").verb == "publish_round"


def test_seeds_and_lots_wait_when_the_table_is_another_one(
    cup: Tournament, division: Division, four: list[Entry], doris: Actor, bernd: Actor
) -> None:
    """Seeds and lots are settled by the table that the page showed."""
    knockouts.announce_knockout(division, plan=KnockoutPlan(size=4), actor=doris)
    round = played(division, doris)
    looking = now(cup, doris)
    one = pair(round)
    report = Report(Outcome.PLAYED, PlayerReport(points=380), PlayerReport(points=420))
    results.record_result(one, report=report, actor=bernd, expected_version=1)

    with pytest.raises(ChangedMeanwhile, match="bernd"):
        knockouts.confirm_seeds(division, actor=looking, accept_missing=True)
    with pytest.raises(ChangedMeanwhile, match="bernd"):
        lots.settle_by_lot(division, after=1, order=level(division), actor=looking)
    knockouts.confirm_seeds(division, actor=now(cup, doris), accept_missing=True)


def level(division: Division) -> list[Entry]:
    """The first players whom the table after round 1 leaves level."""
    return lots.level_groups(league.table(division, after=1))[0]


def test_who_is_missing_is_settled_for_those_the_page_named(
    cup: Tournament, division: Division, four: list[Entry], doris: Actor, bernd: Actor
) -> None:
    keys = [entry.pk for entry in four]
    attendance.check_in(cup, shown=keys, present=keys[:2], actor=doris)
    looking = now(cup, doris)
    attendance.check_in(cup, shown=keys, present=keys[:3], actor=bernd)
    with pytest.raises(ChangedMeanwhile, match="bernd"):
        attendance.leave_out_absentees(division, number=1, actor=looking)
    with pytest.raises(ChangedMeanwhile, match="bernd"):
        attendance.withdraw_absentees(division, actor=looking)
    assert attendance.leave_out_absentees(division, number=1, actor=now(cup, doris)) == 1


def test_whoever_comes_back_misses_the_rounds_that_the_page_knew(
    cup: Tournament, division: Division, four: list[Entry], doris: Actor, bernd: Actor
) -> None:
    attendance.withdraw(four[0], actor=doris)
    looking = now(cup, doris)
    published(division, bernd)
    with pytest.raises(ChangedMeanwhile, match="bernd"):
        attendance.bring_back(Entry.objects.get(pk=four[0].pk), missed_are_losses=True, actor=looking)
    attendance.bring_back(Entry.objects.get(pk=four[0].pk), missed_are_losses=True, actor=now(cup, doris))


def test_a_list_waits_when_others_have_entered_or_left_meanwhile(
    cup: Tournament, division: Division, four: list[Entry], doris: Actor, bernd: Actor
) -> None:
    looking = now(cup, doris)
    entries.remove_entry(four[3], actor=bernd)
    with pytest.raises(ChangedMeanwhile, match="bernd"):
        entries.enter_all(cup, newcomers=[Newcomer(Person("Fuchs, Emil"), division)], actor=looking)
    one = now(cup, doris)
    entries.enter(division, person=Person("Eriksen, Åse"), actor=bernd)
    entries.enter(division, person=Person("Fuchs, Emil"), actor=one)


def test_a_lot_for_a_match_waits_when_others_play_it_meanwhile(doris: Actor, bernd: Actor) -> None:
    division = bracket.seeded(third_place=False)
    bracket.semis(division)
    final = bracket.level(division, 2)
    looking = now(division.tournament, doris)
    bracket.play(division, 1, 1, 1, 380, 420, disturb=[final.pk])
    bracket.level(division, 2)

    with pytest.raises(ChangedMeanwhile):
        knockouts.draw_match_lot(division, stage=2, position=1, seed=1, actor=looking)
    knockouts.draw_match_lot(division, stage=2, position=1, seed=1, actor=now(division.tournament, doris))


def test_a_lot_for_a_match_does_not_wait_for_another_match(doris: Actor) -> None:
    division = bracket.seeded(third_place=False)
    bracket.level(division, 1, 1)
    looking = now(division.tournament, doris)
    bracket.play(division, 1, 2, 1, 410, 390)

    assert knockouts.draw_match_lot(division, stage=1, position=1, seed=1, actor=looking)
