"""A preview of ratings as rows that unfold to the games, and the tables of an organiser's own list."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from scoring.ratings import GamePart, NewRating, RatingSystem
from tournament.core.words.figures import NO_FIGURE, format_rating, format_signed, format_wins
from tournament.models import Entry
from tournament.pages.frames import make_division_address
from tournament.pages.tables import BaseTable, Column, FiguresColumn, render_cell_note
from tournament.ratings.club import ClubList, ListedEvent, ListedPlayer, MovedPlayer
from tournament.ratings.division_ratings import DivisionRatings
from tournament.ratings.words import (
    describe_own_change,
    format_figure,
    format_listed_event,
    list_rating_heads,
    name_rounds,
)


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
    """A player's row, as texts, with the games."""

    entry: Entry
    old: str
    expected: str
    reached: str
    new: str
    change: str
    games: tuple[RatedGameLine, ...]
    said: tuple[str, ...]


def list_rating_lines(found: DivisionRatings) -> list[RatingLine]:
    """Everybody of the preview, in its order."""
    names = {row.entry.pk: row.entry.name for row in found.rows}
    numbers = sorted({part.game.round for row in found.rows for part in row.new.parts})
    rounds = name_rounds(found.division, numbers)
    return [
        RatingLine(
            entry=row.entry,
            old=format_rating(row.new.before.rating),
            expected=format_figure(row.new.expected),
            reached=format_reached(row.new, found.system),
            new=format_rating(row.new.new),
            change=format_change(row.new),
            games=tuple(_build_game_line(part, names, rounds, found.system) for part in row.new.parts),
            said=tuple(describe_own_change(row.new, found.system)),
        )
        for row in found.rows
    ]


def format_change(new: NewRating) -> str:
    """What the event brought; that a rating is a player's first one."""
    if new.is_newcomer and new.new is not None:
        return pgettext("rating", "new")
    return format_signed(new.change)


def format_reached(new: NewRating, system: RatingSystem) -> str:
    """Wins of games, or where spread is rated, spread; a dash without a game."""
    if not new.rated_games:
        return NO_FIGURE
    if system == RatingSystem.NORWEGIAN:
        return format_signed(new.spread)
    return _("%(wins)s of %(games)s") % {"wins": format_wins(new.wins), "games": new.rated_games}


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
    """Place, player, rating, games, events and the last change. Rows are `ListedPlayer` with their place."""

    place = FiguresColumn(gettext_lazy("Rank"))
    name = Column(gettext_lazy("Name"), row_heading=True, accessor="listed", classes="name")
    rating = Column(gettext_lazy("Rating"), accessor="listed", classes="num")
    games = FiguresColumn(gettext_lazy("Lifetime games"), accessor="listed__games", classes="hide-s")
    events = FiguresColumn(gettext_lazy("Events"), classes="hide-s")
    change = Column(gettext_lazy("Last change"), accessor="listed", classes="num hide-s")

    def __init__(self, found: ClubList, query: str) -> None:
        self.query = query
        places = {player.rating: place for place, player in reversed(list(enumerate(found.players, 1)))}
        rows = [
            {"place": places[player.rating], "listed": player, "events": len(player.history)}
            for player in found.players
        ]
        super().__init__(rows, caption=_("List of ratings"))

    def render_name(self, value: ListedPlayer) -> SafeString:
        address = reverse("director:rating_history", args=[value.player.pk]) + self.query
        return format_html('<a href="{}">{}</a>', address, value.player.called)

    def render_rating(self, value: ListedPlayer) -> SafeString:
        return format_html("{}{}", value.rating, render_cell_note(format_change(value.history[-1].new), "only-s"))

    def render_change(self, value: ListedPlayer) -> str:
        return format_change(value.history[-1].new)


class HistoryRows(BaseTable):
    """What each event made of a player's rating in the list, the latest first. Rows are `HistoryLine`."""

    event = Column(gettext_lazy("Event"), row_heading=True, classes="name")
    old = Column(pgettext_lazy("rating", "Old"), accessor="new__before__rating", classes="num", empty_values=())
    expected = Column(pgettext_lazy("rating", "Expected"), accessor="new", classes="num hide-s")
    reached = Column(pgettext_lazy("rating", "Won"), accessor="new", classes="num hide-s")
    now = Column(pgettext_lazy("rating", "New"), accessor="new__new", classes="num")
    change = Column(pgettext_lazy("rating", "Change"), accessor="new", classes="num")

    def __init__(self, listed: ListedPlayer, system: RatingSystem) -> None:
        self.system = system
        super().__init__(listed.history[::-1], caption=_("Events"))
        _old, self.columns["expected"].column.verbose_name, reached, _new, _change = list_rating_heads(system)
        self.columns["reached"].column.verbose_name = reached

    def render_event(self, value: ListedEvent) -> SafeString:
        address = make_division_address("director:ratings", value.division)
        day = date_format(value.day, "SHORT_DATE_FORMAT")
        return format_html('<a href="{}">{}</a>{}', address, format_listed_event(value), render_cell_note(day))

    def render_old(self, value: int | None) -> str:
        return format_rating(value)

    def render_expected(self, value: NewRating) -> str:
        return format_figure(value.expected)

    def render_reached(self, value: NewRating) -> str:
        return format_reached(value, self.system)

    def render_change(self, value: NewRating) -> str:
        return format_change(value)


class MovedRows(BaseTable):
    """Whose rating a correction has changed. Rows are `MovedPlayer`."""

    name = Column(gettext_lazy("Name"), row_heading=True, accessor="player__called", classes="name")
    before = Column(gettext_lazy("Before the correction"), classes="num", empty_values=())
    now = Column(gettext_lazy("Now"), classes="num", empty_values=())
    change = Column(pgettext_lazy("rating", "Change"), accessor="player", classes="num")

    def render_before(self, value: int | None) -> str:
        return format_rating(value)

    def render_now(self, value: int | None) -> str:
        return format_rating(value)

    def render_change(self, record: MovedPlayer) -> str:
        is_rated = record.now is not None and record.before is not None
        return format_signed((record.now or 0) - (record.before or 0)) if is_rated else NO_FIGURE
