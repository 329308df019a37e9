"""Letters to both players of a game of a league that is still to be played."""

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tournament.access.codes import make_personal_link
from tournament.basics.addresses import build_full_address
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, change
from tournament.entries.queries import load_shared_contacts
from tournament.letters.outbox import post_letter_to_player
from tournament.letters.words import make_reminder
from tournament.models import Pairing
from tournament.registration.day_letters import list_recipients
from tournament.rounds.drafts import identify_round
from tournament.rounds.overdue import require_open_game


def remind_players(pairing: Pairing, *, actor: Actor) -> int:
    """Post a letter to each player of a game with an address for letters; how many. Raises `nobody_to_write_to` where
    no address is known, and `has_result`. Fetch `round__division__tournament` and the players."""
    round, tournament = pairing.round, pairing.round.division.tournament
    players = [entry for entry in (pairing.first, pairing.second) if entry is not None]
    details = {**identify_round(round), "table": pairing.table, "names": [entry.name for entry in players]}
    with change(tournament, actor=actor, verb="remind_players", **details) as log:
        require_open_game(pairing)
        recipients = {item.entry.pk: item for item in list_recipients(log.tournament) if item.email}
        chosen = [recipients[entry.pk] for entry in players if entry.pk in recipients]
        if not chosen:
            message = _("No e-mail address is known of %(names)s. Somebody has to call them.")
            raise Refusal("nobody_to_write_to", message, names="; ".join(entry.name for entry in players))
        contacts = load_shared_contacts(entry.pk for entry in players)
        for item in chosen:
            opponent = next(entry for entry in players if entry.pk != item.entry.pk)
            page = build_full_address(reverse("games:me", args=[make_personal_link(item.entry)]))
            letter = make_reminder(
                item.entry,
                opponent,
                round=round.number,
                day=pairing.due_day,
                contact=contacts.get(opponent.pk),
                page=page,
            )
            post_letter_to_player(item.entry, item.email, item.contact, letter)
        log.save(Pairing.objects.get(pk=pairing.pk), reminded_at=log.now)
        log.tell(count=len(chosen))
    return len(chosen)
