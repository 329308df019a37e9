"""Why these two meet: the reasons for each pair of a draft and the notes on the whole, each of them true. Reasons are
proposed from the facts and given only if their predicate holds: one for each code, on its figures, its pair, and the
facts of the round. The tests work the facts out a second time and ask the same predicates."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace

from tournament.pairing.byes import count_rounds_left
from tournament.pairing.contention import find_hopes
from tournament.pairing.contest_reasons import (
    is_for_prizes,
    is_hopeful,
    is_lowest_hopeful,
    is_out_of_reach,
    propose_contest_reasons,
)
from tournament.pairing.facts import Participant, Proposals, ReasonFigures, RoundFacts, build_proof
from tournament.pairing.field import PairingHistory, build_pairing_history
from tournament.pairing.notes import MEETING_NOTES, list_notes
from tournament.pairing.seating import count_starts_in_row, measure_start_excess
from tournament.pairing.values import (
    ByePolicy,
    ByeReason,
    Draft,
    DraftPair,
    DrawRequest,
    FloatReason,
    Method,
    PairFlag,
    Reason,
    ReasonCode,
    StarterReason,
    StartPolicy,
)

NEIGHBOUR_METHODS = (Method.KING_OF_THE_HILL, Method.AUSTRALIAN, Method.ROUND_ROBIN)
"""The methods whose free pairs are neighbours in the table."""

HALVES_METHODS = (
    Method.SWISS,
    Method.GROUPS,
    Method.CONTENTION,
    Method.TEAMS,
)  # the methods whose free pairs are the upper half against the lower

MOST_NEARER_NAMED = 3  # players who stood nearer: more would not be read
LONG_ROW = 3  # starts in a row that are worth a word

Predicate = Callable[[ReasonFigures, DraftPair, RoundFacts], bool]


def is_reason_true(reason: Reason, pair: DraftPair, facts: RoundFacts) -> bool:
    """Whether the reason is true of the pair, which is one of the facts' own."""
    return _PREDICATES[reason.code](reason.figures, pair, facts)


def _get_both_players(pair: DraftPair, facts: RoundFacts) -> tuple[Participant, Participant]:
    if pair.second is None:
        raise ValueError(f"a bye has no second player: {pair}")
    return facts.players[pair.first], facts.players[pair.second]


def _has_ranks(figures: ReasonFigures, pair: DraftPair, facts: RoundFacts) -> bool:
    second = None if pair.second is None else facts.players[pair.second].rank
    return facts.is_ranked and (figures["first"], figures["second"]) == (facts.players[pair.first].rank, second)


def _has_seeding(figures: ReasonFigures, pair: DraftPair, facts: RoundFacts) -> bool:
    both = [facts.players[key] for key in (pair.first, pair.second) if key is not None]
    places = [player.seeding for player in both] + [None] * (2 - len(both))
    by = "rating" if all(player.rated for player in both) else "entry"
    is_true = [figures["first"], figures["second"], figures["by"]] == [*places, by]
    return not facts.is_ranked and is_true and places[0] is not None


def _has_places(figures: ReasonFigures, pair: DraftPair, facts: RoundFacts) -> bool:
    one, other = _get_both_players(pair, facts)
    if one.half_wins != other.half_wins:
        return False
    group = facts.score_groups[one.half_wins]
    places = [group[key] for key in (pair.first, pair.second) if key is not None]
    return [figures["places"], figures["of"]] == [places, len(group)]


def _meets_across_halves(figures: ReasonFigures, pair: DraftPair, facts: RoundFacts) -> bool:
    low, high = sorted(figures["places"])
    half: int = figures["of"] // 2
    across = facts.request.method in HALVES_METHODS and pair.free and low <= half < high
    return across and _has_places(figures, pair, facts)


def _count_between(pair: DraftPair, facts: RoundFacts) -> int:
    """How many players with a game stand between the two in the table."""
    one, other = (facts.playing[key] for key in pair.keys)
    return abs(one - other) - 1


