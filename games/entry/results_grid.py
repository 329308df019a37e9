"""The grid of a round as values: its rows, what was typed into them, and what became of it."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from games.core.pages import format_seen_state, make_fingerprint
from games.core.words import get_winning_side, list_result_marks, list_result_questions
from games.entry.forms import RowResultForm, TableResultForm, get_row_prefix, make_absence_form
from games.entry.second_entry import record_second_entry
from games.reports.game_reports import list_table_reports
from scoring.awards import Outcome
from tournament.core.change import Actor
from tournament.core.reports import Report
from tournament.core.second_entries import (
    OPEN_STATES,
    SecondEntryState,
    count_unsettled_results,
    find_second_entries,
    get_second_entry_state,
)
from tournament.core.words.figures import name_both_players, name_round_teams
from tournament.core.words.rounds import format_match_name
from tournament.journal.consequences import build_match_stand
from tournament.models import Pairing, Result, Round, Seat
from tournament.models.event import list_named_entries
from tournament.models.play import SIDES
from tournament.pages.forms import parse_key, quote_input
from tournament.results.knockout_games import LaterGamesDisturbed
from tournament.results.knockout_state import KnockoutState, load_knockout_state
from tournament.results.league_games import load_players_by_pairing
from tournament.results.operations import ResultChanged, record_result
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
    team: str = ""
    faults: list[str] = field(default_factory=list)
    focus: bool = False


@dataclass(slots=True)
class GridRow:
    """A table in the grid. A row that was not saved keeps what was typed, what the page showed (`seen`) and the reason:
    `faults`, `questions` asked once (`asked`: what about; `disturbs`: later games that would no longer count), or the
    `clash` with somebody's result. In the knock-out `match` and `state` tell of its match. Idle rows are not played.
    `check`: how a result stands that is typed twice; the row of one that the reader may not see yet has none."""

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
    def has_result(self) -> bool:
        """Whether there is a result, be it one that the reader may not see yet."""
        return self.pairing.result is not None or self.check is not None

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
        return [(f"{self.pairing.pk}-{outcome}", text) for outcome, text in zip(ABSENCES, texts, strict=True)]

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
        # A question comes from Enter in the second score, and Enter there answers it: the cursor is back where it was.
        (faulty[0] if faulty else self.cells[1 if self.questions else 0]).focus = True


def make_grid_row(pairing: Pairing, data: Mapping[str, str] | None = None) -> GridRow:
    """A table's row as it stands, with what `data` brings for it typed in."""
    typed_fields, cells = data or {}, []
    prefix, teams = get_row_prefix(pairing), name_round_teams([pairing])
    for side, name in zip(SIDES, name_both_players(pairing), strict=True):
        label = _("Points of %(name)s, table %(table)s") % {"name": name, "table": pairing.table}
        field_name = f"{prefix}-{side}_points"
        entry = pairing.first if side == SIDES[0] else pairing.second
        team = teams.get(entry.pk, "") if entry else ""
        cells.append(ScoreCell(side, name, field_name, label, typed_fields.get(field_name, ""), team))
    # What the page showed and not what stands now: sent once more, a refused row has still not seen what somebody else
    # has saved.
    seen = typed_fields.get(f"{prefix}-seen", "") or format_seen_state(pairing)
    # Noted by `hide_first_entries`, where results are typed twice.
    check: SecondEntryState | None = getattr(pairing, "second_entry_state", None)
    # A row with something typed in it stays open, also where somebody else was faster: both figures are shown then.
    is_open = data is not None or (pairing.result is None and check != SecondEntryState.DIFFERS)
    return GridRow(pairing, cells, is_open=is_open, seen=seen, check=check)


