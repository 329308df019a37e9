"""The table of a season on its pages, in files, on paper and in the terminal, and the list of its events."""

from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.season import EventScore, SeasonRule
from tournament.core.words.figures import NO_FIGURE, name_divisions
from tournament.pages.frames import make_division_query
from tournament.pages.tables import REST, BaseTable, Column, FiguresColumn, TournamentLinks, render_cell_note
from tournament.paper.sheet import MM, Align
from tournament.seasons.forms import SeasonChoiceForm
from tournament.seasons.season_table import CountedEvent, SeasonLine, SeasonTable
from tournament.seasons.words import (
    convert_fraction,
    describe_direct_places,
    describe_event_standing,
    describe_qualification,
    describe_separation,
    format_event_name,
    format_season_score,
    format_season_value,
)

RANK_WIDTH, TOTAL_WIDTH, WIDEST_EVENT = 13 * MM, 20 * MM, 15 * MM


class SeasonRows(BaseTable):
    """Rank, player, total, and what each numbered event brought; on phones in one line. In files the events are headed
    by their names, and where players can qualify through the season, a column says by what they do. Rows are
    `SeasonLine`."""

    print_size = (12, 6.6 * MM, 9 * MM)

    rank = FiguresColumn(gettext_lazy("Rank"), accessor="row__rank", width=RANK_WIDTH, bold=True)
    name = Column(gettext_lazy("Name"), row_heading=True, accessor="player", classes="name", width=REST, wraps=True)
    total = Column(
        gettext_lazy("Total"), accessor="row", classes="num", width=TOTAL_WIDTH, align=Align.RIGHT, bold=True
    )

    def __init__(self, found: SeasonTable, *, event_width: float = WIDEST_EVENT) -> None:
        self.rule = found.season.counting.rule
        # One for each event: a row leads to pages of as many events as it has columns.
        self.links = [TournamentLinks(season_event.division.tournament) for season_event in found.counted]
        columns: list[tuple[str, Column]] = [
            (f"event_{number}", SeasonEventColumn(number, format_event_name(counted), event_width))
            for number, counted in enumerate(found.counted)
        ]
        if found.has_qualifying_places:
            # For files alone: page and paper have a list of its own beside the table.
            columns.append(("why", Column(_("Qualifies by"), visible=False, empty_values=())))
            self.reasons = {
                qualified.row.player: describe_qualification(qualified, found) for qualified in found.qualified
            }
        super().__init__(found.lines, extra_columns=columns, caption=_("Standings of the season"))

    def render_name(self, record: SeasonLine) -> SafeString:
        scores = format_html_join(" · ", "{}", ((format_event_score(score, self.rule),) for score in record.row.scores))
        return format_html("{}{}", record.player.called, render_cell_note(scores, "only-s"))

    def value_name(self, record: SeasonLine) -> str:
        return record.player.called

    print_name = value_name

    def render_total(self, record: SeasonLine) -> SafeString:
        note = render_cell_note(describe_separation(record.row.decided_by), "hide-s")
        return format_html("<strong>{}</strong>{}", self.print_total(record), note)

    def value_total(self, record: SeasonLine) -> int | float:
        return convert_fraction(record.row.total)

    def print_total(self, record: SeasonLine) -> str:
        return format_season_value(record.row.total, self.rule)

    def value_why(self, record: SeasonLine) -> str:
        return self.reasons.get(record.row.player, "")


class SeasonEventColumn(Column):
    """An event's column: what it brought, as a link to what the player did there. In files and on paper it stands in
    brackets where it does not count, so that nobody adds it up."""

    def __init__(self, number: int, event: str, width: float) -> None:
        layout: dict[str, Any] = {"in_files": event, "width": width, "align": Align.RIGHT}
        super().__init__(str(number + 1), classes="num hide-s", accessor="row", empty_values=(), **layout)
        self.number = number

    def render(self, record: SeasonLine, table: SeasonRows) -> SafeString | str:
        score = record.row.score_in(self.number)
        if score is None:
            return NO_FIGURE
        address = table.links[self.number].player(record.entries[self.number])
        return format_html('<a href="{}">{}</a>', address, format_event_score(score, table.rule))

    def value(self, record: SeasonLine, table: SeasonRows) -> int | float | str | None:
        score = record.row.score_in(self.number)
        if score is None:
            return None
        if not score.counts:
            return f"({format_season_score(score, table.rule)})"
        # Where places qualify nothing is added up, and the place is what counts.
        return score.showing.place if table.rule == SeasonRule.QUALIFYING else convert_fraction(score.value)

    def print(self, record: SeasonLine, table: SeasonRows) -> str:
        score, rule = record.row.score_in(self.number), table.rule
        if score is None:
            return ""
        return format_season_score(score, rule) if score.counts else f"({format_season_score(score, rule)})"


def format_event_score(score: EventScore, rule: SeasonRule) -> SafeString:
    """What an event brought, struck out where it does not count."""
    text = format_season_score(score, rule)
    if score.counts:
        return format_html("{}", text)
    # A line through a figure is seen, not heard: screen readers have it in words.
    return format_html('<s class="muted">{}<span class="visually-hidden"> {}</span></s>', text, _("does not count"))


def list_qualified_lines(found: SeasonTable) -> list[tuple[str, str]]:
    """Who qualifies as things stand, in order: name, and by what."""
    players = found.players
    return [
        (players[qualified.row.player].called, describe_qualification(qualified, found))
        for qualified in found.qualified
    ]


def list_choosable_lines(found: SeasonTable, form: SeasonChoiceForm, clubs: Mapping[int, str]) -> list[dict[str, Any]]:
    """All events of the organiser that the season counts or can count, newest first, each with whether it is counted
    (`counted`), whether it is `ticked` in the form, its field of `direct` places if any, its division, its name, and
    the club that handed it in, if one did (of `load_handing_clubs`)."""
    lines = {line["counted"].division.pk: line for line in list_event_lines(found.events)}
    countable = form.countable.values()
    names, ticked = name_divisions(countable), form.ticked
    return [
        {
            "counted": None,
            "name": names[division.pk],
            **lines.get(division.pk, {}),
            "division": division,
            "club": clubs.get(division.tournament_id, ""),
            "ticked": str(division.pk) in ticked,
            "direct": form.get_direct(division),
        }
        for division in countable
    ]


def list_event_lines(events: Iterable[CountedEvent]) -> list[dict[str, Any]]:
    """The events for the list beside the table: `number` of its column, if any; `query` of one of several."""
    numbers = count(1)
    return [
        {
            "counted": event,
            # Numbered as the columns are: an event that does not count has none.
            "number": next(numbers) if event.counts else None,
            "name": format_event_name(event),
            "standing": " · ".join(filter(None, (describe_event_standing(event), describe_direct_places(event)))),
            "query": make_division_query(event.division) if event.one_of_several else "",
        }
        for event in events
    ]
