"""The tables of a report to a federation, on paper and in files: entries, games and final rankings."""

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.core.words.figures import NO_FIGURE, format_rating, format_score
from tournament.core.words.rounds import format_round_name
from tournament.entries.operations.numbers import format_list_number, format_number_heading
from tournament.federation.report import FederationReport, ReportedDivision, find_federation_number
from tournament.federation.words import describe_game_kind, describe_odd_game, describe_participation, format_rated
from tournament.models import Entry, Pairing, Result, Round
from tournament.pages.tables import BaseTable, Column, FiguresColumn
from tournament.paper.grid import PrintedCell
from tournament.paper.sheet import MM, Align
from tournament.table.league import load_boards

SMALL = 0.85  # what stands beside names, in parts of their size


class NumberColumn(Column):
    """The numbers of one federation, in files; `get_entry` says whose number stands in a row, None for nobody's."""

    def __init__(
        self, report: FederationReport, system: str, get_entry: Callable[[Any], Entry | None], heading: str = ""
    ) -> None:
        super().__init__(heading or format_number_heading(system), empty_values=())
        self.report, self.system, self.get_entry = report, system, get_entry

    def value(self, record: Any) -> str:
        entry = self.get_entry(record)
        numbers = self.report.numbers.get(entry.player_id, ()) if entry else ()
        number = find_federation_number(numbers, self.system)
        return format_list_number(number) if number else ""


def list_number_columns(
    report: FederationReport, get_entry: Callable[[Any], Entry | None]
) -> list[tuple[str, NumberColumn]]:
    """A column for each federation by whose numbers the files of a report are joined."""
    # By running numbers and names alone an officer could not join a table with a list of their own.
    return [
        (f"number_{place}", NumberColumn(report, system, get_entry))
        for place, system in enumerate(report.joining_systems)
    ]


class ReportedEntriesTable(BaseTable):
    """Everybody entered, first of all whoever has no number of the federation. A list of players is read by the
    headings that files have."""

    number = Column("", empty_values=(), exclude_from_export=True, width=24 * MM)
    key = Column(gettext_lazy("No."))
    # In files the bare name: a list of players is read back by it, and what tells namesakes apart would become a part
    # of the name.
    name = Column(gettext_lazy("Name"), accessor="player__name", width=68 * MM, bold=True, wraps=True)
    club = Column(gettext_lazy("Club"), accessor="club__name", default="", width=40 * MM, scale=SMALL, wraps=True)
    rating = FiguresColumn(gettext_lazy("Rating"), write=format_rating, width=18 * MM)
    games = FiguresColumn(gettext_lazy("Games"), in_files=gettext_lazy("Lifetime games"), width=20 * MM)
    division = Column(
        "", in_files=gettext_lazy("Division"), accessor="division_id", width=20 * MM, scale=SMALL, wraps=True
    )
    remark = Column(gettext_lazy("Remark"), empty_values=())
    team = Column(gettext_lazy("Team"), accessor="listed_team", visible=False)
    board = Column(gettext_lazy("Board"), accessor="pk", visible=False, default="")

    def __init__(self, report: FederationReport, **options: Any) -> None:
        self.report, self.boards = report, dict[int, int]()
        team_boards = [load_boards(part.division) for part in report.divisions]
        for boards in team_boards:
            self.boards |= boards or {}
        left_out = () if any(boards is not None for boards in team_boards) else ("team", "board")
        # What the caller names goes before: paper has another order of columns than files.
        options = {"exclude": left_out, **options}
        self.divisions = {part.division.pk: part.division.name for part in report.divisions}
        federation = report.tournament.rules.federation
        columns = [
            (f"number_{place}", NumberColumn(report, system, lambda entry: entry))
            for place, system in enumerate(report.systems)
        ]
        options = {"sequence": ("number", "key", *(name for name, _column in columns), "..."), **options}
        super().__init__(report.numbered_first_last, extra_columns=columns, caption=_("Entries"), **options)
        self.columns["number"].column.verbose_name = federation or _("Number")
        if len(self.divisions) > 1:
            self.columns["division"].column.verbose_name = _("Division")

    def render_number(self, record: Entry) -> str:
        """The player's number, with the federation where the rules name none."""
        number = self.report.find_number(record)
        if number is None:
            return NO_FIGURE
        text = format_list_number(number)
        return text if self.report.tournament.rules.federation else f"{number.system} {text}"

    def value_board(self, value: int) -> int | str:
        return self.boards.get(value, "")

    def print_name(self, entry: Entry) -> PrintedCell:
        return PrintedCell(entry.name, describe_participation(entry))

    def render_division(self, value: int) -> str:
        return self.divisions[value]

    def print_division(self, entry: Entry) -> str:
        return self.divisions[entry.division_id] if len(self.divisions) > 1 else ""

    def render_remark(self, record: Entry) -> str:
        return describe_participation(record)


