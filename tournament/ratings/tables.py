"""A preview of ratings on paper, in files and as rows that unfold to the games, and an organiser's own list."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from scoring.ratings import GamePart, NewRating, RatingSystem
from tournament.core.words.figures import NO_FIGURE, format_rating, format_signed, format_wins
from tournament.models import Division, Entry
from tournament.pages.frames import make_division_address
from tournament.pages.tables import REST, BaseTable, Column, FiguresColumn, Text, render_cell_note
from tournament.paper.sheet import MM, Align
from tournament.ratings.club import ClubList, HistoryLine, ListedPlayer, MovedPlayer
from tournament.ratings.division_ratings import DivisionRatings, RatingRow
from tournament.ratings.files import round_figure
from tournament.ratings.words import (
    describe_own_change,
    format_figure,
    format_listed_event,
    name_rounds,
)

FIGURE_WIDTH = 24 * MM


class RatingFigures(BaseTable):
    """What events made of ratings: the same figures on pages, on paper and in files, which have some more. Each row has
    a `NewRating` as `new`; what stands in front is its table's own."""

    old = FiguresColumn(
        pgettext_lazy("rating", "Old"), write=format_rating, accessor="new__before__rating", width=FIGURE_WIDTH
    )
    games_before = FiguresColumn(gettext_lazy("Games before"), accessor="new__before__games", visible=False)
    rated_games = FiguresColumn(gettext_lazy("Rated games"), accessor="new__rated_games", visible=False)
    wins = FiguresColumn(gettext_lazy("Wins"), accessor="new__wins", visible=False)
    spread = FiguresColumn(gettext_lazy("Spread"), accessor="new__spread", visible=False)
    expected = FiguresColumn(
        pgettext_lazy("rating", "Expected"),
        write=format_figure,
        accessor="new__expected",
        classes="hide-s",
        width=FIGURE_WIDTH,
    )
    reached = Column(
        pgettext_lazy("rating", "Won"),
        accessor="new",
        classes="num hide-s",
        exclude_from_export=True,
        width=FIGURE_WIDTH,
        align=Align.RIGHT,
    )
    now = FiguresColumn(
        pgettext_lazy("rating", "New"), write=format_rating, accessor="new__new", width=FIGURE_WIDTH, bold=True
    )
    change = Column(
        pgettext_lazy("rating", "Change"), accessor="new", classes="num", width=FIGURE_WIDTH, align=Align.RIGHT
    )
    deviation_before = FiguresColumn(gettext_lazy("Old deviation"), accessor="new__deviation_before", visible=False)
    deviation_after = FiguresColumn(gettext_lazy("New deviation"), accessor="new__deviation_after", visible=False)

    def __init__(
        self, rows: Sequence[Any], system: RatingSystem, *, first: Sequence[str], caption: Text, **options: Any
    ) -> None:
        self.system = system
        by_spread = system == RatingSystem.NORWEGIAN
        unknown = () if by_spread else ("spread", "deviation_before", "deviation_after")
        super().__init__(rows, caption=caption, sequence=(*first, "..."), exclude=unknown, **options)
        if by_spread:
            self.columns["expected"].column.verbose_name = _("Expected spread")
            self.columns["reached"].column.verbose_name = _("Spread")

    def value_expected(self, value: float | None) -> float | None:
        return round_figure(value)

    value_deviation_before = value_deviation_after = value_expected

    def render_reached(self, value: NewRating) -> str:
        if not value.rated_games:
            return NO_FIGURE
        if self.system == RatingSystem.NORWEGIAN:
            return format_signed(value.spread)
        return _("%(wins)s of %(games)s") % {"wins": format_wins(value.wins), "games": value.rated_games}

    def render_change(self, value: NewRating) -> str:
        return format_change(value)

    def value_change(self, value: NewRating) -> int | None:
        return value.change


