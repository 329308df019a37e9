"""Save and remove slips, refuse a word by the jury, correct what a slip scores; the second correction. There somebody
else types the slips again, blind; where the two differ, the paper decides."""

import unicodedata
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Any

from django.utils import translation
from django.utils.translation import gettext_lazy as _

from games import limits
from games.duplicate.operations.sessions import clean_reason, get_open_turn, make_turn_details
from games.models import DuplicateCorrection, DuplicateSession, DuplicateSlip, DuplicateTurn, SecondReading
from games.sessions.session_state import SessionState, load_session_state
from scoring.letters import LETTER_SETS
from tournament.basics import limits as event_limits
from tournament.basics.languages import choose_paper_language
from tournament.basics.refusals import NotPrintable, Refusal, Refusals, find_length_refusals, find_range_refusals
from tournament.core.change import Actor, Change, change
from tournament.models import Entry


class SlipChanged(Refusal, code="slip_changed", field="player"):
    message = _(
        "Somebody has changed this slip in the meantime; it now says: %(there)s. Yours is not saved: %(offered)s. "
        "Compare them, and change it again if it is wrong."
    )


@dataclass(frozen=True, slots=True)
class WrittenSlip:
    """What stands on a slip; None for what does not."""

    position: str | None = None
    word: str | None = None
    claimed: int | None = None
    late: bool = False

    @classmethod
    def of(cls, row: DuplicateSlip | SecondReading) -> "WrittenSlip":
        return cls(row.position, row.word, row.claimed, row.late)

    def __str__(self) -> str:
        claimed = "" if self.claimed is None else str(self.claimed)
        late = str(_("late")) if self.late else ""
        return " ".join(filter(None, (self.position, self.word, claimed, late))) or "–"


def save_slip(
    turn: DuplicateTurn, *, entry: Entry, written: WrittenSlip, actor: Actor, expected_version: int = 0
) -> DuplicateSlip:
    """Save the slip of a player; one sent twice is one. `expected_version` is the version that the writer saw, 0 for a
    new slip. A word that the jury has refused in this turn is refused on this slip as well. Raises `TurnClosed`,
    `plays_elsewhere`, `slip_there`, `SlipChanged`, or `Refusals` with what cannot be kept."""
    clean_reading = clean_slip(turn, written)
    tournament = turn.session.division.tournament
    with change(tournament, actor=actor, verb="save_slip", **make_turn_details(turn, entry)) as log:
        stored_turn = get_open_turn(turn)
        require_player(entry, turn)
        slip = DuplicateSlip.objects.filter(turn=stored_turn, entry=entry).first()
        log.tell(name=str(clean_reading))
        is_refused = _is_word_refused(stored_turn, clean_reading.word)
        values = {**asdict(clean_reading), "refused": is_refused, "by": actor.user, "by_name": actor.shown_name}
        if slip is None:
            return log.create(DuplicateSlip(turn=stored_turn, entry=entry, **values))
        there = WrittenSlip.of(slip)
        # Sent again, by a browser that heard no answer: no conflict, whatever version it names.
        if there == clean_reading:
            return slip
        if expected_version != slip.version:
            figures = {"name": entry.name, "there": str(there), "offered": str(clean_reading)}
            raise (
                SlipChanged(**figures)
                if expected_version
                else Refusal(
                    "slip_there",
                    _(
                        "There is already a slip of %(name)s: %(there)s. Yours is not saved: %(offered)s. Compare "
                        "them, and change the saved one if it is wrong."
                    ),
                    field="player",
                    **figures,
                )
            )
        log.save(slip, **values, version=slip.version + 1)
        return slip


def require_player(entry: Entry, turn: DuplicateTurn) -> None:
    """Raise `plays_elsewhere` unless somebody plays this turn."""
    if not Entry.objects.filter(pk=entry.pk, division=turn.session.division_id).exists():
        raise Refusal("plays_elsewhere", _("%(name)s does not play in this division."), field="player", name=entry.name)


def _fold_word(word: str | None) -> str:
    return (word or "").upper()


def _is_word_refused(turn: DuplicateTurn, word: str | None) -> bool:
    """Whether the jury has refused a word in this turn, by what stands on the slips that it refused."""
    refused = DuplicateSlip.objects.filter(turn=turn, refused=True).values_list("word", flat=True)
    return bool(word) and _fold_word(word) in map(_fold_word, refused)


