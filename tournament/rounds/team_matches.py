"""Rounds of team matches: who lines up for a team, which teams meet, and the matches that the games add up to. Only
games are stored; a match is the run of consecutive rounds in which the same two teams meet."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext_lazy as _

from scoring.awards import Outcome
from scoring.standings import PlayerKey
from scoring.team_matches import (
    BoardGame,
    LeaverMatches,
    MatchTableRow,
    TeamFormat,
    TeamMatch,
    TeamPairing,
    list_boards,
    rank_matches,
    strike_matches,
)
from tournament.basics.names import fold_text
from tournament.basics.refusals import Refusal
from tournament.core.division_tables import TableRange, find_free_tables
from tournament.core.public_view import find_last_seen_table
from tournament.models import Division, Entry, Pairing, Round, Tournament
from tournament.pairing.seating import assign_tables
from tournament.pairing.values import (
    ByePolicy,
    ChosenPair,
    Competitor,
    DraftPair,
    DrawRequest,
    LaterRound,
    Meeting,
    Method,
    PairFlag,
    Reason,
    ReasonCode,
    ScheduledRounds,
    StarterReason,
)
from tournament.results.league_games import list_division_entries
from tournament.rounds.plan import PlanSegment, find_segment, read_round_plan
from tournament.rounds.why_not import PlayerNotSeated
from tournament.table.league import count_planned_rounds, make_team_order_key
from tournament.table.published_games import PlayerRound, PublishedGames, load_published_games

LAST_IN_ORDER = 10**6  # after every board, every table and every rank
FEWEST_TEAMS = 2


class TooFewTeams(Refusal, code="too_few_teams"):
    message = _("Teams to pair in round %(number)s: %(teams)s. It takes at least two with a player who is there.")


def group_teams(entries: Iterable[Entry]) -> dict[str, list[Entry]]:
    """The players of each team by its name, as it is first spelled; without those who play for none."""
    names: dict[str, str] = {}
    entries_by_team: dict[str, list[Entry]] = {}
    for entry in entries:
        if name := entry.team_name:
            entries_by_team.setdefault(names.setdefault(fold_text(name), name), []).append(entry)
    return {name: sorted(members, key=make_team_order_key) for name, members in entries_by_team.items()}


def find_left_teams(entries: Iterable[Entry]) -> frozenset[str]:
    """The teams that have left: all their players have withdrawn or were disqualified. Nothing else is stored of it, so
    that a file, an undo or a newcomer says the same as the players do."""
    teams = group_teams(entries)
    return frozenset(team for team, members in teams.items() if all(member.is_withdrawn for member in members))


def list_line_ups(present: Iterable[Entry], boards: int) -> dict[str, list[Entry]]:
    """Who lines up for each team, by boards: the first players of its order who are there, as many as there are boards.
    The others are reserves."""
    return {team: members[:boards] for team, members in group_teams(present).items()}


@dataclass(frozen=True, slots=True)
class DivisionMatches:
    """The matches of a division in order, as far as the reader may see them, and the table of teams by these; `names`
    of all its teams by their players' ids, `left` those that have left. `seen`: the last round whose table the reader
    may see, None for all."""

    division: Division
    matches: tuple[TeamMatch, ...]
    names: Mapping[PlayerKey, str]
    entries: Mapping[PlayerKey, Entry]
    left: frozenset[str]
    seen: int | None

    @property
    def teams(self) -> list[str]:
        return sorted(set(self.names.values()), key=fold_text)

    @property
    def ranked(self) -> list[TeamMatch]:
        """The matches that the table may count."""
        return [match for match in self.matches if self.seen is None or match.games[-1].round <= self.seen]

    @property
    def rows(self) -> tuple[MatchTableRow, ...]:
        """The table of the teams by these matches."""
        return rank_matches(self.teams, self.ranked, self.left)

    @property
    def running(self) -> int:
        """How many matches do not count in the table yet."""
        return sum(not match.counts and not match.is_struck for match in self.ranked)

    @property
    def after(self) -> int:
        """The last match that counts; 0: none."""
        return max((match.number for match in self.ranked if match.counts), default=0)


def get_rounds_a_match(tournament: Tournament) -> int:
    """How many rounds a match takes."""
    return tournament.team_best if tournament.team_format == TeamFormat.ALL else 1


def load_team_matches(division: Division) -> DivisionMatches:
    """The matches of all published rounds of a division. Four queries."""
    entries: dict[PlayerKey, Entry] = {entry.pk: entry for entry in list_division_entries(division)}
    names: dict[PlayerKey, str] = dict(name_teams_by_entry(entries.values()).items())
    rounds = Round.objects.league().public().filter(division=division, method=Method.TEAMS)
    numbers = list(rounds.in_order().values_list("number", flat=True))
    left = find_left_teams(entries.values())
    matches = _collect_matches(division.tournament, load_published_games(division), numbers, names) if numbers else ()
    tournament = division.tournament
    rule, pairing = LeaverMatches(tournament.team_leavers), TeamPairing(tournament.team_pairing)
    counted = strike_matches(matches, left, rule, pairing)
    return DivisionMatches(division, counted, names, entries, left, find_last_seen_table(division.pk))


def _collect_matches(
    tournament: Tournament, played: PublishedGames, numbers: Sequence[int], names: Mapping[PlayerKey, str]
) -> tuple[TeamMatch, ...]:
    """The matches of these rounds, each over as many rounds as it takes; one that was broken off counts as ended."""
    rounds_a_match, number = get_rounds_a_match(tournament), 0
    matches: list[TeamMatch] = []
    running: dict[tuple[str, str | None], list[BoardGame]] = {}  # by the home team and the other one
    rounds: list[int] = []  # of the matches that are running

    def close() -> None:
        for (home, away), games in running.items():
            # The end of the event makes whole what it has cut short: no further game of it will be played.
            is_complete = len(rounds) == rounds_a_match or tournament.is_ended
            counts = is_complete and not any(game.is_open for game in games)
            matches.append(TeamMatch(number, home, away, tuple(games), counts))
        running.clear()
        rounds.clear()

    for round in numbers:
        pairs = _split_round(played, round, names)
        if not pairs:  # its pairings are not seen yet
            continue
        # All rounds are played, or other teams meet: whatever was running is over, complete or broken off.
        if len(rounds) == rounds_a_match or any(_find_running_match(pair, running) is None for pair in pairs):
            close()
        # Where nothing is running the next match begins, with a number of its own.
        number += not running
        rounds.append(round)
        for pair, games in pairs.items():
            teams = _find_running_match(pair, running) or pair
            running.setdefault(teams, []).extend(map(_turn_game, games) if teams[0] != pair[0] else games)
    close()
    return tuple(matches)


def _find_running_match(
    pair: tuple[str, str | None], running: Iterable[tuple[str, str | None]]
) -> tuple[str, str | None] | None:
    """The match that two teams go on with; None where they begin another one. A team alone goes on with its match, too:
    nobody of the other team is left. Taken for a new match, its bye would break off those of all other teams."""
    home, away = pair
    return next((teams for teams in running if {*teams} == {home, away} or (away is None and home in teams)), None)


def _split_round(
    played: PublishedGames, round: int, names: Mapping[PlayerKey, str]
) -> dict[tuple[str, str | None], list[BoardGame]]:
    """The games of a round by the teams that meet, in the order of tables; a player with a bye belongs to the match of
    the player's team. The home team is the one whose player is named first at the first table."""
    # A game stands in the meetings of both players; taken from whoever is named first it comes up once.
    rounds_of_players = [rounds for rounds in played.meetings.values() if round in rounds]
    meetings = [rounds[round] for rounds in rounds_of_players if rounds[round].first and rounds[round].entry in names]
    # Byes last: by then the other boards have told whom the team meets.
    meetings.sort(key=lambda meeting: meeting.table or LAST_IN_ORDER)
    against: dict[str, tuple[str, str | None]] = {}
    games_by_pair: dict[tuple[str, str | None], list[BoardGame]] = defaultdict(list)
    for meeting in meetings:
        own, other = names[meeting.entry], names.get(meeting.opponent) if meeting.opponent else None
        if meeting.opponent is None and meeting.outcome == Outcome.ABSENT:
            continue
        pair = against.get(own) or (own, other)
        against.setdefault(own, pair)
        if other is not None:
            against.setdefault(other, pair)
        games_by_pair[pair].append(_build_board_game(played, meeting, is_home=own == pair[0]))
    return dict(games_by_pair)


