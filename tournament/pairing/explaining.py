"""Why these two meet: the reasons for each pair of a draft and the notes on the whole, each of them true.

Reasons are proposed from the facts and given only if their predicate holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from tournament.pairing.facts import Participant, RoundFacts, Seating, build_proof
from tournament.pairing.field import PairingHistory, build_pairing_history
from tournament.pairing.predicates import MEETING_NOTES, is_note_true, is_reason_true
from tournament.pairing.seating import count_starts_in_row
from tournament.pairing.values import (
    ByeReason,
    ClaimCondition,
    ClubPolicy,
    Draft,
    DraftPair,
    DrawNote,
    DrawRequest,
    FloatReason,
    Meeting,
    Method,
    NoteCode,
    PairFlag,
    Reason,
    ReasonCode,
    StarterReason,
    StartPolicy,
)

MOST_NEARER_NAMED = 3
"""So many players are named who stood nearer; more would not be read."""

NEIGHBOUR_METHODS = (Method.KING_OF_THE_HILL, Method.ROUND_ROBIN)
"""The methods whose free pairs are neighbours in the table."""


HALVES_METHODS = (Method.SWISS, Method.GROUPS)
"""The methods whose free pairs are the upper half against the lower."""


def add_reasons(draft: Draft, request: DrawRequest, *, changed: bool = False) -> Draft:
    """The draft with a reason for each pair and notes, all true of the draft as it is now.

    `changed`: the director has changed it by hand, so that its pairs as a whole are nobody's cheapest.
    """
    facts = collect_facts(draft, request)
    facts = replace(facts, proof=build_proof(draft, request, facts, changed=changed))
    pairs = tuple(
        replace(pair, why=tuple(_list_reasons(pair, seating, facts)))
        for pair, seating in zip(draft.pairs, facts.pairs, strict=True)
    )
    others = (note for note in draft.notes if note.code not in MEETING_NOTES)
    return replace(draft, pairs=pairs, notes=(*_list_notes(facts), *others))


def collect_facts(draft: Draft, request: DrawRequest) -> RoundFacts:
    """The facts of a draft's round, nothing proven yet."""
    past = build_pairing_history(request.meetings)
    return RoundFacts(
        players=_build_participants(request, past),
        pairs=tuple(_build_seating(pair) for pair in draft.pairs),
        games={frozenset(both): tuple(one.round for one in met) for both, met in past.met.items()},
        last_starter={frozenset(both): one for both, met in past.met.items() if (one := _find_last_starter(met))},
        apart=frozenset(frozenset(both) for both in request.forbidden),
        groups=draft.groups,
        method=request.method,
        by_score=_is_by_score(draft, request),
        round=request.round,
        rounds=request.rounds,
        repeats=request.repeats,
        clubs_apart=request.clubs is not ClubPolicy.IGNORED,
        drawn_at_table=request.starts is StartPolicy.DRAWN,
        factor=request.factor,
        bye_policy=request.bye_policy,
        looked_ahead=frozenset(draft.ahead.keys if draft.ahead else ()),
    )


def _build_participants(request: DrawRequest, past: PairingHistory) -> dict[int, Participant]:
    ordered = sorted(request.competitors, key=lambda one: one.rank)
    return {
        one.key: Participant(
            order=order,
            half_wins=one.half_wins,
            rank=one.listed,
            seeding=one.seeding,
            rated=one.rating is not None,
            club=one.club,
            byes=past.record(one.key).byes,
            course=past.record(one.key).course,
        )
        for order, one in enumerate(ordered, 1)
    }


def _build_seating(pair: DraftPair) -> Seating:
    return Seating(
        pair.first,
        pair.second,
        by_hand=PairFlag.MANUAL in pair.flags,
        locked=PairFlag.LOCKED in pair.flags,
        group=pair.group,
        starter_set=pair.starter_by is StarterReason.HAND,
    )


