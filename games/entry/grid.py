"""The grid of a round as values: its rows, what was typed into them, and what became of it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from games.entry import second
from games.entry.forms import RowForm, TableForm, row_prefix
from games.entry.second import SecondEntryState
from games.entry.words import time_costs
from games.reports.words import TableReports, of_tables
from games.shared import words
from games.shared.seen import fingerprint, seen
from scoring.awards import Outcome
from scoring.knockout import Match
from tournament.forms.fields import key, quote
from tournament.models import Pairing, Result, Round, Seat
from tournament.models.play import SIDES
from tournament.operations import results
from tournament.operations.change import Actor
from tournament.operations.knockout_games import DisturbsLater
from tournament.queries import league
from tournament.queries.knockout import knockout_state
from tournament.reports import Report
from tournament.whatif.knockout import stand
from tournament.words import namesakes, round_names
from tournament.words.consequences import MatchStand


@dataclass(slots=True)
class ScoreCell:
    """One player's half of a row: who it is, what was typed, what is wrong with it."""

    side: str
    name: str
    input_name: str
    label: str
    typed: str = ""
    faults: list[str] = field(default_factory=list)
    focus: bool = False


@dataclass(slots=True)
class GridRow:
    """A table in the grid: open, with two scores to type, or with its official result.

    A row that was not saved keeps what was typed, what the page showed then (`seen`) and the reason: `faults`,
    `questions` that are asked once (`asked` stands for what they were about, `disturbs` for later games that would no
    longer count), or the `clash` with somebody's result. In the knock-out `match` names the match and `state` says how
    it stands; `check` says how a result stands that is typed twice; an idle row is an open game that nobody plays any
    more.
    """

    pairing: Pairing
    cells: list[ScoreCell]
    is_open: bool
    seen: str
    faults: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    asked: str = ""
    disturbs: str = ""
    clash: results.ResultChanged | None = None
    focus: bool = False
    match: str = ""
    state: str = ""
    reports: TableReports | None = None
    check: SecondEntryState | None = None
    is_idle: bool = False

    @property
    def time_costs(self) -> bool:
        """Whether points are taken off for time."""
        return time_costs(self.pairing.round.division.tournament)

    @property
    def prefix(self) -> str:
        return row_prefix(self.pairing)

    @property
    def result(self) -> Result | None:
        return self.pairing.result

    @property
    def winner(self) -> str:
        """The side that won: "first", "second", or neither."""
        return words.won_by(self.pairing, Report.of(self.result)) if self.result else ""

    @property
    def spread(self) -> int | None:
        """The first player's lead in a played game."""
        result = self.result
        if result is None or result.outcome != Outcome.PLAYED:
            return None
        return (result.first_points or 0) - (result.second_points or 0)

    @property
    def marks(self) -> list[tuple[str, str]]:
        return words.marks(self.pairing, self.result) if self.result else []

    @property
    def has_note(self) -> bool:
        """Whether something must be said below the row."""
        return bool(self.faults or self.questions or self.clash or any(cell.faults for cell in self.cells))

    def put_cursor(self) -> None:
        """Let the page open with the cursor in this row: at the fault, the question, or the first score."""
        self.focus = True
        faulty = [cell for cell in self.cells if cell.faults]
        (faulty[0] if faulty else self.cells[1 if self.questions else 0]).focus = True


def row(pairing: Pairing, data: Mapping[str, str] | None = None) -> GridRow:
    """A table's row as it stands, with what `data` brings for it typed in."""
    names = dict(zip(SIDES, namesakes.both(pairing), strict=True))
    prefix = row_prefix(pairing)
    cells = [
        ScoreCell(
            side,
            names[side],
            f"{prefix}-{side}_points",
            _("Points of %(name)s, table %(table)s") % {"name": names[side], "table": pairing.table},
            (data or {}).get(f"{prefix}-{side}_points", ""),
        )
        for side in SIDES
    ]
    shown = (data or {}).get(f"{prefix}-seen", "")
    return GridRow(pairing, cells, is_open=data is not None or pairing.result is None, seen=shown or seen(pairing))


