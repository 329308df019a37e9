"""From chosen pairs to a draft's: who starts, at which table, with which flags. `explaining` adds the reasons."""

import itertools
from collections.abc import Sequence
from dataclasses import replace

from tournament.pairing.field import PairingHistory, PlayerHistory
from tournament.pairing.lots import draw_pair_lot
from tournament.pairing.values import (
    ChosenPair,
    Competitor,
    DraftPair,
    DrawNote,
    DrawRequest,
    NoteCode,
    PairFlag,
    StarterReason,
    StartPolicy,
)

# Who starts (TSO §2.2, first paragraph): starts and replies stay even where that can be arranged.


def decide_starter(
    one: int, other: int, history: PairingHistory, request: DrawRequest
) -> tuple[int, int, StarterReason]:
    """Return starter, replier and what decided it, in this order: nobody should be two or more away from even; whoever
    has started less starts; whoever replied when the two last met, or where their courses last differ; the lot."""
    mine, theirs = history.record(one), history.record(other)
    chosen, why = _decide_by_figures(mine, theirs)
    if chosen is None:
        meetings = [meeting for meeting in history.between(one, other) if meeting.starter_known]
        chosen, why = (meetings[-1].second == one if meetings else None), StarterReason.REPLIED_LAST
    if chosen is None:
        latest = zip(reversed(mine.course), reversed(theirs.course), strict=False)
        chosen, why = next((b for a, b in latest if a != b), None), StarterReason.REPLIED_WHEN_DIFFERENT
    if chosen is None:
        chosen, why = (
            (one < other) == bool(draw_pair_lot(request.seed, request.number(one), request.number(other)) & 1),
            StarterReason.LOT,
        )
    return (one, other, why) if chosen else (other, one, why)


def order_pair(
    choice: ChosenPair, past: PairingHistory, request: DrawRequest
) -> tuple[int, int | None, StarterReason | None]:
    """The two as they sit down, whoever starts first, and what decided that. None for a bye; where starts are drawn at
    the table the order says nothing."""
    if choice.second is not None and request.starts is StartPolicy.DRAWN:
        return choice.first, choice.second, StarterReason.TABLE
    if choice.second is not None and choice.starter_by is None:
        return decide_starter(choice.first, choice.second, past, request)
    return choice.first, choice.second, choice.starter_by


def measure_start_excess(mine: int, theirs: int) -> int:
    """How far beyond one from even the two balances are if the first of them starts."""
    return max(0, abs(mine + 1) - 1) + max(0, abs(theirs - 1) - 1)


def count_least_excess(balances: Sequence[int]) -> int:
    """How far beyond one from even players with these balances are at least when all have been paired: two who have
    both started more, or both less, than replied leave one of them further off."""
    alike = max(sum(one > 0 for one in balances), sum(one < 0 for one in balances))
    return sum(max(0, abs(one) - 2) for one in balances) + max(0, 2 * alike - len(balances)) // 2


def count_starts_in_row(course: Sequence[bool]) -> int:
    """How many starts in a row the player has had up to now."""
    row = 0
    for started in reversed(course):
        if not started:
            break
        row += 1
    return row


def _decide_by_figures(mine: PlayerHistory, theirs: PlayerHistory) -> tuple[bool | None, StarterReason]:
    one, other, starts, their_starts = mine.balance, theirs.balance, mine.starts, theirs.starts
    here, there = measure_start_excess(one, other), measure_start_excess(other, one)
    fewer = None if starts == their_starts else starts < their_starts
    # Evenness comes first; it is told as the reason only where fewer starts would not say the same.
    if here != there and fewer is not (here < there):
        return here < there, StarterReason.EVENNESS
    return fewer, StarterReason.FEWER_STARTS


# Table numbers: by rank of the better player; whoever has a fixed table (wheelchair, sight) keeps it.


TableWish = tuple[tuple[int, ...], tuple[int, ...]]
"""The tables that a pair needs, the most binding first, and the keys of its players."""