def _find_last_starter(met: list[Meeting]) -> int | None:
    return next((one.first for one in reversed(met) if one.starter_known), None)


def _is_by_score(draft: Draft, request: DrawRequest) -> bool:
    """Whether the free pairs were chosen by the score; a table by points can contradict it."""
    if request.method in HALVES_METHODS:
        return True
    free = {key for pair in draft.pairs if pair.matched for key in (pair.first, pair.second)}
    wins = [one.half_wins for one in sorted(request.competitors, key=lambda one: one.rank) if one.key in free]
    return request.method in NEIGHBOUR_METHODS and wins == sorted(wins, reverse=True)


def _list_reasons(pair: DraftPair, seating: Seating, facts: RoundFacts) -> Iterator[Reason]:
    """The reasons that hold, in the order in which they are told."""
    proposed = (
        _propose_bye_reasons(seating, facts)
        if pair.second is None
        else _propose_game_reasons(pair, pair.second, seating, facts)
    )
    return (reason for reason in proposed if is_reason_true(reason, seating, facts))


def _propose_game_reasons(pair: DraftPair, second: int, seating: Seating, facts: RoundFacts) -> Iterator[Reason]:
    one, other = facts.players[pair.first], facts.players[second]
    yield from _propose_director_reasons()
    yield Reason(ReasonCode.RANKS, {"first": one.rank, "second": other.rank})
    yield from _propose_seeding_reasons(one, other)
    yield from _propose_method_reasons(seating, facts)
    yield from _propose_score_reasons(seating, facts)
    yield from _propose_passed_over(seating, facts)
    yield Reason(ReasonCode.REPEAT, {"rounds": list(facts.met(pair.first, second))})
    yield Reason(ReasonCode.SAME_CLUB)
    yield Reason(ReasonCode.KEPT_APART)
    yield _explain_starter(pair, seating, facts)
    yield Reason(ReasonCode.THIRD_START, {"row": 1 + count_starts_in_row(one.course)})


def _propose_director_reasons() -> Iterator[Reason]:
    yield Reason(ReasonCode.HAND)
    yield Reason(ReasonCode.LOCKED)


def _propose_seeding_reasons(one: Participant, other: Participant | None) -> Iterator[Reason]:
    """The places before the first round, by rating or, where one of the two has none, by entry."""
    for by in ("rating", "entry"):
        yield Reason(ReasonCode.SEEDING, {"first": one.seeding, "second": other and other.seeding, "by": by})


def _propose_method_reasons(seating: Seating, facts: RoundFacts) -> Iterator[Reason]:
    """What the method has to say of the pair."""
    yield Reason(ReasonCode.GROUP, {"group": seating.group or 0})
    yield Reason(ReasonCode.SCHEDULE) if seating.group else Reason(ReasonCode.DRAWN)
    if seating.free and seating.second is not None:
        playing = facts.playing
        apart = abs(playing.index(seating.first) - playing.index(seating.second))
        yield Reason(ReasonCode.NEIGHBOURS, {"between": apart - 1})
        yield Reason(ReasonCode.RANKS_APART, {"apart": apart, "wanted": facts.factor})


def _propose_score_reasons(seating: Seating, facts: RoundFacts) -> Iterator[Reason]:
    """The score group and the places in it, or why the scores differ."""
    if seating.second is None:
        return
    wins = [facts.players[key].half_wins for key in (seating.first, seating.second)]
    if wins[0] == wins[1]:
        group = facts.score_group(wins[0])
        places = {"places": [group.index(key) + 1 for key in (seating.first, seating.second)], "of": len(group)}
        yield Reason(ReasonCode.SCORE_GROUP, {"half_wins": wins[0]})
        halves = Reason(ReasonCode.HALVES, places)
        if facts.method in HALVES_METHODS and seating.free:
            yield halves if is_reason_true(halves, seating, facts) else Reason(ReasonCode.PLACES, places)
    else:
        proposed = (
            Reason(ReasonCode.FLOAT, {"half_wins": wins, **more})
            for more in _propose_float_causes(seating, facts, wins)
        )
        yield next(reason for reason in proposed if is_reason_true(reason, seating, facts))


