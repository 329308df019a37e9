"""The personal link of somebody who registers: worked out from the installation's key, so that nothing is stored."""

import hmac

from tournament.models import Contact
from tournament.operations.access_codes import LINK, proof


def link(contact: Contact) -> str:
    """The last part of the personal address (reads `tournament`)."""
    return f"{contact.pk}-{_proof(contact)}"


def contact_at(slug: str, text: str) -> Contact | None:
    """The address, with registration and tournament, to which a link leads; None if to nobody. One query."""
    found = LINK.fullmatch(text)
    if found is None:
        return None
    contacts = Contact.objects.select_related(
        "tournament__organiser", "registration__division", "registration__entry__player", "division"
    )
    contact = contacts.filter(pk=found["pk"], tournament__slug=slug).first()
    if contact is None or not hmac.compare_digest(found["proof"], _proof(contact)):
        return None
    if contact.registration is not None:
        contact.registration.tournament = contact.tournament
    return contact


def _proof(contact: Contact) -> str:
    """What only this installation can work out; keys come again after a restore, so whose it is is part of it."""
    made = contact.tournament.created_at.isoformat()
    return proof("contact", f"{contact.pk} {contact.email_key} {contact.name_key} {made}")
