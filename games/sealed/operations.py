"""Prepare a session for several clubs, seal it, join what the clubs send back, and rule on what they differ about."""

from dataclasses import asdict, dataclass, fields
from random import Random
from secrets import SystemRandom

from django.utils.translation import gettext_lazy as _

from games.duplicate.operations.sessions import (
    NoDuplicateRules,
    SessionPlan,
    clean_reason,
    find_draw_problems,
    find_session_plan_problems,
    fit_play_to_draw,
)
from games.models import JoinedClub, PreparedSession, Ruling, WordList
from games.plays import find_best_plays
from games.sealed.club_files import ClubFile
from games.sessions.session_state import find_word_list, serialize_envelope
from games.sessions.words import LACKING_NAMES
from scoring import board as boards
from scoring import duplicate, sealed
from scoring.board import RACK_SIZE, Board
from scoring.joined import WordKey
from scoring.letters import LETTER_SETS
from scoring.plays import Play
from scoring.sealed import Envelope, FixedTurn
from tournament.basics import limits as event_limits
from tournament.basics.limits import QUOTED_TEXT
from tournament.basics.refusals import NotPrintable, Refusal, Refusals, find_length_refusals, find_range_refusals
from tournament.core.change import Actor, change
from tournament.models import Division

MAX_DRAW_TRIES = 50  # how often a draw with which the list allows no play is put back; then the session ends there


@dataclass(frozen=True, slots=True)
class SealedPlan(SessionPlan):
    """What a session for several clubs is prepared with. `turns`: a line for each, with the draw and, where the master
    words are fixed (`masters`), the word."""

    name: str = ""
    masters: bool = True
    turns: str = ""

    @property
    def lines(self) -> list[str]:
        """The lines that say something."""
        # In capitals, though small letters mark blanks elsewhere: which letters of a master word are blanks follows
        # from the draw (`fit_play_to_draw`).
        return [line for line in self.turns.upper().splitlines() if line.strip()]


def parse_fixed_turns(plan: SealedPlan) -> tuple[FixedTurn, ...]:
    """The turns as they are typed. Raises `Refusals` with what is wrong with the lines; where master words are fixed,
    the first fault only, because later boards need earlier words."""
    if len(plan.lines) > plan.max_turns:
        message = _("%(found)s turns are more than %(limit)s, which is the most that is stated.")
        figures = {"found": len(plan.lines), "limit": plan.max_turns}
        raise Refusals([Refusal("too_many_lines", message, field="turns", **figures)])
    board = Board(LETTER_SETS[plan.letters])
    turns: list[FixedTurn] = []
    faults: list[Refusal] = []
    for number, line in enumerate(plan.lines, 1):
        try:
            turn = _parse_turn(line, board, number, plan)
        except Refusal as fault:
            message = _("Turn %(number)s: %(fault)s")
            faults.append(Refusal("turn_at_fault", message, field="turns", number=number, fault=str(fault)))
            if plan.masters:
                break
        else:
            turns.append(turn)
            board = duplicate.lay_master_word(board, turn.master) if turn.master else board
    if faults:
        raise Refusals(faults)
    return tuple(turns)


def _parse_turn(line: str, board: Board, number: int, plan: SealedPlan) -> FixedTurn:
    """A turn out of its line. Raises the first `Refusal` about it."""
    draw, *rest = line.split()
    if fault := next(iter(find_draw_problems(draw, board.unseen())), None):
        raise fault
    if lacking := duplicate.lacking_kind(draw):
        message = _("“%(draw)s” has no %(lacking)s, but a draw holds a vowel and a consonant.")
        raise Refusal("draw_lacks", message, draw=draw, lacking=LACKING_NAMES[lacking])
    if plan.masters:
        if not rest:
            raise Refusal("master_missing", _("the master word is missing behind %(draw)s."), draw=draw)
        return FixedTurn(draw, master=fit_play_to_draw(board, draw, rest[0], "".join(rest[1:]))[1])
    if rest:
        message = _("“%(text)s” is more than a draw; this session has no fixed master words.")
        raise Refusal("master_not_wanted", message, text=line[: 2 * QUOTED_TEXT])
    return sealed.add_reserve(FixedTurn(draw), board.letters, plan.seed, number)


