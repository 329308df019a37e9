"""Every change that can be taken back leaves nothing behind when it is."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import pytest
from django.utils import translation
from django.utils.translation import ngettext

from scoring.awards import Outcome
from scoring.knockout_values import FactKind
from scoring.prizes import PrizeKind
from tests import factories
from tests.tournament.readings import LANGUAGES, read
from tests.tournament.rounds import steps
from tournament import fees
from tournament.archive import replaying as journal
from tournament.basics.showing import ShowingStep
from tournament.core import records
from tournament.core.change import Actor, take_snapshot
from tournament.core.reports import PlayerReport, Report
from tournament.core.words.journal import UNDOABLE_GAME_TITLES, UNDOABLE_VERBS
from tournament.core.words.outcomes import format_short_report
from tournament.ending import operations as certificates
from tournament.ending import operations as ending
from tournament.ending import operations as prizes
from tournament.ending.plan import CertificateText, PrizePlan
from tournament.entries.operations import attendance, entries
from tournament.entries.operations.attendance import AbsenteeDecision
from tournament.entries.operations.entries import EntryDetails
from tournament.entries.operations.register import Person
from tournament.events import operations as tournaments
from tournament.federation import operations as federation
from tournament.hall import operations as hall
from tournament.hall import operations as hall_message
from tournament.hall import operations as hall_stream
from tournament.journal import consequences as undoing
from tournament.journal import undoing as undo
from tournament.journal.words import RowsChange, ToldChange, ValueChange
from tournament.knockout import operations as knockout
from tournament.knockout import operations as knockout_facts
from tournament.knockout.plan import KnockoutPlan
from tournament.models import Division, Entry, JournalEntry, KeptApart, Lot, NotRecorded, Pairing, Round, Screen
from tournament.pairing.values import Method
from tournament.registration import reminders
from tournament.results import operations as results
from tournament.rounds import drafts, due_days, outlook, overdue
from tournament.rounds import drafts as draft_edits
from tournament.rounds import operations as rounds
from tournament.rounds import operations as shows
from tournament.rounds import plan as plans
from tournament.rounds.plan import PlanSegment
from tournament.rounds.round_matches import RoundMatch, list_round_matches
from tournament.table import league, lots
from tournament.teams import operations as teams

pytestmark = pytest.mark.usefixtures("four_of_module")


@dataclass(frozen=True, slots=True)
class Stage:
    """Where the acts play: division A of the cup with four players; `anna` and `joerg` are two of them."""

    division: Division
    anna: Entry
    joerg: Entry
    doris: Actor


Act = Callable[[Stage], Iterator[None]]
"""An operation with what has to be there before it: the one behind the `yield`, the other before."""


def _draft(stage: Stage) -> Round:
    return drafts.draft_round(stage.division, actor=stage.doris, wish=drafts.DrawWish(seed=1))


def _first_pair(round: Round) -> Pairing:
    found = Pairing.objects.select_related("round__division__tournament").with_players()
    return found.get(round=round, table=1)


def _score(stage: Stage, round: Round, first: int, second: int) -> None:
    report = Report(Outcome.PLAYED, PlayerReport(points=first), PlayerReport(points=second))
    results.record_result(_first_pair(round), report=report, actor=stage.doris, expected_version=None)


def _level(stage: Stage) -> list[Entry]:
    steps.play_next_round(stage.division, stage.doris)
    return lots.find_level_groups(league.load_table(stage.division, after=1))[0]


def publish_all_rounds(stage: Stage) -> Iterator[None]:
    plans.set_plan(stage.division, segments=[PlanSegment(1, 3, Method.ROUND_ROBIN)], actor=stage.doris)
    stage.division.refresh_from_db()
    yield
    due_days.publish_all_rounds(stage.division, actor=stage.doris, first_due_on=date(2026, 10, 5))


def set_due_days(stage: Stage) -> Iterator[None]:
    steps.play_next_round(stage.division, stage.doris)
    yield
    due_days.set_due_days(stage.division, due_days={1: date(2026, 10, 5)}, actor=stage.doris)


def postpone_game(stage: Stage) -> Iterator[None]:
    round = steps.publish_next_round(stage.division, stage.doris)
    yield
    overdue.postpone_game(_first_pair(round), due_on=date(2999, 10, 5), actor=stage.doris)


def set_reminders(stage: Stage) -> Iterator[None]:
    yield
    reminders.set_reminders(stage.division.tournament, remind_days=3, actor=stage.doris)


def record_result(stage: Stage) -> Iterator[None]:
    round = steps.play_next_round(stage.division, stage.doris)
    yield
    _score(stage, round, 333, 444)


def withdraw_result(stage: Stage) -> Iterator[None]:
    round = steps.play_next_round(stage.division, stage.doris)
    yield
    results.withdraw_result(_first_pair(round), actor=stage.doris)


def close_round(stage: Stage) -> Iterator[None]:
    round = steps.play_next_round(stage.division, stage.doris)
    yield
    rounds.close_round(round, actor=stage.doris)


def reopen_round(stage: Stage) -> Iterator[None]:
    round = steps.play_next_round(stage.division, stage.doris)
    rounds.close_round(round, actor=stage.doris)
    yield
    rounds.reopen_round(round, actor=stage.doris)


def show_round(stage: Stage) -> Iterator[None]:
    round = steps.play_next_round(stage.division, stage.doris)
    shows.hold_back_round_step(round, ShowingStep.PAIRINGS, actor=stage.doris)
    yield
    shows.show_round_step(round, ShowingStep.RESULTS, actor=stage.doris)


def hold_back(stage: Stage) -> Iterator[None]:
    round = steps.play_next_round(stage.division, stage.doris)
    yield
    shows.hold_back_round_step(round, ShowingStep.RESULTS, actor=stage.doris)


def show_as_usual(stage: Stage) -> Iterator[None]:
    round = steps.play_next_round(stage.division, stage.doris)
    shows.hold_back_round_step(round, ShowingStep.TABLE, actor=stage.doris)
    yield
    shows.show_round_as_usual(round, actor=stage.doris)


def show_all_rounds(stage: Stage) -> Iterator[None]:
    round = steps.play_next_round(stage.division, stage.doris)
    shows.hold_back_round_step(round, ShowingStep.PAIRINGS, actor=stage.doris)
    yield
    shows.show_all_rounds(stage.division.tournament, actor=stage.doris)


def enter_all(stage: Stage) -> Iterator[None]:
    newcomers = [entries.NewEntry(Person(name), stage.division) for name in ("Neu, Ada", "Neu, Bea")]
    yield
    entries.enter_players(stage.division.tournament, newcomers=newcomers, actor=stage.doris)


def enter(stage: Stage) -> Iterator[None]:
    steps.play_next_round(stage.division, stage.doris)
    yield
    late = entries.LateEntry(missed_are_losses=True)
    entries.enter_player(stage.division, person=Person("Neu, Ada", club="SC Neu"), late=late, actor=stage.doris)


def draft_round(stage: Stage) -> Iterator[None]:
    yield
    _draft(stage)


def swap(stage: Stage) -> Iterator[None]:
    round = _draft(stage)
    one, other = league.list_round_pairings(round)
    yield
    draft_edits.swap_players(round, one=one.first, other=other.first, actor=stage.doris)


def pair_by_hand(stage: Stage) -> Iterator[None]:
    round = _draft(stage)
    one, other = league.list_round_pairings(round)
    yield
    draft_edits.pair_by_hand(round, one=one.first, other=other.first, actor=stage.doris)


def turn(stage: Stage) -> Iterator[None]:
    round = _draft(stage)
    yield
    draft_edits.switch_starter(_first_pair(round), actor=stage.doris)


def lock(stage: Stage) -> Iterator[None]:
    round = _draft(stage)
    yield
    draft_edits.set_pair_locked(_first_pair(round), locked=True, actor=stage.doris)


def unlock(stage: Stage) -> Iterator[None]:
    round = _draft(stage)
    draft_edits.set_pair_locked(_first_pair(round), locked=True, actor=stage.doris)
    yield
    draft_edits.set_pair_locked(_first_pair(round), locked=False, actor=stage.doris)


def pair_rest_anew(stage: Stage) -> Iterator[None]:
    round = _draft(stage)
    yield
    draft_edits.pair_rest_anew(round, actor=stage.doris, seed=2)


def discard_draft(stage: Stage) -> Iterator[None]:
    round = _draft(stage)
    yield
    rounds.discard_draft(round, actor=stage.doris)


def withdraw(stage: Stage) -> Iterator[None]:
    yield
    attendance.withdraw_entry(stage.anna, actor=stage.doris)


def disqualify(stage: Stage) -> Iterator[None]:
    yield
    attendance.withdraw_entry(stage.anna, actor=stage.doris, disqualified=True)


def withdraw_absentees(stage: Stage) -> Iterator[None]:
    yield
    attendance.withdraw_absentees(stage.division, actor=stage.doris)


def bring_back(stage: Stage) -> Iterator[None]:
    for entry in (stage.anna, stage.joerg):
        attendance.withdraw_entry(entry, actor=stage.doris)
    steps.play_next_round(stage.division, stage.doris)
    yield
    attendance.bring_back_entry(stage.anna, missed_are_losses=True, actor=stage.doris)


def set_absence(stage: Stage) -> Iterator[None]:
    yield
    attendance.set_absence(stage.anna, number=2, actor=stage.doris)


def remove_absence(stage: Stage) -> Iterator[None]:
    attendance.set_absence(stage.anna, number=2, actor=stage.doris)
    yield
    attendance.remove_absence(stage.anna, number=2, actor=stage.doris)


def leave_out_absentees(stage: Stage) -> Iterator[None]:
    yield
    attendance.leave_out_absentees(stage.division, number=1, actor=stage.doris)


def settle_absentees(stage: Stage) -> Iterator[None]:
    yield
    fates = {stage.anna.pk: AbsenteeDecision.EXPECTED, stage.joerg.pk: AbsenteeDecision.OUT}
    attendance.settle_absentees(stage.division, number=1, decided=fates, actor=stage.doris)


def check_in(stage: Stage) -> Iterator[None]:
    yield
    shown = [stage.anna.pk, stage.joerg.pk]
    attendance.check_in_entries(stage.division.tournament, shown=shown, present=[stage.anna.pk], actor=stage.doris)


def mark_fees(stage: Stage) -> Iterator[None]:
    yield
    shown = [stage.anna.pk, stage.joerg.pk]
    attendance.mark_fees(stage.division.tournament, shown=shown, paid=[stage.joerg.pk], actor=stage.doris)


def set_fees(stage: Stage) -> Iterator[None]:
    yield
    fees.set_fees(stage.division.tournament, terms=factories.FEES, actor=stage.doris)


def note_fee(stage: Stage) -> Iterator[None]:
    fees.set_fees(stage.division.tournament, terms=factories.FEES, actor=stage.doris)
    yield
    fees.note_fee(stage.anna, fee=fees.NotedFee("K2", 500, waived=True), actor=stage.doris)


def edit_entry(stage: Stage) -> Iterator[None]:
    yield
    person = Person(stage.anna.name, club="SC Neu", rating=1600, games=80)
    entries.edit_entry(stage.anna, person=person, details=EntryDetails(guest=True, fixed_table=3), actor=stage.doris)


def remove_entry(stage: Stage) -> Iterator[None]:
    attendance.set_absence(stage.anna, number=2, actor=stage.doris)
    entries.keep_apart(stage.anna, other=stage.joerg, actor=stage.doris)
    yield
    entries.remove_entry(stage.anna, actor=stage.doris)


def move_entry(stage: Stage) -> Iterator[None]:
    entries.keep_apart(stage.anna, other=stage.joerg, actor=stage.doris)
    yield
    other = stage.division.tournament.divisions.get(name="B")
    entries.move_entry(stage.anna, division=other, actor=stage.doris)


def name_teams(stage: Stage) -> Iterator[None]:
    yield
    teams.name_teams(stage.division, teams={stage.anna.pk: "Erste", stage.joerg.pk: "-"}, actor=stage.doris)


def line_up(stage: Stage) -> Iterator[None]:
    yield
    boards = {stage.anna.pk: 2, stage.joerg.pk: 1}
    teams.line_up(stage.division, number=2, boards=boards, resting={stage.anna.pk}, actor=stage.doris)


def _team_match(stage: Stage) -> RoundMatch:
    """A published match of two teams, one of them Anna alone."""
    named = {entry.pk: "Zweite" for entry in Entry.objects.filter(division=stage.division)} | {stage.anna.pk: "Erste"}
    teams.name_teams(stage.division, teams=named, actor=stage.doris)
    plans.set_plan(stage.division, segments=[PlanSegment(1, 3, Method.TEAMS)], actor=stage.doris)
    stage.division.refresh_from_db()
    return list_round_matches(steps.publish_next_round(stage.division, stage.doris))[0]


def record_match(stage: Stage) -> Iterator[None]:
    match = _team_match(stage)
    yield
    report = Report(Outcome.PLAYED, PlayerReport(points=400), PlayerReport(points=380))
    reports = {board.pairing.pk: report for board in match.open_games}
    teams.record_match(match, reports=reports, actor=stage.doris)


def award_match(stage: Stage) -> Iterator[None]:
    match = _team_match(stage)
    yield
    teams.award_match(match, at_fault={"Zweite"}, actor=stage.doris)


def withdraw_team(stage: Stage) -> Iterator[None]:
    _team_match(stage)
    yield
    teams.withdraw_team(stage.division, "Zweite", actor=stage.doris)


def bring_back_team(stage: Stage) -> Iterator[None]:
    _team_match(stage)
    teams.withdraw_team(stage.division, "Zweite", actor=stage.doris)
    yield
    teams.bring_back_team(stage.division, "Zweite", actor=stage.doris)


def keep_apart(stage: Stage) -> Iterator[None]:
    yield
    entries.keep_apart(stage.anna, other=stage.joerg, actor=stage.doris)


def allow_to_meet(stage: Stage) -> Iterator[None]:
    entries.keep_apart(stage.anna, other=stage.joerg, actor=stage.doris)
    yield
    entries.allow_to_meet(KeptApart.objects.get(), actor=stage.doris)


def settle_by_lot(stage: Stage) -> Iterator[None]:
    level = _level(stage)
    yield
    lots.settle_tie_by_lot(stage.division, after=1, order=level, actor=stage.doris)


def discard_lot(stage: Stage) -> Iterator[None]:
    lots.settle_tie_by_lot(stage.division, after=1, order=_level(stage), actor=stage.doris)
    yield
    lots.discard_lot(Lot.objects.get(), actor=stage.doris)


def _seeded(stage: Stage) -> None:
    steps.play_next_round(stage.division, stage.doris)
    knockout.announce_knockout(stage.division, plan=KnockoutPlan(4), actor=stage.doris)
    knockout.confirm_seeds(stage.division, accept_missing=True, actor=stage.doris)


def _level_match(stage: Stage) -> None:
    """The first semi-final is level in everything that is known of it."""
    _seeded(stage)
    report = Report(Outcome.PLAYED, PlayerReport(points=400), PlayerReport(points=400))
    pairing = Pairing.objects.select_related("round__division__tournament").get(round__number=1101, table=1)
    results.record_result(pairing, report=report, actor=stage.doris, expected_version=None)


def say_not_recorded(stage: Stage) -> Iterator[None]:
    _level_match(stage)
    yield
    _best_plays_not_recorded(stage)


def take_back_not_recorded(stage: Stage) -> Iterator[None]:
    _level_match(stage)
    said = _best_plays_not_recorded(stage)
    yield
    knockout_facts.unmark_fact_not_recorded(said, actor=stage.doris)


def _best_plays_not_recorded(stage: Stage) -> NotRecorded:
    return knockout_facts.mark_fact_not_recorded(
        stage.division, stage=1, position=1, fact=FactKind.HIGHEST_MOVE, actor=stage.doris
    )


def announce_knockout(stage: Stage) -> Iterator[None]:
    yield
    knockout.announce_knockout(stage.division, plan=KnockoutPlan(4, "double"), actor=stage.doris)


def cancel_knockout(stage: Stage) -> Iterator[None]:
    _seeded(stage)
    yield
    knockout.cancel_knockout(stage.division, actor=stage.doris)


def confirm_seeds(stage: Stage) -> Iterator[None]:
    steps.play_next_round(stage.division, stage.doris)
    knockout.announce_knockout(stage.division, plan=KnockoutPlan(4), actor=stage.doris)
    yield
    knockout.confirm_seeds(stage.division, accept_missing=True, actor=stage.doris)


def take_back_seeds(stage: Stage) -> Iterator[None]:
    _seeded(stage)
    yield
    knockout.take_back_seeds(stage.division, actor=stage.doris)


def draw_match_lot(stage: Stage) -> Iterator[None]:
    _level_match(stage)
    _best_plays_not_recorded(stage)
    yield
    knockout.draw_match_lot(stage.division, stage=1, position=1, seed=1, actor=stage.doris)


def discard_match_lot(stage: Stage) -> Iterator[None]:
    _level_match(stage)
    _best_plays_not_recorded(stage)
    lot = knockout.draw_match_lot(stage.division, stage=1, position=1, seed=1, actor=stage.doris)
    yield
    knockout.discard_match_lot(lot, actor=stage.doris)


def _waiting_for_a_winner(stage: Stage) -> dict[str, Any]:
    """The first semi-final waits for its winner by the announcement's own criterion: where it is, and who won."""
    steps.play_next_round(stage.division, stage.doris)
    plan = KnockoutPlan(4, criteria=("own",), own_criterion="who laid the longest word")
    knockout.announce_knockout(stage.division, plan=plan, actor=stage.doris)
    knockout.confirm_seeds(stage.division, accept_missing=True, actor=stage.doris)
    report = Report(Outcome.PLAYED, PlayerReport(points=400), PlayerReport(points=400))
    pairing = Pairing.objects.select_related("round__division__tournament").get(round__number=1101, table=1)
    results.record_result(pairing, report=report, actor=stage.doris, expected_version=None)
    return {"stage": 1, "position": 1, "winner": pairing.seats.latest("side").entry, "actor": stage.doris}


