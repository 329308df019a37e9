"""Groups of four from the rating quarters, and the schedules that follow a segment through its rounds."""

from collections import Counter
from dataclasses import replace

import pytest

from tests.tournament.pairing import events
from tournament.pairing.drafting import draw_round
from tournament.pairing.schedules import draw_groups, find_group_slots
from tournament.pairing.values import (
    ChosenPair,
    Competitor,
    Draft,
    DrawRequest,
    Method,
    NoteCode,
    PairFlag,
    ScheduledRounds,
    StarterReason,
)


def rated(count: int) -> tuple[Competitor, ...]:
    """Players 1 … count, the best rating first, ranked the other way round."""
    return tuple(Competitor(key, count + 1 - key, 0, 2500 - 10 * key) for key in range(1, count + 1))


def play(event: events.Event, segment: ScheduledRounds, rounds: int = 3, **wishes: object) -> list[Draft]:
    """Some rounds of a segment, each told the groups of the one before."""
    drafts = []
    for _ in range(rounds):
        drafts.append(event.play(segment=segment, **wishes))
        segment = replace(segment, groups=drafts[-1].groups)
    return drafts


@pytest.mark.parametrize("count", range(1, 30))
@pytest.mark.sampled(9)
def test_sizes_are_fours_and_one_group_of_the_rest(count: int) -> None:
    sizes = Counter(len(group) for group in draw_groups(DrawRequest(rated(count)), 1))

    rest = {0: {}, 1: {5: 1}, 2: {6: 1}, 3: {3: 1}}[count % 4]
    fours = (count - sum(size for size in rest)) // 4
    assert sizes == (Counter({4: fours}) + Counter(rest) if count > 2 else Counter({count: 1}))


