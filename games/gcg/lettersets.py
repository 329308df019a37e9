"""Which tiles a GCG file was played with: those that it names, else the set that its scores fit."""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from games.gcg.values import Code, Game, Problem, Unreadable
from scoring.letters import LETTER_SETS, LetterSet

_KNOWN: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        "de": re.compile(r"german|deutsch|duden|\brd\d*\b", re.IGNORECASE),
        "nl": re.compile(r"dutch|nederlands|\bswl\b|sbnl|groene", re.IGNORECASE),
        "en": re.compile(
            r"english|csw|nwl|nswl|twl|owl|ospd|sowpods|collins|ecwl|cel\b|enable|wesp|\bods?wl", re.IGNORECASE
        ),
    }
)
"""What the lexicons and distributions of each set are called."""

_OTHERS = re.compile(
    r"french|polish|spanish|catalan|norwegian|italian|swedish|danish|portuguese|romanian|slovene|_super|"
    r"\bods\d*\b|\bfra\d*\b|\bosps\d*\b|\bfile\d*\b|\bfise\d*\b|\bdisc\d*\b|\bnsf\d*\b|\bsaol\d*\b",
    re.IGNORECASE,
)
"""Sets that the program does not have."""

_OTHER_BOARDS = re.compile(r"super|wwf|wordswithfriends|words_with_friends|lexulous", re.IGNORECASE)

_SAYS = ("tile-distribution", "tile-set", "lexicon")
_NOTED = re.compile(r"(?:Letter ?Distribution|Lexicon)\s*:\s*(\S+)", re.IGNORECASE)
_BOARD_NOTED = re.compile(r"Board ?Layout\s*:\s*(\S+)", re.IGNORECASE)


def refuse_other_boards(game: Game) -> None:
    """Raise `Unreadable` if the game was played on a board with other premium squares."""
    noted = _BOARD_NOTED.search(game.note)
    layout = game.pragmata.get("board-layout") or (noted.group(1) if noted else "")
    if _OTHER_BOARDS.search(layout):
        raise Unreadable(Problem(Code.OTHER_BOARD, figures={"value": layout}))


def said(game: Game) -> LetterSet | None:
    """The set that the file names, None if it names none. Raises `Unreadable` if it names one that we lack."""
    noted = _NOTED.search(game.note)
    texts = [game.pragmata[name] for name in _SAYS if game.pragmata.get(name)] + ([noted.group(1)] if noted else [])
    for text in texts:
        if _OTHERS.search(text):
            raise Unreadable(Problem(Code.OTHER_LETTERS, figures={"value": text, "known": ", ".join(LETTER_SETS)}))
        for key, names in _KNOWN.items():
            if names.search(text):
                return LETTER_SETS[key]
    return None


def best(misfits: Callable[[LetterSet], tuple[int, ...]]) -> LetterSet:
    """The set with the fewest misfits; German where two fit equally well."""
    return min((LETTER_SETS[key] for key in ("de", "en", "nl")), key=misfits)
