"""Places and the waiting list: how many are free, and who moves up when one becomes free."""

from dataclasses import replace

from tournament.models import Contact, Entry, OnlineEntry, Registration, RegistrationState, Round, Tournament
from tournament.operations import outbox
from tournament.operations.change import Actor, Change, change
from tournament.words import registrations as words
from tournament.words.registrations import LetterDetails


def settings_of(tournament: Tournament) -> OnlineEntry | None:
    """How the tournament takes registrations; None if that was never set. One query."""
    return OnlineEntry.objects.filter(tournament=tournament).first()


def has_begun(tournament: Tournament) -> bool:
    """Whether a round was published: from then on nobody registers, and nobody moves up. One query."""
    return Round.objects.public().filter(division__tournament=tournament).exists()


def taken(tournament: Tournament) -> int:
    """How many places are taken: by entries, whoever made them, and by registrations that have a place. Two queries."""
    playing = Entry.objects.filter(tournament=tournament, withdrawn_after=None).count()
    return playing + Registration.objects.filter(tournament=tournament).holding().count()


def free(tournament: Tournament, online: OnlineEntry | None) -> int | None:
    """How many places are free, never fewer than none; None without a limit. Two queries."""
    if online is None or online.places is None:
        return None
    return max(0, online.places - taken(tournament))


def state_with_a_place(online: OnlineEntry) -> RegistrationState:
    """What a registration becomes that has a place: confirmed, or waiting for the director's word."""
    return RegistrationState.ASKED if online.by_director else RegistrationState.CONFIRMED


def move_up(tournament: Tournament, *, actor: Actor) -> list[Registration]:
    """Give places that are free to the first of the waiting list, and write to them; who they are.

    A change of its own, so that taking back what made a place free takes no place from anybody. Nothing happens where
    nobody waits, and once a round is published. One query where nobody waits.
    """
    if not Registration.objects.filter(tournament=tournament).waiting().exists():
        return []
    with change(tournament, actor=replace(actor, seen=None), verb="move_up") as log:
        online = settings_of(tournament)
        if online is None or has_begun(tournament):
            return []
        waiting = list(Registration.objects.filter(tournament=tournament).waiting())
        found = waiting[: free(tournament, online)]
        for registration in found:
            log.save(registration, state=state_with_a_place(online), waits_from=None)
            tell(registration, online, has_moved_up=True)
        log.tell(names=[registration.name for registration in found])
        return found


def withdraw_with_entry(log: Change, entry: Entry) -> None:
    """Withdraw the registration that an entry came from, since the entry is about to be deleted."""
    for registration in Registration.objects.filter(entry=entry):
        log.save(registration, entry=None, state=RegistrationState.WITHDRAWN)
        tell(registration, None)


def number_of(registration: Registration) -> int:
    """The place on the waiting list, counted from 1; 0 for one that is not on it. One query."""
    if registration.state != RegistrationState.WAITING:
        return 0
    listed = Registration.objects.filter(tournament=registration.tournament_id).waiting()
    return list(listed.values_list("pk", flat=True)).index(registration.pk) + 1


def tell(registration: Registration, online: OnlineEntry | None, *, has_moved_up: bool = False) -> None:
    """Write to somebody what became of their registration. Whoever has no address here is told nothing."""
    contacts = Contact.objects.select_related("tournament")
    contact = contacts.filter(registration=registration.pk).first()
    if contact is None:
        return
    place = LetterDetails(outbox.own_page(contact), number_of(registration), has_moved_up)
    outbox.post(contact, words.settled(contact.tournament, registration, place, online))
