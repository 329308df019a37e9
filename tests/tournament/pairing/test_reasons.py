"""Every reason and every note is true: checked on random events against facts that were worked out a second time."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws import tried_on
from tests.tournament.pairing.ledger import Game, Ledger
from tournament.pairing.drafting import draw_round
from tournament.pairing.explaining import add_reasons, is_reason_true
from tournament.pairing.facts import RoundFacts
from tournament.pairing.notes import MEETING_NOTES, is_note_true
from tournament.pairing.values import (
    ByePolicy,
    ChosenPair,
    Contender,
    Draft,
    DrawRequest,
    FloatReason,
    LaterRound,
    Method,
    PairFlag,
    PrizeContest,
    ReasonCode,
    RequestImpossible,
    ScheduledRounds,
    StarterReason,
    StartPolicy,
    get_reason_shape,
)

LARGEST = 10


class Evening:
    """An event whose players come and go, whose results are corrected, and whose director changes drafts by hand."""

    def __init__(self, seed: int, bye_policy: ByePolicy) -> None:
        self.rng = rng = random.Random(seed)
        players = range(1, rng.randint(4, LARGEST) + 1)
        self.ledger = Ledger(
            {key: rng.choice((None, rng.randrange(800, 2000))) for key in players},
            {key: rng.choice((None, 1, 2, 3)) for key in players},
        )
        self.first_round = {key: rng.choice((1, 1, 1, 1, 2, 3)) for key in players}
        self.rounds = rng.randint(2, 7)
        self.starts = rng.choice((StartPolicy.BALANCED, StartPolicy.BALANCED, StartPolicy.DRAWN))
        self.bye_policy = bye_policy
        self.methods = rng.choices([method for method in Method if method is not Method.MANUAL], k=self.rounds)
        if rng.random() < 0.4:
            self.methods = [rng.choice((Method.SWISS, Method.ROUND_ROBIN, Method.GROUPS))] * self.rounds
        self.apart = frozenset(tuple(rng.sample(players, 2)) for _ in range(rng.choice((0, 0, 1, 3))))
        self.groups: tuple[tuple[int, ...], ...] = ()

    def present(self, number: int) -> set[int]:
        entered = [key for key, first in self.first_round.items() if first <= number]
        return {key for key in entered if self.rng.random() > 0.1}

    def contest(self, number: int) -> PrizeContest:
        """What the rounds from this one on are fought for."""
        ledger = self.ledger
        table = tuple(Contender(key, ledger.half_wins(key), ledger.spread(key)) for key in ledger.table())
        return PrizeContest(
            table, 2 + number % 2, (None, 100, 250, None)[: min(4, self.rounds + 1 - number)], most_runs=4000
        )

    def request(self, number: int, present: set[int], given: tuple[ChosenPair, ...]) -> DrawRequest:
        method = self.methods[number - 1]
        scheduled = len(set(self.methods)) == 1 and method in (Method.GROUPS, Method.ROUND_ROBIN)
        return self.ledger.request(
            present,
            round=number,
            rounds=self.rounds,
            method=method,
            seed=number,
            repeats=self.rng.random() < 0.1,
            within=self.rng.choice((0, 0, 0, 1, 2)),
            clubs_apart=self.rng.choice((False, True)),
            starts=self.starts,
            bye_policy=self.bye_policy,
            given=given,
            forbidden=self.apart,
            later=tuple(self.later(after) for after in range(number + 1, self.rounds + 1)),
            segment=ScheduledRounds(1, self.rounds, 1, self.groups) if scheduled else None,
            contest=self.contest(number) if method is Method.CONTENTION else None,
        )

    def later(self, number: int) -> LaterRound:
        """What the plan knows of a round to come."""
        entered = frozenset(key for key, first in self.first_round.items() if first <= number)
        return LaterRound(number, self.methods[number - 1], entered)

    def by_hand(self, present: set[int]) -> tuple[ChosenPair, ...]:
        """Pairs that the director sets before the draw."""
        if self.rng.random() < 0.7 or len(present) < 4:
            return ()
        one, other, third = self.rng.sample(sorted(present), 3)
        flag = self.rng.choice((PairFlag.MANUAL, PairFlag.LOCKED))
        pair = ChosenPair(one, other, flag, self.rng.choice((StarterReason.HAND, None)))
        return (pair, ChosenPair(third, None, PairFlag.MANUAL)) if self.rng.random() < 0.2 else (pair,)

    def changed(
        self, draft: Draft, request: DrawRequest, given: tuple[ChosenPair, ...]
    ) -> tuple[Draft, tuple[ChosenPair, ...]]:
        """The draft after two have changed places, or another one starts, explained anew."""
        games = [pair for pair in draft.pairs if pair.second is not None and not {PairFlag.LOCKED} & set(pair.flags)]
        if len(games) < 2:
            return draft, given
        one, other = self.rng.sample(games, 2)
        said = {frozenset((each.first, each.second)): each for each in given}
        set_anew: list[ChosenPair] = []
        if self.rng.random() < 0.3:
            assert one.second is not None
            flag = PairFlag.MANUAL if PairFlag.MANUAL in one.flags else None
            set_anew = [ChosenPair(one.second, one.first, flag, starter_by=StarterReason.HAND, group=one.group)]
        else:
            set_anew = [
                ChosenPair(one.first, other.second, PairFlag.MANUAL, starter_by=None),
                ChosenPair(other.first, one.second, PairFlag.MANUAL, starter_by=None),
            ]
        moved = {key for each in set_anew for key in (each.first, each.second)}
        kept = [pair for pair in draft.pairs if pair.first not in moved]
        stays = [
            ChosenPair(
                pair.first,
                pair.second,
                said[both].flag if (both := frozenset((pair.first, pair.second))) in said else None,
                starter_by=pair.starter_by or StarterReason.EARLIER,
                group=pair.group,
            )
            for pair in kept
        ]
        asked = replace(request, given=(*stays, *set_anew))
        made = replace(draw_round(replace(asked, method=Method.MANUAL)), groups=draft.groups)
        return add_reasons(made, asked, changed=True), (*stays, *set_anew)

    def play(self, number: int, draft: Draft) -> None:
        for pair in draft.pairs:
            margin = 50 if pair.second is None else self.rng.choice((-80, -20, 0, 20, 80))
            begun = pair.second is None or self.rng.random() > 0.1
            known = self.starts is StartPolicy.BALANCED
            self.ledger.games.append(Game(number, pair.first, pair.second, margin, begun, known))

    def correct(self) -> None:
        """An older result turns out to be another one, or the game never to have begun."""
        games = [game for game in self.ledger.games if game.second is not None]
        if games and self.rng.random() < 0.3:
            game = self.rng.choice(games)
            game.margin, game.begun = -game.margin, self.rng.random() < 0.5


def check(draft: Draft, facts: RoundFacts) -> None:
    """Every reason and note holds, and what has to be said is said."""
    for pair, seating in zip(draft.pairs, facts.pairs, strict=True):
        said = {reason.code: reason for reason in pair.why}
        for reason in pair.why:
            assert is_reason_true(reason, seating, facts), (reason, seating, facts)
            assert reason.figures.keys() == get_reason_shape(reason.code, reason.figures).keys()
        has_table = any(player.rank is not None for player in facts.players.values())
        assert (ReasonCode.RANKS in said, ReasonCode.SEEDING in said) == (has_table, not has_table)
        assert (ReasonCode.BYE in said, ReasonCode.STARTER in said) == (pair.second is None, pair.second is not None)
        assert (ReasonCode.REPEAT in said) == (seating.keys in facts.games and pair.second is not None)
        assert (ReasonCode.HAND in said, ReasonCode.LOCKED in said) == (
            PairFlag.MANUAL in seating.flags,
            PairFlag.LOCKED in seating.flags,
        )
        assert (ReasonCode.FLOAT in said) == (facts.gap(seating) != 0)
    for note in draft.notes:
        if note.code in MEETING_NOTES:
            assert is_note_true(note, facts), (note, facts)


@pytest.mark.parametrize("bye_policy", [ByePolicy.LOWEST, ByePolicy.GERMAN])
@tried_on(1)
@given(seed=st.integers(0, 2**32))
def test_every_reason_of_some_random_events_holds(bye_policy: ByePolicy, seed: int) -> None:
    require_reasons_to_hold(bye_policy, seed)


@pytest.mark.long
@pytest.mark.parametrize("bye_policy", [ByePolicy.LOWEST, ByePolicy.GERMAN])
@tried_on(30)
@given(seed=st.integers(0, 2**32))
def test_every_reason_of_a_random_event_holds(bye_policy: ByePolicy, seed: int) -> None:
    require_reasons_to_hold(bye_policy, seed)


def require_reasons_to_hold(bye_policy: ByePolicy, seed: int) -> None:
    evening = Evening(seed, bye_policy)
    for number in range(1, evening.rounds + 1):
        present = evening.present(number)
        given = evening.by_hand(present)
        request = evening.request(number, present, given)
        try:
            draft = draw_round(request)
        except RequestImpossible:
            return

        check(draft, evening.ledger.facts(request, draft, _by_pair(given)))

        if evening.rng.random() < 0.4:
            draft, given = evening.changed(draft, request, given)
            check(draft, evening.ledger.facts(request, draft, _by_pair(given)))
        evening.groups = draft.groups
        evening.play(number, draft)
        evening.correct()


def test_every_kind_of_reason_is_told_in_some_event() -> None:
    """A predicate that nothing fulfils would take its sentence away, and every sentence that is left would be true."""
    told = set[tuple[str, object]]()
    floats: set[tuple[str, object]] = {(ReasonCode.FLOAT, each) for each in {*FloatReason} - {"looked_ahead"}}
    for seed in range(80):
        if floats <= told and {code for code, _because in told} == {*ReasonCode}:
            break
        evening = Evening(seed, ByePolicy.GERMAN if seed % 2 else ByePolicy.LOWEST)
        with suppress(RequestImpossible):
            for number in range(1, evening.rounds + 1):
                present = evening.present(number)
                draft = draw_round(evening.request(number, present, evening.by_hand(present)))
                told |= {(reason.code, reason.figures.get("because")) for pair in draft.pairs for reason in pair.why}
                evening.groups = draft.groups
                evening.play(number, draft)
                evening.correct()

    assert {code for code, _because in told} == set(ReasonCode)
    assert {because for code, because in told if code == ReasonCode.FLOAT} == {*FloatReason} - {"looked_ahead"}
    assert {because for code, because in told if code == ReasonCode.PASSED_OVER} == {"met", "kept_apart"}


def _by_pair(given: tuple[ChosenPair, ...]) -> dict[frozenset[int], ChosenPair]:
    return {frozenset(key for key in (each.first, each.second) if key is not None): each for each in given}