def enter_match_winner(stage: Stage) -> Iterator[None]:
    about = _waiting_for_a_winner(stage)
    yield
    knockout.enter_match_winner(stage.division, **about)


def take_back_match_winner(stage: Stage) -> Iterator[None]:
    about = _waiting_for_a_winner(stage)
    entered = knockout.enter_match_winner(stage.division, **about)
    yield
    knockout.discard_match_lot(entered, actor=stage.doris)


def announce_pairs(stage: Stage) -> Iterator[None]:
    steps.play_next_round(stage.division, stage.doris)
    yield
    outlook.announce_pairs(stage.division, actor=stage.doris)


def update_settings(stage: Stage) -> Iterator[None]:
    yield
    values = {"place": "Fulda", "order": ["points", "spread"], "bye_spread": 75, "spread_cap": [200, 300]}
    tournaments.update_settings(stage.division.tournament, actor=stage.doris, **values)


def undo_(stage: Stage) -> Iterator[None]:
    """Taking a withdrawal back, which is restored."""
    attendance.withdraw_entry(stage.anna, actor=stage.doris)
    yield
    undo.undo_journal_entry(_last(stage), actor=stage.doris)


def redo(stage: Stage) -> Iterator[None]:
    """Restoring a withdrawal that was taken back, which is taken back again."""
    attendance.withdraw_entry(stage.anna, actor=stage.doris)
    undo.undo_journal_entry(_last(stage), actor=stage.doris)
    yield
    undo.undo_journal_entry(_last(stage), actor=stage.doris)


