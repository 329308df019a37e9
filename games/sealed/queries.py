"""What clubs send back: a tournament file each, checked against the sealed session, and joined into one table."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.duplicate.queries import ListedWords, judge_slip
from games.duplicate.words import describe_early_stop
from scoring import duplicate, sealed
from scoring.duplicate import SessionRecord, SessionTurn, Slip, WordCheck
from scoring.joined import ClubSession, JoinedSessions, SlipCorrection, WordKey
from scoring.letters import LETTER_SETS
from scoring.plays import Play
from scoring.sealed import Envelope, FixedTurn
from tournament.basics.refusals import Refusal, Refusals
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.exchange.values import DuplicateData, EventData, TurnData


class ClubFileRefusal(Refusal):
    """`file` names the file it is about."""

    field = "sent"


class NoSealedSession(ClubFileRefusal):
    code = "no_session_there"
    message = gettext_lazy("%(file)s holds no session that was fixed beforehand.")


class SealedSessionDiffers(ClubFileRefusal):
    code = "other_session"
    message = gettext_lazy(
        "%(file)s is of another prepared session: “%(name)s” (%(mark)s), not “%(wanted)s” (%(wanted_mark)s)."
    )


class SessionNotOver(ClubFileRefusal):
    code = "not_over"
    message = gettext_lazy("%(file)s: the session is not over yet; turn %(number)s comes next or is being played.")


class SessionSettingDiffers(ClubFileRefusal):
    code = "other_head"
    message = gettext_lazy("%(file)s: %(what)s is “%(found)s”, but “%(needed)s” was fixed.")


class TurnCodeInvalid(ClubFileRefusal):
    code = "not_opened"
    message = gettext_lazy("%(file)s, turn %(number)s: its code does not open what was sealed.")


class DrawDiffers(ClubFileRefusal):
    code = "other_draw"
    message = gettext_lazy("%(file)s, turn %(number)s: “%(found)s” was drawn, but “%(needed)s” was fixed.")


class MasterWordDiffers(ClubFileRefusal):
    code = "other_master"
    message = gettext_lazy("%(file)s, turn %(number)s: “%(found)s” was laid, but “%(needed)s” was fixed.")


@dataclass(frozen=True, slots=True)
class ClubFile:
    """A club's file, checked. `name` is what the table calls the club, `text` the file in its one form."""

    name: str
    hash: str
    text: str
    event: EventData


def read_club_file(content: str | bytes, *, file: str, envelope: Envelope) -> ClubFile:
    """A club's file. Raises `Faults` for a file that cannot be read, `Refusals` where it is not of this session."""
    event = read_tournament_file(content)
    text = format_tournament_file(event)
    if faults := list(_find_club_file_problems(event, file, envelope)):
        raise Refusals(faults)
    name = " · ".join(dict.fromkeys(filter(None, (event.name, event.place))))
    return ClubFile(name, _hash_sessions(event), text, event)


def _hash_sessions(event: EventData) -> str:
    """By which a file is known again that was saved once more under another name."""
    sessions = [(each.name, each.duplicate) for each in event.divisions]
    told = repr((sessions, [(player.id, player.name) for player in event.players]))
    return hashlib.sha256(told.encode()).hexdigest()


@lru_cache(maxsize=200)
def read_joined_file(text: str) -> EventData:
    """A file that was checked when it was joined."""
    return read_tournament_file(text)


def _find_club_file_problems(event: EventData, file: str, envelope: Envelope) -> Iterator[Refusal]:
    sessions = [each.duplicate for each in event.divisions if each.duplicate and each.duplicate.sealed]
    if not sessions:
        yield NoSealedSession(file=file)
    for session in sessions:
        assert session.sealed is not None
        if session.sealed.fingerprint != envelope.fingerprint:
            yield SealedSessionDiffers(
                file=file,
                name=session.sealed.name,
                mark=session.sealed.mark,
                wanted=envelope.name,
                wanted_mark=envelope.mark,
            )
        else:
            yield from _find_setting_problems(session, event, file, envelope)
            yield from _find_turn_problems(session, file, envelope)


