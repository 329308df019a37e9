"""The letter before the day: who gets one, and who has had it."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext_lazy as _

from tournament.access.codes import make_personal_link
from tournament.basics.addresses import build_full_address
from tournament.basics.languages import choose_paper_language
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, change
from tournament.core.settings import require_taking_place
from tournament.letters.outbox import get_letter_language, post_letter_to_player
from tournament.letters.words import LetterWriter, make_day_letter
from tournament.models import Contact, Entry, Letter, Tournament


@dataclass(frozen=True, slots=True)
class LetterRecipient:
    """A player with the `email` for letters, "" if none is known; `contact` where it is that of the online entry.
    `waiting`: the letter to them, while it is not sent yet; `posted_at`: when it was last written."""

    entry: Entry
    email: str
    contact: Contact | None = None
    waiting: Letter | None = None
    posted_at: datetime | None = None

    @property
    def language(self) -> str:
        """The language of letters to them."""
        own = choose_paper_language(self.entry.tournament.language)
        return get_letter_language(self.contact) if self.contact else own

    @property
    def fault(self) -> str:
        """What keeps the waiting letter from being sent, as the outbox notes it; "" if nothing does."""
        return self.waiting.fault if self.waiting else ""

    @property
    def is_due(self) -> bool:
        """Whether they can get the letter and have not had it."""
        return bool(self.email) and self.posted_at is None


def list_recipients(
    tournament: Tournament, *, certificates: bool = False, with_withdrawn: bool = False
) -> list[LetterRecipient]:
    """Everybody who plays, by name, with the address for letters: that of the online entry, else the register's.
    `with_withdrawn`: whoever has left as well. With `certificates` those who get one, and the letter that brings it.
    Three queries."""
    entries = tournament.entries.with_names().select_related("division").by_name()
    contacts = Contact.objects.filter(registration__entry__tournament=tournament)
    contacts = contacts.select_related("tournament", "registration")
    by_entry = {contact.registration.entry_id: contact for contact in contacts if contact.registration}
    unsent: dict[int | None, list[Letter]] = defaultdict(list)
    letters = Letter.objects.filter(tournament=tournament).exclude(entry=None).defer("attachment")
    for letter in letters.order_by("pk"):
        # The letter with the certificate is known by what is attached to it.
        if bool(letter.attachment_name) == certificates:
            unsent[letter.entry_id].append(letter)
    recipients = []
    for entry in entries:
        if not entry.is_certified if certificates else entry.is_withdrawn and not with_withdrawn:
            continue
        # The one at hand: each letter would ask for it by itself.
        entry.tournament = tournament
        contact, waiting = by_entry.get(entry.pk), unsent[entry.pk]
        email = contact.email if contact else entry.player.email
        posted_at = entry.certificate_at if certificates else entry.letter_at
        recipients.append(LetterRecipient(entry, email, contact, waiting[-1] if waiting else None, posted_at))
    return recipients


def write_day_letter(recipient: LetterRecipient) -> LetterWriter:
    """The letter to somebody."""
    page = build_full_address(reverse("games:me", args=[make_personal_link(recipient.entry)]))
    return make_day_letter(recipient.entry, page=page)


def preview_day_letter(recipient: LetterRecipient) -> tuple[str, str]:
    """Subject and text as they would be sent."""
    with translation.override(recipient.language):
        return write_day_letter(recipient)()


def send_day_letters(tournament: Tournament, *, again: bool, actor: Actor) -> int:
    """Post the letter before the day to everybody with an address who has not had it, or to all (`again`); how many.
    The letters are stored with the note that they are: whatever stops the program, none is lost and none goes twice.
    Raises `event_over` or `called_off`."""
    with change(tournament, actor=actor, verb="send_day_letters") as log:
        if log.tournament.is_ended:
            raise Refusal("event_over", _("The tournament is ended; the letter before the day comes too late."))
        # Else it went out a minute after the letter that the event does not take place.
        require_taking_place(log.tournament)
        # Asked within the change, which holds the event: of two who press at once the second finds nobody left.
        chosen = [item for item in list_recipients(log.tournament) if item.is_due or (again and item.email)]
        for item in chosen:
            post_letter_to_player(item.entry, item.email, item.contact, write_day_letter(item))
            log.save(item.entry, letter_at=log.now)
        log.tell(count=len(chosen))
    return len(chosen)
