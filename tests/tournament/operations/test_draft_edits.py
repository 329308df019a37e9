"""The director's hand in a draft."""

from collections.abc import Callable

import pytest

from tests.stages import kept
from tournament.models import Division, Entry, Pairing, Round
from tournament.operations import attendance, draft_edits, drafts, entries, rounds
from tournament.operations.change import Actor
from tournament.operations.players import Person
from tournament.pairing.values import ReasonCode
from tournament.queries import league

NAMES = ("Fuchs, Emil", "Eriksen, Åse", "Öztürk, Cem", "Řezníček, Tomáš")


@pytest.fixture
@kept
def eight(division: Division, four: list[Entry], doris: Actor) -> list[Entry]:
    return four + [entries.enter(division, person=Person(name), actor=doris) for name in NAMES]


@pytest.fixture
@kept
def draft(division: Division, eight: list[Entry], doris: Actor) -> Round:
    return drafts.draft_round(division, actor=doris, wish=drafts.DrawWish(seed=3))


def opponents(round: Round) -> dict[str, str | None]:
    met: dict[str, str | None] = {}
    for pairing in league.pairings(round):
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

    draft_edits.swap(draft, one=one, other=other, actor=doris)

    after = opponents(draft)
    assert (after[one.key], after[other.key]) == (before[other.key], before[one.key])
    untouched = {one.key, other.key, before[one.key], before[other.key]}
    assert {key: met for key, met in after.items() if key not in untouched} == {
        key: met for key, met in before.items() if key not in untouched
    }


def test_swap_marks_the_pairs_as_set_by_hand(draft: Round, eight: list[Entry], doris: Actor) -> None:
    before = opponents(draft)
    other = next(entry for entry in eight[1:] if before[entry.key] != eight[0].key)

    draft_edits.swap(draft, one=eight[0], other=other, actor=doris)

    flagged = [pairing for pairing in league.pairings(draft) if "manual" in pairing.flags]
    assert len(flagged) == 2


def test_swap_of_opponents_is_refused(draft: Round, eight: list[Entry], doris: Actor) -> None:
    before = opponents(draft)
    other = next(entry for entry in eight if entry.key == before[eight[0].key])

    with pytest.raises(draft_edits.AlreadyMeet) as refused:
        draft_edits.swap(draft, one=eight[0], other=other, actor=doris)

    assert eight[0].name in str(refused.value)
    assert opponents(draft) == before


def test_swap_of_a_locked_pair_is_refused(draft: Round, eight: list[Entry], doris: Actor) -> None:
    draft_edits.set_locked(pairing_of(draft, eight[0]), locked=True, actor=doris)
    before = opponents(draft)
    other = next(entry for entry in eight[1:] if before[entry.key] != eight[0].key)

    with pytest.raises(draft_edits.PairLocked):
        draft_edits.swap(draft, one=eight[0], other=other, actor=doris)

    assert opponents(draft) == before


def test_pair_by_hand_lets_the_former_opponents_meet(draft: Round, eight: list[Entry], doris: Actor) -> None:
    before = opponents(draft)
    one, other = eight[0], next(entry for entry in eight[1:] if before[entry.key] != eight[0].key)

    draft_edits.pair_by_hand(draft, one=one, other=other, actor=doris)

    after = opponents(draft)
    assert after[one.key] == other.key
    left = before[one.key]
    assert left is not None
    assert after[left] == before[other.key]


def test_pair_by_hand_with_the_bye_gives_the_bye_to_who_is_left(
    division: Division, eight: list[Entry], doris: Actor
) -> None:
    entries.enter(division, person=Person("Neunte, Ina"), actor=doris)
    draft = drafts.draft_round(division, actor=doris, wish=drafts.DrawWish(seed=3))
    before = opponents(draft)
    ninth = next(entry for entry in league.entries(division) if before[entry.key] is None)
    one = next(entry for entry in eight if entry != ninth)

    draft_edits.pair_by_hand(draft, one=one, other=ninth, actor=doris)

    after = opponents(draft)
    assert after[one.key] == ninth.key
    assert [key for key, met in after.items() if met is None] == [before[one.key]]


def test_pair_by_hand_bye_moves_from_one_to_the_other(division: Division, eight: list[Entry], doris: Actor) -> None:
    entries.enter(division, person=Person("Neunte, Ina"), actor=doris)
    draft = drafts.draft_round(division, actor=doris, wish=drafts.DrawWish(seed=3))
    before = opponents(draft)
    former = next(key for key, met in before.items() if met is None)
    one = next(entry for entry in eight if entry.key != former)

    draft_edits.pair_by_hand(draft, one=one, other=None, actor=doris)

    after = opponents(draft)
    assert after[one.key] is None
    assert after[former] == before[one.key]


def test_pair_by_hand_fills_a_round_by_hand(division: Division, four: list[Entry], doris: Actor) -> None:
    draft = drafts.draft_round(division, actor=doris, wish=drafts.DrawWish(method="manual"))

    draft_edits.pair_by_hand(draft, one=four[0], other=four[3], actor=doris)
    draft_edits.pair_by_hand(draft, one=four[1], other=four[2], actor=doris)

    assert opponents(draft) == {"P01": "P04", "P04": "P01", "P02": "P03", "P03": "P02"}
    assert rounds.unpaired(draft) == []


