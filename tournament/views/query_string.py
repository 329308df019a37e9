"""What the query of an address asks for, in the forms that several pages share."""

from collections.abc import Sequence
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest

from tournament import limits, names

LONGEST_NUMBER = 4
"""Digits. No round, turn or table has more."""


def search(request: HttpRequest) -> str:
    """What `?q=` looks for, as names are tidied; "" without one."""
    return names.tidy(request.GET.get("q", "").replace("\0", ""))[: limits.SEARCH]


def page(request: HttpRequest, rows: QuerySet[Any] | Sequence[Any], size: int) -> Page[Any]:
    """The part of a long list that `?page=` asks for, the nearest that there is; the first without one."""
    return Paginator(rows, size).get_page(request.GET.get("page"))


def number(request: HttpRequest, name: str, default: int) -> int | None:
    """The whole number that the query gives by this name, `default` without one; None for anything else."""
    text = request.GET.get(name, "")
    if not text:
        return default
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER else None
