"""From an event as a plain value to rows: a whole tournament in one change, or nothing."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from django.db import IntegrityError, transaction

from scoring import knockout, rulesets
from scoring.awards import Awards, Outcome
from scoring.knockout_values import MatchPlace
from scoring.standings import TieRule
from tournament.accounts.operations import get_or_create_organiser
from tournament.basics.showing import ShowingRule
from tournament.core.change import Actor, Change, change
from tournament.core.reports import SIDE_FIELDS, PlayerReport, Report
from tournament.core.settings import get_announced_awards
from tournament.entries.operations.register import (
    Person,
    Register,
    are_in_several_clubs,
    build_name_columns,
    complete_player,
    get_or_create_club,
)
from tournament.exchange.checks import make_bracket_input
from tournament.exchange.faults import FaultCode, FileFaults, make_single_fault, quote_value
from tournament.exchange.objects import make_json_value, make_row
from tournament.exchange.tournament_file import make_spread_cap_json
from tournament.exchange.values import (
    DivisionData,
    DuplicateData,
    EventData,
    GameData,
    KnockoutData,
    PlayerData,
    PrizeData,
    RoundData,
)
from tournament.models import (
    Absence,
    Club,
    Division,
    Entry,
    KeptApart,
    Knockout,
    Lot,
    MatchLot,
    NotRecorded,
    Pairing,
    Player,
    Prize,
    Result,
    Round,
    RoundState,
    Seat,
    Seed,
    Tournament,
)
from tournament.models.play import SIDES
from tournament.pairing.values import Method, rename_figure_players

SESSION_STORERS: list[Callable[[Change, Division, DuplicateData, Mapping[str, Entry]], None]] = []
"""Stores a checked session; filled by the app above when it is ready (`games.registers`)."""

GamesByMatch = dict[int, dict[MatchPlace, list[GameData]]]  # the games of each match in order, by division


def _make_report(game: GameData) -> Report:
    first, second = (PlayerReport(**{name: getattr(game, f"{side}_{name}") for name in SIDE_FIELDS}) for side in SIDES)
    said = {name: getattr(game, name) for name in ("outcome", "reason", "second_reason", "penalty_reason", "note")}
    return Report(first=first, second=second, spread=getattr(game, "spread", None), **said)


def _find_needed_games(block: KnockoutData, figures: Awards) -> dict[tuple[int, int, int], GameData]:
    """The games that must exist, by stage, number and position: those stated, and the open ones. A file has what was
    announced, decided and played. Which games are still open follows from that, so it states an open game only if
    another player starts it than would by the rules."""
    bracket = knockout.bracket(*make_bracket_input(block, figures))
    stated = {match.place: match.games for match in block.matches}
    found = {}
    for match in bracket.matches:
        games = stated.get(match.place, ())
        for due in match.needed:
            game = GameData(first=str(due.first), second=str(due.second))
            found[match.stage, due.number, match.position] = games[due.number - 1] if due.number <= len(games) else game
    return found


def store_event_data(event: EventData, *, actor: Actor) -> Tournament:
    """Make a tournament of the organiser for whom somebody acts from an event that was read and checked. Players found
    in the register by name and club are those; others are added to it. Raises `FileFaults` if the address is taken;
    then nothing has changed."""
    with transaction.atomic():
        made = _make_tournament(event)
        made.organiser = get_or_create_organiser(actor)
        if Tournament.objects.filter(slug=event.slug).exists():
            raise _make_slug_fault(event)
        try:
            with transaction.atomic():
                made.save(force_insert=True)
        except IntegrityError as error:
            # Somebody else has taken the address since we looked; any other clash is our fault.
            if Tournament.objects.filter(slug=event.slug).exists():
                raise _make_slug_fault(event) from error
            raise
        about = {"name": made.name, "players": len(event.players)}
        with change(made, actor=actor, verb="import_tournament", **about) as log:
            log.created(made)
            _store_event_parts(log, event, actor)
    return made


def _make_slug_fault(event: EventData) -> FileFaults:
    return make_single_fault(FaultCode.SLUG_TAKEN, value=quote_value(event.slug))


def _make_tournament(event: EventData) -> Tournament:
    ranking = event.ranking
    return make_row(
        Tournament,
        event,
        **event.shown.columns,
        basis=ranking.basis.value,
        order=[criterion.value for criterion in ranking.order],
        ties=(TieRule.SHARED if ranking.shared_ties else TieRule.TSO).value,
        withdrawn=ranking.withdrawn.value,
        **get_announced_awards(asdict(event.awards), rulesets.get(event.ruleset)),
        is_public=event.public,
        is_ended=event.ended,
        certificate=event.certificate.stored(),
        spread_cap=make_spread_cap_json(ranking),
    )


def get_or_create_clubs(log: Change, wanted: Iterable[str]) -> dict[str, Club | None]:
    """The clubs of these names; new ones are made."""
    return {name: get_or_create_club(name, log=log) for name in wanted}


def get_or_create_players(
    log: Change, wanted: Sequence[PlayerData], clubs: Mapping[str, Club | None]
) -> dict[str, Player]:
    """The players by the file's ids: those that the register knows under exactly this name, and new ones."""
    people = {each.id: Person(each.name, each.club or "", each.rating, each.games or None) for each in wanted}
    register = Register(log.organiser_id, people.values())
    found: dict[str, Player] = {}
    new: dict[str, Player] = {}
    used: set[int] = set()
    for key, person in people.items():
        same = [each for each in register.candidates(person) if each.name == person.name]
        free = [] if are_in_several_clubs(same) else [each for each in same if each.pk not in used]
        if free:
            found[key] = free[0]
            used.add(free[0].pk)
            complete_player(free[0], person, log=log)
        else:
            new[key] = Player(
                organiser_id=log.organiser_id,
                **build_name_columns(person.name),
                club=clubs[person.club] if person.club else None,
                rating=person.rating,
                games=person.games or 0,
            )
    return found | dict(zip(new, log.create_all(new.values()), strict=True))


