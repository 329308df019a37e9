"""Tables on pages: entries, standings, cross tables, and the records and upsets of the statistics."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, ngettext_lazy, pgettext_lazy

from scoring import standings
from scoring.awards import AWARDED_OUTCOMES
from scoring.keizer import SIXTHS
from scoring.statistics import Feat, RecordKind
from tournament.core.words.figures import (
    NO_FIGURE,
    format_average,
    format_half_wins,
    format_points,
    format_rating,
    format_score,
    format_signed,
    format_sixths,
)
from tournament.core.words.outcomes import abbreviate_missed_round, format_outcome_mark, format_withdrawal
from tournament.core.words.rounds import format_round_phrase, get_knockout_place
from tournament.models import Division, Entry
from tournament.pages.tables import (
    REST,
    BaseTable,
    Column,
    FiguresColumn,
    LinkedTable,
    TournamentLinks,
    escape_text,
    render_cell_note,
    render_entry_marks,
    render_movement,
)
from tournament.pairing.values import StartPolicy
from tournament.paper.grid import PrintedCell, measure_column
from tournament.paper.sheet import MM, Paper
from tournament.table.charts import build_score_chart, build_start_chart
from tournament.table.league import TableRow
from tournament.table.public_table import CrossRow, PublicTable
from tournament.table.published_games import PlayerRound
from tournament.table.statistics import Statistics
from tournament.table.words import describe_rank_decision


class EntriesTable(LinkedTable):
    """Who takes part. Rows are entries; `boards` as `load_boards` has them, where there are teams."""

    name = Column(gettext_lazy("Name"), row_heading=True, classes="name", order_by="player__sort_name")
    club = Column(gettext_lazy("Club"), classes="hide-s", order_by=("club__sort_name", "player__sort_name"))
    team = Column(gettext_lazy("Team"), accessor="team_name", classes="hide-s", order_by=("team_name", "board"))
    # By the key, not by the entry's own figure: lists count the boards of a team from 1 on, whatever gaps there are.
    board = FiguresColumn(gettext_lazy("Board"), accessor="pk", classes="hide-s", order_by=("board", "team_name"))
    rating = FiguresColumn(gettext_lazy("Rating"), write=format_rating)
    games = FiguresColumn(gettext_lazy("Lifetime games"), classes="hide-s")

    sortable = True

    def __init__(self, data: Any, links: TournamentLinks, boards: Mapping[int, int] | None, **options: Any) -> None:
        self.has_teams, self.boards = boards is not None, boards or {}
        super().__init__(data, links, exclude=("team", "board") if boards is None else (), **options)

    def render_name(self, record: Entry) -> SafeString:
        group = (self.has_teams and record.team_name) or (record.club.name if record.club else "")
        note = render_cell_note(group, "only-s") if group else ""
        return SafeString(self.links.named(record, record.name_beside_club) + render_entry_marks(record) + note)

    def render_board(self, value: int) -> str:
        """The board by the key of the entry."""
        return str(self.boards.get(value, NO_FIGURE))

    def value_name(self, record: Entry) -> str:
        return record.name_beside_club


NO_MARKS: Mapping[int, SafeString] = MappingProxyType({})

STANDINGS_MARKERS: list[Callable[[Division, int], Mapping[int, SafeString]]] = []
"""What marks rows of a division's table after a round, by entry (`tournament.apps`)."""


GROUP_ROWS, FEWEST_GROUPED = 20, 40
"""On phones a table of more than so many rows unfolds in groups."""


class RowGroups:
    """What lets a table unfold in groups on phones, drawn by `tournament/table/_standings.html`."""

    rows: Any
    columns: Any
    render_rows: Any

    @property
    def groups(self) -> list[tuple[str, SafeString]]:
        """The rows in groups, as HTML, each with the numbers of its rows; the first, which is always open, without."""
        rows = list(self.rows)
        if len(rows) <= FEWEST_GROUPED:
            return [("", self.render_rows(rows))]
        starts = range(0, len(rows), GROUP_ROWS)
        names = (f"{at + 1}–{min(at + GROUP_ROWS, len(rows))}" if at else "" for at in starts)
        return list(zip(names, (self.render_rows(rows[at : at + GROUP_ROWS]) for at in starts), strict=True))

    @property
    def columns_on_phones(self) -> int:
        """How many columns a phone shows."""
        return sum("hide-s" not in (bound.attrs["td"].get("class") or "") for bound in self.columns)


