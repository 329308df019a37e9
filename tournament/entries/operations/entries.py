"""Entries: who plays in a tournament, and their photos for the ceremony. `attendance`: who is there on the day."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from django.db import models, transaction
from django.db.models import Max, Q
from django.utils.timezone import localdate
from django.utils.translation import gettext_lazy as _

from games.models import DuplicateSeat
from scoring.awards import Outcome
from tournament.basics import limits
from tournament.basics.names import fold_text, make_identity_key, normalise_text
from tournament.basics.pictures import SentFile, clean_photos, get_upload_path, remove_upload, store_file, store_picture
from tournament.basics.pixels import Jpeg
from tournament.basics.refusals import NumberOutOfRange, Refusal, Refusals, find_range_refusals, find_text_refusals
from tournament.core.change import Actor, Change, change, lock_tournaments, open_register_change
from tournament.core.errands import REMOVE_UPLOAD, leave_errand
from tournament.core.fees import FeeTerms
from tournament.core.records import find_referring_row
from tournament.core.reports import Report
from tournament.core.seen import ENTRIES_THING
from tournament.core.words.figures import format_clause
from tournament.entries.operations.register import (
    Decision,
    MayBeKnown,
    Person,
    Register,
    are_in_several_clubs,
    complete_player,
    create_player,
    find_decided,
    find_person_problems,
    get_or_create_club,
    note_other_people,
    note_spelling,
    rename_by_number,
    rename_player,
)
from tournament.entries.operations.team_places import choose_stored_team, refuse_wrong_boards, spell_teams
from tournament.entries.operations.waiting_list import move_up_waiting_list, withdraw_registration_with_entry
from tournament.models import (
    Absence,
    Division,
    Entry,
    JournalEntry,
    KeptApart,
    Pairing,
    Player,
    Portrait,
    Prize,
    Result,
    Round,
    Seat,
    Seed,
    Tournament,
)
from tournament.models.event import NO_TEAM
from tournament.pairing.values import Method
from tournament.results.knockout_games import update_knockout_of_round
from tournament.results.operations import store_result_version
from tournament.rounds.drafts import update_draft_reasons
from tournament.table.league import get_last_round_number

LONGEST_PORTRAIT_EDGE = 1200  # pixels of the longer edge: a screen's whole height, or half of a very fine one's

ENTRY_KEY_PATTERN = re.compile(r"P(\d+)")


def give_portrait(entry: Entry, *, sent: SentFile | None, actor: Actor) -> Portrait:
    """Keep a photo of a player, without hidden data, instead of an earlier one. Raises `no_portrait`, `PhotoNotStored`,
    `ReadingBusy`, or `Refusals` for a file that is no such picture."""
    if sent is None:
        raise Refusal(
            "no_portrait",
            _("No photo was chosen for %(name)s. Take one or choose a file."),
            field="photos",
            name=entry.name,
        )
    (picture,) = clean_photos([sent], LONGEST_PORTRAIT_EDGE)
    return keep_portrait(entry, picture, actor=actor)


def keep_portrait(entry: Entry, picture: Jpeg, *, actor: Actor) -> Portrait:
    """Keep a picture that was rewritten as a player's photo, instead of an earlier one. Raises `PhotoNotStored`."""
    columns = store_picture(picture)
    try:
        with change(entry.tournament, actor=actor, verb="give_portrait", name=entry.name) as log:
            _delete_portrait(log, entry)
            return log.create(Portrait(entry=Entry.objects.get(pk=entry.pk), **columns))
    except BaseException:
        # The file is there before its row. Without the row nobody would ever name it, nor remove it.
        remove_upload(columns["name"])
        raise


def remove_portrait(entry: Entry, *, actor: Actor) -> None:
    """Remove a player's photo, if there is one, for good: whoever asks not to be shown does not wait for an undo."""
    with change(entry.tournament, actor=actor, verb="remove_portrait", name=entry.name) as log:
        _delete_portrait(log, entry)


