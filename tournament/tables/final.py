"""The end of an event as its pages show it: who won, the final ranking, and the prizes."""

from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.prizes import PrizeKind
from tournament.models import Entry, Prize
from tournament.queries.final import AwardedPrizes, FinalRanking, FinalRow, Won
from tournament.tables.base import BaseTable, Column, Figures, Links, marks, note
from tournament.words import criteria, figures
from tournament.words import final as words
from tournament.words import prizes as prize_words

ON_CARDS = 3
"""So many places have a card of their own above the ranking."""


def how(row: FinalRow, found: FinalRanking) -> str:
    """What gave a row its place; in the table, what separated it from the row above, where that stands above here."""
    state = found.knockout
    said = words.how(row.ranked, state.bracket if state else None, state.names if state else {})
    decided = criteria.decided_by(row.standing, row.above) if row.standing and row.above else ""
    return f"{said}, {decided}" if decided else said


class FinalTable(BaseTable):
    """The final ranking. Rows are `FinalRow`."""

    place = Column(gettext_lazy("Rank"), accessor="ranked", classes="num")
    name = Column(gettext_lazy("Name"), row_heading=True, classes="name", accessor="entry")
    by = Column(gettext_lazy("Placed by"), accessor="ranked", classes="hide-s why")
    wins = Figures(gettext_lazy("Wins"), accessor="standing__half_wins", write=figures.halves)
    spread = Figures(gettext_lazy("Spread"), accessor="standing__spread", write=figures.signed)

    def __init__(self, found: FinalRanking, links: Links, **options: Any) -> None:
        self.links = links
        self.placed_by = {row.entry.pk: how(row, found) for row in found.rows}
        super().__init__(found.rows, **options)

    def row_class(self, record: FinalRow) -> str:
        return "row-away" if record.entry.is_withdrawn else ""

    def render_place(self, record: FinalRow) -> str:
        return words.place(record.ranked)

    def render_name(self, record: FinalRow) -> SafeString:
        beside = note(self.placed_by[record.entry.pk], "only-s")
        return SafeString(self.links.named(record.entry) + marks(record.entry) + beside)

    def render_by(self, record: FinalRow) -> str:
        return self.placed_by[record.entry.pk]


@dataclass(frozen=True, slots=True)
class Card:
    """One of the first places: which, who, how, and the address of their card."""

    place: str
    name: str
    how: str
    url: str
    is_first: bool


@dataclass(frozen=True, slots=True)
class PrizeWinner:
    """Who wins a prize, and by what."""

    entry: Entry
    name: str
    by: str
    url: str


@dataclass(frozen=True, slots=True)
class PrizeLine:
    """A prize as a page shows it. `winners` are several where they are level."""

    prize: Prize
    title: str
    winners: tuple[PrizeWinner, ...]


class EndPage:
    """What the pages show of the end of a division's event."""

    def __init__(self, found: FinalRanking, awarded: AwardedPrizes, links: Links) -> None:
        self.found = found
        self.cards = cards(found, links)
        self.table = FinalTable(found, links, caption=_("Final ranking"))
        self.prizes = [
            PrizeLine(each.prize, prize_words.title(each.prize), _winners(each.prize, each.winners, awarded, links))
            for each in awarded.prizes
        ]
        self.newcomers_unknown = awarded.newcomers_unknown and any(
            line.prize.kind == PrizeKind.NEWCOMER for line in self.prizes
        )
        tournament = found.division.tournament
        knockout = found.knockout.knockout if found.knockout else None
        self.form = words.form(found.rounds, knockout, tournament.rules)
        self.order = words.order(knockout, criteria.order(found.table.ranking, tournament.rules))

    @property
    def champions(self) -> str:
        """Who is first, all of them where the place is shared; an empty text while nobody is."""
        return "; ".join(card.name for card in self.cards if card.is_first)


def cards(found: FinalRanking, links: Links) -> list[Card]:
    """A card for each of the first places."""
    return [_card(row, found, links) for row in found.rows if (row.ranked.place or ON_CARDS + 1) <= ON_CARDS]


def _card(row: FinalRow, found: FinalRanking, links: Links) -> Card:
    return Card(
        place=words.place_in_words(row.ranked),
        name=row.entry.name,
        how=how(row, found),
        url=links.player(row.entry),
        is_first=row.ranked.place == 1,
    )


def _winners(prize: Prize, won: Won, awarded: AwardedPrizes, links: Links) -> tuple[PrizeWinner, ...]:
    found = []
    for entry, winner in won:
        opponent = awarded.opponent(winner)
        by = prize_words.won_by(PrizeKind(prize.kind), winner, opponent.name if opponent else "")
        found.append(PrizeWinner(entry, entry.name, by, links.player(entry)))
    return tuple(found)
