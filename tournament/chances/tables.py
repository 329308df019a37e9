"""What can still happen as a table, and the marks of what is proven in the table of standings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.chances import Prospect
from tournament.chances.queries import DivisionChances, Shares, find_reach, load_last_chances
from tournament.chances.words import describe_needs, format_places, format_share
from tournament.core.words.figures import format_half_wins
from tournament.models import Division, Entry
from tournament.pages.tables import Column, FiguresColumn, LinkedTable, TournamentLinks, render_chip
from tournament.table.league import get_last_round_number

DEVIATIONS = 1.96  # an interval of so many standard errors to both sides holds the share in 95 % of cases


@dataclass(frozen=True, slots=True)
class ChanceRow:
    """A player's row. `reach`: by place, the share of endings at that place or better, None while it is not known."""

    rank: int
    entry: Entry
    half_wins: int
    prospect: Prospect
    needs: tuple[str, ...]
    reach: Mapping[int, float | None]
    runs: int


def list_chance_rows(found: DivisionChances, shares: Shares | None) -> list[ChanceRow]:
    """Everybody with a rank, in the order of the table."""
    return [
        ChanceRow(
            rank=found.prospects[row.player].rank,
            entry=found.entries[row.player],
            half_wins=row.half_wins,
            prospect=found.prospects[row.player],
            needs=tuple(describe_needs(found.list_needs(row.player))),
            reach={place: find_reach(found, shares, row.player, place) for place in found.places},
            runs=shares.runs if shares else 0,
        )
        for row in found.rows
        if row.player in found.prospects
    ]


class ChancesTable(LinkedTable):
    """Who can still end where. Rows are `ChanceRow`."""

    rank = FiguresColumn(gettext_lazy("Rank"))
    name = Column(gettext_lazy("Name"), row_heading=True, classes="name", accessor="entry__name")
    wins = FiguresColumn(gettext_lazy("Wins"), accessor="half_wins", write=format_half_wins)
    left = Column(gettext_lazy("Places left"), accessor="prospect", classes="num")
    needs = Column(gettext_lazy("What it takes"), accessor="needs", classes="why", empty_values=())

    folds = True
    classes = "table table-fold"

    def __init__(self, rows: Sequence[ChanceRow], links: TournamentLinks, places: Sequence[int], caption: str) -> None:
        columns = [(f"place_{place}", ShareColumn(place)) for place in places]
        order = ("rank", "name", "wins", *(name for name, _column in columns), "left", "needs")
        super().__init__(rows, links, extra_columns=columns, sequence=order, caption=caption)

    def render_name(self, record: ChanceRow) -> SafeString:
        return self.links.named(record.entry)

    def render_left(self, value: Prospect) -> str:
        return format_places(value)

    def render_needs(self, value: Sequence[str]) -> str:
        return " ".join(value)


class ShareColumn(Column):
    """The share of endings at a place or better, as a bar with its interval and in figures."""

    def __init__(self, place: int) -> None:
        heading = _("Place 1") if place == 1 else _("Up to place %(place)s") % {"place": place}
        super().__init__(heading, classes="share", accessor="reach", empty_values=())
        self.place = place

    def render(self, record: ChanceRow) -> SafeString | str:
        share = record.reach[self.place]
        if share is None or record.prospect.best > self.place or record.prospect.worst <= self.place:
            return format_share(share, is_proven=True)
        error = DEVIATIONS * sqrt(share * (1 - share) / record.runs)
        low, high = max(0.0, share - error), min(1.0, share + error)
        return format_html(
            '<svg class="share-bar" viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden="true">'
            '<rect class="share-all" width="100" height="12"/><rect class="share-part" width="{}" height="12"/>'
            '<rect class="share-error" x="{}" y="5" width="{}" height="2"/></svg> <span class="num">{}</span>',
            *(f"{100 * figure:.1f}" for figure in (share, low, high - low)),
            format_share(share),
        )


def mark_standings(division: Division, after: int) -> Mapping[int, SafeString]:
    """By entry, a mark for whoever is certain of a place that counts, or can reach none, in the last rounds."""
    found = load_last_chances(division, after)
    marks = {}
    for row in found.rows if found else ():
        prospect = found.prospects.get(row.player) if found else None
        if found is None or prospect is None or prospect.best <= found.places[-1] < prospect.worst:
            continue
        is_safe = prospect.worst <= found.places[-1]
        said = _("✓ safe: %(places)s") % {"places": format_places(prospect)} if is_safe else _("– out")
        marks[found.entries[row.player].pk] = render_chip(said)
    return marks


def tell_needs(entry: Entry) -> list[str]:
    """What a player needs in the last rounds, in sentences."""
    found = load_last_chances(entry.division, get_last_round_number(entry.division))
    return describe_needs(found.list_needs(entry.pk)) if found else []


def list_places_left(division: Division, after: int) -> Mapping[int, str]:
    """By entry, the places that are left in the last rounds."""
    found = load_last_chances(division, after)
    if found is None:
        return {}
    return {found.entries[player].pk: format_places(prospect) for player, prospect in found.prospects.items()}
