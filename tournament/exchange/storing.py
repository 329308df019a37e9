"""From an event as a plain value to rows: a whole tournament in one change, or nothing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field

from django.db import IntegrityError, transaction

from scoring import rulesets
from tournament.exchange import brackets, duplicate_sessions, faults, file_writing, game_rows, prizes
from tournament.exchange.faults import Code, quoted
from tournament.exchange.values import DivisionData, EventData, PairingData, PlayerData, RoundData
from tournament.models import (
    Absence,
    Club,
    Division,
    Entry,
    KeptApart,
    Lot,
    Pairing,
    Player,
    Round,
    RoundState,
    Tournament,
)
from tournament.operations import players, setup
from tournament.operations.change import Actor, Change, change
from tournament.operations.organisers import acting_for
from tournament.operations.players import Person
from tournament.pairing import codes


@dataclass(slots=True)
class WrittenRows:
    """The rows written so far that others refer to, by their ids in the file."""

    divisions: dict[str, Division] = field(default_factory=dict)
    entries: dict[str, Entry] = field(default_factory=dict)


def store(event: EventData, *, actor: Actor) -> Tournament:
    """Make a tournament of the organiser for whom somebody acts from an event that was read and checked.

    Players found in the register by name and club are those; others are added to it. Raises `Faults` if the address
    is taken; then nothing has changed.
    """
    with transaction.atomic():
        made = _tournament(event)
        made.organiser = acting_for(actor)
        if Tournament.objects.filter(slug=event.slug).exists():
            raise _slug_taken(event)
        try:
            with transaction.atomic():
                made.save(force_insert=True)
        except IntegrityError as error:
            # Somebody else has taken the address since we looked; any other clash is our fault.
            if Tournament.objects.filter(slug=event.slug).exists():
                raise _slug_taken(event) from error
            raise
        about = {"name": made.name, "players": len(event.players)}
        with change(made, actor=actor, verb="import_tournament", **about) as log:
            log.created(made)
            _write(log, event, actor)
    return made


def _slug_taken(event: EventData) -> faults.Faults:
    return faults.one(Code.SLUG_TAKEN, value=quoted(event.slug))


def _tournament(event: EventData) -> Tournament:
    ranking = event.ranking
    return Tournament(
        slug=event.slug,
        name=event.name,
        place=event.place,
        starts_on=event.starts_on,
        ends_on=event.ends_on,
        is_public=event.public,
        public_reasons=event.public_reasons,
        results_twice=event.results_twice,
        **event.shown.columns,
        is_ended=event.ended,
        announcement=event.announcement,
        word_list=event.word_list,
        word_list_at=event.word_list_at,
        language=event.language.value,
        turning=event.turning.value,
        certificate=event.certificate.stored(),
        ruleset=event.ruleset,
        minutes=event.minutes,
        basis=ranking.basis.value,
        order=[criterion.value for criterion in ranking.order],
        ties=ranking.ties.value,
        withdrawn=ranking.withdrawn.value,
        starts=event.starts.value,
        spread_cap=file_writing.spread_cap(ranking),
        **setup.announced_awards(asdict(event.awards), rulesets.get(event.ruleset)),
        bye_policy=event.bye_policy.value,
        clubs_apart=event.clubs_apart,
    )


def _write(log: Change, event: EventData, actor: Actor) -> None:
    rows = WrittenRows()
    divisions = log.create_all(
        Division(
            tournament=log.tournament,
            name=each.name,
            position=position,
            plan=file_writing.plan(each),
            prizes_public=each.prizes_public,
            tells_turning_point=each.tells_turning_point,
        )
        for position, each in enumerate(event.divisions, 1)
    )
    rows.divisions = {row.name: row for row in divisions}
    rows.entries = _entries(log, event, rows)
    log.create_all(
        Absence(entry=rows.entries[player.id], number=absence.round, counts_as_loss=absence.loss)
        for player in event.players
        for absence in player.absences
    )
    for division in event.divisions:
        _division(log, division, rows, actor)


def _entries(log: Change, event: EventData, rows: WrittenRows) -> dict[str, Entry]:
    """The entries by the file's ids, each with a player of the register."""
    clubs = clubs_named(log, {each.club for each in event.players if each.club})
    known = known_players(log, event.players, clubs)
    made = log.create_all(
        Entry(
            tournament=log.tournament,
            division=rows.divisions[each.division],
            player=known[each.id],
            key=each.id,
            position=position,
            club=clubs[each.club] if each.club else None,
            rating=each.rating,
            games=each.games,
            first_round=each.first_round,
            withdrawn_after=each.withdrawn_after,
            guest=each.guest,
            fee_paid=each.fee_paid,
            present=each.present,
            expected=each.expected,
            fixed_table=each.fixed_table,
            exception=each.exception,
        )
        for position, each in enumerate(event.players, 1)
    )
    return {entry.key: entry for entry in made}


