"""The figures of the books of rules: one line for each row of the table that they are taken from."""

import dataclasses

import pytest

from scoring import awards, extents, letters, rulesets
from scoring.awards import AwardReason, Awards
from scoring.rulesets.values import ChallengeRules, DuplicateRules, ExchangeRules, LeftoversRule, PenaltyUnit
from scoring.standings import RankingBasis


def test_rulesets_known_from_the_start():
    assert list(rulesets.RULESETS) == [
        "tso-2010",
        "tso-2017",
        "general-de",
        "senior-de",
        "sbnl-punten",
        "sbnl-wedstrijd",
        "sbnl-duplicate",
    ]
    assert all(key == ruleset.key for key, ruleset in rulesets.RULESETS.items())


def test_tso_2010():
    ruleset = rulesets.get("tso-2010")

    assert (ruleset.minutes, ruleset.default_minutes, ruleset.shared_minutes) == ((30, 25), 30, None)
    assert (ruleset.overtime_points, ruleset.overtime_limit, ruleset.lateness_limit) == (10, 600, 900)
    assert ruleset.challenges == ChallengeRules(
        10, PenaltyUnit.WORD, upheld_penalty=0, clause="TSO 3.1.4", hold=20, hold_clause="TSO 3.1.3 b"
    )
    assert ruleset.wrong_word_penalty is None
    assert ruleset.leftovers == LeftoversRule.TO_WHO_WENT_OUT
    assert ruleset.exchanges == ExchangeRules(in_bag=7, after_a_play=False, before_first_word=None)
    assert (ruleset.passes_to_end, ruleset.declined_penalty, ruleset.blank_draws_first) == (2, 0, True)
    assert (ruleset.basis, ruleset.awards) == (RankingBasis.WINS, Awards(50, 400, -100, 50, 50, "TSO 6.1.1", "TSO 6.1"))
    assert ruleset.overtime_step == 60


def test_tso_2017_differs_from_2010_in_the_overtime_limit_alone():
    older, newer = (dataclasses.asdict(rulesets.get(key)) for key in ("tso-2010", "tso-2017"))

    assert {name for name in older if older[name] != newer[name]} == {"key", "name", "source", "overtime_limit"}
    assert newer["overtime_limit"] == 300


def test_general_de():
    ruleset = rulesets.get("general-de")

    assert (ruleset.minutes, ruleset.default_minutes, ruleset.overtime_points) == ((), None, 0)
    assert (ruleset.overtime_limit, ruleset.lateness_limit) == (None, None)
    assert ruleset.challenges == ChallengeRules(5, PenaltyUnit.CHALLENGE, 0, "Allgemeine Spielregeln 4 h")
    assert (ruleset.leftovers, ruleset.exchanges, ruleset.passes_to_end) == (
        LeftoversRule.TO_WHO_WENT_OUT,
        ExchangeRules(in_bag=7),
        2,
    )


def test_senior_de_differs_from_general_de_in_challenges_exchanges_accents_and_clauses():
    general, senior = (rulesets.get(key) for key in ("general-de", "senior-de"))
    challenges = ChallengeRules(10, PenaltyUnit.CHALLENGE, 0, "Spielanleitung, Wort anfechten")

    assert senior == dataclasses.replace(
        general,
        key="senior-de",
        book="senior",
        name=senior.name,
        source=senior.source,
        challenges=challenges,
        exchanges=ExchangeRules(in_bag=1),
        folds_accents=True,
        stated_tiles=None,
        clauses=senior.clauses,
    )


def test_books_that_know_no_other_way_have_the_start_drawn():
    drawn = [key for key, ruleset in rulesets.RULESETS.items() if ruleset.draws_start]

    assert drawn == ["general-de", "senior-de", "sbnl-punten", "sbnl-wedstrijd"]


