"""Why these two meet: the reasons for each pair of a draft and the notes on the whole, each of them true.

Reasons are proposed from the facts and given only if their predicate holds.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace

from tournament.pairing.facts import Participant, RoundFacts, build_proof
from tournament.pairing.field import build_pairing_history, count_rounds_left
from tournament.pairing.predicates import HALVES_METHODS, MEETING_NOTES, NEIGHBOUR_METHODS, is_note_true, is_reason_true
from tournament.pairing.seating import count_starts_in_row
from tournament.pairing.values import (
    ByeReason,
    Draft,
    DraftPair,
    DrawNote,
    DrawRequest,
    FloatReason,
    NoteCode,
    Reason,
    ReasonCode,
    StarterReason,
)

MOST_NEARER_NAMED = 3  # players who stood nearer: more would not be read


def add_reasons(draft: Draft, request: DrawRequest, *, changed: bool = False) -> Draft:
    """The draft with a reason for each pair and notes, all true of the draft as it is now.

    `changed`: the director has changed it by hand, so that its pairs as a whole are nobody's cheapest.
    """
    facts = collect_facts(draft, request)
    facts = replace(facts, proof=build_proof(draft, request, facts, changed=changed))
    pairs = tuple(
        replace(pair, why=tuple(each for each in _propose_reasons(pair, facts) if is_reason_true(each, pair, facts)))
        for pair in facts.pairs
    )
    others = (note for note in draft.notes if note.code not in MEETING_NOTES)
    return replace(draft, pairs=pairs, notes=(*_list_notes(facts), *others))


def collect_facts(draft: Draft, request: DrawRequest) -> RoundFacts:
    """The facts of a draft's round, nothing proven yet."""
    past = build_pairing_history(request.meetings)
    ordered = sorted(request.competitors, key=lambda one: one.rank)
    players = {
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
    # A table by points can contradict the score.
    matched = {key for pair in draft.pairs if pair.matched for key in pair.keys}
    wins = [one.half_wins for one in ordered if one.key in matched]
    by_rank = request.method in NEIGHBOUR_METHODS and wins == sorted(wins, reverse=True)
    return RoundFacts(
        request,
        players,
        draft.pairs,
        games={frozenset(both): tuple(one.round for one in met) for both, met in past.met.items()},
        last_starter={frozenset(both): one.first for both, met in past.met.items() for one in met if one.starter_known},
        by_score=request.method in HALVES_METHODS or by_rank,
        groups=draft.groups,
        looked_ahead=frozenset(draft.ahead.keys if draft.ahead else ()),
    )


def _propose_reasons(pair: DraftPair, facts: RoundFacts) -> Iterator[Reason]:
    """What may be said of a pair or a bye, in the order in which it is told."""
    one = facts.players[pair.first]
    other = None if pair.second is None else facts.players[pair.second]
    yield Reason(ReasonCode.HAND)
    yield Reason(ReasonCode.LOCKED)
    yield Reason(ReasonCode.RANKS, {"first": one.rank, "second": other and other.rank})
    # The places before the first round, by rating or, where one of the two has none, by entry.
    for by in ("rating", "entry"):
        yield Reason(ReasonCode.SEEDING, {"first": one.seeding, "second": other and other.seeding, "by": by})
    yield from _propose_method_reasons(pair, facts)
    if other is None:
        fewest = min(player.byes for player in facts.players.values())
        causes = _propose_bye_causes(pair.first, facts)
        proposed = (Reason(ReasonCode.BYE, {"had": one.byes, "fewest": fewest, **more}) for more in causes)
        yield next(reason for reason in proposed if is_reason_true(reason, pair, facts))
        return
    yield from _propose_score_reasons(pair, facts)
    yield from _propose_passed_over(pair, facts)
    yield Reason(ReasonCode.REPEAT, {"rounds": list(facts.games.get(pair.keys, ()))})
    yield Reason(ReasonCode.SAME_CLUB)
    yield Reason(ReasonCode.KEPT_APART)
    starts = {"starts": [one.starts, other.starts], "replies": [one.replies, other.replies]}
    starter = Reason(ReasonCode.STARTER, {"by": (pair.starter_by or StarterReason.EARLIER).value, **starts})
    # A decision that the figures no longer bear out is given as an earlier one.
    earlier = Reason(ReasonCode.STARTER, {"by": StarterReason.EARLIER.value, **starts})
    yield starter if is_reason_true(starter, pair, facts) else earlier
    yield Reason(ReasonCode.THIRD_START, {"row": 1 + count_starts_in_row(one.course)})


def _propose_bye_causes(key: int, facts: RoundFacts) -> Iterator[dict[str, object]]:
    """What may have brought the bye, the strongest first."""
    for by in (ByeReason.HAND, ByeReason.LOCKED, ByeReason.SCHEDULE):
        yield {"by": by.value}
    from_bottom = facts.in_order[::-1].index(key) + 1
    left = count_rounds_left(facts.request)
    yield {"by": ByeReason.GERMAN.value, "from_bottom": from_bottom, "rounds_left": left}
    yield {"by": ByeReason.LOWEST.value}
    yield {"by": ByeReason.MET.value, "who": sorted(facts.proof.repeat_with_bye)}
    yield {"by": ByeReason.OTHER.value}


def _propose_method_reasons(pair: DraftPair, facts: RoundFacts) -> Iterator[Reason]:
    """What the method has to say of the pair."""
    yield Reason(ReasonCode.GROUP, {"group": pair.group or 0})
    yield Reason(ReasonCode.SCHEDULE) if pair.group else Reason(ReasonCode.DRAWN)
    if pair.free and pair.second is not None:
        apart = abs(facts.playing.index(pair.first) - facts.playing.index(pair.second))
        yield Reason(ReasonCode.NEIGHBOURS, {"between": apart - 1})
        yield Reason(ReasonCode.RANKS_APART, {"apart": apart, "wanted": facts.request.factor})


def _propose_score_reasons(pair: DraftPair, facts: RoundFacts) -> Iterator[Reason]:
    """The score group and the places in it, or why the scores differ."""
    both = [key for key in (pair.first, pair.second) if key is not None]
    wins = [facts.players[key].half_wins for key in both]
    if wins[0] == wins[1]:
        group = facts.score_groups[wins[0]]
        places = {"places": [group.index(key) + 1 for key in both], "of": len(group)}
        yield Reason(ReasonCode.SCORE_GROUP, {"half_wins": wins[0]})
        halves = Reason(ReasonCode.HALVES, places)
        if facts.request.method in HALVES_METHODS and pair.free:
            yield halves if is_reason_true(halves, pair, facts) else Reason(ReasonCode.PLACES, places)
    else:
        causes = _propose_float_causes(facts, wins)
        proposed = (Reason(ReasonCode.FLOAT, {"half_wins": wins, **more}) for more in causes)
        yield next(reason for reason in proposed if is_reason_true(reason, pair, facts))


def _propose_float_causes(facts: RoundFacts, wins: list[int]) -> Iterator[dict[str, object]]:
    """What may explain different scores, the strongest first."""
    for because in (FloatReason.HAND, FloatReason.LOCKED, FloatReason.SCHEDULE, FloatReason.METHOD):
        yield {"because": because.value}
    for boundary in sorted(facts.score_groups, reverse=True):
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


def _propose_passed_over(pair: DraftPair, facts: RoundFacts) -> Iterator[Reason]:
    """Those who stood nearer to what the method wants, and what stood against them."""
    if not pair.free:
        return
    for player, nearer in _find_nearer_players(pair, facts):
        for because, obstacles in ((FloatReason.MET, facts.games), (FloatReason.KEPT_APART, facts.apart)):
            who = [key for key in nearer if frozenset((player, key)) in obstacles][:MOST_NEARER_NAMED]
            yield Reason(ReasonCode.PASSED_OVER, {"player": player, "who": who, "because": because.value})


def _find_nearer_players(pair: DraftPair, facts: RoundFacts) -> Iterator[tuple[int, list[int]]]:
    """For a player of the pair those whom the method would rather have had them meet."""
    upper, lower = sorted(pair.keys, key=lambda key: facts.players[key].order)
    between = facts.unfixed[facts.unfixed.index(upper) + 1 : facts.unfixed.index(lower)]
    wins, level = facts.players[upper].half_wins, facts.players[lower].half_wins
    if facts.request.method in NEIGHBOUR_METHODS:
        yield upper, between
    elif facts.by_score and wins != level:
        yield upper, [key for key in between if facts.players[key].half_wins == level]
    elif facts.by_score:
        # Whoever stands half a group away, of those who play inside it.
        group = [key for key in facts.score_groups[wins] if key in facts.level]
        half = len(group) // 2
        for player, partner in ((upper, lower), (lower, upper)):
            place = group.index(player)
            wanted = group[place + half] if place < half else group[place - half]
            if wanted != partner:
                yield player, [wanted]


def _list_notes(facts: RoundFacts) -> Iterator[DrawNote]:
    """What the director should know of meetings and byes: as a claim where it is proven, else as what it is."""
    for claimed, plain in _propose_notes(facts):
        true = (note for note in (claimed, plain) if is_note_true(note, facts))
        yield from itertools.islice(true, 1)


def _propose_notes(facts: RoundFacts) -> Iterator[tuple[DrawNote, DrawNote]]:
    """Each thing worth a note twice: with the claim that nothing else was possible, and without."""
    apart, again = (tuple(sorted(unless or ())) for unless in (facts.proof.apart_unless, facts.proof.unless))
    games = [pair for pair in facts.pairs if pair.second is not None]
    for pair in games:
        if pair.keys in facts.apart:
            keys = _list_pair_keys([pair])
            yield DrawNote(NoteCode.FORBIDDEN_USED, keys, unless=apart), DrawNote(NoteCode.FORBIDDEN, keys)
    for free in (True, False):
        met = [pair for pair in games if pair.keys in facts.games and pair.free is free]
        if met and not facts.request.repeats:
            keys = _list_pair_keys(met)
            claim = NoteCode.REPEATS_NEEDED if free else NoteCode.REPEATS
            yield DrawNote(claim, keys, len(met), again if free else ()), DrawNote(NoteCode.REPEATS, keys, len(met))
    resting = tuple(pair.first for pair in facts.pairs if pair.second is None and facts.players[pair.first].byes)
    if resting:
        yield DrawNote(NoteCode.SECOND_BYE_NEEDED, resting), DrawNote(NoteCode.SECOND_BYE, resting)


def _list_pair_keys(pairs: Iterable[DraftPair]) -> tuple[int, ...]:
    return tuple(key for pair in pairs for key in (pair.first, pair.second) if key is not None)
