"""The knock-out of a division as a value, with the players behind it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from django.db.models.functions import Coalesce

from scoring.knockout import find_places_before, fit_bracket
from scoring.knockout_values import (
    Bracket,
    FactKind,
    GameFacts,
    KnockoutGame,
    KnockoutProblem,
    KnockoutRules,
    KnockoutSystem,
    MatchCriterion,
    MatchFormat,
    MatchPlace,
)
from scoring.standings import PlayerKey
from tournament.core.public_view import (
    build_results_filter,
    build_rounds_filter,
    build_stages_filter,
    is_whole_league_seen,
)
from tournament.core.reports import Report
from tournament.models import Division, Entry, Knockout, MatchLot, Result, Seat, Seed
from tournament.models.event import prefetch_entries
from tournament.results.league_games import (
    list_division_entries,
    list_league_games,
    load_players_by_pairing,
    select_table_entries,
)


@dataclass(frozen=True, slots=True)
class KnockoutState:
    """A division's knock-out: what was announced, and the bracket with players by entry id. `entries` holds everybody
    seeded, names and clubs included; `pairings` the id of each game's pairing, by stage, position and game (from 1),
    `tables` where each match is played.
    `problems` are stored games that do not (or no longer) fit the bracket, which leaves them out. `games`, `lots`,
    `not_recorded`, `by_own_criterion` and the `places` before the knock-out are what it was made from."""

    knockout: Knockout
    bracket: Bracket
    entries: Mapping[PlayerKey, Entry]
    pairings: Mapping[tuple[int, int, int], int]
    tables: Mapping[MatchPlace, int] = field(default_factory=dict)
    problems: tuple[KnockoutProblem, ...] = ()
    games: Mapping[MatchPlace, list[KnockoutGame]] = field(default_factory=dict)
    lots: Mapping[MatchPlace, PlayerKey] = field(default_factory=dict)
    not_recorded: Mapping[MatchPlace, set[FactKind]] = field(default_factory=dict)
    by_own_criterion: Collection[MatchPlace] = ()
    places: Mapping[PlayerKey, int] = field(default_factory=dict)

    @property
    def not_played(self) -> frozenset[int]:
        """The pairings of open games whose match is over without them: nobody plays them any more."""
        return frozenset(
            self.pairings[match.stage, match.position, due.number]
            for match in self.bracket.matches
            if match.is_over
            for due in match.needed
            if due.is_open and (match.stage, match.position, due.number) in self.pairings
        )

    @property
    def names(self) -> dict[PlayerKey, str]:
        """The names of everybody seeded, by entry id."""
        return {key: entry.name for key, entry in self.entries.items()}


def get_knockout_rules(knockout: Knockout) -> KnockoutRules:
    """How the knock-out is played: what was announced, and the tournament's rules. No query if those are loaded."""
    tournament = knockout.division.tournament
    return KnockoutRules(
        form=MatchFormat(knockout.form),
        best_of=knockout.best_of,
        criteria=tuple(MatchCriterion(name) for name in knockout.criteria),
        third_place=knockout.third_place,
        awards=tournament.awards,
        clauses=tournament.rules.clauses.knockout,
        own_criterion=knockout.own_criterion,
        system=KnockoutSystem(knockout.system),
    )


ReplacedResults = Mapping[int, Report | None]  # results as somebody states them, by their pairing; None for none


def load_knockout_state(division: Division, *, instead: ReplacedResults = MappingProxyType({})) -> KnockoutState | None:
    """A division's knock-out, None without one, with results replaced by those `instead`. Seven queries,
    four more where level matches are decided by the places before it."""
    knockout = get_stored_knockout(division)
    if knockout is None:
        return None
    seeded = Seed.objects.filter(knockout=knockout).prefetch_related(prefetch_entries("entry")).order_by("number")
    # The seeding tells who stands where in the last table.
    entries = {seed.number: seed.entry for seed in seeded} if is_whole_league_seen(division.pk) else {}
    seen = build_stages_filter(division.pk)
    drawn = MatchLot.objects.filter(seen, knockout=knockout).order_by("pk")
    games, pairings, tables = _load_games(division, instead)
    lots: dict[MatchPlace, PlayerKey] = {(lot.stage, lot.position): lot.winner_id for lot in drawn}
    by_own_criterion = {(lot.stage, lot.position) for lot in drawn if lot.by_own_criterion}
    not_recorded: dict[MatchPlace, set[FactKind]] = {}  # what the director has said was never written down
    for stage, position, fact in knockout.not_recorded.filter(seen).values_list("stage", "position", "fact"):
        not_recorded.setdefault((stage, position), set()).add(FactKind(fact))
    places = load_places_before(knockout, [entry.pk for entry in entries.values()])
    bracket, problems = fit_bracket(
        [entries[number].pk if number in entries else None for number in range(1, knockout.size + 1)],
        get_knockout_rules(knockout),
        games,
        lots,
        not_recorded,
        by_own_criterion,
        places,
    )
    return KnockoutState(
        knockout=knockout,
        bracket=bracket,
        entries={entry.pk: entry for entry in entries.values()},
        pairings=pairings,
        tables=tables,
        problems=problems,
        games=games,
        lots=lots,
        not_recorded=not_recorded,
        by_own_criterion=by_own_criterion,
        places=places,
    )


