"""What players say themselves: how their name is written, which the letter before the day asks and the director
decides, and whether their opponents see how to reach them."""

from dataclasses import replace

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from tournament.basics.refusals import Refusal, Refusals
from tournament.core.change import Actor, change, lock_tournaments
from tournament.entries.operations.entries import load_stored_entry
from tournament.entries.operations.register import Person, find_person_problems, rename_player
from tournament.models import Entry, Tournament
from tournament.models.event import EntryQuerySet


def is_name_asked(entry: Entry) -> bool:
    """Whether a player is asked about the name: from the letter before the day until the end. Fetch `tournament`."""
    return entry.letter_at is not None and not entry.tournament.is_ended and not entry.is_withdrawn


def list_name_wishes(tournament: Tournament) -> EntryQuerySet:
    """Who says that the name is written otherwise, while nothing is decided. One query."""
    return tournament.entries.exclude(name_wish="").with_names().by_name()


def answer_name_question(entry: Entry, *, name: str, actor: Actor) -> Entry:
    """Note how a player writes the name; the present name means that it is right. Nothing else changes: the director
    decides. Raises `Refusals` with what is wrong with the name, or `name_not_asked`."""
    person = Person(name).tidied()
    if faults := find_person_problems(person):
        raise Refusals(faults)
    with change(entry.tournament, actor=actor, verb="answer_name_question", key=entry.key, name=entry.name) as log:
        stored = load_stored_entry(entry)
        if not is_name_asked(stored):
            raise Refusal("name_not_asked", _("Nobody is asked about the name any more. The desk can still change it."))
        wish = "" if person.name == stored.player.name else person.name
        # The first answer has the time: a page that is sent twice writes nothing, and leaves no second line in the
        # journal.
        if stored.name_checked_at is None or stored.name_wish != wish:
            log.save(stored, name_checked_at=log.now, name_wish=wish)
    return stored


def share_contact(entry: Entry, *, shares: bool, actor: Actor) -> None:
    """Note that a player lets opponents see phone and e-mail, or not any more."""
    with change(entry.tournament, actor=actor, verb="share_contact", name=entry.name, taken_off=not shares) as log:
        stored = load_stored_entry(entry)
        if stored.shares_contact != shares:
            log.save(stored, shares_contact=shares)


def settle_name_wish(entry: Entry, *, is_taken: bool, actor: Actor) -> str:
    """Write the name as the player says, in the register as well, or leave it (`is_taken`); return the name that holds.
    Raises what `rename_player` raises where others of the register are called alike."""
    with transaction.atomic():
        # All events that show the name, before the first is changed: two who rename at once would each hold one and
        # wait for the other.
        lock_tournaments(Tournament.objects.filter(entries__player=entry.player_id))
        stored = load_stored_entry(entry)
        player, wish = stored.player, stored.name_wish
        if is_taken and wish:
            # With what the register has: e-mail and phone are written along with a name, and the wish says nothing of
            # them.
            person = replace(Person(wish), email=player.email, phone=player.phone)
            rename_player(player, person=person, actor=actor)
        name = wish if is_taken and wish else player.name
        with change(entry.tournament, actor=actor, verb="settle_name_wish", key=entry.key, name=name) as log:
            log.save(load_stored_entry(entry), name_wish="")
    return name