def save(pairing: Pairing, data: Mapping[str, str], actor: Actor) -> GridRow:
    """Make the two scores typed for a table official, or say in its row why not; nothing typed is lost then."""
    form = RowForm(data, pairing=pairing)
    refused = row(pairing, data)
    if form.is_valid() and not form.has_asked and (questions := words.oddities(form.report())):
        refused.questions, refused.asked = questions, fingerprint(form.report(), refused.seen)
        return refused
    saved: list[Result] = []
    if form.done(lambda _typed: saved.append(record(pairing, form, actor))):
        return _official(pairing, saved[0])
    for refusal in form.refused:
        if isinstance(refusal, DisturbsLater):
            refused.questions, refused.asked = [str(refusal)], fingerprint(form.report(), refused.seen)
            refused.disturbs = refusal.agreed
        elif isinstance(refusal, results.ResultChanged):
            refused.clash = refusal
    return with_faults(refused, form)


def record(pairing: Pairing, form: TableForm, actor: Actor, *, why: str = "") -> Result:
    """Make what a valid form states official. Raises the operation's refusals."""
    version, players = form.expected
    return results.record_result(
        pairing,
        report=form.report(),
        actor=actor,
        expected_version=version,
        expected_players=players,
        why=why,
        disturb=form.agreed,
    )


def with_faults(refused: GridRow, form: RowForm) -> GridRow:
    """The row with what is wrong: next to a score what belongs to it, everything else below."""
    faults = {name: [str(fault) for fault in found] for name, found in form.errors.items()}
    for cell in refused.cells:
        cell.faults = faults.pop(f"{cell.side}_points", [])
    refused.faults = [fault for found in faults.values() for fault in found]
    return refused


def _official(pairing: Pairing, result: Result) -> GridRow:
    pairing.official_results = [result]  # type: ignore[attr-defined]  # what with_results would fetch now
    return row(pairing)


@dataclass(slots=True)
class PostedRows:
    """What a post of the grid has come to: the rows that it brought scores for, and scores without a table."""

    rows: dict[int, GridRow]
    lost: list[str]

    @property
    def last_table(self) -> int | None:
        return max((row.pairing.table or 0 for row in self.rows.values()), default=None)


def save_all(round: Round, data: Mapping[str, str], actor: Actor, *, leave: int | None = None) -> PostedRows:
    """Save every row of a round that something was typed into, each for itself.

    What was typed for the pairing `leave` is kept but not saved.
    """
    keys = typed_keys(data)
    rows = {
        pairing.pk: row(pairing, data) if pairing.pk == leave else save(pairing, data, actor)
        for pairing in pairings(round, keys)
    }
    return PostedRows(rows, [_scores(data, pk) for pk in sorted(keys - rows.keys())])


def typed_again(round: Round, data: Mapping[str, str]) -> PostedRows:
    """What was typed before signing in again, in its rows but not saved."""
    return PostedRows({pairing.pk: row(pairing, data) for pairing in pairings(round, typed_keys(data))}, [])


def pairings(round: Round, keys: Collection[int]) -> list[Pairing]:
    """The games of a round with these ids, players and official results fetched. Three queries."""
    found = Pairing.objects.filter(round=round, pk__in=keys, kind=Pairing.Kind.GAME)
    listed = [pairing for pairing in found.with_players().with_results().by_table() if is_for(round, pairing.table)]
    for pairing in listed:
        pairing.round = round
    return listed


def is_for(round: Round, table: int | None) -> bool:
    """Whether the reader types the results of this table: a helper's code may be for some tables only."""
    code = round.division.tournament.access_code
    return code is None or code.holds(table)


def typed_keys(data: Mapping[str, str]) -> set[int]:
    """The pairings for which a post brings scores."""
    fields = (name.partition("-") for name, value in data.items() if value.strip())
    keys = (key(prefix[1:]) for prefix, _dash, rest in fields if rest in ("first_points", "second_points"))
    return {found for found in keys if found is not None}


def _scores(data: Mapping[str, str], pk: int) -> str:
    return " : ".join(quote(data.get(f"p{pk}-{side}_points", "").strip()) or "–" for side in SIDES)


@dataclass(slots=True)
class ResultsGrid:
    """The whole page: a row for each table, and those who have no opponent."""

    round: Round
    rows: list[GridRow]
    alone: list[Pairing]

    @property
    def done(self) -> int:
        return sum(1 for row in self.rows if row.result)

    @property
    def total(self) -> int:
        """How many games are played, or were."""
        return sum(1 for row in self.rows if not row.is_idle)

    @property
    def playing(self) -> list["OpenTable"]:
        return [
            OpenTable(row.pairing.pk, row.pairing.table or 0, *(cell.name for cell in row.cells))
            for row in self.rows
            if row.result is None and not row.is_idle
        ]

    def at(self, table: str) -> GridRow | None:
        """The row of a table, by the number that somebody typed."""
        return next((row for row in self.rows if str(row.pairing.table) == table.strip().lstrip("0")), None)

    def next_open(self, after: int = 0) -> GridRow | None:
        """The first open row after a table; the search goes on from the top if there is none."""
        still_open = [row for row in self.rows if row.is_open]
        return next((row for row in still_open if (row.pairing.table or 0) > after), next(iter(still_open), None))

    def first_refused(self) -> GridRow | None:
        """The first row that was not saved."""
        return next((row for row in self.rows if row.has_note), None)


