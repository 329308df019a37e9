"""Conditions of the database's constraints, made from the table of limits."""

from django.db.models import Q

from tournament.limits import Range


def within(allowed: Range, *columns: str) -> Q:
    """That each of these columns lies in the range; one that is empty breaks no constraint."""
    condition = Q()
    for column in columns:
        condition &= Q(**{f"{column}__gte": allowed.low, f"{column}__lte": allowed.high})
    return condition
