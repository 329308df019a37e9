"""What a federation is told of an event: who played, every game, the rankings, what becomes of the ratings, what
departs from the rules and what the referee noted; and what is missing for all that to be complete."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from django.db.models import F

from games.referee.referee_log import LogLine, count_games_without_record, list_noted_incidents, list_waiting_lines
from games.sessions.session_state import SessionRanking, rank_session
from scoring.ratings import RatingSystem
from tournament.basics.names import fold_text
from tournament.core.public_view import PublicView
from tournament.core.records import list_divisions
from tournament.core.second_entries import count_unsettled_results
from tournament.ending.final_ranking import FinalRanking, load_final_ranking
from tournament.entries.operations.numbers import name_systems
from tournament.events.words import list_deviations
from tournament.exchange.values import EventData
from tournament.models import Division, Entry, Pairing, PlayerNumber, Round, Seat, Tournament
from tournament.public_state import load_public_event
from tournament.ratings.division_ratings import DivisionRatings, load_rated_games, preview_ratings
from tournament.results.knockout_state import load_knockout_state
from tournament.results.league_games import list_division_entries, load_players_by_pairing
from tournament.rounds.phase import DirectorStep, get_division_phase
from tournament.table.public_table import list_exceptions


class GapCode(StrEnum):
    """What is missing in a report."""

    TOO_FEW_PLAYERS = "too_few_players"
    DRAFT = "draft"  # a round is drawn and not published
    OPEN_GAMES = "open_games"
    ROUND_TO_COME = "round_to_come"
    KNOCKOUT_UNSEEDED = "knockout_unseeded"
    KNOCKOUT_OPEN = "knockout_open"
    SESSION_OPEN = "session_open"
    UNSETTLED = "unsettled"  # results typed once where they are typed twice, or typed differently
    POINTS_WAIT = "points_wait"  # penalty points of the referee's log that no result holds
    NOT_ENDED = "not_ended"
    NO_REASONS = "no_reasons"  # for deviations from the rules
    NO_NUMBER = "no_number"  # of the federation, of some players
    NO_NUMBER_AT_ALL = "no_number_at_all"  # nobody has one, so that the federation knows nobody by it
    NO_SHEET = "no_sheet"


ADVISORY = frozenset({GapCode.NO_NUMBER, GapCode.NO_SHEET})
"""What a report may lack and be complete: some newcomers have no number, and not every event keeps its sheets."""


@dataclass(frozen=True, slots=True)
class ReportGap:
    """Something missing, its figures, and the `page` where it is mended (with the `args` behind the event's address).
    `division`: whose it is; None: the whole event's."""

    code: GapCode
    page: str
    division: Division | None = None
    args: tuple[Any, ...] = ()
    figures: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def is_advisory(self) -> bool:
        """Whether a report with this gap counts as complete."""
        return self.code in ADVISORY


@dataclass(frozen=True, slots=True)
class ReportedDivision:
    """A division: who entered it, its games by round and table, its ranking, and the preview of ratings. Of a session,
    whose players are not paired, there are only `entries` and `session`."""

    division: Division
    entries: tuple[Entry, ...]
    games: tuple[Pairing, ...] = ()
    ranking: FinalRanking | None = None
    ratings: DivisionRatings | None = None
    session: SessionRanking | None = None

    @property
    def places(self) -> list[tuple[int | None, Entry]]:
        """Everybody ranked, with their place; None for players without one."""
        if self.ranking is not None:
            return [(row.ranked.place, row.entry) for row in self.ranking.rows]
        return [(rank, entry) for entry, rank in self.session.ranks] if self.session else []


@dataclass(frozen=True, slots=True)
class FederationReport:
    """Everything that a federation is told. `deviations` are facts of the announcement with their labels."""

    tournament: Tournament
    divisions: tuple[ReportedDivision, ...]
    deviations: tuple[tuple[str, str], ...]
    exceptions: tuple[Entry, ...]
    incidents: tuple[LogLine, ...]
    gaps: tuple[ReportGap, ...]
    numbers: Mapping[int, tuple[PlayerNumber, ...]]  # by the player's primary key, each federation's

    @property
    def event(self) -> EventData:
        """The event as a tournament file has it, without what is nobody else's business (fees, who has checked in);
        read when it is asked for, as only files do."""
        # A view that holds nothing back: a federation is told every result, also one that the public is to hear at the
        # ceremony.
        view = PublicView(self.tournament.revision, self.tournament.created_at, rounds=None)
        return load_public_event(self.tournament, view)

    @property
    def is_complete(self) -> bool:
        return all(gap.is_advisory for gap in self.gaps)

    @property
    def entries(self) -> tuple[Entry, ...]:
        return tuple(entry for division in self.divisions for entry in division.entries)

    @property
    def systems(self) -> list[str]:
        """The federation whose rules are played by, and those of which anybody has a number, by name. One that is
        written in several ways (“ÖSV”, “ösv”) is named once: as the rules write it, else by the first in order."""
        spellings = sorted({number.system for numbers in self.numbers.values() for number in numbers})
        return sorted(name_systems([self.tournament.rules.federation, *spellings]).values())

    @property
    def joining_systems(self) -> list[str]:
        """The federations by whose numbers the tables of a report can be joined: that of the rules, or all of them
        where the rules name none."""
        return [federation] if (federation := self.tournament.rules.federation) else self.systems

    @property
    def unnumbered(self) -> tuple[Entry, ...]:
        """The entries without a number of the federation, by name."""
        missing = (entry for entry in self.entries if self.find_number(entry) is None)
        return tuple(sorted(missing, key=lambda entry: (entry.player.sort_name, entry.pk)))

    @property
    def numbered_first_last(self) -> tuple[Entry, ...]:
        """Everybody entered: first those without a number of the federation, then those with a provisional one, then
        all others."""

        def rank(entry: Entry) -> int:
            number = self.find_number(entry)
            return 0 if number is None else 1 if number.is_provisional else 2

        # By this alone: sorting keeps the order of the entries within each group.
        return tuple(sorted(self.entries, key=rank))

    def find_number(self, entry: Entry) -> PlayerNumber | None:
        """A player's number of the federation whose rules are played by, or of any federation where the rules name
        none; None without one."""
        return find_federation_number(self.numbers.get(entry.player_id, ()), self.tournament.rules.federation)


def find_federation_number(numbers: Iterable[PlayerNumber], federation: str) -> PlayerNumber | None:
    """The number among these by which a federation knows a player, in whatever way its name is written; the first of
    any federation for ""."""
    system = fold_text(federation)
    return next((number for number in numbers if not system or number.key[0] == system), None)


def load_numbers(tournament: Tournament) -> dict[int, tuple[PlayerNumber, ...]]:
    """The numbers of everybody entered, by the player's primary key, in the order of the federations. One query."""
    numbers_by_player: dict[int, list[PlayerNumber]] = {}
    # In a fixed order: of two numbers in one federation it is always the same one that is told.
    rows = PlayerNumber.objects.filter(player__entries__tournament=tournament).order_by("system", "number", "pk")
    for number in rows:
        numbers_by_player.setdefault(number.player_id, []).append(number)
    return {player: tuple(numbers) for player, numbers in numbers_by_player.items()}


def load_report(tournament: Tournament) -> FederationReport:
    """The report as it stands. The number of queries depends on the divisions and, where results are typed twice, on
    their rounds; never on the players."""
    divisions = list_divisions(tournament)
    for division in divisions:
        division.tournament = tournament
    parts = _load_paired(divisions) if tournament.rules.is_paired else map(_load_session, divisions)
    deviations, reported, numbers = tuple(list_deviations(tournament)), tuple(parts), load_numbers(tournament)
    return FederationReport(
        tournament=tournament,
        divisions=reported,
        deviations=deviations,
        exceptions=tuple(list_exceptions(tournament)),
        incidents=tuple(list_noted_incidents(tournament)),
        gaps=tuple(_find_gaps(tournament, reported, deviations, numbers)),
        numbers=numbers,
    )


def _load_paired(divisions: Sequence[Division]) -> Iterator[ReportedDivision]:
    # Entries, ratings and games are read for all divisions together, so that a division more costs no more of these
    # queries.
    entries_by_division = {division.pk: list_division_entries(division) for division in divisions}
    rated = load_rated_games(divisions)
    entries = {entry.pk: entry for entered in entries_by_division.values() for entry in entered}
    games = _list_games(divisions, entries, {pairing for games in rated.values() for pairing in games})
    for division in divisions:
        entered, system = entries_by_division[division.pk], RatingSystem(division.tournament.rating_system)
        yield ReportedDivision(
            division,
            tuple(entered),
            tuple(games[division.pk]),
            load_final_ranking(division, entered),
            preview_ratings(division, entered, rated.get(division.pk, {}).values(), system),
        )


def _list_games(
    divisions: Sequence[Division], entries: Mapping[int, Entry], rated: set[int]
) -> dict[int, list[Pairing]]:
    """The pairings of each division by its key, each with whether it is rated; drafts and games of the knock-out that
    nobody plays any more left out. The players are the same `entries` as everywhere in the report."""
    idle: set[int] = set()
    for division in divisions:
        state = load_knockout_state(division)
        # A game of the knock-out that was not needed any more is none that lacks a result.
        idle |= state.not_played if state else frozenset()
    pairings = Pairing.objects.filter(round__division__in=divisions).exclude(round__state=Round.State.DRAFT)
    pairings = pairings.exclude(pk__in=idle)
    # Byes have no table, and stand behind the games whatever the database makes of that.
    order = ("round__number", F("table").asc(nulls_last=True), "pk")
    games: dict[int, list[Pairing]] = {division.pk: [] for division in divisions}
    # Of 650 pairings each would bring a round, a division and a tournament of its own, with all their JSON.
    rounds = Round.objects.filter(division__in=divisions).select_related("division__knockout", "division__tournament")
    rounds_by_key = {round.pk: round for round in rounds}
    listed = list(pairings.with_results().order_by(*order))
    players = load_players_by_pairing(Seat.objects.filter(round__division__in=divisions).order_by())
    for pairing in listed:
        first, second, _about = players[pairing.pk]
        pairing.seat_entries(entries[first], None if second is None else entries[second])
        pairing.round = rounds_by_key[pairing.round_id]
        pairing.is_rated = pairing.pk in rated
        games[pairing.round.division_id].append(pairing)
    return games


def _load_session(division: Division) -> ReportedDivision:
    return ReportedDivision(division, tuple(list_division_entries(division)), session=rank_session(division))


# What is missing.


def _find_gaps(
    tournament: Tournament,
    divisions: Iterable[ReportedDivision],
    deviations: Sequence[tuple[str, str]],
    numbers: Mapping[int, tuple[PlayerNumber, ...]],
) -> Iterator[ReportGap]:
    listed = list(divisions)
    entries = [entry for report in listed for entry in report.entries]
    numbers_found = (
        find_federation_number(numbers.get(entry.player_id, ()), tournament.rules.federation) for entry in entries
    )
    if unnumbered := sum(number is None for number in numbers_found):
        # Some newcomers without a number are usual; where nobody has one the federation knows nobody by it.
        code = GapCode.NO_NUMBER_AT_ALL if unnumbered == len(entries) else GapCode.NO_NUMBER
        figures = {"count": unnumbered, "entered": len(entries)}
        yield ReportGap(code, "director:entries", figures=figures)
    for event_report in listed:
        yield from _find_session_gaps(event_report) if event_report.session else _find_division_gaps(event_report)
    for event_report in listed:
        if waiting := len(list_waiting_lines(event_report.division)):
            yield ReportGap(
                GapCode.POINTS_WAIT, "games:referee_overview", event_report.division, figures={"count": waiting}
            )
    missing, played = count_games_without_record(tournament)
    if 0 < 2 * missing < played:  # most games have a sheet or a photo: the others are missing
        yield ReportGap(GapCode.NO_SHEET, "director:rounds", figures={"count": missing, "played": played})
    # A book that asks for no approval needs no reasons.
    if deviations and tournament.rules.clauses.deviations and not tournament.deviation_reasons:
        yield ReportGap(GapCode.NO_REASONS, "director:report", figures={"count": len(deviations)})
    if not tournament.is_ended:
        yield ReportGap(GapCode.NOT_ENDED, "director:end" if tournament.rules.is_paired else "games:duplicate")


def _find_session_gaps(part: ReportedDivision) -> Iterator[ReportGap]:
    if not part.entries:
        yield ReportGap(GapCode.TOO_FEW_PLAYERS, "director:entries", part.division)
    if part.session and not (part.session.is_over or part.division.tournament.is_ended):
        yield ReportGap(GapCode.SESSION_OPEN, "games:duplicate", part.division)


def _find_division_gaps(part: ReportedDivision) -> Iterator[ReportGap]:
    """What a division lacks: players, results, rounds of its plan, and the knock-out."""
    division, phase = part.division, get_division_phase(part.division)
    is_ended = division.tournament.is_ended
    if phase.step == DirectorStep.ENTER_PLAYERS and not is_ended:
        yield ReportGap(GapCode.TOO_FEW_PLAYERS, "director:entries", division)
    yield from _find_open_games(part)
    # Of an ended event, too: a draft stands in no table, and nobody would notice that its games are not in the report.
    if phase.step == DirectorStep.PUBLISH:
        yield ReportGap(GapCode.DRAFT, "director:draft", division, figures={"round": phase.number})
    # What was broken off lacks only its open games: the rounds that its plan still has will not be played any more.
    if is_ended:
        return
    if phase.step == DirectorStep.PAIR and phase.number <= phase.planned:
        figures = {"round": phase.number, "planned": phase.planned}
        yield ReportGap(GapCode.ROUND_TO_COME, "director:rounds", division, figures=figures)
    if phase.step == DirectorStep.CONFIRM_SEEDS:
        yield ReportGap(GapCode.KNOCKOUT_UNSEEDED, "director:knockout", division)
    if phase.step in (DirectorStep.KNOCKOUT_RESULTS, DirectorStep.DRAW_LOT, DirectorStep.ENTER_WINNER):
        yield ReportGap(GapCode.KNOCKOUT_OPEN, "director:knockout", division)


def _find_open_games(part: ReportedDivision) -> Iterator[ReportGap]:
    """The rounds of the league with games that have no result, or one that is not settled."""
    by_round: dict[int, list[Pairing]] = {}
    for pairing in part.games:
        # The knock-out is told of as a whole, by its phase: which of its games are still needed depends on the results.
        if not pairing.round.is_knockout:
            by_round.setdefault(pairing.round.number, []).append(pairing)
    for number, pairings in by_round.items():
        round = pairings[0].round
        if missing := sum(pairing.result is None for pairing in pairings):
            figures = {"round": number, "count": missing}
            yield ReportGap(GapCode.OPEN_GAMES, "games:grid", part.division, (number,), figures)
        if unsettled := count_unsettled_results(round):
            figures = {"round": number, "count": unsettled}
            yield ReportGap(GapCode.UNSETTLED, "games:grid", part.division, (number,), figures)
