"""Personal data deleted on request: whoever never played is deleted, whoever has played stays under a pseudonym. The
one place where the journal is rewritten: with the pseudonym it tells the same story and gives the same rows when
replayed, and nothing of the person is left in the database or in the notes beside it. Which backups still have it says
`tournament.backup.forgotten_names`; files saved before do, too."""

import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from typing import Any

from django.db import models, transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from tournament.backup.forgotten_names import get_name_search
from tournament.backup.making import is_postgresql_used
from tournament.backup.traces import REMOVE_TRACES
from tournament.basics.addresses import build_full_address
from tournament.basics.languages import choose_paper_language, get_active_language
from tournament.basics.names import fold_text, format_spoken_name, list_name_forms, make_identity_key
from tournament.basics.refusals import Refusal
from tournament.core.change import (
    Actor,
    JournalRow,
    change,
    lock_tournaments,
    open_register_change,
    take_snapshot,
)
from tournament.core.errands import REMOVE_UPLOAD, leave_errand
from tournament.core.records import OWNED_TABLES, PICTURE_TABLES, find_referring_row
from tournament.entries.operations.attendance import withdraw_entry
from tournament.entries.operations.entries import load_stored_entry, remove_entry
from tournament.entries.operations.register import Person, Register, build_name_columns, delete_player, get_club_key
from tournament.entries.operations.waiting_list import move_up_waiting_list
from tournament.letters.outbox import GATHERED_RULE, post_letter_to_address
from tournament.letters.words import make_deletion_request_letter
from tournament.models import (
    Club,
    Contact,
    Entry,
    HandedInEvent,
    JournalEntry,
    Letter,
    Member,
    MirrorLink,
    Organiser,
    Player,
    PlayerNumber,
    PublishedRatingList,
    Registration,
    RegistrationState,
    Role,
    Seat,
    Tournament,
)
from tournament.registration.certificate_letters import renew_waiting_certificates

NAME_COLUMNS = frozenset({"name", "sort_name", "search_name"})
_MARKED_NAME = re.compile(r"(.+) \([^()]*\)")  # with what tells it from a namesake's
NAMING_COLUMNS = NAME_COLUMNS | frozenset(
    {"by_name", "club", "exception", "note", "penalty_reason", "reason", "stopped", "subject", "text", "why"}
    | {"why_withdrawn"}
    | {"rows"}  # of a published list of ratings
)
"""Columns in which one word may be somebody's whole name. In others it is an address, a code, a word that was laid."""

CODE_KEYS = frozenset(
    {"columns", "division", "key", "kind", "knockout", "letters", "line", "method", "outcome", "preset", "public"}
    | {"role", "root", "screen", "second_outcome", "settings", "sha256", "sheet", "shows", "source", "state", "step"}
    | {"tiles", "undone", "use", "verb", "what"}
)
"""Keys of what the journal tells under which words of the program stand: whoever is called “Table” is none of them."""

ORGANISERS_TABLES = frozenset(
    {"division", "hall", "joinedclub", "onlineentry", "preparedsession", "prize", "screen", "tournament"}
)
"""What the organiser calls the event and its parts, and says of them."""

LOWEST_PSEUDONYM, PSEUDONYM_COUNT = 10_000, 90_000
"""Numbers of pseudonyms, drawn by chance: those of two organisers are not taken for the same person."""


