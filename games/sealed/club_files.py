"""What clubs send back: a tournament file each, checked against the sealed session, and joined into one table."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import gettext_lazy as _

from games.sessions.session_state import ListedWords, judge_slip
from games.sessions.words import describe_early_stop
from scoring import duplicate, sealed
from scoring.duplicate import SessionRecord, SessionTurn, Slip, WordCheck
from scoring.joined import ClubSession, JoinedSessions, SlipCorrection, WordKey
from scoring.letters import LETTER_SETS
from scoring.plays import Play
from scoring.sealed import Envelope
from tournament.basics.refusals import Refusal, Refusals
from tournament.exchange.tournament_file import format_tournament_file, read_tournament_file
from tournament.exchange.values import DuplicateData, EventData, PlayerData


@dataclass(frozen=True, slots=True)
class ClubFile:
    """A club's file, checked. `name` is what the table calls the club, `text` the file in its one form."""

    name: str
    hash: str
    text: str
    event: EventData


def read_club_file(content: str | bytes, *, file: str, envelope: Envelope) -> ClubFile:
    """A club's file. Raises `FileFaults` if it cannot be read, `Refusals` if it is not of this session."""
    event = read_tournament_file(content)
    text = format_tournament_file(event)
    if faults := list(_find_club_file_problems(event, file, envelope)):
        raise Refusals(faults)
    # Once, where an event is named after its place.
    name = " · ".join(dict.fromkeys(filter(None, (event.name, event.place))))
    # By its hash a file is known again that was saved once more under another name.
    sessions = [(division.name, division.duplicate) for division in event.divisions]
    content_hashed = repr((sessions, [(player.id, player.name) for player in event.players]))
    return ClubFile(name, hashlib.sha256(content_hashed.encode()).hexdigest(), text, event)


# By the whole text: the table of all clubs is worked out anew for each page that shows it, and a file of some megabytes
# takes long to read.
@lru_cache(maxsize=200)
def read_joined_file(text: str) -> EventData:
    """A file that was checked when it was joined."""
    return read_tournament_file(text)


def _find_club_file_problems(event: EventData, file: str, envelope: Envelope) -> Iterator[Refusal]:
    sessions = [division.duplicate for division in event.divisions if division.duplicate and division.duplicate.sealed]
    if not sessions:
        message = _("%(file)s does not contain a session prepared in advance.")
        yield Refusal("no_session_there", message, field="sent", file=file)
    for session in sessions:
        assert session.sealed is not None
        if session.sealed.fingerprint != envelope.fingerprint:
            message = _(
                "%(file)s is from another prepared session: “%(name)s” (%(mark)s), not “%(wanted)s” (%(wanted_mark)s)."
            )
            theirs, ours = session.sealed, {"wanted": envelope.name, "wanted_mark": envelope.mark}
            yield Refusal("other_session", message, field="sent", file=file, name=theirs.name, mark=theirs.mark, **ours)
        else:
            yield from _find_setting_problems(session, event, file, envelope)
            yield from _find_turn_problems(session, file, envelope)


def _find_setting_problems(
    session: DuplicateData, event: EventData, file: str, envelope: Envelope
) -> Iterator[Refusal]:
    for what, figure, needed in (
        (_("the ruleset"), event.ruleset, envelope.ruleset),
        (_("the letter set"), session.letters, envelope.letters),
        (_("the word list"), session.words or "–", envelope.words or "–"),
        (_("the number of turns"), session.max_turns, envelope.max_turns),
    ):
        if figure != needed:
            message = _("%(file)s: %(what)s is “%(found)s”, but “%(needed)s” was fixed.")
            yield Refusal("other_head", message, field="sent", file=file, what=what, found=figure, needed=needed)


