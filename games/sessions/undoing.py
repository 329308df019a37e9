"""Which changes of a duplicate session can still be undone: their rows may be untouched, yet others build on them."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from games.models import (
    DuplicateCorrection,
    DuplicateSeat,
    DuplicateSession,
    DuplicateSlip,
    DuplicateTurn,
    JoinedClub,
    SecondReading,
)
from tournament.models import Entry, JournalEntry


def _list_row_states(entry: JournalEntry, table: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for name, pk, before, after in entry.rows:
        if name == table:
            # As the entry left the row; of one that it deleted, as it was.
            yield pk, after or before


def _are_turns_open(entry: JournalEntry) -> bool:
    """Slips of a closed turn are corrected, with a reason that everybody can read, never taken back."""
    turns = {state["turn_id"] for _pk, state in _list_row_states(entry, "duplicateslip")}
    turns |= {pk for pk, _state in _list_row_states(entry, "duplicateturn")}
    # A turn that is no longer there is not open either: then nothing about it is taken back.
    return DuplicateTurn.objects.filter(pk__in=turns, is_closed=False).count() == len(turns)


def _has_no_slips(entry: JournalEntry) -> bool:
    """A draw for which slips were handed in or read again since stays; one that is restored comes right after the last
    turn."""
    for pk, state in _list_row_states(entry, "duplicateturn"):
        others = DuplicateTurn.objects.filter(session=state["session_id"]).exclude(pk=pk)
        if others.count() + 1 != state["number"] or _has_other_slips(entry, turn=pk):
            return False
    return True


def _has_other_slips(entry: JournalEntry, *, turn: int) -> bool:
    """Whether a turn has slips or readings that are none of this entry's."""
    return any(
        model.objects.filter(turn=turn).exclude(pk__in=[pk for pk, _state in _list_row_states(entry, table)]).exists()
        for table, model in (("duplicateslip", DuplicateSlip), ("secondreading", SecondReading))
    )


def _is_last_turn(entry: JournalEntry) -> bool:
    """What was laid stays once the next turn was drawn, or a slip was corrected."""
    for pk, state in _list_row_states(entry, "duplicateturn"):
        later = DuplicateTurn.objects.filter(session=state["session_id"], number__gt=state["number"])
        if later.exists() or DuplicateCorrection.objects.filter(turn=pk).exists():
            return False
    return True


def _has_no_turns(entry: JournalEntry) -> bool:
    """Nor seats: both would go with the session, and nothing would say so."""
    sessions = [pk for pk, _state in _list_row_states(entry, "duplicatesession")]
    return not any(model.objects.filter(session__in=sessions).exists() for model in (DuplicateTurn, DuplicateSeat))


def _are_seats_there(entry: JournalEntry) -> bool:
    """A seat comes back if the session still has its number and its player, and numbers stay while somebody sits there.
    That it is free the database says."""
    own_entries = {pk for pk, _state in _list_row_states(entry, "entry")}
    for table, pk, before, _after in entry.rows:
        beyond = DuplicateSeat.objects.filter(session=pk, number__gt=(before or {}).get("seat_count", 0))
        if table == "duplicatesession" and beyond.exists():
            return False
        if table == "duplicateseat" and before is not None:
            session = DuplicateSession.objects.filter(pk=before["session_id"], seat_count__gte=before["number"]).first()
            if session is None:
                return False
            player = Entry.objects.filter(pk=before["entry_id"], division=session.division_id)
            if before["entry_id"] not in own_entries and not player.exists():
                return False
    return True


def _has_no_joined_clubs(entry: JournalEntry) -> bool:
    """A seal stays once a club's file was joined by it."""
    sealed = [pk for pk, _state in _list_row_states(entry, "preparedsession")]
    return not JoinedClub.objects.filter(prepared__in=sealed).exists()


def _is_last_notice(entry: JournalEntry) -> bool:
    """A notice that a later one builds on stays: that begins with the table that this one told."""
    turns = {state["turn_id"] for _pk, state in _list_row_states(entry, "duplicatecorrection")}
    keys = [pk for _table, pk, _before, _after in entry.rows]
    corrections = DuplicateCorrection.objects.filter(turn__session__turns__in=turns).exclude(pk__in=keys)
    number = max(state.get("notice") or 0 for *_row, before, after in entry.rows for state in (before, after) if state)
    return not corrections.filter(notice__gte=number).exists()


def _is_last_correction(entry: JournalEntry) -> bool:
    """A correction that a later one of the same slip followed stays: that one says what the slip scored until then."""
    return not any(
        DuplicateCorrection.objects.filter(turn=state["turn_id"], entry=state["entry_id"], pk__gt=pk).exists()
        for pk, state in _list_row_states(entry, "duplicatecorrection")
    )


SESSION_UNDO_CHECKS: Mapping[str, Callable[[JournalEntry], bool]] = {
    "prepare_session": _has_no_turns,
    "take_sealed": _has_no_turns,
    "seal_session": _has_no_joined_clubs,
    **dict.fromkeys(("plan_seats", "draw_seats", "give_seat", "free_seat"), _are_seats_there),
    # A player's seat goes with the entry, and comes back with it.
    **dict.fromkeys(("remove_entry", "move_entry"), _are_seats_there),
    "open_turn": _has_no_slips,
    "draw_again": _has_no_slips,
    "start_clock": _are_turns_open,
    "save_slip": _are_turns_open,
    "remove_slip": _are_turns_open,
    "refuse_word": _are_turns_open,
    "close_turn": _is_last_turn,
    "publish_notice": _is_last_notice,
    **dict.fromkeys(("correct_slip", "settle_slip"), _is_last_correction),
}
"""Whether an entry can be taken back whose rows are as it left them, by the verb that it is about in the end."""