@dataclass(frozen=True)
class ForgottenPerson:
    """Who is to be forgotten, and takes them out of plain values: texts, rows and journals. Every name, address and
    phone number they had, the keys of their rows, and the clubs that nobody else has; `pseudonym` is what stands in
    their place. What stands in a column of their own rows is known for certain, and so is another player's. In other
    texts (who did something, notes, sentences) a name is found by its words: the whole name, but one word alone only
    where it is the whole text, and a name may stand there. Marks and case do not matter, unless somebody else
    (`others`) is called just so."""

    pseudonym: str
    names: frozenset[str]
    addresses: frozenset[str] = frozenset()  # e-mail addresses and phone numbers
    players: frozenset[int] = frozenset()
    entries: frozenset[int] = frozenset()
    registrations: frozenset[int] = frozenset()
    numbers: frozenset[int] = frozenset()
    clubs: Mapping[int, str] = field(default_factory=dict)
    others: frozenset[str] = frozenset()  # the other players' names in small letters, as written and said
    is_own_wish: bool = False  # asked for by whoever has a link: nothing changes that others have written

    @cached_property
    def _forms(self) -> frozenset[str]:
        """The names as they are written and said, and folded as columns to sort and search by have them."""
        written = {form for name in self.names if name for form in (name, format_spoken_name(name))}
        folded = {form for name in self.names if name for form in list_name_forms(name)}
        return frozenset(written | {form for form in folded if form.lower() not in self.others})

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        """Names of several words, wherever they stand; addresses, too."""
        several = {form for form in self._forms if len(form.split()) > 1} | self.addresses
        if not several:
            return None
        # The longest first: where “Anna Beispiel” goes first, “Anna Beispiel-Muster” leaves the second half of her name
        # behind.
        longest_first = sorted(map(re.escape, several), key=lambda text: (-len(text), text))
        # Whole words only: “Anna Bei” stands in no “Anna Beispiel”.
        return re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)", re.IGNORECASE)

    @cached_property
    def _whole_texts(self) -> dict[str, str]:
        """What stands for a text that is a name, or a club that goes, and nothing more."""
        clubs = {name.lower(): "" for name in self.clubs.values()}
        return clubs | {form.lower(): self.pseudonym for form in self._forms}

    def text(self, text: str, *, is_name: bool = True) -> str:
        """The text without the person; `is_name`: whether one word of it may be a name."""
        whole_text = self._whole_texts.get(text.lower()) if is_name or len(text.split()) > 1 else None
        if whole_text is not None:
            return whole_text
        if (marked := _MARKED_NAME.fullmatch(text)) and self._whole_texts.get(marked[1].lower()) == self.pseudonym:
            return self.pseudonym
        cleaned = self._pattern.sub(self.pseudonym, text) if self._pattern else text
        for club in self.clubs.values():
            # A club of one word may be any word: it is left, as a name of one word is.
            cleaned = cleaned.replace(f" ({club})", "").replace(club, "–") if len(club.split()) > 1 else cleaned
        return cleaned

    def value(self, value: Any, *, is_name: bool = True) -> Any:
        """Any JSON value without the person. Where something is told of them by name, the club goes as well."""
        if isinstance(value, str):
            return self.text(value, is_name=is_name)
        if isinstance(value, list):
            return [self.value(element, is_name=is_name) for element in value]
        if not isinstance(value, dict):
            return value
        cleaned = {key: self.value(element, is_name=is_name and key not in CODE_KEYS) for key, element in value.items()}
        if "club" in cleaned and isinstance(cleaned["club"], str) and cleaned.get("name") != value.get("name"):
            cleaned["club"] = ""
        return cleaned

    def mirrored_state(self, value: Any, key: str = "") -> Any:
        """A state that a laptop has sent, or a part of it, without the person."""
        if isinstance(value, dict):
            return {name: self.mirrored_state(element, name) for name, element in value.items()}
        if isinstance(value, list):
            return [self.mirrored_state(element) for element in value]
        return self.text(value, is_name=key in NAMING_COLUMNS) if isinstance(value, str) else value

    def state(self, table: str, pk: int, state: Mapping[str, Any] | None) -> dict[str, Any] | None:
        """A row's state without the person."""
        if state is None:
            return None
        if self.is_own_wish and table in ORGANISERS_TABLES | {"accesscode"}:
            return dict(state)
        # What another player's own row has as their name is theirs for certain, even where it is the same.
        columns = state.keys() - (NAME_COLUMNS if table == "player" and pk not in self.players else ())
        # Whoever has an account acts under the account's name: a stranger who registers under it changes nothing of
        # what they did.
        if self.is_own_wish and state.get("by_id") is not None:
            columns -= {"by_name"}
        naming = frozenset() if table in ORGANISERS_TABLES else NAMING_COLUMNS
        cleaned = {
            name: self.value(element, is_name=name in naming) if name in columns else element
            for name, element in state.items()
        }
        return cleaned | {name: value for name, value in self._get_columns(table, pk).items() if name in cleaned}

    def _get_columns(self, table: str, pk: int) -> dict[str, Any]:
        """What becomes of the columns of a row that is the person's own; nothing for any other."""
        name = self.pseudonym
        if table == "player" and pk in self.players:
            ways = {"email": "", "phone": "", "hides_profile": True}
            return {**build_name_columns(name), "club_id": None, "rating": None, "games": 0, **ways}
        if table == "entry" and pk in self.entries:
            # The rating of the day stays: rounds were drawn and prizes won by it.
            return {"club_id": None, "exception": "", "name_wish": "", "shares_contact": False}
        if table == "registration" and pk in self.registrations:
            return {"name": name, "club": "", "rating": None, "why": "", "listed": False, "number": ""}
        return {}

    def rows(self, rows: Iterable[Any]) -> list[Any]:
        """A journal entry's rows without the person; their numbers and a club that nobody else has are left out."""
        return [
            [table, pk, self.state(table, pk, before), self.state(table, pk, after)]
            for table, pk, before, after in rows
            if not (table == "club" and pk in self.clubs) and not (table == "playernumber" and pk in self.numbers)
        ]


