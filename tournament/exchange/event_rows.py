"""A whole event stored and loaded: from a plain value to rows in one change, or nothing; and from rows to the value
that every export is written from, with the same queries whatever the size."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Prefetch

from scoring import knockout, rulesets
from scoring.awards import Awards, Outcome
from scoring.knockout_values import FactKind, Match, MatchPlace, UnrecordedFacts
from scoring.standings import PlayerKey, TieRule
from tournament.accounts.operations import get_or_create_organiser
from tournament.basics.names import clean_text
from tournament.basics.showing import ShowingRule
from tournament.core.change import Actor, Change, ChangeLog, change
from tournament.core.division_tables import read_table_ranges
from tournament.core.fees import FeeTerms
from tournament.core.reports import SIDE_FIELDS, PlayerReport, Report
from tournament.core.settings import get_announced_awards
from tournament.ending.plan import CertificateText
from tournament.entries.operations.register import (
    Person,
    Register,
    are_in_several_clubs,
    build_name_columns,
    complete_player,
    get_or_create_club,
)
from tournament.exchange.bracket_input import make_bracket_input, rank_before_knockout
from tournament.exchange.faults import FaultCode, FileFaults, make_single_fault, quote_value
from tournament.exchange.objects import make_json_value, make_row, read_row
from tournament.exchange.session_rows import load_duplicate_sessions, store_duplicate_session
from tournament.exchange.tournament_file import make_spread_cap_json
from tournament.exchange.values import (
    AbsenceData,
    AnnouncedData,
    DivisionData,
    EventData,
    GameData,
    KnockoutData,
    LotData,
    MatchData,
    MatchLotData,
    MatchTableData,
    NoteData,
    PairingData,
    PlayerData,
    PrizeData,
    RoundData,
    SegmentData,
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
from tournament.pairing.values import ClaimCondition, Method, NoteCode, rename_figure_players
from tournament.results.knockout_state import load_places_before

GamesByMatch = Mapping[MatchPlace, list[GameData]]  # in order
TablesByMatch = Mapping[MatchPlace, int]  # where it is not played at the table of its position


def make_report(game: GameData) -> Report:
    """The report that a game of a file states."""
    first, second = (PlayerReport(**{name: getattr(game, f"{side}_{name}") for name in SIDE_FIELDS}) for side in SIDES)
    columns = {name: getattr(game, name) for name in ("outcome", "reason", "second_reason", "penalty_reason", "note")}
    # Only a pairing of a round has a spread; a game of a knock-out match, the same value otherwise, lacks the field.
    return Report(first=first, second=second, spread=getattr(game, "spread", None), **columns)


def find_needed_games(
    block: KnockoutData, figures: Awards, places: Mapping[PlayerKey, int]
) -> dict[tuple[int, int, int], GameData]:
    """The games that must exist, by stage, number and position: those stated, and the open ones. A file has what was
    announced, decided and played. Which games are still open follows from that, so it states an open game only if
    another player starts it than would by the rules. `places`: those before the knock-out."""
    bracket = knockout.bracket(*make_bracket_input(block, figures, places))
    stated = {match.place: match.games for match in block.matches}
    needed_games = {}
    for match in bracket.matches:
        games = stated.get(match.place, ())
        for due in match.needed:
            game = GameData(first=str(due.first), second=str(due.second))
            # Stated ones as they are stated: who started may be another player than the rules would have.
            needed_games[match.stage, due.number, match.position] = (
                games[due.number - 1] if due.number <= len(games) else game
            )
    return needed_games


def map_match_tables(block: KnockoutData) -> TablesByMatch:
    """The tables of the matches for which a file names one of its own."""
    return {match.place: match.table for match in block.tables if match.table != match.position}


def find_match_seat(place: MatchPlace, tables: TablesByMatch) -> dict[str, int | None]:
    """The columns that say where a game is played, of the match at this place of the bracket."""
    # The position is stored only beside a table of the match's own: without one the table is the position, and is read
    # as that.
    return {"table": tables.get(place, place[1]), "position": place[1] if place in tables else None}


def store_event_data(
    event: EventData, *, actor: Actor, decided: Mapping[str, Player | None] = MappingProxyType({})
) -> Tournament:
    """Make a tournament of the organiser for whom somebody acts from an event that was read and checked. Players found
    in the register by name and club are those; others are added to it. Of players that are `decided`, by their ids in
    the file, nobody is looked for: None is somebody new. Raises `FileFaults` if the address is taken."""
    with transaction.atomic():
        tournament = make_tournament_row(event)
        tournament.organiser = get_or_create_organiser(actor)
        if Tournament.objects.filter(slug=event.slug).exists():
            raise _make_slug_fault(event)
        try:
            # In a savepoint: once a statement has failed PostgreSQL takes no other one of the transaction, and below
            # somebody still asks whether it was the address.
            with transaction.atomic():
                tournament.save(force_insert=True)
        except IntegrityError as error:
            # Somebody else has taken the address since we looked; any other clash is our fault.
            if Tournament.objects.filter(slug=event.slug).exists():
                raise _make_slug_fault(event) from error
            raise
        about = {"name": tournament.name, "players": len(event.players)}
        # Only now: a change locks the tournament by its row, so the row is stored before there is a journal.
        with change(tournament, actor=actor, verb="import_tournament", **about) as log:
            log.created(tournament)
            _store_event_parts(log, event, actor, decided)
    return tournament


def _make_slug_fault(event: EventData) -> FileFaults:
    return make_single_fault(FaultCode.SLUG_TAKEN, value=quote_value(event.slug))


def make_tournament_row(event: EventData) -> Tournament:
    """The event's own row, not yet stored; without its organiser."""
    ranking = event.ranking
    return make_row(
        Tournament,
        event,
        **event.shown.columns,
        basis=ranking.basis.value,
        order=[criterion.value for criterion in ranking.order],
        ties=(TieRule.SHARED if ranking.shared_ties else TieRule.TSO).value,
        withdrawn=ranking.withdrawn.value,
        # None where the file states the book's own figure: an event that is read in follows the book as it did before,
        # also if another one is chosen later.
        **get_announced_awards(asdict(event.awards), rulesets.get(event.ruleset)),
        is_public=event.public,
        is_ended=event.ended,
        certificate=event.certificate.stored(),
        fees=event.fees.stored(),
        spread_cap=make_spread_cap_json(ranking),
    )


