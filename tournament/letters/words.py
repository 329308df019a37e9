"""The texts of letters about registrations, and why one could not be sent."""

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime
from enum import StrEnum

from django.urls import reverse
from django.utils import formats, timezone
from django.utils.translation import gettext as _

from tournament.basics.addresses import build_full_address
from tournament.basics.names import format_spoken_name
from tournament.core.fees import FeeTerms, format_fee_kind
from tournament.core.words.figures import format_event_days
from tournament.models import Entry, OnlineEntry, Registration, RegistrationState, Tournament

LetterWriter = Callable[[], tuple[str, str]]  # writes subject and text of a letter in the active language


class LetterFault(StrEnum):
    """Why a letter could not be sent; stored before what the server said."""

    AWAY = "away"
    SIGN_IN = "sign_in"
    ADDRESS = "address"
    PUT_OFF = "put_off"
    OTHER = "other"


def describe_letter_fault(fault: str) -> str:
    """Why a letter could not be sent, from what is stored."""
    kind, _space, answer = fault.partition(" ")
    match kind:
        case LetterFault.AWAY:
            return _("The mail server was not reached.")
        case LetterFault.SIGN_IN:
            return _("The mail server rejected the program’s name and password.")
        case LetterFault.ADDRESS:
            return _("The mail server does not deliver to this address.")
        case LetterFault.PUT_OFF:
            return _("The mail server has postponed it: “%(said)s”.") % {"said": answer}
        case LetterFault.OTHER:
            return _("The mail server rejected it: “%(said)s”.") % {"said": answer}
    # Stored by another version, which may know other kinds: told as it stands there.
    return _("The mail server rejected it: “%(said)s”.") % {"said": fault}


def format_moment(at: datetime) -> str:
    """Day and time in the active language."""
    here = timezone.localtime(at)
    return f"{formats.date_format(here, 'DATE_FORMAT')}, {formats.date_format(here, 'TIME_FORMAT')}"


def describe_registration_state(registration: Registration, *, number: int = 0) -> str:
    """What became of a registration, as a sentence; `number` is the place on the waiting list."""
    if registration.state == RegistrationState.WAITING and number:
        return _("All places are taken. You are number %(number)s on the waiting list.") % {"number": number}
    if registration.state == RegistrationState.REFUSED and registration.why:
        return _("The director has not accepted the registration: %(why)s") % {"why": registration.why}
    return {
        RegistrationState.ASKED.value: _(
            "The registration has arrived. The director confirms each one and has not decided yet."
        ),
        RegistrationState.CONFIRMED.value: _("The place is confirmed."),
        RegistrationState.WAITING.value: _("All places are taken. The registration is on the waiting list."),
        RegistrationState.WITHDRAWN.value: _("The registration is withdrawn."),
        RegistrationState.REFUSED.value: _("The director has not accepted the registration."),
    }[registration.state]


def make_confirmation_letter(
    tournament: Tournament, name: str, *, page: str, until: datetime, others: Sequence[str], party: Sequence[str] = ()
) -> LetterWriter:
    """Ask the owner of an address to confirm it. `others` are registered with it already; `party` are all, the first
    included, for whom one form asks."""

    def write() -> tuple[str, str]:
        words = {"tournament": tournament.name, "until": format_moment(until)}
        request_text = _(
            "Somebody has used this address to ask for a place in “%(tournament)s”. It counts once it is confirmed:"
        )
        together = _("One confirmation counts for all of them: %(names)s.") % {"names": _write_names(party)}
        about = [*_describe_days_and_place(tournament), *([together] if len(party) > 1 else [])]
        paragraphs = [format_greeting(name), request_text % words, *about, page]
        paragraphs.append(_("The link is valid until %(until)s. No place is reserved before that.") % words)
        if others:
            names = {"names": _write_names(others)}
            paragraphs.append(_("Already registered with this address: %(names)s.") % names)
        paragraphs.append(
            _("Was it somebody else? Then there is nothing to do: unconfirmed registrations are deleted automatically.")
        )
        return _("Please confirm: %(tournament)s") % words, join_paragraphs(paragraphs)

    return write