def _last(stage: Stage) -> JournalEntry:
    return JournalEntry.objects.filter(tournament=stage.division.tournament).latest("number")


def set_plan(stage: Stage) -> Iterator[None]:
    yield
    plan = [PlanSegment(1, 3, Method.RANDOM), PlanSegment(4, 9, Method.FACTOR, factor=3)]
    plans.set_plan(stage.division, segments=plan, actor=stage.doris)


HIGHEST = PrizePlan(kind=PrizeKind.HIGHEST_GAME, award="1 kg")


def add_prize(stage: Stage) -> Iterator[None]:
    yield
    prizes.add_prize(stage.division, plan=HIGHEST, actor=stage.doris)


def add_usual_prizes(stage: Stage) -> Iterator[None]:
    prizes.add_prize(stage.division, plan=HIGHEST, actor=stage.doris)
    yield
    prizes.add_usual_prizes(stage.division, actor=stage.doris)


def edit_prize(stage: Stage) -> Iterator[None]:
    prize = prizes.add_prize(stage.division, plan=HIGHEST, actor=stage.doris)
    yield
    own = PrizePlan(kind=PrizeKind.OWN, title="Schönstes Wort", winner=stage.joerg)
    prizes.edit_prize(prize, plan=own, actor=stage.doris)


def remove_prize(stage: Stage) -> Iterator[None]:
    own = PrizePlan(kind=PrizeKind.OWN, title="Schönstes Wort", winner=stage.joerg)
    prize = prizes.add_prize(stage.division, plan=own, actor=stage.doris)
    yield
    prizes.remove_prize(prize, actor=stage.doris)


