"""How names are folded, so that umlauts sort and search on every database the same way."""

import re
import unicodedata
from itertools import groupby, islice

_LIGATURES = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)
_WRITTEN_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


MOST_MARKS = 30
"""Marks on one letter. No language has more, and to put thousands in order takes minutes (Unicode annex 15, 13)."""


_MANY_MARKS = re.compile(rf"[^\x00-\x7f]{{{MOST_MARKS + 1}}}")
"""Where more marks than that may stand on one letter."""


def composed(text: str) -> str:
    """Letters with their marks as one character each (NFC); of more than `MOST_MARKS` on a letter the rest are left
    out."""
    if _MANY_MARKS.search(text):
        runs = groupby(text, key=lambda letter: unicodedata.combining(letter) > 0)
        text = "".join("".join(islice(run, MOST_MARKS) if is_marks else run) for is_marks, run in runs)
    return unicodedata.normalize("NFC", text)


def tidy(text: str) -> str:
    """The text in composed form, with each run of white space made one blank, and none at the ends."""
    return " ".join((text if text.isascii() else composed(text)).split())


def fold(text: str) -> str:
    """The text in lower case without diacritics: `Żaneta Müßig` becomes `zaneta mussig` (DIN 5007-1: ä sorts as a)."""
    plain = tidy(text).casefold().translate(_LIGATURES)
    return "".join(letter for letter in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(letter))


def spoken(name: str) -> str:
    """A name as it is said: `Nguyễn, Linh` is Linh Nguyễn; what stands behind it in brackets stays there."""
    person, bracket, mark = name.partition(" (")
    surname, comma, given = person.partition(",")
    said = f"{given.strip()} {surname.strip()}" if comma and given.strip() else person
    return f"{said}{bracket}{mark}"


PARTICLES = frozenset(
    {
        *("da", "de", "del", "di", "do", "dos", "du", "la", "le", "vom", "von", "zu", "zum", "zur"),
        *("'t", "aan", "den", "der", "het", "in", "op", "te", "ten", "ter", "van", "van't"),
        *("De", "Den", "Der", "Het", "Ten", "Ter", "Van", "Vande", "Vanden", "Vander"),  # as Flemings write them
    }
)
"""Small words that a surname can begin with."""


def surname_first(name: str) -> str:
    """A name as it is said, with the surname first: `Margarethe von der Heide` is von der Heide, Margarethe, and
    `Lieve De Smet` is De Smet, Lieve."""
    words = name.split()
    if len(words) == 1 or "," in name:
        return name
    begin = next((place for place, word in enumerate(words) if place and word in PARTICLES), len(words) - 1)
    return f"{' '.join(words[begin:])}, {' '.join(words[:begin])}"


def search_key(text: str) -> str:
    """What a search looks in: the folded text, and the text with umlauts written out if that differs."""
    folded = fold(text)
    written_out = fold(tidy(text).casefold().translate(_WRITTEN_OUT))
    return folded if folded == written_out else f"{folded} {written_out}"
