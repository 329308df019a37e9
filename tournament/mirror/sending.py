"""The sender: a thread of the program on a laptop that keeps mirrors up to date, one that sends photos after it, so
that no table waits for them, and one for folders. They look twice a second whether there is anything new to see, and
send the latest state, not steps: what was lost is made good by the next. What fails is tried again for ever, with
growing pauses. Each message is under way in a thread of its own until its deadline, one of each kind for a mirror: one
that is slow keeps no other waiting."""

import logging
import random
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from http import HTTPStatus
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, close_old_connections
from django.utils import timezone

from tournament.basics import limits
from tournament.basics.pictures import get_upload_path
from tournament.basics.web_addresses import post, read_web_address
from tournament.core.public_view import get_public_view
from tournament.hall.public_hall import find_told_photo
from tournament.mirror.messages import (
    CONTENT_TYPE,
    SIGNATURE_HEADER,
    Answer,
    AnswerStatus,
    BadMessage,
    Message,
    MessageKind,
    is_signed,
    pack_state,
    sign,
)
from tournament.mirror.operations import take_mirror_over
from tournament.mirror.website_folder import FolderFollower, replace_file
from tournament.models import HandInTarget, MirrorTarget, Tournament, WebsiteFolder
from tournament.public_state import load_public_state, make_public_state_json

logger = logging.getLogger(__name__)

LOOK_SECONDS = 0.5
SHORTEST_REST = 0.05
SEND_SECONDS = 2.0  # between two states, at least
ALIVE_SECONDS = 20.0  # without a change
PHOTO_SECONDS = 55.0  # for a photo to go out: 300 kB take six seconds on a slow line that carries the states too
SOCKET_SECONDS = 5.0  # for each step of a connection; a state whose answer was lost is stored all the same
MESSAGE_SECONDS = 60.0  # for a message and its answer, however slowly they drip
FIRST_PAUSE, PAUSE_GROWTH, LONGEST_PAUSE = 0.3, 1.5, 60.0
MOST_GROWTH = 20  # pauses after which the longest is reached
INSTALLATION_FILE = "installation-id"


class SendFault(StrEnum):
    """Why nothing arrives. `UNREACHABLE`: no line, or no such address. `NONSENSE`: something in between answers.
    `UNKNOWN`: the mirror does not know the link. `OTHER`: another laptop sends the event. `CLOSED`: the link was taken
    back. `UNREADABLE`: the mirror cannot store what it was sent. `TOO_LARGE`: it would be more than a mirror takes."""

    UNREACHABLE = "unreachable"
    NONSENSE = "nonsense"
    UNKNOWN = "unknown"
    OTHER = "other"
    CLOSED = "closed"
    UNREADABLE = "unreadable"
    TOO_LARGE = "too_large"


class NotDelivered(Exception):
    """A message has not arrived, or nobody knows."""

    def __init__(self, fault: SendFault) -> None:
        super().__init__(fault.value)
        self.fault = fault


@dataclass(slots=True)
class Progress:
    """How things stand with one mirror, in this process's memory: after a start all is sent again. Times are monotonic
    but `sent_at`. `sent` is the state that the mirror has, `wants` the photos (by SHA-256) that it names and the mirror
    lacks, but those that it `cannot_keep`."""

    sent: str = ""
    sent_at: float | None = None
    heard: float | None = None
    next_at: float = 0.0
    failures: int = 0
    fault: SendFault | None = None
    detail: str = ""
    path: str = ""
    rival: str = ""
    revision: int = 0
    rests: bool = False
    wants: tuple[str, ...] = ()
    cannot_keep: set[str] = field(default_factory=set)
    photo_failures: int = 0
    next_photo_at: float = 0.0

    def note_wants(self, wants: tuple[str, ...]) -> None:
        self.wants = tuple(photo for photo in wants if photo not in self.cannot_keep)

    @property
    def waits(self) -> int:
        """Seconds until the next try."""
        return max(0, round(self.next_at - time.monotonic()))


@dataclass(slots=True)
class MirrorDispatch:
    """A message that is under way to a mirror, in a thread that asks no database, and what came of it: an answer, or
    why there is none. `about` is the state or the photo that it carries."""

    target: MirrorTarget
    message: Message
    about: str
    wake: threading.Event
    answer: Answer | None = None
    fault: SendFault = SendFault.UNREACHABLE
    is_over: bool = False
    thread: threading.Thread = field(init=False)

    def __post_init__(self) -> None:
        self.thread = threading.Thread(target=self._post, daemon=True, name="mirror message")
        self.thread.start()

    def _post(self) -> None:
        try:
            self.answer = post_message(self.target, self.message)
        except NotDelivered as failed:
            self.fault = failed.fault
        finally:
            self.is_over = True
            self.wake.set()