@pytest.mark.parametrize("count", [8, 16, 40])
def test_each_group_has_one_player_of_each_rating_quarter(count: int) -> None:
    for group in draw_groups(DrawRequest(rated(count)), 5):
        assert [(key - 1) * 4 // count for key in group] == [0, 1, 2, 3]


def test_groups_are_drawn_from_the_seed() -> None:
    drawn = [draw_groups(DrawRequest(rated(16)), seed) for seed in range(30)]

    assert len(set(drawn)) == 30
    assert drawn[3] == draw_groups(DrawRequest(tuple(reversed(rated(16)))), 3)


def test_unrated_players_make_the_last_quarter() -> None:
    newcomers = [replace(player, rating=None) for player in rated(8)[:2]]

    drawn = draw_groups(DrawRequest((*newcomers, *rated(8)[2:])), 1)

    assert {group[3] for group in drawn} == {1, 2}


@pytest.mark.parametrize("seed", range(20))
def test_clubmates_are_dealt_to_different_groups(seed: int) -> None:
    players = [replace(player, club=player.key % 4) for player in rated(16)]

    drawn = draw_groups(DrawRequest(tuple(players), clubs_apart=True), seed)

    assert all(len({key % 4 for key in group}) == 4 for group in drawn)
    assert sorted(key for group in drawn for key in group) == list(range(1, 17))
    assert [[(key - 1) // 4 for key in group] for group in drawn] == [[0, 1, 2, 3]] * 4


@pytest.mark.parametrize("count", [4, 8, 12, 24])
def test_groups_of_four_play_all_against_all_in_three_rounds(count: int) -> None:
    event = events.Event(count, count)

    drafts = play(event, ScheduledRounds(1, 3, seed=8), method=Method.GROUPS)

    met = Counter(frozenset((game.first, game.second)) for game in event.meetings)
    mates = {frozenset((one, other)) for group in drafts[0].groups for one in group for other in group if one != other}
    assert met == Counter(mates)
    assert all(abs(balance) == 1 for balance in events.balances(event.meetings).values())
    assert {pair.starter_by for draft in drafts for pair in draft.pairs} == {StarterReason.SCHEDULE}


@pytest.mark.parametrize("count", [3, 5, 6, 7, 9, 10, 11, 21, 22, 23])
def test_groups_of_other_sizes_have_no_repeat_and_no_second_bye(count: int) -> None:
    event = events.Event(count, count)

    drafts = play(event, ScheduledRounds(1, 3, seed=8), method=Method.GROUPS)

    flags = {flag for draft in drafts for pair in draft.pairs for flag in pair.flags}
    assert not flags & {PairFlag.REPEAT, PairFlag.SECOND_BYE}
    assert [sum(pair.second is None for pair in draft.pairs) for draft in drafts] == [count % 2] * 3
    assert {draft.groups for draft in drafts} == {drafts[0].groups}


def test_groups_need_not_be_kept_while_nobody_comes_or_goes() -> None:
    event = events.Event(20, 3)

    drafts = [event.play(method=Method.GROUPS, segment=ScheduledRounds(1, 3, seed=4)) for _ in range(3)]

    assert drafts[0].groups == drafts[1].groups == drafts[2].groups


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize("count", [8, 9, 10, 11, 24])
def test_groups_are_found_again_from_the_games(count: int, rounds: int) -> None:
    event = events.Event(count, count)
    play(event, ScheduledRounds(1, 3, seed=8), rounds, method=Method.GROUPS)

    for _ in range(3 - rounds):
        draft = event.play(method=Method.GROUPS, segment=ScheduledRounds(1, 3, seed=99))

        assert draft.groups
        assert not {PairFlag.REPEAT, PairFlag.SECOND_BYE} & {flag for pair in draft.pairs for flag in pair.flags}

    assert sorted(len(group) for group in draft.groups) == sorted(
        map(len, draw_groups(DrawRequest(event.competitors()), 1))
    )


def test_pairs_that_met_are_joined_across_all_quarters() -> None:
    past = events.games((1, 16), (2, 15), (3, 14), (4, 13), (5, 12), (6, 11), (7, 10), (8, 9))

    found = find_group_slots(
        DrawRequest(rated(16), past, 2, method=Method.GROUPS, segment=ScheduledRounds(1, 3, seed=1))
    )

    assert [sorted((key - 1) // 4 for key in group) for group in found] == [[0, 1, 2, 3]] * 4


def test_games_that_fit_no_groups_leave_it_to_swiss() -> None:
    past = (
        *events.games((1, 2), (3, 4), (5, 6), (7, 8)),
        *events.games((2, 3), (4, 5), (6, 7), (8, 1), round=2),
    )

    draft = draw_round(DrawRequest(rated(8), past, 3, method=Method.GROUPS, segment=ScheduledRounds(1, 3)))

    assert draft.groups == ()
    assert draft.notes == ()
    assert {flag for pair in draft.pairs for flag in pair.flags} <= {PairFlag.THIRD_START_IN_ROW}


def test_late_entry_meets_whoever_would_have_had_the_bye() -> None:
    event = events.Event(8, 1)
    event.active.remove(8)
    (first,) = play(event, ScheduledRounds(1, 3, seed=1), 1, method=Method.GROUPS)
    event.active.add(8)

    draft = event.play(method=Method.GROUPS, segment=ScheduledRounds(1, 3, seed=1, groups=first.groups))

    assert all(pair.second is not None for pair in draft.pairs)
    assert [(note.code, note.keys) for note in draft.notes] == [(NoteCode.TAKES_BYE, (8,))]


def test_opponents_of_two_who_left_meet_each_other() -> None:
    event = events.Event(12, 2)
    (first,) = play(event, ScheduledRounds(1, 3, seed=1), 1, method=Method.GROUPS)
    event.active -= {first.groups[0][0], first.groups[1][2]}

    draft = event.play(method=Method.GROUPS, segment=ScheduledRounds(1, 3, seed=1, groups=first.groups))

    assert len(draft.pairs) == 5
    assert all(pair.second is not None for pair in draft.pairs)
    assert [pair.group is None for pair in draft.pairs].count(True) == 1


def test_game_that_a_swap_has_brought_forward_is_not_played_again() -> None:
    first = draw_round(DrawRequest(rated(5), round=1, method=Method.GROUPS, segment=ScheduledRounds(1, 3, seed=1)))
    group = first.groups[0]
    swapped = events.games((group[0], group[1]), (group[2], group[3]), (group[4], None))

    for number in (2, 3):
        segment = ScheduledRounds(1, 3, 1, first.groups)
        draft = draw_round(DrawRequest(rated(5), swapped, number, method=Method.GROUPS, segment=segment))
        swapped += tuple(
            replace(game, round=number) for game in events.games(*((p.first, p.second) for p in draft.pairs))
        )

        assert not {PairFlag.REPEAT} & {flag for pair in draft.pairs for flag in pair.flags}


def test_locked_pair_leaves_its_groups_to_the_others() -> None:
    request = DrawRequest(
        rated(8), method=Method.GROUPS, segment=ScheduledRounds(1, 3, seed=3), given=(ChosenPair(1, 2),)
    )

    draft = draw_round(request)

    assert frozenset((1, 2)) in events.opponents(draft.pairs)
    assert len(draft.pairs) == 4
    assert sorted(key for group in draft.groups for key in group) == list(range(1, 9))


@pytest.mark.parametrize("players", [2, 3, 6, 7, 12])
def test_round_robin_brings_everybody_together_once(players: int) -> None:
    event = events.Event(players, players)
    rounds = players - 1 + players % 2

    drafts = [event.play(method=Method.ROUND_ROBIN, segment=ScheduledRounds(1, rounds)) for _ in range(rounds)]

    met = Counter(frozenset((game.first, game.second)) for game in event.meetings if game.second)
    assert len(met) == players * (players - 1) // 2
    assert set(met.values()) == {1}
    assert all(abs(balance) <= 1 for balance in events.balances(event.meetings).values())
    assert {draft.groups for draft in drafts} == {drafts[0].groups}


def test_round_robin_without_a_segment_is_one_leg() -> None:
    event = events.Event(6, 1)

    drafted = draw_round(event.request(method=Method.ROUND_ROBIN))

    segment = ScheduledRounds(1, 5)
    assert drafted.pairs == draw_round(event.request(method=Method.ROUND_ROBIN, segment=segment)).pairs


def test_round_robin_ends_with_the_neighbours_in_the_seeding() -> None:
    players = tuple(replace(player, seeding=player.rank) for player in rated(6))

    draft = draw_round(DrawRequest(players, round=5, method=Method.ROUND_ROBIN, segment=ScheduledRounds(1, 5)))

    assert events.opponents(draft.pairs) == {frozenset(pair) for pair in ((6, 5), (4, 3), (2, 1))}


def test_round_robin_goes_on_with_byes_when_somebody_leaves() -> None:
    event = events.Event(8, 4)
    segment = ScheduledRounds(1, 7)
    opening = [event.play(method=Method.ROUND_ROBIN, segment=segment) for _ in range(2)]
    event.active -= {3, 5}

    rest = [event.play(method=Method.ROUND_ROBIN, segment=segment) for _ in range(5)]

    met = Counter(frozenset((game.first, game.second)) for game in event.meetings if game.second)
    stayed = {pair: times for pair, times in met.items() if pair <= event.active}
    assert len(stayed) == 15
    assert set(met.values()) == {1}
    assert {draft.groups for draft in rest} == {opening[0].groups}


def test_round_robin_gives_a_late_entry_the_byes() -> None:
    event = events.Event(8, 4)
    event.active.remove(8)
    segment = ScheduledRounds(1, 7)
    opening = event.play(method=Method.ROUND_ROBIN, segment=segment)
    event.active.add(8)

    for _ in range(6):
        draft = event.play(method=Method.ROUND_ROBIN, segment=replace(segment, groups=opening.groups))
        assert NoteCode.TAKES_BYE in {note.code for note in draft.notes}

    met = Counter(frozenset((game.first, game.second)) for game in event.meetings if game.second)
    assert set(met.values()) == {1}
    assert sum(game.second is None for game in event.meetings) == 1


def test_two_late_entries_to_a_round_robin_meet_each_other() -> None:
    event = events.Event(6, 4)
    event.active -= {5, 6}
    opening = event.play(method=Method.ROUND_ROBIN, segment=ScheduledRounds(1, 3))
    event.active |= {5, 6}

    draft = event.play(method=Method.ROUND_ROBIN, segment=ScheduledRounds(1, 3, groups=opening.groups))

    assert frozenset((5, 6)) in events.opponents(draft.pairs)


def test_round_robin_that_fits_no_schedule_goes_on_without_repeats() -> None:
    past = (*events.games((1, 2), (3, 4), (5, 6)), *events.games((1, 3), (2, 5), (4, 6), round=2))

    draft = draw_round(DrawRequest(rated(6), past, 3, method=Method.ROUND_ROBIN, segment=ScheduledRounds(1, 5)))

    assert draft.groups == ()
    assert all(PairFlag.REPEAT not in pair.flags for pair in draft.pairs)


def test_too_many_missing_players_are_not_searched_for() -> None:
    past = events.games((1, 11), (2, 12), (3, 13))

    draft = draw_round(DrawRequest(rated(3), past, 2, method=Method.ROUND_ROBIN, segment=ScheduledRounds(1, 5)))

    assert draft.groups == ()
    assert len(draft.pairs) == 2
