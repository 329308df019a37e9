"""What the answers of version 1 of the read interface hold. A key that stands here stays; what is not known is null.
Players are named by their id in the event, which is also in the tournament file, and by their name as printed. The
descriptions are read by people who write programs, in English."""

from datetime import date
from typing import Generic, TypeVar

from ninja import Field, Schema
from pydantic import ConfigDict

USUAL_LIMIT, HIGHEST_LIMIT = 100, 500

Item = TypeVar("Item")


class ApiAnswer(Schema):
    """An object of an answer, with exactly these keys."""

    # A key that is written down nowhere is an error in a test instead of a promise that nobody has given.
    model_config = ConfigDict(extra="forbid")


class Paging(Schema):
    """Which part of a list is wanted."""

    limit: int = Field(USUAL_LIMIT, ge=1, le=HIGHEST_LIMIT, description="How many items at most.")
    # With an end, since databases have one: a figure beyond it would be an error instead of an empty list.
    offset: int = Field(0, ge=0, le=1_000_000, description="How many items to skip.")


class Listing(ApiAnswer, Generic[Item]):
    """A part of a list."""

    total: int = Field(description="How many items there are in all.")
    limit: int
    offset: int
    items: list[Item]


class DivisionListing(Listing[Item], Generic[Item]):
    """A part of a list about one division."""

    division: str


class Problem(ApiAnswer):
    """Why there is no answer, in English."""

    detail: str


class OrganiserAnswer(ApiAnswer):
    slug: str
    name: str


class EventAnswer(ApiAnswer):
    """A public event."""

    slug: str
    name: str
    place: str | None
    starts_on: date | None
    ends_on: date | None
    organiser: OrganiserAnswer
    ruleset: str = Field(description="The key of the rules, such as tso-2017.")
    state: str = Field(description="coming, running or ended.")
    players: int = Field(description="Who has entered and has not withdrawn.")
    page: str = Field(description="The address of the event's page on this server.")


class DivisionAnswer(ApiAnswer):
    """A division. `round` counts rounds of the league whose pairings are shown."""

    name: str
    players: int = Field(description="Everybody who has entered, the withdrawn included.")
    planned_rounds: int = Field(description="0 where no plan is announced.")
    round: int = Field(description="The last round whose pairings are shown; 0 before the first.")
    table_after: int = Field(description="The round after which the table stands; 0 before the first.")
    has_knockout: bool


class EventDetails(EventAnswer):
    """A public event with its divisions and how it is ranked."""

    minutes: int | None = Field(description="Of each player, by the clock; null without chess clocks.")
    ranked_by: str = Field(description="wins, points or keizer.")
    criteria: list[str] = Field(description="What the table is ranked by, in this order; then lots.")
    starts: str = Field(description="balanced: the first player of a pairing starts; drawn: it is drawn at the table.")
    divisions: list[DivisionAnswer]


class EntryAnswer(ApiAnswer):
    """A player of an event."""

    id: str
    name: str
    club: str | None
    rating: int | None
    games: int = Field(description="Games played before the event, as far as known.")
    division: str
    first_round: int
    withdrawn_after: int | None = Field(description="The last round before the player withdrew; null: plays on.")
    guest: bool


class RoundAnswer(ApiAnswer):
    """A round whose pairings are shown. In the knock-out `stage` counts from 1, the first one played, and `game` within
    a match."""

    division: str
    number: int = Field(description="In the knock-out 1000 + 100 · stage + game.")
    stage: int | None
    game: int | None
    method: str = Field(description="How it was paired: swiss, groups, king_of_the_hill …")
    games: int
    results: int = Field(description="How many of the games have a result that is shown.")
    results_shown: bool
    table_shown: bool


class ResultAnswer(ApiAnswer):
    """A pairing of a round that is shown, with its result once that is shown."""

    division: str
    round: int
    stage: int | None
    game: int | None
    table: int | None = Field(description="In the knock-out the position of the match, from the top.")
    first: str
    first_name: str
    second: str | None = Field(description="null for a bye or an absence.")
    second_name: str | None
    outcome: str = Field(description="open, played, bye, absent, first_forfeits, second_forfeits or both_forfeit.")
    reason: str | None = Field(description="Of a forfeit: no_show, late, overtime, disqualified or other.")
    second_reason: str | None = Field(description="The second player's, where both forfeit for different reasons.")
    first_points: int | None
    second_points: int | None


class TableRowAnswer(ApiAnswer):
    """A row of the table, as the table's file has it, with club and withdrawal."""

    rank: int | None = Field(description="null for a withdrawn player who is not ranked.")
    player: str
    name: str
    club: str | None
    withdrawn: bool
    wins: float
    losses: float
    spread: int
    points: int
    games: int
    highest_game: int | None
    decided_by: str | None = Field(description="What separates the row from the one above.")


class TableAnswer(DivisionListing[TableRowAnswer]):
    """A division's table after a round."""

    after: int
    missing: int = Field(description="Games of the rounds counted without a result: the table is provisional.")


class MatchAnswer(ApiAnswer):
    """A match of the knock-out, from the upper player's side."""

    stage: int
    position: int
    players: list[str | None]
    names: list[str | None]
    score: list[int] | None = Field(description="Points, or wins in best of N.")
    winner: str | None
    decided_by: str | None
    criterion: str | None = Field(description="The director's own criterion, where that decides.")
    waits_for: str | None = Field(description="What must be known before a level match is decided.")


