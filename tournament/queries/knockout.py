"""The knock-out of a division as a value: what is stored, read into `scoring.knockout`, with the players behind it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from django.db.models import Q

from scoring.knockout import Bracket, Fact, Form, Game, GameFacts, Key, MatchCriterion, Place, Problem, Rules, fitting
from tournament.models import Division, Entry, Knockout, MatchLot, Result, Seat, Seed
from tournament.queries import public_view
from tournament.queries.seats import by_pairing
from tournament.reports import PlayerReport, Report


@dataclass(frozen=True, slots=True)
class KnockoutState:
    """The current state of a division's knock-out: what was announced, and the bracket with players by entry id.

    `entries` holds everybody seeded, names and clubs included. `pairings` gives the id of the stored pairing of each
    game, by stage, position and game (from 1). `problems` are stored games that do not (or no longer) fit the bracket;
    it leaves them out. `games`, `lots` and `not_recorded` are what it was made from.
    """

    knockout: Knockout
    bracket: Bracket
    entries: Mapping[Key, Entry]
    pairings: Mapping[tuple[int, int, int], int]
    problems: tuple[Problem, ...] = ()
    games: Mapping[Place, list[Game]] = field(default_factory=dict)
    lots: Mapping[Place, Key] = field(default_factory=dict)
    not_recorded: Mapping[Place, set[Fact]] = field(default_factory=dict)

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
    def names(self) -> dict[Key, str]:
        """The names of everybody seeded, by entry id."""
        return {key: entry.name for key, entry in self.entries.items()}


def rules(knockout: Knockout) -> Rules:
    """How the knock-out is played: what was announced, and the tournament's rules. No query if those are loaded."""
    tournament = knockout.division.tournament
    return Rules(
        form=Form(knockout.form),
        best_of=knockout.best_of,
        criteria=tuple(MatchCriterion(name) for name in knockout.criteria),
        third_place=knockout.third_place,
        awards=tournament.awards,
        clauses=tournament.rules.clauses.knockout,
    )


Instead = Mapping[int, Report | None]
"""Results as somebody states them, by their pairing; None for none."""


def knockout_state(division: Division, *, instead: Instead = MappingProxyType({})) -> KnockoutState | None:
    """The knock-out of a division; None where none was announced. Six queries, whatever its size.

    `instead` replaces results, to find out how it would be with them.
    """
    knockout = Knockout.objects.filter(division=division).first()
    if knockout is None:
        return None
    knockout.division = division
    seeded = Seed.objects.filter(knockout=knockout).select_related("entry__player", "entry__club").order_by("number")
    # The seeding tells who stands where in the last table.
    entries = {seed.number: seed.entry for seed in seeded} if public_view.whole_league(division.pk) else {}
    seen = public_view.seen_stages(division.pk)
    drawn = MatchLot.objects.filter(seen, knockout=knockout).values_list("stage", "position", "winner_id")
    games, pairings = _games(division, instead)
    lots: dict[Place, Key] = {(stage, position): winner for stage, position, winner in drawn}
    not_recorded = _not_recorded(knockout, seen)
    bracket, problems = fitting(
        [entries[number].pk if number in entries else None for number in range(1, knockout.size + 1)],
        rules(knockout),
        games,
        lots,
        not_recorded,
    )
    return KnockoutState(
        knockout=knockout,
        bracket=bracket,
        entries={entry.pk: entry for entry in entries.values()},
        pairings=pairings,
        problems=problems,
        games=games,
        lots=lots,
        not_recorded=not_recorded,
    )


def _not_recorded(knockout: Knockout, seen: Q) -> dict[Place, set[Fact]]:
    """What the director has said was never written down, match by match. One query."""
    found: dict[Place, set[Fact]] = {}
    for stage, position, fact in knockout.not_recorded.filter(seen).values_list("stage", "position", "fact"):
        found.setdefault((stage, position), set()).add(Fact(fact))
    return found


def _games(division: Division, instead: Instead) -> tuple[dict[Place, list[Game]], dict[tuple[int, int, int], int]]:
    """The stored games of each match in order, and the ids of their pairings. Two queries."""
    official = Result.objects.filter(
        official=True, pairing__round__division=division, pairing__round__stage__isnull=False
    )
    official = official.filter(public_view.results())
    reports = {result.pairing_id: Report.of(result) for result in official} | dict(instead)
    seats = Seat.objects.filter(round__division=division, round__stage__isnull=False, pairing__table__isnull=False)
    seats = seats.filter(public_view.rounds("round"))
    where = ("round__stage", "pairing__table", "round__game")
    seated = by_pairing(seats.order_by(*where, "pairing_id"), *where)
    games: dict[Place, list[Game]] = {}
    pairings: dict[tuple[int, int, int], int] = {}
    for pairing, at in seated.items():
        if at.second is not None:
            stage, position, number = at.about
            pairings[stage, position, number] = pairing
            games.setdefault((stage, position), []).append(_game(at.first, at.second, reports.get(pairing)))
    return games, pairings


def _game(first: int, second: int, report: Report | None) -> Game:
    if report is None:
        return Game(first, second)
    return Game(
        first=first,
        second=second,
        outcome=report.outcome,
        first_points=report.first.points,
        second_points=report.second.points,
        first_facts=_facts(report.first),
        second_facts=_facts(report.second),
    )


def _facts(side: PlayerReport) -> GameFacts:
    return GameFacts(side.bingos, side.moves, side.seconds)


def stored_knockout(division: Division) -> Knockout | None:
    """A division's knock-out as it was announced; None where none is. One query."""
    found = Knockout.objects.filter(division=division).first()
    if found is not None:
        found.division = division
    return found
