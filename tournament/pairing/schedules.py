"""All-play-all schedules (Berger), also of groups of four drawn from rating quarters, and the rounds they pair. In a
schedule everyone meets everyone once a leg, and starts stay within one of even throughout. The last round of each leg
pairs slots 1–2, 3–4 …; with fewer rounds than a leg has, its last ones are played. It seats everybody who is entered,
whoever misses this round included: the opponent of somebody missing has a bye, and the missing player keeps the later
games. Whoever enters later takes a place that is free. Where the games, the director's pairs or too many late entries
have left the schedule, the players concerned are matched without repeats."""

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tournament.pairing.choosing import MethodPairs, pair_by_matching
from tournament.pairing.costs import COST_COMPONENTS, LOT_BITS, Edges
from tournament.pairing.field import PairingHistory
from tournament.pairing.lots import draw_pair_lot_bits, draw_player_lot
from tournament.pairing.matching import label_components, solve_matching
from tournament.pairing.values import (
    ChosenPair,
    Competitor,
    DrawNote,
    DrawRequest,
    Meeting,
    Method,
    NoteCode,
    ScheduledRounds,
    StarterReason,
)

GROUP_SIZE = 4

ClashCount = Callable[[Competitor, Sequence[Competitor]], int]
"""How badly a player fits into a group: 2 beside somebody to be kept apart from, 1 beside a clubmate."""


def sort_players_by_rating(players: Sequence[Competitor]) -> list[Competitor]:
    """The highest rating first; the unrated last, by seeding and rank."""
    return sorted(players, key=lambda p: (-(p.rating or 0), p.seeding is None, p.seeding or 0, p.rank))


