"""The tables of entries and of standings."""

from collections.abc import Sequence
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring import standings
from scoring.awards import AWARDED
from tournament.models import Entry
from tournament.queries.public import CrossRow, PlayerRound, RankedRow
from tournament.tables.base import BaseTable, Column, Figures, Links, marks, note
from tournament.words import criteria, figures, outcomes


class EntriesTable(BaseTable):
    """Who takes part. Rows are entries."""

    name = Column(gettext_lazy("Name"), row_heading=True, classes="name", order_by="player__sort_name")
    club = Column(gettext_lazy("Club"), classes="hide-s", order_by=("club__sort_name", "player__sort_name"))
    rating = Figures(gettext_lazy("Rating"), write=figures.rating)
    games = Figures(gettext_lazy("Lifetime games"), classes="hide-s")

    sortable = True

    def __init__(self, entries: Sequence[Entry], links: Links, **options: Any) -> None:
        self.links = links
        super().__init__(entries, **options)

    def render_name(self, record: Entry) -> SafeString:
        club = note(record.club.name, "only-s") if record.club else ""
        return SafeString(self.links.named(record) + marks(record) + club)


class StandingsTable(BaseTable):
    """The table of standings. Rows are `public.RankedRow`; its order is what it says, so that it does not sort."""

    rank = Figures(gettext_lazy("Rank"), accessor="standing__rank")
    name = Column(gettext_lazy("Name"), row_heading=True, classes="name", accessor="entry__name")
    wins = Figures(gettext_lazy("Wins"), accessor="standing__half_wins", write=figures.halves)
    spread = Figures(gettext_lazy("Spread"), accessor="standing__spread", write=figures.signed)
    points = Figures(gettext_lazy("Points"), accessor="standing__points", classes="hide-s")
    highest = Figures(gettext_lazy("Highest game"), accessor="standing__highest_game", classes="hide-s")
    decided = Column(gettext_lazy("Separated from the row above by"), accessor="standing", classes="hide-s why decided")

    def __init__(self, lines: Sequence[RankedRow], links: Links, *, basis: standings.Basis, **options: Any) -> None:
        self.links = links
        self.separated_by = {line.entry.pk: criteria.decided_by(line.standing, line.above) for line in lines}
        if basis == standings.Basis.POINTS:
            options["sequence"] = ("rank", "name", "points", "wins", "spread", "highest", "decided")
        super().__init__(lines, **options)

    def row_class(self, record: RankedRow) -> str:
        return "row-away" if record.standing.withdrawn else ""

    def render_name(self, record: RankedRow) -> SafeString:
        club = record.entry.club
        beside = format_html(' <span class="why">{}</span>', club.name) if club else SafeString()
        decided = self.separated_by[record.entry.pk]
        return SafeString(self.links.named(record.entry) + beside + marks(record.entry) + note(decided, "only-s"))

    def render_decided(self, record: RankedRow) -> str:
        return self.separated_by[record.entry.pk] or figures.NOTHING


class CrossTable(BaseTable):
    """What everybody did in each round, in the order of the table. Rows are `CrossRow`.

    A cell names the opponent by their rank; a withdrawn player without a rank by a dash.
    """

    rank = Figures(gettext_lazy("Rank"), accessor="line__standing__rank")
    name = Column(gettext_lazy("Name"), row_heading=True, accessor="line__entry", classes="name sticky")
    wins = Figures(gettext_lazy("Wins"), accessor="line__standing__half_wins", write=figures.halves)
    spread = Figures(gettext_lazy("Spread"), accessor="line__standing__spread", write=figures.signed)

    classes = "table table-cross"

    def __init__(self, rows: Sequence[CrossRow], links: Links, **options: Any) -> None:
        self.links = links
        self.ranks = {row.line.entry.pk: row.line.standing.rank for row in rows}
        super().__init__(rows, extra_columns=self.more_columns(rows), **options)

    def more_columns(self, rows: Sequence[CrossRow]) -> list[tuple[str, Column]]:
        """One column for each round that anybody played."""
        numbers = sorted({number for row in rows for number in row.meetings})
        return [(f"round_{number}", RoundCell(number)) for number in numbers]

    def row_class(self, record: CrossRow) -> str:
        return "row-away" if record.line.standing.withdrawn else ""

    def render_name(self, record: CrossRow) -> SafeString:
        return self.links.named(record.line.entry) + marks(record.line.entry)


class RoundCell(Column):
    """A round's column of the cross table: the opponent's rank, and the score below."""

    def __init__(self, number: int) -> None:
        heading = _("R %(number)s") % {"number": number}
        super().__init__(heading, classes="cross", accessor="meetings", empty_values=())
        self.number = number

    def render(self, record: CrossRow, table: CrossTable) -> SafeString | str:
        meeting = record.meetings.get(self.number)
        if meeting is None:
            return note(outcomes.missed(record.line.entry, self.number))
        if meeting.opponent is None:
            return outcomes.chip(meeting.outcome)
        return format_html("{}{}", versus(meeting, table.ranks.get(meeting.opponent)), note(cross_score(meeting)))


def versus(meeting: PlayerRound, rank: int | None) -> SafeString:
    """The opponent's rank, bold and marked where the player of the row won."""
    return format_html('<span class="winner">{}</span>' if meeting.won else "{}", figures.points(rank))


def cross_score(meeting: PlayerRound) -> str:
    """A score in a narrow cell; the mark of a forfeit where the game never began."""
    if meeting.has_score:
        return f"{meeting.own}:{meeting.other}"
    return _("forfeit") if meeting.outcome in AWARDED else outcomes.chip(meeting.outcome) or figures.NOTHING


ITSELF = "\N{MULTIPLICATION SIGN}"
"""Where a player without a bye would meet themselves."""


class OpponentsTable(CrossTable):
    """Everybody against everybody, in the order of the table: all scores of the two, one below the other."""

    def more_columns(self, rows: Sequence[CrossRow]) -> list[tuple[str, Column]]:
        return [(f"place_{place}", OpponentCell(row.line, place)) for place, row in enumerate(rows, 1)]


def alone(row: CrossRow) -> SafeString | str:
    """Where a player would meet themselves: their byes and absences."""
    without = [meeting.outcome for meeting in row.meetings.values() if meeting.opponent is None]
    told = ((outcomes.chip(outcome),) for outcome in without)
    return format_html_join("", '<span class="cross-score">{}</span>', told) or ITSELF


class OpponentCell(Column):
    """An opponent's column of the cross table; on the diagonal stand the byes."""

    def __init__(self, line: RankedRow, place: int) -> None:
        super().__init__(str(line.standing.rank or place), classes="cross", accessor="meetings", empty_values=())
        self.opponent = line.entry.pk

    def render(self, record: CrossRow) -> SafeString | str:
        if record.line.entry.pk == self.opponent:
            return alone(record)
        met = [meeting for meeting in record.meetings.values() if meeting.opponent == self.opponent]
        return format_html_join(
            "",
            '<span class="cross-score{}">{}</span>',
            ((" winner" if meeting.won else "", cross_score(meeting)) for meeting in met),
        )
