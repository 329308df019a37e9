"""What clubs send back: a tournament file each, checked against the sealed session, and joined into one table."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.duplicate import reading, words
from games.duplicate.reading import ListedWords
from scoring import duplicate, sealed
from scoring.duplicate import Allowed, Session, Slip, Turn
from scoring.joined import ClubSession, Correction, JoinedSessions, Word
from scoring.letters import LETTER_SETS
from scoring.plays import Play
from scoring.sealed import Envelope, FixedTurn
from tournament.exchange import tournament_file
from tournament.exchange.values import DuplicateData, EventData, TurnData
from tournament.refusals import Refusal, Refusals


class ClubFault(Refusal):
    """`file` names the file it is about."""

    field = "sent"


class NoSession(ClubFault):
    code = "no_session_there"
    message = gettext_lazy("%(file)s holds no session that was fixed beforehand.")


class OtherSession(ClubFault):
    code = "other_session"
    message = gettext_lazy(
        "%(file)s is of another prepared session: “%(name)s” (%(mark)s), not “%(wanted)s” (%(wanted_mark)s)."
    )


class NotOver(ClubFault):
    code = "not_over"
    message = gettext_lazy("%(file)s: the session is not over yet; turn %(number)s comes next or is being played.")


class OtherHead(ClubFault):
    code = "other_head"
    message = gettext_lazy("%(file)s: %(what)s is “%(found)s”, but “%(needed)s” was fixed.")


class NotOpened(ClubFault):
    code = "not_opened"
    message = gettext_lazy("%(file)s, turn %(number)s: its code does not open what was sealed.")


class OtherDraw(ClubFault):
    code = "other_draw"
    message = gettext_lazy("%(file)s, turn %(number)s: “%(found)s” was drawn, but “%(needed)s” was fixed.")


class OtherMaster(ClubFault):
    code = "other_master"
    message = gettext_lazy("%(file)s, turn %(number)s: “%(found)s” was laid, but “%(needed)s” was fixed.")


@dataclass(frozen=True, slots=True)
class ClubFile:
    """A club's file, checked. `name` is what the table calls the club, `text` the file in its one form."""

    name: str
    hash: str
    text: str
    event: EventData


def read(content: str | bytes, *, file: str, envelope: Envelope) -> ClubFile:
    """A club's file. Raises `Faults` for a file that cannot be read, `Refusals` where it is not of this session."""
    event = tournament_file.read(content)
    text = tournament_file.write(event)
    if faults := list(_problems(event, file, envelope)):
        raise Refusals(faults)
    name = " · ".join(dict.fromkeys(filter(None, (event.name, event.place))))
    return ClubFile(name, _hash(event), text, event)


def _hash(event: EventData) -> str:
    """By which a file is known again that was saved once more under another name."""
    sessions = [(each.name, each.duplicate) for each in event.divisions]
    told = repr((sessions, [(player.id, player.name) for player in event.players]))
    return hashlib.sha256(told.encode()).hexdigest()


@lru_cache(maxsize=200)
def stored(text: str) -> EventData:
    """A file that was checked when it was joined."""
    return tournament_file.read(text)


def _problems(event: EventData, file: str, envelope: Envelope) -> Iterator[Refusal]:
    sessions = [each.duplicate for each in event.divisions if each.duplicate and each.duplicate.sealed]
    if not sessions:
        yield NoSession(file=file)
    for session in sessions:
        assert session.sealed is not None
        if session.sealed.fingerprint != envelope.fingerprint:
            yield OtherSession(
                file=file,
                name=session.sealed.name,
                mark=session.sealed.mark,
                wanted=envelope.name,
                wanted_mark=envelope.mark,
            )
        else:
            yield from _of_head(session, event, file, envelope)
            yield from _of_turns(session, file, envelope)


