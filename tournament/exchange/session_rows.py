"""Sessions of a tournament file, to and from rows."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from games.models import (
    DuplicateCorrection,
    DuplicateSeat,
    DuplicateSession,
    DuplicateSlip,
    DuplicateTurn,
    SecondReading,
)
from games.sessions.session_state import deserialize_envelope, serialize_envelope
from tournament.basics.names import clean_text
from tournament.core.change import Change
from tournament.exchange.values import (
    CorrectionData,
    DuplicateData,
    MasterData,
    SeatData,
    SecondSlipData,
    SlipData,
    TurnData,
)
from tournament.models import Division, Entry, Tournament

# What a row and its value in the file call by the same name.
SESSION_FIELDS = (
    *("letters", "max_turns", "seconds", "seed", "twice"),
    *("seat_count", "seat_row", "clubs_apart", "seats_public", "seat_seed"),
)
CORRECTION_FIELDS = ("points", "why", "alone", "before", "notice")
SLIP_FIELDS = ("position", "word", "claimed", "late")


def _pick(source: object, *names: str) -> dict[str, Any]:
    return {name: getattr(source, name) for name in names}


def store_duplicate_session(
    log: Change, division: Division, session: DuplicateData, entries: Mapping[str, Entry]
) -> None:
    """Store a checked session within an open change. The last turn is open if it has no master word."""
    stored = log.create(
        DuplicateSession(
            division=division,
            **_pick(session, *SESSION_FIELDS),
            words=session.words or "",
            stopped=session.stopped,
            sealed=serialize_envelope(session.sealed) if session.sealed else None,
        )
    )
    log.create_all(
        DuplicateSeat(session=stored, entry=entries[seat.player], number=seat.number, is_given=seat.given)
        for seat in session.seats
    )
    last = len(session.turns)
    turns = log.create_all(
        DuplicateTurn(
            session=stored,
            **_pick(turn, "number", "draw", "code"),
            redrawn=list(turn.redrawn),
            # A turn that nobody could play has no master word; that another turn follows says that it is over.
            is_closed=turn.master is not None or number < last,
            master_position=turn.master.position.upper() if turn.master else "",
            master_word=turn.master.word if turn.master else "",
            reason=(turn.master.reason or "") if turn.master else "",
        )
        for number, turn in enumerate(session.turns, 1)
    )
    _store_slips(log, list(zip(turns, session.turns, strict=True)), entries)


def _store_slips(log: Change, pairs: list[tuple[DuplicateTurn, TurnData]], entries: Mapping[str, Entry]) -> None:
    """Store the slips of turns, their corrections, and what was read a second time."""
    log.create_all(
        DuplicateSlip(turn=row, entry=entries[slip.player], **_pick(slip, *SLIP_FIELDS, "refused"))
        for row, turn in pairs
        for slip in turn.slips
    )
    log.create_all(
        DuplicateCorrection(
            turn=row,
            entry=entries[correction.slip],
            on=correction.at,
            noticed_on=correction.noticed,
            **_pick(correction, *CORRECTION_FIELDS),
        )
        for row, turn in pairs
        for correction in turn.corrections
    )
    log.create_all(
        SecondReading(turn=row, entry=entries[reading.player], **_pick(reading, *SLIP_FIELDS, "missing"))
        for row, turn in pairs
        for reading in turn.second
    )


def load_duplicate_sessions(tournament: Tournament, keys: Mapping[int, str]) -> dict[int, DuplicateData]:
    """The sessions by division; `keys` maps the entries' keys to the players' ids in the file. Six queries."""
    ours = {"turn__session__division__tournament": tournament}
    slips: dict[int, list[Any]] = defaultdict(list)
    # In the order in which they were stored: the same session always gives the same text.
    for slip in DuplicateSlip.objects.filter(**ours).order_by("pk"):
        slips[slip.turn_id].append(SlipData(player=keys[slip.entry_id], **_pick(slip, *SLIP_FIELDS, "refused")))
    corrections: dict[int, list[Any]] = defaultdict(list)
    for correction in DuplicateCorrection.objects.filter(**ours).order_by("pk"):
        # Texts are tidied as they are read from a file: a file that is written must be one that is read without a
        # fault.
        data = CorrectionData(
            slip=keys[correction.entry_id],
            at=correction.on,
            noticed=correction.noticed_on,
            **{**_pick(correction, *CORRECTION_FIELDS), "why": clean_text(correction.why)},
        )
        corrections[correction.turn_id].append(data)
    second: dict[int, list[Any]] = defaultdict(list)
    for read in SecondReading.objects.filter(**ours).order_by("pk"):
        second[read.turn_id].append(SecondSlipData(player=keys[read.entry_id], **_pick(read, *SLIP_FIELDS, "missing")))
    seats: dict[int, list[SeatData]] = defaultdict(list)
    for seat in DuplicateSeat.objects.filter(session__division__tournament=tournament).order_by("number"):
        seats[seat.session_id].append(SeatData(player=keys[seat.entry_id], number=seat.number, given=seat.is_given))
    turns: dict[int, list[TurnData]] = defaultdict(list)
    for turn in DuplicateTurn.objects.filter(session__division__tournament=tournament).order_by("number"):
        parts = {"slips": slips, "corrections": corrections, "second": second}
        turns[turn.session_id].append(_make_turn_data(turn, {key: tuple(rows[turn.pk]) for key, rows in parts.items()}))
    return {
        row.division_id: DuplicateData(
            **_pick(row, *SESSION_FIELDS),
            words=clean_text(row.words) or None,
            stopped=clean_text(row.stopped),
            sealed=deserialize_envelope(row.sealed),
            seats=tuple(seats[row.pk]),
            turns=tuple(turns[row.pk]),
        )
        for row in DuplicateSession.objects.filter(division__tournament=tournament)
    }


def _make_turn_data(row: DuplicateTurn, parts: dict[str, Any]) -> TurnData:
    master = None
    if row.master_word:
        master = MasterData(position=row.master_position, word=row.master_word, reason=clean_text(row.reason) or None)
    return TurnData(**_pick(row, "number", "draw", "code"), redrawn=tuple(row.redrawn), master=master, **parts)