def _find_setting_problems(
    session: DuplicateData, event: EventData, file: str, envelope: Envelope
) -> Iterator[Refusal]:
    """That the session was played by the rules, letters and list that were fixed."""
    for what, found, needed in (
        (_("the ruleset"), event.ruleset, envelope.ruleset),
        (_("the letter set"), session.letters, envelope.letters),
        (_("the word list"), session.words or "–", envelope.words or "–"),
        (_("the number of turns"), session.max_turns, envelope.max_turns),
    ):
        if found != needed:
            yield SessionSettingDiffers(file=file, what=what, found=found, needed=needed)


def _find_turn_problems(session: DuplicateData, file: str, envelope: Envelope) -> Iterator[Refusal]:
    """That every turn is the one that was sealed, and the session is over. The first other turn is named."""
    value = make_session_value(session, ())
    for turn, board in zip(session.turns, value.boards, strict=False):
        told = {"file": file, "number": turn.number}
        try:
            fixed = sealed.open_sealed_turn(envelope, turn.number, sealed.tidy_code(turn.code))
            needed, _put_back = sealed.due_draw(fixed, board.unseen())
        except (sealed.WrongCode, ValueError):
            yield TurnCodeInvalid(**told)
            return
        if sorted(turn.draw) != sorted(needed):
            yield DrawDiffers(**told, found=turn.draw, needed=needed)
            return
        if not _is_fixed_master(turn, fixed):
            laid = f"{turn.master.position} {turn.master.word}" if turn.master else "–"
            yield MasterWordDiffers(**told, found=laid, needed=str(fixed.master))
            return
    is_open = bool(session.turns) and session.turns[-1].master is None
    if is_open or not (session.stopped or value.ended):
        yield SessionNotOver(file=file, number=len(session.turns) + (0 if is_open else 1))


def _is_fixed_master(turn: TurnData, fixed: FixedTurn) -> bool:
    """Whether a turn's master word is the one that was fixed, if one was; none yet is as well."""
    if fixed.master is None or turn.master is None:
        return True
    laid = Play.parse(turn.master.position, turn.master.word)
    return duplicate.is_same_word(laid, fixed.master)


def make_session_value(
    session: DuplicateData, players: Iterable[str], allows: WordCheck | None = None
) -> SessionRecord:
    """A session of a file as the value to work out, without its corrections."""
    return SessionRecord(
        letters=LETTER_SETS[session.letters],
        players=tuple(players),
        turns=tuple(
            SessionTurn(
                turn.draw,
                tuple(
                    Slip(slip.player, slip.position, slip.word, slip.claimed, slip.late, slip.refused)
                    for slip in turn.slips
                ),
                Play.parse(turn.master.position, turn.master.word) if turn.master else None,
            )
            for turn in session.turns
        ),
        max_turns=session.max_turns,
        allows=allows,
        judging=judge_slip if isinstance(allows, ListedWords | None) else duplicate.judge,
    )


@dataclass(frozen=True, slots=True)
class JoinedClubs:
    """Clubs joined: the value to work out, players' names and home clubs by club and id, clubs that stopped early."""

    joined: JoinedSessions
    names: Mapping[tuple[str, str], str]
    homes: Mapping[tuple[str, str], str]
    notes: tuple[str, ...]


def join_club_files(
    files: Iterable[tuple[str, EventData]], rulings: Mapping[WordKey, int], allows: WordCheck | None
) -> JoinedClubs:
    """The field of all clubs, each with the name that the table gives it."""
    listed = list(files)
    clubs = [club for name, event in listed for club in _list_club_sessions(name, event, allows)]
    joined = JoinedSessions(tuple(clubs), rulings)
    people = {(name, player.id): player for name, event in listed for player in event.players}
    return JoinedClubs(
        joined=joined,
        names={key: player.name for key, player in people.items()},
        homes={key: player.club or "" for key, player in people.items()},
        notes=tuple(
            describe_early_stop(each.club, len(each.session.turns), joined.turns)
            for each in clubs
            if len(each.session.turns) < joined.turns
        ),
    )


def _list_club_sessions(name: str, event: EventData, allows: WordCheck | None) -> Iterator[ClubSession]:
    """What a club has played, division by division."""
    for division in event.divisions:
        session = division.duplicate
        if session is None or session.sealed is None:
            continue
        players = [player.id for player in event.players if player.division in ("", division.name)]
        corrections = tuple(
            SlipCorrection(turn.number, each.slip, each.points, each.at, each.alone)
            for turn in session.turns
            for each in turn.corrections
        )
        yield ClubSession(name, make_session_value(session, players, allows), corrections)