def _build_board_game(played: PublishedGames, meeting: PlayerRound, *, is_home: bool) -> BoardGame:
    """A meeting, seen by who is named first, as a game of the match."""
    reply = played.meetings[meeting.opponent][meeting.round] if meeting.opponent else None
    own, other = meeting.credit, reply.credit if reply else None
    game = BoardGame(
        round=meeting.round,
        table=meeting.table,
        home=meeting.entry,
        away=meeting.opponent,
        home_half_wins=own.half_wins if own else None,
        away_half_wins=other.half_wins if other else None,
        home_spread=own.spread if own else 0,
        away_spread=other.spread if other else 0,
    )
    return game if is_home else _turn_game(game)


def _turn_game(game: BoardGame) -> BoardGame:
    """The same game with the teams the other way round."""
    return BoardGame(
        round=game.round,
        table=game.table,
        home=game.away,
        away=game.home,
        home_half_wins=game.away_half_wins,
        away_half_wins=game.home_half_wins,
        home_spread=game.away_spread,
        away_spread=game.home_spread,
    )


@dataclass(frozen=True, slots=True)
class DraftedMatch:
    """Two teams that meet in a draft, the home team first; `away` is None for a team with the bye."""

    home: str
    away: str | None
    by_hand: bool = False
    locked: bool = False

    @property
    def flags(self) -> tuple[PairFlag, ...]:
        """What stands out about each of its boards."""
        held_flags = {PairFlag.MANUAL: self.by_hand, PairFlag.LOCKED: self.locked}
        return tuple(flag for flag, holds in held_flags.items() if holds)

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Why its boards meet, where it is the director's doing."""
        if self.by_hand:
            return (Reason(ReasonCode.HAND),)
        return (Reason(ReasonCode.LOCKED),) if self.locked else ()


