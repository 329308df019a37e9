"""Sessions of a tournament file, to and from rows."""

from collections import defaultdict
from collections.abc import Mapping

from games.duplicate import envelopes
from games.models import DuplicateCorrection, DuplicateSession, DuplicateSlip, DuplicateTurn, SecondReading
from tournament.exchange.shapes import cleaned
from tournament.exchange.values import CorrectionData, DuplicateData, MasterData, SecondData, SlipData, TurnData
from tournament.models import Division, Entry, Tournament
from tournament.operations.change import Change


def store(log: Change, division: Division, session: DuplicateData, entries: Mapping[str, Entry]) -> None:
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
            sealed=envelopes.as_object(session.sealed) if session.sealed else None,
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
    _store_readings(log, list(zip(turns, session.turns, strict=True)), entries)


def _store_readings(log: Change, pairs: list[tuple[DuplicateTurn, TurnData]], entries: Mapping[str, Entry]) -> None:
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


def load(tournament: Tournament, keys: Mapping[int, str]) -> dict[int, DuplicateData]:
    """The sessions by division; `keys` maps the entries' keys to the players' ids in the file. Five queries."""
    slips, corrections, second = _slips(tournament, keys), _corrections(tournament, keys), _second(tournament, keys)
    turns: dict[int, list[TurnData]] = defaultdict(list)
    for row in DuplicateTurn.objects.filter(session__division__tournament=tournament).order_by("number"):
        turns[row.session_id].append(_turn(row, slips[row.pk], corrections[row.pk], second[row.pk]))
    return {
        row.division_id: _session(row, turns[row.pk])
        for row in DuplicateSession.objects.filter(division__tournament=tournament)
    }


def _slips(tournament: Tournament, keys: Mapping[int, str]) -> dict[int, list[SlipData]]:
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


def _corrections(tournament: Tournament, keys: Mapping[int, str]) -> dict[int, list[CorrectionData]]:
    """What was judged anew later, by turn."""
    found: dict[int, list[CorrectionData]] = defaultdict(list)
    for row in DuplicateCorrection.objects.filter(turn__session__division__tournament=tournament).order_by("pk"):
        found[row.turn_id].append(
            CorrectionData(slip=keys[row.entry_id], points=row.points, why=cleaned(row.why), at=row.on, alone=row.alone)
        )
    return found


def _second(tournament: Tournament, keys: Mapping[int, str]) -> dict[int, list[SecondData]]:
    """What was read of the slips a second time, by turn."""
    found: dict[int, list[SecondData]] = defaultdict(list)
    for row in SecondReading.objects.filter(turn__session__division__tournament=tournament).order_by("pk"):
        found[row.turn_id].append(
            SecondData(
                player=keys[row.entry_id],
                position=row.position,
                word=row.word,
                claimed=row.claimed,
                late=row.late,
                missing=row.missing,
            )
        )
    return found


def _session(row: DuplicateSession, turns: list[TurnData]) -> DuplicateData:
    return DuplicateData(
        letters=row.letters,
        max_turns=row.max_turns,
        seconds=row.seconds,
        words=cleaned(row.words) or None,
        seed=row.seed,
        stopped=cleaned(row.stopped),
        twice=row.twice,
        sealed=envelopes.of(row.sealed),
        turns=tuple(turns),
    )


def _turn(
    row: DuplicateTurn, slips: list[SlipData], corrections: list[CorrectionData], second: list[SecondData]
) -> TurnData:
    master = None
    if row.master_word:
        master = MasterData(position=row.master_position, word=row.master_word, reason=cleaned(row.reason) or None)
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