CLUB_SCALE, DECIDED_SCALE = 0.8, 0.68
CLUB_ROOM, DECIDED_ROOM = (12 * MM, 30 * MM), (20 * MM, 44 * MM)
"""On paper: the size of clubs, and of what decided, in parts of the row's; how wide they are at least and at most."""


def find_division_lines(lines: Sequence[TableRow], division: Division) -> frozenset[int]:
    """The entries below whose rows a line is drawn: the last who goes up, and the last who does not go down. None where
    those on both sides are level, the table has too few rows, or somebody who has left may count among those beyond."""
    ranked = [line for line in lines if line.standing.rank is not None]
    # With a division smaller than those who go down this is negative, and no line is drawn.
    staying = len(ranked) - division.down if division.down else 0
    drawn = []
    # Who goes down is counted from the end of the table: anybody in it who has left may move that line. The upper one
    # moves only by somebody above it.
    for at, beyond in ((division.up, ranked[: division.up]), (staying, ranked)):
        has_left = any(line.standing.withdrawn for line in beyond)
        if 0 < at < len(ranked) and not has_left and ranked[at - 1].standing.rank != ranked[at].standing.rank:
            drawn.append(ranked[at - 1].entry.pk)
    return frozenset(drawn)


class StandingsTable(RowGroups, BaseTable):
    """The table of standings. Rows are `TableRow`, by rank unless the reader sorts them. `links`: those of a page; in
    files and on paper nothing is one. `mine` are the keys of players whose rows stand out; `moves`: the rows know those
    of the round before; below the rows of the entries in `division_lines` is a line. `boards` of an event with teams:
    files have these, and the teams."""

    rank = FiguresColumn(gettext_lazy("Rank"), accessor="standing__rank", width=12 * MM, bold=True)
    # Nothing counts as empty: whoever is new has no row before, and is marked as new instead of with a dash.
    move = Column(gettext_lazy("Movement"), accessor="before", empty_values=(), classes="move", orderable=False)
    name = Column(
        gettext_lazy("Name"),
        row_heading=True,
        classes="name",
        accessor="entry__name",
        order_by="entry__player__sort_name",
        width=REST,
        wraps=True,
    )
    # Not on the page, where it stands beside the name.
    club = Column(gettext_lazy("Club"), accessor="entry", visible=False, width=REST, scale=CLUB_SCALE, wraps=True)
    wins = FiguresColumn(
        gettext_lazy("Wins"),
        accessor="standing__half_wins",
        write=format_half_wins,
        most_first=True,
        width=12 * MM,
        bold=True,
    )
    losses = FiguresColumn(gettext_lazy("Losses"), accessor="standing__losses", visible=False)
    spread = FiguresColumn(
        gettext_lazy("Spread"), accessor="standing__spread", write=format_signed, most_first=True, width=17 * MM
    )
    points = FiguresColumn(
        gettext_lazy("Points"), accessor="standing__points", classes="hide-s", most_first=True, width=14 * MM
    )
    games = FiguresColumn(gettext_lazy("Games"), accessor="standing__games", visible=False)
    highest = FiguresColumn(
        gettext_lazy("Highest game"),
        accessor="standing__highest_game",
        classes="hide-s",
        most_first=True,
        width=14 * MM,
    )
    starts = FiguresColumn(gettext_lazy("Starts : replies"), classes="hide-s", most_first=True)
    decided = Column(
        gettext_lazy("Separated from the rank above by"),
        in_files=gettext_lazy("Decided by"),
        on_paper=gettext_lazy("Decided by"),
        accessor="standing",
        classes="hide-s why decided",
        orderable=False,
        width=REST,
        scale=DECIDED_SCALE,
        wraps=True,
    )

    mark = Column(gettext_lazy("Note"), accessor="entry", visible=False)
    keizer = FiguresColumn(
        gettext_lazy("Keizer points"),
        on_paper="Keizer",
        accessor="standing__keizer",
        write=format_sixths,
        most_first=True,
        width=16 * MM,
        bold=True,
    )
    value = FiguresColumn(
        pgettext_lazy("Keizer", "Value"), accessor="standing__value", classes="hide-s", most_first=True, width=11 * MM
    )

    team = Column(gettext_lazy("Team"), accessor="entry__listed_team", visible=False)
    board = Column(gettext_lazy("Board"), accessor="entry", visible=False, default="")

    sortable = True
    classes = "table rows standings"
    print_size = 12.5, 6.8 * MM, 13 * MM

    links: TournamentLinks

    def __init__(
        self,
        lines: Sequence[TableRow],
        links: TournamentLinks | None = None,
        *,
        basis: standings.RankingBasis = standings.RankingBasis.WINS,
        marks: Mapping[int, SafeString] = NO_MARKS,
        mine: Collection[str] = (),
        moves: bool = False,
        division_lines: Collection[int] = (),
        boards: Mapping[int, int] | None = None,
        **options: Any,
    ) -> None:
        if links is not None:
            self.links = links
        self.marks, self.mine, self.division_lines, self.boards = marks, mine, division_lines, boards or {}
        if basis == standings.RankingBasis.POINTS:
            options["sequence"] = ("rank", "move", "name", "club", "points", "wins", "spread", "...")
        elif basis == standings.RankingBasis.KEIZER:
            options["sequence"] = ("rank", "move", "name", "club", "keizer", "value", "wins", "spread", "...")
            # Two columns more leave no room for all others beside a name.
            options["exclude"] = (*options.get("exclude", ()), "highest", "starts")
        # Seen from the rows and not from `basis`: files are made without one, and have the two columns all the same.
        by_keizer = any(line.standing.value for line in lines)
        columns = {
            "starts": links and links.tournament.starts == StartPolicy.BALANCED,
            "move": moves,
            "keizer": by_keizer,
            "value": by_keizer,
            "team": boards is not None,
            "board": boards is not None,
        }
        left_out = [name for name, is_wanted in columns.items() if not is_wanted]
        options["exclude"] = (*options.get("exclude", ()), *left_out)
        row_attrs = {"class": self.row_class, "id": name_table_row, "data-player": lambda record: record.entry.key}
        layout = {"template_name": "tournament/table/_standings.html", "row_attrs": row_attrs}
        super().__init__(lines, **{"caption": _("Standings"), **layout, **options})

    @cached_property
    def separated_by(self) -> Mapping[int, str]:
        """By entry, what separates a row from the one above; only pages say it twice."""
        return {line.entry.pk: describe_rank_decision(line.standing, line.above) for line in self.data.data}

    def row_class(self, record: TableRow) -> str:
        # A line between two ranks says something only where the rows are in the order of ranks.
        is_last = record.entry.pk in self.division_lines and not self.order_by
        marks = {"row-away": record.standing.withdrawn, "row-line": is_last, "me": record.entry.key in self.mine}
        return " ".join(name for name, is_marked in marks.items() if is_marked)

    def find_part_ends(self) -> Collection[int]:
        return {place for place, row in enumerate(self.rows) if row.record.entry.pk in self.division_lines}

    def render_move(self, record: TableRow) -> SafeString:
        return render_row_movement(record)

    def render_name(self, record: TableRow) -> SafeString:
        club, name = record.entry.club, record.entry.name_beside_club
        beside = f' <span class="why hide-s">{escape_text(club.name)}</span>' if club else ""
        if club and name != record.entry.name:  # on phones there is no club beside it
            name = format_html('{} <span class="only-s">({})</span>', name, club.name)
        decided = self.separated_by[record.entry.pk]
        return SafeString(
            self.links.named(record.entry, name)
            + beside
            + render_entry_marks(record.entry)
            + self.marks.get(record.entry.pk, SafeString())
            + render_cell_note(decided, "only-s apart")
        )

    def value_name(self, record: TableRow) -> str:
        return record.entry.name_beside_club

    def print_name(self, row: TableRow) -> PrintedCell:
        return PrintedCell(row.entry.name_beside_club, format_withdrawal(row.entry))

    def render_club(self, value: Entry) -> str:
        return value.club.name if value.club else ""

    def value_mark(self, value: Entry) -> str:
        return format_withdrawal(value)

    def value_board(self, value: Entry) -> int | str:
        return self.boards.get(value.pk, "")

    def value_keizer(self, record: TableRow) -> float:
        # A sixth is no decimal fraction: a cell would have sixteen digits.
        return round(record.standing.keizer / SIXTHS, 2)

    def value_wins(self, record: TableRow) -> float:
        return record.standing.wins

    def render_starts(self, record: TableRow) -> str:
        return f"{record.starts} : {record.replies}"

    def render_decided(self, record: TableRow) -> str:
        return self.separated_by[record.entry.pk] or NO_FIGURE

    def value_decided(self, value: standings.Standing) -> str:
        # The criterion's key, the same in every language: files are read by programs.
        return str(value.decided_by or "")

    def print_decided(self, row: TableRow) -> str:
        return describe_rank_decision(row.standing, row.above)

    def print_on(self, paper: Paper) -> bytes:
        """The width that the figures leave goes to the column of what decided (as far as that is one line), then to the
        club, then to the name."""
        rows = self.data.data
        columns = {
            "club": ([self.render_club(row.entry) for row in rows], CLUB_ROOM),
            "decided": ([self.print_decided(row) for row in rows], DECIDED_ROOM),
        }
        for name, (texts, room) in columns.items():
            column = self.columns[name].column
            column.width = measure_column(texts, self.print_size[0] * column.scale, room)
        return super().print_on(paper)