def _are_ranks_apart(figures: ReasonFigures, pair: DraftPair, facts: RoundFacts) -> bool:
    is_true = figures["apart"] == _count_between(pair, facts) + 1 and figures["wanted"] == facts.request.factor
    return is_true and facts.request.method is Method.FACTOR and pair.free


def _is_in_group(figures: ReasonFigures, pair: DraftPair, facts: RoundFacts) -> bool:
    number = figures["group"]
    is_group = facts.request.method is Method.GROUPS and 1 <= number <= len(facts.groups)
    return is_group and number == pair.group and pair.keys <= set(facts.groups[number - 1])


# Why two of different scores meet.


def _is_float(figures: ReasonFigures, pair: DraftPair, facts: RoundFacts) -> bool:
    wins = [player.half_wins for player in _get_both_players(pair, facts)]
    is_true = figures["half_wins"] == wins and wins[0] != wins[1]
    return is_true and _FLOATS[figures["because"]](figures, pair, facts)


def _crosses_boundary(figures: ReasonFigures, pair: DraftPair, facts: RoundFacts) -> bool:
    """Whether the pair lies across the boundary that the figures speak of, chosen by score."""
    return facts.by_score and pair.free and facts.crosses(pair, figures["from"])


def _is_odd_group(figures: ReasonFigures, pair: DraftPair, facts: RoundFacts) -> bool:
    above = facts.count_above(figures["from"])
    # Alone across the boundary: of several pairs an odd number explains one, and nobody can say which.
    only = facts.crossing(figures["from"]) == [pair]
    return _crosses_boundary(figures, pair, facts) and only and above % 2 == 1 and figures["players"] == above


def _is_odd_by_bye(figures: ReasonFigures, pair: DraftPair, facts: RoundFacts) -> bool:
    # An odd number from above rests: had they played, the number there would be even.
    above = sum(facts.players[bye.first].half_wins >= figures["from"] for bye in facts.resting)
    return above % 2 == 1 and _is_odd_group(figures, pair, facts)


def _is_beside_locked(figures: ReasonFigures, pair: DraftPair, facts: RoundFacts) -> bool:
    crossing = facts.crossing(figures["from"])
    free = [pairing for pairing in crossing if not pairing.fixed]
    even = facts.count_above(figures["from"]) % 2 == 0
    return _crosses_boundary(figures, pair, facts) and even and len(crossing) % 2 == 0 and free == [pair]


def _cannot_stay_apart(figures: ReasonFigures, pair: DraftPair, facts: RoundFacts) -> bool:
    numbers_left = facts.proof.left_over.get((figures["from"], figures["above"]), (0, 0))
    # Only if those kept apart leave over more than the repeats alone do: else these are the reason.
    return numbers_left[1] > numbers_left[0] and _cannot_stay(figures, pair, facts, 1)


def _cannot_stay(figures: ReasonFigures, pair: DraftPair, facts: RoundFacts, which: int) -> bool:
    """Whether those on one side cannot all be paired among themselves: as many as cross the boundary are left over."""
    numbers_left = facts.proof.left_over.get((figures["from"], figures["above"]))
    is_true = (
        numbers_left is not None
        and numbers_left[which] == figures["left_over"] == len(facts.crossing(figures["from"])) > 0
    )
    return is_true and _crosses_boundary(figures, pair, facts) and not facts.request.repeats


def _is_least_total(figures: ReasonFigures, pair: DraftPair, facts: RoundFacts) -> bool:
    # Where starts come first, the least sum is that of the pairings that keep them even, and of all pairings it may be
    # less.
    if (figures["because"] == FloatReason.STARTS) != facts.starts_first:
        return False
    least = facts.proof.least_score
    is_true = least is not None and facts.cost.score == least and figures["bye"] == _has_free_bye(facts)
    return is_true and facts.by_score and len(facts.free) == len(facts.pairs)


def _has_free_bye(facts: RoundFacts) -> bool:
    return any(pair.free for pair in facts.resting)


