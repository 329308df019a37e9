"""What the public pages read, from published and closed rounds only, in a fixed number of queries."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from scoring import awards, standings, statistics
from scoring.awards import Outcome
from tournament.basics.names import fold_text
from tournament.core.public_view import build_results_filter, build_rounds_filter, find_last_seen_table
from tournament.models import Division, Entry, Pairing, Result, Round, Seat, Tournament
from tournament.models.play import SIDES
from tournament.results.league_games import (
    OpenRound,
    PairingPlayers,
    list_division_entries,
    list_notable_open_rounds,
    load_players_by_pairing,
    select_table_entries,
)
from tournament.table.league import (
    RoundProgress,
    TableRow,
    count_planned_rounds,
    list_league_rounds,
    list_round_pairings,
    load_table,
    rank_entries,
)

HALF_WINS_PER_WIN = 2  # half wins of a game won


def search_entries(found: Iterable[Entry], text: str) -> list[Entry]:
    """The entries whose name or club contains each word of `text`; umlauts and case do not matter. No query."""
    words = fold_text(text).split()
    return [
        entry
        for entry in found
        if all(word in entry.player.search_name or (entry.club and word in entry.club.search_name) for word in words)
    ]


@dataclass(frozen=True, slots=True)
class PlayerRound:
    """What one player did in one round, seen from their side; `credit` is None while the game is open."""

    round: int
    table: int | None
    entry: int
    opponent: int | None
    first: bool
    outcome: Outcome
    reason: str
    own: int | None
    other: int | None
    credit: awards.Credit | None

    @property
    def has_score(self) -> bool:
        """Whether there is a score to show: of a game played to its end, or stopped early."""
        return self.own is not None and self.other is not None

    @property
    def won(self) -> bool:
        return self.credit is not None and self.credit.half_wins == HALF_WINS_PER_WIN

    @property
    def is_draw(self) -> bool:
        """Whether nobody won a game between two."""
        is_half = self.credit is not None and 2 * self.credit.half_wins == HALF_WINS_PER_WIN
        return is_half and self.opponent is not None and self.own == self.other

    @property
    def at_fault(self) -> bool:
        """Whether this player lost the game by a breach of the rules."""
        return self.outcome.at_fault[0 if self.first else 1]


@dataclass(frozen=True, slots=True)
class PublishedGames:
    """Everything published of a division up to a round: the games to rank by, and each player's meetings by round."""

    games: tuple[standings.TableGame, ...]
    meetings: Mapping[standings.PlayerKey, Mapping[int, PlayerRound]]

    @property
    def rounds(self) -> list[int]:
        """The numbers of the rounds, in order."""
        return sorted({number for meetings in self.meetings.values() for number in meetings})


def load_published_games(division: Division, *, after: int | None = None) -> PublishedGames:
    """What was published of a division up to round `after` (None: all). Two queries."""
    seats = Seat.objects.filter(round__division=division, round__stage=None).exclude(round__state=Round.State.DRAFT)
    seats = seats.filter(build_rounds_filter("round"))
    if after is not None:
        seats = seats.filter(round__number__lte=after)
    seated = load_players_by_pairing(seats.order_by("round__number", "pairing_id"), "round__number", "pairing__table")
    official = Result.objects.filter(
        build_results_filter(), official=True, pairing__round__division=division, pairing__round__stage=None
    )
    results = {result.pairing_id: result for result in official.defer("first_moves", "second_moves", "note")}
    games = []
    meetings: dict[standings.PlayerKey, dict[int, PlayerRound]] = {}
    for pairing, at in seated.items():
        number, _table = at.about
        if (result := results.get(pairing)) is not None:
            games.append(result.game(number, at.first, at.second))
        for meeting in _build_both_sides(at, result, division.tournament.awards):
            meetings.setdefault(meeting.entry, {})[number] = meeting
    return PublishedGames(tuple(games), meetings)