def _delete_portrait(log: Change, entry: Entry) -> None:
    for portrait in Portrait.objects.filter(entry=entry):
        log.delete(portrait)
        leave_errand(REMOVE_UPLOAD, name=portrait.name)


def remove_file_with_tournament(sender: type[models.Model], instance: models.Model, **_kwargs: Any) -> None:
    """Remove a deleted photo's file once its whole tournament goes (which has handed its journal over): undo may bring
    the row of a single entry back, and then the file has to be there."""
    assert isinstance(instance, Portrait)
    if not JournalEntry.objects.filter(tournament=instance.entry.tournament_id).exists():
        leave_errand(REMOVE_UPLOAD, name=instance.name)


@dataclass(frozen=True, slots=True)
class EntryDetails:
    """What belongs to the entry, not to the person. `exception` is one that the director approved, `fee_kind` the key
    of a kind or, for the usual one, empty."""

    guest: bool = False
    fee_paid: bool = False
    fee_kind: str = ""
    fixed_table: int | None = None
    exception: str = ""

    @property
    def columns(self) -> dict[str, Any]:
        """The entry's columns, except for those that say what was paid."""
        return {name: getattr(self, name) for name in ("guest", "fee_kind", "fixed_table", "exception")}


@dataclass(frozen=True, slots=True)
class LateEntry:
    """From which round a late entry plays (None: the next one), whether the rounds before are losses by absence, and
    whether they are there by now; whoever plays from a later round only is checked in when it comes."""

    first_round: int | None = None
    missed_are_losses: bool = False
    is_here: bool = False


@dataclass(frozen=True, slots=True)
class NewEntry:
    """A person, and the division to enter them in; in an event with teams the team (empty: that of the club; a hyphen:
    none) and the place in its order."""

    person: Person
    division: Division
    details: EntryDetails = EntryDetails()
    team: str = ""
    board: int | None = None


class AlreadyEntered(Refusal, code="already_entered", field="name"):
    """A question: somebody with the same name and club may still be another person."""

    message = _("%(who)s is already entered (%(key)s). If this is somebody else, enter the player anyway.")


class EntryAlreadyPaired(Refusal, code="already_paired", field="division"):
    message = _("%(name)s is paired in round %(number)s and cannot move to another division any more.")


class EntryNotRemovable(Refusal, code="not_removable"):
    message = _("%(name)s is paired in round %(number)s. Withdraw the player instead; the results stay.")


class MoveOutsideTournament(Refusal, code="division_of_another", field="division"):
    message = _("This tournament has no division “%(division)s”.")


def find_detail_problems(details: EntryDetails) -> list[Refusal]:
    """Everything that is wrong with an entry's details."""
    refusals = find_range_refusals("fixed_table", details.fixed_table, limits.TABLE)
    return refusals + find_text_refusals("exception", details.exception, limits.EXCEPTION)


def _check_newcomer(person: Person, details: EntryDetails) -> Person:
    """The person without stray blanks. Raises `Refusals` with all faults."""
    person = person.tidied()
    if faults := find_person_problems(person) + find_detail_problems(details):
        raise Refusals(faults)
    return person