def render_row_movement(row: TableRow) -> SafeString:
    """What a row's player has gained or lost since the round before, or that they are new."""
    before = row.before
    return render_movement(before.rank if before else None, row.standing.rank, is_new=before is None)


TOP_ROWS, TOP_ROWS_ON_PHONES = 8, 3


class TopTable(StandingsTable):
    """The first rows of a table."""

    def __init__(self, shown: PublicTable, links: TournamentLinks, *, mine: Collection[str]) -> None:
        basis = shown.ranking.basis
        left_out = {standings.RankingBasis.POINTS: ("spread",), standings.RankingBasis.KEIZER: ("points", "value")}
        super().__init__(
            shown.lines[:TOP_ROWS],
            links,
            basis=basis,
            mine=mine,
            moves=shown.after > 1,
            caption=_("First places"),
            orderable=False,
            exclude=(*left_out.get(basis, ("points",)), "highest", "starts", "decided"),
        )

    def row_class(self, record: TableRow) -> str:
        is_low = any(record is line for line in self.data.data[TOP_ROWS_ON_PHONES:])
        return f"{super().row_class(record)} hide-s".strip() if is_low else super().row_class(record)

    def render_name(self, record: TableRow) -> SafeString:
        return self.links.named(record.entry)


class DirectorTableLinks(TournamentLinks):
    """The same addresses, but the director's own of rounds and tables, which the public may not see yet."""

    def round(self, number: int) -> str:
        return reverse("director:round", args=[self.tournament.slug, number]) + self.division

    def table_after(self, number: int) -> str:
        return reverse("director:table_after", args=[self.tournament.slug, number]) + self.division

    def table_file(self, fmt: str, after: int) -> str:
        address = reverse("director:table_file", args=[self.tournament.slug, fmt])
        return f"{address}{self.division}{'&' if self.division else '?'}after={after}"