class RatingsTable(RatingFigures):
    """A preview in files and on paper. Rows are `RatingRow`."""

    number = Column(gettext_lazy("Number"), accessor="entry__key")
    name = Column(gettext_lazy("Name"), accessor="entry__name_beside_club", width=REST, wraps=True)
    club = Column(gettext_lazy("Club"), accessor="entry__club__name")

    def __init__(self, found: DivisionRatings, **options: Any) -> None:
        first = ("number", "name", "club")
        super().__init__(found.rows, found.system, first=first, caption=_("Ratings"), **options)

    def print_name(self, record: RatingRow) -> str:
        return record.entry.name  # on paper there is no club beside it


@dataclass(frozen=True, slots=True)
class RatedGameLine:
    """A game in a row that unfolds, as texts; `points` is a dash where only all games together count."""

    round: str
    opponent: str
    opponent_rating: str
    spread: str
    expected: str
    reached: str
    points: str


@dataclass(frozen=True, slots=True)
class RatingLine:
    """A player's row with the figures of the `RatingsTable` as texts, and the games."""

    entry: Entry
    figures: tuple[str, ...]
    games: tuple[RatedGameLine, ...]
    said: tuple[str, ...]


def list_rating_lines(found: DivisionRatings) -> list[RatingLine]:
    """Everybody of the preview, in its order."""
    names = {row.entry.pk: row.entry.name for row in found.rows}
    numbers = sorted({part.game.round for row in found.rows for part in row.new.parts})
    rounds = name_rounds(found.division, numbers)
    return [
        RatingLine(
            row.entry,
            figures=tuple(map(str, figures)),
            games=tuple(_build_game_line(part, names, rounds, found.system) for part in row.new.parts),
            said=tuple(describe_own_change(row.new, found.system)),
        )
        for row, (_name, *figures) in zip(found.rows, RatingsTable(found).list_printed_rows(), strict=True)
    ]


def format_change(new: NewRating) -> str:
    """What the event brought; that a rating is a player's first one."""
    if new.is_newcomer and new.new is not None:
        return pgettext("rating", "new")
    return format_signed(new.change)


def _build_game_line(
    part: GamePart, names: dict[int, str], rounds: dict[int, str], system: RatingSystem
) -> RatedGameLine:
    spread = format_signed(part.game.spread)
    return RatedGameLine(
        round=rounds[part.game.round],
        opponent=names[int(part.game.opponent)],
        opponent_rating=format_rating(round(part.opponent_rating)),
        spread=spread,
        expected=format_figure(part.expected),
        reached=spread if system == RatingSystem.NORWEGIAN else format_wins(part.reached),
        points=format_figure(part.points, signed=True),
    )


# The list of an organiser over all its events.


class ClubRows(BaseTable):
    """Place, player, rating, games, events and the last change; in files the club, without place and change. Rows are
    `ListedPlayer` with their place."""

    place = FiguresColumn(gettext_lazy("Rank"), exclude_from_export=True)
    name = Column(gettext_lazy("Name"), row_heading=True, accessor="listed", classes="name")
    club = Column(gettext_lazy("Club"), accessor="listed__player__club__name", visible=False)
    rating = Column(gettext_lazy("Rating"), accessor="listed", classes="num")
    games = FiguresColumn(gettext_lazy("Lifetime games"), accessor="listed__games", classes="hide-s")
    events = FiguresColumn(gettext_lazy("Events"), classes="hide-s")
    change = Column(gettext_lazy("Last change"), accessor="listed", classes="num hide-s", exclude_from_export=True)

    def __init__(self, found: ClubList, query: str = "") -> None:
        self.query = query
        rows = [{"place": place, "listed": player, "events": len(player.history)} for place, player in found.ranked]
        super().__init__(rows, caption=_("List of ratings"))

    def render_name(self, value: ListedPlayer) -> SafeString:
        address = reverse("director:rating_history", args=[value.player.pk]) + self.query
        return format_html('<a href="{}">{}</a>', address, value.player.called)

    def value_name(self, value: ListedPlayer) -> str:
        return value.player.called_beside_club

    def render_rating(self, value: ListedPlayer) -> SafeString:
        return format_html("{}{}", value.rating, render_cell_note(format_change(value.history[-1].new), "only-s"))

    def value_rating(self, value: ListedPlayer) -> int:
        return value.rating

    def render_change(self, value: ListedPlayer) -> str:
        return format_change(value.history[-1].new)


