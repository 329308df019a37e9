"""Evenings by chance, played through the operations: everything that can happen to a division before somebody asks
what a result, or taking something back, would change."""

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from scoring.awards import AWARDED_OUTCOMES, UNSTARTED_REASONS, AwardReason, Outcome
from scoring.knockout_values import MatchCriterion, MatchFormat, WaitsFor
from tests import factories
from tournament.basics.refusals import Refusal, Refusals
from tournament.core.change import Actor
from tournament.core.reports import PlayerReport, Report
from tournament.entries.operations.attendance import bring_back_entry, set_absence, withdraw_entry
from tournament.entries.operations.entries import LateEntry, enter_player, keep_apart
from tournament.knockout.operations import (
    FEWEST_FOR_THIRD_PLACE,
    announce_knockout,
    confirm_seeds,
    draw_match_lot,
    enter_match_winner,
    mark_fact_not_recorded,
    propose_seeds,
)
from tournament.knockout.plan import KnockoutPlan
from tournament.models import Division, Entry, Pairing, Round, Tournament
from tournament.pairing.values import Method
from tournament.results.knockout_games import LaterGamesDisturbed
from tournament.results.knockout_state import load_knockout_state
from tournament.results.operations import record_result, withdraw_result
from tournament.rounds.drafts import DrawWish, draft_round, pair_by_hand, set_pair_locked, swap_players, switch_starter
from tournament.rounds.operations import close_round, discard_draft, publish_round
from tournament.rounds.plan import PlanSegment
from tournament.table.league import load_table
from tournament.table.lots import find_level_groups, order_by_lot, settle_tie_by_lot

ORDERS: tuple[list[str], ...] = ([], ["points"], ["head_to_head", "spread"])
SCORES = (360, 380, 400, 420, 440)
STOPPED = (210, 260, 310)
REFUSED = (Refusal, Refusals)
"""What chance wishes is not always allowed; then nothing happens."""