def _build_both_sides(at: PairingPlayers, result: Result | None, figures: awards.Awards) -> list[PlayerRound]:
    """The meeting as each of its players sees it."""
    first, second, (number, table) = at.first, at.second, at.about
    own, other = (result.first_points, result.second_points) if result else (None, None)
    outcome = Outcome(result.outcome) if result else Outcome.OPEN
    mine, theirs = _credit_result(result, figures)
    reasons = (result.reason, result.second_reason or result.reason) if result else ("", "")
    sides = [PlayerRound(number, table, first, second, True, outcome, reasons[0], own, other, mine)]
    if second is not None:
        sides.append(PlayerRound(number, table, second, first, False, outcome, reasons[1], other, own, theirs))
    return sides


@dataclass(frozen=True, slots=True)
class PairingRow:
    """A pairing with its players and its result, which is None while the game is open."""

    pairing: Pairing
    first: Entry
    second: Entry | None
    result: Result | None
    first_won: bool
    second_won: bool


@dataclass(frozen=True, slots=True)
class SeatedPlayer:
    """A player's place in a round, seen from their side."""

    entry: Entry
    opponent: Entry | None
    row: PairingRow
    is_first: bool
    won: bool
    own: int | None  # points, and the opponent's
    other: int | None


def list_pairing_rows(round: Round) -> list[PairingRow]:
    """A round's pairings by table; byes and absences last. Three queries."""
    rows = []
    for pairing in list_round_pairings(round):
        credits = _credit_result(pairing.result, round.division.tournament.awards)
        first_won, second_won = (credit is not None and credit.half_wins == HALF_WINS_PER_WIN for credit in credits)
        rows.append(PairingRow(pairing, pairing.first, pairing.second, pairing.result, first_won, second_won))
    return rows


def _credit_result(result: Result | None, figures: awards.Awards) -> tuple[awards.Credit | None, awards.Credit | None]:
    """What a result credits to both players; None while there is none."""
    if result is None:
        return None, None
    scores = result.first_points, result.second_points
    return awards.credit(Outcome(result.outcome), *scores, figures, spread=result.spread)


def list_players_by_name(found: Iterable[PairingRow]) -> list[SeatedPlayer]:
    """Everybody in a round in the order of names. No query."""
    seated = []
    for row in found:
        own, other = (row.result.first_points, row.result.second_points) if row.result else (None, None)
        seated.append(SeatedPlayer(row.first, row.second, row, True, row.first_won, own, other))
        if row.second is not None:
            seated.append(SeatedPlayer(row.second, row.first, row, False, row.second_won, other, own))
    return sorted(seated, key=lambda seat: (seat.entry.player.sort_name, seat.entry.pk))


@dataclass(frozen=True, slots=True)
class PublicTable:
    """The table after a public round: `done` of its `games` have a result, `earlier` games are open. `open_rounds` are
    to be told of: those before, and this one if it is open again."""

    ranking: standings.Ranking
    after: int
    lines: tuple[TableRow, ...]
    games: int
    done: int
    earlier: int
    open_rounds: tuple[OpenRound, ...] = ()

    @property
    def is_provisional(self) -> bool:
        return self.done < self.games or self.earlier > 0


def find_current_round_number(progress: Iterable[RoundProgress]) -> int:
    """The last round with a result whose table the reader may see, shown if none is asked for; 0: none."""
    begun = [item.round.number for item in progress if item.sight.table and (item.done or not item.games)]
    return max(begun, default=0)


def load_public_table(
    division: Division, progress: Iterable[RoundProgress], *, after: int, moves: bool = False
) -> PublicTable:
    """The table after public round `after` (0: before the first), with `moves` beside the one before. Five queries, one
    more with those and one while a result is missing."""
    found = load_table(division, after=after, moves=moves and after > 1)
    shown = {item.round.number: item for item in progress if item.round.number <= after}
    last = shown.get(after)
    complete = not any(item.missing for item in shown.values())
    return PublicTable(
        ranking=found.ranking,
        after=after,
        lines=found.rows,
        games=last.games if last else 0,
        done=last.done if last else 0,
        earlier=sum(item.missing for number, item in shown.items() if number != after),
        open_rounds=() if complete else tuple(list_notable_open_rounds(division, current=after, upto=after)),
    )


def list_entry_pairings(entry: Entry) -> list[Pairing]:
    """A player's games and byes of public rounds, with rounds and players, in order. Three queries."""
    found = Pairing.objects.filter(build_rounds_filter("round"), seats__entry=entry, round__stage=None)
    found = found.exclude(round__state=Round.State.DRAFT)
    return list(found.select_related("round").with_players().order_by("round__number", "pk"))


