"""Published rounds that lack results, with the tables that are missing."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from tournament.models import Division, Pairing, Result, Round
from tournament.queries import public_view
from tournament.showing import Step


@dataclass(frozen=True, slots=True)
class OpenRound:
    """A published round of the league with the tables that have no official result; `again` if one of them had.

    `division` names its division where rounds of several are told.
    """

    number: int
    tables: tuple[int, ...]
    again: bool
    division: str = ""


def open_rounds(division: Division, *, upto: int | None = None) -> list[OpenRound]:
    """The open rounds of a division in order, as far as round `upto` (None: all). One query."""
    games = Pairing.objects.filter(round__division=division, round__stage=None, kind=Pairing.Kind.GAME)
    games = games.exclude(round__state=Round.State.DRAFT).exclude(results__official=True)
    games = games.filter(public_view.rounds("round", Step.RESULTS))
    if upto is not None:
        games = games.filter(round__number__lte=upto)
    had = Exists(Result.objects.filter(pairing=OuterRef("pk")))
    found: dict[int, list[tuple[int, bool]]] = {}
    for number, table, again in games.order_by("round__number", "table").values_list("round__number", "table", had):
        found.setdefault(number, []).append((table, again))
    return [
        OpenRound(number, tuple(table for table, _again in tables), any(again for _table, again in tables))
        for number, tables in found.items()
    ]


def worth_saying(division: Division, *, current: int, upto: int | None = None) -> list[OpenRound]:
    """The open rounds that must not keep quiet: all but round `current`, and that one too if it is open again."""
    return [each for each in open_rounds(division, upto=upto) if each.again or each.number != current]
