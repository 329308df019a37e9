"""Personal data deleted on request: who never played is deleted, who has played stays under a pseudonym.

The one place where the journal is written anew: with the pseudonym it tells the same story, gives the same rows when it
is replayed, and nothing of the person is left in the database. Backups and files that were saved before still have it.
"""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from django.db import models, transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from tournament import languages, names, records
from tournament.models import (
    Club,
    Contact,
    Entry,
    JournalEntry,
    Letter,
    Member,
    Organiser,
    Player,
    Registration,
    Role,
    Seat,
    Tournament,
)
from tournament.operations import entries, outbox, waiting_list
from tournament.operations.change import Actor, Change, change, lock, register_change, snapshot
from tournament.operations.pseudonyms import Forgotten
from tournament.pictures import files
from tournament.refusals import Refusal
from tournament.words import registrations as words

LOWEST, NUMBERS = 10_000, 90_000
"""Numbers of pseudonyms, drawn by chance: those of two organisers are not taken for the same person."""


def has_played(player: Player) -> bool:
    """Whether games hang on the player, so that they stay under a pseudonym. At most a query for each table."""
    entered = list(Entry.objects.filter(player=player))
    return Seat.objects.filter(entry__in=entered).exists() or any(records.referring(each) for each in entered)


def forget_player(player: Player, *, actor: Actor | None) -> str:
    """Delete what is known of a player of the register; results stay under a pseudonym, which is returned.

    Without an actor it is the person themselves, under the pseudonym. A player who never played is gone altogether.
    Photos of them go, and those of the sheets of their games, since names are written on these. It cannot be taken
    back.
    """
    with transaction.atomic():
        organiser = _locked(player.organiser)
        stored = Player.objects.select_related("club").get(pk=player.pk)
        played = has_played(stored)
        forgotten = _of_player(stored)
        _rewrite(forgotten, organiser, list(organiser.tournaments.order_by("pk")))
        _remove_former_portraits(forgotten, organiser)
        by = actor or Actor(name=forgotten.pseudonym)
        _leave_tournaments(stored, forgotten.pseudonym, played=played, actor=by)
        with register_change(organiser, actor=by, verb="forget_player", name=forgotten.pseudonym) as log:
            left = Player.objects.get(pk=player.pk)
            log.rewritten(left)
            if not left.entries.exists():
                log.delete(left)
    return forgotten.pseudonym


def forget_registration(registration: Registration, *, actor: Actor | None) -> str:
    """Delete a registration with its address; an entered player is forgotten as by `forget_player`. The pseudonym."""
    stored = Registration.objects.select_related("entry__player__organiser", "tournament__organiser").get(
        pk=registration.pk
    )
    if stored.entry is not None:
        return forget_player(stored.entry.player, actor=actor)
    with transaction.atomic():
        organiser = _locked(stored.tournament.organiser)
        if (left := _only_registered(stored)) is not None:
            forget_player(left, actor=actor)
        forgotten = Forgotten(
            _pseudonym(stored.tournament.organiser, stored.tournament.language),
            frozenset({stored.name}),
            frozenset(Contact.objects.filter(registration=stored).values_list("email", flat=True)),
            registrations=frozenset({stored.pk}),
        )
        Contact.objects.filter(registration=stored).delete()
        _rewrite(forgotten, organiser, [stored.tournament], register=False)
        by = actor or Actor(name=forgotten.pseudonym)
        with change(stored.tournament, actor=by, verb="forget_registration", name=forgotten.pseudonym) as log:
            log.delete(Registration.objects.get(pk=stored.pk))
        waiting_list.move_up(stored.tournament, actor=by)
    return forgotten.pseudonym


def ask(contact: Contact) -> str | None:
    """Do what somebody asks for their own data: at once, unless they have played; then the directors are told, and the
    results stay as they are until one of them does it. The pseudonym, or None where a director has to act."""
    registration = contact.registration
    if registration is None:
        contact.delete()
        return ""
    entry = Entry.objects.select_related("player").filter(registration=registration).first()
    if entry is not None and has_played(entry.player):
        _tell_directors(contact)
        return None
    return forget_registration(registration, actor=None)


