"""Entries: who plays in a tournament. See `attendance` for who is there on the day."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Max, Q
from django.utils.translation import gettext_lazy as _

from scoring.awards import Outcome
from tournament import limits, names, records, reports
from tournament.models import Absence, Division, Entry, KeptApart, Pairing, Result, Round, Seat, Seed, Tournament
from tournament.operations import draft_reasons, players, portraits, prizes, results, waiting_list
from tournament.operations.change import Actor, Change, change, lock
from tournament.operations.players import Person
from tournament.operations.seen import ENTERED
from tournament.queries import league
from tournament.refusals import NotPrintable, NumberOutOfRange, Refusal, Refusals, out_of_range, too_long
from tournament.words.clauses import bracketed

KEY = re.compile(r"P(\d+)")


@dataclass(frozen=True, slots=True)
class Details:
    """What belongs to the entry and not to the person. `exception` is one that the director approved."""

    guest: bool = False
    fee_paid: bool = False
    fixed_table: int | None = None
    exception: str = ""


@dataclass(frozen=True, slots=True)
class Late:
    """From which round a late entry plays (None: the next one), and whether the rounds before are losses by absence."""

    first_round: int | None = None
    missed_are_losses: bool = False


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A person, and the division that they are to be entered in."""

    person: Person
    division: Division
    details: Details = Details()


@dataclass(slots=True)
class EnteredList:
    """What entering a list did: the new entries, and the existing ones, which stay as they are."""

    new: list[Entry] = field(default_factory=list)
    already: list[Person] = field(default_factory=list)


class AlreadyEntered(Refusal):
    """A question: somebody with the same name and club may still be another person."""

    code = "already_entered"
    message = _("%(who)s is already entered (%(key)s). If this is somebody else, enter them all the same.")
    field = "name"


class RoundAlreadyPublished(Refusal):
    code = "round_already_published"
    message = _("Round %(number)s is already published. A late entry can play from round %(next)s.")
    field = "first_round"


class AlreadyPaired(Refusal):
    code = "already_paired"
    message = _("%(name)s is paired in round %(number)s and cannot move to another division any more.")
    field = "division"


class NotRemovable(Refusal):
    code = "not_removable"
    message = _("%(name)s is paired in round %(number)s. Withdraw them instead; what they played stays.")


class WrittenDown(Refusal):
    code = "written_down"
    message = _("What %(name)s has handed in is written down, so the entry stays. Withdraw them instead.")
    field = "division"


class Seeded(Refusal):
    code = "seeded"
    message = _(
        "%(name)s is number %(number)s of the knock-out's seeding. Take the seeding back first, or withdraw them: "
        "their games are then entered as forfeits%(clause)s."
    )
    field = "division"


class DivisionOfAnother(Refusal):
    code = "division_of_another"
    message = _("“%(division)s” is no division of this tournament.")
    field = "division"


class AgainstOneself(Refusal):
    code = "against_oneself"
    message = _("Choose two different players of one division to keep apart.")
    field = "other"


def detail_problems(details: Details) -> list[Refusal]:
    """Everything that is wrong with an entry's details."""
    found = out_of_range("fixed_table", details.fixed_table, limits.TABLE)
    if not details.exception.isprintable():
        return [*found, NotPrintable(field="exception", value=details.exception)]
    return found + too_long("exception", details.exception, limits.EXCEPTION)