def whole_round(round: Round, entered: PostedRows | None = None) -> ResultsGrid:
    """All tables of a round; the rows of `entered` that are still open stand in it as they were typed."""
    kept = {pk: each for pk, each in entered.rows.items() if each.is_open} if entered else {}
    found = league.pairings(round)
    for pairing in found:
        pairing.round = round
    mine = [pairing for pairing in found if is_for(round, pairing.table)]
    games = [pairing for pairing in mine if pairing.kind == Pairing.Kind.GAME]
    made = ResultsGrid(
        round=round,
        rows=[kept.get(pairing.pk) or row(pairing) for pairing in games],
        alone=[pairing for pairing in mine if pairing.kind != Pairing.Kind.GAME],
    )
    tell_matches(round, made.rows)
    tell_reports(round, made.rows)
    tell_checks(round, made.rows)
    return made


def tell_checks(round: Round, rows: Collection[GridRow]) -> None:
    """Where results are typed twice, say how each stands. One query; none where they are typed once."""
    if not round.division.tournament.results_twice:
        return
    again = second.of([row.pairing.pk for row in rows])
    for row in rows:
        row.check = second.kind(row.result, again.get(row.pairing.pk)) if row.result else None


def tell_reports(round: Round, rows: Collection[GridRow]) -> None:
    """Put what players have reported beside the open games. One query if there are any."""
    waiting = [row.pairing.pk for row in rows if row.result is None]
    if not waiting:
        return
    found = of_tables(waiting, round.division.tournament.rules)
    for row in rows:
        row.reports = found.get(row.pairing.pk)


def tell_matches(round: Round, rows: Collection[GridRow]) -> None:
    """In the knock-out: name the match of each row, say how it stands, and mark open games that nobody plays."""
    state = knockout_state(round.division) if round.is_knockout else None
    if state is None:
        return
    found = {match.place: match for match in state.bracket.matches}
    for row in rows:
        match = found.get((round.stage or 0, row.pairing.table or 0))
        row.match = round_names.match_name(state.knockout, round.stage or 0, row.pairing.table or 0)
        row.is_idle = row.pairing.pk in state.not_played
        row.is_open = row.is_open and not row.is_idle
        if match is not None and (row.result or row.is_idle):
            row.state = _seen_from(row.pairing, match, stand(state, match)).beside_names()


def _seen_from(pairing: Pairing, match: Match, stands: MatchStand) -> MatchStand:
    """How a match stands, its figures in the order in which a game names the players."""
    return stands if match.players[0] == pairing.first.pk else stands.turned()


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table without a result."""

    pk: int
    table: int
    first: str
    second: str


@dataclass(frozen=True, slots=True)
class GridProgress:
    """How far a round has come: its games, those in `playing`, and the keys of all rows that the grid has."""

    playing: list[OpenTable]
    total: int
    keys: list[int]

    @property
    def done(self) -> int:
        return self.total - len(self.playing)


def progress(round: Round) -> GridProgress:
    """How far a round has come. Two queries; six more in the knock-out."""
    games = Pairing.objects.filter(round=round, kind=Pairing.Kind.GAME).by_table().values_list("pk", "table")
    keys = [pk for pk, table in games if is_for(round, table)]
    state = knockout_state(round.division) if round.is_knockout else None
    idle = state.not_played if state else frozenset()
    playing = [each for each in _without_result(round) if each.pk not in idle and is_for(round, each.table)]
    return GridProgress(playing, sum(1 for pk in keys if pk not in idle), keys)


def _without_result(round: Round) -> list[OpenTable]:
    """The tables without a result, in order. One query."""
    seats = (
        Seat.objects.filter(round=round, pairing__kind=Pairing.Kind.GAME)
        .exclude(pairing__results__official=True)
        .order_by("pairing__table", "side")
        .values_list("pairing_id", "pairing__table", "entry__player__name")
    )
    names: dict[tuple[int, int], list[str]] = {}
    for pk, table, name in seats:
        names.setdefault((pk, table or 0), []).append(name)
    return [OpenTable(pk, table, *two) for (pk, table), two in names.items()]