def _propose_float_causes(seating: Seating, facts: RoundFacts, wins: list[int]) -> Iterator[dict[str, object]]:
    """What may explain different scores, the strongest first."""
    for because in (FloatReason.HAND, FloatReason.LOCKED, FloatReason.SCHEDULE, FloatReason.METHOD):
        yield {"because": because.value}
    for boundary in sorted({facts.players[key].half_wins for key in facts.players}, reverse=True):
        if min(wins) < boundary <= max(wins):
            yield from _propose_boundary_causes(boundary, facts)
    yield {"because": FloatReason.LOOKED_AHEAD.value}
    bye = any(pair.second is None and pair.free for pair in facts.pairs)
    yield {"because": FloatReason.TOTAL.value, "bye": bye}
    yield {"because": FloatReason.OTHER.value}


def _propose_boundary_causes(boundary: int, facts: RoundFacts) -> Iterator[dict[str, object]]:
    """Why somebody with so many half wins or more has to meet somebody with fewer."""
    above = sum(facts.players[key].half_wins >= boundary for key in facts.playing)
    for because in (FloatReason.BYE, FloatReason.ODD_GROUP):
        yield {"because": because.value, "from": boundary, "players": above}
    yield {"because": FloatReason.BESIDE_LOCKED.value, "from": boundary}
    for side in (True, False):
        met, apart = facts.proof.left_over.get((boundary, side), (0, 0))
        yield {"because": FloatReason.MET.value, "from": boundary, "above": side, "left_over": met}
        yield {"because": FloatReason.KEPT_APART.value, "from": boundary, "above": side, "left_over": apart}


def _propose_passed_over(seating: Seating, facts: RoundFacts) -> Iterator[Reason]:
    """Those who stood nearer to what the method wants, and what stood against them."""
    if not seating.free or seating.second is None:
        return
    obstacles: Mapping[FloatReason, Callable[[int, int], object]] = {
        FloatReason.MET: facts.met,
        FloatReason.KEPT_APART: lambda one, other: frozenset((one, other)) in facts.apart,
    }
    for player, nearer in _find_nearer_players(seating.first, seating.second, facts):
        for because, stands in obstacles.items():
            who = [key for key in nearer if stands(player, key)][:MOST_NEARER_NAMED]
            yield Reason(ReasonCode.PASSED_OVER, {"player": player, "who": who, "because": because.value})


def _find_nearer_players(one: int, other: int, facts: RoundFacts) -> Iterator[tuple[int, list[int]]]:
    """For a player of the pair those whom the method would rather have had them meet."""
    upper, lower = sorted((one, other), key=lambda key: facts.players[key].order)
    playing = facts.unfixed
    between = playing[playing.index(upper) + 1 : playing.index(lower)]
    if facts.method in NEIGHBOUR_METHODS:
        yield upper, between
    elif not facts.by_score:
        return
    elif facts.players[upper].half_wins != facts.players[lower].half_wins:
        level = facts.players[lower].half_wins
        yield upper, [key for key in between if facts.players[key].half_wins == level]
    else:
        yield from _find_opposite_players(upper, lower, facts)


def _find_opposite_players(upper: int, lower: int, facts: RoundFacts) -> Iterator[tuple[int, list[int]]]:
    """For two of a score group whoever stands half a group away, of those who play inside it."""
    wins = facts.players[upper].half_wins
    group = [key for key in facts.score_group(wins) if key in facts.level]
    half = len(group) // 2
    for player, partner in ((upper, lower), (lower, upper)):
        place = group.index(player)
        wanted = group[place + half] if place < half else group[place - half]
        if wanted != partner:
            yield player, [wanted]


