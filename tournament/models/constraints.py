"""Conditions of the database's constraints, made from the table of limits."""

from django.db.models import Q

from tournament.limits import Range


def within(allowed: Range, *columns: str) -> Q:
    """The condition that each of these columns is in the range; an empty one breaks no constraint."""
    condition = Q()
    for column in columns:
        condition &= Q(**{f"{column}__gte": allowed.low, f"{column}__lte": allowed.high})
    return condition
