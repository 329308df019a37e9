"""The letter with the certificate after the event: who gets one, and who has had it."""

from collections.abc import Iterable

from django.utils import translation
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.basics import limits
from tournament.basics.languages import choose_paper_language
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, change
from tournament.core.public_view import list_held_rounds
from tournament.core.records import list_divisions
from tournament.ending.paper import render_certificate_of_each
from tournament.letters.outbox import post_letter_to_player
from tournament.letters.words import make_certificate_letter
from tournament.models import Letter, Tournament
from tournament.registration.day_letters import LetterRecipient, list_recipients


def find_certificate_obstacle(tournament: Tournament) -> Refusal | None:
    """Why certificates cannot be sent yet; None if they can. Two queries."""
    if not tournament.is_ended:
        return Refusal("not_ended", gettext_lazy("The certificates are sent once the tournament is ended."))
    if list_held_rounds(tournament):
        message = gettext_lazy(
            "The public does not see everything yet: the certificates would tell it before the ceremony. They are sent "
            "once everything is shown."
        )
        return Refusal("held_back", message)
    return None


def preview_certificate_letter(recipient: LetterRecipient) -> tuple[str, str]:
    """Subject and text as they would be sent."""
    with translation.override(recipient.language):
        return make_certificate_letter(recipient.entry)()


def send_certificates(tournament: Tournament, *, again: bool, actor: Actor) -> int:
    """Post the certificate to everybody with an address who has not had it, or to all (`again`); how many. The letters
    are stored with the note that they are: whatever stops the program, none is lost and none goes twice. Raises
    `find_certificate_obstacle`'s refusal."""
    with change(tournament, actor=actor, verb="send_certificates") as log:
        if obstacle := find_certificate_obstacle(log.tournament):
            raise obstacle
        chosen = list_recipients(log.tournament, certificates=True)
        chosen = [item for item in chosen if item.is_due or (again and item.email)]
        documents = _render_certificates(log.tournament, {item.entry.pk for item in chosen})
        # Only those for whom one was drawn: of nobody else it is noted that they have had it.
        chosen = [item for item in chosen if item.entry.pk in documents]
        for item in chosen:
            attachment = documents[item.entry.pk]
            post_letter_to_player(item.entry, item.email, item.contact, make_certificate_letter(item.entry), attachment)
            log.save(item.entry, certificate_at=log.now)
        log.tell(count=len(chosen))
    return len(chosen)


def renew_waiting_certificates(tournaments: Iterable[Tournament]) -> None:
    """Draw the certificates that are not sent yet anew: somebody is called otherwise now, and a prize may name an
    opponent."""
    for tournament in tournaments:
        # Without the PDFs of before: those of a hundred players are megabytes, and all are drawn anew.
        letters = Letter.objects.filter(tournament=tournament).exclude(attachment_name="").defer("attachment")
        entries = {letter.entry_id for letter in letters if letter.entry_id is not None}
        documents = _render_certificates(tournament, entries) if entries else {}
        for letter in letters:
            if letter.entry_id in documents:
                letter.attachment_name, letter.attachment = documents[letter.entry_id]
                letter.save(update_fields=["attachment_name", "attachment"])


def _render_certificates(tournament: Tournament, entries: set[int]) -> dict[int, tuple[str, bytes]]:
    """The certificates of these entries, by the entry's key: the name of the file and the PDF."""
    documents: dict[int, tuple[str, bytes]] = {}
    with translation.override(choose_paper_language(tournament.language)):
        # Cut in front, so that the ending stays.
        name = f"{slugify(_('Certificate'))}-{tournament.slug}.pdf"[-limits.FILE_NAME :]
        for division in list_divisions(tournament):
            division.tournament = tournament
            documents |= {
                entry: (name, document) for entry, document in render_certificate_of_each(division, entries).items()
            }
    return documents