class EntryList:
    """Enters people within a change that is open; knows who is in already, and the next free number."""

    def __init__(self, log: Change, people: Sequence[Person]) -> None:
        self.log = log
        self.register = players.Register(log.organiser_id, people)
        entered = Entry.objects.filter(tournament=log.tournament).select_related("player", "club").order_by("pk")
        self.taken: dict[tuple[str, str], Entry] = {}
        self.playing: dict[int, Entry] = {}
        self.number = self.position = 0
        for entry in entered:
            self._note(entry)

    def already(self, person: Person) -> Entry | None:
        """The entry of the same person: with the same name and club, or the same player of the register."""
        known = self.register.find(person)
        if known is not None and known.pk in self.playing:
            return self.playing[known.pk]
        return self.taken.get((names.fold(person.name), names.fold(person.club)))

    def admit(self, newcomer: Newcomer, *, first_round: int = 1) -> Entry:
        """Enter a person as a player of the register who is not in yet, or as a new one."""
        person = newcomer.person
        known = self.register.candidates(person)
        free = [player for player in known if player.pk not in self.playing]
        player = free[0] if free and not players.in_several_clubs(known) else None
        if player is None:
            player = players.new_player(person, log=self.log)
            self.register.add(player)
        else:
            players.complete(player, person, log=self.log)
        club = players.club_named(person.club, log=self.log) or player.club
        return self.write(
            Entry(
                tournament=self.log.tournament,
                division=newcomer.division,
                player=player,
                club=club,
                rating=player.rating if person.rating is None else person.rating,
                games=player.games if person.games is None else person.games,
                first_round=first_round,
                guest=newcomer.details.guest,
                fee_paid=newcomer.details.fee_paid,
                fixed_table=newcomer.details.fixed_table,
                exception=newcomer.details.exception,
            )
        )

    def write(self, entry: Entry) -> Entry:
        """Store an entry under the next free number."""
        self.number += 1
        self.position += 1
        entry.key, entry.position = f"P{self.number:02d}", self.position
        self.log.create(entry)
        self._note(entry)
        return entry

    def _note(self, entry: Entry) -> None:
        club = entry.club.name if entry.club else ""
        self.taken.setdefault((names.fold(entry.player.name), names.fold(club)), entry)
        self.playing[entry.player_id] = entry
        self.position = max(self.position, entry.position)
        if numbered := KEY.fullmatch(entry.key):
            self.number = max(self.number, int(numbered[1]))


def enter(
    division: Division,
    *,
    person: Person,
    actor: Actor,
    details: Details = Details(),
    late: Late = Late(),
    anyway: bool = False,
) -> Entry:
    """Enter one person. New people are added to the register; what it did not know of others is filled in.

    Raises `Refusals` with all faults, `players.SeveralKnown`, `RoundAlreadyPublished`, or `AlreadyEntered` unless this
    is said to be somebody else of the same name and club (`anyway`).
    """
    person = person.tidied()
    if faults := players.problems(person) + detail_problems(details):
        raise Refusals(faults)
    about = {"division": division.name, "name": person.name, "club": person.club}
    with change(division.tournament, actor=actor, verb="enter", **about) as log:
        entry_list = EntryList(log, [person])
        if not anyway and (twin := entry_list.already(person)):
            raise AlreadyEntered(who=person.shown, key=twin.key)
        first_round, missed = _late_rounds(division, late)
        entry = entry_list.admit(Newcomer(person, division, details), first_round=first_round)
        charge(log, entry, missed, actor=actor)
        draft_reasons.explain_anew(log, division)
        return entry


def enter_all(tournament: Tournament, *, newcomers: Sequence[Newcomer], actor: Actor) -> EnteredList:
    """Enter a whole list in one change; after the first round everybody in it plays from the next one.

    Existing entries stay as they are. Raises `Refusals` with all faults and then enters nobody.
    """
    newcomers = [Newcomer(one.person.tidied(), one.division, one.details) for one in newcomers]
    faults = [fault for one in newcomers for fault in players.problems(one.person) + detail_problems(one.details)]
    if faults:
        raise Refusals(faults)
    done = EnteredList()
    with change(tournament, actor=actor, verb="enter_all") as log:
        log.rely_on(ENTERED)
        entry_list = EntryList(log, [one.person for one in newcomers])
        next_round = {division: league.last_round(division) + 1 for division in {one.division for one in newcomers}}
        for one in newcomers:
            if one.division.tournament_id != tournament.pk:
                raise DivisionOfAnother(division=one.division.name)
            if entry_list.already(one.person):
                done.already.append(one.person)
            else:
                done.new.append(entry_list.admit(one, first_round=next_round[one.division]))
        log.tell(count=len(done.new))
        draft_reasons.explain_anew(log, *next_round)
    return done


