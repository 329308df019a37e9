"""What the director should know of a round as a whole, of meetings and byes: proposals and their predicates, as in
`explaining`."""

import itertools
from collections.abc import Callable, Iterable, Iterator

from tournament.pairing.facts import RoundFacts
from tournament.pairing.values import DraftPair, DrawNote, NoteCode


def is_note_true(note: DrawNote, facts: RoundFacts) -> bool:
    """Whether a note on meetings and byes is true of the round; the notes on tables and schedules are not asked."""
    return _NOTES[note.code](note, facts)


def _find_named_games(note: DrawNote, facts: RoundFacts) -> list[DraftPair]:
    """The pairs that the note names, all of them games of the round."""
    named = [frozenset(both) for both in zip(note.keys[::2], note.keys[1::2], strict=True)]
    return [pair for pair in facts.pairs if pair.second is not None and pair.keys in named]


def _has_forbidden_pair(note: DrawNote, facts: RoundFacts) -> bool:
    pairs = _find_named_games(note, facts)
    return len(pairs) == 1 and pairs[0].keys in facts.apart


def _needs_forbidden_pair(note: DrawNote, facts: RoundFacts) -> bool:
    best, free = facts.proof.best, all(pair.free for pair in _find_named_games(note, facts))
    is_certain = best is not None and best.forbidden > 0 and frozenset(note.unless) == facts.proof.apart_unless
    return free and is_certain and _has_forbidden_pair(note, facts)


def _has_repeats(note: DrawNote, facts: RoundFacts) -> bool:
    pairs = _find_named_games(note, facts)
    return len(pairs) == note.figure == len(note.keys) // 2 and all(pair.keys in facts.games for pair in pairs)


def _needs_repeats(note: DrawNote, facts: RoundFacts) -> bool:
    best, free = facts.proof.best, all(pair.free for pair in _find_named_games(note, facts))
    is_certain = best is not None and best.repeats > 0 and frozenset(note.unless) == facts.proof.unless
    return free and is_certain and _has_repeats(note, facts)


def _has_second_bye(note: DrawNote, facts: RoundFacts) -> bool:
    resting = {pair.first for pair in facts.pairs if pair.second is None}
    return set(note.keys) <= resting and all(facts.players[key].byes for key in note.keys)


_NOTES: dict[NoteCode, Callable[[DrawNote, RoundFacts], bool]] = {
    NoteCode.FORBIDDEN_USED: _needs_forbidden_pair,
    NoteCode.FORBIDDEN: _has_forbidden_pair,
    NoteCode.REPEATS_NEEDED: _needs_repeats,
    NoteCode.REPEATS: _has_repeats,
    NoteCode.SECOND_BYE_NEEDED: lambda note, facts: (
        _has_second_bye(note, facts) and all(player.byes for player in facts.players.values())
    ),
    NoteCode.SECOND_BYE: _has_second_bye,
}
MEETING_NOTES = frozenset(_NOTES)  # the notes on meetings and byes


def list_notes(facts: RoundFacts) -> Iterator[DrawNote]:
    """What the director should know of meetings and byes: as a claim where it is proven, else as what it is."""
    for claimed, plain in _propose_notes(facts):
        yield from itertools.islice((note for note in (claimed, plain) if is_note_true(note, facts)), 1)


def _propose_notes(facts: RoundFacts) -> Iterator[tuple[DrawNote, DrawNote]]:
    """Each thing worth a note twice: with the claim that nothing else was possible, and without."""
    apart, again = (tuple(sorted(unless or ())) for unless in (facts.proof.apart_unless, facts.proof.unless))
    games = [pair for pair in facts.pairs if pair.second is not None]
    for pair in games:
        if pair.keys in facts.apart:
            keys = _list_pair_keys([pair])
            yield DrawNote(NoteCode.FORBIDDEN_USED, keys, unless=apart), DrawNote(NoteCode.FORBIDDEN, keys)
    # Claimed as needed are only repeats that the program chose: of those that the director has set nothing is proven.
    for free in (True, False):
        met = [pair for pair in games if pair.keys in facts.barring and pair.free is free]
        if met:
            keys = _list_pair_keys(met)
            claim = NoteCode.REPEATS_NEEDED if free else NoteCode.REPEATS
            yield DrawNote(claim, keys, len(met), again if free else ()), DrawNote(NoteCode.REPEATS, keys, len(met))
    resting = tuple(pair.first for pair in facts.pairs if pair.second is None and facts.players[pair.first].byes)
    if resting:
        yield DrawNote(NoteCode.SECOND_BYE_NEEDED, resting), DrawNote(NoteCode.SECOND_BYE, resting)


def _list_pair_keys(pairs: Iterable[DraftPair]) -> tuple[int, ...]:
    return tuple(key for pair in pairs for key in (pair.first, pair.second) if key is not None)