def name_table_row(record: TableRow) -> str:
    """The fragment of a row's address."""
    return f"player-{record.entry.pk}"


class CrossTable(LinkedTable):
    """What everybody did in each round (`CrossRow`); opponents by rank, a withdrawn one without a rank by a dash."""

    rank = FiguresColumn(gettext_lazy("Rank"), accessor="line__standing__rank")
    name = Column(gettext_lazy("Name"), row_heading=True, accessor="line__entry", classes="name sticky")
    wins = FiguresColumn(gettext_lazy("Wins"), accessor="line__standing__half_wins", write=format_half_wins)
    spread = FiguresColumn(gettext_lazy("Spread"), accessor="line__standing__spread", write=format_signed)

    classes = "table table-cross"

    def __init__(self, rows: Sequence[CrossRow], links: TournamentLinks, **options: Any) -> None:
        self.ranks = {row.line.entry.pk: row.line.standing.rank for row in rows}
        super().__init__(rows, links, extra_columns=self.more_columns(rows), **options)

    def more_columns(self, rows: Sequence[CrossRow]) -> list[tuple[str, Column]]:
        """One column for each round that anybody played."""
        # Of everybody's meetings: the first row may be a late entry's, without the first rounds.
        numbers = sorted({number for row in rows for number in row.meetings})
        return [(f"round_{number}", RoundCell(number)) for number in numbers]

    def row_class(self, record: CrossRow) -> str:
        return "row-away" if record.line.standing.withdrawn else ""

    def render_name(self, record: CrossRow) -> SafeString:
        return self.links.named(record.line.entry) + render_entry_marks(record.line.entry)


