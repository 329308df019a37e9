"""Prepare a session, or read in one that was fixed beforehand for several clubs; draw its turns and lay their words."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

from django.utils import translation
from django.utils.translation import gettext_lazy as _

from games import limits
from games.judge.lists import list_word_lists
from games.models import DuplicateSession, DuplicateSlip, DuplicateTurn, SecondReading
from games.sessions.session_state import (
    SessionState,
    deserialize_envelope,
    parse_slip_play,
    reload_session_state,
    serialize_envelope,
)
from games.sessions.words import LACKING_NAMES, describe_session_end, describe_slip_fault
from scoring import board as boards
from scoring import duplicate, sealed
from scoring.board import RACK_SIZE, Board
from scoring.duplicate import DEFAULT_DUPLICATE_RULES, Slip
from scoring.letters import LETTER_SETS
from scoring.plays import Play
from scoring.sealed import Envelope
from tournament.basics import limits as event_limits
from tournament.basics.languages import choose_paper_language
from tournament.basics.limits import QUOTED_TEXT
from tournament.basics.refusals import NotPrintable, Refusal, Refusals, find_length_refusals, find_range_refusals
from tournament.core.change import Actor, Change, change
from tournament.core.settings import require_taking_place
from tournament.models import Division, Entry


class NoDuplicateRules(Refusal, code="no_duplicate_rules"):
    message = _(
        "Under %(ruleset)s two players meet at a board; a duplicate session needs the rules of Duplicatescrabble."
    )


class SessionIsSealed(Refusal, code="session_fixed"):
    message = _("“%(name)s” was prepared for several clubs, so it can only be played as it is.")


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """What a session is prepared with; `words` is the title of a loaded list, "" for none."""

    letters: str = "nl"
    max_turns: int = event_limits.DUPLICATE_TURNS.high
    seconds: int = DEFAULT_DUPLICATE_RULES.turn_seconds
    words: str = ""
    seed: int = 0


def prepare_session(division: Division, *, plan: SessionPlan, actor: Actor) -> DuplicateSession:
    """Prepare the session of a division, or prepare it differently before its first turn. Raises `NoDuplicateRules`,
    `already_played`, `SessionIsSealed`, or `Refusals` for the plan."""
    tournament = division.tournament
    if tournament.rules.duplicate is None:
        raise NoDuplicateRules(ruleset=tournament.rules.name)
    if faults := find_session_plan_problems(plan, division):
        raise Refusals(faults)
    with change(tournament, actor=actor, verb="prepare_session", division=division.name) as log:
        return _store_session(log, division, asdict(plan))


def _store_session(log: Change, division: Division, values: dict[str, Any]) -> DuplicateSession:
    """The session of a division with these values; one that is sealed is replaced by a sealed one only."""
    stored = DuplicateSession.objects.filter(division=division).first()
    if stored is None:
        return log.create(DuplicateSession(division=division, **values))
    if played := DuplicateTurn.objects.filter(session=stored).order_by("-number").first():
        raise Refusal(
            "already_played",
            _("Turn %(number)s has already been drawn, so the session can no longer be set up differently."),
            number=played.number,
        )
    if stored.sealed and "sealed" not in values:
        raise SessionIsSealed(name=stored.sealed["name"])
    log.save(stored, **values)
    return stored


def find_session_plan_problems(plan: SessionPlan, division: Division) -> list[Refusal]:
    """What is wrong with turns, seconds, letters and list of a plan."""
    problems: list[Refusal] = [
        *find_range_refusals("max_turns", plan.max_turns, event_limits.DUPLICATE_TURNS),
        *find_range_refusals("seconds", plan.seconds, event_limits.TURN_SECONDS),
    ]
    if plan.letters not in LETTER_SETS:
        # No list is looked for then: of letters that there are not, none would be found, and both would be blamed for
        # one slip.
        message, allowed = _("There is no letter set “%(value)s”. Allowed are: %(allowed)s."), ", ".join(LETTER_SETS)
        return [*problems, Refusal("letters_unknown", message, field="letters", value=plan.letters, allowed=allowed)]
    own = list_word_lists(division.tournament.organiser).filter(letters=plan.letters)
    if plan.words and plan.words not in (titles := list(own.values_list("title", flat=True))):
        allowed = ", ".join(f"“{title}”" for title in titles) or "–"
        message = _("No word list “%(value)s” is loaded for the letter set %(letters)s. Allowed are: %(allowed)s.")
        figures = {"value": plan.words, "letters": plan.letters, "allowed": allowed}
        problems.append(Refusal("list_unknown", message, field="words", **figures))
    return problems


def end_session(session: DuplicateSession, *, why: str, actor: Actor) -> None:
    """End a session before the rules do. Raises `Refusals` for the reason, or `turn_is_open`."""
    reason, division = clean_reason(why), session.division
    with change(division.tournament, actor=actor, verb="end_session", division=division.name, why=reason) as log:
        check_no_open_turn(session)
        log.save(DuplicateSession.objects.get(pk=session.pk), stopped=reason)


def resume_session(session: DuplicateSession, *, actor: Actor) -> None:
    """Go on with a session that the director has ended."""
    division = session.division
    with change(division.tournament, actor=actor, verb="resume_session", division=division.name) as log:
        log.save(DuplicateSession.objects.get(pk=session.pk), stopped="")


def check_no_open_turn(session: DuplicateSession) -> None:
    """Raise `turn_is_open` while a turn is being played."""
    duplicate_turn = DuplicateTurn.objects.filter(session=session, is_closed=False).first()
    if duplicate_turn is not None:
        raise Refusal(
            "turn_is_open",
            _("Turn %(number)s is still being played; lay its master word first."),
            number=duplicate_turn.number,
        )


def clean_reason(text: str, *, field: str = "reason", faults: Sequence[Refusal] = ()) -> str:
    """A reason on one line. Raises `Refusals` if it is missing, too long or cannot be shown, or if there are `faults`
    of other fields."""
    # Line ends and tabs become blanks first: they cannot be printed, and a reason that was pasted would be refused for
    # them.
    reason = " ".join(text.split())
    message = _("This needs a reason, which everybody will be able to read.")
    refusals = [*faults] if reason else [*faults, Refusal("reason_missing", message, field="reason")]
    if not reason.isprintable():
        refusals.append(NotPrintable(field=field, value=reason))
    if refusals := refusals + find_length_refusals(field, reason, limits.REASON):
        raise Refusals(refusals)
    return reason


class TurnCodeMissing(Refusal, code="code_missing", field="code"):
    message = _("Turn %(number)s is sealed. Type its code, or the opening code of the session.")


def import_sealed_session(division: Division, *, envelope: Envelope, actor: Actor) -> DuplicateSession:
    """Make the one that was fixed beforehand the division's session, in place of what was prepared before. Raises
    `NoDuplicateRules`, `other_rules`, `nothing_sealed`, or `already_played`."""
    tournament = division.tournament
    if tournament.rules.duplicate is None:
        raise NoDuplicateRules(ruleset=tournament.rules.name)
    if envelope.ruleset != tournament.ruleset:
        raise Refusal(
            "other_rules",
            _("“%(name)s” is played under %(needed)s, this tournament under %(ruleset)s."),
            field="file",
            name=envelope.name,
            needed=envelope.ruleset,
            ruleset=tournament.rules.name,
        )
    if not envelope.turns:
        raise Refusal("nothing_sealed", _("“%(name)s” has no turns."), field="file", name=envelope.name)
    with change(tournament, actor=actor, verb="take_sealed", division=division.name, name=envelope.name) as log:
        # Not checked as a plan that was typed: the club may load the list after the file. As long as it is missing,
        # every page of the session says so.
        plan = SessionPlan(envelope.letters, len(envelope.turns), envelope.seconds, envelope.words)
        return _store_session(log, division, {**asdict(plan), "sealed": serialize_envelope(envelope), "code": ""})


class TooManyDrawsPutBack(Refusal, code="too_many_redrawn", field="redrawn"):
    message = _("%(found)s draws put back are too many; at most %(limit)s are allowed.")


class TurnClosed(Refusal, code="turn_closed"):
    message = _("Turn %(number)s is closed. What a slip scores can still be corrected, with a reason.")


def open_turn(
    session: DuplicateSession, *, actor: Actor, draw: str | None = None, redrawn: Sequence[str] = (), code: str = ""
) -> DuplicateTurn:
    """Open the next turn with the tiles drawn by hand, or else by the program: the same seed draws the same tiles from
    the same bag. `redrawn` are draws by hand that were put back. A session that was fixed beforehand gives its own
    draw, opened by `code`. Raises `called_off`, `turn_is_open`, `session_over`, `SessionIsSealed`, `TurnCodeMissing`,
    `code_wrong`, or `Refusals` for the tiles."""
    division = session.division
    with change(division.tournament, actor=actor, verb="open_turn", division=division.name) as log:
        require_taking_place(log.tournament)
        check_no_open_turn(session)
        state = reload_session_state(session)
        if state.is_over:
            raise Refusal(
                "session_over",
                _("The session is over: %(why)s."),
                why=describe_session_end(state.session.stopped, state.ended),
            )
        number = len(state.turns) + 1
        bag = state.value.bag
        if state.session.sealed:
            return _create_sealed_turn(log, state, number, code, draw)
        drawn, put_back = _draw_by_program(state, number, 0) if draw is None else _read_hand_draw(draw, redrawn, bag)
        log.tell(turn=number, name=drawn)
        return log.create(DuplicateTurn(session=session, number=number, draw=drawn, redrawn=list(put_back)))


def _create_sealed_turn(log: Change, state: SessionState, number: int, code: str, draw: str | None) -> DuplicateTurn:
    """The turn as it was fixed beforehand. A code that opens the whole session is kept for the turns to come."""
    session = state.session
    envelope = deserialize_envelope(session.sealed)
    assert envelope is not None
    if draw is not None:
        raise SessionIsSealed(name=envelope.name)
    used = code.strip() or session.code
    if not used:
        raise TurnCodeMissing(number=number)
    try:
        fixed = sealed.open_sealed_turn(envelope, number, sealed.tidy_code(used))
    except sealed.WrongCode as fault:
        lengths = {"turn": sealed.TURN_LENGTH, "opening": sealed.OPENING_LENGTH}
        raise Refusal(
            "code_wrong",
            _(
                "“%(code)s” does not open turn %(number)s. A code has %(turn)s letters for one turn, %(opening)s for "
                "the session."
            ),
            field="code",
            code=used[:QUOTED_TEXT],
            number=number,
            **lengths,
        ) from fault
    try:
        drawn, put_back = sealed.due_draw(fixed, state.value.bag)
    except ValueError as fault:
        message = _("What was fixed for turn %(number)s, “%(draw)s”, cannot be drawn from what the bag holds.")
        raise Refusal("no_such_draw", message, number=number, draw=fixed.draw[:QUOTED_TEXT]) from fault
    # What the turn keeps is its own code in either case: it opens this turn alone, also after the opening code was
    # typed.
    own = sealed.derive_turn_code(envelope.salt, used, number) if sealed.is_opening_code(used) else used
    if sealed.is_opening_code(used) and used != session.code:
        log.save(session, code=used)
    log.tell(turn=number, name=drawn)
    return log.create(DuplicateTurn(session=session, number=number, draw=drawn, redrawn=list(put_back), code=own))


def redraw_turn(turn: DuplicateTurn, *, actor: Actor, draw: str | None = None) -> None:
    """Put back the draw of a turn in which nobody has scored, and draw again; its slips are gone, as
    they were typed and as they were read again, and its clock stops. Raises `TurnClosed`, `SessionIsSealed`,
    `somebody_scores`, or `Refusals` for the tiles."""
    with change(turn.session.division.tournament, actor=actor, verb="draw_again", **make_turn_details(turn)) as log:
        stored, state = get_open_turn(turn), reload_session_state(turn.session)
        if state.session.sealed:
            raise SessionIsSealed(name=state.session.sealed["name"])
        scored = [slip for slip in state.result(stored.number).slips.values() if slip.points]
        if scored:
            raise Refusal(
                "somebody_scores",
                _("Turn %(number)s cannot be drawn again: slips that score: %(count)s."),
                count=len(scored),
                number=stored.number,
            )
        before = [*stored.redrawn, stored.draw]
        if draw is None:
            # Numbered by the draws before it: the same seed gives the same second draw, and not the first one again.
            drawn, more = _draw_by_program(state, stored.number, len(before))
        else:
            drawn, more = _read_hand_draw(draw, (), state.value.bag)
        if len(before) + len(more) > event_limits.REDRAWS:
            raise TooManyDrawsPutBack(found=len(before) + len(more), limit=event_limits.REDRAWS)
        log.delete_all(list(DuplicateSlip.objects.filter(turn=stored).order_by("pk")))
        log.delete_all(list(SecondReading.objects.filter(turn=stored).order_by("pk")))
        log.save(stored, draw=drawn, redrawn=[*before, *more], started_at=None)
        log.tell(name=f"{before[-1]} → {drawn}")


def start_turn_clock(turn: DuplicateTurn, *, actor: Actor) -> None:
    """Start the clock of a turn now, or start it anew. Raises `TurnClosed`."""
    with change(turn.session.division.tournament, actor=actor, verb="start_clock", **make_turn_details(turn)) as log:
        log.save(get_open_turn(turn), started_at=log.now)


def close_turn(turn: DuplicateTurn, *, position: str = "", word: str = "", reason: str = "", actor: Actor) -> None:
    """Lay a master word and close the turn; one that was fixed beforehand need not be named. Raises `TurnClosed`,
    `no_play`, `cannot_lie`, `master_fixed`, `TurnCodeMissing`; `other_than_proposed` or `nobody_scores`
    where the word needs a reason."""
    with change(turn.session.division.tournament, actor=actor, verb="close_turn", **make_turn_details(turn)) as log:
        stored, state = get_open_turn(turn), reload_session_state(turn.session)
        if fixed := _get_fixed_master(state, stored, position, word):
            position, word, name = fixed.position, fixed.word, (state.session.sealed or {})["name"]
            # Stored for everybody to read, so in the language of the event and not in that of whoever clicks.
            with translation.override(choose_paper_language(state.session.division.tournament.language)):
                reason = str(_("Fixed in advance in “%(name)s”")) % {"name": name}
        # The board before this turn, which lies at the turn's number less one: at 0 it is empty.
        board = state.value.boards[stored.number - 1]
        full_play, cheapest = fit_play_to_draw(board, stored.draw, position, word)
        # Blanks that the director has marked lie as marked, if the draw can do that. Otherwise they stand for the
        # cheapest letters.
        is_marked = any(mark.islower() for mark in full_play.word) and not boards.problems(
            board, full_play, rack=stored.draw
        )
        play = full_play if is_marked else cheapest
        proposed = duplicate.find_master_word(state.result(stored.number))
        why = clean_reason(reason) if reason.strip() else ""
        if not why and proposed is None:
            raise Refusal(
                "nobody_scores",
                _("Nobody has scored in this turn, so the director lays a word; note where it comes from."),
                field="reason",
            )
        if not why and proposed is not None and not duplicate.is_same_word(play, proposed):
            raise Refusal(
                "other_than_proposed",
                _("The rules lay %(proposed)s. Another word needs a reason, which everybody will be able to read."),
                field="reason",
                proposed=str(proposed),
            )
        # In one write: to the database a turn that has a word is closed (`duplicate_master_closes`).
        log.save(stored, master_position=play.position, master_word=play.word, reason=why, is_closed=True)
        log.tell(name=str(play), why=why)


def _get_fixed_master(state: SessionState, turn: DuplicateTurn, position: str, word: str) -> Play | None:
    """The word that was fixed for a turn; None if the club lays its own."""
    envelope = deserialize_envelope(state.session.sealed)
    if envelope is None:
        return None
    try:
        fixed = sealed.open_sealed_turn(envelope, turn.number, turn.code or state.session.code)
    except sealed.WrongCode:
        raise TurnCodeMissing(number=turn.number) from None
    named = parse_slip_play(position, word)
    if fixed.master and word and (named is None or not duplicate.is_same_word(named, fixed.master)):
        raise Refusal(
            "master_fixed",
            _("The master word of this turn was fixed in advance for every club; “%(play)s” cannot be laid."),
            field="word",
            play=f"{position} {word}".strip()[:QUOTED_TEXT],
        )
    return fixed.master


def make_turn_details(turn: DuplicateTurn, *entries: Entry) -> dict[str, object]:
    """What the journal says of a turn, and whose slip it is about."""
    names = {"names": [entry.name for entry in entries]} if entries else {}
    return {"division": turn.session.division.name, "turn": turn.number, **names}


def get_open_turn(turn: DuplicateTurn) -> DuplicateTurn:
    """The turn as it stands behind the lock. Raises `TurnClosed`."""
    stored = DuplicateTurn.objects.get(pk=turn.pk)
    if stored.is_closed:
        raise TurnClosed(number=stored.number)
    return stored


def _draw_by_program(state: SessionState, number: int, times: int) -> tuple[str, tuple[str, ...]]:
    """What the program draws for a turn that was drawn `times` times before."""
    # A generator for each draw and not one for the session: a turn that is undone and opened again, or that follows one
    # drawn by hand, has the same tiles from the same bag.
    return duplicate.draw_tiles(state.value.bag, Random(f"{state.session.seed}/{number}/{times}"))


def _read_hand_draw(draw: str, redrawn: Sequence[str], bag: str) -> tuple[str, tuple[str, ...]]:
    """Tiles as somebody has drawn them. Raises `Refusals` with everything that is wrong with them."""
    tiles, *others = ("".join(letters.upper().split()) for letters in (draw, *redrawn))
    put_back = tuple(filter(None, others))
    faults = find_draw_problems(tiles, bag)
    if not faults and (lacking := duplicate.lacking_kind(tiles)):
        # Spelregels 1.
        message = _(
            "“%(draw)s” has no %(lacking)s, so it is put back and drawn again. List it among the draws put back."
        )
        faults.append(Refusal("draw_needs_both", message, field="draw", draw=tiles, lacking=LACKING_NAMES[lacking]))
    if len(put_back) > event_limits.REDRAWS:
        faults.append(TooManyDrawsPutBack(found=len(put_back), limit=event_limits.REDRAWS))
    # No more than may be: of a list that is too long anyway each draw would add a fault of its own.
    for tiles_drawn in put_back[: event_limits.REDRAWS]:
        # Each against the whole bag: the draw before it was put back before this one was made.
        problems = find_draw_problems(tiles_drawn, bag)
        for fault in problems:
            fault.field = "redrawn"
        if not problems and not duplicate.lacking_kind(tiles_drawn):
            message = _("“%(draw)s” holds a vowel and a consonant, so it was not to be put back.")
            problems = [Refusal("draw_has_both", message, field="redrawn", draw=tiles_drawn)]
        faults += problems
    if faults:
        raise Refusals(faults)
    return tiles, put_back


def find_draw_problems(tiles: str, bag: str) -> list[Refusal]:
    """What keeps these tiles from being drawn out of the bag."""
    if len(tiles) != RACK_SIZE:
        message = _("“%(draw)s” has %(found)s instead of %(needed)s tiles: write letters, and ? for a blank.")
        figures = {"draw": tiles[:QUOTED_TEXT], "found": len(tiles), "needed": RACK_SIZE}
        return [Refusal("draw_count", message, field="draw", **figures)]
    held = Counter(bag)
    lacking = [tile for tile, count in Counter(tiles).items() if count > held[tile]]
    message = _("“%(draw)s” cannot be drawn: of “%(tile)s” the bag holds %(found)s.")
    return [Refusal("not_in_bag", message, field="draw", draw=tiles, tile=tile, found=held[tile]) for tile in lacking]


def fit_play_to_draw(board: Board, draw: str, position: str, word: str) -> tuple[Play, Play]:
    """The whole word as it is written, and the same word as it can be laid with the draw, with the cheapest letters as
    blanks. Raises `no_play` or `cannot_lie`."""
    written = parse_slip_play(position, word)
    if written is None:
        raise Refusal(
            "no_play",
            _("“%(play)s” is not a word with its position, like 8H ABER across or H8 ABER down."),
            field="word",
            play=f"{position} {word}".strip()[:QUOTED_TEXT],
        )
    play = Play(written.start, written.direction, written.word_on(board).strip("()"))
    slip = Slip("", position, play.word)
    judged = duplicate.judge(board, draw, slip)
    if judged.play is None or judged.fault is not None:
        raise Refusal(
            "cannot_lie",
            _("“%(play)s” cannot be laid with %(draw)s: %(why)s."),
            field="word",
            play=str(play),
            draw=draw,
            why=describe_slip_fault(judged, slip, board, draw),
        )
    return play, judged.play
