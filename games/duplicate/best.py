"""The best plays that a session's list allows with a draw, for the director alone."""

from functools import lru_cache

from games.duplicate.reading import Listed, Read
from games.judge import store
from games.models import DuplicateTurn
from scoring import moves
from scoring.letters import LETTER_SETS
from scoring.lexicon import Lexicon

SHOWN = 10
"""So many plays are listed."""


@lru_cache(maxsize=1)
def _lexicon(words: Listed, letters: str) -> Lexicon:
    """The list as tables; made once, and kept as long as the same list is asked."""
    data = store.opened(words.name, sha256=words.sha256, title=words.title).data
    return Lexicon.of(LETTER_SETS[letters], data[:].decode(store.ENCODING).splitlines())


def plays(found: Read, row: DuplicateTurn) -> moves.Plays | None:
    """Every play on the board before a turn with its draw; None without a list."""
    if found.allows is None:
        return None
    lexicon = _lexicon(found.allows, found.session.letters)
    return moves.plays(lexicon, found.value.boards[row.number - 1], row.draw)
