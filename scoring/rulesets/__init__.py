"""The rulesets: one frozen value each, with every figure and clause that differs between the rule books. Code asks a
ruleset for the figure or clause that it needs, never for its key. Each rule book is a module here that names its
`RULESETS`; another federation's book is one more module, which is found automatically."""

import pkgutil
from collections.abc import Iterator, Mapping
from importlib import import_module
from types import MappingProxyType

from scoring.rulesets.general import GENERAL_DE
from scoring.rulesets.sbnl import SBNL_PUNTEN, SBNL_WEDSTRIJD
from scoring.rulesets.tso import TSO_2010, TSO_2017
from scoring.rulesets.values import BoardTurning, DuplicateRules, PenaltyUnit, Ruleset

__all__ = [
    "GENERAL_DE",
    "RULESETS",
    "SBNL_PUNTEN",
    "SBNL_WEDSTRIJD",
    "TSO_2010",
    "TSO_2017",
    "BoardTurning",
    "DuplicateRules",
    "PenaltyUnit",
    "Ruleset",
    "UnknownRuleset",
    "get",
]

FIRST_BOOKS = ("tso", "general", "sbnl")  # the books that are offered first, in this order; others follow by name


class UnknownRuleset(ValueError):
    """There is no ruleset with that key; `allowed` names those that exist."""

    def __init__(self, key: str, allowed: tuple[str, ...]) -> None:
        super().__init__(f"unknown ruleset {key!r}; allowed are {', '.join(allowed)}")
        self.key = key
        self.allowed = allowed


def _find_rulesets() -> Iterator[Ruleset]:
    """The rulesets of every book in this package."""
    # By name before anything else: the next sort is stable, so that books without a place of their own keep this order.
    names = sorted(module.name for module in pkgutil.iter_modules(__path__) if module.name != "values")
    for name in sorted(names, key=lambda name: FIRST_BOOKS.index(name) if name in FIRST_BOOKS else len(FIRST_BOOKS)):
        yield from import_module(f"{__name__}.{name}").RULESETS


RULESETS: Mapping[str, Ruleset] = MappingProxyType({ruleset.key: ruleset for ruleset in _find_rulesets()})
"""Every ruleset by its key, in the order in which forms offer them."""


def get(key: str) -> Ruleset:
    """The ruleset with that key. Raises `UnknownRuleset`, which names those allowed."""
    try:
        return RULESETS[key]
    except KeyError:
        raise UnknownRuleset(key, tuple(RULESETS)) from None