def has_played_games(player: Player) -> bool:
    """Whether games depend on the player, who then stays under a pseudonym. At most a query for each table."""
    entered = list(Entry.objects.filter(player=player))
    return Seat.objects.filter(entry__in=entered).exists() or any(find_referring_row(entry) for entry in entered)


def forget_player(player: Player, *, actor: Actor | None) -> str:
    """Delete what is known of a player of the register for good; results stay under a pseudonym, which is returned.
    Without an actor it is the person themselves, under the pseudonym. A player who never played is gone altogether.
    Photos of them go, and those of the sheets of their games, since names are written on these. Raises `sent_from_hall`
    while a laptop may send the name again."""
    with transaction.atomic():
        organiser = _lock_organiser(player.organiser)
        stored = Player.objects.select_related("club").get(pk=player.current.pk)
        sending = MirrorLink.objects.filter(tournament__entries__player=stored, revoked_at=None).first()
        if sending is not None and sending.tournament is not None:
            message = _(
                "“%(name)s” plays in “%(event)s”, which a laptop sends here and would send again with the name. Delete "
                "the person on the laptop first, or have an owner take the link back under “Mirrors”."
            )
            raise Refusal("sent_from_hall", message, name=stored.name, event=sending.tournament.name)
        played = has_played_games(stored)
        # Before anything is rewritten: afterwards no row and no journal tells by which names they were known.
        forgotten = _collect_personal_data(stored, is_own_wish=actor is None)
        _rewrite_records(forgotten, organiser, list(organiser.tournaments.order_by("pk")))
        # Photos whose rows went with an entry that was taken back were kept for an undo.
        for table, _pk, before, _after in _iterate_journal_rows(organiser):
            if table == "portrait" and before and before["entry_id"] in forgotten.entries:
                leave_errand(REMOVE_UPLOAD, name=before["name"])
        by = actor or Actor(name=forgotten.pseudonym)
        _leave_tournaments(stored, forgotten.pseudonym, played=played, actor=by)
        with open_register_change(organiser, actor=by, verb="forget_player", name=forgotten.pseudonym) as log:
            for merged in Player.objects.filter(merged_into=stored).order_by("pk"):
                log.rewritten(merged)
                delete_player(merged, log=log)
            forgotten_player = Player.objects.get(pk=stored.pk)
            # Written past the journal above: noted as it is now, replaying gives this row.
            log.rewritten(forgotten_player)
            if not forgotten_player.entries.exists():
                delete_player(forgotten_player, log=log)
    return forgotten.pseudonym


def forget_registration(registration: Registration, *, actor: Actor | None) -> str:
    """Delete a registration with its address, and an entered player as `forget_player`; return the pseudonym. One that
    something was paid for stays for the treasurer, withdrawn."""
    registrations = Registration.objects.select_related("entry__player__organiser", "tournament__organiser")
    stored = registrations.get(pk=registration.pk)
    if stored.entry is not None:
        return forget_player(stored.entry.player, actor=actor)
    with transaction.atomic():
        organiser = _lock_organiser(stored.tournament.organiser)
        made = Player.objects.filter(pk__in=_list_made_players(stored), entries=None, merged_into=None)
        # On their own wish only whom this registration has made: anybody can register under the name of somebody who is
        # in the register, and delete “their” data.
        if (player := _find_registered_player(stored) if actor else made.first()) is not None:
            forget_player(player, actor=actor)
        forgotten = ForgottenPerson(
            _choose_pseudonym(stored.tournament.organiser, stored.tournament.language),
            frozenset({stored.name}),
            _collect_addresses(Contact.objects.filter(registration=stored)),
            registrations=frozenset({stored.pk}),
            is_own_wish=actor is None,
        )
        # What waits to be sent goes with the contact, but for what it tells others at the same address.
        _rewrite_records(forgotten, organiser, [stored.tournament], register=False)
        Contact.objects.filter(registration=stored).delete()
        by = actor or Actor(name=forgotten.pseudonym)
        with change(stored.tournament, actor=by, verb="forget_registration", name=forgotten.pseudonym) as log:
            row = Registration.objects.get(pk=stored.pk)
            if row.fee_paid or row.paid_cents:
                log.save(row, state=RegistrationState.WITHDRAWN, waits_from=None)
            else:
                log.delete(row)
        move_up_waiting_list(stored.tournament, actor=by)
    return forgotten.pseudonym