def load_drafted_matches(round: Round) -> list[DraftedMatch]:
    """The matches of a round, in the order of its tables, byes last."""
    pairings = Pairing.objects.filter(round=round).exclude(kind=Pairing.Kind.ABSENT).with_players().by_table()
    teams = name_teams_by_entry(list_division_entries(round.division))
    groups = group_by_match(pairings, teams)
    return [
        DraftedMatch(home, away, PairFlag.MANUAL in boards[0].flags, boards[0].locked)
        for (home, away), boards in groups.items()
    ]


def name_teams_by_entry(entries: Iterable[Entry]) -> dict[int, str]:
    """The team of each entry, by entry id; without players who play for none."""
    return {entry.pk: team for team, members in group_teams(entries).items() for entry in members}


def group_by_match(
    pairings: Iterable[Pairing], teams: Mapping[int, str]
) -> dict[tuple[str, str | None], list[Pairing]]:
    """The games and byes of a round by the teams that meet. `pairings` come by table; the home team is the one whose
    player is named first at the match's first table. `teams` is each player's team by entry id."""
    matches: dict[str, tuple[str, str | None]] = {}
    pairings_by_match: dict[tuple[str, str | None], list[Pairing]] = {}
    for pairing in pairings:
        one, other = (teams.get(seat.pk) if seat else None for seat in (pairing.first, pairing.second))
        if one is None:
            continue
        if one not in matches:
            matches |= {team: (one, other) for team in (one, other) if team is not None}
        pairings_by_match.setdefault(matches[one], []).append(pairing)
    return pairings_by_match


# Who meets whom: in a round of matches each player stands for the team.


@dataclass(frozen=True, slots=True)
class Opponent:
    """Who meets others in a round: a player, by the entry's id, or a team, by its key in the draw: the least of its
    players' ids."""

    pk: int
    name: str


def find_opponent(round: Round, entry: Entry) -> Opponent:
    """Who meets others in this round: the entry, or its team. Raises `PlayerNotSeated` for somebody without a team."""
    if round.method != Method.TEAMS:
        return Opponent(entry.pk, entry.name)
    teams = name_teams_by_entry(list_division_entries(round.division))
    if (team := teams.get(entry.pk)) is None:
        raise PlayerNotSeated(name=entry.name, number=round.number)
    return Opponent(min(pk for pk, name in teams.items() if name == team), team)


# The draw.


