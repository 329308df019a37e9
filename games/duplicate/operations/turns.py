"""A turn: drawn, drawn again, its clock, its master word."""

from collections import Counter
from collections.abc import Sequence
from random import Random

from django.utils.translation import gettext_lazy as _

from games.duplicate import envelopes, reading, words
from games.duplicate.operations.sealing import CodeMissing, opened_with
from games.duplicate.operations.sessions import SessionFixed, checked_reason, require_none_open
from games.duplicate.reading import SessionState
from games.models import DuplicateSession, DuplicateSlip, DuplicateTurn
from scoring import board as boards
from scoring import duplicate, sealed
from scoring.board import HAND
from scoring.duplicate import Slip
from scoring.plays import Play
from tournament import limits as event_limits
from tournament.limits import QUOTED
from tournament.operations.change import Actor, Change, change
from tournament.refusals import Refusal, Refusals


class SessionOver(Refusal):
    code = "session_over"
    message = _("The session is over: %(why)s.")


class WrongCount(Refusal):
    code = "draw_count"
    message = _("“%(draw)s” are %(found)s tiles; a draw has %(needed)s: letters, and ? for a blank.")
    field = "draw"


class NotInBag(Refusal):
    code = "not_in_bag"
    message = _("“%(draw)s” cannot be drawn: of “%(tile)s” the bag holds %(found)s.")
    field = "draw"


class NeedsBoth(Refusal):
    """The draw has to be put back (Spelregels 1)."""

    code = "draw_needs_both"
    message = _("“%(draw)s” has no %(lacking)s, so it is put back and drawn again. Note it among those put back.")
    field = "draw"


class HasBoth(Refusal):
    code = "draw_has_both"
    message = _("“%(draw)s” holds a vowel and a consonant, so it was not to be put back.")
    field = "redrawn"


class TooManyRedrawn(Refusal):
    code = "too_many_redrawn"
    message = _("%(found)s draws put back are more than %(limit)s, which is allowed.")
    field = "redrawn"


class TurnClosed(Refusal):
    code = "turn_closed"
    message = _("Turn %(number)s is closed. What a slip scores can still be corrected, with a reason.")


class SomebodyScores(Refusal):
    code = "somebody_scores"
    message = _("%(count)s slips of turn %(number)s score, so it cannot be drawn again.")


class NoPlay(Refusal):
    code = "no_play"
    message = _("“%(play)s” is no word at a place, like 8H ABER across or H8 ABER down.")
    field = "word"


class CannotLie(Refusal):
    code = "cannot_lie"
    message = _("“%(play)s” cannot be laid with %(draw)s: %(why)s.")
    field = "word"


class OtherThanProposed(Refusal):
    code = "other_than_proposed"
    message = _("By the rules %(proposed)s is laid. Another word needs a reason, which everybody can read afterwards.")
    field = "reason"


class MasterFixed(Refusal):
    code = "master_fixed"
    message = _("The master word of this turn was fixed beforehand for every club; “%(play)s” cannot be laid.")
    field = "word"


class NoSuchDraw(Refusal):
    code = "no_such_draw"
    message = _("What was fixed for turn %(number)s, “%(draw)s”, cannot be drawn from what the bag holds.")


class NobodyScores(Refusal):
    code = "nobody_scores"
    message = _("Nobody has scored in this turn, so the word laid is the director’s; note where it comes from.")
    field = "reason"


def open_turn(
    session: DuplicateSession, *, actor: Actor, draw: str | None = None, redrawn: Sequence[str] = (), code: str = ""
) -> DuplicateTurn:
    """Open the next turn with the tiles drawn by hand, or, without any, with those that the program draws.

    `redrawn` are draws by hand that were put back. The same seed draws the same tiles from the same bag. A session that
    was fixed beforehand gives its own draw, opened by `code`. Raises `TurnIsOpen`, `SessionOver`, `SessionFixed`,
    `CodeMissing`, `CodeWrong`, or `Refusals` with what is wrong with the tiles.
    """
    division = session.division
    with change(division.tournament, actor=actor, verb="open_turn", division=division.name) as log:
        require_none_open(session)
        found = _whole(session)
        if found.is_over:
            raise SessionOver(why=words.ended(found.session.stopped, found.ended))
        number = len(found.turns) + 1
        bag = found.value.bag
        if found.session.sealed:
            return _opened_sealed(log, found, number, code, draw)
        drawn, put_back = _drawn(found, number, 0) if draw is None else _by_hand(draw, redrawn, bag)
        log.tell(turn=number, name=drawn)
        return log.create(DuplicateTurn(session=session, number=number, draw=drawn, redrawn=list(put_back)))