class EntryList:
    """Enters people within a change that is open; knows who is in already, and the next free number."""

    def __init__(self, log: Change, people: Sequence[Person], actor: Actor) -> None:
        self.log, self.actor = log, actor
        self.register = Register(log.organiser_id, people)
        entered = Entry.objects.filter(tournament=log.tournament).select_related("player", "club").order_by("pk")
        self.taken: dict[tuple[str, str], Entry] = {}
        self.playing: dict[int, Entry] = {}
        self.number = self.position = 0
        for entry in entered:
            self._note(entry)

    def already(self, person: Person) -> Entry | None:
        """The entry of the same person: with exactly the same name and club, or the same player of the register. Raises
        what `Register.find` raises."""
        namesake = self.taken.get((make_identity_key(person.name), fold_text(person.club)))
        try:
            player = self.register.find(person)
        # Whoever is in under exactly this name and club is that person: nobody is asked whether they are somebody else
        # of the register whose name is merely alike.
        except MayBeKnown:
            if namesake is None:
                raise
            return namesake
        return self.playing.get(player.pk, namesake) if player is not None else namesake

    def admit(
        self,
        newcomer: NewEntry,
        *,
        first_round: int = 1,
        player: Player | None = None,
        is_other: bool = False,
        present: bool = False,
    ) -> Entry:
        """Enter a person as this `player` of the register, or one of exactly their name and club who is not in yet, or
        a new one. `is_other`: somebody said that it is none of those that are alike."""
        person = newcomer.person
        if player is None:
            candidates = [row for row in self.register.candidates(person) if self.register.is_called(row, person.name)]
            # A namesake who plays already is another person, and of namesakes in several clubs nobody can say which one
            # is meant: then it is a new player.
            free = [row for row in candidates if row.pk not in self.playing]
            player = free[0] if free and not are_in_several_clubs(candidates) else None
        if player is None:
            # Before the new player is in the register, who would be among those that are alike.
            others = self.register.list_possible(person) if is_other else []
            player = create_player(person, log=self.log)
            self.remember(player, person, others)
            self.register.add(player, person)
            club = player.club
        else:
            self.remember(player, person)
            complete_player(player, person, log=self.log)
            club = get_or_create_club(person.club, log=self.log) or player.club
        return self.write(
            Entry(
                tournament=self.log.tournament,
                division=newcomer.division,
                player=player,
                club=club,
                # What is stated counts for this event, even where the register knows another figure, which stays there.
                rating=player.rating if person.rating is None else person.rating,
                games=player.games if person.games is None else person.games,
                team=choose_stored_team(newcomer.team, club),
                board=newcomer.board,
                first_round=first_round,
                present=present,
                **newcomer.details.columns,
            ),
            is_paid=newcomer.details.fee_paid,
        )

    def remember(self, player: Player, person: Person, others: Sequence[Player] = ()) -> None:
        """Note in the register another spelling of a player's name, and which players they are not. An undo of the
        entry leaves both there, as it leaves the player."""
        if others or make_identity_key(player.name) != make_identity_key(person.name):
            organiser = self.log.tournament.organiser
            about = {"names": [player.name, person.name], "is_same": not others}
            with open_register_change(organiser, actor=self.actor, verb="decide_same_person", **about) as register_log:
                note_spelling(player, person.name, log=register_log)
                note_other_people(player, others, log=register_log)

    def write(self, entry: Entry, *, is_paid: bool = False) -> Entry:
        """Store an entry under the next free number, ticked as paid today if the fee is."""
        if is_paid:
            ticked = FeeTerms.of(self.log.tournament).tick(entry, paid=True, on=localdate(self.log.now))
            for name, value in ticked.items():
                setattr(entry, name, value)
        self.number += 1
        self.position += 1
        entry.key, entry.position = f"P{self.number:02d}", self.position
        self.log.create(entry)
        self._note(entry)
        return entry

    def _note(self, entry: Entry) -> None:
        club = entry.club.name if entry.club else ""
        # The first of two namesakes stays the one who is found: the second was entered as somebody else.
        self.taken.setdefault((make_identity_key(entry.player.name), fold_text(club)), entry)
        self.playing[entry.player_id] = entry
        self.position = max(self.position, entry.position)
        # On from the highest number and not from how many there are: with one entry taken back, the next would meet a
        # number that is given.
        if numbered := ENTRY_KEY_PATTERN.fullmatch(entry.key):
            self.number = max(self.number, int(numbered[1]))