@dataclass(frozen=True, slots=True)
class CardRow:
    """A player's card after one round. `meeting` is None in a round in which they had neither game nor bye nor absence,
    `standing` before they are in the table, or while the reader may not see it."""

    entry: Entry
    round: int
    meeting: PlayerRound | None
    opponent: Entry | None
    standing: standings.Standing | None


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """All public rounds as one player saw them, and how many were in the last table among them."""

    steps: tuple[CardRow, ...]
    field: int

    @property
    def last(self) -> standings.Standing | None:
        """Where the player stands in the last table; None before they are in one."""
        return next((step.standing for step in reversed(self.steps) if step.standing), None)


def load_player_page(entry: Entry) -> PlayerPage:
    """Every public round of a player's division with what they did in it and their running rank. Four queries."""
    division = entry.division
    everybody: dict[standings.PlayerKey, Entry] = {each.pk: each for each in list_division_entries(division)}
    played = load_published_games(division)
    tables = _rank_seen_rounds(division, everybody.values(), played)
    steps, field = [], 0
    meetings = played.meetings.get(entry.pk, {})
    for number in played.rounds:
        field = len(tables[number]) if number in tables else field
        mine = next((standing for standing in tables.get(number, ()) if standing.player == entry.pk), None)
        meeting = meetings.get(number)
        opponent = everybody[meeting.opponent] if meeting and meeting.opponent else None
        steps.append(CardRow(entry, number, meeting, opponent, mine))
    return PlayerPage(tuple(steps), field)


def _rank_seen_rounds(
    division: Division, everybody: Iterable[Entry], played: PublishedGames
) -> dict[int, tuple[standings.Standing, ...]]:
    """The tables after public rounds, as far as the reader may see them. One query."""
    lots: dict[int, list[tuple[int, ...]]] = {}
    for lot in division.lots.order_by("pk"):
        lots.setdefault(lot.after, []).append(tuple(lot.order))
    last = find_last_seen_table(division.pk)
    return {
        number: rank_after_round(division.tournament, everybody, played.games, number, lots.get(number, []))
        for number in played.rounds
        if last is None or number <= last
    }


def load_rank_histories(division: Division) -> dict[str, list[int | None]]:
    """The rank of each player after the first round, the second …, up to the current table, by the player's key; None
    where they had none. Five queries."""
    everybody = list_division_entries(division)
    tables = _rank_seen_rounds(division, everybody, load_published_games(division))
    current = find_current_round_number(list_league_rounds(division))
    ranks = [{row.player: row.rank for row in tables.get(number, ())} for number in range(1, current + 1)]
    return {entry.key: [after.get(entry.pk) for after in ranks] for entry in everybody}


def rank_after_round(
    tournament: Tournament,
    everybody: Iterable[Entry],
    played: Collection[standings.TableGame],
    after: int,
    lots: list[tuple[int, ...]],
) -> tuple[standings.Standing, ...]:
    """The table of a division after a round from play in memory, as `load_table` has it. No query."""
    field = select_table_entries(everybody, played, after)
    contestants = [standings.Contestant(each.pk, withdrawn=each.is_withdrawn) for each in field]
    return standings.rank(contestants, played, tournament.ranking, tournament.awards, after=after, lots=lots)


@dataclass(frozen=True, slots=True)
class CrossRow:
    """A row of the table with its player's meetings by round; `missed` are the rounds without game, bye or absence."""

    line: TableRow
    meetings: Mapping[int, PlayerRound]
    missed: tuple[int, ...]


def list_cross_rows(division: Division, *, after: int) -> list[CrossRow]:
    """The table after public round `after`, each row with its player's meetings. Four queries."""
    everybody: dict[standings.PlayerKey, Entry] = {each.pk: each for each in list_division_entries(division)}
    played = load_published_games(division, after=after)
    field, numbers = select_table_entries(everybody.values(), played.games, after), played.rounds
    rows = []
    for standing in rank_entries(division, field, played.games, after=after):
        meetings = played.meetings.get(standing.player, {})
        missed = tuple(number for number in numbers if number not in meetings)
        rows.append(CrossRow(TableRow(standing, everybody[standing.player]), meetings, missed))
    return rows