def move_prize_up(stage: Stage) -> Iterator[None]:
    last = prizes.add_usual_prizes(stage.division, actor=stage.doris)[-1]
    yield
    prizes.move_prize_up(last, actor=stage.doris)


def publish_prizes(stage: Stage) -> Iterator[None]:
    yield
    prizes.publish_prizes(stage.division, public=True, actor=stage.doris)


def set_certificate(stage: Stage) -> Iterator[None]:
    yield
    text = CertificateText(heading="Ehrenurkunde", line="erreichte Platz {Platz}")
    certificates.set_certificate(stage.division.tournament, text=text, actor=stage.doris)


def write_report_notes(stage: Stage) -> Iterator[None]:
    yield
    federation.write_report_notes(stage.division.tournament, reasons="Testlauf", questions="Eins?", actor=stage.doris)


def tell_turning_point(stage: Stage) -> Iterator[None]:
    yield
    ending.tell_turning_point(stage.division, tells=False, actor=stage.doris)


def end_tournament(stage: Stage) -> Iterator[None]:
    steps.play_next_round(stage.division, stage.doris)
    yield
    ending.end_tournament(stage.division.tournament, accept_open=True, actor=stage.doris)


def reopen_tournament(stage: Stage) -> Iterator[None]:
    ending.end_tournament(stage.division.tournament, accept_open=True, actor=stage.doris)
    yield
    ending.reopen_tournament(stage.division.tournament, actor=stage.doris)