def _opened_sealed(log: Change, found: SessionState, number: int, code: str, draw: str | None) -> DuplicateTurn:
    """The turn as it was fixed beforehand. A code that opens the whole session is kept for the turns to come."""
    session = found.session
    envelope = envelopes.of(session.sealed)
    assert envelope is not None
    if draw is not None:
        raise SessionFixed(name=envelope.name)
    fixed = opened_with(session, envelope, number, code)
    used = code.strip() or session.code
    own = sealed.turn_code(envelope.salt, used, number) if sealed.is_opening(used) else used
    if sealed.is_opening(used) and used != session.code:
        log.save(session, code=used)
    try:
        drawn, put_back = sealed.due(fixed, found.value.bag)
    except ValueError as fault:
        raise NoSuchDraw(number=number, draw=fixed.draw[:QUOTED]) from fault
    log.tell(turn=number, name=drawn)
    turn = DuplicateTurn(session=session, number=number, draw=drawn, redrawn=list(put_back), code=own)
    return log.create(turn)


def draw_again(turn: DuplicateTurn, *, actor: Actor, draw: str | None = None) -> None:
    """Put the draw of a turn back in which nobody has scored, and draw again; its slips are gone, its clock stands.

    Raises `TurnClosed`, `SessionFixed`, `SomebodyScores`, or `Refusals` with what is wrong with the tiles.
    """
    with change(turn.session.division.tournament, actor=actor, verb="draw_again", **_details(turn)) as log:
        stored, found = _open(turn)
        if found.session.sealed:
            raise SessionFixed(name=found.session.sealed["name"])
        scored = [each for each in found.result(stored.number).slips.values() if each.points]
        if scored:
            raise SomebodyScores(count=len(scored), number=stored.number)
        before = [*stored.redrawn, stored.draw]
        drawn, more = _drawn(found, stored.number, len(before)) if draw is None else _by_hand(draw, (), found.value.bag)
        if len(before) + len(more) > event_limits.REDRAWN:
            raise TooManyRedrawn(found=len(before) + len(more), limit=event_limits.REDRAWN)
        log.delete_all(list(DuplicateSlip.objects.filter(turn=stored).order_by("pk")))
        log.save(stored, draw=drawn, redrawn=[*before, *more], started_at=None)
        log.tell(name=f"{before[-1]} → {drawn}")


def start_clock(turn: DuplicateTurn, *, actor: Actor) -> None:
    """Start the clock of a turn now, or start it anew. Raises `TurnClosed`."""
    with change(turn.session.division.tournament, actor=actor, verb="start_clock", **_details(turn)) as log:
        log.save(_stored(turn), started_at=log.now)


def close_turn(turn: DuplicateTurn, *, position: str = "", word: str = "", reason: str = "", actor: Actor) -> None:
    """Lay a master word and close the turn. Whoever has handed in nothing scores 0.

    One that was fixed beforehand is laid without being named. Raises `TurnClosed`, `NoPlay`, `CannotLie`,
    `MasterFixed`, `CodeMissing`; `OtherThanProposed` or `NobodyScores` where the word needs a reason.
    """
    with change(turn.session.division.tournament, actor=actor, verb="close_turn", **_details(turn)) as log:
        stored, found = _open(turn)
        if fixed := _fixed_master(found, stored, position, word):
            position, word = fixed.position, fixed.word
            reason = words.fixed_beforehand(found.session)
        play = _playable(found, stored, position, word)
        proposed = duplicate.propose(found.result(stored.number))
        if not reason.strip() and proposed is None:
            raise NobodyScores
        if not reason.strip() and proposed is not None and not duplicate.same_word(play, proposed):
            raise OtherThanProposed(proposed=str(proposed))
        why = checked_reason(reason) if reason.strip() else ""
        log.save(stored, master_position=play.position, master_word=play.word, reason=why, is_closed=True)
        log.tell(name=str(play), why=why)