def _late_rounds(division: Division, late: Late) -> tuple[int, range]:
    """From which round the entry counts as playing, and the rounds to charge as losses by absence."""
    first_unpublished = league.last_round(division) + 1
    wanted = late.first_round or first_unpublished
    if not limits.ROUND.holds(wanted):
        raise NumberOutOfRange(field="first_round", value=wanted, allowed=limits.ROUND)
    if wanted < first_unpublished:
        raise RoundAlreadyPublished(number=wanted, next=first_unpublished)
    if not late.missed_are_losses:
        return wanted, range(0)
    # Future rounds are charged when they are paired; for that the entry has to take part in them.
    return first_unpublished, range(1, wanted)


def charge(log: Change, entry: Entry, numbers: Sequence[int], *, actor: Actor) -> None:
    """Charge the given rounds to an entry as losses by absence, unless they have a place in them.

    In published rounds that becomes an official result at once, in later ones an absence announced in advance.
    """
    last = league.last_round(entry.division)
    seated = set(Seat.objects.filter(entry=entry).values_list("round__number", flat=True))
    rounds = Round.objects.league().filter(division=entry.division, number__in=numbers).public()
    for round in rounds.exclude(number__in=seated).in_order():
        pairing = log.create(Pairing(round=round, kind=Pairing.Kind.ABSENT))
        log.create(Seat(pairing=pairing, round=round, entry=entry, side=Seat.FIRST))
        report = reports.Report(Outcome.ABSENT)
        results.write_version(log, pairing, report, [], actor=actor, how=Result.How.PAIRING)
    said = set(Absence.objects.filter(entry=entry).values_list("number", flat=True))
    log.create_all(
        Absence(entry=entry, number=number, counts_as_loss=True)
        for number in numbers
        if number > last and number not in said
    )


def edit_entry(entry: Entry, *, person: Person, details: Details, actor: Actor) -> Entry:
    """Write what is stated about an entry; a value left empty is cleared.

    Club, rating and games are those of this tournament alone; name and e-mail belong to the person and change in
    the register as well. Raises `Refusals` with all faults.
    """
    person = person.tidied()
    if faults := players.problems(person) + detail_problems(details):
        raise Refusals(faults)
    with transaction.atomic():
        lock(Tournament.objects.filter(pk__in=Entry.objects.filter(player=entry.player_id).values("tournament")))
        player = stored_entry(entry).player
        if (player.name, player.email) != (person.name, person.email):
            players.rename(player, name=person.name, email=person.email, actor=actor)
        with change(entry.tournament, actor=actor, verb="edit_entry", key=entry.key, name=person.name) as log:
            stored = stored_entry(entry)
            log.save(
                stored,
                club=players.club_named(person.club, log=log),
                rating=person.rating,
                games=person.games or 0,
                guest=details.guest,
                fee_paid=details.fee_paid,
                fixed_table=details.fixed_table,
                exception=details.exception,
            )
            draft_reasons.explain_anew(log, stored.division)
        return stored


def move_entry(entry: Entry, *, division: Division, actor: Actor) -> None:
    """Move an entry to another division of the tournament. Raises `AlreadyPaired`, `Seeded` or `DivisionOfAnother`."""
    if division.tournament_id != entry.tournament_id:
        raise DivisionOfAnother(division=division.name)
    about = {"key": entry.key, "name": entry.name, "division": division.name}
    with change(entry.tournament, actor=actor, verb="move_entry", **about) as log:
        _refuse_paired(entry, AlreadyPaired)
        stored = stored_entry(entry)
        if stored.division_id != division.pk:
            log.delete_all(_kept_apart(stored))
            prizes.without_winner(log, stored)
            left = stored.division
            log.save(stored, division=division)
            draft_reasons.explain_anew(log, left, division)