def make_repeated_registration_letter(tournament: Tournament, registration: Registration, *, page: str) -> LetterWriter:
    """Tell somebody who registers again under the same name that they have registered already."""

    def write() -> tuple[str, str]:
        words = {"tournament": tournament.name}
        again = _(
            "Somebody has registered for “%(tournament)s” again with this address and name. There already is a "
            "registration."
        )
        state = describe_registration_state(registration)
        about = _describe_days_and_place(tournament)
        paragraphs = [format_greeting(registration.name), again % words, *about, state, _describe_own_page(page)]
        return _("Registered already: %(tournament)s") % words, join_paragraphs(paragraphs)

    return write


def make_decision_letter(
    tournament: Tournament,
    registration: Registration,
    entry: OnlineEntry | None,
    *,
    page: str,
    number: int = 0,
    has_moved_up: bool = False,
) -> LetterWriter:
    """Say what became of a registration. `page`: the personal one; `number`: on the waiting list."""

    def write() -> tuple[str, str]:
        subject = {
            RegistrationState.ASKED.value: _("Registration received"),
            RegistrationState.CONFIRMED.value: _("Place confirmed"),
            RegistrationState.WAITING.value: _("On the waiting list"),
            RegistrationState.WITHDRAWN.value: _("Registration withdrawn"),
            RegistrationState.REFUSED.value: _("Registration not accepted"),
        }[registration.state]
        paragraphs = [
            format_greeting(registration.name),
            _("This is about the registration for “%(tournament)s”.") % {"tournament": tournament.name},
            *_describe_days_and_place(tournament),
            *([_("A place has become free.")] if has_moved_up else []),
            describe_registration_state(registration, number=number),
            *_describe_next_steps(registration, entry),
            _describe_own_page(page),
        ]
        return f"{subject}: {tournament.name}", join_paragraphs(paragraphs)

    return write


def make_day_letter(entry: Entry, *, page: str) -> LetterWriter:
    """Tell a player before the day what they need: number, division, personal page; and ask whether the name is right.
    Fetch tournament, division and player."""
    tournament = entry.tournament

    def write() -> tuple[str, str]:
        words = {"tournament": tournament.name, "name": _write_name(entry.player.name)}
        details = {**words, "number": entry.key, "division": entry.division.name}
        is_right = _(
            "Is the name written rightly? On certificates and lists it is “%(name)s”. The personal page takes the "
            "answer."
        )
        announcement = build_full_address(reverse("public:announcement", args=[tournament.slug]))
        paragraphs = [
            format_greeting(entry.player.name),
            _("This is about “%(tournament)s”. Entered in division %(division)s with the number %(number)s.") % details,
            *_describe_days_and_place(tournament),
            _("The personal page shows each table and opponent once a round is published:"),
            page,
            is_right % words,
            # To whoever opens it, the page of an event that is hidden is not there.
            *([_("The announcement:") + f"\n\n{announcement}"] if tournament.is_public else []),
        ]
        return _("Before the day: %(tournament)s") % words, join_paragraphs(paragraphs)

    return write


def make_reminder(
    entry: Entry, opponent: Entry, *, round: int, day: date | None, contact: tuple[str, ...] | None, page: str
) -> LetterWriter:
    """Remind a player of a game that is still to be played by a `day`; `contact`: phone and e-mail of an opponent who
    lets opponents see them. Fetch tournament and players."""
    tournament = entry.tournament

    def write() -> tuple[str, str]:
        words = {"tournament": tournament.name, "number": round, "name": _write_name(opponent.player.name)}
        details = {**words, "day": formats.date_format(day, "DATE_FORMAT") if day else ""}
        sentence = _("“%(tournament)s”: the game of round %(number)s against %(name)s has no result yet.") % words
        paragraphs = [
            format_greeting(entry.player.name),
            sentence,
            *([_("It is to be played by %(day)s.") % details] if day else []),
            *([_("Contact of %(name)s:") % words + "\n\n" + "\n".join(filter(None, contact))] if contact else []),
            _("The personal page has all open games, and takes the result:"),
            page,
        ]
        return _("A game is to be played: %(tournament)s") % words, join_paragraphs(paragraphs)

    return write


