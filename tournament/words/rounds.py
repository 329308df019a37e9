"""Sentences about a round as a whole."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def open_tables(number: int, tables: Sequence[int], *, again: bool) -> str:
    """That a published round lacks results, and of which tables; `again` if one of them had a result before."""
    words = {"number": number, "tables": ", ".join(map(str, tables))}
    if again:
        text = ngettext(
            "Round %(number)s is open again: the result of table %(tables)s is missing.",
            "Round %(number)s is open again: the results of tables %(tables)s are missing.",
            len(tables),
        )
    else:
        text = ngettext(
            "Round %(number)s is still open: the result of table %(tables)s is missing.",
            "Round %(number)s is still open: the results of tables %(tables)s are missing.",
            len(tables),
        )
    return text % words


def also_here(names: Sequence[str]) -> str:
    """Who else has a page open."""
    return _("Also on this page: %(names)s") % {"names": ", ".join(names)}
