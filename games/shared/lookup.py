"""Rows about a game, found by the address that names them."""

from typing import TypeVar

from django.db.models import Model
from django.shortcuts import get_object_or_404

from tournament.models import Tournament

Row = TypeVar("Row", bound=Model)


def row_of(model: type[Row], tournament: Tournament, pk: int) -> Row:
    """A row about a game of this tournament by its id, with the game's round; 404 for another tournament's."""
    rows = model._default_manager.select_related("pairing__round__division__tournament")
    return get_object_or_404(rows, pk=pk, pairing__round__division__tournament=tournament)