def get_or_create_clubs(log: ChangeLog, wanted: Iterable[str]) -> dict[str, Club | None]:
    return {name: get_or_create_club(name, log=log) for name in wanted}


def get_or_create_players(
    log: Change,
    wanted: Sequence[PlayerData],
    clubs: Mapping[str, Club | None],
    *,
    completes: bool = True,
    decided: Mapping[str, Player | None] = MappingProxyType({}),
) -> dict[str, Player]:
    """The players by their ids in the file: those whom the register knows by exactly this name, and new ones, unless it
    is `decided` who they are. Where the register lacks something about a known one, it is filled in, unless `completes`
    is False."""
    people = {
        player.id: Person(player.name, player.club or "", player.rating, player.games or None) for player in wanted
    }
    register = Register(log.organiser_id, people.values())
    players_by_key: dict[str, Player] = {}
    new: dict[str, Player] = {}
    used: set[int] = set()
    for key, person in people.items():
        # By exactly this name: a file keeps each name as it is written, and who is merely alike is asked about
        # afterwards, on the page of all who are.
        same = [candidate for candidate in register.candidates(person) if register.is_known_as(candidate, person.name)]
        if key in decided:
            player = decided[key]
            same = [player] if player is not None else []
        # Each player of the register once: two namesakes in a file are two people. Where namesakes are in several clubs
        # nobody can tell who is meant, and a new one is made.
        free = [] if are_in_several_clubs(same) else [candidate for candidate in same if candidate.pk not in used]
        if free:
            players_by_key[key] = free[0]
            used.add(free[0].pk)
            # A mirror only shows: what an event from a hall states of somebody must not change the register of the club
            # that hosts it.
            if completes:
                complete_player(free[0], person, log=log)
        else:
            new[key] = Player(
                organiser_id=log.organiser_id,
                **build_name_columns(person.name),
                club=clubs[person.club] if person.club else None,
                rating=person.rating,
                games=person.games or 0,
            )
    return players_by_key | dict(zip(new, log.create_all(new.values()), strict=True))


