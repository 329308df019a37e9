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
    # No `minutes`, no overtime: nobody has a clock, and time up ends the game at no cost.
    shared_minutes=90,
    # Without `challenges`: a wrong word may be found at any time later, and costs its turn and these points (III-12).
    wrong_word_penalty=20,
    # At national tournaments alone; elsewhere words that are shown to the jury are counted only.
    questions=10,
    leftovers=LeftoversRule.EACH_LOSES_OWN,
    # Three turns in a row before the first word, then each time only after a turn that has placed a tile (III-7).
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
        two_letters="Puntenscrabble III-10",
        wrong_word="Puntenscrabble III-12",
        out="Puntenscrabble, Einde van het spel",
        passes="Puntenscrabble, Einde van het spel",
        settlement="Puntenscrabble, Einde van het spel",
        finished="Puntenscrabble, Einde van het spel",
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
    # Without `overtime_limit`: overtime costs points for as long as it lasts, and no game is lost by it.
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
    # One turn before the first word. For any exchange against these two rules the jury may consent (III-8).
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
        finished="Wedstrijdscrabble, Einde van het spel",
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
    clauses=Clauses(two_letters="Duplicatescrabble III-8"),
)

RULESETS = (SBNL_PUNTEN, SBNL_WEDSTRIJD, SBNL_DUPLICATE)