def test_turn_lets_the_other_start(draft: Round, eight: list[Entry], doris: Actor) -> None:
    pairing = pairing_of(draft, eight[0])
    starter, replier = pairing.first, pairing.second

    draft_edits.switch_starter(pairing, actor=doris)

    turned = pairing_of(draft, eight[0])
    assert (turned.first, turned.second) == (replier, starter)


def test_pair_rest_anew_keeps_the_locked_pairs(draft: Round, eight: list[Entry], doris: Actor) -> None:
    kept = pairing_of(draft, eight[0])
    draft_edits.set_locked(kept, locked=True, actor=doris)

    draft_edits.pair_rest_anew(draft, actor=doris, seed=99)

    again = pairing_of(draft, eight[0])
    draft.refresh_from_db()
    assert (again.first, again.second, again.locked) == (kept.first, kept.second, True)
    assert draft.seed == 99
    assert len(opponents(draft)) == 8


def test_every_edit_of_a_published_round_is_refused(draft: Round, eight: list[Entry], doris: Actor) -> None:
    pairing = pairing_of(draft, eight[0])
    rounds.publish_round(draft, actor=doris)
    before = opponents(draft)

    edits: tuple[Callable[[], None], ...] = (
        lambda: draft_edits.swap(draft, one=eight[0], other=eight[1], actor=doris),
        lambda: draft_edits.pair_by_hand(draft, one=eight[0], other=eight[1], actor=doris),
        lambda: draft_edits.switch_starter(pairing, actor=doris),
        lambda: draft_edits.set_locked(pairing, locked=True, actor=doris),
        lambda: draft_edits.pair_rest_anew(draft, actor=doris),
    )
    for edit in edits:
        with pytest.raises(draft_edits.NotADraft):
            edit()

    assert opponents(draft) == before


def test_swap_with_somebody_who_sits_out_is_refused(division: Division, draft: Round, doris: Actor) -> None:
    late = entries.enter(division, person=Person("Neunte, Ina"), actor=doris)
    one = league.entries(division)[0]

    with pytest.raises(draft_edits.NotInRound) as refused:
        draft_edits.swap(draft, one=one, other=late, actor=doris)

    assert refused.value.figures["name"] == "Neunte, Ina"


def test_pair_by_hand_with_somebody_absent_is_refused_by_name(draft: Round, eight: list[Entry], doris: Actor) -> None:
    attendance.set_absence(eight[3], number=1, counts_as_loss=False, actor=doris)
    before = opponents(draft)

    with pytest.raises(draft_edits.NotInRound) as refused:
        draft_edits.pair_by_hand(draft, one=eight[0], other=eight[3], actor=doris)

    assert refused.value.figures == {"name": eight[3].name, "number": 1}
    assert opponents(draft) == before


def test_edits_keep_why_the_others_start(draft: Round, eight: list[Entry], doris: Actor) -> None:
    one = pairing_of(draft, eight[0])
    rest = {pairing.first.pk for pairing in league.pairings(draft)} - {one.first.pk}

    draft_edits.switch_starter(one, actor=doris)

    reasons = {pairing.first.pk: starter(pairing) for pairing in league.pairings(draft)}
    assert one.second is not None
    assert reasons == {one.second.pk: "hand"} | dict.fromkeys(rest, "lot")


def test_pair_rest_anew_keeps_why_a_locked_player_starts(draft: Round, eight: list[Entry], doris: Actor) -> None:
    draft_edits.set_locked(pairing_of(draft, eight[0]), locked=True, actor=doris)

    draft_edits.pair_rest_anew(draft, actor=doris)

    assert starter(pairing_of(draft, eight[0])) == "lot"


def test_pair_rest_anew_gives_up_a_locked_pair_whose_player_has_left(
    draft: Round, eight: list[Entry], doris: Actor
) -> None:
    draft_edits.set_locked(pairing_of(draft, eight[0]), locked=True, actor=doris)
    attendance.set_absence(eight[0], number=1, actor=doris)

    draft_edits.pair_rest_anew(draft, actor=doris)

    assert eight[0].key not in {key for key, met in opponents(draft).items() if met}
    assert not rounds.unpaired(draft)


def test_changes_by_hand_are_said_as_that_and_the_notes_made_anew(
    draft: Round, eight: list[Entry], doris: Actor
) -> None:
    before = opponents(draft)
    other = next(entry for entry in eight[1:] if before[entry.key] != eight[0].key)

    draft_edits.swap(draft, one=eight[0], other=other, actor=doris)
    entries.keep_apart(
        eight[0], other=eight[[entry.key for entry in eight].index(before[other.key] or "")], actor=doris
    )

    draft.refresh_from_db()
    assert [note["code"] for note in draft.notes] == ["forbidden"]
    said = [pairing.why[0]["code"] for pairing in league.pairings(draft)]
    assert sorted(said) == ["hand", "hand", "seeding", "seeding"]