class RoundCell(Column):
    """A round's column of the cross table: the opponent's rank, and the score below."""

    def __init__(self, number: int) -> None:
        super().__init__(_("R %(number)s") % {"number": number}, classes="cross", accessor="meetings", empty_values=())
        self.number = number

    def render(self, record: CrossRow, table: CrossTable) -> SafeString | str:
        meeting = record.meetings.get(self.number)
        if meeting is None:
            return render_cell_note(abbreviate_missed_round(record.line.entry, self.number))
        if meeting.opponent is None:
            return format_outcome_mark(meeting.outcome)
        # The opponent's rank is bold and marked where the player of the row won, and marked where nobody did.
        rank, score = format_points(table.ranks.get(meeting.opponent)), render_cell_note(format_cross_score(meeting))
        if meeting.is_draw:
            return format_html('{}<span class="drawn">{}</span>{}', render_draw_word(), rank, score)
        return format_html('<span class="winner">{}</span>{}' if meeting.won else "{}{}", rank, score)


def render_draw_word() -> SafeString:
    """That a game was a draw, for screen readers."""
    return format_html('<span class="visually-hidden">{} </span>', _("draw"))


def format_cross_score(meeting: PlayerRound) -> str:
    """A score in a narrow cell; the mark of a forfeit where the game never began."""
    if meeting.has_score:
        return f"{meeting.own}:{meeting.other}"
    return _("forfeit") if meeting.outcome in AWARDED_OUTCOMES else format_outcome_mark(meeting.outcome) or NO_FIGURE


DIAGONAL_MARK = "\N{MULTIPLICATION SIGN}"  # where a player without a bye would meet themselves


class OpponentsTable(CrossTable):
    """Everybody against everybody, in the order of the table: all scores of the two, one below the other."""

    def more_columns(self, rows: Sequence[CrossRow]) -> list[tuple[str, Column]]:
        return [(f"place_{place}", OpponentCell(row.line, place)) for place, row in enumerate(rows, 1)]


class OpponentCell(Column):
    """An opponent's column of the cross table; on the diagonal stand the byes."""

    def __init__(self, line: TableRow, place: int) -> None:
        # Whoever has left has no rank, and their column needs a heading all the same.
        super().__init__(str(line.standing.rank or place), classes="cross", accessor="meetings", empty_values=())
        self.opponent = line.entry.pk

    def render(self, record: CrossRow) -> SafeString | str:
        if record.line.entry.pk == self.opponent:
            without = [meeting.outcome for meeting in record.meetings.values() if meeting.opponent is None]
            marks = ((format_outcome_mark(outcome),) for outcome in without)
            return format_html_join("", '<span class="cross-score">{}</span>', marks) or DIAGONAL_MARK
        met = [meeting for meeting in record.meetings.values() if meeting.opponent == self.opponent]
        return format_html_join(
            "",
            '<span class="cross-score{}">{}{}</span>',
            (
                (
                    " winner" if meeting.won else " drawn" if meeting.is_draw else "",
                    render_draw_word() if meeting.is_draw else "",
                    format_cross_score(meeting),
                )
                for meeting in met
            ),
        )


RECORD_TITLES: Mapping[RecordKind, str | Promise] = {
    RecordKind.HIGHEST_GAME: gettext_lazy("Highest game"),
    RecordKind.HIGHEST_LOSING_SCORE: gettext_lazy("Highest losing score"),
    RecordKind.HIGHEST_COMBINED: gettext_lazy("Highest combined score"),
    RecordKind.CLOSEST: gettext_lazy("Closest game"),
    RecordKind.BIGGEST_WIN: gettext_lazy("Biggest win"),
    RecordKind.BEST_AVERAGE: gettext_lazy("Best average"),
    RecordKind.BEST_MOVE: gettext_lazy("Best move"),
    RecordKind.MOST_BINGOS_IN_GAME: gettext_lazy("Most seven-tile plays in a game"),
    RecordKind.MOST_BINGOS: gettext_lazy("Most seven-tile plays in all"),
}

