"""The Turnierspielordnung (TSO) of Scrabble Deutschland: the edition of 2010 and the one in force since 2017."""

from dataclasses import replace

from scoring.awards import Awards
from scoring.clauses import Clauses, ForfeitClauses, KnockoutClauses
from scoring.rulesets.values import ChallengeRules, ExchangeRules, LeftoversRule, PenaltyUnit, Ruleset

TSO_AWARDS = Awards(clause="TSO 6.1.1", played_clause="TSO 6.1")

TSO_CLAUSES = Clauses(
    deviations="TSO 1.1 d",
    minutes="TSO 1.1 b",
    words="TSO 1.2",
    word_list="TSO 1.2 b",
    other_list="TSO 1.2 c",
    exceptions="TSO 1.6",
    turning="TSO 2.1",
    starts="TSO 2.2",
    fixed_starts="TSO 2.2 a",
    drawn_starts="TSO 2.2 b",
    tiles="TSO 1.3.2",
    # Rack, centre, joining and points stand in the general rules, on which the TSO builds: that book is cited.
    rack="Allgemeine Spielregeln 3",
    opening="Allgemeine Spielregeln 4 a",
    joining="Allgemeine Spielregeln 4 b",
    points="Allgemeine Spielregeln 4 d",
    turn="TSO 3.5",
    exchange="TSO 3.2.1",
    exchanged="TSO 3.2.1 d",
    passing="TSO 3.3",
    passed="TSO 3.3.1 b",
    judge="TSO 3.1.4",
    out="TSO 5.1 a",
    passes="TSO 5.1 b",
    settlement="Allgemeine Spielregeln 4 i",
    signing="TSO 5.4",
    lateness="TSO 2.4",
    overtime="TSO 5.2 b",
    overtime_limit="TSO 5.2 c",
    table="TSO 6.1",
    forfeits=ForfeitClauses(
        whole="TSO 5.3",
        no_show="TSO 5.3 a",
        late="TSO 5.3 b",
        overtime="TSO 5.3 c",
        disqualified="TSO 5.3 d",
        # 5.3 lists four reasons. That another breach loses the game as well is said only where it is credited.
        other="TSO 6.1.1",
    ),
    knockout=KnockoutClauses(
        whole="TSO 6.2",
        forms="TSO 6.2.1–6.2.3",
        single="TSO 6.2.1",
        double="TSO 6.2.2",
        best_of="TSO 6.2.3",
        level="TSO 6.2.4",
        forfeit="TSO 6.2.5",
    ),
)

TSO_2010 = Ruleset(
    key="tso-2010",
    name="Turnierspielordnung 2010",
    source="Scrabble Deutschland e.V., 25.04.2010",
    book="tso",
    letters="de",
    federation="SDeV",
    minutes=(30, 25),
    overtime_points=10,
    # More than ten minutes: 10:00 costs 100 points, and the second after it the game.
    overtime_limit=600,
    # More than a quarter of an hour: 15:00 are taken off the clock, and the game starts.
    lateness_limit=900,
    # By the word: each that was challenged in vain costs 10, also beside one for which the play was taken back.
    challenges=ChallengeRules(
        failed_penalty=10, per=PenaltyUnit.WORD, clause="TSO 3.1.4", hold=20, hold_clause="TSO 3.1.3 b"
    ),
    leftovers=LeftoversRule.TO_WHO_WENT_OUT,
    exchanges=ExchangeRules(in_bag=7),
    passes_to_end=2,
    word_list_days=14,
    awards=TSO_AWARDS,
    clauses=TSO_CLAUSES,
)

TSO_2017 = replace(
    TSO_2010,
    key="tso-2017",
    name="Turnierspielordnung 2017",
    source="Scrabble Deutschland e.V., 28.09.2017",
    # Of all figures here the only one that differs: five minutes instead of ten.
    overtime_limit=300,
)

RULESETS = (TSO_2010, TSO_2017)
