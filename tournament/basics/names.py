"""Names folded so that they sort and search alike on every database, and slugs made from names."""

import re
import unicodedata
from itertools import groupby, islice
from typing import Any

from django.db.models import QuerySet
from django.utils.text import slugify

from tournament.basics import limits

_LIGATURES = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)
_WRITTEN_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})

MAX_MARKS = 30
"""Combining marks on one letter. No language has more, and sorting thousands takes minutes (Unicode annex 15, 13)."""

_MANY_MARKS = re.compile(rf"[^\x00-\x7f]{{{MAX_MARKS + 1}}}")  # where a letter may have more marks


def compose_marks(text: str) -> str:
    """The text in NFC, each letter one character with its marks; marks beyond `MAX_MARKS` on a letter are dropped."""
    if _MANY_MARKS.search(text):
        runs = groupby(text, key=lambda letter: unicodedata.combining(letter) > 0)
        text = "".join("".join(islice(run, MAX_MARKS) if is_marks else run) for is_marks, run in runs)
    return unicodedata.normalize("NFC", text)


def normalise_text(text: str) -> str:
    """The text in NFC, with single spaces between words and none at the ends."""
    return " ".join((text if text.isascii() else compose_marks(text)).split())


def fold_text(text: str) -> str:
    """The text in lower case without diacritics: `Żaneta Müßig` becomes `zaneta mussig` (DIN 5007-1: ä sorts as a)."""
    plain = normalise_text(text).casefold().translate(_LIGATURES)
    return "".join(letter for letter in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(letter))


def format_spoken_name(name: str) -> str:
    """A name as it is spoken: `Nguyễn, Linh` becomes Linh Nguyễn; anything in brackets after it stays there."""
    person, bracket, mark = name.partition(" (")
    surname, comma, given_name = person.partition(",")
    spoken = f"{given_name.strip()} {surname.strip()}" if comma and given_name.strip() else person
    return f"{spoken}{bracket}{mark}"


SURNAME_PARTICLES = frozenset(
    {
        *("da", "de", "del", "di", "do", "dos", "du", "la", "le", "vom", "von", "zu", "zum", "zur"),
        *("'t", "aan", "den", "der", "het", "in", "op", "te", "ten", "ter", "van", "van't"),
        *("De", "Den", "Der", "Het", "Ten", "Ter", "Van", "Vande", "Vanden", "Vander"),  # as Flemings write them
    }
)
"""Words that a surname can begin with."""


def put_surname_first(name: str) -> str:
    """A spoken name with the surname first: `Margarethe von der Heide` becomes von der Heide, Margarethe."""
    words = name.split()
    if len(words) == 1 or "," in name:
        return name
    begin = next((place for place, word in enumerate(words) if place and word in SURNAME_PARTICLES), len(words) - 1)
    return f"{' '.join(words[begin:])}, {' '.join(words[:begin])}"


def make_search_key(text: str) -> str:
    """The text that searches look in: folded, and again with umlauts written out if that differs."""
    folded = fold_text(text)
    written_out = fold_text(normalise_text(text).casefold().translate(_WRITTEN_OUT))
    return folded if folded == written_out else f"{folded} {written_out}"


def list_name_forms(name: str) -> set[str]:
    """A name as it is written and said, each also folded as columns to sort and to search by have it."""
    return {
        form
        for spelling in (name, format_spoken_name(name))
        for form in (spelling, fold_text(spelling), make_search_key(spelling))
    }


def remove_invisible_marks(text: str) -> str:
    """The text without format characters (Unicode's Cf), such as soft hyphens."""
    return "".join(letter for letter in text if unicodedata.category(letter) != "Cf")


SLUG_PATTERN = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
SLUG_NUMBER_ROOM = 8


def make_free_slug(rows: QuerySet[Any], name: str, *, otherwise: str) -> str:
    """A slug that none of the rows has, made from a name, or from `otherwise` if the name has no usable letter.
    `Müßig-Cup 2026` becomes `muessig-cup-2026`, the next one `muessig-cup-2026-2`."""
    plain = fold_text(normalise_text(name).casefold().translate(_WRITTEN_OUT))
    base = slugify(plain)[: limits.SLUG - SLUG_NUMBER_ROOM].strip("-_") or otherwise
    used_slugs = set(rows.filter(slug__startswith=base).values_list("slug", flat=True))
    number = 1
    while (slug := base if number == 1 else f"{base}-{number}") in used_slugs:
        number += 1
    return slug


def is_slug(text: str) -> bool:
    return bool(SLUG_PATTERN.fullmatch(text))
