"""Rows that come from elsewhere: whether they are what this program writes, so that every page can show them."""

from collections.abc import Callable, Mapping
from typing import Any

from django.db import models

from tournament.exchange.archive import additions
from tournament.models import Division, Pairing, Round, Tournament
from tournament.pairing import codes
from tournament.pairing.values import Flag, NoteCode, ReasonCode, Unless
from tournament.plan import segments


def require_shown(row: models.Model) -> None:
    """Raise what `rebuilding.BROKEN` names for a row with a text too long, a choice that is none, a list of odd things.

    What refers to other rows, and what rows come to together, is for the database and the tournament file to say.
    """
    left_out = {
        field.name
        for field in row._meta.concrete_fields
        if field.is_relation or getattr(row, field.attname) in field.empty_values
    }
    row.clean_fields(exclude=left_out)
    for check in (OWN_CHECKS.get(type(row)), additions.CHECKS.get(type(row))):
        if check is not None:
            check(row)


def _tournament(row: Tournament) -> None:
    """Ruleset, credits and ranking have to be known ones."""
    _found = (row.rules, row.awards, row.ranking)


def _round(row: Round) -> None:
    """The notes on its draw have to be ones that have words."""
    for note in row.notes:
        _found = (NoteCode(note["code"]), note["figure"], [Unless(each) for each in note["unless"]])


def _pairing(row: Pairing) -> None:
    """Flags and reasons have to be ones that have words, with all their figures."""
    _found = [Flag(flag) for flag in row.flags]
    for reason in row.why:
        if codes.shape(ReasonCode(reason["code"]), reason).keys() - reason.keys():
            raise ValueError("figures of a reason")


def _division(row: Division) -> None:
    """The plan has to be one."""
    segments.read(row.plan)


OWN_CHECKS: Mapping[type[models.Model], Callable[[Any], None]] = {
    Tournament: _tournament,
    Division: _division,
    Round: _round,
    Pairing: _pairing,
}
