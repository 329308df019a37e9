"""Who is at work on the same page, so that two directors notice each other before they collide. It is kept only in the
cache, for less than a minute. Also the sentence about tables that lack a result."""

import hashlib
import time
from collections.abc import Sequence

from django.core.cache import cache
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

PRESENCE_SECONDS = 40.0  # seconds for which somebody counts as there; `static/at_work.js` reports again in time

MAX_PAGE_PATH = 300


def note_presence(tournament: int, page: str, *, who: str, name: str) -> list[str]:
    """Note that `who` has this page of a tournament open; return the sorted names of the others who do. Two who do so
    at the same moment may miss each other until one of them asks again."""
    now = time.time()
    # A digest, since an address may be of any length and a cache takes keys of 250 letters.
    key = f"at-work:{tournament}:{hashlib.sha256(page[:MAX_PAGE_PATH].encode()).hexdigest()[:32]}"
    there = {
        name: presence
        for name, presence in cache.get(key, {}).items()
        if name != who and presence[1] > now - PRESENCE_SECONDS
    }
    cache.set(key, {**there, who: (name, now)}, PRESENCE_SECONDS)
    return sorted(presence[0] for presence in there.values())


def describe_open_tables(number: int, tables: Sequence[int], *, again: bool) -> str:
    """Which tables of a published round lack results; `again` if one of them had a result before."""
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


def format_others_here(names: Sequence[str]) -> str:
    """Who else has a page open."""
    return _("Also on this page: %(names)s") % {"names": ", ".join(names)}
