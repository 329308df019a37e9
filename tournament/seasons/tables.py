"""The table of a season on its pages, and the list of its events."""

from collections.abc import Iterable
from itertools import count
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.season import EventScore, SeasonRule
from tournament.core.words.figures import NO_FIGURE
from tournament.pages.frames import make_division_query
from tournament.pages.tables import BaseTable, Column, FiguresColumn, TournamentLinks, render_cell_note
from tournament.seasons.season_table import CountedEvent, SeasonLine, SeasonTable
from tournament.seasons.words import (
    describe_direct_places,
    describe_event_standing,
    describe_qualification,
    describe_separation,
    format_event_name,
    format_season_score,
    format_season_value,
)


class SeasonRows(BaseTable):
    """Rank, player, total, and what each numbered event brought; on phones in one line. Rows are `SeasonLine`."""

    rank = FiguresColumn(gettext_lazy("Rank"), accessor="row__rank")
    name = Column(gettext_lazy("Name"), row_heading=True, accessor="player", classes="name")
    total = Column(gettext_lazy("Total"), accessor="row", classes="num")

    def __init__(self, found: SeasonTable) -> None:
        self.rule = found.season.counting.rule
        self.links = [TournamentLinks(each.division.tournament) for each in found.counted]
        events = [(f"event_{number}", SeasonEventColumn(number)) for number in range(len(found.counted))]
        super().__init__(found.lines, extra_columns=events, caption=_("Standings of the season"))

    def render_name(self, record: SeasonLine) -> SafeString:
        scores = format_html_join(" · ", "{}", ((format_event_score(score, self.rule),) for score in record.row.scores))
        return format_html("{}{}", record.player.called, render_cell_note(scores, "only-s"))

    def render_total(self, record: SeasonLine) -> SafeString:
        total = format_season_value(record.row.total, self.rule)
        note = render_cell_note(describe_separation(record.row.decided_by), "hide-s")
        return format_html("<strong>{}</strong>{}", total, note)


class SeasonEventColumn(Column):
    """An event's column: what it brought, as a link to what the player did there."""

    def __init__(self, number: int) -> None:
        super().__init__(str(number + 1), classes="num hide-s", accessor="row", empty_values=())
        self.number = number

    def render(self, record: SeasonLine, table: SeasonRows) -> SafeString | str:
        score = record.row.score_in(self.number)
        if score is None:
            return NO_FIGURE
        address = table.links[self.number].player(record.entries[self.number])
        return format_html('<a href="{}">{}</a>', address, format_event_score(score, table.rule))


def format_event_score(score: EventScore, rule: SeasonRule) -> SafeString:
    """What an event brought, struck out where it does not count."""
    text = format_season_score(score, rule)
    if score.counts:
        return format_html("{}", text)
    return format_html('<s class="muted">{}<span class="visually-hidden"> {}</span></s>', text, _("does not count"))


def list_qualified_lines(found: SeasonTable) -> list[tuple[str, str]]:
    """Who qualifies as things stand, in order: name, and by what."""
    return [(each.player.called, describe_qualification(each, found)) for each in found.qualified]


def list_event_lines(events: Iterable[CountedEvent]) -> list[dict[str, Any]]:
    """The events for the list beside the table: `number` of its column, if any; `query` of one of several."""
    numbers = count(1)
    return [
        {
            "counted": event,
            "number": next(numbers) if event.counts else None,
            "name": format_event_name(event),
            "standing": " · ".join(filter(None, (describe_event_standing(event), describe_direct_places(event)))),
            "query": make_division_query(event.division) if event.one_of_several else "",
        }
        for event in events
    ]
