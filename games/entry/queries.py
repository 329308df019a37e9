"""The grid of a round as values: its rows, what was typed into them, and what became of it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from django.utils.translation import gettext as _

from games.core.pages import format_seen_state, make_fingerprint
from games.core.words import describe_oddities, get_winning_side, list_result_marks
from games.entry.forms import RowResultForm, TableResultForm, get_row_prefix, make_absence_form
from games.entry.operations import (
    SecondEntryState,
    find_second_entries,
    get_second_entry_state,
    is_typed_by,
    record_second_entry,
)
from games.reports.queries import list_table_reports
from scoring.awards import Outcome
from tournament.core.change import Actor
from tournament.core.reports import Report
from tournament.core.words.figures import name_both_players
from tournament.core.words.rounds import format_match_name
from tournament.journal.queries import build_match_stand
from tournament.models import Pairing, Result, Round, Seat
from tournament.models.event import prefetch_entries
from tournament.models.play import SIDES
from tournament.pages.forms import parse_key, quote_input
from tournament.results.knockout_games import LaterGamesDisturbed
from tournament.results.operations import ResultChanged, record_result
from tournament.results.queries import load_knockout_state
from tournament.table.league import list_round_pairings

ABSENCES = (Outcome.FIRST_FORFEITS, Outcome.SECOND_FORFEITS, Outcome.BOTH_FORFEIT)
"""What a row can say without a score: the first player did not show, the second, or neither."""


@dataclass(slots=True)
class ScoreCell:
    """One player's half of a row."""

    side: str
    name: str
    input_name: str
    label: str
    typed: str = ""
    faults: list[str] = field(default_factory=list)
    focus: bool = False


@dataclass(slots=True)
class GridRow:
    """A table in the grid. A row that was not saved keeps what was typed, what the page showed (`seen`) and the reason:
    `faults`, `questions` asked once (`asked`: what about; `disturbs`: later games that would no longer count), or the
    `clash` with somebody's result. In the knock-out `match` and `state` tell of its match. Idle rows are not played."""

    pairing: Pairing
    cells: list[ScoreCell]
    is_open: bool
    seen: str
    faults: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    asked: str = ""
    disturbs: str = ""
    clash: ResultChanged | None = None
    focus: bool = False
    match: str = ""
    state: str = ""
    reports: dict[str, Any] | None = None
    check: SecondEntryState | None = None
    is_idle: bool = False

    @property
    def prefix(self) -> str:
        return get_row_prefix(self.pairing)

    @property
    def winner(self) -> str:
        """The side that won: "first", "second", or neither."""
        return get_winning_side(self.pairing, Report.of(self.pairing.result)) if self.pairing.result else ""

    @property
    def spread(self) -> int | None:
        """The first player's lead in a played game."""
        result = self.pairing.result
        if result is None or result.outcome != Outcome.PLAYED:
            return None
        return (result.first_points or 0) - (result.second_points or 0)

    @property
    def absences(self) -> list[tuple[str, str]]:
        """Who may not have shown, to be noted at once: what the button sends, and its text."""
        texts = [*(cell.name for cell in self.cells), _("Both")]
        return [(f"{self.pairing.pk}-{each}", text) for each, text in zip(ABSENCES, texts, strict=True)]

    @property
    def marks(self) -> list[tuple[str, str]]:
        return list_result_marks(self.pairing, self.pairing.result) if self.pairing.result else []

    @property
    def has_note(self) -> bool:
        """Whether something must be said below the row."""
        return bool(self.faults or self.questions or self.clash or any(cell.faults for cell in self.cells))

    def put_cursor(self) -> None:
        """Let the page open with the cursor in this row: at the fault, the question, or the first score."""
        self.focus = True
        faulty = [cell for cell in self.cells if cell.faults]
        (faulty[0] if faulty else self.cells[1 if self.questions else 0]).focus = True


def make_grid_row(pairing: Pairing, data: Mapping[str, str] | None = None) -> GridRow:
    """A table's row as it stands, with what `data` brings for it typed in."""
    typed, cells = data or {}, []
    prefix = get_row_prefix(pairing)
    for side, name in zip(SIDES, name_both_players(pairing), strict=True):
        label = _("Points of %(name)s, table %(table)s") % {"name": name, "table": pairing.table}
        field_name = f"{prefix}-{side}_points"
        cells.append(ScoreCell(side, name, field_name, label, typed.get(field_name, "")))
    seen = typed.get(f"{prefix}-seen", "") or format_seen_state(pairing)
    return GridRow(pairing, cells, is_open=data is not None or pairing.result is None, seen=seen)


