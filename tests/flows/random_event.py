"""An event in which anything may happen next: operations in any order, with whatever they refuse left aside."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from games.models import Scoresheet
from games.referee.operations import log_challenge
from games.sheets.operations import open_sheet, write_line
from scoring.awards import AwardReason, Outcome
from scoring.knockout_forms import SYSTEM_SIZES
from scoring.knockout_values import KnockoutSystem, WaitsFor
from tests import factories
from tests.games.sheets import steps
from tournament.basics.refusals import Refusal, Refusals
from tournament.core.change import Actor
from tournament.core.reports import PlayerReport, Report
from tournament.core.words.journal import UNDOABLE_VERBS
from tournament.ending.operations import add_usual_prizes, end_tournament, reopen_tournament
from tournament.entries.operations.attendance import bring_back_entry, set_absence, withdraw_entry
from tournament.entries.operations.entries import enter_player, keep_apart, remove_entry
from tournament.events.operations import create_tournament, update_settings
from tournament.journal.undoing import undo_journal_entry
from tournament.knockout.operations import (
    announce_knockout,
    confirm_seeds,
    draw_match_lot,
    mark_fact_not_recorded,
    take_back_seeds,
)
from tournament.knockout.plan import KnockoutPlan
from tournament.models import Division, Entry, JournalEntry, Pairing, Round, RoundState, Tournament
from tournament.pairing.values import Method
from tournament.results.knockout_state import load_knockout_state
from tournament.results.operations import record_result, withdraw_result
from tournament.rounds.drafts import (
    DrawWish,
    draft_round,
    pair_by_hand,
    pair_rest_anew,
    set_pair_locked,
    swap_players,
    switch_starter,
)
from tournament.rounds.operations import close_round, discard_draft, publish_round, reopen_round, unpublish_round
from tournament.rounds.plan import PlanSegment, set_plan
from tournament.table.league import get_last_round_number, list_round_pairings, load_table
from tournament.table.lots import find_level_groups, settle_tie_by_lot

Value = TypeVar("Value")

UNDECIDED = (WaitsFor.FACTS, WaitsFor.OWN, WaitsFor.LOT)
"""What a level match waits for."""


@dataclass
class RandomEvent:
    """A small event that goes on by chance, the same for the same seed."""

    seed: int
    slug: str = ""
    done: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.actor: Actor = factories.director()
        made = create_tournament(actor=self.actor, name="Herbst-Cup", ruleset="tso-2017", is_public=True)
        self.slug = made.slug
        factories.enter(self.division, self.rng.randint(4, 8))
        self.set_plan()

    @property
    def tournament(self) -> Tournament:
        return Tournament.objects.get(slug=self.slug)

    @property
    def division(self) -> Division:
        return Division.objects.select_related("tournament").get(tournament__slug=self.slug)

    def step(self) -> str:
        """Do one thing and return what; what is refused is tried in another way, at most so often."""
        for _attempt in range(30):
            act = self.rng.choices(ACTS, WEIGHTS)[0]
            before = self.tournament.revision
            try:
                act(self)
            except (Refusal, Refusals, Nothing):
                continue
            if self.tournament.revision > before:
                self.done.append(act.__name__)
                return act.__name__
        return ""

    def one_of(self, found: Sequence[Value]) -> Value:
        """One of these; raises `Nothing` if there is none."""
        if not found:
            raise Nothing
        return self.rng.choice(found)

    def entry(self) -> Entry:
        return self.one_of(list(Entry.objects.filter(division=self.division).with_names().in_order()))

    def round(self, *states: RoundState) -> Round:
        found = Round.objects.filter(division=self.division, state__in=states, stage=None)
        return self.one_of(list(found.select_related("division__tournament").in_order()))

    def game(self, *, open_only: bool) -> Pairing:
        """A game of a published round, of the knock-out too."""
        found = Pairing.objects.filter(round__division=self.division, kind=Pairing.Kind.GAME)
        found = found.exclude(round__state=RoundState.DRAFT)
        if open_only:
            found = found.exclude(results__official=True)
        return self.one_of(list(found.select_related("round__division__tournament").with_players().order_by("pk")))

    # What can happen.

    def enter(self) -> None:
        number = Entry.objects.filter(tournament=self.tournament).count()
        enter_player(self.division, person=factories.person(number + len(self.done)), actor=self.actor)

    def remove_entry(self) -> None:
        remove_entry(self.entry(), actor=self.actor)

    def keep_apart(self) -> None:
        keep_apart(self.entry(), other=self.entry(), actor=self.actor)

    def withdraw(self) -> None:
        withdraw_entry(self.entry(), actor=self.actor)

    def bring_back(self) -> None:
        bring_back_entry(self.entry(), missed_are_losses=self.rng.random() < 0.5, actor=self.actor)

    def set_absence(self) -> None:
        number = get_last_round_number(self.division) + self.rng.randint(1, 2)
        loss = self.rng.random() < 0.5
        set_absence(self.entry(), number=number, counts_as_loss=loss, actor=self.actor)

    def update_settings(self) -> None:
        values = {
            "place": self.rng.choice(["", "Fulda", "Köln"]),
            "spread_cap": self.rng.choice([None, 200, [150, 250]]),
            "bye_spread": self.rng.choice([None, 75]),
            "order": self.rng.choice([[], ["points"], ["head_to_head", "spread"]]),
            "starts": self.rng.choice(["balanced", "drawn"]),
        }
        update_settings(self.tournament, actor=self.actor, **values)

    def set_plan(self) -> None:
        usual = [Method.SWISS, Method.RANDOM, Method.KING_OF_THE_HILL, Method.ROUND_ROBIN, Method.GROUPS]
        first, second = self.rng.sample(usual, 2)
        plan = [PlanSegment(1, 3, first), PlanSegment(4, 7, second, repeats=True)]
        set_plan(self.division, segments=plan, actor=self.actor)

    def draft_round(self) -> None:
        wish = DrawWish(seed=self.rng.randint(1, 99), accept_missing=self.rng.random() < 0.3)
        draft_round(self.division, actor=self.actor, wish=wish)

    def edit_draft(self) -> None:
        round = self.round(RoundState.DRAFT)
        pairing = self.one_of(list_round_pairings(round))
        pairing.round = round
        edit = self.rng.randrange(5)
        if edit == 0:
            swap_players(round, one=self.entry(), other=self.entry(), actor=self.actor)
        elif edit == 1:
            pair_by_hand(round, one=self.entry(), other=self.entry(), actor=self.actor)
        elif edit == 2:
            switch_starter(pairing, actor=self.actor)
        elif edit == 3:
            set_pair_locked(pairing, locked=not pairing.locked, actor=self.actor)
        else:
            pair_rest_anew(round, seed=self.rng.randint(1, 99), actor=self.actor)

    def publish_round(self) -> None:
        publish_round(self.round(RoundState.DRAFT), actor=self.actor)

    def unpublish_round(self) -> None:
        unpublish_round(self.round(RoundState.PUBLISHED), actor=self.actor)

    def discard_draft(self) -> None:
        discard_draft(self.round(RoundState.DRAFT), actor=self.actor)

    def close_round(self) -> None:
        close_round(self.round(RoundState.PUBLISHED), actor=self.actor)

    def reopen_round(self) -> None:
        reopen_round(self.round(RoundState.CLOSED), actor=self.actor)

    def record_result(self) -> None:
        self._record(self.game(open_only=True))

    def correct_result(self) -> None:
        self._record(self.game(open_only=False))

    def _record(self, pairing: Pairing) -> None:
        first, second = (PlayerReport(points=self.rng.choice([350, 380, 410, 440])) for _side in range(2))
        report = Report(Outcome.PLAYED, first, second)
        if self.rng.random() < 0.15:
            report = Report(Outcome.SECOND_FORFEITS, PlayerReport(), PlayerReport(), reason=AwardReason.NO_SHOW)
        record_result(pairing, report=report, actor=self.actor, expected_version=None)

    def withdraw_result(self) -> None:
        withdraw_result(self.game(open_only=False), actor=self.actor)

    def settle_by_lot(self) -> None:
        after = get_last_round_number(self.division)
        level = self.one_of(find_level_groups(load_table(self.division, after=after)))
        order = self.rng.sample(level, len(level))
        settle_tie_by_lot(self.division, after=after, order=order, actor=self.actor)

    def announce_knockout(self) -> None:
        size, form = self.rng.choice([2, 3, 4]), self.rng.choice(["single", "double"])
        system = self.rng.choice([system for system, sizes in SYSTEM_SIZES.items() if size in sizes])
        third_place = self.rng.random() < 0.5 and system == KnockoutSystem.SINGLE
        plan = KnockoutPlan(size, form, third_place=third_place, system=system)
        announce_knockout(self.division, plan=plan, actor=self.actor)

    def confirm_seeds(self) -> None:
        confirm_seeds(self.division, accept_missing=True, actor=self.actor)

    def take_back_seeds(self) -> None:
        take_back_seeds(self.division, actor=self.actor)

    def settle_match(self) -> None:
        state = load_knockout_state(self.division)
        waiting = [match for match in state.bracket.matches if match.waits_for in UNDECIDED] if state else []
        match = self.one_of(waiting)
        stage, position, seed = match.stage, match.position, self.rng.randint(1, 99)
        if match.waits_for == WaitsFor.LOT:
            draw_match_lot(self.division, stage=stage, position=position, seed=seed, actor=self.actor)
        elif match.awaited_fact is not None:
            about = {"stage": stage, "position": position}
            mark_fact_not_recorded(self.division, **about, fact=match.awaited_fact, actor=self.actor)

    def add_prizes(self) -> None:
        add_usual_prizes(self.division, actor=self.actor)

    def write_line(self) -> None:
        sheet = open_sheet(self.game(open_only=False), keeper=Scoresheet.Keeper.FIRST, actor=self.actor)
        points = str(self.rng.randint(1, 60))
        write_line(sheet, line=steps.line(points), actor=self.actor, expected_version=None)

    def log_challenge(self) -> None:
        words = [("QUARX", self.rng.random() < 0.5)]
        log_challenge(self.game(open_only=False), challenger=1, words=words, actor=self.actor)

    def undo(self) -> None:
        found = JournalEntry.objects.filter(tournament=self.tournament, verb__in=UNDOABLE_VERBS).order_by("-number")
        undo_journal_entry(self.one_of(list(found[:4])), actor=self.actor)

    def end_or_reopen(self) -> None:
        if self.tournament.is_ended:
            reopen_tournament(self.tournament, actor=self.actor)
        else:
            end_tournament(self.tournament, accept_open=True, actor=self.actor)


class Nothing(Exception):
    """There is nothing that this could be done to."""


Act = Callable[[RandomEvent], None]

CHANCES: dict[Act, int] = {
    RandomEvent.record_result: 40,
    RandomEvent.draft_round: 14,
    RandomEvent.publish_round: 12,
    RandomEvent.edit_draft: 8,
    RandomEvent.undo: 8,
    RandomEvent.correct_result: 4,
    RandomEvent.write_line: 3,
    RandomEvent.confirm_seeds: 3,
    RandomEvent.settle_match: 3,
    RandomEvent.log_challenge: 2,
    RandomEvent.settle_by_lot: 2,
    RandomEvent.announce_knockout: 2,
    RandomEvent.enter: 2,
    RandomEvent.withdraw: 2,
    RandomEvent.bring_back: 2,
    RandomEvent.set_absence: 2,
    RandomEvent.keep_apart: 2,
    RandomEvent.update_settings: 2,
    RandomEvent.set_plan: 1,
    RandomEvent.remove_entry: 1,
    RandomEvent.unpublish_round: 1,
    RandomEvent.discard_draft: 1,
    RandomEvent.close_round: 2,
    RandomEvent.reopen_round: 1,
    RandomEvent.withdraw_result: 1,
    RandomEvent.take_back_seeds: 1,
    RandomEvent.add_prizes: 1,
    RandomEvent.end_or_reopen: 1,
}
"""What may happen, and how often."""

ACTS, WEIGHTS = list(CHANCES), list(CHANCES.values())
