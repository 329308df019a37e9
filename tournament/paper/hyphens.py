"""Where long words may be broken, by the rules of their language."""

import re
from functools import cache, lru_cache

from pyphen import Pyphen, language_fallback

SOFT_HYPHEN = "\N{SOFT HYPHEN}"
SHORTEST_WORD = 10  # letters of a word that is broken
SHORTEST_PART = 3  # letters before and after a break

_WORD = re.compile(rf"[^\W\d_]{{{SHORTEST_WORD},}}")


@cache
def _load_rules(language: str) -> Pyphen | None:
    """The rules of a language; None if there are none for it."""
    hyphen_language = language_fallback(language)
    return Pyphen(lang=hyphen_language, left=SHORTEST_PART, right=SHORTEST_PART) if hyphen_language else None


@lru_cache(maxsize=4096)
def mark_hyphens(text: str, language: str) -> str:
    """Printable text with a soft hyphen wherever a long word may be broken; as it is in a language without rules."""
    rules = _load_rules(language)
    return _WORD.sub(lambda word: rules.inserted(word.group(), SOFT_HYPHEN), text) if rules else text