def _store_event_parts(log: Change, event: EventData, actor: Actor) -> None:
    divisions = log.create_all(
        make_row(Division, each, tournament=log.tournament, position=position, plan=make_json_value(each.plan))
        for position, each in enumerate(event.divisions, 1)
    )
    entries = _store_entries(log, event, {row.name: row for row in divisions})
    log.create_all(
        Absence(entry=entries[player.id], number=absence.round, counts_as_loss=absence.loss)
        for player in event.players
        for absence in player.absences
    )
    writer = DivisionWriter(log, actor, entries)
    for row, division in zip(divisions, event.divisions, strict=True):
        writer.store_division(division, row)


def _store_entries(log: Change, event: EventData, divisions: Mapping[str, Division]) -> dict[str, Entry]:
    """The entries by the file's ids, each with a player of the register."""
    clubs = get_or_create_clubs(log, {each.club for each in event.players if each.club})
    known = get_or_create_players(log, event.players, clubs)
    made = log.create_all(
        make_row(
            Entry,
            each,
            tournament=log.tournament,
            division=divisions[each.division],
            player=known[each.id],
            key=each.id,
            position=position,
            club=clubs[each.club] if each.club else None,
        )
        for position, each in enumerate(event.players, 1)
    )
    return {entry.key: entry for entry in made}


