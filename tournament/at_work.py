"""Who is at work on the same page just now, so that two directors notice each other before they collide.

Kept in the cache alone and for less than a minute: it is nobody's record, and nothing depends on it.
"""

import hashlib
import time

from django.core.cache import cache

STAYS = 40.0
"""Seconds for which somebody counts as there; an open page says every `static/at_work.js` seconds that it is."""

LONGEST_PAGE = 300


def others(tournament: int, page: str, *, who: str, name: str) -> list[str]:
    """Note that somebody has this page of a tournament before them; the names of the others who have, in their order.

    `who` tells people apart, `page` is the page's path. Two who write at the same moment may miss each other until one
    of them asks again.
    """
    now = time.time()
    key = f"at-work:{tournament}:{hashlib.sha256(page[:LONGEST_PAGE].encode()).hexdigest()[:32]}"
    there = {each: found for each, found in cache.get(key, {}).items() if each != who and found[1] > now - STAYS}
    cache.set(key, {**there, who: (name, now)}, STAYS)
    return sorted(found[0] for found in there.values())