def hide_first_entries(round: Round, pairings: Collection[Pairing], actor: Actor) -> None:
    """Where results are typed twice, note how each stands, and leave out those that the reader may not see: what
    somebody else has typed first, until there is a second typing that says the same. At most one query."""
    if not round.division.tournament.results_twice:
        return
    again = find_second_entries([pairing.pk for pairing in pairings])
    for pairing in pairings:
        if (official := pairing.result) is not None:
            check = get_second_entry_state(official, again.get(pairing.pk))
            pairing.second_entry_state = check  # type: ignore[attr-defined]  # read by make_grid_row
            if check in OPEN_STATES and not (check == SecondEntryState.ONCE and actor.has_written(official)):
                # Left out here, not in the template: whoever types second once opened a page that showed the first
                # one's figures, and so could confirm a slip of the keyboard.
                pairing.official_results = []  # type: ignore[attr-defined]  # what with_results has fetched


def save_grid_row(pairing: Pairing, data: Mapping[str, str], actor: Actor) -> GridRow:
    """Make the two scores typed for a table official, or say in its row why not; nothing typed is lost then."""
    form = RowResultForm(data, pairing=pairing)
    refused = make_grid_row(pairing, data)
    if form.is_valid() and not form.has_asked and (questions := list_result_questions(pairing, form.report())):
        refused.questions, refused.asked = questions, make_fingerprint(form.report(), refused.seen)
        return refused
    if pairing.result is None and refused.check is not None:  # there is a first typing
        again = form.done(lambda typed: record_second_entry(pairing, points=_get_points(typed), actor=actor))
        # Read anew: with two typings that agree the result may be shown to this reader.
        saved = list_grid_pairings(pairing.round, [pairing.pk], actor) if again else []
        return make_grid_row(saved[0]) if saved else add_row_faults(refused, form)
    if outcome := form.done(lambda _typed: record_form_result(pairing, form, actor)):
        return _make_saved_row(pairing, outcome.result, actor)
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
    # Only these: a button's value is what a browser sends, and any other outcome has a page of its own that asks
    # before.
    return (pk, Outcome(outcome)) if pk is not None and outcome in ABSENCES else None


def save_absence(pairing: Pairing, data: Mapping[str, str], outcome: Outcome, actor: Actor) -> GridRow:
    """Make official who did not show at a table, or say in its row why not."""
    form = make_absence_form(pairing, data, outcome)
    if saving := form.done(lambda _typed: record_form_result(pairing, form, actor)):
        return _make_saved_row(pairing, saving.result, actor)
    refused = make_grid_row(pairing, data)
    for refusal in form.refused:
        if isinstance(refusal, ResultChanged):
            refused.clash = refusal
        elif isinstance(refusal, form.told_apart):
            refused.faults.append(str(refusal))
    refused.faults += form.faults
    return refused


def _make_saved_row(pairing: Pairing, saved: Result, actor: Actor) -> GridRow:
    """The row of a table whose result has just been saved."""
    pairing.official_results = [saved]  # type: ignore[attr-defined]  # what with_results would fetch now
    hide_first_entries(pairing.round, [pairing], actor)
    return make_grid_row(pairing)


def _get_points(typed: Mapping[str, Any]) -> tuple[int, int]:
    return typed["first_points"], typed["second_points"]


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
    faults = {name: [str(fault) for fault in faults] for name, faults in form.errors.items()}
    for cell in refused.cells:
        cell.faults = faults.pop(f"{cell.side}_points", [])
    refused.faults = [fault for row_faults in faults.values() for fault in row_faults]
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
    # Only rows with scores: a helper's page may be an hour old, and its empty rows say nothing of tables that have
    # their result since.
    keys = find_typed_keys(data) | ({absent} if absent is not None else set())
    rows = {}
    for pairing in list_grid_pairings(round, keys, actor):
        if pairing.pk == leave:
            rows[pairing.pk] = make_grid_row(pairing, data)
        elif pairing.pk == absent:
            rows[pairing.pk] = save_absence(pairing, data, outcome, actor)
        else:
            rows[pairing.pk] = save_grid_row(pairing, data, actor)
    # Scores of tables that the round no longer has, since it was paired anew: quoted to the helper, not dropped.
    lost = []
    for pk in sorted(keys - rows.keys()):
        scores = (data.get(f"p{pk}-{side}_points", "").strip() for side in SIDES)
        lost.append(" : ".join(quote_input(score) or "–" for score in scores))
    return PostedRows(rows, lost)