def _tell_directors(contact: Contact) -> None:
    with transaction.atomic():
        stored = (
            Contact.objects.select_for_update(of=("self",)).select_related("tournament__organiser").get(pk=contact.pk)
        )
        if stored.forget_asked_at is not None:
            return
        stored.forget_asked_at = timezone.now()
        stored.save(update_fields=["forget_asked_at"])
        page = outbox.full_address(f"/director/{stored.tournament.slug}/registrations/")
        for email in _addresses_of_directors(stored.tournament.organiser):
            outbox.post_to(stored.tournament, email, words.forget_asked(stored.tournament, page=page))


def _addresses_of_directors(organiser: Organiser) -> list[str]:
    """Where letters to those who direct for an organiser go. One query."""
    found = Member.objects.filter(organiser=organiser, role__in=(Role.DIRECTOR, Role.OWNER)).exclude(user__email="")
    return sorted(set(found.values_list("user__email", flat=True)))


def _locked(organiser: Organiser) -> Organiser:
    """The organiser, with all their tournaments locked: nobody writes an old name meanwhile."""
    lock(Tournament.objects.filter(organiser=organiser))
    return Organiser.objects.select_for_update(no_key=True).get(pk=organiser.pk)


def _pseudonym(organiser: Organiser, language: str) -> str:
    """“Player 48213”, which nobody there has, in the language of an event."""
    with translation.override(languages.on_paper(language)):
        while True:
            name = _("Player %(number)s") % {"number": LOWEST + secrets.randbelow(NUMBERS)}
            if not Player.objects.filter(organiser=organiser, sort_name=names.fold(name)).exists():
                return name


def _only_registered(registration: Registration) -> Player | None:
    """The player of the register who is this person and has no entry any more: it was removed."""
    found = Player.objects.filter(organiser=registration.tournament.organiser_id, entries=None)
    found = found.filter(sort_name=names.fold(registration.name)).select_related("club", "organiser")
    same = [each for each in found if names.fold(each.club.name if each.club else "") == names.fold(registration.club)]
    return same[0] if same else None


def _of_player(player: Player) -> Forgotten:
    """Everything by which a player is known, now and in any journal."""
    own = list(Entry.objects.filter(player=player).select_related("tournament", "club"))
    registrations = Registration.objects.filter(entry__in=own)
    told, emails = {player.name}, {player.email}
    for state in _told_of(player):
        told.add(state["name"])
        emails.add(state["email"])
    emails |= set(Contact.objects.filter(registration__in=registrations).values_list("email", flat=True))
    told |= set(registrations.values_list("name", flat=True))
    language = own[-1].tournament.language if own else languages.active()
    return Forgotten(
        _pseudonym(player.organiser, language),
        frozenset(told),
        frozenset(filter(None, emails)),
        players=frozenset({player.pk}),
        entries=frozenset(each.pk for each in own) | _former_entries(player),
        registrations=frozenset(registrations.values_list("pk", flat=True)),
        clubs=_clubs_of_nobody_else(player, own),
    )


def _told_of(player: Player) -> Iterator[Mapping[str, Any]]:
    """The player's states in all journals."""
    for rows in _journals(player.organiser).values_list("rows", flat=True).iterator():
        for table, pk, before, after in rows:
            if table == "player" and pk == player.pk:
                yield from filter(None, (before, after))


def _former_entries(player: Player) -> frozenset[int]:
    """Entries of the player that are gone: journals still tell of them."""
    found = set()
    for rows in _journals(player.organiser).values_list("rows", flat=True).iterator():
        for table, pk, before, after in rows:
            if table == "entry" and (before or after or {}).get("player_id") == player.pk:
                found.add(pk)
    return frozenset(found)


def _clubs_of_nobody_else(player: Player, own: Sequence[Entry]) -> dict[int, str]:
    clubs = filter(None, (player.club_id, *(entry.club_id for entry in own)))
    found = Club.objects.filter(pk__in=list(clubs)).exclude(players__in=Player.objects.exclude(pk=player.pk))
    found = found.exclude(entries__in=Entry.objects.exclude(player=player))
    return dict(found.values_list("pk", "name"))


def _journals(organiser: Organiser) -> models.QuerySet[JournalEntry]:
    """All journals that may tell of an organiser's players: of tournaments, deleted ones as well, and the register."""
    own = models.Q(tournament__organiser=organiser) | models.Q(organiser=organiser)
    return JournalEntry.objects.filter(own | models.Q(deleted_tournament__in=_deleted(organiser))).order_by("pk")


