"""Who is to be kept apart (family, club) is, however often a round is paired, and from the round on that it is said."""

import itertools

import pytest

from tests import factories
from tests.tournament.rounds import steps
from tournament.entries.operations.entries import allow_to_meet, keep_apart
from tournament.models import Club, Division, Entry, KeptApart, Pairing, Round
from tournament.pairing.values import Method, PairFlag
from tournament.rounds.drafts import DrawWish, draft_round, pair_rest_anew, set_pair_locked
from tournament.rounds.operations import publish_round, unpublish_round
from tournament.rounds.plan import PlanSegment
from tournament.table.league import list_round_pairings

pytestmark = pytest.mark.django_db

METHODS = [Method.SWISS, Method.KING_OF_THE_HILL, Method.FACTOR, Method.RANDOM]


def field(division: Division) -> list[Entry]:
    return list(Entry.objects.filter(division=division).with_names().in_order())


def family(division: Division) -> set[frozenset[int]]:
    """The three strongest are a family; by rank or by halves some of them would meet sooner or later."""
    family = field(division)[:3]
    pairs = list(itertools.combinations(family, 2))
    for one, other in pairs:
        keep_apart(one, other=other, actor=factories.director())
    return {frozenset((one.pk, other.pk)) for one, other in pairs}


def meeting(round: Round) -> set[frozenset[int]]:
    pairings = Pairing.objects.filter(round=round, kind=Pairing.Kind.GAME).with_players()
    return {frozenset(seat.entry_id for seat in pairing.seats.all()) for pairing in pairings}


def drafted(division: Division, seed: int, method: Method = Method.SWISS) -> Round:
    return draft_round(division, actor=factories.director(), wish=DrawWish(method=method, seed=seed))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("method", METHODS)
def test_family_is_kept_apart_in_every_drawing_of_a_round(method: Method) -> None:
    division = factories.event(players=8)
    apart = family(division)

    draft = drafted(division, 1, method)
    assert not meeting(draft) & apart
    set_pair_locked(list_round_pairings(draft)[1], locked=True, actor=factories.director())
    pair_rest_anew(draft, actor=factories.director(), seed=101)
    assert not meeting(draft) & apart


@pytest.mark.long
def test_family_is_kept_apart_when_a_published_round_is_taken_back() -> None:
    division = factories.event(players=8)
    apart = family(division)
    draft = drafted(division, 1)
    publish_round(draft, actor=factories.director())
    unpublish_round(Round.objects.get(pk=draft.pk), actor=factories.director())
    taken_back = Round.objects.get(division=division)

    pair_rest_anew(taken_back, actor=factories.director(), seed=9)
    again = meeting(taken_back)
    anew = meeting(drafted(division, 7))

    assert not (again | anew) & apart


def test_family_is_kept_apart_from_the_round_on_that_it_is_said() -> None:
    division = factories.event(players=4)
    one, other = field(division)[0], field(division)[2]
    both = frozenset((one.pk, other.pk))
    draft = drafted(division, 1)
    assert both in meeting(draft)

    keep_apart(one, other=other, actor=factories.director())
    pair_rest_anew(draft, actor=factories.director(), seed=1)

    assert both not in meeting(draft)
    allow_to_meet(KeptApart.objects.get(), actor=factories.director())
    assert both in meeting(drafted(division, 1))


def test_family_of_an_earlier_meeting_is_kept_apart_in_later_rounds_alone() -> None:
    division = factories.event(players=6)
    steps.play_next_round(division, factories.director())
    before = meeting(Round.objects.get(division=division))
    apart = family(division)

    for _ in range(2):
        assert not meeting(steps.play_next_round(division, factories.director())) & apart

    assert meeting(Round.objects.get(division=division, number=1)) == before


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(8))
def test_family_is_drawn_into_different_groups(seed: int) -> None:
    division = factories.event(players=12, clubs_apart=0)
    division.plan = [PlanSegment(1, 3, Method.GROUPS).stored()]
    division.save(update_fields=["plan"])
    apart = {frozenset((one.pk, other.pk)) for one, other in itertools.combinations(field(division)[2:5], 2)}
    for one, other in map(sorted, apart):
        KeptApart.objects.create(one_id=one, other_id=other)

    drawn = draft_round(division, actor=factories.director(), wish=DrawWish(seed=seed))

    assert len(drawn.groups) == 3
    assert not any(pair <= set(group) for pair in apart for group in drawn.groups)


@pytest.mark.long
def test_clubmates_are_kept_apart_in_every_drawing_of_the_first_rounds_and_no_other() -> None:
    division = factories.event(players=8, clubs_apart=2)
    mates = field(division)[:2]
    Entry.objects.exclude(pk__in=[entry.pk for entry in mates]).update(club=None)
    Entry.objects.filter(pk__in=[entry.pk for entry in mates]).update(club=Club.objects.first())
    both = frozenset(entry.pk for entry in mates)

    for _ in range(2):
        for seed in range(4):
            draft = drafted(division, seed, Method.KING_OF_THE_HILL)
            assert both not in meeting(draft)
            set_pair_locked(list_round_pairings(draft)[3], locked=True, actor=factories.director())
            pair_rest_anew(draft, actor=factories.director(), seed=seed)
            assert both not in meeting(draft)
        publish_round(draft, actor=factories.director())
        unpublish_round(Round.objects.get(pk=draft.pk), actor=factories.director())
        assert both not in meeting(drafted(division, 11, Method.KING_OF_THE_HILL))
        steps.play_next_round(division, factories.director())

    third = drafted(division, 1, Method.KING_OF_THE_HILL)
    drawn = meeting(third)
    assert not any(PairFlag.SAME_CLUB in pairing.flags for pairing in list_round_pairings(third))
    Entry.objects.update(club=None)
    assert drawn == meeting(drafted(division, 1, Method.KING_OF_THE_HILL))
