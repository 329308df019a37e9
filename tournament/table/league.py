"""The league's table and rounds, read for pages, paper and files in a fixed number of queries."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.db.models import Count, FilteredRelation, Max, Q

from scoring import standings
from scoring.teams import TeamRule
from tournament.basics.names import fold_text
from tournament.basics.showing import ShowingStep
from tournament.core.public_view import (
    EVERYTHING,
    RoundSight,
    build_confirmed_filter,
    build_results_filter,
    build_rounds_filter,
    find_last_seen_table,
    get_sight,
)
from tournament.models import Division, Entry, Pairing, Round
from tournament.models.play import RoundQuerySet
from tournament.pairing.values import Method
from tournament.results.knockout_state import load_knockout_state
from tournament.results.league_games import list_division_entries, list_league_games, select_table_entries

FIXED_METHODS = frozenset({Method.ROUND_ROBIN, Method.TEAMS})
"""Whose rounds may be published all at once, for no result decides who meets."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of the table: the figures, whose they are, the row above, with which `decided_by` compares them, how often
    the player has started and replied, and, where it was asked for, the row after the round before."""

    standing: standings.Standing
    entry: Entry
    above: standings.Standing | None = None
    starts: int = 0
    replies: int = 0
    before: standings.Standing | None = None


@dataclass(frozen=True, slots=True)
class LeagueTable:
    """The table of a division after a round; `missing` games of that round have no result yet."""

    division: Division
    ranking: standings.Ranking
    after: int
    missing: int
    rows: tuple[TableRow, ...]


def rank_entries(
    division: Division, field: Iterable[Entry], played: Sequence[standings.TableGame], *, after: int | None = None
) -> tuple[standings.Standing, ...]:
    """The standings of `field` from games in memory, lots drawn after that round included. One query."""
    last = after if after is not None else max((game.round for game in played), default=0)
    # Of this table alone: lots drawn after an earlier round say nothing of those whom a later one has left level.
    lots = [tuple(lot.order) for lot in division.lots.filter(after=last).order_by("pk")]
    contestants = [entry.as_contestant(last) for entry in field]
    tournament = division.tournament
    return standings.rank(contestants, played, tournament.ranking, tournament.awards, after=after, lots=lots)


def load_table(
    division: Division, *, after: int | None = None, moves: bool = False, entries: Sequence[Entry] | None = None
) -> LeagueTable:
    """The table after round `after` (None: with all that is known), but none later than the reader may see. Five
    queries, one more with `moves`, one less with the division's `entries` at hand. Late entries appear from the round
    they first play in."""
    everybody = list_division_entries(division) if entries is None else entries
    seen = find_last_seen_table(division.pk)
    if seen is not None:
        # An address may ask for any round. It is cut down to what is seen and not refused, since a refusal would tell
        # that there is more.
        after = seen if after is None else min(seen, after)
    played = list_league_games(division, after=after)
    last = after if after is not None else max((game.round for game in played), default=0)
    field: dict[standings.PlayerKey, Entry] = {entry.pk: entry for entry in everybody}
    ranked = rank_entries(division, select_table_entries(everybody, played, last), played, after=after)
    earlier = (
        rank_entries(division, select_table_entries(everybody, played, last - 1), played, after=last - 1)
        if moves
        else ()
    )
    before = {standing.player: standing for standing in earlier}
    begun = [game for game in played if game.has_begun]
    # Of games that began: where the opponent never came, nobody had the first move.
    starts, replies = Counter(game.first for game in begun), Counter(game.second for game in begun)
    return LeagueTable(
        division=division,
        ranking=division.tournament.ranking,
        after=last,
        missing=count_missing_results(division, last),
        rows=tuple(
            TableRow(
                standing,
                field[standing.player],
                above,
                starts[standing.player],
                replies[standing.player],
                before.get(standing.player),
            )
            # The second list is one longer, which `strict` would refuse: nobody stands below the last.
            for standing, above in zip(ranked, (None, *ranked), strict=False)
        ),
    )


def count_missing_results(division: Division, number: int) -> int:
    """How many games of a published round have no official result. One query."""
    return (
        Pairing.objects.filter(round__division=division, round__number=number, kind=Pairing.Kind.GAME)
        .exclude(round__state=Round.State.DRAFT)
        .exclude(results__official=True)
        .filter(build_rounds_filter("round", ShowingStep.RESULTS))
        .count()
    )


@dataclass(frozen=True, slots=True)
class RoundProgress:
    """A round, its games, and how many have an official result: 0 where `sight` does not show the reader results."""

    round: Round
    games: int
    done: int
    sight: RoundSight = EVERYTHING

    @property
    def missing(self) -> int:
        return self.games - self.done


def list_league_rounds(division: Division, *, drafts: bool = False) -> list[RoundProgress]:
    """The rounds of a division in order, with their progress. One query."""
    rounds = Round.objects.league().filter(division=division)
    return _list_progress(rounds if drafts else rounds.public())


def find_round_of_day(progress: Sequence[RoundProgress], today: date) -> RoundProgress | None:
    """The published round that is played now, as long as any lacks results. Of rounds with due days: the first whose
    day has not passed; of a schedule without days whose last rounds were published in one act: the first that lacks
    results, from the last one with any. Otherwise the last one; None without a published round. No query."""
    published = [item for item in progress if not item.round.is_draft]
    if any(item.missing for item in published):
        for item in published:
            if item.round.due_on is not None and item.round.due_on >= today:
                return item
        # A team cup publishes its whole schedule in one act: by the last round that is published, it would be said to
        # play its final round from the first evening on.
        if len(published) > 1 and published[-2].round.published_at == published[-1].round.published_at:
            last_begun = max((item.round.number for item in published if item.done), default=0)
            for item in published:
                is_scheduled = item.round.method in FIXED_METHODS and item.round.due_on is None
                if is_scheduled and item.missing and item.round.number >= last_begun:
                    return item
    return published[-1] if published else None


def find_round_to_prepare(progress: Sequence[RoundProgress], planned: int) -> int:
    """The number of the round to be paired next; 0 once all that are `planned` (0: as many as wanted) are. No query."""
    last = progress[-1].round.number if progress else 0
    return last + 1 if not planned or last < planned else 0


def list_knockout_rounds(division: Division) -> list[RoundProgress]:
    """The rounds of a division's knock-out by stage and game, with their progress. One query. Open games of matches
    that are over without them do not count; where there may be some, six more queries."""
    rounds = _list_progress(Round.objects.filter(division=division, stage__isnull=False))
    for progress in rounds:
        progress.round.division = division
    # Such games lie before a round that has results already. Where none is open there, which is nearly always so, the
    # bracket need not be worked out.
    last_done = max((item.round.number for item in rounds if item.done), default=0)
    if not any(item.missing and item.round.number < last_done for item in rounds):
        return rounds
    state = load_knockout_state(division)
    idle = Pairing.objects.filter(pk__in=state.not_played if state else ()).values_list("round_id", flat=True)
    counted = Counter(idle)
    return [replace(item, games=item.games - counted[item.round.pk]) for item in rounds]


def _list_progress(rounds: RoundQuerySet) -> list[RoundProgress]:
    """A pairing has one official result at most, so nothing is counted twice."""
    is_game, is_seen = Q(pairings__kind=Pairing.Kind.GAME), build_confirmed_filter("pairings")
    counted = (
        rounds.filter(build_rounds_filter())
        # Joined by the official version alone: counted over all of them, a game corrected twice would be done three
        # times.
        .annotate(official=FilteredRelation("pairings__results", condition=Q(pairings__results__official=True)))
        .annotate(games=Count("pairings", filter=is_game), done=Count("official", filter=is_game & is_seen))
        .in_order()
    )
    return [
        RoundProgress(round, round.games, round.done if sight.results else 0, sight)  # type: ignore[attr-defined]  # annotated above
        for round, sight in ((round, get_sight(round)) for round in counted)
    ]


def list_round_pairings(round: Round) -> list[Pairing]:
    """A round's pairings by table; those of a draft drawn anew meanwhile are left out. Four queries."""
    pairings = Pairing.objects.filter(build_rounds_filter("round"), round=round)
    pairings = pairings.with_players().with_results(build_results_filter()).by_table()
    # Players come by a query of their own: of a draft that is drawn anew between the two, pairings are left that nobody
    # sits in.
    listed = [pairing for pairing in pairings if pairing.seats.all()]
    for pairing in listed:
        pairing.round = round
    return listed