class GamesTable(BaseTable):
    """Every pairing by division, round and table: who, the score, how it came out, whether it is rated, on paper what
    is odd about it, and in files both players' numbers."""

    division = Column(gettext_lazy("Division"))
    round = Column(gettext_lazy("Round"), accessor="pairing__round", width=18 * MM, scale=SMALL, wraps=True)
    table = FiguresColumn(
        gettext_lazy("Table"), accessor="pairing__table", write=lambda number: str(number or ""), width=12 * MM
    )
    first_key = Column(gettext_lazy("No."), accessor="pairing__first__key")
    first = Column(gettext_lazy("First player"), accessor="pairing__first__name", width=50 * MM, wraps=True)
    first_points = Column(gettext_lazy("Points"), accessor="pairing__result__first_points")
    second_key = Column(gettext_lazy("No."), accessor="pairing__second__key")
    # With a default of its own: the usual one is a dash, which a program would read as the name of an opponent.
    second = Column(
        gettext_lazy("Second player"), accessor="pairing__second__name", default="", width=50 * MM, wraps=True
    )
    score = Column(
        gettext_lazy("Score"),
        accessor="pairing__result",
        default="",
        exclude_from_export=True,
        width=22 * MM,
        align=Align.CENTRE,
    )
    second_points = Column(gettext_lazy("Points"), accessor="pairing__result__second_points")
    outcome = Column(gettext_lazy("Outcome"), accessor="pairing")
    rated = Column(gettext_lazy("Ratings"), accessor="pairing")
    remark = Column(
        gettext_lazy("Remark"), accessor="pairing", exclude_from_export=True, width=38 * MM, scale=0.75, wraps=True
    )

    def __init__(self, report: FederationReport, *parts: ReportedDivision) -> None:
        games = [{"division": part.division.name, "pairing": pairing} for part in parts for pairing in part.games]
        both: list[tuple[str, Callable[[Any], Entry | None]]] = [
            (_("First player: %(number)s"), lambda row: row["pairing"].first),
            (_("Second player: %(number)s"), lambda row: row["pairing"].second),
        ]
        headings = [(system, heading, get) for heading, get in both for system in report.joining_systems]
        columns = [
            (f"number_{place}", NumberColumn(report, system, get, heading % {"number": format_number_heading(system)}))
            for place, (system, heading, get) in enumerate(headings)
        ]
        super().__init__(games, caption=_("Games"), extra_columns=columns)

    def render_round(self, value: Round) -> str:
        return format_round_name(value) if value.is_knockout else str(value.number)

    def value_round(self, value: Round) -> str | int:
        return format_round_name(value) if value.is_knockout else value.number

    def render_score(self, value: Result) -> str:
        return "" if value.first_points is None else format_score(value.first_points, value.second_points)

    def render_outcome(self, value: Pairing) -> str:
        return describe_game_kind(value)

    def render_rated(self, value: Pairing) -> str:
        return format_rated(value)

    def render_remark(self, value: Pairing) -> str:
        return describe_odd_game(value)


class PlacesTable(BaseTable):
    """The final ranking of each division; of a session the places after its closed turns. In files with the players'
    numbers."""

    division = Column(gettext_lazy("Division"))
    rank = FiguresColumn(gettext_lazy("Rank"), write=str, width=16 * MM, bold=True)
    key = Column(gettext_lazy("No."), accessor="entry__key")
    name = Column(gettext_lazy("Name"), accessor="entry__name_beside_club", width=104 * MM, wraps=True)
    club = Column(
        gettext_lazy("Club"), accessor="entry__club__name", default="", width=70 * MM, scale=SMALL, wraps=True
    )

    def __init__(self, report: FederationReport, *parts: ReportedDivision) -> None:
        places = [
            {"division": part.division.name, "rank": rank, "entry": entry}
            for part in parts
            for rank, entry in part.places
        ]
        columns = list_number_columns(report, lambda row: row["entry"])
        super().__init__(places, caption=_("Final ranking"), extra_columns=columns)
