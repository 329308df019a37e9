"""The end of an event as its pages show it: who won, the final ranking, and the prizes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.prizes import PrizeKind
from tournament.basics.names import format_spoken_name
from tournament.core.words.figures import format_half_wins, format_signed
from tournament.core.words.tiles import LaidName, lay_name
from tournament.ending.awarded_prizes import AwardedPrizes
from tournament.ending.final_ranking import FinalRanking, FinalRow
from tournament.ending.words import (
    describe_placing,
    describe_podium_place,
    format_place,
    format_prize_title,
    format_win_count,
    keep_figures_together,
)
from tournament.models import Entry, Prize
from tournament.pages.tables import (
    BaseTable,
    Column,
    FiguresColumn,
    TournamentLinks,
    render_cell_note,
    render_entry_marks,
)
from tournament.table.tables import RowGroups
from tournament.table.words import describe_rank_decision

WINNERS_NAMED = 3  # of those level for a prize, in a short list
PLACES_ON_CARDS = 3  # how many places have a card of their own above the ranking


def describe_row_placing(row: FinalRow, found: FinalRanking) -> str:
    """What gave a row its place, and what separated it in the table from the row above if that is above it here."""
    # Before what the table says: they stand last in it, and what separated them there would read like a place.
    if row.is_disqualified:
        return _("disqualified")
    state = found.knockout
    sentence = describe_placing(row.ranked, state.bracket if state else None, state.names if state else {})
    decided = describe_rank_decision(row.standing, row.above) if row.standing and row.above else ""
    if not decided:
        return sentence
    # Without a knock-out every place is the table's: “table” in each row would say nothing.
    return f"{sentence}, {decided}" if state else decided


class FinalTable(RowGroups, BaseTable):
    """The final ranking. Rows are `FinalRow`."""

    place = Column(gettext_lazy("Rank"), accessor="ranked", classes="num")
    name = Column(gettext_lazy("Name"), row_heading=True, classes="name", accessor="entry")
    by = Column(gettext_lazy("Placed by"), accessor="ranked", classes="hide-s why")
    wins = FiguresColumn(gettext_lazy("Wins"), accessor="standing__half_wins", write=format_half_wins)
    spread = FiguresColumn(gettext_lazy("Spread"), accessor="standing__spread", write=format_signed)

    classes = "table grouped"

    def __init__(
        self, found: FinalRanking, links: TournamentLinks, *, rows: Sequence[FinalRow] | None = None, **options: Any
    ) -> None:
        """`rows`: these of the ranking, by default all."""
        self.links = links
        rows_shown = found.rows if rows is None else rows
        # Worked out once, for two cells: the column, and on phones the line below the name.
        self.placed_by = {row.entry.pk: describe_row_placing(row, found) for row in rows_shown}
        super().__init__(rows_shown, **{"template_name": "tournament/table/_standings.html", **options})

    def row_class(self, record: FinalRow) -> str:
        return "row-away" if record.entry.is_withdrawn else ""

    def render_place(self, record: FinalRow) -> str:
        return format_place(record.ranked)

    def render_name(self, record: FinalRow) -> SafeString:
        beside = render_cell_note(self.placed_by[record.entry.pk], "only-s")
        return SafeString(self.links.named(record.entry) + render_entry_marks(record.entry) + beside)

    def render_by(self, record: FinalRow) -> str:
        return self.placed_by[record.entry.pk]


@dataclass(frozen=True, slots=True)
class PlaceCard:
    """One of the first places: which, who, how, and the address of their card; a winner's name is `laid` in tiles."""

    place: str
    name: str
    called: str  # a winner as people say it
    club: str
    how: str
    url: str  # empty while the event is hidden
    rank: int
    laid: LaidName | None = None

    @property
    def is_first(self) -> bool:
        return self.rank == 1


@dataclass(frozen=True, slots=True)
class PrizeListItem:
    """A prize as a page shows it. `winners`: who wins it, by what, and the address of their card; several if level."""

    prize: Prize
    title: str
    winners: tuple[tuple[Entry, str, str], ...]

    @property
    def named(self) -> tuple[tuple[Entry, str, str], ...]:
        """The winners that a short list names."""
        return self.winners[:WINNERS_NAMED]

    @property
    def others(self) -> int:
        """How many more there are."""
        return max(0, len(self.winners) - WINNERS_NAMED)


class EndPage:
    """What the pages show of the end of a division's event."""

    def __init__(self, found: FinalRanking, awarded: AwardedPrizes, links: TournamentLinks) -> None:
        self.found = found
        self.cards = build_place_cards(found, links)
        self.table = FinalTable(found, links, caption=_("Final ranking"))
        self.prizes = []
        for prize, won in awarded.prizes:
            winners = tuple((entry, awarded.describe_win(prize, winner), links.player(entry)) for entry, winner in won)
            self.prizes.append(PrizeListItem(prize, format_prize_title(prize), winners))
        self.newcomers_unknown = awarded.newcomers_unknown and any(
            line.prize.kind == PrizeKind.NEWCOMER for line in self.prizes
        )
        self.form, self.order = found.announced

    @property
    def champions(self) -> str:
        """Who is first, all of them where the place is shared; an empty text while nobody is."""
        return "; ".join(card.name for card in self.cards if card.is_first)


def describe_way_to_place(row: FinalRow, found: FinalRanking) -> tuple[str, ...]:
    """The match that gave a place where one did, and the figures of the table."""
    won, state = "", found.knockout
    if row.ranked.match is not None and state is not None:
        won = describe_placing(row.ranked, state.bracket, state.names, says_seed=False)
    figures = ""
    if row.standing is not None:
        figures = f"{format_win_count(row.standing.half_wins)} · {format_signed(row.standing.spread)}"
    return tuple(keep_figures_together(part) for part in (won, figures) if part)


def build_place_cards(found: FinalRanking, links: TournamentLinks) -> list[PlaceCard]:
    """A card for each of the first places."""
    letters = found.division.tournament.rules.letters
    return [
        PlaceCard(
            place=describe_podium_place(row.ranked),
            name=row.entry.name,
            called=format_spoken_name(row.entry.name_beside_club) if rank == 1 else row.entry.name_beside_club,
            club=row.entry.club.name if row.entry.club else "",
            how=" · ".join(describe_way_to_place(row, found)),
            url=links.player(row.entry),
            rank=rank,
            laid=lay_name(row.entry.player.name, letters) if rank == 1 else None,
        )
        for row in found.rows
        if (rank := row.ranked.place) is not None and rank <= PLACES_ON_CARDS
    ]
