"""Sessions of a tournament file, to and from rows."""

from collections import defaultdict
from collections.abc import Mapping

from games.duplicate.queries import deserialize_envelope, serialize_envelope
from games.models import DuplicateCorrection, DuplicateSession, DuplicateSlip, DuplicateTurn, SecondReading
from tournament.core.change import Change
from tournament.exchange.shapes import clean_text
from tournament.exchange.values import CorrectionData, DuplicateData, MasterData, SecondSlipData, SlipData, TurnData
from tournament.models import Division, Entry, Tournament


def store_duplicate_session(
    log: Change, division: Division, session: DuplicateData, entries: Mapping[str, Entry]
) -> None:
    """Store a checked session within an open change. The last turn is open if it has no master word."""
    made = log.create(
        DuplicateSession(
            division=division,
            letters=session.letters,
            max_turns=session.max_turns,
            seconds=session.seconds,
            words=session.words or "",
            seed=session.seed,
            stopped=session.stopped,
            twice=session.twice,
            sealed=serialize_envelope(session.sealed) if session.sealed else None,
        )
    )
    last = len(session.turns)
    turns = log.create_all(
        DuplicateTurn(
            session=made,
            number=turn.number,
            draw=turn.draw,
            redrawn=list(turn.redrawn),
            is_closed=turn.master is not None or number < last,
            master_position=turn.master.position.upper() if turn.master else "",
            master_word=turn.master.word if turn.master else "",
            reason=(turn.master.reason or "") if turn.master else "",
            code=turn.code,
        )
        for number, turn in enumerate(session.turns, 1)
    )
    _store_slips(log, list(zip(turns, session.turns, strict=True)), entries)


def _store_slips(log: Change, pairs: list[tuple[DuplicateTurn, TurnData]], entries: Mapping[str, Entry]) -> None:
    """Store the slips of turns, their corrections, and what was read a second time."""
    log.create_all(
        DuplicateSlip(
            turn=row,
            entry=entries[slip.player],
            position=slip.position,
            word=slip.word,
            claimed=slip.claimed,
            late=slip.late,
            refused=slip.refused,
        )
        for row, turn in pairs
        for slip in turn.slips
    )
    log.create_all(
        DuplicateCorrection(
            turn=row, entry=entries[each.slip], points=each.points, why=each.why, on=each.at, alone=each.alone
        )
        for row, turn in pairs
        for each in turn.corrections
    )
    log.create_all(
        SecondReading(
            turn=row,
            entry=entries[each.player],
            position=each.position,
            word=each.word,
            claimed=each.claimed,
            late=each.late,
            missing=each.missing,
        )
        for row, turn in pairs
        for each in turn.second
    )


def load_duplicate_sessions(tournament: Tournament, keys: Mapping[int, str]) -> dict[int, DuplicateData]:
    """The sessions by division; `keys` maps the entries' keys to the players' ids in the file. Five queries."""
    slips, corrections, second = (
        _load_slips(tournament, keys),
        _load_corrections(tournament, keys),
        _load_second_readings(tournament, keys),
    )
    turns: dict[int, list[TurnData]] = defaultdict(list)
    for row in DuplicateTurn.objects.filter(session__division__tournament=tournament).order_by("number"):
        turns[row.session_id].append(_make_turn_data(row, slips[row.pk], corrections[row.pk], second[row.pk]))
    return {
        row.division_id: _make_session_data(row, turns[row.pk])
        for row in DuplicateSession.objects.filter(division__tournament=tournament)
    }


def _load_slips(tournament: Tournament, keys: Mapping[int, str]) -> dict[int, list[SlipData]]:
    """What players handed in, by turn."""
    found: dict[int, list[SlipData]] = defaultdict(list)
    for row in DuplicateSlip.objects.filter(turn__session__division__tournament=tournament).order_by("pk"):
        found[row.turn_id].append(
            SlipData(
                player=keys[row.entry_id],
                position=row.position,
                word=row.word,
                claimed=row.claimed,
                late=row.late,
                refused=row.refused,
            )
        )
    return found


def _load_corrections(tournament: Tournament, keys: Mapping[int, str]) -> dict[int, list[CorrectionData]]:
    """What was judged anew later, by turn."""
    found: dict[int, list[CorrectionData]] = defaultdict(list)
    for row in DuplicateCorrection.objects.filter(turn__session__division__tournament=tournament).order_by("pk"):
        found[row.turn_id].append(
            CorrectionData(
                slip=keys[row.entry_id], points=row.points, why=clean_text(row.why), at=row.on, alone=row.alone
            )
        )
    return found


def _load_second_readings(tournament: Tournament, keys: Mapping[int, str]) -> dict[int, list[SecondSlipData]]:
    """What was read of the slips a second time, by turn."""
    found: dict[int, list[SecondSlipData]] = defaultdict(list)
    for row in SecondReading.objects.filter(turn__session__division__tournament=tournament).order_by("pk"):
        found[row.turn_id].append(
            SecondSlipData(
                player=keys[row.entry_id],
                position=row.position,
                word=row.word,
                claimed=row.claimed,
                late=row.late,
                missing=row.missing,
            )
        )
    return found


def _make_session_data(row: DuplicateSession, turns: list[TurnData]) -> DuplicateData:
    return DuplicateData(
        letters=row.letters,
        max_turns=row.max_turns,
        seconds=row.seconds,
        words=clean_text(row.words) or None,
        seed=row.seed,
        stopped=clean_text(row.stopped),
        twice=row.twice,
        sealed=deserialize_envelope(row.sealed),
        turns=tuple(turns),
    )


def _make_turn_data(
    row: DuplicateTurn, slips: list[SlipData], corrections: list[CorrectionData], second: list[SecondSlipData]
) -> TurnData:
    master = None
    if row.master_word:
        master = MasterData(position=row.master_position, word=row.master_word, reason=clean_text(row.reason) or None)
    return TurnData(
        number=row.number,
        draw=row.draw,
        redrawn=tuple(row.redrawn),
        slips=tuple(slips),
        master=master,
        corrections=tuple(corrections),
        second=tuple(second),
        code=row.code,
    )