def answer_forget_request(contact: Contact) -> str | None:
    """Delete somebody's own data and return their pseudonym or ""; or ask the directors, and return None."""
    if (registration := contact.registration) is None:
        contact.delete()
        return ""
    if must_directors_agree(contact):
        _tell_directors(contact)
        return None
    return forget_registration(registration, actor=None)


def must_directors_agree(contact: Contact) -> bool:
    """Whether only the directors delete somebody's data: they have played, or were in the register before they
    registered, since anybody can register under their name."""
    entry = Entry.objects.select_related("player").filter(registration__contact=contact).first()
    if entry is None or contact.registration is None:
        return False
    is_made = entry.player.current.pk in _list_made_players(contact.registration)
    return not is_made or has_played_games(entry.player)


def _tell_directors(contact: Contact) -> None:
    with transaction.atomic():
        # Locked, and asked again: pressed twice, the button writes to the directors once.
        contacts = Contact.objects.select_for_update(of=("self",)).select_related("tournament__organiser")
        stored = contacts.get(pk=contact.pk)
        if stored.forget_asked_at is not None:
            return
        stored.forget_asked_at = timezone.now()
        stored.save(update_fields=["forget_asked_at"])
        tournament = stored.tournament
        page = build_full_address(f"/director/{tournament.slug}/registrations/")
        directors = Member.objects.filter(organiser=tournament.organiser, role__in=(Role.DIRECTOR, Role.OWNER))
        for email in sorted(set(directors.exclude(user__email="").values_list("user__email", flat=True))):
            post_letter_to_address(tournament, email, make_deletion_request_letter(tournament, page=page))


def _lock_organiser(organiser: Organiser) -> Organiser:
    """The organiser, with all their tournaments locked: nobody writes an old name meanwhile."""
    lock_tournaments(Tournament.objects.filter(organiser=organiser))
    # `no_key`: otherwise PostgreSQL lets nobody insert a row that refers to the organiser meanwhile.
    return Organiser.objects.select_for_update(no_key=True).get(pk=organiser.pk)


def _choose_pseudonym(organiser: Organiser, language: str) -> str:
    """“Player 48213”, which nobody there has, in the language of an event."""
    with translation.override(choose_paper_language(language)):
        while True:
            name = _("Player %(number)s") % {"number": LOWEST_PSEUDONYM + secrets.randbelow(PSEUDONYM_COUNT)}
            if not Player.objects.filter(organiser=organiser, sort_name=fold_text(name)).exists():
                return name


def _list_made_players(registration: Registration) -> set[int]:
    """The players of the register, by id, whom nothing but taking over this registration has made."""
    made = set()
    for rows in (
        JournalEntry.objects.filter(tournament=registration.tournament_id).values_list("rows", flat=True).iterator()
    ):
        after_by_row = {(table, pk): after for table, pk, _before, after in rows}
        entry = (after_by_row.get(("registration", registration.pk)) or {}).get("entry_id")
        player = (after_by_row.get(("entry", entry)) or {}).get("player_id")
        made |= {pk for table, pk, before, _after in rows if (table, pk, before) == ("player", player, None)}
    return made


def _find_registered_player(registration: Registration) -> Player | None:
    """The player of the register who is this person and whose entry was removed."""
    person = Person(registration.name, registration.club)
    players = Register(registration.tournament.organiser_id, [person]).candidates(person)
    club = fold_text(registration.club)
    return next((player for player in players if get_club_key(player) == club and not player.entries.exists()), None)