@dataclass(slots=True)
class MirrorSender:
    """Sends the events of one installation. `look` does what is due; only `begin` starts the threads."""

    data: Path
    rng: random.Random = field(default_factory=random.Random)
    progress: dict[int, Progress] = field(default_factory=dict)
    folders: dict[int, FolderFollower] = field(default_factory=dict)
    states_under_way: dict[int, MirrorDispatch] = field(default_factory=dict)
    photos_under_way: dict[int, MirrorDispatch] = field(default_factory=dict)
    _wake: threading.Event = field(default_factory=threading.Event)
    _wake_photos: threading.Event = field(default_factory=threading.Event)
    _wake_folders: threading.Event = field(default_factory=threading.Event)
    _stopped: bool = False

    def begin(self) -> None:
        for look, wake, name in (
            (self._look_at_mirrors, self._wake, "mirror"),
            (self._look_at_photos, self._wake_photos, "mirror photos"),
            (self._look_at_folders, self._wake_folders, "website"),
        ):
            threading.Thread(target=self._run, args=(look, wake), daemon=True, name=name).start()

    def end(self) -> None:
        """Look no more."""
        self._stopped = True
        self._wake_all()

    def wake(self) -> None:
        """Try everything again now: somebody has settled something."""
        for progress in self.progress.values():
            progress.next_at = progress.next_photo_at = 0.0
        for folder in self.folders.values():
            folder.next_at = 0.0
        self._wake_all()

    def _wake_all(self) -> None:
        for wake in (self._wake, self._wake_photos, self._wake_folders):
            wake.set()

    def look(self) -> None:
        """Send what is new, then a photo for each mirror, and write the folders; until all of it has arrived or has
        not."""
        self._look_at_mirrors()
        _wait_for(self.states_under_way)
        self._note_states()
        self._look_at_photos()
        _wait_for(self.photos_under_way)
        self._note_photos()
        self._look_at_folders()

    def _run(self, look: Callable[[], None], wake: threading.Event) -> None:
        while not self._stopped:
            # Cleared before looking: a wake that comes during the look is not lost but begins the next one.
            wake.clear()
            try:
                look()
            except (
                DatabaseError,
                OSError,
                RuntimeError,
            ):  # locked, just being restored, a full disk: the next look goes on
                logger.exception("nothing could be sent")
            finally:
                # A thread of our own has no request at whose end Django would do that.
                close_old_connections()
            # Sooner where a message that did not arrive is tried again before.
            tries = [
                progress.next_at - time.monotonic() for progress in list(self.progress.values()) if progress.failures
            ]
            wake.wait(max(SHORTEST_REST, min([LOOK_SECONDS, *tries])))

    def _look_at_mirrors(self) -> None:
        self._note_states()
        targets = list(MirrorTarget.objects.select_related("tournament"))
        for gone in self.progress.keys() - {target.pk for target in targets}:
            del self.progress[gone]
        for target in targets:
            progress = self.progress.setdefault(target.pk, Progress())
            if target.pk not in self.states_under_way:
                self._look_at(target, progress)

    def _note_states(self) -> None:
        """Note what came of the states that are under way no more."""
        for delivery in _take_finished(self.states_under_way):
            progress = self.progress.get(delivery.target.pk)
            is_current = MirrorTarget.objects.filter(pk=delivery.target.pk, key=delivery.target.key).exists()
            if progress is None or not is_current:  # sent by another link meanwhile, or no more
                continue
            if delivery.answer is None:
                self._note_failure(progress, delivery.fault)
            else:
                self._note(delivery.target, progress, delivery.message.kind, delivery.about, delivery.answer)

    def _note_failure(self, known: Progress, fault: SendFault) -> None:
        known.failures += 1
        known.fault = fault
        known.next_at = time.monotonic() + self._choose_pause(known.failures)

    def _look_at_photos(self) -> None:
        """Send each mirror one of the photos that it lacks."""
        self._note_photos()
        now = time.monotonic()
        waiting = {
            pk: progress
            # A copy, taken at once: the thread that looks at the mirrors puts in and takes out meanwhile.
            for pk, progress in list(self.progress.items())
            if progress.wants and progress.next_photo_at <= now and pk not in self.photos_under_way
        }
        for target in MirrorTarget.objects.filter(pk__in=waiting, is_paused=False).select_related("tournament"):
            self._send_photo(target, waiting[target.pk])

    def _send_photo(self, target: MirrorTarget, known: Progress) -> None:
        sha256 = known.wants[known.photo_failures % len(known.wants)]  # one that fails does not keep the others back
        content = _load_photo(target.tournament, sha256)
        if not content or len(content) > limits.MIRROR_PACKED_BYTES:  # nobody is shown it any more
            known.note_wants(tuple(photo for photo in known.wants if photo != sha256))
            return
        # Held against no revision, as photos come in no order: it only tells this message's answer from another's.
        number = time.time_ns() // 1_000_000
        message = Message(MessageKind.PHOTO, number, get_installation_id(self.data), payload=content)
        self.photos_under_way[target.pk] = MirrorDispatch(target, message, sha256, self._wake_photos)

    def _note_photos(self) -> None:
        """Note what came of the photos that are under way no more."""
        for delivery in _take_finished(self.photos_under_way):
            progress, answer, sha256 = self.progress.get(delivery.target.pk), delivery.answer, delivery.about
            if progress is None:
                continue
            # A picture that the mirror cannot decode stays one: asked for again and again it would keep the line out of
            # the hall busy.
            if answer is not None and answer.status == AnswerStatus.UNREADABLE:
                progress.cannot_keep.add(sha256)
                progress.note_wants(progress.wants)
            # Taken and still wanted means that the mirror had no time to look at it: it counts as failed, and is sent
            # again after a pause.
            elif answer is not None and answer.status == AnswerStatus.TAKEN and sha256 not in answer.wants:
                progress.photo_failures = 0
                progress.note_wants(answer.wants)
            else:
                progress.photo_failures += 1
                progress.next_photo_at = time.monotonic() + self._choose_pause(progress.photo_failures)

    def _look_at_folders(self) -> None:
        rows = list(WebsiteFolder.objects.filter(is_paused=False).select_related("tournament__organiser"))
        for gone in self.folders.keys() - {folder_row.pk for folder_row in rows}:
            del self.folders[gone]
        for row in rows:
            self.folders.setdefault(row.pk, FolderFollower()).look(row)

    def _look_at(self, target: MirrorTarget, known: Progress) -> None:
        """Send what is due by one target, if anything is."""
        now = time.monotonic()
        if now < known.next_at:
            return
        kind, state = _choose_message(target, known, now)
        if kind is None:
            return
        payload = b""
        if kind == MessageKind.STATE and target.tournament:
            public_state = load_public_state(target.tournament, timezone.now())
            payload = pack_state(make_public_state_json(public_state)) if public_state else b""
        if len(payload) > limits.MIRROR_PACKED_BYTES:
            self._note_failure(known, SendFault.TOO_LARGE)
            return
        known.revision = max(known.revision + 1, time.time_ns() // 1_000_000)  # goes up over restarts and laptops
        message = Message(kind, known.revision, get_installation_id(self.data), target.takes_over, payload)
        self.states_under_way[target.pk] = MirrorDispatch(target, message, state, self._wake)

    def _choose_pause(self, failures: int) -> float:
        """Growing pauses, each a little different, so that many laptops do not come back at the same moment."""
        # The exponent is bounded: after a day without a line the power would be too large for a float.
        longest = min(LONGEST_PAUSE, FIRST_PAUSE * PAUSE_GROWTH ** min(failures - 1, MOST_GROWTH))
        return longest * self.rng.uniform(0.5, 1.0)

    def _note(self, target: MirrorTarget, known: Progress, kind: MessageKind, state: str, answer: Answer) -> None:
        """Remember what the mirror has answered, and do what follows from it."""
        known.rival, known.path = answer.rival, answer.path or known.path
        if answer.status == AnswerStatus.OLD:
            known.revision = max(known.revision, answer.revision)  # another laptop's clock is fast: count on from there
            known.failures += 1
            # At once the first time: counted on from the mirror's revision the next message is taken. Only a clock that
            # runs ahead again has to wait.
            known.next_at = time.monotonic() + (self._choose_pause(known.failures) if known.failures > 1 else 0)
        # The mirror was restored, or has the state of another laptop: forgotten here, the whole state goes with the
        # next look.
        elif answer.status == AnswerStatus.AGAIN:
            known.sent = ""
        elif answer.status == AnswerStatus.TAKEN:
            known.failures, known.fault, known.detail, known.heard = 0, None, "", time.monotonic()
            known.next_at = time.monotonic() + SEND_SECONDS
            known.rests = kind == MessageKind.REST
            known.note_wants(answer.wants)
            if kind in (MessageKind.STATE, MessageKind.HIDE):
                known.sent, known.sent_at = state, time.time()
            if kind == MessageKind.REMOVE:
                target.delete()
            elif target.takes_over:
                take_mirror_over(target, takes_over=False)
        else:
            # Closed, unreadable, or another laptop's: somebody has to settle it, and trying again soon would only cost
            # the line.
            known.fault, known.detail = SendFault(answer.status.value), answer.fault
            known.failures += 1
            known.next_at = time.monotonic() + LONGEST_PAUSE


HIDDEN = "hidden"


def _choose_message(target: MirrorTarget, known: Progress, now: float) -> tuple[MessageKind | None, str]:
    """What there is to say by a target, and the state that it is about. None: nothing. Two queries at most."""
    if target.is_forgotten or target.tournament is None:
        return MessageKind.REMOVE, ""
    if target.is_paused:
        # Said once, so that the mirror does not take the pause for a hall that is silent; and not at all of an event
        # that it does not have.
        return (None if known.rests or not known.sent else MessageKind.REST), ""
    state = get_public_view(target.tournament).state if target.tournament.is_public else HIDDEN
    # Compared with what the mirror has answered to, not with what was sent: a lost message is made good by the next
    # look.
    if state != known.sent or target.takes_over:
        return (MessageKind.HIDE if state == HIDDEN else MessageKind.STATE), state
    if state == HIDDEN or (known.heard is not None and not known.rests and now - known.heard < ALIVE_SECONDS):
        return None, state
    return MessageKind.ALIVE, state


def _load_photo(tournament: Tournament | None, sha256: str) -> bytes:
    """A photo that everybody has been shown; b"" if it is none any more."""
    photo = find_told_photo(tournament, sha256) if tournament and tournament.is_public else None
    try:
        return get_upload_path(photo.name).read_bytes() if photo else b""
    except FileNotFoundError:
        return b""


def _wait_for(under_way: Mapping[int, MirrorDispatch]) -> None:
    for delivery in under_way.values():
        delivery.thread.join()


def _take_finished(under_way: dict[int, MirrorDispatch]) -> list[MirrorDispatch]:
    """The messages that are under way no more, taken out."""
    return [under_way.pop(pk) for pk, delivery in list(under_way.items()) if delivery.is_over]


def post_signed(
    target: MirrorTarget | HandInTarget,
    path: str,
    content: bytes,
    content_type: str,
    *,
    step_seconds: float,
    only_public: bool,
) -> bytes:
    """Send content, signed with the target's secret, to its path within `MESSAGE_SECONDS`, and return the answer,
    signed with it as well. Raises `NotDelivered`."""
    try:
        reply = post(
            replace(read_web_address(target.address), path=path),
            content,
            {"Content-Type": content_type, SIGNATURE_HEADER: sign(target.secret, content)},
            seconds=MESSAGE_SECONDS,
            step_seconds=step_seconds,
            most_bytes=limits.MIRROR_ANSWER_BYTES,
            only_public=only_public,
        )
    except (OSError, ValueError) as fault:
        raise NotDelivered(SendFault.UNREACHABLE) from fault
    # What is not signed is believed in nothing: the sign-in page of a hotel's network answers everything with 200.
    if not is_signed(target.secret, reply.content, reply.headers.get(SIGNATURE_HEADER.lower(), "")):
        unknown = reply.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_FOUND)  # 404: no such program at all
        raise NotDelivered(SendFault.UNKNOWN if unknown else SendFault.NONSENSE)
    return reply.content