_FLOATS: dict[FloatReason, Predicate] = {
    FloatReason.ODD_GROUP: _is_odd_group,
    FloatReason.BYE: _is_odd_by_bye,
    FloatReason.BESIDE_LOCKED: _is_beside_locked,
    FloatReason.MET: lambda figures, pair, facts: _cannot_stay(figures, pair, facts, 0),
    FloatReason.KEPT_APART: _cannot_stay_apart,
    FloatReason.TOTAL: _is_least_total,
    FloatReason.STARTS: _is_least_total,
    FloatReason.LOOKED_AHEAD: lambda figures, pair, facts: pair.free and pair.keys <= facts.looked_ahead,
    FloatReason.LOCKED: lambda figures, pair, facts: PairFlag.LOCKED in pair.flags,
    FloatReason.HAND: lambda figures, pair, facts: PairFlag.MANUAL in pair.flags,
    FloatReason.METHOD: lambda figures, pair, facts: (
        (not facts.by_score and pair.free) or PairFlag.CONTENDER in pair.flags
    ),
    FloatReason.SCHEDULE: lambda figures, pair, facts: pair.group is not None,
    FloatReason.OTHER: lambda figures, pair, facts: True,
}


def _were_passed_over(figures: ReasonFigures, pair: DraftPair, facts: RoundFacts) -> bool:
    player, who = figures["player"], figures["who"]
    # Without whoever has gone home since: then there are fewer than the reason names, and it does not hold any more.
    others = [frozenset((player, key)) for key in who if key in facts.players and key not in pair.keys]
    if figures["because"] == FloatReason.MET:
        obstructed = [both in facts.barring for both in others]
    else:
        obstructed = [both in facts.apart for both in others]
    return pair.free and player in pair.keys and len(who) == len(others) > 0 and all(obstructed)


def _is_same_club(figures: ReasonFigures, pair: DraftPair, facts: RoundFacts) -> bool:
    one, other = _get_both_players(pair, facts)
    return facts.request.clubs_apart and one.club is not None and one.club == other.club


def _is_bye(figures: ReasonFigures, pair: DraftPair, facts: RoundFacts) -> bool:
    had = facts.players[pair.first].byes
    is_true = (figures["had"], figures["fewest"]) == (had, facts.fewest_byes) and pair.second is None
    return is_true and _BYES[figures["by"]](figures, pair, facts)


def _is_lowest_bye(figures: ReasonFigures, pair: DraftPair, facts: RoundFacts) -> bool:
    """Whether nobody who is there stands lower and has had as few byes."""
    mine = facts.players[pair.first]
    return pair.free and not any(one.order > mine.order and one.byes <= mine.byes for one in facts.players.values())


def _is_german_bye(figures: ReasonFigures, pair: DraftPair, facts: RoundFacts) -> bool:
    """Whether the player is the nearest to the K-th place from the bottom, among those who have had as few byes."""
    rounds_left = count_rounds_left(facts.request)
    from_bottom = {key: place for place, key in enumerate(reversed(facts.in_order), 1)}
    mine = facts.players[pair.first].byes
    rivals = [abs(place - rounds_left) for key, place in from_bottom.items() if facts.players[key].byes <= mine]
    is_true = pair.free and [figures["rounds_left"], figures["from_bottom"]] == [rounds_left, from_bottom[pair.first]]
    german = facts.request.bye_policy is ByePolicy.GERMAN
    return is_true and german and abs(from_bottom[pair.first] - rounds_left) == min(rivals)


def _is_bye_against_repeat(figures: ReasonFigures, pair: DraftPair, facts: RoundFacts) -> bool:
    mine = facts.players[pair.first]
    fewer = [facts.players[key].byes <= mine.byes for key in figures["who"]]
    return pair.free and bool(fewer) and all(fewer) and set(figures["who"]) <= facts.proof.repeat_with_bye


_BYES: dict[ByeReason, Predicate] = {
    ByeReason.LOWEST: _is_lowest_bye,
    ByeReason.GERMAN: _is_german_bye,
    ByeReason.MET: _is_bye_against_repeat,
    ByeReason.LOCKED: lambda figures, pair, facts: PairFlag.LOCKED in pair.flags,
    ByeReason.HAND: lambda figures, pair, facts: PairFlag.MANUAL in pair.flags,
    ByeReason.SCHEDULE: lambda figures, pair, facts: pair.group is not None,
    ByeReason.OTHER: lambda figures, pair, facts: True,
}