def assign_tables(
    wishes: Sequence[TableWish],
    own: Sequence[tuple[int, int]] = (),
    of_others: frozenset[int] = frozenset(),
) -> tuple[list[int], list[DrawNote]]:
    """Give each pair a table of its own; `wishes` come by the rank of the better player. Of two that need one table the
    better pair gets it. The others sit at the field's `own` tables in their order, where these do not suffice at the
    lowest that are free in the hall, and at none `of_others`. Notes say who did not get theirs."""
    holder: dict[int, TableWish] = {}
    notes: list[DrawNote] = []
    tables: list[int | None] = []
    for wish in wishes:
        bound, keys = wish
        free = [table for table in dict.fromkeys(bound) if table not in holder]
        tables_in_use = sorted(set(bound) - set(free))
        notes += [DrawNote(NoteCode.TABLE_TAKEN, (*keys, *holder[table][1]), table) for table in tables_in_use]
        if len(free) > 1:
            notes.append(DrawNote(NoteCode.TABLES_DIFFER, keys, free[0]))
        if free:
            holder[free[0]] = wish
        tables.append(free[0] if free else None)
    # A dict keeps the order of the ranges, and says at once whether a table is among them.
    own_tables = dict.fromkeys(table for first, last in own for table in range(first, last + 1))
    beyond = (table for table in itertools.count(1) if table not in own_tables)
    # All wishes first, then the free tables: dealt in one go, a pair higher up would take somebody's fixed table.
    occupied = holder.keys() | of_others
    free_tables = (table for table in itertools.chain(own_tables, beyond) if table not in occupied)
    short: list[int] = []
    seated: list[int] = []
    for table, (_bound, keys) in zip(tables, wishes, strict=True):
        seated.append(next(free_tables) if table is None else table)
        if table is None and own and seated[-1] not in own_tables:
            short += keys
    if short:
        notes.append(DrawNote(NoteCode.TABLES_SHORT, tuple(short)))
    return seated, notes


def seat_pairs(
    choices: Sequence[ChosenPair], past: PairingHistory, request: DrawRequest
) -> tuple[tuple[DraftPair, ...], tuple[DrawNote, ...]]:
    """Return the pairs by table, byes last, and what the director should know about the tables."""
    players = {player.key: player for player in request.competitors}
    wishes: list[tuple[ChosenPair, list[Competitor]]] = []
    for choice in choices:
        pair = [players[key] for key in (choice.first, choice.second) if key is not None]
        wishes.append((choice, sorted(pair, key=lambda player: player.rank)))
    wishes.sort(key=lambda wish: wish[1][0].rank)
    games, bound = [], []
    for choice, pair in wishes:
        if choice.second is not None:
            games.append(choice)
            tables = [player.fixed_table for player in pair] + [choice.table]
            bound.append((tuple(table for table in tables if table is not None), tuple(player.key for player in pair)))
    numbers, notes = assign_tables(bound, request.tables, request.tables_of_others)
    seats = sorted(zip(numbers, games, strict=True), key=lambda seat: seat[0])
    pairs = [_seat_game(choice, number, players, past, request) for number, choice in seats]
    byes = [_seat_bye(choice, past) for choice, _ in wishes if choice.second is None]
    # A note on a table names those who need that one.
    table_notes = []
    for note in notes:
        need = tuple(key for key in note.keys if players[key].fixed_table == note.figure)
        table_notes.append(replace(note, keys=need) if len(need) > 1 else note)
    return (*pairs, *byes), tuple(table_notes)


def _seat_bye(choice: ChosenPair, past: PairingHistory) -> DraftPair:
    flags = [choice.flag] if choice.flag else []
    if past.record(choice.first).byes:
        flags.append(PairFlag.SECOND_BYE)
    return DraftPair(None, choice.first, None, tuple(flags), None, choice.group)


def _seat_game(
    choice: ChosenPair, table: int, players: dict[int, Competitor], past: PairingHistory, request: DrawRequest
) -> DraftPair:
    first, second, by = order_pair(choice, past, request)
    if second is None:
        raise RuntimeError("a bye has no table")
    one, other = players[first], players[second]
    flags = [choice.flag] if choice.flag else []
    if request.list_recent(meeting.round for meeting in past.between(first, second)):
        flags.append(PairFlag.REPEAT)
    if one.half_wins != other.half_wins:
        flags.append(PairFlag.FLOAT)
    if request.clubs_apart and one.club is not None and one.club == other.club:
        flags.append(PairFlag.SAME_CLUB)
    if (first, second) in request.forbidden or (second, first) in request.forbidden:
        flags.append(PairFlag.FORBIDDEN)
    if by is not StarterReason.TABLE and count_starts_in_row(past.record(first).course) >= 2:
        flags.append(PairFlag.THIRD_START_IN_ROW)
    return DraftPair(table, first, second, tuple(flags), by, choice.group)