def restore_typed_rows(round: Round, data: Mapping[str, str], actor: Actor) -> PostedRows:
    """What was typed before signing in again, in its rows but not saved."""
    pairings = list_grid_pairings(round, find_typed_keys(data), actor)
    return PostedRows({pairing.pk: make_grid_row(pairing, data) for pairing in pairings}, [])


def list_grid_pairings(round: Round, keys: Collection[int], actor: Actor) -> list[Pairing]:
    """The games of a round with these ids as `actor` types them, players and official results fetched. Four queries,
    five if results are typed twice."""
    pairings = Pairing.objects.filter(round=round, pk__in=keys, kind=Pairing.Kind.GAME).with_results().by_table()
    mine = [pairing for pairing in pairings if may_enter_table(round, pairing.table)]
    seated = load_players_by_pairing(Seat.objects.filter(pairing__in=keys).order_by())
    players = {player for at in seated.values() for player in (at.first, at.second) if player is not None}
    entries = {entry.pk: entry for entry in list_named_entries().filter(pk__in=players)}
    listed = [pairing for pairing in mine if pairing.pk in seated]  # the others were deleted meanwhile
    for pairing in listed:
        pairing.round = round
        first, second, _about = seated[pairing.pk]
        pairing.seat_entries(entries[first], None if second is None else entries[second])
    hide_first_entries(round, listed, actor)
    return listed


def may_enter_table(round: Round, table: int | None) -> bool:
    """Whether the reader types the results of this table: a helper's code may be for some tables only."""
    code = round.division.tournament.access_code
    return code is None or code.holds(table)


def find_typed_keys(data: Mapping[str, str]) -> set[int]:
    """The pairings for which a post brings scores."""
    fields = (name.partition("-") for name, value in data.items() if value.strip())
    keys = (parse_key(prefix[1:]) for prefix, _dash, rest in fields if rest in ("first_points", "second_points"))
    return {row_key for row_key in keys if row_key is not None}


@dataclass(frozen=True, slots=True)
class GridProgress:
    """How far a round has come for whoever types it: the keys of its games; how many are played, or have been; which
    are still `open`; and how many results are `unsettled`, because they are to be typed again or the two typings
    differ. `missing` counts the games of the whole round without an official result, whoever types them."""

    keys: list[int]
    total: int
    open: list[int]
    unsettled: int
    missing: int

    @property
    def done(self) -> int:
        return self.total - len(self.open)

    @property
    def key_list(self) -> str:
        """The keys as `static/grid.js` reads them: a template's `join` would escape each of them."""
        return " ".join(map(str, self.keys))

    @property
    def open_list(self) -> str:
        return " ".join(map(str, self.open))

    @property
    def is_complete(self) -> bool:
        return not self.open and not self.unsettled


@dataclass(slots=True)
class ResultsGrid:
    """What the page shows: a row for each table, or for those that a post has changed, with what players have reported
    and how its match stands; those who have no opponent; and how far the round has come."""

    round: Round
    rows: list[GridRow]
    alone: list[Pairing]
    progress: GridProgress

    @property
    def playing(self) -> list[GridRow]:
        """The rows of games without a result."""
        open_keys = set(self.progress.open)
        return [row for row in self.rows if row.pairing.pk in open_keys]

    def find_cursor_row(self, table: str, after: int) -> GridRow | None:
        """The first row not saved, else that of the table typed; if none was, the first open one after a table."""
        refused = [row for row in self.rows if row.has_note]
        if refused or table:
            # “07” is table 7.
            named = [row for row in self.rows if str(row.pairing.table) == table.lstrip("0")]
            return next(iter(refused or named), None)
        still_open = [row for row in self.rows if row.is_open]
        later = [row for row in still_open if (row.pairing.table or 0) > after]
        return next(iter(later or still_open), None)