def test_book_cites_no_number_of_tiles_that_its_set_has_not():
    for ruleset in rulesets.RULESETS.values():
        assert ruleset.stated_tiles != letters.LETTER_SETS[ruleset.letters].size
        assert ruleset.stated_tiles is None or not ruleset.clauses.tiles


def test_books_in_which_accents_are_left_out_words_stand_after_the_game_and_a_drawn_blank_counts():
    folding = [key for key, ruleset in rulesets.RULESETS.items() if ruleset.folds_accents]
    blank_first = [key for key, ruleset in rulesets.RULESETS.items() if ruleset.blank_draws_first]

    not_later = [key for key, found in rulesets.RULESETS.items() if found.challenges and found.challenges.in_play_only]

    assert folding == ["senior-de"]
    assert not_later == ["sbnl-wedstrijd"]
    assert blank_first == ["tso-2010", "tso-2017", "general-de", "senior-de"]


def test_sbnl_punten():
    ruleset = rulesets.get("sbnl-punten")

    assert (ruleset.minutes, ruleset.shared_minutes, ruleset.overtime_points) == ((), 90, 0)
    assert (ruleset.challenges, ruleset.wrong_word_penalty, ruleset.questions) == (None, 20, 10)
    assert ruleset.leftovers == LeftoversRule.EACH_LOSES_OWN
    assert ruleset.exchanges == ExchangeRules(in_bag=16, after_a_play=True, before_first_word=3)
    assert (ruleset.passes_to_end, ruleset.declined_penalty, ruleset.blank_draws_first) == (None, 0, False)
    assert ruleset.basis == RankingBasis.POINTS


def test_sbnl_wedstrijd():
    ruleset = rulesets.get("sbnl-wedstrijd")

    assert (ruleset.minutes, ruleset.default_minutes, ruleset.shared_minutes) == ((35,), 35, 70)
    assert (ruleset.overtime_points, ruleset.overtime_limit) == (10, None)
    assert ruleset.challenges == ChallengeRules(
        20, PenaltyUnit.CHALLENGE, upheld_penalty=20, clause="Wedstrijdscrabble III-9", within=20, in_play_only=True
    )
    assert ruleset.leftovers == LeftoversRule.EACH_LOSES_OWN
    assert ruleset.exchanges == ExchangeRules(in_bag=16, after_a_play=True, before_first_word=1, by_consent=True)
    assert (ruleset.passes_to_end, ruleset.declined_penalty, ruleset.basis) == (None, 20, RankingBasis.WINS)
    assert ruleset.own_sheets


def test_sbnl_duplicate():
    ruleset = rulesets.get("sbnl-duplicate")

    assert ruleset.duplicate == DuplicateRules(turns=22, turn_seconds=180, signal_seconds=150, letters=7)
    assert ruleset.duplicate.writing_seconds == 30
    assert ruleset.duplicate.turns == extents.MAX_TURNS
    assert (ruleset.minutes, ruleset.challenges, ruleset.leftovers, ruleset.exchanges) == ((), None, None, None)
    assert ruleset.basis == RankingBasis.POINTS


def test_each_player_keeps_a_sheet_of_their_own_where_sbnl_plays_by_clock():
    with_own_sheets = {key for key, ruleset in rulesets.RULESETS.items() if ruleset.own_sheets}

    assert with_own_sheets == {"sbnl-wedstrijd"}


def test_game_ends_by_equal_turns_where_sbnl_plays_alone():
    with_equal_turns = {key for key, ruleset in rulesets.RULESETS.items() if ruleset.equal_turns}

    assert with_equal_turns == {"sbnl-punten", "sbnl-wedstrijd"}


@pytest.mark.parametrize(
    ("reason", "clause"),
    [
        pytest.param(AwardReason.NO_SHOW, "TSO 5.3 a", id="TSO 5.3 a"),
        pytest.param(AwardReason.DISQUALIFIED, "TSO 5.3 d", id="TSO 5.3 d"),
        pytest.param(AwardReason.OTHER, "TSO 6.1.1", id="TSO 6.1.1: any other breach"),
    ],
)
def test_reason_for_an_award_has_its_clause(reason, clause):
    assert rulesets.TSO_2017.clauses.forfeits.of(reason) == clause
    assert rulesets.GENERAL_DE.clauses.forfeits.of(reason) == ""