class Evening:
    """A division that is paired, played, corrected and disturbed by chance; `looks` stops wherever somebody may ask."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        self.doris: Actor = factories.director()
        self.rounds = rng.randint(2, 4)
        self.division = factories.event("Abend", players=rng.randint(4, 8), rounds=self.rounds)
        methods = rng.choices([method for method in Method if method is not Method.MANUAL], k=self.rounds)
        if rng.random() < 0.6:
            methods = [rng.choice((Method.SWISS, Method.SWISS, Method.ROUND_ROBIN, Method.GROUPS))] * self.rounds
        self._announce(methods)
        self.spare = 0

    def _announce(self, methods: Sequence[Method]) -> None:
        rng = self.rng
        plan = [PlanSegment(number, number, method).stored() for number, method in enumerate(methods, 1)]
        if len(set(methods)) == 1:
            plan = [PlanSegment(1, self.rounds, methods[0]).stored()]
        Division.objects.filter(pk=self.division.pk).update(plan=plan)
        Tournament.objects.filter(pk=self.division.tournament_id).update(
            order=rng.choice(ORDERS),
            ties=rng.choice(("tso", "tso", "shared")),
            withdrawn=rng.choice(("ranked", "unranked")),
            spread_cap=rng.choice((None, None, [30])),
            clubs_apart=rng.choice((0, 1)),
            bye_policy=rng.choice(("lowest", "german")),
        )
        self.fresh()

    def fresh(self) -> Division:
        """The division as it stands now."""
        self.division = factories.fresh(self.division)
        return self.division

    def looks(self) -> Iterator[str]:
        """Play the evening; each time something has come to rest, yield what."""
        for number in range(1, self.rounds + 1):
            self.come_and_go(number)
            if not self.pair(number):
                break
            yield "round"
            self.tidy_up()
        if self.rng.random() < 0.6:
            with suppress(*REFUSED):
                self.seed()
                yield "seeding"
            for _ in range(self.rng.randint(0, 4)):
                self.play_knockout()
                yield "knockout"

    def field(self) -> list[Entry]:
        return list(Entry.objects.filter(division=self.division).select_related("tournament").with_names().in_order())

    def come_and_go(self, number: int) -> None:
        """Somebody is away, withdraws, comes late or back, or is kept apart from somebody."""
        rng = self.rng
        with suppress(*REFUSED):
            if rng.random() < 0.3:
                entry, losing = rng.choice(self.field()), rng.random() < 0.5
                set_absence(entry, number=number, actor=self.doris, counts_as_loss=losing)
            if rng.random() < 0.15:
                withdraw_entry(rng.choice(self.field()), actor=self.doris)
            if rng.random() < 0.3:
                gone = Entry.objects.filter(division=self.division).exclude(withdrawn_after=None).first()
                if gone is not None:
                    bring_back_entry(gone, actor=self.doris, missed_are_losses=rng.random() < 0.5)
        with suppress(*REFUSED):
            if rng.random() < 0.2:
                self.spare += 1
                person, late = factories.person(20 + self.spare), LateEntry(missed_are_losses=rng.random() < 0.5)
                enter_player(self.fresh(), person=person, actor=self.doris, late=late)
            if rng.random() < 0.2:
                one, other = rng.sample(self.field(), 2)
                keep_apart(one, other=other, actor=self.doris)

    def pair(self, number: int) -> bool:
        """Draw a round, perhaps change it by hand, publish and play it. Nothing where it cannot be paired."""
        rng = self.rng
        wish = DrawWish(
            seed=number,
            accept_missing=True,
            based_on=max(number - 2, 0) if rng.random() < 0.1 else None,
            repeats=True if rng.random() < 0.1 else None,
        )
        try:
            round = draft_round(self.fresh(), actor=self.doris, wish=wish)
        except REFUSED:
            return False
        if rng.random() < 0.35:
            with suppress(*REFUSED):
                self.by_hand(self.round(round.pk))
        if rng.random() < 0.1:
            return True
        try:
            publish_round(self.round(round.pk), actor=self.doris)
        except REFUSED:
            return False
        for pairing in self.pairings(round__pk=round.pk, kind=Pairing.Kind.GAME):
            if rng.random() > 0.04:
                self.record(pairing, self.report(pairing))
        return True

    def round(self, pk: int) -> Round:
        return Round.objects.select_related("division__tournament").get(pk=pk)

    def by_hand(self, round: Round) -> None:
        """The director changes a draft."""
        rng = self.rng
        pairs = [pairing for pairing in self.pairings(round=round) if pairing.kind != Pairing.Kind.ABSENT]
        chosen = rng.choice(pairs)
        act = rng.choice(("swap", "swap", "turn", "lock", "pair"))
        if act == "turn":
            switch_starter(chosen, actor=self.doris)
        elif act == "lock":
            set_pair_locked(chosen, locked=True, actor=self.doris)
        else:
            one, other = rng.sample([seat.entry for pairing in pairs for seat in pairing.seats.all()], 2)
            edit = swap_players if act == "swap" else pair_by_hand
            edit(round, one=one, other=other, actor=self.doris)

    def pairings(self, **which: object) -> list[Pairing]:
        """The pairings of the division as pages fetch them."""
        found = Pairing.objects.filter(round__division=self.division, **which)
        found = found.select_related("round__division__tournament", "round__division__knockout")
        return list(found.with_players().with_results().order_by("round__number", "table", "pk"))

    def report(self, pairing: Pairing) -> Report:
        """A result that the pairing can have."""
        rng = self.rng
        if pairing.kind != Pairing.Kind.GAME:
            kind = rng.choice((Outcome.BYE, Outcome.ABSENT, Outcome(pairing.kind)))
            return Report(kind, spread=rng.choice((None, None, 70)))
        if rng.random() < 0.15:
            outcome = rng.choice(sorted(AWARDED_OUTCOMES))
            if rng.random() < 0.5:
                return Report(outcome, reason=rng.choice(sorted(UNSTARTED_REASONS)))
            first, second = rng.choice(STOPPED), rng.choice(STOPPED)
            return Report(outcome, PlayerReport(first), PlayerReport(second), reason=AwardReason.OVERTIME)
        return Report(Outcome.PLAYED, self.side(), self.side())

    def side(self) -> PlayerReport:
        rng = self.rng
        if rng.random() < 0.5:
            return PlayerReport(rng.choice(SCORES))
        facts = {"bingos": rng.randint(0, 2), "moves": (rng.choice((70, 80)),), "seconds": rng.choice((1500, 1501))}
        return PlayerReport(rng.choice(SCORES), **facts)  # type: ignore[arg-type]  # figures of three kinds

    def record(self, pairing: Pairing, report: Report | None, *, disturb: tuple[int, ...] = ()) -> None:
        """Make the result official, or (None) withdraw what is there, whatever it disturbs in the knock-out.

        What was done to the pairing before may be gone by now (`books.trial`), and is asked again.
        """
        pairing.refresh_from_db(fields=["kind"])
        at = {"actor": self.doris, "expected_version": None, "disturb": disturb}
        try:
            if report is None:
                withdraw_result(pairing, **at)  # type: ignore[arg-type]  # as both take it
            else:
                record_result(pairing, report=report, **at)  # type: ignore[arg-type]  # as both take it
        except LaterGamesDisturbed as disturbs:
            self.record(pairing, report, disturb=disturbs.results)

    def tidy_up(self) -> None:
        """Lots, closed rounds, and corrections that somebody really makes."""
        rng = self.rng
        with suppress(*REFUSED):
            table = load_table(self.fresh())
            groups = find_level_groups(table)
            if groups and rng.random() < 0.5:
                level = rng.choice(groups)
                order = order_by_lot(level, seed=rng.randint(1, 99))
                settle_tie_by_lot(self.division, after=table.after, order=order, actor=self.doris)
        with suppress(*REFUSED):
            if rng.random() < 0.3:
                played = Round.objects.league().filter(division=self.division, state="published").in_order().first()
                if played is not None:
                    close_round(self.round(played.pk), actor=self.doris)
        if rng.random() < 0.4:
            for pairing, report in self.questions(1):
                self.record(pairing, report)

    def questions(self, count: int, **which: object) -> Iterator[tuple[Pairing, Report | None]]:
        """So many pairings that players can see, and what their results might become; None: withdrawn."""
        found = self.pairings(**which, round__state__in=("published", "closed"))
        for pairing in self.rng.sample(found, min(count, len(found))):
            withdrawn = pairing.result is not None and self.rng.random() < 0.2
            yield pairing, None if withdrawn else self.report(pairing)

    def seed(self) -> None:
        """Announce and seed a knock-out, mostly from the table. Refusals are raised."""
        rng = self.rng
        table = load_table(self.fresh())
        proposed = propose_seeds(table)
        form = rng.choice(list(MatchFormat))
        criteria = tuple(rng.sample([each.value for each in MatchCriterion], rng.randint(0, 3)))
        plan = KnockoutPlan(
            rng.randint(2, min(8, max(2, len(proposed)))),
            form,
            rng.choice((3, 5)) if form == MatchFormat.BEST_OF else None,
            criteria,
            own_criterion="who laid the longest word" if MatchCriterion.OWN in criteria else "",
        )
        with suppress(*REFUSED):
            draft = Round.objects.league().filter(division=self.division, state="draft").first()
            if draft is not None:
                discard_draft(self.round(draft.pk), actor=self.doris)
        if plan.size >= FEWEST_FOR_THIRD_PLACE and rng.random() < 0.5:
            plan = replace(plan, third_place=True)
        announce_knockout(self.division, plan=plan, actor=self.doris)
        seeds = proposed if rng.random() < 0.7 else rng.sample(proposed, len(proposed))
        chosen = seeds[: plan.size]
        confirm_seeds(self.fresh(), seeds=chosen, actor=self.doris, accept_missing=True)

    def play_knockout(self) -> None:
        """Some open games of the knock-out are played; lots are drawn and facts given up where matches wait."""
        rng = self.rng
        for _ in range(rng.randint(1, 4)):
            waiting = [each for each in self.pairings(round__stage__isnull=False) if each.result is None]
            if waiting:
                pairing = rng.choice(waiting)
                self.record(pairing, self.report(pairing))
            self.decide()

    def decide(self) -> None:
        state = load_knockout_state(self.fresh())
        for match in state.bracket.matches if state else ():
            where = {"stage": match.stage, "position": match.position, "actor": self.doris}
            with suppress(*REFUSED):
                if match.waits_for == WaitsFor.LOT and self.rng.random() < 0.7:
                    draw_match_lot(self.division, seed=self.rng.randint(1, 99), **where)  # type: ignore[arg-type]  # as it is asked for
                elif match.waits_for == WaitsFor.OWN and self.rng.random() < 0.6:
                    winner = Entry.objects.get(pk=self.rng.choice(match.players) or 0)
                    enter_match_winner(self.division, winner=winner, **where)  # type: ignore[arg-type]  # as it is asked for
                elif (fact := match.awaited_fact) and self.rng.random() < 0.7:
                    mark_fact_not_recorded(self.division, fact=fact, **where)  # type: ignore[arg-type]  # as it is asked for
