"""A federation that is made up: every figure and every clause of its book is its own, none is the TSO's."""

import dataclasses
import re
from typing import Any

from scoring.awards import Awards
from scoring.clauses import Clauses, ForfeitClauses, KnockoutClauses
from scoring.rulesets.values import ChallengeRules, ExchangeRules, LeftoversRule, PenaltyUnit, Ruleset


def cited(chapter: type[Any], number: int, **others: Any) -> Any:
    """A chapter of the book with a clause for everything that is cited: XYZ 4.1, XYZ 4.2 …"""
    names = [field.name for field in dataclasses.fields(chapter) if field.name not in others]
    return chapter(**{name: f"XYZ {number}.{at}" for at, name in enumerate(names, 1)}, **others)


XYZ = Ruleset(
    key="xyz-2030",
    name="XYZ-Ordnung",
    source="Verband der XYZ-Spieler",
    book="xyz",
    letters="de",
    minutes=(20,),
    overtime_points=7,
    overtime_step=30,
    overtime_limit=240,
    lateness_limit=660,
    challenges=ChallengeRules(failed_penalty=13, per=PenaltyUnit.CHALLENGE, upheld_penalty=17, clause="XYZ 4.99"),
    leftovers=LeftoversRule.TO_WHO_WENT_OUT,
    exchanges=ExchangeRules(in_bag=9),
    passes_to_end=3,
    awards=Awards(33, 333, -77, 44, 66, clause="XYZ 6.1", played_clause="XYZ 6"),
    clauses=cited(Clauses, 4, forfeits=cited(ForfeitClauses, 5), knockout=cited(KnockoutClauses, 7)),
)

FOREIGN = re.compile(
    r"TSO \d|Allgemeine Spielregeln \d|§"
    r"|\b15 (?:Min|min)|\b5 Minuten|\b5 minutes|\b5:00\b|\b10:00\b"
    r"|\b10 (?:Punkt|point)|begonnene Minute|started minute|minute begun"
    r"|\+50\b|(?<![\d:])400\b(?!–)|[-−]100\b|[-−]119\b"
)
"""Clauses and figures of the TSO: its lateness, overtime, challenges and awards."""


def foreign(said: str) -> list[str]:
    """What of the TSO stands in a text, each with the words around it."""
    return [said[max(0, found.start() - 40) : found.end() + 30] for found in FOREIGN.finditer(said)]