def save_grid_row(pairing: Pairing, data: Mapping[str, str], actor: Actor) -> GridRow:
    """Make the two scores typed for a table official, or say in its row why not; nothing typed is lost then."""
    form = RowResultForm(data, pairing=pairing)
    refused = make_grid_row(pairing, data)
    if form.is_valid() and not form.has_asked and (questions := describe_oddities(form.report())):
        refused.questions, refused.asked = questions, make_fingerprint(form.report(), refused.seen)
        return refused
    if done := form.done(lambda _typed: record_form_result(pairing, form, actor)):
        pairing.official_results = [done.result]  # type: ignore[attr-defined]  # what with_results would fetch now
        return make_grid_row(pairing)
    for refusal in form.refused:
        if isinstance(refusal, LaterGamesDisturbed):
            refused.questions, refused.asked = [str(refusal)], make_fingerprint(form.report(), refused.seen)
            refused.disturbs = refusal.agreed
        elif isinstance(refusal, ResultChanged):
            refused.clash = refusal
    return add_row_faults(refused, form)


def parse_absence(text: str) -> tuple[int, Outcome] | None:
    """The pairing and the outcome that a button of `GridRow.absences` sends; None for any other text."""
    key, _dash, outcome = text.partition("-")
    pk = parse_key(key)
    return (pk, Outcome(outcome)) if pk is not None and outcome in ABSENCES else None


def save_absence(pairing: Pairing, data: Mapping[str, str], outcome: Outcome, actor: Actor) -> GridRow:
    """Make official who did not show at a table, or say in its row why not."""
    form = make_absence_form(pairing, data, outcome)
    if done := form.done(lambda _typed: record_form_result(pairing, form, actor)):
        pairing.official_results = [done.result]  # type: ignore[attr-defined]  # what with_results would fetch now
        return make_grid_row(pairing)
    refused = make_grid_row(pairing, data)
    for refusal in form.refused:
        if isinstance(refusal, ResultChanged):
            refused.clash = refusal
        elif isinstance(refusal, form.told_apart):
            refused.faults.append(str(refusal))
    refused.faults += form.faults
    return refused


def record_form_result(pairing: Pairing, form: TableResultForm, actor: Actor, *, why: str = "") -> Result:
    """Make what a valid form states official. Raises the operation's refusals."""
    version, players = form.expected
    return record_result(
        pairing,
        report=form.report(),
        actor=actor,
        expected_version=version,
        expected_players=players,
        why=why,
        disturb=form.agreed,
    )


def add_row_faults(refused: GridRow, form: RowResultForm) -> GridRow:
    """The row with what is wrong: next to a score what belongs to it, everything else below."""
    faults = {name: [str(fault) for fault in found] for name, found in form.errors.items()}
    for cell in refused.cells:
        cell.faults = faults.pop(f"{cell.side}_points", [])
    refused.faults = [fault for found in faults.values() for fault in found]
    return refused


@dataclass(slots=True)
class PostedRows:
    """What a post of the grid has come to: the rows that it brought scores for, and scores without a table."""

    rows: dict[int, GridRow]
    lost: list[str]


def save_grid_rows(
    round: Round,
    data: Mapping[str, str],
    actor: Actor,
    *,
    leave: int | None = None,
    absence: tuple[int, Outcome] | None = None,
) -> PostedRows:
    """Save each row of a round that something was typed into, and an `absence`; the pairing `leave` is not saved."""
    absent, outcome = absence or (None, Outcome.OPEN)
    keys = find_typed_keys(data) | ({absent} if absent is not None else set())
    rows = {}
    for pairing in list_grid_pairings(round, keys):
        if pairing.pk == leave:
            rows[pairing.pk] = make_grid_row(pairing, data)
        elif pairing.pk == absent:
            rows[pairing.pk] = save_absence(pairing, data, outcome, actor)
        else:
            rows[pairing.pk] = save_grid_row(pairing, data, actor)
    lost = []
    for pk in sorted(keys - rows.keys()):
        scores = (data.get(f"p{pk}-{side}_points", "").strip() for side in SIDES)
        lost.append(" : ".join(quote_input(score) or "–" for score in scores))
    return PostedRows(rows, lost)


def restore_typed_rows(round: Round, data: Mapping[str, str]) -> PostedRows:
    """What was typed before signing in again, in its rows but not saved."""
    found = list_grid_pairings(round, find_typed_keys(data))
    return PostedRows({pairing.pk: make_grid_row(pairing, data) for pairing in found}, [])


def list_grid_pairings(round: Round, keys: Collection[int]) -> list[Pairing]:
    """The games of a round with these ids, players and official results fetched. Four queries."""
    found = Pairing.objects.filter(round=round, pk__in=keys, kind=Pairing.Kind.GAME)
    found = found.with_players().with_results().by_table()
    listed = [pairing for pairing in found if may_enter_table(round, pairing.table)]
    for pairing in listed:
        pairing.round = round
    return listed