def _fixed_master(found: SessionState, turn: DuplicateTurn, position: str, word: str) -> Play | None:
    """The word that was fixed for a turn; None if the club lays its own. Raises `CodeMissing` or `MasterFixed`."""
    if not found.session.sealed:
        return None
    fixed = envelopes.fixed(found.session, turn)
    if fixed is None:
        raise CodeMissing(number=turn.number)
    named = reading.play_of(position, word)
    if fixed.master and word and (named is None or not duplicate.same_word(named, fixed.master)):
        raise MasterFixed(play=f"{position} {word}".strip()[:QUOTED])
    return fixed.master


def _details(turn: DuplicateTurn) -> dict[str, object]:
    return {"division": turn.session.division.name, "turn": turn.number}


def _stored(turn: DuplicateTurn) -> DuplicateTurn:
    """The turn as it stands behind the lock. Raises `TurnClosed`."""
    stored = DuplicateTurn.objects.get(pk=turn.pk)
    if stored.is_closed:
        raise TurnClosed(number=stored.number)
    return stored


def _open(turn: DuplicateTurn) -> tuple[DuplicateTurn, SessionState]:
    return _stored(turn), _whole(turn.session)


def _whole(session: DuplicateSession) -> SessionState:
    """The session with all its rows as they stand behind the lock."""
    fresh = DuplicateSession.objects.select_related("division__tournament").get(pk=session.pk)
    return reading.read(fresh)


def _drawn(found: SessionState, number: int, times: int) -> tuple[str, tuple[str, ...]]:
    """What the program draws for a turn after it has been drawn so many times."""
    return duplicate.draw(found.value.bag, Random(f"{found.session.seed}/{number}/{times}"))


def _by_hand(draw: str, redrawn: Sequence[str], bag: str) -> tuple[str, tuple[str, ...]]:
    """Tiles as somebody has drawn them. Raises `Refusals` with everything that is wrong with them."""
    tiles, put_back = tidy(draw), tuple(filter(None, map(tidy, redrawn)))
    faults = [*draw_problems(tiles, bag)]
    if not faults and (lacking := duplicate.lacking(tiles)):
        faults.append(NeedsBoth(draw=tiles, lacking=words.LACKING[lacking]))
    if len(put_back) > event_limits.REDRAWN:
        faults.append(TooManyRedrawn(found=len(put_back), limit=event_limits.REDRAWN))
    for each in put_back[: event_limits.REDRAWN]:
        found = draw_problems(each, bag)
        for fault in found:
            fault.field = "redrawn"
        faults += found or ([HasBoth(draw=each)] if duplicate.has_both(each) else [])
    if faults:
        raise Refusals(faults)
    return tiles, put_back


def tidy(draw: str) -> str:
    """Tiles as they are kept: capitals without anything in between."""
    return "".join(draw.upper().split())


def draw_problems(tiles: str, bag: str) -> list[Refusal]:
    """What keeps these tiles from being drawn out of the bag."""
    if len(tiles) != HAND:
        return [WrongCount(draw=tiles[:QUOTED], found=len(tiles), needed=HAND)]
    held = Counter(bag)
    return [
        NotInBag(draw=tiles, tile=tile, found=held[tile])
        for tile, count in Counter(tiles).items()
        if count > held[tile]
    ]


def _playable(found: SessionState, turn: DuplicateTurn, position: str, word: str) -> Play:
    """The word as it can be laid with the draw; blanks that are not marked are the cheapest letters.

    Raises `NoPlay` or `CannotLie`.
    """
    board = found.value.boards[turn.number - 1]
    written = reading.play_of(position, word)
    if written is None:
        raise NoPlay(play=f"{position} {word}".strip()[:QUOTED])
    whole = Play(written.start, written.direction, written.word_on(board).strip("()"))
    slip = Slip("", position, whole.word)
    judged = duplicate.judge(board, turn.draw, slip)
    if judged.play is None or judged.fault is not None:
        raise CannotLie(play=str(whole), draw=turn.draw, why=words.fault(judged, slip, board, turn.draw))
    is_marked = any(mark.islower() for mark in whole.word) and not boards.problems(board, whole, rack=turn.draw)
    return whole if is_marked else judged.play