def make_certificate_letter(entry: Entry) -> LetterWriter:
    """Bring a player their certificate after the event. Fetch tournament and player."""
    tournament = entry.tournament

    def write() -> tuple[str, str]:
        words = {"tournament": tournament.name}
        check = build_full_address(reverse("public:certificate", args=[tournament.slug]))
        by_code = _("Whoever types its code there learns whether the certificate holds:")
        paragraphs = [
            format_greeting(entry.player.name),
            _("“%(tournament)s” is over. The certificate comes with this letter, to be printed or kept.") % words,
            *_describe_days_and_place(tournament),
            *([f"{by_code}\n\n{check}"] if tournament.is_public else []),
        ]
        return _("Certificate: %(tournament)s") % words, join_paragraphs(paragraphs)

    return write


def make_calling_off_letter(tournament: Tournament, name: str) -> LetterWriter:
    """Tell somebody who is entered or has registered that the event is called off."""

    def write() -> tuple[str, str]:
        words = {"tournament": tournament.name}
        paragraphs = [
            format_greeting(name),
            _("“%(tournament)s” is called off; it does not take place.") % words,
            *_describe_days_and_place(tournament),
            _("There is nothing to do. The organiser answers questions, also about a fee that was paid."),
        ]
        return _("Called off: %(tournament)s") % words, join_paragraphs(paragraphs)

    return write


def make_deletion_request_letter(tournament: Tournament, *, page: str) -> LetterWriter:
    """Tell directors that somebody, who is not named, wants their data deleted."""

    def write() -> tuple[str, str]:
        words = {"tournament": tournament.name}
        paragraphs = [
            _("A player in “%(tournament)s” asks to have personal data deleted.") % words,
            _("The registrations page shows who it is, and has a button for it. The law allows a month:"),
            page,
        ]
        return _("Request to delete personal data: %(tournament)s") % words, join_paragraphs(paragraphs)

    return write


def _describe_next_steps(registration: Registration, entry: OnlineEntry | None) -> list[str]:
    """The fee and the director's note for those with a place; how the waiting list goes on."""
    if registration.state == RegistrationState.WAITING:
        return [_("When somebody withdraws, the first on the list moves up automatically and gets an e-mail.")]
    if not registration.has_place or entry is None:
        return []
    terms = FeeTerms.of(registration.tournament)
    kind = terms.weigh(registration).kind
    named = [*([format_fee_kind(kind, terms.currency)] if kind else []), *([entry.fee] if entry.fee else [])]
    fee = [_("Fee: %(fee)s") % {"fee": "; ".join(named)}] if named and not registration.fee_paid else []
    return [*fee, *([entry.note] if entry.note else [])]


def _describe_days_and_place(tournament: Tournament) -> list[str]:
    """When and where, a line each, as one paragraph; none if neither is known."""
    days = format_event_days(tournament)
    lines = [_("When: %(days)s") % {"days": days}] if days else []
    lines += [_("Where: %(place)s") % {"place": tournament.place}] if tournament.place else []
    return ["\n".join(lines)] if lines else []


# A dot between two letters as well: mail programs make a link of “muster.example”, without any “http”.
_LINK_MARKS = re.compile(r"[:/@\\]+|(?<=\w)\.(?=\w)")


def format_greeting(name: str) -> str:
    return _("Hello %(name)s,") % {"name": _write_name(name)}


def _write_name(name: str) -> str:
    """A name as a letter says it. Anybody may type any name and any address, and the letter would carry their link to
    people who know nothing of it: of what stands here no mail program makes one."""
    return _LINK_MARKS.sub(lambda mark: ". " if mark[0] == "." else " ", format_spoken_name(name))


def _write_names(names: Sequence[str]) -> str:
    return "; ".join(map(_write_name, names))


def _describe_own_page(page: str) -> str:
    message = _("This page shows the registration; there you can also withdraw it or have the data deleted:")
    return f"{message}\n\n{page}"


def join_paragraphs(paragraphs: Sequence[str]) -> str:
    return "\n\n".join(paragraphs) + "\n"