def may_enter_table(round: Round, table: int | None) -> bool:
    """Whether the reader types the results of this table: a helper's code may be for some tables only."""
    code = round.division.tournament.access_code
    return code is None or code.holds(table)


def find_typed_keys(data: Mapping[str, str]) -> set[int]:
    """The pairings for which a post brings scores."""
    fields = (name.partition("-") for name, value in data.items() if value.strip())
    keys = (parse_key(prefix[1:]) for prefix, _dash, rest in fields if rest in ("first_points", "second_points"))
    return {found for found in keys if found is not None}


@dataclass(slots=True)
class ResultsGrid:
    """The whole page: a row for each table, and those who have no opponent."""

    round: Round
    rows: list[GridRow]
    alone: list[Pairing]

    @property
    def done(self) -> int:
        return sum(1 for row in self.rows if row.pairing.result)

    @property
    def total(self) -> int:
        """How many games are played, or were."""
        return sum(1 for row in self.rows if not row.is_idle)

    @property
    def playing(self) -> list["OpenTable"]:
        return [
            OpenTable(row.pairing.pk, row.pairing.table or 0, *(cell.name for cell in row.cells))
            for row in self.rows
            if row.pairing.result is None and not row.is_idle
        ]

    def find_cursor_row(self, table: str, after: int) -> GridRow | None:
        """The first row not saved, else that of the table typed; if none was, the first open one after a table."""
        refused = [row for row in self.rows if row.has_note]
        if refused or table:
            named = [row for row in self.rows if str(row.pairing.table) == table.lstrip("0")]
            return next(iter(refused or named), None)
        still_open = [row for row in self.rows if row.is_open]
        later = [row for row in still_open if (row.pairing.table or 0) > after]
        return next(iter(later or still_open), None)


def load_results_grid(round: Round, entered: PostedRows | None = None) -> ResultsGrid:
    """All tables of a round; the rows of `entered` that are still open stand in it as they were typed."""
    kept = {pk: each for pk, each in entered.rows.items() if each.is_open} if entered else {}
    found = list_round_pairings(round)
    for pairing in found:
        pairing.round = round
    mine = [pairing for pairing in found if may_enter_table(round, pairing.table)]
    games = [pairing for pairing in mine if pairing.kind == Pairing.Kind.GAME]
    made = ResultsGrid(
        round=round,
        rows=[kept.get(pairing.pk) or make_grid_row(pairing) for pairing in games],
        alone=[pairing for pairing in mine if pairing.kind != Pairing.Kind.GAME],
    )
    add_row_states(round, made.rows)
    return made


def add_row_states(round: Round, rows: Collection[GridRow]) -> None:
    """Put into rows how their matches stand, what players have reported, and how results stand that are typed twice."""
    _add_match_states(round, rows)
    tournament = round.division.tournament
    reports = list_table_reports([row.pairing for row in rows if row.pairing.result is None], tournament.rules)
    again = find_second_entries([row.pairing.pk for row in rows]) if tournament.results_twice else {}
    for row in rows:
        row.reports = reports.get(row.pairing.pk)
        if tournament.results_twice and (official := row.pairing.result):
            row.check = get_second_entry_state(official, again.get(row.pairing.pk))


def _add_match_states(round: Round, rows: Collection[GridRow]) -> None:
    """In the knock-out: name the match of each row, say how it stands, and mark open games that nobody plays."""
    state = load_knockout_state(round.division) if round.is_knockout else None
    if state is None:
        return
    found = {match.place: match for match in state.bracket.matches}
    for row in rows:
        match = found.get((round.stage or 0, row.pairing.table or 0))
        row.match = format_match_name(state.knockout, round.stage or 0, row.pairing.table or 0)
        row.is_idle = row.pairing.pk in state.not_played
        row.is_open = row.is_open and not row.is_idle
        if match is not None and (row.pairing.result or row.is_idle):
            stand = build_match_stand(state, match)
            is_same_order = match.players[0] == row.pairing.first.pk
            row.state = (stand if is_same_order else stand.turned()).beside_names()


@dataclass(frozen=True, slots=True)
class OpenTable:
    """A table without a result."""

    pk: int
    table: int
    first: str
    second: str


