"""The director's hand in a draft."""

from collections.abc import Callable

import pytest

from tests import factories
from tests.refusals import refuses
from tests.tournament.conftest import PEOPLE
from tournament.core.change import Actor
from tournament.entries.operations.attendance import set_absence
from tournament.entries.operations.entries import NewEntry, enter_player, enter_players, keep_apart
from tournament.entries.operations.register import Person
from tournament.events.operations import create_tournament
from tournament.models import Division, Entry, JournalEntry, Pairing, Round
from tournament.pairing.values import ReasonCode
from tournament.results.league_games import list_division_entries
from tournament.rounds.drafts import (
    DrawWish,
    PairLocked,
    draft_round,
    pair_by_hand,
    pair_rest_anew,
    set_pair_locked,
    swap_players,
    switch_starter,
)
from tournament.rounds.operations import list_unpaired_entries, publish_round
from tournament.rounds.why_not import PlayerNotSeated
from tournament.table.league import list_round_pairings

pytestmark = pytest.mark.usefixtures("four_of_module")

NAMES = ("Fuchs, Emil", "Eriksen, Åse", "Öztürk, Cem", "Řezníček, Tomáš")


@pytest.fixture(scope="module")
def draft_of_module(*, shares_rows: bool) -> Round:
    doris = factories.director()
    division = create_tournament(actor=doris, name="Winter-Cup").divisions.get()
    newcomers = [NewEntry(person, division) for person in (*PEOPLE, *map(Person, NAMES))]
    enter_players(division.tournament, newcomers=newcomers, actor=doris)
    return draft_round(division, actor=doris, wish=DrawWish(seed=3))


@pytest.fixture
def draft(draft_of_module: Round, db: None) -> Round:
    """The first round of eight players."""
    return Round.objects.select_related("division__tournament").get(pk=draft_of_module.pk)


@pytest.fixture
def eight(draft: Round) -> list[Entry]:
    return list_division_entries(draft.division)


def opponents(round: Round) -> dict[str, str | None]:
    met: dict[str, str | None] = {}
    for pairing in list_round_pairings(round):
        first, second = pairing.first, pairing.second
        met[first.key] = second.key if second else None
        if second:
            met[second.key] = first.key
    return met


def pairing_of(round: Round, entry: Entry) -> Pairing:
    found = Pairing.objects.with_players().get(round=round, seats__entry=entry)
    found.round = round
    return found


def starter(pairing: Pairing) -> str:
    """What decided who starts."""
    return str((pairing.reason(ReasonCode.STARTER) or {})["by"])


def test_swap_lets_two_players_change_places(draft: Round, eight: list[Entry], doris: Actor) -> None:
    before = opponents(draft)
    one, other = eight[0], next(entry for entry in eight[1:] if before[entry.key] != eight[0].key)

    swap_players(draft, one=one, other=other, actor=doris)

    after = opponents(draft)
    assert (after[one.key], after[other.key]) == (before[other.key], before[one.key])
    untouched = {one.key, other.key, before[one.key], before[other.key]}
    assert {key: met for key, met in after.items() if key not in untouched} == {
        key: met for key, met in before.items() if key not in untouched
    }


def test_swap_marks_the_pairs_as_set_by_hand(draft: Round, eight: list[Entry], doris: Actor) -> None:
    before = opponents(draft)
    other = next(entry for entry in eight[1:] if before[entry.key] != eight[0].key)

    swap_players(draft, one=eight[0], other=other, actor=doris)

    flagged = [pairing for pairing in list_round_pairings(draft) if "manual" in pairing.flags]
    assert len(flagged) == 2


def test_swap_of_opponents_is_refused(draft: Round, eight: list[Entry], doris: Actor) -> None:
    before = opponents(draft)
    other = next(entry for entry in eight if entry.key == before[eight[0].key])

    with refuses("already_meet") as refused:
        swap_players(draft, one=eight[0], other=other, actor=doris)

    assert eight[0].name in str(refused.value)
    assert opponents(draft) == before


def test_swap_of_a_locked_pair_is_refused(draft: Round, eight: list[Entry], doris: Actor) -> None:
    set_pair_locked(pairing_of(draft, eight[0]), locked=True, actor=doris)
    before = opponents(draft)
    other = next(entry for entry in eight[1:] if before[entry.key] != eight[0].key)

    with pytest.raises(PairLocked):
        swap_players(draft, one=eight[0], other=other, actor=doris)

    assert opponents(draft) == before


