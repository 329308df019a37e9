"""Addresses made from names: `Müßig-Cup 2026` becomes `muessig-cup-2026`, the next one `…-2`."""

import re
from typing import Any

from django.db.models import QuerySet
from django.utils.text import slugify

from tournament import limits, names

POSSIBLE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
ROOM_FOR_NUMBER = 8
_WRITTEN_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def free(rows: QuerySet[Any], name: str, *, otherwise: str) -> str:
    """An address made from a name that none of the rows has; from `otherwise` if the name has no usable letter."""
    plain = names.fold(names.tidy(name).casefold().translate(_WRITTEN_OUT))
    base = slugify(plain)[: limits.SLUG - ROOM_FOR_NUMBER].strip("-_") or otherwise
    taken = set(rows.filter(slug__startswith=base).values_list("slug", flat=True))
    number = 1
    while (slug := base if number == 1 else f"{base}-{number}") in taken:
        number += 1
    return slug


def is_one(text: str) -> bool:
    """Whether a text that somebody typed can be an address."""
    return bool(POSSIBLE.fullmatch(text))