def draw_groups(request: DrawRequest, seed: int) -> tuple[tuple[int, ...], ...]:
    """Draw the groups of all players; each lists its player of the first quarter, then of the second, and so on. A lot
    that would bring two together who are kept apart is passed over; where every lot would, clubmates come first."""
    pairs = {frozenset(pair) for pair in request.forbidden}

    def count_clashes(player: Competitor, group: Sequence[Competitor]) -> int:
        if any(frozenset((player.key, mate.key)) in pairs for mate in group):
            return 2
        return int(request.clubs_apart and player.club is not None and any(mate.club == player.club for mate in group))

    ordered = sort_players_by_rating((*request.competitors, *request.missing))
    # Those left over by fours make one group of three, five or six.
    count = max(1, (len(ordered) + 1) // GROUP_SIZE) if ordered else 0
    groups: list[list[Competitor]] = [[] for _ in range(count)]
    for quarter in range(GROUP_SIZE):
        last = (quarter + 1) * len(groups) if quarter < GROUP_SIZE - 1 else len(ordered)
        band = sorted(ordered[quarter * len(groups) : last], key=lambda p: draw_player_lot(seed, request.number(p.key)))
        _deal_players(band, groups, count_clashes)
    return tuple(tuple(player.key for player in group) for group in groups)


def _deal_players(band: list[Competitor], groups: list[list[Competitor]], count_clashes: ClashCount) -> None:
    """Give every group one player of the band, and the last group any left over."""
    waiting = list(band)
    dealt: list[tuple[list[Competitor], Competitor]] = []
    for index in range(len(band)):
        # Groups were once dealt without asking who is to be kept apart: a family came into one, where all meet.
        group = groups[min(index, len(groups) - 1)]
        clashes = {player.key: count_clashes(player, group) for player in waiting}
        player = min(waiting, key=lambda one: clashes[one.key])
        waiting.remove(player)
        if clashes[player.key]:
            player = _exchange_player(player, group, dealt, count_clashes)
        group.append(player)
        dealt.append((group, player))


def _exchange_player(
    player: Competitor,
    group: list[Competitor],
    dealt: list[tuple[list[Competitor], Competitor]],
    count_clashes: ClashCount,
) -> Competitor:
    """Put the player in an earlier group whose own player of this band fits here; return the one for this group."""
    worst = count_clashes(player, group)
    for index, (other, theirs) in enumerate(dealt):
        rest = [mate for mate in other if mate is not theirs]
        if max(count_clashes(theirs, group), count_clashes(player, rest)) < worst:
            other[other.index(theirs)] = player
            dealt[index] = (other, player)
            return theirs
    return player


def count_leg_rounds(players: int) -> int:
    """Rounds of one leg for this many players."""
    return max(1, players - 1 if players % 2 == 0 else players)


def fill_bye_slot(slots: Sequence[int], key: int) -> tuple[int, ...]:
    """The slots of an odd number of players with one more, who meets whoever would have the bye; nothing else moves."""
    return key, slots[-1], *slots[:-1]


def count_rounds_to_meet(players: Sequence[int], met: Collection[frozenset[int | None]]) -> int:
    """How many rounds it takes at least until all who have not met have: no player has two games in a round."""
    opponents_left = [sum(frozenset((one, other)) not in met for other in players if other != one) for one in players]
    return max(0, *opponents_left, -(-sum(opponents_left) // 2 // max(1, len(players) // 2))) if opponents_left else 0


def list_scheduled_pairs(slots: Sequence[int], index: int, total: int) -> list[tuple[int, int | None]]:
    """The games of round `index` (from 0) of `total`, players by seeding: starter and replier, or None for a bye."""
    leg = count_leg_rounds(len(slots))
    legs = -(-total // leg)
    since, position = divmod(index + legs * leg - total, leg)
    began = legs * leg - total if since == 0 else 0
    games = _list_slot_games(len(slots), position, position - began)
    named = [(slots[one], None if other is None else slots[other]) for one, other in games]
    # In every second leg the two change sides, so that each has started once.
    return [(one, None) if other is None else (other, one) for one, other in named] if since % 2 else named


def _list_slot_games(players: int, position: int, played: int) -> list[tuple[int, int | None]]:
    """Round `position` of a leg in which `played` rounds went before, as slots from 0. The classical circle: labels are
    taken modulo an odd number m, and in round s those whose labels add up to s meet. With an even number of players the
    first slot is in the middle and meets the label left over; otherwise that one has the bye. Of two on the circle, the
    one an odd number of steps ahead starts: this alternates from round to round."""
    m = count_leg_rounds(players)
    even = players % 2 == 0
    # The label of each slot, so that in the round with sum 0 neighbours meet.
    circle = [0] + [sign * step % m for step in range(1, (m + 1) // 2) for sign in (1, -1)]
    labels = [None, *circle] if even else [*circle[1:], 0]
    slot = {label: index for index, label in enumerate(labels) if label is not None}
    total = (position + 1) % m
    games: list[tuple[int, int | None]] = []
    for label, index in slot.items():
        partner = (total - label) % m
        if partner == label:
            games.append(((index, 0) if played % 2 == 0 else (0, index)) if even else (index, None))
        elif (label - partner) % m % 2:
            games.append((index, slot[partner]))
    return games


# The groups that a segment's schedule follows: as drawn, or found again from the games of the segment.
# Whoever stores a draft's groups hands them back in the request. An event read from a file has only its games: then
# the draw is repeated, and if it does not explain the games, the groups are put together from them.

GroupSlots = tuple[tuple[int, ...], ...]  # the players of each group in the order of the schedule's slots
_PAIR_SIZE = 2
_LARGEST_GROUP = 6  # the most players of a group that is not a round robin
_MOST_MISSING = 2  # the most withdrawn players whose slots in a round robin are looked for
_UNWANTED_COMPONENTS = slice(0, COST_COMPONENTS.index("repeats") + 1)  # what no round of a schedule should cost


def get_scheduled_rounds(request: DrawRequest) -> ScheduledRounds:
    """The request's segment; without one, a whole round robin or three rounds of groups that begin now."""
    if request.segment:
        return request.segment
    # With those who are missing: a schedule without them did not know who missed round 1 of an all-play-all, and that
    # player won it by byes, 4–1 without a game.
    seats = len(request.competitors) + len(request.missing)
    rounds = count_leg_rounds(seats) if request.method is Method.ROUND_ROBIN else GROUP_SIZE - 1
    return ScheduledRounds(request.round, request.round + rounds - 1, request.seed)


def find_group_slots(request: DrawRequest) -> GroupSlots:
    """The groups for this round of the segment; empty when its games fit no schedule."""
    now = get_scheduled_rounds(request)
    # What was drawn binds, even if games that were corrected no longer fit: `_find_scheduled_games` asks that of each
    # group.
    if now.groups:
        return now.groups
    began = [m for m in request.meetings if now.first_round <= m.round < request.round]
    tries = (
        _try_round_robins(request, began)
        if request.method is Method.ROUND_ROBIN
        else _try_group_draws(request, now, began)
    )
    return next((slots for slots in tries if has_scheduled_games(slots, now, began)), ())


def add_newcomer(drawn: GroupSlots, key: int, entered: Collection[int]) -> GroupSlots:
    """The groups with the newcomer in the place of a bye, or of somebody who is no longer entered, if there is one."""
    # The place of a bye before that of somebody who has left: whoever would rest plays, and no other game moves.
    for number, group in enumerate(drawn):
        if len(group) % 2:
            return *drawn[:number], fill_bye_slot(group, key), *drawn[number + 1 :]
    for number, group in enumerate(drawn):
        if leaver := next((other for other in group if other not in entered), None):
            return *drawn[:number], tuple(key if other == leaver else other for other in group), *drawn[number + 1 :]
    return drawn


def has_scheduled_games(found: GroupSlots, now: ScheduledRounds, began: Sequence[Meeting]) -> bool:
    """Whether the schedule of these groups has each of the games in its round."""
    games = {(m.round, frozenset((m.first, m.second))) for m in began if m.second is not None}
    for round_number in {number for number, _ in games}:
        for group in found:
            for one, other in list_scheduled_pairs(group, round_number - now.first_round, now.total):
                games.discard((round_number, frozenset((one, other))))
    return not games


def _try_round_robins(request: DrawRequest, began: Sequence[Meeting]) -> Iterator[GroupSlots]:
    """By seeding: everybody, or those there from the beginning; if few have left, with these in every place."""
    # Seeded players first, then by rating (unrated last), then by rank.
    players = sorted(
        (*request.competitors, *request.missing),
        key=lambda p: (p.seeding is None, p.seeding or 0, -(p.rating or 0), p.rank),
    )
    order = [player.key for player in players]
    if not order:
        return
    yield (tuple(order),)
    known_keys = {key for m in began for key in (m.first, m.second) if key is not None} or set(order)
    present = [key for key in order if key in known_keys]
    gone = sorted(known_keys - set(order))
    # Places are tried by permutation: three leavers of twenty have 6,840 of them.
    if len(gone) > _MOST_MISSING:
        return
    for places in itertools.permutations(range(len(known_keys)), len(gone)):
        filled = list(present)
        for place, key in sorted(zip(places, gone, strict=True)):
            filled.insert(place, key)
        yield (tuple(filled),)


def _try_group_draws(request: DrawRequest, now: ScheduledRounds, began: Sequence[Meeting]) -> Iterator[GroupSlots]:
    yield draw_groups(request, now.seed)
    played = [m for m in began if m.second is not None]
    if played:
        rested = [m.first for m in began if m.second is None]
        # The players who have met in the segment, directly or by way of others.
        keys = sorted({key for m in played for key in (m.first, m.second) if key is not None})
        index = {key: number for number, key in enumerate(keys)}
        one = np.array([index[m.first] for m in played])
        label = label_components(len(keys), one, np.array([index[m.second] for m in played if m.second is not None]))
        met = [[keys[at] for at in np.flatnonzero(label == number)] for number in range(int(label.max()) + 1)]
        yield tuple(_order_group(group, now, played) for group in _join_pairs(met, rested, request, now.seed))


def _join_pairs(met: list[list[int]], rested: list[int], request: DrawRequest, seed: int) -> list[list[int]]:
    """Join those who have met into groups of four from four rating quarters; players left over join one of these
    groups."""
    pairs = [group for group in met if len(group) == _PAIR_SIZE]
    members = [group for group in met if len(group) > _PAIR_SIZE]
    order = [player.key for player in sort_players_by_rating((*request.competitors, *request.missing))]
    quarter = {key: place * GROUP_SIZE // len(order) for place, key in enumerate(order)}
    single = [key for key in rested if all(key not in group for group in met)]
    unmatched = pairs.pop() if len(pairs) % 2 else []
    members += [pairs[one] + pairs[other] for one, other in _match_by_quarters(pairs, quarter, request, seed)]
    if unmatched and (single or not members):
        members.append(unmatched)
    elif unmatched:
        members[-1] = members[-1] + unmatched
    if single and members:
        members[-1] = members[-1] + single[:1]
    return members


def _match_by_quarters(
    pairs: list[list[int]], quarter: dict[int, int], request: DrawRequest, seed: int
) -> list[tuple[int, int]]:
    """Match pairs with pairs so that the fewest players of one rating quarter come together."""
    if not pairs:
        return []
    one, other = np.triu_indices(len(pairs), 1)
    clashes = [
        sum(quarter.get(a, -1) == quarter.get(b, -1) for a in pairs[i] for b in pairs[j])
        for i, j in zip(one.tolist(), other.tolist(), strict=True)
    ]
    first = np.array([request.number(min(pair)) for pair in pairs], np.int64)
    drawn = draw_pair_lot_bits(seed, first[one], first[other], LOT_BITS)
    chosen = solve_matching(Edges(one, other, (np.array(clashes, np.int64), drawn)), len(pairs))
    return [] if chosen is None else list(zip(one[chosen].tolist(), other[chosen].tolist(), strict=True))


def _order_group(group: list[int], now: ScheduledRounds, played: Sequence[Meeting]) -> tuple[int, ...]:
    """The group's players in an order whose schedule has their games so far; unchanged if there is none."""
    own = [m for m in played if m.first in group]
    if len(group) > _LARGEST_GROUP:
        return tuple(group)
    orders = itertools.permutations(group)
    return next((order for order in orders if has_scheduled_games((order,), now, own)), tuple(group))


@dataclass(frozen=True, slots=True)
class _RoundSchedule:
    """The schedule of this round."""

    slots: GroupSlots
    games: dict[int, list[ChosenPair]]  # of the groups that keep to it, by place; of players left to the method
    late: tuple[int, ...]  # who came too late for a place
    notes: tuple[DrawNote, ...]


def pair_groups(rest: Sequence[Competitor], past: PairingHistory, request: DrawRequest) -> MethodPairs:
    """The schedule of each group. Those without an opponent there are matched with each other by Swiss. Those are one
    of a group of three or five, latecomers, the opponents of players who have left, and the members of a group that has
    left its schedule. Where they cannot do without a repeat or a second bye, a group joins them."""
    table = _build_round_schedule(rest, request)
    swiss = replace(request, method=Method.SWISS, later=())
    # From the last group up, which is the one of three, five or six where the field is no multiple of four; then all of
    # them.
    for joining in ((), *((number,) for number in reversed(table.games)), tuple(table.games)):
        chosen = [
            choice for number, group_games in table.games.items() if number not in joining for choice in group_games
        ]
        matched = _match_left_over(_list_without_game(rest, chosen), table, past, swiss)
        if not any(matched.cost[_UNWANTED_COMPONENTS]):
            break
    return replace(matched, choices=chosen + matched.choices, notes=table.notes, groups=table.slots)


def pair_round_robin(rest: Sequence[Competitor], past: PairingHistory, request: DrawRequest) -> MethodPairs:
    """The schedule; whoever has no opponent there has a bye. Where it no longer holds, everybody is matched."""
    table = _build_round_schedule(rest, request)
    notes = *table.notes, *_note_rounds_needed(table, request)
    if not table.games or table.late:
        # All rounds of the segment are matched, this one and those to come.
        method, last = Method.KING_OF_THE_HILL, get_scheduled_rounds(request).last_round
        later = tuple(replace(one, method=method) if one.number <= last else one for one in request.later)
        draft = pair_by_matching(rest, past, replace(request, method=method, later=later))
        return replace(draft, notes=notes + draft.notes, groups=table.slots)
    # A bye goes to whoever the schedule says, also if it is their second.
    idle = [ChosenPair(player.key, flag=None, group=1) for player in _list_without_game(rest, table.games[0])]
    return MethodPairs(table.games[0] + idle, notes=notes, groups=table.slots)


def _build_round_schedule(rest: Sequence[Competitor], request: DrawRequest) -> _RoundSchedule:
    drawn = find_group_slots(request)
    everybody = [player.key for player in _sort_by_rank(request.competitors) + _sort_by_rank(request.missing)]
    seated = {key for group in drawn for key in group}
    newcomers = [key for key in everybody if drawn and key not in seated]
    slots = drawn
    for key in newcomers:
        slots = add_newcomer(slots, key, frozenset(everybody))
    seated = {key for group in slots for key in group}
    late = tuple(key for key in newcomers if key not in seated)
    notes = [DrawNote(NoteCode.TAKES_BYE, (key,)) for key in newcomers if key in seated]
    notes += [DrawNote(NoteCode.NOT_IN_SCHEDULE, late)] if late else []
    return _RoundSchedule(slots, _find_scheduled_games(slots, rest, request), late, tuple(notes))


def _find_scheduled_games(
    slots: GroupSlots, rest: Sequence[Competitor], request: DrawRequest
) -> dict[int, list[ChosenPair]]:
    """What the schedule of each group makes of this round, of those groups that keep to theirs."""
    by_hand: dict[int | None, int | None] = {}
    for pair in request.given:
        by_hand |= {pair.first: pair.second, pair.second: pair.first}
    there = {player.key for player in request.competitors}
    missing = {player.key for player in request.missing}
    free = {player.key for player in rest}
    now = get_scheduled_rounds(request)
    number_of = {key: number for number, group in enumerate(slots) for key in group}
    played: list[list[Meeting]] = [[] for _ in slots]  # since the schedule began, inside each group
    for one in request.meetings:
        number = number_of.get(one.first)
        if number is not None and one.second in slots[number] and one.round >= now.first_round:
            played[number].append(one)
    games: dict[int, list[ChosenPair]] = {}
    for number, group in enumerate(slots):
        planned = list_scheduled_pairs(group, request.round - now.first_round, now.total)
        # The director's pairs and byes are this round's games, or of players without an opponent here.
        both_there = [(one, other) for one, other in planned if one in there and other in there]
        undisturbed = all(
            by_hand.get(one, other) == other and by_hand.get(other, one) == one for one, other in both_there
        )
        if undisturbed and has_scheduled_games((group,), now, played[number]):
            choices = _choose_group_games(planned, number + 1, there, missing)
            games[number] = [choice for choice in choices if choice.first in free]
    return games


def _choose_group_games(
    planned: Sequence[tuple[int, int | None]], number: int, there: Collection[int], missing: Collection[int]
) -> Iterator[ChosenPair]:
    """The games between players who are there, and the byes of those whose opponents are missing."""
    for one, other in planned:
        if other is None:
            continue
        if one in there and other in there:
            yield ChosenPair(one, other, None, StarterReason.SCHEDULE, group=number)
        # Somebody who is entered and not there keeps the place: the opponent rests, and all later games stay as they
        # are.
        elif one in there and other in missing:
            yield ChosenPair(one, flag=None, group=number)
        elif other in there and one in missing:
            yield ChosenPair(other, flag=None, group=number)


def _match_left_over(
    left: Sequence[Competitor], table: _RoundSchedule, past: PairingHistory, request: DrawRequest
) -> MethodPairs:
    """Match those without an opponent in their schedule; one alone has the bye of their group."""
    if len(left) == 1 and left[0].key not in table.late and not past.record(left[0].key).byes:
        number = next((number for number, group in enumerate(table.slots, 1) if left[0].key in group), None)
        return MethodPairs([ChosenPair(left[0].key, flag=None, group=number)])
    return pair_by_matching(left, past, request)


def _note_rounds_needed(table: _RoundSchedule, request: DrawRequest) -> Iterable[DrawNote]:
    """The note, when the schedule is made or changes, that the plan has fewer rounds than it takes for everybody to
    meet everybody."""
    now = get_scheduled_rounds(request)
    if not table.slots or not (table.notes or request.round == now.first_round):
        return
    everybody = [player.key for player in (*request.competitors, *request.missing)]
    met = {frozenset((m.first, m.second)) for m in request.meetings if m.round >= now.first_round}
    needed = request.round - now.first_round + count_rounds_to_meet(everybody, met)
    if needed > now.total:
        yield DrawNote(NoteCode.ROUNDS_NEEDED, table.late, needed)


def _list_without_game(players: Sequence[Competitor], games: Sequence[ChosenPair]) -> list[Competitor]:
    """Those who have no game, by rank."""
    busy = {key for choice in games for key in choice.keys}
    return _sort_by_rank(player for player in players if player.key not in busy)


def _sort_by_rank(players: Iterable[Competitor]) -> list[Competitor]:
    return sorted(players, key=lambda player: player.rank)
