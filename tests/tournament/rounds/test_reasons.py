"""Every stored reason is true, whatever the director does: random evenings through the operations."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from django.utils import translation

from scoring.awards import Outcome
from tests import factories, laws
from tests.tournament.pairing.ledger import Game, Ledger
from tests.tournament.readings import LANGUAGES, Meaning, mean_note, read
from tournament.basics.names import format_spoken_name
from tournament.basics.refusals import Refusal
from tournament.core.reports import PlayerReport, Report
from tournament.core.words.figures import name_entries
from tournament.entries.operations.attendance import set_absence
from tournament.entries.operations.entries import keep_apart
from tournament.models import Division, Entry, KeptApart, Pairing, Result, Round, Seat
from tournament.pairing.explaining import is_reason_true
from tournament.pairing.facts import RoundFacts
from tournament.pairing.notes import MEETING_NOTES, is_note_true
from tournament.pairing.values import (
    ByePolicy,
    ChosenPair,
    ClaimCondition,
    Draft,
    DraftPair,
    DrawNote,
    Method,
    NoteCode,
    PairFlag,
    Reason,
    ReasonCode,
    StarterReason,
)
from tournament.results.league_games import list_division_entries, list_league_games
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
from tournament.rounds.operations import list_misplaced_entries, list_unpaired_entries, publish_round
from tournament.rounds.reason_words import describe_pairing
from tournament.rounds.words import describe_draw_notes
from tournament.table.league import count_planned_rounds, list_round_pairings, load_table, rank_entries

pytestmark = pytest.mark.django_db

EVENINGS = laws.seeds(4)
METHODS = (Method.SWISS, Method.SWISS, Method.KING_OF_THE_HILL, Method.FACTOR, Method.RANDOM)


@dataclass(slots=True)
class Stored(Ledger):
    """The ledger of a stored event; who stands where is read from its table."""

    listed: dict[int, int | None] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)
    wins: dict[int, int] = field(default_factory=dict)

    def table(self) -> list[int]:
        return self.order

    def ranks(self) -> dict[int, int | None]:
        return self.listed

    def half_wins(self, key: int) -> int:
        return self.wins.get(key, 0)


def ledger_of(round: Round, present: list[int]) -> Stored:
    """The event before the round, read row by row."""
    division = round.division
    everybody = list_division_entries(division)
    written = Stored({e.pk: e.rating for e in everybody}, {e.pk: e.club_id for e in everybody})
    for pairing in Pairing.objects.filter(round__division=division, round__number__lt=round.number).with_players():
        if pairing.kind != Pairing.Kind.ABSENT:
            result = Result.objects.filter(pairing=pairing, official=True).first()
            begun = result is None or result.outcome in (Outcome.PLAYED, Outcome.BYE) or result.first_points is not None
            second = pairing.second.pk if pairing.second else None
            written.games.append(Game(pairing.round.number, pairing.first.pk, second, begun=begun))
    rows = load_table(division, after=round.number - 1).rows if round.number > 1 else ()
    written.listed = {row.entry.pk: row.standing.rank for row in rows}
    written.wins = {row.entry.pk: row.standing.half_wins for row in rows}
    seeding = written.seeding()
    written.order = order(round, everybody, written, seeding)
    return written


def order(round: Round, everybody: list[Entry], written: Stored, seeding: dict[int, int]) -> list[int]:
    """The order in which the round was drawn: as its table with everybody in it has it."""
    if round.number == 1:
        return sorted(seeding, key=seeding.__getitem__)
    played = list_league_games(round.division, after=round.number - 1)
    ranked = rank_entries(round.division, everybody, played, after=round.number - 1)
    return [int(str(standing.player)) for standing in ranked]


def facts_of(round: Round) -> tuple[Draft, RoundFacts]:
    """The stored draft as a value, and what is true of it."""
    pairings = [pairing for pairing in list_round_pairings(round) if pairing.kind != Pairing.Kind.ABSENT]
    tournament = round.division.tournament
    present = {seat.entry_id for pairing in pairings for seat in pairing.seats.all()}
    unpaired = {entry.pk for entry in list_unpaired_entries(round)}
    written = ledger_of(round, sorted(present | unpaired))
    pairs, given = [], {}
    for pairing in pairings:
        second = pairing.second.pk if pairing.second else None
        both = frozenset({pairing.first.pk} | ({second} if second else set()))
        why = tuple(
            Reason(ReasonCode(each["code"]), {name: value for name, value in each.items() if name != "code"})
            for each in pairing.why
        )
        starter = (pairing.reason("starter") or {}).get("by")
        flag = PairFlag.MANUAL if "manual" in pairing.flags else PairFlag.LOCKED if pairing.locked else None
        if flag or starter == StarterReason.HAND:
            given[both] = ChosenPair(
                pairing.first.pk, second, flag, starter_by=StarterReason(starter or StarterReason.EARLIER)
            )
        pairs.append(DraftPair(pairing.table, pairing.first.pk, second, (), why=why))
    early = round.number <= tournament.clubs_apart
    request = written.request(
        present | unpaired,
        round=round.number,
        rounds=max(count_planned_rounds(round.division), round.number),
        method=Method(round.method),
        seed=round.seed,
        repeats=round.repeats,
        bye_policy=ByePolicy(tournament.bye_policy),
        clubs_apart=early,
        forbidden=frozenset(kept_apart(round.division)),
    )
    notes = tuple(
        DrawNote(NoteCode(n["code"]), tuple(n["keys"]), n["figure"], tuple(map(ClaimCondition, n["unless"])))
        for n in round.notes
    )
    draft = Draft(tuple(pairs), Method(round.method), round.seed, notes=notes)
    return draft, written.facts(request, draft, given)


def kept_apart(division: Division) -> list[tuple[int, int]]:
    return list(KeptApart.objects.filter(one__division=division).values_list("one_id", "other_id"))


def check(round: Round) -> int:
    """Every reason and note of the stored draft holds; how many there are."""
    round = Round.objects.select_related("division__tournament").get(pk=round.pk)
    draft, facts = facts_of(round)
    for pair, seating in zip(draft.pairs, facts.pairs, strict=True):
        for reason in pair.why:
            looked = reason.figures.get("because") == "looked_ahead"
            assert looked or is_reason_true(reason, seating, facts), (reason, seating, facts)
    for note in draft.notes:
        assert note.code not in MEETING_NOTES or is_note_true(note, facts), (note, facts)
    read_back(round)
    return sum(len(pair.why) for pair in draft.pairs)


def read_back(round: Round) -> None:
    """What the sentences of the round claim in each language is what the figures of their codes say."""
    names = name_entries(list_division_entries(round.division))
    spoken = {key: format_spoken_name(name) for key, name in names.items()}
    for language in LANGUAGES:
        with translation.override(language):
            for pairing in list_round_pairings(round):
                if pairing.kind != Pairing.Kind.ABSENT:
                    said = describe_pairing(pairing, names, round.division.tournament.rules)
                    meaning = Meaning(pairing.why, spoken[pairing.first.pk], spoken)
                    assert read(language, said, "reasons") == meaning.claims()
            for note, said in zip(round.notes, describe_draw_notes(round, names), strict=True):
                assert read(language, said, "notes", between="\n") == [mean_note(note, spoken)]


class Director:
    """Does whatever a director may do to a draft, by lot."""

    def __init__(self, division: Division, rng: random.Random) -> None:
        self.division, self.rng, self.actor = division, rng, factories.director()

    def anybody(self, round: Round, count: int) -> list[Entry]:
        seated = Entry.objects.filter(seats__round=round).exclude(seats__pairing__kind=Pairing.Kind.ABSENT)
        return self.rng.sample(list(seated.with_names().distinct().in_order()), count)

    def some_pairing(self, round: Round) -> Pairing:
        pairing = self.rng.choice(list(Pairing.objects.filter(round=round, kind=Pairing.Kind.GAME).with_players()))
        pairing.round = round
        return pairing

    def acts(self) -> list[Callable[[Round], object]]:
        return [
            lambda round: swap_players(round, **self._two(round), actor=self.actor),
            lambda round: pair_by_hand(round, **self._two(round), actor=self.actor),
            lambda round: switch_starter(self.some_pairing(round), actor=self.actor),
            lambda round: set_pair_locked(self.some_pairing(round), locked=True, actor=self.actor),
            lambda round: pair_rest_anew(round, actor=self.actor, seed=self.rng.randrange(1, 99)),
            self._apart,
            lambda round: factories.entry(self.division, f"Nachzügler, {self.rng.randrange(10**6)}"),
            lambda round: set_absence(self.anybody(round, 1)[0], number=round.number, actor=self.actor),
        ]

    def _two(self, round: Round) -> dict[str, Entry]:
        one, other = self.anybody(round, 2)
        return {"one": one, "other": other}

    def _apart(self, round: Round) -> None:
        one, other = self.anybody(round, 2)
        keep_apart(one, other=other, actor=self.actor)


def enter_results(round: Round, rng: random.Random) -> None:
    for table in Pairing.objects.filter(round=round, kind=Pairing.Kind.GAME).values_list("table", flat=True):
        if rng.random() < 0.15:
            factories.result(round, table or 0, None, None, Outcome.SECOND_FORFEITS)
        else:
            factories.result(round, table or 0, rng.choice((380, 400, 431)), rng.choice((350, 400, 402)))


def correct(division: Division, rng: random.Random) -> None:
    """An older result turns out to be another one."""
    found = Pairing.objects.filter(round__division=division, kind=Pairing.Kind.GAME, results__official=True)
    pairing = rng.choice(list(found.select_related("round__division__tournament").order_by("pk")))
    report = Report(Outcome.PLAYED, PlayerReport(points=rng.choice((300, 400))), PlayerReport(points=400))
    version = pairing.results.get(official=True).version
    record_result(pairing, report=report, actor=factories.director(), expected_version=version, why="x")


@pytest.mark.long
@pytest.mark.parametrize("seed", EVENINGS)
def test_every_stored_reason_of_a_random_evening_holds(seed: int) -> None:
    rng = random.Random(seed)
    division = factories.event(players=rng.randint(5, 8), rounds=5, bye_policy=rng.choice(("lowest", "german")))
    director = Director(division, rng)
    said = 0
    for _number in range(rng.randint(2, 4)):
        wish = DrawWish(method=rng.choice(METHODS), seed=rng.randrange(1, 99))
        draft = draft_round(factories.fresh(division), actor=director.actor, wish=wish)
        said += check(draft)
        for act in rng.choices(director.acts(), k=3):
            draft = Round.objects.select_related("division__tournament").get(pk=draft.pk)
            try:
                act(draft)
            except Refusal:
                continue
            said += check(draft)
        draft = Round.objects.select_related("division__tournament").get(pk=draft.pk)
        if list_unpaired_entries(draft) or list_misplaced_entries(draft):
            pair_rest_anew(draft, actor=director.actor, seed=1)
            said += check(draft)
        publish_round(draft, actor=director.actor)
        enter_results(draft, rng)
        correct(division, rng)

    assert said
    assert Seat.objects.filter(round__division=division).exists()


def test_reasons_of_a_draft_are_of_the_table_when_it_was_drawn_or_last_changed() -> None:
    division = factories.event(players=8)
    first = factories.played(division, (450, 350), (440, 360), (430, 370), (420, 380))
    draft = draft_round(division, actor=factories.director(), wish=DrawWish(seed=1))
    drawn = ranks(draft)

    factories.result(first, 4, 600, 200)
    corrected = ranks(draft)
    chosen = Pairing.objects.select_related("round__division__tournament").filter(round=draft).first()
    assert chosen is not None
    set_pair_locked(chosen, locked=True, actor=factories.director())

    winner = Pairing.objects.with_players().get(round=first, table=4).first.name
    assert (drawn[winner], corrected[winner], ranks(draft)[winner]) == (4, 4, 1)


def ranks(draft: Round) -> dict[str, int]:
    """Everybody's rank as the reasons of a draft name it."""
    found: dict[str, int] = {}
    for pairing in Pairing.objects.filter(round=draft).with_players():
        said = pairing.reason(ReasonCode.RANKS) or {}
        found |= {
            seat.entry.name: said[key] for seat, key in zip(pairing.seats.all(), ("first", "second"), strict=True)
        }
    return found
