"""What the templates of typing results need."""

from collections.abc import Iterable

from django import template
from django.utils.html import escape, format_html_join
from django.utils.safestring import SafeString

from games.entry.queries import OpenTable

register = template.Library()


@register.filter
def leading_to(playing: Iterable[OpenTable], grid_url: str) -> SafeString:
    """The tables that are still playing as items of a list; each leads to its row.

    Written here, not in a template: hundreds of them are part of the answer to every result that is typed.
    """
    link = '<a href="{}&amp;table={}" data-go="{}">{}</a>'
    address = escape(grid_url)
    tables = ((SafeString(link.format(address, *3 * [each.table])), each.first, each.second) for each in playing)
    return format_html_join("", "<li>{} {} – {}</li>\n", tables)