def _collect_personal_data(player: Player, *, is_own_wish: bool) -> ForgottenPerson:
    """Everything by which a player is known, now and in any journal; entries that are gone are known by journals."""
    own = list(Entry.objects.filter(player=player).select_related("tournament", "club"))
    rows = list(Player.objects.filter(models.Q(pk=player.pk) | models.Q(merged_into=player)).select_related("club"))
    players = {row.pk for row in rows}
    registrations = Registration.objects.filter(entry__in=own)
    names, entries = {row.name for row in rows}, {record.pk for record in own}
    addresses = {way for row in rows for way in (row.email, row.phone)}
    numbers = set(PlayerNumber.objects.filter(player__in=players).values_list("pk", flat=True))
    for table, pk, before, after in _iterate_journal_rows(player.organiser):
        if table == "playernumber" and (before or after or {}).get("player_id") in players:
            numbers.add(pk)
        elif table == "player" and pk in players:
            names |= {state["name"] for state in (before, after) if state}
            addresses |= {state.get(way, "") for state in (before, after) if state for way in ("email", "phone")}
        elif table == "entry" and (before or after or {}).get("player_id") in players:
            entries.add(pk)
    addresses |= _collect_addresses(Contact.objects.filter(registration__in=registrations))
    names |= set(registrations.values_list("name", flat=True))
    language = own[-1].tournament.language if own else get_active_language()
    others = Player.objects.filter(organiser=player.organiser).exclude(pk__in=players).values_list("name", flat=True)
    return ForgottenPerson(
        _choose_pseudonym(player.organiser, language),
        frozenset(names),
        frozenset(filter(None, addresses)),
        players=frozenset(players),
        entries=frozenset(entries),
        registrations=frozenset(registrations.values_list("pk", flat=True)),
        numbers=frozenset(numbers),
        clubs=_find_exclusive_clubs(rows, own),
        others=frozenset(
            make_identity_key(form) for name in others.iterator() for form in (name, format_spoken_name(name))
        ),
        is_own_wish=is_own_wish,
    )


def _collect_addresses(contacts: models.QuerySet[Contact]) -> frozenset[str]:
    """The e-mail addresses and phone numbers of contacts."""
    return frozenset(filter(None, chain.from_iterable(contacts.values_list("email", "phone"))))


def _find_exclusive_clubs(rows: Sequence[Player], own: Sequence[Entry]) -> dict[int, str]:
    clubs = list(filter(None, [*(row.club_id for row in rows), *(entry.club_id for entry in own)]))
    theirs = [row.pk for row in rows]
    clubs_found = Club.objects.filter(pk__in=clubs).exclude(players__in=Player.objects.exclude(pk__in=theirs))
    clubs_found = clubs_found.exclude(entries__in=Entry.objects.exclude(player__in=theirs))
    return dict(clubs_found.values_list("pk", "name"))


def _iterate_journal_rows(organiser: Organiser) -> Iterator[JournalRow]:
    """Every row that the organiser's journals tell of: table, key, state before and after."""
    for rows in _select_journals(organiser).values_list("rows", flat=True).iterator():
        yield from rows


def _select_journals(organiser: Organiser) -> models.QuerySet[JournalEntry]:
    """All journals that may tell of an organiser's players: of tournaments, deleted ones as well, and the register."""
    # The first entry of a deleted tournament says whose it was.
    firsts = JournalEntry.objects.filter(deleted_tournament__isnull=False, number=1)
    deleted = [
        key or 0
        for key, rows in firsts.values_list("deleted_tournament", "rows")
        if any(table == "tournament" and after["organiser_id"] == organiser.pk for table, _pk, _before, after in rows)
    ]
    own = models.Q(tournament__organiser=organiser) | models.Q(organiser=organiser)
    return JournalEntry.objects.filter(own | models.Q(deleted_tournament__in=deleted)).order_by("pk")