@dataclass(frozen=True, slots=True)
class TeamDraw:
    """What the draw of a round depends on. `goes_on`: the matches that are not over; otherwise `request` has the teams
    that are there as the pairing core knows players. `keys` of all teams, each that of a player of it. `game` is the
    number, from 0, of the round in its match. `tables` are the division's own, by which they do not count from 1."""

    line_ups: Mapping[str, Sequence[Entry]]
    form: TeamFormat
    boards: int
    game: int
    goes_on: tuple[DraftedMatch, ...]
    request: DrawRequest
    keys: Mapping[int, str]
    tables: tuple[TableRange, ...] = ()
    tables_of_others: frozenset[int] = frozenset()

    def name_match(self, pair: DraftPair) -> DraftedMatch:
        """The match that the core has drawn."""
        away = None if pair.second is None else self.keys[pair.second]
        return DraftedMatch(self.keys[pair.first], away, by_hand=PairFlag.MANUAL in pair.flags)

    def choose(self, match: DraftedMatch) -> ChosenPair:
        """The match as a pair that the core must keep."""
        by_name = {name: key for key, name in self.keys.items()}
        return ChosenPair(
            by_name[match.home],
            None if match.away is None else by_name[match.away],
            PairFlag.MANUAL if match.by_hand else PairFlag.LOCKED if match.locked else None,
            StarterReason.EARLIER,
        )

    def seat(self, matches: Sequence[DraftedMatch]) -> tuple[DraftPair, ...]:
        """The games of these matches, a block of tables each; at a division's own tables, which may be few, one after
        another. Who has nobody opposite has a bye."""
        draft_pairs, byes = [], []
        for place, match in enumerate(matches):
            sides = [self.line_ups.get(team or "", ()) for team in (match.home, match.away)]
            flags, why = match.flags, match.reasons
            for row, (one, other, home_starts) in enumerate(list_boards(self.boards, self.form, self.game), 1):
                players = [
                    side[at].pk if at < len(side) else None for side, at in zip(sides, (one, other), strict=True)
                ]
                first, second = players if home_starts else players[::-1]
                if first is not None and second is not None:
                    # By the place of the board: where a player is missing the table stays empty, and no other match
                    # moves to other tables.
                    table = place * self.boards + row
                    draft_pairs.append(DraftPair(table, first, second, flags, StarterReason.SCHEDULE, why=why))
                elif (lone_player := first or second) is not None:
                    byes.append(DraftPair(None, lone_player, None, flags, why=why))
        if self.tables:
            wishes = [((), tuple(pair.keys)) for pair in draft_pairs]
            tables, _notes = assign_tables(wishes, sorted(self.tables), self.tables_of_others)
            # By number: a match's first table names its home team.
            draft_pairs = [replace(pair, table=table) for pair, table in zip(draft_pairs, sorted(tables), strict=True)]
        return (*draft_pairs, *byes)


def prepare_team_draw(
    division: Division, number: int, *, segment: PlanSegment, seed: int, based_on: int, present: Sequence[Entry]
) -> TeamDraw:
    """Everything that round `number` of team matches depends on, by the matches up to round `based_on`. Raises
    `TooFewTeams`."""
    tournament = division.tournament
    match_table, rounds_a_match = load_team_matches(division), get_rounds_a_match(tournament)
    spelled = {
        fold_text(name): name for name in match_table.names.values()
    }  # as all players have it, not only those present
    line_ups = {
        spelled[fold_text(team)]: boards for team, boards in list_line_ups(present, tournament.team_best).items()
    }
    if len(line_ups) < FEWEST_TEAMS:
        raise TooFewTeams(number=number, teams=len(line_ups))
    running, game = find_running_matches(match_table, rounds_a_match, number)
    tables, tables_of_others = find_free_tables(division)
    # The least id of all its players, present or not: it stays with the team, and its order is that in which teams were
    # entered.
    keys = {min(int(pk) for pk, name in match_table.names.items() if name == team): team for team in match_table.teams}
    return TeamDraw(
        line_ups=line_ups,
        form=TeamFormat(tournament.team_format),
        boards=tournament.team_best,
        game=game,
        goes_on=tuple(DraftedMatch(match.home, match.away) for match in running),
        request=_build_request(
            division, match_table, line_ups, keys, segment, number=number, seed=seed, based_on=based_on
        ),
        keys=keys,
        tables=tables,
        tables_of_others=tables_of_others,
    )


def find_running_matches(found: DivisionMatches, rounds_a_match: int, number: int) -> tuple[Sequence[TeamMatch], int]:
    """The matches that round `number` continues (none where new ones begin), and the rounds already played of them."""
    last = max((match.number for match in found.matches), default=0)
    latest = [match for match in found.matches if match.number == last]
    rounds = {game.round for match in latest for game in match.games}
    if latest and len(rounds) < rounds_a_match and max(rounds) == number - 1:
        return latest, len(rounds)
    return (), 0


