"""What `games` adds to pages of `tournament`, which knows of no game records, and a list for its own results page."""

from collections.abc import Collection, Iterable

from django import template
from django.utils.html import escape, format_html_join
from django.utils.safestring import SafeString

from games.entry.grid_html import render_grid_rows
from games.entry.results_grid import GridRow
from games.entry.second_entry import list_differing_results
from games.referee.referee_log import list_waiting_lines
from games.replay.replays import list_entry_public_games, list_round_public_games
from games.reports.game_reports import list_report_issues
from games.reports.open_games import count_division_work, list_open_games
from games.round_play.positions import load_shown_position
from tournament.core.second_entries import count_unsettled_results
from tournament.models import Division, Entry, Round

register = template.Library()
register.simple_tag(list_waiting_lines, name="penalties_waiting")
register.simple_tag(list_differing_results, name="results_differing")
register.simple_tag(list_open_games, name="open_games")
register.simple_tag(render_grid_rows, name="grid_rows")


@register.simple_tag
def note_division_work(divisions: Collection[Division]) -> str:
    """Set on each of several divisions what waits in it, for their tabs."""
    work = count_division_work(divisions)
    for division in divisions:
        division.work = work.get(division.pk)
    # Not None, which would stand on the page as a word.
    return ""


register.simple_tag(list_report_issues, name="report_issues")
register.simple_tag(count_unsettled_results, name="results_unsettled")


@register.inclusion_tag("games/_published.html")
def games_of_round(round: Round) -> dict[str, object]:
    """A card with the public games of a round; nothing where there are none. One query or two."""
    return {"games": list_round_public_games(round), "by_round": False}


@register.inclusion_tag("games/_published.html")
def games_of_entry(entry: Entry) -> dict[str, object]:
    """A card with a player's public games; nothing where there are none. One query or two."""
    return {"games": list_entry_public_games(entry), "by_round": True}


@register.inclusion_tag("games/_link.html")
def round_play_of(division: Division) -> dict[str, object]:
    """A card that leads to the play of the round; nothing where none is shown. One query, five more where one is."""
    return {"shown": load_shown_position(division), "division": division}


@register.filter
def leading_to(playing: Iterable[GridRow], grid_url: str) -> SafeString:
    """The tables that are still playing as list items, each a link to its row. Built here, not in a template, for there
    may be hundreds of them; `static/grid.js` makes the same of the rows after each result."""
    link = '<a href="{}&amp;table={}" data-go="{}">{}</a>'
    # Once, and not in each link: there may be hundreds, and all of them have the same.
    address = escape(grid_url)
    tables = (
        (SafeString(link.format(address, *3 * [row.pairing.table])), *(cell.name for cell in row.cells))
        for row in playing
    )
    return format_html_join("", "<li>{} {} – {}</li>\n", tables)