def clean_slip(turn: DuplicateTurn, written: WrittenSlip) -> WrittenSlip:
    """The slip as it is kept. Raises `Refusals` with every field that cannot be kept."""
    letters = LETTER_SETS[turn.session.letters]
    # Without blanks: “8 h” is 8H to whoever reads it.
    position = "".join((written.position or "").upper().split())
    # An umlaut may come as a letter and a mark, two characters of which the second is no tile.
    word = letters.unaccented("".join(unicodedata.normalize("NFC", written.word or "").split()))
    word = word.upper() if word.islower() else word  # typed without capitals: then none of them marks a blank
    faults: list[Refusal] = []
    for field, text, longest in (("position", position, event_limits.SLIP_POSITION), ("word", word, limits.LINE_WORD)):
        if not text.isprintable():
            faults.append(NotPrintable(field=field, value=text))
        faults += find_length_refusals(field, text, longest)
    faults += find_range_refusals("claimed", written.claimed, event_limits.CLAIMED_POINTS)
    if faults:
        raise Refusals(faults)
    return WrittenSlip(position or None, word or None, written.claimed, written.late)


def remove_slip(slip: DuplicateSlip, *, actor: Actor, expected_version: int) -> None:
    """Remove a slip from an open turn: it was another player's. Raises `TurnClosed` or `SlipChanged`."""
    turn, tournament = slip.turn, slip.turn.session.division.tournament
    with change(tournament, actor=actor, verb="remove_slip", **make_turn_details(turn, slip.entry)) as log:
        get_open_turn(turn)
        stored = DuplicateSlip.objects.get(pk=slip.pk)
        if stored.version != expected_version:
            raise SlipChanged(there=str(WrittenSlip.of(stored)), offered="–")
        log.tell(name=str(WrittenSlip.of(stored)))
        log.delete(stored)


def refuse_word(turn: DuplicateTurn, *, word: str, refused: bool, actor: Actor) -> int:
    """Refuse a word by the jury, or let it stand again, on every slip of an open turn; return how many have it. Raises
    `TurnClosed` or `not_handed_in`."""
    about = {**make_turn_details(turn), "name": word.upper(), "refused": refused}
    with change(turn.session.division.tournament, actor=actor, verb="refuse_word", **about) as log:
        stored = get_open_turn(turn)
        # Compared in Python, since SQLite folds no letters but those of ASCII: “ä” and “Ä” would be two words.
        slips = DuplicateSlip.objects.filter(turn=stored).exclude(word=None).order_by("pk")
        same = [slip for slip in slips if _fold_word(slip.word) == _fold_word(word)]
        if not same:
            raise Refusal(
                "not_handed_in",
                _("Nobody has handed in the word “%(word)s” in turn %(number)s."),
                field="word",
                word=word,
                number=stored.number,
            )
        for slip in same:
            # The version stays, since nothing that stands on the paper has changed: a helper who is mending this slip
            # is not told that somebody else has.
            log.save(slip, refused=refused)
        return len(same)


def correct_slip(
    turn: DuplicateTurn, *, entry: Entry, points: int, why: str, today: date, actor: Actor, alone: bool = False
) -> DuplicateCorrection:
    """Judge a player's slip of a closed turn anew: what it scores, and why, for everybody to read. Whoever has handed
    in the same word at the same place is given the same, unless it is about this piece of paper `alone`. The board
    stays as it is; totals and ranks are worked out anew (Spelregels 9). Raises `turn_still_open`, `plays_elsewhere`,
    or `Refusals` for points and reason."""
    faults = find_range_refusals("points", points, event_limits.SLIP_POINTS)
    reason = clean_reason(why, field="why", faults=faults)
    about = {**make_turn_details(turn, entry), "count": points, "why": reason}
    with change(turn.session.division.tournament, actor=actor, verb="correct_slip", **about) as log:
        stored = DuplicateTurn.objects.get(pk=turn.pk)
        if not stored.is_closed:
            raise Refusal(
                "turn_still_open",
                _("Turn %(number)s is still being played: change the slip itself."),
                number=stored.number,
            )
        require_player(entry, turn)
        columns = {"points": points, "why": reason, "on": today, "alone": alone}
        last = DuplicateCorrection.objects.filter(turn=stored, entry=entry).order_by("-pk").first()
        # A second click is no second correction, which everybody would read.
        if last is not None and all(getattr(last, name) == value for name, value in columns.items()):
            return last
        columns |= {"by": actor.user, "by_name": actor.shown_name}
        # Asked before the corrections are written, which change it.
        before = _list_points_of_table(stored)
        # The player's own first: that correction is what the caller is given.
        entries = [entry, *([] if alone else _find_entries_with_same_play(stored, entry))]
        corrections = log.create_all(
            DuplicateCorrection(turn=stored, entry=other, before=before.get(other.pk), **columns) for other in entries
        )
        return corrections[0]