def _deleted(organiser: Organiser) -> list[int]:
    """The keys of the organiser's tournaments that were deleted: their first entries say whose they were."""
    firsts = JournalEntry.objects.filter(deleted_tournament__isnull=False, number=1)
    return [
        key or 0
        for key, rows in firsts.values_list("deleted_tournament", "rows")
        if any(table == "tournament" and after["organiser_id"] == organiser.pk for table, _pk, _before, after in rows)
    ]


def _rewrite(
    forgotten: Forgotten, organiser: Organiser, tournaments: Sequence[Tournament], *, register: bool = True
) -> None:
    """Put the pseudonym into the rows and journals of these tournaments and, with `register`, of the organiser."""
    journals = _journals(organiser) if register else JournalEntry.objects.filter(tournament__in=tournaments)
    for entry in journals.iterator():
        _rewrite_entry(forgotten, entry)
    for model, way in records.OWNED.items():
        _rewrite_rows(forgotten, model, model._default_manager.filter(**{f"{way}__in": [t.pk for t in tournaments]}))
    letters = Letter.objects.filter(tournament__in=tournaments)
    _rewrite_rows(forgotten, Letter, letters)
    if register:
        _rewrite_rows(forgotten, Player, Player.objects.filter(pk__in=forgotten.players))
        Contact.objects.filter(registration__in=forgotten.registrations).delete()
        Club.objects.filter(pk__in=forgotten.clubs).delete()


def _rewrite_entry(forgotten: Forgotten, entry: JournalEntry) -> None:
    found = {
        "by_name": forgotten.text(entry.by_name),
        "details": forgotten.value(entry.details),
        "rows": forgotten.rows(entry.rows),
    }
    if found != {name: getattr(entry, name) for name in found}:
        JournalEntry.objects.filter(pk=entry.pk).update(**found)


def _rewrite_rows(forgotten: Forgotten, model: type[models.Model], rows: models.QuerySet[Any]) -> None:
    """Write what differs of a table's rows. Tables with neither texts nor rows of the person's own are passed over."""
    texts = (models.CharField, models.TextField, models.JSONField)
    columns = [field.attname for field in model._meta.concrete_fields if isinstance(field, texts) and not field.choices]
    if not columns:
        return
    table = model._meta.model_name or ""
    for row in rows.iterator():
        before = snapshot(row)
        after = forgotten.state(table, row.pk, before) or {}
        changed = {name: value for name, value in after.items() if value != before[name]}
        if changed:
            model._default_manager.filter(pk=row.pk).update(**changed)


def _leave_tournaments(player: Player, pseudonym: str, *, played: bool, actor: Actor) -> None:
    """In each tournament: photos go, the personal link leads nowhere, and a player who never played is no entry any
    more."""
    for entry in (
        Entry.objects.filter(player=player).select_related("tournament", "division").order_by("tournament", "pk")
    ):
        with change(entry.tournament, actor=actor, verb="forget_player", name=pseudonym) as log:
            stored = entries.stored_entry(entry)
            log.save(stored, link=stored.link + 1)
            log.rewritten(stored.player)
            _delete_photos(log, entry)
        if not played:
            _remove(entry, actor)


def _remove(entry: Entry, actor: Actor) -> None:
    try:
        entries.remove_entry(entries.stored_entry(entry), actor=actor)
    except Refusal:  # a seed, a prize: the entry stays under the pseudonym
        return


def _delete_photos(log: Change, entry: Entry) -> None:
    """Delete the files that show the entry, or what was written at its games, with their rows."""
    for model, kept in records.FILES.items():
        rows = list(model._default_manager.filter(**{kept.entries: entry}))
        gone = [getattr(row, kept.column) for row in rows]
        log.delete_all(rows)
        transaction.on_commit(partial(_remove_files, kept, gone))


def _remove_former_portraits(forgotten: Forgotten, organiser: Organiser) -> None:
    """Remove the files of photos whose rows went with an entry that was taken back: undo could have brought them."""
    for rows in _journals(organiser).values_list("rows", flat=True).iterator():
        for table, _pk, before, _after in rows:
            if table == "portrait" and before and before["entry_id"] in forgotten.entries:
                transaction.on_commit(partial(files.remove, before["name"]))


def _remove_files(kept: records.Files, gone: Sequence[str]) -> None:
    for name in gone:
        kept.remove(name)