def add_screen(stage: Stage) -> Iterator[None]:
    yield
    hall.add_screen(stage.division.tournament, name="Bühne", actor=stage.doris)


def set_up_screen(stage: Stage) -> Iterator[None]:
    made = hall.add_screen(stage.division.tournament, name="Bühne", actor=stage.doris)
    yield
    plan = Screen(name="Foyer", is_light=True)
    hall.update_screen(stage.division.tournament, made.number, plan=plan, actor=stage.doris)


def remove_screen(stage: Stage) -> Iterator[None]:
    made = hall.add_screen(stage.division.tournament, name="Bühne", actor=stage.doris)
    yield
    hall.remove_screen(stage.division.tournament, made.number, actor=stage.doris)


def say_to_hall(stage: Stage) -> Iterator[None]:
    yield
    hall_message.set_hall_message(stage.division.tournament, message="Kaffee im Foyer", covers=False, actor=stage.doris)


def stream_table(stage: Stage) -> Iterator[None]:
    yield
    hall_stream.stream_table(stage.division, table=1, actor=stage.doris)


def end_stream(stage: Stage) -> Iterator[None]:
    hall_stream.stream_table(stage.division, table=1, actor=stage.doris)
    yield
    hall_stream.end_table_stream(stage.division, table=1, actor=stage.doris)