SHARED_RECORDS = frozenset({RecordKind.HIGHEST_COMBINED, RecordKind.CLOSEST})
"""Records that belong to both players of a game."""


@dataclass(frozen=True, slots=True)
class RecordHolder:
    """Who holds a record: against whom, with which score, in which round. `is_shared`: it is the opponent's as well."""

    entry: Entry
    card: str
    opponent: Entry | None = None
    opponents_card: str = ""
    score: str = ""
    place: str = ""
    url: str = ""
    note: str = ""
    is_shared: bool = False
    ratings: str = ""


class StatisticsPage:
    """Everything the page shows. `silent` are sentences about records that nobody wrote down, or not for all games."""

    def __init__(self, found: Statistics, links: TournamentLinks) -> None:
        self.found = found
        self.links = links
        self.records: list[dict[str, Any]] = [
            {
                "title": str(RECORD_TITLES[record.kind]),
                "figure": RECORD_FORMATS.get(record.kind, format_whole_points)(record.value),
                "holders": tuple(self._holder(feat, shared=record.kind in SHARED_RECORDS) for feat in record.feats),
            }
            for record in found.records
        ]
        self.upsets = [(self._holder(feat), format_points(int(feat.value))) for feat in found.upsets]
        played = [game for game in found.listed if game.is_played]
        self.scores = build_score_chart([score for game in played for score in game.scores])
        # Where starts are drawn at the table, the first player need not have started.
        knows_starts = links.tournament.starts == StartPolicy.BALANCED
        self.starts = build_start_chart(played) if knows_starts else None
        self.margin = format_signed(round(self.starts["margin"])) if self.starts else ""
        self.silent = _describe_unrecorded_games(found.games, found.with_moves, MOVE_SENTENCES)
        self.silent += _describe_unrecorded_games(found.games, found.with_bingos, BINGO_SENTENCES)

    def _holder(self, feat: Feat, *, shared: bool = False) -> RecordHolder:
        entry = self.found.entries[feat.player]
        card = self.links.player(entry)
        if feat.game is None:
            text = ngettext("in %(count)s game", "in %(count)s games", feat.games)
            return RecordHolder(entry, card, note=text % {"count": feat.games})
        first, second = feat.game.halves
        own, other = (first, second) if first.player == feat.player else (second, first)
        opponent, round = self.found.entries[other.player], self.found.rounds[feat.game.key]
        bracket = reverse("public:bracket", args=[self.links.tournament.slug])
        return RecordHolder(
            entry,
            card,
            opponent,
            self.links.player(opponent),
            score=format_score(own.points, other.points),
            place=str(get_knockout_place(round, self.found.positions[feat.game.key]) or format_round_phrase(round)),
            url=bracket + self.links.division if round.is_knockout else self.links.round(round.number),
            note="" if feat.game.is_played else _("awarded"),
            is_shared=shared,
            ratings=f"{format_rating(own.rating)} : {format_rating(other.rating)}",
        )


def format_whole_points(value: int | Fraction) -> str:
    return format_points(int(value))


RECORD_FORMATS: Mapping[RecordKind, Callable[[int | Fraction], str]] = {
    RecordKind.BEST_AVERAGE: format_average,
    # The closest game of all is a draw, of which nobody would say “0 points”.
    RecordKind.CLOSEST: lambda margin: format_whole_points(margin) if margin else _("draw"),
}

MOVE_SENTENCES = (
    gettext_lazy("No single plays are recorded, so there is no best move. Plays are recorded with score sheets."),
    ngettext_lazy(
        "Best move: single plays are recorded for %(recorded)s of %(games)s game.",
        "Best move: single plays are recorded for %(recorded)s of %(games)s games.",
        "games",
    ),
)
BINGO_SENTENCES = (
    gettext_lazy("No seven-tile plays are recorded. They come from score sheets, or are typed with a result."),
    ngettext_lazy(
        "Seven-tile plays are recorded for %(recorded)s of %(games)s game.",
        "Seven-tile plays are recorded for %(recorded)s of %(games)s games.",
        "games",
    ),
)


def _describe_unrecorded_games(games: int, recorded: int, sentences: tuple[str | Promise, str | Promise]) -> list[str]:
    nothing, some = sentences
    if not recorded:
        return [str(nothing)]
    return [] if recorded == games else [str(some % {"recorded": recorded, "games": games})]