def load_results_grid(round: Round, actor: Actor, entered: PostedRows | None = None) -> ResultsGrid:
    """All tables of a round as `actor` types them; the rows of `entered` that are still open stand in it as they were
    typed."""
    open_rows = {pk: row for pk, row in entered.rows.items() if row.is_open} if entered else {}
    pairings = list_round_pairings(round)
    for pairing in pairings:
        pairing.round = round
    mine = [pairing for pairing in pairings if may_enter_table(round, pairing.table)]
    games = [pairing for pairing in mine if pairing.kind == Pairing.Kind.GAME]
    hide_first_entries(round, games, actor)
    rows = [open_rows.get(pairing.pk) or make_grid_row(pairing) for pairing in games]
    _add_row_states(round, rows, _load_match_state(round))
    return ResultsGrid(
        round=round,
        rows=rows,
        alone=[pairing for pairing in mine if pairing.kind != Pairing.Kind.GAME],
        progress=GridProgress(
            keys=[pairing.pk for pairing in games],
            total=sum(not row.is_idle for row in rows),
            open=[row.pairing.pk for row in rows if not row.has_result and not row.is_idle],
            unsettled=count_unsettled_results(round),
            missing=sum(pairing.kind == Pairing.Kind.GAME and pairing.result is None for pairing in pairings),
        ),
    )


def load_changed_rows(round: Round, rows: list[GridRow]) -> ResultsGrid:
    """These rows of the page as they stand, and how far the round has come. Two queries; seven more in the knock-out,
    four if results are typed twice."""
    state = _load_match_state(round)
    _add_row_states(round, rows, state)
    idle = state.not_played if state else frozenset()
    listed = list(_make_query_of_open_tables().filter(round=round))
    code = round.division.tournament.access_code  # asked once: `may_enter_table` for each of 250 tables takes longer
    mine = [(pk, is_done) for pk, table, is_done in listed if code is None or code.holds(table)]
    progress = GridProgress(
        keys=[pk for pk, _is_done in mine],
        total=sum(pk not in idle for pk, _is_done in mine),
        open=[pk for pk, is_done in mine if not is_done and pk not in idle],
        unsettled=count_unsettled_results(round),
        missing=sum(not is_done for _pk, _table, is_done in listed),
    )
    return ResultsGrid(round=round, rows=rows, alone=[], progress=progress)


@cache
def _make_query_of_open_tables() -> QuerySet[Pairing, tuple[int, int, bool]]:
    """Of all games in the order of tables: key, table, whether there is a result. The query, never its rows: making it
    took longer than asking for those of a round."""
    is_official = Exists(Result.objects.filter(pairing=OuterRef("pk"), official=True))
    return Pairing.objects.filter(kind=Pairing.Kind.GAME).by_table().values_list("pk", "table", is_official)


def _load_match_state(round: Round) -> KnockoutState | None:
    return load_knockout_state(round.division) if round.is_knockout else None


def _add_row_states(round: Round, rows: Collection[GridRow], state: KnockoutState | None) -> None:
    """Put into rows what players have reported. In the knock-out: name the match of each row, say how it stands, and
    mark open games that nobody plays."""
    if state is not None:
        matches_by_place = {match.place: match for match in state.bracket.matches}
        for row in rows:
            place = (round.stage or 0, row.pairing.match_position or 0)
            match = matches_by_place.get(place)
            row.match = format_match_name(state.knockout, *place)
            row.is_idle = row.pairing.pk in state.not_played
            row.is_open = row.is_open and not row.is_idle
            if match is not None and (row.pairing.result or row.is_idle):
                stand = build_match_stand(state, match)
                # Who is listed first may change from game to game; the stand is told in the order of the match's
                # players.
                is_same_order = match.players[0] == row.pairing.first.pk
                row.state = (stand if is_same_order else stand.turned()).beside_names()
    open_pairings = [row.pairing for row in rows if not row.has_result]
    reports = list_table_reports(open_pairings, round.division.tournament.rules)
    for row in rows:
        row.reports = reports.get(row.pairing.pk)