def compares_places(knockout: Knockout) -> bool:
    """Whether level matches may be decided by the places before the knock-out. No query."""
    return MatchCriterion.PRELIMINARY_RANK in knockout.criteria


def load_places_before(knockout: Knockout, seeded: Collection[int]) -> dict[PlayerKey, int]:
    """Where the seeded players stand in the table of the league, by entry id; empty where no match asks for it. Four
    queries."""
    if not seeded or not compares_places(knockout):
        return {}
    division = knockout.division
    # By the table, not by the numbers of the seeding: by these a second who was seeded first won each level match, and
    # of two who share a place one stood before the other.
    played = list_league_games(division)
    # The last round with a result, as the table of the league has it: lots of an earlier round separate nobody in it
    # any more.
    last = max((game.round for game in played), default=0)
    field = select_table_entries(list_division_entries(division), played, last)
    return find_places_before(
        seeded,
        [entry.as_contestant(last) for entry in field],
        played,
        division.tournament.ranking,
        division.tournament.awards,
        [tuple(lot.order) for lot in division.lots.filter(after=last).order_by("pk")],
    )


def _load_games(
    division: Division, instead: ReplacedResults
) -> tuple[dict[MatchPlace, list[KnockoutGame]], dict[tuple[int, int, int], int], dict[MatchPlace, int]]:
    """The stored games of each match in order, the ids of their pairings, and its table. Two queries."""
    official = Result.objects.filter(
        official=True, pairing__round__division=division, pairing__round__stage__isnull=False
    )
    official = official.filter(build_results_filter())
    # After the stored ones, and with None kept: a page that looks at what taking a result back would do states None,
    # which has to hide the result that is still there.
    reports = {result.pairing_id: Report.of(result) for result in official} | dict(instead)
    seats = Seat.objects.filter(round__division=division, round__stage__isnull=False, pairing__table__isnull=False)
    seats = seats.filter(build_rounds_filter("round"))
    seats = seats.annotate(match_position=Coalesce("pairing__position", "pairing__table"))
    where = ("round__stage", "match_position", "round__game", "pairing__table")
    # In the order of the games: a bracket takes the first of the list for game 1, whatever number the row has.
    seated = load_players_by_pairing(seats.order_by(*where, "pairing_id"), *where)
    games: dict[MatchPlace, list[KnockoutGame]] = {}
    pairings: dict[tuple[int, int, int], int] = {}
    tables: dict[MatchPlace, int] = {}
    for pairing, at in seated.items():
        if at.second is not None:
            stage, position, number, table = at.about
            tables[stage, position] = table
            pairings[stage, position, number] = pairing
            games.setdefault((stage, position), []).append(_make_game(at.first, at.second, reports.get(pairing)))
    return games, pairings, tables


def _make_game(first: int, second: int, report: Report | None) -> KnockoutGame:
    if report is None:
        return KnockoutGame(first, second)
    return KnockoutGame(
        first=first,
        second=second,
        outcome=report.outcome,
        first_points=report.first.points,
        second_points=report.second.points,
        first_facts=GameFacts(report.first.bingos, report.first.moves, report.first.seconds),
        second_facts=GameFacts(report.second.bingos, report.second.moves, report.second.seconds),
    )


def get_stored_knockout(division: Division) -> Knockout | None:
    """A division's knock-out as it was announced; None where none is. One query."""
    knockout = Knockout.objects.filter(division=division).first()
    if knockout is not None:
        # The division at hand: fetched by the knock-out, its tournament would be asked for once more with it.
        knockout.division = division
    return knockout