class BracketAnswer(ApiAnswer):
    """The knock-out of a division as it stands."""

    division: str
    form: str = Field(description="single, double or best_of.")
    stages: list[list[MatchAnswer]]
    champion: str | None
    champion_name: str | None


class FeatAnswer(ApiAnswer):
    """What a player achieved: in one game, or in so many `games` of the event (then there is no opponent)."""

    player: str
    name: str
    opponent: str | None
    opponent_name: str | None
    round: int | None
    points: int | None
    opponent_points: int | None
    games: int


class RecordAnswer(ApiAnswer):
    """A record and everybody who holds it."""

    kind: str
    value: float
    holders: list[FeatAnswer]


class UpsetAnswer(FeatAnswer):
    """A win over a player with a higher rating."""

    difference: int = Field(description="By how much the loser's rating is higher.")


class StatisticsAnswer(ApiAnswer):
    """What stands out in a division."""

    division: str
    games: int = Field(description="Games played.")
    games_with_plays: int = Field(description="Of these, with single plays recorded.")
    games_with_bingos: int = Field(description="Of these, with seven-tile plays recorded.")
    records: list[RecordAnswer]
    upsets: list[UpsetAnswer]


class ChanceAnswer(ApiAnswer):
    """Where a player can still end, as `chances` prints it; the keys of the objects are places."""

    player: str
    name: str
    rank: int
    best: int
    worst: int
    exact: bool
    reach: dict[str, float | None] = Field(description="The share of simulated endings at that place or a better one.")
    possible_with: dict[str, float | None] = Field(description="The fewest own wins with which it is possible.")
    certain_with: dict[str, float | None] = Field(description="The wins with which it is certain.")


class ChancesAnswer(DivisionListing[ChanceAnswer]):
    """What can still happen in a division's table."""

    after: int
    rounds_left: int
    open_games: int
    places: list[int]
    runs: int = Field(description="How many endings were simulated; 0 where there is no model of the table.")


class TeamPlayerAnswer(ApiAnswer):
    """A player of a team, and whether the player counts for it."""

    player: str
    name: str
    place: int | None = Field(description="In the table of players; null before the first result.")
    place_points: int
    wins: float
    spread: int
    counts: bool


class TeamAnswer(ApiAnswer):
    """A row of a table of teams, with the figures by which it is ranked; the others are null."""

    rank: int | None = Field(description="Null for a team that is too small, and before the first result.")
    team: str
    place_points: int | None = Field(description="The sum of the places of those who count.")
    wins: float | None
    played: int | None = Field(description="Matches that count.")
    match_points: int | None
    board_points: float | None
    spread: int
    decided_by: str | None
    players: list[TeamPlayerAnswer] = Field(description="Empty where teams meet in matches.")


class TeamsAnswer(DivisionListing[TeamAnswer]):
    """The teams of a division."""

    rule: str = Field(description="places, wins or matches.")
    best: int = Field(description="How many players of a team count, or how many boards a match has.")
    after: int = Field(description="The last round or match that counts; 0 for none.")


class BoardAnswer(ApiAnswer):
    """A game of a match of two teams; players are null where nobody sits there."""

    round: int
    table: int | None
    home: str | None
    away: str | None
    board_points: list[float | None] = Field(description="Of home and away; null while there is no result.")


class TeamMatchAnswer(ApiAnswer):
    """A match of two teams; without an opponent a team rests."""

    number: int
    home: str
    away: str | None
    board_points: list[float]
    counts: bool = Field(description="Whether all its results are shown.")
    games: list[BoardAnswer]


class SeasonAnswer(ApiAnswer):
    """A public season: several events counted together."""

    slug: str
    name: str
    organiser: OrganiserAnswer
    rule: str = Field(description="places, wins, spread, qualifying or median.")
    best: int | None = Field(description="How many events of a player count; null for all.")


class CountedEventAnswer(ApiAnswer):
    tournament: str
    division: str
    standing: str = Field(description="over or running.")


class SeasonScoreAnswer(ApiAnswer):
    value: float
    counts: bool


class SeasonRowAnswer(ApiAnswer):
    """A row of a season's table, with a score for each event that counts, null where the player did not take part."""

    rank: int
    name: str
    total: float
    wins: float
    spread: int
    decided_by: str | None
    scores: list[SeasonScoreAnswer | None]


class SeasonDetails(SeasonAnswer, Listing[SeasonRowAnswer]):
    """A public season with its events and its table."""

    events: list[CountedEventAnswer]


class DirectPlaceAnswer(ApiAnswer):
    """A place that qualifies by itself, and in which event."""

    event: int = Field(description="Its place among the season's events, from 0.")
    place: int


class QualifiedAnswer(ApiAnswer):
    """Somebody who qualifies as things stand."""

    name: str
    by: str = Field(description="By what: direct, places or rating; more may come.")
    open: bool = Field(description="Level with others of whom not all can qualify, so that somebody has to decide.")
    direct: DirectPlaceAnswer | None
    places: list[int] = Field(description="The places that count.")
    rating: int | None
    games: int | None
    events: int