def fill_in_turns(plan: SealedPlan, division: Division) -> str:
    """The lines, with what is missing drawn and proposed by the program; the same seed gives the same. What is typed
    stays, even where it is wrong. Raises `Refusals` where master words are to be found without a list."""
    word_list = find_word_list(division, plan.letters, plan.words)
    if plan.masters and word_list is None:
        message = _("The program can only find master words with a word list; choose one, or type the words.")
        raise Refusals([Refusal("needs_list", message, field="words")])
    board = Board(LETTER_SETS[plan.letters])
    lines: list[str] = []
    for number in range(1, plan.max_turns + 1):
        bag = board.unseen()
        # There the rules end a session: no draw is left that has seven tiles, a vowel and a consonant.
        if len(bag) < RACK_SIZE or duplicate.lacking_kind(bag):
            break
        typed_line = plan.lines[number - 1] if number <= len(plan.lines) else ""
        line = _complete_line(typed_line, board, number, plan, word_list)
        if not line:
            break
        lines.append(line)
        board = _lay_line(board, line)
    # Lines behind the end of the session stay as they were typed: they are refused in words when it is saved.
    return "\n".join([*lines, *plan.lines[len(lines) :]])


def _lay_line(board: Board, line: str) -> Board:
    """The board after a line's word; as it is where there is none, or one that cannot be laid."""
    draw, *rest = line.split()
    try:
        play = fit_play_to_draw(board, draw, rest[0], "".join(rest[1:]))[1] if rest else None
    except Refusal:
        return board
    return duplicate.lay_master_word(board, play) if play else board


def _complete_line(typed: str, board: Board, number: int, plan: SealedPlan, word_list: WordList | None) -> str:
    """A line with a draw and, where masters are fixed, a word; "" if the list allows none with any draw."""
    draw, *rest = typed.split() or [""]
    if rest or (draw and not plan.masters):
        return " ".join([draw, *rest])
    # Each try is numbered in the seed: a draw with which the list allows no play would else come again.
    for times in range(1 if draw else MAX_DRAW_TRIES):
        drawn = draw or duplicate.draw_tiles(board.unseen(), Random(f"{plan.seed}/{number}/{times}"))[0]
        word = _find_best_word(board, drawn, word_list) if plan.masters else ""
        if word or not plan.masters:
            return f"{drawn} {word}".strip()
    # A draw that was typed stays, also where the list has no play with it; "" where none was, and the session ends
    # there.
    return draw


def _find_best_word(board: Board, draw: str, word_list: WordList | None) -> str:
    """The best word that the list allows, of equal ones the one with the fewest new tiles; "" if there is none."""
    assert word_list is not None
    plays = find_best_plays(board, draw, word_list)
    if plays is None or not plays["plays"]:
        return ""
    level = [Play.parse(best["text"]) for best in plays["plays"] if best["points"] == plays["plays"][0]["points"]]
    play = min(level, key=lambda equal: len(boards.new_tiles(board, equal)))
    return f"{play.position} {play.word}"


class SessionAlreadySealed(Refusal, code="already_sealed"):
    message = _("“%(name)s” is sealed, so it can no longer be changed. First undo the sealing in the journal.")


class SessionNotSealed(Refusal, code="not_sealed"):
    message = _("“%(name)s” is not sealed yet.")


def save_prepared_session(division: Division, *, plan: SealedPlan, actor: Actor) -> PreparedSession:
    """Keep a session as it is prepared so far. Raises `NoDuplicateRules`, `SessionAlreadySealed`, or `Refusals`."""
    tournament = division.tournament
    if tournament.rules.duplicate is None:
        raise NoDuplicateRules(ruleset=tournament.rules.name)
    message = _("The session needs a name that the clubs know it by.")
    faults = [] if plan.name.strip() else [Refusal("name_missing", message, field="name")]
    if not plan.name.isprintable():
        faults.append(NotPrintable(field="name", value=plan.name))
    faults += find_length_refusals("name", plan.name, event_limits.SEALED_NAME)
    if faults := faults + find_session_plan_problems(plan, division):
        raise Refusals(faults)
    # For its refusals alone: what is kept can be sealed later, without a line that nobody could lay.
    parse_fixed_turns(plan)
    with change(tournament, actor=actor, verb="save_prepared", division=division.name, name=plan.name) as log:
        stored = PreparedSession.objects.filter(division=division).first()
        if stored is None:
            return log.create(PreparedSession(division=division, **asdict(plan)))
        if stored.envelope:
            raise SessionAlreadySealed(name=stored.name)
        log.save(stored, **asdict(plan))
        return stored