def enter_player(
    division: Division,
    *,
    person: Person,
    actor: Actor,
    details: EntryDetails = EntryDetails(),
    late: LateEntry = LateEntry(),
    anyway: bool = False,
    meant: Player | None = None,
) -> Entry:
    """Enter one person, filling in what the register did not know. Raises `Refusals`, `round_already_published`,
    `AlreadyEntered`, `SeveralPlayersKnown`, or `MayBeKnown` unless this is a player of the register who is `meant`, or
    somebody else (`anyway`); that is remembered."""
    person = _check_newcomer(person, details)
    about = {"division": division.name, "name": person.name, "club": person.club}
    with change(division.tournament, actor=actor, verb="enter", **about) as log:
        entry_list = EntryList(log, [person], actor)
        # By `current`: the player may have been merged into another since the page asked.
        player = meant and Player.objects.select_related("club").get(pk=meant.current.pk, organiser=log.organiser_id)
        if player is not None:
            twin = entry_list.playing.get(player.pk)
        else:
            twin = None if anyway else entry_list.already(person)
        if twin is not None:
            raise AlreadyEntered(who=person.shown, key=twin.key)
        first_round, missed = _get_late_rounds(division, late)
        # The form proposes that everybody is here once there is a check-in; whoever plays from a later round on is
        # checked in when it comes.
        is_here = late.is_here and late.first_round in (None, get_last_round_number(division) + 1)
        newcomer = NewEntry(person, division, details)
        entry = entry_list.admit(newcomer, first_round=first_round, player=player, is_other=anyway, present=is_here)
        log.tell(key=entry.key)
        charge_missed_rounds(log, entry, missed, actor=actor)
        update_draft_reasons(log, division)
        return entry


def enter_players(
    tournament: Tournament,
    *,
    newcomers: Sequence[NewEntry],
    actor: Actor,
    decided: Mapping[int, Decision] = MappingProxyType({}),
) -> tuple[list[Entry], list[Person]]:
    """Enter a list in one change, from the next round on: the new entries, and who was entered already and stays as
    they are. `decided` says who is meant by some of the people, by their places in the list; that is noted in the
    register. Raises `Refusals`, or what `Register.find` raises; then nobody is entered."""
    newcomers = _tidy_newcomers(tournament, newcomers)
    people = [one.person for one in newcomers]
    entered: list[Entry] = []
    entered_before: list[Person] = []
    players: list[Player] = []
    with _open_list_change(tournament, people, decided, actor=actor) as log:
        entry_list, teams = EntryList(log, people, actor), spell_teams([(one.division, one.team) for one in newcomers])
        next_round = {division: get_last_round_number(division) + 1 for division in {one.division for one in newcomers}}
        for place, one in enumerate(newcomers):
            is_decided, player = place in decided, None
            if is_decided:
                player = find_decided(entry_list.register, one.person, decided, place, players)
                entry = entry_list.playing.get(player.pk) if player else None
            else:
                entry = entry_list.already(one.person)
            if entry is None:
                first_round = next_round[one.division]
                newcomer = replace(one, team=teams[place])
                entry = entry_list.admit(newcomer, first_round=first_round, player=player, is_other=is_decided)
                entered.append(entry)
            else:
                entered_before.append(one.person)
                if is_decided:
                    entry_list.remember(entry.player, one.person)
            # Of those who were in before as well: a later line may be decided to be the person of this one.
            players.append(entry.player)
        # Once everybody is in: how many boards a team has depends on how many players the whole list brings.
        refuse_wrong_boards(entered)
        log.tell(count=len(entered))
        update_draft_reasons(log, *next_round)
    return entered, entered_before


@contextmanager
def _open_list_change(
    tournament: Tournament, people: Sequence[Person], decided: Mapping[int, Decision], *, actor: Actor
) -> Iterator[Change]:
    """The change in which a list is entered, with names of the register corrected by their numbers."""
    # These names are written through every event that shows them: in one transaction with the list, before its own
    # event is locked.
    with transaction.atomic() if decided else nullcontext():
        if decided:
            rename_by_number(Register(tournament.organiser_id, people), people, decided, actor=actor, event=tournament)
        with change(tournament, actor=actor, verb="enter_all") as log:
            # The preview compared the list with those who were entered then: whoever came since would be entered twice.
            log.rely_on(ENTRIES_THING)
            yield log


