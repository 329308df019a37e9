"""The German rules that come with the game: the general ones, and those of the edition with large letters."""

from dataclasses import replace

from scoring.clauses import Clauses
from scoring.rulesets.values import ChallengeRules, ExchangeRules, LeftoversRule, PenaltyUnit, Ruleset

GENERAL_DE = Ruleset(
    key="general-de",
    name="Allgemeine Spielregeln",
    source="Allgemeine Scrabble-Spielregeln",
    book="general",
    letters="de",
    # The book speaks of 100 tiles, the German set has 102: the number is told, and not cited for the set.
    stated_tiles=100,
    challenges=ChallengeRules(failed_penalty=5, per=PenaltyUnit.CHALLENGE, clause="Allgemeine Spielregeln 4 h"),
    leftovers=LeftoversRule.TO_WHO_WENT_OUT,
    exchanges=ExchangeRules(in_bag=7),
    passes_to_end=2,
    clauses=Clauses(
        words="Allgemeine Spielregeln 4 g",
        starts="Allgemeine Spielregeln 3",
        drawn_starts="Allgemeine Spielregeln 3",
        rack="Allgemeine Spielregeln 3",
        opening="Allgemeine Spielregeln 4 a",
        joining="Allgemeine Spielregeln 4 b",
        points="Allgemeine Spielregeln 4 d",
        turn="Allgemeine Spielregeln 3",
        exchange="Allgemeine Spielregeln 4 e",
        exchanged="Allgemeine Spielregeln 4 e",
        passing="Allgemeine Spielregeln 4 f",
        passed="Allgemeine Spielregeln 4 f",
        out="Allgemeine Spielregeln 4 i",
        passes="Allgemeine Spielregeln 4 i",
        settlement="Allgemeine Spielregeln 4 i",
    ),
)

SENIOR_DE = replace(
    GENERAL_DE,
    key="senior-de",
    book="senior",
    name="Spielanleitung mit großen Buchstaben",
    source="Scrabble-Spielanleitung, Ausgabe mit großen Buchstaben",
    challenges=ChallengeRules(failed_penalty=10, per=PenaltyUnit.CHALLENGE, clause="Spielanleitung, Wort anfechten"),
    # The book names no number: whatever the bag can serve may be exchanged, five tiles if it has five.
    exchanges=ExchangeRules(in_bag=1),
    folds_accents=True,
    stated_tiles=None,
    # Without `exchanged` and `passed`: that neither scores anything this book does not say.
    clauses=Clauses(
        words="Spielanleitung, Zulässige und nicht zulässige Wörter",
        starts="Spielanleitung, Spielvorbereitung",
        drawn_starts="Spielanleitung, Spielvorbereitung",
        rack="Spielanleitung, Spielvorbereitung",
        opening="Spielanleitung, Das Legen des ersten Wortes",
        joining="Spielanleitung, Spielzug des nächsten Spielers",
        points="Spielanleitung, Spielzug des nächsten Spielers",
        turn="Spielanleitung, Spielzug des nächsten Spielers",
        exchange="Spielanleitung, Tauschen von Buchstabensteinen",
        passing="Spielanleitung, Passen",
        out="Spielanleitung, Ende des Spiels",
        passes="Spielanleitung, Ende des Spiels",
        settlement="Spielanleitung, Ende des Spiels",
    ),
)

RULESETS = (GENERAL_DE, SENIOR_DE)
