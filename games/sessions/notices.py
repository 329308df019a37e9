"""What corrections after the end have changed, as everybody is told: which slips, for whom, which places. A notice
begins where the one before ended, the first one with the final table."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from games.models import DuplicateCorrection
from games.sessions.session_state import SessionState
from scoring.duplicate import SessionTotal


@dataclass(frozen=True, slots=True)
class CorrectionNotice:
    """A notice; `on` is None as long as it is not published. `best`: what the best slips of all turns come to, before
    and after; where that differs, everybody's percentage does."""

    number: int
    on: date | None
    letters_at: datetime | None
    slips: tuple[dict[str, Any], ...]
    players: tuple[dict[str, Any], ...]
    best: tuple[int, int]

    def make_json(self) -> dict[str, Any]:
        """The notice as commands print it, players by their ids."""
        return {
            "number": self.number,
            "on": self.on and self.on.isoformat(),
            "slips": [
                {
                    "turn": slip["turn"],
                    "player": slip["entry"].key,
                    "before": slip["before"],
                    "after": slip["after"],
                    "why": list(slip["reasons"]),
                }
                for slip in self.slips
            ],
            "players": [
                {
                    "player": player["entry"].key,
                    "points": [player["before"].points, player["after"].points],
                    "rank": [player["before"].rank, player["after"].rank],
                }
                for player in self.players
            ],
        }


def list_notices(state: SessionState) -> list[CorrectionNotice]:
    """The notices that are published, the first one first."""
    numbers = {correction.notice for _turn, correction in _iterate_corrections(state) if correction.notice}
    return [_make_notice(state, number) for number in sorted(numbers)]


def find_pending_notice(state: SessionState) -> CorrectionNotice | None:
    """What has changed since the last notice, or since the end; None where no slip scores otherwise."""
    numbers = [correction.notice or 0 for _turn, correction in _iterate_corrections(state)]
    notice = _make_notice(state, max(numbers, default=0) + 1)
    return notice if notice.slips else None


def list_pending_corrections(state: SessionState) -> list[DuplicateCorrection]:
    """The corrections after the end that no notice tells of yet."""
    corrections = [correction for _turn, correction in _iterate_corrections(state)]
    return [correction for correction in corrections if _is_told(correction, None)]


def _iterate_corrections(state: SessionState) -> Iterator[tuple[int, DuplicateCorrection]]:
    """Every correction with the number of its turn, those of a turn in the order in which they were made."""
    for turn in state.turns:
        yield from ((turn.number, correction) for correction in state.corrections.get(turn.pk, ()))


def _is_told(correction: DuplicateCorrection, number: int | None) -> bool:
    """Whether a correction after the end belongs to the notice of that number; None for the next one."""
    return correction.before is not None and correction.notice == number


def _make_notice(state: SessionState, number: int) -> CorrectionNotice:
    """The notice of a number, or the next one."""
    published = next((row for _turn, row in _iterate_corrections(state) if row.notice == number), None)
    corrections: dict[tuple[int, int], list[DuplicateCorrection]] = {}
    for turn, correction in _iterate_corrections(state):
        if _is_told(correction, published.notice if published else None):
            corrections.setdefault((turn, correction.entry_id), []).append(correction)
    slips = []
    for (turn, _entry), rows in corrections.items():
        points, reasons = rows[0].before, tuple(dict.fromkeys(row.why for row in rows))
        # A slip that is corrected and corrected back between two notices is no news.
        if points is not None and points != rows[-1].points:
            slips.append(
                {
                    "turn": turn,
                    "entry": rows[0].entry,
                    "before": points,
                    "after": rows[-1].points,
                    "reasons": reasons,
                }
            )
    # What no notice tells of yet belongs to the next one, and counts as if it had that number.
    before, best_before = _reckon_table(state, lambda correction: (correction.notice or number) >= number)
    # The next notice ends with the table of today; one that is published, before whatever later ones have told.
    after, best_after = _reckon_table(
        state, lambda correction: published is not None and (correction.notice or number + 1) > number
    )
    players = [
        {"entry": entry, "before": before[key], "after": after[key]}
        for key, entry in state.by_key.items()
        # By all but the percentage: a better best slip changes that of everybody, and the notice says so once.
        if replace(before[key], percent=after[key].percent) != after[key]
    ]
    return CorrectionNotice(
        number,
        published.noticed_on if published else None,
        published.letters_at if published else None,
        tuple(slips),
        tuple(sorted(players, key=lambda player: (player["after"].rank, player["entry"].position))),
        (best_before, best_after),
    )


def _reckon_table(
    state: SessionState, leaves_out: Callable[[DuplicateCorrection], bool]
) -> tuple[dict[str, SessionTotal], int]:
    """The table as it was without some of the corrections after the end, by player, and what the best slips of all
    turns come to."""
    points: dict[int, dict[str, int]] = {}
    for turn, correction in _iterate_corrections(state):
        if correction.before is not None and leaves_out(correction):
            # The first one that is left out says what the slip scored until then.
            points.setdefault(turn, {}).setdefault(str(correction.entry_id), correction.before)
    turns = (
        replace(turn, corrected={**turn.corrected, **points.get(number, {})})
        for number, turn in enumerate(state.value.turns, 1)
    )
    record = replace(state.value, turns=tuple(turns))
    totals = {total.player: total for total in record.totals(state.closed)}
    return totals, sum(result.best for result in record.results[: state.closed])