def delay_streams(stage: Stage) -> Iterator[None]:
    hall_stream.set_stream_delay(stage.division.tournament, minutes=2, actor=stage.doris)
    yield
    hall_stream.set_stream_delay(stage.division.tournament, minutes=5, actor=stage.doris)


ACTS: dict[str, Act] = {
    act.__name__.rstrip("_"): act
    for act in (
        record_result,
        withdraw_result,
        publish_all_rounds,
        set_due_days,
        postpone_game,
        set_reminders,
        close_round,
        reopen_round,
        swap,
        pair_by_hand,
        turn,
        lock,
        unlock,
        pair_rest_anew,
        discard_draft,
        enter,
        enter_all,
        draft_round,
        withdraw,
        disqualify,
        withdraw_absentees,
        bring_back,
        set_absence,
        remove_absence,
        leave_out_absentees,
        settle_absentees,
        check_in,
        mark_fees,
        set_fees,
        note_fee,
        edit_entry,
        remove_entry,
        move_entry,
        name_teams,
        line_up,
        record_match,
        award_match,
        withdraw_team,
        bring_back_team,
        keep_apart,
        allow_to_meet,
        settle_by_lot,
        discard_lot,
        announce_knockout,
        cancel_knockout,
        confirm_seeds,
        take_back_seeds,
        say_not_recorded,
        take_back_not_recorded,
        draw_match_lot,
        discard_match_lot,
        enter_match_winner,
        take_back_match_winner,
        announce_pairs,
        update_settings,
        set_plan,
        add_prize,
        add_usual_prizes,
        edit_prize,
        remove_prize,
        move_prize_up,
        publish_prizes,
        set_certificate,
        write_report_notes,
        tell_turning_point,
        end_tournament,
        reopen_tournament,
        add_screen,
        set_up_screen,
        remove_screen,
        say_to_hall,
        stream_table,
        end_stream,
        delay_streams,
        show_round,
        show_all_rounds,
        hold_back,
        show_as_usual,
        undo_,
        redo,
    )
}