def _rewrite_records(
    forgotten: ForgottenPerson, organiser: Organiser, tournaments: Sequence[Tournament], *, register: bool = True
) -> None:
    """Put the pseudonym into the rows and journals of these tournaments and, with `register`, of the organiser."""
    journals = _select_journals(organiser) if register else JournalEntry.objects.filter(tournament__in=tournaments)
    for entry in journals.iterator():
        rows, details = forgotten.rows(entry.rows), forgotten.value(entry.details)
        is_accounts = forgotten.is_own_wish and entry.by_id is not None
        by_name = entry.by_name if is_accounts else forgotten.text(entry.by_name)
        columns = {"by_name": by_name, "details": details, "rows": rows}
        if columns != {name: getattr(entry, name) for name in columns}:
            # Past the model, which refuses to write an entry a second time.
            JournalEntry.objects.filter(pk=entry.pk).update(**columns)
    # Nothing beside the database keeps what stood in the journal.
    leave_errand(REMOVE_TRACES)
    if not is_postgresql_used():
        # Lost in a crash: the names stand in this process's memory alone, and a command can still be asked.
        transaction.on_commit(partial(get_name_search().add, {*forgotten.names, *forgotten.addresses}))
    for model, way in OWNED_TABLES.items():
        _rewrite_rows(forgotten, model._default_manager.filter(**{f"{way}__in": [t.pk for t in tournaments]}))
    _rewrite_letters(forgotten, Letter.objects.filter(tournament__in=tournaments))
    for link in MirrorLink.objects.filter(tournament__in=tournaments).exclude(state=b""):
        link.rewrite_state(forgotten.mirrored_state)
    for handed_in in HandedInEvent.objects.filter(link__organiser=organiser) if register else ():
        handed_in.rewrite_content(forgotten.mirrored_state)
    if register:
        _rewrite_rows(forgotten, PublishedRatingList.objects.filter(organiser=organiser))
        _rewrite_rows(forgotten, Player.objects.filter(pk__in=forgotten.players))
        # After the letters: what hangs on the contact goes along, also what a letter to a family says of the others.
        Contact.objects.filter(registration__in=forgotten.registrations).delete()
        Club.objects.filter(pk__in=forgotten.clubs).delete()
        PlayerNumber.objects.filter(pk__in=forgotten.numbers).delete()
    # At the end: they are drawn from the rows, in which the pseudonym stands by now.
    renew_waiting_certificates(tournaments)


def _rewrite_letters(forgotten: ForgottenPerson, letters: models.QuerySet[Letter]) -> None:
    """Throw away what waits to be sent to the person. A letter to the same address about somebody else, of the family
    or the club, still goes there."""
    letters.filter(entry__in=forgotten.entries).delete()
    for letter in letters.iterator():
        parts = letter.text.split(GATHERED_RULE)
        if letter.to in forgotten.addresses and (letter.contact_id is None or len(parts) > 1):
            parts = [part for part in parts if forgotten.text(part) == part]
            # The contact is deleted, and what hangs on it goes along.
            if parts and len(parts) < letter.text.count(GATHERED_RULE) + 1:  # it does not go with the contact then
                letters.filter(pk=letter.pk).update(contact=None)
        text = GATHERED_RULE.join(map(forgotten.text, parts))
        if not parts:
            letter.delete()
        elif (text, subject := forgotten.text(letter.subject)) != (letter.text, letter.subject):
            letters.filter(pk=letter.pk).update(text=text, subject=subject)


def _rewrite_rows(forgotten: ForgottenPerson, rows: models.QuerySet[Any]) -> None:
    """Write what differs of a table's rows. Tables without texts hold nothing of anybody and are skipped."""
    meta, texts = rows.model._meta, (models.CharField, models.TextField, models.JSONField)
    if not any(isinstance(field, texts) and not field.choices for field in meta.concrete_fields):
        return
    for row in rows.iterator():
        before = take_snapshot(row)
        after = forgotten.state(meta.model_name or "", row.pk, before) or {}
        if changed := {name: value for name, value in after.items() if value != before[name]}:
            # Past the journal, which would note the name as what was there before.
            rows.model._default_manager.filter(pk=row.pk).update(**changed)


def _leave_tournaments(player: Player, pseudonym: str, *, played: bool, actor: Actor) -> None:
    """In each tournament: photos go, the personal link ends, and the entry of a player who never played goes. One that
    something was paid for stays for the treasurer, withdrawn."""
    entries = Entry.objects.filter(player=player).select_related("tournament", "division")
    for entry in entries.order_by("tournament", "pk"):
        with change(entry.tournament, actor=actor, verb="forget_player", name=pseudonym) as log:
            stored = load_stored_entry(entry)
            # The card that is printed leads nowhere any more: on the page behind it the results would still be theirs.
            log.save(stored, link=stored.link + 1)
            log.rewritten(stored.player)
            for model, players in PICTURE_TABLES.items():
                rows: list[Any] = list(model._default_manager.filter(**{players: entry}))
                log.delete_all(rows)
                for row in rows:
                    leave_errand(REMOVE_UPLOAD, name=row.name)
        if not played:
            stored, leave = load_stored_entry(entry), remove_entry
            if stored.fee_paid or stored.paid_cents:
                leave = partial(withdraw_entry, after=0)
            with suppress(Refusal):  # a seed, a prize: the entry stays under the pseudonym
                leave(stored, actor=actor)