def test_pair_by_hand_lets_the_former_opponents_meet(draft: Round, eight: list[Entry], doris: Actor) -> None:
    before = opponents(draft)
    one, other = eight[0], next(entry for entry in eight[1:] if before[entry.key] != eight[0].key)

    pair_by_hand(draft, one=one, other=other, actor=doris)

    after = opponents(draft)
    assert after[one.key] == other.key
    left = before[one.key]
    assert left is not None
    assert after[left] == before[other.key]


def test_pair_by_hand_with_the_bye_gives_the_bye_to_who_is_left(draft: Round, eight: list[Entry], doris: Actor) -> None:
    division = draft.division
    enter_player(division, person=Person("Neunte, Ina"), actor=doris)
    draft = draft_round(division, actor=doris, wish=DrawWish(seed=3))
    before = opponents(draft)
    ninth = next(entry for entry in list_division_entries(division) if before[entry.key] is None)
    one = next(entry for entry in eight if entry != ninth)

    pair_by_hand(draft, one=one, other=ninth, actor=doris)

    after = opponents(draft)
    assert after[one.key] == ninth.key
    assert [key for key, met in after.items() if met is None] == [before[one.key]]


def test_pair_by_hand_bye_moves_from_one_to_the_other(draft: Round, eight: list[Entry], doris: Actor) -> None:
    division = draft.division
    enter_player(division, person=Person("Neunte, Ina"), actor=doris)
    draft = draft_round(division, actor=doris, wish=DrawWish(seed=3))
    before = opponents(draft)
    former = next(key for key, met in before.items() if met is None)
    one = next(entry for entry in eight if entry.key != former)

    pair_by_hand(draft, one=one, other=None, actor=doris)

    after = opponents(draft)
    assert after[one.key] is None
    assert after[former] == before[one.key]


def test_another_bye_that_is_locked_stays(division: Division, four: list[Entry], doris: Actor) -> None:
    draft = draft_round(division, actor=doris, wish=DrawWish(method="manual"))
    pair_by_hand(draft, one=four[0], other=None, actor=doris)
    pair_by_hand(draft, one=four[1], other=None, actor=doris)
    pair_by_hand(draft, one=four[2], other=four[3], actor=doris)
    set_pair_locked(pairing_of(draft, four[1]), locked=True, actor=doris)

    pair_by_hand(draft, one=four[2], other=None, actor=doris)

    assert opponents(draft) == {"P03": None, "P01": "P04", "P04": "P01", "P02": None}
    assert pairing_of(draft, four[1]).locked


def test_pair_by_hand_fills_a_round_by_hand(division: Division, four: list[Entry], doris: Actor) -> None:
    draft = draft_round(division, actor=doris, wish=DrawWish(method="manual"))

    pair_by_hand(draft, one=four[0], other=four[3], actor=doris)
    pair_by_hand(draft, one=four[1], other=four[2], actor=doris)

    assert opponents(draft) == {"P01": "P04", "P04": "P01", "P02": "P03", "P03": "P02"}
    assert list_unpaired_entries(draft) == []


def test_nothing_is_changed_by_hand_where_nothing_would_change(
    division: Division, four: list[Entry], doris: Actor
) -> None:
    draft = draft_round(division, actor=doris, wish=DrawWish(method="manual"))
    pair_by_hand(draft, one=four[0], other=None, actor=doris)
    pair_by_hand(draft, one=four[1], other=None, actor=doris)
    pair_by_hand(draft, one=four[2], other=four[3], actor=doris)
    entries = JournalEntry.objects.count()

    with refuses("both_have_byes"):
        swap_players(draft, one=four[0], other=four[1], actor=doris)
    with refuses("bye_stands"):
        pair_by_hand(draft, one=four[0], other=None, actor=doris)
    with refuses("pair_stands"):
        pair_by_hand(draft, one=four[3], other=four[2], actor=doris)

    assert JournalEntry.objects.count() == entries


def test_turn_lets_the_other_start(draft: Round, eight: list[Entry], doris: Actor) -> None:
    pairing = pairing_of(draft, eight[0])
    starter, replier = pairing.first, pairing.second

    switch_starter(pairing, actor=doris)

    turned = pairing_of(draft, eight[0])
    assert (turned.first, turned.second) == (replier, starter)


