"""Every clause that the program can name stands in the source named (`tests/citations.py`)."""

import dataclasses
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.utils import translation

from games.referee.catalogue import list_incident_kinds
from scoring import rulesets
from scoring.rulesets.values import Ruleset
from tests.citations import CITATIONS, SOURCES, Citation

RULES = Path(__file__).parents[2] / "shared" / "rules"

SAID = {
    "deviations": "deviations are marked",
    "minutes": "minutes per player",
    "words": "which words stand",
    "word_list": "the word list",
    "other_list": "a word list that needs approval",
    "exceptions": "exceptions for players",
    "turning": "whether boards turn",
    "starts": "who starts",
    "fixed_starts": "starts fixed beforehand",
    "drawn_starts": "starts drawn",
    "tiles": "letters of the set",
    "rack": "tiles on a rack",
    "opening": "the first play",
    "joining": "joining what lies",
    "points": "what a play scores",
    "turn": "out of turn",
    "exchange": "when tiles are exchanged",
    "exchanged": "an exchange scores nothing",
    "passing": "whether passing is allowed",
    "passed": "a pass scores nothing",
    "judge": "both check the words",
    "questions": "words shown to the jury",
    "two_letters": "list of two-letter words",
    "finished": "the jury sees the game",
    "wrong_word": "a wrong word found later",
    "out": "going out ends the game",
    "passes": "passing ends the game",
    "settlement": "the tiles left",
    "signing": "both sign",
    "lateness": "lateness",
    "overtime": "overtime costs points",
    "overtime_limit": "overtime loses the game",
    "table": "criteria of the table",
    "forfeits.whole": "reasons for an award",
    "forfeits.no_show": "award: no show",
    "forfeits.late": "award: late",
    "forfeits.overtime": "award: overtime",
    "forfeits.disqualified": "award: disqualified",
    "forfeits.other": "award: another breach",
    "knockout.whole": "the knock-out",
    "knockout.forms": "forms of a match",
    "knockout.single": "a single game",
    "knockout.double": "two games",
    "knockout.best_of": "best of N",
    "knockout.level": "a level match",
    "knockout.forfeit": "forfeiting the last game",
}
"""What the program says with each of a ruleset's clauses."""

BRACKETS = re.compile(r"\(([^()]*)\)")
OWN_CLAUSE = re.compile(r"[1-7](?:\.\d+)*(?: [a-z](?: i+)?)?")
PART = re.compile(r"[a-z](?: i+|–[a-z])?")


def cited_by(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """What a ruleset's values can cite: what is said, and the clause."""
    yield from _flat(dataclasses.asdict(ruleset.clauses))
    if ruleset.challenges:
        yield "what a challenge costs", ruleset.challenges.clause
        yield "how long a hold lasts", ruleset.challenges.hold_clause
    yield "awards", ruleset.awards.clause
    yield "what a played game counts", ruleset.awards.played_clause


def _flat(clauses: dict[str, object], before: str = "") -> Iterator[tuple[str, str]]:
    for name, value in clauses.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{name}.")
        else:
            yield SAID[before + name], str(value)


def cited_by_catalogue(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """What the list of incidents cites: each incident's clause, and those in its sentence."""
    with translation.override("en"):
        for kind in list_incident_kinds(ruleset):
            yield f"incident: {kind.key}", kind.clause
            for part in (part.strip() for found in BRACKETS.findall(str(kind.says)) for part in found.split(",")):
                if OWN_CLAUSE.fullmatch(part):
                    yield f"incident: {kind.key}", f"TSO {part}"
                elif PART.fullmatch(part):
                    yield f"incident: {kind.key}", f"{re.sub(r' [a-z]$', '', kind.clause)} {part}"


@pytest.mark.parametrize(
    "ruleset",
    [*rulesets.RULESETS.values(), *(each.without_clock for each in rulesets.RULESETS.values() if each.minutes)],
    ids=lambda each: each.key,
)
def test_every_clause_that_can_be_named_is_one_that_was_looked_up(ruleset: Ruleset) -> None:
    looked_up = {(each.said, each.clause) for each in CITATIONS}
    named = {pair for pair in (*cited_by(ruleset), *cited_by_catalogue(ruleset)) if pair[1]}

    assert named - looked_up == set()


def test_no_clause_was_looked_up_in_vain() -> None:
    named = {pair for each in rulesets.RULESETS.values() for pair in (*cited_by(each), *cited_by_catalogue(each))}

    assert {(each.said, each.clause) for each in CITATIONS} - named == set()


@pytest.mark.skipif(not RULES.is_dir(), reason="the books of rules are not beside the program")
@pytest.mark.parametrize("citation", CITATIONS, ids=lambda each: f"{each.clause}: {each.said}")
def test_the_source_says_so_on_that_line(citation: Citation) -> None:
    lines = (RULES / SOURCES[citation.source]).read_text(encoding="utf-8").split("\n")

    assert citation.words in lines[citation.line - 1]


@pytest.mark.skipif(not RULES.is_dir(), reason="the books of rules are not beside the program")
@pytest.mark.parametrize("citation", [each for each in CITATIONS if each.source == "tso"], ids=lambda each: each.clause)
def test_the_line_belongs_to_the_clause(citation: Citation) -> None:
    """The last numbered heading above the line is the clause's, or one below it."""
    lines = (RULES / SOURCES["tso"]).read_text(encoding="utf-8").split("\n")
    above = lines[lines.index("Vorwort") : citation.line]
    headings = [found[1] for text in above if (found := re.match(r"(?:Teil )?(\d(?:\.\d)*)\b", text))]

    number = citation.clause.removeprefix("TSO ").split()[0].split("–")[0]
    assert headings[-1] == number or headings[-1].startswith(f"{number}.")