def _build_request(
    division: Division,
    found: DivisionMatches,
    line_ups: Mapping[str, Sequence[Entry]],
    keys: Mapping[int, str],
    segment: PlanSegment,
    *,
    number: int,
    seed: int,
    based_on: int,
) -> DrawRequest:
    """The teams as the pairing core knows players, by match points; level teams by the ratings of who lines up."""
    by_name = {name: key for key, name in keys.items()}
    last_match = max((match.number for match in found.matches), default=0)
    planned, rounds_a_match = max(count_planned_rounds(division), number), get_rounds_a_match(division.tournament)
    to_come = range(1, (planned - number) // rounds_a_match + 1)
    matches_before = [match for match in found.matches if match.games[-1].round <= based_on]
    rows = rank_matches(found.teams, matches_before, found.left)
    everybody = _list_competitors(rows, line_ups, by_name, is_listed=bool(matches_before))
    there = frozenset(by_name[team] for team in line_ups)
    request = DrawRequest(
        competitors=tuple(one for one in everybody if one.key in there),
        meetings=tuple(
            Meeting(match.number, by_name[match.home], by_name[match.away] if match.away else None)
            for match in found.matches
            if division.tournament.teams_play_all or set(match.teams) <= line_ups.keys()
        ),
        round=last_match + 1,
        rounds=last_match + 1 + len(to_come),
        method=Method.TEAMS,
        seed=seed,
        repeats=segment.repeats and not segment.repeats_after,
        # The plan counts rounds, the draw counts matches: a distance that ends within a match covers all of it.
        within=-(-segment.repeats_after // rounds_a_match),
        bye_policy=ByePolicy(division.tournament.bye_policy),
        later=tuple(LaterRound(last_match + 1 + ahead, Method.TEAMS, there, segment.may_repeat) for ahead in to_come),
    )
    if not division.tournament.teams_play_all:
        return request
    return _seat_all_teams(request, everybody, keys, _find_schedule(division, found, number, last_match + 1))


def _seat_all_teams(
    request: DrawRequest, everybody: Sequence[Competitor], keys: Iterable[int], schedule: ScheduledRounds
) -> DrawRequest:
    """The request where all play all: those that are not there are seated as well, in an order that stays the same from
    round to round."""
    # By the order in which teams were entered, whatever their strength is in this round.
    # So whoever leaves keeps an empty place, and a late team takes a bye of the schedule.
    places = {key: place for place, key in enumerate(sorted(keys), 1)}
    seated = [replace(one, seeding=places[one.key]) for one in everybody]
    there = {one.key for one in request.competitors}
    return replace(
        request,
        method=Method.ROUND_ROBIN,
        competitors=tuple(one for one in seated if one.key in there),
        missing=tuple(one for one in seated if one.key not in there),
        segment=schedule,
        later=(),
    )


def _find_schedule(division: Division, found: DivisionMatches, number: int, match: int) -> ScheduledRounds:
    """The matches of the plan's segment of round `number`, which is the first round of match `match`."""
    segment = find_segment(read_round_plan(division.plan), number)
    # Counted in matches, as the schedule is: one that was broken off takes a number, too.
    first = max((one.number for one in found.matches if one.games[0].round < segment.first), default=0) + 1
    planned = (segment.last - segment.first + 1) // get_rounds_a_match(division.tournament)
    # At least up to this match: where one was broken off, more are begun than the plan has room for.
    return ScheduledRounds(first, max(first + planned - 1, match))


def _list_competitors(
    rows: Sequence[MatchTableRow], line_ups: Mapping[str, Sequence[Entry]], keys: Mapping[str, int], *, is_listed: bool
) -> tuple[Competitor, ...]:
    """The teams in the order of the table, level ones by the mean rating of who lines up; `is_listed`: there is one."""
    boards = {row.team: line_ups.get(row.team, ()) for row in rows}
    strengths = {team: sum(one.rating or 0 for one in lined) // max(len(lined), 1) for team, lined in boards.items()}
    # A team may be there and yet count as one that has left: its players have withdrawn after a round still to come.
    in_order = sorted(rows, key=lambda row: (row.rank or LAST_IN_ORDER, -strengths[row.team]))
    return tuple(
        Competitor(
            keys[row.team],
            place,
            half_wins=row.match_points,
            rating=strengths[row.team],
            listed=row.rank if is_listed else None,
        )
        for place, row in enumerate(in_order, 1)
    )