# Who starts (TSO §2.2).


def _has_starter_reason(figures: ReasonFigures, pair: DraftPair, facts: RoundFacts) -> bool:
    one, other = _get_both_players(pair, facts)
    counted = figures["starts"] == [one.starts, other.starts] and figures["replies"] == [one.replies, other.replies]
    return counted and _STARTERS[figures["by"]](pair, facts, one, other)


def _measure_start_lead(one: Participant, other: Participant) -> int:
    """How much further from even it would leave the two if the other one started."""
    return measure_start_excess(other.balance, one.balance) - measure_start_excess(one.balance, other.balance)


def _are_level_on_starts(one: Participant, other: Participant) -> bool:
    return one.starts == other.starts and _measure_start_lead(one, other) == 0


def _replied_when_different(one: Participant, other: Participant) -> bool | None:
    """Whether the first player replied where the two courses last differ; None if they do not."""
    latest = zip(reversed(one.course), reversed(other.course), strict=False)
    return next((theirs for mine, theirs in latest if mine != theirs), None)


def _is_by_course(pair: DraftPair, facts: RoundFacts, one: Participant, other: Participant) -> bool:
    """Whether nothing that comes before the courses could decide."""
    return _are_level_on_starts(one, other) and pair.keys not in facts.last_starter


_STARTERS: dict[StarterReason, Callable[[DraftPair, RoundFacts, Participant, Participant], bool]] = {
    StarterReason.FEWER_STARTS: lambda pair, facts, one, other: one.starts < other.starts,
    StarterReason.EVENNESS: lambda pair, facts, one, other: _measure_start_lead(one, other) > 0,
    StarterReason.REPLIED_LAST: lambda pair, facts, one, other: (
        _are_level_on_starts(one, other) and facts.last_starter.get(pair.keys) == pair.second
    ),
    StarterReason.REPLIED_WHEN_DIFFERENT: lambda pair, facts, one, other: (
        _is_by_course(pair, facts, one, other) and _replied_when_different(one, other) is True
    ),
    StarterReason.LOT: lambda pair, facts, one, other: (
        _is_by_course(pair, facts, one, other) and _replied_when_different(one, other) is None
    ),
    StarterReason.SCHEDULE: lambda pair, facts, one, other: pair.group is not None,
    StarterReason.HAND: lambda pair, facts, one, other: pair.starter_by is StarterReason.HAND,
    StarterReason.TABLE: lambda pair, facts, one, other: facts.request.starts is StartPolicy.DRAWN,
    StarterReason.EARLIER: lambda pair, facts, one, other: True,
}


def _is_third_start(figures: ReasonFigures, pair: DraftPair, facts: RoundFacts) -> bool:
    row = 1 + count_starts_in_row(facts.players[pair.first].course)
    return figures["row"] == row >= LONG_ROW and facts.request.starts is not StartPolicy.DRAWN


_PREDICATES: dict[ReasonCode, Predicate] = {
    ReasonCode.HAND: lambda figures, pair, facts: PairFlag.MANUAL in pair.flags,
    ReasonCode.LOCKED: lambda figures, pair, facts: PairFlag.LOCKED in pair.flags,
    ReasonCode.RANKS: _has_ranks,
    ReasonCode.SEEDING: _has_seeding,
    ReasonCode.SCORE_GROUP: lambda figures, pair, facts: (
        {player.half_wins for player in _get_both_players(pair, facts)} == {figures["half_wins"]}
    ),
    ReasonCode.HALVES: _meets_across_halves,
    ReasonCode.PLACES: _has_places,
    ReasonCode.NEIGHBOURS: lambda figures, pair, facts: (
        facts.request.method in NEIGHBOUR_METHODS and pair.free and figures["between"] == _count_between(pair, facts)
    ),
    ReasonCode.RANKS_APART: _are_ranks_apart,
    ReasonCode.DRAWN: lambda figures, pair, facts: facts.request.method is Method.RANDOM and pair.free,
    ReasonCode.SCHEDULE: lambda figures, pair, facts: (
        facts.request.method is Method.ROUND_ROBIN
        and pair.group is not None
        and any(pair.keys <= set(group) for group in facts.groups)
    ),
    ReasonCode.GROUP: _is_in_group,
    ReasonCode.HOPEFUL: is_lowest_hopeful,
    ReasonCode.CONTENDER: is_hopeful,
    ReasonCode.PRIZE_PLACES: is_for_prizes,
    ReasonCode.SAFE: is_out_of_reach,
    ReasonCode.FLOAT: _is_float,
    ReasonCode.PASSED_OVER: _were_passed_over,
    ReasonCode.REPEAT: lambda figures, pair, facts: (
        pair.keys in facts.games and figures["rounds"] == list(facts.games[pair.keys])
    ),
    ReasonCode.SAME_CLUB: _is_same_club,
    ReasonCode.KEPT_APART: lambda figures, pair, facts: pair.keys in facts.apart,
    ReasonCode.BYE: _is_bye,
    ReasonCode.STARTER: _has_starter_reason,
    ReasonCode.THIRD_START: _is_third_start,
}