def _tidy_newcomers(tournament: Tournament, newcomers: Iterable[NewEntry]) -> list[NewEntry]:
    """The newcomers without stray blanks. Raises `Refusals` with all faults, or `MoveOutsideTournament`."""
    tidied = [replace(one, person=one.person.tidied(), team=normalise_text(one.team)) for one in newcomers]
    problem_lists = [
        *(find_person_problems(one.person) + find_detail_problems(one.details) for one in tidied),
        *(find_text_refusals("team", one.team, limits.CLUB) for one in tidied),
    ]
    if faults := [fault for problems in problem_lists for fault in problems]:
        raise Refusals(faults)
    for one in tidied:
        # The journal and the lock are this event's: a division of another one would be changed beside both.
        if one.division.tournament_id != tournament.pk:
            raise MoveOutsideTournament(division=one.division.name)
    return tidied


def enter_known_players(
    division: Division, *, players: Iterable[int], actor: Actor
) -> tuple[list[Entry], list[Person]]:
    """Enter players of the register by their keys in one change, by name, from the next round on: the new entries, and
    who was entered already and stays as they are. Keys of others are passed over."""
    entered: list[Entry] = []
    entered_before: list[Person] = []
    with change(division.tournament, actor=actor, verb="enter_all") as log:
        log.rely_on(ENTRIES_THING)
        entry_list, next_round = EntryList(log, [], actor), get_last_round_number(division) + 1
        chosen = Player.objects.current().filter(organiser=log.organiser_id, pk__in=list(players))
        for player in chosen.select_related("club").by_name():
            if player.pk in entry_list.playing:
                entered_before.append(Person(player.name))
                continue
            figures = {"club": player.club, "rating": player.rating, "games": player.games}
            entry = Entry(
                tournament=log.tournament, division=division, player=player, first_round=next_round, **figures
            )
            entered.append(entry_list.write(entry))
        log.tell(count=len(entered))
        update_draft_reasons(log, division)
    return entered, entered_before


def _get_late_rounds(division: Division, late: LateEntry) -> tuple[int, range]:
    """From which round on the entry plays, and the rounds to charge as losses by absence."""
    first_unpublished = get_last_round_number(division) + 1
    first_round = late.first_round or first_unpublished
    # Of the next round as well, which nobody has typed: after the last possible round there is none to enter anybody
    # for.
    if not limits.ROUND.holds(first_round):
        raise NumberOutOfRange(field="first_round", value=first_round, **limits.ROUND.ends)
    if first_round < first_unpublished:
        raise Refusal(
            "round_already_published",
            _("Round %(number)s is already published. A late entry can play from round %(next)s."),
            field="first_round",
            number=first_round,
            next=first_unpublished,
        )
    if not late.missed_are_losses:
        return first_round, range(0)
    # Future rounds are charged when they are paired, and for that the entry has to take part in them.
    return first_unpublished, range(1, first_round)


def charge_missed_rounds(log: Change, entry: Entry, numbers: Sequence[int], *, actor: Actor) -> None:
    """Charge rounds without a place as losses by absence: published ones at once, later ones by an announced
    absence."""
    last = get_last_round_number(entry.division)
    # A round in which they have a seat counts already, be it as a bye, and the database takes no second seat in it.
    seated = set(Seat.objects.filter(entry=entry).values_list("round__number", flat=True))
    rounds = Round.objects.league().filter(division=entry.division, number__in=numbers).public()
    for round in rounds.exclude(number__in=seated).in_order():
        pairing = log.create(Pairing(round=round, kind=Pairing.Kind.ABSENT))
        log.create(Seat(pairing=pairing, round=round, entry=entry, side=Seat.FIRST))
        store_result_version(log, pairing, Report(Outcome.ABSENT), [], actor=actor, how=Result.How.PAIRING)
        update_knockout_of_round(log, round)
    absent_rounds = set(Absence.objects.filter(entry=entry).values_list("number", flat=True))
    log.create_all(
        Absence(entry=entry, number=number, counts_as_loss=True)
        for number in numbers
        if number > last and number not in absent_rounds
    )