def get_sealed_plan(row: PreparedSession) -> SealedPlan:
    """What a stored session was prepared with."""
    return SealedPlan(**{field.name: getattr(row, field.name) for field in fields(SealedPlan)})


def seal_session(row: PreparedSession, *, actor: Actor) -> Envelope:
    """Seal a session: from now on it cannot be changed, and clubs can be sent its file. Raises `SessionAlreadySealed`,
    `no_turns`, or `Refusals` with what is wrong with its turns."""
    division = row.division
    with change(division.tournament, actor=actor, verb="seal_session", division=division.name, name=row.name) as log:
        stored = PreparedSession.objects.get(pk=row.pk)
        if stored.envelope:
            raise SessionAlreadySealed(name=stored.name)
        # As they stand now: turns of a page opened before would be sealed with the letters and masters of a later one.
        turns = parse_fixed_turns(get_sealed_plan(stored))
        if not turns:
            raise Refusal(
                "no_turns", _("There is no turn yet; type one, or let the program fill in the turns."), field="turns"
            )
        word_list = find_word_list(division, stored.letters, stored.words)
        unsealed = Envelope(
            name=stored.name,
            ruleset=division.tournament.ruleset,
            letters=stored.letters,
            # As many as there are and not the most that was stated: clubs could not open the turns that were not fixed,
            # and their session would not be over.
            max_turns=len(turns),
            seconds=stored.seconds,
            words=stored.words,
            words_hash=word_list.sha256 if word_list else "",
            masters=stored.masters,
            salt="",
            turns=(),
        )
        # Not by a number, as draws are: whoever knew it would have the codes.
        random = SystemRandom()
        code = sealed.make_opening_code(random)
        envelope = sealed.seal_turns(unsealed, turns, code, random)
        log.save(stored, envelope=serialize_envelope(envelope), code=code)
        return envelope


def join_club(row: PreparedSession, *, file: ClubFile, actor: Actor) -> JoinedClub:
    """Keep what a club has sent back; `read_club_file` has checked it. Raises `SessionNotSealed` or
    `joined_already`."""
    division = row.division
    with change(division.tournament, actor=actor, verb="join_clubs", division=division.name, name=file.name) as log:
        stored = PreparedSession.objects.get(pk=row.pk)
        if not stored.envelope:
            raise SessionNotSealed(name=stored.name)
        there = JoinedClub.objects.filter(prepared=stored)
        # By its content first: the same file under another name would count all its players twice.
        same = there.filter(hash=file.hash).first() or there.filter(name=file.name).first()
        if same is not None:
            raise Refusal(
                "joined_already",
                _("“%(name)s” has already been joined. To replace it with this file, remove the earlier one first."),
                field="sent",
                name=same.name,
            )
        return log.create(JoinedClub(prepared=stored, name=file.name, hash=file.hash, text=file.text))


def remove_club(club: JoinedClub, *, actor: Actor) -> None:
    """Take a club's file out of the table."""
    division = club.prepared.division
    with change(division.tournament, actor=actor, verb="remove_club", division=division.name, name=club.name) as log:
        log.delete(JoinedClub.objects.get(pk=club.pk))


def rule_on_word(row: PreparedSession, *, word: WordKey, points: int, why: str, actor: Actor) -> Ruling:
    """Decide what a word that clubs have judged differently scores everywhere, and why. Raises `Refusals`."""
    turn, position, text = word
    faults = find_range_refusals("points", points, event_limits.SLIP_POINTS)
    reason = clean_reason(why, field="why", faults=faults)
    division = row.division
    about = {"division": division.name, "turn": turn, "name": f"{position} {text}", "count": points, "why": reason}
    with change(division.tournament, actor=actor, verb="rule_slip", **about) as log:
        same = {"prepared": row, "turn": turn, "position": position, "word": text}
        # One ruling a word: decided again, it replaces what was decided before, and the journal has both.
        stored = Ruling.objects.filter(**same).first()
        if stored is None:
            return log.create(Ruling(**same, points=points, why=reason))
        log.save(stored, points=points, why=reason)
        return stored
