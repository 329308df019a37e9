"""When a reason is true: one predicate for each code, on its figures, its pair, and the facts of the round.

A reason that does not hold is not given. The tests work the facts out a second time and ask the same predicates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tournament.pairing import starts
from tournament.pairing.facts import Facts, Participant, Seating
from tournament.pairing.values import (
    ByeBy,
    ByePolicy,
    FloatBecause,
    Method,
    Note,
    NoteCode,
    Reason,
    ReasonCode,
    StarterBy,
)

Figures = Mapping[str, Any]
Predicate = Callable[[Figures, Seating, Facts], bool]


def holds(reason: Reason, pair: Seating, facts: Facts) -> bool:
    """Whether the reason is true of the pair."""
    return _PREDICATES[reason.code](reason.figures, pair, facts)


def _two(pair: Seating, facts: Facts) -> tuple[Participant, Participant]:
    if pair.second is None:
        raise ValueError(f"a bye has no second player: {pair}")
    return facts.players[pair.first], facts.players[pair.second]


def _hand(figures: Figures, pair: Seating, facts: Facts) -> bool:
    return pair.by_hand


def _locked(figures: Figures, pair: Seating, facts: Facts) -> bool:
    return pair.locked


def _ranks(figures: Figures, pair: Seating, facts: Facts) -> bool:
    second = None if pair.second is None else facts.players[pair.second].rank
    return facts.is_ranked and (figures["first"], figures["second"]) == (facts.players[pair.first].rank, second)


def _seeding(figures: Figures, pair: Seating, facts: Facts) -> bool:
    if facts.is_ranked:
        return False
    both = [facts.players[key] for key in (pair.first, pair.second) if key is not None]
    places = [player.seeding for player in both] + [None] * (2 - len(both))
    by = "rating" if all(player.rated for player in both) else "entry"
    return [figures["first"], figures["second"], figures["by"]] == [*places, by] and places[0] is not None


def _score_group(figures: Figures, pair: Seating, facts: Facts) -> bool:
    return [player.half_wins for player in _two(pair, facts)] == [figures["half_wins"]] * 2


def _places(figures: Figures, pair: Seating, facts: Facts) -> bool:
    one, other = _two(pair, facts)
    group = facts.score_group(one.half_wins)
    if one.half_wins != other.half_wins:
        return False
    places = [group.index(key) + 1 for key in (pair.first, pair.second) if key is not None]
    return [figures["places"], figures["of"]] == [places, len(group)]


def _halves(figures: Figures, pair: Seating, facts: Facts) -> bool:
    low, high = sorted(figures["places"])
    half: int = figures["of"] // 2
    return (
        facts.method in (Method.SWISS, Method.GROUPS)
        and pair.free
        and low <= half < high
        and _places(figures, pair, facts)
    )


def _between(pair: Seating, facts: Facts) -> int:
    """How many who play stand between the two."""
    playing = facts.playing
    one, other = (playing.index(key) for key in (pair.first, pair.second) if key is not None)
    return abs(one - other) - 1


def _neighbours(figures: Figures, pair: Seating, facts: Facts) -> bool:
    by_rank = facts.method in (Method.KING_OF_THE_HILL, Method.ROUND_ROBIN)
    return by_rank and pair.free and figures["between"] == _between(pair, facts)


def _ranks_apart(figures: Figures, pair: Seating, facts: Facts) -> bool:
    said = figures["apart"] == _between(pair, facts) + 1 and figures["wanted"] == facts.factor
    return said and facts.method is Method.FACTOR and pair.free


def _drawn(figures: Figures, pair: Seating, facts: Facts) -> bool:
    return facts.method is Method.RANDOM and pair.free


def _schedule(figures: Figures, pair: Seating, facts: Facts) -> bool:
    scheduled = facts.method is Method.ROUND_ROBIN and pair.group is not None
    return scheduled and any(pair.keys <= set(group) for group in facts.groups)


def _group(figures: Figures, pair: Seating, facts: Facts) -> bool:
    number = figures["group"]
    known = facts.method is Method.GROUPS and 1 <= number <= len(facts.groups)
    return known and number == pair.group and pair.keys <= set(facts.groups[number - 1])


def _float(figures: Figures, pair: Seating, facts: Facts) -> bool:
    gaps = [player.half_wins for player in _two(pair, facts)]
    if figures["half_wins"] != gaps or gaps[0] == gaps[1]:
        return False
    because = FloatBecause(figures["because"])
    return _FLOATS[because](figures, pair, facts)


def _crosses(figures: Figures, pair: Seating, facts: Facts) -> bool:
    """Whether the pair lies across the boundary that the figures speak of, chosen by score."""
    return facts.by_score and pair.free and pair in facts.crossing(figures["from"])


def _above(figures: Figures, facts: Facts, keys: Sequence[int]) -> int:
    return sum(facts.players[key].half_wins >= figures["from"] for key in keys)


def _odd_group(figures: Figures, pair: Seating, facts: Facts) -> bool:
    above = _above(figures, facts, facts.playing)
    only = facts.crossing(figures["from"]) == [pair]
    return _crosses(figures, pair, facts) and only and above % 2 == 1 and figures["players"] == above


def _odd_by_bye(figures: Figures, pair: Seating, facts: Facts) -> bool:
    resting = [each for each in facts.pairs if each.second is None]
    above = _above(figures, facts, [each.first for each in resting])
    return _odd_group(figures, pair, facts) and above % 2 == 1


def _beside_locked(figures: Figures, pair: Seating, facts: Facts) -> bool:
    crossing = facts.crossing(figures["from"])
    fixed = [each for each in crossing if each.fixed]
    even = _above(figures, facts, facts.playing) % 2 == 0
    return (
        _crosses(figures, pair, facts)
        and even
        and len(fixed) % 2 == 1
        and crossing.count(pair) == len(crossing) - len(fixed)
    )


def _met(figures: Figures, pair: Seating, facts: Facts) -> bool:
    return _cannot_stay(figures, pair, facts, figures["left_over"], 0)


def _kept_apart_above(figures: Figures, pair: Seating, facts: Facts) -> bool:
    left = facts.proof.left_over.get((figures["from"], figures["above"]), (0, 0))
    return left[1] > left[0] and _cannot_stay(figures, pair, facts, figures["left_over"], 1)


def _cannot_stay(figures: Figures, pair: Seating, facts: Facts, left: int, which: int) -> bool:
    """Those on one side cannot all be paired among themselves: as many as cross the boundary are left over."""
    known = facts.proof.left_over.get((figures["from"], figures["above"]))
    crossing = facts.crossing(figures["from"])
    said = known is not None and known[which] == left and left == len(crossing) > 0
    return said and _crosses(figures, pair, facts) and not facts.repeats


def _total(figures: Figures, pair: Seating, facts: Facts) -> bool:
    least = facts.proof.least_score
    bye = any(each.second is None and each.free for each in facts.pairs)
    said = least is not None and facts.cost().score == least and figures["bye"] == bye
    return said and facts.by_score and all(each.free for each in facts.pairs)


_FLOATS: dict[FloatBecause, Predicate] = {
    FloatBecause.ODD_GROUP: _odd_group,
    FloatBecause.BYE: _odd_by_bye,
    FloatBecause.BESIDE_LOCKED: _beside_locked,
    FloatBecause.MET: _met,
    FloatBecause.KEPT_APART: _kept_apart_above,
    FloatBecause.TOTAL: _total,
    FloatBecause.LOOKED_AHEAD: lambda figures, pair, facts: pair.free and pair.keys <= facts.looked_ahead,
    FloatBecause.LOCKED: _locked,
    FloatBecause.HAND: _hand,
    FloatBecause.METHOD: lambda figures, pair, facts: not facts.by_score and pair.free,
    FloatBecause.SCHEDULE: lambda figures, pair, facts: pair.group is not None,
    FloatBecause.OTHER: lambda figures, pair, facts: True,
}


def _passed_over(figures: Figures, pair: Seating, facts: Facts) -> bool:
    player, who = figures["player"], figures["who"]
    others = [frozenset((player, key)) for key in who if key in facts.players and key not in pair.keys]
    if figures["because"] == FloatBecause.MET:
        stood_against = [both in facts.games and not facts.repeats for both in others]
    else:
        stood_against = [both in facts.apart for both in others]
    return pair.free and player in pair.keys and len(who) == len(others) > 0 and all(stood_against)


def _repeat(figures: Figures, pair: Seating, facts: Facts) -> bool:
    rounds = list(facts.games.get(pair.keys, ()))
    return bool(rounds) and figures["rounds"] == rounds


def _same_club(figures: Figures, pair: Seating, facts: Facts) -> bool:
    one, other = _two(pair, facts)
    return facts.clubs_apart and one.club is not None and one.club == other.club


def _kept_apart(figures: Figures, pair: Seating, facts: Facts) -> bool:
    return pair.keys in facts.apart


def _bye(figures: Figures, pair: Seating, facts: Facts) -> bool:
    had = facts.players[pair.first].byes
    fewest = min(player.byes for player in facts.players.values())
    said = (figures["had"], figures["fewest"]) == (had, fewest) and pair.second is None
    return said and _BYES[ByeBy(figures["by"])](figures, pair, facts)


def _lowest(figures: Figures, pair: Seating, facts: Facts) -> bool:
    """Nobody who is there stands lower and has had as few."""
    mine = facts.players[pair.first]
    lower = [other for other in facts.players.values() if other.order > mine.order and other.byes <= mine.byes]
    return pair.free and not lower


def _german(figures: Figures, pair: Seating, facts: Facts) -> bool:
    """The nearest to the K-th place from the bottom of those who have had as few."""
    left = max(1, facts.rounds - facts.round + 1)
    from_bottom = {key: place for place, key in enumerate(reversed(facts.in_order), 1)}
    mine = facts.players[pair.first].byes
    rivals = [abs(place - left) for key, place in from_bottom.items() if facts.players[key].byes <= mine]
    said = pair.free and [figures["rounds_left"], figures["from_bottom"]] == [left, from_bottom[pair.first]]
    return said and facts.bye_policy is ByePolicy.GERMAN and abs(from_bottom[pair.first] - left) == min(rivals)


def _bye_met(figures: Figures, pair: Seating, facts: Facts) -> bool:
    mine = facts.players[pair.first]
    fewer = [facts.players[key].byes <= mine.byes for key in figures["who"]]
    return pair.free and bool(fewer) and all(fewer) and set(figures["who"]) <= facts.proof.repeat_with_bye


_BYES: dict[ByeBy, Predicate] = {
    ByeBy.LOWEST: _lowest,
    ByeBy.GERMAN: _german,
    ByeBy.MET: _bye_met,
    ByeBy.LOCKED: _locked,
    ByeBy.HAND: _hand,
    ByeBy.SCHEDULE: lambda figures, pair, facts: pair.group is not None,
    ByeBy.OTHER: lambda figures, pair, facts: True,
}


def _starter(figures: Figures, pair: Seating, facts: Facts) -> bool:
    one, other = _two(pair, facts)
    counted = figures["starts"] == [one.starts, other.starts] and figures["replies"] == [one.replies, other.replies]
    return counted and _STARTERS[StarterBy(figures["by"])](pair, facts, one, other)


def _lead(one: Participant, other: Participant) -> int:
    """How much further from even it would leave the two if the other one started."""
    mine, theirs = one.starts - one.replies, other.starts - other.replies
    return starts.excess(theirs, mine) - starts.excess(mine, theirs)


def _level(one: Participant, other: Participant) -> bool:
    return one.starts == other.starts and _lead(one, other) == 0


def _differing(one: Participant, other: Participant) -> bool | None:
    """Whether the first player replied where the two courses last differ; None if they do not."""
    latest = zip(reversed(one.course), reversed(other.course), strict=False)
    return next((theirs for mine, theirs in latest if mine != theirs), None)


_STARTERS: dict[StarterBy, Callable[[Seating, Facts, Participant, Participant], bool]] = {
    StarterBy.FEWER_STARTS: lambda pair, facts, one, other: one.starts < other.starts,
    StarterBy.EVENNESS: lambda pair, facts, one, other: _lead(one, other) > 0,
    StarterBy.REPLIED_LAST: lambda pair, facts, one, other: (
        _level(one, other) and facts.last_starter.get(pair.keys) == pair.second
    ),
    StarterBy.REPLIED_WHEN_DIFFERENT: lambda pair, facts, one, other: (
        _level(one, other) and pair.keys not in facts.last_starter and _differing(one, other) is True
    ),
    StarterBy.LOT: lambda pair, facts, one, other: (
        _level(one, other) and pair.keys not in facts.last_starter and _differing(one, other) is None
    ),
    StarterBy.SCHEDULE: lambda pair, facts, one, other: pair.group is not None,
    StarterBy.HAND: lambda pair, facts, one, other: pair.starter_set,
    StarterBy.TABLE: lambda pair, facts, one, other: facts.drawn_at_table,
    StarterBy.EARLIER: lambda pair, facts, one, other: True,
}


def _third_start(figures: Figures, pair: Seating, facts: Facts) -> bool:
    row = 1 + starts.in_row(facts.players[pair.first].course)
    return figures["row"] == row >= 3 and not facts.drawn_at_table


_PREDICATES: dict[ReasonCode, Predicate] = {
    ReasonCode.HAND: _hand,
    ReasonCode.LOCKED: _locked,
    ReasonCode.RANKS: _ranks,
    ReasonCode.SEEDING: _seeding,
    ReasonCode.SCORE_GROUP: _score_group,
    ReasonCode.HALVES: _halves,
    ReasonCode.PLACES: _places,
    ReasonCode.NEIGHBOURS: _neighbours,
    ReasonCode.RANKS_APART: _ranks_apart,
    ReasonCode.DRAWN: _drawn,
    ReasonCode.SCHEDULE: _schedule,
    ReasonCode.GROUP: _group,
    ReasonCode.FLOAT: _float,
    ReasonCode.PASSED_OVER: _passed_over,
    ReasonCode.REPEAT: _repeat,
    ReasonCode.SAME_CLUB: _same_club,
    ReasonCode.KEPT_APART: _kept_apart,
    ReasonCode.BYE: _bye,
    ReasonCode.STARTER: _starter,
    ReasonCode.THIRD_START: _third_start,
}


def note_holds(note: Note, facts: Facts) -> bool:
    """Whether a note on meetings and byes is true of the round; the notes on tables and schedules are not asked."""
    return _NOTES[note.code](note, facts)


def _meet(note: Note, facts: Facts) -> list[Seating]:
    """The pairs that the note names, all of them games of the round."""
    named = [frozenset(both) for both in zip(note.keys[::2], note.keys[1::2], strict=True)]
    return [pair for pair in facts.pairs if pair.second is not None and pair.keys in named]


def _forbidden(note: Note, facts: Facts) -> bool:
    pairs = _meet(note, facts)
    return len(pairs) == 1 and pairs[0].keys in facts.apart


def _forbidden_used(note: Note, facts: Facts) -> bool:
    best, free = facts.proof.best, all(pair.free for pair in _meet(note, facts))
    known = best is not None and best.forbidden > 0 and frozenset(note.unless) == facts.proof.apart_unless
    return free and known and _forbidden(note, facts)


def _again(note: Note, facts: Facts) -> bool:
    pairs = _meet(note, facts)
    return len(pairs) == note.figure == len(note.keys) // 2 and all(pair.keys in facts.games for pair in pairs)


def _repeats_needed(note: Note, facts: Facts) -> bool:
    best, free = facts.proof.best, all(pair.free for pair in _meet(note, facts))
    known = best is not None and best.repeats > 0 and frozenset(note.unless) == facts.proof.unless
    return free and known and _again(note, facts)


def _second_bye(note: Note, facts: Facts) -> bool:
    resting = {pair.first for pair in facts.pairs if pair.second is None}
    return set(note.keys) <= resting and all(facts.players[key].byes for key in note.keys)


def _second_bye_needed(note: Note, facts: Facts) -> bool:
    return _second_bye(note, facts) and all(player.byes for player in facts.players.values())


_NOTES: dict[NoteCode, Callable[[Note, Facts], bool]] = {
    NoteCode.FORBIDDEN_USED: _forbidden_used,
    NoteCode.FORBIDDEN: _forbidden,
    NoteCode.REPEATS_NEEDED: _repeats_needed,
    NoteCode.REPEATS: _again,
    NoteCode.SECOND_BYE_NEEDED: _second_bye_needed,
    NoteCode.SECOND_BYE: _second_bye,
}
ON_MEETINGS = frozenset(_NOTES)
"""The notes on meetings and byes."""
