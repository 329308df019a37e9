"""What can still happen as rows of a list, and the marks of what is proven in the table of standings."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt

from django.core.cache import cache
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.needs import Need, NeedKind
from scoring.standings import PlayerKey
from tournament.chances.queries import KEPT_SECONDS, DivisionChances, Shares, find_reach, load_last_chances
from tournament.chances.words import (
    describe_need,
    describe_needs,
    describe_share,
    format_places,
    format_share,
    name_place,
)
from tournament.core.public_view import open_public_view
from tournament.core.words.figures import NO_FIGURE
from tournament.models import Division, Entry, Tournament
from tournament.pages.tables import TournamentLinks
from tournament.table.league import get_last_round_number
from tournament.table.published_games import HALF_WINS_PER_WIN

SHORT_MARK = '&nbsp;<span class="{} figure"><span class="visually-hidden">{}</span>{}</span>'
TELLING = (
    NeedKind.ENOUGH,
    NeedKind.MARGIN_ENOUGH,
    NeedKind.ENOUGH_WITHOUT,
    NeedKind.MARGIN_AT_LEAST,
    NeedKind.AT_LEAST,
    NeedKind.ONLY_WITHOUT,
)
"""Needs that the places left do not say as well, the most telling first."""
DEVIATIONS = 1.96  # an interval of so many standard errors to both sides holds the share in 95 % of cases


@dataclass(frozen=True, slots=True)
class PlaceShare:
    """The share of endings at a place or better. `share`: None while it is not known; `low`, `high`: its interval;
    `is_proven`: that it is 0 or 1 follows from the bounds."""

    place: int
    share: float | None
    low: float = 0
    high: float = 0
    is_proven: bool = False

    @property
    def heading(self) -> str:
        return name_place(self.place)

    @property
    def has_bar(self) -> bool:
        return self.share is not None and not self.is_proven

    @property
    def is_out(self) -> bool:
        """Whether the place is proven to be out of reach."""
        return self.is_proven and not self.share

    @property
    def figure(self) -> str:
        return format_share(self.share, is_proven=self.is_proven)

    @property
    def said(self) -> str:
        """The share with its interval, in words."""
        return describe_share(self.place, self.share, self.low, self.high) if self.has_bar else self.figure

    @property
    def bar(self) -> tuple[str, str, str]:
        """In parts of a hundred: how long the bar is, where its interval begins, and how long that is."""
        share, width = self.share or 0, self.high - self.low
        return f"{100 * share:.1f}", f"{100 * self.low:.1f}", f"{100 * width:.1f}"


@dataclass(frozen=True, slots=True)
class ChanceRow:
    """A player's row. `rank` is None for somebody who is not in the table yet; `card` links to their page; `places`
    are those left; `need` says what it takes, if that is more than they tell; `is_out`: no place that counts can be
    reached."""

    rank: int | None
    entry: Entry
    card: SafeString
    half_wins: int
    places: str
    needs: tuple[str, ...]
    need: str
    shares: tuple[PlaceShare, ...]
    is_out: bool

    @property
    def wins_word(self) -> str:
        """What stands behind the figure of wins."""
        return ngettext("win", "wins", 1 if 1 <= self.half_wins <= HALF_WINS_PER_WIN else 2)


def list_chance_rows(found: DivisionChances, shares: Shares | None, links: TournamentLinks) -> list[ChanceRow]:
    """Everybody who can end with a rank, in the order of the table; late entries that are still to come stand last."""
    # By this alone: sorting keeps the order of the table on both sides.
    rows = sorted(found.rows, key=lambda row: found.ranks.get(row.player) is None)
    return [
        ChanceRow(
            rank=found.ranks.get(row.player),
            entry=found.entries[row.player],
            card=links.named(found.entries[row.player]),
            half_wins=row.half_wins,
            places=format_places(found.prospects[row.player]),
            needs=tuple(describe_needs(found.list_needs(row.player), found.names)),
            need=_pick_need(found, row.player),
            is_out=found.prospects[row.player].best > found.places[-1],
            shares=tuple(_measure_share(found, shares, row.player, place) for place in found.places),
        )
        for row in rows
        if row.player in found.prospects
    ]


def _pick_need(found: DivisionChances, player: PlayerKey) -> str:
    """What says most of what a player needs: what is enough comes before what it takes at least."""
    needs = [need for need in found.list_needs(player) if need.kind in TELLING]
    return describe_need(min(needs, key=lambda need: TELLING.index(need.kind)), found.names) if needs else ""


def _measure_share(found: DivisionChances, shares: Shares | None, player: PlayerKey, place: int) -> PlaceShare:
    share, prospect = find_reach(found, shares, player, place), found.prospects[player]
    # A proven 0 or 1 needs no interval; a simulated share of 0 proves nothing, and is written as less than 1 %.
    is_proven = prospect.best > place or prospect.worst <= place
    if share is None or shares is None or is_proven:
        return PlaceShare(place, share, is_proven=is_proven)
    error = DEVIATIONS * sqrt(share * (1 - share) / shares.runs)
    return PlaceShare(place, share, max(0.0, share - error), min(1.0, share + error))


def mark_standings(division: Division, after: int) -> Mapping[int, SafeString]:
    """By entry, a mark for whoever is certain of a place that counts, or can reach none, in the last rounds."""
    chances = load_last_chances(division, after)
    marks = {}
    for row in chances.rows if chances else ():
        prospect = chances.prospects.get(row.player) if chances else None
        if chances is None or prospect is None or prospect.best <= chances.places[-1] < prospect.worst:
            continue
        # A dash with its words for screen readers only: “out of reach” stood in 70 of 80 rows before the last round and
        # broke most of them.
        is_safe = prospect.worst <= chances.places[-1]
        mark, word = (f"✓ {format_places(prospect)}", _("certain")) if is_safe else (NO_FIGURE, _("out of reach"))
        marks[chances.entries[row.player].pk] = format_html(SHORT_MARK, "chip" if is_safe else "why", word, mark)
    return marks


def tell_needs(entry: Entry) -> list[str]:
    """What a player needs in the last rounds, in sentences."""
    chances = load_last_chances(entry.division, get_last_round_number(entry.division))
    return describe_needs(chances.list_needs(entry.pk), chances.names) if chances else []


def tell_lasting_needs(entry: Entry, tournament: Tournament, come: int) -> list[str]:
    """The part of `tell_needs` that the public may know and that stays true whatever results come in, for a page that
    is not loaded anew for every result. Cached until something changes; `come` is how many of the moments have passed
    at which more is shown by itself."""
    key = f"needs-{entry.division_id}-{tournament.revision}-{tournament.created_at.timestamp()}-{come}"

    def list_by_entry() -> tuple[Mapping[PlayerKey, list[Need]], Mapping[PlayerKey, str]]:
        with open_public_view(tournament):
            chances = load_last_chances(entry.division, get_last_round_number(entry.division))
            return (chances.needs, chances.names) if chances else ({}, {})

    needs_by_entry, names = cache.get_or_set(key, list_by_entry, KEPT_SECONDS) or list_by_entry()
    # “Can still be reached” becomes false with some next result, on a page that nobody loads anew for it.
    lasting = [need for need in needs_by_entry.get(entry.pk, ()) if need.kind is not NeedKind.OPEN]
    return describe_needs(lasting, names)


def list_places_left(division: Division, after: int) -> Mapping[int, str]:
    """The places still within reach in the last rounds, by entry."""
    chances = load_last_chances(division, after)
    if chances is None:
        return {}
    return {chances.entries[player].pk: format_places(prospect) for player, prospect in chances.prospects.items()}
