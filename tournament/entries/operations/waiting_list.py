"""Places and the waiting list: how many are free, and who moves up when one becomes free."""

from dataclasses import replace

from django.conf import settings

from tournament.core.change import Actor, Change, change
from tournament.core.fees import FEE_COLUMNS
from tournament.letters.outbox import make_personal_address, post_letter
from tournament.letters.words import LetterWriter, make_decision_letter
from tournament.models import Contact, Entry, OnlineEntry, Registration, RegistrationState, Round, Tournament


def is_online_entry_offered() -> bool:
    """Whether this installation can take registrations: letters confirm them, so it needs a mail server."""
    return bool(settings.MAIL)


def get_online_entry(tournament: Tournament) -> OnlineEntry | None:
    """How the tournament takes registrations; None if it was never set up. One query."""
    return OnlineEntry.objects.filter(tournament=tournament).first()


def has_tournament_begun(tournament: Tournament) -> bool:
    """Whether a round was published: from then on nobody registers, and nobody moves up. One query."""
    return Round.objects.public().filter(division__tournament=tournament).exists()


def count_taken_places(tournament: Tournament) -> int:
    """How many places are taken, by entries of all kinds and by registrations that have a place. Two queries."""
    playing = Entry.objects.filter(tournament=tournament, withdrawn_after=None).count()
    return playing + Registration.objects.filter(tournament=tournament).holding().count()


def count_free_places(tournament: Tournament, online: OnlineEntry | None) -> int | None:
    """How many places are free, never fewer than none; None without a limit. Two queries."""
    if online is None or online.places is None:
        return None
    # Never below none: with two given beyond the limit, a list cut at −2 would let all but the last two who wait move
    # up.
    return max(0, online.places - count_taken_places(tournament))


def get_state_with_place(online: OnlineEntry) -> RegistrationState:
    """The state of a registration that gets a place: confirmed, or waiting for the director's decision."""
    return RegistrationState.ASKED if online.by_director else RegistrationState.CONFIRMED


def move_up_waiting_list(tournament: Tournament, *, actor: Actor) -> list[Registration]:
    """Give free places to the first of the waiting list, and write to them; return who they are. A change of its own,
    so that undoing what made a place free takes none back. Nothing happens once a round is published, or the
    event is called off; one query if nobody waits."""
    # Asked before a change is opened, which locks the event: nearly always nobody waits.
    if not Registration.objects.filter(tournament=tournament).waiting().exists():
        return []
    # No page showed this: it follows from what made the place free, and that was held against the page.
    with change(tournament, actor=replace(actor, seen=None), verb="move_up") as log:
        online = get_online_entry(tournament)
        # Not in an event that is called off: whoever withdrew from it moved up the next, with a letter that says there
        # is a place.
        if online is None or log.tournament.called_off_on is not None or has_tournament_begun(tournament):
            return []
        waiting = list(Registration.objects.filter(tournament=tournament).waiting())
        # Without a limit this is cut at None: everybody moves up.
        registrations = waiting[: count_free_places(tournament, online)]
        for registration in registrations:
            log.save(registration, state=get_state_with_place(online), waits_from=None)
            notify_registrant(registration, online, has_moved_up=True)
        log.tell(names=[registration.name for registration in registrations])
        return registrations


def withdraw_registration_with_entry(log: Change, entry: Entry) -> None:
    """Withdraw the registration of an entry that is about to be deleted; what was paid stays noted for it."""
    # One at most; the database holds the entry as long as a registration refers to it, so this is done before it is
    # deleted.
    for registration in Registration.objects.filter(entry=entry):
        paid = {name: getattr(entry, name) for name in FEE_COLUMNS}
        log.save(registration, entry=None, state=RegistrationState.WITHDRAWN, **paid)
        notify_registrant(registration, None)


def get_waiting_number(registration: Registration) -> int:
    """The place on the waiting list, counted from 1; 0 for one that is not on it. One query."""
    if registration.state != RegistrationState.WAITING:
        return 0
    listed = Registration.objects.filter(tournament=registration.tournament_id).waiting()
    return list(listed.values_list("pk", flat=True)).index(registration.pk) + 1


def notify_registrant(registration: Registration, online: OnlineEntry | None, *, has_moved_up: bool = False) -> None:
    """Write to somebody, if their address is known, what became of their registration."""
    contact = Contact.objects.select_related("tournament").filter(registration=registration.pk).first()
    if contact is not None:
        post_letter(contact, write_decision_letter(contact, registration, online, has_moved_up=has_moved_up))


def write_decision_letter(
    contact: Contact, registration: Registration, online: OnlineEntry | None, *, has_moved_up: bool = False
) -> LetterWriter:
    """The letter that says what became of a registration, to its sender. Fetch the contact's `tournament`."""
    return make_decision_letter(
        contact.tournament,
        registration,
        online,
        page=make_personal_address(contact),
        number=get_waiting_number(registration),
        has_moved_up=has_moved_up,
    )