def _find_entries_with_same_play(turn: DuplicateTurn, entry: Entry) -> list[Entry]:
    """Who else has handed in the same word at the same place, in time; but nobody whose paper was judged by itself."""
    slips = list(DuplicateSlip.objects.filter(turn=turn).select_related("entry").order_by("pk"))
    own = next((slip for slip in slips if slip.entry_id == entry.pk), None)
    if own is None or own.late or not own.word or not own.position:
        return []
    # In the order of the keys, so that the last correction of each player stays: a paper that was judged by itself once
    # and with all others later is one of them again.
    last = {
        correction.entry_id: correction.alone
        for correction in DuplicateCorrection.objects.filter(turn=turn).order_by("pk")
    }
    play = (own.position.upper(), _fold_word(own.word))
    same = [slip for slip in slips if ((slip.position or "").upper(), _fold_word(slip.word)) == play]
    return [slip.entry for slip in same if slip.pk != own.pk and not slip.late and not last.get(slip.entry_id)]


@dataclass(frozen=True, slots=True)
class SlipReading:
    """What somebody has read on a slip; `missing`: there is none."""

    written: WrittenSlip = WrittenSlip()
    missing: bool = False

    @classmethod
    def of(cls, row: DuplicateSlip | SecondReading | None) -> "SlipReading":
        if row is None:
            return cls(missing=True)
        return cls(WrittenSlip.of(row), isinstance(row, SecondReading) and row.missing)

    def agrees_with(self, other: "SlipReading") -> bool:
        """Whether both say the same; marks of blanks do not count."""
        own, theirs = (replace(reading.written, word=(reading.written.word or "").upper()) for reading in (self, other))
        return (self.missing, own) == (other.missing, theirs)

    def __str__(self) -> str:
        return str(_("no slip")) if self.missing else str(self.written)


def switch_second_correction(session: DuplicateSession, *, on: bool, actor: Actor) -> None:
    """Switch the second correction on or off; what has been read stays."""
    division = session.division
    with change(division.tournament, actor=actor, verb="type_twice", division=division.name) as log:
        log.save(DuplicateSession.objects.get(pk=session.pk), twice=on)


def record_second_reading(turn: DuplicateTurn, *, entry: Entry, read: SlipReading, actor: Actor) -> SecondReading:
    """Keep what somebody else has read on a player's slip; whoever read it may read it again. Raises `not_twice`,
    `plays_elsewhere`, `own_slip`, `second_there`, or `Refusals` with what cannot be kept."""
    slip = WrittenSlip() if read.missing else clean_slip(turn, read.written)
    with change(
        turn.session.division.tournament, actor=actor, verb="read_again", **make_turn_details(turn, entry)
    ) as log:
        if not DuplicateSession.objects.get(pk=turn.session_id).twice:
            raise Refusal(
                "not_twice", _("Slips are typed once in this session; a director can switch the second correction on.")
            )
        require_player(entry, turn)
        first = DuplicateSlip.objects.filter(turn=turn, entry=entry).first()
        if first is not None and actor.has_written(first):
            raise Refusal(
                "own_slip",
                _("The slip of %(name)s was first typed from this account; somebody else has to read it again."),
                field="player",
                name=entry.name,
            )
        stored = SecondReading.objects.filter(turn=turn, entry=entry).first()
        values = {**asdict(slip), "missing": read.missing}
        if stored is None:
            return log.create(SecondReading(turn=turn, entry=entry, **values, by=actor.user, by_name=actor.shown_name))
        if not actor.has_written(stored):
            raise Refusal(
                "second_there",
                _("Somebody else has already typed the slip of %(name)s a second time."),
                field="player",
                name=entry.name,
            )
        log.save(stored, **values, version=stored.version + 1)
        return stored


