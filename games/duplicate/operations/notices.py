"""Publish what corrections after the end have changed, and write to whom it concerns."""

from datetime import date
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.models import DuplicateSession
from games.sessions.notices import (
    CorrectionNotice,
    find_pending_notice,
    list_notices,
    list_pending_corrections,
)
from games.sessions.session_state import reload_session_state
from tournament.basics.addresses import build_full_address
from tournament.basics.refusals import Refusal
from tournament.core.change import Actor, change
from tournament.letters.outbox import post_letter_to_player
from tournament.letters.words import LetterWriter, format_greeting, join_paragraphs
from tournament.models import Tournament
from tournament.registration.day_letters import LetterRecipient, list_recipients


def publish_notice(session: DuplicateSession, *, today: date, actor: Actor) -> CorrectionNotice:
    """Tell everybody what the corrections since the last notice have changed. Raises `nothing_to_tell`."""
    division = session.division
    with change(division.tournament, actor=actor, verb="publish_notice", division=division.name) as log:
        state = reload_session_state(session)
        notice = find_pending_notice(state)
        if notice is None:
            raise Refusal(
                "nothing_to_tell",
                gettext_lazy("No slip scores otherwise than everybody has been told, so there is nothing to publish."),
            )
        for correction in list_pending_corrections(state):
            log.save(correction, notice=notice.number, noticed_on=today)
        log.tell(notice=notice.number)
        return notice


def find_notice_recipients(
    tournament: Tournament, notice: CorrectionNotice
) -> list[tuple[LetterRecipient, dict[str, Any]]]:
    """Who can be written to of those whose figures have changed, whoever left before the end among them. Three
    queries."""
    players = {player["entry"].pk: player for player in notice.players}
    recipients = [item for item in list_recipients(tournament, with_withdrawn=True) if item.email]
    return [(item, players[item.entry.pk]) for item in recipients if item.entry.pk in players]


def send_notice_letters(session: DuplicateSession, *, number: int, actor: Actor) -> int:
    """Post a letter to everybody with an address whose figures a notice has changed, once; how many. Raises
    `no_such_notice`, `notice_sent` or `nobody_to_write`."""
    division = session.division
    with change(division.tournament, actor=actor, verb="send_notice", division=division.name, notice=number) as log:
        state = reload_session_state(session)
        notice = next((notice for notice in list_notices(state) if notice.number == number), None)
        if notice is None:
            raise Refusal("no_such_notice", gettext_lazy("There is no notice %(number)s."), number=number)
        if notice.letters_at is not None:
            at = date_format(timezone.localtime(notice.letters_at), "SHORT_DATETIME_FORMAT")
            raise Refusal(
                "notice_sent", gettext_lazy("Notice %(number)s was sent by letter at %(at)s."), number=number, at=at
            )
        recipients = find_notice_recipients(log.tournament, notice)
        if not recipients:
            raise Refusal(
                "nobody_to_write",
                gettext_lazy("Of nobody whose figures notice %(number)s has changed an e-mail address is known."),
                number=number,
            )
        for recipient, player in recipients:
            letter = make_notice_letter(log.tournament, notice, player)
            post_letter_to_player(recipient.entry, recipient.email, recipient.contact, letter)
        # In the transaction that posts the letters: pressed twice, the button finds the moment noted, and nobody is
        # written to again.
        for rows in state.corrections.values():
            for correction in rows:
                if correction.notice == number:
                    log.save(correction, letters_at=log.now)
        log.tell(count=len(recipients))
        return len(recipients)


def make_notice_letter(tournament: Tournament, notice: CorrectionNotice, player: dict[str, Any]) -> LetterWriter:
    """Tell a player which of their own slips score otherwise, and where they stand now."""

    # Called once the language of the letter is set: its sentences are not to be in that of whoever sends it.
    def write() -> tuple[str, str]:
        before, after = player["before"], player["after"]
        slips = [
            _("Turn %(turn)s: %(after)s instead of %(before)s. %(why)s")
            % {"turn": slip["turn"], "after": slip["after"], "before": slip["before"], "why": " ".join(slip["reasons"])}
            for slip in notice.slips
            if slip["entry"].pk == player["entry"].pk
        ]
        figures = {"after": after.points, "before": before.points, "place": after.rank, "place_before": before.rank}
        page = build_full_address(reverse("games:duplicate_public", args=[tournament.slug]))
        paragraphs = [
            format_greeting(player["entry"].player.name),
            _("Slips of “%(tournament)s” were judged anew after the end.") % {"tournament": tournament.name},
            *(["\n".join(slips)] if slips else [_("None of your own slips is among them; the table has changed.")]),
            _("Points: %(after)s, before %(before)s. Place: %(place)s, before %(place_before)s.") % figures,
            *([_("All corrections and the table:") + f"\n\n{page}"] if tournament.is_public else []),
        ]
        return _("Corrected: %(tournament)s") % {"tournament": tournament.name}, join_paragraphs(paragraphs)

    return write
