"""The same input and seed give the same draw, whatever primary keys the rows happen to have."""

from dataclasses import replace

import pytest

from tests.tournament.rounds import steps
from tournament.core.change import TERMINAL_ACTOR, Actor
from tournament.exchange.event_rows import load_event_data, store_event_data
from tournament.models import Division, Entry
from tournament.pairing.drafting import draw_round
from tournament.pairing.values import (
    ChosenPair,
    Competitor,
    Draft,
    DrawRequest,
    Meeting,
    Method,
    RequestImpossible,
    ScheduledRounds,
)
from tournament.rounds.drafts import DrawWish, draft_round
from tournament.table.league import list_round_pairings

KEYS = (3, 7, 20, 21, 500, 501)


def asked(keys: tuple[int, ...], method: Method = Method.SWISS) -> DrawRequest:
    """Six players after one round, under these keys."""
    return DrawRequest(
        competitors=tuple(Competitor(key, rank, rating=2000 - rank) for rank, key in enumerate(keys, 1)),
        meetings=(Meeting(1, keys[0], keys[1]), Meeting(1, keys[2], keys[3]), Meeting(1, keys[4], keys[5])),
        round=2,
        rounds=3,
        method=method,
        seed=5,
        forbidden=frozenset({(keys[5], keys[0])}),
    )


def places(draft: Draft, keys: tuple[int, ...]) -> list[tuple[int | None, int, int | None]]:
    """A draft with each key's place in `keys` instead of the key."""
    return [
        (pair.table, keys.index(pair.first), None if pair.second is None else keys.index(pair.second))
        for pair in draft.pairs
    ]


@pytest.mark.parametrize("method", [Method.SWISS, Method.RANDOM, Method.KING_OF_THE_HILL])
def test_draw_does_not_depend_on_the_keys(method: Method) -> None:
    plain = tuple(range(1, 7))

    drafts = [(draw_round(asked(keys, method)), keys) for keys in (plain, KEYS, tuple(10 * key for key in KEYS))]

    first, *others = [places(draft, keys) for draft, keys in drafts]
    assert others == [first, first]


def test_draw_names_groups_by_their_keys_and_takes_them_back() -> None:
    request = replace(asked(KEYS, Method.GROUPS), meetings=(), round=1, segment=ScheduledRounds(1, 3, seed=5))
    groups = draw_round(request).groups

    played = tuple(Meeting(1, pair.first, pair.second) for pair in draw_round(request).pairs if pair.second)
    again = draw_round(replace(request, meetings=played, round=2, segment=ScheduledRounds(1, 3, seed=5, groups=groups)))

    assert {key for group in groups for key in group} == set(KEYS)
    assert again.groups == groups


def test_draw_keeps_given_pairs_and_named_byes() -> None:
    request = replace(
        asked(KEYS),
        competitors=asked(KEYS).competitors[:5],
        given=(ChosenPair(KEYS[0], KEYS[2]), ChosenPair(KEYS[4])),
        forbidden=frozenset(),
    )

    pairs = {(pair.first, pair.second) for pair in draw_round(request).pairs}

    assert {(KEYS[0], KEYS[2]), (KEYS[4], None)} <= pairs


def test_what_stands_in_the_way_is_named_by_the_keys() -> None:
    request = replace(asked(KEYS), given=(ChosenPair(KEYS[0], KEYS[0]),))

    with pytest.raises(RequestImpossible) as refused:
        draw_round(request)

    assert KEYS[0] in {key for obstacle in refused.value.obstacles for key in obstacle.keys}


def test_draft_of_an_imported_event_is_the_same(division: Division, doris: Actor, four: list[Entry]) -> None:
    steps.play_next_round(division, doris)
    event = replace(load_event_data(division.tournament), slug="elsewhere")
    copy = store_event_data(event, actor=TERMINAL_ACTOR).divisions.get(name="A")

    rounds = [draft_round(each, actor=doris, wish=DrawWish(seed=7)) for each in (division, copy)]

    here, there = [
        [
            (pairing.table, pairing.first.key, pairing.second and pairing.second.key)
            for pairing in list_round_pairings(each)
        ]
        for each in rounds
    ]
    assert here == there