def remove_entry(entry: Entry, *, actor: Actor) -> None:
    """Take back an entry that was never paired; the player stays in the register, and the waiting list moves up.

    A registration that it came from is withdrawn. Raises `NotRemovable`, or `Seeded` for somebody who is in the seeding
    of a knock-out.
    """
    with change(entry.tournament, actor=actor, verb="remove_entry", key=entry.key, name=entry.name) as log:
        _refuse_paired(entry, NotRemovable)
        log.delete_all(list(Absence.objects.filter(entry=entry).order_by("pk")))
        log.delete_all(_kept_apart(entry))
        portraits.leave_with_entry(log, entry)
        prizes.without_winner(log, entry)
        waiting_list.withdraw_with_entry(log, entry)
        log.delete_all(list(Entry.objects.filter(pk=entry.pk)))
        draft_reasons.explain_anew(log, entry.division)
    waiting_list.move_up(entry.tournament, actor=actor)


def keep_apart(one: Entry, *, other: Entry, actor: Actor) -> None:
    """Say that two entries should not meet if it can be avoided. Raises `AgainstOneself`."""
    if one.pk == other.pk or one.division_id != other.division_id:
        raise AgainstOneself
    first, second = sorted((one, other), key=lambda entry: entry.pk)
    with change(one.tournament, actor=actor, verb="keep_apart", name=one.name, other=other.name) as log:
        if not KeptApart.objects.filter(one=first, other=second).exists():
            log.create(KeptApart(one=first, other=second))
        draft_reasons.explain_anew(log, one.division)


def allow_to_meet(pair: KeptApart, *, actor: Actor) -> None:
    """Take back `keep_apart`."""
    about = {"name": pair.one.name, "other": pair.other.name}
    with change(pair.one.tournament, actor=actor, verb="allow_to_meet", **about) as log:
        log.delete_all(list(KeptApart.objects.filter(pk=pair.pk)))
        draft_reasons.explain_anew(log, pair.one.division)


def copy_entries(log: Change, source: Tournament, divisions: dict[int, Division]) -> None:
    """Enter everybody of `source` who did not withdraw, within a change that is open.

    `divisions` maps each old division to its new one. Club and figures are the register's now; photos come along.
    """
    entry_list, made = EntryList(log, []), {}
    kept: Any = Entry.objects.filter(tournament=source, withdrawn_after=None).select_related("player__club")
    for old in kept.in_order():
        made[old.pk] = entry_list.write(
            Entry(
                tournament=log.tournament,
                division=divisions[old.division_id],
                player=old.player,
                club=old.player.club or old.club,
                rating=old.rating if old.player.rating is None else old.player.rating,
                games=old.player.games or old.games,
                **{name: getattr(old, name) for name in ("guest", "fixed_table", "exception")},
            )
        )
    portraits.take_along(log, made)


def stored_entry(entry: Entry) -> Entry:
    """The entry as it is in the database now."""
    return Entry.objects.select_related("player", "division", "tournament").get(pk=entry.pk)


def _kept_apart(entry: Entry) -> list[KeptApart]:
    return list(KeptApart.objects.filter(Q(one=entry) | Q(other=entry)).order_by("pk"))


def _refuse_paired(entry: Entry, refusal: type[Refusal]) -> None:
    number = Seat.objects.filter(entry=entry, round__stage=None).aggregate(last=Max("round__number"))["last"]
    if number is not None:
        raise refusal(name=entry.name, number=number)
    if records.referring(entry) is not None:
        raise WrittenDown(name=entry.name)
    if seed := Seed.objects.filter(entry=entry).first():
        clause = entry.tournament.rules.clauses.knockout.forfeit
        raise Seeded(name=entry.name, number=seed.number, clause=bracketed(clause))