def get_last_round_number(division: Division) -> int:
    """The number of the last round that is published or closed; 0 before the first. One query."""
    public = Round.objects.league().filter(build_rounds_filter(), division=division).public()
    return public.aggregate(last=Max("number"))["last"] or 0


def plans_team_matches(division: Division) -> bool:
    """Whether teams meet in some round of the plan. No query."""
    return any(segment["method"] == Method.TEAMS for segment in division.plan)


def have_teams(divisions: Iterable[Division]) -> bool:
    """Whether an event with these divisions has teams: a table of teams, or rounds in which they meet. No query."""
    return any(division.tournament.team_rule != TeamRule.NONE or plans_team_matches(division) for division in divisions)


def make_team_order_key(entry: Entry) -> tuple[bool, int, int, int, int]:
    """By which the players of a team are ordered: those with a board first, then by rating."""
    return entry.board is None, entry.board or 0, -(entry.rating or 0), entry.position, entry.pk


def load_boards(division: Division) -> dict[int, int] | None:
    """By entry the place of everybody who has a board among those of the team who have one, as lists say it: 1 to n,
    whatever gaps there are; None in a division without teams, without a query. One query."""
    if not have_teams([division]):
        return None
    boards: dict[int, int] = {}
    players: Counter[str] = Counter()
    for entry in sorted(list_division_entries(division), key=make_team_order_key):
        if entry.board is not None:
            team = fold_text(entry.team_name)
            players[team] += 1
            boards[entry.pk] = players[team]
    return boards


def is_foreseen(division: Division) -> bool:
    """Whether it can be said what may still happen: not where teams decide who plays, nor by Keizer, where each result
    moves what all others count. No query."""
    return not plans_team_matches(division) and division.tournament.basis != standings.RankingBasis.KEIZER


def count_planned_rounds(division: Division) -> int:
    """How many rounds are planned; 0 without a plan. No query."""
    return max((segment["rounds"][1] for segment in division.plan), default=0)
