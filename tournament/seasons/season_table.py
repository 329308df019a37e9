"""A season worked out from the results of its events; what is not public counts nowhere."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.shortcuts import get_object_or_404

from games.sessions.session_state import rank_session
from scoring import season as rule
from scoring.qualification import Candidate, Qualified, qualify
from scoring.rulesets import RULESETS
from scoring.season import EventField, EventPerformance, SeasonRow, SeasonRule
from scoring.standings import PlayerKey
from tournament.basics.likeness import list_possible_pairs
from tournament.core.public_view import count_shown_moments, list_unseen_rounds, open_public_view
from tournament.ending.final_ranking import load_final_ranking, may_be_final
from tournament.entries.operations.register import list_two_people
from tournament.models import (
    Division,
    Entry,
    HandedInEvent,
    Organiser,
    Player,
    Round,
    SamePerson,
    Season,
    SeasonEvent,
    Seat,
)
from tournament.models.organiser import prefetch_players
from tournament.table.league import list_league_rounds
from tournament.table.public_table import find_current_round_number, load_public_table

SESSION_RULES = (SeasonRule.PLACES, SeasonRule.QUALIFYING, SeasonRule.MEDIAN)
"""What can be counted of a session, too: places and points."""


class EventState(StrEnum):
    OVER = "over"
    RUNNING = "running"
    NOT_BEGUN = "not_begun"
    HIDDEN = "hidden"  # its tournament is not public, so nothing of it may be seen


@dataclass(frozen=True, slots=True)
class CountedEvent:
    """An event of a season, how it stands, and whether it counts. `one_of_several`: its tournament has others."""

    event: SeasonEvent
    standing: EventState
    counts: bool
    one_of_several: bool = False

    @property
    def division(self) -> Division:
        return self.event.division


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """A row of the season's table: the figures, the player, their entry in each event by the event's number, and their
    rank before the last event, if they had one."""

    row: SeasonRow
    player: Player
    entries: Mapping[int, Entry]
    before: int | None = None


@dataclass(frozen=True, slots=True)
class SeasonTable:
    """A season as it stands. `events` are in order of days; the number of one is its place in `counted`. `qualified`
    are those who qualify as things stand, in order. `questions` are pairs who may be one person; `clashes` decisions
    that they are although both play in one event."""

    season: Season
    events: tuple[CountedEvent, ...]
    lines: tuple[SeasonLine, ...]
    decisions: tuple[SamePerson, ...] = ()
    questions: tuple[tuple[Player, Player], ...] = ()
    clashes: tuple[SamePerson, ...] = ()
    qualified: tuple[Qualified, ...] = ()

    @property
    def counted(self) -> tuple[CountedEvent, ...]:
        return tuple(event for event in self.events if event.counts)

    @property
    def players(self) -> dict[PlayerKey, Player]:
        """The players of its rows."""
        return {line.row.player: line.player for line in self.lines}

    @property
    def has_qualifying_places(self) -> bool:
        """Whether players can qualify through the season."""
        return self.season.counting.rule == SeasonRule.QUALIFYING

    @property
    def public(self) -> tuple[CountedEvent, ...]:
        """The events that anybody may see."""
        return tuple(event for event in self.events if event.standing != EventState.HIDDEN)


def list_organiser_seasons(organiser: Organiser) -> QuerySet[Season]:
    return Season.objects.filter(organiser=organiser).order_by("name", "pk")


def list_public_seasons(organiser: Organiser | None = None) -> list[Season]:
    """The public seasons, of everybody or of one organiser, by name. One query."""
    seasons = Season.objects.filter(is_public=True).select_related("organiser").order_by("name", "pk")
    return list(seasons if organiser is None else seasons.filter(organiser=organiser))


def get_public_season(slug: str) -> Season:
    """A public season; 404 if there is none."""
    return get_object_or_404(Season.objects.filter(is_public=True).select_related("organiser"), slug=slug)


def list_season_events(season: Season) -> list[SeasonEvent]:
    """The events of a season by day, with their tournaments and how many `divisions` these have. One query."""
    events = season.events.select_related("season", "division__tournament", "division__knockout")
    events = events.annotate(divisions=Count("division__tournament__divisions"))
    # Said, as the two databases put events without a day at different ends.
    first_day = F("division__tournament__starts_on").asc(nulls_last=True)
    return list(events.order_by(first_day, "division__tournament", "division"))


def list_countable_events(season: Season) -> QuerySet[Division]:
    """The organiser's events that the season counts or can count, newest first, with `divisions`; sessions only where
    what counts can be counted of them."""
    # What a ruleset is like stands in no column: the query can only ask by their keys.
    paired = [ruleset.key for ruleset in RULESETS.values() if ruleset.is_paired]
    divisions = Division.objects.filter(tournament__organiser=season.organiser_id)
    divisions = divisions if season.rule in SESSION_RULES else divisions.filter(tournament__ruleset__in=paired)
    divisions = divisions.select_related("tournament").annotate(divisions=Count("tournament__divisions"))
    return divisions.order_by(F("tournament__starts_on").desc(nulls_last=True), "-tournament", "position", "pk")


def list_possible_events(season: Season) -> QuerySet[Division]:
    """The events of `list_countable_events` that the season does not count yet."""
    return list_countable_events(season).exclude(pk__in=season.events.values("division"))


def load_handing_clubs(organiser: Organiser) -> dict[int, str]:
    """The clubs that have handed in the organiser's confirmed events, by the events' tournaments. One query."""
    handed_in = HandedInEvent.objects.filter(tournament__organiser=organiser)
    return dict(handed_in.values_list("tournament", "link__name"))


def get_season_state(season: Season) -> str:
    """What changes whenever the table may: revisions of register and events, how much is shown by now. Two queries."""
    # Revisions only rise, so their sum is another one as soon as one of them is; which events there are is in the
    # register's own.
    revisions = season.events.values_list("division__tournament", "division__tournament__revision").distinct()
    seen = count_shown_moments(Round.objects.filter(division__season_events__season=season))
    return f"{season.organiser.revision}-{sum(revision for _tournament, revision in revisions)}-{seen}"


def build_season_table(season: Season) -> SeasonTable:
    """A season worked out. Two queries, five where places qualify, and, for each event that has begun, those of its
    final ranking."""
    events, played = [], []
    listed = list_season_events(season)
    places = _load_event_fields(listed) if season.rule == SeasonRule.QUALIFYING else {}
    for event in listed:
        standing, performances = read_public_event(event.division)
        counts = standing == EventState.OVER or (standing == EventState.RUNNING and season.with_running)
        several = event.divisions > 1  # type: ignore[attr-defined]  # annotated by `list_season_events`
        events.append(CountedEvent(event, standing, counts, several))
        if counts:
            # How many have played is asked for only where places qualify; no other rule reads it.
            of = places.get(event.division_id, EventField((0,)))
            played.append([(entry, replace(performance, field=of)) for entry, performance in performances])
    decisions = tuple(season.decisions.prefetch_related(*map(prefetch_players, ("one", "other"))).order_by("pk"))
    players = Player.objects.with_names().in_bulk(
        {entry.player_id for event_performances in played for entry, _performance in event_performances}
    )
    fields = [{entry.player_id for entry, _performance in event_performances} for event_performances in played]
    person, clashes = _group_players(players, decisions, fields)
    lines = _build_season_lines(season, played, players, person)
    questions = tuple(_find_open_questions(players, decisions, person, fields))
    qualified = _list_qualified(season, lines, players, person) if season.rule == SeasonRule.QUALIFYING else ()
    return SeasonTable(season, tuple(events), lines, decisions, questions, clashes, qualified)


def _load_event_fields(events: Sequence[SeasonEvent]) -> dict[int, EventField]:
    """How many have played in each division of these events, by the division that is counted, as far as everybody may
    know. Three queries."""
    tournaments = [event.division.tournament_id for event in events]
    seated = Seat.objects.filter(entry=OuterRef("pk")).exclude(round__state=Round.State.DRAFT)
    seated = seated.exclude(round__in=list_unseen_rounds())
    is_session = ~Q(tournament__ruleset__in=[key for key, rules in RULESETS.items() if rules.is_paired])
    # Of a session nobody has a seat: whoever is entered has played.
    entries = Entry.objects.filter(Exists(seated) | is_session, tournament__in=tournaments)
    counted = dict(entries.order_by().values_list("division").annotate(count=Count("pk")))
    divisions: dict[int, list[int]] = defaultdict(list)
    for pk, tournament in (
        Division.objects.filter(tournament__in=tournaments).order_by("position", "pk").values_list("pk", "tournament")
    ):
        divisions[tournament].append(pk)
    fields = {}
    for event in events:
        beside = divisions[event.division.tournament_id]
        sizes = tuple(counted.get(pk, 0) for pk in beside)
        fields[event.division_id] = EventField(sizes, beside.index(event.division_id), event.direct)
    return fields


def _list_qualified(
    season: Season, lines: Sequence[SeasonLine], players: Mapping[int, Player], person: Mapping[int, int]
) -> tuple[Qualified, ...]:
    """Who qualifies, by the ratings and games that the register has now; of one person under two names the row with
    more games counts."""
    candidates: dict[PlayerKey, Candidate] = {}
    for pk, player in players.items():
        candidate = candidates.get(person[pk])
        if candidate is None or player.games > candidate.games:
            candidates[person[pk]] = Candidate(player.rating, player.games)
    return qualify([line.row for line in lines], candidates, season.qualifying_rules)


def read_public_event(division: Division) -> tuple[EventState, list[tuple[Entry, EventPerformance]]]:
    """How an event stands as the public sees it, and what all have reached in it: finally, or by the table so far."""
    if not division.tournament.is_public:
        return EventState.HIDDEN, []
    if not division.tournament.rules.is_paired:
        return _read_session(division)
    # For the director as well: what an event holds back until its ceremony must not be read off a season.
    with open_public_view(division.tournament):
        progress = list_league_rounds(division)
        if may_be_final(division, progress) and (ranking := load_final_ranking(division)).is_final:
            state, places = EventState.OVER, [(row.entry, row.ranked.place, row.standing) for row in ranking.rows]
        elif current := find_current_round_number(progress):
            table = load_public_table(division, progress, after=current)
            state, places = (
                EventState.RUNNING,
                [(line.entry, line.standing.rank, line.standing) for line in table.lines],
            )
        else:
            return EventState.NOT_BEGUN, []
    performances = []
    for entry, place, row in places:
        figures = (row.half_wins, row.spread, row.points, row.games) if row else (0, 0)
        performances.append((entry, EventPerformance(division.pk, entry.player_id, place, *figures)))
    return state, performances


def _read_session(division: Division) -> tuple[EventState, list[tuple[Entry, EventPerformance]]]:
    """The same of a session, which has places and points, but neither wins nor spread."""
    ranking = rank_session(division)
    places = [
        (entry, EventPerformance(division.pk, entry.player_id, place, 0, 0, ranking.points[entry.pk]))
        for entry, place in ranking.ranks
    ]
    if not places:
        return EventState.NOT_BEGUN, []
    return (EventState.OVER if ranking.is_over or division.tournament.is_ended else EventState.RUNNING), places


def _group_players(
    players: Mapping[int, Player], decisions: Iterable[SamePerson], fields: Sequence[set[int]]
) -> tuple[dict[int, int], tuple[SamePerson, ...]]:
    """The player under whose name (the first in the register) each one counts, and the decisions that clash in an
    event."""
    groups = {player: {player} for player in players}
    clashes = []
    for decision in decisions:
        # Whoever has played in no event that counts is in no group, and the decision waits until they have.
        if not decision.is_same or not {decision.one_id, decision.other_id} <= groups.keys():
            continue
        # All of a group share one set, so that A = B and B = C make A = C; `is` tells whether two were in one group
        # before.
        one, other = groups[decision.one_id], groups[decision.other_id]
        joined = one | other
        if one is not other and any(len(joined & field) > 1 for field in fields):
            clashes.append(decision)
        else:
            groups |= dict.fromkeys(joined, joined)
    return {player: min(group) for player, group in groups.items()}, tuple(clashes)


def _build_season_lines(
    season: Season,
    played: list[list[tuple[Entry, EventPerformance]]],
    players: Mapping[int, Player],
    person: Mapping[int, int],
) -> tuple[SeasonLine, ...]:
    """The table, level rows by name."""
    showings: list[EventPerformance] = []
    entries: dict[int, dict[int, Entry]] = defaultdict(dict)
    for number, performances in enumerate(played):
        for entry, performance in performances:
            who = person[entry.player_id]
            entries[who][number] = entry
            showings.append(replace(performance, event=number, player=who))
    # By name beforehand: the table keeps the order of those who share a rank.
    showings.sort(key=lambda showing: (players[int(showing.player)].sort_name, showing.player))
    last = len(played) - 1
    # The table before the last event is worked out anew, since a corrected result of an earlier one moves it, too.
    earlier = rule.table([showing for showing in showings if showing.event != last], season.counting)
    before = {row.player: row.rank for row in earlier}
    return tuple(
        SeasonLine(row, players[int(row.player)], entries[int(row.player)], before.get(row.player))
        for row in rule.table(showings, season.counting)
    )


def _find_open_questions(
    players: Mapping[int, Player],
    decisions: Iterable[SamePerson],
    person: Mapping[int, int],
    fields: Sequence[set[int]],
) -> Iterable[tuple[Player, Player]]:
    """Pairs of players with the same name or similar ones who never played in one event, and on whom nobody has
    decided, neither in the season nor in the register."""
    decided = {(decision.one_id, decision.other_id) for decision in decisions} | list_two_people(players)
    for one, other in list_possible_pairs({pk: player.name for pk, player in players.items()}):
        both_played = any({one, other} <= field for field in fields)
        if (one, other) not in decided and person[one] != person[other] and not both_played:
            yield players[one], players[other]
