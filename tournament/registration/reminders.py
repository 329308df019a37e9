"""Letters to both players of a game of a league that is still to be played: when the director wants it, and by
themselves so many days before its day."""

from collections.abc import Sequence
from datetime import date

from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext_lazy as _

from tournament.access.codes import make_personal_link
from tournament.basics.addresses import build_full_address
from tournament.basics.refusals import Refusal
from tournament.core.change import TERMINAL_ACTOR, Actor, Change, change
from tournament.entries.operations.waiting_list import is_online_entry_offered
from tournament.entries.queries import load_shared_contacts
from tournament.letters.outbox import post_letter_to_player
from tournament.letters.words import make_reminder
from tournament.models import Pairing, Tournament
from tournament.registration.day_letters import LetterRecipient, list_recipients
from tournament.rounds.drafts import identify_round
from tournament.rounds.overdue import require_open_game, select_games_to_remind


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
        _post_reminders(log, pairing, chosen)
        log.tell(count=len(chosen))
    return len(chosen)


def set_reminders(tournament: Tournament, *, remind_days: int | None, actor: Actor) -> None:
    """Say how many days before a game's day its players are reminded; None: not at all."""
    with change(tournament, actor=actor, verb="set_reminders", days=remind_days) as log:
        if log.tournament.remind_days != remind_days:
            log.save(log.tournament, remind_days=remind_days)


def list_due_reminders(tournament: Tournament, today: date) -> list[tuple[Pairing, list[LetterRecipient]]]:
    """The games of which players are to be reminded today, each with those who have an address for letters; at least
    one has. Three queries, three more where there are any."""
    games = select_games_to_remind(tournament, today).select_related("round__division").with_players()
    # Nearly always so: then nobody's address has to be asked for.
    if not games:
        return []
    recipients = {item.entry.pk: item for item in list_recipients(tournament) if item.email}
    due = [
        (game, [recipients[seat.entry_id] for seat in game.seats.all() if seat.entry_id in recipients])
        for game in games
    ]
    return [(game, chosen) for game, chosen in due if chosen]


def send_reminders(tournament: Tournament, *, actor: Actor) -> int:
    """Post the reminders that are due to players with an address for letters; how many. A game is noted as reminded of
    with its letters: whatever stops the program, none is lost and none goes twice."""
    with change(tournament, actor=actor, verb="send_reminders") as log:
        # Asked again within the change, which holds the event: what another process has sent since is not due any more.
        due = list_due_reminders(log.tournament, localdate(log.now))
        for pairing, chosen in due:
            _post_reminders(log, pairing, chosen)
        count = sum(len(chosen) for _pairing, chosen in due)
        log.tell(count=count)
    return count


def send_reminders_of_all() -> int:
    """Post the reminders that are due in all tournaments; how many. For the program while it runs, and for cron."""
    if not is_online_entry_offered():  # as for all letters: no mail server, no letter
        return 0
    candidates = Tournament.objects.filter(remind_days__isnull=False, is_ended=False, called_off_on=None)
    # Looked at before a change is opened, which locks the event: this runs every half minute, and nearly always nothing
    # is due.
    due = [tournament for tournament in candidates.order_by("pk") if list_due_reminders(tournament, localdate())]
    return sum(send_reminders(tournament, actor=TERMINAL_ACTOR) for tournament in due)


def _post_reminders(log: Change, pairing: Pairing, chosen: Sequence[LetterRecipient]) -> None:
    """Post a letter about a game to these of its players, and note that it was reminded of."""
    players = [entry for entry in (pairing.first, pairing.second) if entry is not None]
    contacts = load_shared_contacts(entry.pk for entry in players)
    for item in chosen:
        opponent = next(entry for entry in players if entry.pk != item.entry.pk)
        page = build_full_address(reverse("games:me", args=[make_personal_link(item.entry)]))
        letter = make_reminder(
            item.entry,
            opponent,
            round=pairing.round.number,
            day=pairing.due_day,
            contact=contacts.get(opponent.pk),
            page=page,
        )
        post_letter_to_player(item.entry, item.email, item.contact, letter)
    log.save(Pairing.objects.get(pk=pairing.pk), reminded_at=log.now)