def _of_head(session: DuplicateData, event: EventData, file: str, envelope: Envelope) -> Iterator[Refusal]:
    """That the session was played by the rules, letters and list that were fixed."""
    for what, found, needed in (
        (_("the ruleset"), event.ruleset, envelope.ruleset),
        (_("the letter set"), session.letters, envelope.letters),
        (_("the word list"), session.words or "–", envelope.words or "–"),
        (_("the number of turns"), session.max_turns, envelope.max_turns),
    ):
        if found != needed:
            yield OtherHead(file=file, what=what, found=found, needed=needed)


def _of_turns(session: DuplicateData, file: str, envelope: Envelope) -> Iterator[Refusal]:
    """That every turn is the one that was sealed, and the session is over. The first other turn is named."""
    value = session_of(session, ())
    for turn, board in zip(session.turns, value.boards, strict=False):
        told = {"file": file, "number": turn.number}
        try:
            fixed = sealed.opened(envelope, turn.number, sealed.tidy(turn.code))
            needed, _put_back = sealed.due(fixed, board.unseen())
        except (sealed.WrongCode, ValueError):
            yield NotOpened(**told)
            return
        if sorted(turn.draw) != sorted(needed):
            yield OtherDraw(**told, found=turn.draw, needed=needed)
            return
        if not _is_fixed(turn, fixed):
            laid = f"{turn.master.position} {turn.master.word}" if turn.master else "–"
            yield OtherMaster(**told, found=laid, needed=str(fixed.master))
            return
    is_open = bool(session.turns) and session.turns[-1].master is None
    if is_open or not (session.stopped or value.ended):
        yield NotOver(file=file, number=len(session.turns) + (0 if is_open else 1))


def _is_fixed(turn: TurnData, fixed: FixedTurn) -> bool:
    """Whether a turn's master word is the one that was fixed, if one was; none yet is as well."""
    if fixed.master is None or turn.master is None:
        return True
    laid = Play.parse(turn.master.position, turn.master.word)
    return duplicate.same_word(laid, fixed.master)


def session_of(session: DuplicateData, players: Iterable[str], allows: Allowed | None = None) -> Session:
    """A session of a file as the value to work out, without its corrections."""
    return Session(
        letters=LETTER_SETS[session.letters],
        players=tuple(players),
        turns=tuple(
            Turn(
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
        judging=reading.judge if isinstance(allows, ListedWords | None) else duplicate.judge,
    )


@dataclass(frozen=True, slots=True)
class JoinedClubs:
    """Clubs joined: the value to work out, players' names and home clubs by club and id, clubs that stopped early."""

    joined: JoinedSessions
    names: Mapping[tuple[str, str], str]
    homes: Mapping[tuple[str, str], str]
    notes: tuple[str, ...]


def field(files: Iterable[tuple[str, EventData]], rulings: Mapping[Word, int], allows: Allowed | None) -> JoinedClubs:
    """The field of all clubs, each with the name that the table gives it."""
    listed = list(files)
    clubs = [club for name, event in listed for club in _club_sessions(name, event, allows)]
    joined = JoinedSessions(tuple(clubs), rulings)
    people = {(name, player.id): player for name, event in listed for player in event.players}
    return JoinedClubs(
        joined=joined,
        names={key: player.name for key, player in people.items()},
        homes={key: player.club or "" for key, player in people.items()},
        notes=tuple(
            words.stopped_early(each.club, len(each.session.turns), joined.turns)
            for each in clubs
            if len(each.session.turns) < joined.turns
        ),
    )


def _club_sessions(name: str, event: EventData, allows: Allowed | None) -> Iterator[ClubSession]:
    """What a club has played, division by division."""
    for division in event.divisions:
        session = division.duplicate
        if session is None or session.sealed is None:
            continue
        players = [player.id for player in event.players if player.division in ("", division.name)]
        corrections = tuple(
            Correction(turn.number, each.slip, each.points, each.at, each.alone)
            for turn in session.turns
            for each in turn.corrections
        )
        yield ClubSession(name, session_of(session, players, allows), corrections)