def decided(division: Division) -> dict[tuple[str, int], dict[str, Any]]:
    """All that stands in the tournament but what undo keeps on purpose: the revision, and results not official."""
    rows = {}
    for model in records.OWNED_TABLES:
        for row in records.list_tournament_rows(model, division.tournament):
            stands = undo.remove_revision(take_snapshot(row))
            if stands.get("official", True):
                rows[model._meta.model_name or "", row.pk] = stands
    return rows


@pytest.fixture
def stage(division: Division, four: list[Entry], doris: Actor) -> Stage:
    return Stage(division, four[0], four[1], doris)


def test_every_verb_that_can_be_undone_is_tried() -> None:
    assert sorted(ACTS) == sorted(UNDOABLE_VERBS - UNDOABLE_GAME_TITLES.keys())


def meant(row: ToldChange) -> tuple[str, dict[str, Any]]:
    """What a row of an undo claims, by its figures; a change as far as it stands before the arrow, and behind it."""
    if isinstance(row, RowsChange):
        act = "put back" if row.comes else "removed"
        told = (f"{act}, named", {"names": row.names}) if row.names else (act, {"count": row.count})
        return told[0], {"what": row.what, **told[1]}
    if isinstance(row, ValueChange):
        left = f"{row.who}, {row.what}" if row.who else row.what
        if not (row.before or row.after):
            return "as before", {"changed": left}
        return "changes", {"before": f"{left}: {row.before}", "after": row.after}
    game, after = str(replace(row.game, report=None)), row.after and format_short_report(row.after, row.game.players)
    before = row.before and format_short_report(row.before, row.game.players)
    none = {"en": "no result", "de": "kein Ergebnis", "nl": "geen uitslag"}[translation.get_language()]
    return "changes", {"before": f"{game}: {before or none}", "after": after or none}