class HistoryRows(RatingFigures):
    """What events made of ratings in the list: a player's on their page, everybody's in files."""

    day = Column(gettext_lazy("Day"), accessor="division__tournament__first_day", visible=False)
    event = Column(gettext_lazy("Event"), row_heading=True, accessor="division", classes="name")
    name = Column(gettext_lazy("Name"), accessor="player__called", visible=False)

    def __init__(self, lines: Iterable[HistoryLine], system: RatingSystem) -> None:
        super().__init__(list(lines), system, first=("day", "event", "name"), caption=_("Events"))

    def value_day(self, value: date) -> str:
        return value.isoformat()

    def render_event(self, value: Division) -> SafeString:
        address = make_division_address("director:ratings", value)
        day = date_format(value.tournament.first_day, "SHORT_DATE_FORMAT")
        return format_html('<a href="{}">{}</a>{}', address, format_listed_event(value), render_cell_note(day))

    def value_event(self, value: Division) -> str:
        return format_listed_event(value)


def build_club_history_csv(found: ClubList) -> bytes:
    """What each event made of each rating of the list, by day."""
    lines = [line for player in found.players for line in player.history]
    # By event alone: within one, sorting keeps the order of the list.
    numbers = {division: number for number, division in enumerate(found.events)}
    return HistoryRows(sorted(lines, key=lambda line: numbers[line.division]), found.system).build_csv()


class PublishedRows(BaseTable):
    """A published list, or some rows of it (`PublishedRatingList.rows`): on its page, on paper and in files."""

    place = FiguresColumn(gettext_lazy("Rank"), width=14 * MM)
    name = Column(gettext_lazy("Name"), row_heading=True, classes="name", width=REST)
    club = Column(gettext_lazy("Club"), classes="hide-s", width=58 * MM, scale=0.85)
    rating = FiguresColumn(gettext_lazy("Rating"), write=format_rating, width=20 * MM, bold=True)
    games = FiguresColumn(gettext_lazy("Lifetime games"), classes="hide-s", width=28 * MM)
    events = FiguresColumn(gettext_lazy("Events"), classes="hide-s", width=18 * MM)

    def __init__(self, rows: Iterable[Mapping[str, Any]]) -> None:
        super().__init__(list(rows), caption=_("Official list of ratings"))


class MovedRows(BaseTable):
    """Whose rating or lifetime games are others in a second list. Rows are `MovedPlayer`; `before` and `now` head the
    two ratings."""

    name = Column(gettext_lazy("Name"), row_heading=True, accessor="player__called", classes="name")
    before = FiguresColumn("", write=format_rating)
    now = FiguresColumn("", write=format_rating)
    change = Column(pgettext_lazy("rating", "Change"), accessor="player", classes="num")
    games = Column(gettext_lazy("Lifetime games"), accessor="games_now", classes="num hide-s", empty_values=())

    def __init__(self, rows: Iterable[MovedPlayer], *, caption: Text, before: Text, now: Text) -> None:
        super().__init__(list(rows), caption=caption)
        self.columns["before"].column.verbose_name, self.columns["now"].column.verbose_name = before, now

    def render_games(self, record: MovedPlayer) -> str:
        if record.games_before in (None, record.games_now):
            return format_rating(record.games_now)
        return f"{format_rating(record.games_before)} → {format_rating(record.games_now)}"

    def render_change(self, record: MovedPlayer) -> str:
        is_rated = record.now is not None and record.before is not None
        return format_signed((record.now or 0) - (record.before or 0)) if is_rated else NO_FIGURE