def edit_entry(entry: Entry, *, person: Person, details: EntryDetails, actor: Actor, anyway: bool = False) -> Entry:
    """Write what is stated about an entry, clearing what is left empty; club, rating and games are this tournament's
    alone, name, e-mail and phone change in the register as well. Raises `Refusals` with all faults, or what
    `rename_player` raises unless this is somebody else (`anyway`)."""
    person = _check_newcomer(person, details)
    with transaction.atomic():
        played_in = Entry.objects.filter(player=entry.player_id).values("tournament")
        # All events that show the name, in one order, before any is changed: two at once would wait for each other.
        lock_tournaments(Tournament.objects.filter(pk__in=played_in))
        player = load_stored_entry(entry).player
        if (player.name, player.email, player.phone) != (person.name, person.email, person.phone):
            rename_player(player, person=person, actor=actor, anyway=anyway)
        with change(entry.tournament, actor=actor, verb="edit_entry", key=entry.key, name=person.name) as log:
            stored, club = load_stored_entry(entry), get_or_create_club(person.club, log=log)
            terms, columns = FeeTerms.of(log.tournament), details.columns
            # The form has one tick for what may be an amount: only where it was changed is one written, else each
            # correction of a name would turn 15.50 paid into the whole fee. Asked before the kind changes.
            is_ticked_otherwise = details.fee_paid != terms.weigh(stored).is_settled
            # Read before the club changes, which is the team of whoever has no other.
            team = stored.team_name
            log.save(stored, club=club, rating=person.rating, games=person.games or 0, **columns)
            if stored.team_name != team and _has_played_for_team(stored):
                log.save(stored, team=team or NO_TEAM)
            if is_ticked_otherwise:
                log.save(stored, **terms.tick(stored, paid=details.fee_paid, on=localdate(log.now)))
            update_draft_reasons(log, stored.division)
        return stored


def _has_played_for_team(entry: Entry) -> bool:
    """Whether a published match has the player: their team stays what it was then, whatever club they join."""
    seats = Seat.objects.filter(entry=entry, round__method=Method.TEAMS)
    return seats.exclude(round__state=Round.State.DRAFT).exists()


def move_entry(entry: Entry, *, division: Division, actor: Actor) -> None:
    """Move an entry to another division. Raises `EntryAlreadyPaired`, `written_down`, `seeded`,
    `MoveOutsideTournament`."""
    if division.tournament_id != entry.tournament_id:
        raise MoveOutsideTournament(division=division.name)
    about = {"key": entry.key, "name": entry.name, "division": division.name}
    with change(entry.tournament, actor=actor, verb="move_entry", **about) as log:
        _refuse_paired(entry, EntryAlreadyPaired)
        stored = load_stored_entry(entry)
        if stored.division_id != division.pk:
            _leave_division(log, stored)
            former_division = stored.division
            log.save(stored, division=division)
            update_draft_reasons(log, former_division, division)


def remove_entry(entry: Entry, *, actor: Actor) -> None:
    """Take back an entry that was never paired, with its registration; the waiting list moves up, the player stays
    registered. Raises `EntryNotRemovable`, `written_down` or `seeded`."""
    with change(entry.tournament, actor=actor, verb="remove_entry", key=entry.key, name=entry.name) as log:
        _refuse_paired(entry, EntryNotRemovable)
        # Row by row and before the entry: what the database deletes along with it stands in no journal, so that undo
        # would bring the entry back without its absences.
        log.delete_all(list(Absence.objects.filter(entry=entry).order_by("pk")))
        log.delete_all(list(Portrait.objects.filter(entry=entry)))  # the file stays: undo may bring the row back
        _leave_division(log, entry)
        withdraw_registration_with_entry(log, entry)
        log.delete_all(list(Entry.objects.filter(pk=entry.pk)))
        update_draft_reasons(log, entry.division)
    move_up_waiting_list(entry.tournament, actor=actor)


def keep_apart(one: Entry, *, other: Entry, actor: Actor) -> None:
    """Say that two entries should not meet if it can be avoided. Raises `against_oneself`."""
    if one.pk == other.pk or one.division_id != other.division_id:
        raise Refusal(
            "against_oneself", _("Choose two different players of one division to keep apart."), field="other"
        )
    # In one order, as the database demands: the same pair, asked for from the other player's page, is the same row.
    first, second = sorted((one, other), key=lambda entry: entry.pk)
    with change(one.tournament, actor=actor, verb="keep_apart", name=one.name, other=other.name) as log:
        if not KeptApart.objects.filter(one=first, other=second).exists():
            log.create(KeptApart(one=first, other=second))
        update_draft_reasons(log, one.division)