def require_true_rows(effects: undoing.UndoEffects, language: str) -> None:
    """Each row of what an undo would change claims what its figures say."""
    rest = ngettext("and %(count)s more change", "and %(count)s more changes", effects.more)
    told = read(language, rest % {"count": effects.more}, "rows", between="\n") if effects.more else []
    assert told == ([("more", {"count": effects.more})] if effects.more else [])
    for row in effects.rows:
        ((claim, figures),) = read(language, str(row), "rows", between="\n")
        if claim == "changes":
            figures = {"before": f"{figures['changed']}: {figures['before']}", "after": figures["after"]}
        assert (claim, figures) == meant(row)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("verb", sorted(ACTS))
def test_undo_tells_what_it_would_change_and_then_puts_everything_back(verb: str, stage: Stage) -> None:
    act = ACTS[verb](stage)
    next(act)
    before = decided(stage.division)
    next(act, None)
    done = decided(stage.division)
    entry = _last(stage)

    for language in LANGUAGES:
        with translation.override(language):
            effects = undoing.find_undo_effects(entry, stage.division.tournament, actor=stage.doris)
            require_true_rows(effects, language)
    told = decided(stage.division), _last(stage)
    undo.undo_journal_entry(entry, actor=stage.doris)

    assert effects.refusal is None
    assert effects.rows or effects.consequences or effects.open_again
    assert told == (done, entry)
    assert entry.verb == verb
    assert done != before
    assert decided(stage.division) == before
    assert journal.find_journal_differences(stage.division.tournament) == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize("verb", sorted(undo.DRAFT_EDIT_VERBS))
def test_undo_of_a_drafts_edit_is_refused_once_the_round_is_published(verb: str, stage: Stage) -> None:
    act = ACTS[verb](stage)
    next(act)
    next(act, None)
    entry = JournalEntry.objects.filter(tournament=stage.division.tournament).latest("number")
    round = Round.objects.get(division=stage.division)
    rounds.publish_round(round, actor=stage.doris)
    _score(stage, round, 420, 380)
    before = decided(stage.division)

    with pytest.raises(undo.ChangedSince):
        undo.undo_journal_entry(entry, actor=stage.doris)

    assert decided(stage.division) == before


@pytest.mark.parametrize(
    "verb", ["allow_to_meet", "discard_draft", "remove_absence", "withdraw_result"], ids="{} done again".format
)
@pytest.mark.sampled(2)
def test_undo_is_refused_where_something_else_has_taken_the_place(verb: str, stage: Stage) -> None:
    again: dict[str, Callable[[], object]] = {
        "allow_to_meet": lambda: entries.keep_apart(stage.anna, other=stage.joerg, actor=stage.doris),
        "discard_draft": lambda: _draft(stage),
        "remove_absence": lambda: attendance.set_absence(stage.anna, number=2, actor=stage.doris),
        "withdraw_result": lambda: _score(stage, Round.objects.get(), 300, 301),
    }
    act = ACTS[verb](stage)
    next(act)
    next(act, None)
    entry = JournalEntry.objects.filter(tournament=stage.division.tournament).latest("number")
    again[verb]()
    before = decided(stage.division)

    with pytest.raises(undo.ChangedSince):
        undo.undo_journal_entry(entry, actor=stage.doris)

    assert decided(stage.division) == before


def test_undo_brings_no_draft_back_that_would_skip_a_round(stage: Stage) -> None:
    first = steps.publish_next_round(stage.division, stage.doris)
    wish = drafts.DrawWish(seed=1, accept_missing=True)
    rounds.discard_draft(drafts.draft_round(stage.division, actor=stage.doris, wish=wish), actor=stage.doris)
    entry = JournalEntry.objects.filter(tournament=stage.division.tournament).latest("number")
    rounds.unpublish_round(first, actor=stage.doris)
    rounds.discard_draft(first, actor=stage.doris)

    with pytest.raises(undo.ChangedSince):
        undo.undo_journal_entry(entry, actor=stage.doris)

    assert not Round.objects.filter(division=stage.division).exists()
