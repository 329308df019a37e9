"""The table of a season."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from urllib.parse import urlencode

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.season import Score, SeasonRule
from tournament.plan.seasons import CountedEvent
from tournament.queries.seasons import SeasonLine, SeasonTable
from tournament.tables.base import BaseTable, Column, Figures, Links, note
from tournament.words import figures
from tournament.words import seasons as words


class SeasonRows(BaseTable):
    """Rank, player, total, and what each event brought. Rows are `SeasonLine`.

    The columns of the events are numbered; on phones they stand in one line under the name.
    """

    rank = Figures(gettext_lazy("Rank"), accessor="row__rank")
    name = Column(gettext_lazy("Name"), row_heading=True, accessor="player", classes="name")
    total = Column(gettext_lazy("Total"), accessor="row", classes="num")

    def __init__(self, found: SeasonTable) -> None:
        self.rule = found.season.counting.rule
        self.links = [Links(each.division.tournament) for each in found.counted]
        events = [(f"event_{number}", EventCell(number)) for number in range(len(found.counted))]
        super().__init__(found.lines, extra_columns=events, caption=_("Standings of the season"))

    def render_name(self, record: SeasonLine) -> SafeString:
        scores = format_html_join(" · ", "{}", ((struck(score, self.rule),) for score in record.row.scores))
        return format_html("{}{}", record.player.name, note(scores, "only-s"))

    def render_total(self, record: SeasonLine) -> SafeString:
        said = words.separated_by(record.row.decided_by)
        return format_html("<strong>{}</strong>{}", words.worth(record.row.total, self.rule), note(said, "hide-s"))


class EventCell(Column):
    """An event's column: what it brought, as a link to what the player did there."""

    def __init__(self, number: int) -> None:
        super().__init__(str(number + 1), classes="num hide-s", accessor="row", empty_values=())
        self.number = number

    def render(self, record: SeasonLine, table: SeasonRows) -> SafeString | str:
        score = record.row.score_in(self.number)
        if score is None:
            return figures.NOTHING
        address = table.links[self.number].player(record.entries[self.number])
        return format_html('<a href="{}">{}</a>', address, struck(score, table.rule))


def struck(score: Score, rule: SeasonRule) -> SafeString:
    """What an event brought, struck out where it does not count."""
    text = words.worth(score.value, rule)
    if score.counts:
        return format_html("{}", text)
    return format_html('<s class="muted">{}<span class="visually-hidden"> {}</span></s>', text, _("does not count"))


@dataclass(frozen=True, slots=True)
class EventLine:
    """An event in the list beside the table: the number of its column (None if it does not count), and words."""

    counted: CountedEvent
    number: int | None
    name: str
    standing: str

    @property
    def query(self) -> str:
        """What leads to the division on a page of its tournament; empty where there is no other."""
        return f"?{urlencode({'division': self.counted.division.name})}" if self.counted.one_of_several else ""


def event_lines(events: Iterable[CountedEvent]) -> list[EventLine]:
    """The events in order, those that count numbered as their columns are."""
    numbers = count(1)
    return [
        EventLine(each, next(numbers) if each.counts else None, words.event_name(each), words.standing(each))
        for each in events
    ]
