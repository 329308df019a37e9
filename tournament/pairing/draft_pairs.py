"""From chosen pairs to a draft's: who starts, at which table, with which flags, for which reasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tournament.pairing import starts, tables
from tournament.pairing.history import History
from tournament.pairing.values import (
    Clubs,
    Competitor,
    Flag,
    Given,
    Note,
    NoteCode,
    Pair,
    PairFigures,
    Request,
    StarterBy,
    Starts,
)


@dataclass(frozen=True, slots=True)
class Choice:
    """Two opponents, or a player and None for a bye, before anything else is decided."""

    one: int
    other: int | None
    starter: StarterBy | None = None  # why `one` starts; None: still to be decided
    flag: Flag | None = None
    group: int | None = None
    table: int | None = None
    matched: bool = False  # by the matching core, which had a choice


def given(pair: Given) -> Choice:
    """The director's pair as a choice."""
    fixed = pair.second is None or pair.starter_fixed
    return Choice(pair.first, pair.second, pair.starter_by if fixed else None, pair.flag, table=pair.table)


def to_pairs(choices: Sequence[Choice], past: History, request: Request) -> tuple[tuple[Pair, ...], tuple[Note, ...]]:
    """Return the pairs by table, byes last, and what the director should know about them as a whole."""
    players = {player.key: player for player in request.competitors}
    ranked = sorted(choices, key=lambda choice: _best_rank(choice, players))
    games = [choice for choice in ranked if choice.other is not None]
    numbers, notes = tables.number([_wish(choice, players) for choice in games])
    byes = [_bye(choice, players, past) for choice in ranked if choice.other is None]
    seats = [(number, choice) for number, choice in zip(numbers, games, strict=True)]
    seats.sort(key=lambda seat: seat[0])
    pairs = [_game(choice, number, players, past, request) for number, choice in seats]
    choosing = {choice.one for choice in choices if choice.matched}
    free = [pair for pair in pairs + byes if pair.first in choosing or pair.second in choosing]
    return (*pairs, *byes), (*_warnings(free, request), *notes)


def _best_rank(choice: Choice, players: dict[int, Competitor]) -> int:
    rank = players[choice.one].rank
    return rank if choice.other is None else min(rank, players[choice.other].rank)


def _wish(choice: Choice, players: dict[int, Competitor]) -> tables.TableWish:
    pair = [players[key] for key in (choice.one, choice.other) if key is not None]
    pair.sort(key=lambda player: player.rank)
    bound = [player.fixed_table for player in pair] + [choice.table]
    return tables.TableWish(tuple(table for table in bound if table is not None), tuple(player.key for player in pair))


def _bye(choice: Choice, players: dict[int, Competitor], past: History) -> Pair:
    earlier = past.record(choice.one).byes
    flags = [choice.flag] if choice.flag else []
    if earlier:
        flags.append(Flag.SECOND_BYE)
    reason = PairFigures(players[choice.one].rank, byes=earlier, group=choice.group)
    return Pair(None, choice.one, None, tuple(flags), reason)


def _game(choice: Choice, table: int, players: dict[int, Competitor], past: History, request: Request) -> Pair:
    first, second, by = _starter(choice, past, request)
    mine, theirs, met = past.record(first), past.record(second), past.between(first, second)
    one, other = players[first], players[second]
    reason = PairFigures(
        first_rank=one.rank,
        second_rank=other.rank,
        score_gap=abs(one.half_wins - other.half_wins),
        meetings=len(met),
        last_met=met[-1].round if met else None,
        first_starts=mine.starts,
        first_replies=mine.replies,
        second_starts=theirs.starts,
        second_replies=theirs.replies,
        starter_by=by,
        group=choice.group,
    )
    flags = [choice.flag] if choice.flag else []
    flags += _flags(one, other, reason, request)
    if by is not StarterBy.DRAWN_AT_TABLE and starts.third_in_row(mine):
        flags.append(Flag.THIRD_START_IN_ROW)
    return Pair(table, first, second, tuple(flags), reason)


def _flags(one: Competitor, other: Competitor, reason: PairFigures, request: Request) -> Iterable[Flag]:
    if reason.meetings:
        yield Flag.REPEAT
    if reason.score_gap:
        yield Flag.FLOAT
    if request.clubs is not Clubs.IGNORED and one.club is not None and one.club == other.club:
        yield Flag.SAME_CLUB
    if (one.key, other.key) in request.forbidden or (other.key, one.key) in request.forbidden:
        yield Flag.FORBIDDEN


def _starter(choice: Choice, past: History, request: Request) -> tuple[int, int, StarterBy]:
    if choice.other is None:
        raise RuntimeError("a bye has no starter")
    if request.starts is Starts.DRAWN:
        return choice.one, choice.other, StarterBy.DRAWN_AT_TABLE
    if choice.starter is not None:
        return choice.one, choice.other, choice.starter
    return starts.decide(choice.one, choice.other, past, request.seed)


def _warnings(pairs: Sequence[Pair], request: Request) -> Iterable[Note]:
    """Notes on what the matching core could not avoid."""
    for pair in pairs:
        if pair.second is not None and Flag.FORBIDDEN in pair.flags:
            yield Note(NoteCode.FORBIDDEN_USED, (pair.first, pair.second))
    again = [pair for pair in pairs if Flag.REPEAT in pair.flags]
    if again and not request.repeats:
        keys = tuple(key for pair in again for key in (pair.first, pair.second) if key is not None)
        yield Note(NoteCode.REPEATS_NEEDED, keys, len(again))
    resting = tuple(pair.first for pair in pairs if Flag.SECOND_BYE in pair.flags)
    if resting:
        yield Note(NoteCode.SECOND_BYE_NEEDED, resting)