def post_message(target: MirrorTarget, message: Message) -> Answer:
    """Send a message, and return the mirror's answer. Raises `NotDelivered`."""
    step_seconds = PHOTO_SECONDS if message.kind == MessageKind.PHOTO else SOCKET_SECONDS
    # Not only in public: a mirror may be a club's own server in the hall's network.
    content = post_signed(
        target, f"/mirror/{target.key}/", message.pack(), CONTENT_TYPE, step_seconds=step_seconds, only_public=False
    )
    try:
        answer = Answer.unpack(content)
    except BadMessage as fault:
        raise NotDelivered(SendFault.NONSENSE) from fault
    if answer.to != message.revision:  # an answer to another message, held back somewhere
        raise NotDelivered(SendFault.NONSENSE)
    return answer


def get_installation_id(data: Path) -> str:
    """What tells this installation from others; made at the first question."""
    file = data / INSTALLATION_FILE
    try:
        installation_id = file.read_text(encoding="ascii").strip()
    except FileNotFoundError:
        installation_id = ""
    if not installation_id.isalnum() or len(installation_id) > limits.MIRROR_NONCE:
        installation_id = secrets.token_hex(limits.MIRROR_NONCE // 2)
        # Whole or not at all: a mirror takes an installation with another id for another laptop.
        replace_file(file, installation_id.encode("ascii"))
    return installation_id


_running: MirrorSender | None = None


def start_sender() -> MirrorSender:
    """Start this process's sender; its pages say from now on how things stand."""
    global _running  # noqa: PLW0603  # a process has one
    _running = MirrorSender(settings.DATA_DIR)
    _running.begin()
    return _running


def get_sender() -> MirrorSender | None:
    """This process's sender; None in commands, in tests and on hosted servers."""
    return _running