def add_reasons(
    draft: Draft, request: DrawRequest, past: PairingHistory | None = None, *, changed: bool = False
) -> Draft:
    """The draft with the reasons and notes that are true of it now. One that was `changed` by hand is not taken for the
    cheapest pairing. `past` are the request's meetings, where they have been counted already."""
    facts = collect_facts(draft, request, past)
    facts.proof = build_proof(draft, request, facts, changed=changed)
    pairs = []
    for pair in facts.pairs:
        why = tuple(_list_reasons(pair, facts))
        pairs.append(DraftPair(pair.table, pair.first, pair.second, pair.flags, pair.starter_by, pair.group, why))
    others = (note for note in draft.notes if note.code not in MEETING_NOTES)
    return replace(draft, pairs=tuple(pairs), notes=(*list_notes(facts), *others))


def collect_facts(draft: Draft, request: DrawRequest, past: PairingHistory | None = None) -> RoundFacts:
    """The facts of a draft's round, nothing proven yet."""
    past = past or build_pairing_history(request.meetings)
    ordered = sorted(request.competitors, key=lambda one: one.rank)
    players = {
        one.key: Participant(
            order=order,
            half_wins=one.half_wins,
            rank=one.listed,
            seeding=one.seeding,
            rated=one.rating is not None,
            club=one.club,
            byes=record.byes,
            course=record.course,
        )
        for order, one in enumerate(ordered, 1)
        for record in (past.record(one.key),)
    }
    # A table by points can contradict the score.
    free = {key for pair in draft.pairs if pair.free for key in (pair.first, pair.second)}
    wins = [one.half_wins for one in ordered if one.key in free]
    by_rank = request.method in (Method.KING_OF_THE_HILL, Method.ROUND_ROBIN) and wins == sorted(wins, reverse=True)
    contest = request.contest if request.method is Method.CONTENTION else None
    again = {pair.keys: past.between(pair.first, pair.second) for pair in draft.pairs if pair.second is not None}
    return RoundFacts(
        request,
        players,
        draft.pairs,
        games={frozenset(both): tuple([one.round for one in games]) for both, games in past.met.items()},
        # Games come in the order of their rounds, so the last one stays.
        last_starter={both: one.first for both, games in again.items() for one in games if one.starter_known},
        by_score=request.method in HALVES_METHODS or by_rank,
        groups=draft.groups,
        looked_ahead=frozenset(draft.ahead.keys if draft.ahead else ()),
        hopes=None if contest is None else find_hopes(contest, past, request),
    )


def _list_reasons(pair: DraftPair, facts: RoundFacts) -> Iterator[Reason]:
    """What is said of a pair or a bye: of each thing worth saying the first wording that holds."""
    # Proposed is not said: of the sentences tried on 240 random events “nobody has fewer” was false 100 times, “no
    # other pairing is possible” 60 of 66, before each had to pass its predicate.
    for wordings in _propose_reasons(pair, facts):
        for reason in wordings:
            if is_reason_true(reason, pair, facts):
                yield reason
                break


