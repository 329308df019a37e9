"""The whole schedule of an all-play-all: the rounds that there are, and those to come as they would be paired now."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from tournament.models import Division, Pairing, Round
from tournament.pairing.schedules import find_group_slots, get_scheduled_rounds, list_scheduled_pairs
from tournament.pairing.values import DrawRequest, Method
from tournament.results.league_games import list_division_entries
from tournament.rounds.draw_request import build_draw_request, list_present_and_charged
from tournament.rounds.due_days import list_rounds_to_publish
from tournament.rounds.plan import find_segment, read_round_plan
from tournament.rounds.team_matches import (
    TooFewTeams,
    get_rounds_a_match,
    group_by_match,
    name_teams_by_entry,
    prepare_team_draw,
)
from tournament.table.league import count_planned_rounds

NamedPair = tuple[str, str | None]
"""The home team and its opponent, or who starts and who replies; None opposite somebody with the bye."""


@dataclass(frozen=True, slots=True)
class ScheduleRound:
    """A round of the schedule; one that is not published may still change with whoever comes or leaves."""

    number: int
    pairs: tuple[NamedPair, ...]
    is_published: bool = False
    due_on: date | None = None


def is_all_play_all(division: Division) -> bool:
    """Whether no round of the plan waits for results. No query."""
    methods = {segment.method for segment in read_round_plan(division.plan)}
    return bool(methods) and methods <= {
        Method.ROUND_ROBIN,
        *([Method.TEAMS] if division.tournament.teams_play_all else []),
    }


def load_schedule(division: Division) -> list[ScheduleRound]:
    """The rounds of an all-play-all in order; empty where some wait for results. Rounds to come are left out where
    nothing says who meets in them: too few are there, or the games so far fit no schedule."""
    if not is_all_play_all(division):
        return []
    stored = {round.number: round for round in _load_stored_rounds(division)}
    to_come = {round.number: round for round in _foresee_rounds(division)}
    # What is paired stands as it is, also a draft, whatever would be foreseen for that round now.
    return [both for _number, both in sorted((to_come | stored).items())]


def _load_stored_rounds(division: Division) -> Iterator[ScheduleRound]:
    """The rounds that are paired. Five queries."""
    pairings = Pairing.objects.filter(round__division=division).exclude(kind=Pairing.Kind.ABSENT)
    by_round: dict[int, list[Pairing]] = {}
    for pairing in pairings.with_players().by_table():
        by_round.setdefault(pairing.round_id, []).append(pairing)
    teams, rounds_a_match = (
        name_teams_by_entry(list_division_entries(division)),
        get_rounds_a_match(division.tournament),
    )
    before: dict[frozenset[str | None], NamedPair] = {}
    for round in Round.objects.league().filter(division=division).in_order():
        games = by_round.get(round.pk, [])
        pairs: list[NamedPair] = [(game.first.name, game.second.name if game.second else None) for game in games]
        if round.method == Method.TEAMS:
            # In the further rounds of a match the other team is named first at the first table by turns.
            goes_on = (round.number - 1) % rounds_a_match
            pairs = [before.get(frozenset(pair), pair) if goes_on else pair for pair in group_by_match(games, teams)]
            before = {frozenset(pair): pair for pair in pairs}
        yield ScheduleRound(round.number, tuple(pairs), not round.is_draft, round.due_on)


def _foresee_rounds(division: Division) -> Iterator[ScheduleRound]:
    """The rounds that are not published, as far as the part of the plan goes in which they begin."""
    numbers = list_rounds_to_publish(division)
    present = list_present_and_charged(division, numbers[0])[0] if numbers else []
    if len(present) < 2:
        return
    segment = find_segment(read_round_plan(division.plan), numbers[0])
    first = numbers[0]
    going_on: list[NamedPair] = []
    rounds_a_match, rounds_left, names = 1, 0, {entry.pk: entry.name for entry in present}
    if segment.method == Method.TEAMS:
        try:
            team_draw = prepare_team_draw(division, first, segment=segment, seed=0, based_on=first - 1, present=present)
        except TooFewTeams:
            return
        request, names = team_draw.request, dict(team_draw.keys)
        rounds_a_match = get_rounds_a_match(division.tournament)
        going_on = [(match.home, match.away) for match in team_draw.goes_on]
        rounds_left = rounds_a_match - team_draw.game if going_on else 0
    else:
        # Any seed will do: who meets in an all-play-all follows from the seeding alone.
        request = build_draw_request(division, first, segment=segment, seed=0, based_on=first - 1, present=present)
    last = min(segment.last, count_planned_rounds(division))
    for later, number in enumerate(range(first, last + 1)):
        if later < rounds_left:
            yield ScheduleRound(number, tuple(going_on))
        # The request counts matches, the page counts rounds: a match stands in as many of them as it takes.
        elif pairs := _list_pairs(request, request.round + (later - rounds_left) // rounds_a_match, names):
            yield ScheduleRound(number, tuple(pairs))


def _list_pairs(request: DrawRequest, number: int, names: dict[int, str]) -> list[NamedPair]:
    """Who meets in match `number` of the schedule that the request follows; who would meet somebody missing rests."""
    scheduled, there = get_scheduled_rounds(request), {one.key for one in request.competitors}
    pairs: list[NamedPair] = []
    for slots in find_group_slots(request):
        for one, other in list_scheduled_pairs(slots, number - scheduled.first_round, scheduled.total):
            present = [key for key in (one, other) if key in there]
            if present:
                pairs.append((names[present[0]], names[present[1]] if len(present) == 2 else None))
    return sorted(pairs, key=lambda pair: (pair[1] is None, pair[0].casefold()))
