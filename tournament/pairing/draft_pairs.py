"""From chosen pairs to a draft's: who starts, at which table, with which flags. `explaining` adds the reasons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tournament.pairing import starts, tables
from tournament.pairing.history import History
from tournament.pairing.values import Clubs, Competitor, DrawRequest, Flag, Given, Note, Pair, StarterBy, Starts


@dataclass(frozen=True, slots=True)
class Choice:
    """Two opponents, or a player and None for a bye, before anything else is decided.

    `starter`: why `one` starts; None: still to be decided. `matched`: the matching core chose them, and had a choice.
    """

    one: int
    other: int | None
    starter: StarterBy | None = None
    flag: Flag | None = None
    group: int | None = None
    table: int | None = None
    matched: bool = False


def given(pair: Given) -> Choice:
    """The director's pair as a choice, or one that stays as the program has drawn it."""
    fixed = pair.second is None or pair.starter_fixed
    stays = pair.flag is None and pair.group is None
    starter = pair.starter_by if fixed else None
    return Choice(pair.first, pair.second, starter, pair.flag, pair.group, pair.table, matched=stays)


def to_pairs(
    choices: Sequence[Choice], past: History, request: DrawRequest
) -> tuple[tuple[Pair, ...], tuple[Note, ...]]:
    """Return the pairs by table, byes last, and what the director should know about the tables."""
    players = {player.key: player for player in request.competitors}
    ranked = sorted(choices, key=lambda choice: _best_rank(choice, players))
    games = [choice for choice in ranked if choice.other is not None]
    numbers, notes = tables.number([_wish(choice, players) for choice in games])
    seats = sorted(zip(numbers, games, strict=True), key=lambda seat: seat[0])
    pairs = [_game(choice, number, players, past, request) for number, choice in seats]
    byes = [_bye(choice, past) for choice in ranked if choice.other is None]
    return (*pairs, *byes), tuple(_about_holders(note, players) for note in notes)


def _about_holders(note: Note, players: dict[int, Competitor]) -> Note:
    """A note on a table names those who need that one."""
    need = tuple(key for key in note.keys if players[key].fixed_table == note.figure)
    return replace(note, keys=need) if len(need) > 1 else note


def _best_rank(choice: Choice, players: dict[int, Competitor]) -> int:
    rank = players[choice.one].rank
    return rank if choice.other is None else min(rank, players[choice.other].rank)


def _wish(choice: Choice, players: dict[int, Competitor]) -> tables.TableWish:
    pair = [players[key] for key in (choice.one, choice.other) if key is not None]
    pair.sort(key=lambda player: player.rank)
    bound = [player.fixed_table for player in pair] + [choice.table]
    return tables.TableWish(tuple(table for table in bound if table is not None), tuple(player.key for player in pair))


def _bye(choice: Choice, past: History) -> Pair:
    flags = [choice.flag] if choice.flag else []
    if past.record(choice.one).byes:
        flags.append(Flag.SECOND_BYE)
    return Pair(None, choice.one, None, tuple(flags), None, choice.matched, choice.group)


def _game(choice: Choice, table: int, players: dict[int, Competitor], past: History, request: DrawRequest) -> Pair:
    first, second, by = _starter(choice, past, request)
    flags = [choice.flag] if choice.flag else []
    if past.between(first, second):
        flags.append(Flag.REPEAT)
    flags += _flags(players[first], players[second], request)
    if by is not StarterBy.TABLE and starts.third_in_row(past.record(first)):
        flags.append(Flag.THIRD_START_IN_ROW)
    return Pair(table, first, second, tuple(flags), by, choice.matched, choice.group)


def _flags(one: Competitor, other: Competitor, request: DrawRequest) -> Iterable[Flag]:
    if one.half_wins != other.half_wins:
        yield Flag.FLOAT
    if request.clubs is not Clubs.IGNORED and one.club is not None and one.club == other.club:
        yield Flag.SAME_CLUB
    if (one.key, other.key) in request.forbidden or (other.key, one.key) in request.forbidden:
        yield Flag.FORBIDDEN


def _starter(choice: Choice, past: History, request: DrawRequest) -> tuple[int, int, StarterBy]:
    if choice.other is None:
        raise RuntimeError("a bye has no starter")
    if request.starts is Starts.DRAWN:
        return choice.one, choice.other, StarterBy.TABLE
    if choice.starter is not None:
        return choice.one, choice.other, choice.starter
    return starts.decide(choice.one, choice.other, past, request.seed)