def _propose_reasons(pair: DraftPair, facts: RoundFacts) -> Proposals:
    """What may be said of a pair or a bye, in the order in which it is told."""
    one = facts.players[pair.first]
    other = None if pair.second is None else facts.players[pair.second]
    if pair.fixed:
        yield (Reason(ReasonCode.HAND), Reason(ReasonCode.LOCKED))
    if facts.is_ranked:
        yield (Reason(ReasonCode.RANKS, {"first": one.rank, "second": other and other.rank}),)
    else:
        # The places before the first round, by rating or, where one of the two has none, by entry.
        by = "rating" if one.rated and (other is None or other.rated) else "entry"
        yield (Reason(ReasonCode.SEEDING, {"first": one.seeding, "second": other and other.seeding, "by": by}),)
    yield from _propose_method_reasons(pair, facts)
    yield from propose_contest_reasons(pair, facts)
    if other is None:
        yield _propose_bye_causes(pair.first, facts)
        return
    yield _propose_score_reasons(pair, facts)
    yield from _propose_places(pair, facts)
    yield from _propose_passed_over(pair, facts)
    if rounds := facts.games.get(pair.keys):
        yield (Reason(ReasonCode.REPEAT, {"rounds": list(rounds)}),)
    if facts.request.clubs_apart:
        yield (Reason(ReasonCode.SAME_CLUB),)
    if facts.apart:
        yield (Reason(ReasonCode.KEPT_APART),)
    yield _propose_starter_causes(pair, one, other)
    if (row := 1 + count_starts_in_row(one.course)) >= LONG_ROW:
        yield (Reason(ReasonCode.THIRD_START, {"row": row}),)


def _propose_starter_causes(pair: DraftPair, one: Participant, other: Participant) -> Iterator[Reason]:
    """Why the first of the two starts. What the figures no longer bear out is given as an earlier decision."""
    starts = {"starts": [one.starts, other.starts], "replies": [one.replies, other.replies]}
    for by in (pair.starter_by or StarterReason.EARLIER, StarterReason.EARLIER):
        yield Reason(ReasonCode.STARTER, {"by": by.value, **starts})


def _propose_bye_causes(key: int, facts: RoundFacts) -> Iterator[Reason]:
    """What may have brought the bye, the strongest first."""
    from_bottom = facts.in_order[::-1].index(key) + 1
    german = {"from_bottom": from_bottom, "rounds_left": count_rounds_left(facts.request)}
    for by, more in (
        (ByeReason.HAND, {}),
        (ByeReason.LOCKED, {}),
        (ByeReason.SCHEDULE, {}),
        (ByeReason.GERMAN, german),
        (ByeReason.LOWEST, {}),
        (ByeReason.MET, {"who": sorted(facts.proof.repeat_with_bye)}),
        (ByeReason.OTHER, {}),
    ):
        had = {"had": facts.players[key].byes, "fewest": facts.fewest_byes}
        yield Reason(ReasonCode.BYE, {**had, "by": by.value, **more})


def _propose_method_reasons(pair: DraftPair, facts: RoundFacts) -> Proposals:
    """What the method has to say of the pair."""
    if pair.group:
        yield (Reason(ReasonCode.GROUP, {"group": pair.group}),)
        yield (Reason(ReasonCode.SCHEDULE),)
    elif facts.request.method is Method.RANDOM:
        yield (Reason(ReasonCode.DRAWN),)
    elif pair.free and pair.second is not None and facts.request.method not in HALVES_METHODS:
        between = _count_between(pair, facts)
        yield (Reason(ReasonCode.NEIGHBOURS, {"between": between}),)
        yield (Reason(ReasonCode.RANKS_APART, {"apart": between + 1, "wanted": facts.request.factor}),)


def _propose_score_reasons(pair: DraftPair, facts: RoundFacts) -> Iterator[Reason]:
    """The score group, or why the scores differ."""
    wins = [facts.players[key].half_wins for key in (pair.first, pair.second) if key is not None]
    if wins[0] == wins[1]:
        yield Reason(ReasonCode.SCORE_GROUP, {"half_wins": wins[0]})
    else:
        for more in _propose_float_causes(pair, facts, wins):
            yield Reason(ReasonCode.FLOAT, {"half_wins": wins, **more})