def settle_slip(turn: DuplicateTurn, *, entry: Entry, read: SlipReading, today: date, actor: Actor) -> None:
    """Settle from the paper what a slip says, where its two readings differ; then both say so. In a closed turn, a
    change of points becomes a public correction. Raises `no_difference`, `typed_last`, or `Refusals`."""
    reading = SlipReading(WrittenSlip() if read.missing else clean_slip(turn, read.written), read.missing)
    about = {**make_turn_details(turn, entry), "name": str(reading)}
    with change(turn.session.division.tournament, actor=actor, verb="settle_slip", **about) as log:
        stored = DuplicateTurn.objects.select_related("session__division__tournament").get(pk=turn.pk)
        first = DuplicateSlip.objects.filter(turn=stored, entry=entry).first()
        second = SecondReading.objects.filter(turn=stored, entry=entry).first()
        if second is None or SlipReading.of(first).agrees_with(SlipReading.of(second)):
            raise Refusal("no_difference", _("The two readings of the slip of %(name)s agree."), name=entry.name)
        # Whoever typed first may settle it: where there are two helpers only, one of them has to, and it is not whoever
        # typed last.
        if actor.has_written(second):
            raise Refusal(
                "typed_last",
                _(
                    "The slip of %(name)s was last typed from this account; somebody else checks the paper "
                    "and settles it."
                ),
                name=entry.name,
            )
        # Both asked before anything is stored: what follows is told as a change of what everybody took home.
        before, points_before = _score_slip(stored, entry), _list_points_of_table(stored)
        _store_slip(log, stored, entry, first, reading)
        log.save(second, **asdict(reading.written), missing=reading.missing, version=second.version + 1)
        # Read anew: a state is read once, and does not have what has just been stored.
        after = _score_slip(stored, entry)
        if stored.is_closed and before != after:
            with translation.override(choose_paper_language(stored.session.division.tournament.language)):
                why = str(_("Second correction, read from the paper slip"))
            # `alone`: this piece of paper was misread, which says nothing of others with the same word.
            columns = {"points": after, "why": why, "on": today, "alone": True, "before": points_before.get(entry.pk)}
            by = {"by": actor.user, "by_name": actor.shown_name}
            log.create(DuplicateCorrection(turn=stored, entry=entry, **columns, **by))


def _store_slip(log: Change, turn: DuplicateTurn, entry: Entry, first: DuplicateSlip | None, kept: SlipReading) -> None:
    """Make the slip say what the paper says, with its word refused if the jury has refused it in this turn."""
    if kept.missing:
        if first is not None:
            log.delete(first)
        return
    values = {**asdict(kept.written), "refused": _is_word_refused(turn, kept.written.word)}
    if first is None:
        # By nobody: it was read by whoever settles, and neither of the two who typed has written it.
        log.create(DuplicateSlip(turn=turn, entry=entry, **values))
    else:
        log.save(first, **values, version=first.version + 1)


def _list_points_of_table(turn: DuplicateTurn) -> dict[int, int]:
    """What the slips of a turn score in the final table, by entry; nothing while the session is played: who corrects a
    slip then changes nothing that anybody took home."""
    state = load_session_state(DuplicateSession.objects.select_related("division__tournament").get(pk=turn.session_id))
    if not state.is_over:
        return {}
    return {state.by_key[key].pk: judged.points for key, judged in state.result(turn.number).slips.items()}


def _score_slip(turn: DuplicateTurn, entry: Entry) -> int:
    return load_session_state(turn.session).result(turn.number).slips[str(entry.pk)].points


def load_second_progress(state: SessionState, turn: DuplicateTurn, actor: Actor | None) -> dict[str, Any]:
    """How far the second correction of a turn has come: the numbers of `readings` and of those `expected`, the slips
    read differently, the players still missing, and `own`, the readings of whoever looks, the last one first. One
    query."""
    seconds = {reading.entry_id: reading for reading in SecondReading.objects.filter(turn=turn).order_by("pk")}
    firsts = {slip.entry_id: slip for slip in state.slips.get(turn.pk, ())}
    entries = {entry.pk: entry for entry in state.entries}
    entry_keys = firsts.keys() | seconds.keys()
    pairs = [(entries[pk], SlipReading.of(firsts.get(pk)), SlipReading.of(reading)) for pk, reading in seconds.items()]
    own = [reading for reading in seconds.values() if actor is not None and actor.has_written(reading)]
    return {
        "readings": len(seconds),
        # Whoever handed in nothing is not waited for a second time: expected is everybody of whom either typing has a
        # slip.
        "expected": len(entry_keys),
        "differing": [
            {"entry": entry, "first": first, "second": second}
            for entry, first, second in pairs
            if not first.agrees_with(second)
        ],
        "missing": tuple(entry for pk, entry in entries.items() if pk in entry_keys and pk not in seconds),
        "own": tuple((entries[reading.entry_id], SlipReading.of(reading)) for reading in reversed(own)),
    }