def clubs_named(log: Change, wanted: Iterable[str]) -> dict[str, Club | None]:
    """The clubs of these names; new ones are made."""
    return {name: players.club_named(name, log=log) for name in wanted}


def known_players(log: Change, wanted: Sequence[PlayerData], clubs: Mapping[str, Club | None]) -> dict[str, Player]:
    """The players by the file's ids: those that the register knows under exactly this name, and new ones."""
    people = {each.id: Person(each.name, each.club or "", each.rating, each.games or None) for each in wanted}
    register = players.Register(log.organiser_id, people.values())
    found: dict[str, Player] = {}
    new: dict[str, Player] = {}
    used: set[int] = set()
    for key, person in people.items():
        same = [each for each in register.candidates(person) if each.name == person.name]
        free = [] if players.in_several_clubs(same) else [each for each in same if each.pk not in used]
        if free:
            found[key] = free[0]
            used.add(free[0].pk)
            players.complete(free[0], person, log=log)
        else:
            new[key] = Player(
                organiser_id=log.organiser_id,
                **players.renamed(person.name),
                club=clubs[person.club] if person.club else None,
                rating=person.rating,
                games=person.games or 0,
            )
    return found | dict(zip(new, log.create_all(new.values()), strict=True))


def _division(log: Change, division: DivisionData, rows: WrittenRows, actor: Actor) -> None:
    row = rows.divisions[division.name]
    apart = {tuple(sorted(rows.entries[key].pk for key in pair)) for pair in division.kept_apart}
    log.create_all(KeptApart(one_id=one, other_id=other) for one, other in sorted(apart))
    log.create_all(
        Lot(division=row, after=lot.after, order=[rows.entries[key].pk for key in lot.order]) for lot in division.lots
    )
    rounds = log.create_all(_round(log, each, row, rows) for each in division.rounds)
    played = [(round, each) for round, data in zip(rounds, division.rounds, strict=True) for each in data.pairings]
    keys = {key: entry.pk for key, entry in rows.entries.items()}
    pairings = log.create_all(_pairing(round, each, keys) for round, each in played)
    games = [(pairing, each) for pairing, (_round, each) in zip(pairings, played, strict=True)]
    game_rows.write(log, games, rows.entries, actor)
    prizes.store(log, row, division.prizes, rows.entries)
    if division.duplicate is not None:
        duplicate_sessions.store(log, row, division.duplicate, rows.entries)
    if division.knockout is not None:
        brackets.store(log, row, division.knockout, rows.entries, actor)


def _round(log: Change, round: RoundData, division: Division, rows: WrittenRows) -> Round:
    keys = {key: entry.pk for key, entry in rows.entries.items()}
    return Round(
        division=division,
        number=round.number,
        method=round.method.value,
        state=round.state.value,
        seed=round.seed,
        based_on=round.based_on,
        repeats=round.repeats,
        groups=[[keys[key] for key in group] for group in round.groups],
        notes=[
            {
                "code": note.code,
                "keys": [keys[key] for key in note.players],
                "figure": note.figure,
                "unless": [*note.unless],
            }
            for note in round.notes
        ],
        published_at=None if round.state == RoundState.DRAFT else log.now,
        closed_at=log.now if round.state == RoundState.CLOSED else None,
        **round.shown.columns,
    )


def _pairing(round: Round, pairing: PairingData, keys: Mapping[str, int]) -> Pairing:
    return Pairing(
        round=round,
        kind=Pairing.Kind.of(pairing.outcome),
        table=pairing.table,
        locked=pairing.locked,
        flags=list(pairing.flags),
        why=[codes.renamed(reason, keys) for reason in pairing.why],
    )
