"""How things stand with a mirror and a folder, in sentences; and what the public is told of an event from a hall."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.core.words.rounds import format_local_time
from tournament.mirror.sending import Progress, SendFault
from tournament.mirror.website_folder import FolderFollower
from tournament.models import MirrorLink, MirrorTarget, Tournament

FAULT_TEXTS: Mapping[SendFault, str | Promise] = {
    SendFault.UNREACHABLE: gettext_lazy("The mirror cannot be reached."),
    SendFault.NONSENSE: gettext_lazy("Something between this laptop and the mirror answers in its place."),
    SendFault.UNKNOWN: gettext_lazy("The mirror does not know this link."),
    SendFault.OTHER: gettext_lazy("Another laptop sends this event to the mirror."),
    SendFault.CLOSED: gettext_lazy("The link was taken back at the mirror."),
    SendFault.UNREADABLE: gettext_lazy("The mirror cannot read what this laptop sends; it may be an older version."),
    SendFault.TOO_LARGE: gettext_lazy("The event is larger than a mirror takes."),
}


@dataclass(frozen=True, slots=True)
class SendingState:
    """How things stand: `kind` is that of a chip ("good", "warn", "bad" or ""), `chip` its text, `lines` say more."""

    kind: str
    chip: str
    lines: tuple[str, ...] = ()


def describe_target(target: MirrorTarget, known: Progress | None) -> SendingState:
    """How things stand with a mirror; `known` is None where no sender runs."""
    if known is None:
        return SendingState("warn", _("not sent"), (_("The program that serves this page sends nothing."),))
    if target.is_forgotten:
        return SendingState("warn", _("is being deleted there"), _list_fault_lines(known))
    if target.is_paused:
        return SendingState("", _("paused"), _list_sent_lines(known))
    if known.fault is not None:
        return SendingState("bad", _describe_wait(known.waits), (*_list_fault_lines(known), *_list_sent_lines(known)))
    if known.sent_at is None:
        return SendingState("", _("begins"))
    chip = _("mirrored, as of %(time)s") % {"time": format_clock_time(known.sent_at)}
    rival = _("Another laptop tried to send this event: %(when)s.") % {"when": known.rival} if known.rival else ""
    # How many photos the mirror still lacks, and will not have; "" if it has all.
    count, lost = len(known.wants), len(known.cannot_keep)
    waits = ngettext("%(count)s photo still has to be sent.", "%(count)s photos still have to be sent.", count)
    refused = ngettext("The mirror cannot keep %(count)s photo.", "The mirror cannot keep %(count)s photos.", lost)
    sentences = [text % {"count": number} for text, number in ((waits, count), (refused, lost)) if number]
    photos = " ".join(sentences)
    return SendingState("good", chip, tuple(filter(None, (rival, photos))))


def _describe_wait(seconds: int) -> str:
    message = ngettext("waits, next try in %(count)s second", "waits, next try in %(count)s seconds", seconds)
    return message % {"count": seconds}


def _list_fault_lines(known: Progress) -> tuple[str, ...]:
    return (str(FAULT_TEXTS[known.fault]),) if known.fault else ()


def _list_sent_lines(known: Progress) -> tuple[str, ...]:
    if known.sent_at is None:
        return ()
    return (_("The mirror shows the event as of %(time)s.") % {"time": format_clock_time(known.sent_at)},)


def describe_folder(known: FolderFollower | None, *, paused: bool) -> SendingState:
    """How things stand with the folder of a website."""
    if paused:
        return SendingState("", _("paused"))
    if known is None or (known.written_at is None and known.fault is None):
        return SendingState("", _("begins"))
    if known.fault is not None:
        return SendingState("bad", _describe_wait(known.waits), (str(known.fault),))
    assert known.written_at is not None
    chip = _("written, as of %(time)s") % {"time": format_clock_time(known.written_at)}
    files = ngettext("%(count)s file", "%(count)s files", known.files) % {"count": known.files}
    return SendingState("good", chip, (files,))


def describe_link(link: MirrorLink) -> SendingState:
    """How things stand with a link, for the owner on the hosted side."""
    if link.revoked_at is not None:
        return SendingState("", _("taken back"))
    if link.heard_at is None:
        return SendingState("", _("never used"))
    lines: tuple[str, ...] = (_("Last heard: %(when)s.") % {"when": format_local_time(link.heard_at)},)
    if link.rival_at is not None:
        message = _("Another laptop tried to send this event: %(when)s.")
        lines = (*lines, message % {"when": format_local_time(link.rival_at)})
    if link.is_silent():
        return SendingState("warn", _("silent"), lines)
    return SendingState("good" if link.runs else "", _("running") if link.runs else _("at rest"), lines)


def describe_stand(tournament: Tournament) -> str:
    """From when and whence a mirrored event is."""
    link = tournament.mirror
    if link is None or link.stand_at is None:
        return _("From the hall")
    return _("As of %(time)s, from the hall") % {"time": format_local_time(link.stand_at)}


def describe_silence(tournament: Tournament) -> str:
    """That the hall says nothing; "" where it does, or where the event is over."""
    link = tournament.mirror
    if link is None or link.heard_at is None or tournament.is_ended or not link.is_silent():
        return ""
    message = _("Nothing has come from the hall since %(time)s. What is new there appears here as soon as it arrives.")
    return message % {"time": format_local_time(link.heard_at)}


def format_clock_time(seconds: float) -> str:
    """A moment of this machine's clock as people say it."""
    return format_local_time(datetime.fromtimestamp(seconds, UTC))
