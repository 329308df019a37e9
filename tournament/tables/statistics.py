"""The statistics of a division as the page shows them: each record with its figure and its holders, and the upsets."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.statistics import Feat, Game, RecordKind
from tournament.models import Entry
from tournament.queries.statistics import Statistics
from tournament.tables.base import Links
from tournament.words import figures, round_names

TITLES: Mapping[RecordKind, str | Promise] = {
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

BY_BOTH = frozenset({RecordKind.HIGHEST_COMBINED, RecordKind.CLOSEST})
"""Records that belong to both players of a game."""


@dataclass(frozen=True, slots=True)
class Holder:
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


@dataclass(frozen=True, slots=True)
class RecordLine:
    """A record on the page."""

    title: str
    figure: str
    holders: tuple[Holder, ...]


class StatisticsPage:
    """Everything the page shows. `silent` are sentences about records that nobody wrote down, or not for all games."""

    def __init__(self, found: Statistics, links: Links) -> None:
        self.found = found
        self.links = links
        self.records = [
            RecordLine(
                str(TITLES[record.kind]),
                WRITE.get(record.kind, whole)(record.value),
                tuple(self._holder(feat, shared=record.kind in BY_BOTH) for feat in record.feats),
            )
            for record in found.records
        ]
        self.upsets = [(self._holder(feat), figures.points(int(feat.value))) for feat in found.upsets]
        self.silent = _recorded(found.games, found.with_moves, MOVES)
        self.silent += _recorded(found.games, found.with_bingos, BINGOS)

    def _holder(self, feat: Feat, *, shared: bool = False) -> Holder:
        entry = self.found.entries[feat.player]
        card = self.links.player(entry)
        if feat.game is None:
            text = ngettext("in %(count)s game", "in %(count)s games", feat.games)
            return Holder(entry, card, note=text % {"count": feat.games})
        first, second = feat.game.halves
        own, other = (first, second) if first.player == feat.player else (second, first)
        opponent = self.found.entries[other.player]
        return Holder(
            entry,
            card,
            opponent,
            self.links.player(opponent),
            score=figures.score(own.points, other.points),
            place=self._place(feat.game),
            url=self._url(feat.game),
            note="" if feat.game.is_played else _("awarded"),
            is_shared=shared,
            ratings=f"{figures.rating(own.rating)} : {figures.rating(other.rating)}",
        )

    def _place(self, game: Game) -> str:
        round = self.found.rounds[game.key]
        return str(round_names.place_of(round, self.found.tables[game.key]) or round_names.round_phrase(round))

    def _url(self, game: Game) -> str:
        round = self.found.rounds[game.key]
        if round.is_knockout:
            return reverse("public:bracket", args=[self.links.tournament.slug]) + self.links.division
        return self.links.round(round.number)


def whole(value: int | Fraction) -> str:
    """Points."""
    return figures.points(int(value))


def margin(value: int | Fraction) -> str:
    """By how much a game was won; a draw in words."""
    return whole(value) if value else _("draw")


WRITE: Mapping[RecordKind, Callable[[int | Fraction], str]] = {
    RecordKind.BEST_AVERAGE: figures.average,
    RecordKind.CLOSEST: margin,
}

MOVES = (
    gettext_lazy("No single plays are recorded, so there is no best move. They come with the score sheets."),
    gettext_lazy("Best move: single plays are recorded for %(recorded)s of %(games)s games."),
)
BINGOS = (
    gettext_lazy("No seven-tile plays are recorded. They come with the score sheets or are typed with a result."),
    gettext_lazy("Seven-tile plays are recorded for %(recorded)s of %(games)s games."),
)


def _recorded(games: int, recorded: int, sentences: tuple[str | Promise, str | Promise]) -> list[str]:
    nothing, some = sentences
    if not recorded:
        return [str(nothing)]
    return [] if recorded == games else [str(some) % {"recorded": recorded, "games": games}]