def test_pair_rest_anew_keeps_the_locked_pairs(draft: Round, eight: list[Entry], doris: Actor) -> None:
    kept = pairing_of(draft, eight[0])
    set_pair_locked(kept, locked=True, actor=doris)

    pair_rest_anew(draft, actor=doris, seed=99)

    again = pairing_of(draft, eight[0])
    draft.refresh_from_db()
    assert (again.first, again.second, again.locked) == (kept.first, kept.second, True)
    assert draft.seed == 99
    assert len(opponents(draft)) == 8


def test_every_edit_of_a_published_round_is_refused(draft: Round, eight: list[Entry], doris: Actor) -> None:
    pairing = pairing_of(draft, eight[0])
    publish_round(draft, actor=doris)
    before = opponents(draft)

    edits: tuple[Callable[[], None], ...] = (
        lambda: swap_players(draft, one=eight[0], other=eight[1], actor=doris),
        lambda: pair_by_hand(draft, one=eight[0], other=eight[1], actor=doris),
        lambda: switch_starter(pairing, actor=doris),
        lambda: set_pair_locked(pairing, locked=True, actor=doris),
        lambda: pair_rest_anew(draft, actor=doris),
    )
    for edit in edits:
        with refuses("not_a_draft"):
            edit()

    assert opponents(draft) == before


def test_swap_with_somebody_who_sits_out_is_refused(draft: Round, doris: Actor) -> None:
    division = draft.division
    late = enter_player(division, person=Person("Neunte, Ina"), actor=doris)
    one = list_division_entries(division)[0]

    with pytest.raises(PlayerNotSeated) as refused:
        swap_players(draft, one=one, other=late, actor=doris)

    assert refused.value.figures["name"] == "Neunte, Ina"


def test_pair_by_hand_with_somebody_absent_is_refused_by_name(draft: Round, eight: list[Entry], doris: Actor) -> None:
    set_absence(eight[3], number=1, counts_as_loss=False, actor=doris)
    before = opponents(draft)

    with pytest.raises(PlayerNotSeated) as refused:
        pair_by_hand(draft, one=eight[0], other=eight[3], actor=doris)

    assert refused.value.figures == {"name": eight[3].name, "number": 1}
    assert opponents(draft) == before


def test_edits_keep_why_the_others_start(draft: Round, eight: list[Entry], doris: Actor) -> None:
    one = pairing_of(draft, eight[0])
    rest = {pairing.first.pk for pairing in list_round_pairings(draft)} - {one.first.pk}

    switch_starter(one, actor=doris)

    reasons = {pairing.first.pk: starter(pairing) for pairing in list_round_pairings(draft)}
    assert one.second is not None
    assert reasons == {one.second.pk: "hand"} | dict.fromkeys(rest, "lot")


def test_pair_rest_anew_keeps_why_a_locked_player_starts(draft: Round, eight: list[Entry], doris: Actor) -> None:
    set_pair_locked(pairing_of(draft, eight[0]), locked=True, actor=doris)

    pair_rest_anew(draft, actor=doris)

    assert starter(pairing_of(draft, eight[0])) == "lot"


def test_pair_rest_anew_gives_up_a_locked_pair_whose_player_has_left(
    draft: Round, eight: list[Entry], doris: Actor
) -> None:
    set_pair_locked(pairing_of(draft, eight[0]), locked=True, actor=doris)
    set_absence(eight[0], number=1, actor=doris)

    pair_rest_anew(draft, actor=doris)

    assert eight[0].key not in {key for key, met in opponents(draft).items() if met}
    assert not list_unpaired_entries(draft)


def test_changes_by_hand_are_said_as_that_and_the_notes_made_anew(
    draft: Round, eight: list[Entry], doris: Actor
) -> None:
    before = opponents(draft)
    other = next(entry for entry in eight[1:] if before[entry.key] != eight[0].key)

    swap_players(draft, one=eight[0], other=other, actor=doris)
    keep_apart(eight[0], other=eight[[entry.key for entry in eight].index(before[other.key] or "")], actor=doris)

    draft.refresh_from_db()
    assert [note["code"] for note in draft.notes] == ["forbidden"]
    said = [pairing.why[0]["code"] for pairing in list_round_pairings(draft)]
    assert sorted(said) == ["hand", "hand", "seeding", "seeding"]