def _find_turn_problems(session: DuplicateData, file: str, envelope: Envelope) -> Iterator[Refusal]:
    """Turns that are not those that were sealed (the first of them only), and whether the session is over."""
    value = _make_session_value(session, ())
    # Not strict: there is one board more than turns, that after the last.
    for turn, played, board in zip(session.turns, value.turns, value.boards, strict=False):
        place = {"field": "sent", "file": file, "number": turn.number}
        try:
            # By the envelope that was sent out and not by that of the file, which a club could have made anew.
            fixed = sealed.open_sealed_turn(envelope, turn.number, sealed.tidy_code(turn.code))
            needed, _put_back = sealed.due_draw(fixed, board.unseen())
        except (sealed.WrongCode, ValueError):
            message = _("%(file)s, turn %(number)s: its code does not open what was sealed.")
            yield Refusal("not_opened", message, **place)
            return
        # Tiles drawn lie in no order.
        if sorted(turn.draw) != sorted(needed):
            message = _("%(file)s, turn %(number)s: “%(found)s” was drawn, but “%(needed)s” was fixed.")
            yield Refusal("other_draw", message, **place, found=turn.draw, needed=needed)
            return
        if turn.master and played.master and fixed.master and not duplicate.is_same_word(played.master, fixed.master):
            laid = f"{turn.master.position} {turn.master.word}"
            message = _("%(file)s, turn %(number)s: “%(found)s” was laid, but “%(needed)s” was fixed.")
            yield Refusal("other_master", message, **place, found=laid, needed=str(fixed.master))
            return
    is_open = bool(session.turns) and session.turns[-1].master is None
    if is_open or not (session.stopped or value.ended):
        message = _("%(file)s: the session is not over yet; turn %(number)s is next or in progress.")
        yield Refusal("not_over", message, field="sent", file=file, number=len(session.turns) + (0 if is_open else 1))


def _make_session_value(
    session: DuplicateData, players: Iterable[str], allows: WordCheck | None = None
) -> SessionRecord:
    """A session of a file as the value to work out, without its corrections."""
    turns = []
    for turn in session.turns:
        slips = (
            Slip(slip.player, slip.position, slip.word, slip.claimed, slip.late, slip.refused) for slip in turn.slips
        )
        master = Play.parse(turn.master.position, turn.master.word) if turn.master else None
        turns.append(SessionTurn(turn.draw, tuple(slips), master))
    return SessionRecord(
        letters=LETTER_SETS[session.letters],
        players=tuple(players),
        turns=tuple(turns),
        max_turns=session.max_turns,
        allows=allows,
        # `judge_slip` knows the words of a list by its file alone: with any other check of words it would judge without
        # one.
        judging=judge_slip if isinstance(allows, ListedWords | None) else duplicate.judge,
    )


@dataclass(frozen=True, slots=True)
class JoinedClubs:
    """Clubs joined: the value to work out, the players by club and id, and what clubs stopped early."""

    joined: JoinedSessions
    players: Mapping[tuple[str, str], PlayerData]
    notes: tuple[str, ...]


def join_club_files(
    files: Iterable[tuple[str, EventData]], rulings: Mapping[WordKey, int], allows: WordCheck | None
) -> JoinedClubs:
    """The field of all clubs, each with the name that the table gives it."""
    listed = list(files)
    clubs = [club for name, event in listed for club in _list_club_sessions(name, event, allows)]
    joined = JoinedSessions(tuple(clubs), rulings)
    return JoinedClubs(
        joined=joined,
        players={(name, player.id): player for name, event in listed for player in event.players},
        notes=tuple(
            describe_early_stop(club.club, len(club.session.turns), joined.turns)
            for club in clubs
            if len(club.session.turns) < joined.turns
        ),
    )


def _list_club_sessions(name: str, event: EventData, allows: WordCheck | None) -> Iterator[ClubSession]:
    for division in event.divisions:
        session = division.duplicate
        if session is None or session.sealed is None:
            continue
        # Without a division of their own in the file all players are in the only one that there is.
        players = [player.id for player in event.players if player.division in ("", division.name)]
        corrections = tuple(
            SlipCorrection(turn.number, correction.slip, correction.points, correction.at, correction.alone)
            for turn in session.turns
            for correction in turn.corrections
        )
        yield ClubSession(name, _make_session_value(session, players, allows), corrections)