def _propose_places(pair: DraftPair, facts: RoundFacts) -> Proposals:
    """The places of both in their score group."""
    if pair.free and facts.request.method in HALVES_METHODS and not facts.gap(pair):
        group = facts.score_groups[facts.players[pair.first].half_wins]
        places = {"places": [group[key] for key in (pair.first, pair.second) if key is not None], "of": len(group)}
        yield (Reason(ReasonCode.HALVES, places), Reason(ReasonCode.PLACES, places))


def _propose_float_causes(pair: DraftPair, facts: RoundFacts, wins: list[int]) -> Iterator[dict[str, object]]:
    """What may explain different scores, the strongest first."""
    if not pair.free or not facts.by_score:
        for because in (FloatReason.HAND, FloatReason.LOCKED, FloatReason.SCHEDULE, FloatReason.METHOD):
            yield {"because": because.value}
    low, high = sorted(wins)
    for boundary in facts.boundaries:
        if low < boundary <= high:
            yield from _propose_boundary_causes(boundary, facts)
    if facts.looked_ahead:
        yield {"because": FloatReason.LOOKED_AHEAD.value}
    because = FloatReason.STARTS if facts.starts_first else FloatReason.TOTAL
    yield {"because": because.value, "bye": _has_free_bye(facts)}
    yield {"because": FloatReason.OTHER.value}


def _propose_boundary_causes(boundary: int, facts: RoundFacts) -> Iterator[dict[str, object]]:
    """Why somebody with so many half wins or more has to meet somebody with fewer."""
    above, crossing = facts.count_above(boundary), len(facts.crossing(boundary))
    if above % 2 and crossing == 1:
        for because in (FloatReason.BYE, FloatReason.ODD_GROUP):
            yield {"because": because.value, "from": boundary, "players": above}
    elif crossing % 2 == 0 and len(facts.free) < len(facts.pairs):
        yield {"because": FloatReason.BESIDE_LOCKED.value, "from": boundary}
    for side in (True, False):
        numbers_left = facts.proof.left_over.get((boundary, side), ())
        for because, count in zip((FloatReason.MET, FloatReason.KEPT_APART), numbers_left, strict=False):
            if count == crossing:
                yield {"because": because.value, "from": boundary, "above": side, "left_over": count}


def _propose_passed_over(pair: DraftPair, facts: RoundFacts) -> Proposals:
    """Those who stood nearer to what the method wants, and what stood against them."""
    if not pair.free or pair.second is None:
        return
    for player, nearer in _find_nearer_players(pair.first, pair.second, facts):
        for because, obstacles in ((FloatReason.MET, facts.barring), (FloatReason.KEPT_APART, facts.apart)):
            if obstacles and (who := [key for key in nearer if frozenset((player, key)) in obstacles]):
                figures = {"player": player, "who": who[:MOST_NEARER_NAMED], "because": because.value}
                yield (Reason(ReasonCode.PASSED_OVER, figures),)


def _find_nearer_players(one: int, other: int, facts: RoundFacts) -> Iterator[tuple[int, list[int]]]:
    """For each of two opponents those whom the method would rather have had them meet."""
    upper, lower = (one, other) if facts.players[one].order < facts.players[other].order else (other, one)
    wins, level = facts.players[upper].half_wins, facts.players[lower].half_wins
    here, there = facts.unfixed[upper], facts.unfixed[lower]
    if facts.request.method in NEIGHBOUR_METHODS:
        yield upper, [*facts.unfixed][here + 1 : there]
    elif facts.by_score and wins != level:
        places = facts.score_groups[level]
        before = itertools.islice(places, places[lower] - 1)
        yield upper, [key for key in before if here < facts.unfixed.get(key, -1)]
    elif facts.by_score:
        # Whoever stands half a group away, of those who play inside it.
        group = facts.level_groups[wins]
        half = len(group) // 2
        for player, partner in ((upper, lower), (lower, upper)):
            place = group.index(player)
            partner_sought = group[place + half] if place < half else group[place - half]
            if partner_sought != partner:
                yield player, [partner_sought]