@dataclass(frozen=True, slots=True)
class DivisionWriter:
    """What stores divisions within an open change; `entries` are those of the event by the file's ids."""

    log: Change
    actor: Actor
    entries: Mapping[str, Entry]

    def store_games(self, games: Iterable[tuple[Pairing, GameData]]) -> None:
        """Seat the players at stored pairings, and write the results."""
        listed = list(games)
        self.log.create_all(
            Seat(pairing=pairing, round=pairing.round, entry=self.entries[key], side=side)
            for pairing, game in listed
            for side, key in enumerate(game.players, Seat.FIRST)
        )
        self.log.create_all(
            Result(
                pairing=pairing,
                version=1,
                how=Result.How.IMPORT,
                by=self.actor.user,
                by_name=self.actor.shown_name,
                at=self.log.now,
                **_make_report(game).fields(),
            )
            for pairing, game in listed
            if game.outcome != Outcome.OPEN and pairing.round.state != Round.State.DRAFT
        )

    def store_knockout(self, division: Division, block: KnockoutData) -> None:
        """Store a checked knock-out, and lay out the games that are needed now."""
        stored = self.log.create(make_row(Knockout, block, division=division))
        self.log.create_all(
            Seed(knockout=stored, number=number, entry=self.entries[key]) for number, key in enumerate(block.seeds, 1)
        )
        self.log.create_all(
            make_row(MatchLot, lot, knockout=stored, winner=self.entries[lot.winner]) for lot in block.lots
        )
        self.log.create_all(
            NotRecorded(knockout=stored, stage=match.stage, position=match.position, fact=fact.value)
            for match in block.matches
            for fact in match.not_recorded
        )
        self.store_knockout_games(division, _find_needed_games(block, division.tournament.awards))

    def store_knockout_games(self, division: Division, games: Mapping[tuple[int, int, int], GameData]) -> None:
        spots = sorted({(stage, number) for stage, number, _position in games})
        made = (
            Round(
                division=division,
                number=Round.knockout_number(stage, number),
                stage=stage,
                game=number,
                method=Method.MANUAL,
                state=Round.State.PUBLISHED,
                published_at=self.log.now,
                **ShowingRule.of(division.tournament).columns,
            )
            for stage, number in spots
        )
        rounds = dict(zip(spots, self.log.create_all(made), strict=True))
        pairings = self.log.create_all(
            Pairing(round=rounds[stage, number], kind=Pairing.Kind.GAME, table=position)
            for stage, number, position in sorted(games)
        )
        self.store_games(zip(pairings, (games[spot] for spot in sorted(games)), strict=True))

    def store_prizes(self, division: Division, prizes: tuple[PrizeData, ...]) -> None:
        """Store checked prizes in their order; a club that nobody knows yet comes into the register."""
        self.log.create_all(
            make_row(
                Prize,
                prize,
                division=division,
                position=position,
                club=get_or_create_club(prize.club, log=self.log),
                winner=self.entries[prize.winner] if prize.winner else None,
            )
            for position, prize in enumerate(prizes, 1)
        )

    def store_division(self, division: DivisionData, row: Division) -> None:
        keys = {key: entry.pk for key, entry in self.entries.items()}
        apart = {tuple(sorted(keys[key] for key in pair)) for pair in division.kept_apart}
        self.log.create_all(KeptApart(one_id=one, other_id=other) for one, other in sorted(apart))
        self.log.create_all(
            Lot(division=row, after=lot.after, order=[keys[key] for key in lot.order]) for lot in division.lots
        )
        rounds = self.log.create_all(_make_round(self.log, each, row, keys) for each in division.rounds)
        played = [(round, each) for round, data in zip(rounds, division.rounds, strict=True) for each in data.pairings]
        pairings = self.log.create_all(
            make_row(
                Pairing,
                pairing,
                round=round,
                kind=Pairing.Kind.of(pairing.outcome),
                why=[rename_figure_players(reason, keys) for reason in pairing.why],
            )
            for round, pairing in played
        )
        self.store_games(zip(pairings, (each for _round, each in played), strict=True))
        self.store_prizes(row, division.prizes)
        if division.duplicate is not None:
            for store in SESSION_STORERS:
                store(self.log, row, division.duplicate, self.entries)
        if division.knockout is not None:
            self.store_knockout(row, division.knockout)


def _make_round(log: Change, round: RoundData, division: Division, keys: Mapping[str, int]) -> Round:
    return make_row(
        Round,
        round,
        division=division,
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