def load_grid_progress(round: Round) -> dict[str, Any]:
    """How far a round has come: `total` games, those `done` and those in `playing`, and the keys of all rows that the
    grid has. Three queries; seven more in the knock-out."""
    games = Pairing.objects.filter(round=round, kind=Pairing.Kind.GAME).by_table().values_list("pk", "table")
    keys = [pk for pk, table in games if may_enter_table(round, table)]
    state = load_knockout_state(round.division) if round.is_knockout else None
    idle = state.not_played if state else frozenset()
    playing = [each for each in _list_open_tables(round) if each.pk not in idle and may_enter_table(round, each.table)]
    total = sum(1 for pk in keys if pk not in idle)
    return {"playing": playing, "total": total, "done": total - len(playing), "keys": keys}


def _list_open_tables(round: Round) -> list[OpenTable]:
    """The tables without a result, in order. Two queries."""
    seats = (
        Seat.objects.filter(round=round, pairing__kind=Pairing.Kind.GAME)
        .exclude(pairing__results__official=True)
        .select_related("pairing")
        .prefetch_related(prefetch_entries("entry"))
        .order_by("pairing__table", "side")
    )
    names: dict[tuple[int, int], list[str]] = {}
    for seat in seats:
        names.setdefault((seat.pairing_id, seat.pairing.table or 0), []).append(seat.entry.name)

    return [OpenTable(pk, table, *two) for (pk, table), two in names.items()]


# The grid in which a round is typed a second time: its rows without any figure of the first typing.


@dataclass(slots=True)
class SecondEntryRow:
    """A table to be typed a second time. `kind` None: it has no result yet; `is_own`: the reader typed it first."""

    row: GridRow
    kind: SecondEntryState | None
    is_own: bool = False

    @property
    def is_open(self) -> bool:
        """Whether the reader is to type it."""
        return self.kind == SecondEntryState.ONCE and not self.is_own


@dataclass(slots=True)
class SecondEntryGrid:
    """A round typed a second time; `total` are the results that are typed twice, or will be."""

    round: Round
    rows: list[SecondEntryRow]
    done: int = 0
    total: int = 0
    differing: list[SecondEntryRow] = field(default_factory=list)

    def put_cursor(self, after: int = 0) -> None:
        """Let the page open at a fault, or in the first open row after a table."""
        found = [each for each in self.rows if each.is_open]
        faulty = [each for each in found if each.row.has_note]
        later = [each for each in found if (each.row.pairing.table or 0) > after]
        for chosen in (faulty or later or found)[:1]:
            chosen.row.put_cursor()


def load_second_entry_grid(round: Round, actor: Actor, entered: Mapping[int, GridRow] | None = None) -> SecondEntryGrid:
    """A round as the reader types it a second time, with what was typed and not kept in its rows. Five queries."""
    games = [each for each in list_round_pairings(round) if each.kind == Pairing.Kind.GAME]
    mine = [each for each in games if may_enter_table(round, each.table)]
    again = find_second_entries([each.pk for each in mine])
    rows = []
    for pairing in mine:
        pairing.round = round
        official, second = pairing.result, again.get(pairing.pk)
        kind = get_second_entry_state(official, second) if official is not None else None
        is_own = official is not None and is_typed_by(official, actor)
        row = (entered or {}).get(pairing.pk) or _make_blind_row(pairing, {})
        rows.append(SecondEntryRow(row, kind, is_own))
    counted = [each for each in rows if each.kind not in (None, SecondEntryState.ALONE)]
    return SecondEntryGrid(
        round=round,
        rows=rows,
        done=sum(each.kind != SecondEntryState.ONCE for each in counted),
        total=len(counted),
        differing=[each for each in rows if each.kind == SecondEntryState.DIFFERS],
    )


def _make_blind_row(pairing: Pairing, data: Mapping[str, str]) -> GridRow:
    """A row that has nothing of the result in it."""
    pairing.official_results = []  # type: ignore[attr-defined]  # what with_results has fetched
    return make_grid_row(pairing, data)


def save_second_entry_rows(round: Round, data: Mapping[str, str], actor: Actor) -> dict[int, GridRow]:
    """Keep every row that something was typed into; return those that were refused, with the reason."""
    refused = {}
    for pairing in list_grid_pairings(round, find_typed_keys(data)):
        form = RowResultForm(data, pairing=pairing)
        if not form.done(partial(_record_row, pairing, actor)):
            refused[pairing.pk] = add_row_faults(_make_blind_row(pairing, data), form)
    return refused


def find_last_typed_table(data: Mapping[str, str], found: SecondEntryGrid) -> int:
    """The last table that something was typed for; 0 for none."""
    typed = find_typed_keys(data)
    return max((each.row.pairing.table or 0 for each in found.rows if each.row.pairing.pk in typed), default=0)


def _record_row(pairing: Pairing, actor: Actor, typed: dict[str, Any]) -> None:
    record_second_entry(pairing, points=(typed["first_points"], typed["second_points"]), actor=actor)