def _store_event_parts(log: Change, event: EventData, actor: Actor, decided: Mapping[str, Player | None]) -> None:
    divisions = log.create_all(
        make_row(
            Division,
            division,
            tournament=log.tournament,
            position=position,
            plan=make_json_value(division.plan),
            announced=make_json_value(division.announced) or {},
        )
        for position, division in enumerate(event.divisions, 1)
    )
    entries = _store_entries(log, event, {row.name: row for row in divisions}, decided)
    log.create_all(
        Absence(entry=entries[player.id], number=absence.round, counts_as_loss=absence.loss)
        for player in event.players
        for absence in player.absences
    )
    writer = DivisionWriter(log, actor, entries)
    for row, division in zip(divisions, event.divisions, strict=True):
        writer.store_division(division, row, rank_before_knockout(event, division))


def _store_entries(
    log: Change, event: EventData, divisions: Mapping[str, Division], decided: Mapping[str, Player | None]
) -> dict[str, Entry]:
    """The entries by the file's ids, each with a player of the register."""
    clubs = get_or_create_clubs(log, {player.club for player in event.players if player.club})
    players_by_id = get_or_create_players(log, event.players, clubs, decided=decided)
    entries = log.create_all(
        make_row(
            Entry,
            entry,
            tournament=log.tournament,
            division=divisions[entry.division],
            player=players_by_id[entry.id],
            key=entry.id,
            position=position,
            club=clubs[entry.club] if entry.club else None,
        )
        for position, entry in enumerate(event.players, 1)
    )
    return {entry.key: entry for entry in entries}


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
                **make_report(game).fields(),
            )
            for pairing, game in listed
            # A draft's byes have an outcome in the file, but their results come when it is published.
            if game.outcome != Outcome.OPEN and pairing.round.state != Round.State.DRAFT
        )

    def store_knockout_plan(self, division: Division, block: KnockoutData) -> None:
        """Store how a checked knock-out was announced and seeded, and what was decided without a game."""
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

    def store_knockout_games(
        self,
        division: Division,
        games: Mapping[tuple[int, int, int], GameData],
        tables: TablesByMatch,
    ) -> None:
        spots = sorted({(stage, number) for stage, number, _position in games})
        round_rows = (
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
        rounds = dict(zip(spots, self.log.create_all(round_rows), strict=True))
        # Sorted here and below alike: each pairing that comes back is zipped with the game of its place.
        pairings = self.log.create_all(
            Pairing(round=rounds[stage, number], kind=Pairing.Kind.GAME, **find_match_seat((stage, position), tables))
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

    def store_division(self, division: DivisionData, row: Division, places: Mapping[PlayerKey, int]) -> None:
        """Store all of a checked division but its players; `places`: those before its knock-out."""
        keys = {key: entry.pk for key, entry in self.entries.items()}
        # In one order and each pair once: the database refuses the same pair written the other way round.
        apart = {tuple(sorted(keys[key] for key in pair)) for pair in division.kept_apart}
        self.log.create_all(KeptApart(one_id=one, other_id=other) for one, other in sorted(apart))
        self.log.create_all(
            Lot(division=row, after=lot.after, order=[keys[key] for key in lot.order], tiles=lot.tiles)
            for lot in division.lots
        )
        # Rows of each kind by one statement, and in the file's order: what comes back belongs to what was given, pair
        # by pair.
        rounds = self.log.create_all(make_round_row(self.log, round_data, row, keys) for round_data in division.rounds)
        played = [
            (round, pairing_data)
            for round, data in zip(rounds, division.rounds, strict=True)
            for pairing_data in data.pairings
        ]
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
        self.store_games(zip(pairings, (pairing_data for _round, pairing_data in played), strict=True))
        self.store_prizes(row, division.prizes)
        if division.duplicate is not None:
            store_duplicate_session(self.log, row, division.duplicate, self.entries)
        if division.knockout is not None:
            self.store_knockout_plan(row, division.knockout)
            needed_games = find_needed_games(division.knockout, row.tournament.awards, places)
            self.store_knockout_games(row, needed_games, map_match_tables(division.knockout))


def make_round_row(log: Change, round: RoundData, division: Division, keys: Mapping[str, int]) -> Round:
    """A round of the league, not yet stored; `keys` are those of the entries by the file's ids."""
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


# Loading.

IdsByEntry = Mapping[int, str]  # the players' ids in the file by the primary keys of their entries


def _read_knockout(
    stored: Knockout,
    keys: IdsByEntry,
    games: GamesByMatch,
    tables: TablesByMatch,
) -> KnockoutData:
    facts_by_place: dict[MatchPlace, set[FactKind]] = defaultdict(set)
    for row in stored.not_recorded.all():
        facts_by_place[row.stage, row.position].add(FactKind(row.fact))
    block = read_row(
        stored,
        KnockoutData,
        seeds=tuple(keys[seed.entry_id] for seed in stored.seeds.all()),
        matches=_make_matches(games, facts_by_place),
        lots=tuple(read_row(lot, MatchLotData, winner=keys[lot.winner_id]) for lot in stored.lots.all()),
        tables=tuple(
            MatchTableData(stage=stage, position=position, table=table)
            for (stage, position), table in sorted(tables.items())
        ),
    )
    places = load_places_before(stored, [seed.entry_id for seed in stored.seeds.all()])
    by_id: dict[PlayerKey, int] = {key: places[pk] for pk, key in keys.items() if pk in places}
    # Without superfluous games, lots for other players, and open games that follow from the rules. Operations leave
    # none of the first two behind, but a file must be readable in any case.
    bracket, problems = knockout.fit_bracket(*make_bracket_input(block, stored.division.tournament.awards, by_id))
    wrong = {(problem.place, problem.game) for problem in problems}
    matches = {match.place: match for match in bracket.matches}
    games_by_place: dict[MatchPlace, list[GameData]] = {}
    for match in block.matches:
        place = match.place
        if place in matches:
            fitting = [game for number, game in enumerate(match.games, 1) if (place, number) not in wrong]
            games_by_place[place] = fitting[: _count_stated_games(matches[place], fitting)]
    lots = tuple(lot for lot in block.lots if (lot.place, None) not in wrong)
    unrecorded = {match.place: match.not_recorded for match in block.matches}
    return replace(block, matches=_make_matches(games_by_place, unrecorded), lots=lots)


def _make_matches(games: Mapping[MatchPlace, list[GameData]], unrecorded: UnrecordedFacts) -> tuple[MatchData, ...]:
    """The matches that have games; `unrecorded` are the facts that somebody has declared not recorded."""
    return tuple(
        MatchData(
            stage=place[0],
            position=place[1],
            games=tuple(games[place]),
            not_recorded=tuple(fact for fact in FactKind if fact in unrecorded.get(place, ())),
        )
        for place in sorted(games)
        if games[place]
    )


def _count_stated_games(match: Match, games: Sequence[GameData]) -> int:
    """How many of a match's games a file states: up to the last result that counts, or the last start out of turn."""
    # An open game that somebody else starts than follows from the rules must stand in the file, and with it the open
    # ones before it: a file lists a match's games from the first on.
    last, starts = 0, match.players[0]
    for number, game in enumerate(games[: min(len(match.games), len(match.needed))], 1):
        if game.outcome != Outcome.OPEN or game.first != starts:
            last = number
        starts = game.second
    return last


def load_event_data(tournament: Tournament) -> EventData:
    """A stored tournament as the value that files are written from, with its texts tidied. Fourteen queries at most."""
    absences = Prefetch("absences", Absence.objects.order_by("number"))
    entries = list(tournament.entries.with_names().in_order().prefetch_related(absences))
    keys = {entry.pk: entry.key for entry in entries}
    divisions = tournament.divisions.order_by("position", "pk").prefetch_related(
        Prefetch("lots", Lot.objects.order_by("pk")),
        Prefetch("prizes", Prize.objects.select_related("club").in_order()),
        Prefetch("knockout__seeds", Seed.objects.order_by("number")),
        Prefetch("knockout__lots", MatchLot.objects.order_by("stage", "position")),
        "knockout__not_recorded",
    )
    names = {division.pk: division.name for division in divisions}
    # Of all divisions at once and dealt out below: asked division by division the queries would grow with them.
    rounds, matches, match_tables = _load_rounds(tournament, keys)
    apart = defaultdict(list)
    pairs = KeptApart.objects.filter(one__tournament=tournament).select_related("one")
    for pair in pairs.order_by("one_id", "other_id"):
        apart[pair.one.division_id].append((keys[pair.one_id], keys[pair.other_id]))
    # By the rules: an event with pairs has no session, and six queries for each file would say so.
    sessions = {} if tournament.rules.is_paired else load_duplicate_sessions(tournament, keys)
    return read_row(
        tournament,
        EventData,
        ranking=tournament.ranking,
        awards=tournament.awards,
        public=tournament.is_public,
        shown=ShowingRule.of(tournament),
        ended=tournament.is_ended,
        certificate=CertificateText.read(tournament.certificate),
        fees=FeeTerms.of(tournament),
        players=tuple(_make_player_data(entry, names[entry.division_id]) for entry in entries),
        divisions=tuple(
            _make_division_data(
                division,
                keys,
                matches.get(division.pk, {}),
                match_tables.get(division.pk, {}),
                rounds=tuple(rounds[division.pk]),
                kept_apart=tuple(apart[division.pk]),
                duplicate=sessions.get(division.pk),
            )
            for division in divisions
        ),
    )


def _make_division_data(
    division: Division, keys: IdsByEntry, games: GamesByMatch, tables: TablesByMatch, **given: Any
) -> DivisionData:
    """The division's value: `given` fields as they are, its knock-out from these `games` and `tables`, the rest from
    its row."""
    plan = [_make_segment_data(segment) for segment in division.plan]
    lots = [read_row(lot, LotData, order=tuple(keys[pk] for pk in lot.order)) for lot in division.lots.all()]
    return read_row(
        division,
        DivisionData,
        plan=tuple(sorted(plan, key=lambda part: part.first)),
        tables=tuple(read_table_ranges(division.tables)),
        announced=_read_announced(division.announced, set(keys.values())),
        knockout=_read_knockout(division.knockout, keys, games, tables) if hasattr(division, "knockout") else None,
        lots=tuple(lots),
        prizes=tuple(
            read_row(
                prize,
                PrizeData,
                club=prize.club.name if prize.club else "",
                winner=None if prize.winner_id is None else keys[prize.winner_id],
            )
            for prize in division.prizes.all()
        ),
        **given,
    )


def _read_announced(stored: Mapping[str, Any], known: Collection[str]) -> AnnouncedData | None:
    """The announced pairs of those who are still entered."""
    if not stored:
        return None
    # These are JSON, which no foreign key guards: a file that names somebody whose entry was removed since could not be
    # read.
    pairs = tuple(tuple(pair) for pair in stored["pairs"] if all(key in known for key in pair))
    return AnnouncedData(round=stored["round"], seed=stored["seed"], pairs=pairs)


def _make_player_data(entry: Entry, division: str) -> PlayerData:
    return read_row(
        entry,
        PlayerData,
        id=entry.key,
        name=entry.player.name,
        club=entry.club.name if entry.club else None,
        division=division,
        absences=tuple(
            AbsenceData(round=absence.number, loss=absence.counts_as_loss) for absence in entry.absences.all()
        ),
    )


def _make_segment_data(stored: Mapping[str, Any]) -> SegmentData:
    first, last = stored["rounds"]
    more = {name: stored[name] for name in ("repeats", "repeats_after", "factor", "behind") if name in stored}
    return SegmentData(first=first, last=last, method=Method(stored["method"]), **more)


def _load_rounds(
    tournament: Tournament, keys: IdsByEntry
) -> tuple[dict[int, list[RoundData]], dict[int, GamesByMatch], dict[int, TablesByMatch]]:
    """The rounds of each division with their pairings by table, and the games and the tables of its matches. Four
    queries."""
    pairings = defaultdict(list)
    round_pairings = Pairing.objects.filter(round__division__tournament=tournament).with_results().by_table()
    for pairing in round_pairings.prefetch_related("seats"):
        pairings[pairing.round_id].append(pairing)
    rounds: dict[int, list[RoundData]] = defaultdict(list)
    matches: dict[int, dict[MatchPlace, list[GameData]]] = defaultdict(dict)
    tables: dict[int, dict[MatchPlace, int]] = defaultdict(dict)
    for round in Round.objects.filter(division__tournament=tournament).in_order():
        if round.stage is None:
            rounds[round.division_id].append(_make_round_data(round, pairings[round.pk], keys))
            continue
        for pairing in pairings[round.pk]:
            game = GameData(**_make_game_fields(pairing, keys))
            place = (round.stage, pairing.match_position or 0)
            matches[round.division_id].setdefault(place, []).append(game)
            if pairing.position is not None and pairing.table is not None:
                tables[round.division_id][place] = pairing.table
    # `rounds` stays a defaultdict: a division that has none yet is asked for as well.
    return rounds, {**matches}, {**tables}


def _make_round_data(round: Round, pairings: Sequence[Pairing], keys: IdsByEntry) -> RoundData:
    return read_row(
        round,
        RoundData,
        tiles=round.tiles,
        # Groups and notes are JSON, which no foreign key guards: they may name an entry that was deleted since, and
        # a file that names an id without a player could not be read again.
        groups=tuple(tuple(keys[pk] for pk in group if pk in keys) for group in round.groups),
        notes=tuple(
            NoteData(
                code=NoteCode(note["code"]),
                players=tuple(keys[pk] for pk in note["keys"] if pk in keys),
                figure=note["figure"],
                unless=tuple(ClaimCondition(condition) for condition in note["unless"]),
            )
            for note in round.notes
        ),
        shown=ShowingRule.of(round),
        pairings=tuple(
            read_row(
                pairing,
                PairingData,
                **_make_game_fields(pairing, keys),
                why=tuple(rename_figure_players(reason, keys) for reason in pairing.why),
                spread=pairing.result.spread if pairing.result else None,
            )
            for pairing in pairings
        ),
    )


def _make_game_fields(pairing: Pairing, keys: IdsByEntry) -> dict[str, Any]:
    """Who sits where, and the result; a bye and an absence have their outcome even before the round is published."""
    players = {seat.side: keys[seat.entry_id] for seat in pairing.seats.all()}  # the entries themselves are not fetched
    seats = {"first": players[Seat.FIRST], "second": players.get(Seat.SECOND)}
    if pairing.result is None:
        return {**seats, "outcome": Outcome.OPEN if pairing.kind == Pairing.Kind.GAME else Outcome(pairing.kind)}
    report = Report.of(pairing.result)
    return {
        **seats,
        "outcome": report.outcome,
        "reason": report.reason,
        "second_reason": report.second_reason,
        "penalty_reason": clean_text(report.penalty_reason),
        "note": clean_text(report.note),
        **{f"{side}_{name}": getattr(half, name) for side, half in report.sides for name in SIDE_FIELDS},
    }
