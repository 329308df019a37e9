"""Texts and names tidied; names folded so that they sort and search alike on every database; slugs made from names."""

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
_COMMA = re.compile(r" ?, ?")

MAX_MARKS = 30
"""Combining marks on one letter. No language has more, and sorting thousands takes minutes (Unicode annex 15, 13)."""

_MANY_MARKS = re.compile(rf"[^\x00-\x7f]{{{MAX_MARKS + 1}}}")  # where a letter may have more marks


def compose_marks(text: str) -> str:
    """The text in NFC, each letter one character with its marks; marks beyond `MAX_MARKS` on a letter are dropped."""
    if _MANY_MARKS.search(text):
        runs = groupby(text, key=lambda letter: unicodedata.combining(letter) > 0)
        # Before it is composed: that sorts the marks of each letter, which takes the square of their number.
        text = "".join("".join(islice(run, MAX_MARKS) if is_marks else run) for is_marks, run in runs)
    return unicodedata.normalize("NFC", text)


def normalise_text(text: str) -> str:
    """The text in NFC, with single spaces between words and none at the ends."""
    return " ".join((text if text.isascii() else compose_marks(text)).split())


def clean_text(text: str) -> str:
    """A text on one line, in composed form, without characters that cannot be shown."""
    tidy = normalise_text(text)
    return tidy if tidy.isprintable() else normalise_text("".join(filter(str.isprintable, tidy)))


def clean_text_lines(text: str) -> str:
    """A text of several lines, each cleaned of what cannot be shown; empty lines at the ends are removed."""
    composed = compose_marks(text).replace("\t", " ")
    lines = ("".join(letter for letter in line if letter.isprintable()).rstrip() for line in composed.splitlines())
    return "\n".join(lines).strip()


def tidy_name(name: str) -> str:
    """A name with single spaces, none before a comma and one behind it: `Ohm ,Olga` becomes Ohm, Olga."""
    return _COMMA.sub(", ", normalise_text(name)).strip()


def make_identity_key(name: str) -> str:
    """A key that is equal for two writings of exactly one name: the same letters, whatever their case, and the same
    words. `fold_text`, which sorts, puts more names together, and does not decide who is who: Köhler and Kohler are two
    names."""
    return tidy_name(name).lower()


def fold_text(text: str) -> str:
    """The text in lower case without diacritics: `Żaneta Müßig` becomes `zaneta mussig` (DIN 5007-1: ä sorts as a)."""
    # Small letters first: the table has no others. The marks go at the end, once each stands apart from its letter.
    plain = normalise_text(text).casefold().translate(_LIGATURES)
    return "".join(letter for letter in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(letter))


TITLES = frozenset({"dr", "prof", "professor", "doktor", "herr", "frau"})
"""Words that are a title also without a full stop."""

ABBREVIATED_TITLES = TITLES | {
    *("dipl", "ing", "mag", "med", "phil", "rer", "nat", "jur", "habil", "hc", "pol", "oec", "lic"),
    *("fr", "hr", "drs", "ir", "mr", "mevr", "dhr", "mrs", "ms"),
}
"""Words that are one before a full stop."""

_SHORT, _LONG = ("|".join(sorted(words)) for words in (ABBREVIATED_TITLES, TITLES))
_TITLE = re.compile(rf"(?:(?:(?:{_SHORT}|h\. ?c)\.[ -]?|(?:{_LONG}) )+)(?=[^\W\d_]{{2}})", re.IGNORECASE)


def split_title(name: str) -> tuple[str, str]:
    """The titles before a name, and the rest: `Prof. Dr. Weiß, Änne` becomes “Prof. Dr.” and “Weiß, Änne”."""
    match = _TITLE.match(name)
    return (match.group().strip(), name[match.end() :]) if match else ("", name)


def make_sort_key(name: str) -> str:
    """What a name is sorted by: folded, without titles before surname and given name."""
    surname, comma, given_name = normalise_text(name).partition(", ")
    return fold_text(f"{split_title(surname)[1]}{comma}{split_title(given_name)[1]}")


def format_spoken_name(name: str) -> str:
    """A name as it is spoken: `Nguyễn, Linh` becomes Linh Nguyễn, and `Dr. Weiß, Änne` Dr. Änne Weiß; anything in
    brackets after it stays there."""
    person, bracket, mark = name.partition(" (")
    surname, comma, given_name = person.partition(",")
    if comma and given_name.strip():
        title, surname = split_title(surname.strip())
        person = " ".join(filter(None, (title, given_name.strip(), surname)))
    return f"{person}{bracket}{mark}"


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
    # Not the first word: Van is a given name, too.
    begin = next((place for place, word in enumerate(words) if place and word in SURNAME_PARTICLES), len(words) - 1)
    return f"{' '.join(words[begin:])}, {' '.join(words[:begin])}"


def make_search_key(text: str) -> str:
    """The text that searches look in: folded, and again with umlauts written out if that differs."""
    folded, written_out = fold_text(text), write_out_umlauts(text)
    return folded if folded == written_out else f"{folded} {written_out}"


def write_out_umlauts(text: str) -> str:
    """The text folded, with ä, ö and ü as ae, oe and ue: `Müßig` becomes `muessig`."""
    # Composed first: an a with its dots apart, as a Mac may send it, is no ä to the table.
    return fold_text(normalise_text(text).casefold().translate(_WRITTEN_OUT))


def list_name_forms(name: str) -> set[str]:
    """A name as it is written and as it is spoken, and each of these folded as the columns for sorting and searching
    hold it."""
    return {
        form
        for spelling in (name, format_spoken_name(name))
        for form in (spelling, fold_text(spelling), make_sort_key(spelling), make_search_key(spelling))
    }


def remove_invisible_marks(text: str) -> str:
    """The text without format characters (Unicode's Cf), such as soft hyphens."""
    return "".join(letter for letter in text if unicodedata.category(letter) != "Cf")


def clean_typed_text(text: str) -> str:
    """The text without stray blanks and invisible marks."""
    return normalise_text(remove_invisible_marks(text))


SLUG_PATTERN = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
SLUG_NUMBER_ROOM = 8


def make_free_slug(rows: QuerySet[Any], name: str, *, otherwise: str) -> str:
    """A slug that none of the rows has, made from a name, or from `otherwise` if the name has no usable letter.
    `Müßig-Cup 2026` becomes `muessig-cup-2026`, the next one `muessig-cup-2026-2`."""
    plain = write_out_umlauts(name)
    base = slugify(plain)[: limits.SLUG - SLUG_NUMBER_ROOM].strip("-_") or otherwise
    # By one query: the thirtieth event of a name is not looked for by thirty.
    used_slugs = set(rows.filter(slug__startswith=base).values_list("slug", flat=True))
    number = 1
    while (slug := base if number == 1 else f"{base}-{number}") in used_slugs:
        number += 1
    return slug


def is_slug(text: str) -> bool:
    return bool(SLUG_PATTERN.fullmatch(text))