@dataclass(frozen=True, slots=True)
class DivisionProgress:
    """Where a division stands for the public: the last public round, of how many (0: not planned), and its results, if
    they are seen; `earlier` games of the rounds before are open."""

    number: int
    planned: int
    games: int
    done: int
    earlier: int = 0
    results_seen: bool = True

    @property
    def is_played(self) -> bool:
        """The last public round is played, as far as anybody may see."""
        return self.results_seen and self.done == self.games

    @property
    def is_over(self) -> bool:
        """All planned rounds are played."""
        return 0 < self.planned <= self.number and self.done == self.games and not self.earlier


def get_division_progress(division: Division, progress: list[RoundProgress]) -> DivisionProgress:
    """The stage of a division from its public rounds. No query."""
    planned = count_planned_rounds(division)
    if not progress:
        return DivisionProgress(0, planned, 0, 0)
    *before, last = progress
    whole = max(planned, last.round.number) if planned else 0
    earlier = sum(item.missing for item in before)
    return DivisionProgress(last.round.number, whole, last.games, last.done, earlier, last.sight.results)


def list_exceptions(tournament: Tournament) -> list[Entry]:
    """The entries with an approved exception, which is told to all before the start. One query."""
    return list(tournament.entries.exclude(exception="").with_names().by_name())


@dataclass(frozen=True, slots=True)
class Statistics:
    """Records and upsets of a division's public games, league and knock-out. `games` were played, `with_moves` and
    `with_bingos` of them with single plays and seven-tile plays recorded. Games are named by their pairing's id,
    players by their entry's; a knock-out's table is the match's position. `listed` are all games, by rounds and
    tables."""

    records: tuple[statistics.Record, ...]
    upsets: tuple[statistics.Feat, ...]
    games: int
    with_moves: int
    with_bingos: int
    entries: Mapping[standings.PlayerKey, Entry]
    rounds: Mapping[int | str, Round]
    tables: Mapping[int | str, int | None]
    listed: tuple[statistics.StatisticsGame, ...] = ()


def load_statistics(division: Division) -> Statistics:
    """What stands out in a division. Four queries."""
    rounds = {each.pk: each for each in Round.objects.public().filter(build_rounds_filter(), division=division)}
    for round in rounds.values():
        round.division = division
    entries: dict[standings.PlayerKey, Entry] = {entry.pk: entry for entry in list_division_entries(division)}
    seats = Seat.objects.filter(round__division=division, pairing__kind=Pairing.Kind.GAME)
    seats = seats.filter(build_rounds_filter("round")).exclude(round__state=Round.State.DRAFT)
    seated = load_players_by_pairing(seats.order_by(), "round_id", "pairing__table")
    official = Result.objects.filter(build_results_filter(), official=True, pairing__round__division=division)
    public = official.exclude(pairing__round__state=Round.State.DRAFT).defer("note", "why")
    games = [
        _build_statistics_game(result, (at.first, at.second), entries)
        for result in public.order_by("pairing__round__number", "pairing__table", "pk")
        if (at := seated.get(result.pairing_id)) is not None and at.second is not None
    ]
    played = [game for game in games if game.is_played]
    return Statistics(
        records=statistics.records(games),
        upsets=statistics.upsets(games),
        games=len(played),
        with_moves=sum(any(half.moves for half in game.halves) for game in played),
        with_bingos=sum(any(half.bingos is not None for half in game.halves) for game in played),
        entries=entries,
        rounds={pairing: rounds[at.about[0]] for pairing, at in seated.items()},
        tables={pairing: at.about[1] for pairing, at in seated.items()},
        listed=tuple(games),
    )


def _build_statistics_game(
    result: Result, players: tuple[int, int], entries: Mapping[standings.PlayerKey, Entry]
) -> statistics.StatisticsGame:
    first, second = (
        statistics.GameHalf(
            player=player,
            points=getattr(result, f"{name}_points"),
            rating=entries[player].rating,
            moves=tuple(getattr(result, f"{name}_moves")),
            bingos=getattr(result, f"{name}_bingos"),
        )
        for player, name in zip(players, SIDES, strict=True)
    )
    return statistics.StatisticsGame(result.pairing_id, Outcome(result.outcome), first, second)