@pytest.mark.parametrize("ruleset", rulesets.RULESETS.values(), ids=rulesets.RULESETS)
def test_ruleset_cites_its_own_book_alone(ruleset):
    others = {"tso": "TSO", "punten": "Punten", "wedstrijd": "Wedstrijd"}
    others.pop(ruleset.book, None)

    assert not any(other in repr(dataclasses.astuple(ruleset)) for other in others.values())


@pytest.mark.parametrize("ruleset", [rulesets.GENERAL_DE, rulesets.SBNL_PUNTEN, rulesets.SBNL_WEDSTRIJD])
def test_awards_that_a_book_does_not_name_are_the_organisers(ruleset):
    assert ruleset.awards == awards.DEFAULT_AWARDS
    assert ruleset.awards == dataclasses.replace(rulesets.TSO_2017.awards, clause="", played_clause="")


@pytest.mark.parametrize("ruleset", rulesets.RULESETS.values(), ids=rulesets.RULESETS)
def test_ruleset_is_complete(ruleset):
    turns = ("opening", "joining", "rack", "points", "turn", "exchange", "passing", "out", "passes", "settlement")
    assert all(getattr(ruleset.clauses, turn) for turn in turns) == (ruleset.leftovers is not None)
    assert ruleset.name
    assert ruleset.source
    assert ruleset.letters in letters.LETTER_SETS
    assert bool(ruleset.overtime_points) == bool(ruleset.clauses.overtime)
    assert (ruleset.overtime_limit is None) == (ruleset.clauses.overtime_limit == "")
    assert (ruleset.lateness_limit is None) == (ruleset.clauses.lateness == "")


def test_ruleset_unknown():
    with pytest.raises(rulesets.UnknownRuleset, match=r"'tso-1999'.*tso-2010, tso-2017") as caught:
        rulesets.get("tso-1999")

    assert (caught.value.key, caught.value.allowed) == ("tso-1999", tuple(rulesets.RULESETS))


@pytest.mark.parametrize("figure", [{"minutes": (-1,)}, {"overtime_points": -10}, {"lateness_limit": -900}])
def test_ruleset_refuses_a_figure_below_zero(figure):
    with pytest.raises(ValueError, match="below zero"):
        dataclasses.replace(rulesets.TSO_2010, **figure)


def test_ruleset_refuses_steps_of_overtime_without_length():
    with pytest.raises(ValueError, match="step of overtime"):
        dataclasses.replace(rulesets.TSO_2010, overtime_step=0)


def test_rules_by_which_two_meet():
    assert [key for key, rules in rulesets.RULESETS.items() if not rules.is_paired] == ["sbnl-duplicate"]


def test_rules_without_clocks_have_no_overtime():
    untimed = rulesets.SBNL_WEDSTRIJD.without_clock

    assert (untimed.overtime_points, untimed.overtime_limit) == (0, None)
    assert untimed.challenges.within is None
    assert (
        dataclasses.replace(untimed, overtime_points=10, challenges=rulesets.SBNL_WEDSTRIJD.challenges)
        == rulesets.SBNL_WEDSTRIJD
    )
    assert rulesets.SBNL_PUNTEN.without_clock == rulesets.SBNL_PUNTEN


def test_step_of_overtime_may_be_a_second() -> None:
    assert dataclasses.replace(rulesets.TSO_2017, overtime_step=1).overtime_step == 1


def test_duplicate_without_figures_is_played_by_the_sbnls() -> None:
    assert DuplicateRules() == DuplicateRules(turns=22, turn_seconds=180, signal_seconds=150, letters=7)
