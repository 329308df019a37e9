"""The Dutch rules of Scrabble Bond Nederland (SBNL): points, match and duplicate Scrabble."""

from scoring.clauses import Clauses
from scoring.rulesets.values import ChallengeRules, DuplicateRules, ExchangeRules, LeftoversRule, PenaltyUnit, Ruleset
from scoring.standings import RankingBasis

SBNL_PUNTEN = Ruleset(
    key="sbnl-punten",
    name="Puntenscrabble",
    source="SBNL, Puntenscrabble",
    book="punten",
    letters="nl",
    shared_minutes=90,
    wrong_word_penalty=20,
    questions=10,
    leftovers=LeftoversRule.EACH_LOSES_OWN,
    exchanges=ExchangeRules(in_bag=16, after_a_play=True, before_first_word=3),
    blank_draws_first=False,
    basis=RankingBasis.POINTS,
    equal_turns=True,
    clauses=Clauses(
        words="Puntenscrabble III-9",
        starts="Puntenscrabble II",
        drawn_starts="Puntenscrabble II",
        tiles="Puntenscrabble I",
        rack="Puntenscrabble II",
        opening="Puntenscrabble III-1",
        joining="Puntenscrabble III-3",
        points="Puntenscrabble IV",
        turn="Puntenscrabble III-3",
        exchange="Puntenscrabble III-7",
        exchanged="Puntenscrabble IV-2",
        passing="Puntenscrabble III-8",
        passed="Puntenscrabble III-8",
        questions="Puntenscrabble III-10",
        wrong_word="Puntenscrabble III-12",
        out="Puntenscrabble, Einde van het spel",
        passes="Puntenscrabble, Einde van het spel",
        settlement="Puntenscrabble, Einde van het spel",
    ),
)

SBNL_WEDSTRIJD = Ruleset(
    key="sbnl-wedstrijd",
    name="Wedstrijdscrabble",
    source="SBNL, Wedstrijdscrabble",
    book="wedstrijd",
    letters="nl",
    minutes=(35,),
    shared_minutes=70,
    overtime_points=10,
    challenges=ChallengeRules(
        failed_penalty=20,
        per=PenaltyUnit.CHALLENGE,
        upheld_penalty=20,
        clause="Wedstrijdscrabble III-9",
        within=20,
        in_play_only=True,
    ),
    leftovers=LeftoversRule.EACH_LOSES_OWN,
    exchanges=ExchangeRules(in_bag=16, after_a_play=True, before_first_word=1, by_consent=True),
    declined_penalty=20,
    blank_draws_first=False,
    equal_turns=True,
    own_sheets=True,
    clauses=Clauses(
        words="Wedstrijdscrabble III",
        starts="Wedstrijdscrabble II",
        drawn_starts="Wedstrijdscrabble II",
        tiles="Wedstrijdscrabble I",
        rack="Wedstrijdscrabble II",
        opening="Wedstrijdscrabble III-1",
        joining="Wedstrijdscrabble III-3",
        points="Wedstrijdscrabble IV",
        turn="Wedstrijdscrabble III-3",
        exchange="Wedstrijdscrabble III-7",
        exchanged="Wedstrijdscrabble IV",
        passing="Wedstrijdscrabble III-8",
        passed="Wedstrijdscrabble III-8",
        out="Wedstrijdscrabble, Einde van het spel",
        passes="Wedstrijdscrabble, Einde van het spel",
        settlement="Wedstrijdscrabble, Einde van het spel",
        overtime="Wedstrijdscrabble, Einde van het spel",
    ),
)

SBNL_DUPLICATE = Ruleset(
    key="sbnl-duplicate",
    name="Duplicatescrabble",
    source="SBNL, Duplicatescrabble",
    book="duplicate",
    letters="nl",
    blank_draws_first=False,
    basis=RankingBasis.POINTS,
    duplicate=DuplicateRules(),
)

RULESETS = (SBNL_PUNTEN, SBNL_WEDSTRIJD, SBNL_DUPLICATE)