def _explain_starter(pair: DraftPair, seating: Seating, facts: RoundFacts) -> Reason:
    """What decided who starts; a decision that the figures no longer bear out is given as an earlier one."""
    both = [facts.players[key] for key in (pair.first, pair.second) if key is not None]
    figures = {"starts": [one.starts for one in both], "replies": [one.replies for one in both]}
    said = Reason(ReasonCode.STARTER, {"by": (pair.starter_by or StarterReason.EARLIER).value, **figures})
    if is_reason_true(said, seating, facts):
        return said
    return Reason(ReasonCode.STARTER, {"by": StarterReason.EARLIER.value, **figures})


def _propose_bye_reasons(seating: Seating, facts: RoundFacts) -> Iterator[Reason]:
    player = facts.players[seating.first]
    yield from _propose_director_reasons()
    yield Reason(ReasonCode.RANKS, {"first": player.rank, "second": None})
    yield from _propose_seeding_reasons(player, None)
    yield from _propose_method_reasons(seating, facts)
    fewest = min(other.byes for other in facts.players.values())
    proposed = (
        Reason(ReasonCode.BYE, {"had": player.byes, "fewest": fewest, **more})
        for more in _propose_bye_causes(seating.first, facts)
    )
    yield next(reason for reason in proposed if is_reason_true(reason, seating, facts))


def _propose_bye_causes(key: int, facts: RoundFacts) -> Iterator[dict[str, object]]:
    """What may have brought the bye, the strongest first."""
    for by in (ByeReason.HAND, ByeReason.LOCKED, ByeReason.SCHEDULE):
        yield {"by": by.value}
    left, from_bottom = max(1, facts.rounds - facts.round + 1), facts.in_order[::-1].index(key) + 1
    yield {"by": ByeReason.GERMAN.value, "from_bottom": from_bottom, "rounds_left": left}
    yield {"by": ByeReason.LOWEST.value}
    yield {"by": ByeReason.MET.value, "who": sorted(facts.proof.repeat_with_bye)}
    yield {"by": ByeReason.OTHER.value}


def _list_notes(facts: RoundFacts) -> Iterator[DrawNote]:
    """What the director should know of meetings and byes: as a claim where it is proven, else as what it is."""
    for claimed, plain in _propose_notes(facts):
        for note in (claimed, plain):
            if is_note_true(note, facts):
                yield note
                break


def _propose_notes(facts: RoundFacts) -> Iterable[tuple[DrawNote, DrawNote]]:
    """Each thing worth a note twice: with the claim that nothing else was possible, and without."""
    apart, again = _sort_conditions(facts.proof.apart_unless), _sort_conditions(facts.proof.unless)
    games = [pair for pair in facts.pairs if pair.second is not None]
    for pair in games:
        if pair.keys in facts.apart:
            keys = _list_pair_keys([pair])
            yield DrawNote(NoteCode.FORBIDDEN_USED, keys, unless=apart), DrawNote(NoteCode.FORBIDDEN, keys)
    for free in (True, False):
        met = [pair for pair in games if pair.keys in facts.games and pair.free is free]
        if met and not facts.repeats:
            keys = _list_pair_keys(met)
            claim = NoteCode.REPEATS_NEEDED if free else NoteCode.REPEATS
            yield DrawNote(claim, keys, len(met), again if free else ()), DrawNote(NoteCode.REPEATS, keys, len(met))
    resting = tuple(pair.first for pair in facts.pairs if pair.second is None and facts.players[pair.first].byes)
    if resting:
        yield DrawNote(NoteCode.SECOND_BYE_NEEDED, resting), DrawNote(NoteCode.SECOND_BYE, resting)


def _list_pair_keys(pairs: Iterable[Seating]) -> tuple[int, ...]:
    return tuple(key for pair in pairs for key in (pair.first, pair.second) if key is not None)


def _sort_conditions(unless: frozenset[ClaimCondition] | None) -> tuple[ClaimCondition, ...]:
    return tuple(sorted(unless or ()))