def allow_to_meet(pair: KeptApart, *, actor: Actor) -> None:
    """Take back `keep_apart`."""
    about = {"name": pair.one.name, "other": pair.other.name}
    with change(pair.one.tournament, actor=actor, verb="allow_to_meet", **about) as log:
        log.delete_all(list(KeptApart.objects.filter(pk=pair.pk)))
        update_draft_reasons(log, pair.one.division)


def copy_entries(log: Change, source: Tournament, places: Mapping[int, Division], *, actor: Actor) -> None:
    """Enter players of `source`, with their photos, the register's figures and the pairs kept apart; `places`: the new
    division of each, by the id of the old entry."""
    entry_list, entries_by_old = EntryList(log, [], actor), dict[int, Entry]()
    # In the order of the source, so that whoever came before somebody there has the lower number here, too.
    source_entries: Any = Entry.objects.filter(tournament=source, pk__in=places).select_related("player__club")
    for old in source_entries.in_order():
        entries_by_old[old.pk] = entry_list.write(
            Entry(
                tournament=log.tournament,
                division=places[old.pk],
                player=old.player,
                club=old.player.club or old.club,
                rating=old.rating if old.player.rating is None else old.player.rating,
                games=old.player.games or old.games,
                **{
                    name: getattr(old, name)
                    for name in ("guest", "fee_kind", "fixed_table", "exception", "team", "board")
                },
            )
        )
    for pair in KeptApart.objects.filter(one__in=entries_by_old, other__in=entries_by_old).order_by("pk"):
        log.create(KeptApart(one=entries_by_old[pair.one_id], other=entries_by_old[pair.other_id]))
    for portrait in Portrait.objects.filter(entry__in=entries_by_old).order_by("pk"):
        try:
            name = store_file(get_upload_path(portrait.name).read_bytes())
        except OSError:  # a photo whose file is lost or cannot be written is left out
            continue
        same = {field: getattr(portrait, field) for field in ("content_type", "size", "width", "height", "sha256")}
        log.create(Portrait(entry=entries_by_old[portrait.entry_id], name=name, **same))


def load_stored_entry(entry: Entry) -> Entry:
    """The entry as it is in the database now."""
    return Entry.objects.select_related("player", "division", "tournament").get(pk=entry.pk)


def _leave_division(log: Change, entry: Entry) -> None:
    """Take an entry off the pairs kept apart, its seat of a session, and the prizes given by hand."""
    log.delete_all(list(DuplicateSeat.objects.filter(entry=entry)))
    log.delete_all(list(KeptApart.objects.filter(Q(one=entry) | Q(other=entry)).order_by("pk")))
    for prize in Prize.objects.filter(winner=entry).order_by("pk"):
        log.save(prize, winner=None)


def _refuse_paired(entry: Entry, refusal: type[Refusal]) -> None:
    # In drafts as well: a draft holds the player, and would be left with a seat of nobody.
    number = Seat.objects.filter(entry=entry, round__stage=None).aggregate(last=Max("round__number"))["last"]
    if number is not None:
        raise refusal(name=entry.name, number=number)
    if find_referring_row(entry) is not None:
        raise Refusal(
            "written_down",
            _("The slips of %(name)s are recorded, so the entry stays. Withdraw the player instead."),
            field="division",
            name=entry.name,
        )
    if seed := Seed.objects.filter(entry=entry).first():
        clause = entry.tournament.rules.clauses.knockout.forfeit
        raise Refusal(
            "seeded",
            _(
                "%(name)s is number %(number)s of the knock-out's seeding. Take the seeding back first, or "
                "withdraw them: their games are then entered as forfeits%(clause)s."
            ),
            field="division",
            name=entry.name,
            number=seed.number,
            clause=format_clause(clause),
        )
